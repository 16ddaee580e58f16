//! The engine protocol: a dialect of UCI with one token for a turn (`docs/uci.md`).
//!
//! A line that cannot be understood is answered with `info string`. Every `go` is answered with
//! one `bestmove`, `(none)` if there is nothing to search.

mod go;
mod option;

use std::io::{BufRead, Read as _, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use cotulenh::{Position, perft};

use crate::engine::{Engine, Options, Report, Search};
use crate::time::Limits;
use go::Go;

/// The most bytes of a line; nothing more of it is kept.
const LONGEST_LINE: usize = 1 << 20;

/// Serves the protocol until `quit` or the end of the input; a search that is running at the end
/// of the input is finished if it has a limit.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// let output = Arc::new(Mutex::new(Vec::new()));
/// cotulenh_engine::serve_uci("uci\nposition startpos\ngo nodes 500\n".as_bytes(), Arc::clone(&output));
/// let text = String::from_utf8(output.lock().expect("no panic").clone()).expect("UTF-8");
/// assert!(text.contains("uciok") && text.contains("bestmove "));
/// ```
pub fn serve_uci<W: Write + Send + 'static>(mut input: impl BufRead, output: Arc<Mutex<W>>) {
    let mut session = Session {
        options: Options::default(),
        engine: None,
        search: None,
        stop: Arc::new(AtomicBool::new(false)),
        position: Some((Position::start(), Vec::new())),
        output,
    };
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let most = LONGEST_LINE as u64 + 1;
        match input.by_ref().take(most).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&bytes);
        if bytes.len() > LONGEST_LINE && !bytes.ends_with(b"\n") {
            session.refuse_long_line(&text);
            if input.skip_until(b'\n').is_err() {
                break;
            }
        } else if !session.obey(&text) {
            session.end_search(true);
            return;
        }
    }
    session.end_search(false);
}

/// A search in the background; it returns the engine when it ends.
struct Running {
    thread: JoinHandle<Engine>,
    go: Go,
    /// Whether it waits for `stop` even when there is nothing left to do.
    waits: bool,
    /// Set when its answer is not wanted any more.
    mute: Arc<AtomicBool>,
}

struct Session<W> {
    options: Options,
    /// Made when it is first needed; `None` during a search.
    engine: Option<Engine>,
    search: Option<Running>,
    stop: Arc<AtomicBool>,
    /// The position and the keys of those between turns before it; `None` after a `position` that
    /// could not be read.
    position: Option<(Position, Vec<u64>)>,
    output: Arc<Mutex<W>>,
}

impl<W: Write + Send + 'static> Session<W> {
    fn say(&self, line: &str) {
        say(&self.output, line);
    }

    fn write_error(&self, text: &str) {
        let text: String = text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        self.say(&format!("info string {text}"));
    }

    /// Obeys one line; answers whether to go on.
    fn obey(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        let Some(command) = words.next() else {
            return true;
        };
        let rest: Vec<&str> = words.collect();
        match command {
            "uci" => self.introduce(),
            "isready" => {
                if self.search.is_none() {
                    self.wake();
                }
                self.say("readyok");
            }
            "setoption" => self.set_option(&rest),
            "ucinewgame" => {
                self.end_search(true);
                if let Some(engine) = &mut self.engine {
                    engine.clear();
                }
                self.position = Some((Position::start(), Vec::new()));
            }
            "position" => self.set_position(&rest),
            "go" => self.go(&rest),
            "stop" => self.end_search(true),
            "ponderhit" => self.ponder_hit(),
            "d" => match &self.position {
                Some((position, _)) => self.say(&format!("info string {position}")),
                None => self.write_error(NO_POSITION),
            },
            "quit" => return false,
            _ => self.write_error(&format!("unknown command: {}", short(command))),
        }
        true
    }

    /// Refuses a line that is too long to be read: it sets no position and begins no search.
    fn refuse_long_line(&mut self, start: &str) {
        self.write_error(&format!("a line holds at most {LONGEST_LINE} bytes"));
        match start.split_whitespace().next() {
            Some("position") => {
                self.end_search(true);
                self.position = None;
            }
            Some("go") => {
                self.end_search(true);
                self.say(NO_MOVE);
            }
            _ => {}
        }
    }

    fn introduce(&self) {
        self.say(&format!("id name Convoy {}", env!("CARGO_PKG_VERSION")));
        self.say("id author the Convoy developers");
        for line in option::DECLARATIONS {
            self.say(line);
        }
        self.say("uciok");
    }

    fn set_option(&mut self, words: &[&str]) {
        self.end_search(true);
        match option::read(&self.options, words) {
            Ok(option::Change::Options(options)) => {
                self.options = options;
                if let Some(engine) = &mut self.engine {
                    engine.set_options(options);
                }
            }
            Ok(option::Change::ClearHash) => {
                if let Some(engine) = &mut self.engine {
                    engine.clear();
                }
            }
            Ok(option::Change::Net(net)) => self.wake().set_net(net),
            Err(text) => self.write_error(&text),
        }
    }

    fn set_position(&mut self, words: &[&str]) {
        self.end_search(true);
        let split = words.iter().position(|word| *word == "moves");
        let (board, moves) = words.split_at(split.unwrap_or(words.len()));
        let start = match board {
            ["startpos"] => Ok(Position::start()),
            ["fen", fields @ ..] => fields
                .join(" ")
                .parse::<Position>()
                .map_err(|error| error.to_string()),
            _ => Err("position needs startpos or fen".into()),
        };
        let played = start.and_then(|start| play_all(start, moves.get(1..).unwrap_or(&[])));
        if let Err(text) = &played {
            self.write_error(text);
        }
        self.position = played.ok();
    }

    fn wake(&mut self) -> &mut Engine {
        let options = self.options;
        self.engine.get_or_insert_with(|| Engine::new(options))
    }

    fn go(&mut self, words: &[&str]) {
        self.end_search(true);
        let go = match &self.position {
            Some((position, _)) => go::read(words, position),
            None => Err(NO_POSITION.into()),
        };
        match go {
            Ok(go) if go.perft.is_none() => self.begin_search(go),
            Ok(go) => {
                if let (Some(depth), Some((position, _))) = (go.perft, &self.position) {
                    let nodes = perft(position, depth);
                    self.say(&format!("info string perft {depth} nodes {nodes}"));
                }
                self.say(NO_MOVE);
            }
            Err(text) => {
                self.write_error(&text);
                self.say(NO_MOVE);
            }
        }
    }

    fn begin_search(&mut self, go: Go) {
        let Some((position, keys)) = self.position.clone() else {
            return;
        };
        self.wake();
        let Some(mut engine) = self.engine.take() else {
            return;
        };
        // A search without a limit is an analysis: it takes no side.
        engine.set_options(Options {
            contempt: if go.infinite { 0 } else { Options::CONTEMPT },
            ..self.options
        });
        let limits = if go.ponder {
            Limits::default()
        } else {
            go.limits
        };
        let waits = go.ponder || go.infinite;
        let stop = Arc::new(AtomicBool::new(false));
        let mute = Arc::new(AtomicBool::new(false));
        self.stop = Arc::clone(&stop);
        let (output, muted, turns) = (
            Arc::clone(&self.output),
            Arc::clone(&mute),
            go.turns.clone(),
        );
        let thread = thread::spawn(move || {
            let search = Search::new(&position)
                .history(&keys)
                .limits(limits)
                .root_turns(turns)
                .stop(&stop);
            let report = engine.analyse(&search, |report| write_info(&output, &position, report));
            // Whoever sets the flag does not know this thread; two milliseconds are not noticed.
            while waits && !stop.load(Ordering::Relaxed) {
                thread::park_timeout(std::time::Duration::from_millis(2));
            }
            if !muted.load(Ordering::Relaxed) {
                if report.depth > 0 {
                    write_info(&output, &position, &report);
                }
                say(&output, &best_move(&position, &report));
            }
            engine
        });
        self.search = Some(Running {
            thread,
            go,
            waits,
            mute,
        });
    }

    /// Waits for the search to end; stops it first if asked to, or if it would never end.
    fn end_search(&mut self, stops: bool) {
        let Some(search) = self.search.take() else {
            return;
        };
        if stops || search.waits {
            self.stop.store(true, Ordering::Relaxed);
            search.thread.thread().unpark();
        }
        if let Ok(engine) = search.thread.join() {
            self.engine = Some(engine);
        } else {
            self.write_error("internal error: the search failed");
            self.say(NO_MOVE);
        }
    }

    /// The other side has played the expected turn: the clock runs now.
    fn ponder_hit(&mut self) {
        match &self.search {
            Some(search) if search.go.ponder => {
                let go = Go {
                    ponder: false,
                    ..search.go.clone()
                };
                search.mute.store(true, Ordering::Relaxed);
                self.end_search(true);
                self.begin_search(go);
            }
            _ => self.write_error("ponderhit without go ponder"),
        }
    }
}

/// Plays turns; returns the position and the keys of those between turns before it.
fn play_all(start: Position, turns: &[&str]) -> Result<(Position, Vec<u64>), String> {
    let mut position = start;
    let mut keys = vec![position.turn_start().key()];
    for text in turns {
        let moves = position
            .read(text)
            .map_err(|error| format!("illegal turn {}: {error}", short(text)))?;
        for mv in moves.iter() {
            let next = position.play(*mv);
            position = next.map_err(|error| format!("illegal turn {}: {error}", short(text)))?;
        }
        if position.deploy().is_none() {
            keys.push(position.key());
        }
    }
    keys.pop();
    Ok((position, keys))
}

/// The answer to a `go` that has no turn.
const NO_MOVE: &str = "bestmove (none)";
const NO_POSITION: &str = "there is no position: the last position command was refused";

/// The `bestmove` line of a finished search.
fn best_move(position: &Position, report: &Report) -> String {
    let Some(line) = report.lines.first() else {
        return NO_MOVE.into();
    };
    let mut at = position.clone();
    let mut names = Vec::new();
    for turn in line.turns.iter().take(2) {
        names.push(at.turn_lan(turn));
        match turn.play_from(&at) {
            Some(next) => at = next,
            None => break,
        }
    }
    match &names[..] {
        [best, reply] => format!("bestmove {best} ponder {reply}"),
        [best] => format!("bestmove {best}"),
        _ => NO_MOVE.into(),
    }
}

/// The beginning of a word from outside, short enough to be repeated.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Writes one line; a reader that has gone away does not matter.
fn say<W: Write>(output: &Mutex<W>, line: &str) {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = writeln!(output, "{line}");
    let _ = output.flush();
}

fn write_info<W: Write>(output: &Mutex<W>, position: &Position, report: &Report) {
    let millis = report.time.as_millis();
    let nps = u128::from(report.nodes) * 1_000_000 / report.time.as_micros().max(1);
    for (rank, line) in report.lines.iter().enumerate() {
        let mut text = format!(
            "info depth {} seldepth {} multipv {} score {} nodes {} nps {nps} hashfull {} time {millis} pv",
            report.depth,
            report.seldepth,
            rank + 1,
            line.score,
            report.nodes,
            report.hashfull,
        );
        let mut at = position.clone();
        for turn in &line.turns {
            text.push(' ');
            text.push_str(&at.turn_lan(turn));
            match turn.play_from(&at) {
                Some(next) => at = next,
                None => break,
            }
        }
        say(output, &text);
    }
}

#[cfg(test)]
mod tests;
