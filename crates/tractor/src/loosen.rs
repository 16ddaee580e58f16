//! The strict policy: a list of ever looser shapes, and whether pairs fit one (Rule 3.3).

use crate::follow::Need;
use crate::judge::Judge;
use crate::run;
use crate::shape::Shape;
use crate::trump::Group;

/// Lengths of tractors, longest first: four bits each, the longest lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parts(u64);

impl Parts {
    pub(crate) const fn longest(self) -> u32 {
        (self.0 & 15) as u32
    }

    pub(crate) const fn rest(self) -> Self {
        Self(self.0 >> 4)
    }

    pub(crate) fn sum(self) -> u32 {
        (0..16).map(|at| (self.0 >> (4 * at) & 15) as u32).sum()
    }

    /// Both lists as one.
    fn and(self, other: Self) -> Self {
        let (mut lists, mut out) = ([self, other], 0);
        for at in 0..16 {
            let next = usize::from(lists[1].longest() > lists[0].longest());
            out |= u64::from(lists[next].longest()) << (4 * at);
            lists[next] = lists[next].rest();
        }
        Self(out)
    }
}

/// One step of loosening: what is left of a component.
#[derive(Debug, Clone, Copy)]
struct Step {
    /// Pairs that must be shown.
    pairs: u8,
    /// Those of them in tractors.
    parts: Parts,
}

/// The most pairs of a lead.
const MOST: usize = 12;
/// The partitions of all numbers up to [`MOST`].
const STEPS: usize = 1 + 1 + 2 + 3 + 5 + 7 + 11 + 15 + 22 + 30 + 42 + 56 + 77;

/// All steps, loosest first: no pair, then for each number of pairs its partitions, larger parts last. A tractor
/// of `m` pairs starts at the last step with `m` pairs, so all components share this list.
#[allow(clippy::cast_possible_truncation, reason = "twelve pairs at most")]
const LIST: ([Step; STEPS], [usize; MOST + 1]) = {
    let blank = Step {
        pairs: 0,
        parts: Parts(0),
    };
    let (mut steps, mut last, mut at) = ([blank; STEPS], [0; MOST + 1], 0);
    let mut pairs = 0;
    while pairs <= MOST {
        // Partitions in ascending order: [1,1,…], …, [m]; kept as parts, largest first.
        let mut parts = [0_u64; MOST];
        let mut count = pairs;
        let mut i = 0;
        while i < pairs {
            parts[i] = 1;
            i += 1;
        }
        loop {
            let (mut packed, mut i) = (0, count);
            while i > 0 {
                i -= 1;
                if parts[i] > 1 {
                    packed = packed << 4 | parts[i];
                }
            }
            steps[at] = Step {
                pairs: pairs as u8,
                parts: Parts(packed),
            };
            last[pairs] = at;
            at += 1;
            if count <= 1 {
                break;
            }
            // The next partition: the last part that may grow takes one from those behind it, which fall to ones.
            let mut behind = parts[count - 1];
            let mut grow = count - 1;
            loop {
                grow -= 1;
                if grow == 0 || parts[grow - 1] > parts[grow] {
                    break;
                }
                behind += parts[grow];
            }
            parts[grow] += 1;
            behind -= 1;
            count = grow + 1;
            while behind > 0 {
                parts[count] = 1;
                count += 1;
                behind -= 1;
            }
        }
        pairs += 1;
    }
    (steps, last)
};

/// The first shape of the list that these pairs fit, as pairs and their form.
///
/// A throw loosens the component with most steps left, one step at a time.
pub(crate) fn first_fit(judge: &Judge, shape: &Shape, pairs: u32) -> (u32, Need) {
    let (list, whole) = &LIST;
    let (least, held) = (judge.min_run(), pairs.count_ones());
    let mut tractors = [0; 6];
    for (at, &size) in tractors.iter_mut().zip(shape.tractor_sizes()) {
        *at = whole[usize::from(size).min(MOST)];
    }
    let mut single = u32::from(shape.pairs - shape.tractor_pairs);
    loop {
        let (mut owed, mut parts) = (single, Parts(0));
        for &at in &tractors {
            owed += u32::from(list[at].pairs);
            parts = parts.and(list[at].parts);
        }
        if owed <= held && fits(judge, shape.group, pairs, parts) {
            let need = match parts {
                Parts(0) => Need::Nothing,
                parts => Need::Parts(parts),
            };
            return (owed, need);
        }
        let widest = tractors.iter_mut().max().expect("six places");
        if *widest > 0 {
            *widest -= 1;
            while has_short_part(list[*widest].parts, least) {
                *widest -= 1;
            }
        } else {
            single -= 1;
        }
    }
}

/// Whether a part is shorter than a tractor may be.
fn has_short_part(mut parts: Parts, least: u32) -> bool {
    while parts.longest() != 0 {
        if parts.longest() < least {
            return true;
        }
        parts = parts.rest();
    }
    false
}

/// Whether disjoint tractors of these lengths lie within local pairs.
pub(crate) fn fits(judge: &Judge, group: Group, pairs: u32, parts: Parts) -> bool {
    let spare = (pairs & judge.shared(group)).count_ones().saturating_sub(1);
    pack(judge.shared_bit(), judge.rungs(group, pairs), spare, parts)
}

/// Places the longest part in every way; the shared rung can be used once more for each spare pair on it.
fn pack(shared: u32, rungs: u32, spare: u32, parts: Parts) -> bool {
    let len = parts.longest();
    if len == 0 {
        return true;
    }
    let mut at = run::starts(rungs, len);
    if parts.rest().longest() == 0 {
        return at != 0;
    }
    while at != 0 {
        let window = run::window(at.trailing_zeros(), len);
        let again = window & shared != 0 && spare > 0;
        let taken = if again { window & !shared } else { window };
        if pack(
            shared,
            rungs & !taken,
            spare - u32::from(again),
            parts.rest(),
        ) {
            return true;
        }
        at &= at - 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_of_three_pairs() {
        let (list, whole) = &LIST;
        let steps: Vec<_> = list[..=whole[3]]
            .iter()
            .rev()
            .map(|step| (step.pairs, step.parts.0))
            .collect();
        assert_eq!(
            steps,
            [(3, 3), (3, 2), (3, 0), (2, 2), (2, 0), (1, 0), (0, 0)]
        );
        assert_eq!(whole[4] - whole[3], 5);
        let four: Vec<_> = list[whole[3] + 1..=whole[4]]
            .iter()
            .map(|step| step.parts.0)
            .collect();
        assert_eq!(four, [0, 2, 0x22, 3, 4]);
        assert_eq!(whole[MOST], STEPS - 1);
    }
}
