//! How a game ends.

use core::fmt;
use core::str::FromStr;

use crate::{Color, Position, Role, RoleSet, StackRules};

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

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 8] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::Commander,
        Self::Fifty,
        Self::Threefold,
        Self::Marine,
        Self::Air,
        Self::Land,
    ];

    /// One word: `checkmate`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::Commander => "commander",
            Self::Fifty => "fifty",
            Self::Threefold => "threefold",
            Self::Marine => "marine",
            Self::Air => "air",
            Self::Land => "land",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The text is not the word of a reason.
///
/// ```
/// use cotulenh::{ParseReasonError, Reason};
/// assert_eq!("fifty".parse(), Ok(Reason::Fifty));
/// assert_eq!("boredom".parse::<Reason>(), Err(ParseReasonError));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseReasonError;

impl fmt::Display for ParseReasonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a reason for which games end")
    }
}

impl core::error::Error for ParseReasonError {}

impl FromStr for Reason {
    type Err = ParseReasonError;

    fn from_str(text: &str) -> Result<Self, ParseReasonError> {
        let known = Self::ALL.into_iter().find(|reason| reason.word() == text);
        known.ok_or(ParseReasonError)
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
/// A side loses when the last of these pieces is gone, if it had any when the game began (Rule 9.7.1): see
/// [`VictoryRules::services`], or let a [`Game`](crate::Game) judge.
///
/// ```
/// use cotulenh::{Game, Position, Reason, VictoryRules};
/// let fen = "6c4/9ii/11/11/11/2n8/2N8/11/11/11/9II/5C5 r - - 0 1";
/// let rules = VictoryRules { marine: true, ..VictoryRules::default() };
/// let mut game = Game::new(fen.parse::<Position>()?).with_rules(rules);
/// game.play_text("Nxc7")?;
/// assert_eq!(game.outcome().map(|end| end.reason), Some(Reason::Marine));
/// # Ok::<_, Box<dyn core::error::Error>>(())
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

impl VictoryRules {
    /// What each side can lose in a game that began with this position: it must have had it.
    pub fn services<R: StackRules>(self, start: &Position<R>) -> Services {
        let land = Role::Artillery.set() | Role::Tank.set() | Role::Infantry.set();
        let services = [
            (self.marine, Role::Navy.set()),
            (self.air, Role::AirForce.set()),
            (self.land, land),
        ];
        Services(Color::ALL.map(|color| {
            let present = start.roles_of(color);
            services.map(|(on, roles)| {
                let counts = on && !roles.is_disjoint(present);
                if counts { roles } else { RoleSet::EMPTY }
            })
        }))
    }
}

/// Rule 9.7: for each side the services whose loss loses the game; none by default.
///
/// ```
/// use cotulenh::{Color, Position, Reason, Services, VictoryRules};
/// let start: Position = "6c4/11/11/11/11/11/11/11/2N8/11/11/5C5 b - - 0 1".parse()?;
/// let rules = VictoryRules { marine: true, air: true, land: false };
/// let services = rules.services(&start);
/// // Blue had no ship to lose.
/// assert_eq!(start.outcome_under(&services), None);
/// let sunk: Position = "6c4/11/11/11/11/11/11/11/11/11/11/5C5 r - - 0 2".parse()?;
/// assert_eq!(services.lost(&sunk, Color::Red), Some(Reason::Marine));
/// # Ok::<_, cotulenh::ParseFenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Services([[RoleSet; 3]; 2]);

impl Services {
    /// Whether no loss counts, as in a game without optional rules.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.as_flattened().iter().all(|roles| roles.is_empty())
    }

    /// The first service that a side has lost.
    pub fn lost<R: StackRules>(&self, position: &Position<R>, color: Color) -> Option<Reason> {
        if self.is_empty() {
            return None;
        }
        let left = position.roles_of(color);
        let reasons = [Reason::Marine, Reason::Air, Reason::Land];
        let mut services = self.0[color.index()].into_iter().zip(reasons);
        services
            .find(|(roles, _)| !roles.is_empty() && roles.is_disjoint(left))
            .map(|(_, reason)| reason)
    }
}

impl<R: StackRules> Position<R> {
    /// The end of the game, if this position is one. Never while a deploy is open; threefold
    /// repetition is for the game to tell, which knows the positions before.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome_under(&Services::default())
    }

    /// The same with further ways to win.
    pub fn outcome_under(&self, services: &Services) -> Option<Outcome> {
        self.outcome_with(services, || 1)
    }

    /// The end of the game by all that is known of it: the optional ways to win, and how often the position
    /// has occurred, which is asked only if nothing else ends the game. Rule 9.6.5 says what comes first.
    pub fn outcome_with(
        &self,
        services: &Services,
        repetitions: impl FnOnce() -> usize,
    ) -> Option<Outcome> {
        if self.deploy().is_some() {
            return None;
        }
        let won = |winner, reason| {
            Some(Outcome {
                winner: Some(winner),
                reason,
            })
        };
        let drawn = |reason| {
            Some(Outcome {
                winner: None,
                reason,
            })
        };
        let lost = |color: Color| self.commander(color).is_none();
        let (turn, other) = (self.turn(), !self.turn());
        match (lost(turn), lost(other)) {
            (true, true) => return drawn(Reason::Commander),
            (true, false) => return won(other, Reason::Commander),
            (false, true) => return won(turn, Reason::Commander),
            (false, false) => {}
        }
        let stuck = !self.has_legal_move();
        if stuck && self.in_check() {
            return won(other, Reason::Checkmate);
        }
        // Rule 9.7.1: the side that has just moved wins if both lose a service at once.
        for loser in [turn, other] {
            if let Some(reason) = services.lost(self, loser) {
                return won(!loser, reason);
            }
        }
        if stuck {
            return drawn(Reason::Stalemate);
        }
        if repetitions() >= 3 {
            return drawn(Reason::Threefold);
        }
        if self.halfmove_clock() >= 100 {
            return drawn(Reason::Fifty);
        }
        None
    }

    /// Whether the side to move is mated (Rule 9.4).
    ///
    /// ```
    /// use cotulenh::Position;
    /// let mate: Position = "4c6/9ii/11/11/11/11/11/11/7a2a/11/11/7a2C r - - 0 1".parse()?;
    /// assert!(mate.is_checkmate() && mate.is_game_over() && !mate.is_stalemate());
    /// # Ok::<_, cotulenh::ParseFenError>(())
    /// ```
    pub fn is_checkmate(&self) -> bool {
        self.ended_by(Reason::Checkmate)
    }

    /// Whether the side to move has no legal turn, and is not in check (Rule 9.4).
    pub fn is_stalemate(&self) -> bool {
        self.ended_by(Reason::Stalemate)
    }

    /// Whether the game is over as far as the position tells: see [`Position::outcome`].
    pub fn is_game_over(&self) -> bool {
        self.outcome().is_some()
    }

    fn ended_by(&self, reason: Reason) -> bool {
        self.outcome()
            .is_some_and(|outcome| outcome.reason == reason)
    }

    /// Every role that a side still has.
    pub fn roles_of(&self, color: Color) -> RoleSet {
        let own = self.occupied_by(color).into_iter();
        own.fold(RoleSet::EMPTY, |all, square| {
            all | self.board.info(square).roles
        })
    }
}
