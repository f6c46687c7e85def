//! How values of topics become one value of a run.

/// Below this, a value counts as this in a geometric mean (trec_eval).
const LEAST: f64 = 0.00001;

/// How the values of topics become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aggregate {
    /// The arithmetic mean.
    Mean,
    /// The sum, for counts.
    Sum,
    /// The geometric mean, each value being at least 0.00001.
    GeometricMean,
}

impl Aggregate {
    /// One value from those of the topics; 0 if there are none.
    ///
    /// ```
    /// use eval::Aggregate;
    ///
    /// assert_eq!(Aggregate::Mean.of(&[0.5, 0.0]), 0.25);
    /// assert_eq!(Aggregate::Sum.of(&[5.0, 2.0]), 7.0);
    /// assert!((Aggregate::GeometricMean.of(&[0.1, 0.0]) - 0.001).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn of(self, values: &[f64]) -> f64 {
        if values.is_empty() {
            return 0.0;
        }
        let count = values.len() as f64;
        match self {
            Self::Mean => values.iter().sum::<f64>() / count,
            Self::Sum => values.iter().sum(),
            Self::GeometricMean => {
                let logarithms: f64 = values.iter().map(|value| value.max(LEAST).ln()).sum();
                (logarithms / count).exp()
            }
        }
    }

    /// What is summed up: the values, or their logarithms for a geometric mean.
    pub(crate) fn terms(self, mut values: Vec<f64>) -> Vec<f64> {
        if self == Self::GeometricMean {
            values.iter_mut().for_each(|value| *value = value.max(LEAST).ln());
        }
        values
    }
}
