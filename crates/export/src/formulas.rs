//! Where formulas stand, in the words of the labs' tables.

use crate::error::Error;
use store::{Collection, CommentNo, FormulaMarks, FormulaNo, Part, PostKind, PostNo, Reader, Stray};

/// Where a formula stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The post, or the one that its comment is about.
    pub(crate) post: Option<PostNo>,
    /// The comment.
    pub(crate) comment: Option<CommentNo>,
    /// `title`, `question`, `answer`, `document`, `comment` or `nowhere`.
    pub(crate) kind: &'static str,
    /// Its place among the formulas of its text, from 0.
    pub(crate) index: Option<u32>,
}

impl Place {
    pub(crate) fn of(collection: &Collection, formula: FormulaNo) -> Self {
        let post = collection.formula_post(formula);
        let comment = collection.formula_comment(formula);
        let part = collection.formula_marks(formula).part();
        let kind = match part {
            Part::Title => "title",
            Part::Comment => "comment",
            Part::Nowhere => "nowhere",
            Part::Body => post.map_or(PostKind::Document, |post| collection.post_facts(post).kind).name(),
        };
        let before = match (post, comment) {
            (_, Some(comment)) => Some(collection.formulas_of_comment(comment).start),
            (Some(post), None) => Some(first_in_part(collection, post, part)),
            (None, None) => None,
        };
        Self { post, comment, kind, index: before.map(|before| formula.0.saturating_sub(before)) }
    }
}

/// The first formula of a title or body; those of the title come first.
fn first_in_part(collection: &Collection, post: PostNo, part: Part) -> u32 {
    let formulas = collection.formulas_of_post(post);
    if part == Part::Title {
        return formulas.start;
    }
    let (mut low, mut high) = (formulas.start, formulas.end);
    while low < high {
        let middle = low.midpoint(high);
        let in_title = collection.formula_marks(FormulaNo(middle)).part() == Part::Title;
        if in_title { low = middle + 1 } else { high = middle }
    }
    low
}

/// Where its table has a formula that does not stand there.
pub(crate) fn claimed(reader: &mut Reader<'_>, formula: FormulaNo) -> Result<Option<Stray>, Error> {
    let marks = reader.collection().formula_marks(formula);
    if marks.part() != Part::Nowhere && !marks.has(FormulaMarks::ELSEWHERE) {
        return Ok(None);
    }
    Ok(reader.stray(formula)?)
}
