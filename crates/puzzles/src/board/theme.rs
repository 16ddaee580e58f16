//! Themes, judged by the rules over the turns of a solution.

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::str::FromStr;

use cotulenh::{Color, Move, MoveKind, Position, Role, Square, Stack};

use super::{Step, after};

/// Writes the themes down once: the variant, its word, what it means.
macro_rules! themes {
    ($($name:ident $word:literal $doc:literal,)+) => {
        /// What a puzzle is about.
        ///
        /// ```
        /// use convoy_puzzles::board::Theme;
        /// assert_eq!("kamikaze".parse(), Ok(Theme::Kamikaze));
        /// assert_eq!(Theme::StayCapture.word(), "stayCapture");
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Theme {
            $(#[doc = $doc] $name,)+
        }

        impl Theme {
            /// Every theme, in the order of the file.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// Its word in the file.
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$name => $word,)+
                }
            }

            /// What it means, in a sentence.
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(Self::$name => $doc,)+
                }
            }
        }
    };
}

themes! {
    MateIn1 "mateIn1" "Mate in one turn.",
    MateIn2 "mateIn2" "Mate in two turns.",
    MateIn3 "mateIn3" "Mate in three turns.",
    MateIn4 "mateIn4" "Mate in four turns.",
    Deploy "deploy" "A turn of the solver deploys a stack.",
    StayCapture "stayCapture" "A turn of the solver captures without moving.",
    Kamikaze "kamikaze" "An aircraft of the solver is lost with what it captures.",
    Combine "combine" "A turn of the solver combines pieces into a stack.",
    AirDefence "airDefence" "An air-defence piece moves and brings an enemy aircraft under its cover.",
    Suppression "suppression" "An air-defence piece is captured, which opens squares to the solver's aircraft.",
    TrappedAircraft "trappedAircraft" "An enemy aircraft is attacked and every flight ends on an attacked square.",
    Fork "fork" "What has moved attacks two valuable stacks at once, or the commander and one.",
    HangingPiece "hangingPiece" "The first turn captures something that nothing guards.",
    Exchange "exchange" "The first turn captures, and what has captured can be captured.",
    Defence "defence" "The solver is in check or would be mated in one, and holds.",
    Check "check" "The first turn gives check and does not mate.",
    QuietMove "quietMove" "The first turn neither captures nor gives check.",
    Heroic "heroic" "A heroic piece of the solver acts.",
    Sacrifice "sacrifice" "The solver is at least 20 points down on the beginning after an answer of the line.",
    Endgame "endgame" "At most twelve pieces are left.",
}

impl Theme {
    /// The theme with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        let mut all = Self::ALL.iter().copied();
        all.find(|theme| theme.word() == word)
    }
}

/// The text names no theme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseThemeError;

impl fmt::Display for ParseThemeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("there is no such theme")
    }
}

impl Error for ParseThemeError {}

impl FromStr for Theme {
    type Err = ParseThemeError;

    fn from_str(text: &str) -> Result<Self, ParseThemeError> {
        Self::from_word(text).ok_or(ParseThemeError)
    }
}

/// Points below which a stack is not valuable.
const VALUABLE: i32 = 20;
/// Pieces of an endgame at most.
const ENDGAME: usize = 12;

/// Whether the side to move has been mated, or its commander captured.
///
/// ```
/// assert!(!convoy_puzzles::board::is_mated(&cotulenh::Position::start()));
/// ```
pub fn is_mated(position: &Position) -> bool {
    position.commander(position.turn()).is_none()
        || position.in_check() && !position.has_legal_move()
}

/// A turn of the solver.
struct Played<'a> {
    before: Position,
    moves: &'a [Move],
    after: Position,
    /// The position after the answer.
    answered: Option<Position>,
}

/// The themes of a line of play, in the order of [`Theme::ALL`].
///
/// ```
/// use convoy_puzzles::board;
/// for puzzle in board::read(board::COLLECTION)?.iter().take(20) {
///     assert_eq!(board::themes(&puzzle.position, &puzzle.steps), puzzle.themes);
/// }
/// # Ok::<_, convoy_puzzles::ReadPuzzlesError<board::ParsePuzzleError>>(())
/// ```
pub fn themes(position: &Position, steps: &[Step]) -> Vec<Theme> {
    let line = play(position, steps);
    let all = Theme::ALL.iter().copied();
    all.filter(|theme| has(*theme, &line)).collect()
}

/// Plays the line; it ends where a turn is not legal.
fn play<'a>(position: &Position, steps: &'a [Step]) -> Vec<Played<'a>> {
    let mut line = Vec::new();
    let mut before = position.clone();
    for step in steps {
        let Some(moves) = step.turns.first() else {
            break;
        };
        let Some(next) = after(&before, moves) else {
            break;
        };
        let answered = step.reply.and_then(|reply| after(&next, &reply));
        let go_on = answered.clone();
        line.push(Played {
            before,
            moves,
            after: next,
            answered,
        });
        match go_on {
            Some(next) => before = next,
            None => break,
        }
    }
    line
}

fn has(theme: Theme, line: &[Played<'_>]) -> bool {
    let (Some(first), Some(last)) = (line.first(), line.last()) else {
        return false;
    };
    let kind = |kind: MoveKind| {
        line.iter()
            .any(|played| played.moves.iter().any(|mv| mv.kind() == kind))
    };
    let any = |test: fn(&Played<'_>) -> bool| line.iter().any(test);
    let mates_in = |turns: usize| line.len() == turns && is_mated(&last.after);
    match theme {
        Theme::MateIn1 => mates_in(1),
        Theme::MateIn2 => mates_in(2),
        Theme::MateIn3 => mates_in(3),
        Theme::MateIn4 => mates_in(4),
        Theme::Deploy => any(|played| played.moves.iter().any(|mv| mv.is_step())),
        Theme::StayCapture => kind(MoveKind::StayCapture),
        Theme::Kamikaze => kind(MoveKind::Kamikaze),
        Theme::Combine => any(|played| {
            let mut moves = played.moves.iter();
            moves.any(|mv| mv.kind() == MoveKind::Combine && !mv.is_recombine())
        }),
        Theme::AirDefence => any(covers_aircraft),
        Theme::Suppression => any(suppresses),
        Theme::TrappedAircraft => any(traps_aircraft),
        Theme::Fork => any(forks),
        Theme::HangingPiece => takes(first) == Some(Taken::Unguarded),
        Theme::Exchange => takes(first) == Some(Taken::Guarded),
        Theme::Defence => !is_mated(&last.after) && is_pressed(&first.before),
        Theme::Check => first.after.in_check() && !is_mated(&first.after),
        Theme::QuietMove => captures(first) == 0 && !first.after.in_check(),
        Theme::Heroic => any(acts_heroic),
        Theme::Sacrifice => sacrifices(line),
        Theme::Endgame => {
            let pieces: usize = first.before.stacks().map(|(_, stack)| stack.len()).sum();
            pieces <= ENDGAME
        }
    }
}

fn captures(played: &Played<'_>) -> usize {
    played.moves.iter().filter(|mv| mv.is_capture()).count()
}

/// The official points of a stack; the commander counts more than all others.
fn points(stack: Stack) -> i32 {
    let pieces = stack.pieces().map(|piece| match piece.role {
        Role::Commander => 1_000,
        Role::Infantry | Role::Militia | Role::Engineer | Role::AntiAir | Role::Headquarters => 10,
        Role::Tank | Role::Missile => 20,
        Role::Artillery => 30,
        Role::AirForce => 40,
        Role::Navy => 80,
    });
    pieces.sum()
}

/// The points of one side less those of the other.
fn balance(position: &Position, color: Color) -> i32 {
    let signed = position.stacks().map(|(_, stack)| {
        let sign = if stack.color() == color { 1 } else { -1 };
        sign * points(stack)
    });
    signed.sum()
}

/// Where a side's aircraft stand, alone or in stacks.
fn aircraft(position: &Position, color: Color) -> impl Iterator<Item = Square> {
    position
        .stacks()
        .filter(move |(_, stack)| stack.color() == color && stack.has(Role::AirForce))
        .map(|(square, _)| square)
}

const fn gives_air_cover(role: Role) -> bool {
    matches!(role, Role::AntiAir | Role::Missile | Role::Navy)
}

fn covers_aircraft(played: &Played<'_>) -> bool {
    let own = played.before.turn();
    let moved = played.moves.iter().any(|mv| gives_air_cover(mv.role()));
    let (cover, old) = (played.after.air_cover(own), played.before.air_cover(own));
    moved
        && captures(played) == 0
        && aircraft(&played.after, !own).any(|at| cover.contains(at) && !old.contains(at))
}

/// Each move of a turn with the position before it.
fn moves<'a>(played: &'a Played<'_>) -> impl Iterator<Item = (Position, Move)> + 'a {
    let mut at = played.before.clone();
    played.moves.iter().map(move |mv| {
        let before = at.clone();
        at.play_unchecked(*mv);
        (before, *mv)
    })
}

/// Whether the capture of an air-defence piece opens squares to aircraft that the mover has.
fn suppresses(played: &Played<'_>) -> bool {
    let (own, enemy) = (played.before.turn(), !played.before.turn());
    let captures_cover = moves(played).any(|(before, mv)| {
        let taken = before.captured(mv);
        taken.is_some_and(|stack| gives_air_cover(stack.carrier().role))
    });
    let opened = played.before.air_cover(enemy) & !played.after.air_cover(enemy);
    captures_cover && !opened.is_empty() && aircraft(&played.after, own).next().is_some()
}

/// The enemy aircraft that are attacked and cannot fly to safety, with the enemy to move.
fn trapped(position: &Position) -> Vec<Square> {
    let own = !position.turn();
    let attacked = |square: &Square| position.attackers(*square, own).next().is_some();
    aircraft(position, !own)
        .filter(attacked)
        .filter(|square| is_shut_in(position, *square))
        .collect()
}

/// Whether whatever flies from the square ends where it is attacked, or is lost.
///
/// ```
/// use convoy_puzzles::board::is_shut_in;
/// let start = cotulenh::Position::start();
/// assert!(!is_shut_in(&start, "e2".parse().expect("a square")));
/// ```
pub fn is_shut_in(position: &Position, square: Square) -> bool {
    let flights = position.legal_moves();
    let mut flights = flights
        .iter()
        .filter(|mv| mv.from() == square && mv.role() == Role::AirForce);
    flights.all(|mv| {
        let mut next = position.clone();
        next.play_unchecked(*mv);
        mv.kind() == MoveKind::Kamikaze
            || next.attackers(mv.to(), !position.turn()).next().is_some()
    })
}

fn traps_aircraft(played: &Played<'_>) -> bool {
    if played.after.in_check() || is_mated(&played.after) {
        return false;
    }
    let mut passed = played.before.clone();
    passed.pass_unchecked();
    let before = trapped(&passed);
    let after = trapped(&played.after);
    after.iter().any(|square| !before.contains(square))
}

/// Where what a turn has moved stands now.
fn landed(moves: &[Move]) -> impl Iterator<Item = Square> {
    moves.iter().filter_map(|mv| match mv.kind() {
        MoveKind::Kamikaze | MoveKind::Commit => None,
        MoveKind::StayCapture => Some(mv.from()),
        _ => Some(mv.to()),
    })
}

fn forks(played: &Played<'_>) -> bool {
    if is_mated(&played.after) {
        return false;
    }
    let own = played.before.turn();
    landed(played.moves).any(|from| {
        let targets = played.after.stacks().filter(|(square, stack)| {
            stack.color() != own
                && points(*stack) >= VALUABLE
                && played
                    .after
                    .attackers(*square, own)
                    .any(|(attacker, _)| attacker == from)
        });
        targets.count() >= 2
    })
}

#[derive(PartialEq, Eq)]
enum Taken {
    Unguarded,
    Guarded,
}

/// What the only move of a turn has captured; a deploy, a kamikaze and a mate are themes of their own.
fn takes(first: &Played<'_>) -> Option<Taken> {
    let [mv] = first.moves else {
        return None;
    };
    let at = landed(first.moves).next()?;
    if !mv.is_capture() || is_mated(&first.after) {
        return None;
    }
    let mut attackers = first.after.attackers(at, first.after.turn());
    Some(match attackers.next() {
        None => Taken::Unguarded,
        Some(_) => Taken::Guarded,
    })
}

/// Whether the side to move is in check, or would be mated in one turn if it did nothing.
fn is_pressed(position: &Position) -> bool {
    if position.in_check() {
        return true;
    }
    let mut passed = position.clone();
    passed.pass_unchecked();
    mates_in_one(&passed, &mut HashSet::new())
}

/// Whether some turn, or the rest of an open one, mates.
fn mates_in_one(position: &Position, seen: &mut HashSet<u64>) -> bool {
    position.legal_moves().iter().any(|mv| {
        let mut next = position.clone();
        next.play_unchecked(*mv);
        if next.turn() == position.turn() {
            seen.insert(next.key()) && mates_in_one(&next, seen)
        } else {
            is_mated(&next)
        }
    })
}

fn acts_heroic(played: &Played<'_>) -> bool {
    moves(played).any(|(before, mv)| {
        let mover = before.mover(mv).and_then(|stack| stack.piece(mv.role()));
        mover.is_some_and(|piece| piece.heroic)
    })
}

fn sacrifices(line: &[Played<'_>]) -> bool {
    let Some(first) = line.first() else {
        return false;
    };
    let own = first.before.turn();
    let start = balance(&first.before, own);
    line.iter()
        .filter_map(|played| played.answered.as_ref())
        .any(|answered| balance(answered, own) <= start - VALUABLE)
}
