//! Names of accounts: words of any script that cannot be taken for somebody else's.

use unicode_security::{GeneralSecurityProfile as _, MixedScript as _};

/// Names that would speak for the site, its bots or its guests.
const RESERVED: [&str; 35] = [
    "admin",
    "administrator",
    "anonymous",
    "arbiter",
    "bot",
    "computer",
    "convoy",
    "deleted",
    "guest",
    "mod",
    "moderator",
    "official",
    "referee",
    "robot",
    "root",
    "security",
    "server",
    "staff",
    "support",
    "system",
    "khách",
    "máy",
    "máytính",
    "quảntrị",
    "quảntrịviên",
    "trọngtài",
    "访客",
    "电脑",
    "電腦",
    "客服",
    "官方",
    "系统",
    "裁判",
    "管理员",
    "管理員",
];

/// What guests are called on pages, in every language: the word, a dash and some letters.
const GUESTS: [&str; 3] = ["guest", "khách", "访客"];

/// What is wrong with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameError {
    /// It is too short or too long, or has other signs than letters, digits, - and _.
    Form,
    /// It is reserved, or looks like a name of another script.
    Reserved,
}

/// Whether a sign is a whole syllable or word: two of them make a name.
const fn is_syllable(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{20000}'..='\u{3ffff}')
}

/// What is left of a name when all that looks alike is the same: equal for names that can be mistaken
/// for each other. Accounts are stored with it.
pub(crate) fn skeleton(name: &str) -> String {
    let lower = name.to_lowercase();
    // The table tells l and i apart; in a list of names few people do.
    unicode_security::skeleton(&lower)
        .collect::<String>()
        .to_lowercase()
        .replace('l', "i")
}

/// Whether an account may have this name.
pub(crate) fn check(name: &str) -> Result<(), NameError> {
    let length = name.chars().count();
    let weight: usize = name.chars().map(|c| 1 + usize::from(is_syllable(c))).sum();
    // Letters that cannot be seen, and those of no living script, name nobody.
    let letter = |c: char| c.is_alphanumeric() && c.identifier_allowed();
    let allowed = |c: char| letter(c) || c == '-' || c == '_';
    if weight < 3 || length > 20 || !name.chars().all(allowed) {
        return Err(NameError::Form);
    }
    let plain = name.trim_matches(|c: char| c.is_numeric() || c == '-' || c == '_');
    let own = skeleton(plain);
    let reserved = RESERVED.iter().any(|word| skeleton(word) == own);
    let own = skeleton(name);
    let mut guests = GUESTS
        .iter()
        .flat_map(|word| [format!("{word}-"), format!("{word}_")]);
    let guest = guests.any(|of| own.starts_with(&skeleton(&of)));
    // A name of another script that looks like Latin letters throughout is there to deceive.
    let disguised = !name.is_ascii() && skeleton(name).is_ascii();
    if reserved || guest || disguised || !name.is_single_script() {
        return Err(NameError::Reserved);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_of_any_script() {
        for name in [
            "ann",
            "Đào_7",
            "小明",
            "小明明",
            "a-b",
            "Мария",
            "민준",
            "Administrata",
        ] {
            assert_eq!(check(name), Ok(()), "{name}");
        }
        for name in [
            "",
            "ab",
            "明",
            "a b",
            "<i>",
            "../a",
            &"x".repeat(21),
            // The fillers of Hangul are letters without a shape.
            "\u{3164}\u{3164}\u{3164}",
            "ann\u{115f}",
            // Runes, and digits in circles.
            "\u{16a0}\u{16a2}\u{16a6}",
            "\u{2460}\u{2461}\u{2462}",
        ] {
            assert_eq!(check(name), Err(NameError::Form), "{name}");
        }
    }

    #[test]
    fn names_that_look_alike_have_one_skeleton() {
        for (one, other) in [
            ("Alice", "ALICE"),
            ("Alice", "A1ice"),
            ("Bo0k", "BOOk"),
            ("modern", "modem"),
            // Latin and Cyrillic.
            ("Paccer", "\u{0420}\u{0430}\u{0441}\u{0441}\u{0435}r"),
        ] {
            assert_eq!(skeleton(one), skeleton(other), "{one} {other}");
        }
        assert_ne!(skeleton("Alice"), skeleton("Alicia"));
        assert_ne!(skeleton("小明"), skeleton("小朋"));
    }

    #[test]
    fn names_that_deceive_are_refused() {
        for name in [
            "admin",
            "Admin_1",
            "ADMlN",
            "Convoy",
            "C0nvoy",
            "Computer",
            "guest-1",
            "Guest-XXXX",
            "guest_XXXX",
            "Khách-XXXX",
            "访客-九九",
            "访客",
            "Khách",
            "Máy_2",
            "电脑3",
            // Cyrillic letters that look Latin: one of them, and all of them.
            "\u{0410}lice",
            "\u{0420}\u{043e}\u{0440}\u{0435}",
        ] {
            assert_eq!(check(name), Err(NameError::Reserved), "{name}");
        }
    }
}
