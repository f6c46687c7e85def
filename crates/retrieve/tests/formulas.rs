//! Formulas are ranked as the labs' systems ranked them: by their formulas, worked out apart from the index.

use crate::common;

use formula::features::paths::Paths;
use formula::features::{TupleExtractor, TupleOptions};
use formula::similarity::dice::{count, dice};
use formula::similarity::structure::{best_match, inverse_path_frequency};
use formula::similarity::tangent_s::{Aligner, Prepared, Scores, combine};
use formula::slt::Slt;
use index::top::TermScorer;
use index::{Extractor, FeatureKind, Options, Unwatched};
use ingest::{Plan, Strictness};
use latex::Mode;
use retrieve::model::{Bm25, Model, TermStatistics, Totals};
use retrieve::{Engine, System};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicU64;
use testkit::TempDir;

pub(crate) const FORMULAS: [&str; 16] = [
    "x^2",
    "x^2+1",
    "y^2+3",
    "x^2-1",
    "x+y",
    "y+x",
    "x+z",
    "a+b=b+a",
    "a^2+b^2=c^2",
    r"x^2+y^2=z^2",
    r"\frac{a}{b+1}",
    r"\sin x+\cos x",
    r"\log\log n+\log n",
    r"\sqrt{x^2+y^2}",
    "f(x,y)=x+y",
    "a+a+a",
];

/// An index of formulas, each in a post of its own.
pub(crate) fn engine(folder: &TempDir, formulas: &[&str], features: &[FeatureKind]) -> Engine {
    let mut lines = String::new();
    for (id, latex) in (1..).zip(formulas) {
        let escaped = latex.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let escaped = escaped.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\t', '\r'], " ");
        lines += &format!("{{\"kind\":\"question\",\"id\":{id},\"title\":\"t\",\"body\":\"${escaped}$\"}}\n");
    }
    let source = folder.write("posts.jsonl", &lines);
    let collection = folder.path().join("posts");
    let plan = Plan::of(&source).unwrap();
    ingest::build(&plan, &collection, Strictness::Lenient, &AtomicU64::new(0), &mut ingest::Unwatched)
        .unwrap();
    let options = Options { formula_features: features.to_vec(), post_features: Vec::new() };
    Engine::new(index::build(&collection, &folder.path().join("index"), &options, &Unwatched).unwrap())
}

pub(crate) fn system(stage: &str) -> System {
    System::read(&format!("name = \"x\"\ntask = 2\nabout = \"x\"\n{stage}"), "x").unwrap()
}

/// The LaTeX and score of what is found.
pub(crate) fn found(engine: &Engine, system: &System, query: &str) -> Vec<(String, f64)> {
    let hits = common::formulas(engine, system, query, 1000);
    hits.iter().map(|hit| (engine.formula_latex(hit).to_owned(), hit.score)).collect()
}

/// What is found, and nothing else, has the scores that are expected, in their order.
#[track_caller]
pub(crate) fn check(found: &[(String, f64)], expected: impl Fn(&str) -> f64, precision: f64) {
    for (latex, score) in found {
        let wanted = expected(latex);
        assert!((score - wanted).abs() <= precision, "{latex}: {score} and not {wanted}");
    }
    let known: BTreeSet<&str> = found.iter().map(|(latex, _)| latex.as_str()).collect();
    for latex in FORMULAS.iter().filter(|latex| !known.contains(**latex)) {
        assert!(expected(latex) <= precision, "{latex} was not found");
    }
    assert!(found.is_sorted_by(|one, next| one.1 >= next.1), "{found:?}");
}

pub(crate) fn bag(extractor: &mut Extractor, kind: FeatureKind, latex: &str, mode: Mode) -> Vec<u64> {
    extractor.read(latex, mode);
    let mut keys = Vec::new();
    extractor.features(kind, |key| keys.push(key));
    keys
}

#[test]
fn dice_is_that_of_two_bags() {
    let folder = TempDir::new("formulas-dice");
    let engine = engine(&folder, &FORMULAS, &FeatureKind::ALL);
    for (name, kind) in [("tangent-s-slt", FeatureKind::Pairs), ("tangent-s-opt", FeatureKind::PairsOpt)] {
        let system = System::named(name).unwrap();
        for query in FORMULAS.iter().chain(&["x^3+y^3", "?x+b", r"\frac{?a}{b+1}"]) {
            let mut extractor = Extractor::default();
            let asked = count(bag(&mut extractor, kind, query, Mode::Query));
            let expected = |latex: &str| {
                let mut extractor = Extractor::default();
                dice(&asked, &count(bag(&mut extractor, kind, latex, Mode::Document)))
            };
            check(&found(&engine, &system, query), expected, 0.0);
        }
    }
    // The worked example: one pair of three and four.
    let slt = System::named("tangent-s-slt").unwrap();
    let score = |query: &str, latex: &str| {
        let found = found(&engine, &slt, query);
        found.into_iter().find(|(found, _)| found == latex).map(|(_, score)| score)
    };
    assert_eq!(score("x^2", "x^2+1"), Some(2.0 / 7.0));
    // Pairs with a wildcard count to the length of the query and find nothing: one of three and three is left.
    assert_eq!(score("?x+y", "x+y"), Some(1.0 / 3.0));
}

/// The corpus that was run through the engine of MathDowsers, token by token.
#[test]
fn bm25_is_that_of_mathdowsers() {
    let tuple = "#(v!x,n!2,a)#";
    let texts = [
        "group theory #(start)# #(v!x,n!2,a)# #(n!2,!0)# #(end)#",
        "group rings and groups",
        "prime #(start)# #(v!x,n!2,a)# #(v!x,n!2,a)# #(end)#",
        "group theory #(v!x,n!2,a)#",
    ];
    // The tuples are those that x² has.
    let mut extractor = Extractor::default();
    extractor.read("x^2", Mode::Document);
    let mut of_square = Vec::new();
    TupleExtractor::new(TupleOptions::default())
        .wrapped(extractor.slt(), |tuple| of_square.push(tuple.to_string()));
    let known = [tuple, "#(start)#", "#(n!2,!0)#", "#(end)#"];
    assert!(known.iter().all(|token| of_square.iter().any(|tuple| tuple == token)), "{of_square:?}");
    let model = Model::Bm25(Bm25::default());
    let rank = |documents: &[&str], query: &str| -> Vec<(usize, f64)> {
        let tokens = |text: &str| -> Vec<String> {
            let mut memory = String::new();
            let stem = |token: &str| match token.starts_with('#') {
                true => token.to_owned(),
                false => text::Stemmer::Porter.stem(token, &mut memory).to_owned(),
            };
            text.split(' ').map(stem).collect()
        };
        let documents: Vec<Vec<String>> = documents.iter().map(|text| tokens(text)).collect();
        let lengths: usize = documents.iter().map(Vec::len).sum();
        let number = documents.len() as f64;
        let totals = Totals { documents: number, mean_length: lengths as f64 / number };
        let mut counts: BTreeMap<String, f64> = BTreeMap::new();
        tokens(query).into_iter().for_each(|token| *counts.entry(token).or_insert(0.0) += 1.0);
        let mut ranked = Vec::new();
        for (place, document) in documents.iter().enumerate() {
            let mut score = 0.0;
            for (token, count) in &counts {
                let having = documents.iter().filter(|document| document.contains(token)).count() as f64;
                let statistics = TermStatistics { documents: having, occurrences: having };
                let weight = if token.starts_with('#') { 0.18 } else { 0.82 };
                let frequency = document.iter().filter(|other| *other == token).count();
                if frequency > 0 {
                    let norm = model.norm(document.len() as f64, totals);
                    let term = model.term(weight * count, *count, statistics, totals);
                    score += f64::from(term.score(frequency as f32, norm));
                }
            }
            if score > 0.0 {
                ranked.push((place + 1, score));
            }
        }
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
        ranked
    };
    let mixed = format!("group {tuple}");
    for (documents, query, expected) in [
        (&texts[..], mixed.as_str(), &[(2, 0.415_124), (4, 0.412_992), (1, 0.313_874), (3, 0.085_602)][..]),
        (&texts[..], "groups theory theory", &[(4, 1.654_903), (1, 1.257_727), (2, 0.415_124)][..]),
    ] {
        let ranked = rank(documents, query);
        assert_eq!(ranked.len(), expected.len(), "{ranked:?}");
        for ((document, score), (wanted, known)) in ranked.iter().zip(expected) {
            assert_eq!(document, wanted);
            assert!((score - known).abs() < 2e-6, "d{document}: {score} and not {known}");
        }
    }
    // The engine's slip, which gave the third document what is the second's, is not made.
    let ranked: BTreeMap<usize, f64> = rank(&texts[..3], &mixed).into_iter().collect();
    assert!((ranked[&3] - 0.116_326).abs() < 2e-6 && (ranked[&2] - 0.561_514).abs() < 2e-6, "{ranked:?}");
}

/// Kinds of features are weighed, and their lengths add up.
#[test]
fn several_kinds_share_one_length() {
    let folder = TempDir::new("formulas-kinds");
    let engine = engine(&folder, &FORMULAS, &FeatureKind::ALL);
    let system = System::named("mathdowsers-latex-l8-a040").unwrap();
    let kinds = [(FeatureKind::TuplesL8, 0.4), (FeatureKind::LatexWords, 0.6)];
    let mut extractor = Extractor::default();
    let mut bags = |latex: &str, mode: Mode| kinds.map(|(kind, _)| bag(&mut extractor, kind, latex, mode));
    let documents: BTreeMap<&str, [Vec<u64>; 2]> =
        FORMULAS.iter().map(|latex| (*latex, bags(latex, Mode::Document))).collect();
    let length = |bags: &[Vec<u64>; 2]| (bags[0].len() + bags[1].len()) as f64;
    let mean = documents.values().map(length).sum::<f64>() / documents.len() as f64;
    for query in [r"\log\log n", "x^2+y^2=z^2", r"\sin x"] {
        let asked = bags(query, Mode::Query);
        let expected = |latex: &str| {
            let document = &documents[latex];
            let mut score = 0.0;
            for (place, (_, weight)) in kinds.iter().enumerate() {
                for key in &asked[place] {
                    let having = documents.values().filter(|bags| bags[place].contains(key)).count() as f64;
                    let frequency = document[place].iter().filter(|other| *other == key).count() as f64;
                    let idf = (1.0 + (documents.len() as f64 - having + 0.5) / (having + 0.5)).ln();
                    let norm = 1.2 * (0.25 + 0.75 * length(document) / mean);
                    score += weight * idf * 2.2 * frequency / (frequency + norm);
                }
            }
            score
        };
        check(&found(&engine, &system, query), expected, 1e-4);
    }
}

#[test]
fn pictures_are_compared_by_the_cosine_of_their_bits() {
    let folder = TempDir::new("formulas-phoc");
    let engine = engine(&folder, &FORMULAS, &FeatureKind::ALL);
    let picture = |latex: &str, mode: Mode, regions: &str| {
        let mut extractor = Extractor::default();
        extractor.read(latex, mode);
        let mut phoc = formula::features::Phoc::default();
        formula::features::PhocExtractor::new(regions.parse().unwrap()).read(extractor.slt(), &mut phoc);
        phoc
    };
    for (name, regions) in [("xyphoc-xy5", "xy5"), ("xyphoc-xy7o4", "xy7o4")] {
        let system = System::named(name).unwrap();
        for query in FORMULAS {
            let asked = picture(query, Mode::Query, regions);
            let expected = |latex: &str| asked.similarity(&picture(latex, Mode::Document, regions), |_| 1.0);
            check(&found(&engine, &system, query), expected, 1e-5);
        }
    }
    // Rare symbols weigh more; the norms stay those of plain bits.
    let pictures: Vec<_> = FORMULAS.iter().map(|latex| picture(latex, Mode::Document, "xy5")).collect();
    let idf = |symbol: char| {
        let having = pictures.iter().filter(|picture| picture.get(symbol) != 0).count() as f64;
        (FORMULAS.len() as f64 / having.max(1.0)).ln()
    };
    let asked = picture("a^2+b^2", Mode::Query, "xy5");
    let expected = |latex: &str| {
        let other = picture(latex, Mode::Document, "xy5");
        let common = asked
            .iter()
            .map(|(symbol, bits)| idf(symbol) * f64::from((bits & other.get(symbol)).count_ones()))
            .sum::<f64>();
        common / (asked.norm(|_| 1.0) * other.norm(|_| 1.0))
    };
    check(&found(&engine, &System::named("xyphoc-xy5idf").unwrap(), "a^2+b^2"), expected, 1e-5);
}

#[test]
fn what_is_found_in_several_ways_is_added_up() {
    let folder = TempDir::new("formulas-ways");
    let engine = engine(&folder, &FORMULAS, &FeatureKind::ALL);
    let way =
        |kind: &str| format!("[[formulas.find]]\nfeatures = \"{kind}\"\nmodel = {{ name = \"dice\" }}\n");
    let (layout, operators) = (way("pairs"), way("pairs-opt"));
    let apart = [&layout, &operators].map(|way| found(&engine, &system(way), "x^2+y^2"));
    let expected = |latex: &str| {
        apart.iter().flatten().filter(|(other, _)| other == latex).map(|(_, score)| score).sum()
    };
    check(&found(&engine, &system(&(layout + &operators)), "x^2+y^2"), expected, 1e-12);
}

/// What only one kind of pairs finds has no scores for the other kind of trees.
#[test]
fn alignments_count_where_the_formula_was_found() {
    let folder = TempDir::new("formulas-tangent");
    let engine = engine(&folder, &FORMULAS, &FeatureKind::ALL);
    let way =
        |kind: &str| format!("[[formulas.find]]\nfeatures = \"{kind}\"\nmodel = {{ name = \"dice\" }}\n");
    let rerank = "[formulas.rerank]\nby = \"tangent-s\"\ndepth = 1000\n";
    for (ways, perfect) in [
        (way("pairs") + &way("pairs-opt"), 2.6769),
        (way("pairs"), 2.0566),
        (way("pairs-opt"), 0.9133),
        (way("parts").replace("dice", "overlap"), 2.6769),
    ] {
        // Not always the first: by operator trees alone, the labs' weights prefer other letters.
        let found = found(&engine, &system(&(ways.clone() + rerank)), "x^2+1");
        let (_, score) = found.iter().find(|(latex, _)| latex == "x^2+1").unwrap();
        assert!((score - perfect).abs() < 1e-9, "{ways}: {score}");
    }
    // All that both find, worked out apart; wildcards bind subtrees.
    let all = system(&(way("pairs") + &way("pairs-opt") + rerank));
    for query in ["x^2+y^2", "?a^2+1", "a+b"] {
        let trees = |latex: &str, mode: Mode| {
            let mut extractor = Extractor::default();
            extractor.read(latex, mode);
            (Prepared::from(extractor.slt()), Prepared::from(extractor.opt()))
        };
        let shares = |kind: FeatureKind, latex: &str| {
            let mut extractor = Extractor::default();
            let asked = bag(&mut extractor, kind, query, Mode::Query);
            bag(&mut extractor, kind, latex, Mode::Document).iter().any(|key| asked.contains(key))
        };
        let asked = trees(query, Mode::Query);
        let mut aligner = Aligner::default();
        for (latex, score) in found(&engine, &all, query) {
            let other = trees(&latex, Mode::Document);
            let layout = match shares(FeatureKind::Pairs, &latex) {
                true => aligner.align(&asked.0, &other.0).scores,
                false => Scores::default(),
            };
            let operators = match shares(FeatureKind::PairsOpt, &latex) {
                true => aligner.align(&asked.1, &other.1).scores,
                false => Scores::default(),
            };
            assert!((score - combine(layout, operators)).abs() < 1e-9, "{query} {latex}");
        }
    }
}

#[test]
fn structure_is_compared_as_approach0_does() {
    let folder = TempDir::new("formulas-approach0");
    let engine = engine(&folder, &FORMULAS, &FeatureKind::ALL);
    let system = System::named("approach0-a0").unwrap();
    let paths = |latex: &str, mode: Mode| -> Paths {
        let mut extractor = Extractor::default();
        extractor.read(latex, mode);
        extractor.paths().clone()
    };
    let documents = FORMULAS.map(|latex| paths(latex, Mode::Document));
    let total: u64 = documents.iter().flat_map(Paths::iter).map(|path| u64::from(path.width())).sum();
    let weight = |hash: u64| {
        let having = documents.iter().filter(|paths| paths.iter().any(|path| path.hash() == hash)).count();
        inverse_path_frequency(total, having as u64)
    };
    for query in ["x+y", "x^2+y^2=z^2", r"\frac{a}{b}", "?a+1", "f(x,y)=x+y"] {
        let asked = paths(query, Mode::Query);
        for (latex, score) in found(&engine, &system, query) {
            let document = paths(&latex, Mode::Document);
            let expected = best_match(&asked, &document, weight).unwrap().score(document.leaves(), 0.3);
            assert!((score - expected).abs() < 1e-9, "{query} {latex}: {score} and not {expected}");
        }
    }
    let first = found(&engine, &system, "f(x,y)=x+y");
    assert_eq!(first[0].0, "f(x,y)=x+y");
}

#[test]
fn what_is_compared_stands_before_the_rest() {
    let folder = TempDir::new("formulas-rest");
    let engine = engine(&folder, &FORMULAS, &FeatureKind::ALL);
    let way = "[[formulas.find]]\nfeatures = \"ngrams\"\nmodel = { name = \"bm25\" }\n";
    let plain = found(&engine, &system(way), "x^2+y^2");
    assert!(plain.len() > 5);
    for by in ["matcher", "tangent-s", "approach0"] {
        for depth in [0, 1, 3, 1000] {
            let stage = format!("{way}[formulas.rerank]\nby = \"{by}\"\ndepth = {depth}\n");
            let found = found(&engine, &system(&stage), "x^2+y^2");
            assert!(found.is_sorted_by(|one, next| one.1 >= next.1), "{by} {depth}: {found:?}");
            let names = |found: &[(String, f64)]| -> Vec<String> {
                found.iter().skip(depth).map(|(latex, _)| latex.clone()).collect()
            };
            assert_eq!(names(&found), names(&plain), "{by} {depth}");
        }
    }
}

#[test]
fn a_mistake_in_a_stage_is_told() {
    for (stage, said) in [
        ("[formulas]\nfeatures = \"pairs\"\n", "features"),
        ("[formulas]\nfind = []\n", "at least one"),
        ("[[formulas.find]]\nfeatures = {}\nmodel = { name = \"dice\" }\n", "at least one"),
        ("[[formulas.find]]\nfeatures = { pairs = -1 }\nmodel = { name = \"dice\" }\n", "negative"),
        ("[[formulas.find]]\nfeatures = { pears = 1 }\nmodel = { name = \"dice\" }\n", "pears"),
        ("[[formulas.find]]\nfeatures = 3\nmodel = { name = \"dice\" }\n", "name of features"),
        (
            "[[formulas.find]]\nfeatures = \"pairs\"\nmodel = { name = \"dice\" }\n[formulas.rerank]\nby = \"magic\"\ndepth = 3\n",
            "magic",
        ),
    ] {
        let text = format!("name = \"x\"\ntask = 2\nabout = \"x\"\n{stage}");
        let error = System::read(&text, "mine.toml").unwrap_err().to_string();
        assert!(error.contains(said), "{stage}: {error}");
    }
}

/// The scores that Tangent-S gave in the lab of 2020, through an index.
///
/// The pool has trees and no LaTeX, so LaTeX is written for each layout tree. Where reading that gives back
/// both of the lab's trees (letters of operator trees are italic there), the formula that the index finds
/// must have the score that follows from the lab's six numbers. The others are in the index and not compared.
#[test]
fn scores_of_the_lab_come_out_of_an_index() {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the real data is not there");
    };
    let mut extractor = Extractor::default();
    let mut given_back = |latex: &str, mode: Mode, row: &BTreeMap<String, String>| {
        extractor.read(latex, mode);
        extractor.slt().to_string() == row["slt"]
            && upright(&extractor.opt().to_string()) == upright(&row["opt"])
    };
    let mut queries = BTreeMap::new();
    for row in testkit::read_tsv(&data.join("arqmath1-pool/queries.tsv")) {
        if given_back(&row["latex"], Mode::Document, &row) {
            queries.insert(row["topic"].clone(), row["latex"].clone());
        }
    }
    let numbers = |text: &str| -> Option<Scores> {
        let inner = text.strip_prefix('[')?.strip_suffix(']')?;
        let numbers: Vec<f64> = inner.split(',').map(|number| number.parse().unwrap()).collect();
        Some(Scores { mss: numbers[0], precision: numbers[1], recall: numbers[2] })
    };
    let (mut all, mut expected) = (BTreeSet::new(), BTreeMap::new());
    for row in testkit::read_tsv(&data.join("arqmath1-pool/pool.tsv")) {
        let Ok(slt) = Slt::read(&row["slt"]) else { continue };
        let latex = slt.to_latex();
        if latex.trim().is_empty() || latex.contains('$') {
            continue;
        }
        if let (Some(layout), Some(operators)) = (numbers(&row["slt_scores"]), numbers(&row["opt_scores"]))
            && given_back(&latex, Mode::Document, &row)
        {
            expected.insert((row["topic"].clone(), latex.trim().to_owned()), combine(layout, operators));
        }
        all.insert(latex.trim().to_owned());
    }
    let folder = TempDir::new("formulas-pool");
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let engine = engine(&folder, &all, &[FeatureKind::Ngrams]);
    // What finds formulas is not the lab's, so that both trees are aligned for all.
    let system = system(
        "[[formulas.find]]\nfeatures = \"ngrams\"\nmodel = { name = \"bm25\" }\ndepth = 100000\n\
         [formulas.rerank]\nby = \"tangent-s\"\ndepth = 100000\n",
    );
    let (mut compared, mut different) = (0, Vec::new());
    for (topic, query) in &queries {
        for hit in common::formulas(&engine, &system, query, 100_000) {
            let latex = engine.formula_latex(&hit).to_owned();
            let Some(known) = expected.get(&(topic.clone(), latex.clone())) else { continue };
            compared += 1;
            if (hit.score - known).abs() > 1e-6 {
                different.push((topic, latex, hit.score, *known));
            }
        }
    }
    assert!(compared > 1_000, "{compared} of {} with {} queries", expected.len(), queries.len());
    assert!(
        different.is_empty(),
        "{} of {compared}: {:?}",
        different.len(),
        &different[..different.len().min(5)]
    );
}

/// Italic letters of mathematics as plain ones.
fn upright(text: &str) -> String {
    let plain = |c: char| match c {
        '\u{1D434}'..='\u{1D44D}' => char::from(b'A' + (u32::from(c) - 0x1D434) as u8),
        '\u{1D44E}'..='\u{1D467}' => char::from(b'a' + (u32::from(c) - 0x1D44E) as u8),
        '\u{210E}' => 'h',
        c => c,
    };
    text.chars().map(plain).collect()
}
