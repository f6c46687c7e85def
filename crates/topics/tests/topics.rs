//! Topics chosen from small collections.

use crate::shelf;

use formats::{Representation, Source, TopicLabels, read_labels, read_topics};
use shelf::Shelf;
use shelf::{Ask, NEW, OLD};
use std::collections::BTreeSet;
use store::{Collection, Date, LinkKind};
use topics::balance::balance;
use topics::near::{Alike, Earlier, Traits, earlier};
use topics::write::left_out;
use topics::{
    Bounds, Candidates, Choice, Chosen, Criterion, Element, ElementsOf, Files, LeftOut, Numbering, Period,
    Plan, choose, files, find,
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
        elements: ElementsOf::Query,
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
    let before = earlier(&topics, "earlier.xml");
    let mut plan = plan(&shelf.collection, None, Some("2021-01-01"));
    plan.earlier = &before;
    let candidates = find(&plan).unwrap();
    assert_eq!(candidates.funnel.fell(Criterion::Earlier), 2);
    assert!(!ids(&candidates).contains(&"100") && !ids(&candidates).contains(&"110"));
    // Both are told with the topic that they resemble: their formula query stands in it.
    let told: Vec<(&str, usize, Alike)> =
        candidates.left_out.iter().map(|left| (left.question.as_str(), left.earlier, left.why)).collect();
    assert_eq!(told, [("100", 0, Alike::Query), ("110", 0, Alike::Query)]);
    assert_eq!(
        left_out(&plan, &candidates).lines().nth(1),
        Some(
            "100\tEvaluating the Gaussian integral over the line\tA.1\tearlier.xml\tformula query occurs in both\t"
        )
    );
}

/// An old question 1 and a later question 100 about the same thing, as given.
fn pair(name: &str, title: &str, body: &str, more: &[(u64, u64)]) -> Shelf {
    let asks = [Ask::new(1, OLD, "Old", "<p>An old question.</p>"), Ask::new(100, NEW, title, body)];
    let links = more.iter().chain(&[(100, 1)]).map(|(from, to)| (*from, *to, LinkKind::Duplicate));
    Shelf::build(name, &asks, &links.collect::<Vec<_>>())
}

fn earlier_topics(topics: &[(&str, &str, &str)]) -> Vec<Earlier> {
    let topics = topics.iter().map(|(id, title, question)| {
        format!("<Topic number=\"{id}\"><Title>{title}</Title><Question>{question}</Question><Tags></Tags></Topic>")
    });
    let xml = format!("<Topics>{}</Topics>", topics.collect::<String>());
    earlier(&read_topics(Source::bytes("earlier.xml", xml)).unwrap().topics, "earlier.xml")
}

/// The question has three words in a row thrice (abc, bcd, cdF), each topic likewise; they share two of four and one
/// of five.
#[test]
fn what_shares_much_with_an_earlier_topic_is_left_out_and_what_shares_less_loses_quality() {
    let shelf = pair("shares", "Alpha beta gamma", "<p>delta $x$</p>", &[]);
    let before = earlier_topics(&[
        ("A.1", "Alpha beta gamma", "zeta eta"),
        ("A.2", "Alpha beta gamma", "delta epsilon"),
    ]);
    let mut plan = plan(&shelf.collection, None, Some("2021-01-01"));
    plan.bounds.terms = 0..=u32::MAX;
    let quality = find(&plan).unwrap().list[0].quality;
    plan.earlier = &before;
    let candidates = find(&plan).unwrap();
    let expected = LeftOut {
        question: "100".to_owned(),
        title: "Alpha beta gamma".to_owned(),
        earlier: 1,
        why: Alike::Traits(0.5),
    };
    assert_eq!((candidates.list.len(), candidates.left_out), (0, vec![expected]));
    plan.alike = 0.6;
    let candidates = find(&plan).unwrap();
    assert_eq!((candidates.left_out.len(), candidates.list[0].nearest), (0, Some((1, 0.5))));
    assert!((candidates.list[0].quality - quality / 2.0).abs() < 1e-12);
}

#[test]
fn the_thread_of_an_earlier_topic_and_its_duplicates_are_left_out() {
    // 900 is a topic's thread outside the collection, and a duplicate of 1 as 100 is.
    let shelf = pair("threads", "Alpha beta gamma", "<p>delta $x$</p>", &[(900, 1)]);
    let topic = |thread: &str| Earlier {
        topic: "A.1".to_owned(),
        file: "earlier.tsv".to_owned(),
        thread: Some(thread.to_owned()),
        traits: Traits::default(),
    };
    for (thread, expected) in [
        ("100", Some(Alike::Question)),
        ("1", Some(Alike::Duplicate)),
        ("900", Some(Alike::Duplicate)),
        ("901", None),
    ] {
        let before = [topic(thread)];
        let mut plan = plan(&shelf.collection, None, Some("2021-01-01"));
        (plan.bounds.terms, plan.earlier) = (0..=u32::MAX, &before);
        let candidates = find(&plan).unwrap();
        assert_eq!(candidates.left_out.first().map(|left| left.why), expected, "{thread}");
        assert_eq!(candidates.list.len(), usize::from(expected.is_none()), "{thread}");
    }
}

/// Mean of words 5/20, formulas 1/2, score 5/10, answers 0/3, comments 2/3 and views 300/500; without comments and views
/// in the data these are not guessed.
#[test]
fn comments_and_views_are_soft_criteria_where_they_are_known() {
    let shelf = |comments, views| {
        let mut ask = Ask::new(100, NEW, "Alpha beta gamma", "<p>delta epsilon $x$</p>");
        (ask.comments, ask.views) = (comments, views);
        let asks = [Ask::new(1, OLD, "Old", "<p>An old question.</p>"), ask];
        Shelf::build("soft", &asks, &[(100, 1, LinkKind::Duplicate)])
    };
    let with = shelf(2, Some(300));
    let mut plan_with = plan(&with.collection, None, Some("2021-01-01"));
    let found = find(&plan_with).unwrap();
    let expected = (0.25 + 0.5 + 0.5 + 0.0 + 2.0 / 3.0 + 0.6) / 6.0;
    assert!((found.list[0].quality - expected).abs() < 1e-12, "{}", found.list[0].quality);
    assert_eq!((found.known.questions, found.known.comments, found.known.views), (1, 1, 1));
    plan_with.bounds.min_comments = 3;
    assert_eq!(find(&plan_with).unwrap().funnel.fell(Criterion::Comments), 1);
    plan_with.bounds.min_comments = 2;
    assert_eq!(find(&plan_with).unwrap().list.len(), 1);
    let without = shelf(0, None);
    let mut plan = plan(&without.collection, None, Some("2021-01-01"));
    (plan.bounds.min_comments, plan.bounds.min_views) = (1, 1);
    let found = find(&plan).unwrap();
    assert!((found.list[0].quality - (0.25 + 0.5 + 0.5 + 0.0) / 4.0).abs() < 1e-12);
    assert_eq!((found.list[0].comments, found.list[0].views), (None, None));
    assert_eq!((found.known.questions, found.known.comments, found.known.views), (1, 0, 0));
}

/// The title's formula, which becomes the query, has a root; an integral stands in the text.
#[test]
fn the_element_stratum_is_that_of_the_formula_query_or_of_the_question() {
    let shelf = pair("elements", r"On $\sqrt{x^2+y^2}=z_1$", r"<p>Why is $\int f$ five more words?</p>", &[]);
    let mut plan = plan(&shelf.collection, None, Some("2021-01-01"));
    let candidate = find(&plan).unwrap().list.remove(0);
    assert_eq!(candidate.stratum.element, Element::Root);
    assert_eq!(candidate.query_elements.to_string(), "Root");
    assert_eq!(candidate.elements.to_string(), "Integral Root");
    plan.elements = ElementsOf::Question;
    assert_eq!(find(&plan).unwrap().list[0].stratum.element, Element::Integral);
    let (labels, _) = read_labels(Source::bytes("l.csv", "topic,element\n100,matrix\n")).unwrap();
    plan.labels = Some(&labels);
    assert_eq!(find(&plan).unwrap().list[0].stratum.element, Element::Matrix);
}

/// Of two types and three elements, after 100 (a proof with an integral), a proof with a matrix sums up to 1 × 2 and a
/// computation with an integral to 1 × 3, so that the matrix is next; 103 shares a duplicate with 100 and only adds an
/// element.
#[test]
fn counts_weigh_by_the_number_of_values_of_their_dimension() {
    let mut asks = Vec::new();
    let mut links = Vec::new();
    for (at, words) in (0..).zip([30, 10, 10, 10]) {
        asks.push(Ask::new(1 + at, OLD, "Old", "<p>An old question.</p>"));
        let words: String = (0..words).map(|word| format!("w{at}x{word} ")).collect();
        asks.push(Ask::new(100 + at, NEW, "Title", &format!("<p>{words} $x+{at}$</p>")));
        links.push((100 + at, if at == 3 { 1 } else { 1 + at }, LinkKind::Duplicate));
    }
    let shelf = Shelf::build("weights", &asks, &links);
    let labels = "topic,type,difficulty,dependence,complexity,element\n\
                  100,Proof,Low,Text,Low,Integral\n101,Proof,Low,Text,Low,Matrix\n\
                  102,Computation,Low,Text,Low,Integral\n103,Computation,Low,Text,Low,Root\n";
    let (labels, _) = read_labels(Source::bytes("l.csv", labels)).unwrap();
    let mut plan = plan(&shelf.collection, None, Some("2021-01-01"));
    plan.labels = Some(&labels);
    let candidates = find(&plan).unwrap();
    for seed in 1..20 {
        let chosen = choose(&candidates.list, &Choice { count: 2, seed, alike: 0.3 });
        assert_eq!(chosen_ids(&chosen), ["100", "101"], "{seed}");
    }
}

/// Three integrals and a matrix, alike in all else: of two topics one is the matrix, and evenness rises from
/// -(3/4 ln 3/4 + 1/4 ln 1/4) / ln 2 = 0.8113 to 1.
#[test]
fn rare_elements_are_chosen_and_the_balance_is_shown_before_and_after() {
    let formulas = [r"\int_0^1 f", r"\int_0^2 g", r"\int_0^3 h", r"\begin{matrix}a\\b\end{matrix}"];
    let mut asks = Vec::new();
    let mut links = Vec::new();
    for (at, formula) in (0..).zip(formulas) {
        asks.push(Ask::new(1 + at, OLD, "Old", "<p>An old question.</p>"));
        let words: String = (0..30).map(|word| format!("w{at}x{word} ")).collect();
        asks.push(Ask::new(100 + at, NEW, "Prove it", &format!("<p>{words} ${formula}$</p>")));
        links.push((100 + at, 1 + at, LinkKind::Duplicate));
    }
    let shelf = Shelf::build("balance", &asks, &links);
    let candidates = find(&plan(&shelf.collection, None, Some("2021-01-01"))).unwrap();
    for seed in 1..10 {
        let chosen = choose(&candidates.list, &Choice { count: 2, seed, alike: 0.3 });
        let dimensions = balance(&candidates.list, &chosen);
        let elements = dimensions.iter().find(|dimension| dimension.name == "leading element").unwrap();
        let values: Vec<_> =
            elements.values.iter().map(|value| (value.value, value.candidates, value.topics)).collect();
        assert_eq!(values, [("Integral", 3, 1), ("Matrix", 1, 1)], "{seed}");
        let evenness = elements.evenness().unwrap();
        assert!((evenness.candidates - 0.8113).abs() < 5e-5 && (evenness.topics - 1.0).abs() < 1e-12);
        // All are of one type, so that there is nothing to be even about.
        assert_eq!(dimensions[0].evenness(), None);
    }
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
        "Concept, difficulty High, dependence Text, complexity Low, element Integral"
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
    files(&plan(&shelf.collection, None, Some("2021-01-01")), &chosen, &Numbering::default()).unwrap()
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
