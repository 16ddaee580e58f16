//! Search features that can be switched off to measure what they earn.

use std::fmt;
use std::str::FromStr;

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A search feature that can be switched off.
        ///
        /// ```
        /// use cotulenh_engine::{Feature, Features};
        /// let without = Features::ALL.without(Feature::NullMove);
        /// assert!(!without.has("nullmove".parse()?));
        /// # Ok::<_, cotulenh_engine::UnknownFeature>(())
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Feature { $($(#[$doc])* $name,)* }

        impl Feature {
            /// Every feature.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Its name in options.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

features! {
    /// Transposition table cutoffs and hash moves.
    Hash = "hash",
    /// Entries deeper than asked for give cutoffs too. Without it only entries of exactly the
    /// depth do, for tests that compare results.
    DeepHash = "deephash",
    /// Aspiration windows at the root.
    Aspiration = "aspiration",
    /// Null-move pruning.
    NullMove = "nullmove",
    /// Late move reductions (LMR).
    Reductions = "lmr",
    /// Late move pruning (LMP).
    LateMoves = "lmp",
    /// Futility pruning.
    Futility = "futility",
    /// Reverse futility pruning (static null-move pruning).
    ReverseFutility = "rfp",
    /// Check extension.
    CheckExtension = "checkext",
    /// Killer moves.
    Killers = "killers",
    /// History heuristic.
    History = "history",
    /// Continuation history: history given the previous move.
    Continuation = "continuation",
    /// Static exchange evaluation (SEE) of captures.
    Exchange = "exchange",
    /// Internal iterative reduction (IIR).
    InternalReduction = "iir",
    /// Turns with the same result are searched once.
    Distinct = "distinct",
    /// Quiescence search.
    Quiescence = "quiescence",
    /// Delta pruning and SEE pruning in the quiescence search.
    Delta = "delta",
    /// The network; without it the evaluation is the material balance.
    Knowledge = "knowledge",
    /// Singular extension.
    Singular = "singular",
    /// Transposition table in the quiescence search.
    LeafHash = "leafhash",
    /// Contempt: a draw is a little less than even for the side to move at the root.
    Contempt = "contempt",
    /// Move ordering by attacked squares.
    Threats = "threats",
}

/// A set of features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Features(u32);

impl Features {
    /// All of them: how the engine plays.
    pub const ALL: Self = Self(u32::MAX);

    /// The features that keep a search equal to a full one: no pruning, no reduction.
    pub const EXACT: Self = Self(
        1 << Feature::Aspiration as u32
            | 1 << Feature::Killers as u32
            | 1 << Feature::History as u32
            | 1 << Feature::Continuation as u32
            | 1 << Feature::Distinct as u32
            | 1 << Feature::Quiescence as u32
            | 1 << Feature::Knowledge as u32,
    );

    /// Whether a feature is on.
    #[inline]
    pub const fn has(self, feature: Feature) -> bool {
        self.0 >> feature as u32 & 1 != 0
    }

    /// The set and one feature.
    #[must_use]
    pub const fn with(self, feature: Feature) -> Self {
        Self(self.0 | 1 << feature as u32)
    }

    /// The set less one feature.
    #[must_use]
    pub const fn without(self, feature: Feature) -> Self {
        Self(self.0 & !(1 << feature as u32))
    }
}

impl Default for Features {
    fn default() -> Self {
        Self::ALL
    }
}

/// No feature has that name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownFeature;

impl fmt::Display for UnknownFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no such feature; there are")?;
        for feature in Feature::ALL {
            write!(f, " {}", feature.name())?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownFeature {}

impl FromStr for Feature {
    type Err = UnknownFeature;

    fn from_str(text: &str) -> Result<Self, UnknownFeature> {
        let named = |feature: &&Self| feature.name() == text;
        Self::ALL.iter().find(named).copied().ok_or(UnknownFeature)
    }
}
