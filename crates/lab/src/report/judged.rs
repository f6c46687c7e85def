//! The judgments of a report: those in the file, with codes as assessors gave them.
//!
//! A file of judgments may leave codes out, have zeros for them, or keep them as 5 and 6. Each task
//! has its own rule for them: in Tasks 1 and 2 they count as not judged, in Task 3 as not relevant.
//! So a report puts the codes back, and the measures apply the rule.

use crate::error::{Error, Result};
use crate::files::checksum;
use crate::folder::Lab;
use crate::qrels::{CodedItem, Provenance};
use formats::Source;
use formats::check::Task;
use formats::qrels::{Judgment, Qrels, Scale};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Judgments, the file they are from and its checksum.
pub(crate) type JudgedBy = (Qrels, (String, String));

/// The judgments of the lab, or those that the set came with.
pub(super) fn read(
    lab: &Lab,
    task: Task,
    set: &str,
    provenance: Option<&Provenance>,
) -> Result<Option<JudgedBy>> {
    let own = format!("qrels/{set}/task{}.qrels", task.number());
    let (path, coded) = if lab.path(&own).is_file() {
        (own, provenance.map(|made| made.coded.as_slice()).unwrap_or_default())
    } else {
        let given = lab.manifest().set(Some(set))?.files(task).and_then(|files| files.qrels.clone());
        match given {
            // Earlier judgments of questions are of posts, not of written answers.
            Some(given) if task != Task::Task3 => (given, <&[CodedItem]>::default()),
            _ => return Ok(None),
        }
    };
    let bytes = lab.unchanged(&path)?;
    let sha256 = checksum(&bytes);
    let scale = if task == Task::Task3 { Scale::Task3 } else { Scale::Coded };
    let qrels = Qrels::read(Source::bytes(&path, bytes), scale)?.0;
    Ok(Some((with_codes(qrels, task, coded)?, (path, sha256))))
}

/// The judgments of the lab, or those that the set came with, with the codes that the lab knows.
pub(crate) fn qrels(lab: &Lab, task: Task, set: &str) -> Result<Option<JudgedBy>> {
    read(lab, task, set, provenance(lab, task, set)?.as_ref())
}

/// How the judgments of the lab were made; nothing if it has made none.
pub(crate) fn provenance(lab: &Lab, task: Task, set: &str) -> Result<Option<Provenance>> {
    let path = format!("qrels/{set}/task{}.json", task.number());
    if !lab.path(&path).is_file() {
        return Ok(None);
    }
    let bytes = lab.unchanged(&path)?;
    let read = serde_json::from_slice(&bytes);
    read.map(Some).map_err(|error| Error::folder(&lab.path(&path), error.to_string()))
}

/// Judgments in which coded items have their codes, whatever the file keeps of them.
///
/// In Tasks 1 and 2 a topic that has codes alone is left out, as it is where the file keeps none.
fn with_codes(qrels: Qrels, task: Task, coded: &[CodedItem]) -> Result<Qrels> {
    let mut codes: BTreeMap<&str, BTreeMap<&str, i32>> = BTreeMap::new();
    for item in coded {
        codes.entry(&item.topic).or_default().insert(&item.item, item.code.number());
    }
    let mut text = String::new();
    for topic in qrels.topics() {
        let of_topic = codes.remove(topic.id().as_str()).unwrap_or_default();
        for row in topic.rows().filter(|row| !of_topic.contains_key(row.doc().as_str())) {
            let number = match row.judgment() {
                Judgment::Grade(grade) => grade,
                Judgment::Unjudged => -1,
                Judgment::SystemFailure => 5,
                Judgment::DoNotKnow => 6,
            };
            let _ = writeln!(text, "{}\t0\t{}\t{number}", topic.id(), row.doc());
        }
        write_codes(&mut text, topic.id().as_str(), &of_topic);
    }
    for (topic, of_topic) in &codes {
        write_codes(&mut text, topic, of_topic);
    }
    let scale = if task == Task::Task3 { Scale::Task3 } else { Scale::Coded };
    let all = Qrels::read(Source::bytes(qrels.name(), text), scale)?.0;
    Ok(if task == Task::Task3 { all } else { all.graded() })
}

fn write_codes(text: &mut String, topic: &str, codes: &BTreeMap<&str, i32>) {
    for (item, code) in codes {
        let _ = writeln!(text, "{topic}\t0\t{item}\t{code}");
    }
}
