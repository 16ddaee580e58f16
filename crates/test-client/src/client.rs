//! A client that speaks to a server over real sockets, as a browser does.

use std::net::SocketAddr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

use crate::random::below;

/// What can go wrong for a client.
pub type Fault = Box<dyn std::error::Error + Send + Sync>;

/// Whoever wants to hear every frame, with the view that it led to. Set once for a whole program.
pub static LISTENER: OnceLock<fn(&Value, &Value)> = OnceLock::new();

/// Somebody with a session.
#[derive(Debug, Clone)]
pub struct Client {
    pub address: SocketAddr,
    pub cookie: String,
    /// The address that a trusted proxy would name; nothing for a direct connection.
    pub forwarded_for: String,
}

/// An HTTP answer: status, headers as they came, body.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    /// The body as JSON.
    pub fn json(&self) -> Result<Value, Fault> {
        let read = serde_json::from_str(&self.body);
        read.map_err(|why| format!("{} {why}: {}", self.status, self.body).into())
    }

    /// The session cookie that it sets, without its attributes.
    pub fn session_cookie(&self) -> Option<&str> {
        let lines = self.head.lines();
        let mut set = lines.filter_map(|line| line.strip_prefix("set-cookie: "));
        let cookie = set.find(|line| line.contains("convoy=") && !line.contains("Max-Age=0"))?;
        cookie.split(';').next()
    }
}

impl Client {
    /// A new session.
    pub async fn new(address: SocketAddr) -> Result<Self, Fault> {
        Self::behind_proxy(address, "").await
    }

    /// A new session of somebody whom a trusted proxy speaks for.
    pub async fn behind_proxy(address: SocketAddr, ip: &str) -> Result<Self, Fault> {
        let mut client = Self::stranger(address, ip);
        let answer = client.request("GET", "/api/v1/me", None).await?;
        let cookie = answer.session_cookie();
        cookie.ok_or("no cookie")?.clone_into(&mut client.cookie);
        Ok(client)
    }

    /// Somebody who opens an account.
    pub async fn registered(address: SocketAddr, name: &str) -> Result<Self, Fault> {
        let mut client = Self::new(address).await?;
        let fields = format!("name={name}&password=correct-horse");
        let answer = client.form("/account/register", &fields).await?;
        let cookie = answer.session_cookie().filter(|_| answer.status == 303);
        cookie.ok_or("no account")?.clone_into(&mut client.cookie);
        Ok(client)
    }

    /// Somebody without a session.
    pub fn stranger(address: SocketAddr, ip: &str) -> Self {
        Self {
            address,
            cookie: String::new(),
            forwarded_for: ip.to_owned(),
        }
    }

    /// One request on a connection of its own.
    pub async fn request(
        &self,
        method: &str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer, Fault> {
        let body = body.map(Value::to_string).unwrap_or_default();
        self.send(method, path, "application/json", &body).await
    }

    /// One request with a body of any type.
    pub async fn send(
        &self,
        method: &str,
        path: &str,
        kind: &str,
        body: &str,
    ) -> Result<Answer, Fault> {
        let own = self.headers().into_iter();
        let own: Vec<String> = own
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        let own = own.concat();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\n{own}",
            self.address
        );
        let request = format!(
            "{head}connection: close\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}",
            body.len(),
        );
        let mut stream = TcpStream::connect(self.address).await?;
        stream.write_all(request.as_bytes()).await?;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await?;
        let text = String::from_utf8(bytes)?;
        let (head, body) = text.split_once("\r\n\r\n").ok_or("no answer")?;
        let status = head.split(' ').nth(1).ok_or("no status")?.parse()?;
        Ok(Answer {
            status,
            head: head.to_owned(),
            body: body.to_owned(),
        })
    }

    /// A form with the token of its page.
    pub async fn form(&self, path: &str, fields: &str) -> Result<Answer, Fault> {
        let page = self.request("GET", "/account", None).await?;
        let (_, rest) = page
            .body
            .split_once("name=\"csrf\" value=\"")
            .ok_or("no form")?;
        let csrf = rest.split('"').next().unwrap_or_default();
        let kind = "application/x-www-form-urlencoded";
        let body = format!("csrf={csrf}&{fields}");
        self.send("POST", path, kind, &body).await
    }

    /// What every request of this client says of itself.
    fn headers(&self) -> Vec<(&'static str, &str)> {
        let all = [
            ("cookie", &*self.cookie),
            ("x-forwarded-for", &*self.forwarded_for),
        ];
        all.into_iter()
            .filter(|(_, value)| !value.is_empty())
            .collect()
    }

    /// Opens a table and answers its name.
    pub async fn open(&self, new_table: &Value) -> Result<String, Fault> {
        let answer = self
            .request("POST", "/api/v1/tables", Some(new_table))
            .await?;
        let id = answer.json()?["id"].as_str().map(str::to_owned);
        id.ok_or_else(|| answer.body.into())
    }

    /// Sits down at a table.
    pub async fn sit(&self, table: &str) -> Result<(), Fault> {
        let path = format!("/api/v1/tables/{table}/sit");
        let answer = self.request("POST", &path, Some(&json!({}))).await?;
        if answer.status == 200 {
            Ok(())
        } else {
            Err(answer.body.into())
        }
    }

    /// The view over HTTP.
    pub async fn view(&self, table: &str) -> Result<Value, Fault> {
        self.request("GET", &format!("/api/v1/tables/{table}"), None)
            .await?
            .json()
    }

    /// Connects to a table.
    pub async fn join(&self, table: &str, view: Option<Value>) -> Result<Socket, Fault> {
        let seq = view
            .as_ref()
            .map_or(String::new(), |view| format!("?seq={}", view["seq"]));
        let mut socket = self.socket(&format!("/ws/table/{table}{seq}")).await?;
        socket.view = view.unwrap_or(Value::Null);
        socket.next().await?;
        Ok(socket)
    }

    /// Connects to a path.
    pub async fn socket(&self, path: &str) -> Result<Socket, Fault> {
        let mut request = format!("ws://{}{path}", self.address).into_client_request()?;
        for (name, value) in self.headers() {
            request.headers_mut().insert(name, value.parse()?);
        }
        let stream = TcpStream::connect(self.address).await?;
        stream.set_nodelay(true)?;
        let config = WebSocketConfig::default()
            .read_buffer_size(4096)
            .write_buffer_size(0);
        let (stream, _) =
            tokio_tungstenite::client_async_with_config(request, stream, Some(config)).await?;
        Ok(Socket {
            stream,
            view: Value::Null,
            last: String::new(),
        })
    }
}

/// A connection to a table that keeps its view as a page does.
#[derive(Debug)]
pub struct Socket {
    pub stream: WebSocketStream<TcpStream>,
    pub view: Value,
    /// The last action that was sent.
    last: String,
}

impl Socket {
    /// The next frame, taken in.
    pub async fn next(&mut self) -> Result<Value, Fault> {
        loop {
            match self.stream.next().await.ok_or("the socket is closed")?? {
                Message::Text(text) => {
                    let frame: Value = serde_json::from_str(&text)?;
                    apply(&mut self.view, &frame)?;
                    if let Some(listener) = LISTENER.get() {
                        listener(&self.view, &frame);
                    }
                    return Ok(frame);
                }
                Message::Close(why) => return Err(format!("closed: {why:?}").into()),
                _ => {}
            }
        }
    }

    /// Sends an action with the number last seen.
    pub async fn act(&mut self, t: &str, d: Value) -> Result<(), Fault> {
        static LAST_ID: AtomicU64 = AtomicU64::new(0);
        let id = LAST_ID.fetch_add(1, Ordering::Relaxed) + 1;
        let frame = json!({ "t": t, "seq": self.view["seq"], "id": id, "d": d });
        self.last = frame.to_string();
        self.act_again().await
    }

    /// Sends the last action once more, as somebody does who does not know what became of it.
    pub async fn act_again(&mut self) -> Result<(), Fault> {
        self.stream.send(Message::text(self.last.clone())).await?;
        Ok(())
    }

    /// Frames until the view has this number; a refusal is a fault.
    pub async fn until_seq(&mut self, seq: u64) -> Result<(), Fault> {
        while self.seq() < seq {
            let frame = self.next().await?;
            if frame["t"] == "refused" {
                return Err(frame.to_string().into());
            }
        }
        Ok(())
    }

    /// The number last seen.
    pub fn seq(&self) -> u64 {
        self.view["seq"].as_u64().unwrap_or(0)
    }

    /// How many turns the view holds.
    pub fn turns(&self) -> usize {
        self.view["turns"].as_array().map_or(0, Vec::len)
    }
}

/// What a page does with a frame.
pub fn apply(view: &mut Value, frame: &Value) -> Result<(), Fault> {
    match frame["t"].as_str() {
        Some("view") => *view = frame["d"].clone(),
        Some("resumed") => assign(view, &frame["d"]),
        Some("event") => {
            let (seq, seen) = (frame["seq"].as_u64(), view["seq"].as_u64());
            if seq <= seen {
                return Ok(());
            }
            if seq != seen.map(|seen| seen + 1) {
                return Err(format!("a gap from {seen:?} to {seq:?}").into());
            }
            assign(view, &frame["d"]["set"]);
            let turns = view["turns"].as_array_mut().ok_or("no turns")?;
            if let Some(length) = frame["d"]["turns"].as_u64() {
                turns.truncate(usize::try_from(length)?);
            }
            if !frame["d"]["turn"].is_null() {
                turns.push(frame["d"]["turn"].clone());
            }
        }
        _ => {}
    }
    Ok(())
}

fn assign(view: &mut Value, fields: &Value) {
    for (name, value) in fields.as_object().into_iter().flatten() {
        view[name] = value.clone();
    }
}

/// Some legal turn of a position, in LAN.
pub fn some_turn(fen: &str, seed: &mut u64) -> Result<String, Fault> {
    let start: cotulenh::Position = fen.parse()?;
    let mut now = start.clone();
    let mut actions = Vec::new();
    loop {
        let moves = now.legal_moves();
        let index = below(seed, moves.len());
        let action = *moves.get(index).ok_or("no legal turn")?;
        actions.push(action);
        now = now.play(action)?;
        if now.deploy().is_none() {
            return Ok(start.turn_lan(&actions));
        }
    }
}
