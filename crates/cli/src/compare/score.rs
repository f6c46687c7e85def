//! Topics with their judgments, and runs scored by them.

use crate::warn;
use anyhow::{Result, ensure};
use eval::overlap::First;
use eval::{
    Codes, Duplicates, Judgments, LeftOut, Measure, Pipeline, Preset, ResultGrade, RunScores, Scorer, Ties,
    TopicPolicy,
};
use formats::order::Width;
use formats::qrels::Qrels;
use formats::run::Run;
use formats::{DocId, Source, Topic, read_topics};
use std::path::{Path, PathBuf};

/// A file of topics and its judgments.
pub(super) struct Set {
    /// The name of the judgments.
    pub(super) name: String,
    pub(super) qrels: Qrels,
    /// Those that are judged, and so can count.
    pub(super) topics: Vec<Topic>,
}

/// Reads topics and their judgments.
pub(super) fn read(topics: &[PathBuf], qrels: &[PathBuf], policy: TopicPolicy) -> Result<Vec<Set>> {
    topics.iter().zip(qrels).map(|(topics, qrels)| one(topics, qrels, policy)).collect()
}

fn one(topics: &Path, path: &Path, policy: TopicPolicy) -> Result<Set> {
    let qrels = crate::judged::read(path)?;
    let asked = read_topics(Source::path(topics))?.topics;
    let judgments = Judgments::new(&qrels, Codes::Unjudged);
    let mut judged: Vec<Topic> = Vec::new();
    let mut absent = 0;
    for topic in judgments.topics() {
        // What has nothing relevant would be run in vain.
        if policy == TopicPolicy::Relevant && topic.pool().num_relevant(1) == 0 {
            continue;
        }
        match asked.get(topic.id().as_str()) {
            Some(asked) => judged.push(asked.clone()),
            None => absent += 1,
        }
    }
    let (topics, qrels_name) = (topics.display(), path.display());
    ensure!(!judged.is_empty(), "{topics}: none of its topics is judged in {qrels_name}");
    if absent > 0 {
        warn(&format!(
            "{topics}: {absent} topics of {qrels_name} are not there; they count as without results"
        ));
    }
    drop(judgments);
    let name =
        path.file_stem().map_or_else(|| qrels_name.to_string(), |stem| stem.to_string_lossy().into_owned());
    Ok(Set { name, qrels, topics: judged })
}

/// The scores of a run by the rules of the lab, formulas by visual id.
pub(super) fn score(set: &Set, run: &Run, measures: &[Measure], preset: Preset) -> Result<RunScores> {
    let judgments = Judgments::new(&set.qrels, Codes::Unjudged);
    let pipeline = Pipeline {
        width: Width::F32,
        duplicates: Duplicates::Refuse,
        visual_ids: None,
        depth: preset.depth(),
    };
    let scorer = Scorer { judgments: &judgments, measures, pipeline, ties: Ties::Ordered };
    Ok(scorer.score(run)?)
}

/// Scores by several files of judgments as if it were one.
pub(super) fn pooled(by_set: &[RunScores]) -> RunScores {
    RunScores {
        measures: by_set.first().map(|scores| scores.measures.clone()).unwrap_or_default(),
        topics: by_set.iter().flat_map(|scores| scores.topics.iter().cloned()).collect(),
        without_judgments: Vec::new(),
        left_out: LeftOut::default(),
    }
}

/// The first results of a run for each topic, best first.
pub(super) type Firsts = Vec<Vec<First>>;

/// The first results of runs, one for each set, in the order of the sets and their topics.
pub(super) fn firsts(sets: &[Set], runs: &[Run], depth: usize) -> Firsts {
    let mut all = Vec::new();
    for (set, run) in sets.iter().zip(runs) {
        let judgments = Judgments::new(&set.qrels, Codes::Unjudged);
        for topic in &set.topics {
            let judged = judgments.index_of(&topic.id).map(|place| &judgments.topics()[place]);
            let rows = run.topic(&topic.id).into_iter().flat_map(|rows| rows.rows()).take(depth);
            let first = |doc: DocId<'_>| {
                let grade = judged.map_or(ResultGrade::UNJUDGED, |judged| judged.verdict(doc));
                First { id: doc.to_string(), grade }
            };
            all.push(rows.map(|row| first(row.doc())).collect());
        }
    }
    all
}
