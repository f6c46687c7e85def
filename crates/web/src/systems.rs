//! The systems that can be named: which rank what people type, which answer questions, and why not.

use crate::error::AppError;
use retrieve::{Engine, Plan, SYSTEMS, System, Task};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A system that comes with the program.
pub(crate) struct Known {
    pub(crate) system: System,
    /// It with all that it is made of, if it can answer questions that are no topics of a lab; else why not.
    plan: Result<Plan, &'static str>,
}

/// All of them; their files are read once.
static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let systems = SYSTEMS.iter().filter_map(|(name, _)| System::named(name).ok());
    systems.map(|system| Known { plan: plan(&system), system }).collect()
});

fn plan(system: &System) -> Result<Plan, &'static str> {
    if system.task != Task::Answers {
        return Err("it ranks formulas, not answers");
    }
    if system.posts.as_ref().is_some_and(|stage| stage.links.is_some()) {
        return Err("it needs to know what a question is linked with");
    }
    Plan::of(system.clone(), &System::named, &BTreeMap::new()).map_err(|_| "it needs runs that are not here")
}

/// All systems, in the order in which they are listed.
pub(crate) fn all() -> &'static [Known] {
    &KNOWN
}

/// The system with a name.
fn named(name: &str) -> Result<&'static Known, AppError> {
    all().iter().find(|known| known.system.name == name).ok_or_else(|| {
        let name: String = name.chars().take(40).collect();
        AppError::BadRequest(format!("there is no system {name:?}; /api/v1/systems lists those there are"))
    })
}

/// The system with a name, for what people type.
pub(crate) fn for_search(name: &str) -> Result<&'static System, AppError> {
    let known = named(name)?;
    if !known.ranks_words() {
        let message = format!("{name} ranks no words; /api/v1/systems says what it is for");
        return Err(AppError::BadRequest(message));
    }
    Ok(&known.system)
}

/// The system with a name, for questions over this index.
pub(crate) fn for_questions(engine: &Engine, name: &str) -> Result<&'static Plan, AppError> {
    named(name)?.answers(engine).map_err(|reason| AppError::BadRequest(format!("{name}: {reason}")))
}

impl Known {
    /// Whether it can rank what people type.
    pub(crate) fn ranks_words(&self) -> bool {
        let stage = self.system.posts.as_ref().filter(|_| self.system.fusion.is_none());
        stage.is_some_and(|stage| stage.links.is_none() && !stage.groups.is_empty())
    }

    /// What answers questions over this index, or why it does not.
    pub(crate) fn answers(&self, engine: &Engine) -> Result<&Plan, String> {
        let plan = self.plan.as_ref().map_err(ToString::to_string)?;
        match engine.lacks(plan) {
            Some(what) => Err(format!("the index was built without {what}")),
            None => Ok(plan),
        }
    }
}
