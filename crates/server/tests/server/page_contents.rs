//! What pages tell: lists of games, previews of links, house rules, and forms that come back.

use axum::http::StatusCode;
use serde_json::json;

use crate::common::{PASSWORD, Site, log_in, pair, register};

#[tokio::test]
async fn the_engine_is_off_in_a_running_game_between_people() {
    let site = Site::start().await;
    let (red, blue, table) = pair(&site, json!({})).await;
    let (mut one, mut two) = (red.join(&table).await, blue.join(&table).await);
    one.play("Ic5c6").await;
    two.until_view(|view| view["turns"].as_array().unwrap().len() == 1)
        .await;
    let fen = two.view["fen"].as_str().unwrap().to_owned();
    let page = format!("/game/{table}");
    assert!(
        red.get(&page)
            .await
            .text
            .contains(&format!("href=\"/analysis?game={table}\" hidden"))
    );
    let refused = red.get(&format!("/analysis?game={table}")).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let mut socket = blue.socket("/ws/analysis").await;
    let asked = json!({ "t": "analyse", "id": "a", "d": { "fen": fen, "ms": 10, "depth": 1 } });
    socket.send(&asked).await;
    let answer = socket.until("refused").await;
    assert_eq!(answer["d"]["why"]["code"], "engine-off");
    // The engine of a page asks first, and is refused the same.
    let asks = json!({ "fen": fen });
    let refused = blue.post("/api/v1/analysis/permission", &asks).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert_eq!(refused.json()["error"]["why"]["code"], "engine-off");
    let stranger = site.visitor().await;
    let allowed = stranger.post("/api/v1/analysis/permission", &asks).await;
    assert_eq!(allowed.status, StatusCode::OK);
    // Whoever does not play may ask about any position, and the players when the game is over.
    let mut other = site.visitor().await.socket("/ws/analysis").await;
    let asked = json!({ "t": "analyse", "id": "b", "d": { "fen": fen, "ms": 10, "depth": 1 } });
    other.send(&asked).await;
    other.until("done").await;
    one.act("abort", json!({})).await;
    two.until_view(|view| view["phase"] == "over").await;
    socket.send(&asked).await;
    socket.until("done").await;
    let open = red.get(&format!("/analysis?game={table}")).await;
    assert_eq!(open.status, StatusCode::OK);
    let allowed = blue.post("/api/v1/analysis/permission", &asks).await;
    assert_eq!(allowed.status, StatusCode::OK);
}

/// Whether a position is being played is not known without the storage: then the engine is off.
#[tokio::test]
async fn the_engine_is_off_while_the_storage_fails() {
    let site = Site::start().await;
    let (_red, blue, _table) = pair(&site, json!({})).await;
    let mut socket = blue.socket("/ws/analysis").await;
    let start = cotulenh::Position::start().to_string();
    let asked = json!({ "t": "analyse", "id": "a", "d": { "fen": start, "ms": 10, "depth": 1 } });
    site.app.store().close().await.unwrap();
    socket.send(&asked).await;
    let answer = socket.until("refused").await;
    assert_eq!(answer["d"]["code"], "storage");
}

#[tokio::test]
async fn changed_house_rules_are_not_called_recommended() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let plain = ann
        .open(json!({ "game": "tractor", "opponent": "friend" }))
        .await;
    let text = ann.get(&format!("/game/{plain}?lang=en")).await.text;
    assert!(
        text.contains("House rules: Recommended</summary>"),
        "{text}"
    );
    let changed = ann
        .open(json!({ "game": "tractor", "opponent": "friend", "rules": { "throw_mode": "challenge" } }))
        .await;
    let text = ann.get(&format!("/game/{changed}")).await.text;
    assert!(
        text.contains("House rules: Recommended (changed)</summary>"),
        "{text}"
    );
    let (before, after) = text.split_once("class=\"changed\"").unwrap();
    assert!(!after.contains("class=\"changed\""), "one rule is changed");
    assert!(before.ends_with("<dl class=\"switches\"><dt>Throws</dt><dd "));
}

#[tokio::test]
async fn lists_tell_date_result_and_moves() {
    let site = Site::start().await;
    let (red, blue, table) = pair(&site, json!({})).await;
    let mut one = red.join(&table).await;
    let mut two = blue.join(&table).await;
    one.play("Ic5c6").await;
    two.until_view(|view| view["turns"].as_array().unwrap().len() == 1)
        .await;
    let text = red.get("/archive?lang=en").await.text;
    assert!(
        text.contains("in progress") && !text.contains(".pgn") && !text.contains("/review"),
        "{text}"
    );
    assert!(text.contains("<td class=\"col-moves\"></td>"), "{text}");
    let home = red.get("/").await.text;
    assert!(home.contains("Continue your game") && home.contains(&table));
    two.play("Ik8k7").await;
    one.until_view(|view| view["turns"].as_array().unwrap().len() == 2)
        .await;
    one.act("resign", json!({})).await;
    two.until_view(|view| view["phase"] == "over").await;
    let lost = red.get("/archive").await.text;
    assert!(lost.contains("Lost by resignation"), "{lost}");
    assert!(lost.contains(&format!("/game/{table}.pgn")), "{lost}");
    assert!(lost.contains(&format!("/game/{table}/review")), "{lost}");
    assert!(lost.contains("<td class=\"col-moves\">1</td>"), "{lost}");
    assert!(lost.contains("<time datetime=\"20"), "{lost}");
    let won = blue.get("/archive?lang=en").await.text;
    assert!(won.contains("Won by resignation"), "{won}");
    // Whoever has resigned is not told that the opponent has.
    for (lang, words) in [("vi", "Thua: một bên đầu hàng"), ("zh", "负：一方认输")] {
        let lost = red.get(&format!("/archive?lang={lang}")).await.text;
        assert!(lost.contains(words), "{lost}");
    }
    assert!(!red.get("/").await.text.contains("Continue your game"));
}

#[tokio::test]
async fn a_bad_position_comes_back_in_its_form() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    for (fen, words) in [
        ("nonsense", "Invalid FEN"),
        (
            "11/11/11/11/11/11/11/11/11/11/11/11+r+-+-+0+1",
            "already over",
        ),
    ] {
        let fields = format!("game=cotulenh&opponent=bot&level=1&fen={fen}");
        let answer = ann.form("/play", &fields).await;
        assert!(answer.status.is_client_error(), "{}", answer.status);
        let kept = format!("value=\"{}\"", fen.replace('+', " "));
        assert!(answer.text.contains(&kept), "{}", answer.text);
        assert!(answer.text.contains(words), "{}", answer.text);
        assert!(answer.text.contains("role=\"alert\""));
    }
}

#[tokio::test]
async fn a_link_has_a_preview_and_an_invitation() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let table = ann
        .open(json!({ "opponent": "friend", "color": "r", "minutes": 10, "increment": 5 }))
        .await;
    let path = format!("/game/{table}?lang=en");
    let own = ann.get(&path).await.text;
    // The address that the visitor has used.
    let host = "http://test";
    for part in [
        format!("property=\"og:image\" content=\"{host}/game/{table}.png\""),
        format!("property=\"og:url\" content=\"{host}/game/{table}\""),
        "invites you to a game of Cờ Tư Lệnh.\">".to_owned(),
        format!("id=\"invite-link\" readonly value=\"{host}/game/{table}\""),
        "class=\"qr\"".to_owned(),
    ] {
        assert!(own.contains(&part), "{part}: {own}");
    }
    assert!(!own.contains("data-act=\"sit\""));
    let friend = site.visitor().await.get(&path).await.text;
    assert!(friend.contains("invites you to a game of Cờ Tư Lệnh."));
    assert!(friend.contains("10+5 · you play Blue"), "{friend}");
    assert_eq!(friend.matches("data-act=\"sit\"").count(), 1);
    assert!(!friend.contains("id=\"invite-link\""));
}

#[tokio::test]
async fn a_pgn_names_event_site_date_and_players() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let table = ann
        .open(json!({ "opponent": "bot", "level": 1, "color": "r", "minutes": 5, "increment": 3 }))
        .await;
    let pgn = ann.get(&format!("/game/{table}.pgn?lang=en")).await.text;
    for tag in [
        "[Event \"Casual game\"]".to_owned(),
        format!("[Site \"http://test/game/{table}\"]"),
        "[Date \"20".to_owned(),
        "[Red \"Guest-".to_owned(),
        "[Blue \"Computer, level 1\"]".to_owned(),
        "[TimeControl \"300+3\"]".to_owned(),
    ] {
        assert!(pgn.contains(&tag), "{tag}: {pgn}");
    }
    let read = ann
        .post("/api/v1/cotulenh/pgn", &json!({ "pgn": pgn }))
        .await;
    assert_eq!(read.status, StatusCode::OK, "{}", read.text);
    assert_eq!(read.json()["headers"]["Blue"], "Computer, level 1");
    let bad = ann
        .post(
            "/api/v1/cotulenh/pgn",
            &json!({ "pgn": "1. Ic6 Mg7\n2. Cg5 *" }),
        )
        .await;
    let error = bad.json()["error"].clone();
    assert_eq!(error["code"], "bad-pgn");
    let words = error["message"].as_str().unwrap();
    assert!(words.contains("line 2, column 4"), "{words}");
}

#[tokio::test]
async fn names_that_deceive_and_common_passwords_are_refused() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    for (name, password, words) in [
        ("admin", PASSWORD, "reserved"),
        ("%D0%90lice", PASSWORD, "reserved"),
        ("Alice", "password", "too easy to guess"),
        ("a", PASSWORD, "3 to 20 letters"),
    ] {
        let fields = format!("name={name}&password={}", password.replace(' ', "+"));
        let answer = ann.form("/account/register?lang=en", &fields).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{name}");
        assert!(answer.text.contains(words), "{name}: {}", answer.text);
        let typed = name.replace("%D0%90", "\u{0410}");
        assert!(
            answer.text.contains(&format!("value=\"{typed}\"")),
            "the name is kept: {}",
            answer.text
        );
    }
    let mut wang = site.visitor().await;
    register(&mut wang, "王明").await;
    log_in(&mut site.visitor().await, "王明").await;
}

/// A link to a card table is shown with a picture that tells nothing of the round.
#[tokio::test]
async fn a_link_to_a_card_table_has_a_picture() {
    let site = Site::start().await;
    let ann = site.visitor().await;
    let table = ann.open(json!({ "game": "tractor" })).await;
    let text = ann.get(&format!("/game/{table}?lang=en")).await.text;
    let image = text.split("property=\"og:image\" content=\"").nth(1);
    let image = image.and_then(|rest| rest.split('"').next()).unwrap();
    assert!(image.starts_with("http://"), "{image}");
    assert!(image.ends_with(&format!("/game/{table}.png")), "{image}");
    let picture = ann.get(&format!("/game/{table}.png")).await;
    assert_eq!(picture.status, StatusCode::OK);
    assert_eq!(picture.headers["content-type"], "image/png");
    assert!(picture.text.contains("PNG"));
}

/// The sources of the tests that `docs/pages.md` names.
const SOURCES: [&str; 4] = ["tests/browser", "tests/server", "src", "src/cotulenh/game"];

/// What players once stumbled over is listed with its test, and each of these tests exists.
#[test]
fn every_fault_of_the_list_has_its_test() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = String::new();
    for source in SOURCES {
        for file in std::fs::read_dir(folder.join(source)).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "rs") {
                sources += &std::fs::read_to_string(path).unwrap();
            }
        }
    }
    let page = std::fs::read_to_string(folder.join("../../docs/pages.md")).unwrap();
    let (_, table) = page.split_once("| fault | test |\n|---|---|\n").unwrap();
    let rows: Vec<&str> = table
        .lines()
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert_eq!(rows.len(), 26);
    for row in rows {
        let tests: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        assert!(!tests.is_empty(), "{row}");
        for test in tests {
            assert!(sources.contains(&format!("fn {test}(")), "{test}");
        }
    }
}
