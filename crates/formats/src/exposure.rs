//! Whether a model was trained on the site that the labs' collections come from.

use serde::Serialize;

/// The site of ARQMath's collections and topics, as a training set.
pub const MATH_STACK_EXCHANGE: &str = "math.stackexchange.com";

/// Whether training sets include posts of Math Stack Exchange, the site of ARQMath's collections and topics.
///
/// ```
/// use formats::Exposure;
///
/// assert_eq!(Exposure::of(["ms-marco", "math.stackexchange.com"]), Exposure::Yes);
/// assert_eq!(Exposure::of(["flax-sentence-embeddings/stackexchange_xml"]), Exposure::Likely);
/// assert_eq!(Exposure::of(["ms-marco"]), Exposure::Unknown);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exposure {
    /// Nothing says so. That does not mean that they do not.
    Unknown,
    /// They include posts of Stack Exchange; which sites is not stated.
    Likely,
    /// They do.
    Yes,
    /// The model was trained on judgments of the very topics that it ranks for: train-on-test.
    Topics,
}

impl Exposure {
    /// The exposure of a model that was trained on these sets: names of sites, or ids of datasets on a hub.
    pub fn of<S: AsRef<str>>(sets: impl IntoIterator<Item = S>) -> Self {
        sets.into_iter().map(|set| Self::of_one(&set.as_ref().to_lowercase())).max().unwrap_or(Self::Unknown)
    }

    /// The word in JSON and CSV.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Likely => "likely",
            Self::Yes => "yes",
            Self::Topics => "topics",
        }
    }

    fn of_one(set: &str) -> Self {
        if set == MATH_STACK_EXCHANGE || set.contains("math-stackexchange") || set.contains("arqmath") {
            Self::Yes
        } else if set.contains("stackexchange") || set.contains("stack-exchange") {
            Self::Likely
        } else {
            Self::Unknown
        }
    }
}
