//! The judgments of Task 1 with the codes that their file leaves out or counts 0.

use crate::aggregate::{Rule, aggregate};
use crate::error::Result;
use crate::folder::Lab;
use crate::manifest::PoolKind;
use crate::verdict::Verdict;
use collection::Source;
use collection::qrels::{Judgment, Qrels, Scale};
use std::fmt::Write as _;

/// The judgments of the current set, with codes where assessors gave nothing else.
pub(super) fn with_codes(lab: &Lab, qrels: &Qrels) -> Result<Qrels> {
    let log = lab.judgments(PoolKind::Answers, &lab.manifest().current)?;
    // Codes count only where nobody gave a grade, whatever the rule for grades is.
    let judged = aggregate(&log, Rule::Maximum).topics;
    let mut rows = String::new();
    for topic in qrels.topics() {
        let items = judged.get(topic.id());
        let codes = items.into_iter().flatten().filter_map(|(item, verdict)| match verdict {
            Verdict::SystemFailure => Some((item.as_str(), 5)),
            Verdict::DoNotKnow => Some((item.as_str(), 6)),
            Verdict::Grade(_) | Verdict::Withdrawn => None,
        });
        let codes: Vec<(&str, i32)> = codes.collect();
        for row in topic.rows() {
            let has_code = codes.iter().any(|(item, _)| *item == row.doc().as_str());
            if let (Judgment::Grade(grade), false) = (row.judgment(), has_code) {
                let _ = writeln!(rows, "{}\t0\t{}\t{grade}", topic.id(), row.doc());
            }
        }
        for (item, code) in codes {
            let _ = writeln!(rows, "{}\t0\t{item}\t{code}", topic.id());
        }
    }
    Ok(Qrels::read(Source::bytes("judgments of Task 1 with codes", rows), Scale::Task3)?.0)
}
