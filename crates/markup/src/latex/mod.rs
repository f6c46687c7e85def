//! LaTeX text (not formulas) to HTML with tokens.
//!
//! One pass that never looks back: headings, lists, emphasis, quotes, dashes, accents and the environments of
//! theorems become HTML; of other commands the name is lost and the text in their braces stays.
//! What stands before `\begin{document}` is dropped, but for the title.

pub(crate) mod words;

use crate::dollars::{Finder, Flavour};
use crate::{Dollars, FlawKind, Notes, entity, plain};
use words::{Command, accent, command, environment};

/// A LaTeX document or a part of one as HTML; formulas are tokens.
pub(crate) fn html(text: &str, dollars: Dollars, notes: &mut Notes) -> String {
    let mut body = text;
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    if let Some((preamble, rest)) = text.split_once(r"\begin{document}") {
        if let Some(at) = preamble.find(r"\title") {
            let title = &preamble[at..];
            let end = group_end(title, title.find('{').unwrap_or(title.len()));
            convert(&title[..end], dollars, notes, &mut out);
        }
        body = rest.split_once(r"\end{document}").map_or(rest, |(body, _)| body);
    }
    convert(body, dollars, notes, &mut out);
    out
}

/// Where the group that starts at `from` ends (after its brace).
fn group_end(text: &str, from: usize) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate().skip(from) {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

fn convert(text: &str, dollars: Dollars, notes: &mut Notes, out: &mut String) {
    let finder = Finder::new(Flavour::Latex);
    let mut reader = Reader {
        text,
        at: 0,
        dollars,
        notes,
        out,
        finder,
        groups: Vec::new(),
        paragraph: false,
        no_verbatim: false,
    };
    reader.run();
}

/// What a closing brace does.
enum Group {
    /// Writes this.
    Close(&'static str),
    /// Forgets what was written since, with its formulas, and as many groups that follow.
    Drop { length: usize, formulas: usize, paragraph: bool, more: u32 },
}

struct Reader<'t, 'n> {
    text: &'t str,
    at: usize,
    dollars: Dollars,
    notes: &'n mut Notes,
    out: &'n mut String,
    finder: Finder,
    groups: Vec<Group>,
    /// Whether a paragraph is open.
    paragraph: bool,
    no_verbatim: bool,
}

/// Optional arguments are looked for no further than this.
const LONGEST_OPTION: usize = 300;

impl<'t> Reader<'t, '_> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn run(&mut self) {
        while let Some(c) = self.rest().chars().next() {
            match c {
                '\\' => self.backslash(),
                '$' => {
                    if !self.formula() {
                        self.word("$", 1);
                    }
                }
                '%' => {
                    let length = memchr::memchr(b'\n', self.rest().as_bytes());
                    // The end of the line and the blanks of the next belong to the comment, but a blank line counts.
                    self.at += length.map_or(self.rest().len(), |length| length + 1);
                    let line = self.rest().trim_start_matches([' ', '\t', '\r']);
                    if line.starts_with('\n') {
                        self.end_paragraph();
                    }
                    self.at = self.text.len() - line.len();
                }
                '{' => {
                    self.groups.push(Group::Close(""));
                    self.at += 1;
                }
                '}' => {
                    self.at += 1;
                    self.close();
                }
                '~' => self.word("\u{A0}", 1),
                '&' => self.word(" ", 1),
                '\n' => {
                    let after = self.rest().trim_start_matches(char::is_whitespace);
                    let blanks = &self.rest()[..self.rest().len() - after.len()];
                    if blanks.bytes().filter(|b| *b == b'\n').count() > 1 {
                        self.end_paragraph();
                    }
                    self.out.push('\n');
                    self.at += blanks.len();
                }
                _ => self.plain(c),
            }
        }
    }

    /// Ordinary characters, quotes and dashes.
    fn plain(&mut self, c: char) {
        for (source, written) in [("``", "“"), ("''", "”"), ("`", "‘"), ("'", "’"), ("---", "—"), ("--", "–")]
        {
            if self.rest().starts_with(source) {
                return self.word(written, source.len());
            }
        }
        if c.is_whitespace() {
            self.out.push(c);
            self.at += c.len_utf8();
            return;
        }
        let special = |b: u8| {
            matches!(b, b'\\' | b'$' | b'%' | b'{' | b'}' | b'~' | b'&' | b'\n' | b'`' | b'\'' | b'-')
        };
        let rest = self.rest();
        // The first character is ordinary, or a dash alone.
        let first = c.len_utf8();
        let length = rest.bytes().skip(first).position(special).map_or(rest.len(), |length| first + length);
        self.word(&rest[..length], length);
    }

    /// Writes a word for this much of the source.
    fn word(&mut self, word: &str, length: usize) {
        self.begin_paragraph();
        entity::escape(word, self.out);
        self.at += length;
    }

    fn begin_paragraph(&mut self) {
        if !self.paragraph {
            self.paragraph = true;
            self.out.push_str("<p>");
        }
    }

    fn end_paragraph(&mut self) {
        if self.paragraph {
            self.paragraph = false;
            self.out.push_str("</p>\n");
        }
    }

    /// Writes the tag of a block, in which text needs no paragraph.
    fn block(&mut self, tag: &str) {
        self.end_paragraph();
        self.out.push_str(tag);
        self.paragraph = true;
    }

    fn close(&mut self) {
        match self.groups.pop() {
            Some(Group::Close(tag)) => {
                self.out.push_str(tag);
                if tag.starts_with("</h") {
                    self.paragraph = false;
                }
            }
            Some(Group::Drop { length, formulas, paragraph, more }) => {
                self.out.truncate(length);
                self.notes.formulas.truncate(formulas);
                self.paragraph = paragraph;
                if more > 0 {
                    self.option();
                    self.drop_groups(more);
                }
            }
            None => {}
        }
    }

    /// Opens a group if a brace follows.
    fn open(&mut self, group: Group) {
        let rest = self.rest().trim_start_matches([' ', '\t']);
        if rest.starts_with('{') {
            self.at = self.text.len() - rest.len() + 1;
            self.groups.push(group);
        } else if let Group::Close(tag) = group {
            self.out.push_str(tag);
        }
    }

    /// Leaves out the groups that follow, at most this many.
    fn drop_groups(&mut self, count: u32) {
        let (length, formulas, paragraph) = (self.out.len(), self.notes.formulas.len(), self.paragraph);
        self.open(Group::Drop { length, formulas, paragraph, more: count - 1 });
    }

    /// The optional argument that stands here, if there is one.
    fn option(&mut self) -> Option<&'t str> {
        let rest = self.rest().strip_prefix('[')?;
        let end = rest.bytes().take(LONGEST_OPTION).position(|b| b == b']')?;
        self.at += end + 2;
        Some(&rest[..end])
    }

    /// The argument that stands here as it is written, if it is short and plain.
    fn argument(&mut self) -> Option<&'t str> {
        let rest = self.rest().strip_prefix('{')?;
        let end = rest.bytes().take(LONGEST_OPTION).position(|b| matches!(b, b'}' | b'{'))?;
        if rest.as_bytes()[end] != b'}' {
            return None;
        }
        self.at += end + 2;
        Some(&rest[..end])
    }

    fn formula(&mut self) -> bool {
        let Some(hit) = self.finder.at(self.text, self.at) else { return false };
        self.begin_paragraph();
        let source = &self.text[self.at..hit.after];
        self.at = hit.after;
        if self.dollars == Dollars::Stray {
            self.notes.flaw(FlawKind::BareFormula, source);
        }
        match self.dollars {
            Dollars::Math | Dollars::Stray => plain::token(self.text, hit, self.notes, self.out),
            Dollars::Text => {
                self.notes.flaw(FlawKind::BareFormula, source);
                entity::escape(source, self.out);
            }
        }
        true
    }

    fn backslash(&mut self) {
        if self.formula() {
            return;
        }
        let rest = &self.rest()[1..];
        let name = &rest[..rest.bytes().position(|b| !b.is_ascii_alphabetic()).unwrap_or(rest.len())];
        if name.is_empty() {
            return self.sign(rest);
        }
        self.at += 1 + name.len();
        if self.rest().starts_with('*') {
            self.at += 1;
        }
        match name {
            "begin" | "end" => return self.environment(name),
            "verb" => return self.verb(),
            "item" => {
                self.block("<li>");
                if let Some(label) = self.option() {
                    self.out.push_str("<b>");
                    self.inner(label);
                    self.out.push_str("</b> ");
                }
                return;
            }
            "par" => return self.end_paragraph(),
            "href" => {
                if let Some(address) = self.argument() {
                    self.begin_paragraph();
                    self.out.push_str("<a href=\"");
                    entity::escape_attribute(&address.replace(r"\%", "%").replace(r"\#", "#"), self.out);
                    self.out.push_str("\">");
                    self.open(Group::Close("</a>"));
                }
                return;
            }
            _ => {}
        }
        if name.len() == 1
            && let Some(mark) = name.chars().next().filter(|c| "cvHurkbdt".contains(*c))
            && self.accented(mark)
        {
            return;
        }
        match command(name) {
            Command::Text(text) => {
                self.begin_paragraph();
                entity::escape(text, self.out);
                // Blanks after the name of a command are not text.
                self.blanks();
            }
            Command::Inline(open, close) => {
                self.option();
                self.begin_paragraph();
                self.out.push_str(open);
                self.open(Group::Close(close));
            }
            Command::Heading(open, close) => {
                self.option();
                self.block(open);
                self.open(Group::Close(close));
            }
            Command::Drop(groups) => {
                self.option();
                self.drop_groups(groups);
            }
            Command::Unknown => {
                self.option();
                if !self.rest().starts_with('{') {
                    self.blanks();
                }
            }
        }
    }

    fn blanks(&mut self) {
        let rest = self.rest().trim_start_matches([' ', '\t']);
        self.at = self.text.len() - rest.len();
    }

    /// `\%` and the like, and accents such as `\'e`.
    fn sign(&mut self, rest: &str) {
        let Some(c) = rest.chars().next() else {
            self.at += 1;
            return;
        };
        self.at += 1 + c.len_utf8();
        match c {
            '\\' => {
                self.option();
                self.out.push_str("<br>\n");
            }
            '\'' | '`' | '^' | '"' | '~' | '=' | '.' if self.accented(c) => {}
            ' ' | '\n' | ',' | ';' | ':' => self.out.push(' '),
            '-' | '/' | '!' | '@' | '(' | ')' | '[' | ']' => {}
            c => {
                self.begin_paragraph();
                entity::push_char(c, self.out);
            }
        }
    }

    /// The letter that follows with this accent; false if none follows.
    fn accented(&mut self, mark: char) -> bool {
        let rest = self.rest();
        let inner = rest.trim_start_matches(' ');
        let (inner, braced) = inner.strip_prefix('{').map_or((inner, false), |inner| (inner, true));
        let (base, length) = match inner.strip_prefix('\\') {
            Some(dotless) if dotless.starts_with(['i', 'j']) => (&dotless[..1], 2),
            _ => match inner.chars().next().filter(|c| c.is_alphabetic()) {
                Some(c) => (&inner[..c.len_utf8()], c.len_utf8()),
                None => return false,
            },
        };
        let mut after = &inner[length..];
        if braced {
            let Some(closed) = after.strip_prefix('}') else { return false };
            after = closed;
        } else if mark.is_ascii_alphabetic() && !rest.starts_with(' ') {
            return false;
        }
        self.begin_paragraph();
        accent(mark, base, self.out);
        self.at = self.text.len() - after.len();
        true
    }

    fn verb(&mut self) {
        let Some(mark) = self.rest().chars().next() else { return };
        let inner = &self.rest()[mark.len_utf8()..];
        let line = &inner[..inner.find('\n').unwrap_or(inner.len())];
        let Some(end) = line.find(mark) else { return };
        self.begin_paragraph();
        self.out.push_str("<code>");
        entity::escape(&line[..end], self.out);
        self.out.push_str("</code>");
        self.at += end + 2 * mark.len_utf8();
    }

    fn environment(&mut self, side: &str) {
        let Some(name) = self.argument() else { return };
        let name = name.trim_end_matches('*');
        let starts = side == "begin";
        match name {
            "itemize" | "description" => self.list(if starts { "<ul>" } else { "</ul>" }),
            "enumerate" => self.list(if starts { "<ol>" } else { "</ol>" }),
            "quote" | "quotation" => self.list(if starts { "<blockquote>" } else { "</blockquote>" }),
            "verbatim" | "lstlisting" if starts && !self.no_verbatim => {
                self.option();
                let end = if name == "verbatim" { r"\end{verbatim}" } else { r"\end{lstlisting}" };
                let Some(length) = self.rest().find(end) else {
                    self.no_verbatim = true;
                    return;
                };
                self.block("<pre>");
                entity::escape(&self.rest()[..length], self.out);
                self.out.push_str("</pre>\n");
                self.paragraph = false;
                self.at += length + end.len();
            }
            "tabular" | "array" | "thebibliography" | "minipage" | "multicols" if starts => {
                self.end_paragraph();
                self.option();
                self.drop_groups(1);
            }
            _ => {
                self.end_paragraph();
                if !starts {
                    return;
                }
                let option = self.option();
                if let Some(title) = environment(name) {
                    self.begin_paragraph();
                    self.out.push_str("<b>");
                    self.out.push_str(title);
                    if let Some(option) = option {
                        self.out.push_str(" (");
                        self.inner(option);
                        self.out.push(')');
                    }
                    self.out.push_str(".</b> ");
                }
            }
        }
    }

    fn list(&mut self, tag: &str) {
        self.end_paragraph();
        self.option();
        self.out.push_str(tag);
        self.out.push('\n');
    }

    /// Text of an optional argument, which is short: so short that nesting them does not go deep.
    fn inner(&mut self, text: &str) {
        let finder = Finder::new(Flavour::Latex);
        let mut reader = Reader {
            text,
            at: 0,
            dollars: self.dollars,
            notes: self.notes,
            out: self.out,
            finder,
            groups: Vec::new(),
            paragraph: true,
            no_verbatim: false,
        };
        reader.run();
    }
}
