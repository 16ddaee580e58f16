//! The other player: plays a weak bot and a friend, analyses, logs in and looks at the lobby.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::SinkExt as _;
use serde_json::json;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;

use crate::report::{self, Report};
use convoy_test_client::client::{Client, Fault, Socket, some_turn};

const HOME: &str = "203.0.113.5";
const FRIEND: &str = "203.0.113.6";
/// Whatever takes longer counts as this long.
const LONGEST: Duration = Duration::from_secs(30);

type Over = Arc<AtomicBool>;

fn is_over(over: &Over) -> bool {
    over.load(Ordering::Relaxed)
}

/// Plays until it is over, and tells what was measured.
pub(crate) async fn play(address: SocketAddr, pid: u32, over: Over) -> Result<Report, Fault> {
    let client = async |ip| Client::behind_proxy(address, ip).await;
    let me = client(HOME).await?;
    let (bot, analysis, echo, login, lobby, memory) = tokio::join!(
        bots(me.clone(), Arc::clone(&over)),
        // Somebody of the same house: whoever plays against a person gets no help of the engine.
        analyses(client(HOME).await?, Arc::clone(&over)),
        moves(me.clone(), client(FRIEND).await?, Arc::clone(&over)),
        logins(address, Arc::clone(&over)),
        looks(me.clone(), Arc::clone(&over)),
        memory(pid, Arc::clone(&over)),
    );
    let (looks, missing) = lobby?;
    Ok(Report {
        bot: bot?,
        analysis: analysis?,
        echo: echo?,
        login: login?,
        looks,
        missing,
        memory,
    })
}

async fn turn(socket: &mut Socket, seed: &mut u64) -> Result<(), Fault> {
    let fen = socket.view["fen"].as_str().ok_or("no position")?;
    let lan = some_turn(fen, seed)?;
    socket.act("move", json!({ "move": lan })).await
}

/// Moves against a bot of level 1; the time until it has answered.
async fn bots(me: Client, over: Over) -> Result<Vec<Duration>, Fault> {
    let (mut times, mut seed) = (Vec::new(), 1);
    while !is_over(&over) {
        let new_table = json!({ "opponent": "bot", "level": 1, "color": "r" });
        let table = me.open(&new_table).await?;
        let mut socket = me.join(&table, None).await?;
        for _ in 0..8 {
            let turns = socket.turns();
            let begun = Instant::now();
            turn(&mut socket, &mut seed).await?;
            let answered = async {
                while socket.turns() < turns + 2 && socket.view["phase"] != "over" {
                    socket.next().await?;
                }
                Ok::<_, Fault>(())
            };
            match timeout(LONGEST, answered).await {
                Ok(answered) => answered?,
                Err(_) => return Ok(vec![LONGEST]),
            }
            times.push(begun.elapsed());
            if is_over(&over) || socket.view["phase"] == "over" {
                break;
            }
        }
        if socket.view["phase"] != "over" {
            socket.act("resign", json!({})).await?;
            while socket.view["phase"] != "over" {
                socket.next().await?;
            }
        }
        sleep(Duration::from_millis(500)).await;
    }
    Ok(times)
}

/// Analyses of half a second; the time until the first line.
async fn analyses(me: Client, over: Over) -> Result<Vec<Duration>, Fault> {
    let mut times = Vec::new();
    while !is_over(&over) {
        let mut socket = me.socket("/ws/analysis").await?;
        let ask = json!({ "t": "analyse", "id": 1, "d": { "ms": 500 } });
        let begun = Instant::now();
        socket.stream.send(Message::text(ask.to_string())).await?;
        let first = async {
            loop {
                let frame = socket.next().await?;
                match frame["t"].as_str() {
                    Some("line") => return Ok(()),
                    Some("refused") => return Err(Fault::from(frame.to_string())),
                    _ => {}
                }
            }
        };
        match timeout(LONGEST, first).await {
            Ok(first) => first?,
            Err(_) => return Ok(vec![LONGEST]),
        }
        times.push(begun.elapsed());
        sleep(Duration::from_secs(2)).await;
    }
    Ok(times)
}

/// Moves between two people, some each second; the time until both have heard of one.
async fn moves(red: Client, blue: Client, over: Over) -> Result<Vec<Duration>, Fault> {
    let (mut times, mut seed) = (Vec::new(), 2);
    while !is_over(&over) {
        let table = red
            .open(&json!({ "opponent": "friend", "color": "r" }))
            .await?;
        blue.sit(&table).await?;
        let mut sockets = [
            red.join(&table, None).await?,
            blue.join(&table, None).await?,
        ];
        for number in 0..60 {
            let mover = number % 2;
            let seq = sockets[mover].seq() + 1;
            let begun = Instant::now();
            turn(&mut sockets[mover], &mut seed).await?;
            for socket in &mut sockets {
                socket.until_seq(seq).await?;
            }
            times.push(begun.elapsed());
            if is_over(&over) || sockets[0].view["phase"] == "over" {
                break;
            }
            sleep(Duration::from_millis(150)).await;
        }
        if sockets[0].view["phase"] != "over" {
            sockets[0].act("resign", json!({})).await?;
            while sockets[0].view["phase"] != "over" {
                sockets[0].next().await?;
            }
        }
    }
    Ok(times)
}

/// Logs in as the owner of the name that is being attacked, each time as a new visitor.
async fn logins(address: SocketAddr, over: Over) -> Result<Vec<Duration>, Fault> {
    let mut times = Vec::new();
    let owner = Client::behind_proxy(address, HOME).await?;
    // The second measurement finds the account there already.
    let fields = "name=Owner&password=correct-horse";
    owner.form("/account/register", fields).await?;
    while !is_over(&over) {
        let visitor = Client::behind_proxy(address, HOME).await?;
        let begun = Instant::now();
        let status = visitor.form("/account/login", fields).await?.status;
        if status != 303 {
            return Err(format!("the owner was refused with {status}").into());
        }
        times.push(begun.elapsed());
        for _ in 0..11 {
            if !is_over(&over) {
                sleep(Duration::from_secs(1)).await;
            }
        }
    }
    Ok(times)
}

/// Looks whether the own open table is listed.
async fn looks(me: Client, over: Over) -> Result<(usize, usize), Fault> {
    let table = me.open(&json!({ "opponent": "open" })).await?;
    let mut socket = me.join(&table, None).await?;
    let (mut looks, mut missing) = (0, 0);
    while !is_over(&over) {
        let listed = me.request("GET", "/api/v1/tables?state=open", None).await?;
        looks += 1;
        missing += usize::from(!listed.body.contains(&table));
        let _ = timeout(Duration::from_secs(1), async {
            while socket.next().await.is_ok() {}
        })
        .await;
    }
    socket.act("abort", json!({})).await?;
    Ok((looks, missing))
}

async fn memory(pid: u32, over: Over) -> u64 {
    while !is_over(&over) {
        sleep(Duration::from_millis(500)).await;
    }
    report::megabytes(pid, "VmHWM:")
}
