//! Batch deploy (Rule 6.9): a whole deploy in one request, played whole or not at all.

use alloc::vec;
use alloc::vec::Vec;
use core::error::Error;
use core::fmt;

use crate::{
    IllegalMoveError, Move, MoveKind, Outcome, Position, Role, RoleSet, Square, Stack, StackRules,
    Terrain, TurnMoves,
};

/// A request to deploy a stack: who goes where, and who stays.
///
/// Pieces with the same target travel as one group. Whoever is not named is an error, so that no
/// piece is forgotten.
///
/// ```
/// use cotulenh::{Batch, Position, Role};
/// let fen = "6c4/9ii/11/11/11/11/11/11/4(FTI)6/11/9II/5C5 r - - 0 1";
/// let position: Position = fen.parse()?;
/// let moves = [(Role::Tank, "e6".parse()?), (Role::Infantry, "e5".parse()?)];
/// let batch = Batch { from: "e4".parse()?, moves: &moves, stay: &[Role::AirForce] };
/// let moves = position.read_batch(&batch)?;
/// assert_eq!(position.turn_san(&moves), "F<T>e6,I>e5");
/// # Ok::<_, Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// The square of the stack.
    pub from: Square,
    /// The pieces that go, each with its target.
    pub moves: &'a [(Role, Square)],
    /// The pieces that stay.
    pub stay: &'a [Role],
}

/// Why a batch was refused; nothing has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchError {
    /// A deploy is open already.
    Open(Square),
    /// No stack of the side to move, or a single piece, stands on the origin.
    NoStack(Square),
    /// Nobody moves.
    Empty,
    /// The piece is not in the stack.
    Missing(Role),
    /// The piece is named twice.
    Twice(Role),
    /// The piece is neither moved nor said to stay.
    Forgotten(Role),
    /// Those who stay are no lawful stack.
    Stay {
        /// Their roles.
        roles: RoleSet,
    },
    /// Those who go to one square are no lawful stack.
    Group {
        /// Their roles.
        roles: RoleSet,
        /// Where they go.
        to: Square,
    },
    /// The carrier of a group, or of those who stay, may not stand there.
    Terrain(Role, Square),
    /// The step is not legal, in whatever order the groups go.
    Step {
        /// The carrier of the group.
        role: Role,
        /// Where it goes.
        to: Square,
        /// Why, in the order that was tried first.
        why: IllegalMoveError,
    },
    /// The commander would be left attacked or exposed.
    Danger,
    /// The game is over.
    Over(Outcome),
}

/// Pieces that go to one square.
#[derive(Debug, Clone, Copy)]
struct Group {
    roles: RoleSet,
    to: Square,
}

impl<R: StackRules> Position<R> {
    /// The moves that play a batch, which has been checked to the end.
    pub fn read_batch(&self, batch: &Batch<'_>) -> Result<TurnMoves, BatchError> {
        let (stack, groups) = self.groups(batch)?;
        let mut fault = None;
        for order in orders_of(&groups) {
            match self.try_order(batch.from, stack, &order) {
                Ok(moves) => return Ok(moves),
                Err(error) => fault = fault.or(Some(error)),
            }
        }
        Err(fault.unwrap_or(BatchError::Empty))
    }

    /// The position after a batch.
    pub fn deploy_batch(&self, batch: &Batch<'_>) -> Result<Self, BatchError> {
        let mut next = self.clone();
        for mv in self.read_batch(batch)?.iter() {
            next.play_unchecked(*mv);
        }
        Ok(next)
    }

    /// Everything that can be told before a step is tried: the groups, farthest first.
    fn groups(&self, batch: &Batch<'_>) -> Result<(Stack, Vec<Group>), BatchError> {
        if let Some(deploy) = self.deploy() {
            return Err(BatchError::Open(deploy.origin()));
        }
        let own = self
            .stack_at(batch.from)
            .filter(|stack| stack.color() == self.turn() && stack.len() > 1);
        let stack = own.ok_or(BatchError::NoStack(batch.from))?;
        if batch.moves.is_empty() {
            return Err(BatchError::Empty);
        }
        let mut named = RoleSet::EMPTY;
        let movers = batch.moves.iter().map(|(role, _)| role);
        for role in movers.chain(batch.stay) {
            if !stack.has(*role) {
                return Err(BatchError::Missing(*role));
            }
            if !named.is_disjoint(role.set()) {
                return Err(BatchError::Twice(*role));
            }
            named |= role.set();
        }
        if let Some(role) = Role::of_set(stack.roles() - named).next() {
            return Err(BatchError::Forgotten(role));
        }
        let stay = batch.stay.iter().map(|role| role.set());
        let stay = stay.fold(RoleSet::EMPTY, |roles, role| roles | role);
        // Where they may stand is seen at the end: a ship that shoots stays beside them.
        if !stay.is_empty() && self.rules().only(stack, stay).is_none() {
            return Err(BatchError::Stay { roles: stay });
        }
        let mut groups: Vec<Group> = Vec::new();
        for (role, to) in batch.moves {
            match groups.iter_mut().find(|group| group.to == *to) {
                Some(group) => group.roles |= role.set(),
                None => groups.push(Group {
                    roles: role.set(),
                    to: *to,
                }),
            }
        }
        for Group { roles, to } in &groups {
            let group = self.rules().only(stack, *roles).ok_or(BatchError::Group {
                roles: *roles,
                to: *to,
            })?;
            let carrier = group.carrier().role;
            // A capture may be made from where the group stands, and a friend may carry it.
            if self.stack_at(*to).is_none() && !Terrain::admits(carrier, *to) {
                return Err(BatchError::Terrain(carrier, *to));
            }
        }
        groups.sort_by_key(|group| core::cmp::Reverse(distance(batch.from, group.to)));
        Ok((stack, groups))
    }

    fn try_order(
        &self,
        from: Square,
        stack: Stack,
        order: &[Group],
    ) -> Result<TurnMoves, BatchError> {
        let mut position = self.clone();
        let mut moves: Option<TurnMoves> = None;
        let mut play = |position: &mut Self, mv: Move| {
            position.play_unchecked(mv);
            moves = match moves {
                None => Some(TurnMoves::one(mv)),
                Some(moves) => moves.and(mv),
            };
        };
        for group in order {
            let pieces = self
                .rules()
                .only(stack, group.roles)
                .ok_or(BatchError::Empty)?;
            for (index, piece) in pieces.pieces().enumerate() {
                let moves = position.legal_moves();
                let step = moves.iter().find(|mv| {
                    mv.is_step()
                        && mv.from() == from
                        && mv.role() == piece.role
                        && mv.to() == group.to
                });
                let Some(step) = step else {
                    let kind = self.stack_at(group.to).map_or(MoveKind::Quiet, |other| {
                        if other.color() == self.turn() {
                            MoveKind::Combine
                        } else {
                            MoveKind::Capture
                        }
                    });
                    let wanted = match index {
                        0 => Move::step(from, group.to, piece.role, kind),
                        _ => Move::recombine(from, group.to, piece.role),
                    };
                    return Err(position.refused_step(wanted));
                };
                play(&mut position, *step);
            }
        }
        if let Some(deploy) = position.deploy() {
            let commit = Move::commit(deploy.origin(), deploy.original().carrier().role);
            match position.play(commit) {
                Ok(_) => play(&mut position, commit),
                Err(IllegalMoveError::Stranded(square)) => {
                    let rest = position.stack_at(square).unwrap_or(stack);
                    return Err(BatchError::Terrain(rest.carrier().role, square));
                }
                Err(_) => return Err(BatchError::Danger),
            }
        }
        moves.ok_or(BatchError::Empty)
    }
}

impl<R: StackRules> Position<R> {
    /// Why a step of a batch is not legal: dead ends are told apart by what is wrong after them.
    fn refused_step(&self, mv: Move) -> BatchError {
        let why = self.play(mv).err().unwrap_or(IllegalMoveError::DeadEnd);
        let mut after = self.clone();
        after.take_step(mv);
        let dead = why == IllegalMoveError::DeadEnd && after.in_danger(self.turn());
        if dead || why == IllegalMoveError::Danger {
            return BatchError::Danger;
        }
        BatchError::Step {
            role: mv.role(),
            to: mv.to(),
            why,
        }
    }
}

fn distance(a: Square, b: Square) -> u8 {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()))
}

/// Every order of at most three groups, the given one first.
fn orders_of(groups: &[Group]) -> Vec<Vec<Group>> {
    let pick = |order: &[usize]| order.iter().map(|index| groups[*index]).collect();
    match groups.len() {
        2 => vec![pick(&[0, 1]), pick(&[1, 0])],
        3 => [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ]
        .iter()
        .map(|order| pick(order))
        .collect(),
        _ => vec![groups.to_vec()],
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(square) => write!(f, "the deploy of the stack on {square} is open"),
            Self::NoStack(square) => write!(f, "no stack of the side to move on {square}"),
            Self::Empty => f.write_str("nobody moves"),
            Self::Missing(role) => write!(f, "no {role} in the stack"),
            Self::Twice(role) => write!(f, "{role} is named twice"),
            Self::Forgotten(role) => write!(f, "{role} neither moves nor stays"),
            Self::Stay { roles } => write!(f, "{} cannot stay as one stack", Role::letters(*roles)),
            Self::Group { roles, to } => write!(f, "{} cannot share {to}", Role::letters(*roles)),
            Self::Terrain(role, square) => write!(f, "{role} may not stand on {square}"),
            Self::Step { role, to, why } => write!(f, "{role} to {to}: {why}"),
            Self::Danger => f.write_str("the commander would be left in danger"),
            Self::Over(outcome) => write!(f, "the game is over: {outcome}"),
        }
    }
}

impl Error for BatchError {}
