//! Stored files: frames, collections and indexes, as they are and with right checksums around wrong bytes.

use super::text_or_refuse;
use crate::Outcome;
use crate::scratch::Scratch;
use crate::seal::{seal, seal_manifest};
use crate::small::{SmallIndex, collection_bytes};
use ::frame::{Format, Frame, FrameWriter};
use ::index::{Deadline, Index};
use ::store::Collection;
use retrieve::people::SearchOptions;
use retrieve::typed::Typed;
use retrieve::{Asked, Engine, Pipeline};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

/// The format of the frames that seeds hold.
pub(crate) const FORMAT: Format = Format { head: *b"fuzzfile", foot: *b"elifzzuf", version: 1 };

thread_local! {
    static FRAME: Scratch = Scratch::new("frame");
    static STORE: Scratch = Scratch::new("store");
    static INDEX: IndexCopy = IndexCopy::new();
}

/// A small frame.
pub(crate) fn frame_bytes() -> Vec<u8> {
    let scratch = Scratch::new("frame-seed");
    let path = scratch.path().join("seed");
    let mut writer = FrameWriter::create(&path, FORMAT).expect("a frame is begun");
    let text = writer.section::<::frame::Error>("text", |put| put(b"five.").and_then(|()| put(b"more")));
    text.expect("a section is written");
    writer.numbers("numbers", &[1, 2, 3]).expect("a section is written");
    writer.items::<1>("nothing", []).expect("a section is written");
    writer.finish().expect("the frame is finished");
    std::fs::read(path).expect("the frame that was just written")
}

static WHOLE_FRAME: LazyLock<Vec<u8>> = LazyLock::new(frame_bytes);

/// Frames of any bytes: sections lie in the file, one behind the other.
pub fn frame(bytes: &[u8]) -> Outcome {
    let outcome = read_frame(bytes);
    if let Some((sealed, fingerprint)) = seal(bytes, &WHOLE_FRAME) {
        FRAME.with(|scratch| {
            let path = scratch.write("sealed", &sealed);
            if let Ok(frame) = Frame::open(&path, &FORMAT) {
                assert_eq!(frame.fingerprint(), fingerprint);
            }
        });
        read_frame(&sealed);
    }
    outcome
}

fn read_frame(bytes: &[u8]) -> Outcome {
    FRAME.with(|scratch| {
        let path = scratch.write("frame", bytes);
        let frame = match Frame::open(&path, &FORMAT) {
            Ok(frame) => frame,
            Err(error) => {
                assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
                return Outcome::Refused;
            }
        };
        assert_eq!(frame.size(), bytes.len() as u64);
        let mut end = 16;
        for (name, entry) in frame.sections() {
            assert!(entry.range.start >= end && entry.range.end < bytes.len());
            end = entry.range.end;
            assert_eq!(frame.at(entry.range.clone()), &bytes[entry.range.clone()]);
            assert!(frame.range(name).is_some());
        }
        Outcome::of(&frame.check())
    })
}

static WHOLE_COLLECTION: LazyLock<Vec<u8>> = LazyLock::new(collection_bytes);

/// Collections of any bytes: an error that names the file, or one of which everything can be asked.
pub fn store(bytes: &[u8]) -> Outcome {
    let outcome = read_store(bytes);
    if let Some((sealed, _)) = seal(bytes, &WHOLE_COLLECTION) {
        read_store(&sealed);
    }
    outcome
}

fn read_store(bytes: &[u8]) -> Outcome {
    STORE.with(|scratch| {
        let path = scratch.write("store", bytes);
        let collection = match Collection::open(&path) {
            Ok(collection) => collection,
            Err(error) => {
                assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
                return Outcome::Refused;
            }
        };
        ask_collection(&collection);
        Outcome::of(&collection.check())
    })
}

/// Asks a collection everything. Numbers lead nowhere that does not exist, whatever the file says.
fn ask_collection(collection: &Collection) {
    let mut reader = collection.reader();
    let (posts, comments) = (collection.num_posts(), collection.num_comments());
    for post in collection.posts() {
        let _ = reader.post(post);
        let facts = collection.post_facts(post);
        assert!(facts.parent.is_none_or(|parent| parent.0 < posts));
        assert!(collection.answers(post).all(|answer| answer.0 < posts));
        assert!(collection.comments_on(post).all(|comment| comment.0 < comments));
        let _ = collection.thread_of(post);
        for formula in collection.formulas_of_post(post) {
            assert!(formula < collection.num_formulas());
        }
        for link in collection.links_of(post) {
            let _ = reader.link(link);
        }
        let id = collection.post_id(post).to_string();
        assert!(collection.find_post(&id).is_none_or(|found| found.0 < posts));
    }
    for post in collection.posts_by_id() {
        assert!(post.0 < posts);
    }
    for comment in collection.comments() {
        let _ = reader.comment(comment);
        assert!(collection.comment_post(comment).0 < posts);
        assert!(collection.formulas_of_comment(comment).all(|formula| formula < collection.num_formulas()));
        let id = collection.comment_id(comment).to_string();
        assert!(collection.find_comment(&id).is_none_or(|found| found.0 < comments));
    }
    for formula in collection.formulas().chain(collection.formulas_by_id()) {
        let form = collection.formula_form(formula);
        assert!(form.0 < collection.num_forms());
        let _ = (reader.latex(form).map(str::len), reader.presentation(form).map(str::len));
        let _ = (reader.content(form).map(str::len), reader.stray(formula));
        assert!(collection.formula_post(formula).is_none_or(|post| post.0 < posts));
        assert!(collection.formula_comment(formula).is_none_or(|comment| comment.0 < comments));
        let _ = (
            collection.formula_marks(formula).part(),
            collection.find_formulas(&collection.formula_id(formula).to_string()).count(),
        );
    }
    for form in collection.forms() {
        assert!(collection.form_visual(form).0 < collection.num_visuals());
        assert!(collection.formulas_of_form(form).all(|formula| formula.0 < collection.num_formulas()));
        let _ = (collection.form_old_visual(form), collection.form_marks(form), collection.form_key(form));
    }
    for visual in collection.visuals() {
        let id = collection.visual_id(visual);
        assert!(collection.find_visual(id).is_none_or(|found| found.0 < collection.num_visuals()));
        assert!(collection.forms_of_visual(visual).all(|form| form.0 < collection.num_forms()));
    }
    for (id, _) in collection.users().unwrap_or_default().into_iter().take(20) {
        let _ = reader.user(&id);
    }
    let _ = collection.find_post("10");
}

/// A copy of the small index, one file of which is another one for each input.
struct IndexCopy {
    scratch: Scratch,
    files: Vec<(String, Vec<u8>)>,
}

static WHOLE_INDEX: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(index_files);

/// The files of the small index, the manifest first.
pub(crate) fn index_files() -> Vec<(String, Vec<u8>)> {
    SmallIndex::new().files()
}

static PIPELINES: LazyLock<(SearchOptions, Arc<Pipeline>)> = LazyLock::new(|| {
    let formulas = Pipeline::named(retrieve::DEFAULT_SEARCH_FORMULAS).expect("it comes with the program");
    (SearchOptions::default(), formulas)
});

impl IndexCopy {
    fn new() -> Self {
        let scratch = Scratch::new("index-copy");
        let files = WHOLE_INDEX.clone();
        for (name, bytes) in &files {
            scratch.write(name, bytes);
        }
        Self { scratch, files }
    }

    /// Opens the index with other bytes in one file, and then searches in it.
    fn read(&self, file: usize, bytes: &[u8], fingerprint: Option<u64>) -> Outcome {
        let (name, whole) = &self.files[file];
        self.scratch.write(name, bytes);
        if let Some(fingerprint) = fingerprint {
            let old = u64::from_le_bytes(
                whole[whole.len() - 16..whole.len() - 8].try_into().expect("eight bytes of a whole frame"),
            );
            let manifest = std::str::from_utf8(&self.files[0].1).expect("manifests are text");
            let (body, _) = manifest.trim_end().rsplit_once('\n').expect("a manifest has a last line");
            let body = body.replace(&format!("{old:016x}"), &format!("{fingerprint:016x}"));
            self.scratch.write("index.json", seal_manifest(&body).as_bytes());
        }
        let outcome = match Index::open(self.scratch.path()) {
            Ok(index) => {
                search_index(index);
                Outcome::Read
            }
            Err(error) => {
                assert!(error.to_string().starts_with(&self.scratch.path().display().to_string()), "{error}");
                Outcome::Refused
            }
        };
        self.scratch.write(name, whole);
        self.scratch.write("index.json", &self.files[0].1);
        outcome
    }
}

fn search_index(index: Index) {
    let _ = index.check();
    for source in index.sources() {
        ask_collection(&source.collection);
        for doc in 0..source.formulas.documents() {
            let _ = (source.formulas.visual(doc), source.formulas.latex(doc).len());
        }
    }
    for id in ["10", "12", "50", "x"] {
        if let Some(document) = index.find(id) {
            let (source, post) = index.post(document);
            assert!(post.0 < source.collection.num_posts());
        }
    }
    let engine = Engine::new(index);
    let (options, formulas) = &*PIPELINES;
    let query = "prove the inequality $a^2+b^2\\ge 2ab$ mean tag:inequality";
    if let Ok(results) = engine.search(&Typed::read(query), options) {
        assert!(results.hits.len() <= options.limit);
    }
    let deadline = Deadline::at(Instant::now() + Duration::from_secs(2));
    let _ = engine.run(formulas, &Asked::formulas("x^2").until(&deadline), 10);
}

/// Indexes one file of which is any bytes: an error that names the folder, or an index that can be searched.
/// The first byte says which file it is, the manifest being the first.
pub fn index(bytes: &[u8]) -> Outcome {
    let Some((file, rest)) = bytes.split_first() else { return Outcome::Refused };
    INDEX.with(|copy| {
        let file = usize::from(*file) % copy.files.len();
        let outcome = copy.read(file, rest, None);
        if file == 0 {
            let body = text_or_refuse!(rest);
            let body = body.trim_end().rsplit_once("\nchecksum").map_or(body, |(body, _)| body);
            copy.read(0, seal_manifest(body).as_bytes(), None);
        } else if let Some((sealed, fingerprint)) = seal(rest, &copy.files[file].1) {
            copy.read(file, &sealed, Some(fingerprint));
        }
        outcome
    })
}
