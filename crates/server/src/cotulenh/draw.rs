//! Pictures of boards, drawn on the server from the same SVG source as the pages.
//!
//! A picture of its own (`board`) carries its counters and its colours with it. A picture inside a
//! page (`Picture::linked`) refers to the page's files and takes the colours of the page's theme.

mod glyph;
mod palette;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use cotulenh::{Color, Piece, Position, Setup, Square, Stack};

use crate::asset;
use palette::{LIGHT, resolve};

/// Room for the coordinates, in units of which a square has 100.
const MARGIN: i32 = 34;
/// Where the first and second passenger sit on a counter's rim.
const SLOTS: [(i32, i32); 2] = [(33, 13), (11, 36)];

/// What a legal action does to a square, as the board marks it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Moves there.
    Move,
    /// Combines with what stands there.
    Join,
    /// Takes and moves there.
    Take,
    /// Strikes and stays.
    Strike,
    /// Either takes or strikes.
    Both,
    /// Dies together with what stands there.
    Kamikaze,
}

/// A board to draw. Squares are file and rank from zero.
#[derive(Debug, Clone, Default)]
pub(crate) struct Picture {
    stacks: Vec<(Square, Stack)>,
    flip: bool,
    /// Marks on squares.
    pub(crate) marks: Vec<((u8, u8), Mark)>,
    /// The square whose stack the marks belong to.
    pub(crate) chosen: Option<(u8, u8)>,
    /// Numbered arrows of a deploy.
    pub(crate) arrows: Vec<((u8, u8), (u8, u8))>,
    /// Squares under air cover, hatched.
    pub(crate) cover: Vec<(u8, u8)>,
}

/// The board of a FEN as an SVG document, or `None` if the FEN cannot be read.
/// Pieces may stand where the rules would not let them.
pub(crate) fn board(fen: &str, flip: bool) -> Option<String> {
    let picture = match fen.parse::<Setup>() {
        Ok(setup) => Picture::of(setup.stacks(), flip),
        // A FEN with an open deploy is no setup.
        Err(_) => Picture::new(&fen.parse().ok()?, flip),
    };
    Some(picture.document())
}

impl Picture {
    /// The board as it stands, seen from red's side unless flipped.
    pub(crate) fn new(position: &Position, flip: bool) -> Self {
        Self::of(position.stacks(), flip)
    }

    fn of(stacks: impl Iterator<Item = (Square, Stack)>, flip: bool) -> Self {
        Self {
            stacks: stacks.collect(),
            flip,
            ..Self::default()
        }
    }

    /// An SVG document that needs nothing else.
    pub(crate) fn document(&self) -> String {
        let mut defs = resolve(&GROUND, &[LIGHT]);
        for id in self.counters() {
            let (color, name) = id.split_at(1);
            let shape = shape(name).replacen(&format!("id=\"{name}\""), &format!("id=\"{id}\""), 1);
            defs += &resolve(&shape, &[palette::side(color), LIGHT]);
        }
        let body = resolve(
            &self.body(|color, name| format!("#{color}{name}"), "#board"),
            &[LIGHT],
        );
        let (width, height) = (1100 + MARGIN, 1200 + MARGIN);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-{MARGIN} 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\"><defs>{defs}</defs>\
             <path d=\"M-{MARGIN} 0H1100V{height}H-{MARGIN}z\" fill=\"#fffdf6\"/>{body}</svg>\n"
        )
    }

    /// An SVG element for a page, with a label for those who cannot see it.
    pub(crate) fn linked(&self, label: &str) -> String {
        let pieces = asset::url("art/pieces.svg");
        let ground = format!("{}#board", asset::url("art/board.svg"));
        let body = self.body(|_, name| format!("{pieces}#{name}"), &ground);
        let (width, height) = (1100 + MARGIN, 1200 + MARGIN);
        let label = escape(label);
        format!(
            "<svg viewBox=\"-{MARGIN} 0 {width} {height}\" role=\"img\" aria-label=\"{label}\">{body}</svg>"
        )
    }

    /// The shapes that the picture needs, each with its side's letter in front.
    fn counters(&self) -> BTreeSet<String> {
        let mut ids = BTreeSet::new();
        for (_, stack) in &self.stacks {
            let color = side(stack.color());
            ids.insert(format!("{color}disc-{color}"));
            for piece in stack.pieces() {
                ids.insert(format!("{color}{}", face(piece)));
                if piece.heroic {
                    ids.insert(format!("{color}heroic"));
                }
            }
        }
        ids
    }

    fn at(&self, (file, rank): (u8, u8)) -> (i32, i32) {
        let (x, y) = (100 * i32::from(file), 100 * i32::from(rank));
        if self.flip {
            (1050 - x, 50 + y)
        } else {
            (50 + x, 1150 - y)
        }
    }

    fn body(&self, href: impl Fn(&str, &str) -> String, ground: &str) -> String {
        let turn = if self.flip {
            " transform=\"rotate(180 550 600)\""
        } else {
            ""
        };
        let mut out = format!("<use href=\"{ground}\"{turn}/>");
        self.coordinates(&mut out);
        for square in &self.cover {
            let (x, y) = self.at(*square);
            let _ = write!(
                out,
                "<path transform=\"translate({x} {y})\" d=\"M-48 18L18 -48M-48 48L48 -48M-18 48L48 -18\" \
                 stroke=\"var(--take)\" stroke-width=\"4\" opacity=\".45\"/>"
            );
        }
        if let Some(square) = self.chosen {
            let (x, y) = self.at(square);
            let (x, y) = (x - 50, y - 50);
            let _ = write!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"100\" height=\"100\" rx=\"14\" fill=\"var(--select)\"/>"
            );
        }
        for (square, stack) in &self.stacks {
            let (x, y) = self.at((square.file(), square.rank()));
            let color = side(stack.color());
            for (i, piece) in stack.pieces().enumerate() {
                let place = match i.checked_sub(1) {
                    None => format!("translate({x} {y}) scale(.95)"),
                    Some(slot) => {
                        let (dx, dy) = SLOTS[slot % 2];
                        format!("translate({x} {y}) scale(.95) translate({dx} {dy}) scale(.44)")
                    }
                };
                let disc = href(color, &format!("disc-{color}"));
                let face = href(color, &face(piece));
                let _ = write!(
                    out,
                    "<g class=\"{color}\" transform=\"{place}\"><use href=\"{disc}\"/><use href=\"{face}\"/>"
                );
                if piece.heroic {
                    let _ = write!(out, "<use href=\"{}\"/>", href(color, "heroic"));
                }
                out.push_str("</g>");
            }
        }
        for (square, mark) in &self.marks {
            let (x, y) = self.at(*square);
            let _ = write!(
                out,
                "<g transform=\"translate({x} {y})\">{}</g>",
                mark.shape()
            );
        }
        for (i, (from, to)) in self.arrows.iter().enumerate() {
            arrow(&mut out, self.at(*from), self.at(*to), i + 1);
        }
        out
    }

    fn coordinates(&self, out: &mut String) {
        out.push_str("<g class=\"coords\" fill=\"none\" stroke=\"var(--soft)\" stroke-width=\"3\" stroke-linecap=\"round\" stroke-linejoin=\"round\">");
        for i in 0..12u8 {
            let (_, y) = self.at((0, i));
            glyph::label(out, &(i + 1).to_string(), -17, y + 9);
        }
        for i in 0..11u8 {
            let (x, _) = self.at((i, 0));
            glyph::label(out, &char::from(b'a' + i).to_string(), x, 1226);
        }
        out.push_str("</g>");
    }
}

impl Mark {
    fn shape(self) -> &'static str {
        match self {
            Self::Move => {
                r#"<circle r="17" fill="var(--dot)" stroke="var(--dot-edge)" stroke-width="5" opacity=".82"/>"#
            }
            Self::Join => {
                r#"<circle r="47" fill="none" stroke="var(--dot)" stroke-width="6" stroke-dasharray="6 10" stroke-linecap="round"/><path d="M-53 -40h26m-13 -13v26" stroke="var(--dot)" stroke-width="9" stroke-linecap="round" fill="none"/>"#
            }
            Self::Take => {
                r#"<circle r="48" fill="var(--take)" opacity=".38"/><circle r="45" fill="none" stroke="var(--take)" stroke-width="9"/>"#
            }
            Self::Strike => {
                r#"<circle r="45" fill="none" stroke="var(--take)" stroke-width="9"/><path d="M0 -58V-30M0 30V58M-58 0H-30M30 0H58" stroke="var(--take)" stroke-width="9" stroke-linecap="round"/>"#
            }
            Self::Both => {
                r#"<circle r="48" fill="var(--take)" opacity=".38"/><circle r="45" fill="none" stroke="var(--take)" stroke-width="9"/><path d="M0 -58V-30M0 30V58M-58 0H-30M30 0H58" stroke="var(--take)" stroke-width="9" stroke-linecap="round"/>"#
            }
            Self::Kamikaze => {
                r#"<path d="M-44 -12L-12 -44M-44 14L14 -44M-36 32L32 -36M-14 44L44 -14M12 44L44 12" stroke="var(--take)" stroke-width="5"/><circle r="46" fill="none" stroke="var(--take)" stroke-width="9" stroke-dasharray="16 10"/>"#
            }
        }
    }

    /// This mark alone, for a legend.
    pub(crate) fn icon(self) -> String {
        format!(
            "<svg viewBox=\"-60 -60 120 120\" aria-hidden=\"true\">{}</svg>",
            self.shape()
        )
    }
}

fn arrow(out: &mut String, (x1, y1): (i32, i32), (x2, y2): (i32, i32), number: usize) {
    let (dx, dy) = (f64::from(x2 - x1), f64::from(y2 - y1));
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let point = |along: f64, across: f64| {
        let x = f64::from(x1) + ux * along - uy * across;
        let y = f64::from(y1) + uy * along + ux * across;
        format!("{x:.0} {y:.0}")
    };
    let (start, neck, tip) = (
        point(30.0, 0.0),
        point(length - 52.0, 0.0),
        point(length - 26.0, 0.0),
    );
    let (left, right) = (point(length - 56.0, -24.0), point(length - 56.0, 24.0));
    let middle = point(length * 0.42, 0.0);
    let _ = write!(
        out,
        "<path d=\"M{start}L{neck}\" stroke=\"var(--arrow)\" stroke-width=\"15\" stroke-linecap=\"round\" opacity=\".78\"/>\
         <path d=\"M{left}L{tip}L{right}z\" fill=\"var(--arrow)\"/>\
         <g transform=\"translate({middle})\"><circle r=\"19\" fill=\"var(--gold)\" stroke=\"var(--gold-edge)\" stroke-width=\"4\"/>\
         <text y=\"9\" text-anchor=\"middle\" font-family=\"sans-serif\" font-weight=\"800\" font-size=\"26\" fill=\"var(--gold-edge)\">{number}</text></g>"
    );
}

fn side(color: Color) -> &'static str {
    match color {
        Color::Red => "r",
        Color::Blue => "b",
    }
}

/// The name of a piece's drawing: its letter.
fn face(piece: Piece) -> String {
    piece.role.letter().to_lowercase().to_string()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;")
}

/// What a file of drawings defines, between its `defs` tags.
fn definitions(path: &str) -> String {
    let bytes = asset::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let inner = text
        .split_once("<defs>")
        .and_then(|(_, rest)| rest.split_once("</defs>"));
    inner.map_or_else(String::new, |(inner, _)| inner.trim().to_owned())
}

static GROUND: LazyLock<String> = LazyLock::new(|| definitions("art/board.svg"));
static SHAPES: LazyLock<String> = LazyLock::new(|| definitions("art/pieces.svg"));

/// One shape of the sprite; each stands on a line of its own.
fn shape(name: &str) -> &'static str {
    let opening = format!("<g id=\"{name}\"");
    SHAPES
        .lines()
        .find(|line| line.starts_with(&opening))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";

    #[test]
    fn a_document_needs_nothing_else() {
        let svg = board(START, false).unwrap();
        assert!(!svg.contains("var("), "a colour is left open");
        assert!(!svg.contains("href=\"/"), "a file is referred to");
        assert_eq!(svg.matches("class=\"r\"").count(), 19);
        assert_eq!(svg.matches("class=\"b\"").count(), 19);
        for id in svg
            .split("href=\"#")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap())
        {
            assert_eq!(svg.matches(&format!("id=\"{id}\"")).count(), 1, "{id}");
        }
    }

    #[test]
    fn flipping_turns_the_board() {
        let at = |flip| Picture::new(&Position::start(), flip).at((0, 0));
        assert_eq!((at(false), at(true)), ((50, 1150), (1050, 50)));
    }

    #[test]
    fn what_is_no_board_is_not_drawn() {
        for fen in [
            "",
            "11",
            "x",
            &START.replace("6C4", "6C5"),
            &START.replace('M', "B"),
            "<svg>",
        ] {
            assert_eq!(board(fen, false), None, "{fen}");
        }
    }

    #[test]
    fn what_the_rules_refuse_and_an_open_deploy_are_drawn() {
        let commanders = START.replace("6C4", "5CC4");
        assert_eq!(
            board(&commanders, false).unwrap().matches("#rc\"").count(),
            2
        );
        let stack = START.replace("1N2FH1HF2", "1(NFT)3H1HF2");
        let position: Position = stack.parse().unwrap();
        let step = position.read_move("Fb2>d4").unwrap();
        let open = position.play(step).unwrap();
        assert!(open.deploy().is_some());
        let drawn = board(&open.to_string(), false).unwrap();
        assert_eq!(drawn, Picture::new(&open, false).document());
        assert_ne!(drawn, board(&stack, false).unwrap());
    }

    #[test]
    fn stacks_and_heroes_are_drawn_with_their_signs() {
        let fen = START.replace("1N2FH1HF2", "1(N+FT)2FH1HF2");
        let svg = board(&fen, false).unwrap();
        assert_eq!(svg.matches("scale(.44)").count(), 2);
        assert_eq!(svg.matches("href=\"#rheroic\"").count(), 1);
    }
}
