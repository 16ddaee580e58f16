//! Rounds and games between two players, each deal twice.

use anyhow::{Context as _, bail};
use tractor::{
    Deck, Event, Level, Phase, Rank, Round, Rules, Seat, Seed, Setup, Start, Team, View,
};
use tractor_engine::{Rng, random_rules};

use super::contestant::Contestant;
use super::figures::{self, Levels};

/// Which house rules are played.
#[derive(Debug, Clone, Copy)]
pub(crate) enum House {
    Preset(Rules),
    Random,
}

impl House {
    pub(crate) fn read(name: &str) -> anyhow::Result<Self> {
        if name == "random" {
            return Ok(Self::Random);
        }
        let preset = Rules::preset(name);
        let names = Rules::PRESETS.join(", ");
        Ok(Self::Preset(preset.with_context(|| {
            format!("rules are {names} or random, not {name}")
        })?))
    }

    fn rules(self, rng: &mut Rng) -> Rules {
        match self {
            Self::Preset(rules) => rules,
            Self::Random => random_rules(rng),
        }
    }
}

/// One deal, twice: first with the player on team A, then on team B.
pub(crate) fn deal(
    seats: &mut [Contestant; 2],
    house: House,
    seed: u64,
    item: usize,
) -> anyhow::Result<Vec<figures::Round>> {
    let mut rng = Rng::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(item as u64));
    let number = rng.next();
    let rules = house.rules(&mut rng);
    let setup = setup(rules, item, &mut rng);
    let mut rounds = Vec::new();
    for player in Team::ALL {
        for (place, seat) in seats.iter_mut().enumerate() {
            seat.reseed(number ^ place as u64);
        }
        let deck = Deck::of(&Seed::from_number(number), setup.number);
        let round = play_round(seats, player, Round::new(setup, deck))?;
        rounds.push(report(&round, player, seats)?);
    }
    Ok(rounds)
}

/// A quarter of the deals are first rounds, where a declaration decides who defends; the others begin somewhere in
/// a game.
fn setup(rules: Rules, item: usize, rng: &mut Rng) -> Setup {
    if item.is_multiple_of(4) {
        return Setup::first(rules);
    }
    let starter = Seat::ALL[rng.below(4)];
    let mut level = || Level::from(Rank::ALL[rng.below(13)]);
    Setup {
        rules,
        number: 2,
        start: Start {
            starter,
            defending: starter.team(),
            levels: [level(), level()],
        },
        trump: None,
    }
}

/// Two whole games from the same sequence of deals, with the teams exchanged.
pub(crate) fn games(
    seats: &mut [Contestant; 2],
    house: House,
    seed: u64,
    item: usize,
) -> anyhow::Result<Vec<figures::Round>> {
    const LONGEST: u32 = 400;
    let mut rng = Rng::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(item as u64));
    let number = rng.next();
    let rules = house.rules(&mut rng);
    let mut rounds = Vec::new();
    for player in Team::ALL {
        for (place, seat) in seats.iter_mut().enumerate() {
            seat.reseed(number ^ place as u64);
        }
        let mut setup = Setup::first(rules);
        loop {
            let deck = Deck::of(&Seed::from_number(number), setup.number);
            let round = play_round(seats, player, Round::new(setup, deck))?;
            let mut report = report(&round, player, seats)?;
            let Phase::Over(over) = round.phase() else {
                bail!("a round did not end");
            };
            match over.result.next {
                Some(start) if setup.number < LONGEST => {
                    setup.number += 1;
                    setup.start = start;
                    rounds.push(report);
                }
                Some(start) => {
                    // Whoever stands higher has won a game that does not end.
                    let [a, b] = start.levels;
                    report.game = Some(if player == Team::A { a > b } else { b > a });
                    rounds.push(report);
                    break;
                }
                None => {
                    report.game = Some(over.result.winner == player);
                    rounds.push(report);
                    break;
                }
            }
        }
    }
    Ok(rounds)
}

fn report(
    round: &Round,
    player: Team,
    seats: &mut [Contestant; 2],
) -> anyhow::Result<figures::Round> {
    let Phase::Over(over) = round.phase() else {
        bail!("a round did not end");
    };
    let won = over.result.winner == player;
    let attacked = round.defending() != player;
    let over_par = over.result.points - 80;
    let rise = i32::from(over.result.rise.min(12));
    let [times, opponent_times] = [0, 1].map(|place| seats[place].take_times());
    Ok(figures::Round {
        won,
        margin: if attacked { over_par } else { -over_par },
        levels: Levels(if won { rise } else { -rise }),
        game: None,
        times,
        opponent_times,
    })
}

/// Plays a round to its end; `seats[0]` holds both seats of `player`.
fn play_round(
    seats: &mut [Contestant; 2],
    player: Team,
    mut round: Round,
) -> anyhow::Result<Round> {
    let who = |seat: Seat| usize::from(seat.team() != player);
    loop {
        let place = round.events().len();
        match round.phase() {
            Phase::Dealing(dealing) => {
                let first = round.first_dealt().after(dealing.dealt.into());
                if dealing.dealt < 100 {
                    round.apply(Event::Deal { count: 1 })?;
                    ask_all(seats, who, &mut round, first)?;
                } else {
                    round.apply(Event::Close)?;
                }
            }
            Phase::Burying(burying) => {
                let seat = burying.seat;
                let cards = seats[who(seat)].bury(&View::of(&round, Some(seat)))?;
                apply(&mut round, Event::Bury { seat, cards })?;
            }
            Phase::Stealing(_) => {
                let first = round.buried_by().map_or(Seat::ALL[0], Seat::next);
                if !ask_all(seats, who, &mut round, first)? {
                    round.apply(Event::Close)?;
                }
            }
            Phase::Playing(playing) => {
                let seat = playing.turn();
                let cards = seats[who(seat)].play(&View::of(&round, Some(seat)))?;
                apply(&mut round, Event::Play { seat, cards })?;
            }
            Phase::Over(_) => return Ok(round),
        }
        if place > 2000 {
            bail!("a round does not end");
        }
    }
}

fn apply(round: &mut Round, event: Event) -> anyhow::Result<()> {
    let text = event.to_string();
    round
        .apply(event)
        .with_context(|| format!("illegal: {text} under trump {}", round.trump()))
}

/// Asks every seat that may declare, in turn order; whether one did.
fn ask_all(
    seats: &mut [Contestant; 2],
    who: impl Fn(Seat) -> usize,
    round: &mut Round,
    first: Seat,
) -> anyhow::Result<bool> {
    let mut declared = false;
    for steps in 0..4 {
        let seat = first.after(steps);
        let view = View::of(round, Some(seat));
        if view.offers.is_empty() {
            continue;
        }
        if let Some(cards) = seats[who(seat)].declare(&view)? {
            apply(round, Event::Declare { seat, cards })?;
            declared = true;
            if !matches!(round.phase(), Phase::Dealing(_)) {
                return Ok(true);
            }
        }
    }
    Ok(declared)
}
