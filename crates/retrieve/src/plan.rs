//! A system with all that it is made of, ready to be run.

mod given;
mod lacks;
mod run;

pub use given::Given;
pub use run::{Asked, Ranking};

use crate::system::{FusionStage, Need, Origin, System, SystemError, Task};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Fusions of fusions are no deeper than this.
const DEEPEST: usize = 16;

/// A system with all that it is made of, ready to be run.
#[derive(Clone, Debug)]
pub struct Plan {
    task: Task,
    /// Members stand before what is made of them; the last is the system itself.
    nodes: Vec<Node>,
    missing: Vec<Missing>,
}

/// A ranking to be made.
#[derive(Clone, Debug)]
struct Node {
    name: String,
    /// How many results are wanted; the last node is told when it is run.
    depth: usize,
    work: Work,
}

/// How a ranking is made.
#[derive(Clone, Debug)]
enum Work {
    System(Box<System>),
    Given(Arc<Given>),
    Fusion(FusionStage, Vec<Part>),
}

/// A member that is there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Part {
    node: usize,
    weight: f64,
    /// Whether it is the member that the file names first.
    leads: bool,
}

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

/// Why a system cannot be made ready.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A member cannot be read, or there is none of its name.
    #[error("{system}: {cause}")]
    Member {
        /// The fusion that names it.
        system: String,
        /// What is wrong.
        cause: SystemError,
    },
    /// A fusion is a member of itself.
    #[error("a fusion cannot be made of itself: {}", .0.join(" → "))]
    Circle(
        /// The way round, with the same name at both ends.
        Vec<String>,
    ),
    /// Fusions of fusions of fusions, and so on.
    #[error("fusions are nested more than {DEEPEST} deep: {}", .0.join(" → "))]
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
        of: Task,
        /// The member.
        member: String,
        /// The task of the member.
        is: Task,
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

/// What a plan is made with.
struct Planner<'a> {
    find: &'a dyn Fn(&str) -> Result<System, SystemError>,
    runs: &'a BTreeMap<String, Arc<Given>>,
    plan: Plan,
    /// What was planned already, by its depth; nothing where nothing of it is there.
    known: BTreeMap<(Origin, usize), Option<usize>>,
    /// The fusions that are being made, the outermost first.
    path: Vec<String>,
}

impl Plan {
    /// Makes a system ready: `find` gives the systems that it names, `runs` are those that are given.
    ///
    /// # Errors
    ///
    /// When a member is not there, is for another task, or is made of what is made of it.
    pub fn of(
        system: System,
        find: &dyn Fn(&str) -> Result<System, SystemError>,
        runs: &BTreeMap<String, Arc<Given>>,
    ) -> Result<Self, PlanError> {
        let plan = Self { task: system.task, nodes: Vec::new(), missing: Vec::new() };
        let mut planner = Planner { find, runs, plan, known: BTreeMap::new(), path: Vec::new() };
        let name = system.name.clone();
        let members = system.fusion.iter().flat_map(|fusion| &fusion.members);
        let members: Vec<String> = members.map(|member| member.from.name().to_owned()).collect();
        match planner.add(system, &name, 0)? {
            Some(_) => Ok(planner.plan),
            None => Err(PlanError::Nothing { system: name, members }),
        }
    }

    /// A system that is made of no others.
    #[must_use]
    pub fn alone(system: System) -> Self {
        let (task, name) = (system.task, system.name.clone());
        let node = Node { name, depth: 0, work: Work::System(Box::new(system)) };
        Self { task, nodes: vec![node], missing: Vec::new() }
    }

    /// The task that it is for.
    #[must_use]
    pub fn task(&self) -> Task {
        self.task
    }

    /// The names of the systems that it is made of, as they were asked for, in their order.
    pub fn systems(&self) -> impl Iterator<Item = &str> {
        let systems = self.nodes.iter().filter(|node| !matches!(node.work, Work::Given(_)));
        systems.map(|node| node.name.as_str())
    }

    /// The names of the runs that it is made of.
    pub fn runs(&self) -> impl Iterator<Item = &str> {
        let runs = self.nodes.iter().filter(|node| matches!(node.work, Work::Given(_)));
        runs.map(|node| node.name.as_str())
    }

    /// What it is made without.
    #[must_use]
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }

    /// The same without what leaves a part of the work out, in every system that it is made of.
    #[must_use]
    pub fn exact(mut self) -> Self {
        for node in &mut self.nodes {
            if let Work::System(system) = &mut node.work {
                **system = system.as_ref().clone().exact();
            }
        }
        self
    }
}

impl Planner<'_> {
    /// Adds a system and all that it is made of; nothing if nothing of it is there.
    fn add(&mut self, system: System, name: &str, depth: usize) -> Result<Option<usize>, PlanError> {
        if let Some(start) = self.path.iter().position(|known| known == name) {
            let mut circle = self.path.split_off(start);
            circle.push(name.to_owned());
            return Err(PlanError::Circle(circle));
        }
        let Some(stage) = system.fusion.clone() else {
            return Ok(Some(self.push(name, depth, Work::System(Box::new(system)))));
        };
        self.path.push(name.to_owned());
        if self.path.len() > DEEPEST {
            return Err(PlanError::Deep(std::mem::take(&mut self.path)));
        }
        let mut parts = Vec::new();
        for (place, member) in stage.members.iter().enumerate() {
            let node = match &member.from {
                Origin::System(member) => self.system(&system, member, stage.depth)?,
                Origin::Run(member) => self.run(member, stage.depth),
            };
            match (node, member.need) {
                (Some(node), _) => parts.push(Part { node, weight: member.weight, leads: place == 0 }),
                (None, Need::Optional) => self.miss(&system, member.from.name(), member.about.clone()),
                (None, Need::Required) => return Err(self.lacking(&system, &member.from)),
            }
        }
        self.path.pop();
        if parts.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.push(name, depth, Work::Fusion(stage, parts))))
    }

    /// A system that is a member of another.
    fn system(&mut self, of: &System, name: &str, depth: usize) -> Result<Option<usize>, PlanError> {
        let key = (Origin::System(name.to_owned()), depth);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let found = (self.find)(name);
        let system = found.map_err(|cause| PlanError::Member { system: of.name.clone(), cause })?;
        if system.task != of.task {
            let (member, is) = (name.to_owned(), system.task);
            return Err(PlanError::Task { system: of.name.clone(), of: of.task, member, is });
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
        let node = Some(self.push(name, depth, Work::Given(Arc::clone(given))));
        self.known.insert(key, node);
        node
    }

    /// Why a fusion cannot do without a member of which nothing is there.
    fn lacking(&self, system: &System, member: &Origin) -> PlanError {
        match member {
            Origin::Run(name) => PlanError::Run { system: system.name.clone(), member: name.clone() },
            Origin::System(name) => {
                let missing = self.plan.missing.iter().filter(|missing| missing.system == *name);
                let members = missing.map(|missing| missing.member.clone()).collect();
                PlanError::Nothing { system: name.clone(), members }
            }
        }
    }

    fn push(&mut self, name: &str, depth: usize, work: Work) -> usize {
        self.plan.nodes.push(Node { name: name.to_owned(), depth, work });
        self.plan.nodes.len() - 1
    }

    fn miss(&mut self, system: &System, member: &str, about: Option<String>) {
        let missing = Missing { system: system.name.clone(), member: member.to_owned(), about };
        if !self.plan.missing.contains(&missing) {
            self.plan.missing.push(missing);
        }
    }
}
