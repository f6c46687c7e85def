//! Rankings of several nodes fused into one.

use super::run::Asked;
use super::stage::{Filter, OpenStage, Output, Stage};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::hits::{Clue, Hit};
use crate::system::{FusionStage, Only, System, Topics};
use fuse::Ranked;
use std::collections::HashSet;

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
        Ok(Box::new(OpenFusion { fusion: self }))
    }
}

struct OpenFusion<'q> {
    fusion: &'q FusionOfNodes,
}

impl OpenStage for OpenFusion<'_> {
    fn rank(
        &mut self,
        members: &[Vec<Ranked<String>>],
        _: usize,
        _: Option<&Filter<'_>>,
        _: &mut Work,
    ) -> Result<Output, Error> {
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
        for (number, part) in fusion.parts.iter().enumerate() {
            let ranking = &members[part.node];
            let Some(place) = ranking.iter().position(|result| result.id == hit.id) else { continue };
            let worth = if fusion.stage.method.is_sum() {
                // The others find nothing, and nothing is added.
                let mut alone: Vec<&[Ranked<String>]> = vec![&[]; fusion.parts.len()];
                alone[number] = ranking;
                let weights = fusion.parts.iter().map(|part| part.weight).collect();
                let fused = fusion.fuse(&alone, weights)?;
                fused.iter().find(|result| result.id == hit.id).map_or(0.0, |result| result.score)
            } else if clues.is_empty() {
                hit.score
            } else {
                0.0
            };
            let (group, term) = (part.name.clone(), format!("rank {}", place + 1));
            clues.push(Clue { group, place: "post", term, frequency: 1.0, worth });
        }
        let sum: f64 = clues.iter().map(|clue| clue.worth).sum();
        if sum != 0.0 {
            clues.iter_mut().for_each(|clue| clue.worth *= hit.score / sum);
        }
        Ok(clues)
    }
}
