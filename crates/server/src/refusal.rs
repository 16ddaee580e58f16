//! Every way the server says no, and the one place where each is worded.

use std::borrow::Cow;
use std::fmt;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use convoy_protocol::{At, Error as QuestionError, ErrorCode};
use serde_json::{Value, json};

mod reason;

use crate::store::StoreError;

pub use reason::{BadChoice, NotNow, Reason, TooMany};

/// Why something was refused. It goes to whoever asked, and to nobody else.
///
/// ```
/// use convoy_server::Refusal;
///
/// assert_eq!(Refusal::NotYourTurn.code(), "not-your-turn");
/// assert_eq!(Refusal::NotYourTurn.to_string(), "it is not your turn");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The frame or the body is not what this place takes.
    Malformed(String),
    /// A field of the request is missing or cannot be read.
    BadField {
        /// Its name, or the way to it.
        field: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A frame of a kind that this table does not know.
    UnknownAction(String),
    /// No page or call has this address.
    NoSuchPage,
    /// The address is right and the method is not.
    WrongMethod,
    /// No table has this name.
    NoSuchTable,
    /// No player has this name.
    NoSuchPlayer(String),
    /// No game is called so.
    NoSuchGame(String),
    /// The account has no session of this name.
    NoSuchSession,
    /// No analysis was saved under this link, or it is deleted.
    NoSuchAnalysis,
    /// Something that only its owner may change.
    NotOwner,
    /// The session of the cookie was ended, or has expired.
    SessionEnded,
    /// The sender holds no seat at this table.
    NotSeated,
    /// The seat is not open.
    SeatTaken,
    /// The sender sits at this table already.
    AlreadySeated,
    /// Another seat is to act.
    NotYourTurn,
    /// The sender had not seen everything when it acted.
    Stale {
        /// The sequence number that it had seen.
        seen: u64,
        /// The present one.
        now: u64,
    },
    /// A question about the rules, a body or a move that `convoy-protocol` refuses, with its code.
    Question(QuestionError),
    /// The rules of the game forbid it.
    Illegal(Reason),
    /// The game has not begun.
    NotBegun,
    /// The game is over.
    Over,
    /// The rules of the table do not allow it at this moment.
    NotNow(NotNow),
    /// A value lies outside what is offered.
    BadChoice(BadChoice),
    /// The request comes from a page of another site.
    ForeignOrigin,
    /// The form was not made for this visitor.
    Forged,
    /// The name is not one an account may have.
    BadName,
    /// The name would speak for the site, or looks like another name.
    ReservedName,
    /// Another account has that name.
    NameTaken,
    /// The password is too short or too long.
    BadPassword,
    /// The password is among the first that anyone would try.
    CommonPassword,
    /// Name and password do not belong together.
    WrongPassword,
    /// An operator has banned the account.
    Banned,
    /// Too many requests.
    TooFast,
    /// Too many of something at once.
    TooMany(TooMany),
    /// The body does not come.
    TooSlow,
    /// The body or the frame is too large.
    TooLarge,
    /// The body is of another type than this call takes.
    WrongType,
    /// The table or the server has more to do than it can hold.
    Busy,
    /// The storage failed; nothing was changed.
    Storage,
    /// What another node refused, in its words.
    Relayed(Relayed),
}

/// A refusal that came from another node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relayed {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) json: Value,
}

impl Refusal {
    /// The word for programs.
    pub const fn code(&self) -> &'static str {
        self.parts().1
    }

    /// The status of an HTTP answer.
    pub const fn status(&self) -> StatusCode {
        self.parts().0
    }

    const fn parts(&self) -> (StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            Self::Malformed(_) | Self::BadField { .. } => (S::BAD_REQUEST, "malformed"),
            Self::UnknownAction(_) => (S::BAD_REQUEST, "unknown-action"),
            Self::NoSuchPage => (S::NOT_FOUND, "no-such-page"),
            Self::WrongMethod => (S::METHOD_NOT_ALLOWED, "wrong-method"),
            Self::NoSuchTable => (S::NOT_FOUND, "no-such-table"),
            Self::NoSuchPlayer(_) => (S::NOT_FOUND, "no-such-player"),
            Self::NoSuchGame(_) => (S::NOT_FOUND, "no-such-game"),
            Self::NoSuchSession => (S::NOT_FOUND, "no-such-session"),
            Self::NoSuchAnalysis => (S::NOT_FOUND, "no-such-analysis"),
            Self::NotOwner => (S::FORBIDDEN, "not-owner"),
            Self::SessionEnded => (S::UNAUTHORIZED, "session-ended"),
            Self::NotSeated => (S::FORBIDDEN, "not-seated"),
            Self::SeatTaken => (S::CONFLICT, "seat-taken"),
            Self::AlreadySeated => (S::CONFLICT, "already-seated"),
            Self::NotYourTurn => (S::CONFLICT, "not-your-turn"),
            Self::Stale { .. } => (S::CONFLICT, "stale"),
            Self::Question(error) => (question_status(error.code), error.code.word()),
            Self::Illegal(_) => (S::UNPROCESSABLE_ENTITY, "illegal"),
            Self::NotBegun => (S::CONFLICT, "not-begun"),
            Self::Over => (S::CONFLICT, "game-over"),
            Self::NotNow(_) => (S::CONFLICT, "not-now"),
            Self::BadChoice(_) => (S::UNPROCESSABLE_ENTITY, "bad-choice"),
            Self::ForeignOrigin => (S::FORBIDDEN, "foreign-origin"),
            Self::Forged => (S::FORBIDDEN, "forged"),
            Self::BadName => (S::UNPROCESSABLE_ENTITY, "bad-name"),
            Self::ReservedName => (S::UNPROCESSABLE_ENTITY, "reserved-name"),
            Self::NameTaken => (S::CONFLICT, "name-taken"),
            Self::BadPassword => (S::UNPROCESSABLE_ENTITY, "bad-password"),
            Self::CommonPassword => (S::UNPROCESSABLE_ENTITY, "common-password"),
            Self::WrongPassword => (S::UNAUTHORIZED, "wrong-password"),
            Self::Banned => (S::FORBIDDEN, "banned"),
            Self::TooFast => (S::TOO_MANY_REQUESTS, "too-fast"),
            Self::TooMany(_) => (S::TOO_MANY_REQUESTS, "too-many"),
            Self::TooSlow => (S::REQUEST_TIMEOUT, "too-slow"),
            Self::TooLarge => (S::PAYLOAD_TOO_LARGE, "too-long"),
            Self::WrongType => (S::UNSUPPORTED_MEDIA_TYPE, "wrong-type"),
            Self::Busy => (S::SERVICE_UNAVAILABLE, "busy"),
            Self::Storage => (S::SERVICE_UNAVAILABLE, "storage"),
            Self::Relayed(relayed) => (relayed.status, relayed.code),
        }
    }

    /// The finer reason, where there is one.
    pub fn reason(&self) -> Option<Reason> {
        match self {
            Self::Illegal(reason) => Some(reason.clone()),
            Self::Question(error) => question_reason(error),
            Self::BadField { field, reason } => {
                Some(Reason::new("field", reason.clone()).with("field", field.as_str()))
            }
            Self::NotNow(reason) => Some((*reason).into()),
            Self::BadChoice(reason) => Some((*reason).into()),
            Self::TooMany(reason) => Some((*reason).into()),
            Self::Relayed(relayed) => {
                let why = &relayed.json["why"];
                let (code, text) = (why["code"].as_str()?, why["message"].as_str());
                Some(Reason::new(
                    code.to_owned(),
                    text.unwrap_or_default().to_owned(),
                ))
            }
            _ => None,
        }
    }

    /// `{"code", "message"}`, and `why` where there is a finer reason.
    pub(crate) fn json(&self) -> Value {
        let mut json = match self {
            Self::Relayed(relayed) => return relayed.json.clone(),
            Self::Question(error) => json!(error),
            _ => json!({ "code": self.code(), "message": self.to_string() }),
        };
        if let Some(reason) = self.reason() {
            json["why"] = reason.json();
        }
        json
    }

    /// The keys under which catalogues may word it, the most exact first.
    pub(crate) fn keys(&self) -> Vec<String> {
        let code = self.code();
        let fine = self
            .reason()
            .map(|reason| format!("refusal-{code}-{}", reason.code()));
        fine.into_iter()
            .chain([format!("refusal-{code}")])
            .collect()
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: Cow<'_, str> = match self {
            Self::Malformed(reason) => format!("not a request: {reason}").into(),
            Self::BadField { field, reason } => format!("not a request: {field}: {reason}").into(),
            Self::UnknownAction(action) => format!("no action is called {action:?}").into(),
            Self::NoSuchPage => "there is nothing at this address".into(),
            Self::WrongMethod => "this address takes another method".into(),
            Self::NoSuchTable => "there is no such table".into(),
            Self::NoSuchPlayer(name) => format!("no player is called {name:?}").into(),
            Self::NoSuchGame(name) => format!("no game is called {name:?}").into(),
            Self::SessionEnded => "the session has ended; reload the page".into(),
            Self::NoSuchSession => "your account has no such session".into(),
            Self::NoSuchAnalysis => "there is no such analysis".into(),
            Self::NotOwner => "it belongs to somebody else".into(),
            Self::NotSeated => "you hold no seat at this table".into(),
            Self::SeatTaken => "the seat is taken".into(),
            Self::AlreadySeated => "you sit at this table already".into(),
            Self::NotYourTurn => "it is not your turn".into(),
            Self::Stale { seen, now } => {
                format!("the table has moved on from {seen} to {now}").into()
            }
            Self::Question(error) => (&*error.message).into(),
            Self::Illegal(reason) => reason.to_string().into(),
            Self::NotBegun => "the game has not begun".into(),
            Self::Over => "the game is over".into(),
            Self::NotNow(reason) => reason.text().into(),
            Self::BadChoice(reason) => reason.text().into(),
            Self::ForeignOrigin => "the request comes from another site".into(),
            Self::Forged => "the form was not made for this visitor".into(),
            Self::BadName => "a name has 3 to 20 letters, digits, - or _; two syllables of Chinese, Japanese or Korean are enough".into(),
            Self::ReservedName => "the name is reserved, or looks like another name".into(),
            Self::NameTaken => "the name is taken".into(),
            Self::BadPassword => "a password has 8 to 200 characters".into(),
            Self::CommonPassword => "the password is too easy to guess".into(),
            Self::WrongPassword => "name and password do not belong together".into(),
            Self::Banned => "this account is banned".into(),
            Self::TooFast => "too many requests; wait a little".into(),
            Self::TooMany(what) => what.text().into(),
            Self::TooSlow => "the request did not come to its end in time".into(),
            Self::TooLarge => "the request is too large".into(),
            Self::WrongType => "the body is of another type than this call takes".into(),
            Self::Busy => "the server is busy; try again".into(),
            Self::Storage => "the storage failed; nothing was changed".into(),
            Self::Relayed(relayed) => {
                let message = relayed.json["message"].as_str();
                message.unwrap_or_default().to_owned().into()
            }
        };
        f.write_str(&text)
    }
}

impl std::error::Error for Refusal {}

impl From<QuestionError> for Refusal {
    fn from(error: QuestionError) -> Self {
        Self::Question(error)
    }
}

const fn question_status(code: ErrorCode) -> StatusCode {
    match code {
        ErrorCode::Malformed
        | ErrorCode::UnknownField
        | ErrorCode::UnknownGame
        | ErrorCode::UnknownOp => StatusCode::BAD_REQUEST,
        ErrorCode::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}

/// The finer reason of a refused question: its own word, or the field that could not be read.
fn question_reason(error: &QuestionError) -> Option<Reason> {
    let named = error.reason.clone();
    let reason = named.map(|word| Reason::new(word, error.message.clone()));
    match &error.at {
        Some(At::Field { field }) => {
            let reason = reason.unwrap_or_else(|| Reason::new("field", error.message.clone()));
            Some(reason.with("field", field.as_str()))
        }
        Some(At::Move { r#move, .. }) => reason.map(|reason| reason.with("move", r#move.as_str())),
        _ => reason,
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        // The storage itself tells the log, once a failure and not once a request.
        tracing::debug!(%error, "storage");
        Self::Storage
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({ "error": self.json() });
        let mut response = (self.status(), Json(body)).into_response();
        // A page that fails is worded again as a page, by the layer that knows the language.
        response.extensions_mut().insert(self);
        response
    }
}
