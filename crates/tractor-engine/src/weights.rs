//! The weights of the heuristic player, all in points where nothing else is said.

/// Writes the weights down once: their meaning, the normal player's value, and access by name.
macro_rules! weights {
    ($($(#[$doc:meta])* $name:ident = $value:literal,)*) => {
        /// What the heuristic player values. The fields are plain, so that two sets of weights can be matched in an arena.
        ///
        /// ```
        /// # use tractor_engine::Weights;
        /// let bold = Weights { feed: 0.6, ..Weights::NORMAL };
        /// assert!(bold.feed < Weights::NORMAL.feed);
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct Weights {
            $($(#[$doc])* pub $name: f32,)*
            /// Whether throws are led.
            pub throws: bool,
            /// Whether played cards are remembered.
            pub memory: bool,
        }

        impl Weights {
            /// The normal player.
            pub const NORMAL: Self = Self {
                $($name: $value,)*
                throws: true,
                memory: true,
            };

            /// The names of the weights.
            pub const WEIGHTS: &[&str] = &[$(stringify!($name)),*];

            /// A weight by its name.
            ///
            /// ```
            /// # use tractor_engine::Weights;
            /// let mut weights = Weights::NORMAL;
            /// *weights.weight("feed").expect("there is such a weight") = 0.9;
            /// assert!(weights.feed > 0.8 && weights.weight("luck").is_none());
            /// ```
            pub fn weight(&mut self, name: &str) -> Option<&mut f32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

weights! {
    /// The chance of winning a trick above which points are put in.
    feed = 0.75,
    /// What a point is worth that is put into a trick surely won, rather than kept.
    fed = 0.48,
    /// What a point costs that is put into a trick surely lost.
    lost = 0.52,
    /// The chance above which points are led.
    feed_lead = 0.6,
    /// What the lead is worth when a trick is led.
    tempo = 0.65,
    /// What it is worth to win the lead from another.
    tempo_follow = 1.5,
    /// Points that each player after us is expected to add.
    to_come = 2.0,
    /// What the best card of a plain suit is worth.
    boss = 1.7,
    /// What a card is worth that one unseen card beats.
    second = 1.27,
    /// What a card is worth that two unseen cards beat.
    third = 0.78,
    /// What of that is lost for each card that the others lack of six in the suit, as a share.
    thin = 0.06,
    /// What each rank is worth in a plain suit.
    rank = 0.015,
    /// What each further card of its suit adds to a plain card.
    length = 0.06,
    /// What a plain pair is worth beyond its cards.
    pair = 1.2,
    /// What a pair of trumps is worth beyond its cards.
    trump_pair = 1.56,
    /// What the best pair of a group is worth beyond that.
    boss_pair = 2.35,
    /// What trumps are worth, against the table of their ranks.
    trump = 1.0,
    /// The same when trumps are led.
    trump_lead = 0.81,
    /// What trumps are worth more when few cards are left, as a factor.
    late = 1.3,
    /// How many cards few are.
    few = 6.0,
    /// A big joker.
    big_joker = 9.0,
    /// A small joker.
    small_joker = 5.4,
    /// A card of the trump rank in the trump suit.
    own_rank = 5.4,
    /// A card of the trump rank in another suit.
    off_rank = 3.6,
    /// The lowest trump.
    low_trump = 2.0,
    /// What each rank is worth among trumps.
    trump_rung = 0.12,
    /// What it is worth to draw trumps, for each that we have more than the others.
    draw = 0.5,
    /// What it costs to lead trumps when nobody else has any.
    drained = 3.0,
    /// What an empty plain suit is worth to someone with trumps.
    void = 2.1,
    /// What the chance of a partner to overtake counts.
    partner = 0.61,
    /// The same when we follow and our partner plays last.
    rescue = 0.7,
    /// What the chance of the next player counts against a partner who plays after it.
    between = 0.17,
    /// What a trick is worth, a card.
    brought = 1.3,
    /// What the points among the unseen cards of the suit add to that.
    density = 1.2,
    /// What it costs to lead cards that are likely to lose, against their worth.
    loser = 0.2,
    /// What the last trick is worth, for the kitty.
    last = 20.0,
    /// How often a ruff that is possible is made.
    ruffs = 0.95,
    /// How many cards the kitty counts for among the hands where plain cards may lie.
    kitty_plain = 9.0,
    /// The same for trumps: few are buried.
    kitty_trumps = 2.2,
    /// What a point in the kitty costs with nine trumps.
    kitty_point = 0.29,
    /// What each trump more takes off that.
    kitty_trump = 0.04,
    /// What it costs beyond its worth to bury a trump.
    bury_trump = 6.0,
    /// What it is worth to bury a whole suit, for each trump above four.
    bury_void = 1.0,
}

impl Weights {
    /// A player who forgets what was played and never throws.
    pub const EASY: Self = Self {
        throws: false,
        memory: false,
        ..Self::NORMAL
    };
}
