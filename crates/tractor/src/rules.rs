//! House rules: one plain struct of switches, their table, and three presets.

mod switch;
mod text;

use alloc::string::String;

use crate::level::{Level, LevelSet};
use switch::SwitchValue;
pub use switch::{Switch, SwitchValues};
pub use text::RulesError;

/// An enum whose variants have names in the notation, in one table.
macro_rules! switch {
    ($(#[$doc:meta])* $name:ident {
        $(#[$first_doc:meta])* $first:ident = $first_text:literal,
        $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)+
    }) => {
        $(#[$doc])*
        ///
        /// ```
        #[doc = concat!("# use tractor::", stringify!($name), ";")]
        #[doc = concat!(
            "assert_eq!(", stringify!($name), "::", stringify!($first), ".name(), \"", $first_text, "\");"
        )]
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $(#[$first_doc])* $first,
            $($(#[$variant_doc])* $variant,)+
        }

        impl $name {
            /// Every value.
            pub const ALL: &'static [Self] = &[Self::$first, $(Self::$variant,)+];

            /// The value's name, as [`Rules::set`] reads it.
            pub const fn name(self) -> &'static str {
                match self {
                    Self::$first => $first_text,
                    $(Self::$variant => $text,)+
                }
            }

        }

        impl SwitchValue for $name {
            const VALUES: SwitchValues = SwitchValues::OneOf(&[$first_text, $($text,)+]);
            fn read(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name() == text)
            }
            fn write(&self) -> String {
                self.name().into()
            }
        }
    };
}

switch! {
    /// Who decides whether a throw stands (Rule 3.2).
    ThrowMode {
        /// The leader must be able to prove it from public knowledge; otherwise it is refused.
        Certain = "certain",
        /// The real hands decide; a throw that fails leads one of its components instead.
        Challenge = "challenge",
    }
}

switch! {
    /// How two trump answers to a throw are compared (Rule 3.4).
    ThrowEval {
        /// The higher type of component in the answers wins, then its top card.
        Seed = "seed",
        /// The best type of the lead decides: the top card each answer offers at that type.
        LeadShape = "lead_shape",
        /// Every led component must be beaten by the part of the answer that matches it.
        All = "all",
        /// Only the highest matched card counts.
        Highest = "highest",
        /// Components by size, largest first; the first difference decides.
        UnitLength = "unit_length",
    }
}

switch! {
    /// When a trump answer may beat a throw at all (Rule 3.4).
    Eligibility {
        /// Its summary reaches the lead's: pairs, tractors, tractor pairs, longest tractor.
        Summary = "summary",
        /// Each led component has its own disjoint part in the answer.
        Embed = "embed",
    }
}

switch! {
    /// Which part of an answer stands for which component of the throw (Rule 2.10).
    ResponseMapping {
        /// Larger components first, each takes the strongest part that fits.
        Strongest = "strongest",
        /// Larger components first, each takes the lowest part that fits; singles get the rest.
        LowestFirst = "lowest_first",
    }
}

switch! {
    /// What a follower owes beside the led group (Rule 3.3).
    FollowPolicy {
        /// Pairs for pairs, a tractor for a tractor of the same length, tractor pairs for throws.
        Loose = "loose",
        /// The first shape of an ever looser list that the hand can show.
        Strict = "strict",
        /// Only the led group counts.
        Free = "free",
    }
}

switch! {
    /// How often the kitty counts (Rule 2.7).
    KittyMultiplier {
        /// Two to the number of led pairs plus one.
        PowPairs = "pow_pairs",
        /// Two for singles, four for anything with a pair.
        Flat = "flat_2_4",
        /// Twice the cards of the largest led component.
        Times2n = "times_2n",
        /// Two to the number of cards of the largest led component.
        PowN = "pow_n",
    }
}

switch! {
    /// Which declaration beats which (Rule 2.4).
    BidPolicy {
        /// More cards first, then jokers over suits.
        JokerOrGreaterLength = "joker_or_greater_length",
        /// As above, then also the higher suit at equal length.
        JokerOrHigherSuit = "joker_or_higher_suit",
        /// Only more cards.
        GreaterLength = "greater_length",
    }
}

switch! {
    /// Whether one may raise one's own declaration (Rule 2.4).
    BidReinforce {
        /// Only the standing one, with the same suit.
        WhileWinning = "while_winning",
        /// Also with another suit.
        OverturnSelf = "overturn_self",
        /// Never.
        Never = "never",
    }
}

switch! {
    /// Which jokers may declare (Rule 2.4).
    JokerBids {
        /// Two of a kind.
        Pairs = "pairs",
        /// One is enough.
        Singles = "singles",
        /// None at all.
        Off = "off",
    }
}

switch! {
    /// What a player who holds a pair of the trump rank may show (Rule 2.10).
    DeclOffer {
        /// The pair or one card of it.
        All = "all",
        /// The pair alone.
        PairOnly = "pair_only",
    }
}

switch! {
    /// Who starts round one (Rule 2.10).
    FirstStarter {
        /// Who made the winning declaration.
        WinningBid = "winning_bid",
        /// Who made the first declaration.
        FirstBid = "first_bid",
    }
}

switch! {
    /// What happens where nobody declares (Rule 2.4).
    NoBid {
        /// There is no trump suit.
        NoTrump = "no_trump",
        /// A card of the kitty is turned and sets it.
        RevealKitty = "reveal_kitty",
    }
}

/// How points become levels (Rule 2.8).
///
/// ```
/// # use tractor::Rules;
/// let scoring = Rules::DEFAULT.scoring;
/// assert_eq!(scoring.step * u16::from(scoring.turnover), 80);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scoring {
    /// Points of one step.
    pub step: u16,
    /// At this many steps the attackers take over.
    pub turnover: u8,
    /// This many steps from there on win no level.
    pub dead_zone: u8,
    /// The defenders win one level more at this many points or fewer.
    pub shutout: u16,
}

/// Writes the switches down once: what each decides, its type, the default's value.
macro_rules! house_rules {
    ($(#[doc = $doc:literal] $field:ident: $type:ty = $default:expr,)+) => {
        /// House rules. The fields are plain: `Rules { min_tractor_len: 3, ..Rules::DEFAULT }`.
        ///
        /// ```
        /// # use tractor::{FollowPolicy, Rules};
        /// let mut rules = Rules::preset("default").expect("a preset");
        /// rules.set("follow_policy", "strict")?;
        /// assert_eq!(rules.follow_policy, FollowPolicy::Strict);
        /// assert_eq!(rules.set("follow_policy", "odd").unwrap_err().to_string(),
        ///     "follow_policy is one of: loose, strict, free");
        /// # Ok::<_, tractor::RulesError>(())
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(
            clippy::struct_excessive_bools,
            reason = "each is a switch of its own, named by the rules"
        )]
        pub struct Rules {
            $(#[doc = $doc] pub $field: $type,)+
        }

        impl Rules {
            /// The recommended game.
            pub const DEFAULT: Self = Self {
                $($field: $default,)+
            };

            /// Every switch, in the order of the fields.
            pub const SWITCHES: &'static [Switch] = &[$(Switch {
                name: stringify!($field),
                values: <$type as SwitchValue>::VALUES,
                doc: $doc,
                read: |rules, text| match <$type as SwitchValue>::read(text) {
                    Some(value) => {
                        rules.$field = value;
                        true
                    }
                    None => false,
                },
                write: |rules| SwitchValue::write(&rules.$field),
            },)+];
        }
    };
}

house_rules! {
    /// Who decides whether a throw stands (Rule 3.2).
    throw_mode: ThrowMode = ThrowMode::Certain,
    /// Whether trumps may be thrown (Rule 3.2).
    allow_trump_throw: bool = false,
    /// Points that pass to the other side for each failed throw (Rule 3.2).
    throw_penalty: u16 = 0,
    /// Whether all are told who stopped a failed throw (Rule 3.2).
    announce_stopper: bool = true,
    /// Whether the leader may name how the cards are grouped into components (Rule 3.1).
    name_grouping: bool = false,
    /// How two trump answers to a throw are compared (Rule 3.4).
    throw_eval: ThrowEval = ThrowEval::Seed,
    /// When a trump answer may beat a throw at all (Rule 3.4).
    eligibility: Eligibility = Eligibility::Summary,
    /// Which part of an answer stands for which component (Rule 3.4).
    response_mapping: ResponseMapping = ResponseMapping::Strongest,
    /// What a follower owes beside the led group (Rule 3.3).
    follow_policy: FollowPolicy = FollowPolicy::Loose,
    /// Without a trump suit, whether a pair of the trump rank touches the small jokers (Rule 1.6).
    nt_rank_joker_adjacent: bool = true,
    /// Pairs that make a tractor, two or three (Rule 1.6).
    min_tractor_len: u8 = 2,
    /// Which declaration beats which (Rule 2.4).
    bid_policy: BidPolicy = BidPolicy::JokerOrGreaterLength,
    /// Whether one may raise one's own declaration (Rule 2.4).
    bid_reinforce: BidReinforce = BidReinforce::WhileWinning,
    /// Which jokers may declare (Rule 2.4).
    joker_bids: JokerBids = JokerBids::Pairs,
    /// Whether a player may raise an own pair of small jokers to big ones (Rule 2.4).
    own_joker_raise: bool = false,
    /// What a player with a pair of the trump rank may show (Rule 2.4).
    decl_offer: DeclOffer = DeclOffer::All,
    /// Who starts round one (Rule 2.4).
    first_starter: FirstStarter = FirstStarter::WinningBid,
    /// What happens where nobody declares (Rule 2.4).
    no_bid: NoBid = NoBid::NoTrump,
    /// Whether a higher declaration after the bury takes over the kitty (Rule 2.10).
    kitty_theft: bool = false,
    /// How often the kitty counts (Rule 2.7).
    kitty_multiplier: KittyMultiplier = KittyMultiplier::PowPairs,
    /// How points become levels (Rule 2.8).
    scoring: Scoring = Scoring { step: 40, turnover: 2, dead_zone: 1, shutout: 0 },
    /// The level that must be defended to win the game: the ace or NT (Rule 2.10).
    max_rank: Level = Level::ACE,
    /// Levels that can only be left by defending them (Rule 2.9).
    must_defend: LevelSet = LevelSet::ACE,
    /// Attackers who win the last trick with a single jack send defenders on J back to 2 (Rule 2.10).
    jack_back_to_two: bool = false,
    /// Whether a round ends once no further point can change its result (Rule 2.10).
    end_early: bool = false,
    /// Whether a play may be taken back before the next one (Rule 2.10).
    take_back: bool = false,
}

impl Rules {
    /// The game of the app ejfn/Tractor.
    pub const EJFN: Self = Self {
        throw_eval: ThrowEval::LeadShape,
        nt_rank_joker_adjacent: false,
        decl_offer: DeclOffer::PairOnly,
        ..Self::DEFAULT
    };

    /// The game of the server rbtying/shengji with its own defaults.
    pub const SHENGJI: Self = Self {
        throw_mode: ThrowMode::Challenge,
        allow_trump_throw: true,
        throw_eval: ThrowEval::All,
        eligibility: Eligibility::Embed,
        response_mapping: ResponseMapping::LowestFirst,
        follow_policy: FollowPolicy::Strict,
        no_bid: NoBid::RevealKitty,
        kitty_multiplier: KittyMultiplier::Times2n,
        max_rank: Level::NT,
        must_defend: LevelSet::ACE.with(Level::NT),
        ..Self::DEFAULT
    };

    /// The names of the presets.
    pub const PRESETS: [&'static str; 3] = ["default", "ejfn", "shengji"];

    /// A preset by its name.
    pub fn preset(name: &str) -> Option<Self> {
        match name {
            "default" => Some(Self::DEFAULT),
            "ejfn" => Some(Self::EJFN),
            "shengji" => Some(Self::SHENGJI),
            _ => None,
        }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::DEFAULT
    }
}
