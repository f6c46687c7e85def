//! A byte that is not as it was written is noticed, and nothing panics.

use super::numbers::{self, kinds};
use super::util::{collection, drafts, files, options, view};
use crate::manifest::Manifest;
use crate::write::{change_as, compact_as};
use crate::{Change, Index, Unwatched, Watch, build, build_with, change, change_with, compact};
use frame::Opening;
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use testkit::TempDir;

/// Whether damage is noticed when an index is opened or checked.
fn is_noticed(target: &Path) -> bool {
    match Index::open(target).and_then(|index| index.check()) {
        Ok(()) => false,
        Err(error) => {
            assert!(error.is_damage(), "{error}");
            true
        }
    }
}

#[test]
fn damage_is_noticed() {
    let folder = TempDir::new("damage");
    let target = folder.path().join("index");
    let parts = numbers::all();
    let one = collection(&folder, "one", &drafts(12));
    build_with(&one, &target, &options(), &kinds(&parts), &Unwatched).unwrap();
    let two = collection(&folder, "two", &drafts(3));
    let asked = Change { add: Some(&two), delete: &["32".to_owned()] };
    change_with(&target, asked, &kinds(&parts), &Unwatched).unwrap();
    assert!(!is_noticed(&target));
    let whole = files(&target);
    assert_eq!(whole.keys().filter(|name| name.ends_with(".dead")).count(), 1, "{:?}", whole.keys());
    assert_eq!(whole.keys().filter(|name| numbers::is_part(name)).count(), 6, "{:?}", whole.keys());
    for (name, bytes) in &whole {
        let path = target.join(name);
        if name == "lock" {
            continue;
        }
        // Files of parts are small: every byte of them.
        let step = if numbers::is_part(name) { 1 } else { (bytes.len() / 200).max(1) };
        let places = (0..bytes.len()).step_by(step);
        // A file that is mapped is never written to, so each is a new one.
        let put = |bytes: &[u8]| {
            let new = folder.write("damaged", bytes);
            fs::rename(new, &path).unwrap();
        };
        for place in places.chain(bytes.len().saturating_sub(60)..bytes.len()) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << (place % 8);
            put(&damaged);
            assert!(is_noticed(&target), "{name}, byte {place}");
        }
        for length in (0..bytes.len()).step_by((bytes.len() / 30).max(1)) {
            put(&bytes[..length]);
            assert!(is_noticed(&target), "{name}, cut to {length}");
        }
        put(&[bytes, &b"more"[..]].concat());
        assert!(is_noticed(&target), "{name}, made longer");
        fs::remove_file(&path).unwrap();
        if name == "index.json" {
            assert!(Index::open(&target).is_err());
        } else {
            assert!(is_noticed(&target), "{name} is gone");
        }
        put(bytes);
    }
    assert!(!is_noticed(&target));
}

/// Files that belong to another index are whole, and still wrong.
#[test]
fn files_of_another_index_are_noticed() {
    let folder = TempDir::new("damage-other");
    let targets = ["a", "b"].map(|name| folder.path().join(name));
    for (target, questions) in targets.iter().zip([1, 6]) {
        let path = collection(&folder, &format!("c{questions}"), &drafts(questions));
        build_with(&path, target, &options(), &kinds(&numbers::all()), &Unwatched).unwrap();
    }
    let parts = ["1.1.posts.asked", "1.1.posts.per-post", "1.1.formulas.looks"];
    for name in ["1.posts", "1.formulas", "1.collection"].into_iter().chain(parts) {
        let [whole, other] = targets.each_ref().map(|target| fs::read(target.join(name)).unwrap());
        assert!(whole != other, "{name}");
        for (bytes, noticed) in [(&other, true), (&whole, false)] {
            let new = folder.write("new", bytes);
            fs::rename(new, targets[0].join(name)).unwrap();
            assert_eq!(is_noticed(&targets[0]), noticed, "{name}");
        }
    }
}

/// So are files of the same index that stand for each other, with a manifest that names them.
#[test]
fn files_in_the_wrong_place_are_noticed() {
    let folder = TempDir::new("damage-place");
    let target = folder.path().join("index");
    let path = collection(&folder, "one", &drafts(6));
    build_with(&path, &target, &options(), &kinds(&numbers::all()), &Unwatched).unwrap();
    let two = collection(&folder, "two", &drafts(2));
    let asked = Change { add: Some(&two), delete: &[] };
    change_with(&target, asked, &kinds(&numbers::all()), &Unwatched).unwrap();
    let manifest = Manifest::read(&target).unwrap();
    let with = |edit: &dyn Fn(&mut Manifest)| {
        let mut edited = manifest.clone();
        edit(&mut edited);
        edited.publish(&target).unwrap();
        assert_eq!(is_noticed(&target), edited != manifest);
    };
    with(&|_| ());
    with(&|manifest| manifest.segments[0].parts[0].file = manifest.segments[0].parts[1].file.clone());
    with(&|manifest| manifest.segments[0].parts[0].file = manifest.collections[0].parts[0].file.clone());
    with(&|manifest| manifest.segments[0].parts = manifest.segments[1].parts.clone());
    with(&|manifest| manifest.collections[0].parts = manifest.collections[1].parts.clone());
    with(&|manifest| manifest.segments[0].parts.swap(0, 1));
    with(&|manifest| drop(manifest.segments[0].parts.pop()));
    with(&|manifest| drop(manifest.parts.pop()));
    with(&|manifest| manifest.parts[0].version += 1);
    with(&|manifest| manifest.parts[1].settings.push('x'));
}

/// Changes a byte of a file while an index that has it open is changed.
struct Meanwhile<'a>(&'a Path);

impl Watch for Meanwhile<'_> {
    fn stage(&self, name: &str, _: u64) {
        if name == "lists of posts" {
            let mut rights = fs::metadata(self.0).unwrap().permissions();
            #[expect(clippy::permissions_set_readonly_false, reason = "for a moment, in a test")]
            rights.set_readonly(false);
            fs::set_permissions(self.0, rights).unwrap();
            let mut file = fs::OpenOptions::new().write(true).open(self.0).unwrap();
            let middle = fs::metadata(self.0).unwrap().len() / 2;
            file.seek(SeekFrom::Start(middle)).unwrap();
            file.write_all(&[0xA5]).unwrap();
        }
    }

    fn done(&self, _: u64) {}
}

/// Files that are too large to be read when an index is opened are read before values are copied from them.
#[test]
fn damage_is_not_copied() {
    let folder = TempDir::new("damage-copied");
    let target = folder.path().join("index");
    let (path, parts) = (collection(&folder, "one", &drafts(12)), numbers::all());
    build_with(&path, &target, &options(), &kinds(&parts), &Unwatched).unwrap();
    let part = target.join("1.1.posts.per-post");
    let whole = fs::read(&part).unwrap();
    let delete = ["32".to_owned()];
    let asked = Change { add: None, delete: &delete };
    for compacted in [false, true] {
        let outcome = match compacted {
            false => change_as(&target, asked, &kinds(&parts), &Meanwhile(&part), Opening::MAPPED).map(drop),
            true => compact_as(&target, &kinds(&parts), &Meanwhile(&part), Opening::MAPPED).map(drop),
        };
        assert!(outcome.unwrap_err().is_damage());
        assert!(fs::read(&part).unwrap() != whole);
        fs::rename(folder.write("whole", &whole), &part).unwrap();
        assert!(!is_noticed(&target));
    }
}

/// A damaged index can be built anew in its place, and is not changed.
#[test]
fn what_is_damaged_can_be_built_anew() {
    let folder = TempDir::new("damage-anew");
    let target = folder.path().join("index");
    let path = collection(&folder, "one", &drafts(6));
    let expected = view(&build(&path, &target, &options(), &Unwatched).unwrap());
    for name in ["1.posts", "index.json"] {
        folder.write(&format!("index/{name}"), "rubbish");
        assert!(is_noticed(&target));
        change(&target, Change { add: Some(&path), delete: &[] }, &Unwatched).unwrap_err();
        compact(&target, &Unwatched).unwrap_err();
        assert_eq!(view(&build(&path, &target, &options(), &Unwatched).unwrap()), expected);
        assert!(!is_noticed(&target));
    }
}
