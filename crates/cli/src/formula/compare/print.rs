//! A comparison for people: the score term by term, and the formulas with marks under their parts.

use super::parts::{FATES, Fate, Parts, Replaced};
use super::{Compared, Measured};
use std::fmt::Write as _;

/// How many characters of a formula stand on a line.
const WIDTH: usize = 88;
/// How many characters of a part are shown in a list.
const SHOWN: usize = 48;
/// How many pairs of parts are listed.
const LISTED: usize = 40;

/// Whether parts are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colours {
    On,
    Off,
}

impl Colours {
    fn push(self, out: &mut String, text: &str, fate: Option<Fate>) {
        match fate {
            Some(fate) if self == Self::On => {
                let colour = fate.style().colour;
                push(out, format_args!("\x1b[{colour}m{text}\x1b[0m"));
            }
            _ => out.push_str(text),
        }
    }
}

fn push(out: &mut String, arguments: std::fmt::Arguments<'_>) {
    out.write_fmt(arguments).expect("strings take all that is written");
}

/// One candidate in full.
pub(super) fn details(out: &mut String, query: &str, compared: &Compared, colours: Colours) {
    push(out, format_args!("score {:.4}\n\n", compared.score));
    push(out, format_args!("{:<24}{:>8}{:>8}{:>8}\n", "term", "value", "weight", "adds"));
    for term in &compared.terms {
        let (name, value, weight, adds) = (term.term, term.value, term.weight, term.adds);
        push(out, format_args!("{name:<24}{value:>8.4}{weight:>8.2}{adds:>8.4}\n"));
    }
    out.push('\n');
    let Some(parts) = &compared.parts else {
        out.push_str("An operator tree has no layout, so its parts are not shown.\n");
        return;
    };
    formula(out, "query", query, &parts.query, colours);
    formula(out, "candidate", &compared.shown, &parts.candidate, colours);
    legend(out, parts, colours);
    pairs(out, parts);
    replaced(out, "renamed", &parts.renamed);
    replaced(out, "wildcards", &parts.wildcards);
    if parts.moved > 0 {
        push(out, format_args!("operands that changed places: {}\n", parts.moved));
    }
}

/// A formula with a mark under each character, in lines that fit.
fn formula(out: &mut String, name: &str, source: &str, fates: &[Option<Fate>], colours: Colours) {
    let characters: Vec<(char, Option<Fate>)> = source
        .char_indices()
        .map(|(at, character)| (if character.is_control() { ' ' } else { character }, fates[at]))
        .collect();
    if characters.is_empty() {
        push(out, format_args!("{name:<11}(nothing)\n"));
    }
    let mut name = name;
    for line in characters.chunks(WIDTH) {
        push(out, format_args!("{name:<11}"));
        run(out, line, colours, |(character, _)| *character);
        push(out, format_args!("\n{:<11}", ""));
        let end = line.iter().rposition(|(_, fate)| fate.is_some()).map_or(0, |last| last + 1);
        run(out, &line[..end], colours, |(_, fate)| fate.map_or(' ', |fate| fate.style().mark));
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
        name = "";
    }
}

/// Characters, those of one fate in one colour.
fn run(
    out: &mut String,
    line: &[(char, Option<Fate>)],
    colours: Colours,
    show: impl Fn(&(char, Option<Fate>)) -> char,
) {
    for same in line.chunk_by(|one, other| one.1 == other.1) {
        let text: String = same.iter().map(&show).collect();
        colours.push(out, &text, same[0].1);
    }
}

/// What the marks mean that occur.
fn legend(out: &mut String, parts: &Parts, colours: Colours) {
    out.push('\n');
    let mut first = true;
    for fate in FATES {
        if !parts.query.contains(&Some(fate)) && !parts.candidate.contains(&Some(fate)) {
            continue;
        }
        if !first {
            out.push_str("   ");
        }
        first = false;
        let style = fate.style();
        colours.push(out, &format!("{} {}", style.mark, style.name), Some(fate));
    }
    if !first {
        out.push_str("\n\n");
    }
}

fn pairs(out: &mut String, parts: &Parts) {
    let rows: Vec<[String; 2]> = parts
        .pairs
        .iter()
        .take(LISTED)
        .map(|pair| [short(&pair.query.text), short(&pair.candidate.text)])
        .collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (left, right) = (width(0), width(1));
    for ([query, candidate], pair) in rows.iter().zip(&parts.pairs) {
        let (likeness, credit) = (pair.likeness, pair.credit);
        push(out, format_args!("{query:<left$}  ↔  {candidate:<right$}  {likeness:<14}  {credit:.2}\n"));
    }
    if parts.pairs.len() > LISTED {
        push(out, format_args!("and {} more pairs\n", parts.pairs.len() - LISTED));
    }
    if !parts.pairs.is_empty() {
        out.push('\n');
    }
}

fn replaced(out: &mut String, name: &str, all: &[Replaced]) {
    if !all.is_empty() {
        let all: Vec<String> =
            all.iter().map(|one| format!("{} → {}", short(&one.from), short(&one.to))).collect();
        push(out, format_args!("{name}: {}\n", all.join(", ")));
    }
}

/// A text that fits in a list.
pub(super) fn short(text: &str) -> String {
    let mut characters = text.chars().map(|character| if character.is_control() { ' ' } else { character });
    let mut short: String = characters.by_ref().take(SHOWN).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

/// All measures of one candidate.
pub(super) fn measures(out: &mut String, measures: &[Measured]) {
    out.push('\n');
    for Measured { measure, value, about } in measures {
        let value = value.map_or_else(|| String::from("-"), |value| format!("{value:.4}"));
        push(out, format_args!("{measure:<20}{value:>8}  {about}\n"));
    }
}
