//! Does a formula stand whole inside another?
//!
//! Both are operator trees in which notation is evened out. The query stands in a candidate if some node of the
//! candidate is the query's root with everything below it, or if the query's operands are a run among the operands
//! of one sum, product, chain of relations or list. Letters, numbers, signs and operators are the same; a wildcard
//! stands for anything, in sums and products also for several operands, and for the same thing wherever it has the
//! same name. Under [`Letters::Any`] the letters of the query may be renamed, different ones differently.
//!
//! The search is bounded. A pair of formulas that exhausts it is [`Containment::Undecided`], and the caller
//! decides what that means.

use super::node::{Class, Kind, Node, Nodes, Order};
use super::prepared::{Letters, Prepared};
use xxhash_rust::xxh3::xxh3_64;

/// Pairs of nodes that are looked at before the search gives up.
const MOST_STEPS: u32 = 20_000;
/// More operands than this are not put into every order.
const MOST_FREE: usize = 64;

/// Whether a formula holds all of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Containment {
    /// All of it, as one part, in whatever notation; wildcards stand for anything.
    Whole,
    /// Some of it, or nothing.
    Part,
    /// The search ended before it was decided.
    Undecided,
}

/// Whether all of the query stands in the candidate as one part.
#[must_use]
pub fn holds(query: &Prepared, candidate: &Prepared) -> Containment {
    let letters = query.letters;
    let (query, candidate) = (query.nodes(), candidate.nodes());
    let Some(root) = query.all().last() else { return Containment::Part };
    if query.len() > candidate.len() && !has_wildcard(query) {
        return Containment::Part;
    }
    let mut wild = vec![false; query.len()];
    for (place, node) in query.all().iter().enumerate() {
        let is_open = is_wildcard(node) || (letters == Letters::Any && node.kind == Kind::Letter);
        wild[place] = is_open || query.children(node).iter().any(|&child| wild[child as usize]);
    }
    let is_wild = wild[query.len() - 1];
    let mut search = Search {
        query,
        candidate,
        wild,
        letters,
        bindings: Vec::new(),
        names: Vec::new(),
        steps: MOST_STEPS,
        is_exhausted: false,
    };
    let root_place = query.len() as u32 - 1;
    let found = candidate.all().iter().enumerate().any(|(place, node)| {
        if is_wild {
            search.forget();
            search.solve(Some(&Goals { goal: Goal::Pair(root_place, place as u32), rest: None }))
                || search.run(root, node)
        } else {
            node.hash == root.hash || search.run(root, node)
        }
    });
    match (found, search.is_exhausted) {
        (true, _) => Containment::Whole,
        (false, false) => Containment::Part,
        (false, true) => Containment::Undecided,
    }
}

fn is_wildcard(node: &Node) -> bool {
    matches!(node.kind, Kind::Wildcard | Kind::AnyWildcard | Kind::FunctionWildcard)
}

/// A wildcard that is not applied to anything.
fn is_plain(node: &Node) -> bool {
    matches!(node.kind, Kind::Wildcard | Kind::AnyWildcard)
}

fn has_wildcard(nodes: &Nodes) -> bool {
    nodes.all().iter().any(is_wildcard)
}

/// What is still to be shown, the first first.
#[derive(Clone, Copy)]
struct Goals<'g> {
    goal: Goal<'g>,
    rest: Option<&'g Goals<'g>>,
}

#[derive(Clone, Copy)]
enum Goal<'g> {
    /// A node of the query is a node of the candidate.
    Pair(u32, u32),
    /// Nodes are the same, one by one.
    Each(&'g [u32], &'g [u32]),
    /// Operands are the same in their order, and wildcards take in one or more.
    Ordered(&'g [u32], &'g [u32], &'g Node),
    /// Operands in any order are dealt out to wildcards, at least one to each.
    Dealt(&'g [u32], &'g [u32], &'g Node),
    /// Operands are the same in any order; those of the candidate that have a bit are taken.
    Free { query: &'g [u32], candidate: &'g [u32], taken: u64, parent: &'g Node },
}

struct Search<'s> {
    query: &'s Nodes,
    candidate: &'s Nodes,
    /// Whether a node of the query may stand for another, or has one below that may.
    wild: Vec<bool>,
    letters: Letters,
    /// What wildcards stand for.
    bindings: Vec<(u64, u64)>,
    /// What letters stand for.
    names: Vec<(u64, u64)>,
    steps: u32,
    /// Whether a step was not taken.
    is_exhausted: bool,
}

impl Search<'_> {
    fn forget(&mut self) {
        self.bindings.clear();
        self.names.clear();
    }

    /// Whether the operands of the query's root are a run among those of a node.
    fn run(&mut self, root: &Node, node: &Node) -> bool {
        let (ours, theirs) = (self.query.children(root), self.candidate.children(node));
        if ours.len() < 2 || ours.len() >= theirs.len() || !are_runs(root, ours.len(), node, theirs.len()) {
            return false;
        }
        theirs.windows(ours.len()).any(|window| {
            self.forget();
            let goal = match root.order {
                Order::Free if ours.len() <= MOST_FREE => {
                    Goal::Free { query: ours, candidate: window, taken: 0, parent: node }
                }
                _ => Goal::Each(ours, window),
            };
            self.solve(Some(&Goals { goal, rest: None }))
        })
    }

    fn solve(&mut self, goals: Option<&Goals<'_>>) -> bool {
        let Some(&Goals { goal, rest }) = goals else { return true };
        if self.steps == 0 {
            self.is_exhausted = true;
            return false;
        }
        self.steps -= 1;
        match goal {
            Goal::Pair(ours, theirs) => self.pair(ours, theirs, rest),
            Goal::Each(ours, theirs) => match (ours, theirs) {
                ([], []) => self.solve(rest),
                ([first, ours @ ..], [their_first, theirs @ ..]) => {
                    let others = Goals { goal: Goal::Each(ours, theirs), rest };
                    let goal = Goal::Pair(*first, *their_first);
                    self.solve(Some(&Goals { goal, rest: Some(&others) }))
                }
                _ => false,
            },
            Goal::Ordered(ours, theirs, parent) => self.ordered(ours, theirs, parent, rest),
            Goal::Dealt(ours, theirs, parent) => self.dealt(ours, theirs, parent, rest),
            Goal::Free { query, candidate, taken, parent } => {
                self.free(query, candidate, taken, parent, rest)
            }
        }
    }

    fn pair(&mut self, ours: u32, theirs: u32, rest: Option<&Goals<'_>>) -> bool {
        let (query, candidate) = (self.query, self.candidate);
        let (our, their) = (&query.all()[ours as usize], &candidate.all()[theirs as usize]);
        if is_plain(our) {
            return self.bind(our, their.hash, rest);
        }
        if !self.wild[ours as usize] {
            return our.hash == their.hash && self.solve(rest);
        }
        let (our_children, their_children) = (query.children(our), candidate.children(their));
        if our.kind == Kind::FunctionWildcard {
            let is_function =
                matches!(their.kind, Kind::Letter | Kind::Function) && !their_children.is_empty();
            let each = Goals { goal: Goal::Each(our_children, their_children), rest };
            return is_function && self.bind(our, their.symbol, Some(&each));
        }
        if self.letters == Letters::Any && our.kind == Kind::Letter {
            let each = Goals { goal: Goal::Each(our_children, their_children), rest };
            return their.kind == Kind::Letter && self.rename(our.symbol, their.symbol, Some(&each));
        }
        if our.symbol != their.symbol {
            return false;
        }
        let takes_several = matches!(our.class, Class::Sum | Class::Product);
        let goal = match our.order {
            Order::Free if their_children.len() <= MOST_FREE => {
                Goal::Free { query: our_children, candidate: their_children, taken: 0, parent: their }
            }
            _ if takes_several => Goal::Ordered(our_children, their_children, their),
            _ => Goal::Each(our_children, their_children),
        };
        self.solve(Some(&Goals { goal, rest }))
    }

    /// Lets a wildcard stand for something and goes on; it stands for nothing else anywhere.
    fn bind(&mut self, wildcard: &Node, value: u64, rest: Option<&Goals<'_>>) -> bool {
        if wildcard.kind == Kind::AnyWildcard {
            return self.solve(rest);
        }
        if let Some((_, known)) = self.bindings.iter().find(|(name, _)| *name == wildcard.symbol) {
            return *known == value && self.solve(rest);
        }
        let before = self.bindings.len();
        self.bindings.push((wildcard.symbol, value));
        let solved = self.solve(rest);
        if !solved {
            self.bindings.truncate(before);
        }
        solved
    }

    /// Lets a letter stand for another and goes on; no other letter stands for that one.
    fn rename(&mut self, ours: u64, theirs: u64, rest: Option<&Goals<'_>>) -> bool {
        if let Some(known) = self.names.iter().find(|name| name.0 == ours || name.1 == theirs) {
            return *known == (ours, theirs) && self.solve(rest);
        }
        let before = self.names.len();
        self.names.push((ours, theirs));
        let solved = self.solve(rest);
        if !solved {
            self.names.truncate(before);
        }
        solved
    }

    fn ordered(&mut self, ours: &[u32], theirs: &[u32], parent: &Node, rest: Option<&Goals<'_>>) -> bool {
        let Some((&first, others)) = ours.split_first() else { return theirs.is_empty() && self.solve(rest) };
        if theirs.len() < ours.len() {
            return false;
        }
        let node = self.query.all()[first as usize];
        let most = if is_plain(&node) { theirs.len() - others.len() } else { 1 };
        (1..=most).any(|length| {
            let (taken, left) = theirs.split_at(length);
            let after = Goals { goal: Goal::Ordered(others, left, parent), rest };
            if is_plain(&node) {
                let value = self.candidate.run_hash(parent, taken);
                self.bind(&node, value, Some(&after))
            } else {
                self.solve(Some(&Goals { goal: Goal::Pair(first, taken[0]), rest: Some(&after) }))
            }
        })
    }

    /// A wildcard takes one operand or the first few, the last all that are left.
    fn dealt(&mut self, ours: &[u32], theirs: &[u32], parent: &Node, rest: Option<&Goals<'_>>) -> bool {
        let Some((&first, others)) = ours.split_first() else { return theirs.is_empty() && self.solve(rest) };
        let Some(more) = theirs.len().checked_sub(ours.len()) else { return false };
        let node = self.query.all()[first as usize];
        if others.is_empty() {
            let value = self.candidate.run_hash(parent, theirs);
            return self.bind(&node, value, rest);
        }
        let one = (0..theirs.len()).map(|place| place..place + 1);
        let few = (2..=more + 1).map(|length| 0..length);
        one.chain(few).any(|taken| {
            let value = self.candidate.run_hash(parent, &theirs[taken.clone()]);
            let left: Vec<u32> = [&theirs[..taken.start], &theirs[taken.end..]].concat();
            let after = Goals { goal: Goal::Dealt(others, &left, parent), rest };
            self.bind(&node, value, Some(&after))
        })
    }

    /// Pairs every operand except wildcards with one of the candidate's, and leaves the rest to the wildcards.
    fn free(
        &mut self,
        ours: &[u32],
        theirs: &[u32],
        taken: u64,
        parent: &Node,
        rest: Option<&Goals<'_>>,
    ) -> bool {
        let query = self.query;
        let wildcards = ours.iter().filter(|&&child| is_plain(&query.all()[child as usize]));
        let wildcards: Vec<u32> = wildcards.copied().collect();
        // Operands already dealt with are those at the front of the others.
        let done = taken.count_ones() as usize;
        let others: Vec<u32> =
            ours.iter().copied().filter(|&child| !is_plain(&query.all()[child as usize])).collect();
        let Some(&next) = others.get(done) else {
            let left: Vec<u32> =
                (0..).zip(theirs).filter(|(bit, _)| taken >> bit & 1 == 0).map(|(_, &child)| child).collect();
            return match (wildcards.is_empty(), left.is_empty()) {
                (true, true) => self.solve(rest),
                (false, false) => {
                    self.solve(Some(&Goals { goal: Goal::Dealt(&wildcards, &left, parent), rest }))
                }
                _ => false,
            };
        };
        if theirs.len() < ours.len() {
            return false;
        }
        (0..theirs.len()).any(|bit| {
            if taken >> bit & 1 == 1 {
                return false;
            }
            let goal = Goal::Free { query: ours, candidate: theirs, taken: taken | 1 << bit, parent };
            let after = Goals { goal, rest };
            self.solve(Some(&Goals { goal: Goal::Pair(next, theirs[bit]), rest: Some(&after) }))
        })
    }
}

/// Whether operands of the first node may be a run among those of the second.
fn are_runs(root: &Node, length: usize, node: &Node, node_length: usize) -> bool {
    let is_list = |node: &Node, length: usize| node.symbol == xxh3_64(format!("M!L-{length}").as_bytes());
    match root.class {
        Class::Sum | Class::Product | Class::Sequence => root.symbol == node.symbol,
        Class::Container => is_list(root, length) && is_list(node, node_length),
        _ => false,
    }
}
