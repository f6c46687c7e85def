//! The best documents are those that scoring all of them finds.

use super::{
    ByDocument, Clause, Effort, Found, Level, Member, Searcher, Space, Spread, TermScorer, scale_for, windows,
};
use crate::deadline::Deadline;
use crate::postings::List;
use proptest::prelude::*;
use std::cell::Cell;
use std::collections::BTreeMap;

/// BM25 of one clause, in a form in which rounding never turns the order round.
#[derive(Clone, Copy, Debug)]
struct Saturating {
    weight: f32,
}

impl TermScorer for Saturating {
    fn score(&self, frequency: f32, norm: f32) -> f32 {
        self.weight / (1.0 + norm / frequency)
    }

    fn most(&self) -> f32 {
        self.weight
    }
}

/// Documents and frequencies, packed.
type Postings = BTreeMap<u32, u32>;

fn pack(postings: &Postings) -> Vec<u8> {
    let (docs, frequencies): (Vec<u32>, Vec<u32>) = postings.iter().map(|(doc, tf)| (*doc, *tf)).unzip();
    let mut bytes = Vec::new();
    List::write(&docs, &frequencies, &mut bytes);
    bytes
}

/// What a member is made of.
type Listed = (Postings, f32, Spread);

#[derive(Clone, Debug)]
struct Case {
    parents: Vec<u32>,
    ranks: Vec<u32>,
    norms: Vec<f32>,
    window: u32,
    /// The weight and the members of each clause.
    clauses: Vec<(f32, Vec<Listed>)>,
    /// Whether answers have the norms of their questions.
    norms_of_questions: bool,
    k: usize,
    accept: u32,
}

impl Case {
    fn documents(&self) -> u32 {
        u32::try_from(self.parents.len()).unwrap()
    }

    fn accepts(&self, doc: u32) -> bool {
        self.accept == 0 || !doc.is_multiple_of(self.accept)
    }

    fn parent(&self, doc: u32) -> Option<u32> {
        Some(self.parents[doc as usize]).filter(|parent| *parent != u32::MAX)
    }

    /// Scores every document.
    fn plainly(&self) -> Vec<Found> {
        let scale = scale_for(self.clauses.iter().map(|(weight, _)| *weight).sum());
        let mut all = Vec::new();
        for doc in (0..self.documents()).filter(|doc| self.accepts(*doc)) {
            let mut score = 0_u32;
            for (weight, members) in &self.clauses {
                let mut frequency = 0.0;
                for (postings, factor, spread) in members {
                    let holder = match spread {
                        Spread::Own => Some(doc),
                        Spread::Answers => self.parent(doc),
                    };
                    let found = holder.and_then(|holder| postings.get(&holder)).copied();
                    frequency += found.unwrap_or(0) as f32 * factor;
                }
                if frequency > 0.0 {
                    let worth = Saturating { weight: *weight }.score(frequency, self.norms[doc as usize]);
                    score += (worth * scale) as u32;
                }
            }
            if score > 0 {
                all.push((score, self.ranks[doc as usize], doc));
            }
        }
        all.sort_unstable_by(|left, right| right.cmp(left));
        all.truncate(self.k);
        let found =
            |(score, _, doc): (u32, u32, u32)| Found { doc, score: f64::from(score) / f64::from(scale) };
        all.into_iter().map(found).collect()
    }

    fn search(&self, searcher: &mut Searcher) -> (Vec<Found>, Effort) {
        self.search_where(searcher, |doc| self.accepts(doc))
    }

    fn search_where(&self, searcher: &mut Searcher, accept: impl Fn(u32) -> bool) -> (Vec<Found>, Effort) {
        let starts = windows(self.documents(), self.window, |doc| self.parent(doc));
        let least: Vec<f32> = (0..starts.len())
            .map(|window| {
                let end = starts.get(window + 1).map_or(self.norms.len(), |end| *end as usize);
                self.norms[starts[window] as usize..end].iter().copied().fold(f32::INFINITY, f32::min)
            })
            .collect();
        let bytes =
            |numbers: &[u32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
        let (parents, ranks) = (bytes(&self.parents), bytes(&self.ranks));
        let space = Space { documents: self.documents(), windows: &starts, parents: &parents, ranks: &ranks };
        let packed: Vec<Vec<Vec<u8>>> = self
            .clauses
            .iter()
            .map(|(_, members)| members.iter().map(|(postings, ..)| pack(postings)).collect())
            .collect();
        let clauses: Vec<_> = self
            .clauses
            .iter()
            .zip(&packed)
            .map(|((weight, members), packed)| Clause {
                members: members
                    .iter()
                    .zip(packed)
                    .map(|((_, factor, spread), bytes)| Member {
                        list: List::new(bytes, self.documents()).unwrap(),
                        factor: *factor,
                        spread: *spread,
                    })
                    .collect(),
                scorer: Saturating { weight: *weight },
                norms: ByDocument { norms: &self.norms, least: &least },
                level: match members.iter().all(|(_, _, spread)| *spread == Spread::Answers) {
                    true if self.norms_of_questions => Level::Question,
                    _ => Level::Document,
                },
            })
            .collect();
        let found = searcher.top(&clauses, &space, self.k, accept);
        for clause in &clauses {
            let mut having: Vec<u32> = Vec::new();
            for Member { list, spread, .. } in &clause.members {
                let mut block = crate::postings::Block::default();
                for number in 0..list.num_blocks() {
                    list.unpack(number, &mut block);
                    for (doc, _) in block.postings() {
                        match spread {
                            Spread::Own => having.push(doc),
                            Spread::Answers => having.extend(
                                (0..self.documents()).filter(|answer| self.parent(*answer) == Some(doc)),
                            ),
                        }
                    }
                }
            }
            having.sort_unstable();
            having.dedup();
            if self.documents() < 300 {
                let effort = searcher.pace.effort;
                assert_eq!(
                    searcher.count(&clause.members, &space, |_| true).documents as usize,
                    having.len()
                );
                searcher.pace.effort = effort;
            }
        }
        (found, searcher.effort())
    }
}

/// Threads: a question, then its answers.
fn parents_of(lengths: &[u32], documents: u32) -> Vec<u32> {
    let mut parents = Vec::new();
    let mut lengths = lengths.iter().cycle();
    while parents.len() < documents as usize {
        let question = u32::try_from(parents.len()).unwrap();
        parents.push(u32::MAX);
        for _ in 0..*lengths.next().unwrap_or(&0) {
            parents.push(question);
        }
    }
    parents.truncate(documents as usize);
    parents
}

/// Numbers that look random and depend on a seed alone.
fn scattered(seed: u64) -> impl FnMut(u32) -> u32 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u32::try_from((state >> 11) % u64::from(below.max(1))).unwrap()
    }
}

fn postings(documents: u32, one_in: u32, highest: u32, seed: u64) -> Postings {
    let mut random = scattered(seed);
    let mut postings = Postings::new();
    for doc in 0..documents {
        if random(one_in) == 0 {
            let frequency = if random(8) == 0 { 1 + random(highest) } else { 1 };
            postings.insert(doc, frequency);
        }
    }
    postings
}

fn cases() -> impl Strategy<Value = Case> {
    let member = (1..60_u32, 1..400_u32, any::<u64>(), 1..6_u32, any::<bool>());
    let clause = (1..40_u32, prop::collection::vec(member, 1..5));
    let documents = prop_oneof![1 => 0..4_u32, 3 => 0..300_u32, 2 => 300..3000_u32];
    (
        (documents, prop::collection::vec(0..5_u32, 1..6), any::<u64>(), 1..6_u32),
        prop_oneof![1..40_u32, 100..2000_u32],
        prop::collection::vec(clause, 0..6),
        prop_oneof![0..4_usize, 1..50_usize, Just(10_000), Just(usize::MAX)],
        (0..4_u32, any::<bool>()),
    )
        .prop_map(
            |((documents, threads, seed, coarse), window, clauses, k, (accept, norms_of_questions))| {
                let mut random = scattered(seed);
                let mut ranks: Vec<u32> = (0..documents).collect();
                for place in (1..documents).rev() {
                    ranks.swap(place as usize, random(place + 1) as usize);
                }
                // Few different norms, so that there are ties.
                let mut norms: Vec<f32> = (0..documents).map(|_| 0.3 + random(coarse) as f32 * 0.7).collect();
                let parents = parents_of(&threads, documents);
                for doc in 0..documents as usize {
                    if norms_of_questions && parents[doc] != u32::MAX {
                        norms[doc] = norms[parents[doc] as usize];
                    }
                }
                let clauses = clauses
                    .into_iter()
                    .map(|(weight, members)| {
                        let member = |(one_in, highest, seed, factor, own): (u32, u32, u64, u32, bool)| {
                            let spread = if own { Spread::Own } else { Spread::Answers };
                            (postings(documents, one_in, highest, seed), factor as f32 * 0.4, spread)
                        };
                        (weight as f32 * 0.37, members.into_iter().map(member).collect())
                    })
                    .collect();
                Case { parents, ranks, norms, window, clauses, norms_of_questions, k, accept }
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn nothing_that_could_be_first_is_left_out(case in cases()) {
        let mut searcher = Searcher::default();
        let expected = case.plainly();
        prop_assert_eq!(&case.search(&mut searcher).0, &expected);
        // What is left in memory from one search does not show in the next.
        prop_assert_eq!(&case.search(&mut searcher).0, &expected);
    }
}

/// A rare word that is worth much and two frequent ones: most of the work is left out.
#[test]
fn work_is_left_out() {
    let documents = 60_000;
    let clause =
        |weight, one_in, seed| (weight, vec![(postings(documents, one_in, 3, seed), 1.0, Spread::Own)]);
    let mut rare = Postings::new();
    for doc in 20_000..20_040 {
        rare.insert(doc, 2);
    }
    let case = Case {
        parents: vec![u32::MAX; documents as usize],
        ranks: (0..documents).collect(),
        norms: vec![1.0; documents as usize],
        window: 1024,
        clauses: vec![(20.0, vec![(rare, 1.0, Spread::Own)]), clause(1.0, 2, 7), clause(0.5, 3, 8)],
        norms_of_questions: false,
        k: 10,
        accept: 0,
    };
    let mut searcher = Searcher::default();
    let (found, effort) = case.search(&mut searcher);
    assert_eq!(found, case.plainly());
    let (all, exhaustive) = Case { k: documents as usize, ..case.clone() }.search(&mut searcher);
    assert!(all.len() > 30_000);
    assert!(effort.windows <= 2 && exhaustive.windows == 59, "{effort:?} of {exhaustive:?}");
    assert!(effort.blocks * 20 < exhaustive.blocks, "{effort:?} of {exhaustive:?}");
}

/// A search that is cancelled gives what it has: fewer documents, each with its whole score.
#[test]
fn a_search_that_is_cancelled_gives_what_it_has() {
    let documents = 100_000;
    let clause = |seed| (1.0, vec![(postings(documents, 2, 3, seed), 1.0, Spread::Own)]);
    let case = Case {
        parents: vec![u32::MAX; documents as usize],
        ranks: (0..documents).collect(),
        norms: vec![1.0; documents as usize],
        window: 1024,
        clauses: (1..7).map(clause).collect(),
        norms_of_questions: false,
        k: documents as usize,
        accept: 0,
    };
    let mut searcher = Searcher::default();
    let all: BTreeMap<u32, u64> =
        case.search(&mut searcher).0.iter().map(|found| (found.doc, found.score.to_bits())).collect();
    let (deadline, cancel) = Deadline::never().with_cancel();
    let accepted = Cell::new(0);
    searcher.end_at(deadline);
    let (found, _) = case.search_where(&mut searcher, |_| {
        accepted.set(accepted.get() + 1);
        if accepted.get() == 20_000 {
            cancel.cancel();
        }
        true
    });
    assert!(searcher.is_cut_short());
    assert!(found.len() >= 20_000 && found.len() < all.len() * 2 / 3, "{} of {}", found.len(), all.len());
    assert!(found.iter().all(|found| all.get(&found.doc) == Some(&found.score.to_bits())));
    // What is cancelled before it begins finds nothing, and the next search is whole again.
    assert!(case.search(&mut searcher).0.is_empty());
    searcher.end_at(Deadline::never());
    assert_eq!(case.search(&mut searcher).0.len(), all.len());
}

#[test]
fn scales_keep_sums_below_32_bits() {
    for (most, scale) in [(0.0, 16_777_216.0), (127.0, 16_777_216.0), (128.0, 8_388_608.0), (1e30, 1.0)] {
        assert_eq!(scale_for(most).to_bits(), f32::to_bits(scale), "{most}");
    }
}
