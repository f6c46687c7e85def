//! What a template may do, since it comes with a file from elsewhere.
//!
//! The engine counts steps, but a step can double a text, and forty doublings
//! are more than any memory. So the source is changed before it is compiled:
//! whatever an operator, a filter or a test is given goes through the filter
//! `bounded` first, which refuses what has become too large or too deep, and
//! what `set` binds goes through `assigned`, which also refuses a namespace
//! within a namespace, the one way to make a circle. Filters whose result can
//! be far larger than what they get are replaced or taken away.

use minijinja::value::{Kwargs, ValueKind};
use minijinja::{Environment, Error, ErrorKind, State, Value};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The largest template that is read; those that people use are ten times smaller.
const LONGEST_SOURCE: usize = 1 << 17;
/// How many steps a template may take, and how many more for each message.
const STEPS: (u64, u64) = (20_000, 2_000);
/// How large a value may be, in bytes, beside what the messages need.
const LARGEST_VALUE: usize = 1 << 16;
/// How large the result may be, beside what the messages need.
const LARGEST_RESULT: usize = 1 << 20;
/// How often the messages may be in a value or in the result.
const TIMES_MESSAGES: usize = 8;
/// How deep a value may be, and how deep macros may call each other.
const DEEPEST: usize = 32;
/// How often something is repeated by an operator.
const MOST_TIMES: i64 = 1000;
/// What a value counts beside its text.
const VALUE_SIZE: usize = 16;
/// How far JSON is indented.
const WIDEST_INDENT: i64 = 16;
/// Filters that compare, nest, repeat or fill, and that no template needs.
const REMOVED: [&str; 15] = [
    "indent",
    "format",
    "batch",
    "slice",
    "pprint",
    "chain",
    "zip",
    "groupby",
    "sum",
    "sort",
    "unique",
    "min",
    "max",
    "dictsort",
    "urlencode",
];

/// Limits for a conversation whose messages have so many bytes.
pub(super) fn limit(environment: &mut Environment<'_>, messages: usize, bytes: usize) {
    let (first, each) = STEPS;
    environment.set_fuel(Some(first + each * messages as u64));
    environment.set_recursion_limit(DEEPEST);
    REMOVED.iter().for_each(|name| environment.remove_filter(name));
    environment.remove_global("debug");
    let limits = Limits { largest: LARGEST_VALUE + TIMES_MESSAGES * bytes };
    environment.add_filter("bounded", move |value: &Value| limits.bounded(value));
    environment.add_filter("assigned", move |value: &Value| limits.assigned(value));
    environment.add_filter("factor", move |value: &Value| limits.factor(value));
    environment.add_filter("string", move |value: &Value| {
        Ok::<_, Error>(if value.as_str().is_some() {
            value.clone()
        } else {
            Value::from(limits.text(value)?)
        })
    });
    environment.add_filter("replace", move |value: &Value, from: &Value, to: &Value| {
        limits.replace(&limits.text(value)?, &limits.text(from)?, &limits.text(to)?)
    });
    environment
        .add_filter("join", move |values: &Value, between: Option<&Value>| limits.join(values, between));
    environment.add_filter("tojson", move |value: &Value, indent: Option<Value>, arguments: Kwargs| {
        let named: Option<Value> = arguments.get("indent")?;
        let width = indent.as_ref().or(named.as_ref()).and_then(Value::as_i64);
        if width.is_some_and(|width| width > WIDEST_INDENT) {
            return Err(too_large());
        }
        minijinja::filters::tojson(&limits.bounded(value)?, indent, arguments)
    });
    environment.set_unknown_method_callback(move |state, value, method, arguments| {
        limits.check(value)?;
        arguments.iter().try_for_each(|argument| limits.check(argument))?;
        limits.method(state, value, method, arguments)
    });
    let told = AtomicUsize::new(0);
    let most = LARGEST_RESULT + TIMES_MESSAGES * bytes;
    environment.set_formatter(move |out, state, value| {
        let text = value
            .as_str()
            .map_or_else(|| limits.text(value).map(|text| text.len()), |text| Ok(text.len()))?;
        // What blocks collect counts as well: it can be collected again.
        if told.fetch_add(text, Ordering::Relaxed) + text > most {
            return Err(too_large());
        }
        minijinja::escape_formatter(out, state, value)
    });
}

/// Where the result of a template is written, up to a size.
pub(super) struct Bounded {
    text: Vec<u8>,
    most: usize,
}

impl Bounded {
    /// For a conversation whose messages have so many bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self { text: Vec::new(), most: LARGEST_RESULT + TIMES_MESSAGES * bytes }
    }

    pub(super) fn into_text(self) -> String {
        String::from_utf8(self.text).unwrap_or_default()
    }
}

impl std::io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.text.len() + bytes.len() > self.most {
            return Err(std::io::Error::other("the result is too large"));
        }
        self.text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn too_large() -> Error {
    Error::new(ErrorKind::InvalidOperation, "it makes something that is too large")
}

#[derive(Clone, Copy)]
struct Limits {
    largest: usize,
}

impl Limits {
    fn bounded(self, value: &Value) -> Result<Value, Error> {
        self.check(value).map(|()| value.clone())
    }

    fn check(self, value: &Value) -> Result<(), Error> {
        let mut left = self.largest;
        measure(value, DEEPEST, &mut left, &mut |_| Ok(()))
    }

    fn assigned(self, value: &Value) -> Result<Value, Error> {
        let mut left = self.largest;
        // A namespace may have a name, but no place in another.
        let is_namespace =
            |value: &Value| value.as_object().is_some_and(|object| object.type_name().ends_with("Namespace"));
        let mut refuse = |value: &Value| if is_namespace(value) { Err(too_large()) } else { Ok(()) };
        if is_namespace(value) {
            return self.bounded(value);
        }
        measure(value, DEEPEST, &mut left, &mut refuse).map(|()| value.clone())
    }

    fn factor(self, value: &Value) -> Result<Value, Error> {
        let is_small = match value.kind() {
            ValueKind::Number => value.as_i64().is_none_or(|number| number.abs() <= MOST_TIMES),
            _ => value.len().is_none_or(|length| length <= MOST_TIMES as usize),
        };
        if is_small { self.bounded(value) } else { Err(too_large()) }
    }

    /// A value as it would be written.
    fn text(self, value: &Value) -> Result<String, Error> {
        self.check(value)?;
        Ok(value.to_string())
    }

    fn replace(self, text: &str, from: &str, to: &str) -> Result<Value, Error> {
        let added = text.matches(from).count().saturating_mul(to.len());
        if added > self.largest {
            return Err(too_large());
        }
        Ok(Value::from(text.replace(from, to)))
    }

    fn join(self, values: &Value, between: Option<&Value>) -> Result<Value, Error> {
        let between = between.map(|between| self.text(between)).transpose()?.unwrap_or_default();
        let mut joined = String::new();
        for (place, value) in values.try_iter()?.enumerate() {
            if place > 0 {
                joined.push_str(&between);
            }
            joined.push_str(&self.text(&value)?);
            if joined.len() > self.largest {
                return Err(too_large());
            }
        }
        Ok(Value::from(joined))
    }

    /// What Python's methods give, as far as they are known.
    fn method(
        self,
        state: &mut State<'_, '_>,
        value: &Value,
        method: &str,
        arguments: &[Value],
    ) -> Result<Value, Error> {
        match (method, value.as_str(), arguments) {
            ("replace", Some(text), [from, to]) => self.replace(text, &self.text(from)?, &self.text(to)?),
            ("join", Some(between), [values]) => self.join(values, Some(&Value::from(between))),
            // What follows a colon is a width, or a pattern for one.
            ("format", Some(text), _) if text.contains(':') => Err(too_large()),
            _ => minijinja_contrib::pycompat::unknown_method_callback(state, value, method, arguments),
        }
    }
}

/// Takes the size of a value and of all that is in it from what is left; `look` sees each.
fn measure(
    value: &Value,
    depth: usize,
    left: &mut usize,
    look: &mut dyn FnMut(&Value) -> Result<(), Error>,
) -> Result<(), Error> {
    look(value)?;
    let size = VALUE_SIZE + value.as_str().map_or(0, str::len);
    *left = left.checked_sub(size).ok_or_else(too_large)?;
    match value.kind() {
        ValueKind::Seq | ValueKind::Map | ValueKind::Iterable => {}
        _ => return Ok(()),
    }
    // What can be gone through only once has no length, and is made of what was measured.
    let Some(length) = value.len() else { return Ok(()) };
    if depth == 0 || length.saturating_mul(VALUE_SIZE) > *left {
        return Err(too_large());
    }
    for item in value.try_iter()? {
        if value.kind() == ValueKind::Map {
            measure(&value.get_item(&item)?, depth - 1, left, look)?;
        }
        measure(&item, depth - 1, left, look)?;
    }
    Ok(())
}

/// The source with filters put in that hold values back from growing.
///
/// # Errors
///
/// When the source is too long, or brackets do not fit each other.
pub(super) fn guarded(source: &str) -> Result<String, Error> {
    if source.len() > LONGEST_SOURCE {
        let reason = format!("it has {} bytes, and {LONGEST_SOURCE} are read", source.len());
        return Err(Error::new(ErrorKind::SyntaxError, reason));
    }
    let mut out = String::with_capacity(2 * source.len());
    let mut rest = source;
    while let Some(at) = rest.find('{') {
        let (before, tag) = rest.split_at(at);
        out.push_str(before);
        let (kind, end) = match tag.as_bytes().get(1) {
            Some(b'#') => {
                let length = tag.find("#}").map_or(tag.len(), |end| end + 2);
                out.push_str(&tag[..length]);
                rest = &tag[length..];
                continue;
            }
            Some(b'{') => (Tag::Print, "}}"),
            Some(b'%') => (Tag::Statement, "%}"),
            _ => {
                out.push('{');
                rest = &tag[1..];
                continue;
            }
        };
        let tokens = tokens(&tag[2..], end)?;
        if kind == Tag::Statement && tokens.is_word(0, "raw") {
            let after = after_raw(tag);
            out.push_str(&tag[..after]);
            rest = &tag[after..];
            continue;
        }
        out.push_str(&tag[..2]);
        out.push_str(&tokens.guarded(kind));
        // What ends the tag, with a sign that takes blanks away.
        let (inside, after) = (2 + tokens.source.len(), 2 + tokens.length + end.len());
        out.push_str(&tag[inside..after]);
        rest = &tag[after..];
    }
    out.push_str(rest);
    Ok(out)
}

/// Where the first tag after a raw block begins that is none of its text.
fn after_raw(tag: &str) -> usize {
    let end_of = |at: usize| tag[at..].find("%}").map_or(tag.len(), |end| at + end + 2);
    let mut from = end_of(2);
    while let Some(at) = tag[from..].find("{%") {
        let start = from + at;
        if tag[start + 2..].trim_start_matches(['-', '+']).trim_start().starts_with("endraw") {
            return end_of(start);
        }
        from = start + 2;
    }
    tag.len()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Print,
    Statement,
}

/// A token of an expression.
struct Token<'a> {
    text: &'a str,
    start: usize,
    kind: TokenKind,
    /// Of a bracket, the place of its partner.
    partner: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TokenKind {
    Word,
    Literal,
    Open,
    Close,
    Operator,
}

/// The tokens of a tag, and where it ends.
struct Tokens<'a> {
    source: &'a str,
    list: Vec<Token<'a>>,
    length: usize,
}

/// Cuts a tag into tokens, up to what ends it.
fn tokens<'a>(source: &'a str, end: &str) -> Result<Tokens<'a>, Error> {
    let syntax = |reason: &str| Error::new(ErrorKind::SyntaxError, reason.to_owned());
    let bytes = source.as_bytes();
    let mut list: Vec<Token<'a>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut at = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    loop {
        let rest = &source[at..];
        let ended = rest.strip_prefix(['-', '+']).unwrap_or(rest);
        if open.is_empty() && (rest.starts_with(end) || ended.starts_with(end)) {
            let length = if rest.starts_with(end) { at } else { at + 1 };
            return Ok(Tokens { source: &source[..at], list, length });
        }
        let Some(first) = rest.chars().next() else { return Err(syntax("a tag has no end")) };
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let (length, kind) = match first {
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '"' | '\'' => {
                (string_length(rest).ok_or_else(|| syntax("a text has no end"))?, TokenKind::Literal)
            }
            c if c.is_ascii_digit() => {
                (rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()), TokenKind::Literal)
            }
            c if is_word(c) => (rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()), TokenKind::Word),
            '(' | '[' | '{' => (1, TokenKind::Open),
            ')' | ']' | '}' => (1, TokenKind::Close),
            c => {
                let two = ["==", "!=", "<=", ">=", "**", "//"].iter().any(|two| rest.starts_with(two));
                (if two { 2 } else { c.len_utf8() }, TokenKind::Operator)
            }
        };
        let mut partner = 0;
        if kind == TokenKind::Open {
            open.push(list.len());
        } else if kind == TokenKind::Close {
            partner = open.pop().ok_or_else(|| syntax("a bracket closes nothing"))?;
            list[partner].partner = list.len();
        }
        list.push(Token { text: &rest[..length], start: at, kind, partner });
        at += length;
    }
}

fn string_length(text: &str) -> Option<usize> {
    let quote = text.chars().next()?;
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

impl Tokens<'_> {
    fn is_word(&self, place: usize, word: &str) -> bool {
        self.list.get(place).is_some_and(|token| token.kind == TokenKind::Word && token.text == word)
    }

    fn is_operator(&self, place: usize, operator: &str) -> bool {
        self.list.get(place).is_some_and(|token| token.kind == TokenKind::Operator && token.text == operator)
    }

    fn end(&self, place: usize) -> usize {
        self.list.get(place).map_or(self.source.len(), |token| token.start + token.text.len())
    }

    /// The inside of the tag with filters put in.
    fn guarded(&self, kind: Tag) -> String {
        let mut added: Vec<(usize, &str)> = Vec::new();
        for (place, token) in self.list.iter().enumerate() {
            let is_named =
                place > 0 && (self.is_operator(place - 1, ".") || self.is_operator(place - 1, "|"));
            let (filter, left, right) = match (token.kind, token.text) {
                (TokenKind::Operator, "*") => ("|factor", true, true),
                (TokenKind::Operator, "+" | "~" | "==" | "!=" | "<" | ">" | "<=" | ">=") => {
                    ("|bounded", true, true)
                }
                (TokenKind::Operator, "|") => ("|bounded", true, false),
                (TokenKind::Word, "is") if !is_named => ("|bounded", true, false),
                (TokenKind::Word, "in") if !is_named => ("|bounded", false, true),
                _ => continue,
            };
            let before = place.checked_sub(1).and_then(|before| self.list.get(before));
            let is_operand = before.is_some_and(|before| match before.kind {
                TokenKind::Literal | TokenKind::Close => true,
                TokenKind::Word => {
                    !matches!(before.text, "set" | "not" | "and" | "or" | "if" | "else" | "in")
                }
                TokenKind::Open | TokenKind::Operator => false,
            });
            if left && is_operand && !(token.text == "|" && self.is_block(kind, place)) {
                added.push((self.end(place - 1), filter));
            }
            if right && let Some(last) = self.operand(place + 1) {
                added.push((self.end(last), filter));
            }
        }
        let is_set = kind == Tag::Statement && self.is_word(0, "set");
        let binds = self.list.iter().position(|token| token.kind == TokenKind::Operator && token.text == "=");
        if let Some(binds) = binds.filter(|_| is_set) {
            added.push((self.end(binds), "("));
            added.push((self.source.len(), ")|assigned"));
        }
        added.sort_by_key(|(at, _)| *at);
        let mut out = String::new();
        let mut from = 0;
        for (at, text) in added {
            out.push_str(&self.source[from..at]);
            out.push_str(text);
            from = at;
        }
        out.push_str(&self.source[from..]);
        out
    }

    /// Whether a filter is applied to a block and not to a value: `{% set x | trim %}`, `{% filter trim | upper %}`.
    fn is_block(&self, kind: Tag, place: usize) -> bool {
        let binds =
            self.list[..place].iter().any(|token| token.kind == TokenKind::Operator && token.text == "=");
        kind == Tag::Statement && (self.is_word(0, "filter") || (self.is_word(0, "set") && !binds))
    }

    /// The last token of the operand that begins here: a value, what is taken from it, and its filters.
    fn operand(&self, mut place: usize) -> Option<usize> {
        while self.is_operator(place, "-") || self.is_word(place, "not") {
            place += 1;
        }
        let closed = |place: usize| -> Option<usize> {
            let token = self.list.get(place)?;
            match token.kind {
                TokenKind::Open => Some(token.partner),
                TokenKind::Word | TokenKind::Literal => Some(place),
                TokenKind::Close | TokenKind::Operator => None,
            }
        };
        let mut last = closed(place)?;
        loop {
            let next = last + 1;
            if self.list.get(next).is_some_and(|token| token.kind == TokenKind::Open && token.text != "{") {
                last = self.list[next].partner;
            } else if self.is_operator(next, ".") || self.is_operator(next, "|") {
                last = closed(next + 1)?;
            } else {
                return Some(last);
            }
        }
    }
}
