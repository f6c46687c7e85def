//! The orders in which items can be judged.

use crate::error::Error;
use std::fmt;

/// How the next item is chosen. Runs take part with what they brought into the
/// pool, in the order of their ranks; who comes first among equals is left to chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// What some run has first, then what some run has second, and so on: the
    /// order in which a pool grows with its depth. It learns nothing.
    RankByRank,
    /// By chance. It learns nothing.
    Random,
    /// Move-to-front (Cormack, Palmer & Clarke 1998), in the form in which
    /// Losada, Parapar & Barreiro (2016) compare it: all runs begin with the same
    /// priority; one of the highest priority is drawn and followed as long as
    /// its items are relevant; one that is not costs it one step of priority,
    /// and another is drawn.
    MoveToFront,
    /// Max-mean (Losada, Parapar & Barreiro 2016): the run with the highest
    /// mean `(relevant + 1)/(judged + 2)`, that of a Beta distribution that
    /// began as Beta(1, 1), gives the next item.
    ///
    /// A judgment counts for every run that brought the item, whichever of
    /// them was asked.
    MaxMean {
        /// What older judgments of a run's items are multiplied with when a
        /// new one comes in. With 1 all count alike (the stationary form), with
        /// 0 the last one alone ([`Method::MAX_MEAN_LAST`]).
        memory: f64,
    },
}

impl Method {
    /// Max-mean in which all judgments count alike: MM.
    pub const MAX_MEAN: Self = Self::MaxMean { memory: 1.0 };

    /// Max-mean in which the last judgment of a run's items counts alone:
    /// MM-NS, the form for yields that fall as one walks down a run.
    pub const MAX_MEAN_LAST: Self = Self::MaxMean { memory: 0.0 };

    /// The methods under their names, the two that learn nothing first.
    pub const ALL: [Self; 5] =
        [Self::RankByRank, Self::Random, Self::MoveToFront, Self::MAX_MEAN, Self::MAX_MEAN_LAST];

    /// What it is called on the command line; forms of max-mean with another memory share a name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RankByRank => "rank-by-rank",
            Self::Random => "random",
            Self::MoveToFront => "move-to-front",
            Self::MaxMean { memory: 1.0 } => "max-mean",
            Self::MaxMean { memory: 0.0 } => "max-mean-last",
            Self::MaxMean { .. } => "max-mean-fading",
        }
    }

    pub(super) fn check(self) -> Result<(), Error> {
        match self {
            Self::MaxMean { memory } if !(0.0..=1.0).contains(&memory) => {
                Err(Error::Setting { name: "memory", value: memory, range: "from 0 to 1" })
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl std::str::FromStr for Method {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|method| method.name() == text).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(method));
        }
        assert_eq!(Method::MaxMean { memory: 0.5 }.to_string(), "max-mean-fading");
    }
}
