//! The canonical layout: a tree told as printed signs and where they stand.
//!
//! The walk below applies every rule of the [module](super) and hands the
//! result to a [`Sink`] sign by sign. It keeps its own stack, so that long and
//! deep formulas cost memory of the walker, never of the machine's stack.

use super::glyph::{self, Face};
use super::look_alikes;
use crate::alphabet;
use crate::slt::build::{self, BLANK, FRACTION, ROOT, WRAPPER};
use crate::slt::{Edge, Look, Slt, SltId};
use latex::Font;

/// One step of the canonical layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event<'t> {
    /// A printed sign on the current baseline.
    Glyph(char, Face),
    /// Something that is drawn but is no character.
    Mark(Mark<'t>),
    /// A baseline of its own begins; it belongs to what was told last.
    Open(Part),
    /// It ends.
    Close,
}

/// Things that are drawn but are no characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark<'t> {
    /// A fraction; its parts follow.
    Fraction,
    /// Two things stacked without a line; the parts follow.
    Stacked,
    /// A root; its parts follow.
    Root,
    /// A table; its cells follow, row by row.
    Table { rows: u32, columns: u32 },
    /// The gap between two cells of a row that is fenced like a list.
    Gap,
    /// Nothing, to carry scripts right behind other scripts.
    Floating,
    /// The accent that follows stretches over the whole base.
    Stretched,
    /// Lines around or through the content that follows.
    Enclosure(&'t str),
    /// Marks of the [`Look`] of the sign that follows, other than those with a rule of their own.
    Marks(u32),
    /// A wildcard of a query.
    Wildcard(&'t str),
    /// Something that could not be read.
    Unread(&'t str),
}

/// The kinds of baseline besides the main one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Part {
    Sub,
    Sup,
    Under,
    Over,
    Group,
    Numerator,
    Denominator,
    Index,
    Radicand,
    Cell,
    Content,
}

/// Takes the events of a walk.
pub(super) trait Sink<'t> {
    /// The next event. `node` is where it comes from, `raw` the character that the tag has for a glyph.
    fn event(&mut self, event: Event<'t>, node: SltId, raw: char);
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// A baseline, from this node on.
    Chain(SltId),
    /// A node and what hangs from it, without the scripts in front of it.
    Node(SltId),
    /// A part with its baseline. The node comes last.
    Part { part: Part, head: SltId, wide: bool },
    /// The items of a fence: this one and those after it.
    Items(SltId),
    /// Like `Items`, for all but the first.
    MoreItems(SltId),
    /// The cells of a table: this one and those after it.
    Cells(SltId),
    /// The closing sign of a fence.
    CloseSign(SltId),
    /// A part without anything in it.
    EmptyPart(Part, SltId),
    /// The end of a part.
    Close(Part, SltId),
}

/// What was told last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Other,
    Comma,
    Script,
}

/// Walks trees; keeps its stack between them.
#[derive(Debug, Default)]
pub(super) struct Walker {
    steps: Vec<Step>,
}

impl Walker {
    /// Tells the whole tree to `sink`.
    pub(super) fn walk<'t>(&mut self, slt: &'t Slt, sink: &mut impl Sink<'t>) {
        self.steps.clear();
        let Some(root) = slt.root() else { return };
        let mut walk = Walk { slt, sink, steps: &mut self.steps, last: Last::Other };
        walk.chain(root);
        while let Some(step) = walk.steps.pop() {
            walk.step(step);
        }
    }
}

struct Walk<'w, 't, S> {
    slt: &'t Slt,
    sink: &'w mut S,
    steps: &'w mut Vec<Step>,
    last: Last,
}

/// The bits of a look that have rules of their own or do not show.
const KNOWN_MARKS: u32 = 0xf | Look::NO_BAR.bits() | Look::STRETCHY.bits() | Look::PHANTOM.bits();

type Children = [Option<SltId>; 9];

impl<'t, S: Sink<'t>> Walk<'_, 't, S> {
    fn tell(&mut self, event: Event<'t>, node: SltId) {
        self.last = Last::Other;
        self.sink.event(event, node, '\0');
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Chain(id) => self.chain(id),
            Step::Node(id) => {
                let children = self.children(id);
                self.node(id, &children);
            }
            Step::Part { part, head, wide } => {
                self.tell(Event::Open(part), head);
                if wide && self.slt.look(head).has(Look::STRETCHY) {
                    self.tell(Event::Mark(Mark::Stretched), head);
                }
                self.steps.push(Step::Close(part, head));
                self.chain(head);
            }
            Step::Items(id) => {
                if let Some(more) = self.slt.child(id, Edge::Element) {
                    self.steps.push(Step::MoreItems(more));
                }
                self.chain(id);
            }
            Step::MoreItems(id) => {
                if self.last != Last::Comma {
                    self.tell(Event::Mark(Mark::Gap), id);
                }
                self.step(Step::Items(id));
            }
            Step::Cells(id) => {
                if let Some(more) = self.slt.child(id, Edge::Element) {
                    self.steps.push(Step::Cells(more));
                }
                self.tell(Event::Open(Part::Cell), id);
                self.steps.push(Step::Close(Part::Cell, id));
                self.chain(id);
            }
            Step::CloseSign(id) => {
                if let Some(Table { close, .. }) = table(self.slt.tag(id)) {
                    self.letters(close, Font::Default, false, id);
                }
            }
            Step::EmptyPart(part, id) => {
                self.tell(Event::Open(part), id);
                self.tell(Event::Close, id);
            }
            Step::Close(part, id) => {
                self.tell(Event::Close, id);
                if matches!(part, Part::Sub | Part::Sup) {
                    self.last = Last::Script;
                }
            }
        }
    }

    fn children(&self, id: SltId) -> Children {
        let mut children = [None; 9];
        for (edge, child) in self.slt.children(id) {
            children[edge as usize] = Some(child);
        }
        children
    }

    /// Tells nodes of a baseline until one has something hanging from it.
    fn chain(&mut self, head: SltId) {
        let mut at = Some(head);
        while let Some(id) = at {
            let next = self.slt.next(id);
            let mut others =
                self.slt.children(id).filter(|&(edge, _)| edge != Edge::Next && edge != Edge::Element);
            if others.next().is_none() && self.leaf(id, false) {
                at = next;
                continue;
            }
            let children = self.children(id);
            let [_, _, _, _, _, above, below, ..] = children;
            if (above.is_some() || below.is_some()) && self.slt.tag(id) != ROOT {
                self.steps.push(Step::Node(id));
                self.part(Part::Sup, above, false);
                self.part(Part::Sub, below, false);
                if self.last == Last::Script {
                    self.tell(Event::Mark(Mark::Floating), id);
                }
                return;
            }
            self.node(id, &children);
            return;
        }
    }

    /// Plans a part, unless there is nothing to see in it.
    fn part(&mut self, part: Part, head: Option<SltId>, wide: bool) {
        if let Some(head) = head.filter(|&head| !self.is_invisible(head)) {
            self.steps.push(Step::Part { part, head, wide });
        }
    }

    /// Plans a part that is there even when it is empty.
    fn slot(&mut self, part: Part, head: Option<SltId>, node: SltId) {
        match head {
            Some(head) => self.steps.push(Step::Part { part, head, wide: false }),
            None => self.steps.push(Step::EmptyPart(part, node)),
        }
    }

    fn is_invisible(&self, id: SltId) -> bool {
        matches!(self.slt.tag(id), BLANK | "") && !self.slt.has_children(id)
    }

    fn node(&mut self, id: SltId, children: &Children) {
        let tag = self.slt.tag(id);
        let &[next, above, below, over, under, index, _, within, _] = children;
        if let Some(next) = next {
            self.steps.push(Step::Chain(next));
        }
        if tag == FRACTION {
            self.part(Part::Sup, above, false);
            self.part(Part::Sub, below, false);
            let mark = if self.slt.look(id).has(Look::NO_BAR) { Mark::Stacked } else { Mark::Fraction };
            self.tell(Event::Mark(mark), id);
            self.slot(Part::Denominator, under, id);
            self.slot(Part::Numerator, over, id);
            return;
        }
        let [mut sub, mut sup, mut under, mut over] = [below, above, under, over];
        if takes_limits(tag) {
            lower(&mut sub, &mut under, |head| self.is_accent(head));
            lower(&mut sup, &mut over, |head| self.is_accent(head));
        }
        let seen = |head: &SltId| !self.is_invisible(*head);
        let (sub, sup) = (sub.filter(seen), sup.filter(seen));
        let (under, over) = (under.filter(seen), over.filter(seen));
        let straight = under.is_some() || over.is_some();
        let shape = table(tag);
        let group = match &shape {
            Some(table) if table.is_wrapper() => within
                .is_some_and(|content| self.needs_group(content, straight, sub.is_some() || sup.is_some())),
            Some(_) => straight,
            None => straight && (matches!(tag, BLANK | "") || is_long(tag)),
        };
        self.part(Part::Over, over, group);
        self.part(Part::Under, under, group);
        self.part(Part::Sup, sup, false);
        self.part(Part::Sub, sub, false);
        if group {
            self.steps.push(Step::Close(Part::Group, id));
            self.tell(Event::Open(Part::Group), id);
        }
        if let Some(table) = shape {
            self.table(id, table, within);
        } else if tag == ROOT {
            self.tell(Event::Mark(Mark::Root), id);
            self.slot(Part::Radicand, within, id);
            self.part(Part::Index, index, false);
        } else if within.is_some() {
            self.tell(Event::Mark(Mark::Enclosure(tag)), id);
            self.slot(Part::Content, within, id);
        } else {
            let floats = matches!(tag, BLANK | "") && !group && (sub.is_some() || sup.is_some());
            if floats && self.last == Last::Script {
                self.tell(Event::Mark(Mark::Floating), id);
            }
            self.leaf(id, true);
        }
    }

    fn table(&mut self, id: SltId, table: Table<'t>, within: Option<SltId>) {
        if table.is_wrapper() {
            if let Some(content) = within {
                self.steps.push(Step::Chain(content));
            }
            return;
        }
        let fenced = !table.open.is_empty();
        if fenced {
            self.steps.push(Step::CloseSign(id));
            self.letters(table.open, Font::Default, false, id);
        }
        if fenced && table.rows == 1 {
            self.steps.extend(within.map(Step::Items));
        } else {
            self.tell(Event::Mark(Mark::Table { rows: table.rows, columns: table.columns }), id);
            self.steps.extend(within.map(Step::Cells));
        }
    }

    /// Whether the scripts of a wrapper would go astray if its content stood on the baseline.
    fn needs_group(&self, content: SltId, straight: bool, scripts: bool) -> bool {
        if straight {
            let tag = self.slt.tag(content);
            return self.slt.has_children(content) || is_long(tag);
        }
        if !scripts {
            return false;
        }
        let mut end = content;
        while let Some(next) = self.slt.next(end) {
            end = next;
        }
        let tag = self.slt.tag(end);
        let carries = self.slt.children(end).any(|(edge, _)| match edge {
            Edge::Above | Edge::Below => true,
            Edge::Over | Edge::Under => tag != FRACTION,
            _ => false,
        });
        carries || matches!(tag, WRAPPER | BLANK | "")
    }

    /// Whether this is a mark that stands over or under its base in every style.
    fn is_accent(&self, head: SltId) -> bool {
        !self.slt.has_children(head)
            && (self.slt.look(head).has(Look::STRETCHY)
                || matches!(
                    self.slt.tag(head),
                    "¯" | "‾"
                        | "^"
                        | "ˆ"
                        | "~"
                        | "˜"
                        | "˙"
                        | "¨"
                        | "→"
                        | "←"
                        | "↔"
                        | "ˇ"
                        | "˘"
                        | "´"
                        | "`"
                        | "⏞"
                        | "⏟"
                        | "˚"
                        | "_"
                        | "⃗"
                ))
    }

    /// Tells a node that has no parts of its own; `false` if it is none.
    fn leaf(&mut self, id: SltId, known: bool) -> bool {
        let tag = self.slt.tag(id);
        let look = self.slt.look(id);
        let font = look.get_font();
        let marks = look.bits() & !KNOWN_MARKS;
        if marks != 0 {
            self.tell(Event::Mark(Mark::Marks(marks)), id);
        }
        if let &[_, b'!', first, ..] = tag.as_bytes() {
            let text = &tag[2..];
            match tag.as_bytes()[0] {
                b'V' => {
                    let word = is_long(tag);
                    self.letters(text, font, word && !first.is_ascii_digit(), id);
                }
                b'N' => self.letters(text, font, false, id),
                b'T' => self.letters(text, font, true, id),
                b'E' => self.tell(Event::Mark(Mark::Unread(text)), id),
                b'M' | b'O' if !known => return false,
                _ => self.letters(tag, font, false, id),
            }
            return true;
        }
        match tag {
            BLANK | "" | "V!" | "N!" | "T!" => {}
            "E!" => self.tell(Event::Mark(Mark::Unread("")), id),
            _ => match tag.strip_prefix('?') {
                Some(name) => self.tell(Event::Mark(Mark::Wildcard(name)), id),
                // Operators are upright, also those of one letter (the d of an integral).
                None => self.letters(tag, font, true, id),
            },
        }
        true
    }

    /// Tells letters one by one.
    fn letters(&mut self, text: &str, font: Font, in_word: bool, id: SltId) {
        if let &[byte] = text.as_bytes() {
            self.glyph(byte as char, font, in_word, id);
            return;
        }
        let mut rest = text.chars();
        while let Some(mut c) = rest.next() {
            if c == '&'
                && let Some((sign, tail)) = entity(rest.as_str())
            {
                c = sign;
                rest = tail.chars();
            }
            if rest.as_str().starts_with('\u{338}')
                && let Some(struck) = look_alikes::struck(c)
            {
                c = struck;
                rest.next();
            }
            self.glyph(c, font, in_word, id);
        }
    }

    fn glyph(&mut self, raw: char, font: Font, in_word: bool, id: SltId) {
        if raw.is_ascii_alphanumeric() {
            self.last = Last::Other;
            self.sink.event(Event::Glyph(raw, glyph::face(raw, font, in_word)), id, raw);
            return;
        }
        if is_blank(raw) {
            return;
        }
        self.last = if raw == ',' { Last::Comma } else { Last::Other };
        if let Some(signs) = look_alikes::same_look(raw) {
            for sign in signs.chars() {
                self.sink.event(Event::Glyph(sign, glyph::face(sign, font, in_word)), id, raw);
            }
            return;
        }
        let (sign, font) = match alphabet::plain(raw) {
            // Both script alphabets have the same characters.
            Some((sign, Font::Calligraphic)) if font == Font::Script => (sign, font),
            Some((sign, font)) => (sign, font),
            None => (raw, font),
        };
        self.sink.event(Event::Glyph(sign, glyph::face(sign, font, in_word)), id, raw);
    }
}

/// Moves what stands straight above or below into the script's place if that is free.
fn lower(script: &mut Option<SltId>, straight: &mut Option<SltId>, is_accent: impl Fn(SltId) -> bool) {
    if script.is_none() && straight.is_some_and(|head| !is_accent(head)) {
        *script = straight.take();
    }
}

/// Whether scripts of this stand below or beside it as the style has it: operators and names.
fn takes_limits(tag: &str) -> bool {
    if tag.starts_with("V!") { is_long(tag) } else { build::is_operator(tag) }
}

/// Whether a leaf has more than one sign.
fn is_long(tag: &str) -> bool {
    let text = match tag.as_bytes() {
        [b'V' | b'N' | b'T' | b'E', b'!', ..] => &tag[2..],
        _ => tag,
    };
    let mut rest = text.chars();
    match rest.next() {
        None => false,
        Some('&') => entity(rest.as_str()).map_or(text.len() > 1, |(_, tail)| !tail.is_empty()),
        Some(_) => rest.next().is_some_and(|c| c != '\u{338}'),
    }
}

/// The sign of an entity whose `&` was read, and what follows it.
fn entity(rest: &str) -> Option<(char, &str)> {
    [("comma;", ','), ("lsqb;", '['), ("rsqb;", ']'), ("quest;", '?')]
        .into_iter()
        .find_map(|(name, sign)| Some((sign, rest.strip_prefix(name)?)))
}

fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// The tag of a table or a fence, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Table<'t> {
    open: &'t str,
    close: &'t str,
    rows: u32,
    columns: u32,
}

impl Table<'_> {
    /// Whether nothing is drawn but the content.
    fn is_wrapper(&self) -> bool {
        self.open.is_empty() && self.rows == 1 && self.columns == 1
    }
}

fn table(tag: &str) -> Option<Table<'_>> {
    let rest = tag.strip_prefix("M!")?;
    let (rest, columns) = number_at_end(rest)?;
    let (fences, rows) = number_at_end(rest.strip_suffix('x')?)?;
    let first = match fences.strip_prefix('&').and_then(entity) {
        Some((_, tail)) => fences.len() - tail.len(),
        None => fences.chars().next().map_or(0, char::len_utf8),
    };
    let (open, close) = fences.split_at(first);
    Some(Table { open, close, rows, columns })
}

fn number_at_end(text: &str) -> Option<(&str, u32)> {
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (rest, number) = text.split_at(text.len() - digits);
    Some((rest, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_tables() {
        let check = |tag, open, close, rows, columns| {
            assert_eq!(table(tag), Some(Table { open, close, rows, columns }), "{tag}");
        };
        check("M!1x1", "", "", 1, 1);
        check("M!2x13", "", "", 2, 13);
        check("M!()1x2", "(", ")", 1, 2);
        check("M!&lsqb;)1x2", "&lsqb;", ")", 1, 2);
        check("M!||3x3", "|", "|", 3, 3);
        check("M!∥∥1x1", "∥", "∥", 1, 1);
        for tag in ["M!", "M!x", "M!()", "V!x", "M!()1x", "M!99999999999x1"] {
            assert_eq!(table(tag), None, "{tag}");
        }
    }

    #[test]
    fn long_leaves() {
        for (tag, long) in [
            ("V!x", false),
            ("V!sin", true),
            ("N!12", true),
            ("+", false),
            (":=", true),
            ("&comma;", false),
            ("&", false),
            ("=\u{338}", false),
            ("V!ℝ", false),
        ] {
            assert_eq!(is_long(tag), long, "{tag}");
        }
    }
}
