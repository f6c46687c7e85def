//! Facts about well-known models that their cards do not state, or not clearly.
//!
//! The training mixture of the `all-*` sentence encoders (`data_config.json`, published with
//! all-MiniLM-L6-v2) lists Math Stack Exchange three times: 1,338,443 title-body, 1,100,953 title-answer and
//! 1,100,953 title+body-answer pairs. Collections of ARQMath are made of the same site.

use crate::facts::{Origin, TrainedOn};
use formats::MATH_STACK_EXCHANGE;

struct Known {
    /// The name on the hub, without the organisation.
    name: &'static str,
    /// SHA-256 of `model.safetensors` as published, where we have it.
    weights: Option<&'static str>,
    trained_on: &'static [&'static str],
}

const KNOWN: [Known; 3] = [
    Known {
        name: "all-MiniLM-L6-v2",
        weights: Some("53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
        trained_on: &[MATH_STACK_EXCHANGE],
    },
    Known { name: "all-MiniLM-L12-v2", weights: None, trained_on: &[MATH_STACK_EXCHANGE] },
    Known {
        name: "all-mpnet-base-v2",
        weights: Some("78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"),
        trained_on: &[MATH_STACK_EXCHANGE],
    },
];

/// The published name of weights.
pub(crate) fn name_of_weights(sha256: &str) -> Option<&'static str> {
    KNOWN.iter().find(|known| known.weights == Some(sha256)).map(|known| known.name)
}

/// The training sets of a model, if it or a model that it was made from is known: by any of these names, with
/// or without organisation, or by the checksum of a file of weights.
pub(crate) fn trained_on<'a>(
    names: impl IntoIterator<Item = &'a str>,
    mut weights: impl Iterator<Item = &'a str>,
) -> Vec<TrainedOn> {
    let mut found: Vec<&Known> = Vec::new();
    for name in names {
        let name = name.rsplit('/').next().unwrap_or(name);
        found.extend(KNOWN.iter().filter(|known| known.name.eq_ignore_ascii_case(name)));
    }
    found.extend(
        weights.by_ref().filter_map(|sha256| KNOWN.iter().find(|known| known.weights == Some(sha256))),
    );
    let mut marks: Vec<TrainedOn> = Vec::new();
    for set in found.iter().flat_map(|known| known.trained_on) {
        if !marks.iter().any(|mark| mark.set == *set) {
            marks.push(TrainedOn { set: (*set).to_owned(), from: Origin::Known });
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_known_by_name_and_by_weights() {
        let none = || std::iter::empty();
        for name in ["all-minilm-l6-v2", "sentence-transformers/all-MiniLM-L12-v2", "x/all-mpnet-base-v2"] {
            let marks = trained_on([name], none());
            assert_eq!(marks.len(), 1, "{name}");
            assert_eq!((marks[0].set.as_str(), marks[0].from), (MATH_STACK_EXCHANGE, Origin::Known));
        }
        assert_eq!(trained_on(["all-MiniLM-L6"], none()), []);
        let minilm = KNOWN[0].weights.unwrap();
        assert_eq!(trained_on(["mine", "all-MiniLM-L6-v2"], [minilm].into_iter()).len(), 1);
        assert_eq!(trained_on(["mine"], [minilm].into_iter()).len(), 1);
        assert_eq!(name_of_weights(minilm), Some("all-MiniLM-L6-v2"));
    }
}
