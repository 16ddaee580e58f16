//! `convoy query`: the rules for every other language, one JSON object a line.

mod cotulenh;
pub(crate) mod tractor;

use std::borrow::Cow;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Write};

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One JSON object a line on stdin, one a line on stdout, in order, `id` echoed if given.
/// A bad line is answered with an error, and the next one is served.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  echo '{\"game\":\"cotulenh\",\"op\":\"combine\",\"pieces\":\"NFT\"}' | convoy query"
)]
pub(crate) struct Args {}

/// A longer line is refused unread: it is no question about a game.
const LONGEST_LINE: u64 = 1 << 20;

/// What every request holds besides the fields of its own.
#[derive(Debug, Deserialize)]
struct Envelope<'a> {
    id: Option<Value>,
    #[serde(borrow)]
    game: Option<Cow<'a, str>>,
    #[serde(borrow)]
    op: Option<Cow<'a, str>>,
}

/// Why a request was refused.
#[derive(Debug, Serialize)]
pub(crate) struct Fault {
    /// A word for programs.
    pub(crate) code: &'static str,
    /// A sentence for people.
    pub(crate) message: String,
    /// Where in a longer input the fault lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<Value>,
}

impl Fault {
    /// A fault without a place.
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            at: None,
        }
    }
}

/// An answer: the text of a JSON object.
pub(crate) type Answer = Result<String, Fault>;

/// Serves stdin until it ends.
pub(crate) fn run(_: &Args) -> anyhow::Result<()> {
    match serve(io::stdin().lock(), io::stdout().lock()) {
        // Whoever asked has gone: nothing is left to answer.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other.context("query"),
    }
}

/// Answers line by line. Output is flushed whenever no further line is at hand, so that a
/// program that waits for each answer gets it, and one that sends thousands is not slowed.
fn serve(input: impl Read, output: impl Write) -> io::Result<()> {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut output = BufWriter::with_capacity(1 << 16, output);
    let mut line = Vec::new();
    loop {
        line.clear();
        Read::take(&mut input, LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return output.flush();
        }
        let text = line.trim_ascii();
        if line.len() as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
            input.skip_until(b'\n')?;
            let fault = Fault::new(
                "too-long",
                format!("a line holds at most {LONGEST_LINE} bytes"),
            );
            writeln!(output, "{}", refusal(None, &fault))?;
        } else if !text.is_empty() {
            writeln!(output, "{}", respond(text))?;
        }
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
    }
}

/// The answer to one line, `id` echoed.
pub(crate) fn respond(line: &[u8]) -> String {
    let Ok(text) = std::str::from_utf8(line) else {
        return refusal(None, &Fault::new("malformed", "the line is not UTF-8"));
    };
    let envelope: Envelope<'_> = match serde_json::from_str(text) {
        Ok(envelope) => envelope,
        Err(error) => {
            let fault = Fault::new("malformed", format!("not a request: {error}"));
            return refusal(None, &fault);
        }
    };
    let id = envelope.id;
    match dispatch(envelope.game.as_deref(), envelope.op.as_deref(), text) {
        Ok(answer) => match id {
            None => answer,
            Some(id) if answer == "{}" => format!("{{\"id\":{id}}}"),
            Some(id) => format!("{{\"id\":{id},{}", &answer[1..]),
        },
        Err(fault) => refusal(id, &fault),
    }
}

fn dispatch(game: Option<&str>, op: Option<&str>, text: &str) -> Answer {
    let Some(op) = op else {
        return Err(Fault::new("malformed", "the request has no op"));
    };
    match game {
        Some("cotulenh") => cotulenh::answer(op, text),
        Some("tractor") => tractor::answer(op, text),
        Some(game) => Err(Fault::new(
            "unknown-game",
            format!("no game is called {game:?} (op {op:?})"),
        )),
        None => Err(Fault::new("malformed", "the request names no game")),
    }
}

fn refusal(id: Option<Value>, fault: &Fault) -> String {
    #[derive(Serialize)]
    struct Refusal<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<Value>,
        error: &'a Fault,
    }
    serde_json::to_string(&Refusal { id, error: fault }).expect("a refusal is plain data")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(lines: &[u8]) -> Vec<Value> {
        let mut output = Vec::new();
        serve(lines, &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    #[test]
    fn a_bad_line_is_refused_and_the_next_one_served() {
        let answers = ask(b"{\n\xff\n\n{\"id\":7,\"game\":\"go\",\"op\":\"moves\"}\n[]");
        assert_eq!(answers.len(), 4);
        assert_eq!(answers[1]["error"]["message"], "the line is not UTF-8");
        assert_eq!(answers[2]["id"], 7);
        assert_eq!(answers[2]["error"]["code"], "unknown-game");
        assert_eq!(answers[3]["error"]["code"], "malformed");
    }

    #[test]
    fn an_endless_line_is_refused_without_being_kept() {
        let mut lines = vec![b'x'; 3 << 20];
        lines.extend_from_slice(b"\n{}\n");
        let answers = ask(&lines);
        assert_eq!(answers.len(), 2);
        assert_eq!(answers[0]["error"]["code"], "too-long");
    }
}
