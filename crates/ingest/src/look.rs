//! What forms look like, as our own reader sees them.

use formula::identity::Keyer;
use formula::mathml::{MathmlReader, Reading};
use formula::slt::{LatexToSlt, Slt};
use latex::Mode;
use store::{FormLook, FormMarks};

/// A function from LaTeX and Presentation MathML to a look; each thread has its own.
///
/// The tree is that of the LaTeX; that of the MathML where there is no LaTeX.
/// A form that cannot be read in part still has a tree, with that part opaque;
/// where there is nothing at all, there is nothing that cannot be read.
pub fn looker() -> impl FnMut(&str, &str) -> FormLook {
    let mut reader = latex::Reader::default();
    let mut to_slt = LatexToSlt::default();
    let mut from_mathml = MathmlReader::new(Reading::Tolerant);
    let mut slt = Slt::default();
    let mut keyer = Keyer::default();
    move |latex, mathml| {
        let readable = if latex.trim().is_empty() {
            slt.clear();
            mathml.is_empty() || from_mathml.read(mathml, &mut slt).is_ok()
        } else {
            let parse = reader.read(latex.as_bytes(), Mode::Document);
            to_slt.read(&parse.tree, &mut slt);
            !parse.has_errors()
        };
        let key = if latex.trim().is_empty() && !readable {
            keyer.key_of_latex(mathml)
        } else {
            keyer.key_of_readable_tree(&slt).unwrap_or_else(|| keyer.key_of_latex(latex))
        };
        FormLook { key: key.bits(), marks: FormMarks(if readable { 0 } else { FormMarks::UNREADABLE }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_those_of_trees() {
        let mut look = looker();
        assert_eq!(look(r"\frac ab", ""), look(r"{a\over b}", "<math><mi>z</mi></math>"));
        assert_eq!(look("x", ""), look("", "<math><mi>x</mi></math>"));
        assert_ne!(look("x", "").key, look("y", "").key);
        assert!(look(r"\unknowncommand{x}", "").marks.has(FormMarks::UNREADABLE));
        assert!(look("", "<math").marks.has(FormMarks::UNREADABLE));
        assert!(!look("", "").marks.has(FormMarks::UNREADABLE));
        assert!(!look("x", "").marks.has(FormMarks::UNREADABLE));
    }
}
