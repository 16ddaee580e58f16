//! Rounds and games between two players, each deal twice.

use anyhow::{Context as _, bail};
use tractor::{
    Deck, Event, Level, Phase, Rank, Round, Rules, Seat, Seed, Setup, Start, Team, View,
};
use tractor_engine::{Rng, random_rules};

use super::contestant::Contestant;
use super::figures::{self, Score};
use super::forfeit::{Cause, Failure, Forfeit};
use super::stop::Stop;

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

/// One deal, twice: first with the player on team A, then on team B. `None` where the run was stopped before its end.
pub(crate) fn deal(
    seats: &mut [Contestant; 2],
    house: House,
    seed: u64,
    item: usize,
    stop: Stop,
) -> anyhow::Result<Option<Vec<figures::Round>>> {
    let (mut rng, number, rules) = draw(house, seed, item);
    let setup = setup(rules, item, &mut rng);
    let mut rounds = Vec::new();
    for player in Team::ALL {
        reseed(seats, number);
        let deck = Deck::of(&Seed::from_number(number), setup.number);
        match play_round(seats, player, Round::new(setup, deck), stop)? {
            End::Played(round) => rounds.push(report(&round, player, seats)?),
            End::Forfeit(who, forfeit) => rounds.push(forfeited(who, forfeit, seats)),
            End::Stopped => return Ok(None),
        }
    }
    Ok(Some(rounds))
}

/// The stream of numbers of an item, the number of its deal and its house rules.
fn draw(house: House, seed: u64, item: usize) -> (Rng, u64, Rules) {
    let mut rng = Rng::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(item as u64));
    let number = rng.next();
    let rules = house.rules(&mut rng);
    (rng, number, rules)
}

/// The players' chances for a deal: the same in both of its rounds.
fn reseed(seats: &mut [Contestant; 2], number: u64) {
    for (place, seat) in seats.iter_mut().enumerate() {
        seat.reseed(number ^ place as u64);
    }
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

/// Longer games are decided by the levels.
const LONGEST_GAME: u32 = 400;

/// Two whole games from the same sequence of deals, with the teams exchanged. A forfeited round loses its game.
pub(crate) fn games(
    seats: &mut [Contestant; 2],
    house: House,
    seed: u64,
    item: usize,
    stop: Stop,
) -> anyhow::Result<Option<Vec<figures::Round>>> {
    let (_, number, rules) = draw(house, seed, item);
    let mut rounds = Vec::new();
    for player in Team::ALL {
        reseed(seats, number);
        let mut setup = Setup::first(rules);
        loop {
            let deck = Deck::of(&Seed::from_number(number), setup.number);
            let round = match play_round(seats, player, Round::new(setup, deck), stop)? {
                End::Played(round) => round,
                End::Stopped => return Ok(None),
                End::Forfeit(who, forfeit) => {
                    let mut lost = forfeited(who, forfeit, seats);
                    lost.game = Some(who != 0);
                    rounds.push(lost);
                    break;
                }
            };
            let mut report = report(&round, player, seats)?;
            let Phase::Over(over) = round.phase() else {
                bail!("a round did not end");
            };
            report.game = match over.result.next {
                Some(_) if setup.number < LONGEST_GAME => None,
                Some(start) => {
                    let [a, b] = start.levels;
                    Some(if player == Team::A { a > b } else { b > a })
                }
                None => Some(over.result.winner == player),
            };
            let ended = report.game.is_some();
            rounds.push(report);
            match over.result.next {
                Some(start) if !ended => {
                    setup.number += 1;
                    setup.start = start;
                }
                _ => break,
            }
        }
    }
    Ok(Some(rounds))
}

/// A round that one side (0 the player, 1 the opponent) forfeited. Its program is started anew.
fn forfeited(who: usize, forfeit: Forfeit, seats: &mut [Contestant; 2]) -> figures::Round {
    seats[who].restart();
    let refused = [0, 1].map(|place| seats[place].take_refused());
    let [times, opponent_times] = [0, 1].map(|place| seats[place].take_times());
    figures::Round {
        won: who != 0,
        score: None,
        forfeit: Some((who, forfeit)),
        refused,
        game: None,
        times,
        opponent_times,
    }
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
    let refused = [0, 1].map(|place| seats[place].take_refused());
    let [times, opponent_times] = [0, 1].map(|place| seats[place].take_times());
    Ok(figures::Round {
        won,
        score: Some(Score {
            margin: if attacked { over_par } else { -over_par },
            levels: if won { rise } else { -rise },
        }),
        forfeit: None,
        refused,
        game: None,
        times,
        opponent_times,
    })
}

/// How a round ended.
enum End {
    Played(Box<Round>),
    /// The player (0) or the opponent (1) lost it without playing it to its end.
    Forfeit(usize, Forfeit),
    Stopped,
}

/// Plays a round to its end; `seats[0]` holds both seats of `player`.
fn play_round(
    seats: &mut [Contestant; 2],
    player: Team,
    round: Round,
    stop: Stop,
) -> anyhow::Result<End> {
    let mut table = Seated {
        seats,
        player,
        round,
    };
    loop {
        if stop.is_due() {
            return Ok(End::Stopped);
        }
        match table.step()? {
            Step::Going if table.round.events().len() > 2000 => bail!("a round does not end"),
            Step::Going => {}
            Step::Over => return Ok(End::Played(Box::new(table.round))),
            Step::Failed(_, Failure::Stopped) => return Ok(End::Stopped),
            Step::Failed(who, Failure::Forfeit(forfeit)) => return Ok(End::Forfeit(who, forfeit)),
        }
    }
}

/// A round and who sits at it.
struct Seated<'a> {
    seats: &'a mut [Contestant; 2],
    player: Team,
    round: Round,
}

/// What came of one step of a round.
enum Step {
    Going,
    Over,
    /// The player (0) or the opponent (1) gave no usable answer.
    Failed(usize, Failure),
}

impl Seated<'_> {
    fn who(&self, seat: Seat) -> usize {
        usize::from(seat.team() != self.player)
    }

    fn step(&mut self) -> anyhow::Result<Step> {
        match self.round.phase() {
            Phase::Dealing(dealing) => {
                let first = self.round.first_dealt().after(dealing.dealt.into());
                if dealing.dealt == Deck::DEALT {
                    self.round.apply(Event::Close)?;
                    return Ok(Step::Going);
                }
                self.round.apply(Event::Deal { count: 1 })?;
                Ok(self.ask_all(first)?.unwrap_or(Step::Going))
            }
            Phase::Burying(burying) => {
                let seat = burying.seat;
                let who = self.who(seat);
                let view = View::of(&self.round, Some(seat));
                match self.seats[who].bury(&view) {
                    Ok(cards) => self.apply(who, Event::Bury { seat, cards }),
                    Err(failure) => Ok(Step::Failed(who, failure)),
                }
            }
            Phase::Stealing(_) => {
                let first = self.round.buried_by().map_or(Seat::ALL[0], Seat::next);
                if let Some(step) = self.ask_all(first)? {
                    return Ok(step);
                }
                self.round.apply(Event::Close)?;
                Ok(Step::Going)
            }
            Phase::Playing(playing) => {
                let seat = playing.turn();
                let who = self.who(seat);
                let view = View::of(&self.round, Some(seat));
                match self.seats[who].play(&view) {
                    Ok(cards) => self.apply(who, Event::Play { seat, cards }),
                    Err(failure) => Ok(Step::Failed(who, failure)),
                }
            }
            Phase::Over(_) => Ok(Step::Over),
        }
    }

    /// Makes an event happen. One that is refused is a forfeit of a program, and an error of our own player.
    fn apply(&mut self, who: usize, event: Event) -> anyhow::Result<Step> {
        let text = event.to_string();
        let Err(refused) = self.round.apply(event) else {
            return Ok(Step::Going);
        };
        let words = format!("{text} under trump {}: {refused}", self.round.trump());
        if self.seats[who].is_external() {
            return Ok(Step::Failed(
                who,
                Forfeit::new(Cause::Illegal, words).into(),
            ));
        }
        bail!("illegal: {words}");
    }

    /// Asks every seat that may declare, in turn order. `None` where nobody declared.
    fn ask_all(&mut self, first: Seat) -> anyhow::Result<Option<Step>> {
        let mut declared = None;
        for steps in 0..4 {
            let seat = first.after(steps);
            let view = View::of(&self.round, Some(seat));
            if view.offers.is_empty() {
                continue;
            }
            let who = self.who(seat);
            match self.seats[who].declare(&view) {
                Ok(None) => {}
                Err(failure) => return Ok(Some(Step::Failed(who, failure))),
                Ok(Some(cards)) => {
                    let step = self.apply(who, Event::Declare { seat, cards })?;
                    let stolen = !matches!(self.round.phase(), Phase::Dealing(_));
                    if stolen || !matches!(step, Step::Going) {
                        return Ok(Some(step));
                    }
                    declared = Some(step);
                }
            }
        }
        Ok(declared)
    }
}
