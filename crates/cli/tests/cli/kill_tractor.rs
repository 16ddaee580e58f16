//! `convoy serve` killed in the middle of deal, kitty and play of Tractor, and `convoy verify`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use convoy_test_client::client::{Client, Socket};
use serde_json::{Value, json};

use crate::process::{Folder, start};

fn may(view: &Value, what: &str) -> bool {
    view["can"].as_array().unwrap().contains(&json!(what))
}

fn cards(view: &Value) -> Vec<Value> {
    let groups = view["groups"].as_array().unwrap().iter();
    groups
        .flat_map(|group| group["cards"].as_array().unwrap().clone())
        .collect()
}

/// Reads frames until the view meets the condition.
async fn until(socket: &mut Socket, condition: impl Fn(&Value) -> bool) {
    while !condition(&socket.view) {
        // Only a hang takes this long.
        let next = tokio::time::timeout(Duration::from_mins(2), socket.next());
        next.await.expect("a frame comes").unwrap();
    }
}

/// All commit to the shuffle, then all reveal; the sockets are those of the first seats.
pub(crate) async fn shuffle(sockets: &mut [Socket]) {
    let bits = "07".repeat(32);
    for what in ["commit", "reveal"] {
        for (seat, socket) in (0..).zip(sockets.iter_mut()) {
            until(socket, |view| {
                may(view, what) || !matches!(view["stage"].as_str(), Some("waiting" | "shuffling"))
            })
            .await;
            if !may(&socket.view, what) {
                continue;
            }
            let shuffle = &socket.view["shuffle"];
            let server = shuffle["server"].as_str().unwrap();
            let hash = convoy_server::commit_hash(server, seat, &bits).unwrap();
            let d = json!({
                "number": shuffle["number"], "attempt": shuffle["attempt"], "hash": hash, "bits": bits,
            });
            socket.act(what, d).await.unwrap();
        }
    }
}

/// Everybody passes, and the kitty is handed out.
async fn end_declaring(sockets: &mut [Socket]) {
    for socket in sockets.iter_mut() {
        until(socket, |view| {
            may(view, "pass") || view["stage"] != "dealing"
        })
        .await;
        if may(&socket.view, "pass") {
            socket.act("pass", json!({})).await.unwrap();
        }
    }
    for socket in sockets {
        until(socket, |view| view["stage"] != "dealing").await;
    }
}

/// Eight cards are buried, one is led, and everybody sees it.
async fn bury_and_lead(sockets: &mut [Socket]) {
    for socket in sockets.iter_mut() {
        if may(&socket.view, "bury") {
            let eight = &cards(&socket.view)[25..];
            socket.act("bury", json!({ "cards": eight })).await.unwrap();
        }
    }
    for socket in sockets.iter_mut() {
        until(socket, |view| view["stage"] == "playing").await;
    }
    let leader = usize::try_from(sockets[0].view["turn"].as_u64().unwrap()).unwrap();
    let card = cards(&sockets[leader].view).pop().unwrap();
    let card = json!({ "cards": [card] });
    sockets[leader].act("play", card).await.unwrap();
    for socket in sockets {
        until(socket, |view| !view["open"].is_null()).await;
    }
}

/// What must be the same after the end: all that this seat knows, but for the time.
fn facts(view: &Value) -> Value {
    let mut view = view.clone();
    for passing in ["timer", "standIn", "can"] {
        view.as_object_mut().unwrap().remove(passing);
    }
    view
}

#[tokio::test]
async fn killed_in_deal_kitty_and_play_it_goes_on() {
    let data = Folder::new("cards");
    let mut server = start(&data.0);
    let mut clients = vec![];
    for _ in 0..4 {
        clients.push(Client::new(server.address).await.unwrap());
    }
    let new_table = json!({ "game": "tractor", "opponent": "friend", "level": 1 });
    let table = clients[0].open(&new_table).await.unwrap();
    for client in &clients[1..] {
        client.sit(&table).await.unwrap();
    }
    for stage in ["dealing", "burying", "playing"] {
        let mut sockets = vec![];
        for client in &clients {
            sockets.push(client.join(&table, None).await.unwrap());
        }
        shuffle(&mut sockets).await;
        for socket in &mut sockets {
            until(socket, |view| view["dealt"].as_u64() >= Some(20)).await;
        }
        if stage != "dealing" {
            end_declaring(&mut sockets).await;
        }
        if stage == "playing" {
            bury_and_lead(&mut sockets).await;
        }
        let told: Vec<Value> = sockets.iter().map(|socket| socket.view.clone()).collect();
        drop(server);
        server = start(&data.0);
        for (seat, client) in clients.iter_mut().enumerate() {
            client.address = server.address;
            let kept = client.view(&table).await.unwrap();
            let (told, kept) = (facts(&told[seat]), facts(&kept));
            // The deal may have gone on between the last frame and the end.
            if kept["seq"] == told["seq"] {
                assert_eq!(kept, told, "{stage}, seat {seat}");
            } else {
                assert_eq!(stage, "dealing");
                let held = told["hand"].as_array().unwrap();
                let still = kept["hand"].as_array().unwrap();
                assert!(held.iter().all(|card| still.contains(card)));
            }
        }
    }
    // One comes back and the others do not: bots stand in, and the trick goes on.
    let mut socket = clients[0].join(&table, None).await.unwrap();
    until(&mut socket, |view| {
        may(view, "play")
            || view["turns"]
                .as_array()
                .is_some_and(|turns| !turns.is_empty())
    })
    .await;
    drop(server);
}

/// Whether `convoy verify` accepts a file with these options, and what it says.
fn verify(file: &Path, options: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_convoy"))
        .arg("verify")
        .arg(file)
        .args(options)
        .output();
    let output = output.unwrap();
    let words = [output.stdout, output.stderr].concat();
    let words = String::from_utf8_lossy(&words).into_owned();
    (output.status.success(), words)
}

#[test]
fn verify_says_what_does_not_hold() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("no-round.json");
    std::fs::write(&file, "{}").unwrap();
    let (ok, words) = verify(&file, &[]);
    assert!(!ok && words.contains("not the file of a round"), "{words}");
    assert_eq!(words.lines().count(), 1);
}

#[test]
fn verify_compares_what_was_kept_and_labels_an_old_file() {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/tests/data/format_1.round.json");
    let commitment = "8894b452d437b5d40fc658a8a0c3015710caa61659b0e80fd029ece6df923204";
    let (ok, words) = verify(&file, &[]);
    assert!(ok && words.contains("a weaker promise"), "{words}");
    assert!(words.contains("nothing that you kept"), "{words}");
    let mine = "0:000102030405060708090A0B0C0D0E0F";
    let (ok, words) = verify(&file, &["--commitment", commitment, "--mine", mine]);
    assert!(ok, "{words}");
    assert!(words.contains("the commitment, your bits"), "{words}");
    for (options, fault) in [
        (["--commitment", "00"], "not the one that you kept"),
        (["--mine", "1:00"], "did not add the bits that you kept"),
        (["--mine", "4:00"], "a seat is 0, 1, 2 or 3"),
        (["--mine", "00"], "SEAT:BITS"),
        (["--mine", "0:xyz"], "hexadecimal"),
    ] {
        let (ok, words) = verify(&file, &options);
        assert!(!ok && words.contains(fault), "{options:?}: {words}");
    }
}

/// The key is made once, for its owner alone; another one is not taken for this storage.
#[test]
fn a_storage_belongs_to_its_shuffle_key() {
    use std::os::unix::fs::PermissionsExt as _;
    let data = Folder::new("key");
    drop(start(&data.0));
    let path = data.0.join("shuffle.key");
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    drop(start(&data.0));
    std::fs::remove_file(&path).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_convoy"))
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(&data.0)
        .output()
        .unwrap();
    assert!(!output.status.success());
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(words.contains("shuffle.key is not the key"), "{words}");
}
