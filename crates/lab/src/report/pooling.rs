//! How a pool was made, in numbers.

use crate::judgments::{Judgment, Stage};
use crate::pools::{StoredItem, StoredPool};
use crate::systems::System;
use formats::TopicId;
use formats::check::Task;
use labreport::{ContributedItems, Contribution, ManyInstances, PoolDepths, PoolStatistics, PooledTopic};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn statistics(
    pool: &StoredPool,
    task: Task,
    systems: &[System],
    log: &[Judgment],
) -> PoolStatistics {
    let counted = log.iter().filter(|row| matches!(row.said.stage, Stage::Main | Stage::Adjudication));
    let judged: BTreeSet<(&TopicId, &str, Option<&str>)> =
        counted.map(|row| (&row.said.topic, row.said.item.as_str(), row.said.instance.as_deref())).collect();
    let items_judged: BTreeSet<(&TopicId, &str)> =
        judged.iter().map(|(topic, item, _)| (*topic, *item)).collect();
    let has_instances = pool.topics.iter().flat_map(|topic| &topic.items).any(|item| item.candidates > 0);
    let topics = pool
        .topics
        .iter()
        .map(|topic| {
            let items: Vec<&StoredItem> = topic.items.iter().filter(|item| item.is_of(task)).collect();
            let instances =
                || items.iter().flat_map(|item| item.instances.iter().map(move |instance| (item, instance)));
            let seen = |(item, instance): &(&&StoredItem, &crate::pools::StoredInstance)| {
                judged.contains(&(&topic.topic, item.id.as_str(), Some(instance.id.as_str())))
            };
            PooledTopic {
                topic: topic.topic.clone(),
                items: items.len(),
                instances: has_instances.then(|| instances().count()),
                judged_items: items
                    .iter()
                    .filter(|item| items_judged.contains(&(&topic.topic, item.id.as_str())))
                    .count(),
                judged_instances: has_instances.then(|| instances().filter(seen).count()),
            }
        })
        .collect();
    let of_task = || pool.topics.iter().flat_map(|topic| &topic.items).filter(|item| item.is_of(task));
    let contribution = |system: &System| {
        let number = system.on(&pool.set)?.number;
        let brought =
            of_task().filter(|item| item.sources.iter().any(|(submission, _)| *submission == number));
        let (mut items, mut unique_items) = (0, 0);
        for item in brought {
            items += 1;
            unique_items += usize::from(item.sources.len() == 1);
        }
        Some(Contribution { items, unique_items })
    };
    let many_instances = has_instances.then(|| ManyInstances {
        more_than: pool.rule.at_most,
        items: of_task().filter(|item| item.candidates > pool.rule.at_most).count(),
        of: of_task().count(),
    });
    let mut notes = Vec::new();
    // Every run of Task 3 has one answer, and all of them are judged.
    let depths = match task {
        Task::Task3 => {
            notes.push(
                "All answers of Task 3 were pooled, and judged together with those of Task 1.".to_owned(),
            );
            PoolDepths::default()
        }
        Task::Task1 | Task::Task2 => {
            PoolDepths { primary: pool.rule.primary, alternate: pool.rule.alternate }
        }
    };
    if depths.primary.is_none() && task != Task::Task3 {
        notes.push(format!("Pooled were {}.", pool.rule.extent));
    }
    notes.extend(
        pool.rule.instances.as_ref().map(|rule| format!("Instances of a formula that are shown: {rule}.")),
    );
    notes.push(format!("The order of judging: {}.", pool.rule.order));
    PoolStatistics {
        depths,
        seed: Some(pool.seed),
        topics,
        many_instances,
        contributions: systems.iter().map(contribution).collect(),
        contributed: Some(systems.iter().map(|system| contributed(pool, task, system)).collect()),
        notes,
    }
}

/// The items of a task that a system contributed to a pool.
pub(crate) fn contributed(pool: &StoredPool, task: Task, system: &System) -> ContributedItems {
    let number = system.on(&pool.set).map(|submission| submission.number);
    let mut items: BTreeMap<TopicId, BTreeSet<String>> = BTreeMap::new();
    for topic in &pool.topics {
        let brought = topic.items.iter().filter(|item| {
            item.is_of(task) && item.sources.iter().any(|(submission, _)| Some(*submission) == number)
        });
        items.insert(topic.topic.clone(), brought.map(|item| item.id.clone()).collect());
    }
    ContributedItems(items)
}
