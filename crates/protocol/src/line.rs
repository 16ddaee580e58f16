//! JSON lines: one request in, one answer out.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::envelope::Text;
use crate::error::{Error, ErrorCode};
use crate::nearest::hint;
use crate::operation::write_json;
use crate::{LONGEST_LINE, cotulenh, read, tractor};

/// The games that questions can be about.
pub(crate) const GAMES: [&str; 2] = ["cotulenh", "tractor"];

/// A question about one of the games. As JSON it is the object of a line, with `game` and `op`.
///
/// ```
/// use convoy_protocol::Request;
/// let line = r#"{"game":"cotulenh","op":"perft","depth":2}"#;
/// let request: Request = serde_json::from_str(line)?;
/// assert_eq!(serde_json::to_string(&request)?, line);
/// assert_eq!(serde_json::to_string(&request.answer().expect("an answer"))?, r#"{"nodes":13460}"#);
/// # Ok::<_, serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// About Cờ Tư Lệnh.
    Cotulenh(cotulenh::Request),
    /// About Tractor.
    Tractor(tractor::Request),
}

/// An answer about one of the games.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// About Cờ Tư Lệnh.
    Cotulenh(cotulenh::Answer),
    /// About Tractor.
    Tractor(tractor::Answer),
}

impl Request {
    /// Reads a request: game and op by name, the fields from a JSON object, which may also hold `id`, `game`
    /// and `op`.
    pub fn read(game: &str, op: &str, text: &str) -> Result<Self, Error> {
        match game {
            "cotulenh" => cotulenh::Request::read(op, text).map(Self::Cotulenh),
            "tractor" => tractor::Request::read(op, text).map(Self::Tractor),
            _ => {
                let hint = hint(game, &GAMES);
                let message = format!("no game is called {game:?} (op {op:?}){hint}");
                Err(Error::new(ErrorCode::UnknownGame, message))
            }
        }
    }

    /// The answer as a value.
    pub fn answer(&self) -> Result<Answer, Error> {
        match self {
            Self::Cotulenh(request) => request.answer().map(Answer::Cotulenh),
            Self::Tractor(request) => request.answer().map(Answer::Tractor),
        }
    }

    /// Appends the answer as JSON; nothing where there is an error. Long lists are written as they are made.
    pub fn write_answer(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        match self {
            Self::Cotulenh(request) => request.write_answer(out),
            Self::Tractor(request) => request.write_answer(out),
        }
    }

    /// Reads the answer to this request.
    pub fn read_answer(&self, text: &str) -> serde_json::Result<Answer> {
        match self {
            Self::Cotulenh(request) => request.read_answer(text).map(Answer::Cotulenh),
            Self::Tractor(request) => request.read_answer(text).map(Answer::Tractor),
        }
    }
}

impl Serialize for Request {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Cotulenh(request) => request.serialize(serializer),
            Self::Tractor(request) => request.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Request {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Value::deserialize(deserializer)?.to_string();
        read_line(&text).1.map_err(serde::de::Error::custom)
    }
}

/// Reads the request of a line, and its `id`.
///
/// ```
/// let (id, request) = convoy_protocol::read_line(r#"{"id":4,"game":"go","op":"moves"}"#);
/// assert_eq!((id, request.unwrap_err().code.word()), (Some(4.into()), "unknown-game"));
/// ```
pub fn read_line(text: &str) -> (Option<Value>, Result<Request, Error>) {
    if text.len() > LONGEST_LINE {
        return (None, Err(Error::too_long()));
    }
    match read::envelope(text) {
        Err((id, error)) => (id, Err(error)),
        Ok(envelope) => {
            let game = envelope.game.as_ref().map(Text::as_str);
            let op = envelope.op.as_ref().map(Text::as_str);
            let request = dispatch(game, op, text);
            (envelope.id, request)
        }
    }
}

fn dispatch(game: Option<&str>, op: Option<&str>, text: &str) -> Result<Request, Error> {
    let op = op.ok_or_else(|| read::missing(text, "op", "the request has no op"))?;
    let game = game.ok_or_else(|| read::missing(text, "game", "the request names no game"))?;
    Request::read(game, op, text)
}

/// Answers one line: appends one JSON object without a line break. Whatever the line holds, there is an answer;
/// an `id` is echoed.
///
/// ```
/// use convoy_protocol::answer_line;
/// let mut out = Vec::new();
/// answer_line(br#"{"id":1,"game":"cotulenh","op":"combine","pieces":"TFN"}"#, &mut out);
/// assert_eq!(out, br#"{"id":1,"stack":"(NFT)","state":"0x4000800200","mask":704}"#);
///
/// out.clear();
/// answer_line(br#"{"game":"cotulenh","op":"moves","fenn":"x"}"#, &mut out);
/// let text = String::from_utf8(out).expect("JSON is UTF-8");
/// assert!(text.contains(r#""code":"unknown-field""#));
/// assert!(text.contains(r#"did you mean \"fen\"?"#));
/// ```
pub fn answer_line(line: &[u8], out: &mut Vec<u8>) {
    let (id, request) = match std::str::from_utf8(line) {
        Ok(text) => read_line(text),
        Err(_) => (None, Err(Error::not_utf8())),
    };
    let written = request.and_then(|request| write_answer(id.as_ref(), &request, out));
    if let Err(error) = written {
        write_error(id.as_ref(), &error, out);
    }
}

/// Appends the answer to a request as one JSON object, behind the `id` where there is one; nothing where there is
/// an error.
pub fn write_answer(id: Option<&Value>, request: &Request, out: &mut Vec<u8>) -> Result<(), Error> {
    let start = out.len();
    if let Some(id) = id {
        out.extend_from_slice(b"{\"id\":");
        write_json(id, out);
    }
    // The answer's own brace comes next: behind an `id` it is but a comma.
    let brace = out.len();
    let written = request.write_answer(out);
    match written {
        Ok(()) if id.is_some() => out[brace] = b',',
        Ok(()) => {}
        Err(_) => out.truncate(start),
    }
    written
}

/// Appends an error as the answer to a line.
fn write_error(id: Option<&Value>, error: &Error, out: &mut Vec<u8>) {
    write_json(&Refused { id, error }, out);
}

/// Appends the answer to a line that is too long to be read.
///
/// ```
/// let mut out = Vec::new();
/// convoy_protocol::refuse_long_line(&mut out);
/// assert!(out.starts_with(br#"{"error":{"code":"too-long""#));
/// ```
pub fn refuse_long_line(out: &mut Vec<u8>) {
    write_error(None, &Error::too_long(), out);
}

impl Error {
    /// For a line, or a body, that is no text.
    pub fn not_utf8() -> Self {
        Self::new(ErrorCode::Malformed, "the line is not UTF-8")
    }

    /// For a line, or a body, of more than [`LONGEST_LINE`] bytes.
    pub fn too_long() -> Self {
        let message = format!("a line holds at most {LONGEST_LINE} bytes");
        Self::new(ErrorCode::TooLong, message)
    }
}

#[derive(Serialize)]
struct Refused<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Value>,
    error: &'a Error,
}

/// A request as the object of a line.
#[derive(Serialize)]
pub(crate) struct Line<'a, T> {
    pub(crate) game: &'static str,
    pub(crate) op: &'static str,
    #[serde(flatten)]
    pub(crate) fields: &'a T,
}
