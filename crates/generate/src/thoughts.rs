//! What a model thought before it answered, and what it answered.
//!
//! Models that reason write their thoughts between `<think>` and `</think>`, before the answer. Some are
//! given the first of the two with the prompt, and only write the second. Nobody asked for the thoughts.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// What a model answered, without what it thought; nothing if it has not done thinking.
///
/// ```
/// use generate::without_thoughts;
/// assert_eq!(without_thoughts("<think>Is it 2? Yes.</think> It is 2."), Some(" It is 2."));
/// assert_eq!(without_thoughts("Is it 2? Yes.</think>It is 2."), Some("It is 2."));
/// assert_eq!(without_thoughts("It is 2."), Some("It is 2."));
/// assert_eq!(without_thoughts("<think>Is it 2?"), None);
/// ```
#[must_use]
pub fn without_thoughts(text: &str) -> Option<&str> {
    let answer = text.rfind(CLOSE).map_or(text, |at| &text[at + CLOSE.len()..]);
    (!answer.contains(OPEN)).then_some(answer)
}

/// Lets an answer through as it comes, and no thoughts. Those of a model that was given the opening mark
/// with the prompt are not known as such until they end, and come through.
///
/// ```
/// let mut filter = generate::ThoughtFilter::default();
/// let shown: Vec<String> = ["<thi", "nk>2?</th", "ink> It", " is 2."].map(|piece| filter.add(piece)).to_vec();
/// assert_eq!(shown, ["", "", " It", " is 2."]);
/// ```
#[derive(Debug, Default)]
pub struct ThoughtFilter {
    state: State,
    /// What may be the beginning of a mark.
    held: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// A thought may begin.
    #[default]
    Beginning,
    Thinking,
    Answering,
}

impl ThoughtFilter {
    /// What can be shown when this piece came.
    pub fn add(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        loop {
            match self.state {
                State::Beginning => {
                    let begun = self.held.trim_start();
                    if begun.starts_with(OPEN) {
                        self.state = State::Thinking;
                    } else if OPEN.starts_with(begun) {
                        return String::new();
                    } else {
                        self.state = State::Answering;
                    }
                }
                State::Thinking => {
                    let Some(at) = self.held.find(CLOSE) else { return String::new() };
                    self.held.drain(..at + CLOSE.len());
                    // Some think again.
                    self.state = State::Beginning;
                }
                State::Answering => return std::mem::take(&mut self.held),
            }
        }
    }

    /// What was held back and can be shown when nothing more comes.
    pub fn finish(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        if self.state == State::Thinking { String::new() } else { held }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_comes_after_the_last_thought_is_an_answer() {
        for (text, expected) in [
            ("", Some("")),
            ("<think>\n\n</think>\n\nYes.", Some("\n\nYes.")),
            ("<think>a</think><think>b</think>Yes.", Some("Yes.")),
            ("<think>a</think>Yes. <think>b", None),
            ("<think>a</think>", Some("")),
            ("$a<b$ and think", Some("$a<b$ and think")),
        ] {
            assert_eq!(without_thoughts(text), expected, "{text}");
        }
    }

    #[test]
    fn however_a_text_is_cut_the_answer_comes_through() {
        for (text, expected) in [
            ("\n<think>a < b</think>\nYes.", "\nYes."),
            ("<think>a</think> <think>b</think>Yes.", "Yes."),
            ("<think>a", ""),
            (" <thin", " <thin"),
            ("<b>", "<b>"),
            ("", ""),
        ] {
            for size in 1..=text.len().max(1) {
                let mut filter = ThoughtFilter::default();
                let mut shown = String::new();
                for piece in text.as_bytes().chunks(size) {
                    shown.push_str(&filter.add(std::str::from_utf8(piece).unwrap()));
                }
                shown.push_str(&filter.finish());
                assert_eq!(shown, expected, "{text} by {size}");
            }
        }
    }
}
