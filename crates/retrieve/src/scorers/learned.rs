//! Formulas scored by a weighted sum of features that compare them with the query: learning to rank.
//!
//! Features are those of [`formula::similarity::tree_pairs`] and, as `vectors:NAME`, the cosine of the vectors that
//! the index has of both formulas by a model. Weights stand in the system's file or come from a ranker of the store
//! of models, which `hypatia train rank` makes.

use super::{Compared, FormulaScorer, each_in_time};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::formulas::Candidate;
use crate::meaning::{FormulaVectors, failed};
use crate::pipeline::need::Need;
use formula::similarity::tree_pairs::{FEATURES, Feature};
use index::parts::Over;
use latex::Mode;
use serde::{Deserialize, Deserializer, de};
use std::collections::BTreeMap;

/// What stands before the name of a model whose vectors are compared.
const VECTORS: &str = "vectors:";

/// Scores by a weighted sum of features.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct Learned {
    /// The features that are computed when weights are learned.
    features: Vec<FeatureOf>,
    /// The ranker that has the weights.
    model: Option<String>,
    weights: Vec<(FeatureOf, f64)>,
}

/// A feature by its name.
#[derive(Clone, Debug, PartialEq)]
enum FeatureOf {
    Trees(&'static Feature),
    /// The cosine of vectors by a model.
    Vectors(String),
}

impl FeatureOf {
    fn named(name: &str) -> Result<Self, String> {
        match (name.strip_prefix(VECTORS), Feature::named(name)) {
            (Some(model), _) if !model.is_empty() => Ok(Self::Vectors(model.to_owned())),
            (_, Some(feature)) => Ok(Self::Trees(feature)),
            _ => {
                let known: Vec<&str> = FEATURES.iter().map(|feature| feature.name).collect();
                Err(format!("there is no feature `{name}`; there are {}, {VECTORS}MODEL", known.join(", ")))
            }
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Trees(feature) => feature.name.to_owned(),
            Self::Vectors(model) => format!("{VECTORS}{model}"),
        }
    }
}

/// The settings as they are written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(default, deserialize_with = "features")]
    features: Vec<FeatureOf>,
    model: Option<String>,
    #[serde(default)]
    weights: BTreeMap<String, f64>,
}

fn features<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<FeatureOf>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    names.iter().map(|name| FeatureOf::named(name)).collect::<Result<_, _>>().map_err(de::Error::custom)
}

impl TryFrom<Written> for Learned {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let Written { features, model, weights } = written;
        if model.is_some() && !weights.is_empty() {
            return Err("weights stand here, or in the ranker that `model` names, not in both".to_owned());
        }
        let weight = |(name, weight): (String, f64)| Ok((FeatureOf::named(&name)?, weight));
        let weights = weights.into_iter().map(weight).collect::<Result<_, String>>()?;
        Ok(Self { features, model, weights })
    }
}

/// Features of formulas, as they are learned from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Values {
    pub(crate) names: Vec<String>,
    /// For each candidate, in their order, as many as there are names.
    pub(crate) rows: Vec<Vec<f64>>,
}

impl Learned {
    /// The features whose weights are to be learned: those of the file, without vectors that the index does not have.
    fn to_learn(&self, engine: &Engine) -> Vec<FeatureOf> {
        let is_there = |feature: &&FeatureOf| match feature {
            FeatureOf::Trees(_) => true,
            FeatureOf::Vectors(model) => engine.vectors(Over::Formulas, Some(model)).is_ok(),
        };
        if self.features.is_empty() {
            return FEATURES.iter().map(FeatureOf::Trees).collect();
        }
        self.features.iter().filter(is_there).cloned().collect()
    }

    /// The features that count and their weights.
    fn weighed(&self, engine: &Engine) -> Result<Vec<(FeatureOf, f64)>, Error> {
        let Some(model) = &self.model else { return Ok(self.weights.clone()) };
        let ranker = engine.model(|models| models.ranker(model))?;
        let weight = |(name, weight): &(String, f64)| {
            FeatureOf::named(name)
                .map(|feature| (feature, *weight))
                .map_err(|what| failed(format!("{model}: {what}")))
        };
        ranker.0.iter().filter(|(_, weight)| *weight != 0.0).map(weight).collect()
    }
}

/// Computes features of candidates, as long as there is time; gives each candidate and its features to `each`.
fn compute(
    features: &[FeatureOf],
    engine: &Engine,
    query: Compared<'_>,
    candidates: &mut [Candidate],
    work: &mut Work,
    mut each: impl FnMut(&mut Candidate, &[f64]),
) -> Result<usize, Error> {
    let mut of_trees: Vec<&Feature> = Vec::new();
    let mut vectors = Vec::new();
    for feature in features {
        match feature {
            FeatureOf::Trees(feature) => of_trees.push(feature),
            FeatureOf::Vectors(model) => vectors.push(FormulaVectors::open(engine, model, query.latex)?),
        }
    }
    work.extractor.read(query.latex, Mode::Query);
    let read = |work: &mut Work| {
        let Work { extractor, tree_pairs, .. } = work;
        let opt = extractor.opt().clone();
        tree_pairs.read(Some(extractor.slt()), Some(&opt))
    };
    let ours = read(work);
    let (mut trees, mut all) = (Vec::new(), Vec::new());
    Ok(each_in_time(candidates, work, |candidate, work| {
        trees.clear();
        if !of_trees.is_empty() {
            work.extractor.read(engine.candidate_latex(candidate), Mode::Document);
            let theirs = read(work);
            work.tree_pairs.values(&of_trees, &ours, &theirs, &mut trees);
        }
        all.clear();
        let (mut trees, mut vectors) = (trees.iter(), vectors.iter());
        all.extend(features.iter().map(|feature| match feature {
            FeatureOf::Trees(_) => trees.next().copied().unwrap_or(0.0),
            FeatureOf::Vectors(_) => {
                let near = vectors.next().and_then(|vectors| vectors.cosine(candidate.source, candidate.doc));
                near.unwrap_or(0.0)
            }
        }));
        each(candidate, &all);
    }))
}

impl FormulaScorer for Learned {
    fn needs(&self) -> Vec<Need> {
        self.model.iter().map(|model| Need::Ranker(model.clone())).collect()
    }

    fn models(&self) -> Vec<String> {
        self.model.iter().cloned().collect()
    }

    fn score(
        &self,
        engine: &Engine,
        query: Compared<'_>,
        candidates: &mut [Candidate],
        work: &mut Work,
    ) -> Result<usize, Error> {
        let (features, weights): (Vec<FeatureOf>, Vec<f64>) = self.weighed(engine)?.into_iter().unzip();
        compute(&features, engine, query, candidates, work, |candidate, values| {
            candidate.score = values.iter().zip(&weights).map(|(value, weight)| value * weight).sum();
        })
    }

    fn values(
        &self,
        engine: &Engine,
        query: Compared<'_>,
        candidates: &mut [Candidate],
        work: &mut Work,
    ) -> Result<Option<Values>, Error> {
        let features = self.to_learn(engine);
        let mut rows = Vec::new();
        compute(&features, engine, query, candidates, work, |_, values| rows.push(values.to_vec()))?;
        Ok(Some(Values { names: features.iter().map(FeatureOf::name).collect(), rows }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(settings: &str) -> Result<Learned, String> {
        toml::from_str(settings).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn features_are_known_by_name() {
        let learned = read("features = ['edit-slt', 'vectors:cft-slt']\nmodel = 'ltr'").unwrap();
        let names: Vec<String> = learned.features.iter().map(FeatureOf::name).collect();
        assert_eq!(names, ["edit-slt", "vectors:cft-slt"]);
        assert_eq!(learned.models(), ["ltr"]);
        assert!(
            read("features = ['edit']")
                .unwrap_err()
                .contains("there is no feature `edit`; there are mss-slt")
        );
        assert!(read("features = ['vectors:']").is_err());
        assert!(read("model = 'ltr'\nweights = { edit-slt = 1 }").unwrap_err().contains("not in both"));
        assert_eq!(read("weights = { edit-slt = 0.5 }").unwrap().weights[0].1, 0.5);
    }
}
