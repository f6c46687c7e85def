//! A system over judged topics, with other numbers.

use super::learned::Learner;
use super::protocol::{Chosen, HeldOut, Learned};
use super::{Judged, Tune};
use crate::Exit;
use crate::run::given::Inputs;
use crate::run::topics::{Doc, rank};
use ::formats::DocId;
use ::formats::check::MOST_RESULTS;
use ::formats::order::{Width, compare};
use anyhow::Result;
use eval::{JudgedTopic, Measure, Ranked, ResultGrade};
use retrieve::{Engine, Pipeline, System};

/// A system over judged topics, with other numbers.
pub(super) struct Bench<'t> {
    pub(super) tune: &'t Tune,
    /// The text of the system's file.
    pub(super) text: String,
    pub(super) engine: Engine,
    pub(super) inputs: Inputs,
    pub(super) measure: Measure,
    pub(super) judged: &'t [Judged<'t>],
}

/// Results with their scores: ids of posts, or visual ids of formulas.
type Results = Vec<(f64, String)>;

impl Bench<'_> {
    /// The system with numbers in some places.
    pub(super) fn with(&self, changes: &[(&str, f64)]) -> Result<Pipeline> {
        self.inputs.pipeline_quietly(System::varied(&self.text, &self.tune.system, changes)?)
    }

    /// The system with a number in each of the places.
    pub(super) fn with_all(&self, numbers: &[f64]) -> Result<Pipeline> {
        let changes: Vec<(&str, f64)> = self.tune.places().zip(numbers.iter().copied()).collect();
        self.with(&changes)
    }

    fn results(&self, pipeline: &Pipeline, topic: usize) -> Result<Results> {
        let depth = self.tune.depth.unwrap_or(MOST_RESULTS);
        let ranked = rank(&self.engine, pipeline, &self.judged[topic].topic, &self.inputs, depth)?;
        let name = |(doc, score): (Doc, f64)| match doc {
            Doc::Post(id) => (score, id),
            Doc::Formula(hit) => (score, hit.visual_id.to_string()),
        };
        Ok(ranked.ranked.into_iter().map(name).collect())
    }

    /// The measure of results of a topic.
    pub(super) fn score_results<'r>(
        &self,
        topic: usize,
        results: impl IntoIterator<Item = (f64, &'r str)>,
    ) -> f64 {
        score(&self.measure, self.judged[topic].judgments, results)
    }

    /// The measure of a topic.
    pub(super) fn score(&self, pipeline: &Pipeline, topic: usize) -> Result<f64> {
        let results = self.results(pipeline, topic)?;
        Ok(self.score_results(topic, results.iter().map(|(score, id)| (*score, id.as_str()))))
    }

    fn each_topic<R: Send>(&self, work: impl Fn(usize) -> Result<R> + Sync) -> Result<Vec<R>> {
        let topics: Vec<usize> = (0..self.judged.len()).collect();
        parallel::map(&topics, |topic| work(*topic)).into_iter().collect()
    }

    /// The measures of all topics.
    pub(super) fn scores(&self, pipeline: &Pipeline) -> Result<Vec<f64>> {
        self.each_topic(|topic| self.score(pipeline, topic))
    }

    pub(super) fn search(&self, stands: Vec<f64>) -> Result<Exit> {
        let known = (stands, self.engine.index().fingerprint());
        self.tune.search(self.judged, &self.measure.to_string(), known, |numbers, topic| {
            self.score(&self.with_all(numbers)?, topic)
        })
    }

    /// Learns weights and, if asked for, trees, and says how good they are held out.
    pub(super) fn learn(&self, stands: Vec<f64>) -> Result<Exit> {
        let tune = self.tune;
        let equal_weights = self.with_all(&vec![1.0; tune.learn.len()])?;
        let first = self.each_topic(|topic| self.results(&equal_weights, topic))?;
        let equal = first.iter().enumerate().map(|(topic, results)| {
            self.score_results(topic, results.iter().map(|(score, id)| (*score, id.as_str())))
        });
        let equal: Vec<f64> = equal.collect();
        let unjudged: Vec<Vec<String>> = self
            .judged
            .iter()
            .zip(&first)
            .map(|(judged, results)| {
                let ids = results.iter().map(|(_, id)| id);
                let unjudged = ids.filter(|id| !judged.judgments.verdict(DocId(id)).is_judged());
                unjudged.take(tune.unjudged).cloned().collect()
            })
            .collect();
        let candidates = match tune.trees {
            Some(_) => {
                first.into_iter().map(|results| results.into_iter().map(|(_, id)| id).collect()).collect()
            }
            None => vec![Vec::new(); self.judged.len()],
        };
        let learner = Learner::new(self, &unjudged, &candidates)?;
        let linear = |fit: &dyn Fn(&[usize]) -> Vec<f64>| {
            HeldOut::by(tune, self.judged, |training| {
                let weights = fit(training);
                let values = self.scores(&self.with_all(&weights)?)?;
                Ok((weights, values))
            })
        };
        let all_places = linear(&|training| learner.fit(training))?;
        let (held_out, all_places) = if tune.select {
            (linear(&|training| learner.fit_selected(training))?, Some(all_places))
        } else {
            (all_places, None)
        };
        let boosted = |grid| HeldOut::by(tune, self.judged, |training| Ok(learner.boost(grid, training)));
        let trees = tune.trees.as_ref().map(boosted).transpose()?;
        let chosen = Chosen {
            measure: self.measure.to_string(),
            held_out,
            tried: tune.num_learned(),
            stands,
            learned: Some(Learned { equal, all_places, trees }),
        };
        tune.conclude(&chosen, self.engine.index().fingerprint())
    }
}

/// The measure of ids with scores.
fn score<'r>(
    measure: &Measure,
    judged: &JudgedTopic<'_>,
    results: impl IntoIterator<Item = (f64, &'r str)>,
) -> f64 {
    let round = |(score, id): (f64, &'r str)| (Width::F32.round(score), DocId(id));
    let mut results: Vec<(f64, DocId<'r>)> = results.into_iter().map(round).collect();
    results.sort_by(|left, right| compare(*left, *right));
    let verdicts: Vec<ResultGrade> = results.iter().map(|(_, doc)| judged.verdict(*doc)).collect();
    measure.score(Ranked { grades: &verdicts, judged: judged.pool() })
}
