//! Puzzles over HTTP: lists, tasks, answers, solutions, files.

use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use convoy_puzzles::Rating;
use convoy_server::{PlayerId, PuzzleAttempt, PuzzleRating, RatedAttempt};
use serde_json::{Value, json};

use crate::common::{Site, register};

#[tokio::test]
async fn lists_are_by_difficulty_and_by_theme() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    for (game, theme, most) in [
        ("cotulenh", "kamikaze", 51),
        ("cotulenh", "mateIn1", 72),
        ("tractor", "bury", 96),
    ] {
        let count = async |query: &str| {
            let ids = ann
                .get(&format!("/api/v1/puzzles/{game}{query}"))
                .await
                .json();
            let all = ["easy", "medium", "hard"].map(|level| ids[level].as_array().unwrap().len());
            all.into_iter().sum::<usize>()
        };
        let of_theme = count(&format!("?theme={theme}")).await;
        assert_eq!(of_theme, most, "{game} {theme}");
        assert!(count("").await > of_theme);
    }
    let refused = ann.get("/api/v1/puzzles/cotulenh?theme=bury").await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    assert!(refused.text.contains("no theme"), "{}", refused.text);
    for path in [
        "/api/v1/puzzles/chess",
        "/api/v1/puzzles/cotulenh/zzzzzz",
        "/puzzles/cotulenh/zzzzzz",
        "/puzzles/chess",
    ] {
        assert_eq!(ann.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn a_line_is_played_against_the_stored_defence() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let task = ann.get("/api/v1/puzzles/cotulenh/naj430").await.json();
    assert_eq!((&task["mate"], &task["turns"]), (&json!(2), &json!(2)));
    let answer = async |turns: &[&str]| {
        let path = "/api/v1/puzzles/cotulenh/naj430/answer";
        ann.post(path, &json!({ "turns": turns })).await
    };
    let first = answer(&["Sg12"]).await.json();
    assert_eq!(first["result"], "goesOn");
    assert_eq!(first["played"][1]["lan"], "Ci12i11");
    assert_ne!(first["fen"], task["fen"]);
    assert_eq!(answer(&["Sg12", "Gi10"]).await.json()["result"], "solved");
    let wrong = answer(&["Sg10"]).await.json();
    assert_eq!(
        (&wrong["result"], &wrong["fen"]),
        (&json!("wrong"), &task["fen"])
    );
    for (turns, code) in [
        (&["Sg1"][..], "illegal-move"),
        (&["?"], "bad-notation"),
        (&["Sg12", "Gi10", "Gi10"], "malformed"),
        (&["Sg10", "Sg12"], "malformed"),
    ] {
        let refused = answer(turns).await;
        assert!(refused.status.is_client_error(), "{turns:?}");
        assert_eq!(refused.code(), code, "{turns:?}");
    }
    let solution = ann
        .get("/api/v1/puzzles/cotulenh/naj430/solution")
        .await
        .json();
    assert_eq!(solution["turns"].as_array().unwrap().len(), 3);
    assert_eq!(solution["themes"], json!(["mateIn2", "check"]));
}

#[tokio::test]
async fn the_daily_puzzle_is_one_of_the_collection() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    for game in ["cotulenh", "tractor"] {
        let path = format!("/api/v1/puzzles/{game}");
        let task = ann.get(&format!("{path}/daily")).await.json();
        assert_eq!(task["day"].as_str().unwrap().len(), 10);
        let id = task["id"].as_str().unwrap();
        let same = ann.get(&format!("{path}/{id}")).await.json();
        assert_eq!(same["difficulty"], task["difficulty"]);
        let file = ann.get(&format!("{path}/file")).await;
        assert!(file.text.contains(&format!("\n{id};")), "{game}");
        assert_eq!(file.headers[CONTENT_TYPE], "text/plain; charset=utf-8");
        let name = format!("attachment; filename=\"{game}-puzzles.txt\"");
        assert_eq!(file.headers[CONTENT_DISPOSITION], name.as_str());
        let page = ann.get(&format!("/puzzles/{game}/{id}?lang=vi")).await;
        assert!(page.text.contains("Câu đố"), "{game}");
    }
}

#[tokio::test]
async fn first_attempts_of_accounts_are_rated_and_kept() {
    let site = Site::start().await;
    let mut ann = site.visitor().await;
    let history = async |who: &crate::common::Visitor| {
        let answer = who.get("/api/v1/puzzles/cotulenh/history").await;
        answer.json()
    };
    let wrong = json!({ "turns": ["Sg10"] });
    let path = "/api/v1/puzzles/cotulenh/naj430";
    let answer = ann.post(&format!("{path}/answer"), &wrong).await.json();
    assert_eq!(answer["rating"], json!(null), "a guest has no rating");
    assert_eq!(history(&ann).await["attempts"], json!(null));
    register(&mut ann, "Ann").await;
    assert_eq!(
        history(&ann).await,
        json!({ "attempts": [], "rating": null })
    );

    let half = json!({ "turns": ["Sg12"] });
    let answer = ann.post(&format!("{path}/answer"), &half).await.json();
    assert!(answer["rating"].is_null(), "{answer}");
    let whole = json!({ "turns": ["Sg12", "Gi10"] });
    let answer = ann.post(&format!("{path}/answer"), &whole).await.json();
    let (before, after) = (&answer["rating"]["before"], &answer["rating"]["after"]);
    assert_eq!(before["rating"], 1500);
    for known in [before, after] {
        assert_eq!(known["provisional"], true, "{answer}");
    }
    assert!(
        after["rating"].as_f64() > before["rating"].as_f64(),
        "{answer}"
    );
    let first = after.clone();
    // Only the first counts.
    let answer = ann.post(&format!("{path}/answer"), &wrong).await.json();
    assert!(answer["rating"].is_null());
    let other = "/api/v1/puzzles/cotulenh/af5wab/give-up";
    let given_up = ann.post(other, &json!({})).await.json();
    assert_eq!(given_up["turns"].as_array().unwrap().len(), 3);
    assert_eq!(given_up["rating"]["after"]["attempts"], 2);
    assert_eq!(given_up["rating"]["before"], first);
    let kept = history(&ann).await;
    assert_eq!(kept["rating"], given_up["rating"]["after"]);
    let mut attempts = kept["attempts"].clone();
    for one in attempts.as_array_mut().unwrap() {
        assert!(one["at"].take().as_i64() > Some(0));
    }
    let last = &given_up["rating"]["after"]["rating"];
    assert_eq!(
        attempts,
        json!([
            { "id": "af5wab", "solved": false, "at": null, "rating": last },
            { "id": "naj430", "solved": true, "at": null, "rating": first["rating"] },
        ])
    );
    assert_ne!(last, &first["rating"]);
}

/// Keeps an attempt at a puzzle, after which solver and puzzle have ratings this far from settled.
async fn attempt(site: &Site, who: &PlayerId, game: &str, puzzle: &str, deviation: f64) {
    let rating = |rating: f64| PuzzleRating {
        rating: Rating {
            rating,
            deviation,
            ..Rating::NEW
        },
        attempts: 1,
    };
    let attempt = PuzzleAttempt {
        player: who.clone(),
        game: game.to_owned(),
        puzzle: puzzle.to_owned(),
        at: 1,
        solved: false,
        // As the schemas before the ninth kept it.
        rating: None,
    };
    let rated = RatedAttempt {
        solver: rating(1496.5),
        puzzle: rating(1623.6),
    };
    let added = site.app.store().add_attempt(&attempt, &rated).await;
    added.unwrap();
}

#[tokio::test]
async fn the_rating_of_a_puzzle_is_told_once_it_is_settled() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    for (game, puzzle) in [("cotulenh", "naj430"), ("tractor", "teaws5")] {
        let told = async || {
            let path = format!("/api/v1/puzzles/{game}/{puzzle}");
            ann.get(&path).await.json()["rating"].clone()
        };
        assert_eq!(told().await, json!(null), "nobody has attempted it");
        attempt(&site, &PlayerId::random(), game, puzzle, 110.0).await;
        assert_eq!(told().await, json!(null), "too few have");
        attempt(&site, &PlayerId::random(), game, puzzle, 109.9).await;
        assert_eq!(told().await, json!(1624));
    }
}

#[tokio::test]
async fn a_solver_is_told_whether_the_rating_is_settled() {
    let site = Site::start().await;
    let mut ann = site.visitor().await;
    register(&mut ann, "Ann").await;
    let account = site.app.store().account("ann").await.unwrap().unwrap();
    let history = async || ann.get("/api/v1/puzzles/tractor/history").await.json();
    for (puzzle, deviation, provisional) in [("teaws5", 110.0, true), ("vn69b2", 109.9, false)] {
        attempt(&site, &account.player, "tractor", puzzle, deviation).await;
        let told = json!({ "rating": 1497, "deviation": 110.0, "attempts": 1, "provisional": provisional });
        assert_eq!(history().await["rating"], told);
    }
    let attempts = history().await["attempts"].clone();
    let attempts = attempts.as_array().unwrap();
    let unknown = |one: &Value| one["rating"].is_null();
    assert!(
        attempts.len() == 2 && attempts.iter().all(unknown),
        "{attempts:?}"
    );
}
