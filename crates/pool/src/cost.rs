//! What a pool costs before anybody has judged: items, views and hours.

use crate::extent::Extent;
use crate::item::{ItemKind, PoolItem};
use crate::pool::Pool;
use crate::ranking::Rankings;
use formats::TopicId;

/// How long people take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// Seconds for a post or a written answer.
    pub seconds_per_answer: f64,
    /// Seconds for a formula instance.
    pub seconds_per_instance: f64,
}

impl Default for Rates {
    /// The means of ARQMath-3: 44.1 s for an answer and 26.6 s for a formula instance.
    fn default() -> Self {
        Self { seconds_per_answer: 44.1, seconds_per_instance: 26.6 }
    }
}

/// What a topic costs.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicCost {
    /// The topic.
    pub topic: TopicId,
    /// How many items are judged.
    pub items: usize,
    /// How many formula instances are looked at.
    pub instances: usize,
    /// How many seconds that takes.
    pub seconds: f64,
}

/// A number of each topic, over all topics.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// All topics together.
    pub total: usize,
    /// The topic with the fewest.
    pub min: usize,
    /// The topic with the most.
    pub max: usize,
    /// The mean over topics, those without items counting 0; 0 without topics.
    pub mean: f64,
}

/// What a pool costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// Each topic, in the order of the pool.
    pub topics: Vec<TopicCost>,
    /// Items over topics.
    pub items: Spread,
    /// Formula instances over topics.
    pub instances: Spread,
    /// How many hours one person would take.
    pub hours: f64,
}

/// What a pool costs when at most so many instances of a visual id are shown.
///
/// A visual id without candidates, as in runs that name visual ids alone,
/// counts as one instance: something must be shown for it. A post or a written
/// answer is no instance.
#[must_use]
pub fn preview(pool: &Pool, at_most: usize, rates: Rates) -> Preview {
    let topics: Vec<TopicCost> = pool
        .topics
        .iter()
        .map(|topic| {
            let instances: usize = topic.items.iter().map(|item| instances(item, at_most)).sum();
            let texts = topic.items.iter().filter(|item| !is_formula(item)).count();
            let seconds =
                texts as f64 * rates.seconds_per_answer + instances as f64 * rates.seconds_per_instance;
            TopicCost { topic: topic.topic.clone(), items: topic.items.len(), instances, seconds }
        })
        .collect();
    Preview {
        items: spread(topics.iter().map(|topic| topic.items)),
        instances: spread(topics.iter().map(|topic| topic.instances)),
        hours: topics.iter().map(|topic| topic.seconds).sum::<f64>() / 3600.0,
        topics,
    }
}

impl Rankings<'_> {
    /// What pools of other extents would cost, in the order of the extents.
    #[must_use]
    pub fn what_if(&self, extents: &[Extent], at_most: usize, rates: Rates) -> Vec<(Extent, Preview)> {
        extents.iter().map(|extent| (*extent, preview(&self.pool(*extent), at_most, rates))).collect()
    }
}

fn is_formula(item: &PoolItem) -> bool {
    match item.id.kind() {
        ItemKind::Post | ItemKind::Answer => false,
        ItemKind::Formula | ItemKind::Instance => true,
    }
}

fn instances(item: &PoolItem, at_most: usize) -> usize {
    if is_formula(item) { item.candidates.len().clamp(1, at_most.max(1)) } else { 0 }
}

fn spread(counts: impl ExactSizeIterator<Item = usize> + Clone) -> Spread {
    let (total, topics) = (counts.clone().sum(), counts.len());
    Spread {
        total,
        min: counts.clone().min().unwrap_or(0),
        max: counts.max().unwrap_or(0),
        mean: if topics == 0 { 0.0 } else { total as f64 / topics as f64 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extent::Standing;
    use crate::ranking::{Reading, Unit};
    use crate::testing::{Looks, pooled, run, run_text};

    #[test]
    fn hours_by_the_rates_of_2022() {
        let text = "A.1 Q0 a 1 3 us\nA.1 Q0 b 2 2 us\nA.1 Q0 c 3 1 us\nA.2 Q0 a 1 1 us\n";
        let run = run_text("us", text);
        let topics = ["A.1", "A.2", "A.3"].map(Into::into);
        let reading = Reading::new(Unit::Posts);
        let rankings = Rankings::new(&[pooled(&run, Standing::Primary)], &topics, &reading).unwrap();
        let cost = preview(&rankings.pool(Extent::depth(45)), 5, Rates::default());
        assert_eq!(cost.items, Spread { total: 4, min: 0, max: 3, mean: 4.0 / 3.0 });
        assert_eq!(cost.instances, Spread::default());
        assert!((cost.topics[0].seconds - 132.3).abs() < 1e-9);
        assert!((cost.hours - 4.0 * 44.1 / 3600.0).abs() < 1e-12);
        let depths = [1, 2, 3].map(Extent::depth);
        let what_if = rankings.what_if(&depths, 5, Rates::default());
        let items: Vec<_> = what_if.iter().map(|(_, cost)| cost.items.total).collect();
        assert_eq!(items, [2, 3, 4]);
        assert_eq!(what_if[1].0, Extent::depth(2));
    }

    #[test]
    fn instances_are_counted_up_to_the_most_that_are_shown() {
        let looks = Looks::new("i1=7 i2=7 i3=7 i4=3");
        let run = run("us", "B.1", &["i1", "i2", "i3", "i4"]);
        let runs = [pooled(&run, Standing::Primary)];
        let cost = |unit, at_most| {
            let pool =
                crate::pool_runs(&runs, &["B.1".into()], &Reading::new(unit), Extent::depth(9)).unwrap();
            let cost = preview(&pool, at_most, Rates::default());
            (cost.items.total, cost.instances.total, (cost.hours * 3600.0 * 10.0).round())
        };
        assert_eq!(cost(Unit::Formulas(&looks), 5), (2, 4, 1064.0));
        assert_eq!(cost(Unit::Formulas(&looks), 2), (2, 3, 798.0));
        assert_eq!(cost(Unit::VisualIds, 5), (4, 4, 1064.0));
        assert_eq!(cost(Unit::Instances, 5), (4, 4, 1064.0));
    }

    #[test]
    fn no_topics_cost_nothing() {
        let cost = preview(&Pool::default(), 5, Rates::default());
        assert_eq!((cost.items, cost.hours), (Spread::default(), 0.0));
    }
}
