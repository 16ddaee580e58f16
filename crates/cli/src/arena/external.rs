//! A program behind the line protocol of `convoy tractor-bot` (`docs/bots.md`).

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use convoy_protocol::bot::{
    self, CardsAnswer, DeclareRequest, Declared, KittyRequest, PlayRequest, Request,
};
use convoy_protocol::{ErrorCode, LONGEST_LINE};
use serde_json::Value;
use tractor::{CardSet, View};

use crate::child;

use super::forfeit::{Cause, Failure, Forfeit};
use super::stop::Stop;

/// How often a wait looks whether the run is being stopped.
const GLANCE: Duration = Duration::from_millis(50);

/// How a program is started: variables, its name, its arguments.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    variables: Vec<(String, String)>,
    name: String,
    arguments: Vec<String>,
    timeout: Duration,
}

impl Program {
    /// Reads a command line with the quoting of a shell: `[NAME=VALUE …] PROGRAM [ARGUMENT …]`.
    pub(crate) fn read(text: &str, timeout: Duration) -> anyhow::Result<Self> {
        let words = shell_words::split(text).with_context(|| format!("cmd:{text}"))?;
        let is_variable = |word: &&String| {
            let name = word.split_once('=').map_or("", |(name, _)| name);
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        let variables: Vec<(String, String)> = words
            .iter()
            .take_while(is_variable)
            .filter_map(|word| word.split_once('='))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let mut words = words.into_iter().skip(variables.len());
        let name = words.next().unwrap_or_default();
        ensure!(!name.is_empty(), "cmd: names no program");
        Ok(Self {
            variables,
            name,
            arguments: words.collect(),
            timeout,
        })
    }

    fn start(&self) -> anyhow::Result<Running> {
        let mut command = Command::new(&self.name);
        command
            .args(&self.arguments)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // A group of its own: Ctrl-C stops the run, which then stops the program.
            .process_group(0);
        let mut child = command
            .spawn()
            .with_context(|| format!("cannot start {}", self.name))?;
        let to = child.stdin.take().context("the program has no input")?;
        let from = child.stdout.take().context("the program has no output")?;
        let (sender, lines) = sync_channel(16);
        std::thread::spawn(move || read_lines(from, &sender));
        Ok(Running { child, to, lines })
    }
}

/// Sends every line of the program's output, until it ends or nobody listens.
fn read_lines(from: ChildStdout, lines: &SyncSender<Vec<u8>>) {
    let mut from = BufReader::new(from);
    loop {
        let mut line = Vec::new();
        match from
            .by_ref()
            .take(LONGEST_LINE as u64)
            .read_until(b'\n', &mut line)
        {
            Ok(read) if read > 0 && lines.send(line).is_ok() => {}
            _ => return,
        }
    }
}

/// A started program.
#[derive(Debug)]
struct Running {
    child: Child,
    to: ChildStdin,
    lines: Receiver<Vec<u8>>,
}

impl Drop for Running {
    fn drop(&mut self) {
        child::end(&mut self.child);
    }
}

/// A program at a table. After a fault it is started anew for the next round.
#[derive(Debug)]
pub(crate) struct External {
    program: Program,
    running: Option<Running>,
    stop: Stop,
    begun: Instant,
    asked: u64,
    /// Declarations that the rules did not offer: how many, and the first one.
    refused: (usize, Option<String>),
}

impl External {
    /// Starts a program.
    pub(crate) fn start(program: &Program, stop: Stop) -> anyhow::Result<Self> {
        Ok(Self {
            running: Some(program.start()?),
            program: program.clone(),
            stop,
            begun: Instant::now(),
            asked: 0,
            refused: (0, None),
        })
    }

    /// The time on the wall: what another's program does inside cannot be told from waiting.
    pub(crate) fn time(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Ends the program; the next question starts it anew.
    pub(crate) fn restart(&mut self) {
        self.running = None;
    }

    /// The declarations that were refused since this was last asked: how many, and the first one.
    pub(crate) fn take_refused(&mut self) -> (usize, Option<String>) {
        std::mem::take(&mut self.refused)
    }

    fn ask(&mut self, request: &Request) -> Result<Value, Failure> {
        self.asked += 1;
        let mut line = Vec::new();
        bot::write_line(self.asked, request, &mut line);
        let request = String::from_utf8_lossy(&line);
        let exited = |detail: String| Failure::from(Forfeit::new(Cause::Exited, detail));
        if self.running.is_none() {
            let started = self.program.start();
            self.running = Some(started.map_err(|error| exited(format!("{error:#}")))?);
        }
        let Some(running) = &mut self.running else {
            return Err(exited("the program is not running".into()));
        };
        match running.lines.try_recv() {
            Ok(line) => {
                let words = format!("a line that nobody asked for: {}", short(&line));
                return Err(Forfeit::new(Cause::BadAnswer, words).into());
            }
            Err(TryRecvError::Disconnected) => return Err(exited("the program has ended".into())),
            Err(TryRecvError::Empty) => {}
        }
        let written = writeln!(running.to, "{request}");
        written
            .and_then(|()| running.to.flush())
            .map_err(|_| exited("the program no longer reads".into()))?;
        let line = wait(&running.lines, self.program.timeout, self.stop, &request)?;
        read_answer(&line, self.asked).map_err(Failure::from)
    }

    pub(crate) fn declare(&mut self, view: &View) -> Result<Option<CardSet>, Failure> {
        let answer = self.ask(&Request::Declare(DeclareRequest::of(view)))?;
        let Some(declared) = answer.get("declare") else {
            let words = format!(
                "an answer to declare has a field declare: {}",
                told(&answer)
            );
            return Err(Forfeit::new(Cause::BadAnswer, words).into());
        };
        if declared.is_null() {
            return Ok(None);
        }
        let offer = read_declared(declared).and_then(|named| named.offer(view));
        if offer.is_none() {
            // Some programs do not mind whose declaration stands: it is no declaration, and it is reported.
            self.refused.0 += 1;
            self.refused.1.get_or_insert_with(|| {
                let (declared, dealt) = (told(declared), view.dealt);
                format!("{declared} after {dealt} cards of {}", view.trump)
            });
        }
        Ok(offer)
    }

    pub(crate) fn bury(&mut self, view: &View) -> Result<CardSet, Failure> {
        let answer = self.ask(&Request::Kitty(KittyRequest::of(view)))?;
        Ok(read_cards(&answer, view.hand)?)
    }

    pub(crate) fn play(&mut self, view: &View) -> Result<CardSet, Failure> {
        let answer = self.ask(&Request::Play(PlayRequest::of(view)))?;
        Ok(read_cards(&answer, view.hand)?)
    }
}

/// The next line, within the time-out and while the run goes on.
fn wait(
    lines: &Receiver<Vec<u8>>,
    timeout: Duration,
    stop: Stop,
    request: &str,
) -> Result<Vec<u8>, Failure> {
    let begun = Instant::now();
    loop {
        let left = timeout.saturating_sub(begun.elapsed());
        match lines.recv_timeout(left.min(GLANCE)) {
            Ok(line) => return Ok(line),
            Err(RecvTimeoutError::Disconnected) => {
                let words = format!("the program ended when it was asked {request}");
                return Err(Forfeit::new(Cause::Exited, words).into());
            }
            Err(RecvTimeoutError::Timeout) if stop.is_due() => return Err(Failure::Stopped),
            Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                let words = format!("no answer within {timeout:?} to {request}");
                return Err(Forfeit::new(Cause::TimedOut, words).into());
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// A declaration by what counts of it, type and suit; whatever else it holds does not matter.
fn read_declared(declared: &Value) -> Option<Declared> {
    Some(Declared {
        r#type: declared["type"].as_str()?.to_owned(),
        suit: declared["suit"].as_str().map(str::to_owned),
        cards: None,
    })
}

/// The cards of an answer, with digits or without, out of a hand.
fn read_cards(answer: &Value, hand: CardSet) -> Result<CardSet, Forfeit> {
    let forfeit = |cause, words: String| {
        let words = short(words.as_bytes());
        Forfeit::new(cause, format!("{words}: {}", told(answer)))
    };
    let bad = |words: String| forfeit(Cause::BadAnswer, words);
    let cards = convoy_protocol::read_json(&answer["cards"].to_string())
        .map_err(|error| bad(format!("no list of cards ({})", error.message)))?;
    let named = CardsAnswer { cards, ms: None };
    named.of_hand(hand).map_err(|error| match error.code {
        ErrorCode::Illegal => forfeit(Cause::Illegal, error.message),
        _ => bad(error.message),
    })
}

/// An answer: a JSON object without an error, whose `id` is that of the request where it has one.
fn read_answer(line: &[u8], asked: u64) -> Result<Value, Forfeit> {
    let bad = |words: &str| Forfeit::new(Cause::BadAnswer, format!("{words}: {}", short(line)));
    let answer: Value = serde_json::from_slice(line).map_err(|_| bad("a line that is no JSON"))?;
    if !answer.is_object() {
        return Err(bad("an answer is an object"));
    }
    if let Some(error) = answer.get("error") {
        return Err(Forfeit::new(
            Cause::Error,
            format!("the program answered {}", told(error)),
        ));
    }
    match answer.get("id") {
        Some(id) if *id != asked => Err(bad("an answer to another request")),
        _ => Ok(answer),
    }
}

/// The beginning of what a program said, for messages.
fn told(value: &Value) -> String {
    short(value.to_string().as_bytes())
}

/// The beginning of a line, for messages.
fn short(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    text.trim_end().chars().take(240).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_read_with_quotes_and_variables() {
        let read = |text| Program::read(text, Duration::ZERO);
        let program = read("LEVEL=2 A_B='x y' node 'my bot.js' --name=\"a b\"").unwrap();
        assert_eq!(program.name, "node");
        assert_eq!(program.arguments, ["my bot.js", "--name=a b"]);
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(program.variables, [pair("LEVEL", "2"), pair("A_B", "x y")]);
        assert!(read("").is_err() && read("A=1").is_err() && read("node 'open").is_err());
    }

    #[test]
    fn answers_are_read_or_forfeit() {
        let cause = |line: &str| read_answer(line.as_bytes(), 7).map_err(|forfeit| forfeit.cause);
        assert!(cause(r#"{"cards":[]}"#).is_ok() && cause(r#"{"id":7}"#).is_ok());
        assert_eq!(cause(r#"{"id":6,"cards":[]}"#), Err(Cause::BadAnswer));
        assert_eq!(cause("thinking…"), Err(Cause::BadAnswer));
        assert_eq!(cause("[]"), Err(Cause::BadAnswer));
        assert_eq!(cause(r#"{"error":"no"}"#), Err(Cause::Error));
        // However much a program says, a report holds the beginning of it.
        let long = format!(r#"{{"error":"{}"}}"#, "no".repeat(1000));
        let forfeit = read_answer(long.as_bytes(), 7).expect_err("an error");
        assert!(forfeit.detail.len() < 300, "{}", forfeit.detail);
    }
}
