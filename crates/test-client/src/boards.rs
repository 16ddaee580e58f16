//! Two people a table, who play Cờ Tư Lệnh.

use std::time::Instant;

use cotulenh::Position;
use serde_json::{Value, json};

use crate::client::{Client, Fault, Socket, some_turn};
use crate::drive::{Nodes, Plan, Report};

/// Two people who play game after game until the time is over.
pub async fn seat_two(nodes: &Nodes, number: usize, plan: Plan) -> Result<Report, Fault> {
    plan.come(number).await;
    let red = Client::new(nodes.address(number)).await?;
    let blue = Client::new(nodes.address(number + 1)).await?;
    let mut report = Report::default();
    let mut seed = number as u64 + 1;
    let begun = Instant::now();
    while plan.goes_on(begun, report.moves) {
        let new_table = json!({ "opponent": "friend", "color": "r", "minutes": 60 });
        let table = red.open(&new_table).await?;
        blue.sit(&table).await?;
        let mut sockets = [
            red.join(&table, None).await?,
            blue.join(&table, None).await?,
        ];
        // The node that is asked for a table has it.
        let is_far = blue.address != red.address;
        let seated = Seated {
            sockets: &mut sockets,
            is_far: [false, is_far],
        };
        play(seated, plan, begun, &mut seed, &mut report).await?;
        let kept = red.view(&table).await?;
        for socket in &sockets {
            for field in ["seq", "fen", "turns", "outcome"] {
                if kept[field] != socket.view[field] {
                    return Err(format!("{table}: {field} was lost").into());
                }
            }
        }
        report.played.push(Played::of(&kept)?);
        report.games += 1;
    }
    Ok(report)
}

/// Both people at a table, and whether they come over another node than the table's.
struct Seated<'a> {
    sockets: &'a mut [Socket; 2],
    is_far: [bool; 2],
}

async fn play(
    Seated { sockets, is_far }: Seated<'_>,
    plan: Plan,
    begun: Instant,
    seed: &mut u64,
    report: &mut Report,
) -> Result<(), Fault> {
    let mut tick = tokio::time::interval(plan.pace);
    while plan.goes_on(begun, report.moves) && sockets[0].view["outcome"].is_null() {
        tick.tick().await;
        let mover = usize::from(sockets[0].view["turn"] == "b");
        let fen = sockets[mover].view["fen"].as_str().unwrap_or("");
        let lan = some_turn(fen, seed)?;
        let seq = sockets[mover].seq() + 1;
        let sent = Instant::now();
        sockets[mover].act("move", json!({ "move": lan })).await?;
        sockets[mover].until_seq(seq).await?;
        report.echo(plan, sent, is_far[mover]);
        sockets[1 - mover].until_seq(seq).await?;
        let told: Option<&Value> = sockets[mover].view["turns"]
            .as_array()
            .and_then(|t| t.last());
        if told.is_none_or(|turn| turn["lan"] != lan) {
            return Err(format!("{lan} came back as {told:?}").into());
        }
    }
    Ok(())
}

/// A game as the server keeps it.
#[derive(Debug)]
pub struct Played {
    table: String,
    start: String,
    lans: Vec<String>,
    end: String,
}

impl Played {
    pub(crate) fn of(view: &Value) -> Result<Self, Fault> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let turns = view["turns"].as_array().ok_or("no turns")?;
        let lans = turns.iter().map(|turn| text(&turn["lan"]));
        Ok(Self {
            table: text(&view["id"]).ok_or("no name")?,
            start: text(&view["start"]).ok_or("no start")?,
            lans: lans.collect::<Option<_>>().ok_or("no turn")?,
            end: text(&view["fen"]).ok_or("no end")?,
        })
    }

    /// Plays the game once more by the rules: every turn is legal, and they lead where the server
    /// says.
    pub fn check(&self) -> Result<(), Fault> {
        let mut position: Position = self.start.parse()?;
        for lan in &self.lans {
            for action in position.read(lan)?.iter() {
                position = position.play(*action)?;
            }
        }
        if self.end == position.to_string() {
            Ok(())
        } else {
            Err(format!("{}: the turns lead elsewhere", self.table).into())
        }
    }
}
