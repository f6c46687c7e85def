//! A query, read from left to right.

use std::ops::Range;

use super::filter::{Name, as_tag, unknown};
use super::{
    FORMULA, How, LONGEST, Must, Note, Reading, Typed, TypedFilter, TypedFormula, TypedPhrase, TypedWord,
    Understanding, ascii, bare, caps, pasted, verbal,
};
use formula::FormulaParser;

/// More notes than this help nobody.
const MOST_NOTES: usize = 20;

/// The marks of a formula.
const MARKS: [(&str, &str); 4] = [("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]")];

/// The most characters of a formula that nothing closes.
const LOOKED_AHEAD: usize = 400;

const BEGIN: &str = "\\begin{";

/// Takes a query apart.
pub(crate) fn read(query: &str, understanding: Understanding) -> Typed {
    let end = query.char_indices().nth(LONGEST).map_or(query.len(), |(at, _)| at);
    let text = &*pasted::plain(&query[..end]);
    let mut reader = Reader {
        text,
        typed: Typed::default(),
        plain: 0,
        quotes: Quotes::MayClose,
        unclosed: Vec::new(),
        understanding,
    };
    reader.read();
    if understanding == Understanding::Helpful {
        verbal::read(text, &mut reader.typed);
    }
    let typed = &mut reader.typed;
    let letters = typed.filters.iter().find(|filter| matches!(filter.filter, super::Filter::Letters(_)));
    if let Some(filter) = letters
        && typed.formulas.iter().all(|formula| formula.must == Must::Should)
    {
        let message = "letters: is about formulas with a sign, as in +$a^2+b^2$ letters:any".to_owned();
        typed.notes.push(Note { message, span: filter.span.clone() });
    }
    caps::apply(&mut reader.typed);
    if end < query.len() {
        reader.typed.notes.push(Note {
            message: format!("only the first {LONGEST} characters were read"),
            span: end..query.len(),
        });
    }
    reader.typed.notes.sort_by_key(|note| (note.span.start, note.span.end));
    reader.typed
}

struct Reader<'a> {
    text: &'a str,
    typed: Typed,
    /// Where the plain text begins that was passed and not yet looked at.
    plain: usize,
    quotes: Quotes,
    /// Marks that nothing closes any more.
    unclosed: Vec<&'static str>,
    understanding: Understanding,
}

/// Whether it is worth looking for a closing quotation mark.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    MayClose,
    NeverClose,
}

impl<'a> Reader<'a> {
    fn read(&mut self) {
        let text = self.text;
        let (mut at, mut fresh) = (0, true);
        while let Some(first) = text[at..].chars().next() {
            if first.is_whitespace() {
                (at, fresh) = (at + first.len_utf8(), true);
                continue;
            }
            let special = if fresh { self.special(at) } else { self.formula(at, Must::Should) };
            at = match special {
                Some(end) => {
                    self.plain = end;
                    fresh = true;
                    end
                }
                None => {
                    fresh = matches!(first, '(' | ',' | ';');
                    self.step(at, first)
                }
            };
        }
        self.flush(text.len());
    }

    /// The end of a character, or of a command of one sign, so that `\$` is no dollar.
    fn step(&self, at: usize, first: char) -> usize {
        let next = at + first.len_utf8();
        match self.text[next..].chars().next() {
            Some(sign) if first == '\\' && matches!(sign, '$' | '\\') => next + sign.len_utf8(),
            _ => next,
        }
    }

    /// Reads what can only stand at the beginning of a word, with its sign.
    fn special(&mut self, start: usize) -> Option<usize> {
        let (at, must) = match self.text.as_bytes()[start] {
            b'+' => (start + 1, Must::Must),
            b'-' => (start + 1, Must::MustNot),
            _ => (start, Must::Should),
        };
        if self.text[at..].starts_with(|next: char| !next.is_whitespace()) {
            let end = self.phrase(start, at, must);
            let end = end.or_else(|| self.tag(start, at, must)).or_else(|| self.filter(start, at, must));
            return end.or_else(|| self.formula(at, must));
        }
        None
    }

    /// Reads a formula with marks.
    fn formula(&mut self, at: usize, must: Must) -> Option<usize> {
        let rest = &self.text[at..];
        if rest.starts_with(BEGIN) {
            return self.environment(at, must);
        }
        if rest.starts_with('<') {
            return self.mathml(at, must);
        }
        let (open, close) = MARKS.into_iter().find(|(open, _)| rest.starts_with(open))?;
        self.flush(sign_start(self.text, at, must));
        let start = at + open.len();
        let end = if self.unclosed.contains(&close) { None } else { closing(self.text, start, close) };
        // Sums of money: `$5 and $10`.
        let is_money = |end: usize| {
            let digit = |text: &str| text.starts_with(|next: char| next.is_ascii_digit());
            let inside = &self.text[start..end];
            close == "$" && digit(inside) && inside.ends_with(' ') && digit(&self.text[end + 1..])
        };
        if end.is_some_and(is_money) {
            return None;
        }
        let Some(end) = end else {
            return Some(self.unclosed(at, start, close, must));
        };
        self.push_formula(start..end, How::Dollars, must);
        Some(end + close.len())
    }

    /// Reads a formula that nothing closes: it ends where prose begins.
    fn unclosed(&mut self, at: usize, start: usize, close: &'static str, must: Must) -> usize {
        if !self.unclosed.contains(&close) {
            self.unclosed.push(close);
        }
        let rest = &self.text[start..];
        let ahead = rest.char_indices().nth(LOOKED_AHEAD).map_or(rest, |(end, _)| &rest[..end]);
        let end = start + bare::first(ahead);
        let formula = self.text[start..end].trim();
        // A sum of money is no formula.
        if formula.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',')) {
            return start;
        }
        self.note(at..start, format!("Missing closing {close}."));
        self.push_formula(start..end, How::Dollars, must);
        end
    }

    /// Reads `<math>…</math>`, with or without a prefix.
    fn mathml(&mut self, at: usize, must: Must) -> Option<usize> {
        let rest = &self.text[at + 1..];
        let name = rest
            .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != ':')
            .map(|end| &rest[..end])?;
        if name != "math" && !name.ends_with(":math") {
            return None;
        }
        let close = format!("</{name}>");
        let end = at + self.text[at..].find(&close)? + close.len();
        let latex = FormulaParser::default().latex_of_mathml(&self.text[at..end])?;
        self.flush(sign_start(self.text, at, must));
        if latex.trim().is_empty() {
            self.note(at..end, "there is nothing in this formula".to_owned());
        } else {
            let (span, reading) = (at..end, Reading::Translated);
            self.typed.formulas.push(TypedFormula { latex, span, how: How::Mathml, reading, must });
        }
        Some(end)
    }

    /// Reads `\begin{…}` to its own `\end{…}`.
    fn environment(&mut self, at: usize, must: Must) -> Option<usize> {
        let name_start = at + BEGIN.len();
        let name_end = name_start + self.text[name_start..].find('}')?;
        let name = &self.text[name_start..name_end];
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'*') {
            return None;
        }
        self.flush(sign_start(self.text, at, must));
        let (open, close) = (format!("\\begin{{{name}}}"), format!("\\end{{{name}}}"));
        let (mut depth, mut place) = (0_usize, at);
        let end = loop {
            let Some(found) = self.text[place..].find('\\') else { break None };
            place += found;
            let rest = &self.text[place..];
            if rest.starts_with(&open) {
                depth += 1;
            } else if rest.starts_with(&close) {
                depth -= 1;
                if depth == 0 {
                    break Some(place + close.len());
                }
            }
            place += 1;
        };
        if end.is_none() {
            self.note(at..name_end + 1, format!("{open} has no {close}: the formula runs to the end"));
        }
        let end = end.unwrap_or(self.text.len());
        self.push_formula(at..end, How::Environment, must);
        Some(end)
    }

    fn push_formula(&mut self, span: Range<usize>, how: How, must: Must) {
        let span = trim(self.text, span);
        if span.is_empty() {
            self.note(span, "there is nothing in this formula".to_owned());
            return;
        }
        let typed = &self.text[span.clone()];
        // What is marked is LaTeX, unless it shows that it is not.
        let (latex, reading) =
            if ascii::is_plain(typed) { self.reading(typed) } else { (typed.to_owned(), Reading::AsTyped) };
        self.typed.formulas.push(TypedFormula { latex, span, how, reading, must });
    }

    /// The LaTeX of what was typed as a formula.
    fn reading(&self, typed: &str) -> (String, Reading) {
        let translated = match self.understanding {
            Understanding::Helpful => ascii::latex(typed),
            Understanding::Literal => None,
        };
        match translated {
            Some(latex) => (latex, Reading::Translated),
            None => (typed.to_owned(), Reading::AsTyped),
        }
    }

    /// Reads `"exact phrase"`.
    fn phrase(&mut self, start: usize, at: usize, must: Must) -> Option<usize> {
        let open = self.text[at..].chars().next().filter(|open| matches!(open, '"' | '“' | '”' | '„'))?;
        if self.quotes == Quotes::NeverClose {
            return None;
        }
        let inside = at + open.len_utf8();
        let Some(length) = self.text[inside..].find(['"', '“', '”']) else {
            self.quotes = Quotes::NeverClose;
            self.note(
                at..inside,
                "this quotation mark is not closed: the words were searched one by one".to_owned(),
            );
            return None;
        };
        self.flush(start);
        let end = inside + length;
        let next = end + self.text[end..].chars().next().map_or(0, char::len_utf8);
        let span = trim(self.text, inside..end);
        let text = self.phrase_text(span.clone(), must);
        if text.chars().any(char::is_alphanumeric) {
            self.typed.phrases.push(TypedPhrase { text, span, must });
        }
        Some(next)
    }

    /// The text of a phrase; its formulas are formulas of the query.
    fn phrase_text(&mut self, span: Range<usize>, must: Must) -> String {
        let inside = &self.text[..span.end];
        let (mut text, mut at) = (String::new(), span.start);
        while let Some(first) = inside[at..].chars().next() {
            let mark = MARKS.into_iter().find(|(open, _)| inside[at..].starts_with(open));
            let formula = mark.and_then(|(open, close)| {
                let start = at + open.len();
                closing(inside, start, close).map(|end| (start..end, end + close.len()))
            });
            match (formula, mark) {
                (Some((formula, next)), _) => {
                    self.push_formula(formula, How::Dollars, must);
                    text.push(FORMULA);
                    at = next;
                }
                // Nothing closes this mark, so nothing closes a later one of its kind.
                (None, Some(_)) => {
                    text.push_str(&inside[at..]);
                    break;
                }
                (None, None) => {
                    let next = self.step(at, first).min(span.end);
                    text.push_str(&inside[at..next]);
                    at = next;
                }
            }
        }
        text
    }

    /// Reads `[calculus]`; `[0,1]` and `[n]` are formulas.
    fn tag(&mut self, start: usize, at: usize, must: Must) -> Option<usize> {
        let inside = self.text[at..].strip_prefix('[')?;
        let length = inside.bytes().take(64).position(|byte| byte == b']')?;
        let name = &inside[..length];
        let fits = name.len() > 1
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'+' | b'#'))
            && name.bytes().filter(u8::is_ascii_alphabetic).count() > 1;
        let end = at + length + 2;
        let ends = self.text[end..]
            .chars()
            .next()
            .is_none_or(|next| next.is_whitespace() || matches!(next, '[' | ',' | ')'));
        if !fits || !ends {
            return None;
        }
        self.flush(start);
        self.push_filter(super::Filter::Tag(as_tag(name)), must, at..end);
        Some(end)
    }

    /// Reads `score:>5`, or notes what is wrong with it and leaves it as text.
    fn filter(&mut self, start: usize, at: usize, must: Must) -> Option<usize> {
        let rest = &self.text[at..];
        let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        if !(2..=24).contains(&length) || !rest[length..].starts_with(':') {
            return None;
        }
        let (name, value_start) = (&rest[..length], at + length + 1);
        let value = &self.text[value_start..];
        let Some(first) = value.chars().next().filter(|first| !first.is_whitespace()) else {
            // «The question is: …» and «answers: …» are prose.
            let meant = Name::of(name).is_some_and(|name| !matches!(name, Name::Is | Name::Answers));
            if meant && !value.trim().is_empty() {
                let message =
                    format!("«{name}:» was searched as text; a filter has no blank, as in {name}:value");
                self.note(at..value_start, message);
            }
            return None;
        };
        let Some(known) = Name::of(name) else {
            // A link, a definition or a proportion is not meant as a filter.
            if first.is_alphanumeric() || matches!(first, '"' | '<' | '>') {
                self.note(at..value_start, unknown(name));
            }
            return None;
        };
        let (value, end) = self.value(value_start, first);
        match known.filter(value) {
            Ok(filter) => {
                self.flush(start);
                self.push_filter(filter, must, at..end);
                Some(end)
            }
            Err(message) => {
                self.note(at..end, message);
                // What was meant as a filter holds no formula.
                self.flush(start);
                self.words(start..end);
                Some(end)
            }
        }
    }

    /// The value of a filter: between quotation marks or up to a blank.
    fn value(&mut self, start: usize, first: char) -> (&'a str, usize) {
        let text = self.text;
        let blank = || start + text[start..].find(char::is_whitespace).unwrap_or(text.len() - start);
        if matches!(first, '"' | '“' | '”') && self.quotes == Quotes::MayClose {
            let inside = start + first.len_utf8();
            match text[inside..].find(['"', '“', '”']) {
                Some(length) => {
                    let end = inside + length;
                    let next = end + text[end..].chars().next().map_or(0, char::len_utf8);
                    return (&text[inside..end], next);
                }
                None => {
                    self.quotes = Quotes::NeverClose;
                    let message = "this quotation mark is not closed".to_owned();
                    self.note(start..inside, message);
                }
            }
        }
        let end = blank();
        let value = text[start..end].trim_matches(['"', '“', '”']);
        (value.trim_end_matches([',', ';']), end)
    }

    fn push_filter(&mut self, filter: super::Filter, must: Must, span: Range<usize>) {
        let must = if must == Must::MustNot { must } else { Must::Must };
        self.typed.filters.push(TypedFilter { filter, must, span });
    }

    /// Looks at the plain text before `end`: formulas without marks, and words.
    fn flush(&mut self, end: usize) {
        let start = self.plain.min(end);
        self.plain = end;
        let mut at = start;
        let bare = match self.understanding {
            Understanding::Helpful => bare::formulas(&self.text[start..end]),
            Understanding::Literal => Vec::new(),
        };
        for formula in bare {
            let span = start + formula.start..start + formula.end;
            self.words(at..span.start);
            let (latex, reading) = self.reading(&self.text[span.clone()]);
            at = span.end;
            let (how, must) = (How::Bare, Must::Should);
            self.typed.formulas.push(TypedFormula { latex, span, how, reading, must });
        }
        self.words(at..end);
    }

    fn words(&mut self, range: Range<usize>) {
        let text = &self.text[range.clone()];
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
            self.word(range.start + at..range.start + at + length);
            at += length + rest[length..].chars().next().map_or(0, char::len_utf8);
        }
    }

    fn word(&mut self, span: Range<usize>) {
        let token = &self.text[span.clone()];
        // A sign counts only where a word begins; behind a formula it is a hyphen.
        let fresh = self.text[..span.start].chars().next_back().is_none_or(char::is_whitespace);
        let begins = |rest: &str| rest.starts_with(|first: char| first.is_alphanumeric());
        let (must, start) = match token.as_bytes().first() {
            Some(b'+') if fresh && begins(&token[1..]) => (Must::Must, span.start + 1),
            // Nobody keeps out infinity: `from -infinity to infinity`.
            Some(b'-') if matches!(ascii::name(&token[1..]), Some(ascii::Name::Symbol(_))) => {
                (Must::Should, span.start + 1)
            }
            Some(b'-') if fresh && begins(&token[1..]) => (Must::MustNot, span.start + 1),
            _ => (Must::Should, span.start),
        };
        let token = &self.text[start..span.end];
        let front = token.len() - token.trim_start_matches(|first| !is_word(first)).len();
        let outside = |last| !is_word(last) && !matches!(last, '+' | '#' | '*' | '%' | '°');
        let span = start + front..start + token.trim_end_matches(outside).len().max(front);
        if !span.is_empty() {
            let text = self.text[span.clone()].to_owned();
            self.typed.words.push(TypedWord { text, meant: None, span, must });
        }
    }

    fn note(&mut self, span: Range<usize>, message: String) {
        if self.typed.notes.len() < MOST_NOTES {
            self.typed.notes.push(Note { message, span });
        }
    }
}

/// Letters, digits and signs of mathematics.
fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '¬' | '±' | '×' | '÷' | '\u{2190}'..='\u{22FF}')
}

/// Where the sign stands that a formula was read with.
fn sign_start(text: &str, at: usize, must: Must) -> usize {
    if must == Must::Should {
        at
    } else {
        text[..at].char_indices().next_back().map_or(at, |(before, _)| before)
    }
}

/// Where a formula ends: the next closing mark without a backslash before it.
fn closing(text: &str, start: usize, close: &str) -> Option<usize> {
    let mut at = start;
    while let Some(first) = text[at..].chars().next() {
        if text[at..].starts_with(close) {
            return Some(at);
        }
        at += first.len_utf8();
        if first == '\\' {
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    None
}

fn trim(text: &str, span: Range<usize>) -> Range<usize> {
    let inside = &text[span.clone()];
    let start = span.start + (inside.len() - inside.trim_start().len());
    start..start + inside.trim().len()
}
