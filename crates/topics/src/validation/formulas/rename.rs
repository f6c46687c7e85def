//! Other names for the variables of a formula.

use super::operands::walk;
use formula::identity::is_variable;
use latex::{Class, Font, Kind, Span, Text, Tree};
use stats::rng::Rng;
use std::collections::BTreeMap;

/// Names that are given, by kind of letter. Letters that mostly stand for one thing, or look like a digit, are
/// not among them.
const SMALL: &str = "abcfghjkmnpqrstuvwxyz";
const CAPITAL: &str = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const GREEK: &str = "αβγδζηθκλμξρστφχψω";
const GREEK_CAPITAL: &str = "ΓΔΘΛΞΦΨΩ";

/// The longest name of a function that is looked for among letters.
const LONGEST_NAME: usize = 7;

/// The formula with another name for each of its variables; `None` if it has none.
pub(super) fn renamed(latex: &str, tree: &Tree, rng: &mut Rng) -> Option<String> {
    let letters = letters(latex, tree)?;
    let mut used: Vec<char> = shown(tree);
    let mut names: BTreeMap<char, char> = BTreeMap::new();
    for (_, letter) in &letters {
        if !names.contains_key(letter) {
            let name = draw(*letter, &used, rng)?;
            used.push(name);
            names.insert(*letter, name);
        }
    }
    let mut out = String::with_capacity(latex.len() + letters.len());
    let mut start = 0;
    for (span, letter) in letters {
        let range = span.range();
        out.push_str(&latex[start..range.start]);
        push_name(names[&letter], &mut out);
        start = range.end;
        // A command ends before a letter.
        let is_command = out.ends_with(|c: char| c.is_ascii_alphabetic()) && !names[&letter].is_ascii();
        if is_command && latex[start..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            out.push(' ');
        }
    }
    out.push_str(&latex[start..]);
    (start > 0).then_some(out)
}

/// The variables in the order of the source; `None` if one was not typed as itself, as in a macro, or if
/// letters spell the name of a function.
fn letters(latex: &str, tree: &Tree) -> Option<Vec<(Span, char)>> {
    let mut letters: Vec<(Span, char)> = Vec::new();
    for id in walk(tree) {
        let Kind::Symbol { text: Text::Char(letter), class: Class::Ord, font: Font::Default } = tree.kind(id)
        else {
            continue;
        };
        if is_variable(letter) {
            let span = tree.node(id).span;
            let typed = latex.get(span.range())?;
            let as_command = || latex::command_for_letters(letter.encode_utf8(&mut [0; 4]));
            let is_itself = typed.chars().eq([letter])
                || typed.strip_prefix('\\').is_some_and(|name| {
                    as_command() == Some(name) || name.bytes().all(|byte| byte.is_ascii_alphabetic())
                });
            if !is_itself {
                return None;
            }
            letters.push((span, letter));
        }
    }
    letters.sort_unstable();
    let is_apart = letters.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start);
    (is_apart && !spells_function(&letters)).then_some(letters)
}

/// Whether letters that touch each other spell `sin`, `log` or the like.
fn spells_function(letters: &[(Span, char)]) -> bool {
    letters.chunk_by(|left, right| left.0.end == right.0.start).any(|run| {
        let run: Vec<char> = run.iter().map(|(_, letter)| *letter).collect();
        (3..=LONGEST_NAME.min(run.len())).any(|length| {
            run.windows(length).any(|name| {
                let name: String = name.iter().collect();
                [Class::Function, Class::LimitFunction]
                    .into_iter()
                    .any(|class| latex::command_for(&name, class).is_some())
            })
        })
    })
}

/// All letters that are shown, in whatever font.
fn shown(tree: &Tree) -> Vec<char> {
    let letter = |id| match tree.kind(id) {
        Kind::Symbol { text: Text::Char(letter), .. } => Some(letter),
        _ => None,
    };
    walk(tree).into_iter().filter_map(letter).collect()
}

/// A name of the same kind that is not used; Greek letters may become Latin ones.
fn draw(letter: char, used: &[char], rng: &mut Rng) -> Option<char> {
    let is_capital = letter.is_uppercase();
    let to_greek = !letter.is_ascii() && rng.below(2) == 0;
    let names = match (is_capital, to_greek) {
        (true, true) => GREEK_CAPITAL,
        (true, false) => CAPITAL,
        (false, true) => GREEK,
        (false, false) => SMALL,
    };
    let free: Vec<char> = names.chars().filter(|name| !used.contains(name)).collect();
    (!free.is_empty()).then(|| free[rng.index(free.len())])
}

/// Appends a letter as people type it.
fn push_name(name: char, out: &mut String) {
    let command = latex::command_for(name.encode_utf8(&mut [0; 4]), Class::Ord).filter(|_| !name.is_ascii());
    match command {
        Some(command) => {
            out.push('\\');
            out.push_str(command);
        }
        None => {
            if name.is_ascii() && ends_in_command(out) {
                out.push(' ');
            }
            out.push(name);
        }
    }
}

/// Whether a letter would become part of a command.
fn ends_in_command(text: &str) -> bool {
    text.trim_end_matches(|c: char| c.is_ascii_alphabetic())
        .strip_suffix('\\')
        .is_some_and(|before| text.len() > before.len() + 1)
}
