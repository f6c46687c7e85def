//! Small collections, and what an index says of each post.

use crate::fields::STOPS;
use crate::postings::Block;
use crate::{Document, FeatureKind, Field, Index, Options, Part};
use ingest::{Plan, Strictness};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use testkit::TempDir;

/// All fields, with some kinds of features.
pub(super) fn options() -> Options {
    Options { formula_features: vec![FeatureKind::Parts, FeatureKind::Ngrams], post_features: kinds() }
}

pub(super) fn kinds() -> Vec<FeatureKind> {
    vec![FeatureKind::Parts, FeatureKind::Tuples, FeatureKind::Symbols]
}

/// A post to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Draft {
    pub(super) id: u32,
    pub(super) parent: Option<u32>,
    pub(super) title: String,
    pub(super) body: String,
    pub(super) comment: Option<String>,
}

const NOUNS: [&str; 12] = [
    "group",
    "groups",
    "limit",
    "limits",
    "series",
    "matrix",
    "matrices",
    "proof",
    "proofs",
    "field",
    "well-known",
    "integral",
];
const FORMULAS: [&str; 10] = [
    "x^2+1",
    r"\frac{a}{b}",
    r"\sum_{n=1}^\infty \frac1{n^2}",
    "a^2+b^2=c^2",
    r"\int_0^1 f(x)\,dx",
    "n!",
    r"\sqrt{2}",
    "x_1<x_2",
    r"\alpha+\beta",
    "",
];

impl Draft {
    /// A post whose text depends on its id and a version of it.
    pub(super) fn new(id: u32, parent: Option<u32>, version: u32) -> Self {
        let pick = |salt: u32| (id.wrapping_mul(31).wrapping_add(version * 17 + salt * 7)) as usize;
        let noun = |salt| NOUNS[pick(salt) % NOUNS.len()];
        let formula = |salt| FORMULAS[pick(salt) % FORMULAS.len()];
        let title = match parent {
            None => format!("About the {} of ${}$ {}", noun(1), formula(2), noun(3)),
            Some(_) => String::new(),
        };
        let body = format!(
            "The {} has **a** {} with ${}$ and ${}$, number{id} version{version}. {}",
            noun(4),
            noun(5),
            formula(6),
            formula(7),
            "very ".repeat(pick(8) % 5)
        );
        let comment = (pick(9) % 3 == 0).then(|| format!("Why {} ${}$?", noun(10), formula(11)));
        Self { id, parent, title, body, comment }
    }

    fn lines(&self, out: &mut String) {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        match self.parent {
            None => out.push_str(&format!(
                "{{\"kind\":\"question\",\"id\":{},\"title\":{},\"body\":{},\"tags\":[\"algebra\",\"real-analysis\"]}}\n",
                self.id,
                quoted(&self.title),
                quoted(&self.body)
            )),
            Some(parent) => out.push_str(&format!(
                "{{\"kind\":\"answer\",\"id\":{},\"parent\":{parent},\"body\":{}}}\n",
                self.id,
                quoted(&self.body)
            )),
        }
        if let Some(comment) = &self.comment {
            let id = 100_000 + self.id;
            let (post, text) = (self.id, quoted(comment));
            out.push_str(&format!("{{\"kind\":\"comment\",\"id\":{id},\"post\":{post},\"text\":{text}}}\n"));
        }
    }
}

/// Questions with up to three answers each.
pub(super) fn drafts(questions: u32) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for question in 0..questions {
        let id = 10 * question + 1;
        drafts.push(Draft::new(id, None, 0));
        drafts.extend((1..=question % 4).map(|answer| Draft::new(id + answer, Some(id), 0)));
    }
    drafts
}

/// Makes a collection of posts.
pub(super) fn collection<'d>(
    folder: &TempDir,
    name: &str,
    drafts: impl IntoIterator<Item = &'d Draft>,
) -> PathBuf {
    let mut lines = String::new();
    drafts.into_iter().for_each(|draft| draft.lines(&mut lines));
    let source = folder.write(&format!("{name}.jsonl"), lines);
    let path = folder.path().join(format!("{name}.coll"));
    let plan = Plan::of(&source).unwrap();
    let done = AtomicU64::new(0);
    ingest::build(&plan, &path, Strictness::Lenient, &done, &mut ingest::Unwatched).unwrap();
    path
}

/// What an index says of a post.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct View {
    pub(super) parent: Option<String>,
    /// For each field, keys and how often the post has them.
    pub(super) keys: BTreeMap<String, BTreeMap<u64, u32>>,
    /// The lengths by field and stop words.
    pub(super) lengths: Vec<(String, u16)>,
}

pub(super) fn fields() -> Vec<Field> {
    Field::all(&kinds())
}

fn id_of(index: &Index, document: Document) -> String {
    let (source, post) = index.post(document);
    source.collection.post_id(post).to_string()
}

/// What an index says of all valid posts, by their ids.
pub(super) fn view(index: &Index) -> BTreeMap<String, View> {
    let mut views: BTreeMap<String, View> = BTreeMap::new();
    let mut block = Block::default();
    for (number, segment) in index.segments().iter().enumerate() {
        let in_segment = |doc: u32| Document { segment: number, doc };
        let live: Vec<u32> = (0..segment.posts.documents()).filter(|doc| segment.is_live(*doc)).collect();
        assert_eq!(live.len(), segment.live() as usize);
        let ids: BTreeMap<u32, String> =
            live.iter().map(|doc| (*doc, id_of(index, in_segment(*doc)))).collect();
        for (doc, id) in &ids {
            assert_eq!(index.find(id), Some(in_segment(*doc)), "{id}");
            let parent = segment.posts.parent(*doc);
            assert!(parent.is_none_or(|parent| ids.contains_key(&parent)), "{id} answers what is not valid");
            let parent = parent.map(|parent| ids[&parent].clone());
            let before = views.insert(id.clone(), View { parent, ..View::default() });
            assert!(before.is_none(), "{id} is there twice");
        }
        for field in fields() {
            let postings = segment.posts.postings(field).unwrap();
            for key in postings.keys() {
                let list = postings.find(key).unwrap();
                let mut count = 0;
                for place in 0..list.num_blocks() {
                    list.unpack(place, &mut block);
                    for (doc, frequency) in block.postings() {
                        count += 1;
                        if let Some(view) = ids.get(&doc).and_then(|id| views.get_mut(id)) {
                            view.keys.entry(field.to_string()).or_default().insert(key, frequency);
                        }
                    }
                }
                assert_eq!(count, list.len());
            }
            for stop in STOPS {
                let lengths: Vec<u16> = segment.posts.lengths(field, stop).collect();
                assert_eq!(lengths.len(), segment.posts.documents() as usize);
                for (doc, id) in &ids {
                    let view = views.get_mut(id).unwrap();
                    view.lengths.push((format!("{field} {}", stop.name()), lengths[*doc as usize]));
                }
            }
        }
        let ranks: Vec<u32> = (0..segment.posts.documents())
            .map(|doc| crate::stored::number(segment.posts.space().ranks, doc).unwrap())
            .collect();
        for (left, left_id) in &ids {
            for (right, right_id) in ids.iter().take(20) {
                assert_eq!(ranks[*left as usize].cmp(&ranks[*right as usize]), left_id.cmp(right_id));
            }
        }
    }
    assert_eq!(views.len(), index.num_posts() as usize);
    views
}

/// The files of a folder, with what is in them.
pub(super) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        assert!(entry.file_type().unwrap().is_file(), "{}", entry.path().display());
        files.insert(entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap());
    }
    files
}

/// The parts that have words.
pub(super) const PARTS: [Part; 4] = Part::ALL;
