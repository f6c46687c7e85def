//! Things of which people said different things, and what an organiser decided.

use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::JudgmentNo;
use crate::several::Several;
use formats::TopicId;
use formats::check::Task;
use lab::{NewJudgment, PoolKind, Stage, Verdict};
use rusqlite::{OptionalExtension as _, params};

/// Where judgments come from that an organiser decides.
const ORIGIN: &str = "the organiser's desk";

/// How far apart people must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Far {
    /// They said different things.
    #[default]
    Any,
    /// Two grades or more.
    TwoGrades,
    /// One finds it relevant (High or Medium), the other does not.
    AcrossTheLine,
}

/// Whether an organiser has decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decided {
    /// Not yet.
    #[default]
    No,
    /// Yes.
    Yes,
}

/// What is decided of something.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// One of the judgments of the thing.
    pub of: JudgmentNo,
    /// What it comes to.
    pub verdict: Verdict,
    /// Why.
    pub comment: String,
}

impl Several {
    /// How many grades the two are apart who are furthest apart; codes are no grades.
    #[must_use]
    pub fn apart(&self) -> Option<i32> {
        let apart = |(first, second): (&crate::Opinion, &crate::Opinion)| {
            Some((first.verdict.grade()? - second.verdict.grade()?).abs())
        };
        self.pairs().filter_map(apart).max()
    }

    /// Whether two people said different things that are so far apart.
    #[must_use]
    pub fn differs(&self, far: Far, relevant_from: i32) -> bool {
        self.pairs().any(|(first, second)| match far {
            Far::Any => first.verdict != second.verdict,
            Far::TwoGrades | Far::AcrossTheLine => {
                let grades = first.verdict.grade().zip(second.verdict.grade());
                grades.is_some_and(|(first, second)| match far {
                    Far::TwoGrades => (first - second).abs() > 1,
                    _ => (first >= relevant_from) != (second >= relevant_from),
                })
            }
        })
    }
}

impl Books<'_> {
    /// Things of the current set that people judged differently, those furthest apart first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn disagreements(&self, far: Far, decided: Decided) -> Result<Vec<Several>> {
        let set = self.manifest().current.clone();
        let mut found = Vec::new();
        for kind in self.manifest().pool_kinds() {
            let line = self.relevant_from(kind);
            let wanted = |thing: &Several| {
                thing.decided.is_some() == (decided == Decided::Yes) && thing.differs(far, line)
            };
            found.extend(self.several(kind, &set)?.into_iter().filter(wanted));
        }
        // A code stands beside the widest difference: nobody knows what it would have been.
        found.sort_by_key(|thing| std::cmp::Reverse(thing.apart().unwrap_or(i32::MAX)));
        Ok(found)
    }

    /// Decides what a thing comes to; of two decisions the later one counts.
    ///
    /// # Errors
    ///
    /// When nobody judged it, the scale has no such grade, or a code has no comment.
    pub fn adjudicate(&self, decision: &Decision, by: &str) -> Result<JudgmentNo> {
        let thing = self.thing_of(decision.of)?;
        if thing.opinions().next().is_none() {
            return Err(Error::refused("nobody has judged this for the lab, so there is nothing to decide"));
        }
        let task = self.task_of(thing.kind, &thing.set, &thing.topic, &thing.item)?;
        let comment = decision.comment.trim();
        match decision.verdict {
            Verdict::Grade(grade) => {
                let grades = self.manifest().grades_of(task);
                if !grades.iter().any(|known| known.grade == grade) {
                    return Err(Error::refused(format!("the scale has no grade {grade}")));
                }
            }
            Verdict::SystemFailure | Verdict::DoNotKnow if comment.is_empty() => {
                return Err(Error::refused("please say in the comment why there is no grade"));
            }
            Verdict::SystemFailure | Verdict::DoNotKnow => {}
            Verdict::Withdrawn if thing.decided.is_none() => {
                return Err(Error::refused("nothing was decided that could be taken back"));
            }
            Verdict::Withdrawn => {}
        }
        // What is sent twice counts once.
        if let Some(last) = thing
            .decided
            .as_ref()
            .filter(|last| last.assessor == by && last.verdict == decision.verdict && last.comment == comment)
        {
            return Ok(last.judgment);
        }
        // To take back a decision is to take it back from whoever made it.
        let assessor = match (decision.verdict, &thing.decided) {
            (Verdict::Withdrawn, Some(last)) => last.assessor.clone(),
            _ => by.to_owned(),
        };
        let row = NewJudgment {
            kind: thing.kind,
            set: thing.set.clone(),
            topic: thing.topic.clone(),
            item: thing.item.clone(),
            instance: thing.instance.clone(),
            stage: Stage::Adjudication,
            assessor,
            verdict: decision.verdict,
            comment: comment.to_owned(),
            seconds: None,
            at: Some(lab::stamp(store::Date(self.now().saturating_mul(1000)))),
            origin: ORIGIN.to_owned(),
        };
        let number = self.lab().append_judgment(&row)?;
        let what = match decision.verdict {
            Verdict::Withdrawn => "took back what was decided on".to_owned(),
            verdict => format!("decided {verdict} for"),
        };
        self.note(by, &format!("{what} {} of {}", thing.item, thing.topic))?;
        Ok(JudgmentNo(number))
    }

    /// The task whose grades an item has: written answers are of Task 3.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn task_of(&self, kind: PoolKind, set: &str, topic: &TopicId, item: &str) -> Result<Task> {
        let select = "SELECT i.kind FROM pool_item AS i JOIN pool AS p ON p.number = i.pool
                      WHERE p.kind = ?1 AND p.topic_set = ?2 AND i.topic = ?3 AND i.item = ?4
                      ORDER BY p.number DESC LIMIT 1";
        let values = params![kind.word(), set, topic.as_str(), item];
        let word: Option<String> =
            self.database().prepare_cached(select)?.query_row(values, |row| row.get(0)).optional()?;
        Ok(if word.as_deref() == Some("answer") { Task::Task3 } else { kind.task() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{judgment, small};

    #[test]
    fn what_differs_is_found_and_decided() {
        let (_place, lab) = small("assess-differ");
        let books = Books::new(&lab, 1_000_000);
        let say = |item: &str, who: &str, stage: Stage, grade: i32| {
            JudgmentNo(lab.append_judgment(&judgment(item, who, stage, grade)).unwrap())
        };
        say("11", "ada", Stage::Main, 3);
        say("11", "bob", Stage::CrossCheck, 3);
        say("12", "ada", Stage::Main, 3);
        say("12", "bob", Stage::Main, 2);
        say("13", "ada", Stage::Main, 1);
        say("13", "bob", Stage::CrossCheck, 2);
        let far = say("21", "ada", Stage::Main, 0);
        say("21", "bob", Stage::CrossCheck, 3);
        say("21", "bob", Stage::CrossCheck, 2);
        // A judgment of the training is no opinion, and neither is what was taken back.
        say("22", "ada", Stage::Main, 0);
        say("22", "bob", Stage::Training(1), 3);
        say("23", "ada", Stage::Main, 0);
        say("23", "bob", Stage::Main, 3);
        let back = NewJudgment { verdict: Verdict::Withdrawn, ..judgment("23", "bob", Stage::Main, 0) };
        lab.append_judgment(&back).unwrap();

        let items = |far: Far, decided: Decided| -> Vec<String> {
            books.disagreements(far, decided).unwrap().into_iter().map(|thing| thing.item).collect()
        };
        assert_eq!(items(Far::Any, Decided::No), ["21", "12", "13"], "the widest first");
        assert_eq!(items(Far::TwoGrades, Decided::No), ["21"]);
        assert_eq!(items(Far::AcrossTheLine, Decided::No), ["21", "13"]);

        let decide = |verdict: Verdict, comment: &str| {
            books.adjudicate(&Decision { of: far, verdict, comment: comment.to_owned() }, "olga")
        };
        assert!(decide(Verdict::Grade(4), "").unwrap_err().to_string().contains("no grade 4"));
        assert!(decide(Verdict::DoNotKnow, " ").unwrap_err().to_string().contains("comment"));
        assert!(decide(Verdict::Withdrawn, "").is_err());
        let first = decide(Verdict::Grade(2), "it helps").unwrap();
        assert_eq!(decide(Verdict::Grade(2), "it helps").unwrap(), first, "what is sent twice counts once");
        assert_eq!(items(Far::Any, Decided::No), ["12", "13"]);
        assert_eq!(items(Far::TwoGrades, Decided::Yes), ["21"]);
        let thing = books.thing_of(far).unwrap();
        assert_eq!(thing.decided.as_ref().unwrap().verdict, Verdict::Grade(2));
        assert_eq!(thing.judgment(), Some(far));
        decide(Verdict::Withdrawn, "").unwrap();
        assert_eq!(items(Far::TwoGrades, Decided::No), ["21"]);
        assert!(books.thing_of(JudgmentNo(999)).is_err());
        let events: i64 = lab
            .database()
            .query_row("SELECT count(*) FROM event WHERE who = 'olga'", [], |row| row.get(0))
            .unwrap();
        assert_eq!(events, 2);
    }
}
