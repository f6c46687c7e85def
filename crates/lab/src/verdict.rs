//! What an assessor says of something: a grade of the lab's scale, or that there is none.

use crate::manifest::Manifest;
use formats::check::Task;
use std::fmt;

/// What an assessor said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// A grade of the scale.
    Grade(i32),
    /// It could not be shown or read.
    SystemFailure,
    /// The assessor cannot tell.
    DoNotKnow,
    /// The assessor takes back what they said before, and says nothing instead.
    Withdrawn,
}

impl Verdict {
    /// The grade, if it is one.
    #[must_use]
    pub fn grade(self) -> Option<i32> {
        match self {
            Self::Grade(grade) => Some(grade),
            Self::SystemFailure | Self::DoNotKnow | Self::Withdrawn => None,
        }
    }

    /// Reads what the database holds.
    #[must_use]
    pub fn stored(text: &str) -> Option<Self> {
        match text {
            "failure" => Some(Self::SystemFailure),
            "unknown" => Some(Self::DoNotKnow),
            "withdrawn" => Some(Self::Withdrawn),
            number => number.parse().ok().map(Self::Grade),
        }
    }
}

impl fmt::Display for Verdict {
    /// Writes what the database holds: the number of a grade, `failure`, `unknown` or `withdrawn`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grade(grade) => grade.fmt(f),
            Self::SystemFailure => f.pad("failure"),
            Self::DoNotKnow => f.pad("unknown"),
            Self::Withdrawn => f.pad("withdrawn"),
        }
    }
}

impl Manifest {
    /// Reads what stands in a file of judgments: a grade by number or name, or one of the two codes
    /// by name or, as ARQMath writes them, as 5 and 6.
    ///
    /// # Errors
    ///
    /// What the scale does not have is told with what it has.
    pub fn read_verdict(&self, task: Task, text: &str) -> Result<Verdict, String> {
        let word = text.trim().to_lowercase().replace(['_', '-'], " ");
        let grades = self.grades_of(task);
        let by_name = grades.iter().find(|grade| grade.name.to_lowercase().replace('-', " ") == word);
        let by_number =
            || word.parse::<i32>().ok().and_then(|number| grades.iter().find(|grade| grade.grade == number));
        if let Some(grade) = by_name.or_else(by_number) {
            return Ok(Verdict::Grade(grade.grade));
        }
        match word.as_str() {
            "failure" | "system failure" | "5" => Ok(Verdict::SystemFailure),
            "unknown" | "do not know" | "don't know" | "6" => Ok(Verdict::DoNotKnow),
            "withdrawn" => Ok(Verdict::Withdrawn),
            _ => {
                let names: Vec<String> =
                    grades.iter().map(|grade| format!("{} ({})", grade.grade, grade.name)).collect();
                Err(format!(
                    "{text:?} is no grade of task {}: there are {}, failure and unknown",
                    task.number(),
                    names.join(", ")
                ))
            }
        }
    }

    /// The highest grade of a task.
    #[must_use]
    pub fn highest_grade(&self, task: Task) -> i32 {
        self.grades_of(task).first().map_or(0, |grade| grade.grade)
    }
}
