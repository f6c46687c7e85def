//! What assessors said of answers beside the grade: written by a machine, or
//! with information that has nothing to do with the question.
//!
//! MG and UI are shares over the answers that were looked at in this way,
//! which is a part of the topics; the others are left out and listed.

use super::error::Task3Error;
use super::grades::{Grades, RELEVANT, grade_of};
use super::share::Share;
use formats::qrels::Qrels;
use formats::{DocId, Flag, Flags, TopicId};
use std::collections::BTreeSet;

/// MG and UI of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlagShares {
    /// How many answers look machine-generated: its value is MG.
    pub machine_generated: Share,
    /// How many hold unrelated information: its value is UI.
    pub unrelated_information: Share,
    /// The topics that MG is over.
    pub machine_generated_over: BTreeSet<TopicId>,
    /// The topics that UI is over: an assessor may have answered one of the two questions only.
    pub unrelated_information_over: BTreeSet<TopicId>,
    /// Topics whose answer was not looked at, in the order in which people list them.
    pub left_out: Vec<TopicId>,
}

/// MG and UI of a run: over its answers that were looked at.
///
/// # Errors
///
/// When a topic is answered twice.
pub fn flag_shares<'a>(
    answers: impl IntoIterator<Item = (TopicId, DocId<'a>)>,
    flags: &Flags,
) -> Result<FlagShares, Task3Error> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let mut left_out = Vec::new();
    for (topic, answer) in answers {
        if !seen.insert(topic.clone()) {
            return Err(Task3Error::RepeatedTopic(topic));
        }
        match flags.get(topic.as_str(), answer) {
            Some(flags) => found.push((topic, flags)),
            None => left_out.push(topic),
        }
    }
    left_out.sort_by(TopicId::natural_cmp);
    Ok(FlagShares {
        machine_generated: share(found.iter().map(|(_, flags)| flags.machine_generated)),
        unrelated_information: share(found.iter().map(|(_, flags)| flags.unrelated_information)),
        machine_generated_over: over(found.iter().map(|(topic, flags)| (topic, flags.machine_generated))),
        unrelated_information_over: over(
            found.iter().map(|(topic, flags)| (topic, flags.unrelated_information)),
        ),
        left_out,
    })
}

/// How many of the flags that were assessed are set.
fn share(flags: impl Iterator<Item = Flag>) -> Share {
    flags.filter(|flag| *flag != Flag::NotAssessed).map(|flag| flag == Flag::Yes).collect()
}

fn over<'a>(flags: impl Iterator<Item = (&'a TopicId, Flag)>) -> BTreeSet<TopicId> {
    flags.filter(|(_, flag)| *flag != Flag::NotAssessed).map(|(topic, _)| topic.clone()).collect()
}

/// Answers by unrelated information and relevance: each answer once, however
/// many runs returned it, if it has both flags and a judgment. A system
/// failure and "do not know" are not relevant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnrelatedByRelevance {
    /// With unrelated information: how many are relevant.
    pub unrelated: Share,
    /// Without: how many are relevant.
    pub related: Share,
    /// How many answers have flags but no judgment, and are in neither.
    pub not_judged: usize,
}

impl UnrelatedByRelevance {
    /// Counts the answers.
    #[must_use]
    pub fn count(flags: &Flags, qrels: &Qrels) -> Self {
        let grades = Grades::new(qrels);
        let mut table = Self::default();
        for (topic, answer, flags) in flags.iter() {
            let Some(grade) = grades.judgment(topic, answer).and_then(grade_of) else {
                table.not_judged += 1;
                continue;
            };
            let row = match flags.unrelated_information {
                Flag::Yes => &mut table.unrelated,
                Flag::No => &mut table.related,
                Flag::NotAssessed => continue,
            };
            row.total += 1;
            row.count += usize::from(grade >= RELEVANT);
        }
        table
    }

    /// Of the answers with unrelated information, how many are not relevant.
    #[must_use]
    pub fn not_relevant_of_unrelated(&self) -> Share {
        self.unrelated.complement()
    }

    /// Of all these answers, how many are not relevant: what the former is compared with.
    #[must_use]
    pub fn not_relevant_of_all(&self) -> Share {
        let (unrelated, related) = (self.unrelated.complement(), self.related.complement());
        Share { count: unrelated.count + related.count, total: unrelated.total + related.total }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::qrels::Scale;
    use formats::{AnswerFlags, Source};

    fn flags(machine: u8, unrelated: u8) -> AnswerFlags {
        let flag = |digit| if digit == 1 { Flag::Yes } else { Flag::No };
        AnswerFlags { machine_generated: flag(machine), unrelated_information: flag(unrelated) }
    }

    fn table(rows: &[(&str, &'static str, u8, u8)]) -> Flags {
        rows.iter()
            .map(|(topic, answer, machine, unrelated)| {
                (TopicId::from(*topic), DocId(answer), flags(*machine, *unrelated))
            })
            .collect()
    }

    #[test]
    fn shares_are_over_the_answers_that_were_looked_at() {
        let flags = table(&[("A.1", "d", 1, 1), ("A.2", "d", 0, 1), ("A.3", "d", 0, 0), ("A.4", "e", 1, 1)]);
        let answers = ["A.10", "A.1", "A.2", "A.3", "A.4"].map(|topic| (TopicId::from(topic), DocId("d")));
        let shares = flag_shares(answers, &flags).unwrap();
        assert_eq!(shares.machine_generated.to_string(), "1/3");
        assert_eq!(shares.unrelated_information.to_string(), "2/3");
        assert_eq!(shares.unrelated_information_over, ["A.1", "A.2", "A.3"].map(TopicId::from).into());
        assert_eq!(shares.left_out, ["A.4", "A.10"].map(TopicId::from));
    }

    /// The published shares of two runs: of 72 and of 73 answers.
    #[test]
    fn published_shares_are_these_counts() {
        for (count, total, printed) in
            [(60, 72, "0.833"), (67, 72, "0.931"), (21, 73, "0.288"), (34, 73, "0.466")]
        {
            let topics: Vec<TopicId> =
                (0..total).map(|number| TopicId::from(number.to_string().as_str())).collect();
            let flags: Flags = topics
                .iter()
                .enumerate()
                .map(|(number, topic)| (topic.clone(), DocId("d"), flags(u8::from(number < count), 0)))
                .collect();
            let shares = flag_shares(topics.into_iter().map(|topic| (topic, DocId("d"))), &flags).unwrap();
            assert_eq!(format!("{:.3}", shares.machine_generated.value().unwrap()), printed);
        }
    }

    #[test]
    fn unrelated_information_by_relevance() {
        let flags = table(&[
            ("A.1", "a", 0, 1),
            ("A.1", "b", 0, 1),
            ("A.1", "c", 0, 0),
            ("A.2", "a", 0, 1),
            ("A.2", "b", 0, 0),
            ("A.2", "c", 0, 0),
        ]);
        let rows = "A.1 0 a 1\nA.1 0 b 3\nA.1 0 c 2\nA.2 0 a 5\nA.2 0 b 6\nA.2 0 d 3\n";
        let (qrels, _) = Qrels::read(Source::bytes("q", rows), Scale::Task3).unwrap();
        let table = UnrelatedByRelevance::count(&flags, &qrels);
        assert_eq!(table.not_relevant_of_unrelated().to_string(), "2/3");
        assert_eq!(table.not_relevant_of_all().to_string(), "3/5");
        assert_eq!(table.not_judged, 1);
    }

    #[test]
    fn a_second_answer_to_a_topic_is_an_error() {
        let answers = ["d", "e"].map(|answer| (TopicId::from("A.1"), DocId(answer)));
        assert!(flag_shares(answers, &Flags::default()).is_err());
    }
}
