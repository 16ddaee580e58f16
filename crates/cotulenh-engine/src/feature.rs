//! The parts of the search, each of which can be left out to measure what it earns.

use std::fmt;
use std::str::FromStr;

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A part of the search that can be switched off.
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
    /// Scores of positions met before end a search early.
    Hash = "hash",
    /// Only entries of exactly the depth asked for count: for tests that compare results.
    DeepHash = "deephash",
    /// A narrow window around the last score at the root.
    Aspiration = "aspiration",
    /// Passing to show that a position is good enough.
    NullMove = "nullmove",
    /// Moves far down the list are looked at less deeply.
    Reductions = "lmr",
    /// Quiet moves far down the list are not looked at near the leaves.
    LateMoves = "lmp",
    /// Quiet moves that cannot lift a bad position are not looked at near the leaves.
    Futility = "futility",
    /// A position far above the window is left near the leaves.
    ReverseFutility = "rfp",
    /// A turn that attacks the commander is looked at one turn deeper.
    CheckExtension = "checkext",
    /// Quiet moves that refuted a sibling come early.
    Killers = "killers",
    /// Quiet moves that were good elsewhere come early.
    History = "history",
    /// The same, given the turn before.
    Continuation = "continuation",
    /// Captures are judged by the exchange that follows.
    Exchange = "exchange",
    /// A node without a hash move is searched less deeply.
    InternalReduction = "iir",
    /// The same result of a turn is searched once, by whatever steps it is reached.
    Distinct = "distinct",
    /// Captures are played out at the leaves.
    Quiescence = "quiescence",
    /// Captures that cannot lift a bad position are not played out at the leaves.
    Delta = "delta",
    /// The evaluation knows more than material.
    Knowledge = "knowledge",
    /// A hash move that stands alone is looked at one turn deeper.
    Singular = "singular",
    /// Scores of leaves met before end them early.
    LeafHash = "leafhash",
    /// A draw is a little less than even for the side that thinks.
    Contempt = "contempt",
    /// Pieces that flee come early, those that walk into fire late.
    Threats = "threats",
}

/// A set of features.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Features(u32);

impl Features {
    /// Everything: how the engine plays.
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
