//! Lists of cards: what is read is written back and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tractor::{CardSet, Faces, Trump};

fuzz_target!(|text: &str| {
    if let Ok(cards) = text.parse::<Faces>() {
        assert_eq!(cards.to_string().parse(), Ok(cards));
    }
    if let Ok(set) = CardSet::read(text.split(' ')) {
        assert_eq!(CardSet::read(set.to_string().split_whitespace()), Ok(set));
    }
    if let Ok(trump) = text.parse::<Trump>() {
        assert_eq!(trump.to_string(), text);
    }
});
