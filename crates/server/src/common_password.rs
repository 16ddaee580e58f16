//! Passwords that are tried first by whoever guesses.

/// The commonest passwords of eight characters and more, without their digits at the end, in lower
/// case. Those of digits alone and of one repeated sign are found by their form.
const COMMON: &str = "password passw0rd p@ssword p@ssw0rd pa55word passwort passport mypassword \
    qwertyui qwertyuiop qwerty asdfghjk asdfghjkl asdfasdf zxcvbnm zxcvbnmm qazwsx qazwsxedc \
    1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc zaq12wsx q1w2e3r4 q1w2e3r4t5 qwer asdf \
    iloveyou iloveu loveyou lovelove princess sunshine football baseball basketball superman \
    spiderman batman starwars pokemon dragon monkey shadow master letmein welcome whatever \
    trustno trustnoone michael jennifer jordan charlie jessica computer internet changeme \
    default secret admin administrator adminadmin rootroot testtest test user guest login \
    abcdefgh abcdefghi abcd abc access freedom mustang corvette liverpool arsenal chelsea \
    barcelona realmadrid samsung google facebook microsoft minecraft nintendo playstation \
    chocolate butterfly elephant sweetheart blessed jesus christ hello helloworld hellohello \
    matkhau vietnam saigon hanoi anhyeuem emyeuanh yeuem woaini wodemima mima aaaa zzzz \
    convoy commander cotulenh tractor shengji";

/// Whether a password is among the first that anyone would try for the account of this name.
pub(crate) fn is_common(password: &str, name: &str) -> bool {
    let lower = password.to_lowercase();
    let stem = lower.trim_end_matches(|c: char| c.is_ascii_digit() || "!?.#*_-@$".contains(c));
    let own = name.to_lowercase();
    is_pattern(&lower)
        || stem.is_empty()
        || COMMON
            .split_whitespace()
            .any(|word| word == stem || word == lower)
        || (own.chars().count() >= 3 && stem == own)
}

/// Few different signs, or each the next of the one before.
fn is_pattern(password: &str) -> bool {
    let signs: Vec<char> = password.chars().collect();
    let mut different = signs.clone();
    different.sort_unstable();
    different.dedup();
    let step = |by: i64| {
        let next = |pair: &[char]| i64::from(u32::from(pair[1])) - i64::from(u32::from(pair[0]));
        signs.windows(2).all(|pair| next(pair) == by)
    };
    different.len() <= 2 || step(1) || step(-1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_everybody_tries_is_common() {
        for password in [
            "password",
            "Password1",
            "PASSWORD123!",
            "12345678",
            "123456789",
            "11111111",
            "abababab",
            "87654321",
            "abcdefgh",
            "qwertyuiop",
            "iloveyou",
            "1q2w3e4r",
            "matkhau123",
            "woaini1314",
            "Alice2024",
            "19840523",
        ] {
            assert!(is_common(password, "alice"), "{password}");
        }
        for password in [
            "correct horse",
            "another horse",
            "tXq94bbn",
            "dương liễu xanh",
        ] {
            assert!(!is_common(password, "alice"), "{password}");
        }
    }
}
