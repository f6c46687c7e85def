//! Judgments of rankings, with the codes that a lab may keep among its grades.

use crate::warn;
use ::formats::qrels::{Judgment, Qrels, Scale, TopicJudgments};
use ::formats::{Source, SourceText};
use anyhow::Result;
use std::path::Path;

/// The highest grade of ARQMath; 5 and 6 above it are codes.
const HIGHEST_GRADE: i32 = 3;

/// Reads judgments of Task 1 or 2, in which codes count as not judged and topics that have nothing else are left out;
/// warns of codes and of what was mended.
pub(crate) fn read_coded(path: &Path) -> Result<Qrels> {
    coded(Source::path(path), path)
}

fn coded(source: Source<'_>, path: &Path) -> Result<Qrels> {
    let (qrels, notes) = Qrels::read(source, Scale::Coded)?;
    if !notes.is_empty() {
        warn(&notes.to_string());
    }
    let is_code = |judgment: Judgment| matches!(judgment, Judgment::SystemFailure | Judgment::DoNotKnow);
    let codes = judgments(&qrels).filter(|judgment| is_code(*judgment)).count();
    if codes > 0 {
        let items = if codes == 1 { "item has" } else { "items have" };
        warn(&format!(
            "{}: {codes} {items} a code (5: system failure, 6: do not know) and no grade: not judged",
            path.display()
        ));
        return Ok(qrels.graded());
    }
    Ok(qrels)
}

/// Reads judgments of any lab: 5 and 6 are codes where all other numbers are grades of ARQMath, else grades.
pub(crate) fn read(path: &Path) -> Result<Qrels> {
    // Read once: it may be a pipe.
    let SourceText { name, text } = Source::path(path).read()?;
    let (qrels, notes) = Qrels::read(Source::bytes(&name, text.clone()), Scale::Plain)?;
    let grades = || judgments(&qrels).filter_map(Judgment::grade);
    if grades().any(|grade| grade > HIGHEST_GRADE)
        && grades().all(|grade| grade <= HIGHEST_GRADE || matches!(grade, 5 | 6))
    {
        return coded(Source::bytes(&name, text), path);
    }
    if !notes.is_empty() {
        warn(&notes.to_string());
    }
    Ok(qrels)
}

fn judgments(qrels: &Qrels) -> impl Iterator<Item = Judgment> {
    qrels.topics().flat_map(TopicJudgments::rows).map(|row| row.judgment())
}
