//! An external engine: a process that speaks the dialect of UCI of `docs/uci.md`.

use std::fmt;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use cotulenh::{Color, Game};
use cotulenh_engine::{Clock, Limits, Turn};

use crate::child;

use super::spec::Command;

/// Why a game is lost without being played to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Forfeit {
    /// The clock ran out.
    Time,
    /// No answer in time.
    Timeout,
    /// What was played instead of a legal turn.
    Illegal(String),
    /// `bestmove (none)` though there are legal turns.
    NoTurn,
    /// The process ended.
    Crash,
    /// Output that breaks the protocol.
    Protocol(&'static str),
}

impl Forfeit {
    /// The cause without details, to count by.
    pub(crate) const fn cause(&self) -> &'static str {
        match self {
            Self::Time => "time forfeit",
            Self::Timeout => "time-out",
            Self::Illegal(_) => "illegal turn",
            Self::NoTurn => "no turn",
            Self::Crash => "crash",
            Self::Protocol(_) => "protocol error",
        }
    }
}

impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.cause())?;
        match self {
            Self::Illegal(text) => write!(f, ": {text}"),
            Self::Protocol(text) => write!(f, ": {text}"),
            _ => Ok(()),
        }
    }
}

/// No line of the protocol is longer.
const MAX_LINE: u64 = 1 << 20;
/// Lines that are read ahead before an engine has to wait.
const QUEUE: usize = 1024;
/// How often a wait looks whether the match was interrupted.
const POLL: Duration = Duration::from_millis(50);
/// How long an engine may take to start: large networks are read from slow disks.
const START: Duration = Duration::from_secs(20);
/// How long an engine may take to leave after `quit`, before it is ended.
const QUIT: Duration = Duration::from_millis(500);

/// A line of output, or why there are no more.
enum Heard {
    Line(String),
    Broken(&'static str),
}

/// A running engine.
#[derive(Debug)]
pub(crate) struct External {
    command: Command,
    process: Option<Process>,
}

#[derive(Debug)]
struct Process {
    child: Child,
    input: ChildStdin,
    output: Receiver<Heard>,
}

/// A search that the engine is asked for.
pub(crate) struct Ask<'a> {
    pub(crate) game: &'a Game,
    pub(crate) limits: Limits,
    /// The clock of the other side, if it has one.
    pub(crate) other: Option<Clock>,
    /// How long the answer may take.
    pub(crate) patience: Duration,
    /// Set when the match is interrupted.
    pub(crate) stop: &'a AtomicBool,
}

impl External {
    /// Starts the engine; the first time a failure ends the match before it begins.
    pub(crate) fn start(command: &Command) -> anyhow::Result<Self> {
        let mut external = Self {
            command: command.clone(),
            process: None,
        };
        external.new_game()?;
        Ok(external)
    }

    pub(crate) const fn timeout(&self) -> Duration {
        self.command.timeout
    }

    /// Prepares for a new game; an engine that was given up is started again.
    pub(crate) fn new_game(&mut self) -> anyhow::Result<()> {
        if let Some(process) = &mut self.process
            && process.prepare().is_ok()
        {
            return Ok(());
        }
        self.process = None;
        let mut process = Process::start(&self.command)?;
        process
            .prepare()
            .map_err(|forfeit| anyhow::anyhow!("{}: {forfeit}", self.command.words[0]))?;
        self.process = Some(process);
        Ok(())
    }

    /// Waits until the engine has said all that it had to say since its last turn.
    pub(crate) fn sync(&mut self, stop: &AtomicBool) -> Result<(), Forfeit> {
        let Some(process) = &mut self.process else {
            return Err(Forfeit::Crash);
        };
        let ready = process
            .say("isready")
            .and_then(|()| process.wait_for("readyok", START, Some(stop)));
        if ready.is_err() {
            self.process = None;
        }
        ready.map(|_| ())
    }

    /// The engine's turn. After a forfeit the process is given up, unless it merely played badly.
    pub(crate) fn choose(&mut self, ask: &Ask<'_>) -> Result<Turn, Forfeit> {
        let Some(process) = &mut self.process else {
            return Err(Forfeit::Crash);
        };
        let answer = process.choose(ask);
        if let Err(Forfeit::Time | Forfeit::Timeout | Forfeit::Crash | Forfeit::Protocol(_)) =
            &answer
        {
            self.process = None;
        }
        answer
    }
}

impl Process {
    fn start(command: &Command) -> anyhow::Result<Self> {
        let program = &command.words[0];
        let mut child = std::process::Command::new(program)
            .args(&command.words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Ctrl-C is for the match, which then ends its engines itself.
            .process_group(0)
            .spawn()
            .with_context(|| format!("cannot start {program}"))?;
        let input = child.stdin.take().context("the engine has no input")?;
        let output = child.stdout.take().context("the engine has no output")?;
        let mut process = Self {
            child,
            input,
            output: listen(output),
        };
        match process.greet(command) {
            Ok(()) => Ok(process),
            Err(forfeit) => bail!("{program} did not start as a UCI engine: {forfeit}"),
        }
    }

    fn greet(&mut self, command: &Command) -> Result<(), Forfeit> {
        self.say("uci")?;
        self.wait_for("uciok", START, None)?;
        for (name, value) in &command.options {
            if value.is_empty() {
                self.say(&format!("setoption name {name}"))?;
            } else {
                self.say(&format!("setoption name {name} value {value}"))?;
            }
        }
        self.say("isready")?;
        self.wait_for("readyok", START, None)?;
        Ok(())
    }

    fn prepare(&mut self) -> Result<(), Forfeit> {
        self.say("ucinewgame")?;
        self.say("isready")?;
        self.wait_for("readyok", START, None).map(|_| ())
    }

    fn say(&mut self, line: &str) -> Result<(), Forfeit> {
        writeln!(self.input, "{line}")
            .and_then(|()| self.input.flush())
            .map_err(|_| Forfeit::Crash)
    }

    /// The first line that begins with a word. Other lines are ignored, as UCI asks, but for a
    /// `bestmove` that nobody asked for.
    fn wait_for(
        &mut self,
        word: &str,
        patience: Duration,
        stop: Option<&AtomicBool>,
    ) -> Result<String, Forfeit> {
        let end = Instant::now() + patience;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(POLL)) {
                Ok(Heard::Line(line)) => match line.split_whitespace().next() {
                    Some(first) if first == word => return Ok(line),
                    Some("bestmove") => return Err(UNASKED),
                    _ => {}
                },
                Ok(Heard::Broken(text)) => return Err(Forfeit::Protocol(text)),
                Err(RecvTimeoutError::Disconnected) => return Err(Forfeit::Crash),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let interrupted = stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
            if interrupted || Instant::now() >= end {
                return Err(Forfeit::Timeout);
            }
        }
    }

    fn choose(&mut self, ask: &Ask<'_>) -> Result<Turn, Forfeit> {
        self.say(&position_line(ask.game))?;
        self.say(&go_line(ask))?;
        let timed = ask.limits.clock.is_some() || ask.limits.time.is_some();
        let late = |forfeit| match forfeit {
            Forfeit::Timeout if timed => Forfeit::Time,
            other => other,
        };
        let answer = self.wait_for("bestmove", ask.patience, Some(ask.stop));
        read_turn(ask.game, &answer.map_err(late)?)
    }
}

const UNASKED: Forfeit = Forfeit::Protocol("a bestmove that nobody asked for");

/// Reads lines on a thread of its own, so that waiting for them can be given up.
fn listen(output: ChildStdout) -> Receiver<Heard> {
    let (sender, receiver) = sync_channel(QUEUE);
    std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let mut bytes = Vec::new();
            let read = (&mut output).take(MAX_LINE).read_until(b'\n', &mut bytes);
            let heard = match read {
                Ok(0) | Err(_) => return,
                Ok(_) if bytes.len() as u64 == MAX_LINE => {
                    Heard::Broken("a line of more than a million characters")
                }
                Ok(_) => match String::from_utf8(bytes) {
                    Ok(line) => Heard::Line(line),
                    Err(_) => Heard::Broken("output that is not UTF-8"),
                },
            };
            let broken = matches!(heard, Heard::Broken(_));
            if sender.send(heard).is_err() || broken {
                return;
            }
        }
    });
    receiver
}

fn position_line(game: &Game) -> String {
    let turns = game.lans();
    let mut line = format!("position fen {}", game.start());
    if !turns.is_empty() {
        line.push_str(" moves ");
        line.push_str(&turns.join(" "));
    }
    line
}

fn go_line(ask: &Ask<'_>) -> String {
    let limits = &ask.limits;
    let mut words = vec!["go".to_owned()];
    let numbers = [
        ("nodes", limits.nodes),
        ("depth", limits.depth.map(u64::from)),
        ("movetime", limits.time.map(millis)),
    ];
    for (name, number) in numbers {
        words.extend(number.map(|number| format!("{name} {number}")));
    }
    if let Some(own) = limits.clock {
        let other = ask.other.unwrap_or(own);
        let (white, black) = match ask.game.position().turn() {
            Color::Red => (own, other),
            Color::Blue => (other, own),
        };
        words.push(format!(
            "wtime {} btime {} winc {} binc {}",
            millis(white.left),
            millis(black.left),
            millis(white.increment),
            millis(black.increment),
        ));
    }
    words.join(" ")
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn read_turn(game: &Game, answer: &str) -> Result<Turn, Forfeit> {
    let lan = answer.split_whitespace().nth(1).unwrap_or("");
    if matches!(lan, "" | "(none)" | "0000") {
        return Err(Forfeit::NoTurn);
    }
    let illegal = || Forfeit::Illegal(lan.chars().take(40).collect());
    let moves = game.position().read(lan).map_err(|_| illegal())?;
    let turn = Turn::new(moves.to_vec());
    let whole = turn.play_from(game.position()).is_some();
    whole.then_some(turn).ok_or_else(illegal)
}

impl Drop for Process {
    /// Asks the engine to leave, and ends it if it does not.
    fn drop(&mut self) {
        let _ = self.say("quit");
        let end = Instant::now() + QUIT;
        while Instant::now() < end && !child::has_ended(&self.child) {
            // The standard library waits for a process for ever or not at all.
            std::thread::sleep(Duration::from_millis(5));
        }
        child::end(&mut self.child);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(limits: Limits, other: Option<Clock>) -> String {
        let mut game = Game::default();
        game.play_text("Ic6").expect("legal");
        let stop = AtomicBool::new(false);
        go_line(&Ask {
            game: &game,
            limits,
            other,
            patience: Duration::ZERO,
            stop: &stop,
        })
    }

    #[test]
    fn limits_and_clocks_are_sent() {
        assert_eq!(ask(Limits::nodes(5), None), "go nodes 5");
        let time = Limits {
            depth: Some(3),
            ..Limits::time(Duration::from_millis(20))
        };
        assert_eq!(ask(time, None), "go depth 3 movetime 20");
        let clock = |left| Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(10),
            turns_to_go: None,
        };
        let go = "go wtime 9000 btime 700 winc 10 binc 10";
        assert_eq!(ask(Limits::clock(clock(700)), Some(clock(9_000))), go);
    }

    #[test]
    fn answers_are_legal_whole_turns_or_forfeits() {
        let game = Game::default();
        assert!(read_turn(&game, "bestmove Ic5c6 ponder Ic8c7\n").is_ok());
        for none in ["bestmove (none)", "bestmove", "bestmove 0000"] {
            assert_eq!(read_turn(&game, none), Err(Forfeit::NoTurn));
        }
        let illegal = Err(Forfeit::Illegal("e2e4".into()));
        assert_eq!(read_turn(&game, "bestmove e2e4"), illegal);
        let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";
        let game = Game::new(fen.parse().expect("legal"));
        assert!(read_turn(&game, "bestmove e4:(FI):T>e6").is_ok());
        assert!(
            read_turn(&game, "bestmove T>e6").is_err(),
            "the deploy is left open"
        );
    }
}
