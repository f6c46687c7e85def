//! Which part of a query lies on which part of a candidate.

use formula::matching::{Alignment, Likeness, Prepared};
use serde::Serialize;
use std::collections::HashSet;
use std::ops::Range;

/// What became of a part of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Alike(Likeness),
    Unmatched,
}

/// How a fate is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    pub(super) name: &'static str,
    /// The mark that stands under the part.
    pub(super) mark: char,
    /// The colour, as the number in an escape sequence.
    pub(super) colour: u8,
}

/// All fates, the best first.
pub(super) const FATES: [Fate; 9] = [
    Fate::Alike(Likeness::Same),
    Fate::Alike(Likeness::Notation),
    Fate::Alike(Likeness::Renamed),
    Fate::Alike(Likeness::Wildcard),
    Fate::Alike(Likeness::OtherLetter),
    Fate::Alike(Likeness::OtherNumber),
    Fate::Alike(Likeness::Family),
    Fate::Alike(Likeness::Different),
    Fate::Unmatched,
];

impl Fate {
    /// How it is shown.
    pub(super) fn style(self) -> Style {
        let (name, mark, colour) = match self {
            Self::Alike(Likeness::Same) => ("same", '^', 32),
            Self::Alike(Likeness::Notation) => ("other notation", '~', 36),
            Self::Alike(Likeness::Renamed) => ("renamed", 'r', 34),
            Self::Alike(Likeness::Wildcard) => ("wildcard", '?', 35),
            Self::Alike(Likeness::OtherLetter) => ("other letter", 'l', 33),
            Self::Alike(Likeness::OtherNumber) => ("other number", 'n', 93),
            Self::Alike(Likeness::Family) => ("family", 'f', 96),
            Self::Alike(Likeness::Different) => ("different", 'x', 31),
            Self::Unmatched => ("unmatched", '-', 90),
        };
        Style { name, mark, colour }
    }
}

/// A part of a formula.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Part {
    start: usize,
    end: usize,
    pub(super) text: String,
}

/// Two parts that lie on each other.
#[derive(Clone, Debug, Serialize)]
pub(super) struct PartPair {
    pub(super) query: Part,
    pub(super) candidate: Part,
    pub(super) likeness: &'static str,
    /// What the two heads, without what is below, add to what is aligned.
    pub(super) credit: f32,
}

/// A letter or wildcard and what stands for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub(super) struct Replaced {
    pub(super) from: String,
    pub(super) to: String,
}

/// How two formulas lie on each other.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    /// The fate of each byte; none for what is no symbol, such as braces.
    pub(super) query: Vec<Option<Fate>>,
    pub(super) candidate: Vec<Option<Fate>>,
    /// Parents before children; what is below two equal parts is left out.
    pub(super) pairs: Vec<PartPair>,
    pub(super) renamed: Vec<Replaced>,
    pub(super) wildcards: Vec<Replaced>,
    pub(super) moved: u32,
}

impl Parts {
    /// Reads an alignment of two formulas that were written as these sources.
    pub(super) fn new(
        alignment: &Alignment,
        (query, query_source): (&Prepared, &str),
        (candidate, candidate_source): (&Prepared, &str),
    ) -> Self {
        let mut query_fates = vec![Fate::Unmatched; query.nodes().len()];
        let mut candidate_fates = vec![Fate::Unmatched; candidate.nodes().len()];
        for pair in &alignment.pairs {
            let fate = Fate::Alike(pair.likeness);
            query_fates[pair.query as usize] = fate;
            candidate_fates[pair.candidate as usize] = fate;
            if pair.likeness == Likeness::Wildcard {
                // It stands for all that is below, too.
                spread(candidate, pair.candidate, fate, &mut candidate_fates);
            }
        }
        let mut parts = Self {
            query: paint(query, query_source, &query_fates),
            candidate: paint(candidate, candidate_source, &candidate_fates),
            pairs: Vec::new(),
            renamed: Vec::new(),
            wildcards: Vec::new(),
            moved: alignment.moved,
        };
        let mut below_equal = vec![false; query.nodes().len()];
        let (mut renamed, mut wildcards) = (Vec::new(), Vec::new());
        for pair in &alignment.pairs {
            let ours = part(query, pair.query, query_source);
            let theirs = part(candidate, pair.candidate, candidate_source);
            let (Some(ours), Some(theirs)) = (ours, theirs) else { continue };
            match pair.likeness {
                Likeness::Renamed => {
                    let from = head(query, pair.query, query_source, &ours);
                    let to = head(candidate, pair.candidate, candidate_source, &theirs);
                    renamed.push((ours.start, Replaced { from, to }));
                }
                Likeness::Wildcard => {
                    let (from, to) = (ours.text.clone(), theirs.text.clone());
                    wildcards.push((ours.start, Replaced { from, to }));
                }
                _ => {}
            }
            // An operation without a sign of its own, such as the inverse in a fraction, shows nothing.
            if is_its_child(query, pair.query, query_source)
                && is_its_child(candidate, pair.candidate, candidate_source)
            {
                continue;
            }
            let equal = ours.text == theirs.text && pair.likeness == Likeness::Same;
            if equal || below_equal[pair.query as usize] {
                let nodes = query.nodes();
                for &child in nodes.children(&nodes.all()[pair.query as usize]) {
                    below_equal[child as usize] = true;
                }
            }
            if !below_equal[pair.query as usize] {
                let likeness = Fate::Alike(pair.likeness).style().name;
                parts.pairs.push(PartPair { query: ours, candidate: theirs, likeness, credit: pair.credit });
            }
        }
        // As one reads the query; parents still stand before children.
        parts.pairs.sort_by_key(|pair| (pair.query.start, std::cmp::Reverse(pair.query.end)));
        parts.renamed = in_order(renamed);
        parts.wildcards = in_order(wildcards);
        parts
    }
}

/// What was replaced, each once, in the order in which the query has it.
fn in_order(mut all: Vec<(usize, Replaced)>) -> Vec<Replaced> {
    all.sort_by_key(|(start, _)| *start);
    let mut seen = HashSet::new();
    all.into_iter().map(|(_, one)| one).filter(|one| seen.insert(one.clone())).collect()
}

/// Commands before an opening bracket.
const SIZES: [&str; 9] =
    ["\\left", "\\bigl", "\\Bigl", "\\biggl", "\\Biggl", "\\big", "\\Big", "\\bigg", "\\Bigg"];

/// The name of a function without what it is applied to; all of a part that has nothing below.
fn head(formula: &Prepared, node: u32, source: &str, part: &Part) -> String {
    let nodes = formula.nodes();
    let children = nodes.children(&nodes.all()[node as usize]);
    let first =
        children.iter().filter_map(|&child| range(formula, child, source)).map(|range| range.start).min();
    let name = first.and_then(|first| source.get(part.start..first)).map(|name| {
        let name = name.trim_end().trim_end_matches(['(', '[', '{']).trim_end();
        SIZES.iter().find_map(|size| name.strip_suffix(size)).unwrap_or(name).trim_end()
    });
    name.filter(|name| !name.is_empty()).unwrap_or(&part.text).to_owned()
}

/// Whether a part was typed with the same characters as the only part below it.
fn is_its_child(formula: &Prepared, node: u32, source: &str) -> bool {
    let nodes = formula.nodes();
    let &[child] = nodes.children(&nodes.all()[node as usize]) else { return false };
    range(formula, node, source) == range(formula, child, source)
}

/// Gives a node and all below it the same fate.
fn spread(formula: &Prepared, node: u32, fate: Fate, fates: &mut [Fate]) {
    let nodes = formula.nodes();
    let mut open = vec![node];
    while let Some(node) = open.pop() {
        fates[node as usize] = fate;
        open.extend_from_slice(nodes.children(&nodes.all()[node as usize]));
    }
}

/// The bytes a part was typed with, if they are known.
fn range(formula: &Prepared, node: u32, source: &str) -> Option<Range<usize>> {
    let range = formula.nodes().all().get(node as usize)?.span.range();
    let text = source.get(range.clone()).filter(|text| !text.is_empty())?;
    let end = range.end + closing(text, &source[range.end..]);
    let nodes = formula.nodes();
    let start = match *nodes.children(&nodes.all()[node as usize]) {
        // The minus of a difference belongs to what is taken away.
        [child] if nodes.all()[child as usize].span.range() == range => {
            let before = source[..range.start].trim_end();
            before.strip_suffix('-').map_or(range.start, str::len)
        }
        _ => range.start,
    };
    Some(start..end)
}

/// How many of the next bytes close the braces that a part leaves open.
fn closing(part: &str, next: &str) -> usize {
    let (mut open, mut escaped) = (0_usize, false);
    for byte in part.bytes() {
        match byte {
            b'{' if !escaped => open += 1,
            b'}' if !escaped => open = open.saturating_sub(1),
            _ => {}
        }
        escaped = byte == b'\\' && !escaped;
    }
    next.bytes().take(open).take_while(|byte| *byte == b'}').count()
}

fn part(formula: &Prepared, node: u32, source: &str) -> Option<Part> {
    let Range { start, end } = range(formula, node, source)?;
    Some(Part { start, end, text: source[start..end].to_owned() })
}

/// The fate of each byte: that of the smallest part it belongs to.
fn paint(formula: &Prepared, source: &str, fates: &[Fate]) -> Vec<Option<Fate>> {
    let mut painted = vec![None; source.len()];
    // Children stand before their parents.
    for (node, fate) in fates.iter().enumerate().rev() {
        if let Some(range) = range(formula, node as u32, source) {
            painted[range].fill(Some(*fate));
        }
    }
    painted
}
