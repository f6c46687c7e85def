//! A system's file and those that it names, made a pipeline.

use super::formulas::{FOUND, FormulaRanking};
use super::fusion::{FusionOfNodes, Part};
use super::given::Given;
use super::posts::PostRanking;
use super::stage::Stage;
use super::{Node, NodeKind, Pipeline};
use crate::system::{Need, Origin, System, SystemError, SystemTask};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Fusions of fusions are no deeper than this.
const DEEPEST: usize = 16;

/// A member that a fusion is made without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The fusion.
    pub system: String,
    /// The name of the run that was not given, or of the member that nothing is left of.
    pub member: String,
    /// What the file says about it.
    pub about: Option<String>,
}

/// Why a system cannot be compiled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompileError {
    /// The system's file cannot be read, or there is none of its name.
    #[error(transparent)]
    System(#[from] SystemError),
    /// A member cannot be read, or there is none of its name.
    #[error("{system}: {cause}")]
    Member {
        /// The fusion that names it.
        system: String,
        /// What is wrong.
        cause: SystemError,
    },
    /// A fusion is a member of itself.
    #[error("a system cannot be made of itself: {}", .0.join(" → "))]
    Circle(
        /// The way round, with the same name at both ends.
        Vec<String>,
    ),
    /// Fusions of fusions of fusions, and so on.
    #[error("systems are nested more than {DEEPEST} deep: {}", .0.join(" → "))]
    Deep(
        /// The way down.
        Vec<String>,
    ),
    /// A member ranks something else.
    #[error("{system} is for task {}, and its member {member} for task {}", of.number(), is.number())]
    Task {
        /// The fusion.
        system: String,
        /// Its task.
        of: SystemTask,
        /// The member.
        member: String,
        /// The task of the member.
        is: SystemTask,
    },
    /// A run is needed that was not given.
    #[error("{system} needs the run {member}: give it with --member {member}=RUN")]
    Run {
        /// The fusion.
        system: String,
        /// The name of the run.
        member: String,
    },
    /// No member is there.
    #[error("{system}: none of its members is there; give runs with --member: {}", members.join(", "))]
    Nothing {
        /// The fusion.
        system: String,
        /// The names of those that could be given.
        members: Vec<String>,
    },
}

/// What a pipeline is made with.
struct Compiler<'a> {
    find: &'a dyn Fn(&str) -> Result<System, SystemError>,
    runs: &'a BTreeMap<String, Arc<Given>>,
    pipeline: Pipeline,
    /// What was compiled already, by its depth; nothing where nothing of it is there.
    known: BTreeMap<(Origin, usize), Option<usize>>,
    /// The fusions that are being made, the outermost first.
    path: Vec<String>,
}

/// Makes a pipeline of a system.
pub(super) fn compile(
    system: System,
    find: &dyn Fn(&str) -> Result<System, SystemError>,
    runs: &BTreeMap<String, Arc<Given>>,
) -> Result<Pipeline, CompileError> {
    let pipeline = Pipeline { task: system.task, nodes: Vec::new(), missing: Vec::new() };
    let mut compiler = Compiler { find, runs, pipeline, known: BTreeMap::new(), path: Vec::new() };
    let name = system.name.clone();
    let members = system.fusion.iter().flat_map(|fusion| &fusion.members);
    let members: Vec<String> = members.map(|member| member.from.name().to_owned()).collect();
    match compiler.add(system, &name, 0)? {
        Some(_) => Ok(compiler.pipeline),
        None => Err(CompileError::Nothing { system: name, members }),
    }
}

/// The stage of a system that is made of no others.
fn stage_of(system: System) -> Arc<dyn Stage> {
    match system.task {
        SystemTask::Answers => Arc::new(PostRanking::new(system)),
        SystemTask::Formulas => Arc::new(FormulaRanking::new(system)),
    }
}

impl Compiler<'_> {
    /// Adds a system and all that it is made of; nothing if nothing of it is there.
    fn add(&mut self, system: System, name: &str, depth: usize) -> Result<Option<usize>, CompileError> {
        if let Some(start) = self.path.iter().position(|known| known == name) {
            let mut circle = self.path.split_off(start);
            circle.push(name.to_owned());
            return Err(CompileError::Circle(circle));
        }
        if let Some(from) = system.formulas.as_ref().and_then(|formulas| formulas.from.clone()) {
            self.enter(name)?;
            let found = self.system(&system, &from, FOUND)?;
            self.path.pop();
            let Some(found) = found else { return Err(self.lacking(&system, &Origin::System(from))) };
            let stage = FormulaRanking::of_found(system, found);
            return Ok(Some(self.push(name, depth, NodeKind::System, Arc::new(stage))));
        }
        let Some(stage) = system.fusion.clone() else {
            return Ok(Some(self.push(name, depth, NodeKind::System, stage_of(system))));
        };
        self.enter(name)?;
        let mut parts = Vec::new();
        for (place, member) in stage.members.iter().enumerate() {
            let node = match &member.from {
                Origin::System(member) => self.system(&system, member, stage.depth)?,
                Origin::Run(run) => match (self.run(run, stage.depth), &member.instead) {
                    (None, Some(instead)) => {
                        let node = self.system(&system, instead, stage.depth)?;
                        if let (Some(node), Need::Optional) = (node, member.need) {
                            self.pipeline.nodes[node].is_optional = true;
                        }
                        node
                    }
                    (run, _) => run,
                },
            };
            match (node, member.need) {
                (Some(node), _) => {
                    let (name, weight) = (member.from.name().to_owned(), member.weight);
                    parts.push(Part { node, name, weight, leads: place == 0 });
                }
                (None, Need::Optional) => self.miss(&system, member.from.name(), member.about.clone()),
                (None, Need::Required) => return Err(self.lacking(&system, &member.from)),
            }
        }
        self.path.pop();
        if parts.is_empty() {
            return Ok(None);
        }
        let fusion = FusionOfNodes::new(system, stage, parts);
        Ok(Some(self.push(name, depth, NodeKind::System, Arc::new(fusion))))
    }

    /// Begins with what a system is made of.
    fn enter(&mut self, name: &str) -> Result<(), CompileError> {
        self.path.push(name.to_owned());
        if self.path.len() > DEEPEST {
            return Err(CompileError::Deep(std::mem::take(&mut self.path)));
        }
        Ok(())
    }

    /// A system that is a member of another.
    fn system(&mut self, of: &System, name: &str, depth: usize) -> Result<Option<usize>, CompileError> {
        let key = (Origin::System(name.to_owned()), depth);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let found = (self.find)(name);
        let system = found.map_err(|cause| CompileError::Member { system: of.name.clone(), cause })?;
        if system.task != of.task {
            let (member, is) = (name.to_owned(), system.task);
            return Err(CompileError::Task { system: of.name.clone(), of: of.task, member, is });
        }
        let node = self.add(system, name, depth)?;
        self.known.insert(key, node);
        Ok(node)
    }

    /// A run that is a member.
    fn run(&mut self, name: &str, depth: usize) -> Option<usize> {
        let given = self.runs.get(name)?;
        let key = (Origin::Run(name.to_owned()), depth);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let stage = Arc::clone(given);
        let node = Some(self.push(name, depth, NodeKind::Run, stage));
        self.known.insert(key, node);
        node
    }

    /// Why a fusion cannot do without a member of which nothing is there.
    fn lacking(&self, system: &System, member: &Origin) -> CompileError {
        match member {
            Origin::Run(name) => CompileError::Run { system: system.name.clone(), member: name.clone() },
            Origin::System(name) => {
                let missing = self.pipeline.missing.iter().filter(|missing| missing.system == *name);
                let members = missing.map(|missing| missing.member.clone()).collect();
                CompileError::Nothing { system: name.clone(), members }
            }
        }
    }

    fn push(&mut self, name: &str, depth: usize, kind: NodeKind, stage: Arc<dyn Stage>) -> usize {
        self.pipeline.nodes.push(Node { name: name.to_owned(), depth, kind, stage, is_optional: false });
        self.pipeline.nodes.len() - 1
    }

    fn miss(&mut self, system: &System, member: &str, about: Option<String>) {
        let missing = Missing { system: system.name.clone(), member: member.to_owned(), about };
        if !self.pipeline.missing.contains(&missing) {
            self.pipeline.missing.push(missing);
        }
    }
}
