//! Writing the names of moves and turns.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::{of_square, push_stack};
use crate::deploy::{Deploy, Step, act};
use crate::{Move, MoveKind, Position, Role, Square, Stack, StackRules, Standard};

/// Names the legal moves of one position. A SAN depends on its rivals, so whoever names many
/// moves makes one `Namer` and writes into a buffer of their own.
///
/// ```
/// use cotulenh::{Namer, Position};
/// let start = Position::start();
/// let moves = start.legal_moves();
/// let namer = Namer::new(&start, &moves);
/// let mut text = String::new();
/// for mv in moves.iter().take(2) {
///     namer.san(*mv, &mut text);
///     text.push(' ');
///     namer.lan(*mv, &mut text);
///     text.push(' ');
/// }
/// assert_eq!(text, "Ic6 Ic5c6 I&c4 Ic5&c4 ");
/// ```
pub struct Namer<'a, R: StackRules = Standard> {
    position: &'a Position<R>,
    moves: &'a [Move],
    /// By role and target: one more than the index of the last such move.
    last: [u16; Role::ALL.len() * Square::COUNT],
    /// By move: one more than the index of the one before it with the same role and target.
    before: Vec<u16>,
}

impl<'a, R: StackRules> Namer<'a, R> {
    /// For the legal moves of a position; all of them, since each may be another's rival.
    pub fn new(position: &'a Position<R>, moves: &'a [Move]) -> Self {
        let mut namer = Self {
            position,
            moves,
            last: [0; Role::ALL.len() * Square::COUNT],
            before: Vec::new(),
        };
        // Inside a deploy there is one origin, and nobody has rivals.
        if position.deploy().is_none() {
            namer.before.reserve_exact(moves.len());
            for (index, mv) in (1..=u16::MAX).zip(moves) {
                let last = &mut namer.last[slot(mv.role().index(), mv.to())];
                namer.before.push(*last);
                *last = index;
            }
        }
        namer
    }

    pub(super) fn position(&self) -> &'a Position<R> {
        self.position
    }

    pub(super) fn moves(&self) -> &'a [Move] {
        self.moves
    }

    /// The moves that a role makes to a target; all of them inside a deploy.
    pub(super) fn rivals(&self, role: Option<Role>, to: Square) -> impl Iterator<Item = &'a Move> {
        let all = if self.before.is_empty() {
            self.moves
        } else {
            &[]
        };
        let mut index = match role {
            Some(role) => self.last[slot(role.index(), to)],
            None => 0,
        };
        let chain = core::iter::from_fn(move || {
            let at = usize::from(index).checked_sub(1)?;
            index = self.before[at];
            self.moves.get(at)
        });
        all.iter().chain(chain)
    }

    /// Appends the SAN of a move.
    pub fn san(&self, mv: Move, out: &mut String) {
        if mv.is_commit() {
            return out.push('.');
        }
        self.group(mv, out);
        self.hint(mv.from(), mv.role(), mv.to(), out);
        target(mv.is_step(), mv.kind(), mv.to(), out);
    }

    /// Appends the LAN of a move.
    pub fn lan(&self, mv: Move, out: &mut String) {
        if mv.is_commit() {
            return out.push('.');
        }
        self.group(mv, out);
        out.push_str(of_square(mv.from()));
        target(mv.is_step(), mv.kind(), mv.to(), out);
    }

    fn group(&self, mv: Move, out: &mut String) {
        if let Some(mover) = self.position.mover(mv) {
            push_stack(mover, out);
        }
    }

    /// Rule 10.2.2: rivals have the same carrier role and target, and another origin.
    fn hint(&self, from: Square, role: Role, to: Square, out: &mut String) {
        if self.before.is_empty() {
            return;
        }
        let (mut any, mut file, mut rank) = (false, false, false);
        for rival in self.rivals(Some(role), to).map(|rival| rival.from()) {
            if rival != from {
                any = true;
                file |= rival.file() == from.file();
                rank |= rival.rank() == from.rank();
            }
        }
        if !any {
            return;
        }
        let name = of_square(from);
        out.push_str(match (file, rank) {
            (true, true) => name,
            (true, false) => &name[1..],
            (false, _) => &name[..1],
        });
    }

    /// Appends the SAN of a whole turn: one plain move, or the moves of a deploy.
    pub fn turn_san(&self, turn: &[Move], out: &mut String) {
        match (Ended::of(self.position, turn), turn) {
            (Some(ended), _) => self.deploy_san(&ended, out),
            (None, [only, ..]) => self.san(*only, out),
            (None, []) => {}
        }
    }

    /// Appends the SAN of a deploy turn that began at this position.
    pub(crate) fn deploy_san(&self, end: &Ended<R>, out: &mut String) {
        if let Some(stay) = end.stay {
            push_stack(stay, out);
            out.push('<');
        }
        self.turn_steps(end, out);
    }

    /// Appends the steps alone.
    pub(crate) fn turn_steps(&self, end: &Ended<R>, out: &mut String) {
        let mut first = true;
        end.deploy.each_step(|step, group| {
            if !first {
                out.push(',');
            }
            push_stack(group, out);
            if first {
                let role = group.carrier().role;
                self.hint(end.deploy.origin(), role, step.to(), out);
            }
            first = false;
            target(true, step.kind(), step.to(), out);
        });
    }
}

impl<R: StackRules> fmt::Debug for Namer<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Namer")
            .field("position", &self.position.to_string())
            .field("moves", &self.moves)
            .finish_non_exhaustive()
    }
}

fn slot(role: usize, to: Square) -> usize {
    role * Square::COUNT + to.dense()
}

fn target(step: bool, kind: MoveKind, to: Square, out: &mut String) {
    if step {
        out.push('>');
    }
    if kind != MoveKind::Quiet {
        out.push_str(kind.separator());
    }
    out.push_str(of_square(to));
}

/// A deploy as it stood when its turn ended.
#[derive(Debug, Clone)]
pub(crate) struct Ended<R: StackRules> {
    pub(crate) deploy: Deploy<R>,
    pub(crate) stay: Option<Stack>,
}

impl<R: StackRules> Ended<R> {
    /// The deploy that these moves make of the position at the start of a turn, or `None` for a
    /// plain move.
    pub(crate) fn of(start: &Position<R>, moves: &[Move]) -> Option<Self> {
        if !moves.first()?.is_step() {
            return None;
        }
        let mut open = start.clone();
        for mv in moves.iter().filter(|mv| !mv.is_commit()) {
            open.take_step(*mv);
        }
        let stay = open.remaining();
        open.deploy.map(|deploy| Self { deploy, stay })
    }

    /// Appends the LAN of the turn.
    pub(crate) fn lan(&self, out: &mut String) {
        out.push_str(of_square(self.deploy.origin()));
        out.push(':');
        if let Some(stay) = self.stay {
            push_stack(stay, out);
        }
        out.push(':');
        self.deploy.write_steps(out);
    }
}

impl<R: StackRules> Deploy<R> {
    /// The steps, each with its group as it was just before: by replay, for promotions show.
    fn each_step(&self, mut found: impl FnMut(Step, Stack)) {
        let mut board = self.start.clone();
        for step in self.steps() {
            let stack = board.stack(self.origin());
            if let Some(group) = stack.and_then(|stack| board.rules().only(stack, step.roles())) {
                found(*step, group);
                act(&mut board, self.origin(), group, step.to(), step.kind());
            }
        }
    }

    /// The steps without hints.
    pub(crate) fn steps_text(&self) -> String {
        let mut text = String::new();
        self.write_steps(&mut text);
        text
    }

    /// Appends the steps without hints, as LAN and extended FEN write them.
    fn write_steps(&self, out: &mut String) {
        let mut first = true;
        self.each_step(|step, group| {
            if !first {
                out.push(',');
            }
            first = false;
            push_stack(group, out);
            target(true, step.kind(), step.to(), out);
        });
    }

    /// Appends the seventh field of an extended FEN (Rule 6.7).
    pub(crate) fn write_field(&self, remaining: Option<Stack>, out: &mut String) {
        let ended = Ended {
            deploy: self.clone(),
            stay: remaining,
        };
        ended.lan(out);
        if remaining.is_some() {
            out.push_str("...");
        }
    }
}

impl<R: StackRules> Position<R> {
    /// The SAN of a legal move.
    ///
    /// ```
    /// use cotulenh::Position;
    /// let start = Position::start();
    /// let mv = start.read_move("Fe2&c4")?;
    /// assert_eq!(start.san(mv), "F&c4");
    /// assert_eq!(start.lan(mv), "Fe2&c4");
    /// # Ok::<_, cotulenh::ReadError>(())
    /// ```
    pub fn san(&self, mv: Move) -> String {
        let moves = self.legal_moves();
        let mut text = String::new();
        Namer::new(self, &moves).san(mv, &mut text);
        text
    }

    /// The LAN of a move.
    pub fn lan(&self, mv: Move) -> String {
        let mut text = String::new();
        Namer::new(self, &[]).lan(mv, &mut text);
        text
    }

    /// The SAN of a whole turn from this position: one plain move, or the moves of a deploy.
    ///
    /// ```
    /// use cotulenh::Position;
    /// let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";
    /// let position: Position = fen.parse().expect("a lawful position");
    /// let turn = position.read("e4:(FI):T>e6")?;
    /// assert_eq!(position.turn_san(&turn), "(FI)<T>e6");
    /// assert_eq!(position.turn_lan(&turn), "e4:(FI):T>e6");
    /// # Ok::<_, cotulenh::ReadError>(())
    /// ```
    pub fn turn_san(&self, turn: &[Move]) -> String {
        let legal = self.legal_moves();
        let mut text = String::new();
        Namer::new(self, &legal).turn_san(turn, &mut text);
        text
    }

    /// The LAN of a whole turn from this position.
    pub fn turn_lan(&self, turn: &[Move]) -> String {
        match (Ended::of(self, turn), turn) {
            (Some(ended), _) => {
                let mut text = String::new();
                ended.lan(&mut text);
                text
            }
            (None, [only, ..]) => self.lan(*only),
            (None, []) => String::new(),
        }
    }
}
