//! Moves with everything there is to know about them.

use alloc::string::String;
use core::fmt;

use crate::{Color, Move, MoveKind, MoveList, Namer, Piece, Position, Square, Stack, StackRules};

/// What a move is, as the letters of the founding documents: `n` quiet, `c` capture, `s` stay capture, `k`
/// kamikaze, `d` step of a deploy, `b` combination, in that order.
///
/// ```
/// use cotulenh::{Move, MoveKind, Role};
/// let step = Move::step("e4".parse()?, "e6".parse()?, Role::Tank, MoveKind::Combine);
/// assert_eq!(step.flags().to_string(), "db");
/// assert!(step.flags().is_deploy() && step.flags().is_combination());
/// # Ok::<_, cotulenh::ParseSquareError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveFlags {
    kind: MoveKind,
    deploy: bool,
}

impl MoveFlags {
    /// The letters; none for a commit.
    pub const fn as_str(self) -> &'static str {
        match (self.kind, self.deploy) {
            (MoveKind::Commit, _) => "",
            (MoveKind::Quiet, false) => "n",
            (MoveKind::Quiet, true) => "nd",
            (MoveKind::Capture, false) => "c",
            (MoveKind::Capture, true) => "cd",
            (MoveKind::StayCapture, false) => "s",
            (MoveKind::StayCapture, true) => "sd",
            (MoveKind::Kamikaze, false) => "k",
            (MoveKind::Kamikaze, true) => "kd",
            (MoveKind::Combine, false) => "b",
            (MoveKind::Combine, true) => "db",
        }
    }

    /// The flags with these letters, in their order; an empty text is a commit's.
    ///
    /// ```
    /// use cotulenh::{Move, MoveFlags, Role};
    /// let commit = Move::commit("e4".parse()?, Role::Tank).flags();
    /// assert_eq!(MoveFlags::from_letters(commit.as_str()), Some(commit));
    /// # Ok::<_, cotulenh::ParseSquareError>(())
    /// ```
    pub fn from_letters(letters: &str) -> Option<Self> {
        Self::all().find(|flags| flags.as_str() == letters)
    }

    /// Every kind of move, outside a deploy and in one.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let kinds = MoveKind::ALL.into_iter();
        kinds.flat_map(|kind| [false, true].map(|deploy| Self { kind, deploy }))
    }

    /// Whether something is taken, in whatever way.
    pub const fn is_capture(self) -> bool {
        self.kind.is_capture()
    }

    /// Whether something is taken without moving.
    pub const fn is_stay_capture(self) -> bool {
        matches!(self.kind, MoveKind::StayCapture)
    }

    /// Whether the mover is lost with what it takes.
    pub const fn is_kamikaze(self) -> bool {
        matches!(self.kind, MoveKind::Kamikaze)
    }

    /// Whether it is a step of a deploy.
    pub const fn is_deploy(self) -> bool {
        self.deploy && !matches!(self.kind, MoveKind::Commit)
    }

    /// Whether the mover joins a friend.
    pub const fn is_combination(self) -> bool {
        matches!(self.kind, MoveKind::Combine)
    }
}

impl fmt::Display for MoveFlags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Move {
    /// What it is, as letters.
    pub const fn flags(self) -> MoveFlags {
        MoveFlags {
            kind: self.kind(),
            deploy: self.is_step() && !self.is_commit(),
        }
    }

    /// Whether it takes something without moving.
    pub const fn is_stay_capture(self) -> bool {
        self.flags().is_stay_capture()
    }

    /// Whether the mover is lost with what it takes.
    pub const fn is_kamikaze(self) -> bool {
        self.flags().is_kamikaze()
    }

    /// Whether it is a step of a deploy, and not the commit that ends one.
    pub const fn is_deploy(self) -> bool {
        self.flags().is_deploy()
    }

    /// Whether the mover joins a friend.
    pub const fn is_combination(self) -> bool {
        self.flags().is_combination()
    }
}

/// A move with its names, its pieces, and the positions before and after it.
///
/// ```
/// use cotulenh::Position;
/// let fen = "6c4/9ii/11/11/11/11/4i6/4T6/11/11/9II/5C5 r - - 0 1";
/// let position: Position = fen.parse()?;
/// let capture = position.verbose(position.read_move("Txe6")?);
/// assert_eq!((capture.san.as_str(), capture.lan.as_str()), ("Txe6", "Te5xe6"));
/// assert_eq!(capture.captured.map(|stack| stack.to_string()), Some("i".into()));
/// assert_eq!((capture.before.as_str(), capture.flags.as_str()), (fen, "c"));
/// assert!(capture.after.ends_with(" b - - 0 1"));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct VerboseMove {
    /// The side that moves.
    pub color: Color,
    /// Where it starts; for a commit, the origin of the deploy.
    pub from: Square,
    /// The target, even if the mover does not go there.
    pub to: Square,
    /// The pieces that move; none for a commit.
    pub piece: Option<Stack>,
    /// What is taken.
    pub captured: Option<Stack>,
    /// The stack on the target after a combination.
    pub combined: Option<Stack>,
    /// What it is, as letters.
    pub flags: MoveFlags,
    /// Whether it joins a piece that was deployed earlier this turn.
    pub recombine: bool,
    /// Its name among the legal moves.
    pub san: String,
    /// Its name with the square of departure.
    pub lan: String,
    /// The FEN before it.
    pub before: String,
    /// The FEN after it, extended while a deploy is open.
    pub after: String,
}

impl VerboseMove {
    /// The carrier of the pieces that move; none for a commit.
    pub fn carrier(&self) -> Option<Piece> {
        self.piece.map(Stack::carrier)
    }
}

impl<R: StackRules> Position<R> {
    /// A legal move with everything there is to know about it.
    pub fn verbose(&self, mv: Move) -> VerboseMove {
        let moves = self.legal_moves();
        self.verbose_by(&Namer::new(self, &moves), mv)
    }

    /// Every legal move with everything there is to know about it.
    ///
    /// ```
    /// use cotulenh::Position;
    /// let moves = Position::start().verbose_moves();
    /// assert_eq!((moves.len(), moves[0].san.as_str()), (116, "Ic6"));
    /// assert!(moves.iter().all(|mv| !mv.flags.is_stay_capture()));
    /// ```
    pub fn verbose_moves(&self) -> alloc::vec::Vec<VerboseMove> {
        let moves = self.legal_moves();
        let namer = Namer::new(self, &moves);
        moves
            .iter()
            .map(|mv| self.verbose_by(&namer, *mv))
            .collect()
    }

    fn verbose_by(&self, namer: &Namer<'_, R>, mv: Move) -> VerboseMove {
        let mut next = self.clone();
        next.play_unchecked(mv);
        let text = |write: &dyn Fn(&mut String)| {
            let mut text = String::new();
            write(&mut text);
            text
        };
        VerboseMove {
            color: self.turn(),
            from: mv.from(),
            to: mv.to(),
            piece: self.mover(mv),
            captured: self.captured(mv),
            combined: next.stack_at(mv.to()).filter(|_| mv.is_combination()),
            flags: mv.flags(),
            recombine: mv.is_recombine(),
            san: text(&|out| namer.san(mv, out)),
            lan: text(&|out| namer.lan(mv, out)),
            before: text(&|out| self.write_fen(out)),
            after: text(&|out| next.write_fen(out)),
        }
    }

    /// Every move that the movement rules offer the side to move, whatever becomes of its commander, and
    /// whether or not it has one: what the founding documents call `moves({legal: false})`. In an open deploy
    /// commit comes last.
    ///
    /// ```
    /// use cotulenh::{Position, Setup};
    /// // An infantry and nobody else: no legal move without a commander.
    /// let mut setup = Setup::new();
    /// setup.set("e5".parse()?, Some("I".parse()?));
    /// let position = Position::try_from(&setup)?;
    /// assert_eq!(position.legal_moves().len(), 0);
    /// let moves: Vec<String> = position.pseudo_legal_moves().map(|mv| mv.to_string()).collect();
    /// assert_eq!(moves, ["Ie5e6", "Ie5f5", "Ie5e4", "Ie5d5"]);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn pseudo_legal_moves(&self) -> impl Iterator<Item = Move> + use<R> {
        let mut list = MoveList::new();
        self.each_pseudo_legal_move(|mv| {
            list.push(mv);
            true
        });
        list.extend(self.deploy().map(crate::Deploy::commit));
        list.into_iter()
    }
}
