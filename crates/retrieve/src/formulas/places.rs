//! Where formulas that were found stand, and which of these places a run may return.

use super::Candidate;
use crate::engine::Engine;
use crate::hits::{FormulaHit, FormulaPlace};
use index::{Document, Source};
use store::{FormulaNo, Official};

/// Which instances of formulas count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Places {
    /// All in posts: what people search for.
    All,
    /// Those that a run may return: in posts, where the published tables have them, under published ids.
    /// Where none were published, all in posts.
    Official,
}

impl Engine {
    /// The instances of a candidate that count, with the posts they stand in.
    pub(crate) fn places_of(
        &self,
        candidate: &Candidate,
        places: Places,
    ) -> impl Iterator<Item = (FormulaNo, Document)> {
        let Candidate { source: number, doc, .. } = *candidate;
        let Source { collection, formulas, .. } = &self.index.sources()[number];
        let forms = collection.forms_of_visual(formulas.visual(doc));
        let instances = forms.flat_map(move |form| collection.formulas_of_form(form));
        instances.filter_map(move |place| Some((place, self.document_of_place(number, place, places)?)))
    }

    /// The post of an instance of a formula, if the instance counts and the post is valid.
    pub(super) fn document_of_place(
        &self,
        source: usize,
        place: FormulaNo,
        places: Places,
    ) -> Option<Document> {
        let collection = &self.index.sources()[source].collection;
        let post = match places {
            Places::All if collection.formula_comment(place).is_some() => return None,
            Places::All => collection.formula_post(place)?,
            // What is damaged is told when the work is done, as everywhere.
            Places::Official => match collection.official_place(place).ok()? {
                Official::Post(post) => post,
                Official::Comment(_) | Official::Nowhere => return None,
            },
        };
        self.index.document(source, post)
    }

    /// The first place of a formula that counts.
    pub(super) fn first_place(&self, source: usize, doc: u32, places: Places) -> Option<FormulaNo> {
        let Source { collection, formulas, .. } = &self.index.sources()[source];
        let forms = collection.forms_of_visual(formulas.visual(doc));
        let counts = |place: &FormulaNo| self.document_of_place(source, *place, places).is_some();
        forms.filter_map(|form| collection.formulas_of_form(form).find(counts)).min()
    }

    /// Where a formula that was found stands, as a run gives it: in the post whose context counted, else in the
    /// first. Nothing for a formula that no run may return.
    #[must_use]
    pub fn formula_place(&self, hit: &FormulaHit) -> Option<FormulaPlace> {
        let document = |place| self.document_of_place(hit.source, place, Places::Official);
        let place = hit
            .place
            .filter(|place| document(*place).is_some())
            .or_else(|| self.first_place(hit.source, hit.doc, Places::Official))?;
        let (source, post) = self.index.post(document(place)?);
        Some(FormulaPlace {
            formula_id: self.index.sources()[hit.source].collection.formula_id(place).to_string(),
            post_id: source.collection.post_id(post).to_string(),
        })
    }
}
