//! Signs that somebody judges without reading: clicks within a second, and the same grade many times in a row.

use super::people::Touch;
use lab::Verdict;
use std::collections::BTreeMap;

/// A judgment in less time than this, in seconds, was made without reading.
const INSTANT: f64 = 1.0;
/// So many of the last judgments are looked at for a straight line, so that the alarm ends when it is over.
const LOOK_BACK: usize = 100;
/// A straight line is at least this long.
const SHORTEST_LINE: usize = 15;
/// A straight line is less likely than this by chance.
const UNLIKELY: f64 = 0.01;
/// No grade is taken to be more common than this: a single assessor's own line would explain itself.
const MOST_COMMON: f64 = 0.9;

/// How somebody judges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Habits {
    /// Judgments that took less than a second.
    pub instant: usize,
    /// The longest run of one grade among the last judgments that chance does not explain: the grade, and how often.
    pub straight: Option<(i32, usize)>,
    /// When something was last judged in a batch that is begun and not finished, in seconds since 1970.
    pub paused_since: Option<i64>,
}

/// How common each grade is among all judgments.
pub(super) type Shares = BTreeMap<i32, f64>;

impl Habits {
    /// How common each grade is.
    pub(super) fn shares<'t>(touches: impl Iterator<Item = &'t Touch>) -> Shares {
        let mut counts: BTreeMap<i32, usize> = BTreeMap::new();
        touches.filter_map(grade).for_each(|grade| *counts.entry(grade).or_default() += 1);
        let all: usize = counts.values().sum();
        counts.into_iter().map(|(grade, count)| (grade, count as f64 / all as f64)).collect()
    }

    /// Of one person's judgments in their order.
    pub(super) fn of<'t>(touches: impl Iterator<Item = &'t Touch>, shares: &Shares) -> Self {
        let touches: Vec<&Touch> = touches.collect();
        let is_instant = |touch: &&&Touch| touch.stroke.seconds.is_some_and(|seconds| seconds < INSTANT);
        let last = &touches[touches.len().saturating_sub(LOOK_BACK)..];
        let grades: Vec<Option<i32>> = last.iter().map(|touch| grade(touch)).collect();
        let lines =
            grades.chunk_by(|left, right| left == right).filter_map(|line| Some((line[0]?, line.len())));
        let stands_out = |(grade, length): &(i32, usize)| {
            let share = shares.get(grade).map_or(MOST_COMMON, |share| share.min(MOST_COMMON));
            *length >= SHORTEST_LINE && share.powf(*length as f64) < UNLIKELY
        };
        Self {
            instant: touches.iter().filter(is_instant).count(),
            straight: lines.filter(stands_out).max_by_key(|(_, length)| *length),
            paused_since: None,
        }
    }
}

fn grade(touch: &Touch) -> Option<i32> {
    touch.verdict.and_then(Verdict::grade)
}

#[cfg(test)]
mod tests {
    use super::super::Sort;
    use super::super::Stroke;
    use super::*;
    use crate::batches::Asks;
    use lab::{PoolKind, Stage};

    fn touches(grades: &[i32], seconds: f64) -> Vec<Touch> {
        let sort = Sort { asks: Asks::Grades, kind: PoolKind::Answers, stage: Stage::Main };
        let touch = |grade: &i32| Touch {
            sort,
            account: None,
            stroke: Stroke { at: 0, seconds: Some(seconds) },
            verdict: Some(Verdict::Grade(*grade)),
        };
        grades.iter().map(touch).collect()
    }

    fn line(grade: i32, length: usize, common: f64) -> Option<(i32, usize)> {
        let shares = Shares::from([(grade, common)]);
        Habits::of(touches(&vec![grade; length], 9.0).iter(), &shares).straight
    }

    #[test]
    fn the_same_grade_many_times_in_a_row_is_a_straight_line_unless_the_grade_is_common() {
        assert_eq!(line(2, 15, 0.2), Some((2, 15)));
        assert_eq!(line(2, 14, 0.2), None);
        // 0.8 to the power of 20 is 0.0115, of 21 it is 0.0092.
        assert_eq!((line(0, 20, 0.8), line(0, 21, 0.8)), (None, Some((0, 21))));
        // A grade that everything has is taken to be that of nine in ten.
        assert_eq!((line(0, 43, 1.0), line(0, 44, 1.0)), (None, Some((0, 44))));
    }

    #[test]
    fn a_straight_line_that_is_long_over_is_forgotten() {
        let mixed: Vec<i32> = (0..100).map(|at| at % 2).collect();
        let grades: Vec<i32> = std::iter::repeat_n(3, 30).chain(mixed).collect();
        assert_eq!(Habits::of(touches(&grades, 9.0).iter(), &Shares::from([(3, 0.2)])).straight, None);
    }

    #[test]
    fn judgments_within_a_second_are_counted() {
        let quick = touches(&[1, 2, 3], 0.5);
        let slow = touches(&[1, 2], 1.0);
        let both = Habits::of(quick.iter().chain(&slow), &Shares::new());
        assert_eq!(both.instant, 3);
    }

    #[test]
    fn shares_count_grades_alone() {
        let mut all = touches(&[0, 0, 0, 2], 9.0);
        all.push(Touch { verdict: Some(Verdict::DoNotKnow), ..all[0].clone() });
        assert_eq!(Habits::shares(all.iter()), Shares::from([(0, 0.75), (2, 0.25)]));
    }
}
