//! Laying a query over a candidate, from every start pair that could be the best.

use super::prepared::{Child, ELEMENT, Layout, NEXT, NONE, Prepared, mix};
use super::tables::{DIFFERENT, DONE, EQUAL, Operands, SIMILAR, Tables, View, WILD, follow};
use super::unify::{Pair, Region, Unifier};
use super::{Scores, Unification};

/// How many steps are spent on start pairs in order, and as many again on the most promising of the rest.
const MAX_STEPS: usize = 1 << 18;
/// Whether everything was tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Effort {
    /// The best alignment there is.
    #[default]
    Full,
    /// The best found within the bounds of the [module](super): the trees are very large.
    Bounded,
}

/// The best alignment of a query and a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Alignment {
    /// Its three scores, all zero if nothing could be aligned.
    pub scores: Scores,
    /// Whether it is the best for certain.
    pub effort: Effort,
    /// The start pair.
    start: Option<(u32, u32)>,
}

/// How a symbol of the query was matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatchKind {
    /// By the same symbol.
    Exact,
    /// By another symbol of its kind that stands for it everywhere.
    Unified,
    /// It is a wildcard; the candidate's node is the first it covers.
    Wildcard,
}

/// A symbol of the query and what it was matched with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// The node's index in the query's tree, as `index()` of its id gives it.
    pub query: usize,
    /// The node's index in the candidate's tree.
    pub candidate: usize,
    /// How.
    pub kind: MatchKind,
}

/// Aligns candidates with queries and keeps the memory it needs for that.
///
/// ```
/// use formula::similarity::tangent_s::{Aligner, Prepared};
/// use formula::slt::Slt;
///
/// let query = Prepared::from(&Slt::read("[V!x[+[N!1]],a[N!2]]")?);
/// let candidate = Prepared::from(&Slt::read("[V!y[+[N!3]],a[N!2]]")?);
/// let scores = Aligner::default().align(&query, &candidate).scores;
/// assert_eq!((scores.mss, scores.precision, scores.recall), (1.0, 1.0, 0.5));
/// # Ok::<(), formula::slt::SltError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Aligner {
    unification: Unification,
    tables: Tables,
    operands: Operands,
    stack: Vec<(u32, u32)>,
    pairs: Vec<Pair>,
    regions: Vec<Region>,
    unifier: Unifier,
}

impl Aligner {
    /// An aligner with or without unification. [`Aligner::default`] unifies.
    #[must_use]
    pub fn new(unification: Unification) -> Self {
        Self { unification, ..Self::default() }
    }

    /// The best alignment. Both trees must be layout trees or both operator trees, else nothing is aligned.
    pub fn align(&mut self, query: &Prepared, candidate: &Prepared) -> Alignment {
        let mut best = Alignment::default();
        if query.is_empty() || candidate.is_empty() || query.layout != candidate.layout {
            return best;
        }
        let view = View::new(query, candidate);
        if (view.query_len as usize, view.candidate_len as usize) != (query.len(), candidate.len()) {
            best.effort = Effort::Bounded;
        }
        self.tables.fill(&view, self.unification, &mut self.operands);
        let mut needed = 1;
        let mut steps = 0;
        for q in 0..view.query_len {
            if steps > MAX_STEPS {
                if !self.try_best_of_row(&view, q, &mut best, &mut needed, &mut steps) {
                    break;
                }
                continue;
            }
            for c in 0..view.candidate_len {
                let at = view.at(q, c);
                let kind = self.tables.kinds[at];
                if self.tables.gains[at] >> 16 < needed || kind == DIFFERENT || kind & DONE != 0 {
                    continue;
                }
                steps += self.try_start(&view, q, c, &mut best, &mut needed);
                if steps > MAX_STEPS {
                    best.effort = Effort::Bounded;
                    break;
                }
            }
        }
        best
    }

    /// What is matched with what in an alignment that [`Aligner::align`] found for the same two trees, parents
    /// before children.
    pub fn matches(&mut self, query: &Prepared, candidate: &Prepared) -> Vec<Match> {
        let Some((q, c)) = self.align(query, candidate).start else { return Vec::new() };
        let view = View::new(query, candidate);
        self.walk(&view, q, c);
        self.unifier.score(query, candidate, &mut self.pairs, &self.regions);
        let mut matches: Vec<Match> = self
            .pairs
            .iter()
            .filter_map(|pair| {
                let kind = match pair.kind {
                    EQUAL => MatchKind::Exact,
                    SIMILAR => MatchKind::Unified,
                    WILD => MatchKind::Wildcard,
                    _ => return None,
                };
                let query = query.nodes[pair.q as usize].source as usize;
                let candidate = candidate.nodes[pair.c as usize].source as usize;
                Some(Match { query, candidate, kind })
            })
            .collect();
        matches.sort_unstable_by_key(|found| found.query);
        matches
    }

    /// The best alignment when no start pair is left out for being hopeless.
    #[cfg(test)]
    pub(super) fn align_all(&mut self, query: &Prepared, candidate: &Prepared) -> Alignment {
        let view = View::new(query, candidate);
        self.tables.fill(&view, self.unification, &mut self.operands);
        let mut best = Alignment::default();
        for q in 0..view.query_len {
            for c in 0..view.candidate_len {
                let kind = self.tables.kinds[view.at(q, c)];
                if kind != DIFFERENT && kind & DONE == 0 {
                    self.try_start(&view, q, c, &mut best, &mut 1);
                }
            }
        }
        best
    }

    /// Aligns from a start pair and returns the steps this took.
    fn try_start(
        &mut self,
        view: &View<'_>,
        q: u32,
        c: u32,
        best: &mut Alignment,
        needed: &mut u32,
    ) -> usize {
        let steps = self.walk(view, q, c);
        let scores = self.unifier.score(view.query, view.candidate, &mut self.pairs, &self.regions);
        for pair in self.pairs.iter().filter(|pair| pair.kind != DIFFERENT) {
            self.tables.kinds[view.at(pair.q, pair.c)] |= DONE;
        }
        if scores > best.scores {
            best.scores = scores;
            best.start = Some((q, c));
            while *needed <= view.query_len && bound(view, *needed) <= scores {
                *needed += 1;
            }
        }
        steps
    }

    /// When time is short: the start pair of a query node that can match most. Returns whether time is left.
    fn try_best_of_row(
        &mut self,
        view: &View<'_>,
        q: u32,
        best: &mut Alignment,
        needed: &mut u32,
        steps: &mut usize,
    ) -> bool {
        let row = view.at(q, 0)..view.at(q + 1, 0);
        let (kinds, gains) = (&self.tables.kinds[row.clone()], &self.tables.gains[row]);
        let open = (0..view.candidate_len)
            .filter(|&c| kinds[c as usize] != DIFFERENT && kinds[c as usize] & DONE == 0);
        // The first of equals.
        let most = open.max_by_key(|&c| (gains[c as usize], view.candidate_len - c));
        if let Some(c) = most.filter(|&c| gains[c as usize] >> 16 >= *needed) {
            *steps += self.try_start(view, q, c, best, needed);
        }
        *steps <= 2 * MAX_STEPS
    }

    /// Collects the pairs that are aligned when a start pair is, as far as they could match.
    fn walk(&mut self, view: &View<'_>, q: u32, c: u32) -> usize {
        self.pairs.clear();
        self.regions.clear();
        self.stack.clear();
        self.stack.push((q, c));
        let mut steps = 0;
        while let Some((at_q, at_c)) = self.stack.pop() {
            let kind = self.tables.kinds[view.at(at_q, at_c)] & !DONE;
            steps += 1;
            if kind == WILD {
                let mut region = self.region(view, at_q, at_c);
                if (at_q, at_c) == (q, c) {
                    region.size += left_of_start(view, q, c);
                }
                steps += region.size as usize;
                self.regions.push(region);
            }
            if kind != DIFFERENT {
                self.pairs.push(Pair { q: at_q, c: at_c, kind });
            }
            let Self { tables, operands, stack, .. } = self;
            steps += follow(view, tables, operands, (at_q, at_c), kind, &mut |q, c| {
                if tables.gains[view.at(q, c)] != 0 {
                    stack.push((q, c));
                }
            });
        }
        steps
    }

    /// What a wildcard covers.
    fn region(&self, view: &View<'_>, q: u32, c: u32) -> Region {
        let candidate = view.candidate;
        let node = &candidate.nodes[c as usize];
        let name = view.query.nodes[q as usize].name;
        let (mut size, mut hash) = (node.own_size, mix(0, node.own_hash));
        if let Some(stop) = self.tables.stop(view, q, c) {
            // Where what follows is not found, the wildcard takes one symbol only.
            let end = if stop.found { stop.node } else { node.next };
            let mut at = node.next;
            while at != end && at != NONE {
                let part = &candidate.nodes[at as usize];
                size += part.own_size;
                hash = mix(hash, part.own_hash);
                at = part.next;
            }
        } else if !view.query.children(q).is_empty() {
            // What hangs from the wildcard itself is aligned, the rest is covered.
            (size, hash) = (1, candidate.symbols[c as usize].tag);
            for &Child { label, node: child } in candidate.children(c) {
                let in_query = view.query.children(q).iter().any(|child| child.label == label);
                let beside = candidate.layout == Layout::Slt && (label == NEXT || label == ELEMENT);
                if !in_query && !beside {
                    let (more, its_hash) = candidate.whole(child);
                    size += more;
                    hash = mix(mix(hash, u64::from(label)), its_hash);
                }
            }
        }
        Region { q, name, size, hash }
    }
}

/// What stands left of the start, for a wildcard that occurs once and begins its own baseline.
fn left_of_start(view: &View<'_>, q: u32, c: u32) -> u32 {
    let wildcard = &view.query.nodes[q as usize];
    let begins = wildcard.parent == NONE || wildcard.label != NEXT;
    if view.query.layout == Layout::Opt || !begins || view.query.wildcards[wildcard.name as usize] > 1 {
        return 0;
    }
    let mut size = 0;
    let mut at = &view.candidate.nodes[c as usize];
    while at.label == NEXT && at.parent != NONE {
        at = &view.candidate.nodes[at.parent as usize];
        size += at.own_size;
    }
    size
}

/// The best scores that so many matched nodes can have.
fn bound(view: &View<'_>, matched: u32) -> Scores {
    let matched = f64::from(matched);
    let (query_len, candidate_len) = (view.query.len() as f64, view.candidate.len() as f64);
    let precision = if view.query.wildcards.is_empty() { matched / candidate_len } else { 1.0 };
    Scores { mss: mss(matched, matched - 1.0, query_len), precision, recall: matched / query_len }
}

/// The harmonic mean of node and edge recall. A query of one node has all its edges; no edge counts as half a one.
pub(super) fn mss(nodes: f64, edges: f64, query_len: f64) -> f64 {
    let node_recall = nodes / query_len;
    let edge_recall = if query_len == 1.0 { 1.0 } else { edges.max(0.5) / (query_len - 1.0) };
    2.0 * node_recall * edge_recall / (node_recall + edge_recall)
}
