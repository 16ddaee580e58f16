//! House rules at random.

use tractor::Rules;

use crate::dice::Dice;

/// House rules with every switch at random, for tests and arenas; a round under them still ends by itself.
///
/// ```
/// # use tractor_engine::{Dice, random_rules};
/// let mut dice = Dice::new(1);
/// assert_ne!(random_rules(&mut dice), random_rules(&mut dice));
/// ```
pub fn random_rules(dice: &mut Dice) -> Rules {
    let mut rules = Rules::DEFAULT;
    for &switch in Rules::SWITCHES {
        let value = match switch {
            "throw_penalty" => *pick(dice, &["0", "5", "10"]),
            "min_tractor_len" => *pick(dice, &["2", "2", "3"]),
            "scoring" => *pick(dice, &["40 2 1 0", "40 2 1 5", "20 4 2 0", "50 2 1 0"]),
            "max_rank" => *pick(dice, &["A", "NT"]),
            "must_defend" => *pick(dice, &["A", "5 T K A", ""]),
            "throw_mode" => *pick(dice, &["certain", "challenge"]),
            "throw_eval" => *pick(
                dice,
                &["seed", "lead_shape", "all", "highest", "unit_length"],
            ),
            "eligibility" => *pick(dice, &["summary", "embed"]),
            "response_mapping" => *pick(dice, &["strongest", "lowest_first"]),
            "follow_policy" => *pick(dice, &["loose", "strict", "free"]),
            "kitty_multiplier" => *pick(dice, &["pow_pairs", "flat_2_4", "times_2n", "pow_n"]),
            "bid_policy" => *pick(
                dice,
                &[
                    "joker_or_greater_length",
                    "joker_or_higher_suit",
                    "greater_length",
                ],
            ),
            "bid_reinforce" => *pick(dice, &["while_winning", "overturn_self", "never"]),
            "joker_bids" => *pick(dice, &["pairs", "singles", "off"]),
            "decl_offer" => *pick(dice, &["all", "pair_only"]),
            "first_starter" => *pick(dice, &["winning_bid", "first_bid"]),
            "no_bid" => *pick(dice, &["no_trump", "reveal_kitty"]),
            // Taking back is for people; a round ends by itself.
            "take_back" | "end_early" => "false",
            _ => *pick(dice, &["true", "false"]),
        };
        // A switch that is not known here keeps its default.
        let _ = rules.set(switch, value);
    }
    rules
}

fn pick<'a, T>(dice: &mut Dice, from: &'a [T]) -> &'a T {
    &from[dice.below(from.len())]
}
