//! Rankings of several nodes fused into one.

use super::run::Asked;
use super::stage::{Filter, OpenStage, Output, Stage};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::{Clue, ClueKind, Hit};
use crate::system::{FusionStage, Only, System, Topics};
use fuse::Ranked;
use std::collections::{HashMap, HashSet};

/// Fuses the rankings of nodes before it.
#[derive(Clone, Debug)]
pub(crate) struct FusionOfNodes {
    name: String,
    stage: FusionStage,
    parts: Vec<Part>,
}

/// A member that is there.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Part {
    pub(super) node: usize,
    pub(super) name: String,
    pub(super) weight: f64,
    /// Whether it is the member that the file names first.
    pub(super) leads: bool,
}

impl FusionOfNodes {
    pub(super) fn new(system: System, stage: FusionStage, parts: Vec<Part>) -> Self {
        Self { name: system.name, stage, parts }
    }

    /// The rankings of the members that are there as one.
    fn fused(&self, rankings: &[Vec<Ranked<String>>]) -> Result<Vec<Ranked<String>>, Error> {
        let first = self.parts.iter().find(|part| part.leads).map(|part| &rankings[part.node]);
        if self.stage.topics == Topics::First && first.is_some_and(Vec::is_empty) {
            return Ok(Vec::new());
        }
        let members: Vec<&[Ranked<String>]> =
            self.parts.iter().map(|part| rankings[part.node].as_slice()).collect();
        let weights = self.parts.iter().map(|part| part.weight).collect();
        let mut fused = self.fuse(&members, weights)?;
        if let (Only::First, Some(first)) = (self.stage.only, first) {
            let kept: HashSet<&str> = first.iter().map(|result| result.id.as_str()).collect();
            fused.retain(|result| kept.contains(result.id.as_str()));
        }
        Ok(fused)
    }

    fn fuse(&self, members: &[&[Ranked<String>]], weights: Vec<f64>) -> Result<Vec<Ranked<String>>, Error> {
        let fusion = |cause| Error::Fusion { system: self.name.clone(), cause };
        fuse::fuse(members, &self.stage.fusion(weights)).map_err(fusion)
    }
}

impl Stage for FusionOfNodes {
    fn open<'q>(
        &'q self,
        _: &'q Engine,
        _: Asked<'q>,
        _: &mut Work,
    ) -> Result<Box<dyn OpenStage + 'q>, Error> {
        Ok(Box::new(OpenFusion { fusion: self, shares: None }))
    }
}

/// The rank of each document in a member, and what the member would bring alone.
type Shares = HashMap<String, (usize, f64)>;

struct OpenFusion<'q> {
    fusion: &'q FusionOfNodes,
    /// For each member the rank of what it has, and what it would bring alone; made when they are asked for.
    shares: Option<Vec<Shares>>,
}

impl OpenFusion<'_> {
    /// The rank of each document in each member, and what the member brings where members are added up.
    fn shares(&mut self, members: &[Vec<Ranked<String>>]) -> Result<&[Shares], Error> {
        if self.shares.is_none() {
            let parts = &self.fusion.parts;
            let weights: Vec<f64> = parts.iter().map(|part| part.weight).collect();
            let mut shares = Vec::new();
            for (number, part) in parts.iter().enumerate() {
                // Where nothing was ranked, there is nothing to share.
                let ranking: &[Ranked<String>] = members.get(part.node).map_or(&[], Vec::as_slice);
                let ranks = (1..).zip(ranking).map(|(rank, result)| (result.id.clone(), (rank, 0.0)));
                let mut shared: Shares = ranks.collect();
                if self.fusion.stage.method.is_sum() {
                    // The others find nothing, and nothing is added.
                    let mut alone: Vec<&[Ranked<String>]> = vec![&[]; parts.len()];
                    alone[number] = ranking;
                    for result in self.fusion.fuse(&alone, weights.clone())? {
                        if let Some((_, score)) = shared.get_mut(&result.id) {
                            *score = result.score;
                        }
                    }
                }
                shares.push(shared);
            }
            self.shares = Some(shares);
        }
        Ok(self.shares.as_deref().unwrap_or_default())
    }
}

impl OpenStage for OpenFusion<'_> {
    fn rank(
        &mut self,
        members: &[Vec<Ranked<String>>],
        _: usize,
        _: Option<&Filter<'_>>,
        _: &mut Work,
    ) -> Result<Output, Error> {
        self.shares = None;
        Ok(Output::Ids(self.fusion.fused(members)?))
    }

    /// The rank of a hit in each member. Where members are added up, each has the share of the score that it
    /// would bring alone; else the whole score stands with the first member that has the hit.
    fn explain(
        &mut self,
        members: &[Vec<Ranked<String>>],
        hit: &Hit,
        _: &mut Work,
    ) -> Result<Vec<Clue>, Error> {
        let fusion = self.fusion;
        let mut clues: Vec<Clue> = Vec::new();
        for (part, shares) in fusion.parts.iter().zip(self.shares(members)?) {
            let Some((rank, score)) = shares.get(&hit.id).copied() else { continue };
            let (group, term) = (part.name.clone(), format!("rank {rank}"));
            clues.push(Clue { group, place: "post", term, kind: ClueKind::Remark, frequency: 1.0, score });
        }
        let sum: f64 = clues.iter().map(|clue| clue.score).sum();
        if sum != 0.0 {
            clues.iter_mut().for_each(|clue| clue.score *= hit.score / sum);
        } else if let Some(first) = clues.first_mut() {
            first.score = hit.score;
        }
        Ok(clues)
    }
}
