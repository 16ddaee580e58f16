//! The picture that goes with a link to a card table: four cards on the felt. It tells nothing of the
//! round, so that it is the same for everybody.

use std::fmt::Write as _;

/// The drawings of the pages.
const SPRITE: &str = include_str!("../../../../web/art/cards.svg");

/// Suit, colour, and how far the card leans.
const CARDS: [(&str, &str, i32); 4] = [
    ("S", "#1b1c1a", -24),
    ("H", "#b3161c", -8),
    ("C", "#1b1c1a", 8),
    ("D", "#b3161c", 24),
];

/// The path of a suit, in a square of 100.
fn path(suit: &str) -> Option<&'static str> {
    let (_, rest) = SPRITE.split_once(&format!("id=\"{suit}\""))?;
    let (_, rest) = rest.split_once(" d=\"")?;
    Some(rest.split_once('"')?.0)
}

/// An SVG document in the shape in which links are shown.
pub(super) fn svg() -> Option<String> {
    let mut cards = String::new();
    for (suit, color, lean) in CARDS {
        let path = path(suit)?;
        let at = 600 + lean * 10;
        write!(
            cards,
            "<g transform=\"translate({at} 330) rotate({lean} 0 260)\" fill=\"{color}\">\
             <path d=\"M-110 -170L110 -170L110 170L-110 170z\" fill=\"#fffef8\" stroke=\"#8d8a78\" stroke-width=\"4\" stroke-linejoin=\"round\"/>\
             <path transform=\"translate(-98 -158) scale(.56)\" d=\"{path}\"/>\
             <path transform=\"translate(-70 -60) scale(1.5)\" d=\"{path}\"/></g>"
        )
        .ok()?;
    }
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 630\" width=\"1200\" height=\"630\">\
         <path d=\"M0 0L1200 0L1200 630L0 630z\" fill=\"#1f6b52\"/>\
         <path d=\"M14 14L1186 14L1186 616L14 616z\" fill=\"none\" stroke=\"#174f3d\" stroke-width=\"12\"/>{cards}</svg>\n"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_four_suits_are_in_the_picture() {
        let svg = svg().unwrap();
        for (suit, ..) in CARDS {
            assert_eq!(svg.matches(path(suit).unwrap()).count(), 2, "{suit}");
        }
        // Nothing in it can be taken for a card: strangers are tested to be told of none.
        for card in tractor::Card::all() {
            assert!(!svg.contains(&card.to_string()), "{card}");
        }
        let png = crate::raster::png(&svg).unwrap();
        assert!(png.len() > 4_000 && png.len() < 100_000, "{}", png.len());
    }
}
