//! What groups of assessors said, each by itself.

use crate::aggregate::{Rule, aggregate};
use crate::error::Result;
use crate::folder::Lab;
use crate::judgments::{Judgment, Stage};
use crate::known::FormulaFacts;
use crate::manifest::{Manifest, PoolKind};
use formats::qrels::{Qrels, Scale};
use formats::{DocId, Source};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The judgments of each group of `lab.toml` that has some: of the items that the lab's judgments have, the highest
/// grade of the group's assessors.
pub(super) fn judged(
    manifest: &Manifest,
    qrels: Option<&Qrels>,
    log: &[Judgment],
) -> Result<Vec<(String, Qrels)>> {
    let mut found = Vec::new();
    let Some(qrels) = qrels else { return Ok(found) };
    for group in &manifest.assessor_groups {
        let is_of_group = |row: &&Judgment| {
            // Who decides between others speaks for no group.
            row.said.stage == Stage::Main && group.assessors.contains(&row.said.assessor)
        };
        let rows: Vec<Judgment> = log.iter().filter(is_of_group).cloned().collect();
        let said = aggregate(&rows, Rule::Maximum).topics;
        let mut text = String::new();
        for topic in qrels.topics() {
            let Some(items) = said.get(topic.id()) else { continue };
            for row in topic.rows() {
                if let Some(grade) = items.get(row.doc().as_str()).and_then(|verdict| verdict.grade()) {
                    let _ = writeln!(text, "{}\t0\t{}\t{grade}", topic.id(), row.doc());
                }
            }
        }
        if !text.is_empty() {
            let qrels = Qrels::read(Source::bytes(&group.name, text), Scale::Plain)?.0;
            found.push((group.name.clone(), qrels));
        }
    }
    Ok(found)
}

/// The warning about group members who judged nothing, such as misspelt names.
pub(super) fn unknown_assessors(lab: &Lab) -> Result<Vec<String>> {
    let manifest = lab.manifest();
    if manifest.assessor_groups.is_empty() {
        return Ok(Vec::new());
    }
    let mut known: BTreeSet<String> = BTreeSet::new();
    for set in &manifest.sets {
        for kind in [PoolKind::Answers, PoolKind::Formulas] {
            known.extend(lab.judgments(kind, &set.name)?.into_iter().map(|row| row.said.assessor));
        }
    }
    let warning = |group: &str, assessor: &str| {
        format!("lab.toml: {assessor:?} of the group {group:?} has not judged anything in this lab")
    };
    let groups = manifest.assessor_groups.iter();
    Ok(groups
        .flat_map(|group| group.assessors.iter().map(|assessor| (group.name.as_str(), assessor)))
        .filter(|(_, assessor)| !known.contains(*assessor))
        .map(|(group, assessor)| warning(group, assessor))
        .collect())
}

/// The judgments of visually distinct formulas, each with the highest grade of its instances; nothing where it is
/// not known what instances look like.
pub(super) fn distinct(qrels: &Qrels, looks: Option<&FormulaFacts>) -> Result<Option<Qrels>> {
    let Some(looks) = looks else { return Ok(None) };
    let visual = |doc: DocId<'_>| looks.get(doc.as_str()).map(|fact| fact.visual.clone());
    let is_known = qrels.topics().any(|topic| topic.rows().any(|row| visual(row.doc()).is_some()));
    Ok(if is_known { Some(qrels.by_visual_id(visual)?.0) } else { None })
}
