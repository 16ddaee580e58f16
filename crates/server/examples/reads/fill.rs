//! The games of the storage.

use convoy_server::{Account, Append, Occupant, Phase, PlayerId, Store, Stored, Summary, TableId};
use convoy_test_client::client::{Fault, some_turn};
use futures_util::future::try_join_all;
use serde_json::json;

/// The turns of an unfinished game.
const TURNS: usize = 150;
/// How many tables are written at once.
const BATCH: usize = 250;
/// The player whose archive holds all games.
pub(crate) const NAME: &str = "Ann";

/// Fills a new storage, and answers the names of the unfinished games.
pub(crate) async fn fill(
    store: &dyn Store,
    finished: usize,
    unfinished: usize,
) -> Result<Vec<TableId>, Fault> {
    let ann = PlayerId::random();
    let account = Account {
        player: ann.clone(),
        name: NAME.to_owned(),
        password: String::new(),
    };
    store.add_account(&account).await?;
    let game = game()?;
    let mut tables = Vec::new();
    let games = (0..finished).map(|_| Phase::Over);
    let games: Vec<Phase> = games
        .chain((0..unfinished).map(|_| Phase::Playing))
        .collect();
    for (number, batch) in games.chunks(BATCH).enumerate() {
        let mut writes = Vec::new();
        for (offset, phase) in batch.iter().enumerate() {
            let table = TableId::random();
            let at = i64::try_from(number * BATCH + offset)? * 1000;
            let opening = opening(&table, &ann, *phase, at);
            // A list shows a finished game without its events.
            let turns: &[String] = if *phase == Phase::Over { &[] } else { &game };
            writes.extend(appends(opening, turns));
            if *phase == Phase::Playing {
                tables.push(table);
            }
        }
        try_join_all(writes.into_iter().map(|append| store.append(append))).await?;
    }
    store.close().await?;
    Ok(tables)
}

/// The events of one game of random turns.
fn game() -> Result<Vec<String>, Fault> {
    let mut seed = 7;
    loop {
        let mut position = cotulenh::Position::start();
        let mut events = Vec::new();
        while events.len() < TURNS && position.outcome().is_none() {
            let lan = some_turn(&position.to_string(), &mut seed)?;
            for action in position.clone().read(&lan)?.iter() {
                position = position.play(*action)?;
            }
            let by = events.len() % 2;
            let event = json!({ "e": "game", "by": by, "d": { "k": "moved", "lan": lan } });
            events.push(event.to_string());
        }
        if events.len() == TURNS {
            return Ok(events);
        }
    }
}

fn opening(table: &TableId, ann: &PlayerId, phase: Phase, at: i64) -> Append {
    let human = |player: PlayerId, name: &str| Occupant::Human {
        player,
        name: name.to_owned(),
    };
    let seats = vec![human(ann.clone(), NAME), human(PlayerId::random(), "Bob")];
    let event = json!({
        "e": "opened", "game": "cotulenh", "setup": {}, "seats": seats, "public": true, "previous": null,
    });
    let summary = Summary {
        id: table.clone(),
        game: "cotulenh".to_owned(),
        phase,
        public: true,
        seats,
        clock: String::new(),
        result: json!(null),
        turns: TURNS,
        opened: at,
        changed: at,
    };
    Append {
        table: table.clone(),
        stored: Stored {
            seq: 1,
            at,
            event: event.to_string(),
        },
        summary: Some(Box::new(summary)),
    }
}

/// The opening of a game and its turns.
fn appends(opening: Append, turns: &[String]) -> Vec<Append> {
    let (table, at) = (opening.table.clone(), opening.stored.at);
    let turn = |(seq, event): (u64, &String)| Append {
        table: table.clone(),
        stored: Stored {
            seq,
            at,
            event: event.clone(),
        },
        summary: None,
    };
    std::iter::once(opening)
        .chain((2..).zip(turns).map(turn))
        .collect()
}
