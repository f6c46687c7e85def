//! From rankings to a pool: the union of their first items.

use crate::extent::{Extent, Standing};
use crate::item::{Candidate, ItemKind, PoolItem, Returned, Sources};
use crate::pool::{Pool, TopicPool, Walked};
use crate::ranking::{Rankings, RunRanking, TopicRankings, item_id};
use formats::{DocId, FormulaId};
use std::collections::{BTreeMap, BTreeSet};

impl Rankings<'_> {
    /// The pool of this extent.
    ///
    /// Of formulas, a run is walked until its last new visual id: instances
    /// met until then are candidates to be shown. Where a run has fewer visual
    /// ids than asked for, it is walked to its end. A formula without a visual
    /// id has a rank, but is no item; such formulas are counted.
    #[must_use]
    pub fn pool(&self, extent: Extent) -> Pool {
        Pool { topics: self.topics.iter().map(|topic| topic.pool(self.items, extent)).collect() }
    }
}

/// What is known of an item while the runs are walked.
#[derive(Default)]
struct Gathered<'a> {
    sources: Sources,
    instances: BTreeMap<DocId<'a>, Sources>,
}

impl<'a> TopicRankings<'a> {
    fn pool(&self, kind: ItemKind, extent: Extent) -> TopicPool {
        let walks: Vec<Walked> = self.runs.iter().zip(self.depths(extent)).map(walked).collect();
        let mut items: BTreeMap<DocId<'a>, Gathered<'a>> = BTreeMap::new();
        for (run, walked) in self.runs.iter().zip(&walks) {
            let mut seen = BTreeSet::new();
            for (rank, row) in (1..).zip(&run.rows[..walked.depth]) {
                let Some(item) = row.item else { continue };
                let gathered = items.entry(item).or_default();
                let returned = Returned { run: run.name.clone(), rank };
                if let Some(instance) = row.instance {
                    gathered.instances.entry(instance).or_default().within.push(returned.clone());
                }
                if seen.insert(item) {
                    gathered.sources.within.push(returned);
                }
            }
        }
        // What the runs have below is looked at when all items are known.
        for (run, walked) in self.runs.iter().zip(&walks) {
            for (rank, row) in (1..).zip(&run.rows).skip(walked.depth) {
                let Some(gathered) = row.item.and_then(|item| items.get_mut(&item)) else { continue };
                let returned = Returned { run: run.name.clone(), rank };
                let sources = row.instance.and_then(|instance| gathered.instances.get_mut(&instance));
                if let Some(sources) = sources {
                    sources.deeper.push(returned.clone());
                }
                let known = |places: &[Returned]| places.iter().any(|place| place.run == run.name);
                if !known(&gathered.sources.within) && !known(&gathered.sources.deeper) {
                    gathered.sources.deeper.push(returned);
                }
            }
        }
        let items = items.into_iter().map(|(doc, gathered)| PoolItem {
            id: item_id(kind, doc),
            sources: gathered.sources,
            candidates: gathered.instances.into_iter().map(candidate).collect(),
            text: None,
        });
        TopicPool::new(self.topic.clone(), items.collect(), walks)
    }

    /// How many items each run gives.
    fn depths(&self, extent: Extent) -> Vec<usize> {
        match extent {
            Extent::Depths(depths) => self.runs.iter().map(|run| depths.of(run.standing)).collect(),
            Extent::RankByRank { at_least } => self.rank_by_rank(at_least),
        }
    }

    /// The lowest rank at which there are enough items, for every run that goes so deep.
    fn rank_by_rank(&self, at_least: usize) -> Vec<usize> {
        let ends: Vec<usize> = self.runs.iter().map(RunRanking::end).collect();
        let deepest = ends.iter().copied().max().unwrap_or(0);
        let mut items = BTreeSet::new();
        let mut rank = 0;
        while items.len() < at_least && rank < deepest {
            let standing = self.runs.iter().zip(&ends).filter(|(_, end)| rank < **end);
            items.extend(standing.filter_map(|(run, _)| run.rows[run.firsts[rank]].item));
            rank += 1;
        }
        ends.into_iter().map(|end| end.min(rank)).collect()
    }
}

impl RunRanking<'_> {
    /// How many items the run can give, when it is walked beside others.
    fn end(&self) -> usize {
        match self.standing {
            Standing::Primary | Standing::Alternate => self.firsts.len(),
            Standing::Depth(depth) => depth.min(self.firsts.len()),
        }
    }
}

fn walked((run, items): (&RunRanking<'_>, usize)) -> Walked {
    let depth = run.rows_to(items);
    let skipped = run.rows[..depth].iter().filter(|row| row.item.is_none()).count();
    Walked { run: run.name.clone(), depth, skipped }
}

fn candidate((instance, sources): (DocId<'_>, Sources)) -> Candidate {
    Candidate { instance: FormulaId::from(instance.as_str()), sources }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extent::Depths;
    use crate::ranking::{Reading, Unit};
    use crate::testing::{Looks, pooled, run, run_text};

    fn ids(topic: &TopicPool) -> Vec<&str> {
        topic.items.iter().map(|item| item.id.as_str()).collect()
    }

    fn places(list: &[Returned]) -> Vec<(&str, usize)> {
        list.iter().map(|place| (place.run.as_str(), place.rank)).collect()
    }

    fn one_topic(runs: &[crate::PooledRun<'_>], unit: Unit<'_>, extent: Extent) -> TopicPool {
        let rankings = Rankings::new(runs, &["A.1".into()], &Reading::new(unit)).unwrap();
        rankings.pool(extent).topics.remove(0)
    }

    #[test]
    fn depths_by_standing_and_each_item_once() {
        let (a, b) = (run("a", "A.1", &["1", "2", "3", "4"]), run("b", "A.1", &["2", "5", "1", "3"]));
        let runs = [pooled(&a, Standing::Primary), pooled(&b, Standing::Alternate)];
        let pool = one_topic(&runs, Unit::Posts, Extent::Depths(Depths { primary: 3, alternate: 2 }));
        assert_eq!(ids(&pool), ["1", "2", "3", "5"]);
        let sources = |place: usize| &pool.items[place].sources;
        assert_eq!(
            (places(&sources(0).within), places(&sources(0).deeper)),
            (vec![("a", 1)], vec![("b", 3)])
        );
        assert_eq!(
            (places(&sources(1).within), places(&sources(1).deeper)),
            (vec![("a", 2), ("b", 1)], vec![])
        );
        assert_eq!(
            (places(&sources(2).within), places(&sources(2).deeper)),
            (vec![("a", 3)], vec![("b", 4)])
        );
        assert_eq!((places(&sources(3).within), places(&sources(3).deeper)), (vec![("b", 2)], vec![]));
        let shares: Vec<_> = pool.runs.iter().map(|run| (run.depth, run.items, run.alone)).collect();
        assert_eq!(shares, [(3, 3, 2), (2, 2, 1)]);
    }

    #[test]
    fn a_run_of_depth_0_brings_nothing_and_still_says_where_it_has_an_item() {
        let (a, b) = (run("a", "A.1", &["1"]), run("b", "A.1", &["2", "1"]));
        let runs = [pooled(&a, Standing::Primary), pooled(&b, Standing::Depth(0))];
        let pool = one_topic(&runs, Unit::Posts, Extent::depth(45));
        assert_eq!(ids(&pool), ["1"]);
        assert_eq!(places(&pool.items[0].sources.deeper), [("b", 2)]);
    }

    #[test]
    fn only_the_topics_of_the_lab_count() {
        let text = "A.1 Q0 1 1 1 a\nA.2 Q0 2 1 1 a\n";
        let a = run_text("a", text);
        let topics = ["A.1", "A.3"].map(Into::into);
        let runs = [pooled(&a, Standing::Primary)];
        let pool = crate::pool_runs(&runs, &topics, &Reading::new(Unit::Posts), Extent::depth(9)).unwrap();
        let found: Vec<_> =
            pool.topics.iter().map(|topic| (topic.topic.as_str(), topic.items.len())).collect();
        assert_eq!(found, [("A.1", 1), ("A.3", 0)]);
        assert_eq!(pool.num_items(), 1);
    }

    /// The dossier's: visual ids by rank 7, 7, 3, 7, 5, 3, 9.
    #[test]
    fn a_run_is_walked_to_its_last_new_visual_id() {
        let looks = Looks::new("i1=7 i2=7 i3=3 i4=7 i5=5 i6=3 i7=9");
        let a = run("a", "A.1", &["i1", "i2", "i3", "i4", "i5", "i6", "i7"]);
        let runs = [pooled(&a, Standing::Primary)];
        let pool = one_topic(&runs, Unit::Formulas(&looks), Extent::depth(3));
        assert_eq!(ids(&pool), ["3", "5", "7"]);
        assert_eq!(pool.runs[0].depth, 5);
        let seven = &pool.items[2];
        assert_eq!(places(&seven.sources.within), [("a", 1)]);
        let shown: Vec<_> = seven.candidates.iter().map(|one| one.instance.as_str()).collect();
        assert_eq!(shown, ["i1", "i2", "i4"]);
        assert_eq!(places(&seven.candidates[2].sources.within), [("a", 4)]);
        // The second 3 stands below the depth, so it is no candidate.
        assert_eq!(pool.items[0].candidates.len(), 1);
        let pool = one_topic(&runs, Unit::Formulas(&looks), Extent::depth(10));
        assert_eq!(ids(&pool), ["3", "5", "7", "9"]);
        assert_eq!(pool.runs[0].depth, 7);
    }

    /// The dossier's: runs 1, 2 and 2, 3.
    #[test]
    fn visual_ids_of_two_runs_are_united() {
        let looks = Looks::new("x=1 y=2 z=3");
        let (a, b) = (run("a", "A.1", &["x", "y"]), run("b", "A.1", &["y", "z"]));
        let runs = [pooled(&a, Standing::Primary), pooled(&b, Standing::Primary)];
        assert_eq!(ids(&one_topic(&runs, Unit::Formulas(&looks), Extent::depth(2))), ["1", "2", "3"]);
    }

    #[test]
    fn formulas_without_a_visual_id_keep_their_rank_and_are_counted() {
        let looks = Looks::new("x=1 y=2 z=2");
        let a = run("a", "A.1", &["unknown", "x", "other", "y", "lost"]);
        let b = run("b", "A.1", &["x", "z", "y"]);
        let runs = [pooled(&a, Standing::Primary), pooled(&b, Standing::Depth(1))];
        let pool = one_topic(&runs, Unit::Formulas(&looks), Extent::depth(2));
        assert_eq!(ids(&pool), ["1", "2"]);
        assert_eq!((pool.runs[0].depth, pool.runs[0].skipped), (4, 2));
        assert_eq!(places(&pool.items[0].sources.within), [("a", 2), ("b", 1)]);
        // Of the deeper run, the first instance of a look counts for the look, and the very instance for itself.
        assert_eq!(places(&pool.items[1].sources.deeper), [("b", 2)]);
        assert_eq!(places(&pool.items[1].candidates[0].sources.deeper), [("b", 3)]);
    }

    #[test]
    fn runs_of_visual_ids_have_no_candidates() {
        let a = run("a", "A.1", &["7", "3", "5"]);
        let pool = one_topic(&[pooled(&a, Standing::Primary)], Unit::VisualIds, Extent::depth(2));
        assert_eq!(ids(&pool), ["3", "7"]);
        assert!(pool.items.iter().all(|item| item.candidates.is_empty()));
        assert_eq!(pool.items[0].id.kind(), ItemKind::Formula);
    }

    #[test]
    fn ranks_are_finished_when_runs_are_walked_side_by_side() {
        let a = run("a", "A.1", &["1", "2", "3", "4"]);
        let b = run("b", "A.1", &["1", "5", "6", "7"]);
        let c = run("c", "A.1", &["8"]);
        let runs = [&a, &b, &c].map(|run| pooled(run, Standing::Primary));
        let pool = |at_least| one_topic(&runs, Unit::Instances, Extent::RankByRank { at_least });
        // Rank 1 gives 1 and 8, rank 2 gives 2 and 5, rank 3 gives 3 and 6.
        assert_eq!(ids(&pool(0)), [""; 0]);
        assert_eq!(ids(&pool(2)), ["1", "8"]);
        assert_eq!(ids(&pool(3)), ["1", "2", "5", "8"]);
        assert_eq!(ids(&pool(5)), ["1", "2", "3", "5", "6", "8"]);
        assert_eq!(pool(100).items.len(), 8);
        assert_eq!(pool(5).runs.iter().map(|run| run.depth).collect::<Vec<_>>(), [3, 3, 1]);
        let capped = [pooled(&a, Standing::Depth(1)), pooled(&b, Standing::Primary)];
        let pool = one_topic(&capped, Unit::Instances, Extent::RankByRank { at_least: 4 });
        assert_eq!(ids(&pool), ["1", "5", "6", "7"]);
    }
}
