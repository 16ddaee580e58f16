//! The name that was probably meant.

/// The known name nearest to a misspelt one, if one is near enough: a letter wrong, missing, added or two
/// swapped, two such slips in longer names; case, `-` and `_` do not matter.
///
/// ```
/// use convoy_protocol::nearest;
/// assert_eq!(nearest("fenn", ["fen", "steps"]), Some("fen"));
/// assert_eq!(nearest("mvoes", ["moves", "turns"]), Some("moves"));
/// assert_eq!(nearest("HAND_SIZES", ["handSizes"]), Some("handSizes"));
/// assert_eq!(nearest("colour", ["square"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer than any name: no slip of the hand.
    if name.len() > 64 {
        return None;
    }
    let plain = |text: &str| -> Vec<char> {
        let letters = text.chars().filter(|letter| !matches!(letter, '-' | '_'));
        letters.flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(name);
    let allowed = |candidate: &[char]| match candidate.len().max(wanted.len()) {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    known
        .into_iter()
        .filter_map(|candidate| {
            let letters = plain(candidate);
            let distance = distance(&wanted, &letters);
            (distance <= allowed(&letters)).then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The optimal string alignment distance: insertions, deletions, replacements, swaps of neighbours.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let replaced = row[j] + usize::from(x != y);
            let mut least = replaced.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

/// A hint for a message: `; did you mean "fen"?`, or what there is.
pub(crate) fn hint(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(meant) => format!("; did you mean {meant:?}?"),
        None if known.is_empty() => "; there are none here".to_owned(),
        None => format!("; there are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(a: &str, b: &str) -> usize {
        let letters = |text: &str| text.chars().collect::<Vec<_>>();
        distance(&letters(a), &letters(b))
    }

    #[test]
    fn distance_counts_each_kind_of_slip_once() {
        assert_eq!(steps("moves", "moves"), 0);
        assert_eq!(steps("mvoes", "moves"), 1);
        assert_eq!(steps("move", "moves"), 1);
        assert_eq!(steps("mooves", "moves"), 1);
        assert_eq!(steps("mowes", "moves"), 1);
        assert_eq!(steps("", "moves"), 5);
        assert_eq!(steps("kitten", "sitting"), 3);
    }

    #[test]
    fn names_of_two_letters_are_not_guessed() {
        assert_eq!(nearest("ad", ["id", "at", "op"]), None);
        assert_eq!(nearest("ID", ["id"]), Some("id"));
    }
}
