//! Judgments of formulas in a collection, where formulas that look the same share an id.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

use formats::Source;
use formats::qrels::{Qrels, Scale};
use ingest::{Plan, Strictness, Unwatched};
use store::Collection;
use testkit::TempDir;

fn build(folder: &TempDir) -> Collection {
    for part in sample::threads() {
        folder.write(part.name, part.text);
    }
    let plan = Plan::of(folder.path()).unwrap();
    let path = folder.path().join("sample.coll");
    ingest::build(&plan, &path, Strictness::Strict, &AtomicU64::new(0), &mut Unwatched).unwrap();
    Collection::open(&path).unwrap()
}

#[test]
fn formulas_that_look_the_same_share_the_highest_grade() {
    let folder = TempDir::new("sample-visual");
    let collection = build(&folder);
    let judgments = sample::task2_by_visual_id(&collection).unwrap();
    assert!(judgments.len() < sample::task2().len(), "no two judged formulas look the same");
    let mut grades: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for judgment in &judgments {
        assert!(collection.find_visual(judgment.visual).is_some());
        grades.entry(judgment.topic).or_default()[usize::from(judgment.grade)] += 1;
    }
    assert_eq!(grades.len(), 20);
    for (topic, [none, low, medium, high]) in grades {
        assert!(high >= 2 && medium + high >= 5 && low >= 1 && none >= 3, "{topic}");
    }
    let text = sample::qrels_task2(&collection).unwrap();
    let (qrels, problems) = Qrels::read(Source::bytes("task2.qrels", text), Scale::Plain).unwrap();
    assert!(problems.is_empty());
    assert_eq!(qrels.num_rows(), judgments.len());
    assert!(qrels.topics().map(|topic| topic.id().to_string()).eq((1..=20).map(|k| format!("B.{k}"))));
}

#[test]
fn another_collection_is_refused() {
    let small = testkit::small_collection("sample-other");
    let error = sample::task2_by_visual_id(&small.collection).unwrap_err().to_string();
    assert!(
        error.contains("small: no post has the formula") && error.ends_with("which is judged for B.1"),
        "{error}"
    );
}
