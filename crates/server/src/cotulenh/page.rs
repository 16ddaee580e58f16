//! The page of a game, and those that need no table: analysis and board editor.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use cotulenh::{Color, Position};
use serde::Deserialize;
use serde_json::{Value, json};

use super::draw::Picture;
use super::turn::LegalTurn;
use super::{fair_play, saved};
use crate::app::App;
use crate::extract::{Path, Query};
use crate::page::{Page, Preview, TablePage, fetch_snapshot, render, script_json};
use crate::refusal::{NotNow, Refusal};
use crate::session::Visitor;

/// What a link to a position says.
#[derive(Debug, Deserialize)]
pub(crate) struct PositionQuery {
    fen: Option<String>,
    moves: Option<String>,
    game: Option<String>,
    ply: Option<usize>,
    /// Two people at one device.
    two: Option<String>,
}

impl PositionQuery {
    fn moves(&self) -> impl Iterator<Item = &str> {
        let moves = self.moves.as_deref().unwrap_or("");
        moves.split(',').filter(|text| !text.is_empty())
    }

    fn boot(&self) -> String {
        let moves: Vec<&str> = self.moves().collect();
        script_json(&json!({
            "fen": self.fen, "moves": moves, "game": self.game, "ply": self.ply, "saved": null,
        }))
    }

    /// What the page will show: the position after the moves, or the start where the address makes no sense.
    fn position(&self) -> Position {
        self.played().unwrap_or_else(|_| Position::start())
    }

    fn played(&self) -> Result<Position, Refusal> {
        let start = self
            .fen
            .as_deref()
            .map_or_else(|| Ok(Position::start()), super::position)?;
        let mut line = vec![start];
        for text in self.moves() {
            let mut after = line[line.len() - 1].clone();
            for mv in LegalTurn::moves_of(&after, &text.replace(';', ","))? {
                after.play_unchecked(mv);
            }
            line.push(after);
        }
        let shown = self.ply.unwrap_or(line.len() - 1);
        // As the script has it: beyond the end of the line is its beginning.
        let shown = if shown < line.len() { shown } else { 0 };
        Ok(line.swap_remove(shown))
    }
}

/// A board that stands in the page before any script has run.
struct FirstPaint {
    svg: String,
    /// Who is to move, in words.
    status: String,
}

impl FirstPaint {
    fn of(page: &Page, position: &Position) -> Self {
        let side = match position.turn() {
            Color::Red => "side-r",
            Color::Blue => "side-b",
        };
        let mut status = page.t1("turn-of", "side", page.t(side));
        if position.in_check() {
            status = status + &page.t("space") + &page.t("check");
        }
        // How a game has ended is worded by the script.
        if position.outcome().is_some() {
            status.clear();
        }
        Self {
            svg: Picture::new(position, false).linked(&page.t("board-label")),
            status,
        }
    }

    /// The position of an address. A page that is kept on a device is shown at any address: it has no board.
    async fn asked(
        app: &App,
        visitor: &Visitor,
        page: &Page,
        asked: PositionQuery,
    ) -> Option<Self> {
        if page.is_kept {
            return None;
        }
        // As many moves as an address holds take a while.
        let position = app.answer(visitor.client(), move || asked.position());
        Some(Self::of(page, &position.await.ok()?))
    }
}

#[derive(Template)]
#[template(path = "game.html")]
struct Game {
    page: Page,
    id: String,
    preview: Preview,
    boot: String,
    svg: String,
    picture: String,
    /// The optional victories in words.
    victories: String,
    /// The game is over, or against a bot: the engine may be asked.
    analysis: bool,
}

/// The optional victories of a table in words.
fn victories(page: &Page, view: &Value) -> String {
    let names = view["victories"].as_array().into_iter().flatten();
    let names = names.filter_map(|name| Some(page.t(&format!("victories-{}", name.as_str()?))));
    names.collect::<Vec<_>>().join(" · ")
}

/// `GET /game/{id}`
pub(crate) fn table(page: Page, table: TablePage<'_>) -> Response {
    render(&Game {
        picture: format!("/game/{}.png", table.id),
        victories: victories(&page, &table.view),
        page,
        id: table.id.to_string(),
        boot: script_json(&table.view),
        preview: table.preview,
        svg: table.svg,
        analysis: !fair_play::is_between_people(&table.view),
    })
}

#[derive(Template)]
#[template(path = "analysis.html")]
struct Analysis {
    page: Page,
    boot: String,
    /// The name of a saved analysis.
    name: Option<String>,
    /// Two people at one device.
    two: bool,
    first: Option<FirstPaint>,
}

impl Analysis {
    /// The glyphs that a turn can be given, in the page from the beginning: they take up room.
    fn glyphs(&self) -> impl Iterator<Item = (u8, &'static str, String)> {
        let name = |(nag, sign)| (nag, sign, self.page.t(&format!("glyph-{nag}")));
        GLYPHS.into_iter().map(name)
    }
}

/// Glyphs by their number in PGN, as `GLYPHS` of `tree.js` has them.
const GLYPHS: [(u8, &str); 14] = [
    (1, "!"),
    (2, "?"),
    (3, "!!"),
    (4, "??"),
    (5, "!?"),
    (6, "?!"),
    (10, "="),
    (13, "∞"),
    (14, "+="),
    (15, "=+"),
    (16, "±"),
    (17, "∓"),
    (18, "+−"),
    (19, "−+"),
];

/// `GET /analysis`; a running game between people is not shown here.
pub(crate) async fn analysis(
    State(app): State<App>,
    visitor: Visitor,
    page: Page,
    Query(asked): Query<PositionQuery>,
) -> Result<Response, Refusal> {
    if let Some(id) = asked.game.as_deref().and_then(|id| id.parse().ok()) {
        let snapshot = fetch_snapshot(&app, &visitor, &id).await?;
        let view = serde_json::from_str(&snapshot.json).unwrap_or_default();
        if fair_play::is_between_people(&view) {
            return Err(Refusal::NotNow(NotNow::EngineOff));
        }
    }
    Ok(render(&Analysis {
        boot: asked.boot(),
        name: None,
        two: asked.two.is_some(),
        first: match &asked.game {
            Some(_) => None,
            None => FirstPaint::asked(&app, &visitor, &page, asked).await,
        },
        page,
    }))
}

/// `GET /analysis/{analysis}`: an analysis that somebody has saved.
pub(crate) async fn saved_analysis(
    State(app): State<App>,
    visitor: Visitor,
    page: Page,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let saved = saved::read(&app, &visitor, &id).await?;
    let name = saved["name"].as_str().map(str::to_owned);
    let boot = script_json(&json!({ "moves": [], "saved": saved }));
    Ok(render(&Analysis {
        page,
        boot,
        name,
        two: false,
        first: None,
    }))
}

#[derive(Template)]
#[template(path = "editor.html")]
struct Editor {
    page: Page,
    boot: String,
}

/// `GET /editor`
pub(crate) async fn editor(page: Page, Query(asked): Query<PositionQuery>) -> Response {
    let boot = asked.boot();
    render(&Editor { page, boot })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset;

    #[test]
    fn the_glyphs_of_the_page_are_those_of_its_script() {
        let script = asset::read("js/tree.js").unwrap();
        let script = String::from_utf8_lossy(&script);
        let list = GLYPHS.map(|(nag, sign)| format!("[{nag}, '{sign}']"));
        assert!(script.contains(&format!("new Map([{}])", list.join(", "))));
    }

    #[test]
    fn an_address_tells_what_is_shown() {
        let shown = |fen: Option<&str>, moves: Option<&str>, ply| {
            let asked = PositionQuery {
                fen: fen.map(str::to_owned),
                moves: moves.map(str::to_owned),
                game: None,
                ply,
                two: None,
            };
            asked.position().to_string()
        };
        let start = Position::start().to_string();
        assert_eq!(shown(None, None, None), start);
        let moves = Some("Ic5c6,Ic8c7");
        let after = |count: usize| {
            let mut position = Position::start();
            for text in ["Ic5c6", "Ic8c7"].into_iter().take(count) {
                for mv in LegalTurn::moves_of(&position, text).unwrap() {
                    position.play_unchecked(mv);
                }
            }
            position.to_string()
        };
        assert_eq!(shown(None, moves, None), after(2));
        for (ply, count) in [(0, 0), (1, 1), (2, 2), (3, 0)] {
            assert_eq!(shown(None, moves, Some(ply)), after(count), "{ply}");
        }
        assert_eq!(shown(Some(&after(1)), Some("Ic8c7"), None), after(2));
        // What makes no sense is told by the script, over the start position.
        assert_eq!(shown(Some("x"), None, None), start);
        assert_eq!(shown(None, Some("Ic5c6,Ic5c6"), None), start);
    }
}
