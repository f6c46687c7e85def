//! What pipelines may need beside the index: models and the like, opened once and shared.

use dense::{Models, SharedModels};
use formats::AmrGraph;
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

/// Something that stages of a pipeline need beside the index, such as an encoder. It is opened once, and all
/// threads share it.
pub trait Resource: Any + Debug + Send + Sync {}

impl<T: Any + Debug + Send + Sync> Resource for T {}

/// The name of the graphs among the resources.
const GRAPHS: &str = "graphs";
/// The name of the models among the resources.
const MODELS: &str = "models";

/// The resources of an [`Engine`](crate::Engine), by their names. A clone shares them, so the index of a
/// server can be swapped while its models stay.
///
/// ```
/// # use retrieve::Resources;
/// let resources = Resources::default().with("stop", vec!["the", "of"]);
/// assert_eq!(resources.get::<Vec<&str>>("stop").map(|words| words.len()), Some(2));
/// assert!(resources.get::<String>("stop").is_none());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Resources(BTreeMap<String, Arc<dyn Resource>>);

impl Resources {
    /// The same with one more; it replaces one of the same name.
    #[must_use]
    pub fn with(mut self, name: &str, resource: impl Resource) -> Self {
        self.0.insert(name.to_owned(), Arc::new(resource));
        self
    }

    /// The same with models, which stages open by name.
    #[must_use]
    pub fn with_models(self, models: SharedModels) -> Self {
        self.with(MODELS, models)
    }

    /// The same with graphs of meaning, by the ids of formulas and topics.
    #[must_use]
    pub fn with_graphs(self, graphs: BTreeMap<String, AmrGraph>) -> Self {
        self.with(GRAPHS, graphs)
    }

    /// The graphs of meaning, if there are any.
    pub(crate) fn graphs(&self) -> Option<&BTreeMap<String, AmrGraph>> {
        self.get(GRAPHS)
    }

    /// The models, if there are any.
    pub(crate) fn models(&self) -> Option<&dyn Models> {
        self.get::<SharedModels>(MODELS).map(|models| &*models.0)
    }

    /// Whether a model of this name is there.
    pub(crate) fn knows_model(&self, name: &str) -> bool {
        self.models().is_some_and(|models| models.knows(name))
    }

    /// The resource with a name, if it is there and of this type.
    #[must_use]
    pub fn get<T: Any>(&self, name: &str) -> Option<&T> {
        let resource: &dyn Any = &**self.0.get(name)?;
        resource.downcast_ref()
    }

    /// Whether there is one of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}
