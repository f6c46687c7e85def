//! The same formula as different people type it.
//!
//! Each habit changes the text and not the look, so the visual id stays. Each
//! can be undone without knowing the person: two formulas that look different
//! never become the same text.

use crate::draw::Draw;

/// Habits of a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Habits {
    /// `\le`, `\ge`, `\ne` for the longer names.
    short_relations: bool,
    /// `\rightarrow` for `\to`.
    long_arrow: bool,
    /// `\lt` and `\gt` for the characters.
    named_order: bool,
    /// `x^2` for `x^{2}`, `a_n` for `a_{n}`.
    bare_scripts: bool,
    /// `\frac12` for `\frac{1}{2}`.
    bare_fractions: bool,
    /// Blanks around `=`.
    airy: bool,
}

impl Habits {
    fn of(person: u64) -> Self {
        let mut draw = Draw::new(person);
        Self {
            short_relations: draw.percent(30),
            long_arrow: draw.percent(20),
            named_order: draw.percent(8),
            bare_scripts: draw.percent(75),
            bare_fractions: draw.percent(15),
            airy: draw.percent(30),
        }
    }
}

/// Writes a canonical formula as a person types it, in place of what `out` held.
pub(crate) fn type_as(person: u64, canonical: &str, out: &mut String) {
    out.clear();
    let habits = Habits::of(person);
    let mut rest = canonical;
    while let Some(first) = rest.chars().next() {
        let (taken, typed) = step(habits, rest, first);
        out.push_str(typed);
        if habits.bare_fractions && taken == "\\frac" {
            // Two digits in braces follow, or the fraction is not bare.
            let digits = &rest[taken.len()..];
            if is_bare_pair(digits) {
                out.push_str(&digits[1..2]);
                out.push_str(&digits[4..5]);
                rest = &digits[6..];
                continue;
            }
        }
        if habits.bare_scripts && (first == '^' || first == '_') {
            let group = rest.as_bytes();
            if group.len() >= 4 && group[1] == b'{' && group[3] == b'}' && group[2].is_ascii_alphanumeric() {
                out.push_str(&rest[2..3]);
                rest = &rest[4..];
                continue;
            }
        }
        rest = &rest[taken.len()..];
    }
}

/// Whether `{1}{2}` stands here, with any digits.
fn is_bare_pair(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 6
        && bytes[0] == b'{'
        && bytes[1].is_ascii_digit()
        && bytes[2] == b'}'
        && bytes[3] == b'{'
        && bytes[4].is_ascii_digit()
        && bytes[5] == b'}'
}

/// The next token and how it is typed.
fn step(habits: Habits, rest: &str, first: char) -> (&str, &str) {
    if first != '\\' {
        let taken = &rest[..first.len_utf8()];
        let typed = match taken {
            "=" if habits.airy => " = ",
            "<" if habits.named_order => "\\lt ",
            ">" if habits.named_order => "\\gt ",
            other => other,
        };
        return (taken, typed);
    }
    let letters = rest[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
    // A command of one character, such as `\{`; all of ours are ASCII.
    let taken = &rest[..(1 + letters.max(1)).min(rest.len())];
    let typed = match taken {
        "\\leq" if habits.short_relations => "\\le",
        "\\geq" if habits.short_relations => "\\ge",
        "\\neq" if habits.short_relations => "\\ne",
        "\\to" if habits.long_arrow => "\\rightarrow",
        other => other,
    };
    (taken, typed)
}

#[cfg(test)]
mod tests {
    use super::type_as;

    #[test]
    fn habits_show() {
        let canonical = "\\frac{1}{2}x^{2}\\leq a_{n}=\\{b<c\\}\\to d^{10}";
        let mut out = String::new();
        let mut seen = std::collections::BTreeSet::new();
        for person in 0..400 {
            type_as(person, canonical, &mut out);
            seen.insert(out.clone());
        }
        assert!(seen.contains(canonical));
        assert!(seen.contains("\\frac{1}{2}x^2\\le a_n=\\{b<c\\}\\to d^{10}"), "{seen:?}");
        assert!(seen.len() > 20, "{seen:?}");
        assert!(seen.iter().any(|typed| typed.starts_with("\\frac12x^2")));
    }
}
