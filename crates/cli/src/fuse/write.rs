//! The fused run as text.

use super::load::Topic;
use super::{Format, Fuse, Task};
use anyhow::{Result, ensure};
use formats::run::{Run, RunLayout, RunLine};
use formats::{DocId, TopicId};
use fuse::Fusion;
use std::collections::HashMap;

/// Fuses every topic by its fusion and writes the run.
pub(super) fn text(args: &Fuse, runs: &[Run], topics: &[Topic<'_>], fusions: &[Fusion]) -> Result<String> {
    let layout = layout(args, runs[0].layout())?;
    let tag = tag(args, &fusions[0])?;
    let work: Vec<(&Topic<'_>, &Fusion)> = topics.iter().zip(fusions).collect();
    let parts = parallel::map(&work, |(topic, fusion)| -> Result<String> {
        let fused = super::topic(topic, fusion)?;
        let posts = posts(runs, topic.id, layout);
        let mut out = String::new();
        for (result, rank) in fused.iter().zip(1..) {
            let post = posts.get(&result.id).map(|post| post.as_str());
            let (topic, doc) = (topic.id.as_str(), result.id.as_str());
            RunLine { topic, doc, post, rank, score: result.score, tag: &tag }.push(layout, &mut out);
        }
        Ok(out)
    });
    parts.into_iter().collect()
}

/// How the columns are laid out: as asked for, else as those of the first run.
fn layout(args: &Fuse, first: RunLayout) -> Result<RunLayout> {
    match (args.format, first) {
        (None, layout) => Ok(layout),
        (Some(Format::Trec), _) => Ok(RunLayout::Trec),
        (Some(Format::Arqmath), RunLayout::Trec) => {
            ensure!(
                args.task != Some(Task::Two),
                "--format arqmath: visual ids have no place in the columns of Task 2, which hold formula ids"
            );
            Ok(RunLayout::Task1)
        }
        (Some(Format::Arqmath), layout) => Ok(layout),
    }
}

/// The name in the last column, which must be one word.
fn tag(args: &Fuse, fusion: &Fusion) -> Result<String> {
    let tag = args.tag.clone().unwrap_or_else(|| fusion.method.name().to_owned());
    let one_word = !tag.is_empty() && !tag.chars().any(|c| c.is_whitespace() || c.is_control());
    ensure!(one_word, "--tag: '{}' is not one word", tag.escape_debug());
    Ok(tag)
}

/// The posts of formulas, by the first run that names one.
fn posts<'a>(runs: &'a [Run], topic: &TopicId, layout: RunLayout) -> HashMap<DocId<'a>, DocId<'a>> {
    let mut posts = HashMap::new();
    if layout == RunLayout::Task2 {
        for row in runs.iter().filter_map(|run| run.topic(topic)).flat_map(|topic| topic.rows()) {
            if let Some(post) = row.post() {
                posts.entry(row.doc()).or_insert(post);
            }
        }
    }
    posts
}
