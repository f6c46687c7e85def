//! What of topics and posts a pipeline uses: words, formulas or both, as the labs ask of a run.

use super::Pipeline;
use crate::engine::Engine;
use crate::system::{FormulaStage, Need as Must, Part, PostStage, System, Terms};
use dense::text::FormulaStyle;
use index::parts::Over;

/// What of topics and posts is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Uses {
    /// Neither words nor formulas, but links, say.
    #[default]
    Nothing,
    /// Words alone.
    Words,
    /// Formulas alone.
    Formulas,
    /// Both.
    Both,
}

impl Uses {
    /// This and another use.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nothing, one) | (one, Self::Nothing) => one,
            (one, same) if one == same => one,
            _ => Self::Both,
        }
    }
}

impl Pipeline {
    /// What it uses with an engine, all of its members together.
    #[must_use]
    pub fn uses(&self, engine: &Engine) -> Uses {
        self.nodes.iter().map(|node| node.stage.uses(engine)).fold(Uses::Nothing, Uses::and)
    }
}

/// What a system that is not made of others uses.
pub(super) fn of_system(system: &System, engine: &Engine) -> Uses {
    match (&system.posts, &system.formulas) {
        (Some(posts), formulas) => of_posts(posts, formulas.as_ref(), engine),
        (None, Some(formulas)) => of_formulas(formulas, engine),
        (None, None) => Uses::Nothing,
    }
}

fn of_posts(stage: &PostStage, formulas: Option<&FormulaStage>, engine: &Engine) -> Uses {
    let parts = stage.groups.iter().filter(|group| group.weight != 0.0).flat_map(|group| &group.parts);
    let of_terms = parts.filter(|part| part.weight != 0.0).flat_map(of_part);
    let by_formulas = stage.by_formulas.and(formulas).map(|formulas| of_formulas(formulas, engine));
    let dense = stage.dense.iter().map(|dense| of_vectors(engine, dense.model.as_deref()));
    // Proximity looks at the terms of the groups again; the others read whole posts.
    let scorers = stage.rerank.iter().filter(|rerank| rerank.by() != "proximity").map(|_| Uses::Both);
    of_terms.chain(by_formulas).chain(dense).chain(scorers).fold(Uses::Nothing, Uses::and)
}

fn of_part(part: &Part) -> impl Iterator<Item = Uses> {
    part.terms.iter().map(|terms| match terms {
        Terms::Words => Uses::Words,
        Terms::Source | Terms::Math(_) => Uses::Formulas,
        Terms::Symbols => Uses::Both,
    })
}

fn of_formulas(stage: &FormulaStage, engine: &Engine) -> Uses {
    let context = stage.context.as_ref().map(|context| {
        let model = context.model.as_deref();
        match context.need {
            Must::Optional if engine.vectors(Over::Posts, model).is_err() => Uses::Nothing,
            Must::Optional | Must::Required => of_vectors(engine, model),
        }
    });
    Uses::Formulas.and(context.unwrap_or_default())
}

/// What stands in the texts of which vectors were made.
fn of_vectors(engine: &Engine, model: Option<&str>) -> Uses {
    match engine.vectors(Over::Posts, model) {
        Ok(vectors) if vectors.settings.formulas == FormulaStyle::Omitted => Uses::Words,
        _ => Uses::Both,
    }
}
