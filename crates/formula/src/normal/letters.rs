//! Symbols, names, text and raw arguments.

use super::Printer;
use crate::text::atoms::is_blank;
use latex::{Class, Font, Kind, Opaque, Text};

impl Printer<'_, '_> {
    pub(super) fn symbol(&mut self, text: Text, class: Class, font: Font) {
        if let Some((letter, _)) = double_struck(text).filter(|_| font == Font::Default) {
            return self.push_char(letter);
        }
        let tree = self.tree;
        tree.with_text(text, |letters| {
            let mut chars = letters.chars();
            let function = matches!(class, Class::Function | Class::LimitFunction);
            match (chars.next(), chars.next()) {
                (Some(c), None) if !function => self.character(c, letters, class),
                _ => self.name(letters, class, font),
            }
        });
    }

    fn character(&mut self, c: char, letters: &str, class: Class) {
        let typed = latex::typed_character(c) == (class, c);
        if c.is_ascii() && typed && is_typable(c) {
            return self.push_char(c);
        }
        match latex::command_for(letters, class) {
            Some(name) => self.command(name),
            None if typed && is_typable(c) => self.push_char(c),
            // No spelling has this class; the usual one of another class has to do.
            None => match latex::command_for_letters(letters) {
                Some(name) => self.command(name),
                None if is_typable(c) && latex::typed_character(c).1 == c => self.push_char(c),
                None if c.is_control() => self.push_char(c),
                None => {
                    self.command("unicode");
                    self.push(&format!("{{x{:x}}}", c as u32));
                }
            },
        }
    }

    /// A symbol of several letters.
    pub(super) fn name(&mut self, letters: &str, class: Class, font: Font) {
        if let Some(name) = latex::command_for(letters, class) {
            return self.command(name);
        }
        match class {
            Class::Bin if letters == "mod" => self.command("bmod"),
            Class::Function | Class::LimitFunction => {
                self.command(if class == Class::Function { "operatorname" } else { "operatorname*" });
                self.word = false;
                let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b' ';
                let roman = matches!(font, Font::Default | Font::Roman);
                if !roman || !letters.bytes().all(plain) {
                    self.braced(|printer| printer.text(text_command(font), letters));
                } else {
                    self.braced(|printer| {
                        for (index, part) in letters.split(' ').enumerate() {
                            if index > 0 {
                                printer.command(" ");
                            }
                            printer.push(part);
                        }
                    });
                }
            }
            _ => match letter_with_accent(letters) {
                Some((accent, letter)) => {
                    self.command(accent);
                    self.braced(|printer| printer.push_char(letter));
                }
                None => match latex::command_for_letters(letters) {
                    Some(name) => self.command(name),
                    None => self.text("text", letters),
                },
            },
        }
    }

    /// Text, with everything escaped that text does not show by itself.
    pub(super) fn text(&mut self, command: &str, letters: &str) {
        if letters.is_empty() {
            return;
        }
        self.command(command);
        self.push("{");
        let mut last = '\0';
        for c in letters.chars() {
            if is_blank(c) {
                self.out.push_str(if last == ' ' { "\\ " } else { " " });
                last = ' ';
                continue;
            }
            // Quotes and hyphens as text sets them.
            let c = match (c, last) {
                ('\'', _) => '’',
                ('`', _) => '‘',
                ('-', '-' | '–') => {
                    self.out.pop();
                    if last == '-' { '–' } else { '—' }
                }
                (c, _) if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => '\u{fffd}',
                (c, _) => c,
            };
            last = c;
            match c {
                '\\' => self.out.push_str("\\textbackslash{}"),
                '^' => self.out.push_str("\\textasciicircum{}"),
                '~' => self.out.push_str("\\textasciitilde{}"),
                '{' | '}' | '$' | '%' | '&' | '#' | '_' => self.out.extend(['\\', c]),
                _ => self.out.push(c),
            }
        }
        self.push("}");
    }

    /// A command whose argument is not read: what would upset the reader is left out.
    pub(super) fn raw(&mut self, command: &str, text: Text) {
        let tree = self.tree;
        self.command(command);
        self.push("{");
        tree.with_text(text, |text| push_raw(text.trim(), self.out));
        self.push("}");
    }

    pub(super) fn opaque(&mut self, text: Text, reason: Opaque) {
        let tree = self.tree;
        let stays = self.stays_opaque(text, reason);
        tree.with_text(text, |text| {
            if stays {
                self.line_break = false;
                self.out.push_str(text);
                self.word = text.ends_with(|c: char| c.is_ascii_alphabetic());
            } else {
                self.text("text", text);
            }
        });
    }

    /// Whether something that was not read can stand in the result as it is.
    pub(super) fn stays_opaque(&self, text: Text, reason: Opaque) -> bool {
        reason != Opaque::Misplaced && self.tree.with_text(text, |text| stands_alone(text, reason))
    }
}

/// Whether this text, read in braces with something behind it, gives one opaque node with the same text.
fn stands_alone(text: &str, reason: Opaque) -> bool {
    let tree = latex::parse(&format!("{{{text}+}}x")).tree;
    let Some(root) = tree.root() else { return false };
    let [group, _] = *tree.row(&root) else { return false };
    match *tree.row(&group) {
        [only, _] => match tree.kind(only) {
            Kind::Opaque { text: again, reason: why } => {
                why == reason && tree.with_text(again, |again| again == text)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Appends a raw argument with its braces balanced and nothing that starts a comment, an
/// entity or an escape without end.
fn push_raw(text: &str, out: &mut String) {
    let mut depth = 0u32;
    let mut open = closing_braces(text);
    let mut chars = text.chars().peekable();
    let mut last = ' ';
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some(next) => {
                    out.push('\\');
                    if is_blank(next) {
                        out.push(' ');
                    } else {
                        out.push(next);
                    }
                    last = 'x';
                    continue;
                }
                None => break,
            },
            '{' if open > 0 => {
                open -= 1;
                depth += 1;
                out.push('{');
            }
            '{' => {}
            '}' if depth > 0 => {
                depth -= 1;
                out.push('}');
            }
            '}' => {}
            '%' | '&' | '#' => out.extend(['\\', c]),
            '$' if last == '$' => {}
            c if is_blank(c) => {
                if !is_blank(last) {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
        last = c;
    }
    out.extend(std::iter::repeat_n('}', depth as usize));
    let trimmed = out.trim_end().len();
    // `\ ` at the end keeps its blank.
    if !out[..trimmed].ends_with('\\') {
        out.truncate(trimmed);
    }
}

/// How many opening braces are closed again.
fn closing_braces(text: &str) -> u32 {
    let (mut depth, mut closed, mut escaped) = (0u32, 0u32, false);
    for c in text.chars() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' if depth > 0 => {
                depth -= 1;
                closed += 1;
            }
            _ => {}
        }
    }
    closed
}

/// Whether a character, typed as it is, is read as a symbol of its own.
fn is_typable(c: char) -> bool {
    !(is_blank(c)
        || c.is_control()
        || c.is_ascii_digit()
        || matches!(c, '\\' | '{' | '}' | '$' | '&' | '#' | '^' | '_' | '~' | '%')
        || latex::is_script_character(c))
}

/// Letters that stand for `\mathbb` and have no usual command.
pub(super) fn double_struck(text: Text) -> Option<(char, Font)> {
    let Text::Char(c) = text else { return None };
    let letter = match c {
        'ℂ' => 'C',
        'ℍ' => 'H',
        'ℕ' => 'N',
        'ℙ' => 'P',
        'ℚ' => 'Q',
        'ℝ' => 'R',
        'ℤ' => 'Z',
        _ => return None,
    };
    Some((letter, Font::DoubleStruck))
}

pub(super) fn font_command(font: Font) -> &'static str {
    match font {
        Font::Default => "mathnormal",
        Font::Roman => "mathrm",
        Font::Italic => "mathit",
        Font::Bold => "mathbf",
        Font::BoldItalic => "boldsymbol",
        Font::DoubleStruck => "mathbb",
        Font::Calligraphic => "mathcal",
        Font::Script => "mathscr",
        Font::Fraktur => "mathfrak",
        Font::SansSerif => "mathsf",
        Font::Monospace => "mathtt",
    }
}

pub(super) fn text_command(font: Font) -> &'static str {
    match font {
        Font::Default | Font::Roman => "text",
        Font::Italic => "textit",
        Font::Bold => "textbf",
        Font::BoldItalic => "textbfit",
        Font::DoubleStruck => "textbb",
        Font::Calligraphic | Font::Script => "textcal",
        Font::Fraktur => "textfrak",
        Font::SansSerif => "textsf",
        Font::Monospace => "texttt",
    }
}

/// `é` as the command and the letter it was typed with.
fn letter_with_accent(letters: &str) -> Option<(&'static str, char)> {
    let mut chars = letters.chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic)?;
    let accent = match chars.next()? {
        '\u{301}' => "'",
        '\u{300}' => "`",
        '\u{302}' => "^",
        '\u{308}' => "\"",
        '\u{303}' => "~",
        '\u{304}' => "=",
        '\u{307}' => ".",
        _ => return None,
    };
    chars.next().is_none().then_some((accent, letter))
}
