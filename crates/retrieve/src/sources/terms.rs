//! Posts by their terms: groups of weighted disjunctions over the inverted index, added up.

mod clauses;
mod feedback;
mod query;
mod vectors;

pub(crate) use query::chosen;
pub(crate) use vectors::{answers, lengths as vector_lengths};

use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::{Clue, ClueKind, Hit};
use crate::model::ModelScorer;
use crate::norms::Returned;
use crate::pipeline::find::step;
use crate::pipeline::need::Need;
use crate::pipeline::stage::{Filter, LookedFor, OpenPostSource, PostSource};
use crate::query::Query;
use crate::sources::sort;
use crate::system::{Normalise, Part, PostStage, Returns, Terms};
use clauses::{PartQuery, TermKind, Which};
use index::Document;
use index::top::{ByDocument, Clause, Found, Spread, TermScorer};
use std::borrow::Cow;
use std::sync::Arc;
use store::PostKind;
use text::{Stemmer, StopWords, Tokenizer};

/// Where common terms are not searched for, they count for so many documents if only the best score is wanted.
const COMPLETED_FOR_BEST: usize = 200;

/// Searches for terms of a query.
#[derive(Clone, Debug)]
pub(crate) struct TermSearch {
    stage: PostStage,
}

/// The parts of a group, ready to be searched for.
pub(crate) struct GroupQuery<'e> {
    name: String,
    parts: Vec<PartQuery<'e>>,
    /// What its score is multiplied with.
    factor: f32,
}

/// A search for terms, ready for a query.
struct OpenTerms<'q> {
    engine: &'q Engine,
    groups: Vec<GroupQuery<'q>>,
    looked_for: LookedFor,
}

impl TermSearch {
    pub(crate) fn new(stage: &PostStage) -> Self {
        Self { stage: stage.clone() }
    }

    /// The parts, each with its place.
    fn parts(&self) -> impl Iterator<Item = ((usize, usize), &Part)> {
        let groups = self.stage.groups.iter().enumerate();
        groups.flat_map(|(group, parts)| {
            parts.parts.iter().enumerate().map(move |(place, part)| ((group, place), part))
        })
    }

    /// What is looked for: the words of the first part that looks for words, and formulas as the first part
    /// that looks for formulas chooses them.
    fn looked_for(&self, groups: &[GroupQuery<'_>]) -> LookedFor {
        let words = self.parts().find(|(_, part)| part.terms.contains(&Terms::Words));
        let words = words.map(|((group, place), part)| {
            let terms = groups[group].parts[place].terms.iter();
            let keys = terms.filter(|term| term.kind == TermKind::Word).map(|term| term.key);
            (part.stem, keys.collect())
        });
        let has_formulas = |part: &Part| part.terms.iter().any(|terms| matches!(terms, Terms::Math(_)));
        let formulas = self.parts().find(|(_, part)| has_formulas(part)).map(|(_, part)| part.formulas);
        LookedFor { words, formulas }
    }

    /// The stage for a query. Someone who gives stop words alone means them.
    fn stage_for(&self, query: &Query) -> Cow<'_, PostStage> {
        let stop = self.words().map_or(StopWords::None, |(_, stop)| stop);
        if stop != StopWords::None && has_stop_words_alone(query, stop) {
            let mut stage = self.stage.clone();
            let parts = stage.groups.iter_mut().flat_map(|group| &mut group.parts);
            for part in parts.filter(|part| part.terms.contains(&Terms::Words)) {
                part.stop = StopWords::None;
            }
            return Cow::Owned(stage);
        }
        Cow::Borrowed(&self.stage)
    }
}

/// Whether a query has words, and stop words only.
fn has_stop_words_alone(query: &Query, stop: StopWords) -> bool {
    let (mut words, mut others) = (0, 0);
    let mut tokenizer = Tokenizer::default();
    let tags = query.tags.iter().map(String::as_str);
    for text in [query.title.text.as_str(), &query.body.text].into_iter().chain(tags) {
        tokenizer.tokenize(text, |word| {
            words += 1;
            others += usize::from(!stop.contains(word.term));
        });
        if others > 0 {
            return false;
        }
    }
    words > 0
}

impl PostSource for TermSearch {
    fn name(&self) -> &'static str {
        "terms"
    }

    fn needs(&self) -> Vec<Need> {
        let parts = self.stage.groups.iter().flat_map(|group| &group.parts);
        parts.flat_map(clauses::fields).map(Need::Field).collect()
    }

    fn words(&self) -> Option<(Stemmer, StopWords)> {
        let mut parts = self.parts().map(|(_, part)| part);
        parts.find(|part| part.terms.contains(&Terms::Words)).map(|part| (part.stem, part.stop))
    }

    fn open<'q>(
        &'q self,
        engine: &'q Engine,
        query: &'q Query,
        work: &mut Work,
    ) -> Result<Box<dyn OpenPostSource + 'q>, Error> {
        engine.ensure(&self.needs())?;
        let query = query.searched();
        let groups = engine.groups(&self.stage_for(query), query, work)?;
        let looked_for = self.looked_for(&groups);
        Ok(Box::new(OpenTerms { engine, groups, looked_for }))
    }
}

impl OpenPostSource for OpenTerms<'_> {
    fn top(&mut self, depth: usize, accept: &Filter<'_>, work: &mut Work) -> Result<Vec<Hit>, Error> {
        Ok(self.engine.search_groups(&self.groups, (depth, step(depth)), accept, work))
    }

    fn score(&mut self, documents: &[Document], work: &mut Work) -> Result<Vec<f64>, Error> {
        let mut scores = vec![0.0; documents.len()];
        for (number, segment) in self.engine.index.segments().iter().enumerate() {
            let mut places: Vec<(u32, usize)> = documents
                .iter()
                .enumerate()
                .filter(|(_, document)| document.segment == number)
                .map(|(place, document)| (document.doc, place))
                .collect();
            places.sort_unstable();
            let mut found: Vec<Found> =
                places.iter().map(|(doc, _)| Found { doc: *doc, score: 0.0 }).collect();
            let clauses = clauses_of(&self.groups, number, Which::All);
            work.searcher.rescore(&clauses, &segment.posts.space(), &mut found);
            for Found { doc, score } in found {
                let first = places.partition_point(|(known, _)| *known < doc);
                for (_, place) in places[first..].iter().take_while(|(known, _)| *known == doc) {
                    scores[*place] = score;
                }
            }
        }
        if work.searcher.is_cut_short() { Err(Error::Stopped) } else { Ok(scores) }
    }

    fn explain(&mut self, document: Document, work: &mut Work) -> Result<Vec<Clue>, Error> {
        Ok(self.engine.explain_by_groups(&self.groups, document, work))
    }

    fn looked_for(&self) -> LookedFor {
        self.looked_for.clone()
    }
}

/// The clauses of all groups in a segment.
fn clauses_of<'q>(
    groups: &'q [GroupQuery<'_>],
    segment: usize,
    which: Which,
) -> Vec<Clause<'q, ModelScorer, ByDocument<'q>>> {
    let mut clauses = Vec::new();
    for group in groups {
        for part in &group.parts {
            clauses.extend(part.segments[segment].clauses(part, group.factor, which));
        }
    }
    clauses
}

impl Engine {
    /// What each term brings to the score of a post.
    fn explain_by_groups(&self, groups: &[GroupQuery<'_>], document: Document, work: &mut Work) -> Vec<Clue> {
        let mut clues = Vec::new();
        for group in groups {
            for part in &group.parts {
                let segment = &part.segments[document.segment];
                let space = self.index.segments()[document.segment].posts.space();
                for (clause, term) in
                    segment.clauses(part, group.factor, Which::All).iter().zip(&segment.terms)
                {
                    let frequency = work.searcher.frequency(&clause.members, &space, document.doc);
                    if frequency > 0.0 {
                        let norm = segment.norms.norms[document.doc as usize];
                        let own = clause.members.iter().all(|member| member.spread == Spread::Own);
                        clues.push(Clue {
                            group: group.name.clone(),
                            place: if own { "post" } else { "question" },
                            term: part.terms[*term].name.clone(),
                            kind: match part.terms[*term].kind {
                                TermKind::Word => ClueKind::Word,
                                TermKind::Feature(_) => ClueKind::Formula,
                            },
                            frequency,
                            score: f64::from(clause.scorer.score(frequency, norm)),
                        });
                    }
                }
            }
        }
        clues
    }

    /// Makes the groups of a system ready, with what their scores are divided by.
    fn groups(
        &self,
        stage: &PostStage,
        query: &Query,
        work: &mut Work,
    ) -> Result<Vec<GroupQuery<'_>>, Error> {
        let mut groups = Vec::new();
        for group in &stage.groups {
            let mut parts = Vec::new();
            for part in &group.parts {
                parts.push(self.part(part, stage, query, work)?);
            }
            let mut ready = GroupQuery { name: group.name.clone(), parts, factor: 1.0 };
            let highest = match group.normalise {
                Normalise::None => 1.0,
                Normalise::Max => {
                    let returned = self.returned(stage.returns, work)?;
                    let accept = |document| returned.has(document);
                    let wanted = (1, COMPLETED_FOR_BEST);
                    let best = self.search_groups(std::slice::from_ref(&ready), wanted, &accept, work);
                    best.first().map_or(1.0, |hit| hit.score)
                }
            };
            ready.factor = (group.weight / highest.max(f64::MIN_POSITIVE)) as f32;
            groups.push(ready);
        }
        Ok(groups)
    }

    /// The best `depth` documents that are accepted, by the sum of groups; where common terms are not searched
    /// for, the best of so many by the others.
    fn search_groups(
        &self,
        groups: &[GroupQuery<'_>],
        (depth, completed): (usize, usize),
        accept: &Filter<'_>,
        work: &mut Work,
    ) -> Vec<Hit> {
        let mut hits = Vec::new();
        for (number, segment) in self.index.segments().iter().enumerate() {
            let clauses = |which: Which| clauses_of(groups, number, which);
            let accept = |doc: u32| accept(Document { segment: number, doc });
            let space = segment.posts.space();
            let complete =
                groups.iter().flat_map(|group| &group.parts).all(|part| !part.searched.contains(&false));
            let wanted = if complete { depth } else { completed.max(depth) };
            let mut found = work.searcher.top(&clauses(Which::Searched), &space, wanted, accept);
            if !complete {
                let by_rare_terms = found.clone();
                work.searcher.rescore(&clauses(Which::All), &space, &mut found);
                if work.searcher.is_cut_short() {
                    found = by_rare_terms;
                }
                found.truncate(depth);
            }
            let hit = |Found { doc, score }| self.hit(Document { segment: number, doc }, score);
            hits.extend(found.into_iter().map(hit));
        }
        if self.index.segments().len() > 1 {
            sort(&mut hits);
            hits.truncate(depth);
        }
        hits
    }

    /// The documents that are returned.
    pub(crate) fn returned(&self, returns: Returns, work: &mut Work) -> Result<Arc<Returned>, Error> {
        let has_answers =
            self.index.sources().iter().any(|source| source.collection.about().counts.answers > 0);
        let is_returned = |document| self.is_returned(document, returns, has_answers);
        self.terms.returned(&self.index, returns, work, is_returned)
    }

    /// Whether a document is what is asked for. Where there are no answers at all, documents take their place.
    fn is_returned(&self, document: Document, returns: Returns, has_answers: bool) -> bool {
        let kind = || {
            let (source, post) = self.index.post(document);
            source.collection.post_facts(post).kind
        };
        match returns {
            Returns::Posts => true,
            Returns::Answers => {
                let posts = &self.index.segments()[document.segment].posts;
                posts.parent(document.doc).is_some()
                    || match kind() {
                        PostKind::Answer => true,
                        PostKind::Document => !has_answers,
                        PostKind::Question => false,
                    }
            }
            Returns::Questions => kind() == PostKind::Question,
        }
    }
}
