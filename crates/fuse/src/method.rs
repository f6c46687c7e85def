//! The ways in which what the members say of a document becomes one number.

use crate::methods::{borda, comb, ibc, reciprocal};
use crate::{Error, Flat, Normalisation, Table};
use std::fmt;

/// How what the members say of a document becomes one number; formulas and
/// sources stand with each.
///
/// s is the normalised score that a member gives, r the rank from 1, w the
/// weight of the member, and n the number of members that have the document.
/// Sums run over these members: who lacks the document adds nothing, save in
/// [`Method::Borda`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// `Σ w·s` (Fox & Shaw 1994); with weights, the linear combination of Vogt & Cottrell (1999).
    CombSum,
    /// `n · Σ w·s` (Fox & Shaw 1994).
    CombMnz,
    /// `max s` (Fox & Shaw 1994).
    CombMax,
    /// `min s` (Fox & Shaw 1994).
    CombMin,
    /// `Σ w·s / n` (Fox & Shaw 1994).
    CombAnz,
    /// The median of s, between the middle two if their number is even (Fox & Shaw 1994).
    CombMed,
    /// `Σ w/(k + r)`: reciprocal rank fusion (Cormack, Clarke & Büttcher 2009).
    Rrf {
        /// How little the first ranks stand out; 60 by custom.
        k: f64,
    },
    /// `Σ w·s/(k + r)`: reciprocal ranks that count as much as their scores, the modified RRF of DPRL's Tangent-CFT2
    /// at ARQMath 2022.
    RankedSum {
        /// As in [`Method::Rrf`]; 60 there.
        k: f64,
    },
    /// `n · Σ w/r²`: inverse square rank (Mourão, Martins & Magalhães 2014).
    Isr,
    /// `ln(n + σ) · Σ w/r²` (the same authors). With σ = 0, what one member alone has counts 0.
    LogIsr {
        /// What is added to n; 0.01 by custom.
        sigma: f64,
    },
    /// `Σ w·points` (Borda 1781; Aslam & Montague 2001).
    Borda {
        /// With a depth, rank r is worth `max(0, depth + 1 − r)` points and a
        /// missing document none. Without, rank r is worth `c + 1 − r` points,
        /// c being the number of all documents, and the documents that a member
        /// lacks share the points it has left, `(c − length + 1)/2` each.
        depth: Option<usize>,
    },
    /// By median rank, then by n, then by rank in one member drawn by chance:
    /// the ensemble of MIRMU at ARQMath 2020 and 2021.
    ///
    /// The score is `(depth − median)/depth`, ranks counting from 0 and a
    /// missing document having rank `depth`, and less than half of
    /// `1/depth` on top that puts equal medians in order.
    Ibc {
        /// The rank of what is missing; 1000 there.
        depth: usize,
        /// Decides which member is asked about which document.
        seed: u64,
    },
}

impl Method {
    /// Whether it looks at scores, which then must be comparable; the others look at ranks.
    #[must_use]
    pub fn looks_at_scores(&self) -> bool {
        match self {
            Self::CombSum
            | Self::CombMnz
            | Self::CombMax
            | Self::CombMin
            | Self::CombAnz
            | Self::CombMed
            | Self::RankedSum { .. } => true,
            Self::Rrf { .. } | Self::Isr | Self::LogIsr { .. } | Self::Borda { .. } | Self::Ibc { .. } => {
                false
            }
        }
    }

    /// Whether something is added up, so that members can have weights.
    #[must_use]
    pub fn is_sum(&self) -> bool {
        !matches!(self, Self::CombMax | Self::CombMin | Self::CombMed | Self::Ibc { .. })
    }

    /// The normalisation that goes with it if nothing is said.
    #[must_use]
    pub fn usual_normalisation(&self) -> Normalisation {
        if self.looks_at_scores() { Normalisation::MinMax(Flat::One) } else { Normalisation::None }
    }

    /// What it is called on the command line and in messages.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::CombSum => "combsum",
            Self::CombMnz => "combmnz",
            Self::CombMax => "combmax",
            Self::CombMin => "combmin",
            Self::CombAnz => "combanz",
            Self::CombMed => "combmed",
            Self::Rrf { .. } => "rrf",
            Self::RankedSum { .. } => "ranked-sum",
            Self::Isr => "isr",
            Self::LogIsr { .. } => "logisr",
            Self::Borda { .. } => "borda",
            Self::Ibc { .. } => "ibc",
        }
    }

    /// Whether its parameters are in their ranges.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let (name, value, range, fits) = match *self {
            Self::Rrf { k } | Self::RankedSum { k } => {
                ("k", k, "a number of 0 or more", k.is_finite() && k >= 0.0)
            }
            Self::LogIsr { sigma } => {
                ("sigma", sigma, "a number of 0 or more", sigma.is_finite() && sigma >= 0.0)
            }
            Self::Borda { depth: Some(depth) } | Self::Ibc { depth, .. } => {
                ("depth", depth as f64, "1 or more", depth > 0)
            }
            _ => return Ok(()),
        };
        if fits { Ok(()) } else { Err(Error::Parameter { name, value, range }) }
    }

    /// The score of each document that a member with a weight has, by its place in the table.
    pub(crate) fn scores<Id: Ord + Clone>(&self, table: &Table<Id>, weights: &[f64]) -> Vec<(usize, f64)> {
        let rows = table.rows(weights);
        // Adding zero makes one zero of two: -0 and 0 are equal scores.
        let each = |score: &dyn Fn(&crate::table::Row<'_>) -> f64| -> Vec<(usize, f64)> {
            table.rows(weights).map(|(place, row)| (place, score(&row) + 0.0)).collect()
        };
        match *self {
            Self::CombSum => each(&comb::sum),
            Self::CombMnz => each(&comb::times_number),
            Self::CombMax => each(&comb::max),
            Self::CombMin => each(&comb::min),
            Self::CombAnz => each(&comb::mean),
            Self::CombMed => each(&comb::median),
            Self::Rrf { k } => each(&|row| reciprocal::rrf(row, k)),
            Self::RankedSum { k } => each(&|row| reciprocal::ranked_sum(row, k)),
            Self::Isr => each(&reciprocal::isr),
            Self::LogIsr { sigma } => each(&|row| reciprocal::log_isr(row, sigma)),
            Self::Borda { depth: Some(depth) } => each(&|row| borda::to_depth(row, depth)),
            Self::Borda { depth: None } => {
                let candidates = rows.count();
                each(&|row| borda::among(row, table.lengths(), candidates))
            }
            Self::Ibc { depth, seed } => ibc::scores(rows, table.members(), depth, seed),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
