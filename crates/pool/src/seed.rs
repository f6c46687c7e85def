//! One seed for a project, another for each topic and item that follows from it.
//!
//! The rule is part of the format, since a pool must come out the same years
//! later: the seed of a purpose is XXH3 (64 bits), started with the caller's
//! seed, of the purpose's word, a NUL and the topic's id, and for an item
//! another NUL, the word for its kind, another NUL and its id. So what happens
//! to a topic does not change when another is added or removed, and neither
//! does the choice of instances when an item is.

use crate::item::ItemId;
use formats::TopicId;
use stats::rng::Rng;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// What chance is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// The order of judging.
    Order,
    /// Which instances are shown.
    Show,
    /// Which run is asked next.
    Choose,
}

impl Purpose {
    fn word(self) -> &'static str {
        match self {
            Self::Order => "order",
            Self::Show => "show",
            Self::Choose => "choose",
        }
    }
}

/// The seed of a topic.
pub(crate) fn topic_seed(seed: u64, purpose: Purpose, topic: &TopicId) -> u64 {
    xxh3_64_with_seed(format!("{}\0{topic}", purpose.word()).as_bytes(), seed)
}

/// Chance for a topic.
pub(crate) fn topic_rng(seed: u64, purpose: Purpose, topic: &TopicId) -> Rng {
    Rng::seeded(topic_seed(seed, purpose, topic))
}

/// Chance for an item of a topic.
pub(crate) fn item_rng(seed: u64, purpose: Purpose, topic: &TopicId, item: &ItemId) -> Rng {
    let text = format!("{}\0{topic}\0{}\0{item}", purpose.word(), item.kind());
    Rng::seeded(xxh3_64_with_seed(text.as_bytes(), seed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Frozen: a change here changes pools that were recorded with their seed.
    #[test]
    fn a_seed_gives_the_same_seeds_for_ever() {
        let topic = TopicId::from("A.301");
        assert_eq!(topic_seed(2022, Purpose::Order, &topic), xxh3_64_with_seed(b"order\0A.301", 2022));
        assert_eq!(topic_seed(2022, Purpose::Order, &topic), 9_924_709_732_642_401_355);
    }

    #[test]
    fn topics_purposes_and_seeds_are_told_apart() {
        let mut seen = BTreeSet::new();
        for seed in 0..3 {
            for topic in ["A.1", "A.2"] {
                for purpose in [Purpose::Order, Purpose::Show, Purpose::Choose] {
                    assert!(seen.insert(topic_seed(seed, purpose, &TopicId::from(topic))));
                }
            }
        }
    }
}
