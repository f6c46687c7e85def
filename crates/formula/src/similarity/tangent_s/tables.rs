//! What is known of every pair of nodes before any alignment: whether they could be the same, how much could match
//! below them, and which pairs follow from them.

use super::Unification;
use super::prepared::{Child, Class, ELEMENT, Layout, NEXT, NONE, Prepared, WITHIN};

/// The product of the sizes up to which trees are compared whole.
const MAX_PRODUCT: usize = 1 << 22;
/// How many pairs of operands are ordered by how well they fit.
const MAX_OPERAND_PAIRS: usize = 1 << 16;

/// The symbols cannot be the same.
pub(super) const DIFFERENT: u8 = 0;
/// Different symbols of a kind that needs no binding: numbers, constants.
pub(super) const SIMILAR: u8 = 1;
/// Equal symbols that need no binding.
pub(super) const EQUAL: u8 = 2;
/// Variables; whether they match depends on the others.
pub(super) const VARIABLES: u8 = 3;
/// The query's symbol is a wildcard.
pub(super) const WILD: u8 = 4;
/// Set for pairs that an earlier alignment matched.
pub(super) const DONE: u8 = 0x80;

/// What is known of every pair of a query node and a candidate node, query node by query node.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    pub(super) kinds: Vec<u8>,
    /// How many nodes can match at most when the pair is aligned, and how many of them are [`EQUAL`]: the first
    /// in the upper half.
    pub(super) gains: Vec<u32>,
    /// For wildcards on a baseline: where what follows them in the query goes on.
    stops: Vec<u32>,
    /// For each query node, where its row of `stops` begins.
    stop_rows: Vec<u32>,
}

/// The two trees and how much of them is compared.
#[derive(Clone, Copy)]
pub(super) struct View<'t> {
    pub(super) query: &'t Prepared,
    pub(super) candidate: &'t Prepared,
    pub(super) query_len: u32,
    pub(super) candidate_len: u32,
}

impl<'t> View<'t> {
    /// Both trees; if their product is too large they are cut, the larger one most.
    pub(super) fn new(query: &'t Prepared, candidate: &'t Prepared) -> Self {
        let (mut query_len, mut candidate_len) = (query.len(), candidate.len());
        if query_len.saturating_mul(candidate_len) > MAX_PRODUCT {
            let side = MAX_PRODUCT.isqrt();
            if query_len <= candidate_len {
                query_len = query_len.min(side);
                candidate_len = MAX_PRODUCT / query_len;
            } else {
                candidate_len = candidate_len.min(side);
                query_len = MAX_PRODUCT / candidate_len;
            }
        }
        Self { query, candidate, query_len: query_len as u32, candidate_len: candidate_len as u32 }
    }

    pub(super) fn at(&self, q: u32, c: u32) -> usize {
        q as usize * self.candidate_len as usize + c as usize
    }
}

/// Room for sorting operands.
#[derive(Clone, Debug, Default)]
pub(super) struct Operands {
    fits: Vec<(u32, u32, u32)>,
    query_taken: Vec<bool>,
    candidate_taken: Vec<bool>,
}

/// Where the query goes on after a wildcard.
#[derive(Clone, Copy)]
pub(super) struct Stop {
    pub(super) node: u32,
    /// Whether the node is what follows in the query, or the end where nothing follows.
    pub(super) found: bool,
}

impl Tables {
    pub(super) fn fill(&mut self, view: &View<'_>, unification: Unification, operands: &mut Operands) {
        let size = view.at(view.query_len, 0);
        self.kinds.clear();
        self.kinds.resize(size, DIFFERENT);
        self.gains.clear();
        self.gains.resize(size, 0);
        self.stops.clear();
        self.stop_rows.clear();
        if !view.query.wildcards.is_empty() {
            self.stop_rows.resize(view.query_len as usize, NONE);
        }
        for q in (0..view.query_len).rev() {
            self.fill_kinds(view, q, unification);
            if view.query.symbols[q as usize].class == Class::Wildcard {
                self.fill_stops(view, q);
            }
            let query_is_leaf = view.query.children(q).is_empty();
            for c in (0..view.candidate_len).rev() {
                let at = view.at(q, c);
                let kind = self.kinds[at];
                let mut gain = match kind {
                    DIFFERENT => 0,
                    EQUAL => 1 << 16 | 1,
                    _ => 1 << 16,
                };
                if !query_is_leaf && !view.candidate.children(c).is_empty() {
                    let gains = &self.gains;
                    let mut add = |q, c| gain += gains[view.at(q, c)];
                    follow(view, self, operands, (q, c), kind, &mut add);
                }
                self.gains[at] = gain;
            }
        }
    }

    fn fill_kinds(&mut self, view: &View<'_>, q: u32, unification: Unification) {
        let symbol = view.query.symbols[q as usize];
        let row = &mut self.kinds[view.at(q, 0)..view.at(q + 1, 0)];
        if symbol.class == Class::Wildcard {
            return row.fill(WILD);
        }
        let variable = matches!(symbol.class, Class::Letter | Class::Word);
        for (kind, other) in row.iter_mut().zip(&view.candidate.symbols) {
            let equal = other.tag == symbol.tag;
            *kind = match unification {
                Unification::None if equal => EQUAL,
                Unification::None => DIFFERENT,
                Unification::Allowed if variable && other.class == symbol.class => VARIABLES,
                Unification::Allowed if equal => EQUAL,
                Unification::Allowed => {
                    let similar = match symbol.class {
                        Class::Number | Class::NotANumber => other.class == Class::Number,
                        Class::Typed(_) => other.class == symbol.class,
                        _ => false,
                    };
                    if similar { SIMILAR } else { DIFFERENT }
                }
            };
        }
    }

    /// For a wildcard without scripts: from each candidate node, where on its baseline the query goes on.
    fn fill_stops(&mut self, view: &View<'_>, q: u32) {
        let query = view.query;
        let follows = query.nodes[q as usize].next;
        let scripts = query.children(q).iter().any(|child| !matches!(child.label, NEXT | ELEMENT));
        if query.layout == Layout::Opt || scripts {
            return;
        }
        let row = self.stops.len();
        self.stop_rows[q as usize] = row as u32;
        self.stops.resize(row + view.candidate_len as usize, NONE);
        if follows == NONE || follows >= view.query_len {
            return;
        }
        let wanted = query.symbols[follows as usize].tag;
        // First where it is the same; then, where there is no such node, where it could be.
        for pass in [true, false] {
            for c in (0..view.candidate_len).rev() {
                let place = row + c as usize;
                let next = view.candidate.nodes[c as usize].next;
                if next >= view.candidate_len || self.stops[place] != NONE {
                    continue;
                }
                let fits = if pass {
                    view.candidate.symbols[next as usize].tag == wanted
                } else {
                    self.kinds[view.at(follows, next)] != DIFFERENT
                };
                self.stops[place] = if fits { next } else { self.stops[row + next as usize] };
            }
        }
    }

    /// Where the query goes on after the wildcard `q` that begins at `c`; `None` if it takes one symbol in any case.
    pub(super) fn stop(&self, view: &View<'_>, q: u32, c: u32) -> Option<Stop> {
        let row = self.stop_rows.get(q as usize).copied().filter(|&row| row != NONE)?;
        let node = self.stops[row as usize + c as usize];
        let nothing_follows = view.query.nodes[q as usize].next == NONE;
        Some(Stop { node, found: node != NONE || nothing_follows })
    }
}

/// Calls `visit` with every pair of nodes that is aligned because `q` and `c` are, and returns the work this was.
pub(super) fn follow(
    view: &View<'_>,
    tables: &Tables,
    operands: &mut Operands,
    (q, c): (u32, u32),
    kind: u8,
    visit: &mut impl FnMut(u32, u32),
) -> usize {
    let (query, candidate) = (view.query, view.candidate);
    let mut visit = |q, c| {
        if q < view.query_len && c < view.candidate_len {
            visit(q, c);
        }
    };
    let (query_node, candidate_node) = (&query.nodes[q as usize], &candidate.nodes[c as usize]);
    if query.layout == Layout::Opt {
        let groups_differ = query_node.group != candidate_node.group;
        if query_node.group != 0 && candidate_node.group != 0 && groups_differ {
            return 0;
        }
        let (ours, theirs) = (query.children(q), candidate.children(c));
        let products = ours.len() * theirs.len();
        if query_node.unordered && kind == EQUAL && products > 1 && products <= MAX_OPERAND_PAIRS {
            operands.assign(view, &tables.gains, ours, theirs, &mut visit);
            return products;
        }
        for (our, their) in ours.iter().zip(theirs) {
            visit(our.node, their.node);
        }
        return 0;
    }
    if kind == WILD
        && let Some(stop) = tables.stop(view, q, c)
    {
        let goes_on = if stop.found { stop.node } else { candidate_node.next };
        if query_node.next != NONE && goes_on != NONE {
            visit(query_node.next, goes_on);
        }
        return 0;
    }
    let both_matrices = query_node.group != 0 && candidate_node.group != 0;
    let mut theirs = candidate.children(c).iter().peekable();
    for our in query.children(q) {
        if our.label == ELEMENT || our.label == WITHIN && both_matrices {
            continue;
        }
        while theirs.next_if(|their| their.label < our.label).is_some() {}
        if let Some(their) = theirs.next_if(|their| their.label == our.label) {
            visit(our.node, their.node);
        }
    }
    if both_matrices {
        follow_cells(view, q, c, &mut visit);
    }
    0
}

/// Lists are aligned item by item, matrices by row and column.
fn follow_cells(view: &View<'_>, q: u32, c: u32, visit: &mut impl FnMut(u32, u32)) {
    let (ours, theirs) = (view.query.cells(q), view.candidate.cells(c));
    let (our, their) = (&view.query.nodes[q as usize], &view.candidate.nodes[c as usize]);
    let is_list = |rows, columns| rows == 1 || columns == 1;
    if is_list(our.rows, our.columns) && is_list(their.rows, their.columns) {
        for (&our, &their) in ours.iter().zip(theirs) {
            visit(our, their);
        }
        return;
    }
    if our.columns == 0 || their.columns == 0 {
        return;
    }
    let our_rows = ours.chunks(our.columns as usize).take(our.rows as usize);
    let their_rows = theirs.chunks(their.columns as usize).take(their.rows as usize);
    for (our_row, their_row) in our_rows.zip(their_rows) {
        for (&our, &their) in our_row.iter().zip(their_row) {
            visit(our, their);
        }
    }
}

impl Operands {
    /// Gives each operand of the query the one of the candidate that it fits best, the best fits first.
    fn assign(
        &mut self,
        view: &View<'_>,
        gains: &[u32],
        ours: &[Child],
        theirs: &[Child],
        visit: &mut impl FnMut(u32, u32),
    ) {
        self.fits.clear();
        for (i, our) in (0..).zip(ours) {
            for (j, their) in (0..).zip(theirs) {
                if our.node < view.query_len && their.node < view.candidate_len {
                    self.fits.push((!gains[view.at(our.node, their.node)], i, j));
                }
            }
        }
        self.fits.sort_unstable();
        self.query_taken.clear();
        self.query_taken.resize(ours.len(), false);
        self.candidate_taken.clear();
        self.candidate_taken.resize(theirs.len(), false);
        let mut left = ours.len().min(theirs.len());
        for &(_, i, j) in &self.fits {
            let (i, j) = (i as usize, j as usize);
            if self.query_taken[i] || self.candidate_taken[j] {
                continue;
            }
            self.query_taken[i] = true;
            self.candidate_taken[j] = true;
            visit(ours[i].node, theirs[j].node);
            left -= 1;
            if left == 0 {
                break;
            }
        }
    }
}
