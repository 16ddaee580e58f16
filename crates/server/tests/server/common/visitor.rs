//! Somebody with a browser: requests, forms and sockets of one session.

use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, COOKIE, HOST, ORIGIN, SET_COOKIE, USER_AGENT};
use axum::http::{HeaderMap, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use super::Site;
use super::schema;
use super::socket::{Socket, connect_with};

/// What a browser of the tests says it is.
const AGENT: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

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

    /// Sends a request. Whatever a call answers must be as it is described.
    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let method = request.method().as_str().to_ascii_lowercase();
        let path = request.uri().path().to_owned();
        let response = self.site.app.router().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let answer = Answer {
            status: parts.status,
            headers: parts.headers,
            // A picture is no text; the tests look at its first letters alone.
            text: String::from_utf8_lossy(&bytes).into_owned(),
        };
        if path.starts_with("/api/v1/") {
            schema::check_answer(&method, &path, answer.status.as_u16(), &answer.text)
                .unwrap_or_else(|fault| panic!("{method} {path}: {fault}"));
        }
        answer
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
        let answer = self.send(request.unwrap()).await;
        if answer.status.is_success() {
            schema::check_request("post", path, body)
                .unwrap_or_else(|fault| panic!("post {path}: {fault}"));
        }
        answer
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
