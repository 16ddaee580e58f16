//! Accumulators: the hidden layers of the positions on the path of a search.
//!
//! They are updated lazily and from board differences, not from moves: a position is compared with
//! the last one evaluated at the ply above and with the last one at its own ply, and the feature
//! weights of what differs from the nearer one are added and subtracted.

use cotulenh::{Color, Position, Square, SquareSet};

use super::{MAX_HIDDEN, Net, features};

/// How many positions are kept, one a ply.
const SLOTS: usize = 128;
/// The most pieces that change between two positions: more than a move could ever touch. Past it
/// the layers are made anew.
const MOST: usize = 24;

/// The hidden layers of one position.
#[derive(Debug, Clone)]
struct Slot {
    /// As red and as blue see it.
    layers: [[i16; MAX_HIDDEN]; 2],
    stacks: [u8; Square::INDEX_LEN],
    colors: [SquareSet; 2],
    /// How many pieces there are.
    pieces: usize,
    /// Whether the layers belong to the network in use.
    known: bool,
}

/// The hidden layers along a path, by ply.
#[derive(Debug)]
pub(crate) struct Accumulators {
    slots: Vec<Slot>,
}

impl Accumulators {
    pub(crate) fn new() -> Self {
        Self { slots: Vec::new() }
    }

    /// Forgets everything: another network is used from now on.
    pub(crate) fn clear(&mut self) {
        for slot in &mut self.slots {
            slot.known = false;
        }
    }

    /// The evaluation of a position at a ply of the path, for the side to move.
    pub(crate) fn evaluate(&mut self, net: &Net, position: &Position, ply: usize) -> i32 {
        let ply = ply % SLOTS;
        while self.slots.len() <= ply {
            self.slots.push(Slot::EMPTY);
        }
        let (before, after) = self.slots.split_at_mut(ply);
        let slot = &mut after[0];
        let mut changed = slot.changed(position);
        if let Some(parent) = before.last() {
            let others = parent.changed(position);
            if parent.known && (!slot.known || others.len() < changed.len()) {
                slot.clone_from(parent);
                changed = others;
            }
        }
        if !slot.known {
            slot.empty(net);
            changed = position.occupied();
        }
        slot.update(net, position, changed);
        let [red, blue] = [&slot.layers[0][..net.hidden], &slot.layers[1][..net.hidden]];
        match position.turn() {
            Color::Red => net.output(red, blue, slot.pieces),
            Color::Blue => net.output(blue, red, slot.pieces),
        }
    }
}

/// A few features, as red and as blue see them.
struct List {
    items: [[u16; 2]; MOST],
    len: usize,
}

impl List {
    const EMPTY: Self = Self {
        items: [[0; 2]; MOST],
        len: 0,
    };

    fn push(&mut self, item: [u16; 2]) {
        self.items[self.len] = item;
        self.len += 1;
    }

    fn items(&self) -> &[[u16; 2]] {
        &self.items[..self.len]
    }
}

impl Slot {
    const EMPTY: Self = Self {
        layers: [[0; MAX_HIDDEN]; 2],
        stacks: [0; Square::INDEX_LEN],
        colors: [SquareSet::EMPTY; 2],
        pieces: 0,
        known: false,
    };

    /// The empty board.
    fn empty(&mut self, net: &Net) {
        *self = Self::EMPTY;
        for layer in &mut self.layers {
            layer[..net.hidden].copy_from_slice(&net.biases);
        }
        self.known = true;
    }

    /// The squares on which something else stands.
    fn changed(&self, position: &Position) -> SquareSet {
        let [red, blue] = Color::ALL.map(|color| position.occupied_by(color));
        let mut changed = (red ^ self.colors[0]) | (blue ^ self.colors[1]);
        let (old, _) = self.stacks.as_chunks::<8>();
        let (new, _) = position.stack_indices().as_chunks::<8>();
        for (at, (old, new)) in old.iter().zip(new).enumerate() {
            let mut bits = u64::from_le_bytes(*old) ^ u64::from_le_bytes(*new);
            while bits != 0 {
                let byte = bits.trailing_zeros() as usize / 8;
                if let Some(square) = Square::from_index(8 * at + byte) {
                    changed.insert(square);
                }
                bits &= !(0xff << (8 * byte));
            }
        }
        changed
    }

    /// Makes the layers those of a position that differs on some squares.
    fn update(&mut self, net: &Net, position: &Position, changed: SquareSet) {
        let now = position.stack_indices();
        let (mut gone, mut come) = (List::EMPTY, List::EMPTY);
        for square in changed {
            if gone.len.max(come.len) + 3 > MOST {
                self.apply(net, &gone, &come);
                (gone, come) = (List::EMPTY, List::EMPTY);
            }
            for kind in net.stacks.kinds(self.stacks[square.index()]) {
                let color = if self.colors[0].contains(square) {
                    Color::Red
                } else {
                    Color::Blue
                };
                gone.push(features(color, *kind, square));
            }
            for kind in net.stacks.kinds(now[square.index()]) {
                let color = if position.occupied_by(Color::Red).contains(square) {
                    Color::Red
                } else {
                    Color::Blue
                };
                come.push(features(color, *kind, square));
            }
            self.stacks[square.index()] = now[square.index()];
        }
        self.apply(net, &gone, &come);
        self.colors = Color::ALL.map(|color| position.occupied_by(color));
    }

    /// Takes rows away and adds others, as far as possible one for one.
    fn apply(&mut self, net: &Net, gone: &List, come: &List) {
        self.pieces = self.pieces + come.len - gone.len;
        let (gone, come) = (gone.items(), come.items());
        let pairs = gone.len().min(come.len());
        for (view, layer) in self.layers.iter_mut().enumerate() {
            let layer = &mut layer[..net.hidden];
            for (less, more) in gone.iter().zip(come) {
                replace(layer, net.row(less[view]), net.row(more[view]));
            }
            for less in &gone[pairs..] {
                let row = net.row(less[view]).iter();
                for (value, row) in layer.iter_mut().zip(row) {
                    *value = value.wrapping_sub(*row);
                }
            }
            for more in &come[pairs..] {
                let row = net.row(more[view]).iter();
                for (value, row) in layer.iter_mut().zip(row) {
                    *value = value.wrapping_add(*row);
                }
            }
        }
    }
}

/// One row instead of another.
#[inline]
fn replace(layer: &mut [i16], less: &[i16], more: &[i16]) {
    for ((value, less), more) in layer.iter_mut().zip(less).zip(more) {
        *value = value.wrapping_add(*more).wrapping_sub(*less);
    }
}
