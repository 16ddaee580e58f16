//! A server on a port of its own, and clients that behave or misbehave.
#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "each test file uses its part, and a test may fail"
)]

#[path = "database.rs"]
pub(crate) mod database;

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, COOKIE, HOST, ORIGIN, SET_COOKIE, USER_AGENT};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use convoy_server::{App, Config, Limits, Nats, Pace, Rate, Rates, Store, Thinking};
use cotulenh::Position;
use futures_util::{SinkExt as _, StreamExt as _};
use hmac::{Hmac, KeyInit as _, Mac as _};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use tower::ServiceExt as _;

/// The sources that list the routes of the application.
pub(crate) const ROUTES: [&str; 4] = [
    include_str!("../../src/app.rs"),
    include_str!("../../src/cotulenh.rs"),
    include_str!("../../src/tractor.rs"),
    include_str!("../../src/puzzle.rs"),
];

/// What a browser of the tests says it is.
const AGENT: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

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

    async fn of(app: App) -> Self {
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

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|why| panic!("{why}: {}", self.text))
    }

    /// The code of a refusal.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"]
            .as_str()
            .unwrap_or("")
            .to_owned()
    }

    /// The session cookie that it sets, without its attributes.
    pub(crate) fn session_cookie(&self) -> Option<String> {
        let all = self.headers.get_all(SET_COOKIE).iter();
        all.filter_map(|cookie| cookie.to_str().ok())
            .find(|cookie| cookie.contains("convoy=") && !cookie.contains("Max-Age=0"))
            .map(|cookie| cookie.split(';').next().unwrap().to_owned())
    }

    pub(crate) fn location(&self) -> &str {
        self.headers["location"].to_str().unwrap()
    }
}

/// Somebody with a browser.
#[derive(Debug, Clone)]
pub(crate) struct Visitor {
    pub(crate) site: Site,
    pub(crate) cookie: String,
    pub(crate) csrf: String,
}

impl Visitor {
    /// Opens the home page: cookie and form token are those of the page.
    pub(crate) async fn reload(&mut self) {
        let answer = self.get("/").await;
        if let Some(cookie) = answer.headers.get(SET_COOKIE) {
            self.take_cookie(cookie.to_str().unwrap());
        }
        let (_, rest) = answer.text.split_once("name=\"csrf\" value=\"").unwrap();
        rest.split('"').next().unwrap().clone_into(&mut self.csrf);
    }

    pub(crate) fn take_cookie(&mut self, header: &str) {
        header
            .split(';')
            .next()
            .unwrap()
            .clone_into(&mut self.cookie);
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.site.app.router().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Answer {
            status: parts.status,
            headers: parts.headers,
            // A picture is no text; the tests look at its first letters alone.
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    pub(crate) fn request(&self, method: Method, path: &str) -> axum::http::request::Builder {
        let builder = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, "test")
            .header(USER_AGENT, AGENT);
        match &*self.cookie {
            "" => builder,
            cookie => builder.header(COOKIE, cookie),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        let request = self.request(Method::GET, path).body(Body::empty());
        self.send(request.unwrap()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Answer {
        let request = self
            .request(Method::POST, path)
            .header(CONTENT_TYPE, "application/json")
            .header(ORIGIN, "http://test")
            .body(Body::from(body.to_string()));
        self.send(request.unwrap()).await
    }

    /// Sends a form with its token.
    pub(crate) async fn form(&self, path: &str, fields: &str) -> Answer {
        self.raw_form(path, &format!("csrf={}&{fields}", self.csrf))
            .await
    }

    pub(crate) async fn raw_form(&self, path: &str, fields: &str) -> Answer {
        let request = self
            .request(Method::POST, path)
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(ORIGIN, "http://test")
            .body(Body::from(fields.to_owned()));
        self.send(request.unwrap()).await
    }

    /// Opens a table and answers its name.
    pub(crate) async fn open(&self, new_table: Value) -> String {
        let answer = self.post("/api/v1/tables", &new_table).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text);
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    pub(crate) async fn sit(&self, table: &str) -> Answer {
        self.post(&format!("/api/v1/tables/{table}/sit"), &json!({}))
            .await
    }

    pub(crate) async fn view(&self, table: &str) -> Value {
        self.get(&format!("/api/v1/tables/{table}")).await.json()
    }

    /// Connects to a table and takes in what comes first.
    pub(crate) async fn join(&self, table: &str) -> Socket {
        self.resume(table, None).await
    }

    /// Connects again, knowing `view`.
    pub(crate) async fn resume(&self, table: &str, view: Option<Value>) -> Socket {
        let seq = view
            .as_ref()
            .map_or(String::new(), |view| format!("?seq={}", view["seq"]));
        let mut socket = self.socket(&format!("/ws/table/{table}{seq}")).await;
        socket.view = view.unwrap_or(Value::Null);
        socket.next().await;
        socket
    }

    pub(crate) async fn socket(&self, path: &str) -> Socket {
        self.socket_with(path, &[]).await
    }

    /// A socket whose handshake has these headers too.
    pub(crate) async fn socket_with(&self, path: &str, headers: &[(&'static str, &str)]) -> Socket {
        let stream = connect_with(self.site.address, path, &self.cookie, headers).await;
        Socket {
            stream: stream.unwrap(),
            view: Value::Null,
            presence: Value::Null,
        }
    }
}

pub(crate) type Stream = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Connects, or answers the status of the refusal.
pub(crate) async fn connect(
    address: SocketAddr,
    path: &str,
    cookie: &str,
    origin: Option<&str>,
) -> Result<Stream, StatusCode> {
    let origin = origin.map(|origin| ("origin", origin));
    let headers: Vec<(&'static str, &str)> = origin.into_iter().collect();
    connect_with(address, path, cookie, &headers).await
}

async fn connect_with(
    address: SocketAddr,
    path: &str,
    cookie: &str,
    headers: &[(&'static str, &str)],
) -> Result<Stream, StatusCode> {
    let mut request = format!("ws://{address}{path}")
        .into_client_request()
        .unwrap();
    if !cookie.is_empty() {
        request
            .headers_mut()
            .insert(COOKIE, cookie.parse().unwrap());
    }
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    match tokio_tungstenite::connect_async(request).await {
        Ok((stream, _)) => Ok(stream),
        Err(tokio_tungstenite::tungstenite::Error::Http(response)) => Err(response.status()),
        Err(error) => panic!("{error}"),
    }
}

/// A socket that keeps its view as a page does.
#[derive(Debug)]
pub(crate) struct Socket {
    pub(crate) stream: Stream,
    pub(crate) view: Value,
    pub(crate) presence: Value,
}

impl Socket {
    /// The next frame, taken in; `None` once the socket is closed.
    pub(crate) async fn frame(&mut self) -> Option<Value> {
        loop {
            let next = tokio::time::timeout(LONG, self.stream.next()).await;
            match next.expect("a frame comes in time") {
                Some(Ok(Message::Text(text))) => {
                    let frame: Value = serde_json::from_str(&text).unwrap();
                    apply(&mut self.view, &frame);
                    if frame["t"] == "presence" {
                        self.presence = frame["d"].clone();
                    }
                    return Some(frame);
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    pub(crate) async fn next(&mut self) -> Value {
        self.frame().await.expect("the socket is open")
    }

    /// Frames until one of this kind.
    pub(crate) async fn until(&mut self, t: &str) -> Value {
        loop {
            let frame = self.next().await;
            if frame["t"] == t {
                return frame;
            }
        }
    }

    /// Frames until the view meets the condition.
    pub(crate) async fn until_view(&mut self, condition: impl Fn(&Value) -> bool) {
        while !condition(&self.view) {
            self.next().await;
        }
    }

    pub(crate) async fn send(&mut self, frame: &Value) {
        self.text(&frame.to_string()).await;
    }

    pub(crate) async fn text(&mut self, text: &str) {
        // A server that has closed the socket is what some tests are about.
        let _ = self.stream.send(Message::text(text)).await;
    }

    pub(crate) async fn act(&mut self, t: &str, d: Value) {
        let seq = self.view["seq"].clone();
        self.send(&json!({ "t": t, "seq": seq, "id": "x", "d": d }))
            .await;
    }

    /// Acts, and answers the code of the refusal.
    pub(crate) async fn refused(&mut self, t: &str, d: Value) -> String {
        self.act(t, d).await;
        let frame = self.until("refused").await;
        assert_eq!(frame["d"]["re"], "x");
        assert!(!frame["d"]["message"].as_str().unwrap().is_empty());
        frame["d"]["code"].as_str().unwrap().to_owned()
    }

    /// Plays a turn and waits until it is told.
    pub(crate) async fn play(&mut self, lan: &str) {
        let turns = self.turns();
        self.act("move", json!({ "move": lan })).await;
        while self.turns() == turns {
            let frame = self.next().await;
            assert_ne!(frame["t"], "refused", "{lan}: {frame}");
        }
    }

    pub(crate) fn turns(&self) -> usize {
        self.view["turns"].as_array().map_or(0, Vec::len)
    }

    pub(crate) fn position(&self) -> Position {
        self.view["fen"].as_str().unwrap().parse().unwrap()
    }

    pub(crate) fn is_my_turn(&self) -> bool {
        self.view["can"]
            .as_array()
            .unwrap()
            .contains(&json!("move"))
    }
}

/// What a page does with a frame.
pub(crate) fn apply(view: &mut Value, frame: &Value) {
    match frame["t"].as_str() {
        Some("view") => *view = frame["d"].clone(),
        Some("resumed") => assign(view, &frame["d"]),
        Some("event") => {
            let seq = frame["seq"].as_u64().unwrap();
            if seq <= view["seq"].as_u64().unwrap() {
                return;
            }
            assert_eq!(Some(seq), view["seq"].as_u64().map(|seq| seq + 1), "a gap");
            assign(view, &frame["d"]["set"]);
            let turns = view["turns"].as_array_mut().unwrap();
            if let Some(length) = frame["d"]["turns"].as_u64() {
                turns.truncate(usize::try_from(length).unwrap());
            }
            if !frame["d"]["turn"].is_null() {
                turns.push(frame["d"]["turn"].clone());
            }
        }
        _ => {}
    }
}

fn assign(view: &mut Value, set: &Value) {
    for (name, value) in set.as_object().unwrap() {
        view[name] = value.clone();
    }
}

/// Some legal turn, chosen by `seed`.
pub(crate) fn some_turn(position: &Position, seed: &mut u64) -> String {
    let mut now = position.clone();
    let mut actions = Vec::new();
    loop {
        let moves = now.legal_moves();
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let index = usize::try_from(*seed >> 33).unwrap() % moves.len();
        actions.push(moves[index]);
        now = now.play(moves[index]).unwrap();
        if now.deploy().is_none() {
            return position.turn_lan(&actions);
        }
    }
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
