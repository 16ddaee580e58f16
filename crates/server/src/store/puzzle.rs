//! Attempts at puzzles, and the ratings that follow from them.

use convoy_puzzles::Rating;

use super::StoreError;
use super::database::Database;
use super::statement::{Row, Statement, damaged};
use crate::id::PlayerId;

/// The first attempt of a player at a puzzle.
///
/// ```
/// use convoy_server::{PlayerId, PuzzleAttempt};
///
/// let attempt = PuzzleAttempt {
///     player: PlayerId::random(),
///     game: "tractor".to_owned(),
///     puzzle: "teaws5".to_owned(),
///     at: 0,
///     solved: true,
///     rating: Some(1662),
/// };
/// assert!(attempt.solved);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PuzzleAttempt {
    /// Who.
    pub player: PlayerId,
    /// The game.
    pub game: String,
    /// The id of the puzzle.
    pub puzzle: String,
    /// When, in milliseconds of Unix time.
    pub at: i64,
    /// What came of it.
    pub solved: bool,
    /// The player's rating after it, in whole points, where it was kept.
    pub rating: Option<i64>,
}

/// The rating of a player, or of a puzzle.
///
/// ```
/// use convoy_puzzles::Rating;
/// use convoy_server::PuzzleRating;
///
/// let new = PuzzleRating { rating: Rating::NEW, attempts: 0 };
/// assert_eq!(new.attempts, 0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PuzzleRating {
    /// The rating, kept to the thousandth.
    pub rating: Rating,
    /// How many attempts it follows from.
    pub attempts: i64,
}

/// Whose rating changes with an attempt, and to what.
///
/// ```
/// use convoy_puzzles::Rating;
/// use convoy_server::{PuzzleRating, RatedAttempt};
///
/// let new = PuzzleRating { rating: Rating::NEW, attempts: 1 };
/// let rated = RatedAttempt { solver: new, puzzle: new };
/// assert_eq!(rated.solver, rated.puzzle);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatedAttempt {
    /// Of the player.
    pub solver: PuzzleRating,
    /// Of the puzzle.
    pub puzzle: PuzzleRating,
}

fn attempt_row(row: &Row) -> Result<PuzzleAttempt, StoreError> {
    Ok(PuzzleAttempt {
        player: row.get::<&str>(0)?.parse().map_err(damaged)?,
        game: row.get(1)?,
        puzzle: row.get(2)?,
        at: row.get(3)?,
        solved: row.get::<i64>(4)? != 0,
        rating: Some(row.get(5)?).filter(|rating| *rating != 0),
    })
}

#[allow(
    clippy::cast_precision_loss,
    reason = "ratings are far below the precision of a float"
)]
fn rating_row(row: &Row) -> Result<PuzzleRating, StoreError> {
    let part =
        |column: usize, unit: f64| Ok::<_, StoreError>(row.get::<i64>(column)? as f64 / unit);
    Ok(PuzzleRating {
        rating: Rating {
            rating: part(0, 1e3)?,
            deviation: part(1, 1e3)?,
            volatility: part(2, 1e6)?,
        },
        attempts: row.get(3)?,
    })
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a rating is a number of few digits"
)]
fn keep(game: &str, holder: &str, rating: PuzzleRating) -> Statement {
    let whole = |number: f64, unit: f64| (number * unit).round() as i64;
    let statement = Statement::new(
        "INSERT INTO rating (game, holder, rating, deviation, volatility, attempts)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (game, holder) DO UPDATE SET rating = excluded.rating,
         deviation = excluded.deviation, volatility = excluded.volatility, attempts = excluded.attempts",
    );
    statement
        .bind(game)
        .bind(holder)
        .bind(whole(rating.rating.rating, 1e3))
        .bind(whole(rating.rating.deviation, 1e3))
        .bind(whole(rating.rating.volatility, 1e6))
        .bind(rating.attempts)
}

/// Keeps a first attempt and both ratings after it: all of it or nothing.
pub(super) async fn add(
    database: &Database,
    attempt: &PuzzleAttempt,
    rated: &RatedAttempt,
) -> Result<(), StoreError> {
    let mut transaction = database.begin().await?;
    let row = Statement::new(
        "INSERT INTO attempt (player, game, puzzle, at, solved, rating) VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT DO NOTHING",
    );
    let row = row
        .bind(attempt.player.as_str())
        .bind(&*attempt.game)
        .bind(&*attempt.puzzle)
        .bind(attempt.at)
        .bind(i64::from(attempt.solved))
        .bind(attempt.rating.unwrap_or_default());
    if transaction.run(row).await? == 0 {
        return Err(StoreError::Taken);
    }
    let game = &*attempt.game;
    transaction
        .run(keep(game, attempt.player.as_str(), rated.solver))
        .await?;
    transaction
        .run(keep(game, &attempt.puzzle, rated.puzzle))
        .await?;
    transaction.commit().await
}

pub(super) async fn list(
    database: &Database,
    player: &PlayerId,
    game: &str,
    limit: u32,
) -> Result<Vec<PuzzleAttempt>, StoreError> {
    let statement = Statement::new(
        "SELECT player, game, puzzle, at, solved, rating FROM attempt WHERE player = $1 AND game = $2
         ORDER BY at DESC, puzzle LIMIT $3",
    );
    let statement = statement.bind(player.as_str()).bind(game);
    database
        .read(statement.bind(i64::from(limit)), attempt_row)
        .await
}

pub(super) async fn rating(
    database: &Database,
    game: &str,
    holder: &str,
) -> Result<Option<PuzzleRating>, StoreError> {
    let statement = Statement::new(
        "SELECT rating, deviation, volatility, attempts FROM rating WHERE game = $1 AND holder = $2",
    );
    let statement = statement.bind(game).bind(holder);
    Ok(database.read(statement, rating_row).await?.pop())
}
