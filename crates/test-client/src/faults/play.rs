//! Players who go on, whatever happens to their server.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::cards::seat_four;
use crate::client::{Client, Fault, some_turn};
use crate::drive::{Game, Plan};

/// From one move of a game to the next.
const PACE: Duration = Duration::from_millis(20);
/// From a failure to the next try.
const AGAIN: Duration = Duration::from_millis(50);
/// A server that does not answer for so long is given up; the player comes again.
const PATIENCE: Duration = Duration::from_secs(20);

/// Players of both games, until they are dropped.
pub struct Players {
    tasks: JoinSet<()>,
    /// How often somebody had to come again.
    interrupted: Arc<AtomicUsize>,
}

impl Players {
    /// Lets them begin: two at a board, four at a card table.
    pub fn start(address: SocketAddr, boards: usize, cards: usize) -> Self {
        let (mut tasks, interrupted) = (JoinSet::new(), Arc::new(AtomicUsize::new(0)));
        for number in 0..boards {
            let count = Arc::clone(&interrupted);
            tasks.spawn(async move {
                let mut pair = Pair::new(address, number);
                loop {
                    if pair.play().await.is_err() {
                        count.fetch_add(1, Ordering::Relaxed);
                        tokio::time::sleep(AGAIN).await;
                    }
                }
            });
        }
        for number in 0..cards {
            let count = Arc::clone(&interrupted);
            tasks.spawn(async move {
                let plan = Plan {
                    game: Game::Cards,
                    games: cards,
                    pace: PACE,
                    time: Duration::from_hours(1),
                    moves: 0,
                    begun: Instant::now(),
                };
                loop {
                    if seat_four(address, number, plan).await.is_err() {
                        count.fetch_add(1, Ordering::Relaxed);
                        tokio::time::sleep(AGAIN).await;
                    }
                }
            });
        }
        Self { tasks, interrupted }
    }

    /// Sends everyone home, and answers how often somebody had to come again.
    pub async fn stop(mut self) -> usize {
        self.tasks.shutdown().await;
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// Two people who come back to their board.
struct Pair {
    address: SocketAddr,
    seed: u64,
    /// Both of them, and their table.
    seated: Option<(Client, Client, String)>,
}

impl Pair {
    fn new(address: SocketAddr, number: usize) -> Self {
        Self {
            address,
            seed: number as u64 + 1,
            seated: None,
        }
    }

    /// Plays until the game is over or something goes wrong.
    async fn play(&mut self) -> Result<(), Fault> {
        if self.seated.is_none() {
            self.seated = Some(timeout(PATIENCE, sit_down(self.address)).await??);
        }
        let (red, blue, table) = self.seated.as_ref().ok_or("nobody is seated")?;
        let join =
            async { Ok::<_, Fault>([red.join(table, None).await?, blue.join(table, None).await?]) };
        let mut sockets = timeout(PATIENCE, join).await??;
        while sockets[0].view["outcome"].is_null() {
            tokio::time::sleep(PACE).await;
            let mover = usize::from(sockets[0].view["turn"] == "b");
            let fen = sockets[mover].view["fen"].as_str().unwrap_or_default();
            let lan = some_turn(fen, &mut self.seed)?;
            let seq = sockets[mover].seq() + 1;
            let echo = async {
                sockets[mover].act("move", json!({ "move": lan })).await?;
                for socket in &mut sockets {
                    socket.until_seq(seq).await?;
                }
                Ok::<_, Fault>(())
            };
            timeout(PATIENCE, echo).await??;
        }
        self.seated = None;
        Ok(())
    }
}

async fn sit_down(address: SocketAddr) -> Result<(Client, Client, String), Fault> {
    let (red, blue) = (Client::new(address).await?, Client::new(address).await?);
    let new_table = json!({ "opponent": "friend", "color": "r", "minutes": 180 });
    let table = red.open(&new_table).await?;
    blue.sit(&table).await?;
    Ok((red, blue, table))
}

/// Waits until something can be written again, and answers how long that took; none if it takes
/// longer than a minute.
pub async fn until_writable(address: SocketAddr) -> Option<Duration> {
    let begun = Instant::now();
    let new_table = json!({ "opponent": "friend" });
    while begun.elapsed() < Duration::from_mins(1) {
        let tried = async {
            let client = Client::new(address).await?;
            client.open(&new_table).await
        };
        if let Ok(Ok(_)) = timeout(Duration::from_secs(5), tried).await {
            return Some(begun.elapsed());
        }
        tokio::time::sleep(AGAIN).await;
    }
    None
}

/// What `/readyz` says: the status and the text.
pub async fn ready(address: SocketAddr) -> Result<(u16, String), Fault> {
    let nobody = Client {
        address,
        cookie: String::new(),
        forwarded_for: String::new(),
    };
    let answer = nobody.request("GET", "/readyz", None::<&Value>).await?;
    Ok((answer.status, answer.body))
}
