//! Formulas that one system finds and another puts into a new order: by edit distances, by learned weights; and
//! formulas ranked by the cosine of their tokens.

use crate::common;
use crate::formulas::{FORMULAS, bag, check, engine, found, system};
use formula::similarity::edit::{Costs, EditDistance, EditTree, Labels};
use index::{Extractor, FeatureKind};
use latex::Mode;
use retrieve::{Asked, CompileError, Completeness, Deadline, Pipeline, System, SystemError};
use std::collections::BTreeMap;
use std::time::Instant;
use testkit::TempDir;

fn trees(latex: &str, mode: Mode) -> [EditTree; 2] {
    let mut extractor = Extractor::default();
    extractor.read(latex, mode);
    [EditTree::slt(extractor.slt(), Labels::Tags), EditTree::opt(extractor.opt(), Labels::Tags)]
}

/// The shares of layout and operator trees that editing keeps.
fn kept(query: &str, candidate: &str) -> [f64; 2] {
    let (ours, theirs) = (trees(query, Mode::Query), trees(candidate, Mode::Document));
    let mut editor = EditDistance::default();
    let mut share = |tree: usize, costs| {
        editor.distance(&ours[tree], &theirs[tree], costs).share_kept(&ours[tree], &theirs[tree])
    };
    [share(0, Costs::SLT), share(1, Costs::OPT)]
}

const COSTS: &str =
    "slt = { delete = 4, insert = 2, rename = 4 }\nopt = { delete = 3, insert = 2, rename = 2 }";

#[test]
fn what_another_system_finds_is_ranked_by_edit_distance() {
    let folder = TempDir::new("reranked-edits");
    let engine = engine(&folder, &FORMULAS, &FeatureKind::ALL);
    let from = |settings: &str| {
        system(&format!("[formulas]\nfrom = \"tangent-s-slt\"\n[formulas.rerank]\n{settings}"))
    };
    let by_edits = from(&format!("by = \"edit-distance\"\ndepth = 100\n{COSTS}"));
    for query in ["x^2", "x^2+y^2", r"\frac{a}{b}"] {
        let before = found(&engine, &System::named("tangent-s-slt").unwrap(), query);
        let after = found(&engine, &by_edits, query);
        assert_eq!(before.len(), after.len());
        for (latex, score) in &after {
            let [slt, opt] = kept(query, latex);
            assert!((score - slt - opt).abs() < 1e-12, "{query} {latex}: {score}");
        }
        assert!(after.is_sorted_by(|one, next| one.1 >= next.1));
    }
    // The rest follows in its order, below.
    let two = from(&format!("by = \"edit-distance\"\ndepth = 2\n{COSTS}"));
    let (before, after) = (found(&engine, &by_edits, "x+y"), found(&engine, &two, "x+y"));
    assert_eq!(before.len(), after.len());
    assert!(
        after[1].1 > 0.0 && after[2].1 < 0.0 && after.is_sorted_by(|one, next| one.1 >= next.1),
        "{after:?}"
    );
    // Without time nothing is compared, and what was found stays.
    let pipeline = common::pipeline(&by_edits);
    let over = Deadline::at(Instant::now());
    let outcome = engine.run(&pipeline, &Asked::formulas("x^2").until(&over), 10);
    assert!(outcome.is_err() || outcome.is_ok_and(|outcome| outcome.completeness == Completeness::CutShort));
}

#[test]
fn weights_stand_in_the_file_or_are_missing_with_the_command_that_makes_them() {
    let folder = TempDir::new("reranked-learned");
    let engine = engine(&folder, &FORMULAS, &FeatureKind::ALL);
    let learned = "[formulas]\nfrom = \"tangent-s-slt\"\n[formulas.rerank]\nby = \"learned\"\ndepth = 100\n";
    let weighed = system(&format!("{learned}weights = {{ edit-slt = 2, edit-opt = -0.5 }}"));
    for (latex, score) in found(&engine, &weighed, "x^2+1") {
        let [slt, opt] = kept("x^2+1", &latex);
        assert!((score - 2.0 * slt + 0.5 * opt).abs() < 1e-12, "{latex}: {score}");
    }
    let features = system(&format!(
        "{learned}features = [\"edit-opt\", \"mss-slt\", \"vectors:none\"]\nmodel = \"ltr\""
    ));
    let pipeline = common::pipeline(&features);
    assert_eq!(engine.lacks(&pipeline).as_deref(), Some("the ranker ltr"));
    let lacks = engine.run(&pipeline, &Asked::formulas("x"), 10).unwrap_err().to_string();
    assert!(
        lacks.ends_with("lacks the ranker ltr; train it with `hypatia train rank --name ltr`"),
        "{lacks}"
    );
    // Its features are there before its weights, but for vectors that the index does not have.
    let pipeline = common::pipeline(&features.unlearned());
    let values = engine.formula_features(&pipeline, &Asked::formulas("x^2")).unwrap();
    assert_eq!(values.names, ["edit-opt", "mss-slt"]);
    assert!(values.rows.len() > 3 && values.rows.iter().all(|(_, values)| values.len() == 2));
    let same = values.rows.iter().filter(|(_, values)| values == &[1.0, 1.0]).count();
    assert_eq!(same, 1);
    let other = engine.formula_features(&common::pipeline(&weighed), &Asked::formulas("x^2"));
    assert!(other.is_ok());
    let other = engine.formula_features(&Pipeline::named("tangent-s").unwrap(), &Asked::formulas("x^2"));
    assert!(other.unwrap_err().to_string().contains("features to learn from"));
}

#[test]
fn systems_that_find_for_others_are_checked() {
    let read =
        |stage: &str| System::read(&format!("name = \"x\"\ntask = 2\nabout = \"x\"\n{stage}"), "x.toml");
    let both = "[formulas]\nfrom = \"tangent-s\"\n[[formulas.find]]\nfeatures = \"pairs\"\nmodel = { name = \"dice\" }";
    assert!(read(both).unwrap_err().to_string().contains("not both"));
    assert!(read("[formulas]").unwrap_err().to_string().contains("at least one"));
    let compile = |stage: &str| {
        let find = |name: &str| match name {
            "x" => read("[formulas]\nfrom = \"x\""),
            name => Err(SystemError::new(name, "there is no such system")),
        };
        Pipeline::compile(read(stage).unwrap(), &find, &BTreeMap::new()).unwrap_err()
    };
    assert!(matches!(compile("[formulas]\nfrom = \"x\""), CompileError::Circle(way) if way == ["x", "x"]));
    assert!(matches!(compile("[formulas]\nfrom = \"y\""), CompileError::Member { .. }));
}

#[test]
fn tokens_are_compared_by_the_cosine_of_their_weights() {
    let folder = TempDir::new("reranked-cosine");
    let engine = engine(&folder, &FORMULAS, &FeatureKind::ALL);
    let kinds = [
        ("junits-formula-l", FeatureKind::LatexTokens),
        ("junits-formula-s", FeatureKind::SltTokens),
        ("junits-formula-o", FeatureKind::OptTokens),
    ];
    for (name, kind) in kinds {
        let mut extractor = Extractor::default();
        let mut counts = |latex: &str, mode| {
            let mut counts: BTreeMap<u64, f64> = BTreeMap::new();
            bag(&mut extractor, kind, latex, mode)
                .into_iter()
                .for_each(|key| *counts.entry(key).or_default() += 1.0);
            counts
        };
        let documents: Vec<BTreeMap<u64, f64>> =
            FORMULAS.iter().map(|latex| counts(latex, Mode::Document)).collect();
        let idf = |key: &u64| {
            let having = documents.iter().filter(|counts| counts.contains_key(key)).count();
            if having == 0 { 0.0 } else { (FORMULAS.len() as f64 / having as f64).log2() }
        };
        let vector = |counts: &BTreeMap<u64, f64>| -> BTreeMap<u64, f64> {
            counts.iter().map(|(key, count)| (*key, count * idf(key))).collect()
        };
        let length =
            |vector: &BTreeMap<u64, f64>| vector.values().map(|value| value * value).sum::<f64>().sqrt();
        for query in ["x^2", "a+b", r"\frac{a}{b+7}"] {
            let asked = vector(&counts(query, Mode::Query));
            let expected = |latex: &str| {
                let place = FORMULAS.iter().position(|known| *known == latex).unwrap();
                let other = vector(&documents[place]);
                let product: f64 =
                    asked.iter().filter_map(|(key, value)| Some(value * other.get(key)?)).sum();
                if product == 0.0 { 0.0 } else { product / (length(&asked) * length(&other)) }
            };
            check(&found(&engine, &System::named(name).unwrap(), query), expected, 1e-5);
        }
    }
}
