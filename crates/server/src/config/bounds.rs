//! Values that a server could not run with are refused when the configuration is read, with the key that
//! they stand under.

use std::num::NonZeroU32;
use std::time::Duration;

use serde::de::Error as _;
use serde::{Deserialize as _, Deserializer};

/// No machine has a use for more threads, and one that is asked for too many ends the server.
const MOST_THREADS: usize = 8192;
/// More than can wait, and as many as a semaphore can count.
const MOST_WAITING: usize = 1_000_000;
/// No PostgreSQL server has so many, and room for all of them is made at the start.
const MOST_CONNECTIONS: usize = 10_000;
/// What is added to a moment must not leave the time that can be told.
const LONGEST: Duration = Duration::from_hours(100 * 365 * 24);

fn between<'de, D: Deserializer<'de>>(
    from: D,
    least: usize,
    most: usize,
) -> Result<usize, D::Error> {
    let number = usize::deserialize(from)?;
    let fits = (least..=most).contains(&number);
    fits.then_some(number)
        .ok_or_else(|| D::Error::custom(format!("{number} is not between {least} and {most}")))
}

/// So many threads.
pub(crate) fn threads<'de, D: Deserializer<'de>>(from: D) -> Result<usize, D::Error> {
    between(from, 1, MOST_THREADS)
}

/// How many may wait for them.
pub(crate) fn waiting<'de, D: Deserializer<'de>>(from: D) -> Result<usize, D::Error> {
    between(from, 1, MOST_WAITING)
}

/// So many connections to PostgreSQL.
pub(crate) fn connections<'de, D: Deserializer<'de>>(from: D) -> Result<NonZeroU32, D::Error> {
    let number = between(from, 1, MOST_CONNECTIONS)?;
    let number = u32::try_from(number).ok().and_then(NonZeroU32::new);
    number.ok_or_else(|| D::Error::custom("not a number of connections"))
}

/// A time, or none at all.
pub(crate) mod time {
    use std::time::Duration;

    use serde::Deserializer;
    use serde::de::Error as _;

    pub(crate) use humantime_serde::serialize;

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        let time: Duration = humantime_serde::deserialize(from)?;
        (time <= super::LONGEST)
            .then_some(time)
            .ok_or_else(|| D::Error::custom("the time is longer than a hundred years"))
    }
}

/// A time that something takes at least.
pub(crate) mod some_time {
    use std::time::Duration;

    use serde::Deserializer;
    use serde::de::Error as _;

    pub(crate) use humantime_serde::serialize;

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        let time = super::time::deserialize(from)?;
        (!time.is_zero())
            .then_some(time)
            .ok_or_else(|| D::Error::custom("the time must be longer than nothing"))
    }
}
