//! The systems that can be named: which rank what people type, which answer questions, and why not.

use crate::site::error::AppError;
use retrieve::{Engine, Pipeline, SYSTEMS, System, SystemTask};
use std::sync::{Arc, LazyLock};

/// A system that comes with the program.
pub(crate) struct Known {
    pub(crate) system: System,
    /// What it is compiled to, if it ranks answers to what is no topic of a lab; else why not.
    pipeline: Result<Arc<Pipeline>, &'static str>,
}

/// All of them; their files are read once.
static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let systems = SYSTEMS.iter().filter_map(|(name, _)| System::named(name).ok());
    systems.map(|system| Known { pipeline: pipeline(&system), system }).collect()
});

fn pipeline(system: &System) -> Result<Arc<Pipeline>, &'static str> {
    if system.task != SystemTask::Answers {
        return Err("it ranks formulas, not answers");
    }
    if system.posts.as_ref().is_some_and(|stage| stage.links.is_some()) {
        return Err("it needs to know what a question is linked with");
    }
    Pipeline::named(&system.name).map_err(|_| "it needs runs that are not here")
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
pub(crate) fn for_search(name: &str) -> Result<Arc<Pipeline>, AppError> {
    named(name)?.pipeline.clone().map_err(|reason| {
        AppError::BadRequest(format!("{name}: {reason}; /api/v1/systems says what it is for"))
    })
}

/// The system with a name, for questions over this index.
pub(crate) fn for_questions(engine: &Engine, name: &str) -> Result<&'static Pipeline, AppError> {
    named(name)?.answers(engine).map_err(|reason| AppError::BadRequest(format!("{name}: {reason}")))
}

impl Known {
    /// What answers questions over this index, or why it does not.
    pub(crate) fn answers(&self, engine: &Engine) -> Result<&Pipeline, String> {
        let pipeline = self.pipeline.as_ref().map_err(ToString::to_string)?;
        match engine.lacks(pipeline) {
            Some(what) => Err(format!("the index was built without {what}")),
            None => Ok(pipeline),
        }
    }
}
