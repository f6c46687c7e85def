//! The features by which the labs' learned rankers compare two formulas: alignments, edit distances and tuples in
//! common, of layout and of operator trees.
//!
//! Formulas are [`TreesRead`] once; a [`TreePairs`] computes any of the [`FEATURES`] of two of them. All are
//! better the higher, and 0 where a tree is not there. A tuple counts if the other side has it at all:
//! `2PR / (P + R + 1)` of the share of the candidate's tuples that the query has and the other way round.

use super::edit::{Costs, EditDistance, EditTree, Labels, kind_of};
use super::tangent_s::{Aligner, Prepared, Scores};
use crate::features::pairs::Pair;
use crate::features::{PairExtractor, PairOptions};
use crate::opt::Opt;
use crate::slt::Slt;

/// Which of the trees of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Trees {
    /// Layout trees.
    Layout,
    /// Operator trees as the labs make them.
    Operators,
}

/// Whether names of symbols count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Names {
    /// They do.
    Kept,
    /// The kind of a symbol counts alone.
    Kinds,
}

/// What is computed of a pair of trees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Tangent-S: the largest part of the query that the candidate holds.
    Mss,
    /// Tangent-S: the share of the candidate that it covers.
    Precision,
    /// Tangent-S: the share of the query found without other names.
    Recall,
    /// The share of both trees that editing keeps, with the labs' costs.
    Edit(Names),
    /// The same with costs of a tenth each.
    EditUnit(Names),
    /// Tuples in common.
    Tuples(Names),
}

/// A feature of two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// What files and people call it.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// The trees that it compares.
    pub trees: Trees,
    /// How it compares them.
    pub kind: Kind,
}

const fn feature(name: &'static str, about: &'static str, trees: Trees, kind: Kind) -> Feature {
    Feature { name, about, trees, kind }
}

/// All features.
pub const FEATURES: [Feature; 18] = [
    feature("mss-slt", "Tangent-S, largest common part of layout trees", Trees::Layout, Kind::Mss),
    feature(
        "precision-slt",
        "Tangent-S, share of the candidate's layout found",
        Trees::Layout,
        Kind::Precision,
    ),
    feature(
        "recall-slt",
        "Tangent-S, share of the query's layout found exactly",
        Trees::Layout,
        Kind::Recall,
    ),
    feature("mss-opt", "Tangent-S, largest common part of operator trees", Trees::Operators, Kind::Mss),
    feature(
        "precision-opt",
        "Tangent-S, share of the candidate's operators found",
        Trees::Operators,
        Kind::Precision,
    ),
    feature(
        "recall-opt",
        "Tangent-S, share of the query's operators found exactly",
        Trees::Operators,
        Kind::Recall,
    ),
    feature("edit-slt", "share of layout trees that editing keeps", Trees::Layout, Kind::Edit(Names::Kept)),
    feature(
        "edit-opt",
        "share of operator trees that editing keeps",
        Trees::Operators,
        Kind::Edit(Names::Kept),
    ),
    feature("edit-unit-slt", "the same with equal costs, layout", Trees::Layout, Kind::EditUnit(Names::Kept)),
    feature(
        "edit-unit-opt",
        "the same with equal costs, operators",
        Trees::Operators,
        Kind::EditUnit(Names::Kept),
    ),
    feature(
        "edit-kinds-slt",
        "share of layout trees kept, kinds of symbols alone",
        Trees::Layout,
        Kind::Edit(Names::Kinds),
    ),
    feature(
        "edit-kinds-opt",
        "share of operator trees kept, kinds of symbols alone",
        Trees::Operators,
        Kind::Edit(Names::Kinds),
    ),
    feature(
        "edit-unit-kinds-slt",
        "the same with equal costs, layout",
        Trees::Layout,
        Kind::EditUnit(Names::Kinds),
    ),
    feature(
        "edit-unit-kinds-opt",
        "the same with equal costs, operators",
        Trees::Operators,
        Kind::EditUnit(Names::Kinds),
    ),
    feature("tuples-slt", "tuples of layout trees in common", Trees::Layout, Kind::Tuples(Names::Kept)),
    feature("tuples-opt", "tuples of operator trees in common", Trees::Operators, Kind::Tuples(Names::Kept)),
    feature(
        "tuples-kinds-slt",
        "tuples of layout trees in common, kinds of symbols alone",
        Trees::Layout,
        Kind::Tuples(Names::Kinds),
    ),
    feature(
        "tuples-kinds-opt",
        "tuples of operator trees in common, kinds of symbols alone",
        Trees::Operators,
        Kind::Tuples(Names::Kinds),
    ),
];

impl Feature {
    /// The feature of a name.
    ///
    /// ```
    /// use formula::similarity::tree_pairs::Feature;
    ///
    /// assert_eq!(Feature::named("edit-slt").map(|feature| feature.name), Some("edit-slt"));
    /// assert!(Feature::named("nothing").is_none());
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        FEATURES.iter().find(|feature| feature.name == name)
    }
}

/// A tree in every form that features need.
#[derive(Clone, Debug, Default)]
struct TreeRead {
    aligned: Prepared,
    /// With names, and kinds alone.
    edited: [EditTree; 2],
    /// Hashes of tuples, sorted: with names, and kinds alone.
    tuples: [Vec<u64>; 2],
}

/// The trees of a formula, prepared.
#[derive(Clone, Debug, Default)]
pub struct TreesRead {
    layout: Option<TreeRead>,
    operators: Option<TreeRead>,
}

impl TreesRead {
    /// Whether there is such a tree.
    #[must_use]
    pub fn has(&self, trees: Trees) -> bool {
        match trees {
            Trees::Layout => self.layout.is_some(),
            Trees::Operators => self.operators.is_some(),
        }
    }
}

/// Computes features of pairs of formulas; keeps its memory.
///
/// ```
/// use formula::opt::Opt;
/// use formula::similarity::tree_pairs::{Feature, TreePairs};
/// use formula::slt::Slt;
///
/// let mut pairs = TreePairs::default();
/// let slts = [Slt::read("[V!x,a[N!2]]")?, Slt::read("[V!y,a[N!2]]")?];
/// let [query, candidate] = slts.map(|slt| pairs.read(Some(&slt), None));
/// let edit = Feature::named("edit-slt").expect("there is one");
/// assert_eq!(pairs.value(edit, &query, &candidate), 0.9);
/// # Ok::<(), formula::slt::SltError>(())
/// ```
#[derive(Debug)]
pub struct TreePairs {
    aligner: Aligner,
    editor: EditDistance,
    extractor: PairExtractor,
}

impl Default for TreePairs {
    fn default() -> Self {
        let extractor = PairExtractor::new(PairOptions::TANGENT_CFT);
        Self { aligner: Aligner::default(), editor: EditDistance::default(), extractor }
    }
}

impl TreePairs {
    /// Prepares the trees of a formula, those that there are.
    pub fn read(&mut self, layout: Option<&Slt>, operators: Option<&Opt>) -> TreesRead {
        let layout = layout.map(|slt| {
            let edited = [Labels::Tags, Labels::Types].map(|labels| EditTree::slt(slt, labels));
            let mut tuples = [Vec::new(), Vec::new()];
            self.extractor.slt(slt, |pair| push(&mut tuples, &pair));
            tuples.iter_mut().for_each(|tuples| tuples.sort_unstable());
            TreeRead { aligned: Prepared::from(slt), edited, tuples }
        });
        let operators = operators.map(|opt| {
            let edited = [Labels::Tags, Labels::Types].map(|labels| EditTree::opt(opt, labels));
            let mut tuples = [Vec::new(), Vec::new()];
            self.extractor.opt(opt, |pair| push(&mut tuples, &pair));
            tuples.iter_mut().for_each(|tuples| tuples.sort_unstable());
            TreeRead { aligned: Prepared::from(opt), edited, tuples }
        });
        TreesRead { layout, operators }
    }

    /// One feature of two formulas.
    pub fn value(&mut self, feature: &Feature, query: &TreesRead, candidate: &TreesRead) -> f64 {
        let mut values = Vec::with_capacity(1);
        self.values(&[feature], query, candidate, &mut values);
        values.first().copied().unwrap_or(0.0)
    }

    /// Appends some features of two formulas, in their order. Each pair of trees is aligned once at most.
    pub fn values(
        &mut self,
        features: &[&Feature],
        query: &TreesRead,
        candidate: &TreesRead,
        out: &mut Vec<f64>,
    ) {
        let mut aligned: [Option<Scores>; 2] = [None, None];
        for feature in features {
            let (ours, theirs, place) = match feature.trees {
                Trees::Layout => (&query.layout, &candidate.layout, 0),
                Trees::Operators => (&query.operators, &candidate.operators, 1),
            };
            let (Some(ours), Some(theirs)) = (ours, theirs) else {
                out.push(0.0);
                continue;
            };
            let mut scores = |aligner: &mut Aligner| {
                *aligned[place].get_or_insert_with(|| aligner.align(&ours.aligned, &theirs.aligned).scores)
            };
            let costs = match feature.trees {
                Trees::Layout => Costs::SLT,
                Trees::Operators => Costs::OPT,
            };
            out.push(match feature.kind {
                Kind::Mss => scores(&mut self.aligner).mss,
                Kind::Precision => scores(&mut self.aligner).precision,
                Kind::Recall => scores(&mut self.aligner).recall,
                Kind::Edit(names) => self.edit(ours, theirs, names, costs),
                Kind::EditUnit(names) => self.edit(ours, theirs, names, Costs::tenths(1, 1, 1)),
                Kind::Tuples(names) => {
                    tuples_in_common(&ours.tuples[names as usize], &theirs.tuples[names as usize])
                }
            });
        }
    }

    fn edit(&mut self, query: &TreeRead, candidate: &TreeRead, names: Names, costs: Costs) -> f64 {
        let (query, candidate) = (&query.edited[names as usize], &candidate.edited[names as usize]);
        self.editor.distance(query, candidate, costs).share_kept(query, candidate)
    }
}

/// Adds a tuple with its names and without.
fn push(tuples: &mut [Vec<u64>; 2], pair: &Pair<'_>) {
    tuples[0].push(pair.hash());
    tuples[1].push(Pair::new(kind_of(pair.ancestor), kind_of(pair.descendant), pair.path).hash());
}

/// How much two sorted lists have in common: `2PR / (P + R + 1)` of the shares of each that the other has, where a
/// repeated item counts each time.
fn tuples_in_common(query: &[u64], candidate: &[u64]) -> f64 {
    let share = |of: &[u64], among: &[u64]| {
        let found = of.iter().filter(|item| among.binary_search(item).is_ok()).count();
        if of.is_empty() { 0.0 } else { found as f64 / of.len() as f64 }
    };
    in_both(share(candidate, query), share(query, candidate))
}

fn in_both(precision: f64, recall: f64) -> f64 {
    2.0 * precision * recall / (precision + recall + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_combined_as_the_labs_do() {
        assert!((in_both(0.5, 0.8) - 0.347_826).abs() < 1e-6);
        assert_eq!((in_both(1.0, 1.0), in_both(0.0, 1.0)), (2.0 / 3.0, 0.0));
        // Two of four of the candidate's are in the query, and two of three of the query's.
        assert!((tuples_in_common(&[1, 1, 9], &[1, 2, 1, 3]) - in_both(0.5, 2.0 / 3.0)).abs() < 1e-12);
        assert_eq!(tuples_in_common(&[], &[]), 0.0);
    }

    #[test]
    fn every_feature_is_known_by_its_name_and_compares() {
        let mut pairs = TreePairs::default();
        let slt = |text| Slt::read(text).unwrap();
        let opt = |text| Opt::read(text).unwrap();
        let query = pairs.read(Some(&slt("[V!x,a[N!2]]")), Some(&opt("[O!SUP,0[V!x],1[N!2]]")));
        let other = pairs.read(Some(&slt("[V!y,a[N!2]]")), Some(&opt("[O!SUP,0[V!y],1[N!2]]")));
        let all: Vec<&Feature> = FEATURES.iter().collect();
        let value = |pairs: &mut TreePairs, name: &str, candidate: &TreesRead| {
            pairs.value(Feature::named(name).unwrap(), &query, candidate)
        };
        for (name, expected) in [
            ("mss-slt", 1.0),
            ("recall-slt", 0.5),
            ("precision-opt", 1.0),
            ("edit-slt", 0.9),
            ("edit-opt", 1.0 - 0.2 / 6.0),
            ("edit-unit-slt", 1.0 - 0.1 / 4.0),
            ("edit-kinds-slt", 1.0),
            ("edit-unit-kinds-opt", 1.0),
            // Of three tuples one is the same: the end behind the exponent.
            ("tuples-slt", in_both(1.0 / 3.0, 1.0 / 3.0)),
            ("tuples-kinds-slt", 2.0 / 3.0),
        ] {
            assert!((value(&mut pairs, name, &other) - expected).abs() < 1e-12, "{name}");
        }
        let mut same = Vec::new();
        pairs.values(&all, &query, &query, &mut same);
        let one_by_one: Vec<f64> =
            all.iter().map(|feature| value(&mut pairs, feature.name, &query)).collect();
        assert_eq!(same, one_by_one);
        assert!(same.iter().all(|value| *value == 1.0 || *value == 2.0 / 3.0), "{same:?}");
        // What has no layout tree has no features of one.
        let operators = pairs.read(None, Some(&opt("[V!x]")));
        assert_eq!(value(&mut pairs, "edit-slt", &operators), 0.0);
        assert!(value(&mut pairs, "edit-opt", &operators) > 0.0);
    }
}
