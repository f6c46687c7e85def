//! Does a question ask for several things?

use super::{Words, words};
use std::fmt;

/// The rule in words.
pub const PARTS_RULE: &str = "\
A question has several parts if one of these holds: (enumeration) at least two items that follow each other, \
marked (a) (b), a) b), 1. 2., (1) (2), 1) 2), (i) (ii), i) ii), or as a list, ask something; (questions) at least two \
sentences of the text end in a question mark, not counting small talk ('any help?', 'is this correct?', 'am I \
missing something?'); (also) a sentence that begins with 'also', 'moreover', 'furthermore', 'additionally', \
'secondly', 'finally', 'and', 'then' or speaks of a second or another question asks something and is not the first that \
does. To ask is to end in a question mark, or to have a word such as prove, show, find, compute, determine. \
The title does not count: it mostly says again what the text asks.";

/// What shows that a question has several parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PartsSign {
    /// Items that are marked and ask something.
    Enumeration,
    /// Several sentences with question marks.
    Questions,
    /// A further question is announced.
    Also,
}

impl fmt::Display for PartsSign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Enumeration => "enumeration",
            Self::Questions => "questions",
            Self::Also => "also",
        })
    }
}

/// Words by which something is asked for.
#[rustfmt::skip]
const REQUESTS: [&str; 22] = [
    "prove", "show", "find", "compute", "calculate", "determine", "evaluate", "solve", "give", "describe",
    "explain", "verify", "justify", "construct", "derive", "deduce", "conclude", "what", "how", "why", "which", "disprove",
];

/// Questions that ask for nothing.
#[rustfmt::skip]
const SMALL_TALK: [&str; 34] = [
    "help", "hint", "hints", "any idea", "any ideas", "any thoughts", "any suggestions", "suggestion", "correct", "right",
    "anyone", "thanks", "thank", "missing", "wrong", "am i", "did i", "have i", "do i", "should i", "could someone",
    "can someone", "could somebody", "can somebody", "make sense", "makes sense", "ok", "okay", "valid", "mistake",
    "my proof", "my solution", "my reasoning", "advice",
];

/// Beginnings that announce something further.
#[rustfmt::skip]
const FURTHER: [&str; 13] = [
    "also", "moreover", "furthermore", "additionally", "in addition", "secondly", "second", "finally", "and", "then",
    "my second question", "another question", "my other question",
];

/// Says what shows that the text of a question has several parts, if anything does.
///
/// The text has blocks on lines of their own, list items after `- `, and formulas as markers.
///
/// ```
/// use topics::wording::{PartsSign, parts};
/// let text = "Let \u{FDD0} be a group.\n(a) Find its centre.\n(b) Prove that it is simple.";
/// assert_eq!(parts(text), Some(PartsSign::Enumeration));
/// assert_eq!(parts("Is it simple? Thanks for any help?"), None);
/// ```
#[must_use]
pub fn parts(text: &str) -> Option<PartsSign> {
    if asking_items(text) {
        return Some(PartsSign::Enumeration);
    }
    let (mut questions, mut asked, mut further) = (0, 0, 0);
    for sentence in sentences(text) {
        let words = words(sentence);
        let is_question = sentence.ends_with('?');
        if is_question && words.has_any(&SMALL_TALK) {
            continue;
        }
        questions += usize::from(is_question && words.terms + words.formulas > 1);
        if is_question || words.has_any(&REQUESTS[..17]) {
            further += usize::from(asked > 0 && words.begins_with_any(&FURTHER));
            asked += 1;
        }
    }
    match (questions, further) {
        (2.., _) => Some(PartsSign::Questions),
        (_, 1..) => Some(PartsSign::Also),
        _ => None,
    }
}

/// The sentences of a text: up to a full stop, question mark or exclamation mark before a blank, or a line's end.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let mut rest = line;
        std::iter::from_fn(move || {
            rest = rest.trim_start();
            if rest.is_empty() {
                return None;
            }
            let bytes = rest.as_bytes();
            let ends = |at: &usize| {
                matches!(bytes[*at], b'.' | b'?' | b'!')
                    && bytes.get(at + 1).is_none_or(|next| matches!(next, b' ' | b'\t' | b')' | b'"'))
            };
            let end = (0..bytes.len()).find(ends).map_or(bytes.len(), |at| at + 1);
            let (sentence, after) = rest.split_at(end);
            rest = after;
            Some(sentence.trim_end())
        })
    })
}

/// Whether at least two marked items that follow each other ask something.
fn asking_items(text: &str) -> bool {
    let mut marks: Vec<(Mark, usize)> = Vec::new();
    let mut at_start = true;
    let mut after_end = true;
    for (at, c) in text.char_indices() {
        // A mark opens a line, or stands after a blank inside one; `(a)` only there.
        if (at_start || after_end)
            && let Some(mark) = Mark::read(&text[at..], at_start)
        {
            marks.push((mark, at));
        }
        at_start = c == '\n' || (at_start && c == ' ');
        after_end = c == ' ' || c == '\n';
    }
    let asks = |index: usize| {
        let from = marks[index].1;
        let to = marks.get(index + 1).map_or(text.len(), |(_, at)| *at);
        // The words of an item are those up to the next mark, or to the end of its paragraph.
        let item = text[from..to].split("\n\n").next().unwrap_or_default();
        let words: Words = words(item);
        words.terms + words.formulas > 1 && (item.contains('?') || words.has_any(&REQUESTS))
    };
    (1..marks.len()).any(|at| marks[at].0.follows(marks[at - 1].0) && asks(at - 1) && asks(at))
}

/// The mark of an item: its style and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    style: Style,
    /// From 1; 0 for items of lists, which have none.
    number: u32,
    /// What it is as a Roman number, for `i)`.
    roman: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Bullet,
    /// `(a)`
    Closed,
    /// `a)`
    Half,
    /// `1.`
    Dot,
}

impl Mark {
    /// Reads the mark that a text begins with; those without an opening bracket count only at the start of a line.
    fn read(text: &str, at_start: bool) -> Option<Self> {
        if at_start && text.starts_with("- ") {
            return Some(Self { style: Style::Bullet, number: 0, roman: None });
        }
        let (open, inside) = match text.strip_prefix('(') {
            Some(inside) => (true, inside),
            None => (false, text),
        };
        let length = inside.bytes().take(5).take_while(u8::is_ascii_alphanumeric).count();
        let (name, after) = inside.split_at(length);
        let style = match (open, after.bytes().next()?) {
            (true, b')') => Style::Closed,
            (false, b')') if at_start => Style::Half,
            (false, b'.') if at_start => Style::Dot,
            _ => return None,
        };
        let roman = roman(name);
        let number = match name.as_bytes() {
            [letter @ b'a'..=b'z'] => Some(u32::from(letter - b'a') + 1),
            [letter @ b'A'..=b'Z'] => Some(u32::from(letter - b'A') + 1),
            _ => name.parse().ok().filter(|number| (1..100).contains(number)),
        };
        (number.is_some() || roman.is_some()).then(|| Self {
            style,
            number: number.unwrap_or(u32::MAX),
            roman,
        })
    }

    fn follows(self, before: Self) -> bool {
        self.style == before.style
            && (self.style == Style::Bullet
                || before.number.checked_add(1) == Some(self.number)
                || self.roman.zip(before.roman).is_some_and(|(this, that)| this == that + 1))
    }
}

fn roman(name: &str) -> Option<u32> {
    let names = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii"];
    names.iter().zip(1..).find(|(roman, _)| name.eq_ignore_ascii_case(roman)).map(|(_, number)| number)
}
