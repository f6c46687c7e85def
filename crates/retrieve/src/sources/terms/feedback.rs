//! Pseudo-relevance feedback: terms of the top documents join the query (relevance model 3).
//!
//! The first documents vote for their words, each by its share of all scores:
//!
//! ```text
//! p(w) = Σ score(d)/Σ scores · tf(w, d)/length(d)
//! ```
//!
//! The best of these words are mixed with the query, whose own weights are
//! shares, too: `original · q(w) + (1 − original) · p(w)`.

use super::clauses::{PartQuery, Term, TermKind};
use super::query::words_of;
use super::{COMPLETED_FOR_BEST, GroupQuery};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::system::{Feedback, Part, PostStage};
use post::PostView;
use std::collections::BTreeMap;
use text::Tokenizer;

impl Engine {
    /// The terms of a query, mixed with those of the documents that it finds.
    pub(super) fn feed_back(
        &self,
        part: &Part,
        stage: &PostStage,
        ready: &PartQuery<'_>,
        terms: &[Term],
        feedback: Feedback,
        work: &mut Work,
    ) -> Result<Vec<Term>, Error> {
        let group = GroupQuery { name: String::new(), parts: vec![ready.clone()], factor: 1.0 };
        let returned = self.returned(stage.returns, work)?;
        let wanted = (feedback.documents, COMPLETED_FOR_BEST);
        let hits = self.search_groups(&[group], wanted, &|document| returned.has(document), work);
        let scores: f64 = hits.iter().map(|hit| hit.score).sum();
        let mut tokenizer = Tokenizer::default();
        let mut votes: BTreeMap<u64, (String, f64)> = BTreeMap::new();
        for hit in &hits {
            let (source, post) = self.index.post(hit.document);
            let text = PostView::read(&mut source.collection.reader(), post)?.body.text;
            let mut counts: BTreeMap<u64, (String, f64)> = BTreeMap::new();
            let mut length = 0.0;
            words_of(&text, part, &mut tokenizer, |key, name| {
                counts.entry(key).or_insert_with(|| (name.to_owned(), 0.0)).1 += 1.0;
                length += 1.0;
            });
            for (key, (name, count)) in counts {
                votes.entry(key).or_insert((name, 0.0)).1 += hit.score / scores * count / length;
            }
        }
        let mut best: Vec<(u64, (String, f64))> = votes.into_iter().collect();
        best.sort_by(|left, right| right.1.1.total_cmp(&left.1.1).then(left.0.cmp(&right.0)));
        best.truncate(feedback.terms);
        let total: f64 = terms.iter().map(|term| term.frequency).sum();
        let voted: f64 = best.iter().map(|(_, (_, vote))| vote).sum();
        let mut mixed: Vec<Term> = terms.to_vec();
        for term in &mut mixed {
            term.frequency *= feedback.original / total.max(f64::MIN_POSITIVE);
        }
        for (key, (name, vote)) in best {
            let frequency = (1.0 - feedback.original) * vote / voted.max(f64::MIN_POSITIVE);
            match mixed.iter_mut().find(|term| term.kind == TermKind::Word && term.key == key) {
                Some(term) => term.frequency += frequency,
                None => mixed.push(Term { name, kind: TermKind::Word, key, frequency }),
            }
        }
        Ok(mixed)
    }
}
