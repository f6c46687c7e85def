//! How the labs write down where in a tree something is.

use std::fmt::{self, Display, Write};

/// The labels from the root to a node.
///
/// Prints as the labs do: `-` for the root, the labels themselves up to five, and beyond that every run of
/// equal labels as its length and the label.
///
/// ```
/// use formula::features::Location;
///
/// assert_eq!(Location("").to_string(), "-");
/// assert_eq!(Location("nna").to_string(), "nna");
/// assert_eq!(Location("nnnnnn").to_string(), "6n");
/// assert_eq!(Location("nnnwwa").to_string(), "3n2w1a");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location<'t>(pub &'t str);

/// Locations up to this length are printed as they are.
const SHORT: usize = 5;

impl Display for Location<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_char('-');
        }
        if self.0.len() <= SHORT {
            return f.write_str(self.0);
        }
        for run in self.0.as_bytes().chunk_by(|a, b| a == b) {
            write!(f, "{}{}", run.len(), char::from(run[0]))?;
        }
        Ok(())
    }
}
