//! An address as a square of modules that a phone's camera reads.

use std::fmt::Write as _;

use qrcodegen::{QrCode, QrCodeEcc};

/// The drawing, or nothing where the text is too long for one.
pub(super) fn svg(text: &str, label: &str) -> String {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Medium) else {
        return String::new();
    };
    let size = code.size();
    let mut path = String::new();
    for y in 0..size {
        for x in 0..size {
            if code.get_module(x, y) {
                let _ = write!(path, "M{x} {y}h1v1h-1z");
            }
        }
    }
    // The quiet zone of four modules belongs to the code.
    let whole = size + 8;
    format!(
        "<svg class=\"qr\" viewBox=\"-4 -4 {whole} {whole}\" role=\"img\" aria-label=\"{label}\">\
         <path fill=\"#fff\" d=\"M-4-4h{whole}v{whole}h-{whole}z\"/><path d=\"{path}\"/></svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_drawn_and_a_book_is_not() {
        let drawn = svg("http://127.0.0.1:8080/game/0123456789ab", "QR");
        assert!(drawn.starts_with("<svg") && drawn.contains("h1v1h-1z"));
        assert_eq!(svg(&"x".repeat(4000), "QR"), "");
    }
}
