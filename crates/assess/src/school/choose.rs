//! Which items of a topic are taken: some of every grade.

use formats::TopicId;
use lab::checksum;
use stats::rng::Rng;
use std::collections::BTreeMap;

/// Chance for a purpose and a topic, which does not change when other topics come or go.
pub(super) fn rng(seed: u64, purpose: &str, of: &str) -> Rng {
    let sum = checksum(format!("{purpose}\0{seed}\0{of}").as_bytes());
    // The first 16 digits of the checksum are a number of 64 bits.
    Rng::seeded(sum.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or(seed))
}

/// Takes so many items spread over their grades: one of each grade in turn, the highest first, as
/// long as there are any. Within a grade chance decides, and also in which order they come.
pub(super) fn spread<T: Clone>(
    items: &[T],
    grade: impl Fn(&T) -> i32,
    how_many: usize,
    rng: &mut Rng,
) -> Vec<T> {
    let mut by_grade: BTreeMap<i32, Vec<&T>> = BTreeMap::new();
    for item in items {
        by_grade.entry(grade(item)).or_default().push(item);
    }
    for of_grade in by_grade.values_mut() {
        rng.shuffle(of_grade);
    }
    let mut taken = Vec::new();
    while taken.len() < how_many {
        let before = taken.len();
        for of_grade in by_grade.values_mut().rev() {
            if taken.len() < how_many
                && let Some(item) = of_grade.pop()
            {
                taken.push(item.clone());
            }
        }
        if taken.len() == before {
            break;
        }
    }
    rng.shuffle(&mut taken);
    taken
}

/// Takes so many topics by chance, in the order in which people list them.
pub(super) fn topics(all: &[TopicId], how_many: usize, rng: &mut Rng) -> Vec<TopicId> {
    let mut chosen = all.to_vec();
    rng.shuffle(&mut chosen);
    chosen.truncate(how_many);
    chosen.sort_by(TopicId::natural_cmp);
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grades(of: &[(&'static str, i32)], how_many: usize, seed: u64) -> Vec<(&'static str, i32)> {
        spread(of, |item| item.1, how_many, &mut rng(seed, "items", "A.1"))
    }

    #[test]
    fn all_grades_have_their_share() {
        let many: Vec<(&'static str, i32)> =
            [("a", 3), ("b", 2), ("c", 2), ("d", 1)].into_iter().chain((0..40).map(|_| ("n", 0))).collect();
        let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
        for (_, grade) in grades(&many, 6, 1) {
            *counts.entry(grade).or_default() += 1;
        }
        // One of each, then the second of grade 2 and another of grade 0: grades 3 and 1 have no more.
        assert_eq!(counts, BTreeMap::from([(3, 1), (2, 2), (1, 1), (0, 2)]));
        assert_eq!(grades(&many[..3], 6, 1).len(), 3, "there are no more");
        assert!(grades(&[], 6, 1).is_empty());
        assert!(grades(&many, 0, 1).is_empty());
    }

    #[test]
    fn the_seed_decides() {
        let many: Vec<(&'static str, i32)> =
            ["a", "b", "c", "d", "e", "f", "g", "h"].into_iter().zip([0, 0, 0, 0, 1, 1, 1, 1]).collect();
        assert_eq!(grades(&many, 4, 7), grades(&many, 4, 7));
        let others: Vec<_> = (0..8).map(|seed| grades(&many, 4, seed)).collect();
        assert!(others.iter().any(|other| *other != others[0]));
        let all: Vec<TopicId> = (1..=12).map(|n| TopicId::from(format!("A.{n}").as_str())).collect();
        let four = |seed| topics(&all, 4, &mut rng(seed, "topics", ""));
        assert_eq!(four(3), four(3));
        assert_eq!(four(3).len(), 4);
        assert!((0..8).any(|seed| four(seed) != four(3)));
    }
}
