//! Symbols: letters, numbers, operators and delimiters, each with the blanks of its class.

use super::markup::{push_escaped, push_escaped_char};
use super::{Around, Writer};
use crate::alphabet::styled;
use crate::text::atoms::{Atom, connects};
use latex::{Class, Font, NodeId, Text};

const TIGHT: &str = " lspace=\"0\" rspace=\"0\"";

/// The form of a delimiter that grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Middle,
    Right,
}

impl Writer<'_, '_> {
    pub(super) fn number(&mut self, text: Text, font: Font) {
        self.out.push_str("<mn>");
        self.letters(text, font);
        self.out.push_str("</mn>");
    }

    /// The letters of a leaf in their font.
    fn letters(&mut self, text: Text, font: Font) {
        let tree = self.tree;
        tree.with_text(text, |letters| match font {
            Font::Default | Font::Roman => push_escaped(letters, self.out),
            _ => letters.chars().for_each(|c| push_escaped_char(styled(c, font), self.out)),
        });
    }

    pub(super) fn symbol(&mut self, text: Text, class: Class, font: Font, around: Around) {
        match class {
            Class::Ord => self.identifier(text, font),
            Class::Function => {
                self.out.push_str("<mi>");
                self.letters(text, font);
                self.out.push_str("</mi>");
            }
            Class::LimitFunction => {
                let movable = if around.fixed_limits { "false" } else { "true" };
                self.out.extend(["<mo movablelimits=\"", movable, "\"", TIGHT, ">"]);
                self.letters(text, font);
                self.out.push_str("</mo>");
            }
            Class::BigOp | Class::Integral => {
                self.out.push_str("<mo");
                if !around.alone {
                    if !matches!(around.before, Some(Atom::Ord | Atom::Close | Atom::Inner | Atom::Op)) {
                        self.out.push_str(" lspace=\"0\"");
                    }
                    // A slanted integral leaves room enough beside its subscript.
                    let room = class == Class::Integral && around.below_only;
                    if room || !matches!(around.after, Some(Atom::Ord | Atom::Op | Atom::Inner)) {
                        self.out.push_str(" rspace=\"0\"");
                    }
                }
                if class == Class::BigOp && around.fixed_limits {
                    self.out.push_str(" movablelimits=\"false\"");
                }
                self.close_operator(text, font);
            }
            Class::Bin => self.binary(text, font, around),
            Class::Rel | Class::Arrow => self.relation(text, class, font, around),
            Class::Open | Class::Close | Class::Fence => self.plain_delimiter(text, class),
            Class::Punct => {
                self.out.push_str("<mo");
                if around.ordinary || self.level > 0 || text == Text::Char('.') {
                    self.out.push_str(TIGHT);
                } else if text == Text::Char(':') {
                    self.out.push_str(" lspace=\"0\" rspace=\"0.167em\"");
                }
                self.close_operator(text, font);
            }
            Class::Postfix => {
                self.out.extend(["<mo form=\"postfix\"", TIGHT]);
                self.close_operator(text, font);
            }
            Class::Prefix => match text {
                Text::Char('∂' | '∇' | '$') => self.identifier(text, font),
                _ => {
                    self.out.extend(["<mo form=\"prefix\" stretchy=\"false\"", TIGHT]);
                    self.close_operator(text, font);
                }
            },
            Class::Inner => {
                self.out.push_str("<mo");
                if !around.alone {
                    let thin = |neighbour: bool| if neighbour && self.level == 0 { "0.167em" } else { "0" };
                    let left = thin(matches!(around.before, Some(Atom::Ord | Atom::Close | Atom::Inner)));
                    let right = thin(matches!(around.after, Some(Atom::Ord | Atom::Open | Atom::Inner)));
                    self.out.extend([" lspace=\"", left, "\" rspace=\"", right, "\""]);
                }
                self.close_operator(text, font);
            }
        }
    }

    /// Ends the opening tag of an `mo` and writes the rest of it.
    fn close_operator(&mut self, text: Text, font: Font) {
        self.out.push('>');
        match text {
            Text::Char('-') => self.out.push('−'),
            Text::Char('*') => self.out.push('∗'),
            _ => self.letters(text, font),
        }
        self.out.push_str("</mo>");
    }

    /// A letter or a sign like one. Browsers slant a single letter by themselves.
    fn identifier(&mut self, text: Text, font: Font) {
        let upright = match text {
            Text::Char(c) => {
                let capital = matches!(c, 'Α'..='Ω' | '∇');
                let slanted = c.is_ascii_alphabetic()
                    || matches!(c, 'α'..='ω' | 'ϑ' | 'ϕ' | 'ϵ' | 'ϖ' | 'ϱ' | 'ϰ' | '∂');
                match font {
                    Font::Italic => false,
                    Font::Roman => capital || slanted,
                    Font::Default => capital,
                    _ => (capital || slanted) && styled(c, font) == c,
                }
            }
            _ => false,
        };
        self.out.push_str(if upright { "<mi mathvariant=\"normal\">" } else { "<mi>" });
        // One italic letter is slanted anyway; several need slanted characters.
        let font = if font == Font::Italic && matches!(text, Text::Char(_)) { Font::Default } else { font };
        self.letters(text, font);
        self.out.push_str("</mi>");
    }

    fn binary(&mut self, text: Text, font: Font, around: Around) {
        self.out.push_str("<mo");
        if around.ordinary || matches!(text, Text::Char('/' | '\\')) {
            self.out.push_str(TIGHT);
        } else if !around.alone {
            if connects(around.before, around.after) {
                if around.first {
                    self.out.push_str(" form=\"infix\"");
                }
                if self.level > 0 {
                    self.out.push_str(TIGHT);
                }
            } else {
                if around.after.is_some() {
                    self.out.push_str(" form=\"prefix\"");
                }
                self.out.push_str(TIGHT);
            }
        }
        self.close_operator(text, font);
    }

    fn relation(&mut self, text: Text, class: Class, font: Font, around: Around) {
        self.out.push_str("<mo");
        if around.ordinary || !around.alone && self.level > 0 {
            self.out.push_str(TIGHT);
        } else if !around.alone {
            if matches!(around.before, None | Some(Atom::Rel | Atom::Open)) {
                self.out.push_str(" lspace=\"0\"");
            }
            if matches!(around.after, None | Some(Atom::Rel | Atom::Close | Atom::Punct)) {
                self.out.push_str(" rspace=\"0\"");
            }
        }
        let upright_arrow = matches!(text, Text::Char('↑' | '↓' | '↕' | '⇑' | '⇓' | '⇕' | '∣' | '∥' | '|'));
        match around.stretchy {
            Some(true) => self.out.push_str(" stretchy=\"true\""),
            Some(false) if class == Class::Arrow => self.out.push_str(" stretchy=\"false\""),
            _ if upright_arrow => self.out.push_str(" stretchy=\"false\""),
            _ => {}
        }
        self.close_operator(text, font);
    }

    /// A delimiter that keeps its size.
    fn plain_delimiter(&mut self, text: Text, class: Class) {
        self.out.push_str("<mo stretchy=\"false\"");
        if let Text::Char('|' | '∥' | '‖' | '∣') = text {
            self.out.push_str(match class {
                Class::Open => " form=\"prefix\"",
                Class::Close => " form=\"postfix\"",
                _ => TIGHT,
            });
        } else if class == Class::Fence {
            self.out.push_str(TIGHT);
        }
        self.out.push('>');
        match text {
            Text::Char(sign) => push_escaped_char(double_bar(sign), self.out),
            _ => self.letters(text, Font::Default),
        }
        self.out.push_str("</mo>");
    }

    /// A delimiter that grows with what it encloses.
    pub(super) fn fence(&mut self, sign: char, side: Side) {
        self.out.push_str(match side {
            Side::Left => "<mo form=\"prefix\"",
            Side::Middle => "<mo lspace=\"0.167em\" rspace=\"0.167em\"",
            Side::Right => "<mo form=\"postfix\"",
        });
        if side == Side::Middle || !matches!(sign, '(' | ')' | '[' | ']' | '{' | '}') {
            self.out.push_str(" stretchy=\"true\"");
        }
        self.out.push('>');
        push_escaped_char(double_bar(sign), self.out);
        self.out.push_str("</mo>");
    }

    /// The same around something that is no higher than the delimiter.
    pub(super) fn small_fence(&mut self, sign: char, side: Side) {
        self.out.push_str(match side {
            Side::Left => "<mo form=\"prefix\" stretchy=\"false\">",
            Side::Middle => "<mo lspace=\"0.167em\" rspace=\"0.167em\" stretchy=\"false\">",
            Side::Right => "<mo form=\"postfix\" stretchy=\"false\">",
        });
        push_escaped_char(double_bar(sign), self.out);
        self.out.push_str("</mo>");
    }

    /// `\big(` and its kin, and `\middle|`.
    pub(super) fn delimiter(&mut self, id: NodeId, sign: char, class: Class, around: Around) {
        let typed = self.typed(id);
        if around.fenced && typed.starts_with("\\middle") {
            return self.fence(sign, Side::Middle);
        }
        // The heights that plain TeX gives them, at ten points.
        let size = match typed.as_bytes() {
            [b'\\', b'B', b'i', b'g', b'g', ..] => "3em",
            [b'\\', b'b', b'i', b'g', b'g', ..] => "2.4em",
            [b'\\', b'B', ..] => "1.8em",
            _ => "1.2em",
        };
        self.out.extend([
            "<mo stretchy=\"true\" symmetric=\"true\" minsize=\"",
            size,
            "\" maxsize=\"",
            size,
            "\"",
        ]);
        self.out.push_str(match class {
            Class::Open => " form=\"prefix\"",
            Class::Close => " form=\"postfix\"",
            Class::Rel => " lspace=\"0.278em\" rspace=\"0.278em\"",
            _ => TIGHT,
        });
        self.out.push('>');
        push_escaped_char(double_bar(sign), self.out);
        self.out.push_str("</mo>");
    }

    /// The source a node came from.
    pub(super) fn typed(&self, id: NodeId) -> &str {
        self.source.get(self.tree.node(id).span.range()).unwrap_or_default()
    }
}

/// The double bar that is a delimiter and not the sign for "parallel".
fn double_bar(sign: char) -> char {
    if sign == '∥' { '‖' } else { sign }
}
