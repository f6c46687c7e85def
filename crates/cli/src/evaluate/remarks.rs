//! What a reader of the scores should know, in sentences.

use super::load::NamedRun;
use super::score::Results;
use super::{Eval, Ids, LabRules};
use eval::{Makeup, Outcome, Preset, TopicPolicy, TopicScores};
use formats::TopicId;
use formats::run::{RunRow, TopicRows};
use std::fmt;

/// What is to be known about the numbers, in sentences.
pub(super) fn rules(args: &Eval, policy: TopicPolicy) -> Vec<String> {
    let mut rules = Vec::new();
    match args.task.and_then(LabRules::preset) {
        Some(Preset::Task2) if args.ranking.ids == Some(Ids::Instance) && args.ranking.visual_ids.is_none() => {
            rules.push(
                "ARQMath Task 2's measures on formula instances as they are: not the lab's way, which counts each \
                 visual id once."
                    .to_owned(),
            );
        }
        Some(preset) => rules.push(format!("{}.", preset.rules())),
        None if args.measures.is_empty() => rules.push(
            "ARQMath's measures: unjudged results removed; MAP' and P'@10 count grades of 2 or more as relevant."
                .to_owned(),
        ),
        None => {}
    }
    rules.push(format!("Means over {policy}."));
    if args.ranking.score_bits == super::ScoreBits::F64 {
        rules.push("Scores compared in 64 bits.".to_owned());
    }
    rules
}

/// Something to know about the scores of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Remark {
    /// The run, and by which judgments if there are several.
    about: String,
    text: String,
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.about, self.text)
    }
}

/// One line for what is true of several runs.
pub(super) fn together(remarks: impl Iterator<Item = Remark>) -> Vec<String> {
    let mut lines: Vec<Remark> = Vec::new();
    for remark in remarks {
        match lines.iter_mut().find(|line| line.text == remark.text) {
            Some(line) => line.about = format!("{}, {}", line.about, remark.about),
            None => lines.push(remark),
        }
    }
    lines.iter().map(ToString::to_string).collect()
}

/// What a reader of a run's scores should know, in sentences.
pub(super) fn remarks(results: &Results<'_>, run: usize) -> Vec<Remark> {
    let name = &results.runs[run].name;
    let mut remarks = Vec::new();
    for set in &results.sets {
        let scores = &set.scores[run];
        let by = if results.sets.len() > 1 { format!(" by {}", set.name) } else { String::new() };
        let mut push = |text: String| remarks.push(Remark { about: format!("{name}{by}"), text });
        let considered =
            |topic: &&TopicScores| results.policy != TopicPolicy::Relevant || results.policy.admits(topic);
        let topics: Vec<&TopicScores> = scores.topics.iter().filter(considered).collect();
        let count = |outcome| topics.iter().filter(|topic| topic.outcome == outcome).count();
        let all = topics.len();
        let (missing, blind) = (count(Outcome::NoResults), count(Outcome::NothingJudged));
        if missing > 0 {
            let counted = match results.policy {
                TopicPolicy::All | TopicPolicy::Relevant => "counting 0",
                TopicPolicy::Returned | TopicPolicy::Judged => "left out of the means",
            };
            push(format!("no results for {missing} of {all} topics ({counted})"));
        }
        if blind > 0 {
            let counted = if results.policy == TopicPolicy::Judged { " (left out of the means)" } else { "" };
            push(format!("no judged result for {blind} of {all} topics{counted}"));
        }
        if blind > 0 && blind + missing == all {
            push("not one result is judged: do run and judgments have ids of the same kind?".to_owned());
        }
        if !scores.without_judgments.is_empty() {
            let topics = &scores.without_judgments;
            let verb = if topics.len() == 1 { "topic is" } else { "topics are" };
            let (count, shown) = (topics.len(), some(topics.iter()));
            push(format!("{count} {verb} not judged and left out ({shown})"));
        }
        if scores.coverage(TopicPolicy::All).makeup == Makeup::JudgedOnly {
            push(
                "every result is judged, as if unjudged ones had been removed before; then only judged-only \
                 measures (') say something about the system"
                    .to_owned(),
            );
        }
        let left_out = scores.left_out;
        for (count, one, many) in [
            (
                left_out.duplicates,
                "row repeats a document of its topic",
                "rows repeat a document of their topic",
            ),
            (
                left_out.without_visual_id,
                "formula has no visual id and is left out",
                "formulas have no visual id and are left out",
            ),
            (
                left_out.too_deep,
                "result lies beyond the depth that counts",
                "results lie beyond the depth that counts",
            ),
        ] {
            if count > 0 {
                let what = if count == 1 { one } else { many };
                push(format!("{count} {what}"));
            }
        }
    }
    let unordered = run_topics_out_of_order(&results.runs[run]);
    if unordered > 0 {
        let topics = if unordered == 1 { "topic" } else { "topics" };
        let text = format!(
            "in {unordered} {topics} a later rank has a higher score; scores decide, ranks are not looked at"
        );
        remarks.push(Remark { about: name.clone(), text });
    }
    remarks
}

/// In how many topics of a run ranks and scores disagree, as when low scores are good.
fn run_topics_out_of_order(run: &NamedRun) -> usize {
    let rank = |row: RunRow<'_>| row.rank_text().parse::<u64>().ok();
    let disagrees = |topic: &TopicRows<'_>| {
        let mut rows = topic.rows();
        let mut before = rows.next();
        rows.any(|row| {
            let last = before.replace(row);
            // Ranks are cut out of their lines, so they are asked for only where a score rises.
            last.is_some_and(|last| {
                row.score() > last.score() && rank(row) > rank(last) && rank(last).is_some()
            })
        })
    };
    run.run.topics().filter(disagrees).count()
}

/// The first few topics of many.
pub(super) fn some<'a>(topics: impl ExactSizeIterator<Item = &'a TopicId>) -> String {
    let more = if topics.len() > 3 { ", …" } else { "" };
    let shown: Vec<&str> = topics.take(3).map(TopicId::as_str).collect();
    format!("{}{more}", shown.join(", "))
}
