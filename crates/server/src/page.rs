//! Pages: what templates are given, and the handlers that render them.

mod account;
mod archive;
mod error;
mod game;
mod home;
mod learn;
mod offline;
mod qr;
mod rules;

use std::time::{Duration, UNIX_EPOCH};

use askama::Template;
use axum::extract::FromRequestParts;
use axum::http::header::{CACHE_CONTROL, HOST};
use axum::http::request::Parts;
use axum::response::{Html, IntoResponse as _, Response};
use serde::Serialize;
use serde_json::Value;

use crate::app::App;
use crate::config::PublicUrl;
use crate::game::hosted;
use crate::id::PlayerId;
use crate::language::Language;
use crate::refusal::Refusal;
use crate::session::Visitor;
use crate::store::Summary;
use crate::{asset, header};

pub(crate) use account::{account, account_with};
pub(crate) use archive::{archive, own_archive};
pub(crate) use error::reword;
pub(crate) use game::{
    Preview, TableFacts, TablePage, fetch_snapshot, game, seat_name, table_title,
};
pub(crate) use home::{HomeParts, Wishes, home, home_with};
pub(crate) use learn::{learn, lesson, lesson_pages, progress_script};
pub(crate) use offline::{OfflineParts, kept_pages, offline};
pub(crate) use rules::rules;

/// What every page needs: the language, the form token, the visitor's name.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) lang: Language,
    pub(crate) csrf: String,
    pub(crate) player: String,
    pub(crate) account: bool,
    pub(crate) path: String,
    pub(crate) public_url: Option<PublicUrl>,
    /// It is kept on a device for when there is no network: it belongs to nobody.
    pub(crate) is_kept: bool,
}

#[allow(
    clippy::unused_self,
    reason = "templates reach everything through the page"
)]
impl Page {
    pub(crate) fn new(visitor: &Visitor, path: &str) -> Self {
        Self {
            lang: visitor.language,
            csrf: visitor.csrf().to_owned(),
            player: visitor.name(),
            account: visitor.account.is_some(),
            path: path.to_owned(),
            public_url: None,
            is_kept: false,
        }
    }

    /// A message of the catalogue.
    pub(crate) fn t(&self, key: &str) -> String {
        self.lang.message(key, None)
    }

    /// A message with one argument.
    #[allow(dead_code, reason = "for templates; not every state of them has one")]
    pub(crate) fn t1(&self, key: &str, name: &str, value: impl std::fmt::Display) -> String {
        self.lang.message_with(key, name, value)
    }

    /// A player's name: a guest's is put together in the page's language.
    pub(crate) fn person(&self, name: &str) -> String {
        match name.strip_prefix("Guest-") {
            Some(id) => format!("{}-{id}", self.t("guest")),
            None => name.to_owned(),
        }
    }

    /// The address of a file of `web/`.
    pub(crate) fn asset(&self, path: &str) -> String {
        asset::url(path)
    }

    /// The catalogue that the scripts of a page read, with the parts that it names, fetched while they are: what they
    /// draw waits for it.
    pub(crate) fn words(&self, parts: &str) -> String {
        let parts = parts.split_whitespace().map(|part| format!(".{part}"));
        let link = |part: String| {
            let url = self.asset(&format!("messages/{}{part}.json", self.lang));
            format!("<link rel=\"preload\" as=\"fetch\" crossorigin href=\"{url}\">")
        };
        std::iter::once(String::new())
            .chain(parts)
            .map(link)
            .collect()
    }

    /// The address of a path for other sites: absolute where the public address is known.
    pub(crate) fn absolute(&self, path: &str) -> String {
        match &self.public_url {
            Some(url) => url.join(path),
            None => path.to_owned(),
        }
    }

    /// The languages to choose from.
    pub(crate) fn langs(&self) -> [Language; 3] {
        Language::ALL
    }
}

impl FromRequestParts<App> for Page {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Refusal> {
        let path = parts.uri.path().to_owned();
        let visitor = Visitor::from_request_parts(parts, app).await?;
        let configured = app.config().public_url.clone();
        Ok(Self {
            public_url: configured.or_else(|| requested_url(parts)),
            is_kept: asks_to_keep(parts.uri.query().unwrap_or_default()),
            ..Self::new(&visitor, &path)
        })
    }
}

/// Whether a service worker asks for a page, to keep it.
fn asks_to_keep(query: &str) -> bool {
    query.split('&').any(|pair| pair == "offline=1")
}

/// The address that the visitor has used, where none is configured.
fn requested_url(parts: &Parts) -> Option<PublicUrl> {
    let host = parts.headers.get(HOST)?.to_str().ok()?;
    let scheme = match parts.extensions.get::<header::Https>() {
        Some(_) => "https",
        None => "http",
    };
    PublicUrl::try_from(format!("{scheme}://{host}")).ok()
}

/// One table in a list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) game: String,
    pub(crate) seats: Vec<SeatRow>,
    pub(crate) clock: String,
    pub(crate) phase: &'static str,
    pub(crate) result: Value,
    pub(crate) at: i64,
    pub(crate) turns: usize,
    /// The seat of the player whose games are listed.
    #[serde(skip)]
    pub(crate) own: Option<usize>,
}

/// One seat of a table in a list.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SeatRow {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) level: Option<u8>,
    pub(crate) color: &'static str,
}

impl From<&Summary> for Row {
    fn from(summary: &Summary) -> Self {
        let colors = hosted(&summary.game).map_or(&[][..], |game| game.colors);
        let colors = colors.iter().copied().chain(std::iter::repeat(""));
        let seat = |(occupant, color): (&crate::seat::Occupant, &'static str)| SeatRow {
            name: occupant.name(),
            kind: occupant.kind(),
            level: match occupant {
                crate::seat::Occupant::Bot { level } => Some(*level),
                _ => None,
            },
            color,
        };
        Self {
            id: summary.id.to_string(),
            seats: summary.seats.iter().zip(colors).map(seat).collect(),
            game: summary.game.clone(),
            clock: summary.clock.clone(),
            phase: summary.phase.as_str(),
            result: summary.result.clone(),
            at: summary.changed,
            turns: summary.turns,
            own: None,
        }
    }
}

impl Row {
    /// The key of the game's name.
    pub(crate) fn game_key(&self) -> &'static str {
        hosted(&self.game).map_or("", |game| game.name_key)
    }

    /// Whether a list of running games shows it.
    pub(crate) fn is_pictured(&self) -> bool {
        hosted(&self.game).is_some_and(|game| game.live_picture)
    }

    /// Who plays, in words: two sides in full, or people and free seats and then so many bots.
    pub(crate) fn who(&self, page: &Page) -> String {
        let two = self.seats.len() == 2;
        let name = |seat: &SeatRow| match (seat.kind, seat.level) {
            ("open", _) => Some(page.t("seat-open")),
            (_, Some(level)) => two.then(|| page.t1("bot-level", "level", level)),
            _ => Some(page.person(&seat.name)),
        };
        let mut names: Vec<String> = self.seats.iter().filter_map(name).collect();
        let bots = self.seats.len() - names.len();
        if bots > 0 {
            names.push(page.t1("bots", "count", bots));
        }
        names.join(" – ")
    }

    /// How many moves a finished game has, where its game counts them.
    pub(crate) fn moves(&self) -> Option<usize> {
        let counts = hosted(&self.game).is_some_and(|game| game.counts_moves);
        (self.phase == "over" && counts).then_some(self.turns.div_ceil(2))
    }

    /// The day of the last move.
    pub(crate) fn day(&self) -> String {
        iso(self.at)[..10].to_owned()
    }

    /// The time of the last move, for machines.
    pub(crate) fn time(&self) -> String {
        iso(self.at)
    }

    /// Whether the player whose games are listed has won; none where nobody has, or nobody is meant.
    pub(crate) fn won(&self) -> Option<bool> {
        let winner = self.result["winner"].as_str()?;
        let sides = hosted(&self.game)?.sides;
        self.own.map(|seat| sides[seat % 2] == winner)
    }

    /// Whether the game was played on a device, and handed in later.
    pub(crate) fn is_from_device(&self) -> bool {
        self.result["device"] == true
    }

    /// How the game ended, in words.
    pub(crate) fn result_words(&self, page: &Page) -> String {
        let Some(reason) = self.result["reason"].as_str() else {
            return page.t(match self.phase {
                "waiting" => "waiting-sit",
                _ => "still-playing",
            });
        };
        let how = page.t(&format!("outcome-{reason}"));
        if let Some(won) = self.won() {
            let verdict = page.t(if won { "result-won" } else { "result-lost" });
            return verdict + &page.t("space") + &how;
        }
        match (hosted(&self.game), self.result["winner"].as_str()) {
            (Some(game), Some(winner)) => (game.winner_words)(page, winner, &how),
            _ if reason == "aborted" => page.t("no-result") + &page.t("space") + &how,
            _ => page.t("drawn") + &page.t("space") + &how,
        }
    }
}

/// Rows for a list.
pub(crate) fn rows(summaries: &[Summary]) -> Vec<Row> {
    summaries.iter().map(Row::from).collect()
}

/// Rows for the list of a player's games.
pub(crate) fn rows_of(player: &PlayerId, summaries: &[Summary]) -> Vec<Row> {
    let row = |summary: &Summary| {
        let own = |seat: &crate::seat::Occupant| seat.player() == Some(player);
        Row {
            own: summary.seats.iter().position(own),
            ..Row::from(summary)
        }
    };
    summaries.iter().map(row).collect()
}

/// A moment for machines to read.
pub(crate) fn iso(millis: i64) -> String {
    let since = Duration::from_millis(u64::try_from(millis).unwrap_or(0));
    humantime::format_rfc3339_seconds(UNIX_EPOCH + since).to_string()
}

/// A page as an answer. Pages hold what is the visitor's alone, so nobody else may keep them.
pub(crate) fn render(page: &impl Template) -> Response {
    match page.render() {
        Ok(html) => ([(CACHE_CONTROL, header::PERSONAL)], Html(html)).into_response(),
        Err(error) => {
            tracing::error!(%error, "template");
            Refusal::Storage.into_response()
        }
    }
}

/// A part of a page, as HTML.
pub(crate) fn part(part: &impl Template) -> String {
    part.render().unwrap_or_else(|error| {
        tracing::error!(%error, "template");
        String::new()
    })
}

/// JSON that may stand inside a `<script type="application/json">`.
pub(crate) fn script_json(value: &Value) -> String {
    let text = value.to_string();
    text.replace('<', "\\u003c")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}
