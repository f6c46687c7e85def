//! Formulas compared with the query by tree edit distance, as DPRL reranks: how little must be deleted, inserted and
//! renamed to make the query's trees the candidate's.
//!
//! A list by layout trees and one by operator trees are made, those of them for which costs are given, and fused: by
//! the sum of the similarities, or each divided by 60 and its rank first. A pair of trees that is too large has
//! bounds of its distance alone ([`formula::similarity::edit`]), so no pair takes longer than some tens of
//! milliseconds.

use super::{Compared, FormulaScorer, each_in_time, in_order};
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::formulas::Candidate;
use formula::similarity::edit::{Costs, Distance, EditTree, Labels};
use latex::Mode;
use serde::{Deserialize, Deserializer, de};

/// Compares by tree edit distance.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "Written")]
pub(crate) struct ByEdits {
    slt: Option<Costs>,
    opt: Option<Costs>,
    similarity: Similarity,
    combine: Combine,
    k: f64,
}

/// How a distance becomes a similarity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Similarity {
    /// `1 − distance / nodes of both`.
    #[default]
    Nodes,
    /// `1 / (distance + 1)`.
    Inverse,
}

/// How the lists of both kinds of trees become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Combine {
    /// The sum of the similarities.
    #[default]
    Sum,
    /// The sum of each similarity divided by `k` and its rank.
    RankedSum,
}

/// The settings as they are written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    slt: Option<WrittenCosts>,
    opt: Option<WrittenCosts>,
    #[serde(default)]
    similarity: Similarity,
    #[serde(default)]
    combine: Combine,
    #[serde(default = "sixty", deserialize_with = "constant")]
    k: f64,
}

fn sixty() -> f64 {
    60.0
}

fn constant<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let k = f64::deserialize(deserializer)?;
    if (0.0..=1e6).contains(&k) { Ok(k) } else { Err(de::Error::custom("`k` is a number from 0 to 1e6")) }
}

/// Costs in tenths, as the labs write them.
#[derive(Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCosts {
    delete: u8,
    insert: u8,
    rename: u8,
}

impl TryFrom<Written> for ByEdits {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, &'static str> {
        let Written { slt, opt, similarity, combine, k } = written;
        if slt.is_none() && opt.is_none() {
            return Err("costs are needed for layout trees (`slt`) or operator trees (`opt`)");
        }
        let costs = |costs: WrittenCosts| Costs::tenths(costs.delete, costs.insert, costs.rename);
        Ok(Self { slt: slt.map(costs), opt: opt.map(costs), similarity, combine, k })
    }
}

impl ByEdits {
    fn alike(self, distance: Distance, query: &EditTree, candidate: &EditTree) -> f64 {
        match self.similarity {
            Similarity::Nodes => distance.share_kept(query, candidate),
            Similarity::Inverse => distance.inverse(),
        }
    }
}

impl FormulaScorer for ByEdits {
    fn score(
        &self,
        engine: &Engine,
        query: Compared<'_>,
        candidates: &mut [Candidate],
        work: &mut Work,
    ) -> Result<usize, Error> {
        work.extractor.read(query.latex, Mode::Query);
        let layout = EditTree::slt(work.extractor.slt(), Labels::Tags);
        let operators = EditTree::opt(work.extractor.opt(), Labels::Tags);
        let mut lists: [Vec<f64>; 2] = [Vec::new(), Vec::new()];
        let scored = each_in_time(candidates, work, |candidate, work| {
            work.extractor.read(engine.candidate_latex(candidate), Mode::Document);
            if let Some(costs) = self.slt {
                let tree = EditTree::slt(work.extractor.slt(), Labels::Tags);
                let distance = work.editor.distance(&layout, &tree, costs);
                lists[0].push(self.alike(distance, &layout, &tree));
            }
            if let Some(costs) = self.opt {
                let tree = EditTree::opt(work.extractor.opt(), Labels::Tags);
                let distance = work.editor.distance(&operators, &tree, costs);
                lists[1].push(self.alike(distance, &operators, &tree));
            }
        });
        let scored_first = &mut candidates[..scored];
        scored_first.iter_mut().for_each(|candidate| candidate.score = 0.0);
        for list in lists.iter().filter(|list| !list.is_empty()) {
            match self.combine {
                Combine::Sum => {
                    scored_first.iter_mut().zip(list).for_each(|(candidate, value)| candidate.score += value);
                }
                Combine::RankedSum => add_ranked(scored_first, list, self.k),
            }
        }
        Ok(scored)
    }

    fn floor(&self, scored: &[Candidate]) -> f64 {
        // Nothing that was found is as far from the query as what was not compared.
        scored.iter().map(|candidate| candidate.score).fold(0.0, f64::min)
    }
}

/// Adds to each candidate its value in a list, divided by `k` and its rank there.
fn add_ranked(candidates: &mut [Candidate], values: &[f64], k: f64) {
    let mut ranking: Vec<usize> = (0..candidates.len()).collect();
    ranking.sort_by(|left, right| {
        let item = |place: usize| (values[place], candidates[place].visual_id);
        in_order(item(*left), item(*right))
    });
    for (rank, place) in (1_u32..).zip(ranking) {
        candidates[place].score += values[place] / (k + f64::from(rank));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(settings: &str) -> Result<ByEdits, String> {
        toml::from_str(settings).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn settings_are_checked() {
        let read_costs =
            read("slt = { delete = 4, insert = 2, rename = 4 }\ncombine = 'ranked-sum'").unwrap();
        assert_eq!((read_costs.slt, read_costs.opt), (Some(Costs::SLT), None));
        assert_eq!((read_costs.combine, read_costs.k), (Combine::RankedSum, 60.0));
        assert!(read("").unwrap_err().contains("costs are needed"));
        assert!(read("slt = { delete = -1, insert = 2, rename = 4 }").is_err());
        assert!(read("slt = { delete = 1, insert = 2, rename = 4 }\nk = -1").unwrap_err().contains("1e6"));
        assert!(read("slt = { delete = 1, insert = 2, rename = 4 }\nof = 1").is_err());
    }

    #[test]
    fn ranks_divide_what_a_list_is_worth() {
        let candidate = |visual_id| Candidate { source: 0, doc: 0, score: 0.0, visual_id, ways: 0 };
        let mut candidates: Vec<Candidate> = (1..=4).map(candidate).collect();
        // a .9 b .8 c .5 and c .95 a .7 d .6.
        add_ranked(&mut candidates[..3], &[0.9, 0.8, 0.5], 60.0);
        let mut others = vec![candidates[2], candidates[0], candidates[3]];
        add_ranked(&mut others, &[0.95, 0.7, 0.6], 60.0);
        let [c, a, d] = [0, 1, 2].map(|place| others[place].score);
        for (found, expected) in
            [(a, 0.026_044), (c, 0.023_510), (candidates[1].score, 0.012_903), (d, 0.009_524)]
        {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }
}
