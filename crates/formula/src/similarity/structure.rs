//! approach0's scores: how much structure two formulas share, and how many symbols in it are the same.
//!
//! A node of the query and a node of the document are compared by the paths from
//! leaves that end at them; rare paths count more. The best pair of nodes wins.
//! Then symbols of leaves on common paths are matched greedily, frequent ones
//! first. See [`crate::features::paths`] for paths and what they know of symbols.
//!
//! A wildcard of the query is matched by any leaves that reach the same root by
//! the same last steps; it shares as many of them as it has itself, and no
//! symbol. What its path is worth is not known of approach0: here as much as the
//! query's commonest other path.
//!
//! The work is the number of pairs of roots that share a path, which the bounds
//! of paths limit.

use crate::features::paths::{Path, PathNode, Paths, Split};
use std::collections::{BTreeMap, HashMap};

/// What two symbols on a common path are worth: the same in the same place, the same, different.
const SAME_PLACE: f64 = 1.0;
const SAME_SYMBOL: f64 = 0.94;
const OTHER_SYMBOL: f64 = 0.90;

/// The penalty for long formulas in approach0's engine; several ARQMath experiments had 0.3.
pub const LENGTH_PENALTY: f64 = 0.2;

/// The best match of a query in a document's formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StructureMatch {
    /// Where the query matches.
    pub query_root: PathNode,
    /// Where the document matches.
    pub document_root: PathNode,
    /// How much structure is shared: the widths of common paths, weighed.
    pub structure: f64,
    /// How many of the query's symbols below its root are the same, from 0 to 1.
    pub symbols: f64,
}

impl StructureMatch {
    /// The score of a formula with this many leaves, with a penalty for its length from 0 (none) to 1.
    #[must_use]
    pub fn score(&self, leaves: usize, penalty: f64) -> f64 {
        self.structure * symbol_factor(self.symbols) * length_factor(leaves, penalty)
    }
}

/// What is left of a structure score when so many of its symbols are the same: from one half to all.
#[must_use]
pub fn symbol_factor(symbols: f64) -> f64 {
    1.0 / (1.0 + (1.0 - symbols).powi(2))
}

/// What is left of a score when a formula has so many leaves.
#[must_use]
pub fn length_factor(leaves: usize, penalty: f64) -> f64 {
    // A formula without leaves matches nothing; one keeps the logarithm away from zero.
    (1.0 - penalty) + penalty / (1.0 + leaves.max(1) as f64).ln()
}

/// The inverse frequency of a path: `total` entries of paths and roots in an index, `frequency` of this path.
#[must_use]
pub fn inverse_path_frequency(total: u64, frequency: u64) -> f64 {
    if total == 0 {
        return 0.0;
    }
    (total as f64 / frequency.max(1) as f64).ln()
}

/// Finds where a query matches a document's formula best; `None` if no path is common. `weight` is what a path
/// counts, by its hash (see [`inverse_path_frequency`]). Of equal matches the first in both formulas is taken.
///
/// ```
/// use formula::features::paths::Paths;
/// use formula::features::{PathExtractor, PathOptions};
/// use formula::similarity::structure::best_match;
/// use formula::slt::Slt;
///
/// let mut extractor = PathExtractor::new(PathOptions::default());
/// let [mut query, mut document] = [Paths::default(), Paths::default()];
/// extractor.slt(&Slt::read("[V!x[+[V!y]]]")?, &mut query);
/// extractor.slt(&Slt::read("[V!x[+[V!z]]]")?, &mut document);
/// let found = best_match(&query, &document, |_| 1.0).unwrap();
/// assert_eq!((found.structure, found.symbols), (2.0, 0.95));
/// # Ok::<(), formula::slt::SltError>(())
/// ```
#[must_use]
pub fn best_match(query: &Paths, document: &Paths, weight: impl Fn(u64) -> f64) -> Option<StructureMatch> {
    let mut scores: HashMap<(PathNode, PathNode), f64, foldhash::fast::FixedState> = HashMap::default();
    let mut last = None;
    let mut score = 0.0;
    let any = |_: &Path<'_>| true;
    common((query, &any), (document, &any), |ours, theirs| {
        if last != Some(ours.hash()) {
            (last, score) = (Some(ours.hash()), weight(ours.hash()));
        }
        let shared = f64::from(ours.width().min(theirs.width()));
        *scores.entry((ours.root(), theirs.root())).or_insert(0.0) += shared * score;
    });
    if query.iter().any(|path| path.is_wild()) {
        let others = query.iter().filter(|path| !path.is_wild()).map(|path| weight(path.hash()));
        let least = others.fold(f64::INFINITY, f64::min);
        let score = if least.is_finite() { least } else { 1.0 };
        for (roots, shared) in wild(query, document) {
            *scores.entry(roots).or_insert(0.0) += shared * score;
        }
    }
    let better = |a: &((PathNode, PathNode), f64), b: &((PathNode, PathNode), f64)| {
        a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))
    };
    let (roots, structure) = scores.into_iter().max_by(better)?;
    let symbols = symbol_similarity(query, document, roots);
    Some(StructureMatch { query_root: roots.0, document_root: roots.1, structure, symbols })
}

/// For each pair of roots, how many leaves match wildcards of the query.
fn wild(query: &Paths, document: &Paths) -> BTreeMap<(PathNode, PathNode), f64> {
    let mut shared = BTreeMap::new();
    for ours in query.iter().filter(Path::is_wild) {
        let above = &ours.steps()[1..];
        let mut widths: BTreeMap<PathNode, u32> = BTreeMap::new();
        // A leaf of its own, at least, stands where the wildcard does.
        let theirs = document.iter().filter(|path| path.steps().len() > above.len());
        for path in theirs.filter(|path| path.steps().ends_with(above)) {
            *widths.entry(path.root()).or_insert(0) += path.width();
        }
        for (root, width) in widths {
            *shared.entry((ours.root(), root)).or_insert(0.0) += f64::from(ours.width().min(width));
        }
    }
    shared
}

/// How many symbols are the same when two roots are laid on each other, from 0 to 1.
#[must_use]
pub fn symbol_similarity(query: &Paths, document: &Paths, roots: (PathNode, PathNode)) -> f64 {
    let mut total = 0;
    // The query's symbols in the order of their leaves, and how many leaves each has.
    let mut rows: Vec<(u64, u32)> = Vec::new();
    for path in query.iter().filter(|path| path.root() == roots.0 && !path.is_wild()) {
        total += path.width();
        for split in path.splits() {
            match rows.iter_mut().find(|(symbol, _)| *symbol == split.symbol) {
                Some((_, width)) => *width += split.width,
                None => rows.push((split.symbol, split.width)),
            }
        }
    }
    if total == 0 {
        return 0.0;
    }
    let mut cells: Vec<(u64, u64, f64)> = Vec::new();
    let ours_at = |path: &Path<'_>| path.root() == roots.0;
    let theirs_at = |path: &Path<'_>| path.root() == roots.1;
    common((query, &ours_at), (document, &theirs_at), |ours, theirs| {
        for our in ours.splits() {
            for their in theirs.splits() {
                let value = score(our, their) * f64::from(our.width.min(their.width));
                let place = cells.iter_mut().find(|(a, b, _)| (*a, *b) == (our.symbol, their.symbol));
                match place {
                    Some((_, _, sum)) => *sum += value,
                    None => cells.push((our.symbol, their.symbol, value)),
                }
            }
        }
    });
    rows.sort_by_key(|&(_, width)| std::cmp::Reverse(width));
    let mut used: Vec<u64> = Vec::new();
    let mut sum = 0.0;
    for (symbol, _) in rows {
        let row = cells.iter().filter(|(ours, theirs, _)| *ours == symbol && !used.contains(theirs));
        // The first of equal ones.
        let best = row.fold(None, |best: Option<&(u64, u64, f64)>, cell| match best {
            Some(best) if best.2 >= cell.2 => Some(best),
            _ => Some(cell),
        });
        if let Some(&(_, theirs, value)) = best {
            used.push(theirs);
            sum += value;
        }
    }
    (sum / f64::from(total)).min(1.0)
}

fn score(our: &Split, their: &Split) -> f64 {
    match (our.symbol == their.symbol, our.fingerprint == their.fingerprint) {
        (true, true) => SAME_PLACE,
        (true, false) => SAME_SYMBOL,
        _ => OTHER_SYMBOL,
    }
}

/// Paths, and which of them count.
type Chosen<'p, 'f> = (&'p Paths, &'f dyn Fn(&Path<'p>) -> bool);

/// Calls `visit` with each pair of entries of the same path.
fn common<'p>(query: Chosen<'p, '_>, document: Chosen<'p, '_>, mut visit: impl FnMut(Path<'p>, Path<'p>)) {
    let theirs: Vec<Path<'p>> = document.0.by_hash().filter(document.1).collect();
    let mut start = 0;
    for our in query.0.by_hash().filter(query.1) {
        while theirs.get(start).is_some_and(|their| their.hash() < our.hash()) {
            start += 1;
        }
        for &their in theirs[start..].iter().take_while(|their| their.hash() == our.hash()) {
            visit(our, their);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::{PathExtractor, PathOptions};
    use crate::slt::{Slt, from_latex};

    fn paths(latex: &str) -> Paths {
        let mut slt = Slt::default();
        from_latex(&latex::parse(latex).tree, &mut slt);
        let mut paths = Paths::default();
        PathExtractor::new(PathOptions::default()).slt(&slt, &mut paths);
        paths
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 5e-7, "{found} instead of {expected}");
    }

    #[test]
    fn the_worked_example() {
        let [query, document] = ["x+y", "x+z"].map(paths);
        // Only the path to the sum counts.
        let sum = query.iter().find(|path| path.to_string() == "VAR/BASE/HANGER/SIGN/ADD").unwrap().hash();
        let weight = |hash| if hash == sum { inverse_path_frequency(100, 1) } else { 0.0 };
        let found = best_match(&query, &document, weight).unwrap();
        close(found.structure, 9.210_340);
        close(found.symbols, 0.95);
        assert_eq!(document.leaves(), 2);
        close(found.score(document.leaves(), 0.2), 9.022_439);
    }

    #[test]
    fn factors_of_the_score() {
        for (leaves, fifth, third) in [
            (1, 1.0885, 1.1328),
            (2, 0.9820, 0.9731),
            (3, 0.9443, 0.9164),
            (5, 0.9116, 0.8674),
            (10, 0.8834, 0.8251),
            (64, 0.8479, 0.7719),
        ] {
            assert!((length_factor(leaves, 0.2) - fifth).abs() < 5e-5, "{leaves}");
            assert!((length_factor(leaves, 0.3) - third).abs() < 5e-5, "{leaves}");
        }
        let structure = 2.0 * inverse_path_frequency(100, 1) + inverse_path_frequency(100, 10);
        close(structure, 11.512_925);
        for (symbols, expected) in
            [(1.0, 10.871_304), (0.94, 10.832_308), (0.9, 10.763_668), (0.5, 8.697_044)]
        {
            close(structure * symbol_factor(symbols) * length_factor(3, 0.2), expected);
        }
    }

    #[test]
    fn a_formula_matches_itself_best() {
        let query = paths("x^2+y^2=z^2");
        let own = best_match(&query, &query, |_| 1.0).unwrap();
        assert_eq!((own.query_root, own.symbols), (own.document_root, 1.0));
        for other in ["a^2+b^2=c^2", "x^2+y^2", "x^2-y^2=z^2+1", r"\frac{x^2}{y^2}", "z"] {
            let document = paths(other);
            let found = best_match(&query, &document, |_| 1.0).unwrap();
            assert!(found.structure <= own.structure);
            assert!(found.score(6, 0.2) < own.score(6, 0.2), "{other}");
        }
        assert_eq!(best_match(&query, &paths(""), |_| 1.0), None);
        assert_eq!(best_match(&query, &Paths::default(), |_| 1.0), None);
    }

    #[test]
    fn the_same_symbol_elsewhere_is_worth_less() {
        // In both, x is below a sum; only in one is the sum below a root.
        let query = paths("x+1");
        let plain = best_match(&query, &paths("x+1"), |_| 1.0).unwrap();
        let below = best_match(&query, &paths(r"\sqrt{x+1}"), |_| 1.0).unwrap();
        close(plain.symbols, 1.0);
        close(below.symbols, 0.94);
    }

    #[test]
    fn a_wildcard_is_matched_by_what_reaches_the_same_root() {
        let query = |latex: &str| {
            let mut slt = Slt::default();
            from_latex(&latex::Reader::default().read(latex.as_bytes(), latex::Mode::Query).tree, &mut slt);
            let mut paths = Paths::default();
            let wildcards = crate::features::paths::WildcardPaths::Keep;
            PathExtractor::new(PathOptions { wildcards, ..PathOptions::default() }).slt(&slt, &mut paths);
            paths
        };
        let wild = query("?a+1");
        let score = |latex: &str| {
            best_match(&wild, &paths(latex), |_| 1.0).map(|found| (found.structure, found.symbols))
        };
        // The number and the wildcard, whatever that is; only the number's symbol counts.
        assert_eq!(score("x+1"), Some((2.0, 1.0)));
        assert_eq!(score("y^2+1"), Some((2.0, 1.0)));
        // No path of a fraction ends at a sum.
        assert_eq!(score(r"\frac{1}{x}"), None);
    }
}
