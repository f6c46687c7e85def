//! The record of a choice of topics: options, funnel, what was left out, and the balance, as JSON.

use super::{Elements, Topics, print::totals};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use topics::balance::{DimensionKind, balance};
use topics::near::Alike;
use topics::{Candidates, Chosen, Plan};

impl Topics {
    /// The record as text.
    pub(super) fn record(
        &self,
        plan: &Plan<'_>,
        candidates: &Candidates,
        chosen: &Chosen<'_>,
    ) -> Result<String> {
        let funnel = candidates.funnel.steps();
        let funnel = funnel.map(
            |(criterion, fell, left)| json!({"criterion": criterion.name(), "fell": fell, "left": left}),
        );
        let known = &candidates.known;
        let left_out = candidates.left_out.iter().filter_map(|question| {
            let earlier = plan.earlier.get(question.earlier)?;
            let share = match question.why {
                Alike::Traits(share) => Some(share),
                _ => None,
            };
            Some(json!({
                "question": question.question,
                "title": question.title,
                "earlier_topic": earlier.topic,
                "file": earlier.file,
                "reason": question.why.to_string(),
                "share": share,
            }))
        });
        let lowered = candidates.list.iter().filter(|candidate| candidate.nearest.is_some()).count();
        let record = json!({
            "options": self.options(),
            "questions": candidates.funnel.questions,
            "funnel": funnel.collect::<Vec<Value>>(),
            "candidates": candidates.list.len(),
            "topics": chosen.topics.len(),
            "passed_over": {"shared_duplicate": chosen.shared, "like_a_topic": chosen.alike},
            "known": {
                "questions": known.questions,
                "score": known.score,
                "answers": known.answers,
                "comments": known.comments,
                "views": known.views,
            },
            "earlier": {
                "topics": plan.earlier.len(),
                "left_out": left_out.collect::<Vec<Value>>(),
                "lowered": lowered,
            },
            "balance": balance_of(candidates, chosen),
        });
        let mut text = serde_json::to_string_pretty(&record).context("writing JSON")?;
        text.push('\n');
        Ok(text)
    }

    fn options(&self) -> Value {
        json!({
            "collection": self.collection,
            "from": self.from,
            "since": self.since.map(|date| date.to_string()),
            "until": self.until.map(|date| date.to_string()),
            "count": self.count,
            "seed": self.seed,
            "earlier": self.earlier,
            "alike": self.alike,
            "labels": self.labels,
            "elements": match self.elements {
                Elements::Query => "query",
                Elements::Question => "question",
            },
            "terms": [self.min_terms, self.max_terms],
            "formulas": [self.min_formulas, self.max_formulas],
            "min_score": self.min_score,
            "min_answers": self.min_answers,
            "min_comments": self.min_comments,
            "min_views": self.min_views,
        })
    }
}

/// The balance, before the choice and after.
fn balance_of(candidates: &Candidates, chosen: &Chosen<'_>) -> Vec<Value> {
    let dimensions = balance(&candidates.list, chosen);
    let [all, topics] = totals(&dimensions);
    let share = |count: usize, all: usize| (all > 0).then(|| count as f64 / all as f64);
    let value = |value: &topics::balance::Share| {
        json!({
            "value": value.value,
            "candidates": value.candidates,
            "candidate_share": share(value.candidates, all),
            "topics": value.topics,
            "topic_share": share(value.topics, topics),
        })
    };
    let dimensions = dimensions.iter().map(|dimension| {
        let evenness = dimension.evenness();
        json!({
            "dimension": dimension.name,
            "stratum": dimension.kind == DimensionKind::Stratum,
            "values": dimension.values.iter().map(value).collect::<Vec<Value>>(),
            "candidate_evenness": evenness.map(|evenness| evenness.candidates),
            "topic_evenness": evenness.map(|evenness| evenness.topics),
        })
    });
    dimensions.collect()
}
