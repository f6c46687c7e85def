//! The pass over HTML: finds formulas, writes the rest anew.

use std::ops::Range;

use crate::balance::Writer;
use crate::dollars::{Finder, Flavour, Hit};
use crate::entity::{self, Place};
use crate::span::{self, MathEnds, Shape};
use crate::stray::{self, Said};
use crate::tag::{Lexeme, Lexer, Side, Tag};
use crate::{Display, Dollars, FlawKind, Found, MARKER, MARKER_END, Notes, Origin};

/// What dollars outside spans mean to the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Formulas.
    Math,
    /// Formulas, each of which is reported.
    Stray,
    /// Text, but would-be formulas are reported.
    Report,
    /// Text: they were looked for before; tokens may be in the text.
    Ignore,
}

impl Mode {
    /// Whether what has no span can be a formula.
    fn finds(self) -> bool {
        matches!(self, Self::Math | Self::Stray)
    }
}

impl From<Dollars> for Mode {
    fn from(dollars: Dollars) -> Self {
        match dollars {
            Dollars::Math => Self::Math,
            Dollars::Stray => Self::Stray,
            Dollars::Text => Self::Report,
        }
    }
}

/// Whether the text was well-formed and harmless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Innocence {
    Innocent,
    Doubtful,
}

/// Bytes of text that are not simply copied.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let marks = b"<>&$\\\r\0\xC2\xEF";
    let mut at = 0;
    while at < marks.len() {
        special[marks[at] as usize] = true;
        at += 1;
    }
    special
};

/// Reads HTML and writes it clean.
pub(crate) fn scan(text: &str, mode: Mode, notes: &mut Notes, writer: &mut Writer) -> Innocence {
    writer.clear();
    let mut scan = Scan {
        text,
        mode,
        notes,
        writer,
        at: 0,
        muted: 0,
        piece_end: 0,
        lexer: Lexer::default(),
        finder: Finder::new(Flavour::Html),
        math_ends: MathEnds::default(),
        spans: 0,
        textareas: 0,
        is_unsafe: false,
        no_comment_end: false,
        no_raw_end: [false; RAW.len()],
    };
    scan.run();
    let doubtful = scan.is_unsafe || scan.writer.was_mended();
    writer.finish();
    if doubtful { Innocence::Doubtful } else { Innocence::Innocent }
}

/// Elements whose content is no text at all.
const RAW: [&str; 6] = ["script", "style", "iframe", "noembed", "noframes", "noscript"];

/// Elements that are dangerous wherever they stand; their text stays unless they are in [`RAW`].
const DANGEROUS: [&str; 10] =
    ["script", "style", "iframe", "object", "embed", "form", "input", "button", "svg", "applet"];

struct Scan<'t, 'n> {
    text: &'t str,
    mode: Mode,
    notes: &'n mut Notes,
    writer: &'n mut Writer,
    at: usize,
    /// Up to here dollars were looked at and reported.
    muted: usize,
    /// Up to here the text was looked at for a formula between tags.
    piece_end: usize,
    lexer: Lexer,
    finder: Finder,
    math_ends: MathEnds,
    /// Open spans that are no formulas.
    spans: usize,
    textareas: usize,
    is_unsafe: bool,
    no_comment_end: bool,
    no_raw_end: [bool; RAW.len()],
}

impl<'t> Scan<'t, '_> {
    fn run(&mut self) {
        let bytes = self.text.as_bytes();
        loop {
            if self.at >= self.piece_end && self.mode.finds() {
                self.piece();
            }
            let from = self.at;
            let length =
                bytes[from..].iter().position(|b| SPECIAL[*b as usize]).unwrap_or(bytes.len() - from);
            if length > 0 {
                self.writer.plain(&self.text[from..from + length]);
                self.at += length;
            }
            let Some(byte) = bytes.get(self.at) else { break };
            match byte {
                b'<' => self.angle(),
                b'>' => {
                    self.writer.text(">");
                    self.at += 1;
                }
                b'&' => self.reference(),
                b'$' | b'\\' => self.dollar(),
                b'\r' => {
                    self.writer.text("\n");
                    self.at += 1 + usize::from(bytes.get(self.at + 1) == Some(&b'\n'));
                }
                b'\0' => self.at += 1,
                _ => self.rare(),
            }
        }
    }

    /// A character whose first byte may begin a no-break space, a byte order mark or a token.
    fn rare(&mut self) {
        let Some(c) = self.text[self.at..].chars().next() else { return };
        let start = self.at;
        self.at += c.len_utf8();
        match c {
            MARKER if self.mode == Mode::Ignore => {
                let rest = &self.text[self.at..];
                let Some((number, _)) = rest.split_once(MARKER_END) else { return };
                let Ok(k) = number.parse() else { return };
                self.at += number.len() + MARKER_END.len_utf8();
                self.writer.token(k);
            }
            MARKER | MARKER_END | '\u{FEFF}' => {}
            '\u{A0}' => self.writer.char(c),
            _ => self.writer.plain(&self.text[start..self.at]),
        }
    }

    fn reference(&mut self) {
        match entity::read(&self.text[self.at..], Place::Text) {
            Some((chars, length)) => {
                for c in chars.into_iter().filter(|c| entity::is_kept(*c)) {
                    self.writer.char(c);
                }
                self.at += length;
            }
            None => {
                self.writer.text("&");
                self.at += 1;
            }
        }
    }

    /// Whether the text here is code, in which nothing is a formula.
    fn is_code(&self) -> bool {
        self.writer.open_count(Tag::Code) + self.writer.open_count(Tag::Pre) > 0 || self.textareas > 0
    }

    /// The text up to the next tag, if it is a formula without delimiters.
    fn piece(&mut self) {
        let rest = &self.text[self.at..];
        let length = memchr::memchr(b'<', rest.as_bytes()).unwrap_or(rest.len());
        self.piece_end = self.at + length.max(1);
        let piece = &rest[..length];
        if !piece.contains('\\') || self.is_code() {
            return;
        }
        let Some(range) = stray::formula(piece) else { return };
        // `$\l<span…>$a$</span>mbda$`: a lost dollar made formulas of single letters of a formula.
        let torn = (range.start == 0 && stray::ends_with_letter(&self.text[..self.at]))
            || (piece.ends_with(|c: char| c.is_ascii_alphabetic() || c == '\\')
                && stray::starts_with_letter(&rest[length..]));
        if torn {
            return;
        }
        let alone = self.text[..self.at].ends_with("<p>") && rest[length..].starts_with("</p>");
        let display = if alone { Display::Block } else { Display::Inline };
        let inner = self.at + range.start..self.at + range.end;
        // A lost dollar goes with it.
        self.writer.text(piece[..range.start].trim_end_matches('$'));
        let after = inner.end + usize::from(rest[range.end..length].starts_with('$'));
        self.delimited(&Hit { inner, after, display, origin: Origin::Bare });
    }

    fn dollar(&mut self) {
        let bytes = self.text.as_bytes();
        if self.mode != Mode::Ignore && !self.is_code() && self.at >= self.muted {
            let before = self.text[..self.at].chars().next_back();
            let found = self
                .finder
                .at(self.text, self.at)
                // Comments have code between backticks.
                .filter(|hit| before != Some('`') || bytes.get(hit.after) != Some(&b'`'));
            match found {
                Some(hit) if self.mode.finds() => return self.delimited(&hit),
                Some(hit) => {
                    // Its own flaws are none of the text's, since it stays text.
                    let formula = span::content(&self.text[self.at..hit.after], &mut Notes::default());
                    self.notes.flaw(FlawKind::BareFormula, &formula);
                    self.muted = hit.after;
                }
                None => {
                    if self.mode.finds()
                        && let Some((said, length)) = stray::command(&self.text[self.at..], before)
                    {
                        self.said(said);
                        self.at += length;
                        return;
                    }
                    // `\$` is a dollar and `\\` is one thing; a `$$` that opens nothing is not two dollars.
                    let pair = match &bytes[self.at..bytes.len().min(self.at + 2)] {
                        b"\\$" if self.mode.finds() => "$",
                        b"\\\\" => "\\\\",
                        b"\\$" => "\\$",
                        b"$$" => "$$",
                        _ => "",
                    };
                    if !pair.is_empty() {
                        self.writer.plain(pair);
                        self.at += 2;
                        return;
                    }
                }
            }
        }
        self.writer.plain(&self.text[self.at..=self.at]);
        self.at += 1;
    }

    /// Writes what a command of text becomes.
    fn said(&mut self, said: Said<'_>) {
        match said {
            Said::Text(text) => self.writer.text(text),
            Said::Tagged(name, text) => {
                let tag = Tag::of(name);
                self.writer.start(tag);
                self.writer.text(text);
                self.writer.end(tag);
            }
            Said::Between(open, text, close) => {
                for text in [open, text, close] {
                    self.writer.text(text);
                }
            }
            Said::Item(label) => {
                self.writer.start(Tag::Br);
                self.writer.text("• ");
                self.writer.text(label);
            }
            Said::Nothing => {}
        }
    }

    fn delimited(&mut self, hit: &Hit) {
        let source = &self.text[hit.inner.clone()];
        let before = self.notes.flaws.len();
        let latex = span::content(source, self.notes);
        self.at = hit.after;
        if span::is_empty(&latex) {
            self.notes.flaws.truncate(before);
            self.notes.flaw(FlawKind::EmptyFormula, &self.text[hit.inner.clone()]);
        } else {
            if self.mode == Mode::Stray {
                self.notes.flaw(FlawKind::BareFormula, &latex);
            }
            let found = Found { id: None, latex, mathml: None, display: hit.display, origin: hit.origin };
            let k = self.notes.formula(found);
            self.writer.token(k);
        }
        if hit.origin == Origin::Environment {
            self.spans_in(hit.inner.clone());
        }
    }

    /// Formulas' spans inside an environment, which is a formula with what is in them.
    /// They follow it, since tables name them.
    fn spans_in(&mut self, inside: Range<usize>) {
        let text = &self.text[..inside.end];
        let mut at = inside.start;
        // A lexer of its own: what is broken at the end of the environment is not broken beyond.
        let mut lexer = Lexer::default();
        while let Some(found) = memchr::memchr(b'<', &text.as_bytes()[at..]) {
            at += found;
            let Some(lexeme) = lexer.read(text, at).filter(Lexeme::starts_formula) else {
                at += 1;
                continue;
            };
            let extent = span::extent(text, lexeme.after, &mut lexer);
            let source = &text[lexeme.after..extent.end];
            self.notes.flaw(FlawKind::NestedSpan, source);
            let (latex, display) = span::latex(source, &mut Notes::default());
            let k = self.keep(&lexeme, latex, display);
            self.writer.token(k);
            at = extent.after;
        }
    }

    /// Something that starts with `<`.
    fn angle(&mut self) {
        let rest = &self.text[self.at..];
        if rest.starts_with("<!--") && !self.no_comment_end {
            if let Some(length) = memchr::memmem::find(&rest.as_bytes()[4..], b"-->") {
                self.at += 4 + length + 3;
                return;
            }
            self.no_comment_end = true;
        }
        if let Some(lexeme) = self.lexer.read(self.text, self.at) {
            match lexeme.end {
                Side::Start => self.start(&lexeme),
                Side::End => self.end(&lexeme),
            }
            return;
        }
        // `<!DOCTYPE html>`, `<?xml …?>`, `<![CDATA[` and the ends of tags that are none, such as `</a,b>`.
        let next = rest.as_bytes().get(2).is_some_and(u8::is_ascii_alphabetic);
        let drops = (next && (rest.starts_with("</") || rest.starts_with("<?")))
            || rest.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype"));
        if rest.starts_with("<![CDATA[") {
            self.at += "<![CDATA[".len();
            return;
        }
        if drops && let Some(length) = rest.bytes().take(200).position(|b| b == b'>') {
            self.at += length + 1;
            return;
        }
        self.writer.text("<");
        self.at += 1;
    }

    fn start(&mut self, lexeme: &Lexeme<'t>) {
        self.at = lexeme.after;
        if !lexeme.rest.is_empty() {
            if lexeme.starts_formula() {
                return self.formula(lexeme);
            }
            self.look_for_danger(lexeme);
        }
        match lexeme.tag {
            Tag::A => {
                match lexeme.value("href").and_then(|href| safe_link(&href, &["http", "https", "mailto"])) {
                    Some(href) => self.writer.start_link(&href),
                    None => self.writer.start(Tag::A),
                }
            }
            Tag::Other => self.other(lexeme),
            tag => {
                if tag == Tag::Span {
                    self.spans += 1;
                }
                if lexeme.is("form") {
                    self.unsafe_markup("form");
                }
                self.writer.start(tag);
            }
        }
    }

    /// A start tag that is not written as a tag.
    fn other(&mut self, lexeme: &Lexeme<'t>) {
        let local = lexeme.local();
        if local.eq_ignore_ascii_case("math") {
            return self.math(lexeme);
        }
        if lexeme.is("img") || lexeme.is("image") {
            return self.image(lexeme);
        }
        if lexeme.is("textarea") {
            self.textareas += 1;
        }
        if let Some(name) = DANGEROUS.iter().find(|name| lexeme.is(name)) {
            self.unsafe_markup(name);
        }
        if let Some(kind) = RAW.iter().position(|name| lexeme.is(name)) {
            self.raw(kind);
        }
    }

    /// Leaves out the content of a script; formulas in it are not forgotten.
    fn raw(&mut self, kind: usize) {
        if self.no_raw_end[kind] {
            return;
        }
        let name = RAW[kind];
        let mut at = self.at;
        let bytes = self.text.as_bytes();
        let end = loop {
            let Some(found) = memchr::memmem::find(&bytes[at..], b"</") else {
                self.no_raw_end[kind] = true;
                return;
            };
            at += found;
            if bytes
                .get(at + 2..at + 2 + name.len())
                .is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
            {
                break at;
            }
            at += 2;
        };
        let inside = &self.text[self.at..end];
        let mut from = 0;
        // A lexer of its own: what is broken in a script is not broken outside.
        let mut lexer = Lexer::default();
        while let Some(found) = memchr::memchr(b'<', &inside.as_bytes()[from..]) {
            from += found;
            let Some(lexeme) = lexer.read(inside, from).filter(Lexeme::starts_formula) else {
                from += 1;
                continue;
            };
            let extent = span::extent(inside, lexeme.after, &mut lexer);
            let (latex, display) = span::latex(&inside[lexeme.after..extent.end], self.notes);
            if !latex.is_empty() {
                self.keep(&lexeme, latex, display);
            }
            from = extent.after;
        }
        self.at = end;
    }

    fn end(&mut self, lexeme: &Lexeme<'t>) {
        self.at = lexeme.after;
        match lexeme.tag {
            Tag::Span => {
                if self.spans == 0 {
                    return self.notes.flaw(FlawKind::StraySpanEnd, "</span>");
                }
                self.spans -= 1;
                self.writer.end(Tag::Span);
            }
            Tag::Other => {
                if lexeme.is("textarea") {
                    self.textareas = self.textareas.saturating_sub(1);
                }
            }
            tag => self.writer.end(tag),
        }
    }

    /// A formula's span.
    fn formula(&mut self, lexeme: &Lexeme<'t>) {
        let extent = span::extent(self.text, lexeme.after, &mut self.lexer);
        let source = &self.text[lexeme.after..extent.end];
        self.at = extent.after;
        match extent.shape {
            Shape::Whole => {}
            Shape::Unclosed => self.notes.flaw(FlawKind::UnclosedSpan, source),
            Shape::Nested => self.notes.flaw(FlawKind::NestedSpan, source),
        }
        if let Some(found) = self.math_in_span(lexeme, extent.shape) {
            let k = self.notes.formula(found);
            return self.writer.token(k);
        }
        let before = self.notes.flaws.len();
        let (latex, display) = span::latex(source, self.notes);
        if extent.shape == Shape::Nested {
            // The spans inside have been told.
            self.notes.flaws.truncate(before);
        }
        if latex.is_empty() {
            self.notes.flaw(FlawKind::EmptyFormula, &lexeme.value("id").unwrap_or_default());
        }
        let k = self.keep(lexeme, latex, display);
        self.writer.token(k);
    }

    /// The `math` element that a formula's span consists of.
    fn math_in_span(&mut self, lexeme: &Lexeme<'t>, shape: Shape) -> Option<Found> {
        let blanks = self.text[lexeme.after..].len() - self.text[lexeme.after..].trim_ascii_start().len();
        let start = lexeme.after + blanks;
        if self.text.as_bytes().get(start) != Some(&b'<') {
            return None;
        }
        let math = self.lexer.read(self.text, start)?;
        if math.end != Side::Start || !math.local().eq_ignore_ascii_case("math") {
            return None;
        }
        let (end, after) = self.math_ends.find(self.text, &math, &mut self.lexer)?;
        if after > self.at && shape != Shape::Unclosed {
            return None;
        }
        let mut found = span::math(&math, &self.text[math.after..end], &self.text[start..after]);
        found.id = lexeme.value("id").filter(|id| !id.is_empty()).or(found.id);
        found.origin = Origin::Span;
        if shape == Shape::Unclosed {
            self.at = after;
        }
        Some(found)
    }

    fn keep(&mut self, lexeme: &Lexeme<'_>, latex: String, display: Option<Display>) -> usize {
        let environment = latex.starts_with(r"\begin{align") || latex.starts_with(r"\begin{equation");
        let fallback = if environment { Display::Block } else { Display::Inline };
        let id = lexeme.value("id").filter(|id| !id.is_empty());
        let display = display.unwrap_or(fallback);
        self.notes.formula(Found { id, latex, mathml: None, display, origin: Origin::Span })
    }

    fn math(&mut self, lexeme: &Lexeme<'t>) {
        let start = lexeme.after - lexeme.rest.len() - lexeme.name.len() - 2;
        if lexeme.rest.ends_with('/') {
            return self.notes.flaw(FlawKind::EmptyFormula, &lexeme.value("id").unwrap_or_default());
        }
        let Some((end, after)) = self.math_ends.find(self.text, lexeme, &mut self.lexer) else {
            return self.notes.flaw(FlawKind::UnreadableMathml, &self.text[start..lexeme.after]);
        };
        let found = span::math(lexeme, &self.text[lexeme.after..end], &self.text[start..after]);
        self.at = after;
        let k = self.notes.formula(found);
        self.writer.token(k);
    }

    /// Pictures are not shown: a link to the picture says what it is.
    fn image(&mut self, lexeme: &Lexeme<'t>) {
        let alt = lexeme.value("alt").unwrap_or_default();
        let label =
            if alt.trim().is_empty() { "[image]".to_owned() } else { format!("[image: {}]", alt.trim()) };
        let href = lexeme.value("src").and_then(|src| safe_link(&src, &["http", "https"]));
        match href {
            Some(href) if self.writer.open_count(Tag::A) == 0 => {
                self.writer.start_link(&href);
                self.words(&label);
                self.writer.end(Tag::A);
            }
            _ => self.words(&label),
        }
    }

    /// Text out of an attribute; a token that came through an attribute is a formula still.
    fn words(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            if c == MARKER
                && let Some((number, after)) = rest.split_once(MARKER_END)
                && let Ok(k) = number.parse()
            {
                self.writer.token(k);
                rest = after;
            } else if entity::is_kept(c) {
                self.writer.char(c);
            }
        }
    }

    fn look_for_danger(&mut self, lexeme: &Lexeme<'_>) {
        for (name, value) in lexeme.attributes() {
            let bytes = name.as_bytes();
            if bytes.len() > 2 && bytes[..2].eq_ignore_ascii_case(b"on") && bytes[2].is_ascii_alphabetic() {
                self.unsafe_markup(name);
            } else if name.eq_ignore_ascii_case("style") {
                self.unsafe_markup("style");
            } else if ["href", "src", "action", "data", "xlink:href", "formaction", "background", "poster"]
                .iter()
                .any(|known| name.eq_ignore_ascii_case(known))
            {
                let value = entity::undo(value, Place::Attribute);
                let mut scheme = value.chars().filter(|c| !c.is_control() && !c.is_whitespace());
                let scheme: String = scheme.by_ref().take_while(|c| *c != ':').take(16).collect();
                if ["javascript", "data", "vbscript"].iter().any(|bad| scheme.eq_ignore_ascii_case(bad)) {
                    self.unsafe_markup(&scheme);
                }
            }
        }
    }

    fn unsafe_markup(&mut self, detail: &str) {
        if !self.is_unsafe {
            self.is_unsafe = true;
            self.notes.flaw_once(FlawKind::UnsafeMarkup, detail);
        }
    }
}

/// A link that may be kept: whole, and with one of these schemes.
fn safe_link(href: &str, schemes: &[&str]) -> Option<String> {
    let href: String = href.trim().chars().filter(|c| !c.is_control() && entity::is_kept(*c)).collect();
    let (scheme, _) = href.split_once(':')?;
    let known = schemes.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    (known && ammonia::Url::parse(&href).is_ok()).then_some(href)
}
