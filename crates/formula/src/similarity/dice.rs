//! How much two bags of features have in common: Dice, containment, cosine, with and without weights.
//!
//! A bag is a sorted slice of hashes with counts ([`Counted`]); it does not matter
//! what was hashed, so symbol pairs, tuples and paths are all compared here.
//! Everything is one merge of two sorted slices.
//!
//! Tangent-S's first stage is [`dice`] of symbol pairs, or [`WildcardQuery::dice`]
//! where a query has wildcards.

use std::cmp::Ordering;

/// A feature's hash and how often it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Counted {
    /// The hash.
    pub feature: u64,
    /// How often.
    pub count: u32,
}

/// Sorts and counts.
///
/// ```
/// use formula::similarity::dice::{count, dice};
///
/// let query = count([1, 2, 2, 3]);
/// let candidate = count([2, 3, 4]);
/// assert_eq!(dice(&query, &candidate), 4.0 / 7.0);
/// ```
#[must_use]
pub fn count(features: impl IntoIterator<Item = u64>) -> Vec<Counted> {
    let mut features: Vec<u64> = features.into_iter().collect();
    features.sort_unstable();
    features
        .chunk_by(|one, other| one == other)
        .map(|same| Counted { feature: same[0], count: same.len() as u32 })
        .collect()
}

/// How many features there are, each as often as it occurs.
#[must_use]
pub fn total(bag: &[Counted]) -> u64 {
    bag.iter().map(|item| u64::from(item.count)).sum()
}

/// Calls `visit` with the counts of every feature that both have. Both must be sorted, without repetitions.
fn common(one: &[Counted], other: &[Counted], mut visit: impl FnMut(u64, u32, u32)) {
    debug_assert!(one.is_sorted_by_key(|item| item.feature) && other.is_sorted_by_key(|item| item.feature));
    let (mut i, mut j) = (0, 0);
    while let (Some(ours), Some(theirs)) = (one.get(i), other.get(j)) {
        match ours.feature.cmp(&theirs.feature) {
            Ordering::Less => i += 1,
            Ordering::Greater => j += 1,
            Ordering::Equal => {
                visit(ours.feature, ours.count, theirs.count);
                i += 1;
                j += 1;
            }
        }
    }
}

/// How many features both have, each as often as both have it.
#[must_use]
pub fn intersection(one: &[Counted], other: &[Counted]) -> u64 {
    let mut sum = 0;
    common(one, other, |_, ours, theirs| sum += u64::from(ours.min(theirs)));
    sum
}

/// A share, zero of nothing.
fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// Twice what both have, divided by what they have together; 0 if both are empty.
#[must_use]
pub fn dice(one: &[Counted], other: &[Counted]) -> f64 {
    share(2.0 * intersection(one, other) as f64, (total(one) + total(other)) as f64)
}

/// The share of the query that the candidate holds.
#[must_use]
pub fn recall(query: &[Counted], candidate: &[Counted]) -> f64 {
    share(intersection(query, candidate) as f64, total(query) as f64)
}

/// The share of the candidate that the query holds.
#[must_use]
pub fn precision(query: &[Counted], candidate: &[Counted]) -> f64 {
    recall(candidate, query)
}

/// The share of the smaller one that the larger holds.
#[must_use]
pub fn overlap(one: &[Counted], other: &[Counted]) -> f64 {
    share(intersection(one, other) as f64, total(one).min(total(other)) as f64)
}

/// The cosine of the vectors of counts.
#[must_use]
pub fn cosine(one: &[Counted], other: &[Counted]) -> f64 {
    weighted_cosine(one, other, |_| 1.0)
}

/// [`dice`] where every feature counts as much as `weight` says, for example [`idf`].
#[must_use]
pub fn weighted_dice(one: &[Counted], other: &[Counted], weight: impl Fn(u64) -> f64) -> f64 {
    let whole = weighted_total(one, &weight) + weighted_total(other, &weight);
    share(2.0 * weighted_intersection(one, other, &weight), whole)
}

/// [`recall`] where every feature counts as much as `weight` says.
#[must_use]
pub fn weighted_recall(query: &[Counted], candidate: &[Counted], weight: impl Fn(u64) -> f64) -> f64 {
    share(weighted_intersection(query, candidate, &weight), weighted_total(query, &weight))
}

/// [`cosine`] where every count is multiplied by what `weight` says.
#[must_use]
pub fn weighted_cosine(one: &[Counted], other: &[Counted], weight: impl Fn(u64) -> f64) -> f64 {
    let component = |feature, count| weight(feature) * f64::from(count);
    let square =
        |bag: &[Counted]| -> f64 { bag.iter().map(|item| component(item.feature, item.count).powi(2)).sum() };
    let mut product = 0.0;
    common(one, other, |feature, ours, theirs| {
        product += component(feature, ours) * component(feature, theirs);
    });
    share(product, (square(one) * square(other)).sqrt()).min(1.0)
}

fn weighted_total(bag: &[Counted], weight: impl Fn(u64) -> f64) -> f64 {
    bag.iter().map(|item| weight(item.feature) * f64::from(item.count)).sum()
}

fn weighted_intersection(one: &[Counted], other: &[Counted], weight: impl Fn(u64) -> f64) -> f64 {
    let mut sum = 0.0;
    common(one, other, |feature, ours, theirs| sum += weight(feature) * f64::from(ours.min(theirs)));
    sum
}

/// How rare a feature is, for weights: `ln((N + 1) / (n + 0.5))`, above zero even for what all `formulas` have.
#[must_use]
pub fn idf(formulas: u64, with_feature: u64) -> f64 {
    ((formulas as f64 + 1.0) / (with_feature.min(formulas) as f64 + 0.5)).ln()
}

/// The sizes of candidates whose [`dice`] with a query of this size can reach `threshold`: safe to skip the rest.
/// `None` if no size can, since the threshold is above 1.
///
/// ```
/// use formula::similarity::dice::sizes_reaching;
///
/// assert_eq!(sizes_reaching(10, 0.5), Some(4..=30));
/// ```
#[must_use]
pub fn sizes_reaching(query: u64, threshold: f64) -> Option<std::ops::RangeInclusive<u64>> {
    if threshold > 1.0 {
        return None;
    }
    if threshold <= 0.0 {
        return Some(0..=u64::MAX);
    }
    // A little wider than exact, so that rounding never leaves one out.
    let least = query as f64 * threshold / (2.0 - threshold);
    let most = query as f64 * (2.0 - threshold) / threshold;
    Some((least - 1e-9).ceil().max(0.0) as u64..=(most + 1e-9).floor() as u64)
}

/// A symbol pair, taken apart far enough for wildcards: its own hash, and hashes without one of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PairHashes {
    /// Both symbols and the path.
    pub whole: u64,
    /// The descendant and the path: what is left when the ancestor is a wildcard.
    pub without_ancestor: u64,
    /// The ancestor and the path: what is left when the descendant is a wildcard.
    pub without_descendant: u64,
}

/// A pair of a query, by which of its ends are wildcards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueryPair {
    /// None; holds [`PairHashes::whole`].
    Exact(u64),
    /// The ancestor; holds [`PairHashes::without_ancestor`].
    AncestorWild(u64),
    /// The descendant; holds [`PairHashes::without_descendant`].
    DescendantWild(u64),
    /// Both: such pairs say nothing and are left out.
    BothWild,
}

/// A candidate's pairs, prepared for queries with wildcards.
#[derive(Clone, Debug, Default)]
pub struct WildcardCandidate {
    /// Sorted by `whole`.
    pairs: Vec<PairHashes>,
    /// The hash without ancestor and the pair's place in `pairs`, sorted; then the same without descendant.
    by_descendant: Vec<(u64, u32)>,
    by_ancestor: Vec<(u64, u32)>,
}

impl FromIterator<PairHashes> for WildcardCandidate {
    fn from_iter<I: IntoIterator<Item = PairHashes>>(pairs: I) -> Self {
        let mut pairs: Vec<PairHashes> = pairs.into_iter().collect();
        pairs.sort_unstable_by_key(|pair| pair.whole);
        let sorted = |hash: fn(&PairHashes) -> u64| {
            let mut hashes: Vec<(u64, u32)> = pairs.iter().map(hash).zip(0..).collect();
            hashes.sort_unstable();
            hashes
        };
        let by_descendant = sorted(|pair| pair.without_ancestor);
        let by_ancestor = sorted(|pair| pair.without_descendant);
        Self { pairs, by_descendant, by_ancestor }
    }
}

/// A query whose pairs may have wildcards, compared as Tangent-S's first stage does.
///
/// Exact pairs claim their matches first. Then every pair with one wildcard, wild ancestors before wild descendants,
/// claims one pair of the candidate that nothing has claimed yet and that has the same other symbol and path.
#[derive(Clone, Debug, Default)]
pub struct WildcardQuery {
    exact: Vec<u64>,
    ancestor_wild: Vec<u64>,
    descendant_wild: Vec<u64>,
    claimed: Vec<bool>,
}

impl FromIterator<QueryPair> for WildcardQuery {
    fn from_iter<I: IntoIterator<Item = QueryPair>>(pairs: I) -> Self {
        let mut query = Self::default();
        for pair in pairs {
            match pair {
                QueryPair::Exact(whole) => query.exact.push(whole),
                QueryPair::AncestorWild(rest) => query.ancestor_wild.push(rest),
                QueryPair::DescendantWild(rest) => query.descendant_wild.push(rest),
                QueryPair::BothWild => {}
            }
        }
        query.exact.sort_unstable();
        query.ancestor_wild.sort_unstable();
        query.descendant_wild.sort_unstable();
        query
    }
}

impl WildcardQuery {
    /// How many pairs count.
    #[must_use]
    pub fn len(&self) -> usize {
        self.exact.len() + self.ancestor_wild.len() + self.descendant_wild.len()
    }

    /// Whether no pair counts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many pairs of the query find one of the candidate for themselves.
    pub fn intersection(&mut self, candidate: &WildcardCandidate) -> usize {
        self.claimed.clear();
        self.claimed.resize(candidate.pairs.len(), false);
        let mut found = 0;
        let (mut i, mut j) = (0, 0);
        while let (Some(ours), Some(theirs)) = (self.exact.get(i), candidate.pairs.get(j)) {
            let order = ours.cmp(&theirs.whole);
            if order == Ordering::Equal {
                self.claimed[j] = true;
                found += 1;
            }
            i += usize::from(order != Ordering::Greater);
            j += usize::from(order != Ordering::Less);
        }
        for (wild, table) in
            [(&self.ancestor_wild, &candidate.by_descendant), (&self.descendant_wild, &candidate.by_ancestor)]
        {
            let mut rest = table.iter().peekable();
            for hash in wild {
                // What is passed over is claimed or too small for all that come.
                let passed = |(other, place): &&(u64, u32)| {
                    other < hash || other == hash && self.claimed[*place as usize]
                };
                while rest.next_if(passed).is_some() {}
                if let Some(&(_, place)) = rest.next_if(|(other, _)| other == hash) {
                    self.claimed[place as usize] = true;
                    found += 1;
                }
            }
        }
        found
    }

    /// Twice what was found, divided by the pairs of both.
    pub fn dice(&mut self, candidate: &WildcardCandidate) -> f64 {
        share(2.0 * self.intersection(candidate) as f64, (self.len() + candidate.pairs.len()) as f64)
    }

    /// The share of the query that was found.
    pub fn recall(&mut self, candidate: &WildcardCandidate) -> f64 {
        share(self.intersection(candidate) as f64, self.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slt::{Slt, SltId};
    use proptest::prelude::*;
    use xxhash_rust::xxh3::xxh3_64;

    /// Ancestor, descendant and path of every pair: four edges at most, ends of baselines in small trees.
    fn pairs(text: &str) -> Vec<[String; 3]> {
        let slt = Slt::read(text).unwrap();
        let depth = |id: SltId| std::iter::successors(slt.parent(id), |&id| slt.parent(id)).count();
        let small = slt.preorder().all(|id| depth(id) <= 1);
        let mut pairs = Vec::new();
        for id in slt.preorder() {
            let mut path = String::new();
            let mut at = id;
            while let Some(parent) = slt.parent(at).filter(|_| path.len() < 4) {
                path.insert(0, slt.edge(at).label());
                at = parent;
                pairs.push([slt.tag(at).to_owned(), slt.tag(id).to_owned(), path.clone()]);
            }
            if small && slt.next(id).is_none() {
                pairs.push([slt.tag(id).to_owned(), "0!".to_owned(), "n".to_owned()]);
            }
        }
        pairs
    }

    fn hash(parts: &[&String]) -> u64 {
        parts.iter().fold(0, |hash, part| xxh3_64(format!("{hash} {part}").as_bytes()))
    }

    fn wildcard_query(text: &str) -> WildcardQuery {
        let pair = |[above, below, path]: &[String; 3]| match (above.starts_with('?'), below.starts_with('?'))
        {
            (true, true) => QueryPair::BothWild,
            (true, false) => QueryPair::AncestorWild(hash(&[below, path])),
            (false, true) => QueryPair::DescendantWild(hash(&[above, path])),
            (false, false) => QueryPair::Exact(hash(&[above, below, path])),
        };
        pairs(text).iter().map(pair).collect()
    }

    fn wildcard_candidate(text: &str) -> WildcardCandidate {
        let hashes = |[above, below, path]: &[String; 3]| PairHashes {
            whole: hash(&[above, below, path]),
            without_ancestor: hash(&[below, path]),
            without_descendant: hash(&[above, path]),
        };
        pairs(text).iter().map(hashes).collect()
    }

    #[test]
    fn symbol_pairs() {
        for (query, candidate, expected) in [
            ("[V!x,a[N!2]]", "[V!x[+[N!1]],a[N!2]]", 2.0 / 7.0),
            ("[?x[+[V!b]]]", "[V!a[+[V!b]]]", 1.0),
            ("[?x[+[V!b]]]", "[V!a[-[V!b]]]", 1.0 / 3.0),
            // The end of a baseline may be a wildcard's.
            ("[V!a[+],a[?x]]", "[V!a[+],a[N!2]]", 1.0),
            // Only that end is left of two wildcards.
            ("[?x[?y]]", "[V!a[V!b]]", 2.0 / 3.0),
        ] {
            let got = wildcard_query(query).dice(&wildcard_candidate(candidate));
            assert!((got - expected).abs() < 1e-9, "{query} {candidate}: {got}, not {expected}");
            if !query.contains('?') {
                let bag = |text| count(pairs(text).iter().map(|[a, b, c]| hash(&[a, b, c])));
                assert_eq!(dice(&bag(query), &bag(candidate)), got);
            }
        }
    }

    #[test]
    fn wildcards_claim_a_pair_once() {
        let candidate: WildcardCandidate =
            [PairHashes { whole: 1, without_ancestor: 2, without_descendant: 3 }].into_iter().collect();
        for (query, expected) in [
            (&[QueryPair::AncestorWild(2), QueryPair::AncestorWild(2)][..], 1),
            (&[QueryPair::DescendantWild(3), QueryPair::AncestorWild(2)], 1),
            (&[QueryPair::AncestorWild(2), QueryPair::Exact(1)], 1),
            (&[QueryPair::AncestorWild(2), QueryPair::Exact(7)], 1),
            (&[QueryPair::AncestorWild(3), QueryPair::BothWild], 0),
            (&[], 0),
        ] {
            let mut query: WildcardQuery = query.iter().copied().collect();
            assert_eq!(query.intersection(&candidate), expected, "{query:?}");
        }
    }

    #[test]
    fn measures() {
        // 52 pairs inside 76.
        let (query, candidate) = (count(0..52), count(0..76));
        assert_eq!(dice(&query, &candidate), 0.8125);
        assert_eq!(recall(&query, &candidate), 1.0);
        assert_eq!(precision(&query, &candidate), 52.0 / 76.0);
        assert_eq!(overlap(&candidate, &query), 1.0);
        let (one, other) = (count([1, 1, 2]), count([1, 3]));
        assert_eq!(dice(&one, &other), 0.4);
        assert!((cosine(&one, &other) - 2.0 / 10f64.sqrt()).abs() < 1e-12);
        let weight = |feature| if feature == 1 { 3.0 } else { 1.0 };
        assert_eq!(weighted_dice(&one, &other, weight), 6.0 / 11.0);
        assert_eq!(weighted_recall(&one, &other, weight), 3.0 / 7.0);
        for empty in [dice(&[], &[]), cosine(&[], &one), recall(&[], &one), overlap(&[], &one)] {
            assert_eq!(empty, 0.0);
        }
        assert!(idf(10, 10) > 0.0 && idf(10, 1) > idf(10, 5));
    }

    proptest! {
        #[test]
        fn shares_agree_with_each_other(
            one in proptest::collection::vec(0..8u64, 0..12),
            other in proptest::collection::vec(0..8u64, 0..12),
        ) {
            let (a, b) = (count(one.iter().copied()), count(other.iter().copied()));
            for (forth, back) in [
                (dice(&a, &b), dice(&b, &a)),
                (cosine(&a, &b), cosine(&b, &a)),
                (overlap(&a, &b), overlap(&b, &a)),
                (weighted_dice(&a, &b, |_| 1.0), dice(&a, &b)),
                (weighted_recall(&a, &b, |_| 2.0), recall(&a, &b)),
            ] {
                prop_assert!((0.0..=1.0).contains(&forth));
                prop_assert!((forth - back).abs() < 1e-12);
            }
            let mut query: WildcardQuery = one.iter().map(|&whole| QueryPair::Exact(whole)).collect();
            let candidate: WildcardCandidate = other
                .iter()
                .map(|&whole| PairHashes { whole, without_ancestor: 0, without_descendant: 0 })
                .collect();
            prop_assert!((query.dice(&candidate) - dice(&a, &b)).abs() < 1e-12);
            let score = dice(&a, &b);
            if score > 0.0 {
                let sizes = sizes_reaching(one.len() as u64, score);
                prop_assert!(sizes.is_some_and(|sizes| sizes.contains(&(other.len() as u64))));
            }
        }
    }
}
