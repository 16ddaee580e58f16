//! The review of a game: what the engine thinks of every position, what each turn has cost, what would have been better.

use cotulenh::{Color, Game, GameTree, Nag, NodeId, Position};
use cotulenh_engine::{
    Engine, Judgement, Limits, Line, Opinion, Options, Score, Search, accuracy, loss,
};
use serde_json::{Value, json};

use crate::game::TimeSlice;
use crate::refusal::Refusal;
use crate::review::{Reviewer, Reviews};

/// How long the engine looks at a position, in nodes.
const NODES: u64 = 30_000;
/// How many turns of a better line are told.
const LINE: usize = 6;
/// How many turns may be right where somebody tries again.
const CHOICES: usize = 4;
/// What pages look for the bounds of judgements in: steps of a thousandth, finer than any of them.
const FINEST: u16 = 1000;
/// The table of the engine, in MiB.
const HASH_MIB: usize = 16;

pub(super) const REVIEWS: Reviews = Reviews {
    ending: "pgn",
    after_the_end: true,
    rounds: |_| 1,
    begin,
};

fn begin(pgn: &str, round: u32) -> Result<Box<dyn Reviewer>, Refusal> {
    let game: Option<Game> = pgn.parse().ok();
    let game = game.filter(|game| round == 1 && game.turn_count() > 0);
    let game = game.ok_or(Refusal::NotNow(crate::refusal::NotNow::NoTurn))?;
    Ok(Box::new(GameReviewer::new(&game)))
}

/// By what measures a page reviews games that are kept on its device: those of the reviews here, as the engine's
/// functions tell them.
pub(super) fn scoring() -> Value {
    let judgements = [
        Judgement::Blunder,
        Judgement::Mistake,
        Judgement::Inaccuracy,
    ];
    let judgements = judgements.map(|judgement| {
        let mut losses = (0..=FINEST).map(|part| f64::from(part) / f64::from(FINEST));
        let least = losses.find(|loss| Judgement::of(*loss) >= judgement);
        json!({ "name": judgement.name(), "least": least, "nag": nag(judgement) })
    });
    let chance = Score::Centi(100).chance();
    let lead = 100.0 / (chance / (1.0 - chance)).ln();
    let strictness = accuracy(&[1.0]).map(|percent| -(percent / 100.0).ln());
    json!({
        "nodes": NODES, "line": LINE, "choices": CHOICES, "lead": lead, "strictness": strictness,
        "judgements": judgements,
    })
}

/// The glyph of a turn that could have been better, by its number in PGN.
fn nag(judgement: Judgement) -> u8 {
    match judgement {
        Judgement::Blunder => 4,
        Judgement::Mistake => 2,
        _ => 6,
    }
}

/// A turn that was played.
#[derive(Debug)]
struct Played {
    san: String,
    lan: String,
    color: Color,
}

/// A turn that could have been better.
#[derive(Debug)]
struct Marked {
    ply: usize,
    judgement: Judgement,
    /// The better line in LAN.
    line: Vec<String>,
    told: Value,
}

#[derive(Debug)]
struct GameReviewer {
    positions: Vec<Position>,
    keys: Vec<u64>,
    turns: Vec<Played>,
    opinions: Vec<Opinion>,
    losses: Vec<f64>,
    marked: Vec<Marked>,
}

impl GameReviewer {
    fn new(game: &Game) -> Self {
        let mut positions: Vec<Position> = game.turns().map(|turn| turn.before).collect();
        positions.push(game.position().clone());
        let played = |turn: cotulenh::PlayedTurn<'_>| Played {
            san: turn.before.turn_san(turn.moves),
            lan: turn.before.turn_lan(turn.moves),
            color: turn.before.turn(),
        };
        Self {
            keys: positions.iter().map(Position::key).collect(),
            turns: game.turns().map(played).collect(),
            positions,
            opinions: Vec::new(),
            losses: Vec::new(),
            marked: Vec::new(),
        }
    }

    /// Judges the turn between the last two positions that were looked at.
    fn judge(&mut self, engine: &mut Engine) {
        let [.., before, after] = &self.opinions[..] else {
            return;
        };
        let lost = loss(before, after);
        let ply = self.losses.len();
        self.losses.push(lost);
        let judgement = Judgement::of(lost);
        if judgement == Judgement::Good {
            return;
        }
        let position = &self.positions[ply];
        let line = texts(position, &before.line);
        let told = json!({
            "ply": ply + 1,
            "judgement": judgement.name(),
            "loss": rounded(lost),
            "fen": position.to_string(),
            "better": line.iter().map(|(san, _)| san).collect::<Vec<_>>(),
            "right": self.right_turns(engine, ply),
        });
        self.marked.push(Marked {
            ply,
            judgement,
            line: line.into_iter().map(|(_, lan)| lan).collect(),
            told,
        });
    }

    /// The turns that cost nothing to speak of here: where somebody tries again, each of them is right.
    fn right_turns(&self, engine: &mut Engine, ply: usize) -> Vec<Value> {
        let position = &self.positions[ply];
        engine.set_options(Options {
            multi_pv: CHOICES,
            ..options()
        });
        let search = Search::new(position)
            .history(&self.keys[..ply])
            .limits(Limits::nodes(2 * NODES));
        let lines = engine.analyse(&search, |_| {}).lines;
        engine.set_options(options());
        let best = lines.first().map_or(0.0, |line| line.score.chance());
        let is_right = |line: &&Line| Judgement::of(best - line.score.chance()) == Judgement::Good;
        let told = |line: &Line| {
            let turn = line.turns.first()?;
            let after = turn.play_from(position)?;
            Some(json!({ "san": position.turn_san(turn), "fen": after.to_string() }))
        };
        lines.iter().filter(is_right).filter_map(told).collect()
    }

    /// The game with the judgements as glyphs and the better lines as variations.
    fn tree(&self) -> Option<GameTree> {
        let mut tree = GameTree::new(self.positions[0].clone());
        let mut at = NodeId::ROOT;
        for (ply, turn) in self.turns.iter().enumerate() {
            let next = tree.play(at, &turn.lan).ok()?;
            if let Some(marked) = self.marked.iter().find(|marked| marked.ply == ply) {
                let nag = Nag(nag(marked.judgement));
                tree.annotation_mut(next)?.set_nags([nag]);
                let mut variation = at;
                for lan in &marked.line {
                    variation = tree.play(variation, lan).ok()?;
                }
            }
            at = next;
        }
        Some(tree)
    }

    /// What is told of a side.
    fn side(&self, color: Color) -> Value {
        let own = self.turns.iter().zip(&self.losses);
        let own = own.filter(|(turn, _)| turn.color == color);
        let losses: Vec<f64> = own.map(|(_, loss)| *loss).collect();
        let count = |judgement: Judgement| {
            let of = |loss: &&f64| Judgement::of(**loss) == judgement;
            losses.iter().filter(of).count()
        };
        json!({
            "accuracy": accuracy(&losses).map(|percent| (10.0 * percent).round() / 10.0),
            "inaccuracies": count(Judgement::Inaccuracy),
            "mistakes": count(Judgement::Mistake),
            "blunders": count(Judgement::Blunder),
        })
    }
}

fn options() -> Options {
    Options {
        hash_mib: HASH_MIB,
        ..Options::default()
    }
}

fn rounded(share: f64) -> f64 {
    (1000.0 * share).round() / 1000.0
}

/// The first turns of a line, each in SAN and LAN.
fn texts(position: &Position, line: &[cotulenh_engine::Turn]) -> Vec<(String, String)> {
    let mut now = position.clone();
    let mut texts = Vec::new();
    for turn in line.iter().take(LINE) {
        let Some(after) = turn.play_from(&now) else {
            break;
        };
        texts.push((now.turn_san(turn), now.turn_lan(turn)));
        now = after;
    }
    texts
}

/// A score as red sees it, and red's chance of winning.
fn score(position: &Position, opinion: &Opinion) -> Value {
    let is_red = position.turn() == Color::Red;
    let sign = if is_red { 1 } else { -1 };
    let chance = opinion.score.chance();
    let chance = if is_red { chance } else { 1.0 - chance };
    let (cp, mate) = match opinion.score {
        Score::Centi(worth) => (Some(sign * worth), None),
        Score::Mate(turns) => (None, Some(sign * turns)),
    };
    json!({ "cp": cp, "mate": mate, "chance": rounded(chance) })
}

impl Reviewer for GameReviewer {
    fn step(&mut self, slice: &TimeSlice<'_>) -> bool {
        let ply = self.opinions.len();
        let Some(position) = self.positions.get(ply) else {
            return false;
        };
        let mut engine: Engine = slice.take().unwrap_or_else(|| Engine::new(options()));
        let opinion = Opinion::of(&mut engine, position, &self.keys[..ply], NODES);
        self.opinions.push(opinion);
        self.judge(&mut engine);
        slice.keep(engine);
        true
    }

    fn progress(&self) -> (usize, usize) {
        (self.opinions.len(), self.positions.len())
    }

    fn review(&self) -> Option<Value> {
        if self.opinions.len() < self.positions.len() {
            return None;
        }
        let scores = self.positions.iter().zip(&self.opinions);
        let scores: Vec<Value> = scores.map(|(at, opinion)| score(at, opinion)).collect();
        let turns: Vec<&String> = self.turns.iter().map(|turn| &turn.san).collect();
        let marked: Vec<&Value> = self.marked.iter().map(|marked| &marked.told).collect();
        Some(json!({
            "version": 1,
            "nodes": NODES,
            "pgn": self.tree()?.pgn(),
            "scores": scores,
            "turns": turns,
            "marked": marked,
            "sides": { "r": self.side(Color::Red), "b": self.side(Color::Blue) },
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Stop;
    use crate::pool::Cache;

    fn review(pgn: &str) -> Value {
        let mut reviewer = begin(pgn, 1).unwrap();
        let (stop, cache) = (Stop::default(), Cache::new(1));
        let slice = TimeSlice::new(&stop, &cache, "");
        assert_eq!(reviewer.review(), None);
        while reviewer.step(&slice) {}
        let (done, all) = reviewer.progress();
        assert_eq!(done, all);
        reviewer.review().unwrap()
    }

    /// Red walks past a mate: the review says so, tells it as a variation, and lets it through where it is tried again.
    #[test]
    fn a_missed_mate_is_marked_with_something_better() {
        let fen = "11/5g5/11/2c8/5A5/3C7/5s5/11/4T1T4/11/11/11 r - - 0 1";
        let reviewed = review(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. Ag8 *"));
        let start: Position = fen.parse().unwrap();
        let mates = start.turns().into_iter().find(|turn| turn.lan == "Af8c11");
        let mates = mates.unwrap();
        let marked = reviewed["marked"].as_array().unwrap();
        assert_eq!((marked.len(), &marked[0]["ply"]), (1, &json!(1)));
        assert_ne!(marked[0]["judgement"], "good");
        assert_eq!(marked[0]["better"], json!([mates.san]));
        let right = marked[0]["right"].as_array().unwrap();
        let after = json!(mates.after.to_string());
        assert!(right.iter().any(|turn| turn["fen"] == after), "{right:?}");
        assert_eq!(reviewed["turns"], json!(["Ag8"]));
        let scores = reviewed["scores"].as_array().unwrap();
        assert_eq!((scores.len(), &scores[0]["mate"]), (2, &json!(1)));
        let red = reviewed["sides"]["r"]["accuracy"].as_f64().unwrap();
        assert!((0.0..95.0).contains(&red), "{red}");
        assert_eq!(reviewed["sides"]["b"]["accuracy"], Value::Null);
        // The annotated game is read again by the rules.
        let tree: GameTree = reviewed["pgn"].as_str().unwrap().parse().unwrap();
        assert_eq!((tree.main_line().count(), tree.len()), (1, 3));
    }

    /// The measures that pages are told are those of docs/reviews.md.
    #[test]
    fn pages_are_told_the_same_measures() {
        let told = scoring();
        let near = |value: &Value, wanted: f64| (value.as_f64().unwrap() - wanted).abs() < 1e-6;
        assert!(
            near(&told["lead"], 320.0) && near(&told["strictness"], 4.0),
            "{told}"
        );
        let least = told["judgements"].as_array().unwrap().iter();
        let least: Vec<_> = least.map(|one| (&one["name"], &one["least"])).collect();
        let wanted = [
            (json!("blunder"), json!(0.2)),
            (json!("mistake"), json!(0.1)),
            (json!("inaccuracy"), json!(0.05)),
        ];
        assert_eq!(least, wanted.each_ref().map(|(name, least)| (name, least)));
    }

    #[test]
    fn nothing_is_reviewed_without_a_turn() {
        for (pgn, round) in [("*", 1), ("1. Ic6 *", 2), ("no game", 1)] {
            assert!(begin(pgn, round).is_err(), "{pgn}");
        }
    }
}
