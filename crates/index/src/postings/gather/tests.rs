//! However documents are gathered, the lists are the same.

use super::{Batch, Gathering};
use crate::postings::{Block, Postings};
use frame::{Format, Frame, FrameWriter};
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;
use testkit::TempDir;

const FORMAT: Format = Format { head: *b"testtest", foot: *b"tsettset", version: 1 };
const DOCUMENTS: u32 = 700;
const PURPOSE: &str = "a test";

fn names() -> Vec<String> {
    ["words", "none", "math"].map(str::to_owned).to_vec()
}

/// The keys of a document in a field, with repetitions.
fn keys(field: usize, doc: u32) -> Vec<u64> {
    match field {
        // Frequent and rare ones; each as often as the document's last digit says.
        0 => (0..doc % 10)
            .map(|number| {
                u64::from(doc % (2 + number)).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(number % 3)
            })
            .collect(),
        1 => Vec::new(),
        _ => vec![u64::MAX, u64::from(doc) << 40, 0],
    }
}

fn note(range: &Range<u32>) -> Vec<u8> {
    range.clone().flat_map(u32::to_le_bytes).collect()
}

/// Gathers what is not yet, so many documents a batch, up to some document.
fn gather(folder: &Path, size: u32, until: u32) -> Gathering {
    let mut gathering = Gathering::open(folder, &names(), PURPOSE).unwrap();
    while gathering.next() < until {
        let range = gathering.next()..until.min(gathering.next() + size);
        let chunks: Vec<_> = (0..3)
            .map(|field| {
                let mut batch = Batch::default();
                for doc in range.clone() {
                    keys(field, doc).into_iter().for_each(|key| batch.add(key, doc));
                }
                batch.chunk()
            })
            .collect();
        gathering.add(&chunks, range.end, note(&range)).unwrap();
    }
    gathering
}

/// What becomes of it; all notes stand at the end.
fn finish(gathering: Gathering, folder: &TempDir) -> Vec<u8> {
    let path = folder.path().join("result");
    let notes = gathering.notes().concat();
    let mut file = FrameWriter::create(&path, FORMAT).unwrap();
    gathering.write(&mut file, |_| ()).unwrap();
    file.section::<frame::Error>("notes", |put| put(&notes)).unwrap();
    file.finish().unwrap();
    fs::read(path).unwrap()
}

fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

#[test]
fn batches_of_any_size_give_the_same_lists() {
    let folder = TempDir::new("gather");
    let whole = finish(gather(&folder.path().join("0"), DOCUMENTS, DOCUMENTS), &folder);
    for size in [1, 13, 128, 699] {
        let work = folder.path().join(size.to_string());
        assert!(finish(gather(&work, size, DOCUMENTS), &folder) == whole, "batches of {size}");
    }
    let frame = Frame::open(&folder.path().join("result"), &FORMAT).unwrap();
    for (field, name) in names().iter().enumerate() {
        let mut expected: BTreeMap<u64, BTreeMap<u32, u32>> = BTreeMap::new();
        for doc in 0..DOCUMENTS {
            for key in keys(field, doc) {
                *expected.entry(key).or_default().entry(doc).or_default() += 1;
            }
        }
        let section = |part: &str| frame::Bytes::from(frame.bytes(&format!("{name}.{part}")));
        let postings = Postings::new(section("keys"), section("ends"), section("lists"), DOCUMENTS).unwrap();
        assert_eq!(postings.len(), expected.len());
        let mut block = Block::default();
        for (key, expected) in expected {
            let list = postings.find(key).unwrap();
            let mut found = BTreeMap::new();
            for number in 0..list.num_blocks() {
                list.unpack(number, &mut block);
                found.extend(block.postings());
            }
            assert_eq!(found, expected, "{key:x} in {name}");
            assert!(postings.find(key ^ 0x55).is_none_or(|other| !other.is_empty()));
        }
        assert!(postings.find(0x1234_5678_9abc_def0).is_none());
    }
}

/// A journal that is cut off, a damaged one and spools that are: what is whole is used.
#[test]
fn gathering_goes_on_from_what_is_whole() {
    let folder = TempDir::new("gather-cut");
    let whole = finish(gather(&folder.path().join("whole"), 100, DOCUMENTS), &folder);
    let begun = folder.path().join("begun");
    drop(gather(&begun, 100, 400));
    let (journal, work) = (fs::read(begun.join("journal")).unwrap(), folder.path().join("work"));
    let head = format!("{PURPOSE} {}\n", names().join(" ")).len();
    let line = (journal.len() - head) / 4;
    let mut cuts: Vec<usize> = (0..journal.len()).step_by(97).collect();
    for batch in 0..=4 {
        let end = head + batch * line;
        cuts.extend(end.saturating_sub(2)..=(end + 2).min(journal.len()));
    }
    for cut in cuts {
        copy(&begun, &work);
        fs::write(work.join("journal"), &journal[..cut]).unwrap();
        let gathering = Gathering::open(&work, &names(), PURPOSE).unwrap();
        let batches = cut.saturating_sub(head) / line;
        assert_eq!(gathering.next() as usize, batches * 100, "cut at {cut}");
        drop(gathering);
        assert!(finish(gather(&work, 100, DOCUMENTS), &folder) == whole, "cut at {cut}");
    }
    for name in ["journal", "words", "math"] {
        let bytes = fs::read(begun.join(name)).unwrap();
        for place in (0..bytes.len()).step_by(bytes.len() / 40) {
            copy(&begun, &work);
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x10;
            fs::write(work.join(name), &damaged).unwrap();
            assert!(finish(gather(&work, 70, DOCUMENTS), &folder) == whole, "{name} damaged at {place}");
            copy(&begun, &work);
            fs::write(work.join(name), &bytes[..place]).unwrap();
            assert!(finish(gather(&work, 70, DOCUMENTS), &folder) == whole, "{name} cut at {place}");
        }
    }
}

#[test]
fn another_purpose_begins_anew() {
    let folder = TempDir::new("gather-purpose");
    drop(gather(folder.path(), 100, 400));
    let other = Gathering::open(folder.path(), &names(), "another").unwrap();
    assert_eq!(other.next(), 0);
    drop(other);
    assert_eq!(Gathering::open(folder.path(), &names()[..1], "another").unwrap().next(), 0);
}
