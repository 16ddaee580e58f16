//! One run: players come, the fault, players go on, the server stops, the file is compared.

use std::path::Path;
use std::time::{Duration, Instant};

use super::kind::{Kind, SmallDisk, inflict};
use super::play::{Players, Tables};
use super::server::Server;
use super::shim::Shim;
use super::told;
use crate::client::{self, Fault};

/// How many tables there are.
const TABLES: Tables = Tables {
    boards: 12,
    bots: 0,
    cards: 3,
};
/// How many events are told before a fault, and again after it.
const EVENTS: usize = 300;

/// What one run came to.
pub struct Row {
    pub kind: Kind,
    pub time: Duration,
    /// How many events anybody was told of.
    pub told: usize,
    /// How many actions were refused with `storage`.
    pub refused: usize,
    /// How often somebody had to come again.
    pub again: usize,
    /// From the end of the fault to the first thing that was written.
    pub resumed: Duration,
    pub note: String,
    /// What was told and is not in the file, and whatever else no fault excuses.
    pub missing: Vec<String>,
}

/// Does it to a server of its own for so long.
pub async fn suffer(
    kind: Kind,
    run: usize,
    time: Duration,
    program: &Path,
    place: &Path,
) -> Result<Row, Fault> {
    let _ = client::LISTENER.set(told::note);
    std::fs::create_dir_all(place)?;
    let _disk = match kind {
        Kind::FullDisk => Some(SmallDisk::mount(place)?),
        _ => None,
    };
    let shim = kind.needs_shim().then(|| Shim::build(place)).transpose()?;
    let mut server = Server::start(program, &place.join("data"), shim)?;
    told::forget();
    let players = Players::start(server.address, TABLES);
    until_told(EVENTS).await?;
    let effect = inflict(kind, &mut server, run, time).await?;
    until_told(told::count() + EVENTS).await?;
    let again = players.stop().await;
    server.stop()?;
    Ok(Row {
        kind,
        time,
        told: told::count(),
        refused: told::refused("storage"),
        again,
        resumed: effect.resumed,
        note: effect.note,
        missing: [told::missing(&server.database()).await?, told::wrong()].concat(),
    })
}

/// Waits until so many events were told; the limit is for a server that does not go on.
pub(super) async fn until_told(count: usize) -> Result<(), Fault> {
    let begun = Instant::now();
    while told::count() < count {
        if begun.elapsed() > Duration::from_mins(1) {
            return Err(format!("{} of {count} events after a minute", told::count()).into());
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Ok(())
}
