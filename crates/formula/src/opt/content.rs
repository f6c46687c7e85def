//! Content MathML, read from LaTeXML's dialect and written.
//!
//! [`ContentReader`] follows the rules of the labs' converter (`docs/trees.md`
//! has them). Where that converter gives a whole formula up, because of a name
//! it has no tag for, the tree is made all the same and a [`ContentRemark`] says
//! so. [`write_content_mathml`] writes any operator tree; read again with
//! [`Reading::Tolerant`], it is the same tree.

pub(super) mod build;
mod names;
mod read;
pub(super) mod tree;
mod write;

pub use crate::mathml::Reading;
pub use write::write_content_mathml;

use super::Opt;
use crate::alphabet::plain;
use build::Build;
use latex::Font;
use read::Markup;
use thiserror::Error;
use tree::Tree;

/// The dictionary of the symbols that stand for tags no other markup gives.
const TAG_DICTIONARY: &str = "tag";

/// Why there is no operator tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ContentError {
    /// There is no element at all.
    #[error("there is no MathML in the text")]
    NoMathml,
    /// There are elements, but none of Content MathML.
    #[error("there is no Content MathML in the text")]
    NoContent,
    /// Elements inside elements, deeper than [`crate::mathml::MAX_DEPTH`].
    #[error("elements are nested too deeply")]
    TooDeep,
    /// More than [`LONGEST`](crate::mathml::LONGEST) bytes.
    #[error("the text is longer than {} bytes", crate::mathml::LONGEST)]
    TooLong,
}

/// Something noticed while reading.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ContentRemark {
    /// The text is not XML; it was repaired. Says what was wrong.
    Repaired(String),
    /// A name the labs' converter does not know; it gives the formula up.
    UnknownName(String),
    /// An operator with a number of operands that the labs' converter does not take. Says which.
    Operands(String),
}

/// Reads Content MathML and keeps its memory from one formula to the next.
#[derive(Debug, Default)]
pub struct ContentReader {
    reading: Reading,
    markup: Markup,
    tree: Tree,
    build: Build,
}

impl ContentReader {
    /// A reader of this kind. [`Reading::Labs`] leaves out the text in `ci` and halves nodes with more than
    /// 62 children, as the labs' converter does.
    #[must_use]
    pub fn new(reading: Reading) -> Self {
        Self { reading, ..Self::default() }
    }

    /// Reads Content MathML into `opt`, which is emptied first, and returns what was noticed.
    ///
    /// # Errors
    /// If there is no content to read, or it is nested too deeply; `opt` is empty then.
    pub fn read(&mut self, text: &str, opt: &mut Opt) -> Result<Vec<ContentRemark>, ContentError> {
        opt.clear();
        let mut remarks = Vec::new();
        let root = self.markup.read(text, &mut self.tree, &mut remarks)?;
        self.build.run(&self.tree, root, opt, self.reading, &mut remarks);
        Ok(remarks)
    }
}

/// Reads Content MathML into `opt`, which is emptied first, keeping everything, and returns what was noticed.
///
/// # Errors
/// As [`ContentReader::read`].
///
/// ```
/// use formula::opt::Opt;
/// use formula::opt::content::read_content_mathml;
///
/// let mut opt = Opt::default();
/// read_content_mathml("<math><apply><plus/><ci>x</ci><cn>1</cn></apply></math>", &mut opt)?;
/// assert_eq!(opt.to_string(), "[U!plus,0[V!x],1[N!1]]");
/// # Ok::<(), formula::opt::content::ContentError>(())
/// ```
pub fn read_content_mathml(text: &str, opt: &mut Opt) -> Result<Vec<ContentRemark>, ContentError> {
    ContentReader::new(Reading::Tolerant).read(text, opt)
}

/// Makes trees of different makers comparable: italic letters become plain ones (`V!𝑥` is `V!x`), and the
/// words by which LaTeXML names a shape that has no letters of its own (`italic-ϕ`) go. Letters of any other
/// font stay what they are, since `𝐱` and `x` are two things.
pub fn fold_italics(opt: &mut Opt) {
    let ids: Vec<_> = opt.preorder().collect();
    for id in ids {
        let tag = opt.tag(id);
        if let Some(folded) = fold_tag(tag) {
            opt.set_tag(id, &folded);
        }
    }
}

/// The folded tag, if it is another.
fn fold_tag(tag: &str) -> Option<String> {
    let letters = tag.rfind('!').map_or(0, |at| at + 1);
    let (prefix, name) = tag.split_at(letters);
    let shape = ["italic-", "normal-"].iter().find_map(|shape| name.strip_prefix(shape));
    // Only a letter, not `normal-form`.
    let name = shape.filter(|rest| rest.chars().nth(1).is_none()).unwrap_or(name);
    let is_italic = |c: char| matches!(plain(c), Some((_, Font::Italic)));
    if prefix.len() + name.len() == tag.len() && !name.contains(is_italic) {
        return None;
    }
    let mut folded = prefix.to_owned();
    folded.extend(name.chars().map(|c| match plain(c) {
        Some((plain, Font::Italic)) => plain,
        _ => c,
    }));
    Some(folded)
}

#[cfg(test)]
mod tests;
