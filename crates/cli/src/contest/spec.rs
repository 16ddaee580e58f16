//! Descriptions of players on the command line.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use cotulenh_engine::{Feature, Handicap, Limits, Net, Options, SkillLevel};

/// A time control: seconds for the game and for every turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TimeControl {
    pub(crate) base: Duration,
    pub(crate) increment: Duration,
}

/// A player as it was described.
#[derive(Debug, Clone)]
pub(crate) struct Spec {
    text: String,
    pub(crate) kind: Kind,
    pub(crate) limits: Limits,
    pub(crate) tc: Option<TimeControl>,
    /// How long a clock or a `time=` may be exceeded.
    pub(crate) margin: Duration,
}

/// What sort of player it is.
#[derive(Debug, Clone)]
pub(crate) enum Kind {
    /// The engine of this build, perhaps with another network.
    Engine(Box<Options>, Option<Arc<Net>>),
    Baseline(Baseline),
    External(Command),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Baseline {
    Material,
    AlphaBeta,
}

/// How an external engine is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Command {
    /// The program and its arguments.
    pub(crate) words: Vec<String>,
    /// `setoption` names and values.
    pub(crate) options: Vec<(String, String)>,
    /// How long an answer may take that no clock limits.
    pub(crate) timeout: Duration,
}

/// What a player may search that has no limit of its own.
const DEFAULT_NODES: u64 = 1_000;
/// How long a clock may be exceeded, unless `margin=` says otherwise.
pub(crate) const DEFAULT_MARGIN: Duration = Duration::from_millis(200);
/// How long an answer without a clock may take, unless `timeout=` says otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(1);

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Spec {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let fields = split(text)?;
        let mut kind = kind_of(&fields)?;
        let mut spec = Self {
            text: text.to_owned(),
            kind: kind.clone(),
            limits: Limits::default(),
            tc: None,
            margin: DEFAULT_MARGIN,
        };
        for field in &fields {
            let known = spec.read_limit(field)?
                || match &mut kind {
                    Kind::Engine(options, net) => read_engine(field, options, net)?,
                    Kind::Baseline(_) => field.value.is_none(),
                    Kind::External(command) => read_external(field, command)?,
                };
            ensure!(known, "{}", field.refusal(&kind));
        }
        let limited = !spec.limits.is_infinite() || spec.tc.is_some();
        ensure!(
            !limited || !matches!(kind, Kind::Baseline(_)),
            "material and alphabeta always search the same depth: they take no limit"
        );
        let has_own_limit = matches!(&kind, Kind::Engine(options, _) if options.level != SkillLevel::MAX
            || options.handicap.is_some_and(|handicap| handicap.nodes.is_some()));
        if !limited && !has_own_limit && !matches!(kind, Kind::Baseline(_)) {
            spec.limits.nodes = Some(DEFAULT_NODES);
        }
        spec.kind = kind;
        Ok(spec)
    }
}

impl Spec {
    /// Takes a limit; answers whether it was one.
    fn read_limit(&mut self, field: &Field) -> anyhow::Result<bool> {
        match field.name.as_str() {
            "nodes" => self.limits.nodes = Some(field.number::<u64>()?.max(1)),
            "depth" => self.limits.depth = Some(field.number()?),
            "time" => self.limits.time = Some(Duration::from_millis(field.number()?)),
            "margin" => self.margin = Duration::from_millis(field.number()?),
            "tc" => {
                let value = field.value()?;
                let (base, increment) = value.split_once('+').unwrap_or((value, "0"));
                let seconds = |part: &str| {
                    let seconds = part.parse().ok();
                    seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
                };
                let tc = seconds(base).zip(seconds(increment));
                let (base, increment) = tc.context("tc needs seconds, as in tc=60+0.5")?;
                self.tc = Some(TimeControl { base, increment });
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// One part of a description: `name` or `name=value`.
#[derive(Debug)]
struct Field {
    name: String,
    value: Option<String>,
}

impl Field {
    fn value(&self) -> anyhow::Result<&str> {
        let value = self.value.as_deref().filter(|value| !value.is_empty());
        value.with_context(|| format!("{} needs a value", self.name))
    }

    fn number<T: FromStr>(&self) -> anyhow::Result<T> {
        let number = self.value()?.parse().ok();
        number.with_context(|| format!("{} needs a number", self.name))
    }

    /// Why a player does not take the field.
    fn refusal(&self, kind: &Kind) -> String {
        const ENGINE: [&str; 7] = [
            "level", "hash", "threads", "net", "without", "noise", "blind",
        ];
        let name = &self.name;
        match kind {
            Kind::External(_) if ENGINE.contains(&name.as_str()) => format!(
                "{name}= belongs to the engine of this build; options of an external engine are \
                 written option.NAME=VALUE"
            ),
            Kind::Engine(..) if name.starts_with("option.") || name == "timeout" => {
                format!("{name}= belongs to external engines (cmd=PROGRAM)")
            }
            Kind::Baseline(_) => format!("material and alphabeta take no {name:?}"),
            _ => format!("no player has a {name:?}; see `convoy match --help`"),
        }
    }
}

/// Splits a description at commas outside quotes.
fn split(text: &str) -> anyhow::Result<Vec<Field>> {
    let mut parts = vec![String::new()];
    let (mut quote, mut escaped) = (None, false);
    for c in text.chars() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (None, '\'' | '"') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, ',') => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    ensure!(quote.is_none(), "a quote is not closed: {text}");
    let parts = parts.iter().map(|part| part.trim());
    let fields = parts.filter(|part| !part.is_empty()).map(|part| {
        let (name, value) = match part.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (part, None),
        };
        let name = name.to_owned();
        Field { name, value }
    });
    Ok(fields.collect())
}

fn kind_of(fields: &[Field]) -> anyhow::Result<Kind> {
    let mut kinds = Vec::new();
    for field in fields {
        kinds.push(match field.name.as_str() {
            "engine" => engine(),
            "material" => Kind::Baseline(Baseline::Material),
            "alphabeta" => Kind::Baseline(Baseline::AlphaBeta),
            "cmd" => {
                let words = shell_words::split(field.value()?)
                    .with_context(|| format!("cmd={}", field.value().unwrap_or("")))?;
                ensure!(!words.is_empty(), "cmd needs a program");
                Kind::External(Command {
                    words,
                    options: Vec::new(),
                    timeout: DEFAULT_TIMEOUT,
                })
            }
            _ => continue,
        });
    }
    ensure!(
        kinds.len() <= 1,
        "engine, material, alphabeta and cmd= exclude each other"
    );
    Ok(kinds.pop().unwrap_or_else(engine))
}

fn engine() -> Kind {
    let options = Options {
        hash_mib: 8,
        contempt: Options::CONTEMPT,
        ..Options::default()
    };
    Kind::Engine(Box::new(options), None)
}

/// Takes an option of this build's engine; answers whether it was one.
fn read_engine(
    field: &Field,
    options: &mut Options,
    net: &mut Option<Arc<Net>>,
) -> anyhow::Result<bool> {
    match field.name.as_str() {
        "engine" => return Ok(field.value.is_none()),
        "level" => {
            let level = SkillLevel::new(field.number()?);
            options.level = level.context("levels go from 1 to 10")?;
        }
        "noise" => handicap(options).noise = field.number::<i32>()?.clamp(0, 10_000),
        "blind" => handicap(options).blindness = field.number::<u64>()?.min(1_000),
        "hash" => options.hash_mib = within(field, 1, 4096)?,
        "threads" => options.threads = within(field, 1, 64)?,
        "net" => {
            let path = field.value()?;
            let bytes = std::fs::read(path).with_context(|| format!("cannot read {path}"))?;
            let read = Net::from_bytes(&bytes).with_context(|| format!("bad network {path}"))?;
            *net = Some(Arc::new(read));
        }
        "without" => {
            for name in field.value()?.split('+') {
                let feature: Feature = name.parse()?;
                options.features = options.features.without(feature);
            }
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn handicap(options: &mut Options) -> &mut Handicap {
    let level = options.level;
    options.handicap.get_or_insert(level.handicap())
}

fn within(field: &Field, least: usize, most: usize) -> anyhow::Result<usize> {
    let number = field.number()?;
    if !(least..=most).contains(&number) {
        bail!("{} must lie between {least} and {most}", field.name);
    }
    Ok(number)
}

/// Takes an option of an external engine; answers whether it was one.
fn read_external(field: &Field, command: &mut Command) -> anyhow::Result<bool> {
    if field.name == "cmd" {
        return Ok(true);
    }
    if field.name == "timeout" {
        let seconds = Duration::try_from_secs_f64(field.number()?);
        command.timeout = seconds.context("timeout needs seconds")?;
        return Ok(true);
    }
    let Some(name) = field.name.strip_prefix("option.") else {
        return Ok(false);
    };
    ensure!(!name.is_empty(), "option. needs a name");
    let value = field.value.as_deref().unwrap_or("");
    let words = shell_words::split(value).with_context(|| format!("option.{name}={value}"))?;
    command.options.push((name.to_owned(), words.join(" ")));
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(text: &str) -> Spec {
        text.parse().expect("a player")
    }

    fn refusal(text: &str) -> String {
        let error = text.parse::<Spec>().expect_err("no player");
        format!("{error:#}")
    }

    #[test]
    fn commands_and_options_are_quoted() {
        let text = r#"cmd='/opt/my engine/run' --book "a, b",option.Hash=64,option.Book File='x, y.bin',nodes=5"#;
        let Kind::External(command) = spec(text).kind else {
            panic!("an external engine");
        };
        assert_eq!(command.words, ["/opt/my engine/run", "--book", "a, b"]);
        let options = [("Hash", "64"), ("Book File", "x, y.bin")];
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(command.options, options);
        assert!(refusal("cmd='x").contains("quote is not closed"));
        assert!(refusal("cmd=").contains("cmd needs a value"));
    }

    #[test]
    fn a_limit_is_always_there() {
        for text in ["", "engine", "cmd=./x", "cmd=./x,option.Level=3"] {
            assert_eq!(spec(text).limits.nodes, Some(DEFAULT_NODES), "{text}");
        }
        assert_eq!(spec("level=3").limits.nodes, None);
        assert_eq!(spec("tc=3+0.1").limits.nodes, None);
        assert_eq!(spec("cmd=./x,time=20").limits.nodes, None);
    }

    #[test]
    fn what_cannot_apply_is_refused() {
        for name in [
            "hash=1",
            "threads=2",
            "level=3",
            "net=x",
            "without=lmr",
            "noise=1",
            "blind=1",
        ] {
            let text = refusal(&format!("cmd=./x,{name}"));
            assert!(text.contains("option.NAME=VALUE"), "{text}");
        }
        assert!(refusal("option.Hash=1").contains("external engines"));
        assert!(refusal("timeout=1").contains("external engines"));
        assert!(refusal("material,nodes=5").contains("take no limit"));
        assert!(refusal("material,hash=5").contains("take no \"hash\""));
        assert!(refusal("engine,material").contains("exclude each other"));
        assert!(refusal("speed=9").contains("no player has a \"speed\""));
        assert!(refusal("nodes=many").contains("nodes needs a number"));
        assert!(refusal("hash=0").contains("between 1 and 4096"));
        assert!(refusal("tc=fast").contains("tc=60+0.5"));
    }
}
