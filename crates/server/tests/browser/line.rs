//! The line to a browser: Chromium's DevTools protocol over a pipe, shared by all pages.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::oneshot;

/// Only a hang takes this long: no answer of a browser does, however busy the machine is.
pub(crate) const HANG: Duration = Duration::from_mins(2);

/// The way to one browser.
#[derive(Clone)]
pub(crate) struct Line(Arc<Inner>);

struct Inner {
    out: Mutex<ChildStdin>,
    number: AtomicU64,
    waiting: Mutex<HashMap<u64, oneshot::Sender<Value>>>,
    /// What each page has told unasked.
    events: Mutex<HashMap<String, Vec<Value>>>,
}

impl Line {
    /// Speaks with a browser over its standard input and output.
    pub(crate) fn new(mut browser: Child) -> Self {
        let ends = browser.stdin.take().zip(browser.stdout.take());
        let (out, input) = ends.expect("both are pipes");
        let line = Self(Arc::new(Inner {
            out: Mutex::new(out),
            number: AtomicU64::new(0),
            waiting: Mutex::default(),
            events: Mutex::default(),
        }));
        let listening = line.clone();
        std::thread::spawn(move || {
            listening.listen(BufReader::new(input));
            browser.wait()
        });
        line
    }

    fn listen(&self, mut input: BufReader<ChildStdout>) {
        let mut bytes = Vec::new();
        while input.read_until(0, &mut bytes).is_ok_and(|read| read > 1) {
            bytes.pop();
            let message: Value = serde_json::from_slice(&bytes).expect("the browser speaks JSON");
            bytes.clear();
            if let Some(id) = message["id"].as_u64() {
                let reply = self.0.waiting.lock().unwrap().remove(&id);
                // Whoever asked may have stopped waiting.
                let _ = reply.map(|reply| reply.send(message));
            } else if let Some(session) = message["sessionId"].as_str() {
                let mut events = self.0.events.lock().unwrap();
                events.entry(session.to_owned()).or_default().push(message);
            }
        }
        // Nobody answers any more.
        self.0.waiting.lock().unwrap().clear();
    }

    /// Sends without waiting; the answer goes to `reply`.
    pub(crate) fn send(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
        reply: Option<oneshot::Sender<Value>>,
    ) {
        let id = self.0.number.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(reply) = reply {
            self.0.waiting.lock().unwrap().insert(id, reply);
        }
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        // A browser that is gone is noticed by whoever waits for its answer.
        let _ = self.0.out.lock().unwrap().write_all(&bytes);
    }

    /// Asks, and waits so long for the answer; the error says what went wrong.
    pub(crate) async fn ask(
        &self,
        session: Option<&str>,
        method: &str,
        params: Value,
        limit: Duration,
    ) -> Result<Value, String> {
        let (reply, answer) = oneshot::channel();
        self.send(session, method, params, Some(reply));
        let answer = tokio::time::timeout(limit, answer).await;
        let answer = answer.map_err(|_| format!("{method}: no answer after {limit:?}"))?;
        let mut answer = answer.map_err(|_| format!("{method}: the browser is gone"))?;
        match answer["error"].take() {
            Value::Null => Ok(answer["result"].take()),
            error => Err(format!("{method}: {error}")),
        }
    }

    /// Looks through what a page has told unasked.
    pub(crate) fn events<T>(&self, session: &str, look: impl FnOnce(&[Value]) -> T) -> T {
        let events = self.0.events.lock().unwrap();
        look(events.get(session).map_or(&[], Vec::as_slice))
    }

    /// Forgets a page.
    pub(crate) fn forget(&self, session: &str) {
        self.0.events.lock().unwrap().remove(session);
    }
}
