//! How a game ends.

use std::fmt;

use crate::{Color, Position, Role};

/// Why a game is over; in text, one word.
///
/// ```
/// use cotulenh::Reason;
/// assert_eq!(Reason::Checkmate.to_string(), "checkmate");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// In check without a legal turn (Rule 9.4).
    Checkmate,
    /// Not in check, without a legal turn (Rule 9.4).
    Stalemate,
    /// A commander is gone (Rule 9.5).
    Commander,
    /// A hundred turns without a capture (Rule 9.6).
    Fifty,
    /// The same position for the third time (Rule 9.6); known to a game, not to a position.
    Threefold,
    /// Optional: both ships are gone.
    Marine,
    /// Optional: both aircraft are gone.
    Air,
    /// Optional: all artillery, tanks and infantry are gone.
    Land,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Commander => "commander",
            Self::Fifty => "fifty",
            Self::Threefold => "threefold",
            Self::Marine => "marine",
            Self::Air => "air",
            Self::Land => "land",
        })
    }
}

/// The end of a game: who has won, if anybody, and why.
///
/// ```
/// use cotulenh::{Color, Outcome, Position, Reason};
/// let mate: Position = "4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1".parse()?;
/// let outcome = Outcome { winner: Some(Color::Blue), reason: Reason::Checkmate };
/// assert_eq!(mate.outcome(), Some(outcome));
/// assert_eq!(Position::start().outcome(), None);
/// # Ok::<_, cotulenh::ParseFenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner, or `None` for a draw.
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(Color::Red) => f.write_str("red wins")?,
            Some(Color::Blue) => f.write_str("blue wins")?,
            None => f.write_str("drawn")?,
        }
        f.write_str(match self.reason {
            Reason::Checkmate => " by checkmate",
            Reason::Stalemate => " by stalemate",
            Reason::Commander => ", the commander is captured",
            Reason::Fifty => ", a hundred turns without a capture",
            Reason::Threefold => " by threefold repetition",
            Reason::Marine => ", all ships are lost",
            Reason::Air => ", all aircraft are lost",
            Reason::Land => ", all artillery, tanks and infantry are lost",
        })
    }
}

/// The ways to win beside the commander's that the tournament rules know; all off by default.
///
/// A side loses when the last of these pieces is gone.
///
/// ```
/// use cotulenh::{Position, Reason, VictoryRules};
/// let position: Position = "6c4/11/11/11/11/11/11/11/2N8/11/11/5C5 b - - 0 1".parse()?;
/// let rules = VictoryRules { marine: true, ..VictoryRules::default() };
/// assert_eq!(position.outcome_under(rules).map(|end| end.reason), Some(Reason::Marine));
/// # Ok::<_, cotulenh::ParseFenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct VictoryRules {
    /// Both ships.
    pub marine: bool,
    /// Both aircraft.
    pub air: bool,
    /// All artillery, tanks and infantry.
    pub land: bool,
}

impl Position {
    /// The end of the game, if this position is one. Never while a deploy is open; threefold
    /// repetition is for the game to tell, which knows the positions before.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome_under(VictoryRules::default())
    }

    /// The same with further ways to win.
    pub fn outcome_under(&self, rules: VictoryRules) -> Option<Outcome> {
        if self.deploy().is_some() {
            return None;
        }
        let lost = |color: Color| self.commander(color).is_none();
        if lost(Color::Red) || lost(Color::Blue) {
            let winner = Color::ALL.into_iter().find(|color| !lost(*color));
            return Some(Outcome {
                winner,
                reason: Reason::Commander,
            });
        }
        let stuck = !self.has_legal_move();
        if stuck && self.in_check() {
            return Some(Outcome {
                winner: Some(!self.turn()),
                reason: Reason::Checkmate,
            });
        }
        if let Some(outcome) = self.service_victory(rules) {
            return Some(outcome);
        }
        if stuck {
            return Some(Outcome {
                winner: None,
                reason: Reason::Stalemate,
            });
        }
        (self.halfmove_clock() >= 100).then_some(Outcome {
            winner: None,
            reason: Reason::Fifty,
        })
    }

    /// The side that has just moved is asked last: it wins if both lose a service at once.
    fn service_victory(&self, rules: VictoryRules) -> Option<Outcome> {
        let land = Role::Artillery.mask() | Role::Tank.mask() | Role::Infantry.mask();
        let services = [
            (rules.marine, Role::Navy.mask(), Reason::Marine),
            (rules.air, Role::AirForce.mask(), Reason::Air),
            (rules.land, land, Reason::Land),
        ];
        [self.turn(), !self.turn()].into_iter().find_map(|loser| {
            let stacks = self.stacks().filter(|(_, stack)| stack.color() == loser);
            let left = stacks.fold(0, |roles, (_, stack)| roles | stack.roles());
            let gone = services
                .iter()
                .find(|(on, roles, _)| *on && left & roles == 0);
            gone.map(|(_, _, reason)| Outcome {
                winner: Some(!loser),
                reason: *reason,
            })
        })
    }
}
