//! The executor: the nodes of a pipeline, opened for a query and run one after the other.

use super::Pipeline;
use super::find::{Wanted, find};
use super::given::in_order;
use super::stage::{Filter, LikeFormulas, OpenStage, Output};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::{Clue, FormulaHit, Hit, Why};
use crate::norms::Returned;
use crate::query::{Query, TypedQuery};
use crate::restrict;
use crate::system::SystemTask;
use formats::DocId;
use formats::order::{self, Width};
use fuse::Ranked;
use index::{Deadline, Document};
use std::sync::Arc;
use std::time::Duration;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The topic, as runs that are given from outside call it.
    pub topic: &'a str,
    /// What is asked, for posts.
    pub query: &'a Query,
    /// The formula that is looked for, for formulas.
    pub formula: Option<&'a str>,
    /// Which posts, or which instances of formulas, are wanted.
    pub kinds: Kinds,
    /// When the work has to end.
    pub deadline: &'a Deadline,
}

/// Which posts, or which instances of formulas, are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kinds {
    /// All that the system returns: what people search for.
    All,
    /// What the system returns for topics: Task 1. Of formulas those that a run of Task 2 may return: with an instance
    /// in a question or an answer whose id was published with the collection, where ids were.
    ForTopics,
}

static NEVER: Deadline = Deadline::NEVER;
static NOTHING: Query = Query::EMPTY;

impl<'a> Asked<'a> {
    /// Asks for answers to a query, or for whatever the system returns for topics.
    #[must_use]
    pub fn answers(query: &'a Query) -> Self {
        Self { topic: "", query, formula: None, kinds: Kinds::ForTopics, deadline: &NEVER }
    }

    /// Asks for posts of any kind that the system returns.
    #[must_use]
    pub fn posts(query: &'a Query) -> Self {
        Self { kinds: Kinds::All, ..Self::answers(query) }
    }

    /// Asks for formulas.
    #[must_use]
    pub fn formulas(latex: &'a str) -> Self {
        Self { formula: Some(latex), ..Self::posts(&NOTHING) }
    }

    /// Asks for formulas that a run may return.
    #[must_use]
    pub fn formulas_for_topics(latex: &'a str) -> Self {
        Self { kinds: Kinds::ForTopics, ..Self::formulas(latex) }
    }

    /// The same formula in a question, which systems with context compare with the posts that formulas stand in.
    #[must_use]
    pub fn in_question(self, query: &'a Query) -> Self {
        Self { query, ..self }
    }

    /// The same for a topic, by which runs that are given are read.
    #[must_use]
    pub fn for_topic(self, topic: &'a str) -> Self {
        Self { topic, ..self }
    }

    /// The same with an end.
    #[must_use]
    pub fn until(self, deadline: &'a Deadline) -> Self {
        Self { deadline, ..self }
    }
}

/// What was found, best first.
#[derive(Clone, Debug, PartialEq)]
pub enum Ranking {
    /// Posts.
    Posts(Vec<Hit>),
    /// Formulas.
    Formulas(Vec<FormulaHit>),
}

/// What a pipeline found, and what that cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// What was found.
    pub ranking: Ranking,
    /// Whether there was time for all of the work.
    pub completeness: Completeness,
    /// What each stage cost.
    pub costs: Vec<StageCost>,
}

/// Whether there was time for all of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completeness {
    /// There was.
    Whole,
    /// There was not: there may be better results.
    CutShort,
}

/// Features of formulas, from which weights are learned.
#[derive(Clone, Debug, PartialEq)]
pub struct FormulaFeatures {
    /// What the features are called.
    pub names: Vec<String>,
    /// Visual ids, best first as they were found, and a value for each feature.
    pub rows: Vec<(String, Vec<f64>)>,
}

/// What a stage cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageCost {
    /// The stage: a source or a scorer by its name, or, where a pipeline has several, a `system` with all that
    /// belongs to it.
    pub stage: String,
    /// How long it took.
    pub time: Duration,
}

/// A member of a fusion that finds nothing, because the engine lacks what it needs.
struct Absent;

impl OpenStage for Absent {
    fn rank(
        &mut self,
        _: &[Vec<Ranked<String>>],
        _: usize,
        _: Option<&Filter<'_>>,
        _: &mut Work,
    ) -> Result<Output, Error> {
        Ok(Output::Ids(Vec::new()))
    }

    fn explain(&mut self, _: &[Vec<Ranked<String>>], _: &Hit, _: &mut Work) -> Result<Vec<Clue>, Error> {
        Ok(Vec::new())
    }
}

/// A pipeline, opened for a query.
pub(crate) struct OpenPipeline<'q> {
    pub(crate) engine: &'q Engine,
    pipeline: &'q Pipeline,
    stages: Vec<Box<dyn OpenStage + 'q>>,
    kinds: Kinds,
    /// Whether a member of a fusion may have had more than was looked at.
    is_limited: bool,
    /// What the nodes but the last found last.
    members: Vec<Vec<Ranked<String>>>,
}

impl<'q> OpenPipeline<'q> {
    /// Makes all nodes ready.
    pub(crate) fn new(
        engine: &'q Engine,
        pipeline: &'q Pipeline,
        asked: Asked<'q>,
        work: &mut Work,
    ) -> Result<Self, Error> {
        let mut stages: Vec<Box<dyn OpenStage + 'q>> = Vec::new();
        for node in &pipeline.nodes {
            if engine.why_absent(node).is_some() {
                stages.push(Box::new(Absent));
                continue;
            }
            let open = |work: &mut Work| node.stage.open(engine, asked, work);
            stages.push(match &pipeline.nodes[..] {
                [_] => open(work)?,
                _ => work.timed(&format!("system {}", node.name), open)?,
            });
        }
        Ok(Self { engine, pipeline, stages, kinds: asked.kinds, is_limited: false, members: Vec::new() })
    }

    /// Whether there may be more than the last ranking, however deep it was to be: members of fusions are
    /// looked at down to a depth of their own.
    pub(crate) fn is_limited(&self) -> bool {
        self.is_limited
    }

    /// The posts that may be found at all.
    pub(crate) fn returned(&self, work: &mut Work) -> Result<Arc<Returned>, Error> {
        let returned = self.engine.returned(self.pipeline.returns(self.kinds), work)?;
        if returned.is_empty() {
            return self.engine.returned(self.pipeline.returns(Kinds::All), work);
        }
        Ok(returned)
    }

    /// The best `depth` that pass, best first.
    pub(crate) fn rank(
        &mut self,
        depth: usize,
        filter: Option<&Filter<'_>>,
        work: &mut Work,
    ) -> Result<Ranking, Error> {
        self.rank_members(filter, work)?;
        let Some((last, members)) = self.pipeline.nodes.split_last() else {
            return Ok(self.found(Vec::new()));
        };
        let Some(stage) = self.stages.last_mut() else { return Ok(self.found(Vec::new())) };
        let made = &self.members;
        let ranked = if members.is_empty() {
            stage.rank(made, depth, filter, work)?
        } else {
            work.timed(&format!("system {}", last.name), |work| stage.rank(made, depth, filter, work))?
        };
        self.read(ranked, depth)
    }

    /// Makes the rankings of all nodes but the last.
    fn rank_members(&mut self, filter: Option<&Filter<'_>>, work: &mut Work) -> Result<(), Error> {
        self.members.clear();
        self.is_limited = false;
        let Some((_, members)) = self.pipeline.nodes.split_last() else { return Ok(()) };
        for (node, stage) in members.iter().zip(&mut self.stages) {
            let made = &self.members;
            let ranked = work
                .timed(&format!("system {}", node.name), |work| stage.rank(made, node.depth, filter, work))?;
            let mut ranking = ranked.into_ranked();
            in_order(&mut ranking);
            ranking.truncate(node.depth);
            self.is_limited |= ranking.len() == node.depth;
            self.members.push(ranking);
        }
        Ok(())
    }

    /// What the last node found, as it is given out.
    fn read(&self, ranked: Output, depth: usize) -> Result<Ranking, Error> {
        let mut ranking = match ranked {
            Output::Posts(hits) => Ranking::Posts(hits),
            Output::Formulas(hits) => Ranking::Formulas(hits),
            Output::Ids(mut ids) if self.pipeline.task == SystemTask::Answers => {
                ids.truncate(depth);
                self.found(ids)
            }
            Output::Ids(ids) => self.found(ids),
        };
        match &mut ranking {
            Ranking::Posts(hits) => sort_as_read(hits),
            Ranking::Formulas(hits) => hits.truncate(depth),
        }
        Ok(ranking)
    }

    /// The best `depth` posts that pass.
    pub(crate) fn posts(
        &mut self,
        depth: usize,
        filter: Option<&Filter<'_>>,
        work: &mut Work,
    ) -> Result<Vec<Hit>, Error> {
        match self.rank(depth, filter, work)? {
            Ranking::Posts(hits) => Ok(hits),
            Ranking::Formulas(_) => {
                let system = self.pipeline.name().to_owned();
                Err(Error::Other { system, returns: "formulas", wanted: "posts" })
            }
        }
    }

    /// What makes up the score of a hit of the last ranking, most first.
    pub(crate) fn explain(&mut self, hit: &Hit, work: &mut Work) -> Result<Vec<Clue>, Error> {
        let Some(stage) = self.stages.last_mut() else { return Ok(Vec::new()) };
        let mut clues = stage.explain(&self.members, hit, work)?;
        clues.sort_by(|left, right| right.score.total_cmp(&left.score));
        Ok(clues)
    }

    /// What was found for each formula of the query, where formulas are searched for.
    pub(crate) fn formulas(&self) -> &[LikeFormulas] {
        let found = self.stages.iter().rev().map(|stage| stage.formulas());
        found.into_iter().find(|formulas| !formulas.is_empty()).unwrap_or_default()
    }

    /// Ids as what they stand for in the index.
    fn found(&self, ranking: Vec<Ranked<String>>) -> Ranking {
        let index = &self.engine.index;
        match self.pipeline.task {
            SystemTask::Answers => {
                let hit = |Ranked { id, score }: Ranked<String>| {
                    let document = index.find(&id)?;
                    Some(Hit { document, id, score, reranked: 0 })
                };
                Ranking::Posts(ranking.into_iter().filter_map(hit).collect())
            }
            SystemTask::Formulas => {
                let hit = |Ranked { id, score }: Ranked<String>| {
                    let visual_id = id.parse().ok()?;
                    let (source, doc) = self.engine.formula_of_visual(visual_id)?;
                    Some(FormulaHit { source, doc, visual_id, score, similarity: None, place: None })
                };
                let counts =
                    |hit: &FormulaHit| self.kinds == Kinds::All || self.engine.formula_place(hit).is_some();
                Ranking::Formulas(ranking.into_iter().filter_map(hit).filter(counts).collect())
            }
        }
    }
}

impl Engine {
    /// Ranks by a pipeline: the best `depth`, best first. What several members of it need is worked out once.
    ///
    /// A query that was typed is restricted by its filters, phrases and signs, and its mistyped words are searched
    /// for as what was meant, as on the search page.
    ///
    /// # Errors
    ///
    /// When the index lacks what a system needs, when scores are too large to be fused, or when there was no
    /// time to find anything.
    pub fn run(&self, pipeline: &Pipeline, asked: &Asked<'_>, depth: usize) -> Result<Outcome, Error> {
        self.work(asked.deadline, |work| {
            let spelled = self.spelled(asked.query, pipeline, work);
            let asked = &Asked { query: spelled.as_ref().unwrap_or(asked.query), ..*asked };
            let mut open = OpenPipeline::new(self, pipeline, *asked, work)?;
            let ranking = match asked.query.typed.as_deref() {
                None => open.rank(depth, None, work)?,
                Some(TypedQuery { typed, .. }) => {
                    let restrictions = restrict::read(self, typed, work)?;
                    let every: Vec<_> = restrictions.iter().collect();
                    let wanted = Wanted { results: depth, group: &|document| document, posts: 0 };
                    let mut found = find(&mut open, asked.query, &every, wanted, work)?;
                    found.posts.truncate(depth);
                    Ranking::Posts(found.posts)
                }
            };
            let completeness = if work.is_cut_short() { Completeness::CutShort } else { Completeness::Whole };
            Ok(Outcome { ranking, completeness, costs: work.costs() })
        })
    }

    /// The features of the formulas that a pipeline finds, from which the weights of its last system can be learned.
    ///
    /// # Errors
    ///
    /// As [`Engine::run`], and when the system has no scorer that learns.
    pub fn formula_features(&self, pipeline: &Pipeline, asked: &Asked<'_>) -> Result<FormulaFeatures, Error> {
        self.work(asked.deadline, |work| {
            let mut open = OpenPipeline::new(self, pipeline, *asked, work)?;
            open.rank_members(None, work)?;
            let OpenPipeline { stages, members, .. } = &mut open;
            let found = stages.last_mut().map(|stage| stage.features(members, work)).transpose()?.flatten();
            let Some((names, rows)) = found else {
                let system = pipeline.name().to_owned();
                return Err(Error::Other { system, returns: "scores", wanted: "features to learn from" });
            };
            let rows = rows.into_iter().map(|(visual_id, values)| (visual_id.to_string(), values)).collect();
            Ok(FormulaFeatures { names, rows })
        })
    }

    /// The scores that a pipeline gives to posts, wherever they rank: those that scorers look at only among the first
    /// are looked at here. A post that is not in the index scores 0.
    ///
    /// # Errors
    ///
    /// As [`Engine::run`], and when the system is a fusion or ranks formulas.
    pub fn post_scores(
        &self,
        pipeline: &Pipeline,
        asked: &Asked<'_>,
        ids: &[&str],
    ) -> Result<Vec<f64>, Error> {
        self.work(asked.deadline, |work| {
            let mut open = OpenPipeline::new(self, pipeline, *asked, work)?;
            let documents: Vec<Option<Document>> = ids.iter().map(|id| self.index.find(id)).collect();
            let known: Vec<Document> = documents.iter().copied().flatten().collect();
            let scores = match &mut open.stages[..] {
                [stage] => stage.scores(&known, work)?,
                _ => None,
            };
            let Some(scores) = scores else {
                let system = pipeline.name().to_owned();
                return Err(Error::Other { system, returns: "rankings", wanted: "scores of posts" });
            };
            let mut scores = scores.into_iter();
            Ok(documents.iter().map(|known| known.and_then(|_| scores.next()).unwrap_or(0.0)).collect())
        })
    }

    /// Why a post has the score that a pipeline gives it when nothing is filtered.
    ///
    /// # Errors
    ///
    /// As [`Engine::run`].
    pub fn explain_post(
        &self,
        pipeline: &Pipeline,
        query: &Query,
        document: index::Document,
    ) -> Result<Why, Error> {
        self.work(&Deadline::never(), |work| {
            let spelled = self.spelled(query, pipeline, work);
            let asked = Asked::posts(spelled.as_ref().unwrap_or(query));
            let mut open = OpenPipeline::new(self, pipeline, asked, work)?;
            // Scorers look at the first only.
            let first = open.posts(EXPLAINED, None, work)?;
            let hit = first.into_iter().find(|hit| hit.document == document);
            let hit = hit.unwrap_or_else(|| self.hit(document, 0.0));
            let clues = open.explain(&hit, work)?;
            let score = clues.iter().map(|clue| clue.score).sum();
            Ok(Why { clues, score })
        })
    }
}

/// Puts hits in the order in which a run of them is read: by scores of 32 bits, then by id. So people see what
/// a run has, down to scores that differ in their last bits.
fn sort_as_read(hits: &mut [Hit]) {
    hits.sort_by(|left, right| {
        let round = |score| Width::F32.round(score);
        order::compare((round(left.score), DocId(&left.id)), (round(right.score), DocId(&right.id)))
    });
}

/// Of so many posts it is known which scorers ranked them anew.
const EXPLAINED: usize = 1000;
