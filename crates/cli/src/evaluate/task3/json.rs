//! Scores of Task 3 as JSON: an object for each run.

use super::against::Against;
use super::entries::Entry;
use super::matched::Matched;
use super::print::Shown;
use super::{Scored, Similar};
use super::{claims, indicators};
use crate::run_record;
use anyhow::{Context, Result};
use eval::task3::{Match, MatchKind, MeanOver, NamedSource, Relevance, Share};
use formats::TopicId;
use serde_json::{Map, Value, json};

/// Everything there is about every run.
pub(super) fn array(shown: &Shown<'_>, against: Option<&Against>, every_topic: bool) -> Result<String> {
    let runs = shown.entries.iter().zip(shown.scored).enumerate();
    let objects: Vec<Value> = runs
        .map(|(run, (entry, scored))| {
            let mut object = object(shown, entry, scored);
            if let Some(against) = against.and_then(|against| against.json(shown.entries, run)) {
                object["against"] = against;
            }
            if every_topic {
                add_topics(&mut object, entry, scored);
            }
            object
        })
        .collect();
    let mut out = serde_json::to_string_pretty(&objects).context("writing JSON")?;
    out.push('\n');
    Ok(out)
}

fn object(shown: &Shown<'_>, entry: &Entry, scored: &Scored) -> Value {
    let best = shown.best;
    let mut object = json!({
        "run": entry.name,
        "topics": scored.topics(),
        "measures": pairs(scored.measures()),
        "averaged_over": best.mean_over.to_string(),
        "highest": { "AR": best.ar(), "P@1": best.p_at_1().value() },
    });
    let left_out: Vec<String> = scored.relevance.left_out().map(|topic| topic.topic.to_string()).collect();
    object["left_out"] = json!(left_out);
    run_record::add_to(&mut object, &entry.models);
    object["judged"] = share(scored.relevance.judged());
    for (name, mean_over) in
        [("unjudged_as_zero", MeanOver::JudgedTopics), ("judged_only", MeanOver::JudgedAnswers)]
    {
        object[name] = means(&scored.relevance.over(mean_over));
    }
    object["topics_not_judged"] = json!(scored.topics_not_judged());
    if let Some(matched) = Matched::of(entry, &scored.relevance, shown.qrels) {
        let mut value = share(matched.judged());
        value["found"] = share(matched.found());
        value["whole"] = json!(matched.whole);
        value["excerpts"] = json!(matched.excerpts);
        value["none"] = json!(matched.none);
        value["not_judged"] = json!(matched.not_judged);
        value["named_but_differs"] = json!(matched.named_but_differs);
        value["several_grades"] = json!(matched.several_grades);
        value["rule"] = json!(shown.rule.to_string());
        object["matched"] = value;
    }
    for similar in &scored.similar {
        object[similar.score.measure.as_str()] = similarity(similar);
    }
    if let Some(flags) = &scored.flags {
        object["MG"] = share(flags.machine_generated);
        object["UI"] = share(flags.unrelated_information);
    }
    if let Some(indicators) = &scored.indicators {
        object["indicators"] = indicators::json(indicators);
    }
    if let Some(claims) = &scored.claims {
        object["claims"] = claims::json(claims);
    }
    object
}

fn similarity(similar: &Similar) -> Value {
    let score = &similar.score;
    let rules: Map<String, Value> =
        score.rules.iter().map(|rule| (rule.name.to_owned(), json!(rule.value))).collect();
    json!({
        "measure": score.measure,
        "rules": rules,
        "topics": score.num_topics(),
        "references_left_out": similar.removed,
        "with_all_references": similar.all.as_ref().unwrap_or(score).mean(),
    })
}

fn means(relevance: &Relevance) -> Value {
    json!({
        "topics": relevance.num_topics(), "AR": relevance.ar(), "P@1": relevance.p_at_1().value(),
    })
}

fn share(share: Share) -> Value {
    json!({ "count": share.count, "of": share.total, "share": share.value() })
}

fn pairs(values: Vec<(String, f64)>) -> Value {
    values.into_iter().map(|(name, value)| (name, json!(value))).collect::<Map<_, _>>().into()
}

fn add_topics(object: &mut Value, entry: &Entry, scored: &Scored) {
    let topics = scored.per_topic().into_iter();
    object["per_topic"] =
        topics.map(|(topic, values)| (topic.to_string(), pairs(values))).collect::<Map<_, _>>().into();
    if let Some(matches) = entry.matches() {
        let one = |(topic, found): (&TopicId, &Match)| (topic.to_string(), found_post(found));
        object["matches"] = matches.iter().map(one).collect::<Map<_, _>>().into();
    }
}

fn found_post(found: &Match) -> Value {
    let (kind, share_of_post) = match found.kind {
        MatchKind::Whole => ("whole", Some(1.0)),
        MatchKind::Excerpt { share_of_post } => ("excerpt", Some(share_of_post)),
        MatchKind::None => ("none", None),
    };
    let named = match found.named {
        NamedSource::None => "none",
        NamedSource::Agrees => "agrees",
        NamedSource::Differs => "differs",
    };
    json!({
        "post": found.post, "kind": kind, "share_of_post": share_of_post, "others": found.others,
        "named_source": named,
    })
}
