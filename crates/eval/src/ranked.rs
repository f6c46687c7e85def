//! A ranking as a measure sees it: what the judges said of each result, in order.

/// What the judges said of one result: a grade of 0 or more, or nothing.
///
/// Measures treat both kinds of nothing alike, infAP apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResultGrade(i32);

impl ResultGrade {
    /// Not judged, and not in the judgment file at all.
    pub const UNJUDGED: Self = Self(-1);

    /// Not judged, though listed in the judgment file with a negative grade.
    ///
    /// This is how trec_eval's format marks what was pooled but not drawn for
    /// judging; only infAP tells it from [`UNJUDGED`](Self::UNJUDGED).
    pub const POOLED: Self = Self(-2);

    /// A grade as the judgment file has it; a negative one means [`POOLED`](Self::POOLED), not judged.
    #[must_use]
    pub fn graded(grade: i32) -> Self {
        if grade < 0 { Self::POOLED } else { Self(grade) }
    }

    /// The grade, if there is one.
    #[must_use]
    pub fn grade(self) -> Option<i32> {
        (self.0 >= 0).then_some(self.0)
    }

    /// What the result is worth: its grade, and 0 if it is not judged.
    #[must_use]
    pub fn gain(self) -> i32 {
        self.0.max(0)
    }

    /// Whether there is a grade.
    #[must_use]
    pub fn is_judged(self) -> bool {
        self.0 >= 0
    }

    /// Whether the grade is at least `level`; what is not judged is not relevant at any level.
    #[must_use]
    pub fn is_relevant(self, level: i32) -> bool {
        self.0 >= 0 && self.0 >= level
    }
}

/// All grades of a topic, whether retrieved or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JudgedGrades {
    grades: Vec<i32>,
}

impl JudgedGrades {
    /// From grades in any order; negative ones are not judged and left out.
    #[must_use]
    pub fn new(mut grades: Vec<i32>) -> Self {
        grades.retain(|grade| *grade >= 0);
        grades.sort_unstable_by(|a, b| b.cmp(a));
        Self { grades }
    }

    /// The grades, the highest first.
    #[must_use]
    pub fn grades(&self) -> &[i32] {
        &self.grades
    }

    /// How many items are judged.
    #[must_use]
    pub fn num_judged(&self) -> usize {
        self.grades.len()
    }

    /// How many have a grade of at least `level`.
    #[must_use]
    pub fn num_relevant(&self, level: i32) -> usize {
        self.grades.partition_point(|grade| *grade >= level)
    }

    /// How many are judged and have a lower grade than `level`.
    #[must_use]
    pub fn num_nonrelevant(&self, level: i32) -> usize {
        self.num_judged() - self.num_relevant(level)
    }
}

/// The ranking of one topic, best first, beside the topic's judgments.
#[derive(Clone, Copy, Debug)]
pub struct Ranked<'a> {
    /// The grade of each result, in order.
    pub grades: &'a [ResultGrade],
    /// All judgments of the topic.
    pub judged: &'a JudgedGrades,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_grades_are_pooled_but_not_judged() {
        for grade in [-1, -2, i32::MIN] {
            let verdict = ResultGrade::graded(grade);
            assert_eq!(verdict, ResultGrade::POOLED);
            assert_ne!(verdict, ResultGrade::UNJUDGED);
            assert_eq!((verdict.grade(), verdict.gain(), verdict.is_judged()), (None, 0, false));
            assert!(!verdict.is_relevant(i32::MIN));
        }
    }

    #[test]
    fn counts_by_level() {
        let pool = JudgedGrades::new(vec![0, 3, -1, 1, 2]);
        assert_eq!(pool.grades(), [3, 2, 1, 0]);
        assert_eq!((pool.num_relevant(2), pool.num_nonrelevant(2)), (2, 2));
        assert_eq!((pool.num_relevant(0), pool.num_relevant(-1), pool.num_relevant(9)), (4, 4, 0));
    }
}
