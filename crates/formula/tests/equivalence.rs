//! The file of pairs is whole: every row is read, says something, and holds formulas without remarks.

use formula::equivalence::{Pair, Relation, pairs, score};
use formula::matching::{Matcher, Preparer, Weights};
use formula::slt::{Slt, from_latex};
use latex::Mode;
use std::collections::{BTreeMap, HashMap, HashSet};

#[test]
fn every_row_is_a_pair() {
    let file = include_str!("../data/equivalence.tsv");
    let mut rows = file.lines().filter(|line| !line.starts_with('#'));
    assert_eq!(rows.next(), Some("group\tquery\tcandidate\trelation\tgrade\tnote"));
    let rows: Vec<_> = rows.collect();
    let read: Vec<_> = pairs().map(row).collect();
    assert_eq!(read, rows);
    assert!(read.len() >= 300, "only {} pairs", read.len());
}

fn row(pair: Pair<'_>) -> String {
    let Pair { group, query, candidate, relation, grade, note } = pair;
    format!("{group}\t{query}\t{candidate}\t{}\t{grade}\t{note}", relation.name())
}

#[test]
fn fields_are_filled_and_pairs_differ() {
    let mut seen = HashSet::new();
    for pair in pairs() {
        for field in [pair.group, pair.query, pair.candidate, pair.note] {
            assert!(!field.is_empty() && field.trim() == field, "{pair:?}");
        }
        assert_ne!(pair.query, pair.candidate);
        assert!(seen.insert((pair.query, pair.candidate)), "twice: {pair:?}");
    }
}

#[test]
fn groups_have_one_query_and_something_to_order() {
    let mut groups: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for pair in pairs() {
        groups.entry(pair.group).or_default().push(pair);
    }
    assert!(groups.len() >= 80, "only {} groups", groups.len());
    for (group, pairs) in groups {
        assert!(pairs.iter().all(|pair| pair.query == pairs[0].query), "{group}");
        assert!(pairs.iter().any(|pair| pair.grade != pairs[0].grade), "{group}");
    }
}

#[test]
fn grades_agree_with_relations() {
    let mut counts: HashMap<_, usize> = HashMap::new();
    for pair in pairs() {
        let grades: &[u8] = match pair.relation {
            Relation::Same | Relation::Commuted => &[3],
            Relation::Renamed | Relation::Rearranged | Relation::Renotated => &[2, 3],
            Relation::Part => &[1],
            _ => &[0],
        };
        assert!(grades.contains(&pair.grade), "{pair:?}");
        *counts.entry(pair.relation).or_default() += 1;
    }
    for relation in Relation::ALL {
        assert!(counts.get(&relation).is_some_and(|&count| count >= 10), "{}", relation.name());
    }
}

#[test]
fn formulas_read_without_remarks() {
    for pair in pairs() {
        for (source, mode) in [(pair.query, Mode::Query), (pair.candidate, Mode::Document)] {
            let parse = latex::parse_bytes(source.as_bytes(), mode);
            assert!(parse.diagnostics.is_empty(), "{source}: {:?}", parse.diagnostics);
        }
    }
}

#[test]
fn the_circle_comes_before_the_hyperbola_and_the_line() {
    let grade = |candidate| {
        pairs().find(|pair| pair.query == "x^2+y^2=1" && pair.candidate == candidate).map(|pair| pair.grade)
    };
    assert!(grade("a^2+b^2=1") > grade("x^2-y^2=1"));
    assert!(grade("a^2+b^2=1") > grade("x+y=1"));
    assert!(grade("x^2-y^2=1").is_some() && grade("x+y=1").is_some());
}

#[test]
fn the_matcher_knows_what_says_the_same() {
    let mut slt = Slt::default();
    let mut preparer = Preparer::new(Weights::default());
    let mut read = |source: &str, mode: Mode| {
        from_latex(&latex::parse_bytes(source.as_bytes(), mode).tree, &mut slt);
        preparer.from_slt(&slt)
    };
    let mut matcher = Matcher::default();
    let report = score(pairs(), |query, candidate| {
        let (query, candidate) = (read(query, Mode::Query), read(candidate, Mode::Document));
        f64::from(matcher.score(&query, &candidate).value)
    });
    assert!(report.overall.value() >= Some(0.95), "{:?}", report.overall);
}
