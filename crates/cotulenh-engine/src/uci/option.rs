//! Options.

use std::sync::Arc;
use std::time::Duration;

use crate::engine::Options;
use crate::feature::{Feature, Features};
use crate::level::SkillLevel;
use crate::net::Net;

/// What `uci` declares.
pub(super) const DECLARATIONS: [&str; 13] = [
    "option name Hash type spin default 16 min 1 max 4096",
    "option name Threads type spin default 1 min 1 max 64",
    "option name MultiPV type spin default 1 min 1 max 64",
    "option name Level type spin default 10 min 1 max 10",
    "option name EvalFile type string default <empty>",
    "option name Ponder type check default false",
    "option name Seed type spin default 0 min 0 max 4294967295",
    "option name Marine type check default false",
    "option name Air type check default false",
    "option name Land type check default false",
    "option name Without type string default <empty>",
    "option name Clear Hash type button",
    "option name Overhead type spin default 15 min 0 max 1000",
];

/// What an option does.
pub(super) enum Change {
    Options(Options),
    ClearHash,
    Net(Arc<Net>),
}

/// Reads `name … value …` over the options as they are.
pub(super) fn read(options: &Options, words: &[&str]) -> Result<Change, String> {
    let ["name", rest @ ..] = words else {
        return Err("setoption needs name".into());
    };
    let split = rest
        .iter()
        .position(|word| *word == "value")
        .unwrap_or(rest.len());
    let name = rest[..split].join(" ").to_lowercase();
    let value = rest.get(split + 1..).unwrap_or(&[]).join(" ");
    let mut options = *options;
    match name.as_str() {
        "hash" => options.hash_mib = number(&value, 1, 4096)?,
        "threads" => options.threads = number(&value, 1, 64)?,
        "multipv" => options.multi_pv = number(&value, 1, 64)?,
        "level" => {
            let level = u8::try_from(number(&value, 1, 10)?)
                .ok()
                .and_then(SkillLevel::new);
            options.level = level.unwrap_or_default();
        }
        "seed" => options.seed = number(&value, 0, 4_294_967_295)? as u64,
        "marine" => options.rules.marine = truth(&value)?,
        "air" => options.rules.air = truth(&value)?,
        "land" => options.rules.land = truth(&value)?,
        "without" => options.features = without(&value)?,
        "clear hash" => return Ok(Change::ClearHash),
        "evalfile" => return Ok(Change::Net(net(&value)?)),
        "overhead" => options.overhead = Duration::from_millis(number(&value, 0, 1_000)? as u64),
        "ponder" => {}
        _ => return Err(format!("unknown option: {}", super::short(&name))),
    }
    Ok(Change::Options(options))
}

fn number(value: &str, least: usize, most: usize) -> Result<usize, String> {
    let number = value
        .parse()
        .ok()
        .filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| format!("the value must lie between {least} and {most}"))
}

/// The network in a file, or the one built in.
fn net(path: &str) -> Result<Arc<Net>, String> {
    if path.is_empty() || path == "<empty>" {
        return Ok(Net::standard());
    }
    let bytes = std::fs::read(path).map_err(|error| format!("EvalFile: {error}"))?;
    let net = Net::from_bytes(&bytes).map_err(|error| format!("EvalFile: {error}"))?;
    Ok(Arc::new(net))
}

fn truth(value: &str) -> Result<bool, String> {
    value
        .parse()
        .map_err(|_| "the value must be true or false".into())
}

/// All features but those named, with commas, spaces or plus signs between.
fn without(value: &str) -> Result<Features, String> {
    let names = value
        .split([',', ' ', '+'])
        .filter(|name| !name.is_empty() && *name != "<empty>");
    names.into_iter().try_fold(Features::ALL, |features, name| {
        let feature: Feature = name.parse().map_err(|error| format!("{error}"))?;
        Ok(features.without(feature))
    })
}
