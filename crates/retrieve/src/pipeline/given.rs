//! A run that is given from outside, as far as the index has what it found.

use super::run::Asked;
use super::stage::{Filter, OpenStage, Output, Stage};
use super::uses::Uses;
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::{Clue, ClueKind, Hit};
use crate::system::SystemTask;
use formats::order::{self, Width};
use formats::run::{Run, RunLayout, TopicRows};
use formats::{DocId, TopicId};
use fuse::Ranked;
use index::Index;
use std::collections::{BTreeMap, BTreeSet};

/// A run that is given from outside: its rankings, best first, by topic.
///
/// Formulas that look the same are one, which has the best score of them. What the index does not have is
/// left out, as if the run had been made over this index.
#[derive(Clone, Debug, Default)]
pub struct Given {
    rankings: BTreeMap<TopicId, Vec<Ranked<String>>>,
    unknown: usize,
}

impl Given {
    /// The rankings of a run. Of a run of formulas, columns with `Q0` hold visual ids and all others the
    /// ids of formulas.
    #[must_use]
    pub fn of(run: &Run, task: SystemTask, index: &Index) -> Self {
        let instances = matches!(run.layout(), RunLayout::Task2 | RunLayout::Task2WithoutPost);
        let mut given = Self::default();
        for topic in run.topics() {
            let ranking = given.ranking(topic, |id| match task {
                SystemTask::Answers => index.find(id).map(|_| id.to_owned()),
                SystemTask::Formulas if instances => visual_of_instance(index, id),
                SystemTask::Formulas => visual(index, id),
            });
            given.rankings.insert(topic.id().clone(), ranking);
        }
        given
    }

    /// The ranking for a topic; empty if there is none.
    #[must_use]
    pub fn topic(&self, id: &str) -> &[Ranked<String>] {
        self.rankings.get(id).map_or(&[], Vec::as_slice)
    }

    /// How many results the index does not have.
    #[must_use]
    pub fn unknown(&self) -> usize {
        self.unknown
    }

    /// The topics that it has something for.
    pub fn topics(&self) -> impl Iterator<Item = &TopicId> {
        self.rankings.iter().filter(|(_, ranking)| !ranking.is_empty()).map(|(topic, _)| topic)
    }

    fn ranking(
        &mut self,
        topic: TopicRows<'_>,
        known: impl Fn(&str) -> Option<String>,
    ) -> Vec<Ranked<String>> {
        let mut ranking = Vec::new();
        for row in topic.rows() {
            match known(row.doc().as_str()) {
                Some(id) => ranking.push(Ranked { id, score: row.score() }),
                None => self.unknown += 1,
            }
        }
        in_order(&mut ranking);
        ranking
    }
}

impl Stage for Given {
    /// Nobody says what a run from outside was made of.
    fn uses(&self, _: &Engine) -> Uses {
        Uses::Both
    }

    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        asked: Asked<'q>,
        _: &mut Work,
    ) -> Result<Box<dyn OpenStage + 'q>, Error> {
        Ok(Box::new(OpenGiven { engine, ranking: self.topic(asked.topic) }))
    }
}

/// The ranking of a run for a topic.
struct OpenGiven<'q> {
    engine: &'q Engine,
    ranking: &'q [Ranked<String>],
}

impl OpenStage for OpenGiven<'_> {
    fn rank(
        &mut self,
        _: &[Vec<Ranked<String>>],
        _: usize,
        filter: Option<&Filter<'_>>,
        _: &mut Work,
    ) -> Result<Output, Error> {
        let passes = |result: &&Ranked<String>| {
            filter.is_none_or(|filter| self.engine.index.find(&result.id).is_some_and(filter))
        };
        Ok(Output::Ids(self.ranking.iter().filter(passes).cloned().collect()))
    }

    fn explain(&mut self, _: &[Vec<Ranked<String>>], hit: &Hit, _: &mut Work) -> Result<Vec<Clue>, Error> {
        let found = (1_usize..).zip(self.ranking).find(|(_, result)| result.id == hit.id);
        let clue = found.map(|(rank, result)| Clue {
            group: "run".to_owned(),
            place: "post",
            term: format!("rank {rank}"),
            kind: ClueKind::Remark,
            frequency: 1.0,
            score: result.score,
        });
        Ok(clue.into_iter().collect())
    }
}

/// Puts a ranking in the order in which a run is read, each document once.
pub(super) fn in_order(ranking: &mut Vec<Ranked<String>>) {
    for result in ranking.iter_mut() {
        // Adding zero makes one zero of two: -0 and 0 are equal scores.
        result.score = Width::F32.round(result.score) + 0.0;
    }
    ranking.sort_by(|left, right| {
        order::compare((left.score, DocId(&left.id)), (right.score, DocId(&right.id)))
    });
    let mut seen = BTreeSet::new();
    let repeated: Vec<bool> = ranking.iter().map(|result| !seen.insert(result.id.as_str())).collect();
    let mut repeated = repeated.into_iter();
    ranking.retain(|_| !repeated.next().unwrap_or_default());
}

/// A visual id that the index has.
fn visual(index: &Index, id: &str) -> Option<String> {
    let number: u64 = id.parse().ok()?;
    let has = |source: &index::Source| {
        source.collection.find_visual(number).and_then(|visual| source.formulas.document(visual)).is_some()
    };
    index.sources().iter().any(has).then(|| number.to_string())
}

/// The visual id of a formula that the index has.
fn visual_of_instance(index: &Index, id: &str) -> Option<String> {
    index.sources().iter().find_map(|source| {
        let collection = &source.collection;
        collection.find_formulas(id).find_map(|place| {
            let visual = collection.form_visual(collection.formula_form(place));
            source.formulas.document(visual)?;
            Some(collection.visual_id(visual).to_string())
        })
    })
}
