//! The weights of the heuristic player, all in points.

/// What the heuristic player values. The fields are plain, so that two styles can be matched in an arena.
///
/// ```
/// # use tractor_engine::Style;
/// let bold = Style { feed: 0.6, ..Style::NORMAL };
/// assert!(bold.feed < Style::NORMAL.feed);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// The chance of winning a trick above which points are put in.
    pub feed: f32,
    /// The same for points that are led.
    pub feed_lead: f32,
    /// What the lead is worth.
    pub tempo: f32,
    /// Points that each player after us is expected to add.
    pub to_come: f32,
    /// What the best card of a plain suit is worth, then the second, then the third.
    pub boss: [f32; 3],
    /// What a pair is worth beyond its cards.
    pub pair: f32,
    /// What the best pair of a group is worth beyond that.
    pub boss_pair: f32,
    /// What trumps are worth, against the table of their ranks.
    pub trump: f32,
    /// The same when trumps are led.
    pub trump_lead: f32,
    /// What it is worth to draw trumps with more of them than the others.
    pub draw: f32,
    /// What an empty plain suit is worth to someone with trumps.
    pub void: f32,
    /// What the chance of a partner to overtake counts.
    pub partner: f32,
    /// Whether throws are led.
    pub throws: bool,
    /// Whether played cards are remembered.
    pub memory: bool,
}

impl Style {
    /// The normal player.
    pub const NORMAL: Self = Self {
        feed: 0.8,
        feed_lead: 0.6,
        tempo: 1.5,
        to_come: 2.0,
        boss: [6.0, 3.0, 1.2],
        pair: 1.2,
        boss_pair: 2.0,
        trump: 1.0,
        trump_lead: 0.6,
        draw: 0.5,
        void: 1.0,
        partner: 0.4,
        throws: true,
        memory: true,
    };

    /// A player who forgets what was played and never throws.
    pub const EASY: Self = Self {
        throws: false,
        memory: false,
        ..Self::NORMAL
    };

    /// Sets a weight by its name, for experiments; `false` if there is none of that name.
    pub fn set(&mut self, name: &str, value: f32) -> bool {
        let field = match name {
            "feed" => &mut self.feed,
            "feed_lead" => &mut self.feed_lead,
            "tempo" => &mut self.tempo,
            "to_come" => &mut self.to_come,
            "boss0" => &mut self.boss[0],
            "boss1" => &mut self.boss[1],
            "boss2" => &mut self.boss[2],
            "pair" => &mut self.pair,
            "boss_pair" => &mut self.boss_pair,
            "trump" => &mut self.trump,
            "trump_lead" => &mut self.trump_lead,
            "draw" => &mut self.draw,
            "void" => &mut self.void,
            "partner" => &mut self.partner,
            _ => return false,
        };
        *field = value;
        true
    }
}
