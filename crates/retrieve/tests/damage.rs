//! A byte of a large file that is not as it was written never makes a result wrong: there is the same result,
//! or an error that names the file.
//!
//! Files of an index that is opened with [`Opening::MAPPED`] are treated as large ones are, whatever their size.

use index::{Change, FeatureKind, Index, Opening, Options};
use ingest::files::Input;
use ingest::{Plan, Strictness};
use retrieve::people::{Grouping, Question, SearchOptions};
use retrieve::typed::Typed;
use retrieve::{Deadline, Engine, Error, Pipeline};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use testkit::TempDir;

/// How often a byte is changed.
const TRIALS: u64 = 2000;
/// Ids of posts that are deleted, so that there is a second segment.
const DELETED: [&str; 2] = ["401", "406"];

/// An index of the sample with several segments, in a folder.
fn index(folder: &TempDir) -> std::path::PathBuf {
    let path = folder.path().join("sample.coll");
    // One file of threads is enough to search in, and quick to open two thousand times.
    let part = &sample::threads()[0];
    let plan = Plan::new(vec![Input::text(part.name, part.text)], "sample").unwrap();
    ingest::build(&plan, &path, Strictness::Strict, &AtomicU64::new(0), &mut ingest::Unwatched).unwrap();
    let post_features = vec![FeatureKind::Parts, FeatureKind::Paths];
    let options = Options { formula_features: vec![FeatureKind::Parts], post_features };
    let target = folder.path().join("index");
    index::build(&path, &target, &options, &index::Unwatched).unwrap();
    let delete = DELETED.map(str::to_owned);
    let (_, changed) =
        index::change(&target, Change { add: None, delete: &delete }, &index::Unwatched).unwrap();
    assert_eq!(changed.deleted, 2, "{changed:?}");
    target
}

/// All that is found for some queries, as text. `visual` is a formula of the index.
fn found(engine: &Engine, visual: u64) -> Result<String, Error> {
    let mut out = String::new();
    let options = SearchOptions { facets: 50, grouping: Grouping::Threads, ..SearchOptions::default() };
    for query in ["determinant of a product $\\det(AB)$", "is:answer group -tag:calculus \"normal subgroup\""]
    {
        let mut results = engine.search(&Typed::read(query), &options)?;
        results.elapsed = Duration::ZERO;
        out.push_str(&format!("{results:?}\n"));
    }
    let mut results = engine.search_formulas(&Typed::read("$x^2+y^2$"), &SearchOptions::default())?;
    results.elapsed = Duration::ZERO;
    out.push_str(&format!("{results:?}\n"));
    let question = Question {
        title: "Does $\\sum 1/n$ converge?".to_owned(),
        body: "I know that $\\sum 1/n^2$ does.".to_owned(),
        tags: vec!["calculus".to_owned()],
    };
    let pipeline = Pipeline::named(retrieve::DEFAULT_POSTS).unwrap();
    let mut answers = engine.ask(&pipeline, &question, 5, &Deadline::never())?;
    answers.elapsed = Duration::ZERO;
    out.push_str(&format!("{answers:?}\n{:?}\n", engine.visual(visual, &Deadline::NEVER)?));
    out.push_str(&format!("{:?}\n", engine.instances(visual, 0, 5, &Deadline::NEVER)?));
    out.push_str(&format!("{:?}\n", engine.similar_formulas(visual, 3, &Deadline::never())?));
    Ok(out)
}

/// What an index gives that is opened as if it were large.
fn trial(target: &Path, visual: u64) -> Result<String, String> {
    let index = Index::open_as(target, Opening::MAPPED).map_err(|error| error.to_string())?;
    found(&Engine::new(index), visual).map_err(|error| error.to_string())
}

#[test]
fn no_result_is_wrong_whatever_byte_is() {
    let folder = TempDir::new("retrieve-damage");
    let target = index(&folder);
    let engine = Engine::new(Index::open(&target).unwrap());
    let hits = engine.search_formulas(&Typed::read("$x^2$"), &SearchOptions::default()).unwrap().hits;
    let visual = hits[0].visual_id;
    let expected = found(&engine, visual).unwrap();
    assert_eq!(trial(&target, visual).unwrap(), expected);
    let mut files: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for entry in fs::read_dir(&target).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name != "lock" {
            files.insert(name.clone(), fs::read(target.join(name)).unwrap());
        }
    }
    let total: usize = files.values().map(Vec::len).sum();
    let (mut same, mut errors) = (0, 0);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        // Xorshift: any even spread will do.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        usize::try_from(random >> 16).unwrap()
    };
    for _ in 0..TRIALS {
        let mut at = next() % total;
        let (name, whole) = files
            .iter()
            .find(|(_, bytes)| match at.checked_sub(bytes.len()) {
                Some(rest) => {
                    at = rest;
                    false
                }
                None => true,
            })
            .unwrap();
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (next() % 8);
        folder.write(&format!("index/{name}"), &bytes);
        match trial(&target, visual) {
            Ok(found) => {
                assert!(found == expected, "{name}, byte {at}: a wrong result");
                same += 1;
            }
            Err(error) => {
                assert!(error.contains(name) && error.contains("is damaged"), "{name}, byte {at}: {error}");
                errors += 1;
            }
        }
        folder.write(&format!("index/{name}"), whole);
    }
    assert_eq!(trial(&target, visual).unwrap(), expected);
    // Bytes that are read and bytes that are not were both among them.
    assert!(same > TRIALS / 20 && errors > TRIALS / 20, "{same} the same, {errors} errors");
}

/// Once damage is found, nothing is given any more, even if it needs other sections only.
#[test]
fn after_damage_every_search_is_an_error() {
    let folder = TempDir::new("retrieve-damaged");
    let target = index(&folder);
    let name = "1.posts";
    let whole = fs::read(target.join(name)).unwrap();
    // A byte that is not needed to open the file.
    let index = (1..).find_map(|part| {
        let mut bytes = whole.clone();
        bytes[whole.len() * part / 100] ^= 1;
        folder.write(&format!("index/{name}"), &bytes);
        assert!(Index::open(&target).unwrap_err().is_damage());
        Index::open_as(&target, Opening::MAPPED).ok()
    });
    let engine = Engine::new(index.unwrap());
    let search = |query: &str| engine.search(&Typed::read(query), &SearchOptions::default()).map(drop);
    let told = engine.index().check_slowly(|_| true).unwrap_err().to_string();
    assert!(told.contains("1.posts: is damaged: the section "), "{told}");
    assert_eq!(engine.index().num_damaged(), 1);
    for query in ["group", "nothingwhatsoever"] {
        assert_eq!(search(query).unwrap_err().to_string(), told);
    }
    assert_eq!(engine.visual(1, &Deadline::NEVER).unwrap_err().to_string(), told);
}
