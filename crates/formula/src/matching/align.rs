//! The best alignment of two operator trees: which node of the query stands for which node of the candidate.
//!
//! For every two nodes, `both` is the credit when they are set against each
//! other and their children are aligned as well as possible, and `best` the
//! credit when nodes may be left out on the way down. Children whose order
//! counts are aligned in order, those of a sum in any order, greedily. The work
//! is the product of the two sizes.
//!
//! Letters are renamed consistently: a first pass lets every letter stand for
//! every other, the renaming that most aligned letters agree with is kept, and
//! a second pass gives credit by it. Wildcards are bound in the same way.

use super::likeness::{Bindings, Likeness, likeness};
use super::node::{Kind, Node, Nodes, Order, Strictness};
use super::weights::Weights;

/// What a wildcard gains for every weight it stands for.
const PREFER_LARGER: f32 = 1e-4;
/// More children than this are aligned in order, whatever they hang from.
const MAX_FREE: usize = 24;

/// Two nodes set against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aligned {
    /// Position in the query's nodes.
    pub query: u32,
    /// Position in the candidate's nodes.
    pub candidate: u32,
    /// How they are alike.
    pub likeness: Likeness,
    /// What the pair adds to the credit.
    pub credit: f32,
}

/// What an alignment found.
#[derive(Clone, Debug, Default)]
pub struct Alignment {
    /// The aligned nodes, parents before children.
    pub pairs: Vec<Aligned>,
    /// The credit of the whole alignment.
    pub credit: f32,
    /// The weight of the candidate's nodes that wildcards stand for, but for what the wildcards count.
    pub swallowed: f32,
    /// How many nodes of the candidate wildcards took in beside what they are aligned with.
    pub absorbed: usize,
    /// How many free children changed places.
    pub moved: u32,
    /// The letters of the query with what they are renamed to.
    pub renaming: Vec<(u64, u64)>,
}

/// Whether two formulas say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agreement {
    /// Yes, with the same letters.
    Same,
    /// Yes, once letters are renamed.
    Renamed,
    /// No.
    Different,
}

impl Alignment {
    /// Whether everything that only the same will do for is aligned with the same.
    #[must_use]
    pub fn keeps_strict_part(&self, query: &Nodes) -> bool {
        let strict = |node: &Node| node.strictness == Strictness::Exact;
        let kept = self
            .pairs
            .iter()
            .filter(|pair| strict(&query.all()[pair.query as usize]) && pair.likeness != Likeness::Different);
        kept.count() == query.all().iter().filter(|node| strict(node)).count()
    }

    /// Whether everything on both sides is aligned and alike.
    #[must_use]
    pub fn agreement(&self, query: &Nodes, candidate: &Nodes) -> Agreement {
        let mut renamed = false;
        let (mut wanted, mut offered) = (0, 0);
        for pair in &self.pairs {
            match pair.likeness {
                Likeness::Same | Likeness::Notation | Likeness::Wildcard => {}
                Likeness::Renamed => {
                    let ours = query.all()[pair.query as usize].symbol;
                    let theirs = candidate.all()[pair.candidate as usize].symbol;
                    renamed |= !(query.is_bound(ours) && candidate.is_bound(theirs));
                }
                _ => return Agreement::Different,
            }
            wanted += 1;
            offered += match pair.likeness {
                Likeness::Wildcard => candidate.all()[pair.candidate as usize].size as usize,
                _ => 1,
            };
        }
        match () {
            () if wanted < query.len() || offered + self.absorbed < candidate.len() => Agreement::Different,
            () if renamed => Agreement::Renamed,
            () => Agreement::Same,
        }
    }
}

/// Aligns trees; keeps its memory.
#[derive(Debug)]
pub struct Aligner {
    both: Vec<f32>,
    best: Vec<f32>,
    row: Vec<f32>,
    cells: Vec<(f32, u32, u32)>,
    work: Vec<(u32, u32)>,
    matched: Vec<(u32, u32)>,
    bindings: Bindings,
    weights: Weights,
    /// The result of the last call.
    pub alignment: Alignment,
}

/// Which pass is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    /// Every letter may stand for every other.
    Open,
    /// The renaming is known.
    Bound,
}

impl Aligner {
    /// An aligner that gives credit by these weights.
    #[must_use]
    pub fn new(weights: Weights) -> Self {
        Self {
            both: Vec::new(),
            best: Vec::new(),
            row: Vec::new(),
            cells: Vec::new(),
            work: Vec::new(),
            matched: Vec::new(),
            bindings: Bindings::default(),
            weights,
            alignment: Alignment::default(),
        }
    }

    /// Aligns a query with a candidate; the result is in [`Aligner::alignment`].
    pub fn align(&mut self, query: &Nodes, candidate: &Nodes) {
        self.alignment.pairs.clear();
        self.alignment.renaming.clear();
        self.alignment.moved = 0;
        self.alignment.credit = 0.0;
        self.alignment.absorbed = 0;
        self.alignment.swallowed = 0.0;
        if query.is_empty() || candidate.is_empty() {
            return;
        }
        self.fill(query, candidate, Pass::Open);
        self.trace(query, candidate, Pass::Open);
        if self.bindings.read(&self.alignment.pairs, query, candidate) {
            self.alignment.renaming.extend(self.bindings.changes());
            self.fill(query, candidate, Pass::Bound);
            self.trace(query, candidate, Pass::Bound);
        }
    }

    fn bindings_in(&self, pass: Pass) -> Option<&Bindings> {
        (pass == Pass::Bound).then_some(&self.bindings)
    }

    fn credit(&self, likeness: Likeness, weight: f32, pass: Pass) -> f32 {
        let share = match likeness {
            Likeness::Same | Likeness::Wildcard => 1.0,
            Likeness::Notation => self.weights.notation,
            Likeness::Renamed => self.weights.renamed,
            Likeness::OtherLetter if pass == Pass::Open => self.weights.open_letter,
            Likeness::OtherLetter => self.weights.other_letter,
            Likeness::OtherNumber => self.weights.other_number,
            Likeness::Family => self.weights.family,
            Likeness::Different => 0.0,
        };
        share * weight
    }

    /// The share of the children's credit that is kept.
    fn through(&self, likeness: Likeness) -> f32 {
        match likeness {
            Likeness::Different | Likeness::OtherLetter | Likeness::OtherNumber => {
                self.weights.through_others
            }
            Likeness::Family => self.weights.through_family,
            _ => 1.0,
        }
    }

    /// Fills the two tables.
    fn fill(&mut self, query: &Nodes, candidate: &Nodes, pass: Pass) {
        let width = candidate.len();
        self.both.clear();
        self.both.resize(query.len() * width, 0.0);
        self.best.clear();
        self.best.resize(query.len() * width, 0.0);
        for (q, ours) in query.all().iter().enumerate() {
            for (c, theirs) in candidate.all().iter().enumerate() {
                let likeness = likeness(ours, theirs, self.bindings_in(pass));
                let mut both = self.credit(likeness, ours.weight, pass);
                if likeness == Likeness::Wildcard {
                    // Of two equal ways, the one that leaves less of the candidate over.
                    both += PREFER_LARGER * theirs.total;
                } else {
                    let below = self.children_credit(query, candidate, ours, theirs);
                    both += below * self.through(likeness);
                }
                let mut best = both;
                for &child in candidate.children(theirs) {
                    best = best.max(self.best[q * width + child as usize] - self.weights.gap);
                }
                for &child in query.children(ours) {
                    best = best.max(self.best[child as usize * width + c]);
                }
                self.both[q * width + c] = both;
                self.best[q * width + c] = best;
            }
        }
    }

    fn children_credit(&mut self, query: &Nodes, candidate: &Nodes, ours: &Node, theirs: &Node) -> f32 {
        let width = candidate.len();
        let (left, right) = (query.children(ours), candidate.children(theirs));
        match (left, right) {
            ([], _) | (_, []) => 0.0,
            (&[one], &[other]) => self.best[one as usize * width + other as usize],
            _ if is_free(ours, theirs, left, right) => {
                self.assign(left, right, width);
                self.cells.iter().map(|cell| cell.0).sum()
            }
            _ => self.in_order(left, right, width),
        }
    }

    /// The best alignment of two lists in order.
    fn in_order(&mut self, left: &[u32], right: &[u32], width: usize) -> f32 {
        self.row.clear();
        self.row.resize(right.len() + 1, 0.0);
        for &one in left {
            let mut diagonal = 0.0;
            for (place, &other) in right.iter().enumerate() {
                let above = self.row[place + 1];
                let matched = diagonal + self.best[one as usize * width + other as usize];
                diagonal = above;
                self.row[place + 1] = matched.max(above).max(self.row[place]);
            }
        }
        self.row[right.len()]
    }

    /// Leaves the pairs of a greedy assignment in `cells`.
    fn assign(&mut self, left: &[u32], right: &[u32], width: usize) {
        let cells = &mut self.cells;
        cells.clear();
        for (i, &one) in left.iter().enumerate() {
            for (j, &other) in right.iter().enumerate() {
                let credit = self.best[one as usize * width + other as usize];
                if credit > 0.0 {
                    cells.push((credit, i as u32, j as u32));
                }
            }
        }
        cells.sort_by(|a, b| {
            b.0.total_cmp(&a.0)
                .then(a.1.abs_diff(a.2).cmp(&b.1.abs_diff(b.2)))
                .then(a.1.cmp(&b.1))
                .then(a.2.cmp(&b.2))
        });
        let (mut taken_left, mut taken_right) = (0u32, 0u32);
        cells.retain(|&(_, i, j)| {
            let free = taken_left & (1 << i) == 0 && taken_right & (1 << j) == 0;
            if free {
                taken_left |= 1 << i;
                taken_right |= 1 << j;
            }
            free
        });
    }

    /// Follows the best alignment down.
    fn trace(&mut self, query: &Nodes, candidate: &Nodes, pass: Pass) {
        let width = candidate.len();
        let root = query.len() - 1;
        self.alignment.pairs.clear();
        self.alignment.moved = 0;
        self.alignment.swallowed = 0.0;
        self.alignment.absorbed = 0;
        let mut top = width - 1;
        for c in (0..width).rev() {
            if self.best[root * width + c] > self.best[root * width + top] {
                top = c;
            }
        }
        let credit = self.best[root * width + top];
        self.work.clear();
        self.work.push((root as u32, top as u32));
        while let Some((q, c)) = self.work.pop() {
            let (mut q, mut c) = (q as usize, c as usize);
            // Down to where two nodes are set against each other.
            loop {
                let best = self.best[q * width + c];
                if best <= self.both[q * width + c] {
                    break;
                }
                let ours = &query.all()[q];
                let theirs = &candidate.all()[c];
                let down =
                    query.children(ours).iter().find(|&&child| self.best[child as usize * width + c] >= best);
                if let Some(&child) = down {
                    q = child as usize;
                    continue;
                }
                let down = candidate
                    .children(theirs)
                    .iter()
                    .find(|&&child| self.best[q * width + child as usize] - self.weights.gap >= best);
                match down {
                    Some(&child) => c = child as usize,
                    None => break,
                }
            }
            let ours = &query.all()[q];
            let theirs = &candidate.all()[c];
            let likeness = likeness(ours, theirs, self.bindings_in(pass));
            if self.both[q * width + c] <= 0.0 && likeness != Likeness::Same {
                continue;
            }
            let credit = self.credit(likeness, ours.weight, pass);
            self.alignment.pairs.push(Aligned { query: q as u32, candidate: c as u32, likeness, credit });
            if likeness == Likeness::Wildcard {
                self.alignment.swallowed += theirs.total - ours.weight;
                continue;
            }
            let (left, right) = (query.children(ours), candidate.children(theirs));
            self.matched.clear();
            if left.is_empty() || right.is_empty() {
                continue;
            }
            if left.len() > 1 || right.len() > 1 {
                if is_free(ours, theirs, left, right) {
                    self.assign(left, right, width);
                    self.matched
                        .extend(self.cells.iter().map(|&(_, i, j)| (left[i as usize], right[j as usize])));
                    self.cells.sort_unstable_by_key(|&(_, i, _)| i);
                    let moved = self.cells.windows(2).filter(|two| two[0].2 > two[1].2).count();
                    self.alignment.moved += moved as u32;
                    self.absorb(query, candidate, left, right);
                } else {
                    self.trace_in_order(left, right, width);
                }
            } else {
                self.matched.push((left[0], right[0]));
            }
            self.work.append(&mut self.matched);
        }
        self.alignment.credit = (credit - self.weights.moved * self.alignment.moved as f32).max(0.0);
    }

    /// Lets a wildcard among free operands take in those that are left over: `?+x` stands for `a+b+x`.
    fn absorb(&mut self, query: &Nodes, candidate: &Nodes, left: &[u32], right: &[u32]) {
        let wild = |&one: &u32| matches!(query.all()[one as usize].kind, Kind::Wildcard | Kind::AnyWildcard);
        if right.len() <= left.len() || !left.iter().any(wild) {
            return;
        }
        for &other in right {
            if !self.matched.iter().any(|&(_, matched)| matched == other) {
                let node = &candidate.all()[other as usize];
                self.alignment.swallowed += node.total;
                self.alignment.absorbed += node.size as usize;
            }
        }
    }

    /// The pairs of the best alignment of two lists in order, into `matched`.
    fn trace_in_order(&mut self, left: &[u32], right: &[u32], width: usize) {
        let columns = right.len() + 1;
        self.row.clear();
        self.row.resize((left.len() + 1) * columns, 0.0);
        let cell = |i: usize, j: usize| i * columns + j;
        for (i, &one) in left.iter().enumerate() {
            for (j, &other) in right.iter().enumerate() {
                let matched = self.row[cell(i, j)] + self.best[one as usize * width + other as usize];
                self.row[cell(i + 1, j + 1)] =
                    matched.max(self.row[cell(i, j + 1)]).max(self.row[cell(i + 1, j)]);
            }
        }
        let (mut i, mut j) = (left.len(), right.len());
        while i > 0 && j > 0 {
            let here = self.row[cell(i, j)];
            let credit = self.best[left[i - 1] as usize * width + right[j - 1] as usize];
            if here <= self.row[cell(i - 1, j - 1)] + credit {
                self.matched.push((left[i - 1], right[j - 1]));
                (i, j) = (i - 1, j - 1);
            } else if here <= self.row[cell(i - 1, j)] {
                i -= 1;
            } else {
                j -= 1;
            }
        }
    }
}

fn is_free(ours: &Node, theirs: &Node, left: &[u32], right: &[u32]) -> bool {
    (ours.order == Order::Free || theirs.order == Order::Free)
        && left.len() <= MAX_FREE
        && right.len() <= MAX_FREE
}
