//! One topic in two runs: what is the same, what moved, and what came of it.

use super::lists::{Likeness, Overlap, kendall, rank_biased, ranks, tied_ranks};
use super::terms::terms;
use crate::measure::Measure;
use crate::pipeline::Entry;
use crate::ranked::{JudgedGrades, Ranked, ResultGrade};
use formats::{DocId, TopicId};
use std::cmp::Ordering;
use std::ops::Range;

/// Contributions closer to 0 are what subtraction leaves of equal terms.
const NOTHING: f64 = 1e-12;

/// Which of the runs have a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Presence {
    /// Both.
    Both,
    /// Only the left one.
    Left,
    /// Only the right one.
    Right,
    /// None; the judgments have it.
    Neither,
}

/// What two runs have for a topic.
#[derive(Clone, Debug)]
pub struct TopicDiff<'a> {
    /// The topic.
    pub id: &'a TopicId,
    /// Which of the runs have it.
    pub presence: Presence,
    /// How alike the rankings are.
    pub likeness: Likeness,
    /// How many results the left and the right run have.
    pub results: [usize; 2],
    /// How many documents both have.
    pub common: usize,
    /// Which share of them both have.
    pub overlap: Overlap,
    /// Rank-biased overlap, extrapolated; nothing if a list is empty.
    pub rbo: Option<f64>,
    /// Kendall's tau-b over the common documents, equal scores being tied;
    /// nothing for fewer than two, or where all are tied.
    pub tau_b: Option<f64>,
    /// How many common documents have another rank on the right.
    pub moved: usize,
    /// How many of these could stand at the same rank in both runs if results
    /// with equal scores were ordered otherwise.
    pub tie_order: usize,
    /// How many results of the left and the right run are judged.
    pub judged: [usize; 2],
    /// The values of the measure, if there is one and the topic is judged.
    pub values: Option<Values>,
    /// Everything that moved or contributed, the most important first: by
    /// the size of the contribution, then of |1/rank − 1/rank|.
    pub items: Vec<Item<'a>>,
}

/// The values of a measure for a topic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Values {
    /// Of the left ranking.
    pub left: f64,
    /// Of the right ranking.
    pub right: f64,
}

impl Values {
    /// The right value minus the left one.
    #[must_use]
    pub fn difference(self) -> f64 {
        self.right - self.left
    }
}

/// How an item came from its rank on the left to that on the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The rank is the same.
    Stayed,
    /// It changed, though it need not have if results with equal scores were ordered otherwise.
    TieOrder,
    /// It changed.
    Moved,
    /// The item is only on the left.
    OnlyLeft,
    /// The item is only on the right.
    OnlyRight,
}

/// Where a run has an item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// The rank, from 1.
    pub rank: usize,
    /// The rank among the results that the measure looks at, from 1; nothing
    /// if it does not look at this one, or if there is no measure.
    pub counted: Option<usize>,
    /// The score, with as many bits as count.
    pub score: f64,
    /// What the item adds to the value.
    pub term: f64,
}

/// An item and where the two runs have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item<'a> {
    /// The document or visual id.
    pub doc: DocId<'a>,
    /// What the judges said of it.
    pub verdict: ResultGrade,
    /// Where it stands on the left.
    pub left: Option<Position>,
    /// Where it stands on the right.
    pub right: Option<Position>,
    /// How it came from the one to the other.
    pub moved: Move,
}

impl Item<'_> {
    /// Its share in the difference: its term on the right minus that on the left.
    #[must_use]
    pub fn contribution(&self) -> f64 {
        let term = |position: Option<Position>| position.map_or(0.0, |position| position.term);
        let contribution = term(self.right) - term(self.left);
        if contribution.abs() < NOTHING { 0.0 } else { contribution }
    }

    /// How far it moved, ranks at the top counting most: |1/rank − 1/rank|, 0 for no rank.
    fn distance(&self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "ranks")]
        let height = |position: Option<Position>| position.map_or(0.0, |p| 1.0 / p.rank as f64);
        (height(self.right) - height(self.left)).abs()
    }
}

/// The most important item first.
fn by_weight(a: &Item<'_>, b: &Item<'_>) -> Ordering {
    let size = |item: &Item<'_>| item.contribution().abs();
    size(b)
        .total_cmp(&size(a))
        .then_with(|| b.distance().total_cmp(&a.distance()))
        .then_with(|| a.doc.cmp(&b.doc))
}

/// Compares two rankings of a topic, which must be in order and without duplicates.
pub(super) fn compare<'a>(
    id: &'a TopicId,
    presence: Presence,
    sides: [&[Entry<'a>]; 2],
    persistence: f64,
    gauge: Option<(&JudgedGrades, &Measure)>,
) -> TopicDiff<'a> {
    let [left, right] = sides;
    let places = sides.map(ranks);
    let common: Vec<(usize, usize)> = left
        .iter()
        .enumerate()
        .filter_map(|(rank, entry)| Some((rank, *places[1].get(&entry.doc)?)))
        .collect();
    let tied = sides.map(tied_ranks);
    let [(left_value, left_positions), (right_value, right_positions)] =
        sides.map(|side| positions(side, gauge));
    let on_left = left.iter().enumerate().map(|(rank, entry)| {
        let other = places[1].get(&entry.doc).copied();
        Item {
            doc: entry.doc,
            verdict: entry.verdict,
            left: Some(left_positions[rank]),
            right: other.map(|other| right_positions[other]),
            moved: other.map_or(Move::OnlyLeft, |other| step((rank, &tied[0]), (other, &tied[1]))),
        }
    });
    let missing = right.iter().enumerate().filter(|(_, entry)| !places[0].contains_key(&entry.doc));
    let on_right = missing.map(|(rank, entry)| Item {
        doc: entry.doc,
        verdict: entry.verdict,
        left: None,
        right: Some(right_positions[rank]),
        moved: Move::OnlyRight,
    });
    let mut items: Vec<Item<'a>> = on_left.chain(on_right).collect();
    items.retain(|item| item.moved != Move::Stayed || item.contribution() != 0.0);
    items.sort_by(by_weight);
    let count = |of: Move| items.iter().filter(|item| item.moved == of).count();
    let judged = |side: &[Entry<'_>]| side.iter().filter(|entry| entry.verdict.is_judged()).count();
    TopicDiff {
        id,
        presence,
        likeness: Likeness::of(left, right, common.len()),
        results: sides.map(<[_]>::len),
        common: common.len(),
        overlap: Overlap::of(&common, sides.map(<[_]>::len)),
        rbo: rank_biased(left, right, persistence),
        tau_b: kendall(&common, [&tied[0], &tied[1]]),
        moved: count(Move::Moved) + count(Move::TieOrder),
        tie_order: count(Move::TieOrder),
        judged: sides.map(judged),
        values: gauge.map(|_| Values { left: left_value, right: right_value }),
        items,
    }
}

/// How a common document came from one rank to the other.
fn step(left: (usize, &[Range<usize>]), right: (usize, &[Range<usize>])) -> Move {
    if left.0 == right.0 {
        return Move::Stayed;
    }
    let (left, right) = (&left.1[left.0], &right.1[right.0]);
    if left.start < right.end && right.start < left.end { Move::TieOrder } else { Move::Moved }
}

/// The value of a ranking, and its results with what each adds.
fn positions(entries: &[Entry<'_>], gauge: Option<(&JudgedGrades, &Measure)>) -> (f64, Vec<Position>) {
    let plain = entries.iter().enumerate();
    let plain =
        plain.map(|(rank, entry)| Position { rank: rank + 1, counted: None, score: entry.score, term: 0.0 });
    let mut positions: Vec<Position> = plain.collect();
    let Some((pool, measure)) = gauge else { return (0.0, positions) };
    let looked_at = |entry: &Entry<'_>| !measure.is_judged_only() || entry.verdict.is_judged();
    let counted: Vec<usize> = (0..entries.len()).filter(|rank| looked_at(&entries[*rank])).collect();
    let verdicts: Vec<ResultGrade> = counted.iter().map(|rank| entries[*rank].verdict).collect();
    let terms = terms(measure, &verdicts, pool);
    for (index, (rank, term)) in counted.into_iter().zip(terms).enumerate() {
        positions[rank].counted = Some(index + 1);
        positions[rank].term = term;
    }
    (measure.score_filtered(Ranked { grades: &verdicts, judged: pool }), positions)
}
