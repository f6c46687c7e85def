//! Topics chosen from small collections.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod shelf;

use collection::{Representation, Source, TopicLabels, read_labels, read_topics};
use shelf::Shelf;
use std::collections::BTreeSet;
use store::{Collection, Date};
use topics::near::{Traits, earlier};
use topics::{
    Bounds, Candidates, Choice, Chosen, Criterion, Files, Numbering, Period, Plan, choose, files, find,
};

const CHOICE: Choice = Choice { count: 100, seed: 7, alike: 0.3 };

fn plan<'c>(target: &'c Collection, later: Option<&'c Collection>, since: Option<&str>) -> Plan<'c> {
    Plan {
        target,
        later,
        period: Period { since: since.map(|date| Date::parse(date).unwrap()), until: None },
        bounds: Bounds::default(),
        earlier: &[],
        alike: CHOICE.alike,
        labels: None,
    }
}

fn ids(candidates: &Candidates) -> Vec<&str> {
    candidates.list.iter().map(|candidate| candidate.id.as_str()).collect()
}

fn chosen_ids<'c>(chosen: &Chosen<'c>) -> Vec<&'c str> {
    chosen.topics.iter().map(|picked| picked.candidate.id.as_str()).collect()
}

#[test]
fn questions_fall_where_they_should() {
    let shelf = Shelf::one("funnel");
    let candidates = find(&plan(&shelf.collection, None, Some("2021-01-01"))).unwrap();
    assert_eq!(ids(&candidates), ["100", "101", "102", "103", "110", "111"]);
    let funnel = &candidates.funnel;
    assert_eq!(funnel.questions, 18);
    for (criterion, expected) in [
        (Criterion::Period, 5),
        (Criterion::New, 0),
        (Criterion::Formula, 1),
        (Criterion::Duplicate, 3),
        (Criterion::Terms, 1),
        (Criterion::Formulas, 1),
        (Criterion::Score, 1),
        (Criterion::Answers, 0),
        (Criterion::Views, 0),
        (Criterion::Earlier, 0),
    ] {
        assert_eq!(funnel.fell(criterion), expected, "{}", criterion.name());
    }
    let steps: Vec<(Criterion, u64, u64)> = funnel.steps().collect();
    assert_eq!(steps[0], (Criterion::Period, 5, 13));
    assert_eq!(steps.last().unwrap().2, 6);
    let first = &candidates.list[0];
    assert_eq!(first.duplicates, ["1"]);
    assert_eq!((first.score, first.views, first.answers), (Some(5), Some(300), Some(0)));
}

#[test]
fn bounds_are_parameters() {
    let shelf = Shelf::one("bounds");
    let mut plan = plan(&shelf.collection, None, Some("2021-01-01"));
    plan.bounds = Bounds { terms: 0..=u32::MAX, formulas: 1..=u32::MAX, min_score: i32::MIN, ..plan.bounds };
    assert_eq!(find(&plan).unwrap().list.len(), 9);
    plan.bounds.min_views = 200;
    let candidates = find(&plan).unwrap();
    // What has no views does not fall for it.
    assert!(candidates.list.iter().all(|candidate| candidate.views.is_none_or(|views| views >= 200)));
    assert!(candidates.list.iter().any(|candidate| candidate.views.is_none()));
    plan.bounds.min_answers = 1;
    assert_eq!(find(&plan).unwrap().list.len(), 0);
}

#[test]
fn a_second_collection_gives_the_questions() {
    let (target, later) = (Shelf::old("two-old"), Shelf::later("two-later"));
    let candidates = find(&plan(&target.collection, Some(&later.collection), None)).unwrap();
    // 2 is in the target itself; 502 has a link only in the target; 503 leads nowhere.
    assert_eq!(ids(&candidates), ["500", "501", "502"]);
    assert_eq!(candidates.funnel.fell(Criterion::New), 1);
    assert_eq!(candidates.funnel.fell(Criterion::Duplicate), 1);
    assert_eq!(candidates.list[2].duplicates, ["3"]);
}

#[test]
fn near_duplicates_and_shared_duplicates_are_passed_over() {
    let shelf = Shelf::one("near");
    let candidates = find(&plan(&shelf.collection, None, Some("2021-01-01"))).unwrap();
    let chosen = choose(&candidates.list, &CHOICE);
    let ids: BTreeSet<&str> = chosen_ids(&chosen).into_iter().collect();
    // 110 asks what 100 asks in nearly the same words; 111 has the duplicate of 101.
    assert!(ids.contains("100") ^ ids.contains("110"), "{ids:?}");
    assert!(ids.contains("101") ^ ids.contains("111"), "{ids:?}");
    assert_eq!((chosen.alike, chosen.shared, chosen.topics.len()), (1, 1, 4));
}

#[test]
fn earlier_topics_do_not_come_again() {
    let shelf = Shelf::one("earlier");
    let xml = "<Topics><Topic number=\"A.1\"><Title>Evaluating the Gaussian integral over the line</Title>\
        <Question>&lt;p&gt;How do I compute the integral \
        &lt;span class=\"math-container\" id=\"q_1\"&gt;$\\int_{-\\infty}^\\infty e^{-x^2} dx$&lt;/span&gt; \
        in closed form&lt;/p&gt;</Question><Tags>calculus</Tags></Topic></Topics>";
    let topics = read_topics(Source::bytes("earlier.xml", xml)).unwrap().topics;
    let before: Vec<(Traits, Option<String>)> = earlier(&topics);
    let mut plan = plan(&shelf.collection, None, Some("2021-01-01"));
    plan.earlier = &before;
    let candidates = find(&plan).unwrap();
    assert_eq!(candidates.funnel.fell(Criterion::Earlier), 2);
    assert!(!ids(&candidates).contains(&"100") && !ids(&candidates).contains(&"110"));
}

#[test]
fn labels_go_before_estimates() {
    let shelf = Shelf::one("labels");
    let text = "topic,type,difficulty,dependence,complexity,multi-part\n100,Concept,Hard,Text,Low,Yes\n";
    let (labels, _): (TopicLabels, _) = read_labels(Source::bytes("l.csv", text)).unwrap();
    let mut plan = plan(&shelf.collection, None, Some("2021-01-01"));
    plan.labels = Some(&labels);
    let candidates = find(&plan).unwrap();
    assert_eq!(
        candidates.list[0].stratum.to_string(),
        "Concept, difficulty High, dependence Text, complexity Low"
    );
    assert_eq!(candidates.list[0].multi_part, "Yes");
    let (labels, _) = read_labels(Source::bytes("l.csv", "topic,type\n100,riddle\n")).unwrap();
    plan.labels = Some(&labels);
    assert_eq!(
        find(&plan).unwrap_err().to_string(),
        "labels: the type of question 100 is \"riddle\"; known are Computation, Concept, Proof"
    );
}

#[test]
fn the_same_seed_makes_the_same_choice() {
    let shelf = Shelf::many("seeds", 60);
    let candidates = find(&plan(&shelf.collection, None, Some("2021-01-01"))).unwrap();
    assert_eq!(candidates.list.len(), 60);
    let pick = |seed, count| chosen_ids(&choose(&candidates.list, &Choice { seed, count, ..CHOICE }));
    assert_eq!(pick(1, 20), pick(1, 20));
    assert_eq!(pick(1, 20).len(), 20);
    assert_eq!(pick(1, 10), pick(1, 20)[..10]);
    let different = (2..6).any(|seed| pick(seed, 20) != pick(1, 20));
    assert!(different, "the seed has no effect");
    assert_eq!(pick(1, 0).len(), 0);
    // Every stratum is there before one comes twice.
    let strata: BTreeSet<_> = candidates.list.iter().map(|candidate| candidate.stratum).collect();
    let chosen = choose(&candidates.list, &Choice { count: strata.len(), ..CHOICE });
    let found: BTreeSet<_> = chosen.topics.iter().map(|picked| picked.candidate.stratum).collect();
    assert!(strata.len() > 2 && found == strata, "{strata:?}");
}

fn written(shelf: &Shelf) -> Files {
    let candidates = find(&plan(&shelf.collection, None, Some("2021-01-01"))).unwrap();
    let chosen = choose(&candidates.list, &CHOICE);
    files(&shelf.collection, &chosen, &Numbering::default()).unwrap()
}

#[test]
fn files_are_read_back() {
    let shelf = Shelf::one("files");
    let files = written(&shelf);
    assert_eq!(files, written(&shelf));
    let read = |at: usize| {
        let (name, text) = &files.list[at];
        read_topics(Source::bytes(name, text.as_str()))
            .unwrap_or_else(|error| panic!("{name}: {error}"))
            .topics
    };
    let (first, second) = (read(0), read(1));
    assert_eq!((first.len(), second.len()), (4, 4));
    let tables = [
        (2, Representation::Latex),
        (3, Representation::PresentationMathml),
        (4, Representation::ContentMathml),
    ];
    let mut numbers = Vec::new();
    for (number, topic) in (301..).zip(&first) {
        assert_eq!(topic.id.as_str(), format!("A.{number}"));
        let marked = topic.marked_formulas();
        let twin = second.get(&format!("B.{number}")).unwrap();
        assert_eq!((&twin.title, &twin.question, &twin.tags), (&topic.title, &topic.question, &topic.tags));
        let query = twin.queries().next().unwrap();
        let inside = marked.iter().find(|formula| formula.id == query.id).unwrap();
        assert_eq!(inside.latex, query.latex);
        for (at, representation) in tables {
            let table = read(at);
            let rows = &table.get(topic.id.as_str()).unwrap().formulas;
            assert_eq!(rows.len(), marked.len());
            for (row, formula) in rows.iter().zip(&marked) {
                assert_eq!((&row.id, row.site), (&formula.id, formula.site));
                assert!(row.get(representation).is_some(), "{row:?}");
                if representation == Representation::Latex {
                    assert_eq!(row.latex, formula.latex);
                }
            }
        }
        numbers.extend(marked.into_iter().map(|formula| formula.id.unwrap().as_str().to_owned()));
    }
    let expected: Vec<String> = (1..=numbers.len()).map(|number| format!("q_{number}")).collect();
    assert_eq!(numbers, expected);
    let info = &files.list[5].1;
    assert!(
        info.starts_with(
            "topic\tquestion\tduplicates\ttype\tdifficulty\tdependence\tcomplexity\tmulti-part\t"
        )
    );
    assert_eq!(info.lines().count(), 5);
    let (labels, _) = read_labels(Source::bytes("topic_info.tsv", info.as_str())).unwrap();
    let thread = read(2).get("A.301").unwrap().thread.clone().unwrap();
    assert_eq!(labels.get("A.301", "question").unwrap().unwrap().value, thread);
}
