//! A small collection and its index, made once for each process.

use crate::scratch::Scratch;
use index::{Change, FeatureKind, Index, Options};
use ingest::{Plan, Strictness, Unwatched};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;

/// Questions, answers, a comment and a user, as lines of JSON.
pub(crate) const POSTS: &str = r#"{"kind":"user","id":3,"name":"Émilie"}
{"kind":"question","id":10,"title":"Is $x^2\\ge 0$ for every real number?","body":"For real $x$ the square seems never negative. How do I prove it?","tags":["real-analysis","inequality"],"score":7,"date":"2014-03-02","owner":3,"accepted":12}
{"kind":"answer","id":11,"parent":10,"body":"Look at the graph.","score":-2,"date":"2014-03-02"}
{"kind":"answer","id":12,"parent":10,"body":"Both signs give a square: $x^2=x\\cdot x$.","score":9,"date":"2014-03-03","owner":3}
{"kind":"comment","id":7,"post":12,"text":"Only for $x\\ne 0$?"}
{"kind":"question","id":20,"title":"Arithmetic and geometric mean","body":"Why is $a^2+b^2\\ge 2ab$? The Cauchy–Schwarz inequality should help.","tags":["inequality"],"score":3,"date":"2015-12-31"}
{"kind":"answer","id":21,"parent":20,"body":"Because $(a-b)^2\\ge 0$.","score":5,"date":"2016-01-01"}
{"kind":"document","id":50,"title":"Notes","body":"The mean value theorem."}
"#;

/// Makes a collection of the files under a path.
pub(crate) fn build(source: &Path, target: &Path) -> Result<store::About, ingest::BuildError> {
    let plan = Plan::of(source)?;
    ingest::build(&plan, target, Strictness::Lenient, &AtomicU64::new(0), &mut Unwatched)
}

/// An index of the small collection, from which a post was deleted.
#[derive(Debug)]
pub(crate) struct SmallIndex {
    /// The folder that the index and the collection lie in.
    _scratch: Scratch,
    /// The index.
    pub(crate) path: PathBuf,
}

impl SmallIndex {
    pub(crate) fn new() -> Self {
        let scratch = Scratch::new("index");
        let source = scratch.write("posts.jsonl", POSTS.as_bytes());
        let collection = scratch.path().join("posts.coll");
        build(&source, &collection).expect("the small collection is built");
        let kinds = vec![FeatureKind::Parts];
        let options = Options { formula_features: kinds.clone(), post_features: kinds };
        let path = scratch.path().join("index");
        index::build(&collection, &path, &options, &index::Unwatched).expect("the small index is built");
        let change = Change { add: None, delete: &["11".to_owned()] };
        index::change(&path, change, &index::Unwatched).expect("a post is deleted");
        Self { _scratch: scratch, path }
    }

    pub(crate) fn open(&self) -> Index {
        Index::open(&self.path).expect("the small index is whole")
    }

    /// The files of the index that its manifest names, the manifest first.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        let manifest = fs::read_to_string(self.path.join("index.json")).expect("there is a manifest");
        let mut names: Vec<String> = fs::read_dir(&self.path)
            .expect("the folder of the index")
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| manifest.contains(&format!("\"{name}\"")))
            .collect();
        names.sort();
        names.insert(0, "index.json".to_owned());
        let read = |name: String| {
            let bytes = fs::read(self.path.join(&name)).expect("a file of the index");
            (name, bytes)
        };
        names.into_iter().map(read).collect()
    }
}

/// The bytes of the small collection.
pub(crate) fn collection_bytes() -> Vec<u8> {
    let scratch = Scratch::new("collection");
    let source = scratch.write("posts.jsonl", POSTS.as_bytes());
    let path = scratch.path().join("posts.coll");
    build(&source, &path).expect("the small collection is built");
    fs::read(path).expect("the collection that was just built")
}
