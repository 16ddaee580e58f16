//! The colours of pictures that stand alone; inside a page the theme decides.

/// Names of colours, as the drawings call them, and their values.
pub(super) type Palette = &'static [(&'static str, &'static str)];

/// The board by daylight.
pub(super) const LIGHT: Palette = &[
    ("land", "#dfe3c0"),
    ("contour", "#cbd2a6"),
    ("sand", "#ecd9a4"),
    ("sea", "#86bfd8"),
    ("deep", "#6cabca"),
    ("foam", "#fdfbf0"),
    ("wave", "#ffffffb0"),
    ("bridge", "#b98a54"),
    ("bridge-edge", "#7d5a31"),
    ("line", "#4a4a3680"),
    ("gold", "#ffcf33"),
    ("gold-edge", "#5b3b00"),
    ("arrow", "#5b3b00"),
    ("dot", "#123f36"),
    ("dot-edge", "#ffffffc0"),
    ("take", "#c2410c"),
    ("select", "#17786566"),
    ("soft", "#5c5d50"),
];

const RED: Palette = &[
    ("rim", "#6d0f12"),
    ("ring", "#fff3dc"),
    ("face", "#b8242a"),
    ("glyph", "#fff8ea"),
];

const BLUE: Palette = &[
    ("rim", "#0b2550"),
    ("ring", "#e9f3ff"),
    ("face", "#1f4fa3"),
    ("glyph", "#f4f9ff"),
];

/// The colours of a side by its letter.
pub(super) fn side(color: &str) -> Palette {
    if color == "r" { RED } else { BLUE }
}

/// Puts values for the names of colours.
pub(super) fn resolve(drawing: &str, palettes: &[Palette]) -> String {
    let mut text = drawing.to_owned();
    for (name, value) in palettes.iter().flat_map(|palette| palette.iter()) {
        text = text.replace(&format!("var(--{name})"), value);
    }
    text
}
