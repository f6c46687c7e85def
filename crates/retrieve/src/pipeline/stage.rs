//! What pipelines are made of: a few small traits.
//!
//! A *stage* as a system's file describes it is opened for a query, as tantivy's `Query` becomes a `Weight`;
//! an open stage ranks and explains as often as it is asked.
//!
//! | trait | what it does | examples |
//! | --- | --- | --- |
//! | [`Stage`] | makes a ranking: a node of a pipeline | a system, a fusion, a run that is given |
//! | [`PostSource`] | finds posts; the scores of several are added up | terms, formulas, links |
//! | [`PostScorer`] | scores the first posts | proximity |
//! | [`FormulaScorer`](crate::scorers::FormulaScorer) | scores the first formulas | matcher, Tangent-S, approach0 |

use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::formulas::FeatureRows;
use crate::hits::{Clue, FormulaHit, Hit};
use crate::pipeline::need::Need;
use crate::pipeline::run::{Asked, Kinds};
use crate::pipeline::uses::Uses;
use crate::query::Query;
use crate::system::{Chosen, Returns};
use fuse::Ranked;
use index::Document;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::sync::Arc;
use text::{Stemmer, StopWords};

/// Which posts may be among the results.
pub type Filter<'f> = dyn Fn(Document) -> bool + 'f;

/// What a stage found, best first.
pub(crate) enum Output {
    Posts(Vec<Hit>),
    Formulas(Vec<FormulaHit>),
    /// Ids of posts, or visual ids.
    Ids(Vec<Ranked<String>>),
}

impl Output {
    /// Ids and scores.
    pub(crate) fn into_ranked(self) -> Vec<Ranked<String>> {
        match self {
            Self::Posts(hits) => {
                hits.into_iter().map(|hit| Ranked { id: hit.id, score: hit.score }).collect()
            }
            Self::Formulas(hits) => hits
                .into_iter()
                .map(|hit| Ranked { id: hit.visual_id.to_string(), score: hit.score })
                .collect(),
            Self::Ids(ids) => ids,
        }
    }
}

/// Makes a ranking.
pub(crate) trait Stage: Debug + Send + Sync {
    /// What it cannot do without.
    fn needs(&self) -> Vec<Need> {
        Vec::new()
    }

    /// The models that it uses with an engine, by name.
    fn models(&self, _: &Engine) -> Vec<String> {
        Vec::new()
    }

    /// What of topics and posts it uses itself, without the members of a fusion.
    fn uses(&self, _: &Engine) -> Uses {
        Uses::Nothing
    }

    /// Which posts it ranks.
    fn returns(&self, _: Kinds) -> Returns {
        Returns::Answers
    }

    /// How it reads words; nothing if it reads none.
    fn words(&self) -> Option<(Stemmer, StopWords)> {
        None
    }

    /// The same without what leaves a part of the work out, where it does.
    fn exact(&self) -> Option<Arc<dyn Stage>> {
        None
    }

    /// Makes it ready for a query.
    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        asked: Asked<'q>,
        work: &mut Work,
    ) -> Result<Box<dyn OpenStage + 'q>, Error>;
}

/// A [`Stage`], ready for a query.
pub(crate) trait OpenStage {
    /// The best `depth` that pass, best first; `members` are the rankings of the nodes before this one.
    fn rank(
        &mut self,
        members: &[Vec<Ranked<String>>],
        depth: usize,
        filter: Option<&Filter<'_>>,
        work: &mut Work,
    ) -> Result<Output, Error>;

    /// The scores of posts, wherever they rank, as the first of a ranking would have them; nothing if it gives
    /// scores to rankings only.
    fn scores(&mut self, _: &[Document], _: &mut Work) -> Result<Option<Vec<f64>>, Error> {
        Ok(None)
    }

    /// The features of formulas that it finds, from which its weights can be learned; nothing if it does not learn.
    fn features(
        &mut self,
        _: &[Vec<Ranked<String>>],
        _: &mut Work,
    ) -> Result<Option<(Vec<String>, FeatureRows)>, Error> {
        Ok(None)
    }

    /// Why a hit of the last ranking has its score.
    fn explain(
        &mut self,
        members: &[Vec<Ranked<String>>],
        hit: &Hit,
        work: &mut Work,
    ) -> Result<Vec<Clue>, Error>;

    /// What was found for each formula of the query, where formulas are searched for.
    fn formulas(&self) -> &[LikeFormulas] {
        &[]
    }
}

/// What is like a formula of the query.
#[derive(Clone, Debug)]
pub(crate) struct LikeFormulas {
    /// The formula of the query.
    pub(crate) latex: String,
    /// What was found, best first.
    pub(crate) hits: Vec<FormulaHit>,
    /// In how many posts the first of them stand.
    pub(crate) posts: Vec<usize>,
}

/// Finds posts.
pub(crate) trait PostSource: Debug + Send + Sync {
    /// What it is called where costs are listed.
    fn name(&self) -> &'static str;

    /// What it cannot do without.
    fn needs(&self) -> Vec<Need>;

    /// The model that it uses with an engine, by name.
    fn model(&self, _: &Engine) -> Option<String> {
        None
    }

    /// How it reads words; nothing if it reads none.
    fn words(&self) -> Option<(Stemmer, StopWords)> {
        None
    }

    /// Makes it ready for a query.
    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        query: &'q Query,
        work: &mut Work,
    ) -> Result<Box<dyn OpenPostSource + 'q>, Error>;
}

/// A [`PostSource`], ready for a query.
pub(crate) trait OpenPostSource {
    /// The best `depth` posts that are accepted, best first.
    fn top(&mut self, depth: usize, accept: &Filter<'_>, work: &mut Work) -> Result<Vec<Hit>, Error>;

    /// The scores of posts, whether they are among the best or not; 0 where the source has not found them.
    fn score(&mut self, documents: &[Document], work: &mut Work) -> Result<Vec<f64>, Error>;

    /// What makes up the score of a post.
    fn explain(&mut self, document: Document, work: &mut Work) -> Result<Vec<Clue>, Error>;

    /// All posts that it scores, where it knows them one by one.
    fn listed(&self) -> Option<&Arc<BTreeMap<Document, f64>>> {
        None
    }

    /// Whether these are too many to have all of them scored by other sources.
    fn lists_too_many(&self) -> bool {
        false
    }

    /// What of the query it looks for.
    fn looked_for(&self) -> LookedFor {
        LookedFor::default()
    }

    /// What was found for each formula of the query, where formulas are searched for.
    fn formulas(&self) -> &[LikeFormulas] {
        &[]
    }
}

/// What of a query a source looks for.
#[derive(Clone, Debug, Default)]
pub(crate) struct LookedFor {
    /// How words are stemmed, and the keys of the stems.
    pub(crate) words: Option<(Stemmer, BTreeSet<u64>)>,
    /// Which formulas.
    pub(crate) formulas: Option<Chosen>,
}

/// Scores posts that sources have found.
pub(crate) trait PostScorer: Debug + Send + Sync {
    /// What it cannot do without.
    fn needs(&self) -> Vec<Need> {
        Vec::new()
    }

    /// Makes it ready for a query; `sources` say what was looked for.
    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        query: &'q Query,
        sources: &[Box<dyn OpenPostSource + 'q>],
        work: &mut Work,
    ) -> Result<Box<dyn OpenPostScorer + 'q>, Error>;
}

/// A [`PostScorer`], ready for a query.
pub(crate) trait OpenPostScorer {
    /// The scores of posts, in their order; those of the first alone if there is no time for all.
    fn score(&mut self, documents: &[Document], work: &mut Work) -> Result<Vec<f64>, Error>;

    /// What makes up the score of a post; it has this score.
    fn explain(&mut self, document: Document, score: f64, work: &mut Work) -> Result<Vec<Clue>, Error>;
}
