//! Frames are read back as they were written, and nothing that is changed goes unnoticed.

#![allow(clippy::unwrap_used, reason = "a test that cannot write its files has failed")]

use frame::{Error, Format, Frame, FrameWriter, Opening};
use std::fs;
use std::path::PathBuf;
use testkit::TempDir;

const FORMAT: Format = Format { head: *b"testfile", foot: *b"elifstet", version: 3 };

fn written(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("a.file");
    let mut writer = FrameWriter::create(&path, FORMAT).unwrap();
    writer.section::<Error>("text", |put| put(b"five.").and_then(|()| put(b"more"))).unwrap();
    writer.numbers("numbers", &[1, 2, 3]).unwrap();
    writer.items::<1>("nothing", []).unwrap();
    writer.finish().unwrap();
    path
}

#[test]
fn sections_are_read_back() {
    let folder = TempDir::new("frame");
    let frame = Frame::open(&written(&folder), &FORMAT).unwrap();
    assert_eq!(frame.bytes("text"), b"five.more");
    assert_eq!(frame.bytes("numbers").len(), 12);
    assert_eq!(frame.range("nothing").map(|range| range.len()), Some(0));
    assert_eq!(frame.range("missing"), None);
    frame.check().unwrap();
}

#[test]
fn every_changed_byte_is_noticed() {
    let folder = TempDir::new("frame");
    let path = written(&folder);
    let bytes = fs::read(&path).unwrap();
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        fs::write(&path, changed).unwrap();
        let noticed = Frame::open(&path, &FORMAT).and_then(|frame| frame.check());
        assert!(noticed.is_err(), "byte {at} of {}", bytes.len());
    }
    for length in 0..bytes.len() {
        fs::write(&path, &bytes[..length]).unwrap();
        assert!(Frame::open(&path, &FORMAT).is_err(), "cut to {length} bytes");
    }
}

#[test]
fn other_files_and_versions_are_named() {
    let folder = TempDir::new("frame");
    let path = written(&folder);
    let other = Format { version: 4, ..FORMAT };
    assert!(matches!(Frame::open(&path, &other), Err(Error::Version { found: 3, known: 4, .. })));
    let other = Format { head: *b"anything", ..FORMAT };
    assert!(matches!(Frame::open(&path, &other), Err(Error::Foreign(_))));
}

/// A file with a section of several pieces between two small ones.
fn long(folder: &TempDir) -> (PathBuf, Vec<u8>) {
    let path = folder.path().join("long");
    let numbers: Vec<u32> = (0..50_000_u32).map(|number| number.wrapping_mul(2_654_435_761)).collect();
    let mut writer = FrameWriter::create(&path, FORMAT).unwrap();
    writer.numbers("first", &[1, 2, 3]).unwrap();
    writer.numbers("long", &numbers).unwrap();
    writer.numbers("last", &[4, 5]).unwrap();
    writer.finish().unwrap();
    (path, numbers.iter().flat_map(|number| number.to_le_bytes()).collect())
}

#[test]
fn a_damaged_piece_reads_as_nothing_and_is_named() {
    let folder = TempDir::new("frame");
    let (path, expected) = long(&folder);
    let whole = fs::read(&path).unwrap();
    let frame = Frame::open_as(&path, &FORMAT, Opening::MAPPED).unwrap();
    let range = frame.range("long").unwrap();
    assert_eq!(frame.bytes("long"), expected);
    assert_eq!(frame.sections().map(|(name, _)| name).collect::<Vec<_>>(), ["first", "long", "last"]);
    frame.check_slowly(|_| true).unwrap();
    let mut bytes = whole.clone();
    bytes[range.start + 100_000] ^= 1;
    let path = folder.write("damaged", &bytes);
    assert!(Frame::open(&path, &FORMAT).is_err(), "a small file is read whole");
    let frame = Frame::open_as(&path, &FORMAT, Opening::MAPPED).unwrap();
    let view = frame.view(range);
    assert_eq!(view.get(0..1000), Some(&expected[..1000]));
    assert_eq!(view.get(150_000..150_400), Some(&expected[150_000..150_400]));
    frame.sound().unwrap();
    assert_eq!(view.get(65_000..66_000), None, "it touches the damaged piece");
    assert_eq!(view.array::<4>(100_000), [0; 4]);
    let error = frame.sound().unwrap_err().to_string();
    assert!(
        error.ends_with("damaged: is damaged: the section long has a wrong checksum; build it anew"),
        "{error}"
    );
    assert_eq!(frame.num_damaged(), 1);
    assert_eq!(view.get(0..1000), Some(&expected[..1000]), "the rest can be read");
    assert!(frame.check_slowly(|_| true).is_err());
    assert!(frame.check().is_err());
}

#[test]
fn no_changed_byte_of_a_large_file_is_read() {
    let folder = TempDir::new("frame");
    let (path, expected) = long(&folder);
    let whole = fs::read(&path).unwrap();
    for at in (0..whole.len()).step_by(997).chain(whole.len() - 200..whole.len()) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        let path = folder.write("damaged", &bytes);
        let Ok(frame) = Frame::open_as(&path, &FORMAT, Opening::MAPPED) else { continue };
        let read = frame.bytes("long").to_vec();
        assert!(frame.sound().is_err() || read == expected, "byte {at}");
        assert!(frame.check().is_err(), "byte {at}");
    }
}

/// Files without checksums of pieces are as they were before there were any.
#[test]
fn a_file_without_pieces_is_read_by_sections() {
    let folder = TempDir::new("frame");
    let path = folder.path().join("old");
    let (_, bytes) = long(&folder);
    let mut writer = FrameWriter::create(&path, FORMAT).unwrap();
    writer.section::<Error>("long", |put| put(&bytes)).unwrap();
    writer.finish().unwrap();
    let written = fs::read(&path).unwrap();
    let old = without_pieces(&written, &bytes);
    let path = folder.write("old", &old);
    let frame = Frame::open_as(&path, &FORMAT, Opening::MAPPED).unwrap();
    assert_eq!(frame.bytes("long"), bytes);
    frame.check().unwrap();
    let mut damaged = old;
    damaged[90_000] ^= 2;
    let path = folder.write("old", &damaged);
    let frame = Frame::open_as(&path, &FORMAT, Opening::MAPPED).unwrap();
    assert_eq!(frame.view(frame.range("long").unwrap()).get(0..10), None);
    assert!(frame.sound().is_err());
}

/// The file of one section as it was written before sections had pieces.
fn without_pieces(file: &[u8], section: &[u8]) -> Vec<u8> {
    let mut old = file[..16 + section.len()].to_vec();
    let at = old.len() as u64;
    let mut table = vec![4];
    table.extend_from_slice(b"long");
    table.extend_from_slice(&16_u64.to_le_bytes());
    table.extend_from_slice(&(section.len() as u64).to_le_bytes());
    table.extend_from_slice(&xxhash_rust::xxh3::xxh3_64(section).to_le_bytes());
    old.extend_from_slice(&table);
    old.extend_from_slice(&at.to_le_bytes());
    old.extend_from_slice(&(table.len() as u64).to_le_bytes());
    old.extend_from_slice(&xxhash_rust::xxh3::xxh3_64(&table).to_le_bytes());
    old.extend_from_slice(&FORMAT.foot);
    old
}

/// A file that others cut short or write to while it is open is an error, never a signal.
#[test]
fn a_file_that_changes_while_it_is_open_is_noticed() {
    let folder = TempDir::new("frame");
    let (path, expected) = long(&folder);
    let whole = fs::read(&path).unwrap();
    let in_memory = Frame::open(&path, &FORMAT).unwrap();
    let mapped = Frame::open_as(&path, &FORMAT, Opening::MAPPED).unwrap();
    let unread = Frame::open_as(&path, &FORMAT, Opening::MAPPED).unwrap();
    assert_eq!(mapped.bytes("long"), expected);
    mapped.sound().unwrap();
    // As `cp` does: the same file, shorter for a moment, then with other bytes.
    fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(1000).unwrap();
    let range = unread.range("long").unwrap();
    assert_eq!(unread.view(range.clone()).get(100_000..100_010), None);
    for frame in [&unread, &mapped] {
        let error = frame.sound().unwrap_err().to_string();
        assert!(error.contains("it was cut short while it was open"), "{error}");
    }
    assert_eq!(in_memory.bytes("long"), expected);
    in_memory.sound().unwrap();
    fs::write(&path, &whole).unwrap();
    let frame = Frame::open_as(&path, &FORMAT, Opening::MAPPED).unwrap();
    assert_eq!(frame.bytes("long"), expected);
    let mut other = whole;
    other[range.start + 5] ^= 1;
    fs::write(&path, &other).unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(10);
    fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
    frame.sound().unwrap();
    assert_eq!(frame.view(range).get(0..10), None, "what was right is compared again");
    assert!(frame.sound().is_err());
}
