//! Running a plan.

use super::given::in_order;
use super::{Part, Plan, Work};
use crate::engine::Engine;
use crate::error::Error;
use crate::hits::{FormulaHit, Hit};
use crate::query::Query;
use crate::system::{FusionStage, Only, System, Task, Topics};
use fuse::Ranked;
use std::collections::HashSet;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The topic, as runs that are given from outside call it.
    pub topic: &'a str,
    /// What is asked, for posts.
    pub query: &'a Query,
    /// The formula that is looked for, for formulas.
    pub formula: Option<&'a str>,
}

/// What was found, best first.
#[derive(Clone, Debug, PartialEq)]
pub enum Ranking {
    /// Posts.
    Posts(Vec<Hit>),
    /// Formulas.
    Formulas(Vec<FormulaHit>),
}

impl Ranking {
    /// Ids and scores: those of posts, or visual ids.
    fn into_ranked(self) -> Vec<Ranked<String>> {
        match self {
            Self::Posts(hits) => {
                hits.into_iter().map(|hit| Ranked { id: hit.id, score: hit.score }).collect()
            }
            Self::Formulas(hits) => hits
                .into_iter()
                .map(|hit| Ranked { id: hit.visual_id.to_string(), score: hit.score })
                .collect(),
        }
    }
}

impl Engine {
    /// Ranks by a plan: the best `depth`, best first. What several members of it need is worked out once.
    ///
    /// # Errors
    ///
    /// When the index lacks what a system needs, or scores are too large to be fused.
    pub fn run(&self, plan: &Plan, asked: &Asked<'_>, depth: usize) -> Result<Ranking, Error> {
        let Some((last, members)) = plan.nodes.split_last() else {
            return Ok(self.found(plan.task, Vec::new()));
        };
        if let Work::System(system) = &last.work {
            return self.run_system(system, asked, depth);
        }
        let mut rankings: Vec<Vec<Ranked<String>>> = Vec::with_capacity(members.len());
        for node in members {
            let mut ranking = match &node.work {
                Work::System(system) => self.run_system(system, asked, node.depth)?.into_ranked(),
                Work::Given(given) => given.topic(asked.topic).to_vec(),
                Work::Fusion(stage, parts) => fused(&node.name, stage, parts, &rankings)?,
            };
            in_order(&mut ranking);
            ranking.truncate(node.depth);
            rankings.push(ranking);
        }
        let mut ranking = match &last.work {
            Work::Fusion(stage, parts) => fused(&last.name, stage, parts, &rankings)?,
            Work::Given(_) | Work::System(_) => Vec::new(),
        };
        ranking.truncate(depth);
        Ok(self.found(plan.task, ranking))
    }

    fn run_system(&self, system: &System, asked: &Asked<'_>, depth: usize) -> Result<Ranking, Error> {
        Ok(match system.task {
            Task::Answers => Ranking::Posts(self.posts(system, asked.query, depth, &|_| true)?),
            Task::Formulas => Ranking::Formulas(match asked.formula {
                Some(formula) => self.formulas(system, formula, depth)?,
                None => Vec::new(),
            }),
        })
    }

    /// Ids as what they stand for in the index.
    fn found(&self, task: Task, ranking: Vec<Ranked<String>>) -> Ranking {
        match task {
            Task::Answers => {
                let hit = |Ranked { id, score }: Ranked<String>| {
                    let document = self.index.find(&id)?;
                    Some(Hit { document, id, score })
                };
                Ranking::Posts(ranking.into_iter().filter_map(hit).collect())
            }
            Task::Formulas => {
                let hit = |Ranked { id, score }: Ranked<String>| {
                    let visual_id = id.parse().ok()?;
                    self.index.sources().iter().enumerate().find_map(|(number, source)| {
                        let visual = source.collection.find_visual(visual_id)?;
                        let doc = source.formulas.document(visual)?;
                        Some(FormulaHit { source: number, doc, visual_id, score })
                    })
                };
                Ranking::Formulas(ranking.into_iter().filter_map(hit).collect())
            }
        }
    }
}

/// The rankings of the members that are there as one.
fn fused(
    name: &str,
    stage: &FusionStage,
    parts: &[Part],
    rankings: &[Vec<Ranked<String>>],
) -> Result<Vec<Ranked<String>>, Error> {
    let first = parts.iter().find(|part| part.leads).map(|part| &rankings[part.node]);
    if stage.topics == Topics::First && first.is_some_and(Vec::is_empty) {
        return Ok(Vec::new());
    }
    let members: Vec<&[Ranked<String>]> = parts.iter().map(|part| rankings[part.node].as_slice()).collect();
    let weights = parts.iter().map(|part| part.weight).collect();
    let fusion = |cause| Error::Fusion { system: name.to_owned(), cause };
    let mut fused = fuse::fuse(&members, &stage.fusion(weights)).map_err(fusion)?;
    if let (Only::First, Some(first)) = (stage.only, first) {
        let kept: HashSet<&str> = first.iter().map(|result| result.id.as_str()).collect();
        fused.retain(|result| kept.contains(result.id.as_str()));
    }
    Ok(fused)
}
