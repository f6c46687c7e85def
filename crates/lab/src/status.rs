//! How far a lab is: runs, pools and judgments, counted.

use crate::error::Result;
use crate::folder::Lab;
use crate::judgments::Stage;
use crate::manifest::PoolKind;
use crate::systems::System;
use formats::TopicId;
use std::collections::{BTreeMap, BTreeSet};

/// How far a lab is.
#[derive(Clone, Debug)]
pub struct Status {
    /// All systems.
    pub systems: Vec<System>,
    /// Systems without a run on some set that has topics for their task.
    pub missing_runs: Vec<MissingRun>,
    /// Every set and kind that has a pool or judgments.
    pub judging: Vec<Judging>,
}

/// A system that was not run on a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingRun {
    /// The system, as `team/run`.
    pub system: String,
    /// The task.
    pub task: u8,
    /// The set.
    pub set: String,
}

/// How far the judging of a kind and set is.
#[derive(Clone, Debug, PartialEq)]
pub struct Judging {
    /// What is judged.
    pub kind: PoolKind,
    /// The set of topics.
    pub set: String,
    /// The number of the pool, if there is one.
    pub pool: Option<i64>,
    /// Items that are given out.
    pub items: usize,
    /// Items that are held back.
    pub held: usize,
    /// Items of the pool of which something was said.
    pub judged: usize,
    /// Items that got a code and no grade.
    pub codes: usize,
    /// Topics whose items were all judged, of all topics of the pool.
    pub topics_done: usize,
    /// Topics of the pool.
    pub topics: usize,
    /// Rows of the log that count now, by assessor: how many, and in how many seconds where known.
    pub assessors: BTreeMap<String, (usize, f64)>,
}

impl Lab {
    /// How far the lab is.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn status(&self) -> Result<Status> {
        let systems = self.systems()?;
        let mut missing_runs = Vec::new();
        for system in &systems {
            let sets = self.manifest().sets.iter().filter(|set| set.files(system.task).is_some());
            missing_runs.extend(sets.filter(|set| system.on(&set.name).is_none()).map(|set| MissingRun {
                system: system.to_string(),
                task: system.task.number(),
                set: set.name.clone(),
            }));
        }
        let mut judging = Vec::new();
        for set in &self.manifest().sets {
            for kind in self.manifest().pool_kinds() {
                judging.extend(self.judging(kind, &set.name)?);
            }
        }
        Ok(Status { systems, missing_runs, judging })
    }

    /// How far the judging of a kind and set is; nothing if it has not begun.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn judging(&self, kind: PoolKind, set: &str) -> Result<Option<Judging>> {
        let pool = self.pool(kind, set)?;
        let judgments = self.judgments(kind, set)?;
        if pool.is_none() && judgments.is_empty() {
            return Ok(None);
        }
        let mut assessors: BTreeMap<String, (usize, f64)> = BTreeMap::new();
        let mut said: BTreeMap<(&TopicId, &str), bool> = BTreeMap::new();
        for row in judgments.iter().map(|row| &row.said) {
            let (count, seconds) = assessors.entry(row.assessor.clone()).or_default();
            *count += 1;
            *seconds += row.seconds.unwrap_or(0.0);
            if matches!(row.stage, Stage::Main | Stage::Adjudication) {
                *said.entry((&row.topic, &row.item)).or_default() |= row.verdict.grade().is_some();
            }
        }
        let mut judging = Judging {
            kind,
            set: set.to_owned(),
            pool: pool.as_ref().map(|pool| pool.number),
            items: 0,
            held: 0,
            judged: 0,
            codes: 0,
            topics_done: 0,
            topics: 0,
            assessors,
        };
        let topics: BTreeSet<&TopicId> = judgments.iter().map(|row| &row.said.topic).collect();
        judging.topics = topics.len();
        if let Some(pool) = &pool {
            judging.topics = pool.topics.len();
            for topic in &pool.topics {
                let mut done = true;
                for item in &topic.items {
                    let graded = said.get(&(&topic.topic, item.id.as_str()));
                    judging.items += usize::from(item.place.is_some());
                    judging.held += usize::from(item.place.is_none());
                    judging.judged += usize::from(graded.is_some());
                    judging.codes += usize::from(graded == Some(&false));
                    done &= item.place.is_none() || graded.is_some();
                }
                judging.topics_done += usize::from(done);
            }
        } else {
            judging.judged = said.len();
            judging.codes = said.values().filter(|graded| !**graded).count();
        }
        Ok(Some(judging))
    }
}
