//! Posts ranked: groups of weighted disjunctions, added up; then formulas that were found, nearness, links.

mod by_formulas;
mod clauses;
mod feedback;
mod linked;
mod near;
mod norms;
mod terms;
mod vectors;

pub(crate) use norms::{NormCache, Returned, TermCache};

use crate::engine::{Engine, Memory};
use crate::error::Error;
use crate::hits::{Clue, Hit, Why};
use crate::model::TermWorth;
use crate::query::Query;
use crate::system::{Normalise, PostStage, Returns, System};
use by_formulas::Gain;
use clauses::{PartQuery, Which};
use collection::DocId;
use index::Document;
use index::top::{ByDocument, Clause, Found, Spread, Worth};
use near::Sought;
use std::sync::Arc;
use store::PostKind;

/// Where common terms are not searched for, they count for so many documents at least.
const COMPLETED: usize = 200;

/// Restricts what is found, beyond what the system returns.
pub type Filter<'f> = dyn Fn(Document) -> bool + 'f;

/// The parts of a group, ready to be searched for.
pub(crate) struct GroupQuery<'s, 'e> {
    name: &'s str,
    parts: Vec<PartQuery<'e>>,
    /// What its score is multiplied with.
    factor: f32,
}

/// All that a system ranks posts by, for a query.
struct Ready<'s, 'e> {
    groups: Vec<GroupQuery<'s, 'e>>,
    gains: Option<Vec<Gain>>,
    sought: Option<Sought>,
}

/// The clauses of all groups in a segment.
fn clauses_of<'q>(
    groups: &'q [GroupQuery<'_, '_>],
    segment: usize,
    which: Which,
) -> Vec<Clause<'q, TermWorth, ByDocument<'q>>> {
    let mut clauses = Vec::new();
    for group in groups {
        for part in &group.parts {
            clauses.extend(part.segments[segment].clauses(part, group.factor, which));
        }
    }
    clauses
}

impl Engine {
    /// Ranks posts by a system: the best `depth` that pass the filter, best first.
    ///
    /// # Errors
    ///
    /// When the index lacks a field that the system needs.
    pub fn posts(
        &self,
        system: &System,
        query: &Query,
        depth: usize,
        filter: &Filter<'_>,
    ) -> Result<Vec<Hit>, Error> {
        let stage = post_stage(system)?;
        if let Some(links) = &stage.links {
            return self.linked_posts(links, stage.returns, query, depth, filter);
        }
        self.with_memory(|memory| {
            let ready = self.ready(system, stage, query, memory)?;
            let wanted = stage.proximity.map_or(depth, |near| depth.max(near.depth));
            let mut hits = self.rank_posts(&ready, stage.returns, wanted, filter, memory);
            if let Some(sought) = &ready.sought {
                self.bring_near(sought, &mut hits, memory)?;
            }
            hits.truncate(depth);
            Ok(hits)
        })
    }

    /// Makes ready all that a system ranks posts by.
    fn ready<'s>(
        &self,
        system: &System,
        stage: &'s PostStage,
        query: &Query,
        memory: &mut Memory,
    ) -> Result<Ready<'s, '_>, Error> {
        let groups = self.groups(stage, query, memory)?;
        let gains = match stage.by_formulas {
            Some(by) => Some(self.gains(system, by, query, memory)?),
            None => None,
        };
        let sought = stage.proximity.map(|near| self.sought(stage, near, &groups, query, memory));
        Ok(Ready { groups, gains, sought })
    }

    /// The best by groups and formulas.
    fn rank_posts(
        &self,
        ready: &Ready<'_, '_>,
        returns: Returns,
        depth: usize,
        filter: &Filter<'_>,
        memory: &mut Memory,
    ) -> Vec<Hit> {
        let hits = self.search_groups(&ready.groups, returns, depth, filter, memory);
        match &ready.gains {
            None => hits,
            Some(gains) => self.add_gains(hits, gains, &ready.groups, (returns, depth), filter, memory),
        }
    }

    /// Why a post has the score that a system gives it when nothing is filtered.
    ///
    /// # Errors
    ///
    /// As [`Engine::posts`].
    pub fn explain_post(&self, system: &System, query: &Query, document: Document) -> Result<Why, Error> {
        let stage = post_stage(system)?;
        if let Some(links) = &stage.links {
            return self.explain_link(links, query, document);
        }
        self.with_memory(|memory| {
            let ready = self.ready(system, stage, query, memory)?;
            let mut why = self.explain_by_groups(&ready.groups, document, memory);
            why.clues.extend(by_formulas::clues(ready.gains.as_deref().unwrap_or_default(), document));
            if let (Some(sought), Some(near)) = (&ready.sought, stage.proximity) {
                // Only the first are looked at.
                let first = self.rank_posts(&ready, stage.returns, near.depth, &|_| true, memory);
                if first.iter().any(|hit| hit.document == document) {
                    why.clues.extend(self.near_clue(sought, document, memory)?);
                }
            }
            why.clues.sort_by(|left, right| right.worth.total_cmp(&left.worth));
            why.score = why.clues.iter().map(|clue| clue.worth).sum();
            Ok(why)
        })
    }

    /// Why a post has its score.
    pub(crate) fn explain_by_groups(
        &self,
        groups: &[GroupQuery<'_, '_>],
        document: Document,
        memory: &mut Memory,
    ) -> Why {
        let mut clues = Vec::new();
        for group in groups {
            for part in &group.parts {
                let segment = &part.segments[document.segment];
                let space = self.index.segments()[document.segment].posts.space();
                for (clause, term) in
                    segment.clauses(part, group.factor, Which::All).iter().zip(&segment.terms)
                {
                    let frequency = memory.searcher.frequency(&clause.members, &space, document.doc);
                    if frequency > 0.0 {
                        let norm = segment.norms.norms[document.doc as usize];
                        let own = clause.members.iter().all(|member| member.spread == Spread::Own);
                        clues.push(Clue {
                            group: group.name.to_owned(),
                            place: if own { "post" } else { "question" },
                            term: part.terms[*term].name.clone(),
                            frequency,
                            worth: f64::from(clause.worth.worth(frequency, norm)),
                        });
                    }
                }
            }
        }
        clues.sort_by(|left, right| right.worth.total_cmp(&left.worth));
        let score = clues.iter().map(|clue| clue.worth).sum();
        Why { clues, score }
    }

    /// Makes the groups of a system ready, with what their scores are divided by.
    pub(crate) fn groups<'s>(
        &self,
        stage: &'s PostStage,
        query: &Query,
        memory: &mut Memory,
    ) -> Result<Vec<GroupQuery<'s, '_>>, Error> {
        let mut groups = Vec::new();
        for group in &stage.groups {
            let mut parts = Vec::new();
            for part in &group.parts {
                parts.push(self.part(part, stage, query, memory)?);
            }
            let mut ready = GroupQuery { name: &group.name, parts, factor: 1.0 };
            let highest = match group.normalise {
                Normalise::None => 1.0,
                Normalise::Max => {
                    let best =
                        self.search_groups(std::slice::from_ref(&ready), stage.returns, 1, &|_| true, memory);
                    best.first().map_or(1.0, |hit| hit.score)
                }
            };
            ready.factor = (group.weight / highest.max(f64::MIN_POSITIVE)) as f32;
            groups.push(ready);
        }
        Ok(groups)
    }

    pub(crate) fn search_groups(
        &self,
        groups: &[GroupQuery<'_, '_>],
        returns: Returns,
        depth: usize,
        filter: &Filter<'_>,
        memory: &mut Memory,
    ) -> Vec<Hit> {
        let returned = self.returned(returns);
        let mut hits = Vec::new();
        for (number, segment) in self.index.segments().iter().enumerate() {
            let clauses = |which: Which| clauses_of(groups, number, which);
            let accept = |doc: u32| {
                let document = Document { segment: number, doc };
                returned.has(document) && filter(document)
            };
            let space = segment.posts.space();
            let complete =
                groups.iter().flat_map(|group| &group.parts).all(|part| !part.searched.contains(&false));
            let wanted = if complete { depth } else { depth.max(COMPLETED) };
            let mut found = memory.searcher.top(&clauses(Which::Searched), &space, wanted, accept);
            if !complete {
                memory.searcher.rescore(&clauses(Which::All), &space, &mut found);
                found.truncate(depth);
            }
            hits.extend(found.into_iter().map(|Found { doc, score }| {
                let document = Document { segment: number, doc };
                let (source, post) = self.index.post(document);
                Hit { document, id: source.collection.post_id(post).to_string(), score }
            }));
        }
        if self.index.segments().len() > 1 {
            hits.sort_by(|left, right| {
                collection::order::compare((left.score, DocId(&left.id)), (right.score, DocId(&right.id)))
            });
            hits.truncate(depth);
        }
        hits
    }

    /// The documents that are returned.
    pub(crate) fn returned(&self, returns: Returns) -> Arc<Returned> {
        self.terms.returned(&self.index, returns, |document| self.is_returned(document, returns))
    }

    /// Whether a document is what is asked for.
    pub(crate) fn is_returned(&self, document: Document, returns: Returns) -> bool {
        let kind = || {
            let (source, post) = self.index.post(document);
            source.collection.post_facts(post).kind
        };
        match returns {
            Returns::Posts => true,
            Returns::Answers => {
                let posts = &self.index.segments()[document.segment].posts;
                posts.parent(document.doc).is_some() || kind() == PostKind::Answer
            }
            Returns::Questions => kind() == PostKind::Question,
        }
    }
}

pub(crate) fn post_stage(system: &System) -> Result<&PostStage, Error> {
    system.posts.as_ref().ok_or_else(|| {
        let (system, returns, wanted) = (system.name.clone(), "formulas", "posts");
        Error::Other { system, returns, wanted }
    })
}
