//! Players who go on, whatever happens to their server.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::told;
use crate::cards::Table;
use crate::client::{Client, Fault, some_turn};
use crate::drive::{Game, Nodes, Plan};
use crate::random::below;

/// From one move of a game to the next.
const PACE: Duration = Duration::from_millis(20);
/// From a failure to the next try.
const AGAIN: Duration = Duration::from_millis(50);
/// A server that does not answer for so long is given up; the player comes again.
const PATIENCE: Duration = Duration::from_secs(20);

/// How many tables there are of each kind.
#[derive(Debug, Clone, Copy)]
pub struct Tables {
    /// Cờ Tư Lệnh, two people a table.
    pub boards: usize,
    /// Cờ Tư Lệnh, one person and a bot.
    pub bots: usize,
    /// Tractor, four people a table.
    pub cards: usize,
}

/// Players of both games, until they are dropped.
pub struct Players {
    tasks: JoinSet<()>,
    /// How often somebody had to come again.
    interrupted: Arc<AtomicUsize>,
    /// The actions of each table.
    actions: Vec<Arc<AtomicUsize>>,
}

impl Players {
    /// Lets them begin.
    pub fn start(address: SocketAddr, tables: Tables) -> Self {
        let mut players = Self {
            tasks: JoinSet::new(),
            interrupted: Arc::default(),
            actions: Vec::new(),
        };
        for number in 0..tables.boards {
            players.seat(|done| Group::Pair(Pair::new(address, number, done)));
        }
        for number in 0..tables.bots {
            players.seat(|done| Group::WithBot(WithBot::new(address, number, done)));
        }
        for number in 0..tables.cards {
            players.seat(|done| Group::Four(Four::new(address, number, done)));
        }
        players
    }

    /// Lets some people play, and come again whenever something goes wrong.
    fn seat(&mut self, group: impl FnOnce(Arc<AtomicUsize>) -> Group) {
        let done = Arc::new(AtomicUsize::new(0));
        self.actions.push(Arc::clone(&done));
        let (mut group, count) = (group(done), Arc::clone(&self.interrupted));
        self.tasks.spawn(async move {
            loop {
                if group.play().await.is_err() {
                    count.fetch_add(1, Ordering::Relaxed);
                    tokio::time::sleep(AGAIN).await;
                }
            }
        });
    }

    /// Waits until something was done at each table; answers at how many nothing was for a minute.
    pub async fn until_all_played(&self) -> Option<String> {
        let count = |done: &Arc<AtomicUsize>| done.load(Ordering::Relaxed);
        let before: Vec<usize> = self.actions.iter().map(count).collect();
        let begun = Instant::now();
        loop {
            let now = self.actions.iter().map(count);
            let stuck = now.zip(&before).filter(|(now, before)| now <= before);
            let stuck = stuck.count();
            if stuck == 0 {
                return None;
            }
            if begun.elapsed() > Duration::from_mins(1) {
                return Some(format!("nothing was done at {stuck} tables for a minute"));
            }
            tokio::time::sleep(AGAIN).await;
        }
    }

    /// Sends everyone home, and answers how often somebody had to come again.
    pub async fn stop(mut self) -> usize {
        self.tasks.shutdown().await;
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// The people of one table.
enum Group {
    Pair(Pair),
    WithBot(WithBot),
    Four(Four),
}

impl Group {
    /// Plays until the game is over or something goes wrong.
    async fn play(&mut self) -> Result<(), Fault> {
        match self {
            Self::Pair(pair) => pair.play().await,
            Self::WithBot(person) => person.play().await,
            Self::Four(four) => four.play().await,
        }
    }
}

/// Two people who come back to their board.
struct Pair {
    address: SocketAddr,
    seed: u64,
    /// Both of them, and their table.
    seated: Option<(Client, Client, String)>,
    done: Arc<AtomicUsize>,
}

impl Pair {
    fn new(address: SocketAddr, number: usize, done: Arc<AtomicUsize>) -> Self {
        Self {
            address,
            seed: number as u64 + 1,
            seated: None,
            done,
        }
    }

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
            let twice = below(&mut self.seed, 8) == 0;
            let echo = async {
                sockets[mover].act("move", json!({ "move": lan })).await?;
                if twice {
                    sockets[mover].act_again().await?;
                }
                // Whoever moved is told of a refusal.
                sockets[mover].until_seq(seq).await?;
                sockets[1 - mover].until_seq(seq).await?;
                Ok::<_, Fault>(())
            };
            timeout(PATIENCE, echo).await??;
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        self.seated = None;
        Ok(())
    }
}

/// Somebody who plays a bot.
struct WithBot {
    address: SocketAddr,
    seed: u64,
    seated: Option<(Client, String)>,
    done: Arc<AtomicUsize>,
}

impl WithBot {
    fn new(address: SocketAddr, number: usize, done: Arc<AtomicUsize>) -> Self {
        Self {
            address,
            seed: number as u64 + 1,
            seated: None,
            done,
        }
    }

    async fn play(&mut self) -> Result<(), Fault> {
        if self.seated.is_none() {
            let sit_down = async {
                let client = Client::new(self.address).await?;
                let new_table = json!({ "opponent": "bot", "level": 1, "color": "r" });
                let table = client.open(&new_table).await?;
                Ok::<_, Fault>((client, table))
            };
            self.seated = Some(timeout(PATIENCE, sit_down).await??);
        }
        let (client, table) = self.seated.as_ref().ok_or("nobody is seated")?;
        let mut socket = timeout(PATIENCE, client.join(table, None)).await??;
        while socket.view["outcome"].is_null() {
            let seq = socket.seq() + 1;
            if socket.view["turn"] == "r" {
                tokio::time::sleep(PACE).await;
                let fen = socket.view["fen"].as_str().unwrap_or_default();
                let lan = some_turn(fen, &mut self.seed)?;
                socket.act("move", json!({ "move": lan })).await?;
            }
            timeout(PATIENCE, socket.until_seq(seq)).await??;
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        self.seated = None;
        Ok(())
    }
}

/// Four people who come back to their card table.
struct Four {
    address: SocketAddr,
    number: usize,
    table: Option<Table>,
    done: Arc<AtomicUsize>,
}

impl Four {
    fn new(address: SocketAddr, number: usize, done: Arc<AtomicUsize>) -> Self {
        Self {
            address,
            number,
            table: None,
            done,
        }
    }

    async fn play(&mut self) -> Result<(), Fault> {
        let table = if let Some(table) = &mut self.table {
            timeout(PATIENCE, table.connect()).await??;
            table
        } else {
            let plan = Plan {
                game: Game::Cards,
                games: 1,
                pace: PACE,
                time: Duration::from_hours(1),
                moves: 0,
                begun: Instant::now(),
            };
            let nodes = Nodes(vec![self.address]);
            let sit_down = Table::sit_down(&nodes, self.number, plan);
            let table = timeout(PATIENCE, sit_down).await??;
            let table = self.table.insert(table);
            (table.is_disturbed, table.done) = (true, Arc::clone(&self.done));
            table
        };
        let played = async {
            while table.round().await? {}
            Ok::<_, Fault>(())
        }
        .await;
        told::note_wrong(table.wrong.drain(..));
        played?;
        self.table = None;
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
