//! How a pool was judged: verdicts, times, agreement, training.

use crate::judgments::{Judgment, Stage, Thing, thing};
use crate::pools::StoredPool;
use crate::qrels::Provenance;
use crate::verdict::Verdict;
use formats::TopicId;
use formats::check::Task;
use labreport::{
    Agreement, AssessorId, AssessorLabels, DroppedTopic, ItemJudgment, Judging, LabelledItem, PairLabels,
    TrainingRound,
};
use std::collections::BTreeMap;

/// What is known of the judging; nothing if nobody has judged.
pub(super) fn judging(
    task: Task,
    pool: Option<&StoredPool>,
    log: &[Judgment],
    trained_elsewhere: &[Judgment],
    provenance: Option<&Provenance>,
) -> Option<Judging> {
    let pooled: BTreeMap<(&TopicId, &str), bool> = pool
        .iter()
        .flat_map(|pool| &pool.topics)
        .flat_map(|topic| topic.items.iter().map(move |item| (&topic.topic, item)))
        .map(|(topic, item)| ((topic, item.id.as_str()), item.is_of(task)))
        .collect();
    // What the pool does not have, such as items of the training, belongs to Tasks 1 and 2.
    let belongs = |row: &&Judgment| {
        let is_own = pooled.get(&(&row.said.topic, row.said.item.as_str())).copied();
        is_own.unwrap_or(task != Task::Task3)
    };
    let rows: Vec<&Judgment> = log.iter().filter(belongs).collect();
    if rows.is_empty() {
        return None;
    }
    // Written answers are not what people learn from.
    let learned = trained_elsewhere.iter().filter(|_| task != Task::Task3);
    let main = rows.iter().filter(|row| row.said.stage == Stage::Main);
    let judgments = main
        .map(|row| ItemJudgment {
            topic: row.said.topic.clone(),
            assessor: AssessorId(row.said.assessor.clone()),
            judgment: judgment(row.said.verdict),
            seconds: row.said.seconds,
        })
        .collect();
    let dropped = provenance.iter().flat_map(|made| &made.dropped).map(|topic| DroppedTopic {
        topic: TopicId::from(topic.topic.as_str()),
        reason: match topic.relevant {
            0 => "no item is relevant".to_owned(),
            1 => "only one item is relevant".to_owned(),
            several => format!("only {several} items are relevant"),
        },
    });
    Some(Judging {
        judgments,
        dropped: dropped.collect(),
        agreement: agreement(&rows),
        training: training(&rows.iter().copied().chain(learned).collect::<Vec<_>>()),
        notes: Vec::new(),
    })
}

fn judgment(verdict: Verdict) -> formats::qrels::Judgment {
    match verdict {
        Verdict::Grade(grade) => formats::qrels::Judgment::Grade(grade),
        Verdict::SystemFailure => formats::qrels::Judgment::SystemFailure,
        // What was taken back does not count and never comes here.
        Verdict::DoNotKnow | Verdict::Withdrawn => formats::qrels::Judgment::DoNotKnow,
    }
}

/// Occasions on which two people judged the same things.
fn agreement(rows: &[&Judgment]) -> Vec<Agreement> {
    let by_thing = |stage: Stage| {
        let mut said: BTreeMap<Thing, BTreeMap<&str, Verdict>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.said.stage == stage) {
            said.entry(thing(row)).or_default().insert(&row.said.assessor, row.said.verdict);
        }
        said
    };
    let (main, again) = (by_thing(Stage::Main), by_thing(Stage::CrossCheck));
    let mut within: BTreeMap<(&str, &str), Vec<(Verdict, Verdict)>> = BTreeMap::new();
    for said in main.values() {
        let said: Vec<(&str, Verdict)> =
            said.iter().map(|(assessor, verdict)| (*assessor, *verdict)).collect();
        for (at, (first, left)) in said.iter().enumerate() {
            for (second, right) in &said[at + 1..] {
                within.entry((first, second)).or_default().push((*left, *right));
            }
        }
    }
    let mut across: BTreeMap<(&str, &str), Vec<(Verdict, Verdict)>> = BTreeMap::new();
    for (thing, checked) in &again {
        for (first, left) in main.get(thing).into_iter().flatten() {
            for (second, right) in checked.iter().filter(|(second, _)| *second != first) {
                across.entry((first, second)).or_default().push((*left, *right));
            }
        }
    }
    let named = |name: &str, pairs: BTreeMap<(&str, &str), Vec<(Verdict, Verdict)>>| Agreement {
        name: name.to_owned(),
        pairs: pairs
            .into_iter()
            .map(|((first, second), labels)| PairLabels {
                first: AssessorId(first.to_owned()),
                second: AssessorId(second.to_owned()),
                labels: labels.into_iter().map(|(left, right)| (judgment(left), judgment(right))).collect(),
            })
            .collect(),
    };
    [named("During the assessment", within), named("After the assessment", across)]
        .into_iter()
        .filter(|agreement| !agreement.pairs.is_empty())
        .collect()
}

fn training(rows: &[&Judgment]) -> Vec<TrainingRound> {
    let mut rounds: BTreeMap<u32, BTreeMap<&str, Vec<LabelledItem>>> = BTreeMap::new();
    for row in rows {
        let Stage::Training(round) = row.said.stage else { continue };
        let instance = row.said.instance.as_ref().map_or_else(String::new, |instance| format!("/{instance}"));
        rounds.entry(round).or_default().entry(&row.said.assessor).or_default().push(LabelledItem {
            topic: row.said.topic.clone(),
            item: format!("{}{instance}", row.said.item),
            judgment: judgment(row.said.verdict),
        });
    }
    rounds
        .into_iter()
        .map(|(round, assessors)| TrainingRound {
            name: format!("Round {round}"),
            assessors: assessors
                .into_iter()
                .map(|(assessor, labels)| AssessorLabels {
                    assessor: AssessorId(assessor.to_owned()),
                    labels,
                })
                .collect(),
        })
        .collect()
}
