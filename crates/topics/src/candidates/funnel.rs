//! How many questions fell at each criterion.

use super::Plan;

/// What is asked of a candidate, in the order in which it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Criterion {
    /// It was asked in the period.
    Period,
    /// The target does not have it.
    New,
    /// It has a formula.
    Formula,
    /// It has a duplicate in the target.
    Duplicate,
    /// It has neither too few nor too many words.
    Terms,
    /// It has neither too few nor too many formulas.
    Formulas,
    /// Its score is high enough.
    Score,
    /// It has enough answers.
    Answers,
    /// It has enough comments.
    Comments,
    /// It was looked at often enough.
    Views,
    /// It is not like an earlier topic.
    Earlier,
}

impl Criterion {
    /// All criteria, in order.
    pub const ALL: [Self; 11] = [
        Self::Period,
        Self::New,
        Self::Formula,
        Self::Duplicate,
        Self::Terms,
        Self::Formulas,
        Self::Score,
        Self::Answers,
        Self::Comments,
        Self::Views,
        Self::Earlier,
    ];

    /// What it asks for, in a few words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Period => "asked in the period",
            Self::New => "not in the target itself",
            Self::Formula => "with a formula",
            Self::Duplicate => "with a duplicate in the target",
            Self::Terms => "number of words",
            Self::Formulas => "number of formulas",
            Self::Score => "score",
            Self::Answers => "number of answers",
            Self::Comments => "number of comments",
            Self::Views => "number of views",
            Self::Earlier => "not like an earlier topic",
        }
    }
}

/// How many questions there were, and at which criterion others fell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Funnel {
    /// All questions.
    pub questions: u64,
    fell: [u64; Criterion::ALL.len()],
    asked: [bool; Criterion::ALL.len()],
}

impl Funnel {
    pub(super) fn new(plan: &Plan<'_>) -> Self {
        let has_period = plan.period.since.is_some() || plan.period.until.is_some();
        let asked = Criterion::ALL.map(|criterion| match criterion {
            Criterion::Period => has_period,
            Criterion::New => plan.later.is_some(),
            Criterion::Earlier => !plan.earlier.is_empty(),
            _ => true,
        });
        Self { questions: 0, fell: [0; Criterion::ALL.len()], asked }
    }

    pub(super) fn fall(&mut self, criterion: Criterion) {
        self.fell[criterion as usize] += 1;
    }

    /// How many fell at a criterion.
    #[must_use]
    pub fn fell(&self, criterion: Criterion) -> u64 {
        self.fell[criterion as usize]
    }

    /// The criteria that were asked for, each with how many fell and how many were left.
    pub fn steps(&self) -> impl Iterator<Item = (Criterion, u64, u64)> {
        let mut left = self.questions;
        Criterion::ALL.into_iter().filter(|criterion| self.asked[*criterion as usize]).map(move |criterion| {
            let fell = self.fell(criterion);
            left -= fell;
            (criterion, fell, left)
        })
    }
}
