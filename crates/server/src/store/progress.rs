//! The stars of accounts for the steps of lessons.

use super::StoreError;
use super::database::Database;
use super::statement::{Row, Statement};
use crate::id::PlayerId;

/// What somebody was given for a step of a lesson.
///
/// ```
/// use convoy_server::StepStars;
///
/// let stars = StepStars { step: "cotulenh/board/sea".to_owned(), stars: 3 };
/// assert_eq!(stars.step.split('/').count(), 3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepStars {
    /// Game, chapter and step.
    pub step: String,
    /// One to three.
    pub stars: i64,
}

/// Keeps stars that are better than what is kept.
pub(super) async fn keep(
    database: &Database,
    player: &PlayerId,
    stars: &[StepStars],
    at: i64,
) -> Result<(), StoreError> {
    if stars.is_empty() {
        return Ok(());
    }
    let row = |one: &StepStars| {
        vec![
            player.as_str().into(),
            one.step.as_str().into(),
            one.stars.into(),
            at.into(),
        ]
    };
    let statement = Statement::with_rows(
        "INSERT INTO progress (player, step, stars, at)",
        stars.iter().map(row).collect(),
        " ON CONFLICT (player, step) DO UPDATE SET stars = excluded.stars, at = excluded.at
          WHERE excluded.stars > progress.stars",
    );
    database.write(statement).await.map(drop)
}

pub(super) async fn list(
    database: &Database,
    player: &PlayerId,
) -> Result<Vec<StepStars>, StoreError> {
    let statement =
        Statement::new("SELECT step, stars FROM progress WHERE player = $1 ORDER BY step");
    let of = |row: &Row| {
        Ok(StepStars {
            step: row.get(0)?,
            stars: row.get(1)?,
        })
    };
    database.read(statement.bind(player.as_str()), of).await
}
