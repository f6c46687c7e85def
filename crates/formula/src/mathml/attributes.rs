//! The few attributes that change what one sees.

use super::entities;
use crate::slt::Look;
use latex::Font;
use quick_xml::events::BytesStart;

/// Calls `f` with the local name and the value of each attribute, up to the first that cannot be read.
pub(crate) fn for_each(tag: &BytesStart<'_>, mut f: impl FnMut(&str, &str)) {
    for attribute in tag.attributes().with_checks(false) {
        let Ok(attribute) = attribute else { return };
        let value: &str = &attribute.value;
        let name = attribute.key.local_name();
        if value.contains('&') {
            f(name.as_ref(), &unescape(value));
        } else {
            f(name.as_ref(), value);
        }
    }
}

/// Resolves references; unknown ones stay as they are.
fn unescape(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let resolved =
            rest.find(';').and_then(|end| push_reference(&rest[..end], &mut out).then_some(end + 1));
        match resolved {
            Some(length) => rest = &rest[length..],
            None => out.push('&'),
        }
    }
    out.push_str(rest);
    out
}

/// Appends the character that `&name;` stands for; `false` if it is unknown.
pub(crate) fn push_reference(name: &str, out: &mut String) -> bool {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(digits) => u32::from_str_radix(digits, 16),
            None => number.parse(),
        };
        let Some(letter) = code.ok().and_then(char::from_u32).filter(|&letter| letter != '\0') else {
            return false;
        };
        out.push(letter);
        return true;
    }
    let Some(text) = entities::named(name) else { return false };
    out.push_str(text);
    true
}

/// The look with what this attribute says about fonts.
pub(super) fn font_look(look: Look, name: &str, value: &str) -> Look {
    let font = match (name, value) {
        ("mathvariant", "normal") => Font::Roman,
        ("mathvariant", "italic") => Font::Italic,
        ("mathvariant", "bold") => Font::Bold,
        ("mathvariant", "bold-italic") => Font::BoldItalic,
        ("mathvariant", "double-struck") => Font::DoubleStruck,
        ("mathvariant", "script" | "bold-script") => Font::Script,
        ("mathvariant", "fraktur" | "bold-fraktur") => Font::Fraktur,
        ("mathvariant", "monospace") => Font::Monospace,
        ("mathvariant", variant) if variant.contains("sans-serif") => Font::SansSerif,
        // LaTeXML tells its two script alphabets apart by class only.
        ("class", "ltx_font_mathcaligraphic") => Font::Calligraphic,
        ("class", "ltx_font_mathscript") => Font::Script,
        _ => return look,
    };
    look.with_font(font)
}

/// Whether a length such as `0pt` is nothing.
pub(super) fn is_zero(length: &str) -> bool {
    let number = length.trim().trim_end_matches(|letter: char| letter.is_ascii_alphabetic() || letter == '%');
    number.parse::<f32>().is_ok_and(|number| number == 0.0)
}
