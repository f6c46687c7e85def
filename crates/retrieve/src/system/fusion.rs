//! A system made of others, as a system's file says it.

use super::one;
use fuse::{Flat, Fusion, Method, Normalisation};
use serde::Deserialize;

/// How rankings of several members become one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub struct FusionStage {
    /// How what the members say of a document becomes one number.
    pub method: Method,
    /// How their scores become comparable.
    pub normalisation: Normalisation,
    /// Which documents are kept.
    pub only: Only,
    /// Which topics are answered.
    pub topics: Topics,
    /// How many results of a member are looked at.
    pub depth: usize,
    /// The members.
    pub members: Vec<Member>,
}

/// Which documents a fusion keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Only {
    /// Those of any member.
    #[default]
    All,
    /// Those of the first member, which the others put in a new order.
    First,
}

/// Which topics a fusion answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topics {
    /// All that any member has something for.
    #[default]
    All,
    /// Those that the first member has something for.
    First,
}

/// One of the rankings that a fusion is made of.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "WrittenMember")]
pub struct Member {
    /// Where the ranking comes from.
    pub from: Origin,
    /// The system that stands in for a run that is not given.
    pub instead: Option<String>,
    /// What it is, for people.
    pub about: Option<String>,
    /// How much it counts. What counts 0 is not looked at, save for the choice of documents and topics.
    pub weight: f64,
    /// Whether the others are fused without it.
    pub need: Need,
}

/// Where the ranking of a member comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Another system, by its name.
    System(String),
    /// A run that is given from outside under this name.
    Run(String),
}

impl Origin {
    /// The name of the system or the run.
    #[must_use]
    pub fn name(&self) -> &str {
        let (Self::System(name) | Self::Run(name)) = self;
        name
    }
}

/// Whether something must be there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Need {
    /// Nothing is ranked without it.
    #[default]
    Required,
    /// The rest is ranked without it.
    Optional,
}

impl FusionStage {
    /// How members of these weights are fused, all results kept. If none of them counts, all do alike: what
    /// is there is better than nothing.
    #[must_use]
    pub fn fusion(&self, weights: Vec<f64>) -> Fusion {
        let (method, normalisation) = (self.method, self.normalisation);
        let alike =
            weights.iter().all(|weight| *weight == 0.0) || weights.iter().all(|weight| *weight == 1.0);
        Fusion { normalisation, method, weights: if alike { Vec::new() } else { weights }, depth: None }
    }
}

/// The stage as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    method: WrittenMethod,
    normalise: Option<WrittenNormalisation>,
    flat: Option<WrittenFlat>,
    #[serde(default)]
    only: Only,
    #[serde(default)]
    topics: Topics,
    #[serde(default = "thousand")]
    depth: usize,
    #[serde(default, rename = "member")]
    members: Vec<Member>,
}

/// Braces, since what a variant without them is given beside its name would be passed over.
#[derive(Deserialize)]
#[serde(tag = "name", rename_all = "lowercase", deny_unknown_fields)]
enum WrittenMethod {
    CombSum {},
    CombMnz {},
    CombMax {},
    CombMin {},
    CombAnz {},
    CombMed {},
    Rrf {
        #[serde(default = "sixty")]
        k: f64,
    },
    #[serde(rename = "ranked-sum")]
    RankedSum {
        #[serde(default = "sixty")]
        k: f64,
    },
    Isr {},
    LogIsr {
        #[serde(default = "hundredth")]
        sigma: f64,
    },
    Borda {
        depth: Option<usize>,
    },
    Ibc {
        #[serde(default = "thousand")]
        depth: usize,
        #[serde(default = "first_seed")]
        seed: u64,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WrittenNormalisation {
    None,
    MinMax,
    Z,
    Sum,
    Max,
    Rank,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WrittenFlat {
    One,
    Zero,
    Keep,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenMember {
    system: Option<String>,
    run: Option<String>,
    instead: Option<String>,
    about: Option<String>,
    #[serde(default = "one")]
    weight: f64,
    #[serde(default)]
    optional: bool,
}

fn thousand() -> usize {
    1000
}

fn sixty() -> f64 {
    60.0
}

fn hundredth() -> f64 {
    0.01
}

fn first_seed() -> u64 {
    1
}

impl TryFrom<WrittenMember> for Member {
    type Error = String;

    fn try_from(written: WrittenMember) -> Result<Self, String> {
        let WrittenMember { system, run, instead, about, weight, optional } = written;
        if run.is_none() && instead.is_some() {
            return Err("only a `run` has a system `instead` of it".to_owned());
        }
        let from = match (system, run) {
            (Some(name), None) => Origin::System(name),
            (None, Some(name)) => Origin::Run(name),
            _ => return Err("a member is either a `system` or a `run`".to_owned()),
        };
        let need = if optional { Need::Optional } else { Need::Required };
        Ok(Self { from, instead, about, weight, need })
    }
}

impl TryFrom<Written> for FusionStage {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let method = match written.method {
            WrittenMethod::CombSum {} => Method::CombSum,
            WrittenMethod::CombMnz {} => Method::CombMnz,
            WrittenMethod::CombMax {} => Method::CombMax,
            WrittenMethod::CombMin {} => Method::CombMin,
            WrittenMethod::CombAnz {} => Method::CombAnz,
            WrittenMethod::CombMed {} => Method::CombMed,
            WrittenMethod::Rrf { k } => Method::Rrf { k },
            WrittenMethod::RankedSum { k } => Method::RankedSum { k },
            WrittenMethod::Isr {} => Method::Isr,
            WrittenMethod::LogIsr { sigma } => Method::LogIsr { sigma },
            WrittenMethod::Borda { depth } => Method::Borda { depth },
            WrittenMethod::Ibc { depth, seed } => Method::Ibc { depth, seed },
        };
        let Written { normalise, flat, only, topics, depth, members, .. } = written;
        if !method.looks_at_scores() && normalise.is_some() {
            return Err(format!("`normalise` has no effect on {method}, which looks at ranks"));
        }
        let min_max =
            method.looks_at_scores() && matches!(normalise, None | Some(WrittenNormalisation::MinMax));
        if flat.is_some() && !min_max {
            return Err("`flat` has no effect without `normalise = \"min-max\"`".to_owned());
        }
        let normalisation = match normalise {
            None if !min_max => Normalisation::None,
            None | Some(WrittenNormalisation::MinMax) => Normalisation::MinMax(match flat {
                None | Some(WrittenFlat::One) => Flat::One,
                Some(WrittenFlat::Zero) => Flat::Zero,
                Some(WrittenFlat::Keep) => Flat::Keep,
            }),
            Some(WrittenNormalisation::None) => Normalisation::None,
            Some(WrittenNormalisation::Z) => Normalisation::Z,
            Some(WrittenNormalisation::Sum) => Normalisation::Sum,
            Some(WrittenNormalisation::Max) => Normalisation::Max,
            Some(WrittenNormalisation::Rank) => Normalisation::Rank,
        };
        let stage = Self { method, normalisation, only, topics, depth, members };
        if stage.members.is_empty() {
            return Err("a fusion needs members: [[fusion.member]]".to_owned());
        }
        if depth == 0 {
            return Err("`depth` must be 1 or more".to_owned());
        }
        // What the parameters may be is known to those who fuse.
        let nothing: Vec<&[fuse::Ranked<u8>]> = vec![&[]; stage.members.len()];
        let weights = stage.members.iter().map(|member| member.weight).collect();
        fuse::fuse(&nothing, &stage.fusion(weights)).map_err(|error| error.to_string())?;
        Ok(stage)
    }
}
