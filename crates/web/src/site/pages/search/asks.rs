//! Whether a search asks something, so that an answer is offered above the results.

use super::super::answer::{Wanted, WriteView};
use crate::site::answers;
use crate::site::config::Config;
use crate::site::state::Served;
use crate::view::{Search, View};
use retrieve::typed::{Must, Note, Typed};
use text::{StopWords, Tokenizer};

/// Words with which people begin to ask, or to demand.
const ASKING: &[&str] = &[
    "are",
    "calculate",
    "can",
    "compute",
    "derive",
    "determine",
    "differentiate",
    "do",
    "does",
    "evaluate",
    "explain",
    "find",
    "give",
    "has",
    "how",
    "if",
    "integrate",
    "is",
    "prove",
    "should",
    "show",
    "simplify",
    "solve",
    "what",
    "when",
    "where",
    "which",
    "who",
    "why",
];

/// Words that join what is asked about to what is said of it: keywords have none of them.
const CONNECTING: &[&str] = &[
    "about", "as", "at", "between", "by", "for", "from", "if", "in", "into", "of", "on", "over", "than",
    "through", "to", "under", "using", "when", "where", "whether", "with", "without",
];

/// How the note begins that tells of a word that no post has.
const UNKNOWN: &str = "no post has the word";

/// A place for an answer, which is loaded when the page is there.
pub(crate) struct ReplyView {
    /// Where the answer is on a page of its own.
    pub(crate) address: String,
    /// Where it is alone.
    pub(crate) part: String,
    pub(crate) write: Option<WriteView>,
}

impl ReplyView {
    /// Nothing if the system that answers has not what it needs.
    pub(crate) fn new(served: &Served, config: &Config, wanted: &Wanted) -> Option<Self> {
        answers::ready(::answer::DEFAULT, &served.engine, None).ok()?;
        let write = WriteView::new(config.model.as_ref(), wanted, answers::USUAL_WRITER);
        Some(Self { address: wanted.address("/answer"), part: wanted.address("/answer/part"), write })
    }
}

/// Whether a search asks something.
///
/// It does if it begins with a word such as *why* or *prove* or ends with a question mark, and has a formula or
/// another word that says something; if a word that says something is connected (*of*, *for*, *as*) with another
/// or with a formula; or if it says so much that it is more than a name: two such words and a formula, or three.
/// A single word or formula asks nothing, and neither do two keywords. Filters, signs and another system narrow
/// results or rank them otherwise, which an answer does not heed. Only the first page of posts has one.
/// Whether the index can know an answer is another question, see [`is_known`].
pub(super) fn asks(search: &Search, typed: &Typed) -> bool {
    let signs = typed.words.iter().map(|word| word.must);
    let signs = signs.chain(typed.phrases.iter().map(|phrase| phrase.must));
    let mut signs = signs.chain(typed.formulas.iter().map(|formula| formula.must));
    if search.page > 1
        || search.view == View::Formulas
        || search.system.is_some()
        || !typed.filters.is_empty()
        || signs.any(|must| must != Must::Should)
    {
        return false;
    }
    let phrases = typed.phrases.iter().flat_map(|phrase| phrase.text.split_whitespace());
    let words = typed.words.iter().map(|word| word.text.as_str()).chain(phrases);
    let (mut all, mut saying, mut connected) = (0, 0, false);
    let mut tokenizer = Tokenizer::default();
    for word in words {
        let mut says = false;
        tokenizer.tokenize(word, |part| says |= !StopWords::Long.contains(part.term));
        all += 1;
        saying += usize::from(says);
        connected |= CONNECTING.contains(&word.to_lowercase().as_str());
    }
    let formulas = typed.formulas.len();
    let asking = begins_to_ask(typed) || search.q.trim_end().ends_with('?');
    let named = saying >= 1 && saying + formulas >= 2;
    let more_than_a_name = saying >= 2 && saying + formulas >= 3;
    (asking && all + formulas >= 2 && saying + formulas >= 1) || (connected && named) || more_than_a_name
}

/// Whether the first word is one with which people ask; *what's* is *what*.
fn begins_to_ask(typed: &Typed) -> bool {
    let first = typed.words.first().map(|word| word.text.to_lowercase()).unwrap_or_default();
    let short = first.strip_suffix("'s").or_else(|| first.strip_suffix("\u{2019}s")).unwrap_or(&first);
    ASKING.contains(&short)
}

/// Whether posts speak of all that is asked: where one of the words is in none, what is found answers
/// something else.
pub(super) fn is_known(notes: &[Note]) -> bool {
    !notes.iter().any(|note| note.message.starts_with(UNKNOWN))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(q: &str, expected: bool) {
        let search = Search { q: q.to_owned(), page: 1, ..Search::default() };
        assert_eq!(asks(&search, &Typed::read(q)), expected, "{q}");
    }

    #[test]
    fn questions_ask() {
        for q in [
            "why does $\\sum 1/n$ diverge?",
            "eigenvalues of a symmetric matrix",
            "square root of two",
            "prove a^2+b^2>=2ab",
            "what is $x^x$",
            "$x^x$ differentiable?",
            "\"mean value theorem\"",
            "symmetric matrix $A^TA$",
            "eigenvalues of $AB$ and $BA$",
            "derivative of $x^x$",
            "limit of $\\frac{\\sin x}{x}$ as $x\\to 0$",
            "integral of $e^{-x^2}$",
            "integrate $e^{-x^2}$",
            "Simplify $\\sqrt{8}$",
            "what's the derivative of sin(x)",
            "what\u{2019}s $x^x$",
            "who proved Fermat's theorem",
            "should $0^0$ be 1",
            "has $x^2=2$ a rational solution",
        ] {
            check(q, true);
        }
    }

    #[test]
    fn words_formulas_and_filters_do_not() {
        for q in [
            "",
            "eigenvalues",
            "eigenvalues?",
            "Cauchy-Schwarz",
            "$x^2$",
            "$x^2$?",
            "of $x^2$",
            "what is this?",
            "what's this?",
            "prime numbers",
            "prime $x^2+1$",
            "tag:calculus",
            "[calculus] is:question",
            "symmetric matrix eigenvalues score:>2",
            "symmetric matrix -eigenvalues",
            "symmetric matrix +$x$",
        ] {
            check(q, false);
        }
    }

    #[test]
    fn only_the_first_page_of_posts_has_an_answer() {
        let first = Search { q: "square root of two".to_owned(), page: 1, ..Search::default() };
        let typed = Typed::read(&first.q);
        assert!(asks(&first, &typed));
        assert!(asks(&first.viewed(View::Posts), &typed));
        assert!(!asks(&first.paged(2), &typed));
        assert!(!asks(&first.viewed(View::Formulas), &typed));
        assert!(!asks(&Search { system: Some("bm25".to_owned()), ..first }, &typed));
    }
}
