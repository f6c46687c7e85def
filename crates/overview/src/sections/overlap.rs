//! Lexical overlap of a task with answers: references, ablation, values.

use crate::error::{OverviewError, Scored};
use crate::input::{Answer, AnswerTask, Kind, Output, TestSet};
use crate::scored::ScoredTask;
use collection::{DocId, RunTag, TopicId};
use eval::Preset;
use eval::task3::{
    Contributor, LexicalOverlap, ReferenceTask, References, Task3Error, Unanswered, similarity,
};
use std::collections::BTreeSet;

/// A value and over how many topics, for each system.
type Values = Vec<Option<(f64, usize)>>;

/// The answers of a system on the current set.
pub(super) fn given<'t>(task: &'t ScoredTask<'_, '_>, system: usize) -> Option<&'t [Answer]> {
    match task.task.current.outputs.get(system)?.as_ref()? {
        Output::Answers(answers) => Some(answers),
        Output::Ranking(_) => None,
    }
}

/// What went wrong, with its place.
pub(super) fn failed(task: &ScoredTask<'_, '_>, system: usize, cause: Task3Error) -> OverviewError {
    let (system, set) = (task.names[system].clone(), task.task.current.name.clone());
    let of = Box::new(Scored { task: task.task.name.clone(), system, set });
    OverviewError::Answers { of, cause: Box::new(cause) }
}

/// Runs are known by their places, as teams may use a name twice.
fn tag(task: &ScoredTask<'_, '_>, system: usize) -> RunTag {
    RunTag::new(format!("{}/{system}", task.task.key))
}

/// Whether a system contributed an item to the pool: all that it returned, where the pool is not known.
fn contributed(set: &TestSet<'_>, system: usize, topic: &TopicId, item: DocId<'_>) -> bool {
    let known = set.pool.as_ref().and_then(|pool| pool.contributed.as_ref());
    known.is_none_or(|systems| systems.get(system).is_some_and(|items| items.contains(topic, item.as_str())))
}

/// The overlap of each system with the relevant answers that others found, and
/// what the values depend on. Nothing without judgments, texts or settings.
pub(super) fn values(
    task: &ScoredTask<'_, '_>,
    answers: &AnswerTask<'_>,
    tasks: &[ScoredTask<'_, '_>],
) -> Result<(Values, Vec<String>), OverviewError> {
    let systems = task.task.systems.len();
    let nothing = || (vec![None; systems], Vec::new());
    let (Some(settings), Some(qrels)) = (answers.overlap, task.task.current.qrels) else {
        return Ok(nothing());
    };
    let mut references = References::new(settings.normalisation);
    // Which team each contributor belongs to.
    let mut contributors: Vec<(&str, Contributor)> = Vec::new();
    for system in 0..systems {
        let Some(given) = given(task, system) else { continue };
        let texts = given
            .iter()
            .filter_map(|answer| Some((answer.topic.clone(), DocId(&answer.id), answer.text.as_deref()?)));
        let run = tag(task, system);
        let contributed = |topic: &TopicId, id: DocId<'_>| contributed(&task.task.current, system, topic, id);
        references.add_task3(&run, texts, contributed, qrels);
        contributors.push((&task.task.systems[system].team, Contributor { task: ReferenceTask::Task3, run }));
    }
    if let Some(posts) = settings.posts {
        for other in tasks.iter().filter(|other| matches!(other.task.kind, Kind::Ranked(Preset::Task1))) {
            let Some(qrels) = other.task.current.qrels else { continue };
            for (system, output) in other.task.current.outputs.iter().enumerate() {
                let Some(Output::Ranking(returned)) = output else { continue };
                let docs = returned
                    .topics()
                    .flat_map(|topic| topic.rows().map(move |row| (topic.id().clone(), row.doc())));
                let run = tag(other, system);
                let contributed =
                    |topic: &TopicId, id: DocId<'_>| contributed(&other.task.current, system, topic, id);
                references.add_task1(&run, docs, contributed, qrels, |post| posts.text(post));
                let team = other.task.systems.get(system).map_or("", |system| system.team.as_str());
                contributors.push((team, Contributor { task: ReferenceTask::Task1, run }));
            }
        }
    }
    if references.num_references() == 0 {
        return Ok(nothing());
    }
    let measure = LexicalOverlap { tokenizer: settings.tokenizer, counting: settings.counting };
    let mut values = vec![None; systems];
    let mut rules = Vec::new();
    for (system, value) in values.iter_mut().enumerate() {
        let Some(given) = given(task, system) else { continue };
        let team = task.task.systems[system].team.as_str();
        let own: BTreeSet<Contributor> = contributors
            .iter()
            .filter(|(of, _)| *of == team)
            .map(|(_, contributor)| contributor.clone())
            .collect();
        let others = references.without_team(&own).map_err(|cause| failed(task, system, cause))?;
        let texts = given.iter().filter_map(|answer| Some((answer.topic.clone(), answer.text.as_deref()?)));
        let score = similarity(&measure, texts, &others, Unanswered::LeftOut)
            .map_err(|cause| failed(task, system, cause))?;
        if rules.is_empty() {
            let of_measure =
                score.rules.iter().filter(|rule| rule.name != "references").map(ToString::to_string);
            rules.push(format!(
                "LO depends on {}; {} references, those that only the system's own team {} left out.",
                of_measure.collect::<Vec<_>>().join("; "),
                references.num_references(),
                match task.task.current.pool.as_ref().and_then(|pool| pool.contributed.as_ref()) {
                    Some(_) => "contributed to the pools",
                    None => "returned",
                }
            ));
        }
        *value = score.mean().map(|mean| (mean, score.num_topics()));
    }
    Ok((values, rules))
}
