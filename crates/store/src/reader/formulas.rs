//! Formula instances, forms and visual ids.

use super::{Collection, Reader};
use crate::block::BlockCache;
use crate::codec::Fields;
use crate::error::Error;
use crate::ids::{CommentNo, FormNo, FormulaNo, Id, PostNo, VisualNo};
use crate::marks::{FormMarks, FormulaMarks, Part};
use crate::section::Section;

const FORMULA_IDS: (Section, Section, Section) =
    (Section::FormulaIds, Section::FormulaIdEnds, Section::FormulasById);

/// Where a table says that a formula stands, when it does not stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The post.
    pub post: String,
    /// The comment.
    pub comment: Option<String>,
    /// The part, in the words of the table.
    pub part: String,
}

/// The places of a formula id, in the order of the collection.
#[derive(Clone, Debug)]
pub struct FoundFormulas<'c> {
    collection: &'c Collection,
    ranks: std::ops::Range<u32>,
}

impl Iterator for FoundFormulas<'_> {
    type Item = FormulaNo;

    fn next(&mut self) -> Option<FormulaNo> {
        self.ranks.next().map(|rank| {
            FormulaNo(self.collection.ranked(Section::FormulasById, rank, self.collection.num_formulas()))
        })
    }
}

impl Collection {
    /// How many formula instances there are, those that stand nowhere included.
    #[must_use]
    pub fn num_formulas(&self) -> u32 {
        self.about.counts.formulas
    }

    /// All formula instances, in the order of the collection.
    pub fn formulas(&self) -> impl DoubleEndedIterator<Item = FormulaNo> + ExactSizeIterator {
        (0..self.num_formulas()).map(FormulaNo)
    }

    /// All formula instances, in the order of their ids.
    pub fn formulas_by_id(&self) -> impl DoubleEndedIterator<Item = FormulaNo> + ExactSizeIterator {
        let count = self.num_formulas();
        (0..count).map(move |rank| FormulaNo(self.ranked(Section::FormulasById, rank, count)))
    }

    /// The places at which the formula with an id stands: one, as a rule.
    #[must_use]
    pub fn find_formulas(&self, id: &str) -> FoundFormulas<'_> {
        let ranks = self.find(id, self.about.formula_ids.into(), FORMULA_IDS, self.num_formulas());
        FoundFormulas { collection: self, ranks }
    }

    /// The id of a formula.
    #[must_use]
    pub fn formula_id(&self, formula: FormulaNo) -> Id<'_> {
        self.id(self.about.formula_ids.into(), FORMULA_IDS.0, FORMULA_IDS.1, formula.index())
    }

    /// How a formula is written.
    #[must_use]
    pub fn formula_form(&self, formula: FormulaNo) -> FormNo {
        let form = self.u32_at(Section::FormulaForms, formula.index());
        FormNo(form.min(self.num_forms().saturating_sub(1)))
    }

    /// In which part of a text a formula stands, and what else is known.
    #[must_use]
    pub fn formula_marks(&self, formula: FormulaNo) -> FormulaMarks {
        FormulaMarks::from_byte(self.array::<1>(Section::FormulaMarks, formula.index())[0])
    }

    /// The comment that a formula stands in.
    #[must_use]
    pub fn formula_comment(&self, formula: FormulaNo) -> Option<CommentNo> {
        let stands_there = self.formula_marks(formula).part() == Part::Comment && self.num_comments() > 0;
        stands_there.then(|| self.comment_of(formula))
    }

    /// The post that a formula stands in, or that its comment is about.
    #[must_use]
    pub fn formula_post(&self, formula: FormulaNo) -> Option<PostNo> {
        match self.formula_marks(formula).part() {
            Part::Title | Part::Body => (self.num_posts() > 0).then(|| self.post_of(formula)),
            Part::Comment => self.formula_comment(formula).map(|comment| self.comment_post(comment)),
            Part::Nowhere => None,
        }
    }

    /// How many forms there are.
    #[must_use]
    pub fn num_forms(&self) -> u32 {
        self.about.counts.forms
    }

    /// All forms.
    pub fn forms(&self) -> impl DoubleEndedIterator<Item = FormNo> + ExactSizeIterator {
        (0..self.num_forms()).map(FormNo)
    }

    /// What a form looks like.
    #[must_use]
    pub fn form_visual(&self, form: FormNo) -> VisualNo {
        let visual = self.u32_at(Section::FormVisuals, form.index());
        VisualNo(visual.min(self.num_visuals().saturating_sub(1)))
    }

    /// The visual id that a form had before.
    #[must_use]
    pub fn form_old_visual(&self, form: FormNo) -> Option<u64> {
        if self.view(Section::FormOldVisuals).is_empty() {
            return None;
        }
        let old = self.u64_at(Section::FormOldVisuals, form.index());
        (old != u64::MAX).then_some(old)
    }

    /// What is known of a form.
    #[must_use]
    pub fn form_marks(&self, form: FormNo) -> FormMarks {
        FormMarks(self.array::<1>(Section::FormMarks, form.index())[0])
    }

    /// The key of a form's look, as our own reader sees it.
    #[must_use]
    pub fn form_key(&self, form: FormNo) -> u128 {
        u128::from_le_bytes(self.array(Section::FormKeys, form.index()))
    }

    /// Where a form stands, in the order of the collection.
    pub fn formulas_of_form(&self, form: FormNo) -> impl Iterator<Item = FormulaNo> {
        let count = self.num_formulas();
        let formulas = self.group(Section::FormFormulaEnds, Section::FormFormulas, form.index());
        formulas.filter(move |formula| *formula < count).map(FormulaNo)
    }

    /// How many visual ids there are.
    #[must_use]
    pub fn num_visuals(&self) -> u32 {
        self.about.counts.visuals
    }

    /// All visual ids.
    pub fn visuals(&self) -> impl DoubleEndedIterator<Item = VisualNo> + ExactSizeIterator {
        (0..self.num_visuals()).map(VisualNo)
    }

    /// A visual id as it stands in tables.
    #[must_use]
    pub fn visual_id(&self, visual: VisualNo) -> u64 {
        self.u64_at(Section::VisualIds, visual.index())
    }

    /// The number of a visual id.
    #[must_use]
    pub fn find_visual(&self, id: u64) -> Option<VisualNo> {
        let (mut low, mut high) = (0, self.num_visuals());
        while low < high {
            let middle = low.midpoint(high);
            let visual = VisualNo(self.ranked(Section::VisualsById, middle, self.num_visuals()));
            match self.visual_id(visual).cmp(&id) {
                std::cmp::Ordering::Equal => return Some(visual),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// The forms that share a visual id.
    pub fn forms_of_visual(&self, visual: VisualNo) -> impl Iterator<Item = FormNo> {
        let count = self.num_forms();
        let forms = self.group(Section::VisualFormEnds, Section::VisualForms, visual.index());
        forms.filter(move |form| *form < count).map(FormNo)
    }
}

impl Reader<'_> {
    /// The LaTeX of a form, without delimiters.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn latex(&mut self, form: FormNo) -> Result<&str, Error> {
        let sections = (Section::FormLatex, Section::FormLatexBlocks);
        form_text(self.collection, &mut self.latex, sections, form)
    }

    /// The Presentation MathML that came with a form; empty when none did.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn presentation(&mut self, form: FormNo) -> Result<&str, Error> {
        let sections = (Section::FormPresentation, Section::FormPresentationBlocks);
        form_text(self.collection, &mut self.presentation, sections, form)
    }

    /// The Content MathML that came with a form; empty when none did.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn content(&mut self, form: FormNo) -> Result<&str, Error> {
        let sections = (Section::FormContent, Section::FormContentBlocks);
        form_text(self.collection, &mut self.content, sections, form)
    }

    /// Where a table has a formula that does not stand there.
    ///
    /// # Errors
    ///
    /// When the collection is damaged.
    pub fn stray(&mut self, formula: FormulaNo) -> Result<Option<Stray>, Error> {
        let collection = self.collection;
        let rows = collection.view(Section::StrayFormulas);
        let row =
            |at: usize| (u32::from_le_bytes(rows.array(at * 8)), u32::from_le_bytes(rows.array(at * 8 + 4)));
        let (mut low, mut high) = (0, rows.len() / 8);
        while low < high {
            let middle = low.midpoint(high);
            if row(middle).0 < formula.0 { low = middle + 1 } else { high = middle }
        }
        if low >= rows.len() / 8 || row(low).0 != formula.0 {
            return Ok(None);
        }
        let blocks = collection.blocks(Section::StrayPlaces, Section::StrayPlaceBlocks);
        let read = |record| {
            let mut fields = Fields(record);
            Some(Stray {
                post: fields.text()?.to_owned(),
                comment: fields.maybe()?.map(str::to_owned),
                part: fields.text()?.to_owned(),
            })
        };
        let stray = self.claims.record(blocks, row(low).1).and_then(read);
        stray.map(Some).ok_or_else(|| collection.damaged(&format!("the place of formula {}", formula.0)))
    }
}

fn form_text<'r>(
    collection: &Collection,
    cache: &'r mut BlockCache,
    (data, table): (Section, Section),
    form: FormNo,
) -> Result<&'r str, Error> {
    let record = cache.record(collection.blocks(data, table), form.0);
    let text = record.and_then(|record| std::str::from_utf8(record).ok());
    text.ok_or_else(|| collection.damaged(&format!("{} {}", data.name(), form.0)))
}
