//! Parts of other kinds go through builds, changes and compaction as posting lists do.

use super::numbers::{self, From, Numbers, kinds};
use super::util::{Draft, collection, drafts, files, options, view};
use super::world::{World, scattered};
use crate::parts::{BuildPosts, NewPosts, Over, PartBuilder, PartOutput, RowSection};
use crate::{
    Change, Error, Index, PartKind, Unwatched, add_part, build, build_with, change, change_with, compact,
    compact_with, remove_parts,
};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use testkit::TempDir;

#[test]
fn numbers_are_those_of_an_index_built_anew_after_any_changes() {
    for seed in 1..=6 {
        let mut random = scattered(seed);
        let mut world = World::with_parts("parts-random", drafts(12), numbers::all());
        for version in 1..=5 {
            world.step(version, &mut random);
            if random(3) == 0 {
                world.compact();
            }
        }
        world.compact();
        let names: Vec<String> = files(&world.target).into_keys().collect();
        let sources = Index::open(&world.target).unwrap().sources().len();
        assert_eq!(names.len(), 3 + 2 + 3 * sources, "{names:?}");
    }
}

#[test]
fn a_change_computes_what_is_new() {
    let mut world = World::with_parts("parts-reuse", drafts(12), numbers::all());
    world.computed();
    // An answer is replaced: its thread moves, and its number alone is computed.
    world.change(&[Draft::new(32, Some(31), 3)], &[]);
    let [post, asked, _] = world.computed()[..] else { panic!() };
    assert_eq!((post, asked), (1, 1));
    // So is a question: its answers depend on it in one of the parts.
    world.change(&[Draft::new(31, None, 3)], &[]);
    let [post, asked, _] = world.computed()[..] else { panic!() };
    assert_eq!((post, asked), (1, 4));
    // Without its question, an answer is another document in that part.
    world.change(&[], &[31]);
    assert_eq!(world.computed(), [0, 3, 0]);
    world.compact();
    assert_eq!(world.computed(), [0, 0, 0]);
    // A build over an index of the same posts copies, too.
    let path = world.folder.path().join("first.coll");
    let target = world.folder.path().join("again");
    let build_it = |target: &Path, kinds: &[&dyn PartKind]| {
        build_with(&path, target, &options(), kinds, &Unwatched).unwrap();
        files(target)
    };
    let first = build_it(&target, &kinds(&world.parts));
    assert!(world.computed().iter().all(|computed| *computed > 0));
    let second = build_it(&target, &kinds(&world.parts));
    assert_eq!(world.computed(), [0, 0, 0]);
    assert_eq!(first["1.1.posts.asked"], second["2.2.posts.asked"]);
    assert_eq!(first["1.1.formulas.looks"], second["2.2.formulas.looks"]);
    // But not from a file that is damaged.
    let mut bytes = second["2.2.posts.asked"].clone();
    let place = bytes.len() / 2;
    bytes[place] ^= 1;
    world.folder.write("again/2.2.posts.asked", &bytes);
    assert_eq!(first["1.1.posts.asked"], build_it(&target, &kinds(&world.parts))["3.3.posts.asked"]);
    assert!(world.computed().iter().all(|computed| *computed > 0));
}

#[test]
fn all_posts_can_go_and_parts_stay() {
    let mut world = World::with_parts("parts-all", drafts(4), numbers::all());
    let all: Vec<u32> = world.posts.keys().copied().collect();
    world.change(&[], &all);
    let index = Index::open(&world.target).unwrap();
    assert_eq!((index.sources().len(), index.parts().len()), (0, 3));
    world.compact();
    world.change(&drafts(3), &[]);
}

/// Whoever does not know the kinds can read everything and keep nothing up to date.
#[test]
fn an_index_is_used_without_its_kinds() {
    let folder = TempDir::new("parts-unknown");
    let target = folder.path().join("index");
    let (path, parts) = (collection(&folder, "c", &drafts(8)), numbers::all());
    let plain = folder.path().join("plain");
    let expected = build(&path, &plain, &options(), &Unwatched).unwrap();
    build_with(&path, &target, &options(), &kinds(&parts), &Unwatched).unwrap();
    let index = Index::open(&target).unwrap();
    index.check().unwrap();
    assert!(view(&index) == view(&expected));
    assert_ne!(index.fingerprint(), expected.fingerprint());
    assert_eq!(index.size(), expected.size() + index.parts_size());
    let labels: Vec<_> = index.parts().iter().map(|label| (label.name.as_str(), label.over)).collect();
    assert_eq!(labels, [("asked", Over::Posts), ("looks", Over::Formulas), ("per-post", Over::Posts)]);
    let file = index.segments()[0].part("asked").unwrap();
    assert_eq!(file.sections().collect::<Vec<_>>(), ["about", "numbers", "lists", "lists-ends"]);
    assert!(index.segments()[0].part("looks").is_none() && index.sources()[0].part("asked").is_none());
    assert!(file.bytes("none").is_empty() && file.rows("numbers", 5).unwrap_err().is_damage());
    let before = files(&target);
    let delete = ["1".to_owned()];
    let asked = Change { add: Some(&path), delete: &delete };
    for outcome in [
        change(&target, asked, &Unwatched).map(drop),
        change_with(&target, asked, &kinds(&parts[1..]), &Unwatched).map(drop),
        compact(&target, &Unwatched).map(drop),
        compact_with(&target, &kinds(&parts[..2]), &Unwatched).map(drop),
    ] {
        let error = outcome.unwrap_err();
        assert!(matches!(error, Error::UnknownPart { .. }) && !error.is_damage(), "{error}");
        assert!(files(&target) == before);
    }
    // Kinds that the index has no part of are not added by a change.
    change_with(&plain, asked, &kinds(&parts), &Unwatched).unwrap();
    assert!(Index::open(&plain).unwrap().parts().is_empty());
}

fn documents(index: &Index) -> u32 {
    index.segments().iter().map(|segment| segment.posts.documents()).sum()
}

#[test]
fn parts_are_added_replaced_and_removed() {
    let mut world = World::new("parts-add", drafts(12));
    world.change(&drafts(40)[20..30], &[1]);
    let plain = Index::open(&world.target).unwrap();
    assert_eq!(plain.segments().len(), 2);
    let (postings, parts) = (view(&plain), numbers::all());
    for kind in &parts {
        let index = add_part(&world.target, kind, &Unwatched).unwrap();
        assert!(view(&index) == postings && kind.computed() > 0);
        kind.values(&index);
    }
    let added = files(&world.target);
    assert_eq!(added.keys().filter(|name| name.contains(".posts.asked")).count(), 2, "{:?}", added.keys());
    // Adding what is there changes nothing.
    add_part(&world.target, &parts[0], &Unwatched).unwrap();
    assert!(files(&world.target) == added && parts[0].computed() == 0);
    // Another version or other settings are another part, also in a change.
    let mut other = numbers::all();
    other[0].version = 2;
    let index = add_part(&world.target, &other[0], &Unwatched).unwrap();
    assert_eq!(other[0].computed(), documents(&index));
    other[0].values(&index);
    other[1].settings = "second";
    let asked = Change { add: None, delete: &["11".to_owned()] };
    let (index, _) = change_with(&world.target, asked, &kinds(&other), &Unwatched).unwrap();
    assert_eq!(index.segments().len(), 3);
    assert_eq!((other[0].computed(), other[2].computed()), (0, 0));
    assert_eq!(other[1].computed(), documents(&index));
    other.iter().for_each(|kind| drop(kind.values(&index)));
    index.check().unwrap();
    // They go again, without their kinds, and with damaged files.
    let error = remove_parts(&world.target, &["vectors"]).unwrap_err();
    assert!(error.to_string().ends_with("has no part vectors; its parts: asked, looks, per-post"), "{error}");
    drop(index);
    let damaged = files(&world.target).into_keys().find(|name| name.ends_with(".looks")).unwrap();
    fs::remove_file(world.target.join(&damaged)).unwrap();
    assert!(Index::open(&world.target).unwrap_err().is_damage());
    let index = remove_parts(&world.target, &["looks"]).unwrap();
    assert_eq!(index.parts().len(), 2);
    remove_parts(&world.target, &["asked"]).unwrap();
    let index = remove_parts(&world.target, &["per-post"]).unwrap();
    assert!(index.parts().is_empty() && index.parts_size() == 0);
    assert!(files(&world.target).keys().all(|name| !name.contains("posts.") || name.ends_with(".dead")));
    world.posts.remove(&11);
    world.check(&index);
    world.change(&[], &[21]);
}

/// A manifest without parts has the bytes that it had before there were any, so that indexes of then and now
/// are the same.
#[test]
fn an_index_without_parts_has_the_manifest_it_always_had() {
    let mut world = World::new("parts-manifest", drafts(6));
    world.change(&drafts(8)[6..], &[1]);
    let whole = fs::read_to_string(world.target.join("index.json")).unwrap();
    let body: serde_json::Value =
        serde_json::Deserializer::from_str(&whole).into_iter().next().unwrap().unwrap();
    let keys = |value: &serde_json::Value| {
        value.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(body["format"], 1);
    assert_eq!(keys(&body), "collections format formula_features generation post_features program segments");
    assert_eq!(keys(&body["collections"][0]), "collection formulas number");
    assert_eq!(keys(&body["segments"][0]), "dead posts");
    // With a part, programs that do not know of parts are kept from losing it.
    let part = Numbers::new("per-post", From::Post);
    add_part(&world.target, &part, &Unwatched).unwrap();
    let format =
        |target: &Path| fs::read_to_string(target.join("index.json")).unwrap().contains("\"format\": 2");
    assert!(format(&world.target));
    remove_parts(&world.target, &["per-post"]).unwrap();
    assert!(!format(&world.target));
}

#[test]
fn names_of_parts_are_checked() {
    let folder = TempDir::new("parts-names");
    let path = collection(&folder, "c", &drafts(2));
    let target = folder.path().join("index");
    for name in ["", "Vectors", "a.b", "dead", "posts", "new", "a/b", "é"] {
        let kind = Numbers::new(name, From::Post);
        let error = build_with(&path, &target, &options(), &[&kind], &Unwatched).unwrap_err();
        assert!(matches!(error, Error::PartName(_)), "{name}: {error}");
    }
    let kind = Numbers::new("twice", From::Post);
    build_with(&path, &target, &options(), &[&kind, &kind], &Unwatched).unwrap_err();
    assert!(!target.exists());
}

/// Gives rows of a wrong length, or fails.
#[derive(Debug)]
struct Wrong(Option<&'static str>);

impl PartKind for Wrong {
    fn name(&self) -> &str {
        "wrong"
    }

    fn version(&self) -> u32 {
        1
    }

    fn settings(&self) -> String {
        String::new()
    }

    fn builder(&self) -> PartBuilder<'_> {
        PartBuilder::Posts(self)
    }
}

impl BuildPosts for Wrong {
    fn build(&self, posts: &NewPosts<'_>, out: &mut PartOutput<'_>) -> Result<(), Error> {
        let section = RowSection { name: "rows", documents: posts.documents(), bytes: 4, batch: 8 };
        out.rows(
            section,
            |_| None,
            || {
                |docs: &[u32]| {
                    self.0.map_or(Ok(vec![0; docs.len() * 4 - 1]), |why| Err(Error::part("wrong", why)))
                }
            },
        )
        .map(drop)
    }
}

#[test]
fn a_part_that_fails_changes_nothing() {
    let mut world = World::new("parts-fail", drafts(6));
    let before = Index::open(&world.target).unwrap().fingerprint();
    for (kind, why) in [(Wrong(None), "rows have a wrong length"), (Wrong(Some("no model")), "no model")] {
        let error = add_part(&world.target, &kind, &Unwatched).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        assert_eq!(Index::open(&world.target).unwrap().fingerprint(), before);
    }
    world.change(&[], &[1]);
    assert!(!world.target.join("building").exists());
}

/// Files that look like those of a part are removed only if they are.
#[test]
fn files_of_others_stay() {
    let mut world = World::with_parts("parts-foreign", drafts(6), numbers::all());
    let part = fs::read(world.target.join("1.1.posts.asked")).unwrap();
    let names = ["1.1.posts.notes", "9.9.posts.x", "a.1.posts.asked", "1.posts.asked", "1.1.posts.asked.bak"];
    names.iter().for_each(|name| drop(world.folder.write(&format!("index/{name}"), "mine")));
    world.folder.write("index/7.1.posts.left", &part);
    world.change(&[Draft::new(1, None, 5)], &[]);
    names.iter().for_each(|name| assert_eq!(fs::read(world.target.join(name)).unwrap(), b"mine", "{name}"));
    assert!(!world.target.join("7.1.posts.left").exists());
    // A folder that was left without a manifest is one of ours with parts, but not with other files.
    fs::remove_file(world.target.join("index.json")).unwrap();
    let path = world.folder.path().join("first.coll");
    build(&path, &world.target, &options(), &Unwatched).unwrap_err();
    names.iter().for_each(|name| fs::remove_file(world.target.join(name)).unwrap());
    build(&path, &world.target, &options(), &Unwatched).unwrap();
    assert_eq!(files(&world.target).len(), 5);
}

/// Runs in a process of its own, with the index's path in the environment.
#[test]
fn builds_where_the_environment_says() {
    let Some(target) = std::env::var_os("INDEX_PARTS_TARGET") else { return };
    let target = Path::new(&target);
    let path = target.with_file_name("c.coll");
    build_with(&path, target, &options(), &kinds(&numbers::all()), &Unwatched).unwrap();
}

#[test]
fn one_core_writes_the_same_bytes_as_all() {
    if Command::new("taskset").arg("-V").stdout(Stdio::null()).status().is_err() {
        testkit::skip("there is no taskset");
        return;
    }
    let folder = TempDir::new("parts-cores");
    collection(&folder, "c", &drafts(40));
    let build_on = |cores: &str, name: &str| -> BTreeMap<String, Vec<u8>> {
        let target = folder.path().join(name);
        let test = "tests::parts::builds_where_the_environment_says";
        let done = Command::new("taskset")
            .arg(cores)
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", test])
            .env("INDEX_PARTS_TARGET", &target)
            .stdout(Stdio::null())
            .status();
        assert!(done.unwrap().success());
        files(&target)
    };
    assert!(build_on("1", "one") == build_on("ff", "all"));
}
