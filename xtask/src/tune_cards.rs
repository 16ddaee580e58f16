//! `cargo xtask tune-cards`: finds weights for the heuristic Tractor player by letting it play against itself.
//!
//! Every deal is played twice with the teams exchanged, and two sets of weights that differ little play most of it alike, so
//! that small gains show soon. One weight after another is tried with a step up and a step down; a gain must be
//! seen again on deals that had no say in choosing it.

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use rayon::prelude::*;
use tractor::{CardSet, Deck, Memory, Rank, RankedCards, Rules, Seat, Seed, Suit, Team, Trump};
use tractor_engine::{Rng, TrumpTables, Weights, World, bury, trump_strength};

/// Tune the weights of the heuristic Tractor player in matches against itself
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Weights to begin with, as NAME=VALUE
    begin: Vec<String>,
    /// Only match the weights to begin with against the built-in ones
    #[arg(long)]
    compare: bool,
    /// Deals of a trial, each played twice; a confirmation takes twice as many
    #[arg(long, default_value_t = 10_000)]
    deals: usize,
    /// Which weights are tried, separated by commas; all without
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
    /// How often all weights are gone through; the step is halved each time
    #[arg(long, default_value_t = 2)]
    passes: u32,
    /// The first step, as a share of a weight
    #[arg(long, default_value_t = 0.3)]
    step: f32,
    /// Stop after so many minutes
    #[arg(long)]
    minutes: Option<f64>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let mut best = Weights::NORMAL;
    for text in &args.begin {
        let (name, value) = text.split_once('=').context("a weight is NAME=VALUE")?;
        let weight = best.weight(name);
        *weight.with_context(|| format!("no weight is called {name}"))? = value.parse()?;
    }
    let mut field = Field {
        number: args.seed << 32,
        pool: rayon::ThreadPoolBuilder::new()
            .num_threads(args.concurrency.max(1))
            .build()?,
    };
    if args.compare {
        let match_ = field.play(&best, &Weights::NORMAL, args.deals);
        println!("{match_}");
        return Ok(());
    }
    for name in &args.only {
        if !Weights::WEIGHTS.contains(&name.as_str()) {
            bail!("no weight is called {name}");
        }
    }
    let begun = Instant::now();
    let late = || {
        args.minutes
            .is_some_and(|minutes| begun.elapsed() > Duration::from_secs_f64(60.0 * minutes))
    };
    for pass in 0..args.passes {
        let step = args.step * 0.5f32.powi(pass.cast_signed());
        for &name in Weights::WEIGHTS {
            if !args.only.is_empty() && !args.only.iter().any(|other| other == name) {
                continue;
            }
            if late() {
                break;
            }
            climb(&mut best, name, step, args.deals, &mut field);
        }
    }
    let total = field.play(&best, &Weights::NORMAL, 4 * args.deals);
    println!("against the built-in weights on fresh deals: {total}");
    let mut normal = Weights::NORMAL;
    for &name in Weights::WEIGHTS {
        let (new, old) = (best.weight(name).copied(), normal.weight(name).copied());
        if new != old {
            println!("{name}={}", new.unwrap_or_default());
        }
    }
    Ok(())
}

/// Moves one weight while that gains, first one way, then the other.
fn climb(best: &mut Weights, name: &str, step: f32, deals: usize, field: &mut Field) {
    for way in [1.0, -1.0] {
        let mut moved = false;
        loop {
            let mut trial = *best;
            let Some(weight) = trial.weight(name) else {
                return;
            };
            let old = *weight;
            // A weight of zero has no size to take a share of.
            *weight += way * step * old.abs().max(0.2);
            let new = *weight;
            let first = field.play(&trial, best, deals);
            if first.gain < first.error {
                break;
            }
            let again = field.play(&trial, best, 2 * deals);
            let kept = again.gain > again.error;
            println!(
                "{} {name} {old} -> {new}: {first}, then {again}",
                if kept { "+" } else { " " }
            );
            if !kept {
                break;
            }
            *best = trial;
            moved = true;
        }
        if moved {
            return;
        }
    }
}

/// Where sets of weights meet: every match takes deals that none before it had.
struct Field {
    number: u64,
    pool: rayon::ThreadPool,
}

/// What a match came to for the first weights.
#[derive(Debug, Clone, Copy)]
struct Match {
    deals: usize,
    /// Mean worth of a round, rounds won first, and its standard error.
    gain: f64,
    error: f64,
    wins: f64,
    margin: f64,
}

impl std::fmt::Display for Match {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "worth {:+.4} ± {:.4}, rounds won {:.2} %, margin {:+.2} ({} deals, twice)",
            self.gain,
            1.96 * self.error,
            self.wins,
            self.margin,
            self.deals
        )
    }
}

/// Both rounds of a deal.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    /// The mean worth of a round.
    worth: f64,
    won: u32,
    margin: i64,
}

impl Field {
    #[allow(clippy::cast_precision_loss, reason = "numbers of deals")]
    fn play(&mut self, ours: &Weights, theirs: &Weights, deals: usize) -> Match {
        let first = self.number;
        self.number += deals as u64;
        let deals: Vec<Sums> = self.pool.install(|| {
            let numbers = (first..self.number).into_par_iter();
            numbers
                .map(|number| Deal::new(number).match_of(ours, theirs))
                .collect()
        });
        let sum = |part: fn(&Sums) -> f64| deals.iter().map(part).sum::<f64>();
        let number = deals.len() as f64;
        let gain = sum(|deal| deal.worth) / number;
        let spread = sum(|deal| deal.worth * deal.worth) / number - gain * gain;
        Match {
            deals: deals.len(),
            gain,
            error: (spread.max(0.0) / number).sqrt(),
            wins: 50.0 * sum(|deal| deal.won.into()) / number,
            margin: deals.iter().map(|deal| deal.margin).sum::<i64>() as f64 / (2.0 * number),
        }
    }
}

/// The worth of a round to a team: winning it first, then levels, then points.
fn worth_of(points: i32, attacks: bool) -> (f64, bool, i32) {
    let (defended, levels) = Rules::DEFAULT.scoring.rise(points);
    let won = defended != attacks;
    let margin = if attacks { points - 80 } else { 80 - points };
    let side = 1.0 + 0.3 * f64::from(levels.min(4));
    let slope = f64::from(margin.clamp(-160, 160)) / 80.0;
    (if won { side } else { -side } + slope, won, margin)
}

/// A deal before the kitty is buried.
struct Deal {
    hands: [tractor::Faces; 4],
    kitty: tractor::Faces,
    starter: Seat,
    trump: Trump,
}

impl Deal {
    /// One round with each side in each team.
    fn match_of(&self, ours: &Weights, theirs: &Weights) -> Sums {
        let mut sums = Sums::default();
        for team in Team::ALL {
            let points = self.play(ours, theirs, team);
            let (value, won, margin) = worth_of(points, team != self.starter.team());
            sums.worth += value / 2.0;
            sums.won += u32::from(won);
            sums.margin += i64::from(margin);
        }
        sums
    }

    /// Someone sets its best suit as trump, and someone starts.
    fn new(number: u64) -> Self {
        let mut rng = Rng::new(number);
        let deck = Deck::of(&Seed::from_number(number), 1);
        let hands = [0, 1, 2, 3].map(|seat| {
            let cards = deck.cards()[..100].iter().skip(seat).step_by(4);
            cards.copied().collect::<CardSet>().faces()
        });
        let rank = Rank::ALL[rng.below(13)];
        let declarer = hands[rng.below(4)];
        let suit = Suit::ALL.into_iter().max_by(|&a, &b| {
            let [a, b] = [a, b].map(|suit| trump_strength(declarer, Trump::new(rank, Some(suit))));
            a.total_cmp(&b)
        });
        Self {
            hands,
            kitty: deck.kitty().iter().copied().collect::<CardSet>().faces(),
            starter: Seat::ALL[rng.below(4)],
            trump: Trump::new(rank, suit.filter(|_| rng.below(20) > 0)),
        }
    }

    /// The attackers' points where one team plays in our weights and the other in theirs.
    fn play(&self, ours: &Weights, theirs: &Weights, team: Team) -> i32 {
        let blank = TrumpTables::new(self.trump, Rules::DEFAULT);
        let tables = [ours, theirs].map(|weights| blank.clone().with_weights(*weights));
        let of = |seat: Seat| &tables[usize::from(seat.team() != team)];
        let judge = *blank.judge();
        let mut hands = self.hands.map(|cards| judge.ranked(cards));
        let full = hands[self.starter.index()].plus_unchecked(judge.ranked(self.kitty));
        let kitty: RankedCards = bury(of(self.starter), full);
        hands[self.starter.index()] = full.less_unchecked(kitty);
        let mut table = World {
            hands,
            kitty,
            burier: Some(self.starter),
            defending: self.starter.team(),
            attackers: 0,
            memory: Memory::default(),
            leader: self.starter,
            trick: None,
            pot: 0,
        };
        while !table.is_over() {
            let tables = of(table.turn());
            let cards = table.state(tables).choose();
            table.play(tables, cards);
        }
        table.attackers
    }
}
