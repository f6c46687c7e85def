//! Weights by which a system that gives one answer ranks its candidates.
//!
//! What speaks for a candidate does not depend on the weights: it is looked at once, and every setting is only a
//! sum over it.

use super::{Judged, Tune};
use crate::place::find_index;
use crate::progress::Progress;
use crate::run::topics::threads;
use crate::{Exit, answers, systems};
use answer::{Evidence, Weights};
use anyhow::{Result, bail, ensure};
use formats::{DocId, order};
use retrieve::{Asked, Engine, Query};
use std::sync::Mutex;

/// How candidates are called in a system's file.
const RANK: &str = "rank.";

/// Whether a system gives one answer: one that comes with the program, or a file.
pub(super) fn is_for_answers(name: &str) -> bool {
    let says_so = |text: String| text.lines().any(|line| line.replace(' ', "") == "task=3");
    answers::text(name).is_ok_and(says_so)
}

impl Tune {
    pub(super) fn tune_answers(&self, judged: &[Judged<'_>]) -> Result<Exit> {
        ensure!(self.measure.is_none(), "--measure has no effect: {} is tuned by AR", self.system);
        ensure!(self.depth.is_none(), "--depth has no effect: a topic has one answer");
        let system = answers::find(&self.system, None)?;
        ensure!(self.held_out.is_none(), "--held-out is for systems that rank");
        ensure!(self.learn.is_empty(), "--learn is for rankings; give --vary {RANK}NAME=V,V,…");
        let Some(weights) = system.rank else {
            bail!("{} does not rank its candidates anew: it has no [rank]", self.system);
        };
        let mut names = Vec::new();
        for (place, _) in &self.vary {
            match place.strip_prefix(RANK).filter(|name| Weights::NAMES.contains(name)) {
                Some(name) => names.push(name),
                None => bail!(
                    "--vary {place}: of a system that gives one answer these can be varied: {RANK}{}",
                    Weights::NAMES.join(&format!(", {RANK}"))
                ),
            }
        }
        let engine = Engine::open_whole(&find_index(self.index.as_deref())?, crate::models::resources()?)?;
        let inputs = self.given.read(retrieve::SystemTask::Answers, engine.index())?;
        let maker = answer::Maker::new(system, &systems::find_member, inputs.runs())?;
        let pipelines: Vec<&retrieve::Pipeline> = maker.pipeline(&engine).into_iter().collect();
        inputs.ensure_used(&pipelines)?;
        let progress = Mutex::new(Progress::items(judged.len() as u64));
        let found = parallel::map_on(threads(None), judged, |Judged { topic, judgments, .. }| {
            let query = Query::of_topic(topic);
            let asked = Asked::answers(&query).for_topic(topic.id.as_str());
            let ranked = maker.candidates(&engine, &asked);
            if let Ok(mut progress) = progress.lock() {
                progress.advance(1);
            }
            let graded = |ranked: Vec<answer::Ranked>| {
                let grade = |id: &str| f64::from(judgments.verdict(DocId(id)).gain());
                ranked.into_iter().map(|one| (grade(&one.id), one.id, one.evidence)).collect()
            };
            ranked.map(graded)
        });
        drop(progress);
        let candidates: Vec<Vec<(f64, String, Evidence)>> = found.into_iter().collect::<Result<_, _>>()?;
        let value = |weights: &Weights, topic: usize| {
            let first = candidates[topic].iter().min_by(|left, right| {
                let key = |one: &(f64, String, Evidence)| one.2.score(weights);
                order::compare((key(left), DocId(&left.1)), (key(right), DocId(&right.1)))
            });
            first.map_or(0.0, |(grade, ..)| *grade)
        };
        let stands = (0..judged.len()).map(|topic| value(&weights, topic)).collect();
        self.search(judged, "AR", (stands, engine.index().fingerprint()), |parameters, topic| {
            let varied = names
                .iter()
                .zip(parameters)
                .try_fold(weights, |weights, (name, value)| weights.with(name, *value));
            Ok(varied.map_or(f64::NAN, |weights| value(&weights, topic)))
        })
    }
}
