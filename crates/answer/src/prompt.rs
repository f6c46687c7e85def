//! What a language model is told.

use crate::system::PromptKind;
use generate::{Message, Prompt, Role};
use post::{Formula, MARK, Pieces, Quote, units};
use retrieve::{Query, Section};
use std::collections::BTreeSet;

/// A post that a model is shown.
pub(crate) struct Source {
    pub(crate) title: String,
    pub(crate) text: String,
}

/// What a model that sees sources is told to do.
const INSTRUCTIONS: &str = "You answer questions about mathematics for readers who know the basics. \
Use the numbered sources below where they help, and mark what you took from one with its number in brackets, \
such as [1]. If they do not answer the question, say what you know and do not cite them. \
Write plain text, formulas in LaTeX between dollar signs, and at most 150 words.";

/// A question as a model reads it: title, a blank line, the text; formulas as LaTeX between dollars.
#[must_use]
pub fn question_text(query: &Query) -> String {
    let parts = [section(&query.title), section(&query.body)];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
}

/// A part of a question; formulas that stand beside its text come after it.
fn section(section: &Section) -> String {
    let formula = |latex: &String| Formula { latex: latex.clone(), display: false };
    let mut text = section.text.trim().to_owned();
    for _ in text.matches(MARK).count()..section.formulas.len() {
        text.push_str(if text.is_empty() { "" } else { " " });
        text.push(MARK);
    }
    let pieces = Pieces::new(&text, section.formulas.iter().map(formula).collect());
    Quote::of(&units(&pieces)).text().to_owned()
}

/// The prompt of the labs' baseline: `Q:`, the question, a blank line, `A:`.
///
/// ```
/// use answer::labs_prompt;
/// assert_eq!(labs_prompt("What is $\\pi$?"), "Q: What is $\\pi$?\n\nA:");
/// ```
#[must_use]
pub fn labs_prompt(question: &str) -> String {
    format!("Q: {question}\n\nA:")
}

/// The prompt of a kind.
pub(crate) fn prompt(kind: PromptKind, query: &Query, sources: &[Source]) -> Prompt {
    let question = question_text(query);
    match kind {
        PromptKind::Labs => Prompt::Text(labs_prompt(&question)),
        PromptKind::Chat => Prompt::Chat(vec![Message { role: Role::User, content: labs_prompt(&question) }]),
        PromptKind::Sources => {
            let mut content = String::new();
            for (number, source) in (1..).zip(sources) {
                content.push_str(&format!("[{number}] {}\n{}\n\n", source.title, source.text));
            }
            content.push_str(&format!("Question: {question}"));
            let system = Message { role: Role::System, content: INSTRUCTIONS.to_owned() };
            Prompt::Chat(vec![system, Message { role: Role::User, content }])
        }
    }
}

/// The numbers in brackets by which an answer calls its sources, of so many. What stands in a formula, such as
/// an interval, and brackets with anything but numbers of sources call none.
pub(crate) fn cited(text: &str, sources: usize) -> BTreeSet<usize> {
    let mut cited = BTreeSet::new();
    for words in text.replace("$$", "$").split('$').step_by(2) {
        for part in words.split('[').skip(1) {
            let Some((inside, _)) = part.split_once(']') else { continue };
            let numbers = inside.split([',', ' ']).filter(|number| !number.is_empty());
            let known = |number: &str| number.parse().ok().filter(|number| (1..=sources).contains(number));
            let numbers: Option<Vec<usize>> = numbers.map(known).collect();
            cited.extend(numbers.unwrap_or_default());
        }
    }
    cited
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn citations_are_numbers_of_sources() {
        let check = |text: &str, expected: &[usize]| {
            assert_eq!(cited(text, 3).into_iter().collect::<Vec<_>>(), expected, "{text}");
        };
        check("as in [1] and [2, 3]", &[1, 2, 3]);
        check("on $[1,2]$, $$[1]$$ and [4], [0, 1], a[1", &[]);
        check("[[2]]", &[2]);
    }

    #[test]
    fn formulas_beside_the_text_of_a_question_come_after_it() {
        let formulas = || vec!["x^2".to_owned(), "y".to_owned()];
        for (text, expected) in
            [("", "$x^2$ $y$"), ("primes", "primes $x^2$ $y$"), ("why \u{FDD0}?", "why $x^2$? $y$")]
        {
            let title = Section { text: text.to_owned(), formulas: formulas() };
            assert_eq!(question_text(&Query { title, ..Query::default() }), expected);
        }
    }

    #[test]
    fn prompts_hold_question_and_sources() {
        let section = |text: &str, formulas: &[&str]| Section {
            text: text.replace('#', &text::FORMULA.to_string()),
            formulas: formulas.iter().map(|latex| (*latex).to_owned()).collect(),
        };
        let query = Query {
            title: section("Is # even?", &["x^2"]),
            body: section("Let # be odd.\nSo?", &["x"]),
            ..Query::default()
        };
        assert_eq!(
            prompt(PromptKind::Labs, &query, &[]),
            Prompt::Text("Q: Is $x^2$ even?\n\nLet $x$ be odd.\n\nSo?\n\nA:".to_owned())
        );
        let sources = [Source { title: "Squares".to_owned(), text: "They are.".to_owned() }];
        let Prompt::Chat(messages) = prompt(PromptKind::Sources, &query, &sources) else { panic!() };
        assert_eq!(messages[0].role, Role::System);
        assert_eq!(
            messages[1].content,
            "[1] Squares\nThey are.\n\nQuestion: Is $x^2$ even?\n\nLet $x$ be odd.\n\nSo?"
        );
    }
}
