//! A game of Cờ Tư Lệnh in the terminal.

use std::io::{BufRead, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context as _;
use cotulenh::{Color, DrawStyle, Game, Move, Namer, Position, Square};
use cotulenh_engine::{Engine, Limits, Options, Score, Search, SkillLevel, SplitMix64};

use super::{Args, Side};

/// Whoever answers the player: the moves of a whole turn.
type Opponent = Box<dyn FnMut(&Game) -> Vec<Move>>;

const HELP: &str = "\
a move      SAN or LAN: Ic6, Nc4-b4, (NT)xc5, F_e7; steps of a deploy: T>e6;
            whole deploys: (FI)<T>e6, F>e8,T>e6,I>d4
.           end the open deploy
moves [SQ]  the legal moves, from one square
turns SQ    the whole turns of the stack on a square
hint        what the strongest level would play, and the score of it
undo        take back the last step, or your last turn
board       draw the board again; flip turns it
fen, pgn    the position, the game so far
resign, quit";

/// Plays on one terminal.
pub(super) fn run(args: &Args, input: impl BufRead, output: impl Write) -> anyhow::Result<()> {
    let start = match &args.fen {
        None => Position::start(),
        Some(fen) => fen
            .parse()
            .with_context(|| format!("{fen:?} is no position"))?,
    };
    let human = match args.side {
        Side::Red => Some(Color::Red),
        Side::Blue => Some(Color::Blue),
        Side::Both => None,
    };
    let mut table = Table {
        game: Game::new(start).with_rules(args.victories()),
        adviser: None,
        human,
        opponent: opponent(args.level.as_deref().unwrap_or("4"), args.seed)?,
        style: DrawStyle {
            unicode: !args.ascii,
            color: !args.ascii && super::colors(),
            flipped: human == Some(Color::Blue),
        },
        output,
    };
    table.play(input)
}

/// The engine at a level, or chance.
fn opponent(level: &str, seed: Option<u64>) -> anyhow::Result<Opponent> {
    let now = || {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |time| time.as_secs())
    };
    let seed = seed.unwrap_or_else(now);
    if level == "random" {
        return Ok(random(seed));
    }
    let level = level.parse().ok().and_then(SkillLevel::new);
    let level = level.context("the level must be 1 to 10, or random")?;
    let mut engine = Engine::new(Options {
        level,
        seed,
        contempt: Options::CONTEMPT,
        ..Options::default()
    });
    // The strongest has no limit of its own, but a person waits for it.
    let limits = Limits::time(Duration::from_secs(3));
    Ok(Box::new(move |game| {
        let turn = engine.best_turn(game, &limits);
        turn.map_or_else(Vec::new, |turn| turn.to_vec())
    }))
}

/// Nodes of a hint: about half a second, and the same hint every time.
const HINT_NODES: u64 = 300_000;

/// Chance.
fn random(seed: u64) -> Opponent {
    let mut numbers = SplitMix64::new(seed);
    Box::new(move |game| {
        let (mut position, mut moves) = (game.position().clone(), Vec::new());
        let turn = position.turn();
        while position.turn() == turn
            && let Some(mv) = numbers.pick(&position.legal_moves()).copied()
        {
            position.play_unchecked(mv);
            moves.push(mv);
        }
        moves
    })
}

struct Table<W> {
    game: Game,
    human: Option<Color>,
    opponent: Opponent,
    /// The engine that gives hints, made for the first of them.
    adviser: Option<Box<Engine>>,
    style: DrawStyle,
    output: W,
}

enum Next {
    Ask,
    Leave,
}

impl<W: Write> Table<W> {
    fn play(&mut self, input: impl BufRead) -> anyhow::Result<()> {
        writeln!(
            self.output,
            "Cờ Tư Lệnh. Type help for help, quit to leave.\n"
        )?;
        self.answer()?;
        self.board()?;
        let mut lines = input.lines();
        while self.game.outcome().is_none() {
            self.prompt()?;
            let Some(line) = lines.next() else { break };
            if let Next::Leave = self.obey(line?.trim())? {
                break;
            }
        }
        match self.game.outcome() {
            Some(outcome) => writeln!(self.output, "The game is over: {outcome}.")?,
            None => writeln!(self.output, "The game is left unfinished.")?,
        }
        Ok(())
    }

    fn prompt(&mut self) -> anyhow::Result<()> {
        let side = match self.game.position().turn() {
            Color::Red => "red",
            Color::Blue => "blue",
        };
        match self.game.position().deploy() {
            Some(deploy) => write!(self.output, "{side}, deploy of {}> ", deploy.origin())?,
            None => write!(self.output, "{side}> ")?,
        }
        self.output.flush()?;
        Ok(())
    }

    fn obey(&mut self, line: &str) -> anyhow::Result<Next> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "" => {}
            "help" | "?" => writeln!(self.output, "{HELP}")?,
            "quit" | "exit" => return Ok(Next::Leave),
            "resign" => {
                writeln!(self.output, "You resign.")?;
                return Ok(Next::Leave);
            }
            "moves" => self.moves(rest)?,
            "turns" => self.turns(rest)?,
            "hint" => self.hint()?,
            "undo" => self.undo()?,
            "board" => self.board()?,
            "flip" => {
                self.style.flipped = !self.style.flipped;
                self.board()?;
            }
            "fen" => writeln!(self.output, "{}", self.game.position())?,
            "pgn" => write!(self.output, "{}", self.game.pgn())?,
            _ => self.try_move(line)?,
        }
        Ok(Next::Ask)
    }

    fn try_move(&mut self, text: &str) -> anyhow::Result<()> {
        if let Err(error) = self.game.play_text(text) {
            writeln!(
                self.output,
                "{text:?}: {error}. Type moves to see what is legal, help for help."
            )?;
            return Ok(());
        }
        self.answer()?;
        self.board()
    }

    /// The opponent's turn, if it is one.
    fn answer(&mut self) -> anyhow::Result<()> {
        let turn = self.game.position().turn();
        if self.game.outcome().is_some() || self.human.is_none_or(|human| human == turn) {
            return Ok(());
        }
        for mv in (self.opponent)(&self.game) {
            self.game.play(mv)?;
        }
        if let Some(san) = self.game.sans().last() {
            writeln!(self.output, "The opponent plays {san}.\n")?;
        }
        Ok(())
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        let options = Options {
            rules: self.game.rules(),
            ..Options::default()
        };
        let adviser = self
            .adviser
            .get_or_insert_with(|| Box::new(Engine::new(options)));
        let search = Search::of_game(&self.game).limits(Limits::nodes(HINT_NODES));
        let report = adviser.analyse(&search, |_| {});
        let (Some(turn), Some(score)) = (report.best(), report.score()) else {
            writeln!(self.output, "There is no turn.")?;
            return Ok(());
        };
        let san = self.game.position().turn_san(turn);
        match score {
            Score::Centi(score) => {
                let infantries = f64::from(score) / 100.0;
                writeln!(self.output, "{san} ({infantries:+.2} infantries for you)")?;
            }
            Score::Mate(turns) if turns > 0 => {
                writeln!(self.output, "{san} (wins in {turns})")?;
            }
            Score::Mate(turns) => writeln!(self.output, "{san} (loses in {})", -turns)?,
        }
        Ok(())
    }

    fn undo(&mut self) -> anyhow::Result<()> {
        let taken = if self.game.position().deploy().is_some() {
            self.game.undo_step()
        } else {
            let mut taken = self.game.undo();
            while taken
                && self
                    .human
                    .is_some_and(|human| human != self.game.position().turn())
            {
                taken = self.game.undo();
            }
            taken
        };
        // The opponent may have opened the game.
        self.answer()?;
        if taken {
            return self.board();
        }
        writeln!(self.output, "There is nothing to take back.")?;
        Ok(())
    }

    fn board(&mut self) -> anyhow::Result<()> {
        let position = self.game.position();
        writeln!(self.output, "{}\n", position.draw(self.style))?;
        if position.in_check() && position.deploy().is_none() {
            writeln!(self.output, "Check.")?;
        }
        Ok(())
    }

    fn moves(&mut self, square: &str) -> anyhow::Result<()> {
        let Some(from) = self.square(square)? else {
            return Ok(());
        };
        let position = self.game.position();
        let moves = position.legal_moves();
        let namer = Namer::new(position, &moves);
        let mut text = String::new();
        for mv in moves
            .iter()
            .filter(|mv| from.is_none_or(|from| from == mv.from()))
        {
            namer.san(*mv, &mut text);
            text.push(' ');
        }
        let text = if text.is_empty() {
            "none"
        } else {
            text.trim_end()
        };
        writeln!(self.output, "{text}")?;
        Ok(())
    }

    fn turns(&mut self, square: &str) -> anyhow::Result<()> {
        let Some(from) = self.square(square)? else {
            return Ok(());
        };
        for turn in self.game.position().turns_from(from) {
            writeln!(self.output, "{}", turn.san)?;
        }
        Ok(())
    }

    /// The square that was named, if any; `None` if it is none.
    #[allow(clippy::option_option, reason = "no square named is not a bad square")]
    fn square(&mut self, name: &str) -> anyhow::Result<Option<Option<Square>>> {
        if name.is_empty() {
            return Ok(Some(None));
        }
        let square = name.parse();
        if let Err(error) = square {
            writeln!(self.output, "{name:?}: {error}.")?;
        }
        Ok(square.ok().map(Some))
    }
}
