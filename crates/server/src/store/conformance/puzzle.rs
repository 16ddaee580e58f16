//! Attempts at puzzles and ratings.

use convoy_puzzles::Rating;

use super::{Retired, Store, StoreError};
use crate::Account;
use crate::id::PlayerId;
use crate::store::{PuzzleAttempt, PuzzleRating, RatedAttempt};

fn attempt(player: &PlayerId, puzzle: &str, at: i64) -> PuzzleAttempt {
    PuzzleAttempt {
        player: player.clone(),
        game: "tractor".to_owned(),
        puzzle: puzzle.to_owned(),
        at,
        solved: at % 2 == 0,
        rating: Some(1500 + at).filter(|_| at > 2),
    }
}

fn rated(rating: f64, attempts: i64) -> RatedAttempt {
    let of = |rating| PuzzleRating {
        rating: Rating {
            rating,
            ..Rating::NEW
        },
        attempts,
    };
    RatedAttempt {
        solver: of(rating),
        puzzle: of(3000.0 - rating),
    }
}

/// The attempts of a player, newest first.
async fn kept(store: &dyn Store, player: &PlayerId, game: &str, limit: u32) -> Vec<PuzzleAttempt> {
    let attempts = store.attempts(player, game, limit).await;
    attempts.expect("attempts are read")
}

async fn rating(store: &dyn Store, holder: &str) -> Option<PuzzleRating> {
    let rating = store.puzzle_rating("tractor", holder).await;
    rating.expect("a rating is read")
}

pub(super) async fn first_attempts_are_kept_with_both_ratings(store: &dyn Store) {
    let ann = PlayerId::random();
    let (first, second) = (attempt(&ann, "aaaaaa", 2), attempt(&ann, "bbbbbb", 5));
    assert_eq!(rating(store, ann.as_str()).await, None);
    for (attempt, rated) in [(&first, rated(1600.125, 1)), (&second, rated(1550.5, 2))] {
        let added = store.add_attempt(attempt, &rated).await;
        added.expect("a first attempt is kept");
    }
    // A second attempt changes nothing, neither itself nor a rating.
    let again = store.add_attempt(&first, &rated(9.0, 9)).await;
    assert_eq!(again, Err(StoreError::Taken));
    let newest = [second.clone()];
    assert_eq!(kept(store, &ann, "tractor", 9).await, [second, first]);
    assert_eq!(kept(store, &ann, "tractor", 1).await, newest);
    assert_eq!(kept(store, &ann, "cotulenh", 9).await, []);
    let of_ann = Some(rated(1550.5, 2).solver);
    assert_eq!(rating(store, ann.as_str()).await, of_ann);
    let of_puzzle = Some(rated(1600.125, 1).puzzle);
    assert_eq!(rating(store, "aaaaaa").await, of_puzzle);

    // They go with the account to another name, and with it away.
    let account = |player: &PlayerId, name: &str| Account {
        player: player.clone(),
        name: name.to_owned(),
        password: "x".to_owned(),
    };
    let added = store.add_account(&account(&ann, "Puzzler")).await;
    added.expect("a new account is kept");
    let new = PlayerId::random();
    let renamed = store
        .rename_account(&ann, &account(&new, "Solver"), 7)
        .await;
    renamed.expect("an account is renamed");
    assert_eq!(kept(store, &ann, "tractor", 9).await, []);
    assert_eq!(kept(store, &new, "tractor", 9).await.len(), 2);
    assert_eq!(rating(store, new.as_str()).await, of_ann);
    let gone = Retired {
        player: new.clone(),
        successor: None,
        at: 8,
    };
    let dropped = store.drop_account(&gone).await;
    dropped.expect("an account is deleted");
    assert_eq!(kept(store, &new, "tractor", 9).await, []);
    assert_eq!(rating(store, new.as_str()).await, None);
    assert_eq!(rating(store, "aaaaaa").await, of_puzzle);
}
