//! The clauses of a part: a query's terms, their posting lists in each segment, and their scorers.

use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::model::{Model, ModelScorer, TermStatistics, Totals};
use crate::norms::{DocumentNorms, Measured, Returned};
use crate::query::Query;
use crate::system::{Part, PostStage, Statistics, Terms};
use index::top::{ByDocument, Clause, Counted, Member, Spread};
use index::{Document, FeatureKind, Field, word_key};
use std::collections::BTreeMap;
use std::sync::Arc;
use text::Stemmer;

/// A term of a query.
#[derive(Clone, Debug)]
pub(super) struct Term {
    /// What it is called in explanations.
    pub(super) name: String,
    pub(super) kind: TermKind,
    pub(super) key: u64,
    /// How often it counts in the query.
    pub(super) frequency: f64,
}

/// Terms of one kind with the same key are the same term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TermKind {
    /// A word, in a text or in the LaTeX of a formula.
    Word,
    /// A feature of formulas.
    Feature(FeatureKind),
}

impl TermKind {
    pub(super) fn of(field: Field) -> Self {
        match field {
            Field::Words(_) | Field::Source(_) | Field::Symbols(_) => Self::Word,
            Field::Math(kind) => Self::Feature(kind),
        }
    }

    /// How much terms of this kind count in a part.
    fn weight(self, part: &Part) -> f64 {
        let terms = match self {
            Self::Word => Terms::Words,
            Self::Feature(kind) => Terms::Math(kind),
        };
        part.weights.get(&terms).copied().unwrap_or(1.0)
    }
}

/// A term that is in the index, as it counts.
struct Weighed<'e> {
    term: Term,
    weight: f64,
    /// The weight and the idf of the term: what decides which are kept.
    importance: f64,
    statistics: TermStatistics,
    /// Its lists in each segment.
    lists: Vec<Vec<Member<'e>>>,
}

impl Weighed<'_> {
    /// How long its lists are together.
    fn postings(&self) -> f64 {
        self.lists.iter().flatten().map(|member| f64::from(member.list.len())).sum()
    }
}

/// A part, ready to be searched for.
#[derive(Clone)]
pub(super) struct PartQuery<'e> {
    pub(super) terms: Vec<Term>,
    /// Whether each is searched for, or counts only for what others find.
    pub(super) searched: Vec<bool>,
    scorers: Vec<ModelScorer>,
    pub(super) segments: Vec<SegmentQuery<'e>>,
}

/// Which terms of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// Those that are searched for.
    Searched,
    /// All.
    All,
}

/// A part in one segment.
#[derive(Clone)]
pub(super) struct SegmentQuery<'e> {
    /// For each clause the number of its term.
    pub(super) terms: Vec<usize>,
    members: Vec<Vec<Member<'e>>>,
    pub(super) norms: Arc<DocumentNorms>,
}

impl SegmentQuery<'_> {
    /// Its clauses, their scores multiplied by a factor: all, or those that are searched for.
    pub(super) fn clauses<'q>(
        &'q self,
        part: &'q PartQuery<'_>,
        factor: f32,
        which: Which,
    ) -> Vec<Clause<'q, ModelScorer, ByDocument<'q>>> {
        let wanted = |term: &usize| which == Which::All || part.searched[*term];
        let clause = |(term, members): (&usize, &Vec<Member<'q>>)| Clause {
            members: members.clone(),
            scorer: part.scorers[*term].times(factor),
            norms: ByDocument { norms: &self.norms.norms, least: &self.norms.least },
            level: self.norms.level,
        };
        self.terms.iter().zip(&self.members).filter(|(term, _)| wanted(term)).map(clause).collect()
    }
}

impl Engine {
    /// Makes a part ready.
    pub(super) fn part(
        &self,
        part: &Part,
        stage: &PostStage,
        query: &Query,
        work: &mut Work,
    ) -> Result<PartQuery<'_>, Error> {
        let mut terms = self.terms_of(part, stage, query, work);
        let mut ready = self.search_for(part, stage, &terms, work)?;
        if let Some(feedback) = part.feedback {
            terms = self.feed_back(part, stage, &ready, &terms, feedback, work)?;
            ready = self.search_for(part, stage, &terms, work)?;
        }
        Ok(ready)
    }

    /// Opens the posting lists of terms and makes their scorers.
    fn search_for(
        &self,
        part: &Part,
        stage: &PostStage,
        terms: &[Term],
        work: &mut Work,
    ) -> Result<PartQuery<'_>, Error> {
        let measured = measured(part);
        let returned = self.returned(stage.returns, work)?;
        let kind = (stage.returns, &*returned);
        let norms = self.norms.of_posts(&self.index, part, &measured, kind, work)?;
        let of_returned =
            norms.first().map_or(Totals { documents: 0.0, mean_length: 0.0 }, |norms| norms.totals);
        let totals = match part.statistics {
            Statistics::Posts => Totals { documents: f64::from(self.index.num_posts()), ..of_returned },
            Statistics::Documents => of_returned,
        };
        let mut weighed = self.weigh(part, stage, terms, &measured, totals, work)?;
        if let Some(keywords) = part.keywords {
            weighed.sort_by(|left, right| right.importance.total_cmp(&left.importance));
            weighed.truncate(keywords);
            weighed.sort_by_key(|weighed| (weighed.term.kind, weighed.term.key));
        }
        if matches!(part.model, Model::TfIdfCosine(_)) {
            // The query's vector has length one, then the part counts as it says.
            let squares: f64 = weighed.iter().map(|weighed| weighed.importance * weighed.importance).sum();
            let length = libm::sqrt(squares).max(f64::MIN_POSITIVE);
            weighed.iter_mut().for_each(|weighed| weighed.weight *= part.weight / length);
        }
        let mut longest = f64::INFINITY;
        if let Some(budget) = stage.budget {
            let mut lengths: Vec<f64> = weighed.iter().map(Weighed::postings).collect();
            lengths.sort_by(f64::total_cmp);
            let searched = budget.allows(lengths.iter().copied(), f64::from(self.index.num_posts()));
            longest = lengths.get(searched.wrapping_sub(1)).copied().unwrap_or(longest);
        }
        let segment = |norms| SegmentQuery { terms: Vec::new(), members: Vec::new(), norms };
        let mut ready = PartQuery {
            terms: Vec::new(),
            searched: Vec::new(),
            scorers: Vec::new(),
            segments: norms.into_iter().map(segment).collect(),
        };
        for weighed in weighed {
            let place = ready.terms.len();
            ready.searched.push(weighed.postings() <= longest);
            let Weighed { term, weight, statistics, lists, .. } = weighed;
            ready.scorers.push(part.model.term(weight, term.frequency, statistics, totals));
            ready.terms.push(term);
            for (segment, members) in ready.segments.iter_mut().zip(lists) {
                if !members.is_empty() {
                    segment.terms.push(place);
                    segment.members.push(members);
                }
            }
        }
        Ok(ready)
    }

    /// The terms that are in the index, with their weights in the query.
    fn weigh(
        &self,
        part: &Part,
        stage: &PostStage,
        terms: &[Term],
        measured: &[Measured],
        totals: Totals,
        work: &mut Work,
    ) -> Result<Vec<Weighed<'_>>, Error> {
        let every_own = every_own(measured);
        let returned = self.returned(stage.returns, work)?;
        let counted_in = match part.statistics {
            Statistics::Posts => format!("{every_own:?} {:?}", part.stem),
            Statistics::Documents => format!("{measured:?} {:?} {:?}", part.stem, stage.returns),
        };
        let mut weighed = Vec::new();
        for term in terms {
            let lists: Vec<Vec<Member<'_>>> = (0..self.index.segments().len())
                .map(|segment| self.members(segment, part, term, measured))
                .collect();
            let way = word_key(&format!("{:?} {counted_in}", term.kind));
            let statistics = self.terms.statistics((way, term.key), || {
                self.count(part, term, &every_own, &lists, &returned, work)
            })?;
            let idf = part.model.idf(statistics, totals);
            if statistics.documents > 0.0 && idf > 0.0 {
                let frequency = match part.saturation {
                    Some(slowness) => (slowness + 1.0) * term.frequency / (slowness + term.frequency),
                    None => term.frequency,
                };
                let weight =
                    part.weight * term.kind.weight(part) * frequency * libm::pow(idf, part.idf_power);
                let (term, importance) = (term.clone(), weight * idf);
                weighed.push(Weighed { term, weight, importance, statistics, lists });
            }
        }
        Ok(weighed)
    }

    /// Counts the documents that have a term.
    fn count(
        &self,
        part: &Part,
        term: &Term,
        every_own: &[Measured],
        lists: &[Vec<Member<'_>>],
        returned: &Returned,
        work: &mut Work,
    ) -> Result<TermStatistics, Error> {
        let mut statistics = TermStatistics { documents: 0.0, occurrences: 0.0 };
        for (number, (segment, members)) in self.index.segments().iter().zip(lists).enumerate() {
            let space = segment.posts.space();
            let counted = match part.statistics {
                Statistics::Posts => {
                    let own = self.members(number, part, term, every_own);
                    let whole = segment.live() == segment.posts.documents();
                    match &own[..] {
                        [one] if whole && !part.model.counts_occurrences() => {
                            Counted { documents: one.list.len(), occurrences: 0.0 }
                        }
                        _ => work.searcher.count(&own, &space, |doc| segment.is_live(doc)),
                    }
                }
                Statistics::Documents => work
                    .searcher
                    .count(members, &space, |doc| returned.has(Document { segment: number, doc })),
            };
            statistics.documents += f64::from(counted.documents);
            statistics.occurrences += counted.occurrences;
        }
        // What was counted in part would be remembered as the whole.
        if work.searcher.is_cut_short() { Err(Error::Stopped) } else { Ok(statistics) }
    }

    /// The lists of a term in a segment.
    fn members(&self, segment: usize, part: &Part, term: &Term, measured: &[Measured]) -> Vec<Member<'_>> {
        let posts = &self.index.segments()[segment].posts;
        let mut members = Vec::new();
        let stemmer = if term.kind == TermKind::Word { part.stem } else { Stemmer::None };
        for (field, spread, factor) in measured.iter().filter(|(field, ..)| TermKind::of(*field) == term.kind)
        {
            let Some(postings) = posts.postings(*field) else { continue };
            let keys = std::iter::once(term.key).chain(posts.words_of_stem(stemmer, term.key));
            for list in keys.filter_map(|key| postings.find(key)) {
                members.push(Member { list, factor: *factor as f32, spread: *spread });
            }
        }
        members
    }
}

/// The fields that a part looks into, by their names in the index.
pub(super) fn fields(part: &Part) -> impl Iterator<Item = Field> {
    measured(part).into_iter().map(|(field, ..)| field)
}

/// The fields that a part looks into.
fn measured(part: &Part) -> Vec<Measured> {
    let fields = |names: &BTreeMap<String, f64>, spread: Spread| -> Vec<Measured> {
        let each = |(name, factor): (&String, &f64)| {
            part.fields(name).into_iter().map(move |field| (field, spread, *factor)).collect::<Vec<_>>()
        };
        names.iter().flat_map(each).collect()
    };
    let mut measured = fields(&part.own, Spread::Own);
    measured.extend(fields(&part.question, Spread::Answers));
    measured
}

/// All fields of the same sorts, each once, as a post's own: what statistics of posts are made of.
fn every_own(measured: &[Measured]) -> Vec<Measured> {
    use index::Part::{Body, Tags, Title};
    let mut all: Vec<Field> = Vec::new();
    for (field, ..) in measured {
        match field {
            Field::Words(_) => all.extend([Title, Body, Tags].map(Field::Words)),
            Field::Source(_) => all.extend([Title, Body].map(Field::Source)),
            Field::Symbols(_) => all.extend([Title, Body].map(Field::Symbols)),
            Field::Math(_) => all.push(*field),
        }
    }
    all.sort_unstable();
    all.dedup();
    all.into_iter().map(|field| (field, Spread::Own, 1.0)).collect()
}
