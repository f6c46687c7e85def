//! Two runs beside each other for programs: one object that holds everything.

use super::Found;
use anyhow::Result;
use eval::{Item, Likeness, Move, Position, Presence, TopicDiff};
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Object {
    left: RunObject,
    right: RunObject,
    likeness: String,
    same_ranking: bool,
    depth: Option<usize>,
    rbo_p: f64,
    measure: Option<String>,
    topics: Counts,
    means: Means,
    change: Option<ChangeObject>,
    per_topic: Vec<TopicObject>,
}

#[derive(Serialize)]
struct RunObject {
    file: String,
    tag: String,
    topics: usize,
    results: usize,
}

#[derive(Serialize)]
struct Counts {
    identical: usize,
    other_scores: usize,
    other_order: usize,
    other_documents: usize,
    only_left: Vec<String>,
    only_right: Vec<String>,
    neither: usize,
}

#[derive(Serialize)]
struct Means {
    overlap_10: Option<f64>,
    overlap_100: Option<f64>,
    overlap: Option<f64>,
    rbo: Option<f64>,
    tau_b: Option<f64>,
}

#[derive(Serialize)]
struct ChangeObject {
    topics: usize,
    left: f64,
    right: f64,
    difference: f64,
    better: usize,
    equal: usize,
    worse: usize,
}

#[derive(Serialize)]
struct TopicObject {
    topic: String,
    #[serde(rename = "in")]
    presence: &'static str,
    likeness: String,
    results_left: usize,
    results_right: usize,
    common: usize,
    only_left: usize,
    only_right: usize,
    moved: usize,
    tie_order: usize,
    overlap_10: f64,
    overlap_100: f64,
    overlap: f64,
    rbo: Option<f64>,
    tau_b: Option<f64>,
    left: Option<f64>,
    right: Option<f64>,
    difference: Option<f64>,
    items: Vec<ItemObject>,
}

#[derive(Serialize)]
struct ItemObject {
    doc: String,
    grade: Option<i32>,
    #[serde(rename = "move")]
    moved: &'static str,
    contribution: Option<f64>,
    left: Option<PositionObject>,
    right: Option<PositionObject>,
}

#[derive(Serialize)]
struct PositionObject {
    rank: usize,
    counted: Option<usize>,
    score: f64,
    term: Option<f64>,
}

/// The whole comparison, ended by a line break.
pub(super) fn object(found: &Found<'_>) -> Result<String> {
    let diff = found.diff;
    let run = |path: &Path, run: &formats::run::Run| RunObject {
        file: path.display().to_string(),
        tag: run.tag().to_string(),
        topics: run.topics().len(),
        results: run.num_rows(),
    };
    let alike = |likeness| diff.present(Presence::Both).filter(|topic| topic.likeness == likeness).count();
    let names = |presence| diff.present(presence).map(|topic| topic.id.to_string()).collect();
    let change = found.measure.map(|measure| diff.change(measure));
    let object = Object {
        left: run(&found.args.left, found.runs[0]),
        right: run(&found.args.right, found.runs[1]),
        likeness: diff.likeness().to_string(),
        same_ranking: diff.likeness().is_same_ranking(),
        depth: found.depth,
        rbo_p: found.args.rbo_p,
        measure: found.measure.map(ToString::to_string),
        topics: Counts {
            identical: alike(Likeness::Identical),
            other_scores: alike(Likeness::Scores),
            other_order: alike(Likeness::Order),
            other_documents: alike(Likeness::Documents),
            only_left: names(Presence::Left),
            only_right: names(Presence::Right),
            neither: diff.present(Presence::Neither).count(),
        },
        means: Means {
            overlap_10: diff.mean(|topic| Some(topic.overlap.at_10)),
            overlap_100: diff.mean(|topic| Some(topic.overlap.at_100)),
            overlap: diff.mean(|topic| Some(topic.overlap.all)),
            rbo: diff.mean(|topic| topic.rbo),
            tau_b: diff.mean(|topic| topic.tau_b),
        },
        change: change.map(|change| ChangeObject {
            topics: change.topics,
            left: change.left,
            right: change.right,
            difference: change.difference(),
            better: change.better,
            equal: change.equal,
            worse: change.worse,
        }),
        per_topic: found.topics.iter().map(|topic| topic_object(topic)).collect(),
    };
    Ok(format!("{}\n", serde_json::to_string_pretty(&object)?))
}

fn topic_object(topic: &TopicDiff<'_>) -> TopicObject {
    let [results_left, results_right] = topic.results;
    TopicObject {
        topic: topic.id.to_string(),
        presence: match topic.presence {
            Presence::Both => "both",
            Presence::Left => "left",
            Presence::Right => "right",
            Presence::Neither => "neither",
        },
        likeness: topic.likeness.to_string(),
        results_left,
        results_right,
        common: topic.common,
        only_left: results_left - topic.common,
        only_right: results_right - topic.common,
        moved: topic.moved,
        tie_order: topic.tie_order,
        overlap_10: topic.overlap.at_10,
        overlap_100: topic.overlap.at_100,
        overlap: topic.overlap.all,
        rbo: topic.rbo,
        tau_b: topic.tau_b,
        left: topic.values.map(|values| values.left),
        right: topic.values.map(|values| values.right),
        difference: topic.values.map(|values| values.difference()),
        items: topic.items.iter().map(|item| item_object(topic, item)).collect(),
    }
}

fn item_object(topic: &TopicDiff<'_>, item: &Item<'_>) -> ItemObject {
    let scored = topic.values.is_some();
    let position = |position: Position| PositionObject {
        rank: position.rank,
        counted: position.counted,
        score: position.score,
        term: scored.then_some(position.term),
    };
    ItemObject {
        doc: item.doc.to_string(),
        grade: item.verdict.grade(),
        moved: match item.moved {
            Move::Stayed => "stayed",
            Move::TieOrder => "tie order",
            Move::Moved => "moved",
            Move::OnlyLeft => "only left",
            Move::OnlyRight => "only right",
        },
        contribution: scored.then(|| item.contribution()),
        left: item.left.map(position),
        right: item.right.map(position),
    }
}
