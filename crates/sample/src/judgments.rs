//! Judgments with their reasons, and those of formulas by visual id.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use store::{Collection, Part};

/// What was said of one item for one topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgment {
    /// The topic: `A.1` and so on of Task 1, `B.1` and so on of Task 2.
    pub topic: &'static str,
    /// The id of an answer in Task 1, LaTeX without delimiters in Task 2.
    pub item: &'static str,
    /// From 0, no help, to 3, just what is wanted.
    pub grade: u8,
    /// Why.
    pub reason: &'static str,
}

/// What was said of all formulas that look the same, for one topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VisualJudgment {
    /// The topic.
    pub topic: &'static str,
    /// The visual id in the collection that was asked.
    pub visual: u64,
    /// The highest grade of the formulas that look so.
    pub grade: u8,
}

/// Why judgments do not fit a collection.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The collection was not made from these threads, or not from all of them.
    #[error("{collection}: no post has the formula {latex}, which is judged for {topic}")]
    NoSuchFormula {
        /// The file.
        collection: String,
        /// The formula.
        latex: &'static str,
        /// The topic.
        topic: &'static str,
    },
    /// The collection cannot be read.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// Judgments of answers, topic by topic, the best first.
#[must_use]
pub fn task1() -> Vec<Judgment> {
    read(include_str!("../data/task1.tsv"))
}

/// Judgments of formulas as they are typed, topic by topic, the best first.
#[must_use]
pub fn task2() -> Vec<Judgment> {
    read(include_str!("../data/task2.tsv"))
}

fn read(table: &'static str) -> Vec<Judgment> {
    let row = |line: &'static str| {
        let mut fields = line.split('\t');
        let mut field =
            || fields.next().expect("the tables are ours: they have four columns, and a test reads them");
        Judgment {
            topic: field(),
            item: field(),
            grade: field().parse().expect("the tables are ours: grades are digits, and a test reads them"),
            reason: field(),
        }
    };
    table.lines().skip(1).map(row).collect()
}

/// The judgments of [`task2`] for the visual ids of a collection that was built
/// from [`threads`](crate::threads()), topic by topic, ids ascending. Where two
/// judged formulas look the same, the higher grade counts.
///
/// # Errors
///
/// When a judged formula stands in no post, and when the collection cannot be read.
pub fn task2_by_visual_id(collection: &Collection) -> Result<Vec<VisualJudgment>, Error> {
    let judgments = task2();
    let visuals = visuals_of(collection, &judgments)?;
    let mut found = Vec::new();
    for topic in judgments.chunk_by(|left, right| left.topic == right.topic) {
        let mut grades: BTreeMap<u64, u8> = BTreeMap::new();
        for judgment in topic {
            let Some(ids) = visuals.get(judgment.item) else {
                let collection = collection.path().display().to_string();
                return Err(Error::NoSuchFormula { collection, latex: judgment.item, topic: judgment.topic });
            };
            for id in ids {
                let best = grades.entry(*id).or_default();
                *best = judgment.grade.max(*best);
            }
        }
        let of_topic = |(visual, grade)| VisualJudgment { topic: topic[0].topic, visual, grade };
        found.extend(grades.into_iter().map(of_topic));
    }
    Ok(found)
}

/// The visual ids of the judged formulas that stand in posts; one way of
/// typing may have several, since a display does not look like a line.
fn visuals_of(
    collection: &Collection,
    judgments: &[Judgment],
) -> Result<HashMap<&'static str, BTreeSet<u64>>, Error> {
    let judged: HashMap<&str, &'static str> = judgments.iter().map(|one| (one.item, one.item)).collect();
    let mut visuals: HashMap<&'static str, BTreeSet<u64>> = HashMap::new();
    let mut reader = collection.reader();
    for form in collection.forms() {
        let Some(item) = judged.get(reader.latex(form)?.trim()).copied() else { continue };
        let in_post = |part| matches!(part, Part::Title | Part::Body);
        if collection.formulas_of_form(form).any(|formula| in_post(collection.formula_marks(formula).part()))
        {
            let id = collection.visual_id(collection.form_visual(form));
            visuals.entry(item).or_default().insert(id);
        }
    }
    Ok(visuals)
}

/// [`task2_by_visual_id`] as a file of judgments: topic, 0, visual id, grade.
///
/// # Errors
///
/// As [`task2_by_visual_id`].
pub fn qrels_task2(collection: &Collection) -> Result<String, Error> {
    let mut qrels = String::new();
    for VisualJudgment { topic, visual, grade } in task2_by_visual_id(collection)? {
        writeln!(qrels, "{topic}\t0\t{visual}\t{grade}").expect("strings take all");
    }
    Ok(qrels)
}
