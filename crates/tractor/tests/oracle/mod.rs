//! The rules of play once more, over lists of faces, written for plainness alone.

use std::cmp::Reverse;

use tractor::{
    Eligibility, Face, FollowPolicy, Group, Rank, ResponseMapping, Rules, ThrowEval, ThrowMode,
    Trump,
};

pub(crate) struct Oracle {
    pub(crate) trump: Trump,
    pub(crate) rules: Rules,
}

/// What Rule 3.3 looks at.
struct Summary {
    parts: Vec<Vec<Face>>,
    sizes: Vec<usize>,
    pairs: usize,
}

impl Oracle {
    fn group(&self, face: Face) -> Group {
        self.trump.group(face)
    }

    /// Rule 1.6: pairs touch where rungs differ by one. Also the order of strength within a group.
    fn rung(&self, face: Face) -> usize {
        let rank = match face.rank() {
            None if face == Face::BIG_JOKER => return 104,
            None => return 103,
            Some(rank) => rank,
        };
        if Some(rank) == self.trump.rank() {
            return match self.trump.suit() {
                None => 101 + usize::from(self.rules.nt_rank_joker_adjacent),
                suit if suit == face.suit() => 102,
                _ => 101,
            };
        }
        let left: Vec<Rank> = Rank::ALL
            .into_iter()
            .filter(|&rank| Some(rank) != self.trump.rank())
            .collect();
        let at = left.iter().position(|&other| other == rank).unwrap();
        match self.group(face) {
            Group::Trump => 89 + at,
            Group::Plain(_) => at,
        }
    }

    fn paired(cards: &[Face]) -> Vec<Face> {
        let mut faces = cards.to_vec();
        faces.sort();
        faces.dedup();
        faces.retain(|face| cards.iter().filter(|card| *card == face).count() == 2);
        faces
    }

    /// Every run of touching pairs of one group that begins at `face`.
    fn chains(&self, face: Face, pairs: &[Face]) -> Vec<Vec<Face>> {
        let mut out = vec![vec![face]];
        for &next in pairs {
            if self.group(next) == self.group(face) && self.rung(next) == self.rung(face) + 1 {
                for mut rest in self.chains(next, pairs) {
                    rest.insert(0, face);
                    out.push(rest);
                }
            }
        }
        out
    }

    fn runs(&self, pairs: &[Face]) -> Vec<Vec<Face>> {
        pairs
            .iter()
            .flat_map(|&face| self.chains(face, pairs))
            .collect()
    }

    /// Rule 3.1, one part a list of its faces: tractors and pairs show each face once.
    fn summary(&self, cards: &[Face]) -> Summary {
        let mut left = Self::paired(cards);
        let pairs = left.len();
        let (mut parts, mut sizes) = (Vec::new(), Vec::new());
        while let Some(best) = self
            .runs(&left)
            .into_iter()
            .filter(|run| run.len() >= self.rules.min_tractor_len.into())
            .min_by_key(|run| Reverse((run.len(), self.rung(*run.last().unwrap()))))
        {
            left.retain(|face| !best.contains(face));
            sizes.push(best.len());
            parts.push(best);
        }
        parts.extend(left.into_iter().map(|face| vec![face]));
        let singles = cards
            .iter()
            .filter(|face| cards.iter().filter(|other| other == face).count() == 1);
        parts.extend(singles.map(|&face| vec![face]));
        Summary {
            parts,
            sizes,
            pairs,
        }
    }

    /// The cards of each component, sorted.
    pub(crate) fn components(&self, cards: &[Face]) -> Vec<Vec<Face>> {
        let twice = Self::paired(cards);
        let mut out: Vec<Vec<Face>> = self
            .summary(cards)
            .parts
            .into_iter()
            .map(|part| {
                let again: Vec<_> = part
                    .iter()
                    .copied()
                    .filter(|face| twice.contains(face))
                    .collect();
                let mut all = [part, again].concat();
                all.sort();
                all
            })
            .collect();
        out.sort();
        out
    }

    /// Rule 3.3 for a play from the hand.
    pub(crate) fn follows(&self, lead: &[Face], hand: &[Face], play: &[Face]) -> bool {
        let (n, group) = (lead.len(), self.group(lead[0]));
        let of_group = |cards: &[Face]| -> Vec<Face> {
            let mut cards = cards.to_vec();
            cards.retain(|&face| self.group(face) == group);
            cards
        };
        let (have, used) = (of_group(hand), of_group(play));
        if play.len() != n || used.len() < n.min(have.len()) {
            return false;
        }
        if have.len() <= n {
            return true;
        }
        let [called, held, shows] = [lead, &have, &used].map(|cards| self.summary(cards));
        match self.rules.follow_policy {
            FollowPolicy::Free => true,
            FollowPolicy::Strict => self.fits_strictly(&called, &have, &used),
            FollowPolicy::Loose => {
                if shows.pairs < called.pairs.min(held.pairs) {
                    return false;
                }
                if called.sizes.is_empty() {
                    return true;
                }
                if called.parts.len() == 1 {
                    let size = called.sizes[0];
                    let has = self
                        .runs(&Self::paired(&have))
                        .iter()
                        .any(|run| run.len() == size);
                    return !has || shows.parts.len() == 1 && shows.sizes == [size];
                }
                let cap = self.capacity(&held.sizes, n / 2);
                shows.sizes.iter().sum::<usize>() >= called.sizes.iter().sum::<usize>().min(cap)
            }
        }
    }

    fn capacity(&self, sizes: &[usize], limit: usize) -> usize {
        let Some((&first, rest)) = sizes.split_first() else {
            return 0;
        };
        let least = usize::from(self.rules.min_tractor_len);
        (least..=first)
            .chain([0])
            .filter(|&part| part <= limit)
            .map(|part| part + self.capacity(rest, limit - part))
            .max()
            .unwrap()
    }

    /// The list of ever looser shapes of one component: runs (1 is a pair), the rest singles.
    fn looser(&self, size: usize) -> Vec<Vec<usize>> {
        fn partitions(left: usize, most: usize) -> Vec<Vec<usize>> {
            if left == 0 {
                return vec![vec![]];
            }
            (1..=left.min(most))
                .rev()
                .flat_map(|part| {
                    partitions(left - part, part)
                        .into_iter()
                        .map(move |rest| [vec![part], rest].concat())
                })
                .collect()
        }
        let short = |part: &usize| *part > 1 && *part < usize::from(self.rules.min_tractor_len);
        (0..=size)
            .rev()
            .flat_map(|pairs| partitions(pairs, pairs))
            .filter(|shape| !shape.iter().any(short))
            .collect()
    }

    fn fits_strictly(&self, led: &Summary, have: &[Face], used: &[Face]) -> bool {
        let alone = led.pairs - led.sizes.iter().sum::<usize>();
        let mut steps: Vec<Vec<Vec<usize>>> = led
            .sizes
            .iter()
            .copied()
            .chain(std::iter::repeat_n(1, alone))
            .map(|size| self.looser(size))
            .collect();
        loop {
            let mut shape: Vec<usize> = steps.iter().flat_map(|list| list[0].clone()).collect();
            shape.sort_unstable_by(|a, b| b.cmp(a));
            if self.holds(&Self::paired(have), &shape) {
                return self.holds(&Self::paired(used), &shape);
            }
            steps
                .iter_mut()
                .max_by_key(|list| list.len())
                .unwrap()
                .remove(0);
        }
    }

    /// Whether disjoint runs of these lengths lie in the pairs.
    fn holds(&self, pairs: &[Face], shape: &[usize]) -> bool {
        let Some((&size, rest)) = shape.split_first() else {
            return true;
        };
        self.runs(pairs)
            .into_iter()
            .filter(|run| run.len() == size)
            .any(|run| {
                let left: Vec<_> = pairs
                    .iter()
                    .copied()
                    .filter(|face| !run.contains(face))
                    .collect();
                self.holds(&left, rest)
            })
    }

    /// Rule 3.2: whether `cards` may be led by someone who has not seen `unseen`.
    pub(crate) fn leads(&self, cards: &[Face], unseen: &[Face], all_void: bool) -> bool {
        let group = self.group(cards[0]);
        if cards.iter().any(|&face| self.group(face) != group) {
            return false;
        }
        let parts = self.components(cards);
        if parts.len() == 1 {
            return true;
        }
        if group == Group::Trump && !self.rules.allow_trump_throw {
            return false;
        }
        self.rules.throw_mode == ThrowMode::Challenge
            || all_void
            || !parts.iter().any(|part| self.beatable(part, unseen))
    }

    /// Whether cards of `pool` beat a component.
    pub(crate) fn beatable(&self, part: &[Face], pool: &[Face]) -> bool {
        let group = self.group(part[0]);
        let top = part.iter().map(|&face| self.rung(face)).max().unwrap();
        let pool: Vec<_> = pool
            .iter()
            .copied()
            .filter(|&face| self.group(face) == group)
            .collect();
        if part.len() == 1 {
            return pool.iter().any(|&face| self.rung(face) > top);
        }
        self.runs(&Self::paired(&pool))
            .into_iter()
            .any(|run| run.len() == part.len() / 2 && self.rung(*run.last().unwrap()) > top)
    }

    /// Rule 3.4: which play wins.
    pub(crate) fn winner(&self, plays: &[Vec<Face>]) -> usize {
        let led = self.summary(&plays[0]);
        let group = self.group(plays[0][0]);
        let mut best = 0;
        for at in 1..plays.len() {
            let play = &plays[at];
            let own = self.group(play[0]);
            let one = play.iter().all(|&face| self.group(face) == own);
            if !one || own != Group::Trump && own != group || play.len() != plays[0].len() {
                continue;
            }
            let ruffs = own == Group::Trump && self.group(plays[best][0]) != Group::Trump;
            let wins = if led.parts.len() == 1 {
                let mine = self.summary(play);
                mine.parts.len() == 1 && (ruffs || self.top(play) > self.top(&plays[best]))
            } else {
                own == Group::Trump
                    && self.eligible(&led, play)
                    && self.is_ahead(&led, play, (!ruffs).then_some(&plays[best]))
            };
            if wins {
                best = at;
            }
        }
        best
    }

    fn top(&self, cards: &[Face]) -> usize {
        cards.iter().map(|&face| self.rung(face)).max().unwrap()
    }

    fn eligible(&self, led: &Summary, play: &[Face]) -> bool {
        if self.rules.eligibility == Eligibility::Embed {
            return self.tops(led, play).is_some();
        }
        let mine = self.summary(play);
        let longest = |sizes: &[usize]| sizes.iter().copied().max().unwrap_or(0);
        mine.pairs >= led.pairs
            && mine.sizes.len() >= led.sizes.len()
            && mine.sizes.iter().sum::<usize>() >= led.sizes.iter().sum()
            && longest(&mine.sizes) >= longest(&led.sizes)
    }

    fn is_ahead(&self, led: &Summary, play: &[Face], old: Option<&Vec<Face>>) -> bool {
        let eval = self.rules.throw_eval;
        if matches!(eval, ThrowEval::Seed | ThrowEval::LeadShape) {
            return old.is_none_or(|old| self.key(led, play) > self.key(led, old));
        }
        let Some(new) = self.tops(led, play) else {
            return false;
        };
        let Some(old) = old.and_then(|old| self.tops(led, old)) else {
            return true;
        };
        match eval {
            ThrowEval::All => new.iter().zip(&old).all(|(new, old)| new.1 > old.1),
            ThrowEval::Highest => {
                new.iter().map(|part| part.1).max() > old.iter().map(|part| part.1).max()
            }
            _ => {
                let counts = |part: &&(usize, usize)| part.0 > 1 || new[0].0 == 1;
                let values = |list: &[(usize, usize)]| -> Vec<usize> {
                    list.iter().filter(counts).map(|part| part.1).collect()
                };
                values(&new) > values(&old)
            }
        }
    }

    /// The type that decides, and its top.
    fn key(&self, led: &Summary, play: &[Face]) -> (usize, usize) {
        let kind = |len: usize| usize::from(len > 1) + usize::from(len > 2);
        let parts = self.components(play);
        let best = |parts: &[Vec<Face>]| parts.iter().map(|part| kind(part.len())).max().unwrap();
        let decisive = match self.rules.throw_eval {
            ThrowEval::Seed => best(&parts),
            _ => usize::from(led.pairs > 0) + usize::from(!led.sizes.is_empty()),
        };
        let tops = parts
            .iter()
            .filter(|part| kind(part.len()) >= decisive)
            .map(|part| self.top(part));
        (decisive, tops.max().unwrap_or(0))
    }

    /// The size and top of the part that each led component is given.
    fn tops(&self, led: &Summary, play: &[Face]) -> Option<Vec<(usize, usize)>> {
        let alone = led.pairs - led.sizes.iter().sum::<usize>();
        let mut sizes = led.sizes.clone();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes.extend(std::iter::repeat_n(1, alone));
        self.give(&sizes, play)
    }

    fn give(&self, sizes: &[usize], left: &[Face]) -> Option<Vec<(usize, usize)>> {
        let lowest = self.rules.response_mapping == ResponseMapping::LowestFirst;
        let Some((&size, rest)) = sizes.split_first() else {
            let mut singles: Vec<_> = left.iter().map(|&face| (1, self.rung(face))).collect();
            singles.sort_unstable();
            if !lowest {
                singles.reverse();
            }
            return Some(singles);
        };
        let mut runs = self.runs(&Self::paired(left));
        runs.retain(|run| run.len() == size);
        runs.sort_by_key(|run| self.rung(run[0]));
        if !lowest {
            runs.reverse();
        }
        runs.into_iter().find_map(|run| {
            let kept: Vec<_> = left
                .iter()
                .copied()
                .filter(|face| !run.contains(face))
                .collect();
            let mut out = vec![(2 * size, self.top(&run))];
            out.extend(self.give(rest, &kept)?);
            Some(out)
        })
    }
}
