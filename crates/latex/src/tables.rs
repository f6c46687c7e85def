//! The tables: what each command, character, accent and environment is.
//!
//! The data stand in `data/*.tsv`, one fact a row, and are read once, on first use.

use crate::tree::{Class, Font, TableKind};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

/// What a command is, as far as a table can say.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning {
    /// One symbol or a function's name.
    Symbol { text: &'static str, class: Class },
    /// A mark over or under its argument.
    Accent { mark: char, under: bool, stretchy: bool },
    /// Blank space in eighteenths of an em.
    Space(i16),
    /// A font for the argument.
    FontArgument(Font),
    /// A font from here on.
    FontSwitch(Font),
    /// The argument is text in this font.
    Text(Font),
    /// A command with a rule of its own, in `parser/commands.rs`.
    Structure(crate::parser::Structure),
}

/// An environment's entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Environment {
    /// `None`: kept in one piece, unread.
    pub(crate) kind: Option<TableKind>,
    pub(crate) left: Option<char>,
    pub(crate) right: Option<char>,
    pub(crate) columns: &'static str,
    pub(crate) argument: EnvironmentArgument,
}

/// What follows `\begin{name}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EnvironmentArgument {
    None,
    /// Column alignments, as for `array`.
    Columns,
    /// A number, as for `alignat`.
    Number,
}

/// Everything the tables say.
pub(crate) struct Tables {
    commands: HashMap<&'static str, Meaning, BuildHasherDefault<Fnv>>,
    characters: HashMap<char, (Class, char), BuildHasherDefault<Fnv>>,
    ascii: [(Class, char); 128],
    negations: HashMap<char, char, BuildHasherDefault<Fnv>>,
    environments: HashMap<&'static str, Environment, BuildHasherDefault<Fnv>>,
    entities: HashMap<&'static str, char, BuildHasherDefault<Fnv>>,
    scripts: HashMap<char, (Place, char), BuildHasherDefault<Fnv>>,
    letter_accents: HashMap<&'static str, LetterAccent, BuildHasherDefault<Fnv>>,
}

/// Where a script stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Above,
    Below,
}

/// An accent of text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LetterAccent {
    mark: char,
    /// Letter and accented letter in turn.
    letters: &'static str,
}

impl LetterAccent {
    /// Appends the letter with the accent on it, as one character where there is one.
    pub(crate) fn push(self, letter: char, out: &mut String) {
        let accented = self.letters.chars().step_by(2).position(|plain| plain == letter);
        match accented.and_then(|position| self.letters.chars().nth(2 * position + 1)) {
            Some(accented) => out.push(accented),
            None => out.extend([letter, self.mark]),
        }
    }
}

/// The tables.
pub(crate) fn tables() -> &'static Tables {
    static TABLES: LazyLock<Tables> = LazyLock::new(Tables::load);
    &TABLES
}

impl Tables {
    /// What a command is.
    pub(crate) fn command(&self, name: &str) -> Option<Meaning> {
        self.commands.get(name).copied()
    }

    /// The class of a typed character, and the character it is shown as.
    pub(crate) fn character(&self, c: char) -> (Class, char) {
        match self.ascii.get(c as usize) {
            Some(entry) => *entry,
            None => self.characters.get(&c).copied().unwrap_or((Class::Ord, printable(c))),
        }
    }

    /// Where a character that is a script by itself stands, and what it is a small form of.
    pub(crate) fn script(&self, c: char) -> Option<(Place, char)> {
        self.scripts.get(&c).copied()
    }

    /// An accent of text by its command's name.
    pub(crate) fn letter_accent(&self, name: &str) -> Option<LetterAccent> {
        self.letter_accents.get(name).copied()
    }

    /// The character with a stroke through it.
    pub(crate) fn negation(&self, c: char) -> Option<char> {
        self.negations.get(&c).copied()
    }

    /// An environment by its name.
    pub(crate) fn environment(&self, name: &str) -> Option<Environment> {
        self.environments.get(name).copied()
    }

    /// An HTML entity by its name.
    pub(crate) fn entity(&self, name: &str) -> Option<char> {
        self.entities.get(name).copied()
    }

    fn load() -> Self {
        let mut commands = HashMap::default();
        for [name, text, class] in rows(include_str!("../data/symbols.tsv")) {
            commands.insert(name, Meaning::Symbol { text, class: class_named(class) });
        }
        for [name, text, class] in rows(include_str!("../data/dialects.tsv")) {
            commands.insert(name, Meaning::Symbol { text, class: class_named(class) });
        }
        for [name, mark, place, stretch] in rows(include_str!("../data/accents.tsv")) {
            let mark = only_char(mark);
            let accent = Meaning::Accent { mark, under: place == "under", stretchy: stretch == "stretchy" };
            commands.insert(name, accent);
        }
        for [name, mu] in rows(include_str!("../data/spaces.tsv")) {
            commands.insert(name, Meaning::Space(mu.parse().expect("spaces.tsv: a whole number")));
        }
        for [name, font, how] in rows(include_str!("../data/fonts.tsv")) {
            let font = font_named(font);
            let meaning = match how {
                "argument" => Meaning::FontArgument(font),
                "switch" => Meaning::FontSwitch(font),
                "text" => Meaning::Text(font),
                _ => unreachable!("fonts.tsv: {how} is no way to use a font"),
            };
            commands.insert(name, meaning);
        }
        for &(name, structure) in crate::parser::STRUCTURES {
            commands.insert(name, Meaning::Structure(structure));
        }
        let mut characters: HashMap<char, (Class, char), _> = HashMap::default();
        for [c, class, shown] in rows(include_str!("../data/characters.tsv")) {
            let c = only_char(c);
            characters.insert(c, (class_named(class), shown.chars().next().unwrap_or(c)));
        }
        let ascii = std::array::from_fn(|code| {
            let c = code as u8 as char;
            characters.get(&c).copied().unwrap_or((Class::Ord, printable(c)))
        });
        let negations = rows(include_str!("../data/negations.tsv"))
            .map(|[c, negated]| (only_char(c), only_char(negated)))
            .collect();
        let environments = rows(include_str!("../data/environments.tsv"))
            .map(|[name, kind, left, right, columns]| {
                let environment = Environment {
                    kind: table_kind_named(kind),
                    left: left.chars().next(),
                    right: right.chars().next(),
                    columns: if matches!(columns, "arg" | "num") { "" } else { columns },
                    argument: match columns {
                        "arg" => EnvironmentArgument::Columns,
                        "num" => EnvironmentArgument::Number,
                        _ => EnvironmentArgument::None,
                    },
                };
                (name, environment)
            })
            .collect();
        let entities = rows(include_str!("../data/entities.tsv"))
            .map(|[name, text]| (name, text.chars().next().unwrap_or(' ')))
            .collect();
        let scripts = rows(include_str!("../data/scripts.tsv"))
            .map(|[c, place, plain]| {
                let place = if place == "above" { Place::Above } else { Place::Below };
                (only_char(c), (place, only_char(plain)))
            })
            .collect();
        let letter_accents = rows(include_str!("../data/letter_accents.tsv"))
            .map(|[name, mark, letters]| (name, LetterAccent { mark: only_char(mark), letters }))
            .collect();
        Self { commands, characters, ascii, negations, environments, entities, scripts, letter_accents }
    }
}

/// What is shown of a character: controls and what XML cannot hold give way to U+FFFD.
pub(crate) fn printable(c: char) -> char {
    if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') { '\u{fffd}' } else { c }
}

/// The rows of a table: `#` comments and empty lines left out, short rows filled with nothing.
fn rows<const N: usize>(table: &'static str) -> impl Iterator<Item = [&'static str; N]> {
    table.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("# ") && line != &"#").map(
        |line| {
            let mut cells = line.split('\t');
            std::array::from_fn(|_| cells.next().unwrap_or(""))
        },
    )
}

fn only_char(text: &str) -> char {
    let mut chars = text.chars();
    let c = chars.next().expect("a table's character is there");
    debug_assert!(chars.next().is_none(), "{text} is more than one character");
    c
}

fn class_named(name: &str) -> Class {
    match name {
        "ord" => Class::Ord,
        "bigop" => Class::BigOp,
        "integral" => Class::Integral,
        "function" => Class::Function,
        "limit" => Class::LimitFunction,
        "bin" => Class::Bin,
        "rel" => Class::Rel,
        "arrow" => Class::Arrow,
        "open" => Class::Open,
        "close" => Class::Close,
        "fence" => Class::Fence,
        "punct" => Class::Punct,
        "postfix" => Class::Postfix,
        "prefix" => Class::Prefix,
        "inner" => Class::Inner,
        _ => unreachable!("{name} is no class"),
    }
}

fn font_named(name: &str) -> Font {
    match name {
        "default" => Font::Default,
        "roman" => Font::Roman,
        "italic" => Font::Italic,
        "bold" => Font::Bold,
        "bolditalic" => Font::BoldItalic,
        "doublestruck" => Font::DoubleStruck,
        "calligraphic" => Font::Calligraphic,
        "script" => Font::Script,
        "fraktur" => Font::Fraktur,
        "sansserif" => Font::SansSerif,
        "monospace" => Font::Monospace,
        _ => unreachable!("{name} is no font"),
    }
}

fn table_kind_named(name: &str) -> Option<TableKind> {
    match name {
        "matrix" => Some(TableKind::Matrix),
        "cases" => Some(TableKind::Cases),
        "align" => Some(TableKind::Align),
        "gather" => Some(TableKind::Gather),
        "substack" => Some(TableKind::Substack),
        "opaque" => None,
        _ => unreachable!("{name} is no kind of table"),
    }
}

/// FNV-1a: the names are short and come from no adversary who gains by collisions
/// in a table that is fixed.
#[derive(Clone)]
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_can_be_read() {
        let tables = tables();
        assert!(matches!(tables.command("alpha"), Some(Meaning::Symbol { text: "α", class: Class::Ord })));
        assert!(matches!(
            tables.command("sin"),
            Some(Meaning::Symbol { text: "sin", class: Class::Function })
        ));
        assert_eq!(tables.character('+').0, Class::Bin);
        assert_eq!(tables.character('≤').0, Class::Rel);
        assert_eq!(tables.negation('='), Some('≠'));
        assert!(tables.environment("pmatrix").is_some());
        assert_eq!(tables.entity("lt"), Some('<'));
        assert_eq!(tables.script('₁'), Some((Place::Below, '1')));
        assert_eq!(tables.character('\0').1, '\u{fffd}');
    }

    #[test]
    fn accents_compose_where_unicode_has_the_letter() {
        let accented = |name: &str, letter: char| {
            let mut out = String::new();
            tables().letter_accent(name).expect("an accent").push(letter, &mut out);
            out
        };
        assert_eq!(accented("'", 'e'), "é");
        assert_eq!(accented("c", 'C'), "Ç");
        assert_eq!(accented("'", 'q'), "q\u{301}");
    }
}
