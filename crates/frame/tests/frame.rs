//! Frames are read back as they were written, and nothing that is changed goes unnoticed.

#![allow(clippy::unwrap_used, reason = "a test that cannot write its files has failed")]

use frame::{Error, Format, Frame, FrameWriter};
use std::fs;
use testkit::TempDir;

const FORMAT: Format = Format { head: *b"testfile", foot: *b"elifstet", version: 3 };

fn written(folder: &TempDir) -> std::path::PathBuf {
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
