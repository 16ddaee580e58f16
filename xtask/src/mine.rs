//! `cargo xtask mine`: tactical positions with proven or deeply verified best turns.
//!
//! Mates are proven by a search of its own that knows nothing of the engine's. Other positions
//! come from games: a short search says where one turn stands out, and one of a hundred times the
//! nodes that the engine is later given says which turn that is, whether or not the short one
//! agrees.

mod proof;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::Context as _;
use cotulenh::{Color, MoveKind, Piece, Position, Role, Setup, Square, Stack};
use cotulenh_engine::{Engine, Limits, Options, Report, Turn};

use crate::chance::Chance;
use crate::openings::stroll;

/// Mine tactical positions
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The file to write
    #[arg(long, default_value = "crates/cotulenh-engine/data/tactics.txt")]
    out: PathBuf,
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    #[arg(long, default_value_t = 20_260_401)]
    seed: u64,
    /// How many mates of each length
    #[arg(long, default_value_t = 10)]
    mates: usize,
    /// How many of each other kind
    #[arg(long, default_value_t = 5)]
    each: usize,
    /// Nodes that verify a best turn
    #[arg(long, default_value_t = 20_000_000)]
    nodes: u64,
    /// Only positions of few pieces, whose mates are proven
    #[arg(long)]
    few: bool,
    /// Stop after so many seconds
    #[arg(long, default_value_t = 400)]
    seconds: u64,
}

/// The kinds of positions, in the order of the file.
const KINDS: [&str; 9] = [
    "mate1", "mate2", "mate3", "mate4", "deploy", "kamikaze", "stay", "defence", "aircover",
];

struct Mine<'a> {
    args: &'a Args,
    begun: Instant,
    next: AtomicUsize,
    found: Mutex<HashMap<&'static str, Vec<String>>>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mine = Mine {
        args,
        begun: Instant::now(),
        next: AtomicUsize::new(0),
        found: Mutex::new(known(&args.out)),
    };
    std::thread::scope(|scope| {
        for _ in 0..args.concurrency.max(1) {
            scope.spawn(|| mine.dig());
        }
    });
    let found = mine
        .found
        .into_inner()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut text = String::from(
        "# Tactical positions: kind;FEN;best turns, with spaces between. `cargo xtask mine` writes them.\n",
    );
    for kind in KINDS {
        let lines = found.get(kind).map_or(&[][..], Vec::as_slice);
        println!("{kind}: {}", lines.len());
        for line in lines {
            let _ = writeln!(text, "{line}");
        }
    }
    std::fs::write(&args.out, text).with_context(|| format!("cannot write {}", args.out.display()))
}

/// The positions that the file holds already: they stay.
fn known(path: &std::path::Path) -> HashMap<&'static str, Vec<String>> {
    let mut found: HashMap<_, Vec<String>> = HashMap::new();
    let text = std::fs::read_to_string(path).unwrap_or_default();
    for line in text.lines() {
        if let Some(kind) = KINDS
            .iter()
            .find(|kind| line.split(';').next() == Some(kind))
        {
            found.entry(*kind).or_default().push(line.to_owned());
        }
    }
    found
}

impl Mine<'_> {
    fn needs(&self, kind: &str) -> bool {
        let found = self
            .found
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        found.get(kind).map_or(0, Vec::len) < self.wanted(kind)
    }

    fn wanted(&self, kind: &str) -> usize {
        if kind.starts_with("mate") {
            self.args.mates
        } else {
            self.args.each
        }
    }

    fn over(&self) -> bool {
        self.begun.elapsed().as_secs() >= self.args.seconds
            || !KINDS.iter().any(|kind| self.needs(kind))
    }

    fn keep(&self, kind: &'static str, position: &Position, best: &[String]) {
        let line = format!("{kind};{position};{}", best.join(" "));
        let mut found = self
            .found
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let lines = found.entry(kind).or_default();
        if lines.len() < self.wanted(kind) && !lines.contains(&line) {
            lines.push(line);
        }
    }

    fn dig(&self) {
        let mut engine = Engine::new(Options {
            hash_mib: 256,
            lines: 2,
            ..Options::default()
        });
        while !self.over() {
            let game = self.next.fetch_add(1, Ordering::Relaxed);
            let mut chance = Chance::new(self.args.seed ^ (game as u64) << 20);
            if self.args.few || game.is_multiple_of(2) {
                for _ in 0..400 {
                    if self.over() {
                        return;
                    }
                    if let Some(position) = few_pieces(&mut chance) {
                        let short = [("mate1", 1), ("mate2", 2)];
                        if !self.try_mates(&position, &short, false) {
                            self.try_mates(&position, &[("mate3", 3), ("mate4", 4)], true);
                        }
                    }
                }
            } else {
                self.walk_game(&mut engine, &mut chance);
            }
        }
    }

    /// The shortest mate there is, if few turns begin it; answers whether there is any. A mate that
    /// begins with a deploy or a kamikaze is kept as one of these.
    fn try_mates(
        &self,
        position: &Position,
        lengths: &[(&'static str, u32)],
        checks: bool,
    ) -> bool {
        for (kind, length) in lengths {
            let Some(turns) = proof::mating_turns(position, *length, checks, 400_000) else {
                return true;
            };
            if turns.is_empty() {
                continue;
            }
            let shorter = proof::mating_turns(position, length - 1, checks, 400_000);
            if turns.len() > 2 || shorter.is_none_or(|turns| !turns.is_empty()) {
                return true;
            }
            let all = |test: &dyn Fn(&Turn) -> bool| turns.iter().all(test);
            let kind = if all(&|turn| turn.iter().any(|mv| mv.kind() == MoveKind::Kamikaze)) {
                "kamikaze"
            } else if all(&|turn| turn.len() > 1) {
                "deploy"
            } else {
                kind
            };
            if self.needs(kind) {
                let names: Vec<_> = turns.iter().map(|turn| position.turn_lan(turn)).collect();
                self.keep(kind, position, &names);
            }
            return true;
        }
        false
    }

    /// A game of short searches, each position of which is looked at.
    fn walk_game(&self, engine: &mut Engine, chance: &mut Chance) {
        let length = 6 + chance.below(8);
        let Some(mut position) = stroll(chance, length) else {
            return;
        };
        let mut keys = Vec::new();
        let mut taken = false;
        for _ in 0..140 {
            if position.outcome().is_some() || self.over() {
                return;
            }
            let report = search(engine, &position, &keys, 2_000);
            let Some(best) = report.best().cloned() else {
                return;
            };
            if chance.below(3) == 0 {
                self.try_mates(&position, &[("mate1", 1), ("mate2", 2)], false);
            }
            let margin = lead(&report);
            if !taken && margin >= 150 && chance.below(2) == 0 {
                let report = search(engine, &position, &[], 40_000);
                let kind = report.best().and_then(|best| kind_of(&position, best));
                if lead(&report) >= 150 && kind.is_some_and(|kind| self.needs(kind)) {
                    taken = self.verify(engine, &position);
                }
            }
            keys.push(position.key());
            // Now and then something weaker, so that games differ and mistakes happen.
            let lines = &report.lines;
            let chosen = lines.get(1).filter(|_| chance.below(8) == 0);
            let turn = chosen.and_then(|line| line.turns.first()).unwrap_or(&best);
            match turn.play_from(&position) {
                Some(next) => position = next,
                None => return,
            }
        }
    }

    /// A long search decides which turn is best, and whether it stands out.
    fn verify(&self, engine: &mut Engine, position: &Position) -> bool {
        engine.clear();
        let report = search(engine, position, &[], self.args.nodes);
        engine.clear();
        let score = report.score().map_or(0, cotulenh_engine::Score::value);
        let Some(best) = report.best() else {
            return false;
        };
        // A turn among many that win is no test; nor is the best of lost positions.
        let matters = score > -1_200
            && report
                .lines
                .get(1)
                .is_some_and(|line| line.score.value() < 1_200);
        match kind_of(position, best) {
            Some(kind) if matters && lead(&report) >= 120 => {
                self.keep(kind, position, &[position.turn_lan(best)]);
                true
            }
            _ => false,
        }
    }
}

fn search(engine: &mut Engine, position: &Position, keys: &[u64], nodes: u64) -> Report {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    engine.analyse(position, keys, &limits, &AtomicBool::new(false), |_| {})
}

/// By how much the best turn is better than the next.
fn lead(report: &Report) -> i32 {
    match &report.lines[..] {
        [first, second, ..] => first.score.value() - second.score.value(),
        _ => 0,
    }
}

/// What kind of tactics a turn is, if any.
fn kind_of(position: &Position, turn: &Turn) -> Option<&'static str> {
    let has = |kind: MoveKind| turn.iter().any(|mv| mv.kind() == kind);
    let captures = turn.iter().any(|mv| mv.is_capture());
    if position.in_check() {
        return Some("defence");
    }
    if has(MoveKind::Kamikaze) {
        return Some("kamikaze");
    }
    if turn.len() > 1 && captures {
        return Some("deploy");
    }
    if has(MoveKind::StayCapture) {
        return Some("stay");
    }
    // An aircraft shut in, or air cover moved so that it is.
    let first = turn.first()?;
    let provider = matches!(first.role(), Role::AntiAir | Role::Missile | Role::Navy);
    (provider && !captures && threatens_aircraft(position, turn)).then_some("aircover")
}

/// Whether the turn brings an enemy aircraft under air cover or attack.
fn threatens_aircraft(position: &Position, turn: &Turn) -> bool {
    let Some(next) = turn.play_from(position) else {
        return false;
    };
    let own = position.turn();
    let planes = next
        .stacks()
        .filter(|(_, stack)| stack.color() != own && stack.has(Role::AirForce));
    planes.into_iter().any(|(square, _)| {
        let covered =
            next.air_cover(own).contains(square) && !position.air_cover(own).contains(square);
        covered || next.attackers(square, own).next().is_some()
    })
}

/// A random lawful position of few pieces, red to move, with a hunt on.
fn few_pieces(chance: &mut Chance) -> Option<Position> {
    const HUNTERS: [Role; 7] = [
        Role::Tank,
        Role::AirForce,
        Role::Artillery,
        Role::Missile,
        Role::Militia,
        Role::Navy,
        Role::Infantry,
    ];
    const LADEN: [&str; 6] = ["(TI)", "(FT)", "(FTI)", "(TM)", "(NFT)", "(NT)"];
    const GUARDS: [Role; 5] = [
        Role::Infantry,
        Role::AntiAir,
        Role::Engineer,
        Role::Headquarters,
        Role::Tank,
    ];
    let squares: Vec<Square> = Square::all().collect();
    let single = |role, color, heroic| {
        Stack::new([Piece {
            role,
            color,
            heroic,
        }])
    };
    let mut setup = Setup::new();
    let mut put = |stack: Option<Stack>, chance: &mut Chance, near: Option<Square>| {
        let role = stack?.carrier().role;
        for _ in 0..50 {
            let square = squares[chance.below(squares.len())];
            let close = near.is_none_or(|near| {
                square.file().abs_diff(near.file()) <= 4 && square.rank().abs_diff(near.rank()) <= 5
            });
            if close && setup.get(square).is_none() && cotulenh::Terrain::admits(role, square) {
                setup.set(square, stack);
                return Some(square);
            }
        }
        None
    };
    let target = put(single(Role::Commander, Color::Blue, false), chance, None)?;
    put(single(Role::Commander, Color::Red, false), chance, None)?;
    for _ in 0..3 + chance.below(2) {
        let role = HUNTERS[chance.below(HUNTERS.len())];
        let heroic = chance.below(4) == 0;
        let mut stack = single(role, Color::Red, heroic);
        if chance.below(3) == 0 {
            stack = LADEN[chance.below(LADEN.len())].parse().ok();
        }
        put(stack, chance, Some(target))?;
    }
    for _ in 0..2 {
        put(
            single(GUARDS[chance.below(GUARDS.len())], Color::Blue, false),
            chance,
            Some(target),
        )?;
    }
    setup.turn = Color::Red;
    let position = Position::try_from(&setup).ok()?;
    let sane = !position.in_danger(Color::Blue) && !position.in_danger(Color::Red);
    (sane && position.outcome().is_none()).then_some(position)
}
