//! The posts of a topic with their features.

use crate::tune::Judged;
use crate::tune::bench::Bench;
use ::fuse::learn::Example;
use anyhow::Result;
use retrieve::{Asked, Pipeline};
use std::collections::BTreeMap;

/// The posts of a topic with their features.
pub(super) struct Posts {
    /// The ids of the judged posts. The order does not depend on that of the judgments: it is that of a run in which
    /// all scores are the same.
    pub(super) ids: Vec<String>,
    /// The judged posts, in the order of their ids.
    pub(super) examples: Vec<Example>,
    /// The posts that trees rank.
    pub(super) candidates: Vec<Candidate>,
}

/// A post that may not be judged.
pub(super) struct Candidate {
    pub(super) id: String,
    pub(super) base: f64,
    pub(super) features: Vec<f64>,
}

impl Posts {
    /// The graded posts of a topic and its candidates. `base` has all weights at 0, each of `ones` one weight at 1.
    pub(super) fn new(
        bench: &Bench<'_>,
        judged: &Judged<'_>,
        mut graded: Vec<(String, i32)>,
        candidates: &[String],
        base: &Pipeline,
        ones: &[Pipeline],
    ) -> Result<Self> {
        graded.sort_by(|left, right| right.0.cmp(&left.0));
        // A post that is judged and a candidate is scored once.
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        let mut ids: Vec<&str> = Vec::new();
        for id in graded.iter().map(|(id, _)| id).chain(candidates) {
            places.entry(id).or_insert_with(|| {
                ids.push(id);
                ids.len() - 1
            });
        }
        let bases = scores(bench, judged, base, &ids)?;
        let alone =
            ones.iter().map(|pipeline| scores(bench, judged, pipeline, &ids)).collect::<Result<Vec<_>>>()?;
        let found = |id: &str| {
            let place = places[id];
            let features: Vec<f64> = alone.iter().map(|scores| scores[place] - bases[place]).collect();
            (bases[place], features)
        };
        let example = |(id, grade): &(String, i32)| {
            let (base, features) = found(id);
            Example { grade: f64::from(*grade), base, features }
        };
        let examples = graded.iter().map(example).collect();
        let candidate = |id: &String| {
            let (base, features) = found(id);
            Candidate { id: id.clone(), base, features }
        };
        let candidates = candidates.iter().map(candidate).collect();
        Ok(Self { ids: graded.into_iter().map(|(id, _)| id).collect(), examples, candidates })
    }
}

/// The judged posts of a topic with their grades, and unjudged ones with grade 0.
pub(super) fn graded(judged: &Judged<'_>, unjudged: &[String]) -> Vec<(String, i32)> {
    let graded =
        judged.judgments.docs().filter_map(|(doc, verdict)| Some((doc.to_string(), verdict.grade()?)));
    graded.chain(unjudged.iter().map(|id| (id.clone(), 0))).collect()
}

/// The scores of posts for a topic.
pub(super) fn scores(
    bench: &Bench<'_>,
    judged: &Judged<'_>,
    pipeline: &Pipeline,
    ids: &[&str],
) -> Result<Vec<f64>> {
    let query = bench.inputs.query(&judged.topic);
    let asked = Asked::answers(&query).for_topic(judged.topic.id.as_str());
    Ok(bench.engine.post_scores(pipeline, &asked, ids)?)
}
