//! House rules at random.

use tractor::Rules;

use crate::rng::Rng;

/// House rules with every switch at random, for tests and arenas; a round under them still ends by itself.
///
/// ```
/// # use tractor_engine::{Rng, random_rules};
/// let mut rng = Rng::new(1);
/// assert_ne!(random_rules(&mut rng), random_rules(&mut rng));
/// ```
pub fn random_rules(rng: &mut Rng) -> Rules {
    let mut rules = Rules::DEFAULT;
    for &switch in Rules::SWITCHES {
        let value = match switch {
            "throw_penalty" => *pick(rng, &["0", "5", "10"]),
            "min_tractor_len" => *pick(rng, &["2", "2", "3"]),
            "scoring" => *pick(rng, &["40 2 1 0", "40 2 1 5", "20 4 2 0", "50 2 1 0"]),
            "max_rank" => *pick(rng, &["A", "NT"]),
            "must_defend" => *pick(rng, &["A", "5 T K A", ""]),
            "throw_mode" => *pick(rng, &["certain", "challenge"]),
            "throw_eval" => *pick(
                rng,
                &["seed", "lead_shape", "all", "highest", "unit_length"],
            ),
            "eligibility" => *pick(rng, &["summary", "embed"]),
            "response_mapping" => *pick(rng, &["strongest", "lowest_first"]),
            "follow_policy" => *pick(rng, &["loose", "strict", "free"]),
            "kitty_multiplier" => *pick(rng, &["pow_pairs", "flat_2_4", "times_2n", "pow_n"]),
            "bid_policy" => *pick(
                rng,
                &[
                    "joker_or_greater_length",
                    "joker_or_higher_suit",
                    "greater_length",
                ],
            ),
            "bid_reinforce" => *pick(rng, &["while_winning", "overturn_self", "never"]),
            "joker_bids" => *pick(rng, &["pairs", "singles", "off"]),
            "decl_offer" => *pick(rng, &["all", "pair_only"]),
            "first_starter" => *pick(rng, &["winning_bid", "first_bid"]),
            "no_bid" => *pick(rng, &["no_trump", "reveal_kitty"]),
            // Taking back is for people; a round ends by itself.
            "take_back" | "end_early" => "false",
            _ => *pick(rng, &["true", "false"]),
        };
        // A switch that is not known here keeps its default.
        let _ = rules.set(switch, value);
    }
    rules
}

fn pick<'a, T>(rng: &mut Rng, from: &'a [T]) -> &'a T {
    &from[rng.below(from.len())]
}
