//! People at a browser: pages with mice, fingers, keyboards, bad connections and screen readers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::evidence;
use super::launch::{self, Fonts};
use super::line::{HANG, Line};

/// How long one look into a page lasts at most before it is asked again: a page that goes elsewhere
/// takes the question with it.
const LOOK: Duration = Duration::from_secs(5);

/// A browser. All tests of a process that want the same fonts share one; each person in it has
/// cookies and storage of their own.
pub(crate) struct Browser {
    line: Line,
}

/// The folders of what pages load only after their first paint: the npm package with its WebAssembly, and what uses it.
pub(crate) const AFTER_PAINT: [&str; 2] = ["/lib/", "/js/local/"];

impl Browser {
    /// The browser with the wide fonts.
    pub(crate) fn start() -> Self {
        Self::with(Fonts::Wide)
    }

    /// The browser with these fonts.
    pub(crate) fn with(fonts: Fonts) -> Self {
        static WIDE: OnceLock<Line> = OnceLock::new();
        static NARROW: OnceLock<Line> = OnceLock::new();
        static SWEPT: std::sync::Once = std::sync::Once::new();
        SWEPT.call_once(launch::sweep);
        let cell = match fonts {
            Fonts::Wide => &WIDE,
            Fonts::Narrow => &NARROW,
        };
        let line = cell.get_or_init(|| Line::new(launch::start(fonts)));
        Self { line: line.clone() }
    }

    /// A page in a context of its own: other cookies, other storage, another person. Nothing is kept for when there is no
    /// network: that would be megabytes for every test.
    pub(crate) async fn person(&self) -> Page {
        let page = self.device().await;
        let script =
            "Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: () => undefined })";
        let params = json!({ "source": script });
        page.call("Page.addScriptToEvaluateOnNewDocument", params)
            .await;
        page
    }

    /// A page in a context of its own, which keeps the games on the device.
    pub(crate) async fn device(&self) -> Page {
        let ask = async |method, params| {
            let answer = self.line.ask(None, method, params, HANG).await;
            answer.unwrap_or_else(|why| panic!("{why}"))
        };
        let context = ask("Target.createBrowserContext", json!({})).await;
        let context = context["browserContextId"].as_str().unwrap().to_owned();
        let params = json!({ "url": "about:blank", "browserContextId": context });
        let target = ask("Target.createTarget", params).await;
        let params = json!({ "targetId": target["targetId"], "flatten": true });
        let session = ask("Target.attachToTarget", params).await;
        let page = Page {
            line: self.line.clone(),
            context,
            session: session["sessionId"].as_str().unwrap().to_owned(),
            test: evidence::test_name(),
        };
        for domain in ["Page", "Runtime", "Network", "Log"] {
            page.call(&format!("{domain}.enable"), json!({})).await;
        }
        page.size(1280, 800).await;
        page
    }
}

/// One page of one person.
pub(crate) struct Page {
    line: Line,
    context: String,
    session: String,
    /// The test that looks at it.
    test: String,
}

impl Drop for Page {
    fn drop(&mut self) {
        if std::thread::panicking() {
            evidence::keep(self);
        }
        let params = json!({ "browserContextId": self.context });
        self.line
            .send(None, "Target.disposeBrowserContext", params, None);
        self.line.forget(&self.session);
    }
}

impl Page {
    /// Calls a method of the protocol.
    pub(crate) async fn call(&self, method: &str, params: Value) -> Value {
        let answer = self.ask(method, params, HANG).await;
        answer.unwrap_or_else(|why| panic!("{why}"))
    }

    /// Calls a method of the protocol that may fail.
    pub(crate) async fn ask(
        &self,
        method: &str,
        params: Value,
        limit: Duration,
    ) -> Result<Value, String> {
        let session = Some(&*self.session);
        self.line.ask(session, method, params, limit).await
    }

    /// Sends what belongs together without a pause in between, however busy the machine is.
    pub(super) async fn at_once(&self, method: &str, all: Vec<Value>) {
        let calls = all.into_iter().map(|params| self.call(method, params));
        futures_util::future::join_all(calls).await;
    }

    /// The test that looks at this page.
    pub(crate) fn test(&self) -> &str {
        &self.test
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
        self.scripts().await;
    }

    /// Waits until the page's modules have run to their ends: they wait for messages and drawings,
    /// which `load` does not, and until then nobody hears a click.
    async fn scripts(&self) {
        let wait = "Promise.allSettled([...document.querySelectorAll('script[type=module]')].map((script) => import(script.src)))";
        let params = json!({ "expression": wait, "awaitPromise": true });
        // A page that goes elsewhere by itself is waited for by whoever sent it there.
        let _ = self.ask("Runtime.evaluate", params, HANG).await;
    }

    /// Loads the page again.
    pub(crate) async fn reload(&self) {
        self.eval("window.stale = true").await;
        self.call("Page.reload", json!({})).await;
        self.until("!window.stale && document.readyState === 'complete'")
            .await;
        self.scripts().await;
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
        let look = format!("Boolean({expression}) || null");
        self.wait_for(&look).await;
    }

    /// Waits until an expression is not null, and answers it. The page itself looks again and again.
    pub(super) async fn wait_for(&self, expression: &str) -> Value {
        let look = format!(
            "new Promise((done) => {{
               const end = Date.now() + 1500;
               const look = () => {{
                 let found = null;
                 try {{ found = {expression}; }} catch {{}}
                 if (found !== null || Date.now() > end) done(found); else setTimeout(look, 8);
               }};
               look();
             }})"
        );
        let params = json!({ "expression": look, "awaitPromise": true, "returnByValue": true });
        let deadline = Instant::now() + HANG;
        while Instant::now() < deadline {
            // An error is a page on its way elsewhere.
            let answer = self.ask("Runtime.evaluate", params.clone(), LOOK).await;
            if let Ok(mut answer) = answer
                && !answer["result"]["value"].is_null()
            {
                return answer["result"]["value"].take();
            }
        }
        let complaints = self.complaints();
        panic!("after {HANG:?} still not: {expression}\n{complaints:?}");
    }

    /// Forgets what the page has told so far: requests, complaints, logs.
    pub(crate) fn start_over(&self) {
        self.line.forget(&self.session);
    }

    /// Waits until nothing is on its way to the page.
    pub(crate) async fn loaded(&self) {
        let deadline = Instant::now() + HANG;
        loop {
            let open = self.line.events(&self.session, open_requests);
            if open.is_empty() {
                return;
            }
            assert!(Instant::now() < deadline, "a request has no end: {open:?}");
            // Looks again until the answers have come.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// A PNG of the window.
    pub(crate) async fn shot(&self) -> Result<Vec<u8>, String> {
        let params = json!({ "format": "png" });
        let answer = self.ask("Page.captureScreenshot", params, HANG).await?;
        let data = answer["data"].as_str().unwrap_or_default();
        Ok(evidence::decode(data))
    }

    /// Uncaught errors, refused resources, what scripts call an error, and requests to other hosts so far.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let found = |events: &[Value]| events.iter().filter_map(complaint).collect();
        self.line.events(&self.session, found)
    }

    /// What the browser has put into its log that contains these words.
    pub(crate) fn logged(&self, words: &str) -> Vec<String> {
        self.line.events(&self.session, |events| {
            let logs = events.iter().filter(|event| {
                event["method"] == "Log.entryAdded" || event["method"] == "Runtime.consoleAPICalled"
            });
            let texts = logs.map(|event| event["params"].to_string());
            texts.filter(|text| text.contains(words)).collect()
        })
    }

    /// Bytes that came over the network since the page exists or started over, and the addresses of all requests. What
    /// a page loads only after its first paint is no part of the bytes.
    pub(crate) fn traffic(&self) -> (u64, Vec<String>) {
        self.line.events(&self.session, |events| {
            let of = |name: &'static str| {
                let named = events.iter().filter(move |event| event["method"] == name);
                named.map(|event| &event["params"])
            };
            let sent = || of("Network.requestWillBeSent");
            let url = |params: &Value| {
                params["request"]["url"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned()
            };
            let late = |id: &Value| {
                let request = sent().find(|params| params["requestId"] == *id);
                request
                    .is_some_and(|params| AFTER_PAINT.iter().any(|part| url(params).contains(part)))
            };
            let loaded = of("Network.loadingFinished").filter(|params| !late(&params["requestId"]));
            let lengths = loaded.map(|params| params["encodedDataLength"].as_f64());
            let bytes = lengths.map(|length| length.map_or(0, |n| n as u64));
            (bytes.sum(), sent().map(url).collect())
        })
    }
}

/// The addresses that the page has asked for and that have not come. The end of a worker's own script is told to the
/// worker, and where a picture is asked for again while it is there, the browser does not always tell the end of that;
/// nor does it tell the end of what a page had asked for that has been left since.
fn open_requests(events: &[Value]) -> Vec<String> {
    let id = |event: &Value| event["params"]["requestId"].as_str().map(str::to_owned);
    let ends = ["Network.loadingFinished", "Network.loadingFailed"];
    let ends = events
        .iter()
        .filter(|event| ends.iter().any(|end| event["method"] == *end));
    let ended: BTreeSet<String> = ends.filter_map(id).collect();
    let sent = events
        .iter()
        .filter(|event| event["method"] == "Network.requestWillBeSent");
    // A page is itself the first request of its loader.
    let pages = sent.clone().map(|event| &event["params"]);
    let pages = pages.filter(|params| params["requestId"] == params["loaderId"]);
    let pages: BTreeMap<Option<&str>, &Value> = pages
        .map(|params| (params["frameId"].as_str(), &params["loaderId"]))
        .collect();
    let is_left = |params: &Value| {
        let shown = pages.get(&params["frameId"].as_str());
        shown.is_some_and(|shown| **shown != params["loaderId"])
    };
    let (come, open): (Vec<_>, Vec<_>) =
        sent.partition(|event| id(event).is_some_and(|id| ended.contains(&id)));
    let come = come.into_iter();
    let come: Vec<&Value> = come
        .map(|event| &event["params"]["request"]["url"])
        .collect();
    let open = open.into_iter().map(|event| &event["params"]);
    let open = open.filter(|params| !is_left(params));
    let open = open.map(|params| &params["request"]["url"]);
    let open = open.filter(|url| !come.contains(url));
    let open = open.filter_map(|url| url.as_str().map(str::to_owned));
    open.filter(|url| !AFTER_PAINT.iter().any(|part| url.contains(part)))
        .collect()
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
        "Runtime.consoleAPICalled" if params["type"] == "error" => {
            Some(format!("console: {}", params["args"]))
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

#[test]
fn a_request_is_open_until_it_or_its_like_has_come() {
    let sent = |id: &str, url: &str| json!({ "method": "Network.requestWillBeSent", "params": { "requestId": id, "request": { "url": url } } });
    let ended =
        |id: &str| json!({ "method": "Network.loadingFinished", "params": { "requestId": id } });
    let mut events = vec![sent("1", "/a"), sent("2", "/b"), sent("3", "/a")];
    assert_eq!(open_requests(&events), ["/a", "/b", "/a"]);
    events.push(ended("1"));
    assert_eq!(open_requests(&events), ["/b"]);
    events.push(ended("2"));
    assert!(open_requests(&events).is_empty());
}

#[test]
fn what_a_page_asked_for_is_not_awaited_once_another_is_shown() {
    let sent = |id: &str, page: &str, frame: &str| {
        json!({ "method": "Network.requestWillBeSent", "params": {
            "requestId": id, "loaderId": page, "frameId": frame, "request": { "url": format!("/{id}") },
        } })
    };
    let mut events = vec![
        sent("rules", "rules", "top"),
        sent("example", "rules", "top"),
    ];
    assert_eq!(open_requests(&events), ["/rules", "/example"]);
    events.push(sent("archive", "archive", "top"));
    events.push(sent("board", "board", "inside"));
    events.push(sent("style", "archive", "top"));
    assert_eq!(open_requests(&events), ["/archive", "/board", "/style"]);
}
