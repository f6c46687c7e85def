//! Does the MathML that was given belong to the LaTeX?
//!
//! The rule: both are read into trees of the same kind. MathML belongs to its
//! LaTeX when the trees look the same, when the LaTeX that the MathML names in
//! `alttext` looks the same, or when more than half of the symbols are common to
//! both (twice the common ones over all, as Dice has it). Where LaTeX or MathML
//! cannot be read there is nothing to compare, and it is left alone.

use formula::identity::{Key, Keyer};
use formula::mathml::{MathmlReader, Reading};
use formula::opt::Opt;
use formula::opt::content::{ContentReader, fold_italics};
use formula::opt::labs::LabsOpt;
use formula::slt::{LatexToSlt, Slt};
use latex::Mode;
use std::ops::Range;
use store::{Collection, Error, FormMarks, FormNo, Reader};

/// Up to this share of common symbols, MathML does not belong to its LaTeX.
const ENOUGH: f64 = 0.5;

/// Forms that a thread takes at once.
const BATCH: u32 = 1024;

/// The marks of all forms that hold foreign MathML, found on all cores.
pub(crate) fn foreign(collection: &Collection) -> Result<Vec<FormMarks>, Error> {
    let new_worker = || {
        let (mut judge, mut reader) = (Judge::new(), collection.reader());
        move |batch: Range<u32>| -> Result<Vec<FormMarks>, Error> {
            batch.map(|form| judge.form(&mut reader, FormNo(form))).collect()
        }
    };
    let mut marks = Vec::with_capacity(collection.num_forms() as usize);
    parallel::batches(collection.num_forms(), BATCH, new_worker, |batch| {
        marks.extend(batch);
        Ok(())
    })?;
    Ok(marks)
}

/// Compares given MathML with LaTeX.
pub(crate) struct Judge {
    latex: latex::Reader,
    to_slt: LatexToSlt,
    mathml: MathmlReader,
    content: ContentReader,
    to_opt: LabsOpt,
    keyer: Keyer,
    slt: Slt,
    given_slt: Slt,
    opt: Opt,
    given_opt: Opt,
}

impl Judge {
    pub(crate) fn new() -> Self {
        Self {
            latex: latex::Reader::default(),
            to_slt: LatexToSlt::default(),
            mathml: MathmlReader::new(Reading::Tolerant),
            content: ContentReader::new(Reading::Tolerant),
            to_opt: LabsOpt::default(),
            keyer: Keyer::default(),
            slt: Slt::default(),
            given_slt: Slt::default(),
            opt: Opt::default(),
            given_opt: Opt::default(),
        }
    }

    fn form(&mut self, reader: &mut Reader<'_>, form: FormNo) -> Result<FormMarks, Error> {
        let latex = reader.latex(form)?.to_owned();
        let presentation = reader.presentation(form)?.to_owned();
        let content = reader.content(form)?;
        Ok(self.judge(&latex, &presentation, content))
    }

    /// The marks of a form with this LaTeX and MathML; empty MathML is none.
    pub(crate) fn judge(&mut self, latex: &str, presentation: &str, content: &str) -> FormMarks {
        let mut marks = 0;
        if latex.trim().is_empty() || (presentation.is_empty() && content.is_empty()) {
            return FormMarks(marks);
        }
        let parse = self.latex.read(latex.as_bytes(), Mode::Document);
        if parse.has_errors() {
            return FormMarks(marks);
        }
        self.to_slt.read(&parse.tree, &mut self.slt);
        let key = self.keyer.key_of_tree(&self.slt);
        if !presentation.is_empty()
            && !self.names(presentation, key)
            && self.mathml.read(presentation, &mut self.given_slt).is_ok()
            && !self.given_slt.is_empty()
            && !self.given_slt.has_error_node()
            && key != self.keyer.key_of_tree(&self.given_slt)
        {
            let ours = self.slt.preorder().map(|node| self.slt.tag(node));
            let given = self.given_slt.preorder().map(|node| self.given_slt.tag(node));
            if common(ours, given) <= ENOUGH {
                marks |= FormMarks::FOREIGN_PRESENTATION;
            }
        }
        if !content.is_empty()
            && !self.names(content, key)
            && self.content.read(content, &mut self.given_opt).is_ok()
        {
            self.to_opt.read_typed(&self.slt, latex, &mut self.opt);
            fold_italics(&mut self.given_opt);
            fold_italics(&mut self.opt);
            let leaves = |opt: &Opt| -> Vec<String> {
                let leaves = opt.preorder().filter(|node| opt.is_leaf(*node));
                leaves.map(|node| opt.tag(node).to_owned()).collect()
            };
            let (ours, given) = (leaves(&self.opt), leaves(&self.given_opt));
            let broken = given.iter().any(|tag| tag.starts_with("E!"));
            if !broken && common(ours.iter().map(String::as_str), given.iter().map(String::as_str)) <= ENOUGH
            {
                marks |= FormMarks::FOREIGN_CONTENT;
            }
        }
        FormMarks(marks)
    }
}

impl Judge {
    /// Whether the LaTeX that MathML names looks like this. LaTeXML breaks its lines with `%`.
    fn names(&mut self, mathml: &str, key: Key) -> bool {
        let start = mathml.split('>').next().unwrap_or_default();
        let Some((_, value)) = start.split_once("alttext=\"") else { return false };
        let value = value.split('"').next().unwrap_or_default();
        let mut latex = value.replace("%&#10;", "").replace("&#10;", " ").replace("%\n", "");
        for (escape, plain) in
            [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        {
            latex = latex.replace(escape, plain);
        }
        let parse = self.latex.read(latex.as_bytes(), Mode::Document);
        self.to_slt.read(&parse.tree, &mut self.given_slt);
        self.keyer.key_of_tree(&self.given_slt) == key
    }
}

/// Twice the tags that both have, over all.
fn common<'a>(ours: impl Iterator<Item = &'a str>, given: impl Iterator<Item = &'a str>) -> f64 {
    let sorted = |tags: &mut dyn Iterator<Item = &'a str>| {
        let mut tags: Vec<&str> = tags.collect();
        tags.sort_unstable();
        tags
    };
    let (ours, given) = (sorted(&mut { ours }), sorted(&mut { given }));
    let (mut a, mut b, mut both) = (0, 0, 0);
    while a < ours.len() && b < given.len() {
        match ours[a].cmp(given[b]) {
            std::cmp::Ordering::Less => a += 1,
            std::cmp::Ordering::Greater => b += 1,
            std::cmp::Ordering::Equal => {
                both += 1;
                a += 1;
                b += 1;
            }
        }
    }
    let all = ours.len() + given.len();
    if all == 0 { 1.0 } else { 2.0 * f64::from(both) / all as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mathml_belongs_or_not() {
        let mut judge = Judge::new();
        let math = |inner: &str| format!("<math>{inner}</math>");
        let square = math("<msup><mi>x</mi><mn>2</mn></msup>");
        let sum = math("<mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>");
        for (latex, presentation, foreign) in [
            ("x^2", square.as_str(), false),
            ("x^{2}", &square, false),
            ("y^2", &square, true),
            ("x^2+1", &square, false),
            ("x+1", &square, true),
            (r"\int_0^1 f", &sum, true),
            (r"\unknown{x}", &sum, false),
            ("", &sum, false),
            ("a+b", "no MathML", false),
            (r"\sin", r#"<math alttext="\sin"><mi>z</mi></math>"#, false),
        ] {
            let marks = judge.judge(latex, presentation, "");
            assert_eq!(marks.has(FormMarks::FOREIGN_PRESENTATION), foreign, "{latex} and {presentation}");
        }
        let content = math("<apply><plus/><ci>a</ci><ci>𝑏</ci></apply>");
        assert!(!judge.judge("a+b", "", &content).has(FormMarks::FOREIGN_CONTENT));
        assert!(judge.judge(r"\frac{x}{2}", "", &content).has(FormMarks::FOREIGN_CONTENT));
    }
}
