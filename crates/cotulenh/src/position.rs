//! A position in which the rules hold, and play from it.

mod clone;
mod illegal;

use core::hash::{Hash, Hasher};

use crate::attack;
use crate::board::Board;
use crate::deploy::{Deploy, Step, act, act_whole};
pub use illegal::IllegalMoveError;

use crate::{
    Color, Move, MoveKind, MoveList, Role, RoleSet, Square, SquareSet, Stack, StackRules, Standard,
    Terrain, zobrist,
};

/// A position: lawful stacks on terrain that bears them, at most one commander a side, the side
/// to move, the clocks, and the deploy that is under way, if any.
///
/// Equality is that of everything, clocks included; [`Position::key`] leaves the clocks out.
///
/// ```
/// use cotulenh::Position;
/// let start = Position::start();
/// let mv = start.legal_moves()[0];
/// let next = start.play(mv)?;
/// assert_eq!(next.turn(), !start.turn());
/// assert_eq!(next.to_string().split(' ').nth(1), Some("b"));
/// # Ok::<_, cotulenh::IllegalMoveError>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Position<R: StackRules = Standard> {
    pub(crate) board: Board<R>,
    pub(crate) turn: Color,
    pub(crate) halfmove_clock: u32,
    pub(crate) move_number: u32,
    pub(crate) deploy: Option<Deploy<R>>,
}

impl Position {
    /// The start of a game.
    pub fn start() -> Self {
        Self::start_under(&Standard)
    }

    /// [`Stack::index`] of what stands on every square, by [`Square::index`]; 0 where it is empty.
    /// Whose it is, [`Position::occupied_by`] tells.
    #[inline]
    pub const fn stack_indices(&self) -> &[u8; Square::INDEX_LEN] {
        self.board.ids()
    }
}

impl Default for Position {
    /// The start of a game.
    fn default() -> Self {
        Self::start()
    }
}

/// By the key and the clocks: equal positions have equal hashes.
impl<R: StackRules> Hash for Position<R> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.key(), self.halfmove_clock, self.move_number).hash(state);
    }
}

impl<R: StackRules> Position<R> {
    /// The start of a game under these rules.
    ///
    /// ```
    /// use cotulenh::{Position, Standard};
    /// assert_eq!(Position::start_under(&Standard), Position::start());
    /// ```
    #[allow(
        clippy::missing_panics_doc,
        reason = "the text is a constant, and tested"
    )]
    pub fn start_under(rules: &R) -> Self {
        const START: &str = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/\
                             2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";
        Self::from_fen(rules, START).expect("the start position is lawful")
    }

    /// The same position, in which the last guard of a side is promoted (Rule 8.2), as is usual, or never:
    /// exercises with few pieces need them as they are.
    ///
    /// ```
    /// use cotulenh::Position;
    /// let fen = "4c6/10t/11/11/11/11/11/3i7/11/3I7/11/5C5 r - - 0 1";
    /// let position: Position = fen.parse()?;
    /// let advance = position.read_move("Id4")?;
    /// assert!(position.play(advance)?.to_string().contains("/3+I7/"));
    /// let exercise = position.with_last_guard(false);
    /// assert!(exercise.play(advance)?.to_string().contains("/3I7/"));
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_last_guard(mut self, promoted: bool) -> Self {
        self.board.set_last_guard(promoted);
        if let Some(deploy) = &mut self.deploy {
            deploy.start.set_last_guard(promoted);
        }
        self
    }

    /// Who may stand together: Rule 4, or a variant.
    pub fn rules(&self) -> &R {
        self.board.rules()
    }

    /// The side to move.
    #[inline]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// What stands on a square.
    #[inline]
    pub fn stack_at(&self, square: Square) -> Option<Stack> {
        self.board.stack(square)
    }

    /// Every occupied square with its stack, `a12` side first.
    pub fn stacks(&self) -> impl Iterator<Item = (Square, Stack)> {
        let occupied = self.board.occupied().into_iter();
        occupied.filter_map(|square| self.stack_at(square).map(|stack| (square, stack)))
    }

    /// The squares on which stacks of a side stand.
    #[inline]
    pub fn occupied_by(&self, color: Color) -> SquareSet {
        self.board.of(color)
    }

    /// Every occupied square.
    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.board.occupied()
    }

    /// The square of a side's commander, alone or in a stack.
    #[inline]
    pub fn commander(&self, color: Color) -> Option<Square> {
        self.board.commander(color)
    }

    /// Turns since the last capture (Rule 9.6).
    #[inline]
    pub const fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// The number of the move, from 1; it grows after blue's turn.
    #[inline]
    pub const fn move_number(&self) -> u32 {
        self.move_number
    }

    /// The open deploy, if any.
    #[inline]
    pub const fn deploy(&self) -> Option<&Deploy<R>> {
        self.deploy.as_ref()
    }

    /// The pieces that may still take a step in the open deploy, with the flags they have now.
    pub fn remaining(&self) -> Option<Stack> {
        let deploy = self.deploy.as_ref()?;
        let stack = self.stack_at(deploy.origin())?;
        self.rules().part(stack, deploy.remaining_roles())
    }

    /// The position at the start of the turn: this one, unless a deploy is open.
    #[must_use]
    pub fn turn_start(&self) -> Self {
        match &self.deploy {
            None => self.clone(),
            Some(deploy) => Self {
                board: deploy.start.clone(),
                deploy: None,
                turn: self.turn,
                halfmove_clock: self.halfmove_clock,
                move_number: self.move_number,
            },
        }
    }

    /// A number that tells positions apart by placement, side to move and open deploy, as
    /// threefold repetition does; the clocks play no part.
    #[inline]
    pub fn key(&self) -> u64 {
        let turn = match self.turn {
            Color::Red => 0,
            Color::Blue => zobrist::BLUE_TO_MOVE,
        };
        let deploy = self.deploy.as_ref().map_or(0, Deploy::key);
        self.board.key() ^ turn ^ deploy
    }

    /// Rule 9.2: the side to move has no commander, or it is attacked.
    pub fn in_check(&self) -> bool {
        attack::in_check(&self.board, self.turn)
    }

    /// Rule 9.2: that side has no commander, or it is attacked or seen by the other.
    ///
    /// ```
    /// use cotulenh::{Color, Position};
    /// let facing: Position = "4c6/10i/11/11/11/11/11/4C6/11/11/10I/11 r - - 0 1".parse()?;
    /// assert!(facing.in_danger(Color::Red) && !facing.in_check());
    /// # Ok::<_, cotulenh::ParseFenError>(())
    /// ```
    pub fn in_danger(&self, color: Color) -> bool {
        attack::in_danger(&self.board, color)
    }

    /// Rule 3.8: the commander of that side is seen by the other.
    pub fn is_exposed(&self, color: Color) -> bool {
        attack::exposed(&self.board, color)
    }

    /// Rule 9.1: the pieces of `color` that attack a square.
    ///
    /// ```
    /// use cotulenh::{Color, Position, Role};
    /// let position: Position = "6c4/9ii/11/11/11/11/4i6/4T6/11/11/9II/5C5 b - - 0 1".parse()?;
    /// let e6 = "e6".parse()?;
    /// let attackers: Vec<_> = position.attackers(e6, Color::Red).collect();
    /// assert_eq!(attackers, [("e5".parse()?, Role::Tank)]);
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    pub fn attackers(&self, square: Square, color: Color) -> impl Iterator<Item = (Square, Role)> {
        self.by_piece(attack::attackers(&self.board, square, color))
    }

    /// Rule 9.1: the pieces of `color` that would attack a stack carried by `role` if one stood on the square.
    ///
    /// ```
    /// use cotulenh::{Color, Position, Role};
    /// let position: Position = "6c4/9ii/11/11/11/2N8/11/11/11/11/9II/5C5 r - - 0 1".parse()?;
    /// let c3 = "c3".parse()?;
    /// // Torpedoes reach one square further than a ship's guns.
    /// assert_eq!(position.attackers_if(c3, Color::Red, Role::Navy).count(), 1);
    /// assert_eq!(position.attackers_if(c3, Color::Red, Role::Tank).count(), 0);
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    pub fn attackers_if(
        &self,
        square: Square,
        color: Color,
        role: Role,
    ) -> impl Iterator<Item = (Square, Role)> {
        let target = attack::Target {
            square,
            top: Some(role),
            occupied: self.board.occupied(),
        };
        self.by_piece(attack::attackers_of(&self.board, target, color))
    }

    /// Attackers piece by piece, in the order of their stacks.
    fn by_piece(
        &self,
        attackers: impl Iterator<Item = (Square, RoleSet)>,
    ) -> impl Iterator<Item = (Square, Role)> {
        attackers.flat_map(move |(from, roles)| {
            let pieces = self.stack_at(from).into_iter().flat_map(Stack::pieces);
            pieces
                .map(|piece| piece.role)
                .filter(move |role| !roles.is_disjoint(role.set()))
                .map(move |role| (from, role))
        })
    }

    /// Rule 7.2: the squares that a side's air defence covers.
    #[inline]
    pub fn air_cover(&self, color: Color) -> SquareSet {
        self.board.cover(color)
    }

    /// Rule 7.2: the squares whose pieces give a side its air cover of `square`.
    ///
    /// ```
    /// use cotulenh::{Color, Position};
    /// let start = Position::start();
    /// let (g3, g5) = ("g3".parse()?, "g5".parse()?);
    /// assert!(start.air_cover(Color::Red).contains(g5));
    /// assert_eq!(start.air_providers(g5, Color::Red).collect::<Vec<_>>(), [g3]);
    /// # Ok::<_, cotulenh::ParseSquareError>(())
    /// ```
    pub fn air_providers(&self, square: Square, color: Color) -> impl Iterator<Item = Square> {
        self.board.providers_at(square, color)
    }

    /// Rule 6.3: whether the open deploy may end now.
    ///
    /// ```
    /// use cotulenh::{Move, MoveKind, Position, Role};
    /// let sea: Position = "6c4/9ii/11/11/11/11/11/11/11/1(NF)9/9II/5C5 r - - 0 1".parse()?;
    /// let (b3, b5, e3) = ("b3".parse()?, "b5".parse()?, "e3".parse()?);
    /// let sailed = sea.play(Move::step(b3, b5, Role::Navy, MoveKind::Quiet))?;
    /// assert!(!sailed.can_commit(), "an aircraft may not stand at sea");
    /// let landed = sailed.play(Move::step(b3, e3, Role::AirForce, MoveKind::Quiet))?;
    /// assert!(landed.deploy().is_none(), "nothing is left to deploy");
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    pub fn can_commit(&self) -> bool {
        let Some(deploy) = &self.deploy else {
            return false;
        };
        let rest = self.board.info(deploy.origin());
        let stands = rest.len == 0 || Terrain::admits(rest.members[0].role(), deploy.origin());
        !deploy.steps().is_empty() && stands && !self.in_danger(self.turn)
    }

    /// Every legal move, in the order of Rule 3.9; commit comes last.
    ///
    /// With a deploy open these are its further steps, its recombines, and commit where allowed.
    ///
    /// ```
    /// use cotulenh::Position;
    /// let start = Position::start();
    /// let moves = start.legal_moves();
    /// let ships = moves.iter().filter(|mv| mv.from().to_string() == "c4");
    /// assert_eq!((moves.len(), ships.count()), (116, 12));
    /// ```
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.legal_moves_into(&mut list);
        list
    }

    /// Whether the move is one of [`Position::legal_moves`].
    pub fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    /// The position after a legal move.
    ///
    /// ```
    /// use cotulenh::{Move, MoveKind, Position, Role};
    /// let start = Position::start();
    /// let (c5, c6, c7) = ("c5".parse()?, "c6".parse()?, "c7".parse()?);
    /// let next = start.play(Move::whole(c5, c6, Role::Infantry, MoveKind::Quiet))?;
    /// assert!(next.stack_at(c6).is_some());
    /// let too_far = Move::whole(c5, c7, Role::Infantry, MoveKind::Quiet);
    /// let refused = start.play(too_far).unwrap_err();
    /// assert_eq!(refused.to_string(), "the infantry on c5 does not reach c7");
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    pub fn play(&self, mv: Move) -> Result<Self, IllegalMoveError> {
        if !self.is_legal(mv) {
            return Err(self.why_illegal(mv));
        }
        let mut next = self.clone();
        next.play_unchecked(mv);
        Ok(next)
    }

    /// Carries out a move that is known to be legal. After an illegal one the position means
    /// nothing, and may be none.
    pub fn play_unchecked(&mut self, mv: Move) {
        if mv.is_commit() {
            self.commit();
        } else if mv.is_step() {
            self.take_step(mv);
            self.close_if_done();
        } else {
            act_whole(&mut self.board, mv.from(), self.turn, mv.to(), mv.kind());
            self.pass(mv.is_capture());
        }
    }

    /// Carries out a step of a deploy that is known to be legal, or at least pseudo-legal, and leaves the deploy
    /// open even if nothing is left to do in it, where [`Position::play_unchecked`] ends it.
    ///
    /// ```
    /// use cotulenh::Position;
    /// let mut open: Position = "6c4/9ii/11/11/11/11/11/11/4(TI)6/11/9II/5C5 r - - 0 1".parse()?;
    /// for step in ["T>e6", "I>d4"] {
    ///     open.step_unchecked(open.read_move(step)?);
    /// }
    /// let deploy = open.deploy().expect("it was not ended");
    /// assert!(deploy.remaining_roles().is_empty() && open.can_commit());
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    pub fn step_unchecked(&mut self, mv: Move) {
        if mv.is_step() && !mv.is_commit() {
            self.take_step(mv);
        }
    }

    /// Hands the turn over with nothing done, which no rule allows but a search may ask; only
    /// between turns, and only if the side to move is in no danger.
    ///
    /// ```
    /// use cotulenh::{Color, Position};
    /// let mut position = Position::start();
    /// position.pass_unchecked();
    /// assert_eq!((position.turn(), position.halfmove_clock()), (Color::Blue, 1));
    /// ```
    pub fn pass_unchecked(&mut self) {
        self.pass(false);
    }

    /// One step of a deploy, which it opens if need be; the turn stays.
    pub(crate) fn take_step(&mut self, mv: Move) {
        let origin = mv.from();
        let Some(stack) = self.board.stack(origin) else {
            return;
        };
        let deploy = self
            .deploy
            .get_or_insert_with(|| Deploy::open(&self.board, origin, stack));
        if mv.is_recombine()
            && let Some((steps, board)) = deploy.recombined(mv.role(), mv.to())
        {
            self.board = board;
            deploy.rewrite(steps);
        } else if let Some(group) = self.board.single(stack, mv.role()) {
            act(&mut self.board, origin, group, mv.to(), mv.kind());
            deploy.push(Step::new(mv.role().set(), mv.to(), mv.kind()));
        }
    }

    /// Rule 6.2: the deploy ends by itself when nothing is left to offer.
    pub(crate) fn close_if_done(&mut self) {
        if !self.offers_step() && self.can_commit() {
            self.commit();
        }
    }

    fn commit(&mut self) {
        let captured = self.deploy.as_ref().is_some_and(Deploy::has_captured);
        self.deploy = None;
        self.pass(captured);
    }

    /// Hands the turn over.
    fn pass(&mut self, captured: bool) {
        self.halfmove_clock = if captured {
            0
        } else {
            self.halfmove_clock.saturating_add(1)
        };
        if self.turn == Color::Blue {
            self.move_number = self.move_number.saturating_add(1);
        }
        self.turn = !self.turn;
    }

    /// What the move would take off the board.
    ///
    /// ```
    /// use cotulenh::Position;
    /// let position: Position = "6c4/9ii/11/11/11/11/4i6/4T6/11/11/9II/5C5 r - - 0 1".parse()?;
    /// let moves = position.legal_moves();
    /// let taken = moves.iter().find_map(|mv| position.captured(*mv));
    /// assert_eq!(taken.map(|stack| stack.to_string()), Some("i".into()));
    /// # Ok::<_, Box<dyn core::error::Error>>(())
    /// ```
    pub fn captured(&self, mv: Move) -> Option<Stack> {
        if mv.is_capture() {
            self.stack_at(mv.to())
        } else {
            None
        }
    }

    /// The pieces that the move moves: the whole stack, or one piece of it.
    pub fn mover(&self, mv: Move) -> Option<Stack> {
        let stack = self.stack_at(mv.from())?;
        match mv.kind() {
            MoveKind::Commit => None,
            _ if mv.is_step() => self.rules().only(stack, mv.role().set()),
            _ => Some(stack),
        }
    }
}
