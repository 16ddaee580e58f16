//! Pictures in pixels, for places that show no SVG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// How wide a picture of a board is.
const WIDTH: u32 = 680;

/// An SVG document of ours as a PNG file.
pub(crate) fn png(svg: &str) -> Option<Vec<u8>> {
    png_of_width(svg, WIDTH)
}

/// The same, so many pixels wide.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "sizes of pictures are small"
)]
pub(crate) fn png_of_width(svg: &str, width: u32) -> Option<Vec<u8>> {
    let tree = Tree::from_str(svg, &Options::default()).ok()?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round() as u32;
    let mut picture = Pixmap::new(width, height)?;
    let transform = Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut picture.as_mut());
    picture.encode_png().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_becomes_pixels_and_needs_no_font() {
        let fen = cotulenh::Position::start().to_string();
        let svg = crate::cotulenh::draw::board(&fen, false).unwrap();
        assert!(!svg.contains("<text"), "letters are strokes");
        let bytes = png(&svg).unwrap();
        assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
        assert!(bytes.len() < 300_000, "{}", bytes.len());
        let picture = Pixmap::decode_png(&bytes).unwrap();
        assert_eq!(picture.width(), WIDTH);
        // Sea, land, counters, letters: not one colour.
        let mut colors: Vec<_> = picture
            .pixels()
            .iter()
            .map(|p| (p.red(), p.green(), p.blue()))
            .collect();
        colors.sort_unstable();
        colors.dedup();
        assert!(colors.len() > 200, "{}", colors.len());
        assert!(png("no picture").is_none());
    }
}
