//! Units put together: plain text with formulas between dollars, of a length that is known.

use crate::sign::is_hidden;
use crate::units::Unit;
use std::borrow::Cow;

/// Stands where something was left out.
const GAP: &str = "[…]";

/// How many dollars stand before and behind a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dollars {
    One,
    Two,
}

/// Text that is quoted, unit by unit.
///
/// ```
/// use post::{Formula, MARK, Pieces, Quote, units};
/// let formula = |latex: &str| Formula { latex: latex.to_owned(), display: false };
/// let text = format!("Take {MARK}. It is even. So {MARK} is odd.");
/// let units = units(&Pieces::new(&text, vec![formula("x"), formula("x+1")]));
/// let mut quote = Quote::default();
/// quote.push(&units[0], None);
/// quote.push(&units[2], Some(&units[0]));
/// assert_eq!(quote.text(), "Take $x$. […] So $x+1$ is odd.");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quote {
    text: String,
    characters: usize,
}

impl Quote {
    /// Several units of a post, in their order.
    #[must_use]
    pub fn of<'u>(units: impl IntoIterator<Item = &'u Unit>) -> Self {
        let mut quote = Self::default();
        let mut before = None;
        for unit in units {
            quote.push(unit, before);
            before = Some(unit);
        }
        quote
    }

    /// How many characters there would be with one more unit.
    #[must_use]
    pub fn characters_with(&self, unit: &Unit, before: Option<&Unit>) -> usize {
        let between: usize = between(unit, before).iter().map(|part| part.chars().count()).sum();
        self.characters + between + unit.characters()
    }

    /// Adds a unit; `before` is the one that was added last, of the same post.
    pub fn push(&mut self, unit: &Unit, before: Option<&Unit>) {
        self.characters = self.characters_with(unit, before);
        self.text.extend(between(unit, before));
        self.text.push_str(unit.text());
    }

    /// The text: paragraphs with a blank line between them, displayed formulas on lines of their own.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many characters it has.
    #[must_use]
    pub fn characters(&self) -> usize {
        self.characters
    }
}

/// What stands between two units.
fn between(unit: &Unit, before: Option<&Unit>) -> [&'static str; 3] {
    let Some(before) = before else { return [""; 3] };
    let new_line = if unit.paragraph() != before.paragraph() {
        "\n\n"
    } else if unit.is_display() || before.is_display() {
        "\n"
    } else {
        " "
    };
    if unit.place() == before.place() + 1 { [new_line, "", ""] } else { [" ", GAP, new_line] }
}

/// Writes text in which dollars mean nothing: each gets a backslash, unless it has one.
pub(crate) fn push_text(out: &mut String, text: &str) {
    for c in text.chars().filter(|c| !is_hidden(*c)) {
        if c == '$' && backslashes(out).is_multiple_of(2) {
            out.push('\\');
        }
        out.push(c);
    }
}

/// Writes a formula between dollars; nothing if it is empty.
pub(crate) fn push_formula(out: &mut String, latex: &str, dollars: Dollars) {
    let latex = one_line(latex);
    if latex.is_empty() {
        return;
    }
    // A backslash right before would take the dollar away, and a dollar right before would join it.
    if !backslashes(out).is_multiple_of(2) || out.ends_with('$') {
        out.push(' ');
    }
    let sign = if dollars == Dollars::One { "$" } else { "$$" };
    out.push_str(sign);
    out.push_str(&latex);
    if !backslashes(&latex).is_multiple_of(2) {
        out.push(' ');
    }
    out.push_str(sign);
}

/// A formula in one line, without comments, whose own dollars do no harm: pairs of them, as in `\text{if $x$}`,
/// become `\(…\)`, one that is left over gets a backslash.
fn one_line(latex: &str) -> String {
    let latex = without_tags(latex);
    let mut out = String::with_capacity(latex.len());
    for line in latex.lines() {
        let mut escaped = false;
        let end = line.char_indices().find(|(_, c)| {
            let ends = *c == '%' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        });
        let line = end.map_or(line, |(at, _)| &line[..at]).trim();
        if !out.is_empty() && !line.is_empty() {
            out.push(' ');
        }
        out.extend(line.chars().filter(|c| !is_hidden(*c)).map(|c| if c == '\t' { ' ' } else { c }));
    }
    let places = dollars(&out);
    if places.is_empty() {
        return out;
    }
    let mut mended = String::with_capacity(out.len() + places.len());
    let mut from = 0;
    for (number, at) in places.iter().enumerate() {
        mended.push_str(&out[from..*at]);
        let is_last = number + 1 == places.len();
        mended.push_str(match number % 2 {
            0 if is_last => "\\$",
            0 => "\\(",
            _ => "\\)",
        });
        from = at + 1;
    }
    mended.push_str(&out[from..]);
    mended
}

/// A formula without tags of paragraphs and line breaks, which dumps have in formulas that people wrote over
/// several lines. `<p>` alone may be meant: $q<p>r$.
fn without_tags(latex: &str) -> Cow<'_, str> {
    const BREAKS: [&str; 3] = ["<br>", "<br/>", "<br />"];
    const ENDS: &str = "</p>";
    if !latex.contains(ENDS) && !BREAKS.iter().any(|tag| latex.contains(tag)) {
        return Cow::Borrowed(latex);
    }
    let mut out = BREAKS.iter().fold(latex.to_owned(), |text, tag| text.replace(tag, " "));
    if out.contains(ENDS) {
        out = out.replace(ENDS, " ").replace("<p>", " ");
    }
    Cow::Owned(out.split(' ').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "))
}

/// How many backslashes a text ends with.
fn backslashes(text: &str) -> usize {
    text.len() - text.trim_end_matches('\\').len()
}

/// The places of dollars that no backslash takes away.
fn dollars(text: &str) -> Vec<usize> {
    let mut places = Vec::new();
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        if byte == b'$' && !escaped {
            places.push(at);
        }
        escaped = byte == b'\\' && !escaped;
    }
    places
}

/// Whether every formula that a dollar or two open is closed by as many, and the number of signs is even.
///
/// ```
/// use post::is_balanced;
/// assert!(is_balanced("$x$ costs 5\\$, $$y$$"));
/// assert!(!is_balanced("$$x$") && !is_balanced("$x"));
/// ```
#[must_use]
pub fn is_balanced(text: &str) -> bool {
    let places = dollars(text);
    let mut open = 0;
    let mut at = 0;
    while at < places.len() {
        let doubled = places.get(at + 1) == Some(&(places[at] + 1));
        match (open, doubled) {
            (0, true) => open = 2,
            (0, false) => open = 1,
            (1, _) => {
                open = 0;
                at += 1;
                continue;
            }
            (_, true) => open = 0,
            (_, false) => return false,
        }
        at += 1 + usize::from(doubled);
    }
    open == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn formula(latex: &str) -> String {
        let mut out = String::new();
        push_formula(&mut out, latex, Dollars::One);
        out
    }

    #[test]
    fn formulas_are_written_in_one_line() {
        assert_eq!(formula(" a\n+ b % it is\n+ c\\% "), "$a + b + c\\%$");
        assert_eq!(formula("\\text{if $x$}"), "$\\text{if \\(x\\)}$");
        assert_eq!(formula("5$"), "$5\\$$");
        assert_eq!(formula("x\\"), "$x\\ $");
        assert_eq!(formula(" % nothing"), "");
        assert_eq!(formula("a=b</p><p>=c<br />=d"), "$a=b =c =d$");
        assert_eq!(formula("q<p>r"), "$q<p>r$");
    }

    #[test]
    fn text_before_a_formula_does_not_change_it() {
        let mut out = String::new();
        push_text(&mut out, "5$ a\\");
        push_formula(&mut out, "x", Dollars::One);
        push_formula(&mut out, "y", Dollars::Two);
        assert_eq!(out, "5\\$ a\\ $x$ $$y$$");
        assert!(is_balanced(&out));
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_balanced(
            parts in proptest::collection::vec(("[a$\\\\ %\n]{0,6}", "[x$\\\\ %\n]{0,6}", any::<bool>()), 0..6)
        ) {
            let mut out = String::new();
            for (text, latex, display) in parts {
                push_text(&mut out, &text);
                push_formula(&mut out, &latex, if display { Dollars::Two } else { Dollars::One });
            }
            prop_assert!(is_balanced(&out), "{}", out);
        }
    }
}
