//! Rounds of Tractor in the terminal: one person, three opponents.

mod show;

use std::io::{BufRead, Write};

use anyhow::Context as _;
use tractor::{CardSet, Event, Faces, Game, Rules, Seat, Seed, Stage, View};

use show::Style;

/// How a game is set up.
#[derive(Debug, Clone)]
pub(super) struct Options {
    /// The player's seat.
    pub(super) seat: u8,
    /// How strong the others are.
    pub(super) level: tractor_engine::SkillLevel,
    /// A preset of the house rules.
    pub(super) rules: String,
    /// The seed of the cards and of the opponents' choices; a new one each time without.
    pub(super) seed: Option<u64>,
    /// Suits as letters.
    pub(super) ascii: bool,
    /// Red suits in red.
    pub(super) color: bool,
}

/// Whoever sits at the other seats: what a view makes it do, or nothing. An engine takes the place
/// of chance here.
type Opponent = Box<dyn FnMut(&View) -> Option<Event>>;

const HELP: &str = "\
Cards       KS is the king of spades, TH the ten of hearts, sj and bj the jokers; write several
            with spaces between: KS KS QS QS
declare C   show cards of the trump rank, or both jokers of a kind; Enter waits for more cards
bury C      lay eight cards face down when you are the starter
C           lead or follow with these cards
hand        your cards again; table: the trick, the points, the levels
legal       what you may play
hint        what a strong player would do, and what that is worth
last        the last trick
record      the round so far, as you saw it
quit        leave";

/// Plays until the game ends, the player leaves or the input does.
pub(super) fn run(
    options: &Options,
    input: impl BufRead,
    output: impl Write,
) -> anyhow::Result<()> {
    let rules = Rules::preset(&options.rules).with_context(|| {
        format!(
            "{:?} is no preset: {}",
            options.rules,
            Rules::PRESETS.join(", ")
        )
    })?;
    let number = options.seed.unwrap_or_else(|| fastrand::u64(..));
    let player = tractor_engine::Player::new(options.level, number);
    let mut table = Table {
        game: Game::new(rules, Seed::from_number(number)),
        seat: Seat::new(options.seat.into()).context("a seat is 0, 1, 2 or 3")?,
        number,
        opponent: Box::new(move |view| player.act(view)),
        adviser: tractor_engine::Player::new(tractor_engine::SkillLevel::Strong, number),
        asked: None,
        style: Style {
            unicode: !options.ascii,
            color: options.color,
        },
        output,
    };
    table.play(input)
}

struct Table<W> {
    game: Game,
    seat: Seat,
    number: u64,
    opponent: Opponent,
    /// Who gives hints.
    adviser: tractor_engine::Player,
    /// What was offered when the player was last asked to declare, and whether all cards were dealt.
    asked: Option<(usize, bool)>,
    style: Style,
    output: W,
}

/// What comes after a line of the player.
enum Next {
    Ask,
    GoOn,
    Leave,
}

impl<W: Write> Table<W> {
    fn play(&mut self, input: impl BufRead) -> anyhow::Result<()> {
        writeln!(
            self.output,
            "Tractor. You are seat {}, your partner is seat {}. Type help for help, quit to leave.\n",
            self.seat,
            self.seat.partner()
        )?;
        let mut lines = input.lines();
        'game: loop {
            self.advance()?;
            if let Some(team) = self.game.winner() {
                let words = if team == self.seat.team() {
                    "You win"
                } else {
                    "You lose"
                };
                writeln!(
                    self.output,
                    "{words} the game: team {team} defended the last level."
                )?;
                return Ok(());
            }
            loop {
                self.prompt()?;
                let Some(line) = lines.next() else {
                    break 'game;
                };
                match self.obey(line?.trim())? {
                    Next::Ask => {}
                    Next::GoOn => break,
                    Next::Leave => break 'game,
                }
            }
        }
        writeln!(self.output, "The game is left unfinished.")?;
        Ok(())
    }

    fn view(&self) -> View {
        View::of(self.game.round(), Some(self.seat))
    }

    /// Lets the others act until it is the player's turn.
    fn advance(&mut self) -> anyhow::Result<()> {
        loop {
            let view = self.view();
            match view.stage {
                Stage::Dealing if view.dealt < 100 => self.apply(&Event::Deal { count: 1 })?,
                Stage::Dealing | Stage::Burying | Stage::Stealing | Stage::Playing => {}
                Stage::Over => return self.show_result(&view),
            }
            let acted = self.others_act()?;
            let view = self.view();
            match view.stage {
                Stage::Dealing | Stage::Stealing if !view.offers.is_empty() => {
                    let now = Some((view.offers.len(), view.dealt == 100));
                    if self.asked != now {
                        self.asked = now;
                        return self.show_offers(&view);
                    }
                    self.pass(&view)?;
                }
                Stage::Dealing | Stage::Stealing => {
                    self.asked = None;
                    self.pass(&view)?;
                }
                Stage::Burying | Stage::Playing if view.turn == Some(self.seat) => {
                    return self.show_turn(&view);
                }
                Stage::Burying | Stage::Playing => {
                    debug_assert!(acted, "somebody has a turn");
                }
                Stage::Over => {}
            }
        }
    }

    /// The player has nothing to declare: passes where the window is open.
    fn pass(&mut self, view: &View) -> anyhow::Result<()> {
        let open = view.dealt == 100 && !view.passed[self.seat.index()];
        if open && matches!(view.stage, Stage::Dealing | Stage::Stealing) {
            self.apply(&Event::Pass { seat: self.seat })?;
        }
        Ok(())
    }

    /// Each of the others acts once if it wants to; whether one did.
    fn others_act(&mut self) -> anyhow::Result<bool> {
        let mut acted = false;
        for offset in 1..4 {
            let seat = self.seat.after(offset);
            let view = View::of(self.game.round(), Some(seat));
            if view.stage == Stage::Over {
                break;
            }
            if let Some(event) = (self.opponent)(&view) {
                self.apply(&event)?;
                acted = true;
            }
        }
        Ok(acted)
    }

    /// Makes an event happen and tells of it.
    fn apply(&mut self, event: &Event) -> anyhow::Result<()> {
        let tricks = self.game.round().tricks().len();
        self.game
            .apply(event.clone())
            .with_context(|| format!("{event} is refused"))?;
        self.tell(event)?;
        let done = self.game.round().tricks();
        if done.len() > tricks {
            let trick = &done[tricks];
            writeln!(
                self.output,
                "  seat {} takes the trick, {} points\n",
                trick.winner(),
                trick.points()
            )?;
        }
        Ok(())
    }

    fn tell(&mut self, event: &Event) -> anyhow::Result<()> {
        let who = |seat: Seat| format!("seat {seat}");
        match event {
            Event::Declare { seat, cards } => {
                let cards = self.style.cards(*cards);
                let trump = self.style.trump(self.game.round().trump());
                writeln!(
                    self.output,
                    "  {} declares {cards}: trump is {trump}",
                    who(*seat)
                )?;
            }
            Event::Bury { seat, .. } if *seat != self.seat => {
                writeln!(self.output, "  {} buries eight cards", who(*seat))?;
            }
            Event::Play { seat, cards } => {
                let text = self.style.cards(*cards);
                writeln!(self.output, "  {} plays {text}", who(*seat))?;
                let open = self.view().open;
                if let Some(failed) = open.as_ref().and_then(|open| open.failed)
                    && failed.cards == *cards
                {
                    let led = self.style.cards(open.expect("a throw was led").plays[0]);
                    writeln!(self.output, "  the throw fails: {led} is led")?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn prompt(&mut self) -> anyhow::Result<()> {
        let view = self.view();
        let words = match view.stage {
            Stage::Dealing | Stage::Stealing => "declare, or Enter to wait",
            Stage::Burying => "bury eight cards",
            Stage::Playing if view.open.is_none() => "your lead",
            Stage::Playing => "your play",
            Stage::Over => "Enter for the next round",
        };
        write!(self.output, "{words}> ")?;
        self.output.flush()?;
        Ok(())
    }

    fn obey(&mut self, line: &str) -> anyhow::Result<Next> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let view = self.view();
        match (word, view.stage) {
            ("help" | "?", _) => writeln!(self.output, "{HELP}")?,
            ("quit" | "exit", _) => return Ok(Next::Leave),
            ("hand", _) => self.show_hand(&view)?,
            ("table", _) => self.show_table(&view)?,
            ("legal", _) => self.show_legal(&view)?,
            ("last", _) => self.show_last(&view)?,
            ("hint", _) => self.show_hint(&view)?,
            ("record", _) => {
                let seen = tractor::Redacted::of(self.game.round(), Some(self.seat));
                write!(self.output, "{seen}")?;
            }
            ("", Stage::Over) => {
                self.number = self.number.wrapping_add(1);
                self.asked = None;
                self.game.next_round(Seed::from_number(self.number))?;
                return Ok(Next::GoOn);
            }
            ("" | "pass", Stage::Dealing | Stage::Stealing) => return Ok(Next::GoOn),
            ("", _) => {}
            (_, Stage::Over) => writeln!(self.output, "The round is over.")?,
            ("declare", Stage::Dealing | Stage::Stealing) | ("bury", Stage::Burying) => {
                return self.act(rest, &view);
            }
            _ => return self.act(line, &view),
        }
        Ok(Next::Ask)
    }

    /// What the strong player would do in the person's place, in words.
    fn show_hint(&mut self, view: &View) -> anyhow::Result<()> {
        let adviser = tractor_engine::Player {
            seed: self.number,
            ..self.adviser
        };
        let words = match view.stage {
            Stage::Dealing | Stage::Stealing => match adviser.declare(view) {
                Some(cards) => format!("declare {}", cards.faces()),
                None => "wait: no declaration is worth making yet".to_owned(),
            },
            Stage::Burying => format!("bury {}", adviser.bury(view).faces()),
            Stage::Playing => adviser
                .hint(view)
                .map_or_else(String::new, |hint| hint.words),
            Stage::Over => "the round is over".to_owned(),
        };
        writeln!(self.output, "{words}")?;
        Ok(())
    }

    /// Declares, buries or plays the cards that were typed.
    fn act(&mut self, text: &str, view: &View) -> anyhow::Result<Next> {
        let cards = match read_cards(text, view.hand) {
            Ok(cards) => cards,
            Err(reason) => {
                writeln!(self.output, "{reason}. Type help for help.")?;
                return Ok(Next::Ask);
            }
        };
        let seat = self.seat;
        let event = match view.stage {
            Stage::Dealing | Stage::Stealing => Event::Declare { seat, cards },
            Stage::Burying => Event::Bury { seat, cards },
            Stage::Playing | Stage::Over => Event::Play { seat, cards },
        };
        let mut tried = self.game.round().clone();
        if let Err(reason) = tried.apply(event.clone()) {
            writeln!(self.output, "Not possible: {reason}.")?;
            return Ok(Next::Ask);
        }
        self.apply(&event)?;
        Ok(Next::GoOn)
    }
}

/// Cards as they are typed: faces in either case, `10` for a ten; of two alike the first copy.
fn read_cards(text: &str, hand: CardSet) -> Result<CardSet, String> {
    let mut words = Vec::new();
    for word in text.split([' ', ',']).filter(|word| !word.is_empty()) {
        let lower = word.to_lowercase();
        let word = match lower.as_str() {
            "sj" | "bj" => lower,
            other => other.replace("10", "t").to_uppercase(),
        };
        words.push(word);
    }
    let faces: Faces = words.join(" ").parse().map_err(|error| match error {
        tractor::ParseCardsError::Unknown { index } => {
            format!("{:?} is no card", words[index])
        }
        other => other.to_string(),
    })?;
    hand.pick(faces).ok_or_else(|| {
        let missing = faces
            .iter()
            .find(|&face| hand.faces().count(face) < faces.count(face));
        match missing {
            Some(face) => format!("You do not hold {face}, or not as often"),
            None => "You do not hold these cards".into(),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(seed: u64, lines: &str) -> String {
        let options = Options {
            level: tractor_engine::SkillLevel::Random,
            seat: 0,
            rules: "default".into(),
            seed: Some(seed),
            ascii: true,
            color: false,
        };
        let mut output = Vec::new();
        run(&options, lines.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn the_input_may_end_at_any_time() {
        assert!(play(1, "").ends_with("The game is left unfinished.\n"));
        assert!(play(1, "help\nquit\n").contains("bury C"));
    }

    #[test]
    fn cards_are_read_as_people_type_them() {
        let hand = CardSet::read("TH0 KS1 KS0 sj1".split(' ')).unwrap();
        let read = |text| read_cards(text, hand).map(|cards| cards.to_string());
        assert_eq!(read("10h, ks"), Ok("TH0 KS0".into()));
        assert_eq!(read("KS KS SJ"), Ok("KS0 KS1 sj1".into()));
        assert_eq!(
            read("AS"),
            Err("You do not hold AS, or not as often".into())
        );
        assert_eq!(read("XS"), Err("\"XS\" is no card".into()));
    }

    #[test]
    fn a_hint_can_be_asked_for_at_any_time() {
        // First to declare or wait, then what to bury or play; nothing is played meanwhile.
        let text = play(2, &"hint\n\n".repeat(20));
        let said = |words: [&str; 2]| words.iter().any(|words| text.contains(words));
        assert!(said(["> declare ", "> wait: no declaration"]), "{text}");
        assert!(said(["> bury ", "> play "]), "{text}");
        assert!(!text.contains("Type help for help.\n>"), "{text}");
    }

    #[test]
    fn bad_input_is_answered_and_the_game_goes_on() {
        let text = play(3, "declare 3C\nZZ\nlegal\n");
        assert!(text.contains("is no card"), "{text}");
    }
}
