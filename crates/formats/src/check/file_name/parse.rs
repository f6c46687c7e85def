//! Reading the name of a submission from the right.

use super::{AnswerType, Data, Departure, Evaluation, NameError, RunType, SubmissionName, Task};

impl SubmissionName {
    /// Reads the name of a file, with or without `.tsv` and `.gz`.
    ///
    /// ```
    /// use formats::check::{SubmissionName, Task};
    /// let (name, departures) = SubmissionName::parse("the-team-task1-bm25-k1-auto-both-P.tsv.gz")?;
    /// assert_eq!((name.group.as_str(), name.task, name.id.as_str()), ("the-team", Task::Task1, "bm25-k1"));
    /// assert!(departures.is_empty());
    /// # Ok::<(), formats::check::NameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a part is missing.
    pub fn parse(file_name: &str) -> Result<(Self, Vec<Departure>), NameError> {
        let mut reader = Reader { rest: stem(file_name), departures: Vec::new() };
        let packed = file_name.strip_suffix(".gz").unwrap_or(file_name);
        if !packed.ends_with(".tsv") {
            reader.depart(Departure::Ending);
        }
        if let Some(hidden) = text::hidden_character(file_name) {
            return Err(NameError::Hidden(hidden));
        }
        let last = reader.last();
        let letter = last.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let evaluation = Evaluation::read(letter).ok_or(NameError::Evaluation)?;
        reader.letters(letter, evaluation.word());
        if letter.len() < last.len() {
            reader.depart(Departure::NumberedEvaluation);
        }
        reader.cut(last);
        let answer_type = reader.word(AnswerType::read, AnswerType::word);
        let data = reader.word(Data::read, Data::word).ok_or(NameError::Data)?;
        let run_type = reader.word(RunType::read, RunType::word).ok_or(NameError::RunType)?;
        let (group, task, id) = reader.task().ok_or(NameError::Task)?;
        let unmarked = group.strip_prefix("prim_").or_else(|| group.strip_prefix("alt_"));
        if unmarked.is_some() {
            reader.depart(Departure::LabMark);
        }
        let group = unmarked.unwrap_or(group).to_owned();
        if group.is_empty() {
            return Err(NameError::Group);
        }
        if id.is_empty() {
            reader.depart(Departure::NoId);
        }
        match (task, answer_type) {
            (Task::Task3, None) => reader.depart(Departure::NoAnswerType),
            (Task::Task1 | Task::Task2, Some(_)) => reader.depart(Departure::SurplusAnswerType),
            _ => {}
        }
        let id = id.to_owned();
        Ok((Self { group, task, id, run_type, data, answer_type, evaluation }, reader.departures))
    }
}

/// The name of a file without its ending.
pub(in crate::check) fn stem(file_name: &str) -> &str {
    let name = file_name.strip_suffix(".gz").unwrap_or(file_name);
    if let Some(stem) = name.strip_suffix(".tsv") {
        return stem;
    }
    // A run id may hold dots; an ending is what follows the last word.
    match name.rfind(['.', '-', '_']) {
        Some(at) if name[at..].starts_with('.') && at > 0 => &name[..at],
        _ => name,
    }
}

struct Reader<'a> {
    rest: &'a str,
    departures: Vec<Departure>,
}

impl<'a> Reader<'a> {
    fn depart(&mut self, departure: Departure) {
        if !self.departures.contains(&departure) {
            self.departures.push(departure);
        }
    }

    fn letters(&mut self, found: &str, wanted: &str) {
        if found != wanted {
            self.depart(Departure::Letters);
        }
    }

    /// The last word of what is left.
    fn last(&self) -> &'a str {
        self.rest.rfind(['-', '_']).map_or(self.rest, |at| &self.rest[at + 1..])
    }

    /// Takes the last word away, and what joined it.
    fn cut(&mut self, word: &str) {
        let before = &self.rest[..self.rest.len() - word.len()];
        if before.ends_with('_') {
            self.depart(Departure::Underscores);
        }
        self.rest = before.strip_suffix(['-', '_']).unwrap_or(before);
    }

    fn word<T: Copy>(&mut self, read: fn(&str) -> Option<T>, word: fn(T) -> &'static str) -> Option<T> {
        let found = self.last();
        let value = read(found)?;
        self.letters(found, word(value));
        self.cut(found);
        Some(value)
    }

    /// What stands before, in and behind the first word that names a task.
    fn task(&mut self) -> Option<(&'a str, Task, &'a str)> {
        let rest = self.rest;
        let mut start = 0;
        while let Some(at) = rest[start..].find(['-', '_']).map(|at| start + at) {
            let behind = &rest[at + 1..];
            let end = behind.find(['-', '_']).unwrap_or(behind.len());
            if let Some(task) = Task::read(&behind[..end]) {
                self.letters(&behind[..end], task.word());
                let joined = &rest[at..=at] == "_" || behind[end..].starts_with('_');
                if joined {
                    self.depart(Departure::Underscores);
                }
                return Some((&rest[..at], task, behind.get(end + 1..).unwrap_or_default()));
            }
            start = at + 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(file: &str, name: &str, departures: &[Departure]) {
        let (found, departed) = SubmissionName::parse(file).unwrap();
        assert_eq!((found.to_string().as_str(), departed.as_slice()), (name, departures), "{file}");
    }

    #[test]
    fn names_by_the_convention() {
        for name in [
            "TeamX-task1-bm25-auto-both-P.tsv",
            "TeamX-task3-gpt-auto-both-generate-A.tsv",
            "a-team-task2-x_y.z-task1-manual-math-A.tsv",
        ] {
            check(name, name, &[]);
            check(&format!("{name}.gz"), name, &[]);
        }
        let (name, _) = SubmissionName::parse("a-team-task2-x-task1-auto-math-A.tsv").unwrap();
        assert_eq!((name.group.as_str(), name.id.as_str()), ("a-team", "x-task1"));
    }

    #[test]
    fn names_of_real_runs() {
        use Departure::{Ending, LabMark, Letters, NoId, NumberedEvaluation, Underscores};
        check(
            "DPRL-Task3-AMRBERT-auto-both-extract-A",
            "DPRL-task3-AMRBERT-auto-both-extract-A.tsv",
            &[Ending, Letters],
        );
        check(
            "prim_MathDowsers-task1-alpha05noReRank-auto-both-A.tsv",
            "MathDowsers-task1-alpha05noReRank-auto-both-A.tsv",
            &[LabMark],
        );
        let zbmath = "prim_zbMATH-task1-auto-both-P.tsv";
        check(zbmath, "zbMATH-task1--auto-both-P.tsv", &[LabMark, NoId]);
        let dprl = "DPRL_task1_auto_both_A3.txt";
        check(dprl, "DPRL-task1--auto-both-A.tsv", &[Ending, NumberedEvaluation, Underscores, NoId]);
        let tu_dbs = "TU_DBS-task3-amps3_se1_hints-auto-both-generate-A.tsv";
        check(tu_dbs, tu_dbs, &[]);
    }

    #[test]
    fn names_that_say_too_little() {
        for (name, error) in [
            ("run.tsv", NameError::Evaluation),
            ("", NameError::Evaluation),
            ("us-task1-x-auto-both.tsv", NameError::Evaluation),
            ("us-task1-x-auto-P.tsv", NameError::Data),
            ("us-task1-x-both-P.tsv", NameError::RunType),
            ("us-x-auto-both-P.tsv", NameError::Task),
            ("task1-x-auto-both-P.tsv", NameError::Task),
            ("-task1-x-auto-both-P.tsv", NameError::Group),
        ] {
            assert_eq!(SubmissionName::parse(name), Err(error), "{name}");
        }
    }
}
