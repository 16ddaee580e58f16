//! A server on a port of its own, and clients that behave or misbehave.
#![allow(
    clippy::unwrap_used,
    dead_code,
    unused_imports,
    reason = "each test file uses its part, and a test may fail"
)]

pub(crate) mod database;
pub(crate) mod schema;
mod socket;
mod visitor;
mod wait;

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use convoy_server::{App, Config, Limits, Nats, Pace, Rate, Rates, Store, Thinking};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;
use tractor::{Event, Game, Rules, Seed, View};
use tractor_engine::{Player, SkillLevel};

pub(crate) use socket::{Socket, Stream, connect, some_turn};
pub(crate) use visitor::{Answer, Visitor};
pub(crate) use wait::{until, until_some};

/// The sources that list the routes of the application.
const ROUTES: [&str; 4] = [
    include_str!("../../../src/app.rs"),
    include_str!("../../../src/cotulenh.rs"),
    include_str!("../../../src/tractor.rs"),
    include_str!("../../../src/puzzle.rs"),
];

/// The routes of the application, as its source lists them: path and methods.
pub(crate) fn routes() -> Vec<(String, Vec<&'static str>)> {
    let source = ROUTES.concat();
    let route = |text: &str| {
        let path = text.split('"').nth(1)?.to_owned();
        // The last route of a file ends where its function does.
        let handlers = text.split("\n}").next()?;
        let methods = [("get", "get("), ("post", "post("), ("post", "api::ask(")];
        let methods = methods.into_iter();
        let methods = methods.filter(|(_, mark)| handlers.contains(mark));
        Some((path, methods.map(|(method, _)| method).collect()))
    };
    source.split(".route(").skip(1).filter_map(route).collect()
}

/// Only a hang takes this long: nothing that these tests wait for does, however busy the machine is.
pub(crate) const LONG: Duration = Duration::from_mins(2);

/// At such a table only the test makes time pass, by `App::fire_deadline`: nobody is too late, and no bot
/// plays for a person.
pub(crate) const STILL: Pace = Pace {
    deal: HOUR,
    window: HOUR,
    trick: 0,
    commit: HOUR,
    reveal: HOUR,
    next: HOUR,
    patience: HOUR,
};

const HOUR: u64 = 3_600_000;

/// A folder that goes with the test.
#[derive(Debug)]
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("convoy-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A running server.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub(crate) app: App,
    pub(crate) address: SocketAddr,
}

/// Quick bots, and no limit that a test does not ask for.
pub(crate) fn config() -> Config {
    let free = Rate {
        burst: 1e6,
        per_second: 1e6,
    };
    let local = "127.0.0.0/8".parse().unwrap();
    Config {
        // A test that names an address in `X-Forwarded-For` speaks for a client of that address.
        trusted_proxies: vec![local],
        limits: limits(),
        rates: Rates {
            frames: free,
            requests: free,
            openings: free,
            openings_per_address: free,
            savings: free,
            savings_per_address: free,
            questions: free,
            questions_per_address: free,
            analyses: free,
            analyses_per_address: free,
            hints: free,
            hints_per_address: free,
            registrations_per_address: free,
            ..Rates::default()
        },
        thinking: Thinking {
            bot_pause: Duration::ZERO,
            ..Thinking::default()
        },
        ..Config::default()
    }
}

/// A configuration with another pace at card tables.
pub(crate) fn paced(pace: Pace, mut config: Config) -> Config {
    config.games.tractor.pace = pace;
    config
}

/// The usual limits; none per address for the tests themselves.
pub(crate) fn limits() -> Limits {
    Limits {
        exempt: vec!["127.0.0.0/8".parse().unwrap()],
        ..Limits::default()
    }
}

impl Site {
    pub(crate) async fn start() -> Self {
        Self::with(config()).await
    }

    pub(crate) async fn with(config: Config) -> Self {
        Self::over(database::fresh().await, config).await
    }

    pub(crate) async fn over(store: Arc<dyn Store>, config: Config) -> Self {
        Self::of(App::new(store, config).await.unwrap()).await
    }

    /// A site that may ask workers.
    pub(crate) async fn with_nats(config: Config, nats: &convoy_test_nats::Server) -> Self {
        let nats = Nats::connect(&nats.node_url().parse().unwrap()).await;
        let store = database::fresh().await;
        let app = App::with_nats(store, config, nats.unwrap()).await;
        Self::of(app.unwrap()).await
    }

    pub(crate) async fn of(app: App) -> Self {
        Self::until(app, std::future::pending()).await.0
    }

    /// A site that is served until something happens, and the end of that.
    pub(crate) async fn until(
        app: App,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> (Self, tokio::task::JoinHandle<std::io::Result<()>>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let served = convoy_server::serve(listener, app.clone(), stop);
        (Self { app, address }, tokio::spawn(served))
    }

    /// Somebody who has opened the home page.
    pub(crate) async fn visitor(&self) -> Visitor {
        let mut visitor = Visitor {
            site: self.clone(),
            cookie: String::new(),
            csrf: String::new(),
        };
        visitor.reload().await;
        visitor
    }
}

/// The password of every account of the tests.
pub(crate) const PASSWORD: &str = "correct horse";

async fn enter(visitor: &mut Visitor, path: &str, name: &str) {
    let fields = format!("name={name}&password={}", PASSWORD.replace(' ', "+"));
    let answer = visitor.form(path, &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    visitor.take_cookie(answer.headers[SET_COOKIE].to_str().unwrap());
    visitor.reload().await;
}

/// Opens an account for a visitor.
pub(crate) async fn register(visitor: &mut Visitor, name: &str) {
    enter(visitor, "/account/register", name).await;
}

/// Logs a visitor in.
pub(crate) async fn log_in(visitor: &mut Visitor, name: &str) {
    enter(visitor, "/account/login", name).await;
}

/// Hexadecimal digits in lower case.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// A cookie as the server signs it.
pub(crate) fn signed(key: &str, name: &str, token: &str) -> String {
    let key = Sha256::digest(key.as_bytes());
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(b"session\0");
    mac.update(token.as_bytes());
    let signature = hex(&mac.finalize().into_bytes());
    format!("{name}={token}.{signature}")
}

/// Two people at one table: red and blue.
pub(crate) async fn pair(site: &Site, new_table: Value) -> (Visitor, Visitor, String) {
    let (red, blue) = (site.visitor().await, site.visitor().await);
    let mut new_table = new_table;
    new_table["color"] = json!("r");
    new_table["opponent"] = json!("friend");
    let table = red.open(new_table).await;
    assert_eq!(blue.sit(&table).await.status, StatusCode::OK);
    (red, blue, table)
}

/// Plays the round of a game of Tractor to its end.
pub(crate) fn play_round(game: &mut Game) {
    let player = Player::new(SkillLevel::Easy, 1);
    game.apply(Event::Deal { count: 100 }).unwrap();
    game.apply(Event::Close).unwrap();
    while let Some(seat) = game.round().turn() {
        let event = player.act(&View::of(game.round(), Some(seat)));
        game.apply(event.unwrap()).unwrap();
    }
}

/// A game of Tractor that one team has won, as the page of a device plays it.
pub(crate) fn whole_match() -> Game {
    let mut game = Game::new(Rules::DEFAULT, Seed::from_number(1));
    play_round(&mut game);
    let mut number = 2;
    while game.winner().is_none() {
        game.next_round(Seed::from_number(number)).unwrap();
        play_round(&mut game);
        number += 1;
    }
    game
}
