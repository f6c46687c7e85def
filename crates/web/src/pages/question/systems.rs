//! The systems that can be chosen.

use crate::error::AppError;
use retrieve::{Engine, OUR_OWN, Plan, SYSTEMS, System, Task};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// A system for questions, with all that it is made of if that is here.
struct Known {
    name: String,
    about: String,
    plan: Option<Plan>,
}

/// All that rank answers. Their files are read once.
static KNOWN: LazyLock<Vec<Known>> = LazyLock::new(|| {
    let systems = SYSTEMS.iter().filter_map(|(name, _)| System::named(name).ok());
    systems
        .filter(|system| system.task == Task::Answers)
        .map(|system| Known {
            name: system.name.clone(),
            about: system.about.trim().to_owned(),
            plan: Plan::of(system, &System::named, &BTreeMap::new()).ok(),
        })
        .collect()
});

/// Systems under one heading.
pub(super) struct Group {
    pub(super) title: &'static str,
    pub(super) choices: Vec<Choice>,
    /// Whether they are shown at once.
    pub(super) shown: Shown,
}

/// Whether a group is shown at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// It is.
    Open,
    /// On demand.
    Folded,
}

/// A system.
pub(super) struct Choice {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// Why it cannot be chosen.
    pub(super) reason: Option<String>,
    pub(super) chosen: Chosen,
}

/// Whether a system is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chosen {
    /// It is.
    Yes,
    /// It is not.
    No,
}

/// All systems: our own first, then those of the labs, then those that cannot run here.
pub(super) fn choices(engine: &Engine, chosen: &[String]) -> Vec<Group> {
    let mut groups = [
        Group { title: "Our own", choices: Vec::new(), shown: Shown::Open },
        Group { title: "Of the labs, and to compare with", choices: Vec::new(), shown: Shown::Folded },
        Group { title: "Not on this index", choices: Vec::new(), shown: Shown::Folded },
    ];
    for known in KNOWN.iter() {
        let reason = why_not(engine, known);
        let place = match (&reason, OUR_OWN.contains(&known.name.as_str()) || known.name == "bm25") {
            (Some(_), _) => 2,
            (None, true) => 0,
            (None, false) => 1,
        };
        let is_chosen = chosen.contains(&known.name);
        if is_chosen {
            groups[place].shown = Shown::Open;
        }
        groups[place].choices.push(Choice {
            name: &known.name,
            about: &known.about,
            reason,
            chosen: if is_chosen { Chosen::Yes } else { Chosen::No },
        });
    }
    groups.into_iter().filter(|group| !group.choices.is_empty()).collect()
}

/// The plan of a system that can run.
pub(super) fn plan(engine: &Engine, name: &str) -> Result<&'static Plan, AppError> {
    let known = KNOWN.iter().find(|known| known.name == name);
    let known =
        known.ok_or_else(|| AppError::BadRequest(format!("there is no system {name} for questions")))?;
    match (&known.plan, why_not(engine, known)) {
        (Some(plan), None) => Ok(plan),
        (_, reason) => Err(AppError::BadRequest(format!(
            "the system {name} cannot run here: {}",
            reason.unwrap_or_default()
        ))),
    }
}

fn why_not(engine: &Engine, known: &Known) -> Option<String> {
    match &known.plan {
        None => Some("it needs runs that are not here".to_owned()),
        Some(plan) => engine.lacks(plan).map(|what| format!("the index was built without {what}")),
    }
}
