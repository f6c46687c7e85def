//! What stages cannot do without, and whether it is there.

use crate::engine::Engine;
use crate::pipeline::{Node, Pipeline};
use crate::system::{DEFAULT_FORMULAS, DEFAULT_POSTS};
use index::parts::Over;
use index::{FeatureKind, Field};
use std::collections::BTreeSet;
use std::path::Path;

/// Something that a stage cannot do without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// A field of posts.
    Field(Field),
    /// Features of formulas.
    Features(FeatureKind),
    /// Vectors of posts or formulas, and the model that made them; any if none is named.
    Vectors(Over, Option<String>),
    /// A model, by its name.
    Model(String),
    /// A ranker that was trained here, by its name.
    Ranker(String),
    /// A resource beside the index, by its name.
    #[cfg_attr(not(test), expect(dead_code, reason = "all stages that ship need models only"))]
    Resource(String),
}

impl Need {
    /// What it is called, if the engine does not have it.
    fn lacking(&self, engine: &Engine) -> Option<String> {
        let index = &engine.index;
        match self {
            Self::Field(field) => {
                let has = index.segments().iter().all(|segment| segment.posts.postings(*field).is_some());
                (!has).then(|| field.to_string().trim_start_matches("math.").to_owned())
            }
            Self::Features(kind) => {
                let has = index.sources().iter().all(|source| source.formulas.postings(*kind).is_some());
                (!has).then(|| kind.name().to_owned())
            }
            Self::Vectors(over, model) => engine.vectors(*over, model.as_deref()).err(),
            Self::Model(name) => (!engine.resources.knows_model(name)).then(|| format!("the model {name}")),
            Self::Ranker(name) => (!engine.resources.knows_model(name))
                .then(|| format!("the ranker {name}, which `hypatia train rank --name {name}` makes")),
            Self::Resource(name) => (!engine.resources.has(name)).then(|| name.clone()),
        }
    }
}

impl Need {
    /// How an index gets what is not a field of it.
    fn remedy(&self, index: &Path) -> Option<String> {
        let Self::Vectors(over, model) = self else { return None };
        let model = model.as_deref().unwrap_or("MODEL");
        let of = match over {
            Over::Posts => "",
            Over::Formulas => " --of formulas",
        };
        Some(format!("add them with `hypatia index -o {} --encode {model}{of}`", index.display()))
    }
}

impl Engine {
    /// What a pipeline needs and the engine does not have: fields that the index was built without, or
    /// models. Nothing is run to find out.
    #[must_use]
    pub fn lacks(&self, pipeline: &Pipeline) -> Option<String> {
        let needed = pipeline.nodes.iter().filter(|node| !node.is_optional);
        needed.into_iter().find_map(|node| self.first_lacking(&node.stage.needs()))
    }

    /// The members that a pipeline is run without, because the engine lacks what they need, and what that is.
    #[must_use]
    pub fn absent(&self, pipeline: &Pipeline) -> Vec<(String, String)> {
        let lacking = |node: &Node| Some((node.name.clone(), self.why_absent(node)?));
        pipeline.nodes.iter().filter_map(lacking).collect()
    }

    /// What a member lacks that a pipeline can do without.
    pub(crate) fn why_absent(&self, node: &Node) -> Option<String> {
        node.is_optional.then(|| self.first_lacking(&node.stage.needs())).flatten()
    }

    /// The system for posts when none is named: the learned one where the index has vectors and their model is there,
    /// else the classical one.
    #[must_use]
    pub fn default_posts(&self) -> &'static str {
        if self.has_meaning() { "hypatia-1" } else { DEFAULT_POSTS }
    }

    /// The system for formulas when none is named, chosen in the same way.
    #[must_use]
    pub fn default_formulas(&self) -> &'static str {
        if self.has_meaning() { "hypatia-2" } else { DEFAULT_FORMULAS }
    }

    fn has_meaning(&self) -> bool {
        self.vectors(Over::Posts, None).is_ok()
    }

    /// The models that a pipeline uses here, by name: those it needs, and those it uses where they are there.
    #[must_use]
    pub fn models_of(&self, pipeline: &Pipeline) -> BTreeSet<String> {
        let there = pipeline.nodes.iter().filter(|node| self.why_absent(node).is_none());
        there.flat_map(|node| node.stage.models(self)).collect()
    }

    pub(crate) fn first_lacking(&self, needs: &[Need]) -> Option<String> {
        needs.iter().find_map(|need| need.lacking(self))
    }

    /// The engine has all of this.
    pub(crate) fn ensure(&self, needs: &[Need]) -> Result<(), index::Error> {
        let lacking = needs.iter().find_map(|need| Some((need, need.lacking(self)?)));
        let Some((need, what)) = lacking else { return Ok(()) };
        let file = self.index.path().to_owned();
        Err(match need.remedy(&file) {
            Some(remedy) => index::Error::Lacks { file, what, remedy },
            None => index::Error::Missing { file, what },
        })
    }
}
