//! Comments are for whoever reads the sources; a browser does without them, and a first visit is a fifth smaller.

/// A script or a stylesheet without the comments that have lines of their own. Their lines stay, empty, so that a
/// browser tells faults by the lines of the source.
pub(super) fn strip(text: &str) -> String {
    let mut stripped = String::with_capacity(text.len());
    let mut within = false;
    for line in text.lines() {
        let trimmed = line.trim();
        let is_comment = if within {
            within = !trimmed.ends_with("*/");
            true
        } else if trimmed.starts_with("/*") {
            let end = trimmed.find("*/");
            within = end.is_none();
            end.is_none_or(|end| end + 2 == trimmed.len())
        } else {
            trimmed.starts_with("//")
        };
        if !is_comment {
            stripped.push_str(line);
        }
        stripped.push('\n');
    }
    stripped
}

#[cfg(test)]
mod tests {
    use super::super::{Web, read};
    use super::*;

    #[test]
    fn comments_go_and_code_stays_on_its_line() {
        let text = "/** What\n * it does. */\nlet a = 1; // one\n  // alone\n  /** @type {B} */ (b).c();\n/* d */\ne { }\n";
        let stripped = "\n\nlet a = 1; // one\n\n  /** @type {B} */ (b).c();\n\ne { }\n";
        assert_eq!(strip(text), stripped);
        assert_eq!(strip(""), "");
    }

    /// What is taken away is a comment: the sources are written so that this can be told line by line.
    #[test]
    fn the_sources_can_be_told_line_by_line() {
        let names = Web::iter().filter(|name| name.ends_with(".js") || name.ends_with(".css"));
        for name in names {
            let text = String::from_utf8(read(&name).unwrap().into_owned()).unwrap();
            let mut within = false;
            let mut backticks = 0;
            for (line, kept) in text.lines().zip(strip(&text).lines()) {
                if kept.is_empty() && !line.trim().is_empty() {
                    assert!(backticks % 2 == 0, "{name}: within a template: {line}");
                    let begins = line.trim().starts_with("/*") || line.trim().starts_with("//");
                    assert!(within || begins, "{name}: {line}");
                    let ends = line.trim().ends_with("*/") || line.trim().starts_with("//");
                    within = !ends;
                    // Nothing follows the end of a comment on its line.
                    assert!(
                        line.trim()
                            .find("*/")
                            .is_none_or(|at| at + 2 == line.trim().len()),
                        "{name}: {line}"
                    );
                } else {
                    assert!(!within, "{name}: no end before {line}");
                    backticks += line.matches('`').count() - line.matches("\\`").count();
                }
            }
        }
    }
}
