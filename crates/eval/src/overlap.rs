//! Which relevant items each of several rankings has among its first, and what two of them have in common.

use crate::ranked::ResultGrade;
use stats::correlation::rbo;
use std::collections::{BTreeMap, HashSet};

/// One of the first results of a ranking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct First {
    /// Its id.
    pub id: String,
    /// Its grade.
    pub grade: ResultGrade,
}

/// The grades from which on items are counted: any relevance, and what MAP' and P'@10 call relevant.
pub const LEVELS: [i32; 2] = [1, 2];

/// The chance that a reader goes on to the next rank, for rank-biased overlap; as `hypatia diff` has it.
pub const PERSISTENCE: f64 = 0.9;

/// How many judged items of a grade a ranking has among its first, over all topics, by [`LEVELS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// All of them.
    pub relevant: [usize; 2],
    /// Those that no other ranking has among its first.
    pub unique: [usize; 2],
}

impl Counts {
    fn add(&mut self, item: &First, holders: usize) {
        for (place, level) in LEVELS.into_iter().enumerate() {
            let relevant = usize::from(item.grade.is_relevant(level));
            self.relevant[place] += relevant;
            self.unique[place] += if holders == 1 { relevant } else { 0 };
        }
    }
}

/// What two rankings have in common: means over the topics for which one of them has results.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Common {
    /// The number of common items over the length of the longer list.
    pub share: f64,
    /// Rank-biased overlap, extrapolated.
    pub rank_biased: f64,
}

fn first(items: &[First], depth: usize) -> &[First] {
    &items[..items.len().min(depth)]
}

/// What each ranking has among its first `depth`, and what all of them have together. Rankings list the same topics.
#[must_use]
pub fn counts(rankings: &[&Vec<Vec<First>>], depth: usize) -> (Vec<Counts>, Counts) {
    let mut counts = vec![Counts::default(); rankings.len()];
    let mut together = Counts::default();
    for topic in 0..rankings.first().map_or(0, |ranking| ranking.len()) {
        let mut holders: BTreeMap<&str, (&First, usize)> = BTreeMap::new();
        for ranking in rankings {
            for item in first(&ranking[topic], depth) {
                holders.entry(item.id.as_str()).or_insert((item, 0)).1 += 1;
            }
        }
        for (counts, ranking) in counts.iter_mut().zip(rankings) {
            for item in first(&ranking[topic], depth) {
                let holders = holders.get(item.id.as_str()).map_or(0, |(_, holders)| *holders);
                counts.add(item, holders);
            }
        }
        for (item, holders) in holders.into_values() {
            together.add(item, holders);
        }
    }
    (counts, together)
}

/// What every two rankings have in common, by the places of both, the first lower; nothing where no topic has results.
#[must_use]
pub fn common(rankings: &[&Vec<Vec<First>>], depth: usize) -> Vec<Vec<Option<Common>>> {
    let with_later = |place: usize| {
        rankings[place + 1..].iter().map(|later| common_of_two(rankings[place], later, depth)).collect()
    };
    (0..rankings.len()).map(with_later).collect()
}

fn common_of_two(left: &[Vec<First>], right: &[Vec<First>], depth: usize) -> Option<Common> {
    let (mut topics, mut share, mut rank_biased) = (0_u32, 0.0, 0.0);
    for (left, right) in left.iter().zip(right) {
        let ids = |items| -> Vec<&str> { first(items, depth).iter().map(|item| item.id.as_str()).collect() };
        let (left, right) = (ids(left), ids(right));
        let longest = left.len().max(right.len());
        if longest == 0 {
            continue;
        }
        topics += 1;
        let known: HashSet<&str> = left.iter().copied().collect();
        share += right.iter().filter(|id| known.contains(*id)).count() as f64 / longest as f64;
        // Without results on one side nothing is in common.
        rank_biased += rbo(&left, &right, PERSISTENCE).map_or(0.0, |overlap| overlap.extrapolated);
    }
    let topics = f64::from(topics);
    (topics > 0.0).then(|| Common { share: share / topics, rank_biased: rank_biased / topics })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results of one topic: `a2` is document a of grade 2, `a` is not judged.
    fn topic(items: &str) -> Vec<First> {
        let item = |word: &str| {
            let (id, grade) = word.split_at(1);
            let grade = grade.parse().map_or(ResultGrade::UNJUDGED, ResultGrade::graded);
            First { id: id.to_owned(), grade }
        };
        items.split_whitespace().map(item).collect()
    }

    #[test]
    fn relevant_items_that_one_member_has_are_counted_once_worked_by_hand() {
        // In the first topic b is in two lists, c and d in one each; e is not judged, f is not relevant.
        let words = vec![topic("a3 b2 e"), topic("x1")];
        let parts = vec![topic("b2 c1 f0"), topic("")];
        let paths = vec![topic("a3 d2"), topic("y0 z1")];
        let members = [&words, &parts, &paths];
        let (counts, together) = counts(&members, 3);
        assert_eq!(counts[0], Counts { relevant: [3, 2], unique: [1, 0] });
        assert_eq!(counts[1], Counts { relevant: [2, 1], unique: [1, 0] });
        assert_eq!(counts[2], Counts { relevant: [3, 2], unique: [2, 1] });
        // a, b, c, d, x and z.
        assert_eq!(together.relevant, [6, 3]);
        // Deeper results of others do not count: with one result each, b is only in the second list.
        let (shallow, _) = super::counts(&members, 1);
        assert_eq!(shallow[1], Counts { relevant: [1, 1], unique: [1, 1] });
        assert_eq!(shallow[0], Counts { relevant: [2, 1], unique: [1, 0] });
    }

    #[test]
    fn common_items_are_counted_over_topics_with_results() {
        let left = vec![topic("a b c d"), topic(""), topic("p"), topic("")];
        let right = vec![topic("b a x y"), topic(""), topic(""), topic("q")];
        let common = common(&[&left, &right, &left], 4);
        // Two of four in the first topic, nothing in the third and fourth; the second has no results.
        let two = common[0][0].unwrap();
        assert!((two.share - 0.5 / 3.0).abs() < 1e-12, "{two:?}");
        assert!(two.rank_biased > 0.0 && two.rank_biased < 0.5, "{two:?}");
        let same = common[0][1].unwrap();
        assert!((same.share - 1.0).abs() < 1e-12 && (same.rank_biased - 1.0).abs() < 1e-12, "{same:?}");
        assert_eq!(common_of_two(&[topic("")], &[topic("")], 4), None);
    }
}
