//! In which order a topic's items are judged: by chance, so that no rank shows through.

use crate::item::PoolItem;
use crate::pool::TopicPool;
use crate::seed::{Purpose, topic_rng};

/// The items of a topic in the order of judging.
///
/// Items sorted by kind and id are shuffled by a generator whose seed is that
/// of the purpose `order` and the topic: XXH3 (64 bits), started with `seed`,
/// of `order`, a NUL and the topic's id. So the order does not change when
/// another topic is added or removed, nor when the same items come from other runs.
#[must_use]
pub fn judging_order(topic: &TopicPool, seed: u64) -> Vec<&PoolItem> {
    let mut items: Vec<&PoolItem> = topic.items.iter().collect();
    items.sort_by(|a, b| a.id.cmp(&b.id));
    topic_rng(seed, Purpose::Order, &topic.topic).shuffle(&mut items);
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extent::{Extent, Standing};
    use crate::ranking::{Reading, Unit};
    use crate::testing::{pooled, run_text};

    fn orders(topics: &[&str], seed: u64) -> Vec<Vec<String>> {
        let row =
            |topic: &str| (0..9).map(|doc| format!("{topic} Q0 {doc} 1 {doc} us\n")).collect::<String>();
        let run = run_text("us", &topics.iter().map(|topic| row(topic)).collect::<String>());
        let topics: Vec<_> = topics.iter().map(|topic| (*topic).into()).collect();
        let runs = [pooled(&run, Standing::Primary)];
        let pool = crate::pool_runs(&runs, &topics, &Reading::new(Unit::Posts), Extent::depth(9)).unwrap();
        let order = |topic| judging_order(topic, seed).iter().map(|item| item.id.to_string()).collect();
        pool.topics.iter().map(order).collect()
    }

    #[test]
    fn another_topic_does_not_change_the_order() {
        let both = orders(&["A.1", "A.2"], 7);
        assert_eq!(orders(&["A.1"], 7), [both[0].clone()]);
        assert_eq!(orders(&["A.2"], 7), [both[1].clone()]);
        assert_ne!(both[0], both[1]);
        assert_ne!(orders(&["A.1"], 8)[0], both[0]);
    }

    /// Frozen: a change here changes what assessors of a running project see next.
    #[test]
    fn a_seed_gives_the_same_order_for_ever() {
        assert_eq!(orders(&["A.1"], 2022)[0].join(""), "285713640");
    }
}
