//! The files of an index are its own: nobody else writes to them, and no name leads to another file later.

use super::numbers::{self, kinds};
use super::util::{collection, drafts, files, options, view};
use crate::manifest::Manifest;
use crate::{
    Change, Index, Unwatched, add_part, build, build_with, change, change_with, compact_with, remove_parts,
};
use std::collections::BTreeMap;
use std::fs;
use testkit::TempDir;

/// The names that were used, and what was in the files.
#[derive(Default)]
struct Names {
    ever: BTreeMap<String, Vec<u8>>,
    now: BTreeMap<String, Vec<u8>>,
}

impl Names {
    /// Names are new, or lead to the same file as before without ever having been away.
    fn after(&mut self, what: &str, folder: &std::path::Path) {
        let mut now = files(folder);
        now.retain(|name, _| name != "lock" && name != "index.json");
        for (name, bytes) in &now {
            match (self.now.get(name), self.ever.get(name)) {
                (Some(before), _) => assert!(before == bytes, "{what}: {name} holds something else"),
                (None, Some(_)) => panic!("{what}: the name {name} is used again"),
                (None, None) => {}
            }
            self.ever.insert(name.clone(), bytes.clone());
        }
        self.now = now;
    }
}

#[test]
fn names_are_never_used_again() {
    let folder = TempDir::new("folder-names");
    let target = folder.path().join("index");
    let parts = numbers::all();
    let kinds = kinds(&parts);
    let one = collection(&folder, "one", &drafts(8));
    let two = collection(&folder, "two", &drafts(3));
    let mut names = Names::default();
    build_with(&one, &target, &options(), &kinds, &Unwatched).unwrap();
    names.after("build", &target);
    let with = Change { add: Some(&two), delete: &["32".to_owned()] };
    change_with(&target, with, &kinds, &Unwatched).unwrap();
    names.after("change", &target);
    compact_with(&target, &kinds, &Unwatched).unwrap();
    names.after("compact", &target);
    remove_parts(&target, &[kinds[0].name()]).unwrap();
    names.after("remove a part", &target);
    add_part(&target, kinds[0], &Unwatched).unwrap();
    names.after("add it again", &target);
    build(&one, &target, &options(), &Unwatched).unwrap();
    names.after("build anew", &target);
    change(&target, Change { add: None, delete: &["nothing".to_owned()] }, &Unwatched).unwrap();
    names.after("delete nothing", &target);
    // Even if nobody knows any more what the last number was.
    for lost in ["{}", ""] {
        let numbers = Manifest::read(&target).unwrap().generation;
        folder.write("index/index.json", lost);
        build(&one, &target, &options(), &Unwatched).unwrap();
        names.after("the manifest was lost", &target);
        assert!(Manifest::read(&target).unwrap().generation > numbers);
    }
    folder.write("index/lock", "");
    folder.write("index/index.json", "{}");
    build(&one, &target, &options(), &Unwatched).unwrap();
    names.after("manifest and lock were lost", &target);
    fs::remove_file(target.join("index.json")).unwrap();
    build(&one, &target, &options(), &Unwatched).unwrap();
    names.after("the manifest was removed", &target);
}

#[test]
fn the_same_collection_gives_the_same_files() {
    let folder = TempDir::new("folder-same");
    let one = collection(&folder, "one", &drafts(8));
    let targets = ["a", "b"].map(|name| folder.path().join(name));
    for target in &targets {
        build(&one, target, &options(), &Unwatched).unwrap();
    }
    assert!(files(&targets[0]) == files(&targets[1]));
}

/// Whoever writes to the collection that was indexed does not write to the index.
#[test]
fn an_index_has_a_copy_of_its_collection() {
    let folder = TempDir::new("folder-copy");
    let target = folder.path().join("index");
    let one = collection(&folder, "one", &drafts(8));
    let two = collection(&folder, "two", &drafts(3));
    let index = build(&one, &target, &options(), &Unwatched).unwrap();
    let expected = view(&index);
    // As `cp two one` does: the same file with other bytes.
    fs::write(&one, fs::read(&two).unwrap()).unwrap();
    assert_eq!(view(&index), expected);
    index.sound().unwrap();
    fs::OpenOptions::new().write(true).open(&one).unwrap().set_len(10).unwrap();
    assert_eq!(view(&index), expected);
    let index = Index::open(&target).unwrap();
    index.check().unwrap();
    assert_eq!(view(&index), expected);
}

#[cfg(unix)]
#[test]
fn nobody_may_write_to_the_files_of_an_index() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let folder = TempDir::new("folder-rights");
    let target = folder.path().join("index");
    let parts = numbers::all();
    let one = collection(&folder, "one", &drafts(8));
    build_with(&one, &target, &options(), &kinds(&parts), &Unwatched).unwrap();
    let with = Change { add: None, delete: &["32".to_owned()] };
    change_with(&target, with, &kinds(&parts), &Unwatched).unwrap();
    let mut looked = 0;
    for name in files(&target).keys().filter(|name| !["lock", "index.json"].contains(&name.as_str())) {
        let facts = fs::metadata(target.join(name)).unwrap();
        assert_eq!(facts.permissions().mode() & 0o222, 0, "{name}");
        assert_eq!(facts.nlink(), 1, "{name}");
        looked += 1;
    }
    assert!(looked > 6, "{looked}");
    assert!(fs::metadata(&one).unwrap().permissions().mode() & 0o200 != 0, "the given one stays as it is");
}
