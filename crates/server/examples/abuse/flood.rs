//! The floods: each from one address, as fast as the server lets it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::SinkExt as _;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;

use convoy_test_client::client::{Client, Fault, some_turn};

/// What a flood got done.
type Count = Arc<AtomicU64>;

/// The floods under way.
pub(crate) struct Floods {
    tasks: JoinSet<()>,
    counts: Vec<(&'static str, Count)>,
}

fn up(count: &Count) {
    count.fetch_add(1, Ordering::Relaxed);
}

/// Starts every flood.
pub(crate) fn start(address: SocketAddr) -> Floods {
    let mut floods = Floods {
        tasks: JoinSet::new(),
        counts: Vec::new(),
    };
    let attended = json!({ "opponent": "bot", "level": 10, "color": "b" });
    let cards = json!({ "game": "tractor", "opponent": "bot", "level": 4 });
    let bots = floods.count("H1 answers of level-10 bots to one address");
    let hints = floods.count("H1 frames of card tables with hints asked for");
    for number in 0..60 {
        floods.spawn(boards(address, attended.clone(), Arc::clone(&bots), number));
        floods.spawn(card_table(address, cards.clone(), Arc::clone(&hints)));
    }
    let opened = floods.count("H1 level-10 tables opened without cookies");
    let listed = floods.count("M2 public tables opened without people");
    let open = json!({ "opponent": "open" });
    for _ in 0..4 {
        let new_table = attended.clone();
        floods.spawn(openings(
            address,
            "198.51.100.3",
            new_table,
            Arc::clone(&opened),
        ));
        floods.spawn(openings(
            address,
            "198.51.100.4",
            open.clone(),
            Arc::clone(&listed),
        ));
    }
    let lines = floods.count("M1 frames of analyses to one address");
    for _ in 0..400 {
        floods.spawn(analysis(address, Arc::clone(&lines)));
    }
    let (sprayed, guessed) = (
        floods.count("M4 passwords of many names tried"),
        floods.count("M3 passwords of one name tried"),
    );
    for number in 0..8 {
        floods.spawn(guesses(address, "198.51.100.6", None, Arc::clone(&guessed)));
        floods.spawn(guesses(
            address,
            "198.51.100.7",
            Some(number),
            Arc::clone(&sprayed),
        ));
    }
    floods
}

/// Ends every flood, and tells what each got done.
pub(crate) async fn stop(mut floods: Floods) -> Vec<(&'static str, u64)> {
    floods.tasks.shutdown().await;
    let counts = floods.counts.into_iter();
    counts
        .map(|(name, count)| (name, count.load(Ordering::Relaxed)))
        .collect()
}

impl Floods {
    fn count(&mut self, name: &'static str) -> Count {
        let count = Count::default();
        self.counts.push((name, Arc::clone(&count)));
        count
    }

    /// Runs one again and again; a refusal only makes it wait a moment.
    fn spawn<F>(&mut self, mut once: impl FnMut() -> F + Send + 'static)
    where
        F: Future<Output = Result<(), Fault>> + Send + 'static,
    {
        self.tasks.spawn(async move {
            loop {
                if once().await.is_err() {
                    sleep(Duration::from_millis(200)).await;
                }
            }
        });
    }
}

type Pending = std::pin::Pin<Box<dyn Future<Output = Result<(), Fault>> + Send>>;

/// Plays against the strongest bot and lets it think all the time.
fn boards(
    address: SocketAddr,
    new_table: Value,
    count: Count,
    mut seed: u64,
) -> impl FnMut() -> Pending {
    move || {
        seed += 1;
        let (new_table, count, mut seed) = (new_table.clone(), Arc::clone(&count), seed);
        Box::pin(async move {
            let client = Client::behind_proxy(address, "198.51.100.1").await?;
            let table = client.open(&new_table).await?;
            let mut socket = client.join(&table, None).await?;
            while socket.view["phase"] != "over" {
                while socket.view["turn"] != "b" && socket.view["phase"] != "over" {
                    socket.next().await?;
                }
                up(&count);
                let fen = socket.view["fen"].as_str().unwrap_or_default().to_owned();
                let lan = some_turn(&fen, &mut seed)?;
                socket.act("move", json!({ "move": lan })).await?;
                socket.next().await?;
            }
            Ok(())
        })
    }
}

/// Sits at a table of the strongest card players and asks for hints.
fn card_table(address: SocketAddr, new_table: Value, count: Count) -> impl FnMut() -> Pending {
    move || {
        let (new_table, count) = (new_table.clone(), Arc::clone(&count));
        Box::pin(async move {
            let client = Client::behind_proxy(address, "198.51.100.2").await?;
            let table = client.open(&new_table).await?;
            let mut socket = client.join(&table, None).await?;
            let ask = json!({ "t": "ask", "id": 1, "d": { "what": "hint" } }).to_string();
            loop {
                socket.stream.send(Message::text(ask.clone())).await?;
                let heard = timeout(Duration::from_millis(250), socket.next()).await;
                if let Ok(heard) = heard {
                    heard?;
                    up(&count);
                }
                sleep(Duration::from_millis(100)).await;
            }
        })
    }
}

/// Opens tables without keeping a cookie.
fn openings(
    address: SocketAddr,
    ip: &'static str,
    new_table: Value,
    count: Count,
) -> impl FnMut() -> Pending {
    move || {
        let (new_table, count) = (new_table.clone(), Arc::clone(&count));
        Box::pin(async move {
            Client::stranger(address, ip).open(&new_table).await?;
            up(&count);
            Ok(())
        })
    }
}

/// Analyses for as long as one may.
fn analysis(address: SocketAddr, count: Count) -> impl FnMut() -> Pending {
    move || {
        let count = Arc::clone(&count);
        Box::pin(async move {
            let client = Client::behind_proxy(address, "198.51.100.5").await?;
            let mut socket = client.socket("/ws/analysis").await?;
            let ask = json!({ "t": "analyse", "id": 1, "d": { "ms": 120_000 } }).to_string();
            loop {
                socket.stream.send(Message::text(ask.clone())).await?;
                loop {
                    let frame = socket.next().await?;
                    if frame["t"] != "line" {
                        break;
                    }
                    up(&count);
                }
                sleep(Duration::from_millis(500)).await;
            }
        })
    }
}

/// Tries passwords: of one name, or of many.
fn guesses(
    address: SocketAddr,
    ip: &'static str,
    spray: Option<u64>,
    count: Count,
) -> impl FnMut() -> Pending {
    let mut number = spray.unwrap_or(0) * 1_000_000;
    move || {
        number += 1;
        let name = match spray {
            Some(_) => format!("Somebody{number}"),
            None => "Owner".to_owned(),
        };
        let count = Arc::clone(&count);
        Box::pin(async move {
            let client = Client::behind_proxy(address, ip).await?;
            let fields = format!("name={name}&password=guess{number}");
            if client.form("/account/login", &fields).await?.status == 401 {
                up(&count);
                return Ok(());
            }
            Err("refused".into())
        })
    }
}
