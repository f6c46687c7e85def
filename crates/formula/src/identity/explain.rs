//! Why two formulas are, or are not, the same.

use super::canon::{Event, Mark, Part, Sink, Walker};
use super::{Blanks, Face, Formula, Keyer, without_blanks};
use crate::alphabet;
use crate::slt::{Edge, Look, Slt, SltId};
use std::collections::BTreeSet;
use std::fmt;

/// Why two formulas have the same [`Key`](super::Key) or not. Prints as a plain English sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Whether they are the same.
    pub same: bool,
    /// For formulas that differ: where they begin to.
    pub place: Option<Place>,
    /// For formulas that are the same: what was found different and does not count; nothing if they are
    /// identical. For others: what else is to be said.
    pub notes: Vec<String>,
}

/// Where two formulas begin to differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The baselines that lead there from outside to inside, such as "the superscript of x".
    pub path: Vec<String>,
    /// The signs before that place on the same baseline, the nearest few.
    pub after: String,
    /// What the first formula has there.
    pub left: String,
    /// What the second has.
    pub right: String,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.same { "the same" } else { "different" })?;
        if let Some(place) = &self.place {
            write!(f, ": {place}")?;
        } else if self.same && self.notes.is_empty() {
            f.write_str(": nothing differs")?;
        }
        if !self.notes.is_empty() {
            f.write_str(if self.same { " after: " } else { "; " })?;
            f.write_str(&self.notes.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, part) in self.path.iter().enumerate() {
            f.write_str(if number == 0 { "in " } else { ", in " })?;
            f.write_str(part)?;
        }
        if !self.path.is_empty() {
            f.write_str(", ")?;
        }
        match self.after.as_str() {
            "" => f.write_str("at the beginning")?,
            after => write!(f, "after {after}")?,
        }
        write!(f, ": {} against {}", self.left, self.right)
    }
}

/// Says why two formulas are or are not the same.
///
/// ```
/// use formula::identity::{Formula, explain};
/// use formula::slt::Slt;
///
/// let a = Slt::read("[V!x[+[N!1]],a[N!2]]")?;
/// let b = Slt::read("[V!x[+[N!1]],a[N!3]]")?;
/// let formula = |slt| Formula { slt: Some(slt), latex: "" };
/// let explanation = explain(formula(&a), formula(&b));
/// assert_eq!(explanation.to_string(), "different: in the superscript of x, at the beginning: 2 against 3");
/// # Ok::<(), formula::slt::SltError>(())
/// ```
#[must_use]
pub fn explain(a: Formula<'_>, b: Formula<'_>) -> Explanation {
    let mut keyer = Keyer::default();
    let same = keyer.key(a) == keyer.key(b);
    let trees = [readable(&mut keyer, a), readable(&mut keyer, b)];
    let [Some(left), Some(right)] = trees else {
        return explain_by_latex(a, b, trees.map(|tree| tree.is_some()), same);
    };
    let (left_told, right_told) = (Told::of(left), Told::of(right));
    if !same {
        return Explanation { same, place: first_difference(&left_told, &right_told), notes: Vec::new() };
    }
    let mut notes = differences_that_do_not_count(&left_told, &right_told);
    if notes.is_empty() {
        notes = differences_in_typing(a.latex, b.latex);
    }
    Explanation { same, place: None, notes }
}

fn readable<'f>(keyer: &mut Keyer, formula: Formula<'f>) -> Option<&'f Slt> {
    formula.slt.filter(|slt| formula.latex.is_empty() || keyer.key_of_readable_tree(slt).is_some())
}

/// Everything that a walk told, and about what.
struct Told<'t> {
    slt: &'t Slt,
    events: Vec<(Event<'t>, SltId, char)>,
}

impl<'t> Told<'t> {
    fn of(slt: &'t Slt) -> Self {
        let mut told = Self { slt, events: Vec::new() };
        Walker::default().walk(slt, &mut told);
        told
    }
}

impl<'t> Sink<'t> for Told<'t> {
    fn event(&mut self, event: Event<'t>, node: SltId, raw: char) {
        self.events.push((event, node, raw));
    }
}

fn first_difference(left: &Told<'_>, right: &Told<'_>) -> Option<Place> {
    let (a, b) = (&left.events, &right.events);
    let at = (0..a.len().max(b.len())).find(|&at| a.get(at).map(|e| e.0) != b.get(at).map(|e| e.0))?;
    // The baselines around that place: the part and what was before it.
    let mut around: Vec<(Part, String)> = Vec::new();
    let mut line = String::new();
    let mut lines: Vec<String> = Vec::new();
    for &(event, ..) in &a[..at] {
        match event {
            Event::Open(part) => {
                around.push((part, nearest(&line)));
                lines.push(std::mem::take(&mut line));
            }
            Event::Close => {
                let inside = std::mem::take(&mut line);
                line = lines.pop().unwrap_or_default();
                match around.pop() {
                    Some((part, _)) => push_part(&mut line, part, &inside),
                    None => line.push_str(&inside),
                }
            }
            event => push_event(&mut line, event),
        }
    }
    let path = around.iter().map(|(part, of)| describe_part(*part, of)).collect();
    let (left, right) = (thing_at(a, at), thing_at(b, at));
    let (left, right) = match (a.get(at), b.get(at)) {
        (Some((Event::Glyph(c, face), ..)), Some((Event::Glyph(d, other), ..))) if c == d => {
            (format!("{c} {}", face.name()), other.name().to_owned())
        }
        _ => (left, right),
    };
    Some(Place { path, after: nearest(&line), left, right })
}

/// The last few signs of a line.
fn nearest(line: &str) -> String {
    const SHOWN: usize = 12;
    let count = line.chars().count();
    if count <= SHOWN {
        return line.to_owned();
    }
    std::iter::once('…').chain(line.chars().skip(count - SHOWN)).collect()
}

/// What begins at a place, in words.
fn thing_at(events: &[(Event<'_>, SltId, char)], at: usize) -> String {
    let Some(&(event, ..)) = events.get(at) else { return "nothing more".to_owned() };
    match event {
        Event::Close => "nothing more".to_owned(),
        Event::Open(part) => {
            let inside = line_from(events, at + 1);
            let name = part_name(part);
            if inside.is_empty() { format!("an empty {name}") } else { format!("{name} {inside}") }
        }
        Event::Glyph(c, face) if face != Face::Natural => format!("{c} {}", face.name()),
        Event::Glyph(c, _) => c.to_string(),
        Event::Mark(mark) => match mark {
            Mark::Fraction => "a fraction".to_owned(),
            Mark::Stacked => "two things stacked without a line".to_owned(),
            Mark::Root => "a root".to_owned(),
            Mark::Table { rows, columns } => format!("a table of {rows} × {columns}"),
            Mark::Gap => "the gap between two cells".to_owned(),
            Mark::Floating => "scripts that stand apart".to_owned(),
            Mark::Stretched => "a wide accent".to_owned(),
            Mark::Enclosure(notation) => format!("lines around ({notation})"),
            Mark::Marks(_) => {
                let sign = thing_at(events, at + 1);
                format!("{sign} drawn in another way")
            }
            Mark::Wildcard(name) => format!("the wildcard {name}"),
            Mark::Unread(text) => format!("{text}, which could not be read"),
        },
    }
}

/// The signs of the baseline that begins at `at`.
fn line_from(events: &[(Event<'_>, SltId, char)], at: usize) -> String {
    let mut line = String::new();
    let mut depth = 0;
    for &(event, ..) in &events[at..] {
        match event {
            Event::Open(part) => {
                depth += 1;
                line.push_str(part_sign(part));
                line.push('{');
            }
            Event::Close if depth == 0 => break,
            Event::Close => {
                depth -= 1;
                line.push('}');
            }
            event => push_event(&mut line, event),
        }
        if line.len() > 40 {
            line.push('…');
            break;
        }
    }
    line
}

fn push_event(line: &mut String, event: Event<'_>) {
    match event {
        Event::Glyph(c, _) => line.push(c),
        Event::Mark(Mark::Fraction | Mark::Stacked) => line.push_str("the fraction "),
        Event::Mark(Mark::Root) => line.push('√'),
        Event::Mark(Mark::Table { .. }) => line.push_str("the table "),
        Event::Mark(Mark::Gap) => line.push('\u{2003}'),
        Event::Mark(Mark::Enclosure(notation)) => line.push_str(notation),
        Event::Mark(Mark::Wildcard(name)) => {
            line.push('?');
            line.push_str(name);
        }
        Event::Mark(Mark::Unread(text)) => line.push_str(text),
        Event::Mark(Mark::Floating | Mark::Stretched | Mark::Marks(_)) | Event::Open(_) | Event::Close => {}
    }
}

fn push_part(line: &mut String, part: Part, inside: &str) {
    match part {
        Part::Group => line.push_str(inside),
        _ => {
            line.push_str(part_sign(part));
            if inside.chars().count() == 1 {
                line.push_str(inside);
            } else {
                line.push('{');
                line.push_str(inside);
                line.push('}');
            }
        }
    }
}

fn part_sign(part: Part) -> &'static str {
    match part {
        Part::Sub => "_",
        Part::Sup => "^",
        Part::Under => "under",
        Part::Over => "over",
        _ => "",
    }
}

fn part_name(part: Part) -> &'static str {
    match part {
        Part::Sub => "subscript",
        Part::Sup => "superscript",
        Part::Under => "below it",
        Part::Over => "above it",
        Part::Group => "a group",
        Part::Numerator => "numerator",
        Part::Denominator => "denominator",
        Part::Index => "degree",
        Part::Radicand => "radicand",
        Part::Cell => "cell",
        Part::Content => "content",
    }
}

fn describe_part(part: Part, of: &str) -> String {
    let base = match of.chars().last() {
        // The last sign is what a script belongs to, unless that is something bigger.
        Some(c) if !of.ends_with([' ', '}']) => c.to_string(),
        Some(_) => of.trim_end().to_owned(),
        None => "the beginning".to_owned(),
    };
    match part {
        Part::Sub => format!("the subscript of {base}"),
        Part::Sup => format!("the superscript of {base}"),
        Part::Under => format!("what stands under {base}"),
        Part::Over => format!("what stands over {base}"),
        Part::Group => "a group".to_owned(),
        Part::Cell => "a cell".to_owned(),
        Part::Content => "an enclosure".to_owned(),
        part => format!("the {}", part_name(part)),
    }
}

/// What is different in two trees that tell the same.
fn differences_that_do_not_count(left: &Told<'_>, right: &Told<'_>) -> Vec<String> {
    let mut notes = BTreeSet::new();
    for (&(event, a, raw), &(_, b, other)) in left.events.iter().zip(&right.events) {
        let (tag, other_tag) = (left.slt.tag(a), right.slt.tag(b));
        match event {
            Event::Glyph(..) => {
                let brackets = [tag, other_tag].map(|tag| tag.starts_with("M!"));
                if brackets[0] != brackets[1] {
                    notes.insert("how brackets were matched".to_owned());
                } else if raw != other {
                    let pair = [raw.min(other), raw.max(other)];
                    let letters = pair.map(|c| alphabet::plain(c).map_or(c, |(plain, _)| plain));
                    notes.insert(if letters[0] == letters[1] {
                        "fonts by name or by character".to_owned()
                    } else {
                        format!("{} and {} look alike", pair[0], pair[1])
                    });
                } else if !brackets[0] && kind(tag) != kind(other_tag) {
                    let mut kinds = [kind(tag), kind(other_tag)];
                    kinds.sort_unstable();
                    notes.insert(format!("{} or {}", kinds[0], kinds[1]));
                } else if !brackets[0] && tag != other_tag {
                    notes.insert("where names, numbers and texts were cut".to_owned());
                }
                if left.slt.look(a) != right.slt.look(b) && !brackets[0] && !brackets[1] {
                    notes.insert("fonts and widths that do not show".to_owned());
                }
            }
            Event::Open(Part::Sub | Part::Sup) => {
                let (edge, other_edge) = (left.slt.edge(a), right.slt.edge(b));
                let straight = |edge| matches!(edge, Edge::Over | Edge::Under);
                if straight(edge) != straight(other_edge) {
                    notes.insert("scripts beside or as limits".to_owned());
                } else if edge != other_edge {
                    notes.insert("what scripts were hung from".to_owned());
                }
            }
            Event::Open(Part::Over | Part::Under)
                if left.slt.look(a).has(Look::STRETCHY) != right.slt.look(b).has(Look::STRETCHY) =>
            {
                notes.insert("the width of an accent over one sign".to_owned());
            }
            _ => {}
        }
    }
    let wrappers = |slt: &Slt| slt.preorder().filter(|&id| slt.tag(id) == "M!1x1").count();
    if wrappers(left.slt) != wrappers(right.slt) {
        notes.insert("groups that do not show".to_owned());
    }
    if notes.is_empty() && left.slt.to_string() != right.slt.to_string() {
        notes.insert("blanks and empty scripts".to_owned());
    }
    notes.into_iter().collect()
}

fn kind(tag: &str) -> &'static str {
    match tag.as_bytes() {
        [b'V', b'!', ..] => "a name",
        [b'N', b'!', ..] => "a number",
        [b'T', b'!', ..] => "a text",
        _ => "an operator",
    }
}

/// What is different in two texts that make the same tree.
fn differences_in_typing(a: &str, b: &str) -> Vec<String> {
    if a == b || a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    if without_blanks(a, Blanks::All) == without_blanks(b, Blanks::All) {
        return vec!["blanks".to_owned()];
    }
    let (a, b) = (tokens(a), tokens(b));
    let without = |tokens: &[&str], left_out: &dyn Fn(&str) -> bool| -> Vec<String> {
        tokens.iter().filter(|token| !left_out(token)).map(|&token| token.to_owned()).collect()
    };
    let is_either = |token: &str| is_space(token) || is_brace(token);
    if without(&a, &is_space) == without(&b, &is_space) {
        return vec!["spacing".to_owned()];
    }
    if without(&a, &is_brace) == without(&b, &is_brace) {
        return vec!["braces".to_owned()];
    }
    let mut rest = [without(&a, &is_either), without(&b, &is_either)];
    if rest[0] == rest[1] {
        return vec!["spacing and braces".to_owned()];
    }
    rest.iter_mut().for_each(|tokens| tokens.sort_unstable());
    if rest[0] == rest[1] {
        return vec!["the order of scripts or of words in the source".to_owned()];
    }
    let [left, right] = [&rest[0], &rest[1]].map(|tokens| tokens.iter().collect::<BTreeSet<_>>());
    let only = |these: &BTreeSet<&String>, those: &BTreeSet<&String>| {
        let only: Vec<_> = these.difference(those).take(4).map(|token| format!("`{token}`")).collect();
        if only.is_empty() { "nothing".to_owned() } else { only.join(" ") }
    };
    if left == right {
        return vec!["spelling of the source".to_owned()];
    }
    vec![format!("spelling, {} for {}", only(&left, &right), only(&right, &left))]
}

fn is_space(token: &str) -> bool {
    token.chars().all(char::is_whitespace)
        || matches!(token, "~" | r"\," | r"\;" | r"\:" | r"\>" | r"\!" | r"\ " | r"\quad" | r"\qquad")
}

fn is_brace(token: &str) -> bool {
    matches!(token, "{" | "}")
}

/// Commands and single characters.
fn tokens(latex: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = latex;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        if c == '\\' {
            let letters = rest[1..].bytes().take_while(u8::is_ascii_alphabetic).count();
            let sign = rest[1..].chars().next().map_or(0, char::len_utf8);
            length += if letters > 0 { letters } else { sign };
        }
        let (token, tail) = rest.split_at(length);
        if !token.trim().is_empty() || c == '\\' {
            tokens.push(token);
        }
        rest = tail;
    }
    tokens
}

fn explain_by_latex(a: Formula<'_>, b: Formula<'_>, has_tree: [bool; 2], same: bool) -> Explanation {
    let note = match has_tree {
        [false, false] => "compared by LaTeX without blanks, since neither could be read in full",
        [true, false] => {
            "the second could not be read in full, so it is compared by LaTeX and only with such"
        }
        [false, true] => "the first could not be read in full, so it is compared by LaTeX and only with such",
        [true, true] => "compared by their trees",
    };
    let [left, right] = [a.latex, b.latex].map(|latex| without_blanks(latex, Blanks::All));
    let mut notes = vec![note.to_owned()];
    if same && a.latex != b.latex {
        notes.push("blanks".to_owned());
    }
    let shared = left.chars().zip(right.chars()).take_while(|(a, b)| a == b).count();
    let after: String = left.chars().take(shared).collect();
    let from = |text: &str| match text.chars().skip(shared).take(12).collect::<String>() {
        rest if rest.is_empty() => "nothing more".to_owned(),
        rest => rest,
    };
    let differs = !same && left != right;
    let place = differs.then(|| Place {
        path: Vec::new(),
        after: nearest(&after),
        left: from(&left),
        right: from(&right),
    });
    Explanation { same, place, notes }
}
