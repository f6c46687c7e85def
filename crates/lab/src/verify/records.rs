//! Rows of the database that contradict the folder or each other.

use super::Findings;
use crate::folder::Lab;
use crate::judgments::{Stage, log_checksum};
use crate::manifest::PoolKind;
use crate::pools::StoredPool;
use crate::qrels::Provenance;
use crate::systems::System;
use formats::Source;
use formats::TopicId;
use formats::check::Task;
use formats::qrels::{Qrels, Scale};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn check(lab: &Lab, findings: &mut Findings) {
    match lab.systems() {
        Ok(systems) => check_systems(lab, &systems, findings),
        Err(error) => return findings.error("lab.db", &error),
    }
    check_numbers(lab, findings);
    let sets: BTreeSet<&str> = lab.manifest().sets.iter().map(|set| set.name.as_str()).collect();
    for table in ["pool", "judgment", "trained_on", "flag"] {
        for set in sets_in(lab, table) {
            if !sets.contains(set.as_str()) {
                findings.damage(
                    "lab.db",
                    format!("table {table} speaks of a set {set:?}, which lab.toml does not have"),
                );
            }
        }
    }
    for set in &lab.manifest().sets {
        for kind in lab.manifest().pool_kinds() {
            if set.files(kind.task()).is_some() {
                check_kind(lab, kind, &set.name, findings);
            }
        }
        for task in lab.manifest().all_tasks() {
            check_qrels(lab, task, &set.name, findings);
        }
    }
}

fn check_systems(lab: &Lab, systems: &[System], findings: &mut Findings) {
    for system in systems {
        let place = format!("system {system}");
        if !lab.manifest().tasks.contains(&system.task.number()) {
            findings.damage(
                &place,
                format!("it is for task {}, which lab.toml does not have", system.task.number()),
            );
        }
        if system.submissions.is_empty() {
            findings.damage(&place, "it has no run at all");
        }
        for submission in &system.submissions {
            if lab.manifest().set(Some(&submission.set)).is_err() {
                let text =
                    format!("it is a run on the set {:?}, which lab.toml does not have", submission.set);
                findings.damage(&submission.path, text);
                continue;
            }
            // Missing and changed files are told elsewhere.
            if lab.unchanged(&submission.path).is_err() {
                continue;
            }
            let names_queries = |record: &formats::RunRecord| record.queries.is_some();
            if lab.record(submission).is_ok_and(|record| record.as_ref().is_some_and(names_queries))
                && lab.queries_files(&submission.path).is_ok_and(|files| files.is_empty())
            {
                let text = "its record names queries made by hand, and the lab does not have them; submit it again with \
                            --replace, with the queries beside it";
                findings.note(&submission.path, text);
            }
            let Ok(topics) = lab.topic_ids(&submission.set, system.task) else { continue };
            let of_run: Result<BTreeSet<TopicId>, _> = match system.task {
                Task::Task3 => lab
                    .answers(submission)
                    .map(|run| run.answers.into_iter().map(|answer| answer.topic).collect()),
                task => lab
                    .run(task, submission)
                    .map(|run| run.topics().map(|topic| topic.id().clone()).collect()),
            };
            match of_run {
                Err(error) => findings.error(&submission.path, &error),
                Ok(of_run) => {
                    if let Some(stranger) = of_run.iter().find(|topic| !topics.contains(topic)) {
                        let text = format!("topic {stranger} is no topic of the set {}", submission.set);
                        findings.damage(&submission.path, text);
                    }
                }
            }
        }
    }
}

/// The log is numbered without gaps; a gap means that rows were taken out.
fn check_numbers(lab: &Lab, findings: &mut Findings) {
    for table in ["judgment", "event"] {
        let select = format!(
            "SELECT (SELECT count(*) FROM {table}), (SELECT coalesce(max(number), 0) FROM {table}),
             (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = '{table}')"
        );
        let counts = lab.database().query_row(&select, [], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
        });
        match counts {
            Err(cause) => findings.database(&cause, "lab.db"),
            Ok((count, highest, ever)) if count != highest || highest != ever => {
                let missing = ever.max(highest) - count;
                findings.damage("lab.db", format!("{missing} rows of the table {table} were taken out"));
            }
            Ok(_) => {}
        }
    }
}

fn sets_in(lab: &Lab, table: &str) -> Vec<String> {
    let select = format!("SELECT DISTINCT topic_set FROM {table}");
    let read = || -> rusqlite::Result<Vec<String>> {
        let mut statement = lab.database().prepare(&select)?;
        statement.query_map([], |row| row.get(0))?.collect()
    };
    read().unwrap_or_default()
}

fn check_kind(lab: &Lab, kind: PoolKind, set: &str, findings: &mut Findings) {
    let Ok(topics) = lab.topic_ids(set, kind.task()) else { return };
    let topics: BTreeSet<TopicId> = topics.into_iter().collect();
    let place = format!("pool of {kind} for {set}");
    let pool = match lab.pool(kind, set) {
        Ok(pool) => pool,
        Err(error) => return findings.error(&place, &error),
    };
    if let Some(pool) = &pool {
        check_pool(lab, pool, &topics, &place, findings);
    }
    let place = format!("judgments of {kind} for {set}");
    let judgments = match lab.judgments(kind, set) {
        Ok(judgments) => judgments,
        Err(error) => return findings.error(&place, &error),
    };
    let pooled: BTreeSet<(&TopicId, &str)> = pool
        .iter()
        .flat_map(|pool| &pool.topics)
        .flat_map(|topic| topic.items.iter().map(move |item| (&topic.topic, item.id.as_str())))
        .collect();
    let mut strangers = 0;
    for row in &judgments {
        let said = &row.said;
        if !topics.contains(&said.topic) {
            findings.damage(
                &place,
                format!("row {} is about topic {}, which is none of the set", row.number, said.topic),
            );
        }
        if let Err(reason) = lab.manifest().read_verdict(kind.task(), &said.verdict.to_string()) {
            findings.damage(&place, format!("row {}: {reason}", row.number));
        }
        let in_training = matches!(said.stage, Stage::Training(_));
        strangers += usize::from(!in_training && !pooled.contains(&(&said.topic, said.item.as_str())));
    }
    if strangers > 0 {
        findings.note(&place, format!("{strangers} are of items that the pool does not have"));
    }
}

fn check_pool(
    lab: &Lab,
    pool: &StoredPool,
    topics: &BTreeSet<TopicId>,
    place: &str,
    findings: &mut Findings,
) {
    for topic in &pool.topics {
        if !topics.contains(&topic.topic) {
            findings.damage(place, format!("topic {} is none of the set", topic.topic));
        }
        let mut places: Vec<usize> = topic.items.iter().filter_map(|item| item.place).collect();
        places.sort_unstable();
        if places.iter().zip(1..).any(|(found, expected)| *found != expected) {
            findings
                .damage(place, format!("the order of judging of topic {} has gaps or doubles", topic.topic));
        }
        if let Some(item) = topic.items.iter().find(|item| item.sources.is_empty()) {
            findings
                .damage(place, format!("no run brought {} into the pool of topic {}", item.id, topic.topic));
        }
    }
    // Runs that came after the pool was made are not in it.
    let known: BTreeMap<i64, String> = lab
        .systems()
        .unwrap_or_default()
        .iter()
        .filter(|system| PoolKind::of(system.task) == pool.kind)
        .filter_map(|system| {
            system
                .on(&pool.set)
                .map(|submission| (submission.number.0, (system.to_string(), submission.at.clone())))
        })
        .filter(|(_, (_, at))| *at > pool.made_at)
        .map(|(number, (name, _))| (number, name))
        .collect();
    if !known.is_empty() {
        let names: Vec<&str> = known.values().map(String::as_str).collect();
        findings.note(place, format!("runs were submitted after it was made: {}", names.join(", ")));
    }
}

/// Judgments in files that were made of other judgments than there are now.
fn check_qrels(lab: &Lab, task: Task, set: &str, findings: &mut Findings) {
    let path = format!("qrels/{set}/task{}.json", task.number());
    if !lab.path(&path).is_file() {
        return;
    }
    let Ok(bytes) = lab.unchanged(&path) else { return };
    let provenance: Provenance = match serde_json::from_slice(&bytes) {
        Ok(provenance) => provenance,
        Err(error) => return findings.damage(&path, error),
    };
    if let Ok(log) = lab.judgments(PoolKind::of(task), set)
        && log_checksum(&log) != provenance.log_sha256
    {
        findings.note(&path, "judgments were added since; `hypatia lab qrels` makes the files anew");
    }
    let path = format!("qrels/{set}/task{}.qrels", task.number());
    let (Ok(bytes), Ok(topics)) = (lab.unchanged(&path), lab.topic_ids(set, task)) else { return };
    match Qrels::read(Source::bytes(&path, bytes), Scale::Plain) {
        Err(error) => findings.damage(&path, error),
        Ok((qrels, _)) => {
            if let Some(stranger) = qrels.topics().find(|topic| !topics.contains(topic.id())) {
                findings.damage(&path, format!("topic {} is none of the set {set}", stranger.id()));
            }
        }
    }
}
