//! Texts of cards, trumps, levels and switches: whatever is read is written back, and nothing stops the reader.

use proptest::prelude::*;
use tractor::{Card, CardSet, Face, Faces, Level, LevelSet, Rules, Trump};

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,24}") {
        let _ = text.parse::<Card>().map(|card| assert_eq!(card.to_string(), text));
        let _ = text.parse::<Face>().map(|face| assert_eq!(face.to_string(), text));
        let _ = text.parse::<Trump>().map(|trump| assert_eq!(trump.to_string(), text));
        let _ = text.parse::<Level>().map(|level| assert_eq!(level.to_string(), text));
        let _ = text.parse::<LevelSet>();
        let _ = text.parse::<Faces>();
        for switch in Rules::SWITCHES {
            let mut rules = Rules::DEFAULT;
            if switch.set(&mut rules, &text).is_err() {
                prop_assert_eq!(rules, Rules::DEFAULT);
            }
        }
    }

    #[test]
    fn near_cards_are_read_or_refused(texts in prop::collection::vec("[2-9TJQKAsb1][SHCDj][012]?", 0..12)) {
        let text = texts.join(" ");
        if let Ok(cards) = text.parse::<Faces>() {
            prop_assert_eq!(cards.len(), texts.len());
            prop_assert_eq!(cards.to_string().parse(), Ok(cards));
        }
        if let Ok(set) = CardSet::read(texts.iter().map(String::as_str)) {
            prop_assert_eq!(set.len(), texts.len());
            prop_assert_eq!(CardSet::read(set.to_string().split_whitespace()), Ok(set));
        }
    }
}
