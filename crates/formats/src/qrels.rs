//! Judgments: which documents people looked at for a topic, and what they said.
//!
//! A file has four columns, `topic 0 document grade`; the second is not looked
//! at. Grades are whole numbers, also written as `2.0`; a fraction is cut off
//! as trec_eval does, with a note. A negative grade means "not judged". Task 3
//! has two codes that are no grades, 5 and 6; NTCIR's assessors wrote letters.

mod read;

use crate::error::Place;
use crate::fields::Span;
use crate::ids::{DocId, TopicId};
use crate::source::SourceText;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

/// What a judge said of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Judgment {
    /// A grade of 0 or more.
    Grade(i32),
    /// In the pool, but not judged: a negative grade.
    Unjudged,
    /// The document could not be shown or read: code 5.
    SystemFailure,
    /// The judge could not tell: code 6.
    DoNotKnow,
}

impl Judgment {
    /// The grade, if it is one.
    #[must_use]
    pub fn grade(self) -> Option<i32> {
        match self {
            Self::Grade(grade) => Some(grade),
            Self::Unjudged | Self::SystemFailure | Self::DoNotKnow => None,
        }
    }
}

/// What the numbers in a file of judgments mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Every whole number is a grade.
    #[default]
    Plain,
    /// ARQMath's judgments as a lab may keep them: 5 is a system failure, 6 "do not know", and every
    /// other number a grade.
    Coded,
    /// ARQMath's Task 3: 0 to 3 are grades, 5 is a system failure, 6 "do not know".
    Task3,
    /// NTCIR: numbers are grades, and `N`, `P`, `R` stand for 0, 1, 2.
    Ntcir,
}

/// Judgments by topic, in the order of the file.
#[derive(Clone, Debug)]
pub struct Qrels {
    source: SourceText,
    topics: Vec<QrelsTopic>,
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct QrelsTopic {
    id: TopicId,
    rows: Range<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    /// The second column, the document and the grade as they were written.
    mark: Span,
    doc: Span,
    grade: Span,
    number: u32,
    judgment: Judgment,
}

impl Qrels {
    /// What the file is called in messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// How many judgments there are.
    #[must_use]
    pub fn num_rows(&self) -> usize {
        self.rows.len()
    }

    /// The topics in the order in which they first occur.
    pub fn topics(&self) -> impl ExactSizeIterator<Item = TopicJudgments<'_>> {
        self.topics.iter().map(|topic| TopicJudgments { qrels: self, topic })
    }

    /// The judgments of a topic.
    #[must_use]
    pub fn topic(&self, id: &TopicId) -> Option<TopicJudgments<'_>> {
        self.topics.iter().find(|topic| topic.id == *id).map(|topic| TopicJudgments { qrels: self, topic })
    }

    /// The judgments of some of the topics.
    #[must_use]
    pub fn only(&self, is_kept: impl Fn(&TopicId) -> bool) -> Self {
        let mut only = Self { source: self.source.clone(), topics: Vec::new(), rows: Vec::new() };
        for topic in self.topics.iter().filter(|topic| is_kept(&topic.id)) {
            let start = only.rows.len();
            only.rows.extend_from_slice(&self.rows[topic.rows.clone()]);
            only.topics.push(QrelsTopic { id: topic.id.clone(), rows: start..only.rows.len() });
        }
        only
    }

    /// The judgments of the topics in which at least one item has a grade; codes are not grades.
    #[must_use]
    pub fn graded(&self) -> Self {
        let has_grade = |topic: &TopicJudgments<'_>| topic.rows().any(|row| row.judgment().grade().is_some());
        self.only(|id| self.topic(id).is_some_and(|topic| has_grade(&topic)))
    }

    /// Writes the judgments with tabs between the columns, as they were read.
    #[must_use]
    pub fn to_text(&self) -> String {
        let text = self.source.text.as_str();
        let mut out = String::with_capacity(text.len());
        for topic in &self.topics {
            for row in &self.rows[topic.rows.clone()] {
                let (mark, doc, grade) = (row.mark.of(text), row.doc.of(text), row.grade.of(text));
                writeln!(out, "{}\t{mark}\t{doc}\t{grade}", topic.id).expect("strings take all");
            }
        }
        out
    }

    /// Judgments of visually distinct formulas from those of formula
    /// instances: a visual id has the highest grade of its instances, and is
    /// unjudged if none has a grade. Instances without a visual id are left
    /// out and counted.
    ///
    /// # Errors
    ///
    /// When a visual id is not fit for a file: empty, or with a tab in it.
    pub fn by_visual_id(
        &self,
        visual_id: impl Fn(DocId<'_>) -> Option<String>,
    ) -> Result<(Self, usize), crate::Error> {
        let mut out = String::new();
        let mut without = 0;
        for topic in self.topics() {
            let mut order: Vec<String> = Vec::new();
            let mut highest: HashMap<String, Option<i32>> = HashMap::new();
            for row in topic.rows() {
                let Some(id) = visual_id(row.doc()) else {
                    without += 1;
                    continue;
                };
                let best = highest.entry(id.clone()).or_insert_with(|| {
                    order.push(id);
                    None
                });
                *best = (*best).max(row.judgment().grade());
            }
            for id in order {
                let grade = highest[&id].unwrap_or(-1);
                writeln!(out, "{}\t0\t{id}\t{grade}", topic.id()).expect("strings take all");
            }
        }
        let qrels = Self::read(crate::Source::bytes(self.name(), out), Scale::Plain)?.0;
        Ok((qrels, without))
    }

    /// The sum of several judges' grades, as NTCIR makes its 0 to 4 of two
    /// judges' 0 to 2. What one judge did not see counts 0 for that judge and
    /// is counted.
    ///
    /// # Errors
    ///
    /// When there is no file, or the sum is no grade any more.
    pub fn sum(judges: &[Self]) -> Result<(Self, usize), crate::Error> {
        let mut order: Vec<(TopicId, String)> = Vec::new();
        let mut sums: HashMap<(TopicId, String), (i64, usize)> = HashMap::new();
        for judge in judges {
            for topic in judge.topics() {
                for row in topic.rows() {
                    let Some(grade) = row.judgment().grade() else { continue };
                    let key = (topic.id().clone(), row.doc().to_string());
                    let sum = sums.entry(key.clone()).or_insert_with(|| {
                        order.push(key);
                        (0, 0)
                    });
                    *sum = (sum.0 + i64::from(grade), sum.1 + 1);
                }
            }
        }
        let mut out = String::new();
        let mut partial = 0;
        for key in order {
            let (sum, count) = sums[&key];
            partial += usize::from(count < judges.len());
            writeln!(out, "{}\t0\t{}\t{sum}", key.0, key.1).expect("strings take all");
        }
        let qrels = Self::read(crate::Source::bytes("the sum of the judges", out), Scale::Plain)?.0;
        Ok((qrels, partial))
    }
}

/// The judgments of one topic.
#[derive(Clone, Copy, Debug)]
pub struct TopicJudgments<'a> {
    qrels: &'a Qrels,
    topic: &'a QrelsTopic,
}

impl<'a> TopicJudgments<'a> {
    /// The topic.
    #[must_use]
    pub fn id(self) -> &'a TopicId {
        &self.topic.id
    }

    /// The judgments in the order of the file.
    pub fn rows(self) -> impl ExactSizeIterator<Item = Qrel<'a>> {
        let qrels = self.qrels;
        qrels.rows[self.topic.rows.clone()].iter().map(move |row| Qrel { qrels, row })
    }
}

/// One judgment.
#[derive(Clone, Copy, Debug)]
pub struct Qrel<'a> {
    qrels: &'a Qrels,
    row: &'a Row,
}

impl<'a> Qrel<'a> {
    /// The document that was judged.
    #[must_use]
    pub fn doc(self) -> DocId<'a> {
        DocId(self.row.doc.of(&self.qrels.source.text))
    }

    /// What was said of it.
    #[must_use]
    pub fn judgment(self) -> Judgment {
        self.row.judgment
    }

    /// Where the judgment stands.
    #[must_use]
    pub fn place(self) -> Place {
        Place { file: self.qrels.source.name.clone(), line: self.row.number as usize, column: None }
    }
}
