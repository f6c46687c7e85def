//! What an index lacks of what a plan needs.

use super::{Plan, Work};
use crate::engine::Engine;
use crate::system::System;

impl Engine {
    /// What the index was built without although a system of the plan needs it; nothing is run to find out.
    #[must_use]
    pub fn lacks(&self, plan: &Plan) -> Option<String> {
        plan.nodes.iter().find_map(|node| match &node.work {
            Work::System(system) => self.system_lacks(system),
            Work::Given(_) | Work::Fusion(..) => None,
        })
    }

    fn system_lacks(&self, system: &System) -> Option<String> {
        let groups = system.posts.iter().flat_map(|stage| &stage.groups);
        let lacking = groups.flat_map(|group| &group.parts).find_map(|part| self.part_lacks(part));
        if lacking.is_some() {
            return lacking;
        }
        let sources = self.index.sources();
        let finds = system.formulas.iter().flat_map(|stage| &stage.find);
        let mut kinds = finds.flat_map(|find| find.features.kinds()).map(|(kind, _)| *kind);
        let lacking = kinds.find(|kind| sources.iter().any(|one| one.formulas.postings(*kind).is_none()));
        lacking.map(|kind| kind.name().to_owned())
    }
}
