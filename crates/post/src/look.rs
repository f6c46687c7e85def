//! What forms look like, as our own reader sees them.

use formula::FormulaParser;
use latex::Mode;
use store::{FormLook, FormMarks};

/// A function from LaTeX and Presentation MathML to a look; each thread has its own.
pub fn looker() -> impl FnMut(&str, &str) -> FormLook {
    let mut parser = FormulaParser::default();
    move |latex, mathml| {
        let mut parsed = parser.parse(latex, mathml, Mode::Document);
        let marks = if parsed.is_readable() { 0 } else { FormMarks::UNREADABLE };
        FormLook { key: parsed.key().bits(), marks: FormMarks(marks) }
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
