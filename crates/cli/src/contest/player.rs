//! Those who play.

use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context as _, bail};
use cotulenh::{Game, Position};
use cotulenh_engine::{
    Clock, Engine, Feature, Handicap, Level, Limits, Net, Options, Search, Turn, alpha_beta,
    one_ply,
};

/// A player in words.
#[derive(Debug, Clone)]
pub(crate) struct Spec {
    text: String,
    kind: Kind,
    limits: Limits,
    options: Options,
    /// Seconds for the game and for every turn.
    tc: Option<(Duration, Duration)>,
    /// A network to judge by, instead of the one built in.
    net: Option<Arc<Net>>,
}

#[derive(Debug, Clone)]
enum Kind {
    Engine,
    Material,
    AlphaBeta,
    Program(Vec<String>),
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Spec {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let mut spec = Self {
            text: text.to_owned(),
            kind: Kind::Engine,
            limits: Limits::default(),
            options: Options {
                hash_mib: 8,
                contempt: Options::CONTEMPT,
                ..Options::default()
            },
            tc: None,
            net: None,
        };
        for word in text
            .split(',')
            .map(str::trim)
            .filter(|word| !word.is_empty())
        {
            spec.take(word)?;
        }
        let limited = spec.limits != Limits::default() || spec.tc.is_some();
        if !limited && spec.options.level == Level::MAX {
            spec.limits.nodes = Some(1_000);
        }
        Ok(spec)
    }
}

impl Spec {
    fn take(&mut self, word: &str) -> anyhow::Result<()> {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let number = || {
            value
                .parse::<u64>()
                .with_context(|| format!("{name} needs a number"))
        };
        match name {
            "engine" => self.kind = Kind::Engine,
            "material" => self.kind = Kind::Material,
            "alphabeta" => self.kind = Kind::AlphaBeta,
            "cmd" => {
                let words: Vec<_> = value.split_whitespace().map(str::to_owned).collect();
                if words.is_empty() {
                    bail!("cmd needs a program");
                }
                self.kind = Kind::Program(words);
            }
            "nodes" => self.limits.nodes = Some(number()?.max(1)),
            "depth" => self.limits.depth = Some(u32::try_from(number()?)?),
            "time" => self.limits.time = Some(Duration::from_millis(number()?)),
            "tc" => {
                let (base, increment) = value.split_once('+').unwrap_or((value, "0"));
                let [base, increment] = [base, increment].map(|part| {
                    part.parse()
                        .ok()
                        .and_then(|secs| Duration::try_from_secs_f64(secs).ok())
                });
                let tc = base.zip(increment);
                self.tc = Some(tc.context("tc needs seconds, as in tc=60+0.5")?);
            }
            "level" => {
                let level = u8::try_from(number()?).ok().and_then(Level::new);
                self.options.level = level.context("levels go from 1 to 10")?;
            }
            "noise" => self.handicap().noise = i32::try_from(number()?)?.clamp(0, 10_000),
            "blind" => self.handicap().blindness = number()?.min(1_000),
            "hash" => self.options.hash_mib = usize::try_from(number()?)?.clamp(1, 4096),
            "threads" => self.options.threads = usize::try_from(number()?)?.clamp(1, 64),
            "net" => {
                let bytes = std::fs::read(value).with_context(|| format!("cannot read {value}"))?;
                let net = Net::from_bytes(&bytes).with_context(|| format!("bad net {value}"))?;
                self.net = Some(Arc::new(net));
            }
            "without" => {
                for name in value.split('+') {
                    let feature: Feature = name.parse()?;
                    self.options.features = self.options.features.without(feature);
                }
            }
            _ => bail!("no player has a {name:?}; see `convoy match --help`"),
        }
        Ok(())
    }

    fn handicap(&mut self) -> &mut Handicap {
        let level = self.options.level;
        self.options.handicap.get_or_insert(level.handicap())
    }

    /// Sits down to play.
    pub(crate) fn seat(&self) -> anyhow::Result<Player> {
        let mind = match &self.kind {
            Kind::Engine => {
                let net = self.net.clone().unwrap_or_else(Net::standard);
                let engine = Engine::with_net(self.options, net);
                Mind::Engine(Box::new(engine))
            }
            Kind::Material => Mind::Material,
            Kind::AlphaBeta => Mind::AlphaBeta,
            Kind::Program(words) => Mind::Program(Program::start(words)?),
        };
        Ok(Player {
            spec: self.clone(),
            mind,
            seed: 0,
            left: Duration::ZERO,
        })
    }
}

enum Mind {
    Engine(Box<Engine>),
    Material,
    AlphaBeta,
    Program(Program),
}

/// A player at the board.
pub(crate) struct Player {
    spec: Spec,
    mind: Mind,
    seed: u64,
    left: Duration,
}

impl Player {
    /// Its name in a PGN.
    pub(crate) fn name(&self) -> &str {
        &self.spec.text
    }

    pub(crate) fn new_game(&mut self, seed: u64) -> anyhow::Result<()> {
        self.seed = seed;
        self.left = self.spec.tc.map_or(Duration::ZERO, |(base, _)| base);
        match &mut self.mind {
            Mind::Engine(engine) => {
                engine.set_options(Options {
                    seed,
                    ..self.spec.options
                });
                engine.clear();
            }
            Mind::Program(program) => program.say("ucinewgame")?,
            Mind::Material | Mind::AlphaBeta => {}
        }
        Ok(())
    }

    /// Chooses a turn; `None` if its time ran out. `keys` are those of the game so far.
    pub(crate) fn choose(&mut self, game: &Game, keys: &[u64]) -> anyhow::Result<Option<Turn>> {
        let position = game.position();
        let mut limits = self.spec.limits;
        if let Some((_, increment)) = self.spec.tc {
            limits.clock = Some(Clock {
                left: self.left,
                increment,
                turns_to_go: None,
            });
        }
        let begun = std::time::Instant::now();
        let seed = self.seed ^ keys.len() as u64;
        let turn = match &mut self.mind {
            Mind::Engine(engine) => {
                let stop = AtomicBool::new(false);
                let search = Search::new(position)
                    .history(keys)
                    .limits(limits)
                    .stop(&stop);
                let report = engine.analyse(&search, |_| {});
                report.best().cloned()
            }
            Mind::Material => one_ply(position, seed),
            Mind::AlphaBeta => alpha_beta(position, 3, seed),
            Mind::Program(program) => Some(program.choose(game, &limits)?),
        };
        if let Some((_, increment)) = self.spec.tc {
            let Some(left) = self.left.checked_sub(begun.elapsed()) else {
                return Ok(None);
            };
            self.left = left + increment;
        }
        turn.context("a player has no turn though the game goes on")
            .map(Some)
    }
}

/// Another program that speaks the protocol.
struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    fn start(words: &[String]) -> anyhow::Result<Self> {
        let mut child = Command::new(&words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", words[0]))?;
        let input = child
            .stdin
            .take()
            .context("no way to talk to the program")?;
        let output = child.stdout.take().context("no way to hear the program")?;
        let mut program = Self {
            child,
            input,
            output: BufReader::new(output),
        };
        program.say("uci")?;
        program.wait("uciok")?;
        program.say("isready")?;
        program.wait("readyok")?;
        Ok(program)
    }

    fn say(&mut self, line: &str) -> anyhow::Result<()> {
        writeln!(self.input, "{line}")?;
        self.input.flush()?;
        Ok(())
    }

    /// The first line that begins with a word.
    fn wait(&mut self, word: &str) -> anyhow::Result<String> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                bail!("the other program fell silent");
            }
            if line.split_whitespace().next() == Some(word) {
                return Ok(line);
            }
        }
    }

    fn choose(&mut self, game: &Game, limits: &Limits) -> anyhow::Result<Turn> {
        let position = game.position();
        let line = format!(
            "position fen {} moves {}",
            game.start(),
            game.lans().join(" ")
        );
        self.say(&line)?;
        let mut go = vec!["go".to_owned()];
        if let Some(nodes) = limits.nodes {
            go.push(format!("nodes {nodes}"));
        }
        if let Some(depth) = limits.depth {
            go.push(format!("depth {depth}"));
        }
        if let Some(time) = limits.time {
            go.push(format!("movetime {}", time.as_millis()));
        }
        if let Some(clock) = limits.clock {
            let (left, increment) = (clock.left.as_millis(), clock.increment.as_millis());
            go.push(format!(
                "wtime {left} btime {left} winc {increment} binc {increment}"
            ));
        }
        self.say(&go.join(" "))?;
        let answer = self.wait("bestmove")?;
        let lan = answer.split_whitespace().nth(1).unwrap_or("");
        read_turn(position, lan)
    }
}

fn read_turn(position: &Position, lan: &str) -> anyhow::Result<Turn> {
    let actions = position
        .read(lan)
        .with_context(|| format!("the other program played {lan}"))?;
    Ok(Turn::new(actions.to_vec()))
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.say("quit");
        if self.child.try_wait().is_ok_and(|status| status.is_none()) {
            std::thread::sleep(Duration::from_millis(50));
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}
