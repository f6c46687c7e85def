//! A system that ranks posts, as a node of a pipeline: the scores of sources added up, then scorers.
//!
//! Every post that one source finds gets the scores of all of them. So a sum is as exact as its sources are:
//! the best by one, which has to search for them, are among the best of the sum or have a score by another,
//! which knows all that it scores one by one.

use super::find::step;
use super::need::Need;
use super::run::{Asked, Kinds};
use super::stage::{
    Filter, LikeFormulas, OpenPostScorer, OpenPostSource, OpenStage, Output, PostSource, Stage,
};
use super::uses::{self, Uses};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::{Clue, Hit};
use crate::norms::Returned;
use crate::scorers::Proximity;
use crate::sources::{DenseSearch, LinkedAnswers, PostsByFormulas, TermSearch, best, sort};
use crate::system::{Mix, PostRerank, Returns, System};
use fuse::Ranked;
use index::Document;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use text::{Stemmer, StopWords};

/// Of posts that a source lists and that are too many, so many that the others score highest are ranked,
const BEST_BY_OTHERS: usize = 4096;
/// and of those with the highest score of the source itself, so many.
const BEST_OF_BEST: usize = 1024;

/// Ranks posts.
#[derive(Debug)]
pub(crate) struct PostRanking {
    system: System,
    returns: Returns,
    returns_for_topics: Returns,
    sources: Vec<Box<dyn PostSource>>,
    scorers: Vec<PostRerank>,
}

impl PostRanking {
    pub(super) fn new(system: System) -> Self {
        let stage = system.posts.as_ref();
        let returns = stage.map(|stage| stage.returns).unwrap_or_default();
        let mut ranking = Self {
            returns,
            returns_for_topics: stage.and_then(|stage| stage.returns_for_topics).unwrap_or(returns),
            sources: Vec::new(),
            scorers: Vec::new(),
            system,
        };
        let Some(stage) = &ranking.system.posts else { return ranking };
        if let Some(links) = &stage.links {
            ranking.sources.push(Box::new(LinkedAnswers::new(links)));
        }
        if !stage.groups.is_empty() {
            ranking.sources.push(Box::new(TermSearch::new(stage)));
        }
        if let (Some(by), Some(formulas)) = (stage.by_formulas, &ranking.system.formulas) {
            ranking.sources.push(Box::new(PostsByFormulas::new(by, formulas)));
        }
        for dense in &stage.dense {
            ranking.sources.push(Box::new(DenseSearch::new(dense)));
        }
        if let Some(near) = stage.proximity {
            let scorer = Arc::new(Proximity::new(near.offset));
            ranking.scorers.push(PostRerank::new("proximity", near.depth, near.weight, scorer));
        }
        ranking.scorers.extend(stage.rerank.iter().cloned());
        ranking
    }
}

impl Stage for PostRanking {
    fn needs(&self) -> Vec<Need> {
        let sources = self.sources.iter().flat_map(|source| source.needs());
        sources.chain(self.scorers.iter().flat_map(|rerank| rerank.scorer.needs())).collect()
    }

    fn models(&self, engine: &Engine) -> Vec<String> {
        let of_sources = self.sources.iter().filter_map(|source| source.model(engine));
        let needs = self.scorers.iter().flat_map(|rerank| rerank.scorer.needs());
        let of_scorers = needs.filter_map(|need| match need {
            Need::Model(name) => Some(name),
            _ => None,
        });
        of_sources.chain(of_scorers).collect()
    }

    fn uses(&self, engine: &Engine) -> Uses {
        uses::of_system(&self.system, engine)
    }

    fn returns(&self, kinds: Kinds) -> Returns {
        match kinds {
            Kinds::All => self.returns,
            Kinds::ForTopics => self.returns_for_topics,
        }
    }

    fn words(&self) -> Option<(Stemmer, StopWords)> {
        self.sources.iter().find_map(|source| source.words())
    }

    fn exact(&self) -> Option<Arc<dyn Stage>> {
        Some(Arc::new(Self::new(self.system.clone().exact())))
    }

    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        asked: Asked<'q>,
        work: &mut Work,
    ) -> Result<Box<dyn OpenStage + 'q>, Error> {
        let mut sources = Vec::new();
        for source in &self.sources {
            sources.push(work.timed(source.name(), |work| source.open(engine, asked.query, work))?);
        }
        let mut scorers = Vec::new();
        for rerank in &self.scorers {
            engine.ensure(&rerank.scorer.needs())?;
            let open = |work: &mut Work| rerank.scorer.open(engine, asked.query, &sources, work);
            let scorer = work.timed(rerank.by(), open)?;
            scorers.push(Scorer { rerank, scorer, scores: HashMap::new() });
        }
        let mut returned = engine.returned(self.returns(asked.kinds), work)?;
        if returned.is_empty() {
            // A collection of documents has no answers: what else is there is ranked.
            returned = engine.returned(self.returns, work)?;
        }
        let names = self.sources.iter().map(|source| source.name()).collect();
        Ok(Box::new(OpenPosts { engine, returned, names, sources, scorers }))
    }
}

/// A scorer with the scores that it gave last.
struct Scorer<'q> {
    rerank: &'q PostRerank,
    scorer: Box<dyn OpenPostScorer + 'q>,
    scores: HashMap<Document, f64>,
}

struct OpenPosts<'q> {
    engine: &'q Engine,
    returned: Arc<Returned>,
    /// The names of the sources.
    names: Vec<&'static str>,
    sources: Vec<Box<dyn OpenPostSource + 'q>>,
    scorers: Vec<Scorer<'q>>,
}

impl OpenStage for OpenPosts<'_> {
    fn rank(
        &mut self,
        _: &[Vec<Ranked<String>>],
        depth: usize,
        filter: Option<&Filter<'_>>,
        work: &mut Work,
    ) -> Result<Output, Error> {
        let returned = Arc::clone(&self.returned);
        let accept = |document| returned.has(document) && filter.is_none_or(|filter| filter(document));
        let wanted = self.scorers.iter().map(|scorer| scorer.rerank.depth).fold(depth, usize::max);
        let mut hits = match &mut self.sources[..] {
            [] => Vec::new(),
            [source] => work.timed(self.names[0], |work| source.top(wanted, &accept, work))?,
            _ => self.sum(wanted, &accept, work)?,
        };
        for number in 0..self.scorers.len() {
            let by = self.scorers[number].rerank.by();
            work.timed(by, |work| self.rerank(number, &mut hits, work))?;
        }
        hits.truncate(depth);
        Ok(Output::Posts(hits))
    }

    fn scores(&mut self, documents: &[Document], work: &mut Work) -> Result<Option<Vec<f64>>, Error> {
        let mut sums = vec![0.0; documents.len()];
        for source in &mut self.sources {
            for (sum, score) in sums.iter_mut().zip(source.score(documents, work)?) {
                *sum += score;
            }
        }
        for Scorer { rerank, scorer, .. } in &mut self.scorers {
            for (sum, score) in sums.iter_mut().zip(scorer.score(documents, work)?) {
                let score = rerank.weight * score;
                match rerank.mix {
                    Mix::Add => *sum += score,
                    Mix::Replace => *sum = score,
                }
            }
        }
        Ok(Some(sums))
    }

    fn explain(&mut self, _: &[Vec<Ranked<String>>], hit: &Hit, work: &mut Work) -> Result<Vec<Clue>, Error> {
        let mut clues = Vec::new();
        for source in &mut self.sources {
            clues.extend(source.explain(hit.document, work)?);
        }
        for (number, Scorer { rerank, scorer, scores }) in self.scorers.iter_mut().enumerate() {
            let score = scores.get(&hit.document).filter(|_| hit.reranked >> number & 1 == 1);
            let Some(score) = score else {
                if rerank.mix == Mix::Replace {
                    // It was put below those that were scored.
                    let sum: f64 = clues.iter().map(|clue: &Clue| clue.score).sum();
                    let factor = if sum == 0.0 { 0.0 } else { hit.score / sum };
                    clues.iter_mut().for_each(|clue| clue.score *= factor);
                }
                continue;
            };
            if rerank.mix == Mix::Replace {
                clues.clear();
            }
            clues.extend(scorer.explain(hit.document, *score, work)?);
        }
        Ok(clues)
    }

    fn formulas(&self) -> &[LikeFormulas] {
        let found = self.sources.iter().map(|source| source.formulas());
        found.into_iter().find(|formulas| !formulas.is_empty()).unwrap_or_default()
    }
}

impl OpenPosts<'_> {
    /// The best by the sum of all sources.
    fn sum(&mut self, depth: usize, accept: &Filter<'_>, work: &mut Work) -> Result<Vec<Hit>, Error> {
        let mut known: Vec<BTreeMap<Document, f64>> = vec![BTreeMap::new(); self.sources.len()];
        let mut candidates: BTreeSet<Document> = BTreeSet::new();
        let too_many = self.sources.iter().any(|source| source.lists_too_many());
        let looked_at = if too_many { step(depth) } else { depth };
        for number in 0..self.sources.len() {
            match self.sources[number].listed() {
                Some(listed) if !self.sources[number].lists_too_many() => {
                    candidates.extend(listed.keys().copied().filter(|document| accept(*document)));
                }
                Some(_) => self.search_in_many(number, looked_at, accept, &mut known, work)?,
                None => self.search(number, looked_at, accept, &mut known, work)?,
            }
        }
        candidates.extend(known.iter().flat_map(|known| known.keys().copied()));
        let mut sums: BTreeMap<Document, f64> = candidates.iter().map(|document| (*document, 0.0)).collect();
        for (number, known) in known.iter_mut().enumerate() {
            let new: Vec<Document> =
                candidates.iter().copied().filter(|document| !known.contains_key(document)).collect();
            let source = &mut self.sources[number];
            match work.timed(self.names[number], |work| source.score(&new, work)) {
                Ok(scores) => known.extend(new.into_iter().zip(scores)),
                // What is known of some posts is better than nothing.
                Err(Error::Stopped) => {}
                Err(error) => return Err(error),
            }
            for (document, sum) in &mut sums {
                *sum += known.get(document).copied().unwrap_or(0.0);
            }
        }
        Ok(best(self.engine, sums.into_iter().collect(), depth))
    }

    /// Adds the best of a source to what is known.
    fn search(
        &mut self,
        number: usize,
        depth: usize,
        accept: &Filter<'_>,
        known: &mut [BTreeMap<Document, f64>],
        work: &mut Work,
    ) -> Result<(), Error> {
        let source = &mut self.sources[number];
        let hits = work.timed(self.names[number], |work| source.top(depth, accept, work))?;
        known[number].extend(hits.into_iter().map(|hit| (hit.document, hit.score)));
        Ok(())
    }

    /// Adds posts of a source that knows too many to have all scored by the others: its own best, and of all
    /// that it has and of the best that it has those that the others score highest.
    fn search_in_many(
        &mut self,
        number: usize,
        depth: usize,
        accept: &Filter<'_>,
        known: &mut [BTreeMap<Document, f64>],
        work: &mut Work,
    ) -> Result<(), Error> {
        self.search(number, depth, accept, known, work)?;
        let listed = self.sources[number].listed().map(Arc::clone).unwrap_or_default();
        let highest = listed.values().copied().fold(f64::NEG_INFINITY, f64::max);
        for (depth, least) in [(BEST_BY_OTHERS, f64::NEG_INFINITY), (BEST_OF_BEST, highest)] {
            let accept = |document: Document| {
                listed.get(&document).is_some_and(|score| *score >= least) && accept(document)
            };
            for other in (0..self.sources.len()).filter(|other| *other != number) {
                self.search(other, depth, &accept, known, work)?;
            }
        }
        Ok(())
    }

    /// Scores the first hits anew and brings them into their new order; the others stay below.
    fn rerank(&mut self, number: usize, hits: &mut [Hit], work: &mut Work) -> Result<(), Error> {
        let Scorer { rerank, scorer, scores } = &mut self.scorers[number];
        let depth = rerank.depth.min(hits.len());
        let documents: Vec<Document> = hits[..depth].iter().map(|hit| hit.document).collect();
        let new = scorer.score(&documents, work)?;
        let (first, others) = hits.split_at_mut(new.len().min(depth));
        for (hit, score) in first.iter_mut().zip(new) {
            let score = rerank.weight * score;
            scores.insert(hit.document, score);
            hit.reranked |= 1 << number;
            match rerank.mix {
                Mix::Add => hit.score += score,
                Mix::Replace => hit.score = score,
            }
        }
        sort(first);
        let lowest = first.last().map_or(f64::INFINITY, |hit| hit.score);
        let highest = others.first().map_or(f64::NEG_INFINITY, |hit| hit.score);
        match rerank.mix {
            // What lost score may be worth less than what was not looked at.
            Mix::Add if lowest < highest => sort(hits),
            Mix::Add => {}
            Mix::Replace if lowest.is_finite() => {
                for hit in others {
                    hit.score = lowest - 1.0 + hit.score / highest.max(f64::MIN_POSITIVE) * 0.999;
                }
            }
            Mix::Replace => {}
        }
        Ok(())
    }
}
