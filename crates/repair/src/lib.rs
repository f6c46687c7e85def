//! What is wrong with this collection, and how is it mended?
//!
//! ARQMath's collection had to be repaired after two years of use: MathML that
//! belonged to other formulas, formulas without spans, table rows that stand
//! nowhere, visual ids that held several looks. [`examine`] finds these, and
//! [`repair`] writes a collection without them; both tell every change.

mod belong;
mod copy;
mod visuals;

pub use copy::repair;
pub use visuals::Relevance;

use belong::{Fault, Faults};
use std::collections::BTreeMap;
use store::{Collection, Error, Part};

/// What is changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// Presentation MathML that does not belong to its LaTeX is taken out.
    ForeignPresentation,
    /// Content MathML that does not belong to its LaTeX is taken out.
    ForeignContent,
    /// Presentation MathML that was made of the LaTeX with its escapes is taken out.
    EscapedPresentation,
    /// Content MathML that was made of the LaTeX with its escapes is taken out.
    EscapedContent,
    /// Presentation MathML with an error node, beside LaTeX that can be read, is taken out.
    ErrorPresentation,
    /// Content MathML with an error node, beside LaTeX that can be read, is taken out.
    ErrorContent,
    /// A formula that has no span becomes a formula.
    Wrapped,
    /// A table row that stands in no text carries the mark `d`.
    Nowhere,
    /// A visual id that held several looks is split, by ARQMath-3's rule.
    VisualId,
}

impl ChangeKind {
    /// All kinds, in the order of reports.
    pub const ALL: [Self; 9] = [
        Self::ForeignPresentation,
        Self::ForeignContent,
        Self::EscapedPresentation,
        Self::EscapedContent,
        Self::ErrorPresentation,
        Self::ErrorContent,
        Self::Wrapped,
        Self::Nowhere,
        Self::VisualId,
    ];

    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ForeignPresentation => "foreign-presentation",
            Self::ForeignContent => "foreign-content",
            Self::EscapedPresentation => "escaped-presentation",
            Self::EscapedContent => "escaped-content",
            Self::ErrorPresentation => "error-presentation",
            Self::ErrorContent => "error-content",
            Self::Wrapped => "wrapped-formula",
            Self::Nowhere => "row-nowhere",
            Self::VisualId => "visual-id",
        }
    }

    /// What it means.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::ForeignPresentation => "given Presentation MathML that does not belong to its LaTeX",
            Self::ForeignContent => "given Content MathML that does not belong to its LaTeX",
            Self::EscapedPresentation => "given Presentation MathML made of LaTeX with escapes such as &amp;",
            Self::EscapedContent => "given Content MathML made of LaTeX with escapes such as &amp;",
            Self::ErrorPresentation => "given Presentation MathML with an error where the LaTeX can be read",
            Self::ErrorContent => "given Content MathML with an error where the LaTeX can be read",
            Self::Wrapped => "formulas between dollars that had no span",
            Self::Nowhere => "table rows that stand in no text, marked d",
            Self::VisualId => "formulas whose visual id held another look",
        }
    }
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What is changed.
    pub kind: ChangeKind,
    /// The formula it is about, or the text a formula is found in.
    pub about: String,
    /// What stands there now.
    pub before: String,
    /// What will stand there.
    pub after: String,
}

/// How many changes there are of each kind.
pub type Counts = BTreeMap<ChangeKind, u64>;

/// Where changes go.
pub type Tell<'t> = dyn FnMut(&Change) -> std::io::Result<()> + 't;

/// Why a collection could not be repaired.
#[derive(Debug)]
pub enum RepairError {
    /// The collection could not be read or written.
    Store(Error),
    /// A change could not be passed on.
    Report(std::io::Error),
}

impl std::fmt::Display for RepairError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Report(error) => write!(f, "the list of changes could not be written: {error}"),
        }
    }
}

impl std::error::Error for RepairError {}

impl From<Error> for RepairError {
    fn from(error: Error) -> Self {
        Self::Store(error)
    }
}

/// Finds what a repair would change, and changes nothing. Relevance decides between looks of a visual
/// id that have as many formulas.
///
/// # Errors
///
/// When the collection is damaged, or a change cannot be passed on.
pub fn examine(
    collection: &Collection,
    relevance: &Relevance,
    tell: &mut Tell<'_>,
) -> Result<Counts, RepairError> {
    let mut counter = Counter { tell, counts: Counts::new() };
    find(collection, relevance, &mut counter)?;
    copy::find_bare(collection, &mut counter)?;
    Ok(counter.counts)
}

/// What is found without looking into texts.
struct Found {
    /// What is wrong with the MathML of forms.
    faults: Vec<Faults>,
    /// The visual ids that forms get.
    visuals: Vec<u64>,
}

fn find(
    collection: &Collection,
    relevance: &Relevance,
    counter: &mut Counter<'_, '_>,
) -> Result<Found, RepairError> {
    let faults = belong::faults(collection)?;
    let mut reader = collection.reader();
    let first = |form| collection.formulas_of_form(form).next();
    let about = |formula| format!("formula {}", collection.formula_id(formula));
    for form in collection.forms() {
        let Faults { presentation, content } = faults[form.index()];
        let wrong = presentation.is_some() || content.is_some();
        let Some(formula) = first(form).filter(|_| wrong) else { continue };
        let latex = reader.latex(form)?.to_owned();
        if let Some(fault) = presentation {
            let kind = match fault {
                Fault::Foreign => ChangeKind::ForeignPresentation,
                Fault::Escaped => ChangeKind::EscapedPresentation,
                Fault::ErrorNode => ChangeKind::ErrorPresentation,
            };
            let before = reader.presentation(form)?.to_owned();
            counter.add(&Change { kind, about: about(formula), before, after: latex.clone() })?;
        }
        if let Some(fault) = content {
            let kind = match fault {
                Fault::Foreign => ChangeKind::ForeignContent,
                Fault::Escaped => ChangeKind::EscapedContent,
                Fault::ErrorNode => ChangeKind::ErrorContent,
            };
            let before = reader.content(form)?.to_owned();
            counter.add(&Change { kind, about: about(formula), before, after: latex })?;
        }
    }
    let visuals = visuals::recluster(collection, relevance);
    for form in collection.forms() {
        let old = collection.visual_id(collection.form_visual(form));
        if old == visuals[form.index()] {
            continue;
        }
        for formula in collection.formulas_of_form(form) {
            counter.add(&Change {
                kind: ChangeKind::VisualId,
                about: about(formula),
                before: old.to_string(),
                after: visuals[form.index()].to_string(),
            })?;
        }
    }
    for formula in collection.formulas() {
        if collection.formula_marks(formula).part() == Part::Nowhere {
            let said = reader.stray(formula)?.map_or_else(String::new, |stray| {
                format!("{} {}", stray.part, stray.comment.unwrap_or(stray.post))
            });
            let change = Change {
                kind: ChangeKind::Nowhere,
                about: about(formula),
                before: said,
                after: "d".to_owned(),
            };
            counter.add(&change)?;
        }
    }
    Ok(Found { faults, visuals })
}

struct Counter<'c, 't> {
    tell: &'c mut Tell<'t>,
    counts: Counts,
}

impl Counter<'_, '_> {
    fn add(&mut self, change: &Change) -> Result<(), RepairError> {
        *self.counts.entry(change.kind).or_default() += 1;
        (self.tell)(change).map_err(RepairError::Report)
    }
}
