//! What an index lacks of what a plan needs.

use super::{Plan, Work};
use crate::engine::Engine;
use crate::posts::measured;
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
        let mut fields = groups.flat_map(|group| &group.parts).flat_map(measured).map(|(field, ..)| field);
        let (segments, sources) = (self.index.segments(), self.index.sources());
        let lacking = fields.find(|field| segments.iter().any(|one| one.posts.postings(*field).is_none()));
        if let Some(field) = lacking {
            return Some(field.to_string().trim_start_matches("math.").to_owned());
        }
        let finds = system.formulas.iter().flat_map(|stage| &stage.find);
        let mut kinds = finds.flat_map(|find| find.features.kinds()).map(|(kind, _)| *kind);
        let lacking = kinds.find(|kind| sources.iter().any(|one| one.formulas.postings(*kind).is_none()));
        lacking.map(|kind| kind.name().to_owned())
    }
}
