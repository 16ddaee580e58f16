//! Values in numbered slots. JavaScript decides what lies where (`lib/slots.js`): when it gives a slot to another
//! value, it keeps a text from which the old one can be read again. So nothing here is kept for a value that
//! nobody uses any more.

use std::cell::RefCell;

use crate::boundary::Failure;

/// The slots of one kind of values.
#[derive(Debug)]
pub struct Slots<T>(RefCell<Vec<Option<T>>>);

/// More slots than JavaScript asks for of any kind.
const MOST: usize = 4096;

impl<T> Slots<T> {
    /// No slots yet.
    pub const fn new() -> Self {
        Self(RefCell::new(Vec::new()))
    }

    /// Puts a value into a slot.
    pub fn put(&self, slot: u32, value: T) -> Result<(), Failure> {
        let slot = slot as usize;
        if slot >= MOST {
            return Err(Failure::new("internal", "there is no such slot"));
        }
        let mut values = self.0.borrow_mut();
        if values.len() <= slot {
            values.resize_with(slot + 1, || None);
        }
        values[slot] = Some(value);
        Ok(())
    }

    /// Reads the value in a slot.
    pub fn with<A>(
        &self,
        slot: u32,
        read: impl FnOnce(&T) -> Result<A, Failure>,
    ) -> Result<A, Failure> {
        match self.0.borrow().get(slot as usize) {
            Some(Some(value)) => read(value),
            _ => Err(empty()),
        }
    }

    /// Changes the value in a slot.
    pub fn change<A>(
        &self,
        slot: u32,
        change: impl FnOnce(&mut T) -> Result<A, Failure>,
    ) -> Result<A, Failure> {
        match self.0.borrow_mut().get_mut(slot as usize) {
            Some(Some(value)) => change(value),
            _ => Err(empty()),
        }
    }
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self::new()
    }
}

fn empty() -> Failure {
    Failure::new("internal", "there is nothing in this slot")
}
