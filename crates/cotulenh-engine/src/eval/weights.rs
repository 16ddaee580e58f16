//! The one table of all values that the evaluation knows, and its layout.

use std::fmt;
use std::str::FromStr;

use cotulenh::Role;

use super::values::VALUES;

/// How many roles there are.
pub(super) const ROLES: usize = 11;
/// A piece without its colour: twice its role, one more if heroic.
pub(crate) const KINDS: usize = 2 * ROLES;

/// A run of values within the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    /// Its name in the file of values.
    pub name: &'static str,
    /// Where it begins.
    pub start: usize,
    /// How many values a row has; rows are roles, kinds or counts.
    pub row: usize,
    /// How many rows it has.
    pub rows: usize,
}

impl Block {
    const fn after(before: Option<&Self>, name: &'static str, rows: usize, row: usize) -> Self {
        let start = match before {
            Some(block) => block.start + block.row * block.rows,
            None => 0,
        };
        Self {
            name,
            start,
            row,
            rows,
        }
    }

    /// The place of one value.
    pub(super) const fn at(&self, row: usize, column: usize) -> usize {
        self.start + row * self.row + column
    }
}

/// A piece on the board, by kind.
pub(super) const MATERIAL: Block = Block::after(None, "material", KINDS, 1);
/// A piece on a file, by role.
pub(super) const FILE: Block = Block::after(Some(&MATERIAL), "file", ROLES, 11);
/// A piece on a rank as its side counts them, by role.
pub(super) const RANK: Block = Block::after(Some(&FILE), "rank", ROLES, 12);
/// A piece at a distance from the other commander, by role.
pub(super) const HUNT: Block = Block::after(Some(&RANK), "hunt", ROLES, 12);
/// A piece at a distance from its own commander, by role.
pub(super) const GUARD: Block = Block::after(Some(&HUNT), "guard", ROLES, 12);
/// A piece that is carried, by role.
pub(super) const CARGO: Block = Block::after(Some(&GUARD), "cargo", ROLES, 1);
/// The commander aboard a carrier, by the carrier's role.
pub(super) const ABOARD: Block = Block::after(Some(&CARGO), "aboard", ROLES, 1);
/// A square that a piece reaches, by role.
pub(super) const MOBILITY: Block = Block::after(Some(&ABOARD), "mobility", ROLES, 1);
/// An enemy stack that is attacked and not defended, by the role of its carrier.
pub(super) const HANGING: Block = Block::after(Some(&MOBILITY), "hanging", ROLES, 1);
/// An enemy stack that is attacked and defended, by the role of its carrier.
pub(super) const PRESSED: Block = Block::after(Some(&HANGING), "pressed", ROLES, 1);
/// How often the squares around the other commander are attacked.
pub(super) const STORM: Block = Block::after(Some(&PRESSED), "storm", 16, 1);
/// How many own stacks stand around the commander.
pub(super) const SHIELD: Block = Block::after(Some(&STORM), "shield", 9, 1);
/// How many empty squares the commander sees along its lines.
pub(super) const OPEN: Block = Block::after(Some(&SHIELD), "open", 16, 1);
/// The commander under own air cover; stacks under it; the size of it.
pub(super) const COVER: Block = Block::after(Some(&OPEN), "cover", 3, 1);
/// The right to move.
pub(super) const TEMPO: Block = Block::after(Some(&COVER), "tempo", 1, 1);

/// Every block in order.
pub const BLOCKS: [Block; 15] = [
    MATERIAL, FILE, RANK, HUNT, GUARD, CARGO, ABOARD, MOBILITY, HANGING, PRESSED, STORM, SHIELD,
    OPEN, COVER, TEMPO,
];

/// How many values there are.
pub const WEIGHTS: usize = TEMPO.start + 1;

/// All values of the evaluation, each for the beginning and for the end of a game, in
/// hundredths of an infantry. `cargo xtask tune` adjusts them.
///
/// ```
/// use cotulenh_engine::Weights;
/// let weights = Weights::default();
/// assert!(weights.0.len() > 600);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weights(pub [[i16; 2]; WEIGHTS]);

impl Default for Weights {
    /// The values that the engine plays with.
    fn default() -> Self {
        Self(VALUES)
    }
}

impl Weights {
    /// Values by hand, for a first self-play.
    pub fn by_hand() -> Self {
        let mut weights = Self([[0; 2]; WEIGHTS]);
        let mut set = |at: usize, early: i16, late: i16| weights.0[at] = [early, late];
        for role in Role::ALL {
            let index = role.index();
            let [plain, heroic] = material(role);
            set(MATERIAL.at(2 * index, 0), plain, plain);
            set(MATERIAL.at(2 * index + 1, 0), heroic, heroic);
            if role != Role::Commander && role != Role::Headquarters {
                for distance in 0..12_i16 {
                    let near = (11 - distance) * (11 - distance) / 12;
                    set(
                        HUNT.at(index, usize::from(distance.unsigned_abs())),
                        near,
                        near,
                    );
                }
            }
        }
        for (role, mobility) in [(Role::AirForce, 1), (Role::Navy, 1), (Role::Artillery, 1)] {
            set(MOBILITY.at(role.index(), 0), mobility, mobility);
        }
        for role in Role::ALL {
            let [plain, _] = material(role);
            set(HANGING.at(role.index(), 0), plain / 10, plain / 10);
            set(PRESSED.at(role.index(), 0), plain / 40, plain / 40);
        }
        for count in 0..16_i16 {
            set(
                STORM.at(usize::from(count.unsigned_abs()), 0),
                3 * count,
                6 * count,
            );
        }
        for count in 0..9_i16 {
            set(
                SHIELD.at(usize::from(count.unsigned_abs()), 0),
                6 * count.min(4),
                0,
            );
        }
        set(COVER.at(0, 0), 25, 15);
        set(COVER.at(1, 0), 2, 2);
        set(TEMPO.at(0, 0), 15, 15);
        weights
    }
}

/// The worth of a piece, plain and heroic, by hand.
const fn material(role: Role) -> [i16; 2] {
    match role {
        Role::Commander => [0, 0],
        Role::Infantry | Role::Engineer => [100, 180],
        Role::Militia => [110, 190],
        Role::Artillery => [330, 430],
        Role::AntiAir => [120, 190],
        Role::Missile => [240, 330],
        Role::Tank => [200, 330],
        Role::AirForce => [480, 720],
        Role::Navy => [650, 800],
        Role::Headquarters => [40, 110],
    }
}

impl Weights {
    /// The table as the source file that the engine is built with.
    pub fn source(&self) -> String {
        use std::fmt::Write as _;
        let mut text = String::from(
            "//! The values that the engine plays with; written by `cargo xtask tune`.\n\n\
             use super::weights::WEIGHTS;\n\n\
             /// Each for the beginning and for the end of a game.\n\
             #[rustfmt::skip]\n\
             pub(super) const VALUES: [[i16; 2]; WEIGHTS] = [\n",
        );
        for block in BLOCKS {
            let _ = writeln!(text, "    // {}", block.name);
            // Columns of numbers read best a row a line; single values are grouped by eight.
            let row = if block.row == 1 { 8 } else { block.row };
            let values = &self.0[block.start..block.start + block.row * block.rows];
            for line in values.chunks(row) {
                let cells = line
                    .iter()
                    .map(|[early, late]| format!("[{early}, {late}]"));
                let _ = writeln!(text, "    {},", cells.collect::<Vec<_>>().join(", "));
            }
        }
        text.push_str("];\n");
        text
    }
}

/// A text holds not as many pairs of values as there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParseWeightsError {
    /// How many there were.
    pub found: usize,
}

impl fmt::Display for ParseWeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} pairs of values instead of {WEIGHTS}", self.found)
    }
}

impl std::error::Error for ParseWeightsError {}

impl FromStr for Weights {
    type Err = ParseWeightsError;

    /// Reads what [`Weights::source`] writes: every `[early, late]` in order.
    fn from_str(text: &str) -> Result<Self, ParseWeightsError> {
        let mut weights = Self([[0; 2]; WEIGHTS]);
        let mut found = 0;
        let pair = |cell: &str| {
            let (early, late) = cell.split_once(']')?.0.split_once(", ")?;
            Some([early.parse().ok()?, late.parse().ok()?])
        };
        for values in text.split('[').skip(1).filter_map(pair) {
            if let Some(slot) = weights.0.get_mut(found) {
                *slot = values;
            }
            found += 1;
        }
        if found == WEIGHTS {
            Ok(weights)
        } else {
            Err(ParseWeightsError { found })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_read_back_as_written() {
        let weights = Weights::by_hand();
        assert_eq!(weights.source().parse(), Ok(weights));
        assert_eq!(
            "[1, 2]".parse::<Weights>(),
            Err(ParseWeightsError { found: 1 })
        );
    }
}
