//! Where formulas stand by the tables that published them, which is where the labs look for them.

use super::Collection;
use crate::error::Error;
use crate::ids::{FormulaNo, PostNo};
use crate::marks::{FormulaMarks, Part};

/// Where the labs have a formula instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Official {
    /// In the title or the text of a post.
    Post(PostNo),
    /// In a comment on a post.
    Comment(PostNo),
    /// Nowhere: its id is not one of those that were published, or stands in no text.
    Nowhere,
}

impl Collection {
    /// Whether ids of formulas were published with the collection: then those that are ours are unknown to others.
    #[must_use]
    pub fn publishes_formula_ids(&self) -> bool {
        // Ids of ours follow those that were published.
        let lowest = self.formulas_by_id().next();
        lowest.is_some_and(|formula| !self.formula_marks(formula).has(FormulaMarks::OUR_ID))
    }

    /// Where the labs have a formula instance: where its table says, else where it stands.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn official_place(&self, formula: FormulaNo) -> Result<Official, Error> {
        let marks = self.formula_marks(formula);
        let is_ours = marks.has(FormulaMarks::OUR_ID) && self.publishes_formula_ids();
        if is_ours || marks.has(FormulaMarks::NO_ROW) || marks.part() == Part::Nowhere {
            return Ok(Official::Nowhere);
        }
        if marks.has(FormulaMarks::ELSEWHERE)
            && let Some(row) = self.reader().stray(formula)?
        {
            let is_comment = row.comment.is_some() || row.part == "comment";
            return Ok(match self.find_post(&row.post) {
                Some(post) if is_comment => Official::Comment(post),
                Some(post) => Official::Post(post),
                None => Official::Nowhere,
            });
        }
        let is_comment = self.formula_comment(formula).is_some();
        Ok(match self.formula_post(formula) {
            Some(post) if is_comment => Official::Comment(post),
            Some(post) => Official::Post(post),
            None => Official::Nowhere,
        })
    }

    /// Where the labs have the formula with an id; that in a post, where it stands in several places.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn official_place_of(&self, id: &str) -> Result<Official, Error> {
        let mut found = Official::Nowhere;
        for formula in self.find_formulas(id) {
            match self.official_place(formula)? {
                post @ Official::Post(_) => return Ok(post),
                comment @ Official::Comment(_) if found == Official::Nowhere => found = comment,
                Official::Comment(_) | Official::Nowhere => {}
            }
        }
        Ok(found)
    }
}
