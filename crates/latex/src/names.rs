//! The tables the other way round: how something in a tree is spelled.

use crate::tables::{Meaning, tables};
use crate::tree::Class;
use std::collections::HashMap;
use std::sync::LazyLock;

/// Among several names of one symbol these win; otherwise the first one of the table does.
const PREFERRED: &[&str] = &[
    "ldots",
    "vdots",
    "Vert",
    "_",
    "{",
    "}",
    "$",
    "#",
    "%",
    "&",
    "nmid",
    "nparallel",
    "napprox",
    "oiint",
    "llbracket",
    "rrbracket",
    "fint",
    "sqint",
    "ointclockwise",
    "ointctrclockwise",
    "degree",
    "llangle",
    "rrangle",
];

struct Names {
    /// By the letters shown; for each class the name that wins, the table's first class first.
    symbols: HashMap<&'static str, Vec<(Class, &'static str)>>,
    accents: HashMap<(char, bool, bool), &'static str>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let mut symbols: HashMap<_, Vec<(Class, &'static str)>> = HashMap::new();
    let names = || first_cells(include_str!("../data/symbols.tsv")).filter(|name| !name.contains('@'));
    for name in PREFERRED.iter().copied().chain(names()) {
        // A structural command of the same name hides the symbol.
        let Some(Meaning::Symbol { text, class }) = tables().command(name) else { continue };
        let entries = symbols.entry(text).or_default();
        if entries.iter().all(|&(known, _)| known != class) {
            entries.push((class, name));
        }
    }
    let mut accents = HashMap::new();
    for name in first_cells(include_str!("../data/accents.tsv")) {
        if let Some(Meaning::Accent { mark, under, stretchy }) = tables().command(name) {
            accents.entry((mark, under, stretchy)).or_insert(name);
        }
    }
    Names { symbols, accents }
});

fn first_cells(table: &'static str) -> impl Iterator<Item = &'static str> {
    let rows =
        table.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("# ") && *line != "#");
    rows.filter_map(|row| row.split('\t').next())
}

/// The command, without its backslash, that gives a symbol with these letters and this class.
///
/// ```
/// use latex::{Class, command_for};
/// assert_eq!(command_for("≤", Class::Rel), Some("leq"));
/// assert_eq!(command_for("sin", Class::Function), Some("sin"));
/// assert_eq!(command_for("≤", Class::Ord), None);
/// ```
#[must_use]
pub fn command_for(text: &str, class: Class) -> Option<&'static str> {
    let entries = NAMES.symbols.get(text)?;
    entries.iter().find(|(known, _)| *known == class).map(|&(_, name)| name)
}

/// The same for whatever class the tables name first.
#[must_use]
pub fn command_for_letters(text: &str) -> Option<&'static str> {
    NAMES.symbols.get(text)?.first().map(|&(_, name)| name)
}

/// The command, without its backslash, that puts this mark over or under its argument.
///
/// ```
/// assert_eq!(latex::accent_command('^', false, true), Some("widehat"));
/// ```
#[must_use]
pub fn accent_command(mark: char, under: bool, stretchy: bool) -> Option<&'static str> {
    NAMES.accents.get(&(mark, under, stretchy)).copied()
}

/// The class of a character that is typed as it is, and the character shown for it.
#[must_use]
pub fn typed_character(c: char) -> (Class, char) {
    tables().character(c)
}

/// Whether a character, typed as it is, is a script of what stands before it, as in `x²` and `f′`.
#[must_use]
pub fn is_script_character(c: char) -> bool {
    matches!(c, '\'' | '’' | '′' | '″' | '‴' | '⁗') || tables().script(c).is_some()
}

/// The character with a stroke through it, where Unicode has one.
///
/// ```
/// assert_eq!(latex::negated('='), Some('≠'));
/// ```
#[must_use]
pub fn negated(c: char) -> Option<char> {
    tables().negation(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_names_are_the_usual_ones() {
        for (text, class, name) in [
            ("α", Class::Ord, "alpha"),
            ("…", Class::Inner, "ldots"),
            ("→", Class::Arrow, "rightarrow"),
            ("∥", Class::Fence, "Vert"),
            ("{", Class::Open, "{"),
            ("_", Class::Ord, "_"),
            ("≠", Class::Rel, "neq"),
            ("∅", Class::Ord, "emptyset"),
            ("lim", Class::LimitFunction, "lim"),
        ] {
            assert_eq!(command_for(text, class), Some(name), "{text}");
        }
        assert_eq!(accent_command('^', false, false), Some("hat"));
        assert_eq!(command_for_letters("∥"), Some("Vert"));
    }
}
