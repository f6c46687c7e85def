//! Parts of a formula that are marked with classes, by where they stand in its source.

use super::Writer;
use crate::matching::Likeness;
use latex::{NodeId, Span};
use std::ops::Range;

/// A part of the source whose elements get a class.
///
/// An element is marked if all of its source lies in the range, and if nothing around it is marked the same
/// way already: what is inside a marked fraction needs no class of its own. Of marks inside each other the
/// innermost counts; one that begins in another and ends after it is cut to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark<'c> {
    /// Bytes of the source.
    pub range: Range<usize>,
    /// The name of the class, without blanks and quotation marks.
    pub class: &'c str,
}

/// The class for what the matcher says of a part; `None` for parts that are not alike enough to be shown.
///
/// ```
/// use formula::matching::Likeness;
/// use formula::mathml::{Mark, MathmlOptions, likeness_class, write_marked};
///
/// let class = likeness_class(Likeness::Renamed).expect("it is shown");
/// let marks = [Mark { range: 0..1, class }];
/// let mathml = write_marked(&latex::parse("x^2").tree, "x^2", MathmlOptions::default(), &marks);
/// assert!(mathml.contains(r#"<msup><mi class="hyp-renamed">x</mi><mn>2</mn></msup>"#));
/// ```
#[must_use]
pub fn likeness_class(likeness: Likeness) -> Option<&'static str> {
    match likeness {
        Likeness::Same => Some("hyp-same"),
        Likeness::Notation => Some("hyp-notation"),
        Likeness::Renamed => Some("hyp-renamed"),
        Likeness::Wildcard => Some("hyp-wildcard"),
        Likeness::OtherLetter | Likeness::OtherNumber | Likeness::Family => Some("hyp-near"),
        Likeness::Different => None,
    }
}

/// Marks deeper inside others are left out, so that finding one has a bound.
const DEEPEST: usize = 8;

/// Marks in the order of their beginnings, none of which overlaps another without lying in it.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks<'c> {
    all: Vec<Nested<'c>>,
}

#[derive(Clone, Debug)]
struct Nested<'c> {
    range: Range<usize>,
    class: &'c str,
    /// The mark that it lies in.
    outer: Option<usize>,
}

impl<'c> Marks<'c> {
    pub(super) fn new(marks: &[Mark<'c>]) -> Self {
        let mut sorted: Vec<&Mark<'c>> = marks.iter().filter(|mark| !mark.range.is_empty()).collect();
        sorted.sort_by_key(|mark| (mark.range.start, std::cmp::Reverse(mark.range.end)));
        let mut all: Vec<Nested<'c>> = Vec::with_capacity(sorted.len());
        let mut open: Vec<usize> = Vec::new();
        for mark in sorted {
            while open.last().is_some_and(|&outer| all[outer].range.end <= mark.range.start) {
                open.pop();
            }
            if open.len() >= DEEPEST {
                continue;
            }
            let outer = open.last().copied();
            let end = outer.map_or(mark.range.end, |outer| mark.range.end.min(all[outer].range.end));
            open.push(all.len());
            all.push(Nested { range: mark.range.start..end, class: mark.class, outer });
        }
        Self { all }
    }

    /// The innermost mark that holds all of a part.
    fn find(&self, part: Range<usize>) -> Option<usize> {
        if part.is_empty() {
            return None;
        }
        // Whatever holds the beginning is the last mark that begins before it, or lies around that.
        let mut found = self.all.partition_point(|mark| mark.range.start <= part.start).checked_sub(1);
        while let Some(mark) = found.filter(|&mark| self.all[mark].range.end < part.end) {
            found = self.all[mark].outer;
        }
        found
    }
}

/// Where classes go, once everything else is written.
#[derive(Clone, Debug, Default)]
pub(super) struct Marking<'c> {
    marks: Marks<'c>,
    /// The mark of what is being written.
    inside: Option<usize>,
    /// Where the tag of an element begins, and its mark; in order.
    found: Vec<(usize, usize)>,
}

impl<'c> Marking<'c> {
    pub(super) fn new(marks: &[Mark<'c>]) -> Self {
        Self { marks: Marks::new(marks), ..Self::default() }
    }

    /// The element whose tag begins at `at` is about to be written from a part of the source. Gives what
    /// [`Self::leave`] wants afterwards.
    pub(super) fn enter(&mut self, part: Range<usize>, at: usize) -> Option<usize> {
        let before = self.inside;
        if self.marks.all.is_empty() {
            return before;
        }
        let mark = self.marks.find(part);
        if let Some(mark) = mark.filter(|_| mark != before) {
            // Two nodes may be one element; the inner one says more.
            if self.found.last().is_some_and(|last| last.0 == at) {
                self.found.pop();
            }
            self.found.push((at, mark));
            self.inside = Some(mark);
        }
        before
    }

    pub(super) fn leave(&mut self, before: Option<usize>) {
        self.inside = before;
    }

    /// Puts the classes into the tags.
    pub(super) fn finish(self, out: &mut String) {
        let Some(&(first, _)) = self.found.first() else { return };
        let rest = out.split_off(first);
        let mut copied = 0;
        for (at, mark) in self.found {
            let class = self.marks.all[mark].class;
            // Quoted text holds no `>` and no quotation marks, so this is the whole tag.
            let from = at - first;
            let tag = &rest[from..];
            let tag = &tag[..tag.find('>').unwrap_or(tag.len())];
            // `math` has none, but its text may end in one.
            let classes = if tag.starts_with("<math ") { None } else { tag.find(" class=\"") };
            let (place, text) = match classes {
                Some(attribute) => (attribute + 8, format!("{class} ")),
                None => {
                    let name = tag.find([' ', '/']).unwrap_or(tag.len());
                    (name, format!(" class=\"{class}\""))
                }
            };
            out.push_str(&rest[copied..from + place]);
            if tag[place..].split('"').next().is_none_or(|classes| classes != class) {
                out.push_str(&text);
            }
            copied = from + place;
        }
        out.push_str(&rest[copied..]);
    }
}

impl Writer<'_, '_> {
    /// Writes one element that was made from a part of the source.
    pub(super) fn marked(&mut self, span: Span, write: impl FnOnce(&mut Self)) {
        let before = self.marking.enter(span.range(), self.out.len());
        write(self);
        self.marking.leave(before);
    }

    /// The same for several things in a row.
    pub(super) fn marked_row(&mut self, items: &[NodeId], write: impl FnOnce(&mut Self)) {
        self.marked(self.span(items), write);
    }

    /// From the first of some things to the last.
    pub(super) fn span(&self, items: &[NodeId]) -> Span {
        match items {
            [first, .., last] => self.tree.node(*first).span.to(self.tree.node(*last).span),
            [only] => self.tree.node(*only).span,
            [] => Span::default(),
        }
    }
}

#[cfg(test)]
mod tests;
