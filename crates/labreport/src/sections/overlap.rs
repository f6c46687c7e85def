//! How similar the answers of a task are to those that others found relevant: references, ablation, values.

use crate::error::{OverviewError, Scored};
use crate::input::{Answer, AnswerTask, Kind, Output, SimilaritySettings, TestSet};
use crate::scored::ScoredTask;
use eval::Preset;
use eval::task3::{Task3Error, TeamReferences, Unanswered, similarity};
use formats::qrels::Qrels;
use formats::{DocId, RunTag, TopicId};

/// The values of a measure of similarity, and what they depend on.
pub(super) struct Similar {
    /// The measure as people write it.
    pub(super) name: String,
    /// A value and over how many topics, for each system.
    pub(super) values: Vec<Option<(f64, usize)>>,
    /// What the values depend on, and what whoever reads them should know: sentences.
    pub(super) rules: Vec<String>,
}

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

/// The similarity of each system to the relevant answers that others found, by every measure. Nothing without
/// judgments, texts or settings.
pub(super) fn values(
    task: &ScoredTask<'_, '_>,
    answers: &AnswerTask<'_>,
    tasks: &[ScoredTask<'_, '_>],
) -> Result<Vec<Similar>, OverviewError> {
    let (Some(settings), Some(qrels)) = (&answers.similarity, task.task.current.qrels) else {
        return Ok(Vec::new());
    };
    let references = references(task, settings, &task.task.current.tested(qrels), tasks);
    let number = references.all().num_references();
    if number == 0 {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for measure in &settings.measures {
        let mut values = vec![None; task.task.systems.len()];
        let mut depends = None;
        for (system, value) in values.iter_mut().enumerate() {
            let Some(given) = given(task, system) else { continue };
            let failed = |cause| failed(task, system, cause);
            let others = references.for_team(&task.task.systems[system].team).map_err(failed)?;
            let texts = given
                .iter()
                .filter(|answer| task.task.current.is_tested(&answer.topic))
                .filter_map(|answer| Some((answer.topic.clone(), answer.text.as_deref()?)));
            let score = similarity(*measure, texts, &others, Unanswered::LeftOut).map_err(failed)?;
            *value = score.mean().map(|mean| (mean, score.num_topics()));
            depends.get_or_insert_with(|| {
                let rules = score.rules.iter().filter(|rule| rule.name != "references");
                rules.map(ToString::to_string).collect::<Vec<_>>().join("; ")
            });
        }
        let Some(depends) = depends else { continue };
        let name = measure.name();
        let how = match task.task.current.pool.as_ref().and_then(|pool| pool.contributed.as_ref()) {
            Some(_) => "contributed to the pools",
            None => "returned",
        };
        let mut rules = vec![format!(
            "{name} depends on {depends}; {number} references, those that only the system's own team {how} left out."
        )];
        rules.extend(measure.remarks().iter().map(|remark| format!("{name}: {remark}.")));
        found.push(Similar { name, values, rules });
    }
    Ok(found)
}

/// The relevant answers of this task and, where texts of posts are known, the relevant posts of Task 1.
fn references(
    task: &ScoredTask<'_, '_>,
    settings: &SimilaritySettings<'_>,
    qrels: &Qrels,
    tasks: &[ScoredTask<'_, '_>],
) -> TeamReferences {
    let mut references = TeamReferences::new(settings.normalisation);
    for (system, about) in task.task.systems.iter().enumerate() {
        let Some(given) = given(task, system) else { continue };
        let texts = given
            .iter()
            .filter_map(|answer| Some((answer.topic.clone(), DocId(&answer.id), answer.text.as_deref()?)));
        let contributed = |topic: &TopicId, id: DocId<'_>| contributed(&task.task.current, system, topic, id);
        references.add_answers(&about.team, tag(task, system), texts, contributed, qrels);
    }
    let Some(posts) = settings.posts else { return references };
    for other in tasks.iter().filter(|other| matches!(other.task.kind, Kind::Ranked(Preset::Task1))) {
        let Some(qrels) = other.task.current.qrels else { continue };
        // No answer to the training topics of this task is compared with anything.
        let qrels = &task.task.current.tested(qrels);
        references.add_posts(qrels, |post| posts.text(post));
        for (system, output) in other.task.current.outputs.iter().enumerate() {
            let Some(Output::Ranking(returned)) = output else { continue };
            let docs = returned
                .topics()
                .flat_map(|topic| topic.rows().map(move |row| (topic.id().clone(), row.doc())));
            let team = other.task.systems.get(system).map_or("", |system| system.team.as_str());
            let contributed =
                |topic: &TopicId, id: DocId<'_>| contributed(&other.task.current, system, topic, id);
            let text = |post: DocId<'_>| posts.text(post);
            references.add_ranking(team, tag(other, system), docs, contributed, qrels, text);
        }
    }
    references
}
