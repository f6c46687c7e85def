//! Which variables stand for which, what wildcards cover, and the scores that follow.

use super::Scores;
use super::align::mss;
use super::prepared::{NONE, Prepared};
use super::tables::{EQUAL, SIMILAR, VARIABLES, WILD};

/// Two aligned nodes. Before scoring, how they could match; after it, how they did ([`EQUAL`], [`SIMILAR`],
/// [`WILD`] or 0).
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) q: u32,
    pub(super) c: u32,
    pub(super) kind: u8,
}

/// What a wildcard of the query covers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    pub(super) q: u32,
    /// Which wildcard.
    pub(super) name: u32,
    /// How many nodes of the candidate.
    pub(super) size: u32,
    pub(super) hash: u64,
}

/// Memory for scoring.
#[derive(Clone, Debug, Default)]
pub(super) struct Unifier {
    /// Query variable, candidate variable, whether their names are equal: one entry for every occurrence.
    occurrences: Vec<(u32, u32, bool)>,
    /// How often, whether equal, query variable, candidate variable.
    counts: Vec<(u32, bool, u32, u32)>,
    /// For each query variable, what it stands for, and the other way round.
    query_bound: Vec<u32>,
    candidate_bound: Vec<u32>,
    /// For each name of a wildcard, the largest thing it covers.
    largest: Vec<(u32, u64)>,
    /// Which query nodes are matched.
    matched: Vec<bool>,
}

impl Unifier {
    /// Decides which pairs match, and scores the alignment.
    pub(super) fn score(
        &mut self,
        query: &Prepared,
        candidate: &Prepared,
        pairs: &mut [Pair],
        regions: &[Region],
    ) -> Scores {
        self.bind(query, candidate, pairs);
        self.matched.resize(query.len().max(self.matched.len()), false);
        let (mut exact, mut unified) = (0, 0);
        for pair in pairs.iter_mut() {
            let (q, c) = (pair.q as usize, pair.c as usize);
            if pair.kind == VARIABLES {
                let bound = self.query_bound[query.nodes[q].name as usize] == candidate.nodes[c].name;
                let equal = query.symbols[q].tag == candidate.symbols[c].tag;
                pair.kind = match (bound, equal) {
                    (true, true) => EQUAL,
                    (true, false) => SIMILAR,
                    _ => 0,
                };
            }
            match pair.kind {
                EQUAL => exact += 1,
                SIMILAR => unified += 1,
                _ => continue,
            }
            self.matched[q] = true;
        }
        let (wild, covered) = self.wildcards(query, pairs, regions);
        let mut edges = 0;
        for pair in pairs.iter().filter(|pair| pair.kind != 0) {
            let parent = query.nodes[pair.q as usize].parent;
            edges += u32::from(parent != NONE && self.matched[parent as usize]);
        }
        // Left as it was found.
        for pair in pairs.iter() {
            self.matched[pair.q as usize] = false;
        }
        let (query_len, candidate_len) = (query.len() as f64, candidate.len() as f64);
        Scores {
            mss: mss(f64::from(exact + unified + wild), f64::from(edges), query_len),
            precision: f64::from(exact + unified + covered) / candidate_len,
            recall: f64::from(exact + wild) / query_len,
        }
    }

    /// Binds variables one to one, those that occur together most often first.
    fn bind(&mut self, query: &Prepared, candidate: &Prepared, pairs: &[Pair]) {
        self.occurrences.clear();
        for pair in pairs.iter().filter(|pair| pair.kind == VARIABLES) {
            let (q, c) = (pair.q as usize, pair.c as usize);
            let equal = query.symbols[q].tag == candidate.symbols[c].tag;
            self.occurrences.push((query.nodes[q].name, candidate.nodes[c].name, equal));
        }
        self.occurrences.sort_unstable();
        self.counts.clear();
        for same in self.occurrences.chunk_by(|one, other| one == other) {
            let (q, c, equal) = same[0];
            self.counts.push((same.len() as u32, equal, q, c));
        }
        self.counts.sort_unstable();
        self.query_bound.resize(query.variables.max(self.query_bound.len()), NONE);
        self.candidate_bound.resize(candidate.variables.max(self.candidate_bound.len()), NONE);
        for &(_, _, q, c) in &self.counts {
            self.query_bound[q as usize] = NONE;
            self.candidate_bound[c as usize] = NONE;
        }
        for &(_, _, q, c) in self.counts.iter().rev() {
            let (q_bound, c_bound) =
                (&mut self.query_bound[q as usize], &mut self.candidate_bound[c as usize]);
            if *q_bound == NONE && *c_bound == NONE {
                (*q_bound, *c_bound) = (c, q);
            }
        }
    }

    /// How many wildcards hold, and how many nodes of the candidate they cover.
    fn wildcards(&mut self, query: &Prepared, pairs: &mut [Pair], regions: &[Region]) -> (u32, u32) {
        if regions.is_empty() {
            return (0, 0);
        }
        self.largest.clear();
        self.largest.resize(query.wildcards.len(), (0, 0));
        for region in regions {
            let largest = &mut self.largest[region.name as usize];
            if region.size > largest.0 {
                *largest = (region.size, region.hash);
            }
        }
        let (mut wild, mut covered) = (0, 0);
        let mut regions = regions.iter();
        // Regions were noted in the order of their pairs.
        for pair in pairs.iter_mut().filter(|pair| pair.kind == WILD) {
            let Some(region) = regions.next() else { break };
            debug_assert_eq!(region.q, pair.q);
            if self.largest[region.name as usize] == (region.size, region.hash) {
                wild += 1;
                covered += region.size;
                self.matched[pair.q as usize] = true;
            } else {
                pair.kind = 0;
            }
        }
        (wild, covered)
    }
}
