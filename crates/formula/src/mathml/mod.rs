//! Presentation MathML, as LaTeXML, MathJax and browsers write it, read into layout trees.
//!
//! [`read_mathml`] is tolerant: whatever the labs' reader refuses is read as
//! well as possible and remarked on. [`MathmlReader`] keeps its memory between
//! formulas and can be told to follow the labs' rules to the letter. Input that
//! is not XML is repaired and read again. Content trees are not read here.

mod attributes;
mod element;
mod entities;
mod frame;
mod read;
mod repair;
mod write;

pub(crate) use attributes::{for_each as for_each_attribute, push_reference};
pub use read::MathmlReader;
pub(crate) use repair::repair_knowing;
pub use write::{
    Display, Label, Mark, MathmlOptions, STYLE_SHEET, Styles, likeness_class, write_marked,
    write_marked_into, write_mathml, write_mathml_into,
};
pub(crate) use write::{is_extensible, push_escaped};

use crate::slt::Slt;
use thiserror::Error;

/// How strictly to read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reading {
    /// Unknown elements are rows, several children of `math` stand side by side, broken XML is repaired.
    #[default]
    Tolerant,
    /// As the labs' reader: what it refuses is an error, what it drops is dropped. Broken XML is repaired.
    Labs,
}

/// Why there is no layout tree.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MathmlError {
    /// There is no element at all.
    #[error("there is no MathML in the text")]
    NoMathml,
    /// Elements inside elements, deeper than [`MAX_DEPTH`].
    #[error("elements are nested deeper than {MAX_DEPTH}")]
    TooDeep,
    /// More than [`LONGEST`] bytes.
    #[error("the text is longer than {LONGEST} bytes")]
    TooLong,
    /// Only Content MathML, which does not say what the formula looks like.
    #[error("there is Content MathML only")]
    OnlyContent,
    /// An element that the labs' reader does not know ([`Reading::Labs`] only).
    #[error("element `{0}` is unknown")]
    UnknownElement(String),
    /// `math` without exactly one child ([`Reading::Labs`] only).
    #[error("`math` has {0} children instead of one")]
    MathChildren(usize),
}

/// Something noticed while reading.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MathmlRemark {
    /// The text is not XML; it was repaired. Says what was wrong.
    Repaired(String),
    /// An element that is not MathML; read as a row.
    UnknownElement(String),
    /// An entity without a known character; kept as text.
    UnknownEntity(String),
    /// Text where only elements may be; read as `mtext`.
    StrayText(String),
    /// An element that was never closed.
    Unclosed,
    /// A closing tag that closes nothing; ignored.
    UnmatchedEnd,
    /// Several children where one is allowed; set side by side.
    SeveralChildren,
}

/// The deepest nesting of elements that is read.
pub const MAX_DEPTH: usize = 1000;

/// The longest MathML of one formula that is read, in bytes: Presentation or Content.
pub const LONGEST: usize = 2 << 20;

/// Reads MathML into `slt`, which is emptied first, and returns what was noticed.
///
/// The tree has no root if nothing in the formula is visible.
///
/// # Errors
/// If there is no presentation to read, or it is nested too deeply; `slt` is empty then.
///
/// ```
/// use formula::mathml::read_mathml;
/// use formula::slt::Slt;
///
/// let mut slt = Slt::default();
/// read_mathml("<math><msup><mi>x</mi><mn>2</mn></msup></math>", &mut slt)?;
/// assert_eq!(slt.to_string(), "[V!x,a[N!2]]");
/// # Ok::<(), formula::mathml::MathmlError>(())
/// ```
pub fn read_mathml(text: &str, slt: &mut Slt) -> Result<Vec<MathmlRemark>, MathmlError> {
    MathmlReader::new(Reading::default()).read(text, slt)
}
