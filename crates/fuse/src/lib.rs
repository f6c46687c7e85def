//! How do several rankings become one?
//!
//! Rankings go in, a ranking comes out: no files, no index, no measures. Two
//! choices are made one after the other, each with a type of its own: how the
//! scores of a ranking are made comparable ([`Normalisation`]), and how what the
//! rankings say of a document becomes one number ([`Method`]). [`tune`] finds
//! weights for the members.
//!
//! The result depends on nothing but the input: sums are taken in the order of
//! the members, and results stand by score, highest first, then by id, highest
//! first, as everywhere.
//!
//! ```
//! use fuse::{Fusion, Method, Ranked, fuse};
//!
//! let list = |ids: [&'static str; 3]| ids.map(|id| Ranked { id, score: 0.0 });
//! let (left, right) = (list(["a", "b", "c"]), list(["c", "a", "d"]));
//! let fused = fuse(&[&left, &right], &Fusion::new(Method::Rrf { k: 60.0 }))?;
//! assert_eq!(fused.iter().map(|result| result.id).collect::<Vec<_>>(), ["a", "c", "b", "d"]);
//! assert!((fused[0].score - 0.032522).abs() < 5e-7);
//! # Ok::<(), fuse::Error>(())
//! ```

mod error;
pub mod learn;
mod method;
mod methods;
mod normalise;
mod table;
pub mod tune;

pub use error::Error;
pub use method::Method;
pub use normalise::{Flat, Normalisation};
pub use table::Table;

/// One result of a ranking. A ranking is a slice of them, best first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked<Id> {
    /// What was retrieved.
    pub id: Id,
    /// How good the member thinks it is.
    pub score: f64,
}

/// How rankings become one.
#[derive(Clone, Debug, PartialEq)]
pub struct Fusion {
    /// How scores become comparable; methods that look at ranks do not look at it.
    pub normalisation: Normalisation,
    /// How what the members say of a document becomes one number.
    pub method: Method,
    /// What each member counts, in their order; none at all means that each counts 1.
    ///
    /// A member that counts 0 is left out, as if it had not been given.
    pub weights: Vec<f64>,
    /// How many results are kept.
    pub depth: Option<usize>,
}

impl Fusion {
    /// The method with the normalisation it needs, members alike, all results kept.
    #[must_use]
    pub fn new(method: Method) -> Self {
        let normalisation = method.usual_normalisation();
        Self { normalisation, method, weights: Vec::new(), depth: None }
    }

    /// `α·first + (1 − α)·second` of min-max scores, a flat list being 0: how
    /// approach0's runs were fused with those of a neural model (2022).
    #[must_use]
    pub fn interpolation(alpha: f64) -> Self {
        Self {
            normalisation: Normalisation::MinMax(Flat::Zero),
            method: Method::CombSum,
            weights: vec![alpha, 1.0 - alpha],
            depth: None,
        }
    }

    /// The same with these weights.
    #[must_use]
    pub fn with_weights(self, weights: impl Into<Vec<f64>>) -> Self {
        Self { weights: weights.into(), ..self }
    }
}

/// Makes one ranking of several. Ranks are places in the slices, from 1.
///
/// # Errors
///
/// When a score, a weight or a parameter is not finite, a ranking holds an id
/// twice, the weights are not one for each ranking or have no effect, or a
/// result is too large for a number.
pub fn fuse<Id: Ord + Clone>(rankings: &[&[Ranked<Id>]], how: &Fusion) -> Result<Vec<Ranked<Id>>, Error> {
    let table = Table::new(rankings, how.normalisation)?;
    let order = table.order(&how.method, &how.weights, how.depth)?;
    let ids = table.ids();
    Ok(order.into_iter().map(|(place, score)| Ranked { id: ids[place].clone(), score }).collect())
}

#[cfg(test)]
mod tests;
