//! Several nodes over one PostgreSQL database and one NATS server.

mod messages;

use std::sync::Arc;
use std::time::Duration;

use async_nats::{Client, ConnectOptions};
use axum::http::StatusCode;
use convoy_server::{
    AdminCommand, App, Append, Config, DatabaseUrl, Nats, PostgresStore, Rate, Store as _, Stored,
    TableId,
};
use convoy_test_nats::Server as NatsServer;
use convoy_test_postgres::Server as Postgres;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::admin::run;
use crate::common::{LONG, Site, Socket, Visitor, config, register, some_turn, until};

/// The servers that nodes share.
struct Shared {
    _postgres: Option<Postgres>,
    url: DatabaseUrl,
    nats: NatsServer,
}

impl Shared {
    async fn start() -> Self {
        Self::over(NatsServer::start().unwrap()).await
    }

    async fn over(nats: NatsServer) -> Self {
        let named = std::env::var("CONVOY_TEST_DATABASE").ok();
        let postgres = named.is_none().then(|| Postgres::start().unwrap());
        let url = named.unwrap_or_else(|| postgres.as_ref().unwrap().url());
        Self {
            url: crate::common::database::new_schema(&url).await,
            _postgres: postgres,
            nats,
        }
    }

    async fn store(&self) -> PostgresStore {
        let storage = convoy_server::Storage::default();
        PostgresStore::open_shared(&self.url, storage)
            .await
            .unwrap()
    }

    async fn node(&self) -> Site {
        self.node_with(config()).await
    }

    async fn node_with(&self, config: Config) -> Site {
        let nats = Nats::connect(&self.nats.node_url().parse().unwrap()).await;
        let store = Arc::new(self.store().await);
        let app = App::node(store, config, nats.unwrap()).await.unwrap();
        app.join().await.unwrap();
        Site::of(app).await
    }

    /// Two nodes that know of each other.
    async fn pair(&self) -> (Site, Site) {
        self.pair_with(config()).await
    }

    async fn pair_with(&self, config: Config) -> (Site, Site) {
        let nodes = [config.clone(), config].map(|config| Box::pin(self.node_with(config)));
        let [first, second] = nodes;
        tokio::join!(first, second)
    }

    /// A bare connection with the rights of a node.
    async fn listener(&self) -> Client {
        let password = convoy_test_nats::PASSWORD.to_owned();
        ConnectOptions::with_user_and_password("node".to_owned(), password)
            .connect(self.nats.address())
            .await
            .unwrap()
    }
}

/// The same visitor with another node.
fn at(site: &Site, visitor: &Visitor) -> Visitor {
    Visitor {
        site: site.clone(),
        ..visitor.clone()
    }
}

/// Plays so many turns, and looks that both sockets agree.
async fn play(sockets: &mut [Socket; 2], turns: usize, seed: &mut u64) {
    for _ in 0..turns {
        let mover = usize::from(sockets[0].view["turn"] == "b");
        let lan = some_turn(&sockets[mover].position(), seed);
        sockets[mover].play(&lan).await;
        let seq = sockets[mover].view["seq"].clone();
        sockets[1 - mover]
            .until_view(|view| view["seq"] == seq)
            .await;
        for field in ["fen", "turns", "turn"] {
            assert_eq!(sockets[0].view[field], sockets[1].view[field]);
        }
    }
}

/// Two people at two nodes; the first one's has the table.
async fn pair(nodes: [&Site; 2]) -> (Visitor, Visitor, String) {
    let (red, blue) = (nodes[0].visitor().await, nodes[1].visitor().await);
    let new_table = json!({ "opponent": "friend", "color": "r", "minutes": 60 });
    let table = red.open(new_table).await;
    assert_eq!(blue.sit(&table).await.status, StatusCode::OK);
    (red, blue, table)
}

#[tokio::test]
async fn two_people_play_at_two_nodes() {
    let shared = Shared::start().await;
    let (a, b) = shared.pair().await;
    let (red, blue, table) = pair([&a, &b]).await;
    let mut sockets = [red.join(&table).await, blue.join(&table).await];
    play(&mut sockets, 10, &mut 1).await;
    // What is refused is refused in the same words.
    let lan = some_turn(&sockets[1].position(), &mut 2);
    let waiting = usize::from(sockets[0].view["turn"] == "r");
    let d = json!({ "move": lan });
    let code = sockets[waiting].refused("move", d).await;
    assert_eq!(code, "not-your-turn");
    let both = [red.view(&table).await, at(&a, &blue).view(&table).await];
    assert_eq!(both[0]["fen"], both[1]["fen"]);
    let pgn = format!("/game/{table}.pgn");
    assert_eq!(red.get(&pgn).await.text, blue.get(&pgn).await.text);
    assert_eq!(
        blue.get("/game/000000000000").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn a_node_that_leaves_hands_its_tables_over() {
    let shared = Shared::start().await;
    let (a, b) = shared.pair().await;
    let (red, blue, table) = pair([&a, &b]).await;
    let mut sockets = [red.join(&table).await, blue.join(&table).await];
    let mut seed = 1;
    play(&mut sockets, 6, &mut seed).await;
    let fen = sockets[0].view["fen"].clone();
    a.app.close().await;
    // Blue's socket stays; red comes again, to the other node.
    let red = at(&b, &red);
    sockets[0] = red.join(&table).await;
    assert_eq!(sockets[0].view["fen"], fen);
    let seq = sockets[0].view["seq"].clone();
    sockets[1].until_view(|view| view["seq"] == seq).await;
    play(&mut sockets, 6, &mut seed).await;
    let id: TableId = table.parse().unwrap();
    let events = shared.store().await.events(&id).await.unwrap();
    let owned = events
        .iter()
        .filter(|stored| stored.event.contains("owned"));
    assert_eq!(owned.count(), 1);
    let moves = events
        .iter()
        .filter(|stored| stored.event.contains("\"move"));
    assert_eq!(moves.count(), 12, "each once");
}

#[tokio::test]
async fn a_node_that_comes_takes_some_tables_over() {
    let shared = Shared::start().await;
    let a = shared.node().await;
    let mut games = Vec::new();
    for _ in 0..6 {
        let (red, blue, table) = pair([&a, &a]).await;
        let sockets = [red.join(&table).await, blue.join(&table).await];
        games.push((red, table, sockets, 1));
    }
    for (_, _, sockets, seed) in &mut games {
        play(sockets, 2, seed).await;
    }
    let b = shared.node().await;
    // Whichever node has a table now, it is played on over the sockets that were there before.
    for (red, table, sockets, seed) in &mut games {
        let seen = at(&b, red).view(table).await["seq"].clone();
        for socket in &mut *sockets {
            socket.send(&json!({ "t": "sync" })).await;
            socket.until_view(|view| view["seq"] == seen).await;
        }
        play(sockets, 4, seed).await;
    }
}

#[tokio::test]
async fn of_two_owners_one_is_refused_as_stale() {
    let shared = Shared::start().await;
    let a = shared.node().await;
    let (red, blue, table) = pair([&a, &a]).await;
    let mut sockets = [red.join(&table).await, blue.join(&table).await];
    play(&mut sockets, 2, &mut 1).await;
    // Somebody else has written the next event.
    let store = shared.store().await;
    let id: TableId = table.parse().unwrap();
    let seq = sockets[0].view["seq"].as_u64().unwrap() + 1;
    let event = json!({ "e": "owned", "node": "another" }).to_string();
    let stored = Stored { seq, at: 0, event };
    let append = Append {
        table: id,
        stored,
        summary: None,
    };
    store.append(append).await.unwrap();
    let lan = some_turn(&sockets[0].position(), &mut 3);
    assert_eq!(
        sockets[0].refused("move", json!({ "move": lan })).await,
        "stale"
    );
    // The sockets find the table again by themselves, and the game goes on.
    for socket in &mut sockets {
        socket
            .until_view(|view| view["seq"].as_u64() > Some(seq))
            .await;
    }
    play(&mut sockets, 4, &mut 3).await;
}

#[tokio::test]
async fn lists_and_sessions_are_those_of_all_nodes() {
    let shared = Shared::start().await;
    let (a, b) = shared.pair().await;
    let mut ann = a.visitor().await;
    register(&mut ann, "Annette").await;
    let bob = b.visitor().await;
    let table = ann.open(json!({ "opponent": "open" })).await;
    let mut socket = ann.join(&table).await;
    let mut lobby = bob.socket("/ws/lobby").await;
    timeout(LONG, async {
        loop {
            let frame = lobby.until("lobby").await;
            if frame["d"]["open"][0]["id"] == table {
                return;
            }
        }
    })
    .await
    .unwrap();
    // Ended at one node, a session has no socket at the other.
    let ann = at(&b, &ann);
    let answer = ann.form("/account/logout", "").await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    while socket.frame().await.is_some() {}
}

/// What is stored of a table.
async fn stored(shared: &Shared, table: &str) -> Vec<Value> {
    let id: TableId = table.parse().unwrap();
    let events = shared.store().await.events(&id).await.unwrap();
    let read = |stored: &Stored| serde_json::from_str(&stored.event).unwrap();
    events.iter().map(read).collect()
}

#[tokio::test]
async fn an_action_that_is_repeated_at_another_node_is_done_once() {
    let shared = Shared::start().await;
    let (a, b) = shared.pair().await;
    let (red, _, table) = pair([&a, &b]).await;
    let act = format!("/api/v1/tables/{table}/act");
    let seq = red.view(&table).await["seq"].as_u64().unwrap();
    let lan = some_turn(&cotulenh::Position::start(), &mut 1);
    let frame = json!({ "t": "move", "seq": seq, "id": "first", "d": { "move": lan } });
    for node in [&b, &a, &b] {
        let answer = at(node, &red).post(&act, &frame).await;
        assert_eq!(answer.json()["seq"], seq + 1, "{}", answer.text);
    }
    // Known again after the table was read anew by another owner.
    a.app.close().await;
    let answer = at(&b, &red).post(&act, &frame).await;
    assert_eq!(answer.json()["seq"], seq + 1, "{}", answer.text);
    let moves = stored(&shared, &table).await;
    let moves = moves.iter().filter(|event| event["by"] == 0);
    assert_eq!(moves.count(), 1);
}

#[tokio::test]
async fn a_rematch_is_one_table_for_players_of_two_nodes() {
    let shared = Shared::start().await;
    let (a, b) = shared.pair().await;
    let (red, blue, table) = pair([&a, &b]).await;
    let mut sockets = [red.join(&table).await, blue.join(&table).await];
    play(&mut sockets, 4, &mut 1).await;
    sockets[1].act("resign", Value::Null).await;
    for socket in &mut sockets {
        socket.until_view(|view| view["phase"] == "over").await;
        socket.act("rematch", Value::Null).await;
    }
    let mut next = Vec::new();
    for socket in &mut sockets {
        socket.until_view(|view| !view["next"].is_null()).await;
        next.push(socket.view["next"].as_str().unwrap().to_owned());
    }
    assert_eq!(next[0], next[1]);
    let mut sockets = [blue.join(&next[0]).await, red.join(&next[0]).await];
    play(&mut sockets, 4, &mut 1).await;
    let rematches = stored(&shared, &table).await;
    let rematches = rematches.iter().filter(|event| event["e"] == "rematch");
    assert_eq!(rematches.count(), 1);
}

#[tokio::test]
async fn what_one_message_has_no_room_for_comes_in_several() {
    let shared = Shared::over(NatsServer::start_with_max_payload(2048).unwrap()).await;
    let (a, b) = shared.pair().await;
    let (red, blue, table) = pair([&a, &b]).await;
    let mut sockets = [red.join(&table).await, blue.join(&table).await];
    play(&mut sockets, 60, &mut 1).await;
    let view = red.view(&table).await;
    let length = view.to_string().len();
    assert!(length > 2 * 2048, "{length}: the test is about this");
    // As a frame, as an answer, as a file.
    let watcher = b.visitor().await.join(&table).await;
    assert_eq!(watcher.view["turns"], view["turns"]);
    // All but the clock, which runs.
    let there = at(&b, &red).view(&table).await;
    for field in ["fen", "seats", "seq", "turns"] {
        assert_eq!(there[field], view[field]);
    }
    let pgn = format!("/game/{table}.pgn");
    assert_eq!(red.get(&pgn).await.text, blue.get(&pgn).await.text);
}

#[tokio::test]
async fn limits_hold_for_all_nodes_together() {
    let shared = Shared::start().await;
    let mut config = config();
    config.limits.tables_per_session = 2;
    config.rates.logins = Rate {
        burst: 3.0,
        per_second: 1e-6,
    };
    let (a, b) = shared.pair_with(config).await;
    let ann = a.visitor().await;
    let new_table = json!({ "opponent": "friend" });
    let first = ann.open(new_table.clone()).await;
    at(&b, &ann).open(new_table.clone()).await;
    for node in [&a, &b] {
        let refused = at(node, &ann).post("/api/v1/tables", &new_table).await;
        assert_eq!(refused.code(), "too-many", "{}", refused.text);
    }
    // What is over counts no more, wherever it was opened and whoever counts.
    let abort = json!({ "t": "abort", "seq": 1, "d": {} });
    let act = format!("/api/v1/tables/{first}/act");
    let aborted = ann.post(&act, &abort).await;
    assert_eq!(aborted.status, StatusCode::OK, "{}", aborted.text);
    until(
        "the permit is given back a moment after the answer",
        async || {
            let opened = at(&b, &ann).post("/api/v1/tables", &new_table).await;
            opened.status == StatusCode::CREATED
        },
    )
    .await;
    // Passwords are counted in one place.
    let bob = a.visitor().await;
    let mut tried = Vec::new();
    for node in [&a, &b, &a, &b] {
        let fields = "name=Robert&password=wrong+horse";
        let answer = at(node, &bob).form("/account/login", fields).await;
        tried.push(answer.status);
    }
    let is_refused = tried
        .iter()
        .map(|status| *status == StatusCode::TOO_MANY_REQUESTS);
    let is_refused: Vec<bool> = is_refused.collect();
    assert_eq!(is_refused, [false, false, false, true], "{tried:?}");
}

#[tokio::test]
async fn analyses_are_counted_for_all_nodes_together() {
    let shared = Shared::start().await;
    let mut config = config();
    config.limits.analyses_per_session = 1;
    let (a, b) = shared.pair_with(config).await;
    let ann = a.visitor().await;
    let ask = json!({ "t": "analyse", "id": "x", "d": { "ms": 60_000 } });
    let mut first = ann.socket("/ws/analysis").await;
    first.send(&ask).await;
    first.until("line").await;
    let mut second = at(&b, &ann).socket("/ws/analysis").await;
    second.send(&ask).await;
    let refused = second.until("refused").await;
    assert_eq!(refused["d"]["code"], "too-many");
    assert_eq!(refused["d"]["why"]["code"], "analyses");
    let mut other = at(&b, &b.visitor().await).socket("/ws/analysis").await;
    other.send(&ask).await;
    other.until("line").await;
    drop(first);
    until("what is given back there has room here", async || {
        second.send(&ask).await;
        second.next().await["t"] == "line"
    })
    .await;
}

#[tokio::test]
async fn without_nats_tables_go_on_and_nothing_old_is_shown() {
    let mut shared = Shared::start().await;
    let (a, b) = shared.pair().await;
    let (red, blue, table) = pair([&a, &a]).await;
    let mut sockets = [red.join(&table).await, blue.join(&table).await];
    let mut watcher = b.visitor().await.join(&table).await;
    play(&mut sockets, 2, &mut 1).await;
    shared.nats.stop().unwrap();
    // The players are at the owner.
    play(&mut sockets, 4, &mut 1).await;
    // Somebody else writes: the node that has heard nothing looks before it shows the table.
    let id: TableId = table.parse().unwrap();
    let seq = sockets[0].view["seq"].as_u64().unwrap() + 1;
    let event = json!({ "e": "owned", "node": "another" }).to_string();
    let stored = Stored { seq, at: 0, event };
    let append = Append {
        table: id,
        stored,
        summary: None,
    };
    until("the node notices that NATS is gone", async || {
        let metrics = red.get("/metrics").await.text;
        metrics.contains("convoy_nats_up 0")
    })
    .await;
    // A node that was cut off for less than a second and a half need not look: nobody takes its tables over so soon.
    tokio::time::sleep(Duration::from_millis(1600)).await;
    shared.store().await.append(append).await.unwrap();
    let asked = tokio::spawn({
        let (red, table) = (red.clone(), table.clone());
        async move { red.view(&table).await }
    });
    shared.nats.start_again().unwrap();
    let view = asked.await.unwrap();
    assert!(
        view["seq"].as_u64().unwrap() > seq,
        "{} after {seq}",
        view["seq"]
    );
    let seen = view["seq"].clone();
    for socket in sockets.iter_mut().chain([&mut watcher]) {
        socket.until_view(|view| view["seq"] == seen).await;
    }
    play(&mut sockets, 2, &mut 1).await;
    let seq = sockets[0].view["seq"].clone();
    watcher.until_view(|view| view["seq"] == seq).await;
}

#[tokio::test]
async fn an_operator_closes_tables_of_any_node() {
    let shared = Shared::start().await;
    let (a, b) = shared.pair().await;
    let store = shared.store().await;
    // One of the nodes carries both commands out.
    for owner in [&a, &b] {
        let ann = owner.visitor().await;
        let table = ann.open(json!({ "opponent": "friend" })).await;
        let mut socket = ann.join(&table).await;
        let id = table.parse().unwrap();
        let close = AdminCommand::Close { table: id };
        assert_eq!(run(&store, close).await, "closed and deleted");
        while socket.frame().await.is_some() {}
        for node in [&a, &b] {
            let answer = at(node, &ann).get(&format!("/game/{table}")).await;
            assert_eq!(answer.status, StatusCode::NOT_FOUND);
        }
    }
}
