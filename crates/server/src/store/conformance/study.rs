//! Stars of lessons, saved analyses, reviews of games.

use super::{Player, Retired, Store, append};
use crate::Account;
use crate::id::{AnalysisId, PlayerId, TableId};
use crate::store::{SavedAnalysis, StepStars, StoredReview};

fn account(player: &PlayerId, name: &str) -> Account {
    Account {
        player: player.clone(),
        name: name.to_owned(),
        password: "x".to_owned(),
    }
}

/// Gives an account of this name another one, and answers its new player.
async fn renamed(store: &dyn Store, player: &PlayerId, names: [&str; 2]) -> PlayerId {
    let added = store.add_account(&account(player, names[0])).await;
    added.expect("a new account is kept");
    let new = PlayerId::random();
    let later = account(&new, names[1]);
    let renamed = store.rename_account(player, &later, 7).await;
    renamed.expect("an account is renamed");
    new
}

async fn delete(store: &dyn Store, player: &PlayerId) {
    let gone = Retired {
        player: player.clone(),
        successor: None,
        at: 8,
    };
    let dropped = store.drop_account(&gone).await;
    dropped.expect("an account is deleted");
}

fn stars(steps: &[(&str, i64)]) -> Vec<StepStars> {
    let one = |&(step, stars): &(&str, i64)| StepStars {
        step: step.to_owned(),
        stars,
    };
    steps.iter().map(one).collect()
}

pub(super) async fn the_best_stars_of_a_step_are_kept(store: &dyn Store) {
    let (ann, other) = (PlayerId::random(), PlayerId::random());
    let kept = async |player: &PlayerId| store.stars(player).await.expect("stars are read");
    for (given, at) in [
        (vec![("b/two", 2), ("a/one", 1)], 1),
        (vec![("b/two", 1), ("a/one", 3), ("c/three", 2)], 2),
        (vec![], 3),
    ] {
        let keeping = store.keep_stars(&ann, &stars(&given), at).await;
        keeping.expect("stars are kept");
    }
    let best = stars(&[("a/one", 3), ("b/two", 2), ("c/three", 2)]);
    assert_eq!(kept(&ann).await, best);
    assert_eq!(kept(&other).await, []);
    let new = renamed(store, &ann, ["Learner", "Pupil"]).await;
    assert_eq!((kept(&ann).await, kept(&new).await), (vec![], best));
    delete(store, &new).await;
    assert_eq!(kept(&new).await, []);
}

fn analysis(owner: &PlayerId, name: &str, changed: i64) -> SavedAnalysis {
    SavedAnalysis {
        id: AnalysisId::random(),
        owner: owner.clone(),
        name: name.to_owned(),
        pgn: format!("{{{name}}} *"),
        created: 1,
        changed,
    }
}

async fn list(store: &dyn Store, owner: &PlayerId) -> Vec<SavedAnalysis> {
    let list = store.analyses(owner, 9).await;
    list.expect("analyses are read")
}

pub(super) async fn an_analysis_is_its_owners(store: &dyn Store) {
    let (guest, ann, other) = (PlayerId::random(), PlayerId::random(), PlayerId::random());
    let [first, second, third] = [10, 20, 30].map(|at| analysis(&guest, "Ván cờ", at));
    for (analysis, is_kept) in [(&first, true), (&second, true), (&third, false)] {
        let added = store.add_analysis(analysis, 2).await;
        assert_eq!(added, Ok(is_kept), "the third is one too many");
    }
    let of_other = analysis(&other, "Other", 5);
    assert_eq!(store.add_analysis(&of_other, 2).await, Ok(true));
    assert_eq!(list(store, &guest).await, [second.clone(), first.clone()]);
    let newest = store.analyses(&guest, 1).await;
    assert_eq!(newest, Ok(vec![second.clone()]));

    // Nobody else changes or deletes it.
    let changed = SavedAnalysis {
        name: "Later".to_owned(),
        pgn: "*".to_owned(),
        changed: 40,
        ..first.clone()
    };
    let foreign = SavedAnalysis {
        owner: other.clone(),
        ..changed.clone()
    };
    assert_eq!(store.change_analysis(&foreign).await, Ok(false));
    assert_eq!(store.drop_analysis(&first.id, &other).await, Ok(false));
    assert_eq!(store.analysis(&first.id).await, Ok(Some(first.clone())));
    assert_eq!(store.change_analysis(&changed).await, Ok(true));
    assert_eq!(store.analysis(&first.id).await, Ok(Some(changed)));
    assert_eq!(store.analysis(&third.id).await, Ok(None));
    assert_eq!(store.drop_analysis(&second.id, &guest).await, Ok(true));
    assert_eq!(store.drop_analysis(&second.id, &guest).await, Ok(false));

    // It goes with its owner: to an account, to another name, away.
    let retired = Retired {
        player: guest.clone(),
        successor: Some(Player {
            id: ann.clone(),
            name: "Analyst".to_owned(),
        }),
        at: 6,
    };
    store.retire(&retired).await.expect("a guest is retired");
    assert_eq!(list(store, &guest).await, []);
    assert_eq!(list(store, &ann).await.len(), 1);
    let new = renamed(store, &ann, ["Analyst", "Annotator"]).await;
    assert_eq!(list(store, &ann).await, []);
    assert_eq!(list(store, &new).await[0].id, first.id);
    delete(store, &new).await;
    assert_eq!(store.analysis(&first.id).await, Ok(None));
    assert_eq!(list(store, &other).await, [of_other]);
}

pub(super) async fn a_review_goes_with_its_table(store: &dyn Store) {
    let table = TableId::random();
    let kept = store.append(append(&table, 1, "{}")).await;
    kept.expect("an event is kept");
    let review = |round: u32, text: &str| StoredReview {
        table: table.clone(),
        round,
        at: 5,
        review: text.to_owned(),
    };
    assert_eq!(store.review(&table, 1).await, Ok(None));
    for given in [review(1, "first"), review(2, "second"), review(1, "again")] {
        let kept = store.keep_review(&given).await;
        kept.expect("a review is kept");
    }
    let of = async |round: u32| store.review(&table, round).await;
    assert_eq!(of(1).await, Ok(Some(review(1, "again"))));
    assert_eq!(of(2).await, Ok(Some(review(2, "second"))));
    let dropped = store.drop_tables(std::slice::from_ref(&table)).await;
    dropped.expect("a table is deleted");
    assert_eq!((of(1).await, of(2).await), (Ok(None), Ok(None)));
}
