//! Reading moves and turns: the text against the legal moves of a position.

use alloc::format;
use core::error::Error;
use core::fmt;
use core::ops::Deref;

use super::text::{self, Group, MoveText, Sign, Stay, Text, TurnText};
use super::{Letters, Namer};
use crate::{
    Deploy, IllegalMoveError, Move, MoveKind, Outcome, Position, Role, RoleSet, Square, SquareSet,
    Stack, StackRules,
};

/// The moves of one turn, or of a part of it: at most three steps and a commit.
///
/// ```
/// use cotulenh::Position;
/// let start = Position::start();
/// let moves = start.read("Ic6")?;
/// assert_eq!(moves.len(), 1);
/// # Ok::<_, cotulenh::ReadError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TurnMoves {
    list: [Move; Self::MOST],
    len: u8,
}

impl TurnMoves {
    const MOST: usize = 4;

    /// One move.
    pub(crate) fn one(mv: Move) -> Self {
        Self {
            list: [mv; Self::MOST],
            len: 1,
        }
    }

    /// These moves, or `None` if there are none or more than a turn can have.
    pub(crate) fn of(moves: &[Move]) -> Option<Self> {
        let (first, others) = moves.split_first()?;
        let mut others = others.iter();
        others.try_fold(Self::one(*first), |turn, mv| turn.and(*mv))
    }

    /// These and one more, or `None` if a turn cannot have that many.
    #[must_use]
    pub(crate) fn and(mut self, mv: Move) -> Option<Self> {
        *self.list.get_mut(usize::from(self.len))? = mv;
        self.len += 1;
        Some(self)
    }
}

impl Deref for TurnMoves {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.list[..usize::from(self.len)]
    }
}

impl fmt::Debug for TurnMoves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Why a text names no move or turn of the position; nothing has changed.
///
/// ```
/// use cotulenh::{Position, ReadError};
/// let start = Position::start();
/// assert_eq!(start.read("Nb4"), Err(ReadError::Ambiguous { matches: 2 }));
/// assert_eq!(start.read("Ic5c7").unwrap_err().to_string(), "the infantry on c5 does not reach c7");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadError {
    /// The text leaves the grammar of SAN and LAN (Rule 10.2).
    Syntax {
        /// The character, from 1.
        column: usize,
    },
    /// No legal move fits; where the text points to one piece, why.
    Illegal(Option<IllegalMoveError>),
    /// No legal move fits, and the text does not point to one piece.
    NoneFits {
        /// The roles that were to move together.
        roles: RoleSet,
        /// Where to.
        to: Square,
        /// Where such pieces of the side to move stand.
        origins: SquareSet,
    },
    /// More than one legal move fits.
    Ambiguous {
        /// How many.
        matches: usize,
    },
    /// The piece is not heroic, though the text says so.
    NotHeroic(Role),
    /// The stay group is not what the steps leave.
    Stay(Option<Stack>),
    /// The turn cannot end after these steps.
    Unfinished(IllegalMoveError),
    /// The game is over.
    Over(Outcome),
}

impl<R: StackRules> Position<R> {
    /// Reads the SAN or LAN of one legal move; `.` is commit.
    ///
    /// ```
    /// use cotulenh::Position;
    /// let start = Position::start();
    /// let mv = start.read_move("Ic5-c6")?;
    /// assert_eq!(start.san(mv), "Ic6");
    /// assert!(start.read_move("c6").is_err());
    /// # Ok::<_, cotulenh::ReadError>(())
    /// ```
    pub fn read_move(&self, text: &str) -> Result<Move, ReadError> {
        match self.read(text)?[..] {
            [only] => Ok(only),
            _ => Err(ReadError::Syntax { column: 1 }),
        }
    }

    /// Reads a move, steps of a deploy or a whole turn, SAN or LAN: the moves that play it.
    ///
    /// Steps alone may leave the deploy open; a stay group or a LAN's colons say that the turn ends.
    ///
    /// ```
    /// use cotulenh::Position;
    /// let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";
    /// let position: Position = fen.parse().expect("a lawful position");
    /// let turn = position.read("F<(TI)>e6")?;
    /// assert_eq!(format!("{turn:?}"), "[Move(Te4>e6), Move(Ie4>&e6), Move(.)]");
    /// # Ok::<_, cotulenh::ReadError>(())
    /// ```
    pub fn read(&self, text: &str) -> Result<TurnMoves, ReadError> {
        let parsed = text::parse(text).map_err(|offset| ReadError::Syntax {
            column: column(text, offset),
        })?;
        match parsed {
            Text::Commit => self.match_commit().map(TurnMoves::one),
            Text::Move(wanted) => self.match_move(&wanted).map(TurnMoves::one),
            Text::Turn(turn) => self.match_turn(&turn, None),
        }
    }

    fn match_commit(&self) -> Result<Move, ReadError> {
        let commit = match self.deploy() {
            Some(deploy) => Move::commit(deploy.origin(), deploy.original().carrier().role),
            None => return Err(ReadError::Illegal(Some(IllegalMoveError::NoDeploy))),
        };
        self.play(commit)
            .map(|_| commit)
            .map_err(|why| ReadError::Illegal(Some(why)))
    }

    fn match_move(&self, text: &MoveText) -> Result<Move, ReadError> {
        self.match_among(self.legal_moves().iter(), text)
    }

    fn match_among<'m>(
        &self,
        moves: impl IntoIterator<Item = &'m Move>,
        text: &MoveText,
    ) -> Result<Move, ReadError> {
        let mut fits = moves.into_iter().filter(|mv| self.fits(text, **mv));
        let Some(found) = fits.next() else {
            return Err(self.why_not(text));
        };
        match fits.count() {
            0 => self.check_marks(text.group, *found).map(|()| *found),
            others => Err(ReadError::Ambiguous {
                matches: others + 1,
            }),
        }
    }

    /// Whether all but the heroic marks fit: they may be left out (Rule 10.3.3).
    fn fits(&self, text: &MoveText, mv: Move) -> bool {
        mv.to() == text.to
            && mv.is_step() == text.step
            && mv.kind() == kind(text.sign)
            && text.file.is_none_or(|file| file == mv.from().file())
            && text.rank.is_none_or(|rank| rank == mv.from().rank())
            && self
                .mover(mv)
                .is_some_and(|mover| mover.roles() == text.group.roles)
    }

    fn check_marks(&self, group: Group, mv: Move) -> Result<(), ReadError> {
        let heroic = self.mover(mv).map_or(RoleSet::EMPTY, Stack::heroic);
        match Role::of_set(group.heroic - heroic).next() {
            None => Ok(()),
            Some(role) => Err(ReadError::NotHeroic(role)),
        }
    }

    /// The reason, if the text points to one piece of the side to move.
    fn why_not(&self, text: &MoveText) -> ReadError {
        let holds = |stack: Stack| {
            if text.step {
                text.group.roles.is_subset(stack.roles())
            } else {
                stack.roles() == text.group.roles
            }
        };
        let mut origins = self.stacks().filter(|(square, stack)| {
            stack.color() == self.turn()
                && text.file.is_none_or(|file| file == square.file())
                && text.rank.is_none_or(|rank| rank == square.rank())
                && holds(*stack)
        });
        let (Some((from, stack)), None) = (origins.next(), origins.next()) else {
            let from = text
                .file
                .zip(text.rank)
                .and_then(|(file, rank)| Square::at(file, rank));
            let empty = from.filter(|square| self.stack_at(*square).is_none());
            if let Some(square) = empty {
                return ReadError::Illegal(Some(IllegalMoveError::Nobody(square)));
            }
            let all = self.stacks().filter(|(_, stack)| {
                stack.color() == self.turn() && text.group.roles.is_subset(stack.roles())
            });
            return ReadError::NoneFits {
                roles: text.group.roles,
                to: text.to,
                origins: all.map(|(square, _)| square).collect(),
            };
        };
        let kind = kind(text.sign);
        let mv = match (text.step, self.rules().only(stack, text.group.roles)) {
            (true, Some(group)) => Move::step(from, text.to, group.carrier().role, kind),
            _ => Move::whole(from, text.to, stack.carrier().role, kind),
        };
        ReadError::Illegal(self.play(mv).err())
    }

    /// Plays the steps of a text one after another: a group of several is its carrier's step and
    /// the recombines of the others.
    ///
    /// `moves` are the legal moves of this position, if they are known.
    fn match_turn(&self, text: &TurnText, moves: Option<&[Move]>) -> Result<TurnMoves, ReadError> {
        if let (Some(deploy), true) = (self.deploy(), text.stay != Stay::Unsaid) {
            let open = IllegalMoveError::DeployOpen(deploy.origin());
            return Err(ReadError::Illegal(Some(open)));
        }
        Run::of(self, text, moves)?.end(text.stay)
    }

    /// The moves that make an open deploy of the position at the start of its turn.
    pub(crate) fn replayed(&self, deploy: &Deploy<R>) -> TurnMoves {
        let text = format!("{}::{}", deploy.origin(), deploy.steps_text());
        let Ok(Text::Turn(turn)) = text::parse(&text) else {
            unreachable!("steps are written as they are read");
        };
        let moves = Run::of(self, &turn, None).ok().and_then(|run| run.moves);
        moves.expect("an open deploy replays")
    }

    /// The position after the steps of a text, whether or not they end the turn.
    pub(crate) fn open_by(&self, text: &TurnText) -> Result<Self, ReadError> {
        Run::of(self, text, None).map(|run| run.position)
    }
}

impl<R: StackRules> Namer<'_, R> {
    /// Reads the SAN or LAN of one of the moves, as [`Position::read_move`] does, without
    /// generating them again.
    ///
    /// ```
    /// use cotulenh::{Namer, Position};
    /// let start = Position::start();
    /// let moves = start.legal_moves();
    /// let namer = Namer::new(&start, &moves);
    /// assert_eq!(namer.read_move("Ic6"), Ok(moves[0]));
    /// ```
    pub fn read_move(&self, text: &str) -> Result<Move, ReadError> {
        match self.read(text)?[..] {
            [only] => Ok(only),
            _ => Err(ReadError::Syntax { column: 1 }),
        }
    }

    /// Reads a move, steps of a deploy or a whole turn, as [`Position::read`] does, without generating the
    /// moves of this position again.
    ///
    /// ```
    /// use cotulenh::{Namer, Position};
    /// let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";
    /// let position: Position = fen.parse().expect("a lawful position");
    /// let moves = position.legal_moves();
    /// let namer = Namer::new(&position, &moves);
    /// let turn = namer.read("e4:F:(TI)>e6")?;
    /// let mut san = String::new();
    /// namer.turn_san(&turn, &mut san);
    /// assert_eq!(san, "F<(TI)>e6");
    /// # Ok::<_, cotulenh::ReadError>(())
    /// ```
    pub fn read(&self, text: &str) -> Result<TurnMoves, ReadError> {
        let position = self.position();
        match text::parse(text) {
            Ok(Text::Move(wanted)) => {
                let group =
                    position
                        .rules()
                        .stack(wanted.group.roles, RoleSet::EMPTY, position.turn());
                let carrier = group.map(|group| group.carrier().role);
                let mv = position.match_among(self.rivals(carrier, wanted.to), &wanted);
                mv.map(TurnMoves::one)
            }
            Ok(Text::Turn(turn)) => position.match_turn(&turn, Some(self.moves())),
            Ok(Text::Commit) | Err(_) => position.read(text),
        }
    }
}

/// A turn that is being read.
struct Run<'m, R: StackRules> {
    /// The legal moves of the first position, if they are known.
    legal: Option<&'m [Move]>,
    position: Position<R>,
    /// The same, but never ended: the deploy that ended by itself is still to be seen here.
    open: Position<R>,
    moves: Option<TurnMoves>,
}

impl<'m, R: StackRules> Run<'m, R> {
    fn of(
        position: &Position<R>,
        text: &TurnText,
        legal: Option<&'m [Move]>,
    ) -> Result<Self, ReadError> {
        let mut run = Self {
            legal,
            position: position.clone(),
            open: position.clone(),
            moves: None,
        };
        for step in text.steps() {
            let (file, rank) = match text.origin {
                Some(origin) => (Some(origin.file()), Some(origin.rank())),
                None => (step.file, step.rank),
            };
            run.group(&MoveText {
                file,
                rank,
                ..*step
            })?;
        }
        Ok(run)
    }

    fn group(&mut self, text: &MoveText) -> Result<(), ReadError> {
        let color = self.position.turn();
        let rules = self.position.rules();
        let Some(group) = rules.stack(text.group.roles, RoleSet::EMPTY, color) else {
            return Err(ReadError::Illegal(None));
        };
        let alone = |role: Role, sign| {
            let single = role.set();
            let group = Group {
                roles: single,
                heroic: text.group.heroic & single,
            };
            MoveText {
                group,
                sign,
                ..*text
            }
        };
        let carrier = group.carrier().role;
        self.one(&alone(carrier, text.sign))?;
        for piece in group.pieces().filter(|piece| piece.role != carrier) {
            self.one(&alone(piece.role, Sign::Combine))?;
        }
        Ok(())
    }

    fn one(&mut self, text: &MoveText) -> Result<(), ReadError> {
        if self.moves.is_some() && self.position.deploy().is_none() {
            return Err(ReadError::Illegal(Some(IllegalMoveError::NoDeploy)));
        }
        let mv = match self.legal.take() {
            Some(legal) => self.position.match_among(legal, text)?,
            None => self.position.match_move(text)?,
        };
        self.push(mv)?;
        self.open.take_step(mv);
        self.position.play_unchecked(mv);
        Ok(())
    }

    fn push(&mut self, mv: Move) -> Result<(), ReadError> {
        let moves = match self.moves {
            None => Some(TurnMoves::one(mv)),
            Some(moves) => moves.and(mv),
        };
        self.moves = Some(moves.ok_or(ReadError::Illegal(None))?);
        Ok(())
    }

    /// The moves, with the commit that a stay group or a LAN's colons ask for.
    fn end(mut self, stay: Stay) -> Result<TurnMoves, ReadError> {
        let left = self.open.remaining();
        let stays = match stay {
            Stay::Unsaid => true,
            Stay::Nobody => left.is_none(),
            Stay::Group(group) => left.is_some_and(|left| {
                left.roles() == group.roles && group.heroic.is_subset(left.heroic())
            }),
        };
        if !stays {
            return Err(ReadError::Stay(left));
        }
        if stay != Stay::Unsaid && self.position.deploy().is_some() {
            let commit = self.position.match_commit().map_err(|error| match error {
                ReadError::Illegal(Some(why)) => ReadError::Unfinished(why),
                other => other,
            })?;
            self.push(commit)?;
        }
        self.moves.ok_or(ReadError::Illegal(None))
    }
}

const fn kind(sign: Sign) -> MoveKind {
    match sign {
        Sign::Move => MoveKind::Quiet,
        Sign::Capture => MoveKind::Capture,
        Sign::Stay => MoveKind::StayCapture,
        Sign::Kamikaze => MoveKind::Kamikaze,
        Sign::Combine => MoveKind::Combine,
    }
}

/// The character at a byte, from 1; bytes within a character count as its first.
pub(crate) fn column(text: &str, offset: usize) -> usize {
    let begun = text.char_indices().take_while(|(at, _)| *at < offset);
    begun.count() + 1
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { column } => write!(f, "column {column}: not a move in SAN or LAN"),
            Self::Illegal(Some(why)) => why.fmt(f),
            Self::Illegal(None) => f.write_str("no legal move fits"),
            Self::NoneFits { roles, to, origins } => {
                let letters = Role::letters(*roles);
                if origins.is_empty() {
                    return write!(f, "the side to move has no {letters}");
                }
                write!(f, "no {letters} has a legal move to {to}: they stand on")?;
                for (index, square) in origins.into_iter().enumerate() {
                    let sign = if index == 0 { "" } else { "," };
                    write!(f, "{sign} {square}")?;
                }
                Ok(())
            }
            Self::Ambiguous { matches } => {
                write!(f, "{matches} legal moves fit: name the square of departure")
            }
            Self::NotHeroic(role) => write!(f, "{role} is not heroic"),
            Self::Stay(Some(left)) => write!(f, "{} would stay", Letters(*left)),
            Self::Stay(None) => f.write_str("nobody would stay"),
            Self::Unfinished(why) => write!(f, "the turn cannot end there: {why}"),
            Self::Over(outcome) => write!(f, "the game is over: {outcome}"),
        }
    }
}

impl Error for ReadError {}
