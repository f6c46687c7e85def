//! A better numbering from an old one, by the rule of ARQMath-3.

use super::{FormulaId, VisualId};
use crate::identity::Key;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

/// A formula in an old numbering.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// Which formula.
    pub formula: FormulaId,
    /// Its visual id so far.
    pub old: VisualId,
    /// Its key now.
    pub key: Key,
    /// Its relevance in judgments, 0 if it was not judged.
    pub relevance: u32,
}

/// What decides between parts of the same size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TieBreak {
    /// The sum of relevance over the part, as the labs' overview says.
    #[default]
    Cumulative,
    /// The highest relevance in the part, as the labs' code does.
    Maximum,
}

/// A formula that got another visual id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which formula.
    pub formula: FormulaId,
    /// What it was.
    pub old: VisualId,
    /// What it is now.
    pub new: VisualId,
}

/// A numbering repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reclustering {
    /// The visual id of each member, in the order given.
    pub ids: Vec<VisualId>,
    /// What is not as it was, in the order given.
    pub changes: Vec<Change>,
    /// In numbers.
    pub summary: Summary,
}

/// What happened, in numbers. Prints one line a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Formulas in all.
    pub formulas: usize,
    /// Visual ids before.
    pub clusters_before: usize,
    /// Visual ids after.
    pub clusters_after: usize,
    /// Old clusters that held several keys.
    pub split: usize,
    /// Parts of these that joined a visual id that had their key.
    pub parts_joined: usize,
    /// Parts of these that got a new visual id.
    pub parts_renumbered: usize,
    /// New visual ids.
    pub new_ids: usize,
    /// Formulas with another visual id than before.
    pub formulas_changed: usize,
    /// Keys that still have several visual ids, since each of these kept its own.
    pub keys_with_several_ids: usize,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "formulas\t{}", self.formulas)?;
        writeln!(f, "visual ids before\t{}", self.clusters_before)?;
        writeln!(f, "visual ids after\t{}", self.clusters_after)?;
        writeln!(f, "visual ids split\t{}", self.split)?;
        writeln!(f, "parts that joined another visual id\t{}", self.parts_joined)?;
        writeln!(f, "parts with a new visual id\t{}", self.parts_renumbered)?;
        writeln!(f, "new visual ids\t{}", self.new_ids)?;
        writeln!(f, "formulas with another visual id\t{}", self.formulas_changed)?;
        write!(f, "keys with several visual ids\t{}", self.keys_with_several_ids)
    }
}

/// The members of an old cluster that have the same key.
#[derive(Clone, Copy, Debug)]
struct Part {
    key: Key,
    size: usize,
    relevance: u64,
    lowest: FormulaId,
}

impl Part {
    /// What comes first keeps the visual id.
    fn rank(&self) -> impl Ord + use<> {
        (Reverse(self.size), Reverse(self.relevance), self.lowest, self.key)
    }
}

/// Repairs a numbering: within each visual id only one key may remain.
///
/// Of a cluster with several keys, the part with most formulas keeps the id; between equally large ones the
/// one with more relevance; then the one with the lowest formula id. Every other part joins the visual id
/// that has its key (the lowest, if several have), else gets a new one. New ids follow the highest old id and
/// are given to parts by old visual id, then in the order of the sentence above. Clusters with one key keep
/// their id even if another cluster has the same key: nothing is joined that was not split before.
///
/// # Panics
/// If the new ids pass the highest number of 64 bits.
///
/// ```
/// use formula::cluster::{FormulaId, Member, TieBreak, VisualId, recluster};
/// use formula::identity::Key;
///
/// let member = |formula, old, key| Member {
///     formula: FormulaId(formula),
///     old: VisualId(old),
///     key: Key::from_bits(key),
///     relevance: 0,
/// };
/// // Visual id 1 holds two looks; the larger part keeps it.
/// let result = recluster(&[member(10, 1, 7), member(11, 1, 8), member(12, 1, 7)], TieBreak::Cumulative);
/// assert_eq!(result.ids, [VisualId(1), VisualId(2), VisualId(1)]);
/// ```
#[must_use]
pub fn recluster(members: &[Member], tie_break: TieBreak) -> Reclustering {
    let clusters = parts(members, tie_break);
    let mut kept: HashMap<Key, VisualId> = HashMap::new();
    let mut keys_kept_twice = HashSet::new();
    for (&old, parts) in &clusters {
        let key = parts[0].key;
        // Clusters come in the order of their ids, so the lowest id of a key stays.
        if *kept.entry(key).or_insert(old) != old {
            keys_kept_twice.insert(key);
        }
    }
    let mut summary = Summary {
        formulas: members.len(),
        clusters_before: clusters.len(),
        clusters_after: clusters.len(),
        keys_with_several_ids: keys_kept_twice.len(),
        ..Summary::default()
    };
    let mut highest = clusters.keys().next_back().map_or(0, |id| id.0);
    let mut moved: HashMap<(VisualId, Key), VisualId> = HashMap::new();
    for (&old, parts) in &clusters {
        summary.split += usize::from(parts.len() > 1);
        for part in &parts[1..] {
            let new = match kept.get(&part.key) {
                Some(&id) => {
                    summary.parts_joined += usize::from(clusters.contains_key(&id));
                    summary.parts_renumbered += usize::from(!clusters.contains_key(&id));
                    id
                }
                None => {
                    highest = highest.checked_add(1).expect("visual ids fit in 64 bits");
                    summary.new_ids += 1;
                    summary.parts_renumbered += 1;
                    kept.insert(part.key, VisualId(highest));
                    VisualId(highest)
                }
            };
            moved.insert((old, part.key), new);
        }
    }
    summary.clusters_after += summary.new_ids;
    let ids: Vec<VisualId> = members
        .iter()
        .map(|member| moved.get(&(member.old, member.key)).copied().unwrap_or(member.old))
        .collect();
    let changes: Vec<Change> = members
        .iter()
        .zip(&ids)
        .filter(|(member, new)| member.old != **new)
        .map(|(member, &new)| Change { formula: member.formula, old: member.old, new })
        .collect();
    summary.formulas_changed = changes.len();
    Reclustering { ids, changes, summary }
}

/// The parts of every old cluster; the one that keeps the id comes first.
fn parts(members: &[Member], tie_break: TieBreak) -> BTreeMap<VisualId, Vec<Part>> {
    let mut found: HashMap<(VisualId, Key), Part> = HashMap::new();
    for member in members {
        let part = found.entry((member.old, member.key)).or_insert(Part {
            key: member.key,
            size: 0,
            relevance: 0,
            lowest: member.formula,
        });
        part.size += 1;
        part.lowest = part.lowest.min(member.formula);
        part.relevance = match tie_break {
            TieBreak::Cumulative => part.relevance + u64::from(member.relevance),
            TieBreak::Maximum => part.relevance.max(u64::from(member.relevance)),
        };
    }
    let mut clusters: BTreeMap<VisualId, Vec<Part>> = BTreeMap::new();
    for ((old, _), part) in found {
        clusters.entry(old).or_default().push(part);
    }
    for parts in clusters.values_mut() {
        parts.sort_by_key(Part::rank);
    }
    clusters
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Members as (formula, old, key, relevance).
    fn members(rows: &[(u64, u64, u128, u32)]) -> Vec<Member> {
        rows.iter()
            .map(|&(formula, old, key, relevance)| Member {
                formula: FormulaId(formula),
                old: VisualId(old),
                key: Key::from_bits(key),
                relevance,
            })
            .collect()
    }

    #[track_caller]
    fn check(rows: &[(u64, u64, u128, u32)], expected: &[u64]) -> Summary {
        let result = recluster(&members(rows), TieBreak::Cumulative);
        let ids: Vec<u64> = result.ids.iter().map(|id| id.0).collect();
        assert_eq!(ids, expected);
        let changed = rows.iter().zip(expected).filter(|(row, new)| row.1 != **new).count();
        assert_eq!(result.changes.len(), changed);
        assert_eq!(result.summary.formulas_changed, changed);
        let distinct: HashSet<_> = result.ids.iter().collect();
        assert_eq!(result.summary.clusters_after, distinct.len());
        result.summary
    }

    #[test]
    fn nothing_to_do() {
        assert_eq!(check(&[], &[]), Summary::default());
        let summary = check(&[(1, 5, 1, 0), (2, 5, 1, 0), (3, 9, 2, 0)], &[5, 5, 9]);
        assert_eq!((summary.split, summary.clusters_before), (0, 2));
    }

    #[test]
    fn the_largest_part_keeps_the_id() {
        let summary = check(&[(1, 4, 1, 9), (2, 4, 2, 0), (3, 4, 2, 0)], &[5, 4, 4]);
        assert_eq!((summary.split, summary.parts_renumbered, summary.new_ids), (1, 1, 1));
    }

    #[test]
    fn ties_go_by_relevance_then_by_formula() {
        check(&[(1, 4, 1, 1), (2, 4, 2, 3)], &[5, 4]);
        check(&[(7, 4, 1, 3), (2, 4, 2, 3)], &[5, 4]);
        check(&[(1, 4, 1, 2), (2, 4, 1, 2), (3, 4, 2, 3), (4, 4, 2, 0)], &[4, 4, 5, 5]);
        let rows = [(1, 4, 1, 2), (2, 4, 1, 2), (3, 4, 2, 3), (4, 4, 2, 0)];
        let maximum = recluster(&members(&rows), TieBreak::Maximum);
        assert_eq!(maximum.ids, [5, 5, 4, 4].map(VisualId));
    }

    #[test]
    fn other_parts_join_an_id_with_their_key() {
        // Key 2 lives in visual id 8.
        let summary = check(&[(1, 4, 1, 0), (2, 4, 1, 0), (3, 4, 2, 0), (4, 8, 2, 0)], &[4, 4, 8, 8]);
        assert_eq!((summary.parts_joined, summary.new_ids), (1, 0));
        // The same if that one is a split cluster itself.
        check(&[(1, 4, 1, 5), (2, 4, 2, 0), (3, 8, 2, 5), (4, 8, 3, 0)], &[4, 8, 8, 9]);
        // Two exchange their small parts.
        let rows = [(1, 4, 1, 0), (2, 4, 1, 0), (3, 4, 2, 0), (4, 8, 2, 0), (5, 8, 2, 0), (6, 8, 1, 0)];
        check(&rows, &[4, 4, 8, 8, 8, 4]);
    }

    #[test]
    fn new_ids_are_shared_and_in_order() {
        // Key 9 is a small part of two clusters and has no id of its own.
        let rows = [(1, 4, 1, 0), (2, 4, 1, 0), (3, 4, 9, 0), (4, 6, 2, 0), (5, 6, 2, 0), (6, 6, 9, 0)];
        let summary = check(&rows, &[4, 4, 7, 6, 6, 7]);
        assert_eq!((summary.parts_renumbered, summary.new_ids), (2, 1));
        // By old id first, then larger parts first, whatever the order of rows.
        let rows = [
            (1, 6, 1, 0),
            (2, 6, 1, 0),
            (3, 6, 3, 0),
            (4, 4, 5, 0),
            (5, 4, 6, 0),
            (6, 4, 6, 0),
            (7, 4, 7, 0),
            (8, 4, 7, 0),
            (9, 4, 7, 0),
        ];
        check(&rows, &[6, 6, 9, 8, 7, 7, 4, 4, 4]);
    }

    #[test]
    fn ids_with_the_same_key_stay_apart() {
        let rows = [(1, 4, 1, 0), (2, 8, 1, 0), (3, 9, 2, 0), (4, 9, 2, 0), (5, 9, 1, 0)];
        let summary = check(&rows, &[4, 8, 9, 9, 4]);
        assert_eq!(summary.keys_with_several_ids, 1);
    }

    #[test]
    fn the_order_of_rows_does_not_matter_and_twice_is_once() {
        let rows = [(1, 4, 1, 0), (2, 4, 2, 0), (3, 4, 3, 0), (4, 5, 3, 0), (5, 5, 4, 1), (6, 5, 2, 0)];
        let forward = recluster(&members(&rows), TieBreak::Cumulative);
        let mut backward = members(&rows);
        backward.reverse();
        let mut ids = recluster(&backward, TieBreak::Cumulative).ids;
        ids.reverse();
        assert_eq!(forward.ids, ids);
        let mut again = members(&rows);
        for (member, &id) in again.iter_mut().zip(&forward.ids) {
            member.old = id;
        }
        assert!(recluster(&again, TieBreak::Cumulative).changes.is_empty());
    }
}
