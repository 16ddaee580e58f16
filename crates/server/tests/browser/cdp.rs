//! A small client of Chromium's DevTools protocol: enough to be two people with mice, fingers,
//! keyboards, bad connections and screen readers.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio_tungstenite::tungstenite::Message;

/// Where Debian and others put the browser; `CONVOY_CHROMIUM` names another.
const PLACES: [&str; 5] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
    "/snap/bin/chromium",
];

fn chromium() -> PathBuf {
    let named = std::env::var_os("CONVOY_CHROMIUM").map(PathBuf::from);
    let mut places = named.into_iter().chain(PLACES.map(PathBuf::from));
    let found = places.find(|path| path.exists());
    found.expect("these tests drive a real browser: install the Debian package `chromium`")
}

/// A browser process; it ends with this value.
pub(crate) struct Browser {
    child: Child,
    folder: PathBuf,
    line: Line,
}

/// One line to the browser, shared by all pages.
#[derive(Clone)]
struct Line {
    out: mpsc::UnboundedSender<Message>,
    number: Arc<AtomicU64>,
    waiting: Arc<Mutex<HashMap<u64, oneshot::Sender<Value>>>>,
    /// What pages have complained about: uncaught errors, refused resources, foreign requests.
    events: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Line {
    async fn connect(address: &str) -> Self {
        let (socket, _) = tokio_tungstenite::connect_async(address)
            .await
            .expect("the browser listens");
        let (mut sink, mut stream) = socket.split();
        let (out, mut outgoing) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Some(message) = outgoing.recv().await {
                if sink.send(message).await.is_err() {
                    break;
                }
            }
        });
        let line = Self {
            out,
            number: Arc::default(),
            waiting: Arc::default(),
            events: Arc::default(),
        };
        let (waiting, events) = (Arc::clone(&line.waiting), Arc::clone(&line.events));
        tokio::spawn(async move {
            while let Some(Ok(Message::Text(text))) = stream.next().await {
                let mut message: Value =
                    serde_json::from_str(&text).expect("the browser speaks JSON");
                if let Some(id) = message["id"].as_u64() {
                    if let Some(reply) = waiting.lock().unwrap().remove(&id) {
                        let _ = reply.send(message);
                    }
                } else {
                    let session = message["sessionId"].as_str().unwrap_or_default().to_owned();
                    events.lock().unwrap().push((session, message.take()));
                }
            }
        });
        line
    }

    async fn call(&self, session: Option<&str>, method: &str, params: Value) -> Value {
        let id = self.number.fetch_add(1, Ordering::Relaxed) + 1;
        let (reply, answer) = oneshot::channel();
        self.waiting.lock().unwrap().insert(id, reply);
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = json!(session);
        }
        self.out
            .send(Message::text(message.to_string()))
            .expect("the browser is there");
        let answer = tokio::time::timeout(Duration::from_secs(30), answer).await;
        let mut answer = answer
            .unwrap_or_else(|_| panic!("{method}: no answer"))
            .expect("the browser is there");
        assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
        answer["result"].take()
    }
}

impl Browser {
    /// Starts a browser with an empty profile.
    pub(crate) async fn start() -> Self {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder =
            std::env::temp_dir().join(format!("convoy-browser-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let child = Command::new(chromium())
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-default-apps",
                "--disable-extensions",
                "--mute-audio",
                "--hide-scrollbars",
                "--disable-dev-shm-usage",
                "--force-color-profile=srgb",
                "--remote-debugging-port=0",
            ])
            .arg(format!("--user-data-dir={}", folder.display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromium starts");
        let note = folder.join("DevToolsActivePort");
        let deadline = Instant::now() + Duration::from_secs(60);
        let text = loop {
            match std::fs::read_to_string(&note) {
                Ok(text) if text.lines().count() >= 2 => break text,
                _ if Instant::now() > deadline => panic!("chromium opened no port"),
                _ => tokio::time::sleep(Duration::from_millis(50)).await,
            }
        };
        let (port, path) = text.split_once('\n').unwrap();
        let line = Line::connect(&format!("ws://127.0.0.1:{port}{}", path.trim())).await;
        Self {
            child,
            folder,
            line,
        }
    }

    /// A page in a context of its own: other cookies, other storage, another person.
    pub(crate) async fn person(&self) -> Page {
        let context = self
            .line
            .call(None, "Target.createBrowserContext", json!({}))
            .await;
        let context = context["browserContextId"].as_str().unwrap().to_owned();
        self.page_in(&context).await
    }

    async fn page_in(&self, context: &str) -> Page {
        let target = self
            .line
            .call(
                None,
                "Target.createTarget",
                json!({ "url": "about:blank", "browserContextId": context }),
            )
            .await;
        let params = json!({ "targetId": target["targetId"], "flatten": true });
        let session = self.line.call(None, "Target.attachToTarget", params).await;
        let page = Page {
            line: self.line.clone(),
            session: session["sessionId"].as_str().unwrap().to_owned(),
        };
        for domain in [
            "Page.enable",
            "Runtime.enable",
            "Network.enable",
            "Log.enable",
        ] {
            page.call(domain, json!({})).await;
        }
        page.size(1280, 800).await;
        page
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// One page of one person.
pub(crate) struct Page {
    line: Line,
    session: String,
}

impl Page {
    /// Calls a method of the protocol.
    pub(crate) async fn call(&self, method: &str, params: Value) -> Value {
        self.line.call(Some(&self.session), method, params).await
    }

    /// Sets the window's size; a narrow one is a phone with a touch screen.
    pub(crate) async fn size(&self, width: u32, height: u32) {
        let phone = width < 720;
        let params =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone });
        self.call("Emulation.setDeviceMetricsOverride", params)
            .await;
        self.call(
            "Emulation.setTouchEmulationEnabled",
            json!({ "enabled": phone }),
        )
        .await;
    }

    /// Asks for light or dark, and for less motion.
    pub(crate) async fn prefer(&self, scheme: &str, still: bool) {
        let motion = if still { "reduce" } else { "no-preference" };
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": motion },
        ]);
        self.call(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        )
        .await;
    }

    /// Adds latency, or takes the network away.
    pub(crate) async fn network(&self, offline: bool, latency: u32) {
        let params = json!({ "offline": offline, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1 });
        self.call("Network.emulateNetworkConditions", params).await;
    }

    /// Goes to an address and waits until it is loaded.
    pub(crate) async fn goto(&self, url: &str) {
        self.call("Page.navigate", json!({ "url": url })).await;
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")
            .await;
    }

    /// Loads the page again.
    pub(crate) async fn reload(&self) {
        self.eval("window.stale = true").await;
        self.call("Page.reload", json!({})).await;
        self.until("!window.stale && document.readyState === 'complete'")
            .await;
    }

    /// The value of an expression; promises are awaited.
    pub(crate) async fn eval(&self, expression: &str) -> Value {
        let params =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let mut answer = self.call("Runtime.evaluate", params).await;
        assert!(
            answer["exceptionDetails"].is_null(),
            "{expression}: {}",
            answer["exceptionDetails"]
        );
        answer["result"]["value"].take()
    }

    /// Waits until an expression holds; navigation in between does no harm.
    pub(crate) async fn until(&self, expression: &str) {
        let deadline = Instant::now() + Duration::from_secs(25);
        loop {
            let params =
                json!({ "expression": format!("Boolean({expression})"), "returnByValue": true });
            let id = self.line.number.load(Ordering::Relaxed);
            let answer = self.line.call_softly(&self.session, params).await;
            if answer["result"]["value"] == json!(true) {
                return;
            }
            if Instant::now() > deadline {
                let at = self.eval("location.href + ' | ' + document.title + ' | ' + (document.querySelector('main')?.innerText ?? '').slice(0, 900)").await;
                panic!(
                    "after 25 s still not: {expression}\n{at}\n{:?} ({id})",
                    self.complaints()
                );
            }
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
    }

    /// Whether an expression holds within a few seconds.
    pub(crate) async fn soon(&self, expression: &str) -> bool {
        for _ in 0..100 {
            if self.eval(&format!("Boolean({expression})")).await == true {
                return true;
            }
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
        false
    }

    /// The middle of the first element that a selector finds, scrolled into view.
    async fn middle(&self, selector: &str) -> (f64, f64) {
        let find = format!("document.querySelector({})", json!(selector));
        self.until(&format!("{find}?.getBoundingClientRect().width"))
            .await;
        let place = self
            .eval(&format!("(() => {{ const e = {find}; e.scrollIntoView({{block: 'nearest'}}); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"))
            .await;
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    /// Clicks with the mouse.
    pub(crate) async fn click(&self, selector: &str) {
        let (x, y) = self.middle(selector).await;
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let params = json!({ "type": kind, "x": x, "y": y, "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", params).await;
        }
    }

    /// Drags with the mouse.
    pub(crate) async fn drag(&self, from: &str, to: &str) {
        let (a, b) = (self.middle(from).await, self.middle(to).await);
        let steps = [
            ("mouseMoved", a),
            ("mousePressed", a),
            ("mouseMoved", ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0)),
            ("mouseMoved", b),
            ("mouseReleased", b),
        ];
        for (kind, (x, y)) in steps {
            let params = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", params).await;
        }
    }

    /// Taps with a finger; `held` in milliseconds makes it a long press.
    pub(crate) async fn tap(&self, selector: &str, held: u64) {
        let (x, y) = self.middle(selector).await;
        self.call(
            "Input.dispatchTouchEvent",
            json!({ "type": "touchStart", "touchPoints": [{ "x": x, "y": y }] }),
        )
        .await;
        tokio::time::sleep(Duration::from_millis(held)).await;
        self.call(
            "Input.dispatchTouchEvent",
            json!({ "type": "touchEnd", "touchPoints": [] }),
        )
        .await;
    }

    /// Presses a key by its name, such as `Enter`, `ArrowUp`, `d`.
    pub(crate) async fn press(&self, key: &str) {
        let (code, text) = match key {
            "Enter" => (13, "\r"),
            "Escape" => (27, ""),
            "Backspace" => (8, ""),
            "Tab" => (9, ""),
            "ArrowLeft" => (37, ""),
            "ArrowUp" => (38, ""),
            "ArrowRight" => (39, ""),
            "ArrowDown" => (40, ""),
            other => (u32::from(other.to_ascii_uppercase().as_bytes()[0]), other),
        };
        let params =
            json!({ "type": "keyDown", "key": key, "text": text, "windowsVirtualKeyCode": code });
        self.call("Input.dispatchKeyEvent", params).await;
        self.call(
            "Input.dispatchKeyEvent",
            json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code }),
        )
        .await;
    }

    /// Types text where the focus is.
    pub(crate) async fn write(&self, text: &str) {
        self.call("Input.insertText", json!({ "text": text })).await;
    }

    /// A PNG of the window.
    pub(crate) async fn shot(&self) -> Vec<u8> {
        let answer = self
            .call("Page.captureScreenshot", json!({ "format": "png" }))
            .await;
        decode(answer["data"].as_str().unwrap())
    }

    /// Uncaught errors, refused resources and requests to other hosts so far.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let events = self.line.events.lock().unwrap();
        let mine = events
            .iter()
            .filter(|(session, _)| *session == self.session);
        mine.filter_map(|(_, event)| complaint(event)).collect()
    }

    /// Bytes that came over the network since the page exists, and their addresses.
    pub(crate) fn traffic(&self) -> (u64, Vec<String>) {
        let events = self.line.events.lock().unwrap();
        let mut bytes = 0;
        let mut urls = Vec::new();
        for (_, event) in events
            .iter()
            .filter(|(session, _)| *session == self.session)
        {
            if event["method"] == "Network.loadingFinished" {
                bytes += event["params"]["encodedDataLength"]
                    .as_f64()
                    .map_or(0, |n| n as u64);
            }
            if event["method"] == "Network.requestWillBeSent" {
                urls.push(
                    event["params"]["request"]["url"]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned(),
                );
            }
        }
        (bytes, urls)
    }
}

impl Line {
    /// Evaluates where a navigation may take the page away: then the answer is empty.
    async fn call_softly(&self, session: &str, params: Value) -> Value {
        let id = self.number.fetch_add(1, Ordering::Relaxed) + 1;
        let (reply, answer) = oneshot::channel();
        self.waiting.lock().unwrap().insert(id, reply);
        let message = json!({ "id": id, "method": "Runtime.evaluate", "params": params, "sessionId": session });
        self.out
            .send(Message::text(message.to_string()))
            .expect("the browser is there");
        match tokio::time::timeout(Duration::from_secs(5), answer).await {
            Ok(Ok(mut answer)) => answer["result"].take(),
            _ => Value::Null,
        }
    }
}

fn complaint(event: &Value) -> Option<String> {
    let params = &event["params"];
    match event["method"].as_str()? {
        "Runtime.exceptionThrown" => Some(format!(
            "uncaught: {}",
            params["exceptionDetails"]["exception"]["description"]
        )),
        "Log.entryAdded" if params["entry"]["source"] == "security" => {
            Some(format!("security: {}", params["entry"]["text"]))
        }
        "Network.requestWillBeSent" => {
            let url = params["request"]["url"].as_str().unwrap_or_default();
            let ours = ["http://127.0.0.1", "data:", "about:", "blob:"]
                .iter()
                .any(|start| url.starts_with(start));
            (!ours).then(|| format!("another host: {url}"))
        }
        _ => None,
    }
}

/// Base64, as the protocol wraps pictures.
fn decode(text: &str) -> Vec<u8> {
    let value = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut out = Vec::with_capacity(text.len() * 3 / 4);
    let (mut held, mut bits) = (0u32, 0);
    for six in text.bytes().filter_map(value) {
        held = held << 6 | u32::from(six);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((held >> bits & 255) as u8);
        }
    }
    out
}
