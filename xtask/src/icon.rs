//! No page uses a letter of a font as a picture: it would look different with every visitor's fonts.

use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::steps::root;

/// The ranges of such letters; the audit in the browser reads the same list.
const GLYPHS: &str = include_str!("../../crates/server/tests/browser/glyphs.txt");

/// What is sent to browsers.
const FOLDERS: [&str; 2] = ["web", "crates/server/templates"];

/// Fails with every place where a letter is used as a picture.
pub(crate) fn check() -> anyhow::Result<()> {
    let ranges: Vec<_> = GLYPHS.lines().filter_map(range).collect();
    let mut faults = Vec::new();
    for folder in FOLDERS {
        search(&root().join(folder), &ranges, &mut faults)?;
    }
    if !faults.is_empty() {
        let advice = "draw it in web/art/icons.svg and show it by `icon()` of web/js/icon.js";
        bail!("{}\n{advice}", faults.join("\n"));
    }
    Ok(())
}

/// The range of a line such as `2300-23FF technical signs`.
fn range(line: &str) -> Option<RangeInclusive<u32>> {
    let (first, last) = line.split(' ').next()?.split_once('-')?;
    let number = |text| u32::from_str_radix(text, 16).ok();
    Some(number(first)?..=number(last)?)
}

fn search(
    folder: &Path,
    ranges: &[RangeInclusive<u32>],
    faults: &mut Vec<String>,
) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            search(&path, ranges, faults)?;
        } else if let Ok(text) = fs::read_to_string(&path) {
            let name = path.strip_prefix(root()).unwrap_or(&path).display();
            for (sign, line) in glyphs(&text, ranges) {
                let code = u32::from(sign);
                faults.push(format!(
                    "{name}:{line}: {sign} (U+{code:04X}) is used as a picture"
                ));
            }
        }
    }
    Ok(())
}

/// The letters of these ranges, and their lines.
fn glyphs(text: &str, ranges: &[RangeInclusive<u32>]) -> Vec<(char, usize)> {
    let is_glyph = |sign: &char| ranges.iter().any(|range| range.contains(&u32::from(*sign)));
    let lines = text.lines().zip(1..);
    let found = lines.flat_map(|(line, number)| line.chars().map(move |sign| (sign, number)));
    found.filter(|(sign, _)| is_glyph(sign)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_told_from_text() {
        let ranges: Vec<_> = GLYPHS.lines().filter_map(range).collect();
        assert_eq!(ranges.len(), GLYPHS.lines().count());
        for sign in ['⏮', '◀', '▶', '⏭', '⚙', '★', '✓', '⌫', '⏎', '🂡'] {
            let text = format!("first\nbutton('{sign}')");
            assert_eq!(glyphs(&text, &ranges), [(sign, 2)]);
        }
        // Suits, arrows and dashes stand in sentences.
        assert_eq!(glyphs("7♥ 2 → 4 – Tư lệnh 升级 · …", &ranges), []);
    }
}
