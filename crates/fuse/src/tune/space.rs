//! What can be tuned: lists of values, and weights that add up to 1.

use super::Error;
use stats::rng::Rng;
use std::cmp::Ordering;

/// One thing that can be set.
#[derive(Clone, Debug, PartialEq)]
pub enum Axis {
    /// One parameter that takes one of these values; of equally good ones, the first.
    Values {
        /// What it is called.
        name: String,
        /// Its values, the simplest first.
        values: Vec<f64>,
    },
    /// One parameter for each member, multiples of `1/steps` that are not
    /// negative and add up to 1; of equally good ones, those nearest to equal.
    Simplex {
        /// What the members are called.
        names: Vec<String>,
        /// Into how many parts the sum is cut.
        steps: u32,
    },
}

/// More values than this are a mistake in a range.
const MOST_VALUES: f64 = 1e6;

impl Axis {
    /// The values `from`, `from + step` and so on up to `to`, rounding errors forgiven.
    ///
    /// # Errors
    ///
    /// When there is no such value, or more than a million.
    pub fn range(name: &str, from: f64, to: f64, step: f64) -> Result<Self, Error> {
        let count = ((to - from) / step + 1e-9).floor();
        if !(step > 0.0 && (0.0..MOST_VALUES).contains(&count)) {
            return Err(Error::Values(name.to_owned()));
        }
        let values = (0..=count as u32).map(|index| from + f64::from(index) * step).collect();
        Ok(Self::Values { name: name.to_owned(), values })
    }

    /// How many parameters it sets.
    fn width(&self) -> usize {
        match self {
            Self::Values { .. } => 1,
            Self::Simplex { names, .. } => names.len(),
        }
    }
}

/// All that is tuned at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    axes: Vec<Axis>,
    lines: Vec<Line>,
}

/// A place in a space: for each parameter the number of its value, or how many
/// parts of the sum a weight has.
pub(super) type Point = Vec<u32>;

/// What moves while the rest stays; numbers of parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Line {
    Values {
        at: usize,
        count: u32,
    },
    /// What two weights have together goes from one to the other.
    Pair {
        left: usize,
        right: usize,
    },
}

impl Space {
    /// A space of these axes.
    ///
    /// # Errors
    ///
    /// When an axis has no values or some that are not finite.
    pub fn new(axes: Vec<Axis>) -> Result<Self, Error> {
        let mut lines = Vec::new();
        let mut at = 0;
        for axis in &axes {
            match axis {
                Axis::Values { name, values } => {
                    if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
                        return Err(Error::Values(name.clone()));
                    }
                    let count = u32::try_from(values.len()).map_err(|_| Error::Values(name.clone()))?;
                    lines.push(Line::Values { at, count });
                }
                Axis::Simplex { names, steps } => {
                    if names.is_empty() || *steps == 0 {
                        return Err(Error::Simplex);
                    }
                    for left in 0..names.len() {
                        let pairs = (left + 1..names.len()).map(|right| (at + left, at + right));
                        lines.extend(pairs.map(|(left, right)| Line::Pair { left, right }));
                    }
                }
            }
            at += axis.width();
        }
        Ok(Self { axes, lines })
    }

    /// The names of the parameters, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.axes.iter().flat_map(|axis| match axis {
            Axis::Values { name, .. } => std::slice::from_ref(name).iter().map(String::as_str),
            Axis::Simplex { names, .. } => names.iter().map(String::as_str),
        })
    }

    /// The first value of each list, and weights as equal as the steps allow.
    pub(super) fn first(&self) -> Point {
        let mut point = Vec::new();
        for axis in &self.axes {
            match axis {
                Axis::Values { .. } => point.push(0),
                Axis::Simplex { names, steps } => {
                    let members = u32::try_from(names.len()).unwrap_or(u32::MAX);
                    point.extend(
                        (0..members).map(|member| steps / members + u32::from(member < steps % members)),
                    );
                }
            }
        }
        point
    }

    /// A point drawn by chance: values alike, each part of a sum to any member.
    pub(super) fn draw(&self, rng: &mut Rng) -> Point {
        let mut point = Vec::new();
        for axis in &self.axes {
            match axis {
                Axis::Values { values, .. } => {
                    point.push(u32::try_from(rng.index(values.len())).unwrap_or(0));
                }
                Axis::Simplex { names, steps } => {
                    // Cuts of the sum at drawn places, so that corners are as likely as the middle.
                    let mut cuts: Vec<u32> =
                        (1..names.len()).map(|_| rng.below(u64::from(*steps) + 1) as u32).collect();
                    cuts.sort_unstable();
                    cuts.push(*steps);
                    let mut before = 0;
                    point.extend(cuts.into_iter().map(|cut| cut - std::mem::replace(&mut before, cut)));
                }
            }
        }
        point
    }

    /// What the parameters are at a point.
    pub(super) fn parameters(&self, point: &Point) -> Vec<f64> {
        let mut at = 0;
        let mut parameters = Vec::with_capacity(point.len());
        for axis in &self.axes {
            let part = &point[at..at + axis.width()];
            at += axis.width();
            match axis {
                Axis::Values { values, .. } => parameters.push(values[part[0] as usize]),
                Axis::Simplex { steps, .. } => {
                    parameters.extend(part.iter().map(|share| f64::from(*share) / f64::from(*steps)));
                }
            }
        }
        parameters
    }

    /// How far a point is from the first values and equal weights; less is simpler.
    pub(super) fn simplicity(&self, point: &Point) -> f64 {
        let mut at = 0;
        let mut far = 0.0;
        for axis in &self.axes {
            let part = &point[at..at + axis.width()];
            at += axis.width();
            far += match axis {
                Axis::Values { .. } => f64::from(part[0]),
                Axis::Simplex { steps, names } => {
                    let equal = f64::from(*steps) / names.len() as f64;
                    part.iter().map(|share| (f64::from(*share) - equal).powi(2)).sum()
                }
            };
        }
        far
    }

    /// Which of two points comes first: the one with the earlier values, or with more weight on the first members.
    pub(super) fn earlier(&self, a: &Point, b: &Point) -> Ordering {
        let mut at = 0;
        let mut order = Ordering::Equal;
        for axis in &self.axes {
            let part = at..at + axis.width();
            at = part.end;
            order = order.then_with(|| match axis {
                Axis::Values { .. } => a[part.clone()].cmp(&b[part]),
                Axis::Simplex { .. } => b[part.clone()].cmp(&a[part]),
            });
        }
        order
    }

    /// How many lines go through every point.
    pub(super) fn num_lines(&self) -> usize {
        self.lines.len()
    }

    /// All points on a line through a point.
    pub(super) fn line(&self, through: &Point, line: usize) -> Vec<Point> {
        match self.lines[line] {
            Line::Values { at, count } => (0..count)
                .map(|value| {
                    let mut point = through.clone();
                    point[at] = value;
                    point
                })
                .collect(),
            Line::Pair { left, right } => (0..=through[left] + through[right])
                .map(|share| {
                    let mut point = through.clone();
                    point[right] = through[left] + through[right] - share;
                    point[left] = share;
                    point
                })
                .collect(),
        }
    }
}
