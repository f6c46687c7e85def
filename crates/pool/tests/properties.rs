//! What holds of every pool, whatever the runs.

use eval::VisualIdLookup;
use formats::run::{Run, RunBuilder};
use formats::{DocId, FormulaId, TopicId};
use pool::choose::{Choice, Chooser, Method, Relevance, Stop};
use pool::{
    Depths, Extent, FormulaThread, ItemId, Pool, PooledRun, Rankings, Reading, Show, ShowRule, Standing,
    ThreadLookup, Unit, judging_order, pool_runs,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Formula n looks like n mod 7, but every eleventh has no visual id.
struct Looks(Vec<String>);

impl VisualIdLookup for Looks {
    fn visual_id(&self, formula: DocId<'_>) -> Option<DocId<'_>> {
        let number: usize = formula.as_str().parse().ok()?;
        (!number.is_multiple_of(11)).then(|| DocId(&self.0[number % 7]))
    }
}

/// Formula n stands in post n / 2 of thread n / 6.
struct Threads;

impl ThreadLookup for Threads {
    fn thread_of(&self, formula: &FormulaId) -> Option<FormulaThread> {
        let number: usize = formula.as_str().parse().ok()?;
        let id = |number: usize| number.to_string().as_str().into();
        Some(FormulaThread { post: id(number / 2), thread: id(number / 6) })
    }
}

fn looks() -> Looks {
    Looks((0..7).map(|look| format!("v{look}")).collect())
}

type Rows = Vec<(u8, u8, i8)>;

/// Runs over three topics; scores are few, so that there are ties.
fn some_runs() -> impl Strategy<Value = Vec<(Rows, u8)>> {
    let row = (0u8..3, 0u8..60, -3i8..4);
    prop::collection::vec((prop::collection::vec(row, 0..40), 0u8..9), 1..6)
}

fn read(rows: &Rows, name: &str) -> Run {
    let mut seen = BTreeSet::new();
    let mut builder = RunBuilder::new(name.into());
    for (topic, doc, score) in rows.iter().filter(|(topic, doc, _)| seen.insert((*topic, *doc))) {
        let topic = TopicId::new(format!("T.{topic}"));
        builder.push(&topic, DocId(&doc.to_string()), 1, f64::from(*score));
    }
    builder.finish(name).unwrap()
}

fn topics() -> Vec<TopicId> {
    (0..3).map(|topic| TopicId::new(format!("T.{topic}"))).collect()
}

fn standing(number: u8) -> Standing {
    match number {
        0..3 => Standing::Primary,
        3..6 => Standing::Alternate,
        other => Standing::Depth(usize::from(other)),
    }
}

fn with_pooled<T>(runs: &[(Rows, u8)], check: impl FnOnce(&[PooledRun<'_>]) -> T) -> T {
    let read: Vec<Run> =
        runs.iter().enumerate().map(|(at, (rows, _))| read(rows, &format!("run{at}"))).collect();
    let pooled: Vec<PooledRun<'_>> = read
        .iter()
        .zip(runs)
        .map(|(run, (_, number))| PooledRun { name: run.name().into(), run, standing: standing(*number) })
        .collect();
    check(&pooled)
}

fn extents(first: usize, second: usize) -> [Extent; 2] {
    let depths = Depths { primary: first, alternate: second };
    [Extent::Depths(depths), Extent::RankByRank { at_least: first + second }]
}

fn ids(pool: &Pool) -> Vec<BTreeSet<&ItemId>> {
    pool.topics.iter().map(|topic| topic.items.iter().map(|item| &item.id).collect()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_item_is_there_once_and_the_order_of_runs_does_not_matter(
        runs in some_runs(), first in 0usize..9, second in 0usize..9, rotate in 0usize..6
    ) {
        let looks = looks();
        with_pooled(&runs, |pooled| {
            let mut turned = pooled.to_vec();
            turned.rotate_left(rotate % pooled.len());
            turned.swap(0, pooled.len() / 2);
            for unit in [Unit::Posts, Unit::Formulas(&looks), Unit::VisualIds, Unit::Instances] {
                for extent in extents(first, second) {
                    let pool = pool_runs(pooled, &topics(), &Reading::new(unit), extent).unwrap();
                    for (topic, ids) in pool.topics.iter().zip(ids(&pool)) {
                        prop_assert_eq!(topic.items.len(), ids.len());
                        let brought: usize = topic.runs.iter().map(|run| run.items).sum();
                        let sources: usize = topic.items.iter().map(|item| item.sources.within.len()).sum();
                        prop_assert_eq!(brought, sources);
                        prop_assert!(topic.items.iter().all(|item| !item.sources.within.is_empty()));
                    }
                    let other = pool_runs(&turned, &topics(), &Reading::new(unit), extent).unwrap();
                    prop_assert_eq!(&pool, &other);
                    prop_assert_eq!(&pool.clone().merged(other), &pool);
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn a_deeper_pool_holds_the_shallower_one(runs in some_runs(), depth in 0usize..9, more in 0usize..9) {
        let looks = looks();
        with_pooled(&runs, |pooled| {
            for unit in [Unit::Posts, Unit::Formulas(&looks), Unit::Instances] {
                let rankings = Rankings::new(pooled, &topics(), &Reading::new(unit)).unwrap();
                for (shallow, deep) in extents(depth, depth).into_iter().zip(extents(depth + more, depth + more)) {
                    let (shallow, deep) = (rankings.pool(shallow), rankings.pool(deep));
                    for (small, large) in ids(&shallow).iter().zip(ids(&deep)) {
                        prop_assert!(small.is_subset(&large));
                    }
                }
            }
            Ok(())
        })?;
    }

    #[test]
    fn the_same_seed_gives_the_same_order(runs in some_runs(), seed: u64) {
        with_pooled(&runs, |pooled| {
            let pool = pool_runs(pooled, &topics(), &Reading::new(Unit::Posts), Extent::depth(9)).unwrap();
            let alone = pool_runs(pooled, &topics()[1..2], &Reading::new(Unit::Posts), Extent::depth(9)).unwrap();
            let order = judging_order(&pool.topics[1], seed);
            prop_assert_eq!(&order, &judging_order(&alone.topics[0], seed));
            let as_set: BTreeSet<&ItemId> = order.iter().map(|item| &item.id).collect();
            prop_assert_eq!((as_set.len(), &as_set), (order.len(), &ids(&pool)[1]));
            Ok(())
        })?;
    }

    #[test]
    fn the_chooser_gives_every_item_once(
        runs in some_runs(), seed: u64, memory in 0.0..=1.0f64, relevant in 1u64..5
    ) {
        with_pooled(&runs, |pooled| {
            let pool = pool_runs(pooled, &topics(), &Reading::new(Unit::Posts), Extent::depth(9)).unwrap();
            for method in Method::ALL.into_iter().chain([Method::MaxMean { memory }]) {
                let choice = Choice { method, stop: Stop::default(), seed };
                let play = || {
                    let mut chooser = Chooser::new(&pool.topics[0], &choice).unwrap();
                    let mut order = Vec::new();
                    while let Some(item) = chooser.next_item() {
                        let number: u64 = item.as_str().parse().unwrap();
                        let is_relevant = number.is_multiple_of(relevant);
                        let relevance = if is_relevant { Relevance::Relevant } else { Relevance::NotRelevant };
                        // Now and then nobody answers; the item is not asked for again.
                        if number % 5 != 4 {
                            chooser.judged(&item, relevance).unwrap();
                        }
                        prop_assert!((0.0..=1.0).contains(&chooser.estimated_share_found()));
                        order.push(item);
                    }
                    Ok(order)
                };
                let order = play()?;
                prop_assert_eq!(&order, &play()?);
                let as_set: BTreeSet<&ItemId> = order.iter().collect();
                prop_assert_eq!((as_set.len(), &as_set), (order.len(), &ids(&pool)[0]));
            }
            Ok(())
        })?;
    }

    #[test]
    fn what_is_shown_are_candidates_and_not_too_many(runs in some_runs(), seed: u64, at_most in 0usize..7) {
        let looks = looks();
        with_pooled(&runs, |pooled| {
            let unit = Unit::Formulas(&looks);
            let pool = pool_runs(pooled, &topics(), &Reading::new(unit), Extent::depth(9)).unwrap();
            for topic in &pool.topics {
                for item in &topic.items {
                    let candidates: BTreeSet<_> = item.candidates.iter().map(|one| &one.instance).collect();
                    prop_assert!(!candidates.is_empty());
                    for rule in [ShowRule::ReciprocalRanks, ShowRule::MostRuns, ShowRule::Threads(&Threads)] {
                        let show = Show { rule, at_most, seed };
                        let shown = show.choose(&topic.topic, item);
                        let as_set: BTreeSet<_> = shown.instances.iter().collect();
                        prop_assert_eq!(as_set.len(), shown.instances.len());
                        prop_assert!(as_set.is_subset(&candidates) && as_set.len() <= at_most);
                        prop_assert_eq!(&shown, &show.choose(&topic.topic, item));
                        prop_assert_eq!(as_set.is_empty(), at_most == 0);
                    }
                }
            }
            Ok(())
        })?;
    }
}
