//! The letters and digits of the coordinates as strokes of our own, so that a picture needs no font.

use std::fmt::Write as _;

/// Room between two digits.
const GAP: f32 = 4.0;

/// The stroke of a letter or digit and its width. The line that it stands on is at 18.
const fn stroke(letter: char) -> (&'static str, f32) {
    match letter {
        '0' => ("M5 0 C9 0 10 4 10 9 S9 18 5 18 0 14 0 9 1 0 5 0z", 10.0),
        '1' => ("M1 4L6 0V18", 7.0),
        '2' => ("M0 4 C1 -1 10 -2 10 5 C10 9 3 12 0 18H10", 10.0),
        '3' => (
            "M0 2 C4 -2 10 0 9.5 4.5 C9 8 5 8.5 4 8.5 C6 8.5 10 9 10 13 C10 19 2 19 0 15.5",
            10.0,
        ),
        '4' => ("M8 18V0L0 12.5H11", 11.0),
        '5' => (
            "M9.5 0H1.5L1 8 C5 5.5 10 7.5 10 12 C10 18.5 3 19.5 0 15.5",
            10.0,
        ),
        '6' => (
            "M9 1 C4 -1.5 0 4 0 11 C0 15.5 2 18 5 18 S10 15.5 10 12.5 8 7.5 5 7.5 0 9.5 0 12",
            10.0,
        ),
        '7' => ("M0 0H10L4 18", 10.0),
        '8' => (
            "M5 8 C1 8 1 0 5 0 S9 8 5 8 C-1 8 -1 18 5 18 S11 8 5 8z",
            10.0,
        ),
        '9' => (
            "M1 17 C6 19.5 10 14 10 7 C10 2.5 8 0 5 0 S0 2.5 0 5.5 2 10.5 5 10.5 10 8.5 10 6",
            10.0,
        ),
        'a' => (
            "M9 6V18M9 12 C9 8 7 6 4.5 6 S0 8.5 0 12 2 18 4.5 18 9 16 9 12",
            9.0,
        ),
        'b' => (
            "M0 0V18M0 12 C0 8 2 6 4.5 6 S9 8.5 9 12 7 18 4.5 18 0 16 0 12",
            9.0,
        ),
        'c' => ("M9 8 C7 5 0 5 0 12 S7 19 9 16", 9.0),
        'd' => (
            "M9 0V18M9 12 C9 8 7 6 4.5 6 S0 8.5 0 12 2 18 4.5 18 9 16 9 12",
            9.0,
        ),
        'e' => (
            "M0 12H9 C9 8 7 6 4.5 6 S0 8.5 0 12 2 18 5 18 C7 18 8.5 17 9 16",
            9.0,
        ),
        'f' => ("M7 .5 C4.5 -.5 3 1 3 4V18M0 7H7", 7.0),
        'g' => (
            "M9 6V19 C9 24 2 24 .5 21.5M9 12 C9 8 7 6 4.5 6 S0 8.5 0 12 2 18 4.5 18 9 16 9 12",
            9.0,
        ),
        'h' => ("M0 0V18M0 11 C1 7 3 6 5 6 S9 7 9 11V18", 9.0),
        'i' => ("M1 6V18M1 .5V1.5", 2.0),
        'j' => ("M3 6V20 C3 22.5 1.5 23.5 0 23M3 .5V1.5", 4.0),
        'k' => ("M0 0V18M8 6L0 13M3.5 10.5L8.5 18", 9.0),
        _ => ("", 0.0),
    }
}

/// Writes a label whose middle is at `x` and whose line is at `y`.
pub(super) fn label(out: &mut String, text: &str, x: i32, y: i32) {
    let strokes: Vec<_> = text.chars().map(stroke).collect();
    let letters: f32 = strokes.iter().map(|(_, width)| width + GAP).sum();
    #[allow(clippy::cast_precision_loss, reason = "a place on the board")]
    let mut left = x as f32 - (letters - GAP) / 2.0;
    for (path, width) in strokes {
        let top = y - 18;
        let _ = write!(
            out,
            "<path transform=\"translate({left} {top})\" d=\"{path}\"/>"
        );
        left += width + GAP;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_coordinate_has_its_strokes() {
        for letter in ('a'..='k').chain('0'..='9') {
            let (path, width) = stroke(letter);
            assert!(path.starts_with('M') && width > 0.0, "{letter}");
        }
        let mut out = String::new();
        label(&mut out, "12", 0, 18);
        assert_eq!(out.matches("<path").count(), 2);
    }
}
