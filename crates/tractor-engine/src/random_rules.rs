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
    for switch in Rules::SWITCHES {
        let values = switch.values.samples();
        let value = match switch.name {
            // Taking back is for people; a round ends by itself.
            "take_back" | "end_early" => "false",
            // Tractors of two pairs are what most tables play: twice as likely as three.
            "min_tractor_len" => values[rng.below(values.len() + 1).saturating_sub(1)],
            _ => values[rng.below(values.len())],
        };
        // Every value of the table is one that its switch takes; another would leave the default.
        let _ = switch.set(&mut rules, value);
    }
    rules
}
