//! `convoy serve` as a process: killed in the middle of games, told to stop, refused a port.

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use convoy_test_client::client::{Client, Socket, some_turn};
use convoy_test_client::process::ServerProcess;
use serde_json::{Value, json};

use crate::process::{Folder, start};

async fn play(sockets: &mut [Socket; 2], turns: usize, seed: &mut u64) {
    for _ in 0..turns {
        let mover = usize::from(sockets[0].view["turn"] == "b");
        let lan = some_turn(sockets[mover].view["fen"].as_str().unwrap(), seed).unwrap();
        let seq = sockets[mover].seq() + 1;
        sockets[mover]
            .act("move", json!({ "move": lan }))
            .await
            .unwrap();
        for socket in &mut *sockets {
            socket.until_seq(seq).await.unwrap();
        }
    }
}

async fn join(clients: &[Client; 2], table: &str) -> [Socket; 2] {
    let red = clients[0].join(table, None).await.unwrap();
    [red, clients[1].join(table, None).await.unwrap()]
}

async fn new_game(clients: &[Client; 2]) -> String {
    let new_table = json!({ "opponent": "friend", "color": "r", "minutes": 10, "increment": 2 });
    let table = clients[0].open(&new_table).await.unwrap();
    clients[1].sit(&table).await.unwrap();
    table
}

#[tokio::test]
async fn killed_in_the_middle_of_games_it_loses_nothing_it_acknowledged() {
    let folder = Folder::new("kill");
    let mut server = start(&folder.0);
    let mut seed = 5;
    let address = server.address;
    let mut clients = [
        Client::new(address).await.unwrap(),
        Client::new(address).await.unwrap(),
    ];
    let table = new_game(&clients).await;
    let mut sockets = join(&clients, &table).await;
    for round in 0..3 {
        play(&mut sockets, 5, &mut seed).await;
        // Time that a clock would lose, if it were not that of the last turn that is kept.
        tokio::time::sleep(Duration::from_millis(60)).await;
        // A move that is under way may or may not be kept; what was told must be.
        let told = sockets[0].view.clone();
        let mover = usize::from(told["turn"] == "b");
        let lan = some_turn(told["fen"].as_str().unwrap(), &mut seed).unwrap();
        if round == 1 {
            sockets[mover]
                .act("move", json!({ "move": lan }))
                .await
                .unwrap();
        }
        server.kill().unwrap();
        server = start(&folder.0);
        for client in &mut clients {
            client.address = server.address;
        }
        let kept = clients[0].view(&table).await.unwrap();
        let turns = told["turns"].as_array().unwrap().len();
        let kept_turns = kept["turns"].as_array().unwrap();
        assert_eq!(kept_turns[..turns], told["turns"].as_array().unwrap()[..]);
        assert!(kept_turns.len() <= turns + usize::from(round == 1));
        if kept_turns.len() == turns {
            assert_eq!((&kept["fen"], &kept["seq"]), (&told["fen"], &told["seq"]));
        }

        // The clocks are those of the last turn, and stand until both are back.
        let left = kept_turns.last().unwrap()["left"].clone();
        assert_eq!(kept["clock"]["left"], left);
        assert_eq!(kept["clock"]["paused"], true);
        let first = clients[0].join(&table, None).await.unwrap();
        // Time that a clock would lose, if it did not stand.
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(
            clients[0].view(&table).await.unwrap()["clock"]["left"],
            left
        );
        let second = clients[1].join(&table, Some(told)).await.unwrap();
        sockets = [first, second];
        for socket in &mut sockets {
            while socket.view["clock"]["paused"] != Value::Bool(false) {
                socket.next().await.unwrap();
            }
        }
    }
    play(&mut sockets, 2, &mut seed).await;
}

#[tokio::test]
async fn bots_go_on_and_open_tables_stay_after_a_kill() {
    let folder = Folder::new("bots");
    let server = start(&folder.0);
    let mut ann = Client::new(server.address).await.unwrap();
    let new_table = json!({ "opponent": "bot", "level": 1, "color": "b" });
    let table = ann.open(&new_table).await.unwrap();
    let open = ann.open(&json!({ "opponent": "friend" })).await.unwrap();
    server.kill().unwrap();
    let server = start(&folder.0);
    ann.address = server.address;
    let mut socket = ann.join(&table, None).await.unwrap();
    while socket.turns() == 0 {
        socket.next().await.unwrap();
    }
    let mut bob = Client::new(server.address).await.unwrap();
    bob.sit(&open).await.unwrap();
    assert_eq!(bob.view(&open).await.unwrap()["phase"], "playing");
    // A session outlives the process as well.
    server.kill().unwrap();
    let server = start(&folder.0);
    bob.address = server.address;
    assert!(!bob.view(&open).await.unwrap()["you"].is_null());
}

#[tokio::test]
async fn told_to_stop_it_says_goodbye_and_ends_well() {
    let folder = Folder::new("stop");
    let mut server = start(&folder.0);
    let clients = [
        Client::new(server.address).await.unwrap(),
        Client::new(server.address).await.unwrap(),
    ];
    let table = new_game(&clients).await;
    let mut socket = clients[0].join(&table, None).await.unwrap();
    let pid = server.child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    while socket.next().await.unwrap()["t"] != "bye" {}
    let status = tokio::task::spawn_blocking(move || server.child.wait().unwrap());
    // Only a hang takes this long.
    let status = tokio::time::timeout(Duration::from_mins(2), status).await;
    assert!(status.unwrap().unwrap().success());
}

#[tokio::test]
async fn a_busy_port_gives_one_clear_line() {
    let folder = Folder::new("busy");
    let server = start(&folder.0);
    let mut second = Command::new(env!("CARGO_BIN_EXE_convoy"))
        .args(["serve", "--listen", &server.address.to_string(), "--data"])
        .arg(&folder.0)
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let status = second.wait().unwrap();
    let mut text = String::new();
    second
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    assert!(!status.success());
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(
        text.contains("is in use") && text.contains("--listen"),
        "{text}"
    );
}

#[tokio::test]
async fn a_log_in_json_is_one_object_a_line() {
    let folder = Folder::new("json-log");
    std::fs::create_dir_all(&folder.0).unwrap();
    let path = folder.0.join("log");
    let mut command = Command::new(env!("CARGO_BIN_EXE_convoy"));
    command.stderr(std::fs::File::create(&path).unwrap());
    let any = std::net::SocketAddr::from(([127, 0, 0, 1], 0));
    let args = ["--log-format", "json", "--log-level", "debug"];
    let server = ServerProcess::spawn(&mut command, any, &folder.0, &args).unwrap();
    Client::new(server.address).await.unwrap();
    server.kill().unwrap();
    let log = std::fs::read_to_string(&path).unwrap();
    let lines = log.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    let request = lines.iter().find(|line| line["message"] == "request");
    let request = request.unwrap_or_else(|| panic!("{log}"));
    assert_eq!(
        (&request["level"], &request["status"]),
        (&json!("DEBUG"), &json!(200))
    );
    assert!(request["timestamp"].is_string(), "{request}");
}
