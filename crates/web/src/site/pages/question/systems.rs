//! The systems that can be chosen for a question.

use crate::site::systems;
use retrieve::{Engine, OUR_OWN, SystemTask};

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
        Group { title: "Systems from past labs", choices: Vec::new(), shown: Shown::Folded },
        Group { title: "Unavailable for this index", choices: Vec::new(), shown: Shown::Folded },
    ];
    for known in systems::all().iter().filter(|known| known.system.task == SystemTask::Answers) {
        let reason = known.answers(engine).err();
        let name = known.system.name.as_str();
        let place = match (&reason, OUR_OWN.contains(&name) || name == "bm25") {
            (Some(_), _) => 2,
            (None, true) => 0,
            (None, false) => 1,
        };
        let is_chosen = chosen.iter().any(|chosen| chosen == name);
        if is_chosen {
            groups[place].shown = Shown::Open;
        }
        groups[place].choices.push(Choice {
            name,
            about: known.system.about.trim(),
            reason,
            chosen: if is_chosen { Chosen::Yes } else { Chosen::No },
        });
    }
    groups.into_iter().filter(|group| !group.choices.is_empty()).collect()
}
