//! Picking a move by its parts instead of its text.

use crate::{Move, MoveKind, Position, ReadError, Role, Square, StackRules};

/// Parts of a move; what is `None` may be anything.
///
/// ```
/// use cotulenh::{Position, ReadError, Selector};
/// let start = Position::start();
/// let wanted = Selector { from: Some("c5".parse()?), to: Some("c6".parse()?), ..Selector::default() };
/// assert_eq!(start.select(&wanted).map(|mv| start.san(mv)), Ok("Ic6".into()));
/// let nothing = Selector::default();
/// assert_eq!(start.select(&nothing), Err(ReadError::Ambiguous { matches: 116 }));
/// # Ok::<_, cotulenh::ParseSquareError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Selector {
    /// The square of departure.
    pub from: Option<Square>,
    /// The target.
    pub to: Option<Square>,
    /// The carrier of the stack, or who steps.
    pub role: Option<Role>,
    /// What it does there.
    pub kind: Option<MoveKind>,
    /// Whether it is a step of a deploy.
    pub step: Option<bool>,
}

impl<R: StackRules> Position<R> {
    /// The one legal move with these parts; none and several are errors.
    pub fn select(&self, wanted: &Selector) -> Result<Move, ReadError> {
        let moves = self.legal_moves();
        let mut fits = moves.iter().filter(|mv| {
            wanted.from.is_none_or(|from| from == mv.from())
                && wanted.to.is_none_or(|to| to == mv.to())
                && wanted.role.is_none_or(|role| role == mv.role())
                && wanted.kind.is_none_or(|kind| kind == mv.kind())
                && wanted.step.is_none_or(|step| step == mv.is_step())
        });
        let found = fits.next().ok_or(ReadError::Illegal(None))?;
        match fits.count() {
            0 => Ok(*found),
            others => Err(ReadError::Ambiguous {
                matches: others + 1,
            }),
        }
    }
}
