//! The chooser as its callers see it.

use super::*;
use crate::extent::{Extent, Standing};
use crate::ranking::{Reading, Unit};
use crate::testing::{pooled, run};

/// Two runs of four items that share one.
fn topic() -> TopicPool {
    let (a, b) = (run("a", "A.1", &["1", "2", "3", "4"]), run("b", "A.1", &["5", "1", "6", "7"]));
    let runs = [pooled(&a, Standing::Primary), pooled(&b, Standing::Primary)];
    let pool =
        crate::pool_runs(&runs, &["A.1".into()], &Reading::new(Unit::Posts), Extent::depth(9)).unwrap();
    pool.topics.into_iter().next().unwrap()
}

fn chooser(method: Method, stop: Stop) -> Chooser {
    Chooser::new(&topic(), &Choice { method, stop, seed: 1 }).unwrap()
}

fn judge_all(chooser: &mut Chooser, relevant: &[&str]) -> Vec<String> {
    let mut order = Vec::new();
    while let Some(item) = chooser.next_item() {
        let is_relevant = relevant.contains(&item.as_str());
        let relevance = if is_relevant { Relevance::Relevant } else { Relevance::NotRelevant };
        chooser.judged(&item, relevance).unwrap();
        order.push(item.to_string());
    }
    order
}

#[test]
fn every_method_gives_every_item_once() {
    for method in Method::ALL {
        let mut chooser = chooser(method, Stop::default());
        let mut order = judge_all(&mut chooser, &["1", "6"]);
        assert_eq!(chooser.stopped(), Some(StopReason::AllGiven));
        assert_eq!((chooser.num_given(), chooser.num_found()), (7, 2));
        assert_eq!(chooser.estimated_share_found(), 1.0);
        order.sort();
        assert_eq!(order, ["1", "2", "3", "4", "5", "6", "7"], "{method}");
    }
}

#[test]
fn rank_by_rank_goes_down_all_runs() {
    let order = judge_all(&mut chooser(Method::RankByRank, Stop::default()), &[]);
    let mut ranks = order.clone();
    ranks[..2].sort();
    ranks[3..5].sort();
    ranks[5..].sort();
    assert_eq!(ranks, ["1", "5", "2", "3", "6", "4", "7"]);
}

#[test]
fn a_budget_counts_items_that_are_out() {
    let mut chooser = chooser(Method::Random, Stop { budget: Some(3), ..Stop::default() });
    let given: Vec<_> = std::iter::from_fn(|| chooser.next_item()).collect();
    assert_eq!(given.len(), 3);
    assert_eq!(chooser.stopped(), Some(StopReason::Budget));
}

#[test]
fn it_stops_when_nothing_new_comes() {
    let mut chooser = chooser(Method::RankByRank, Stop { in_a_row: Some(2), ..Stop::default() });
    // Of the first rank both are relevant, then two are not.
    let order = judge_all(&mut chooser, &["1", "5"]);
    assert_eq!(order.len(), 4);
    assert_eq!(chooser.stopped(), Some(StopReason::NothingNew));
}

#[test]
fn the_share_found_is_estimated_from_what_the_runs_gave() {
    let mut chooser = chooser(Method::RankByRank, Stop { share: Some(0.4), ..Stop::default() });
    assert_eq!(chooser.estimated_share_found(), 0.0);
    let item = |id: &str| ItemId::Post(id.into());
    chooser.judged(&item("1"), Relevance::Relevant).unwrap();
    // Both runs brought it and stand at 2/3; six items are left: 1/(1 + 4).
    assert!((chooser.estimated_share_found() - 0.2).abs() < 1e-12);
    chooser.judged(&item("2"), Relevance::NotRelevant).unwrap();
    // Run a stands at 2/4 with two items left, run b at 2/3 with three: 1/(1 + 1 + 2).
    assert!((chooser.estimated_share_found() - 0.25).abs() < 1e-12);
    chooser.judged(&item("5"), Relevance::Relevant).unwrap();
    // Run b at 3/4 with two left: 2/(2 + 1 + 1.5).
    assert!((chooser.estimated_share_found() - 2.0 / 4.5).abs() < 1e-12);
    assert_eq!(chooser.stopped(), Some(StopReason::EnoughFound));
    assert_eq!(chooser.next_item(), None);
}

#[test]
fn what_others_judged_is_not_given_out() {
    for method in Method::ALL {
        let mut chooser = chooser(method, Stop::default());
        chooser.judged(&ItemId::Post("1".into()), Relevance::Relevant).unwrap();
        let order = judge_all(&mut chooser, &[]);
        assert_eq!(order.len(), 6);
        assert!(!order.contains(&"1".to_owned()), "{method}");
    }
}

#[test]
fn wrong_judgments_and_settings_are_refused() {
    let mut chooser = chooser(Method::Random, Stop::default());
    let unknown = chooser.judged(&ItemId::Post("99".into()), Relevance::Relevant).unwrap_err();
    assert_eq!(unknown.to_string(), "99 is not in the pool of topic A.1");
    let item = chooser.next_item().unwrap();
    chooser.judged(&item, Relevance::Relevant).unwrap();
    let twice = chooser.judged(&item, Relevance::NotRelevant).unwrap_err();
    assert!(matches!(twice, Error::JudgedTwice { .. }), "{twice}");
    let choice = |method, stop| Chooser::new(&topic(), &Choice { method, stop, seed: 1 }).unwrap_err();
    let memory = choice(Method::MaxMean { memory: 1.5 }, Stop::default());
    assert_eq!(memory.to_string(), "memory is 1.5; it must be from 0 to 1");
    let share = choice(Method::Random, Stop { share: Some(f64::NAN), ..Stop::default() });
    assert_eq!(share.to_string(), "share is NaN; it must be from 0 to 1");
}
