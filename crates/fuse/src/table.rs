//! The rankings of one topic brought together: each document once, with what every member says of it.

use crate::{Error, Method, Normalisation, Ranked};

/// Rankings side by side, ready to be fused many times with other weights.
///
/// It takes room for every document and every member.
#[derive(Clone, Debug)]
pub struct Table<Id> {
    /// The highest first, so that of equal scores the earlier place comes first.
    ids: Vec<Id>,
    /// What each member says of each document, document by document.
    cells: Vec<Option<Cell>>,
    /// How many results each member has.
    lengths: Vec<usize>,
}

/// What one member says of one document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cell {
    /// Its rank, from 1.
    pub(crate) rank: usize,
    /// Its score, normalised.
    pub(crate) value: f64,
}

/// What the members say of one document, and what each of them counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    /// A place for each member.
    pub(crate) cells: &'a [Option<Cell>],
    /// One for each member.
    pub(crate) weights: &'a [f64],
}

impl Row<'_> {
    /// What the members say that have the document and count, each with its weight, in their order.
    pub(crate) fn present(&self) -> impl Iterator<Item = (f64, Cell)> {
        self.cells
            .iter()
            .zip(self.weights)
            .filter_map(|(cell, weight)| cell.filter(|_| *weight != 0.0).map(|cell| (*weight, cell)))
    }
}

impl<Id: Ord + Clone> Table<Id> {
    /// Brings rankings together, each of them best first.
    ///
    /// # Errors
    ///
    /// When a score is not finite or too large to be normalised, or a ranking holds an id twice.
    pub fn new(rankings: &[&[Ranked<Id>]], normalisation: Normalisation) -> Result<Self, Error> {
        let mut entries: Vec<(&Id, usize, Cell)> = Vec::new();
        for (member, ranking) in rankings.iter().enumerate() {
            if let Some(place) = ranking.iter().position(|result| !result.score.is_finite()) {
                return Err(Error::NotFinite { member: member + 1, place: place + 1 });
            }
            let scores: Vec<f64> = ranking.iter().map(|result| result.score).collect();
            let values = normalisation.apply(&scores)?;
            let cells = (1..).zip(values).map(|(rank, value)| Cell { rank, value });
            entries.extend(ranking.iter().zip(cells).map(|(result, cell)| (&result.id, member, cell)));
        }
        // Stable, so that the entries of a document stay in the order of members and ranks.
        entries.sort_by(|a, b| b.0.cmp(a.0));
        let mut ids = Vec::new();
        let mut cells: Vec<Option<Cell>> = Vec::new();
        for same in entries.chunk_by(|a, b| a.0 == b.0) {
            ids.push(same[0].0.clone());
            let start = cells.len();
            cells.resize(start + rankings.len(), None);
            for (_, member, cell) in same {
                if let Some(first) = cells[start + member].replace(*cell) {
                    return Err(Error::Repeated { member: member + 1, first: first.rank, second: cell.rank });
                }
            }
        }
        Ok(Self { ids, cells, lengths: rankings.iter().map(|ranking| ranking.len()).collect() })
    }

    /// All documents, the highest id first.
    #[must_use]
    pub fn ids(&self) -> &[Id] {
        &self.ids
    }

    /// The fused ranking, best first: places in [`Table::ids`] and scores.
    /// Without weights each member counts 1.
    ///
    /// # Errors
    ///
    /// When the weights are not one for each member, not finite or without
    /// effect, a parameter is out of range, or a score is too large.
    pub fn order(
        &self,
        method: &Method,
        weights: &[f64],
        depth: Option<usize>,
    ) -> Result<Vec<(usize, f64)>, Error> {
        let members = self.lengths.len();
        if !weights.is_empty() {
            if weights.len() != members {
                return Err(Error::WeightCount { weights: weights.len(), members });
            }
            if let Some(member) = weights.iter().position(|weight| !weight.is_finite()) {
                return Err(Error::Weight { member: member + 1 });
            }
            if !method.is_sum() {
                return Err(Error::NoWeights(*method));
            }
        }
        method.check()?;
        let ones;
        let weights = if weights.is_empty() {
            ones = vec![1.0; members];
            &ones
        } else {
            weights
        };
        let mut order = method.scores(self, weights);
        if order.iter().any(|(_, score)| !score.is_finite()) {
            return Err(Error::TooLarge);
        }
        // Places stand for ids, the highest first.
        let better = |a: &(usize, f64), b: &(usize, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if let Some(depth) = depth.filter(|depth| *depth < order.len()) {
            if depth > 0 {
                order.select_nth_unstable_by(depth - 1, better);
            }
            order.truncate(depth);
        }
        order.sort_unstable_by(better);
        Ok(order)
    }

    /// How many members there are.
    pub(crate) fn members(&self) -> usize {
        self.lengths.len()
    }

    /// How many results each member has.
    pub(crate) fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// The documents that a member with a weight has: their places and what is said of them.
    pub(crate) fn rows<'a>(&'a self, weights: &'a [f64]) -> impl Iterator<Item = (usize, Row<'a>)> {
        // A table without members has no documents.
        let rows = self.cells.chunks_exact(self.members().max(1)).map(|cells| Row { cells, weights });
        rows.enumerate().filter(|(_, row)| row.present().next().is_some())
    }
}
