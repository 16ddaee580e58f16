//! Several `convoy serve` processes over one database, one of which is killed in the middle of a game.

use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use convoy_test_client::client::{Client, Socket, some_turn};
use convoy_test_client::faults::balancer::Balancer;
use convoy_test_client::faults::play::{Players, Tables};
use convoy_test_client::faults::visitors::Visitors;
use convoy_test_client::installation::{Installation, Size};
use convoy_test_client::process::ServerProcess;
use convoy_test_nats::Server as Nats;
use convoy_test_postgres::Server as Postgres;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::process::Folder;

fn node(postgres: &Postgres, nats: &Nats, data: &Path) -> ServerProcess {
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let mut command = Command::new(env!("CARGO_BIN_EXE_convoy"));
    command
        .env("CONVOY_DATABASE", postgres.url())
        .env("CONVOY_NATS", nats.node_url())
        .stderr(Stdio::null());
    ServerProcess::spawn(&mut command, any, data, &[]).unwrap()
}

/// Plays one turn, and waits until both have seen it.
async fn play(sockets: &mut [Socket; 2], seed: &mut u64) -> String {
    let mover = &mut sockets[usize::from(sockets[0].view["turn"] == "b")];
    let turns = mover.turns();
    let lan = some_turn(mover.view["fen"].as_str().unwrap(), seed).unwrap();
    while mover.turns() == turns {
        let seq = mover.seq();
        let d = json!({ "move": lan });
        mover.act("move", d).await.unwrap();
        // A node that takes a table over writes that down, and a turn for the number before is refused then.
        while mover.turns() == turns {
            let frame = mover.next().await.unwrap();
            if frame["t"] == "refused" {
                assert_eq!(frame["d"]["code"], "stale", "{frame}");
                break;
            }
        }
        while mover.seq() == seq {
            mover.next().await.unwrap();
        }
    }
    for socket in sockets {
        while socket.turns() == turns {
            socket.next().await.unwrap();
        }
    }
    lan
}

#[tokio::test]
async fn a_game_goes_on_when_its_node_is_killed() {
    let (postgres, nats) = (Postgres::start().unwrap(), Nats::start().unwrap());
    // Both nodes have the key of running shuffles.
    let folder = Folder::new("nodes");
    let nodes = [&folder.0, &folder.0].map(|data| node(&postgres, &nats, data));
    let [first, second] = nodes;
    let mut red = Client::new(first.address).await.unwrap();
    let blue = Client::new(second.address).await.unwrap();
    let new_table = json!({ "opponent": "friend", "color": "r", "minutes": 60 });
    let table = red.open(&new_table).await.unwrap();
    blue.sit(&table).await.unwrap();
    let mut sockets = [
        red.join(&table, None).await.unwrap(),
        blue.join(&table, None).await.unwrap(),
    ];
    let (mut seed, mut played) = (1, Vec::new());
    for _ in 0..6 {
        played.push(play(&mut sockets, &mut seed).await);
    }
    first.kill().unwrap();
    red.address = second.address;
    sockets[0] = red.join(&table, None).await.unwrap();
    let seq = sockets[0].seq();
    sockets[1].until_seq(seq).await.unwrap();
    for _ in 0..6 {
        played.push(play(&mut sockets, &mut seed).await);
    }
    let view = blue.view(&table).await.unwrap();
    let turns = view["turns"].as_array().unwrap().iter();
    let told: Vec<&str> = turns.map(|turn| turn["lan"].as_str().unwrap()).collect();
    assert_eq!(told, played);
}

#[test]
fn nothing_is_exported_or_imported_while_a_node_runs() {
    let (postgres, nats) = (Postgres::start().unwrap(), Nats::start().unwrap());
    let folder = Folder::new("nodes-export");
    let running = node(&postgres, &nats, &folder.0);
    let file = folder.0.join("all.jsonl");
    let moved = |command: &str| {
        let mut convoy = Command::new(env!("CARGO_BIN_EXE_convoy"));
        convoy.arg(command).arg(&file).arg("--data").arg(&folder.0);
        convoy
            .env("CONVOY_DATABASE", postgres.url())
            .env("CONVOY_NATS", nats.node_url())
            .output()
            .unwrap()
    };
    for command in ["export", "import"] {
        let refused = String::from_utf8(moved(command).stderr).unwrap();
        assert_eq!(refused.lines().count(), 1, "{refused}");
        assert!(refused.contains("another server runs"), "{refused}");
    }
    running.kill().unwrap();
    let exported = moved("export");
    assert!(exported.status.success(), "{exported:?}");
}

#[tokio::test]
async fn cards_are_dealt_on_when_their_node_is_killed() {
    let (postgres, nats) = (Postgres::start().unwrap(), Nats::start().unwrap());
    let folder = Folder::new("nodes-cards");
    let [first, second] = [&folder.0, &folder.0].map(|data| node(&postgres, &nats, data));
    let mut ann = Client::new(first.address).await.unwrap();
    let new_table = json!({ "game": "tractor", "level": 1 });
    let table = ann.open(&new_table).await.unwrap();
    ann.address = second.address;
    let mut socket = ann.join(&table, None).await.unwrap();
    while socket.view["dealt"].as_u64().unwrap_or(0) < 20 {
        socket.next().await.unwrap();
    }
    let before = socket.view["hand"].as_array().unwrap().clone();
    first.kill().unwrap();
    // The socket is that of the other node, and stays.
    while socket.view["dealt"] != 100 {
        socket.next().await.unwrap();
    }
    let after = socket.view["hand"].as_array().unwrap();
    assert_eq!(after.len(), 25);
    assert!(
        before.iter().all(|card| after.contains(card)),
        "{before:?} {after:?}"
    );
}

#[tokio::test]
async fn a_node_that_was_stopped_shows_nothing_old() {
    let (postgres, nats) = (Postgres::start().unwrap(), Nats::start().unwrap());
    let folder = Folder::new("nodes-stopped");
    let [first, second] = [&folder.0, &folder.0].map(|data| node(&postgres, &nats, data));
    let mut red = Client::new(first.address).await.unwrap();
    let blue = Client::new(second.address).await.unwrap();
    let new_table = json!({ "opponent": "friend", "color": "r", "minutes": 60 });
    let table = red.open(&new_table).await.unwrap();
    blue.sit(&table).await.unwrap();
    red.address = second.address;
    let mut sockets = [
        red.join(&table, None).await.unwrap(),
        blue.join(&table, None).await.unwrap(),
    ];
    let (mut seed, mut played) = (1, Vec::new());
    for _ in 0..4 {
        played.push(play(&mut sockets, &mut seed).await);
    }
    let signal = |signal| kill_process(Pid::from_child(&first.child), signal).unwrap();
    signal(Signal::STOP);
    // The other node takes the table over, and the sockets follow.
    go_on(&blue, &table, &mut sockets).await;
    for _ in 0..4 {
        played.push(play(&mut sockets, &mut seed).await);
    }
    signal(Signal::CONT);
    red.address = first.address;
    let view = go_on(&red, &table, &mut sockets).await;
    let turns = view["turns"].as_array().unwrap().iter();
    let told: Vec<&str> = turns.map(|turn| turn["lan"].as_str().unwrap()).collect();
    assert_eq!(told, played);
    play(&mut sockets, &mut seed).await;
}

/// Looks at a table over HTTP as soon as the node can tell who has it. Until then it says that it is busy, and shows
/// nothing.
async fn look(client: &Client, table: &str) -> Value {
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let view = client.view(table).await.unwrap();
        if view["seq"].is_u64() {
            return view;
        }
        assert_eq!(view["error"]["code"], "busy", "{view}");
        assert!(Instant::now() < deadline, "still {view}");
        // Asks again, as a page does.
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Looks at a table over HTTP, and waits until the sockets have seen as much.
async fn go_on(client: &Client, table: &str, sockets: &mut [Socket; 2]) -> Value {
    let view = look(client, table).await;
    for socket in sockets {
        socket
            .until_seq(view["seq"].as_u64().unwrap())
            .await
            .unwrap();
    }
    view
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_sent_away_while_nodes_are_restarted_in_turn() {
    let folder = Folder::new("nodes-in-turn");
    std::fs::create_dir_all(&folder.0).unwrap();
    let size = Size {
        nodes: 2,
        workers: 0,
        can_be_cut: false,
        is_durable: false,
    };
    let program = Path::new(env!("CARGO_BIN_EXE_convoy"));
    let installation = Installation::start(program, &folder.0, size).await;
    let mut installation = installation.unwrap();
    // Only a hang takes this long: a node that has ended refuses connections at once.
    let patience = Duration::from_secs(20);
    let balancer = Balancer::over(&installation.addresses(), patience).await;
    let balancer = balancer.unwrap();
    let tables = Tables {
        boards: 1,
        bots: 0,
        cards: 0,
    };
    let players = Players::start(balancer.address, tables);
    let (visitors, begun) = (Visitors::come(balancer.address, 2).await, Instant::now());
    let visitors = visitors.unwrap();
    for index in 0..size.nodes {
        let given = balancer.given();
        installation.restart(index).await.unwrap();
        // Both nodes serve pages again, and the game goes on.
        while balancer.given()[index] < given[index] + 20 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(players.until_all_played().await, None);
    }
    assert!(visitors.pages() > 40);
    assert_eq!(visitors.wrong(begun), Vec::<String>::new());
}
