//! `hypatia index`: built, changed, checked, and killed at any moment.

use crate::util::{Dir, Outcome, kill};
use index::parts::{BuildPosts, NewPosts, PartBuilder, PartOutput};
use index::{Index, PartKind};
use std::fs;
use std::process::{Command, Stdio};
use std::time::Instant;

const ONE: &str = r#"{"kind":"question","id":1,"title":"Is $x^2\\ge 0$?","body":"For real $x$.","tags":["algebra"]}
{"kind":"answer","id":2,"parent":1,"body":"Yes: \\[x^2=x\\cdot x\\]"}
{"kind":"question","id":3,"title":"Sums","body":"What is $\\sum_k k$?"}
"#;
const TWO: &str = r#"{"kind":"answer","id":2,"parent":1,"body":"Yes, since squares are."}
{"kind":"answer","id":4,"parent":1,"body":"Also $x=0$."}
"#;

/// A folder with the collections `one` and `two`.
fn folder(name: &str) -> Dir {
    let dir = Dir::new(name);
    for (name, lines) in [("one", ONE), ("two", TWO)] {
        dir.write(&format!("{name}.jsonl"), lines);
        let built = dir.run(&["collection", "build", &format!("{name}.jsonl"), "-o", name]);
        assert_eq!(built.code, 0, "{}", built.stderr);
    }
    dir
}

/// The value of a name in what was printed.
fn fact<'o>(outcome: &'o Outcome, name: &str) -> &'o str {
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let value = outcome.stdout.lines().find_map(|line| {
        let (known, value) = line.split_once(' ')?;
        (known == name).then(|| value.trim())
    });
    value.unwrap_or_else(|| panic!("{name} in\n{}", outcome.stdout))
}

#[test]
fn an_index_is_built_changed_and_looked_at() {
    let dir = folder("index-life");
    let built = dir.run(&["index", "one", "-o", "i"]);
    for (name, value) in [
        ("posts", "3"),
        ("formulas", "4"),
        (
            "features",
            "parts,pairs,pairs-opt,tuples,tuples-l8,paths,ngrams,latex-words,phoc-xy5,phoc-xy7o4,latex-tokens,slt-tokens,opt-tokens",
        ),
        ("post-features", "parts,pairs,pairs-opt,tuples,tuples-l8,paths,ngrams,symbols"),
        ("segments", "1"),
    ] {
        assert_eq!(fact(&built, name), value, "{name}");
    }
    assert!(fact(&built, "bytes-posts").ends_with("kB)"), "{}", built.stdout);
    fact(&built, "seconds");
    let updated = dir.run(&["index", "two", "-o", "i", "--update"]);
    for (name, value) in
        [("added", "1"), ("replaced", "1"), ("deleted", "0"), ("posts", "4"), ("outdated", "2")]
    {
        assert_eq!(fact(&updated, name), value, "{name}");
    }
    let deleted = dir.run(&["index", "-o", "i", "--delete", "3, 77"]);
    assert_eq!((fact(&deleted, "deleted"), fact(&deleted, "unknown")), ("1", "1"));
    assert_eq!(deleted.stderr, "hypatia: warning: 1 of the ids to be deleted are not in the index\n");
    dir.write("gone.txt", "4\n\n2\n");
    let deleted = dir.run(&["index", "two", "-o", "i", "--update", "--delete", "@gone.txt"]);
    assert_eq!((fact(&deleted, "deleted"), fact(&deleted, "posts")), ("2", "1"));
    let compacted = dir.run(&["index", "-o", "i", "--compact"]);
    for (name, value) in [("posts", "1"), ("outdated", "0"), ("segments", "1"), ("collections", "1")] {
        assert_eq!(fact(&compacted, name), value, "{name}");
    }
    let info = dir.run(&["index", "i", "--info", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&info.stdout).unwrap();
    assert_eq!((json["posts"].as_u64(), json["generation"].as_u64()), (Some(1), Some(5)));
    assert_eq!(json["post_features"][0], "parts");
    let bytes = |name: &str| json[name].as_u64().unwrap();
    assert_eq!(bytes("bytes"), bytes("bytes_posts") + bytes("bytes_formulas") + bytes("bytes_collections"));
    let verified = dir.run(&["index", "-o", "i", "--verify"]);
    assert_eq!(verified.code, 0, "{}", verified.stdout);
    assert!(verified.stdout.starts_with("whole: "), "{}", verified.stdout);
}

/// A part of a kind that the program does not know.
#[derive(Debug)]
struct Empty;

impl PartKind for Empty {
    fn name(&self) -> &str {
        "empty"
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

impl BuildPosts for Empty {
    fn build(&self, _: &NewPosts<'_>, _: &mut PartOutput<'_>) -> Result<(), index::Error> {
        Ok(())
    }
}

#[test]
fn parts_are_named_and_not_lost() {
    let dir = folder("index-parts");
    assert_eq!(dir.run(&["index", "one", "-o", "i"]).code, 0);
    index::add_part(&dir.path().join("i"), &Empty, &index::Unwatched).unwrap();
    let info = dir.run(&["index", "i", "--info"]);
    assert_eq!(fact(&info, "parts"), "empty");
    let bytes = |name: &str| -> u64 { fact(&info, name).split(' ').next().unwrap().parse().unwrap() };
    let sum: u64 =
        ["posts", "formulas", "collections", "parts"].map(|of| bytes(&format!("bytes-{of}"))).iter().sum();
    assert_eq!(bytes("bytes"), sum);
    let verified = dir.run(&["index", "i", "--verify"]);
    assert!(verified.stdout.ends_with("3 posts, parts empty\n"), "{}", verified.stdout);
    for arguments in [&["index", "two", "-o", "i", "--update"][..], &["index", "-o", "i", "--compact"]] {
        let refused = dir.run(arguments);
        assert_eq!(refused.code, 2);
        assert!(refused.stderr.contains("has the part empty"), "{}", refused.stderr);
    }
    dir.write("i/2.1.posts.empty", "rubbish");
    assert_eq!(dir.run(&["index", "i", "--verify"]).code, 1);
}

#[test]
fn features_are_chosen() {
    let dir = folder("index-features");
    let built =
        dir.run(&["index", "one", "-o", "i", "--features", "ngrams,parts", "--post-features", "none"]);
    assert_eq!((fact(&built, "features"), fact(&built, "post-features")), ("parts,ngrams", "none"));
    let built = dir.run(&["index", "one", "-o", "i", "--features", "none", "--post-features", "all"]);
    assert_eq!(fact(&built, "features"), "none");
    let wrong = dir.run(&["index", "one", "-o", "i", "--features", "parts,words"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.stderr.contains("there are no features called `words`; there are parts"),
        "{}",
        wrong.stderr
    );
    let kept = dir.run(&["index", "two", "-o", "i", "--update", "--features", "all"]);
    assert_eq!(kept.code, 2, "{}", kept.stdout);
}

#[test]
fn mistakes_say_what_to_do() {
    let dir = folder("index-wrong");
    dir.write("web/index.json", "{}");
    dir.write("file", "mine");
    assert_eq!(dir.run(&["index", "one", "-o", "there"]).code, 0);
    for (arguments, part) in [
        (&["index"][..], "nothing to index: `hypatia index FOLDER`, or `hypatia index --sample`"),
        (&["index", "-o", "i"], "hypatia index SOURCE -o i"),
        (&["index", "-o", "i", "--update"], "hypatia index SOURCE -o INDEX --update"),
        (&["index", "--info"], "there is no index here (hypatia.index)"),
        (&["index", "--update", "one"], "there is no index here (hypatia.index)"),
        (&["index", "one", "-o", "i", "--delete", "1"], "--update"),
        (&["index", "one", "-o", "i", "--verify"], "-o alone"),
        (&["index", "-o", "there", "--delete", " ,"], "there is no id"),
        (&["index", "-o", "there", "--delete", "@none"], "none: No such file"),
        (&["index", "-o", "i", "--delete", "1"], "i: there is no such index"),
        (&["index", "nothing", "-o", "i"], "nothing: No such file"),
        (&["index", "file", "-o", "i"], "file: holds nothing that can be read"),
        (&["index", "one", "-o", "web"], "web: contains other files; -o needs a new or empty folder"),
        (&["index", "one", "-o", "file"], "file: contains other files"),
        (
            &["index", "-o", "i", "--info"],
            "i: there is no such index; make one with `hypatia index FOLDER -o i`",
        ),
        (&["index", "-o", "web", "--compact"], "web: not an index: it is a folder of other files"),
        (&["index", "two", "-o", "i", "--update"], "i: there is no such index"),
    ] {
        let outcome = dir.run(arguments);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(outcome.stderr.contains(part), "{arguments:?}: {}", outcome.stderr);
        assert_eq!(outcome.stderr.lines().count(), 1, "{arguments:?}: {}", outcome.stderr);
        assert!(!dir.path().join("i").exists(), "{arguments:?}");
    }
    assert_eq!(fs::read(dir.path().join("web/index.json")).unwrap(), b"{}");
}

#[test]
fn damage_is_named() {
    let dir = folder("index-damage");
    assert_eq!(dir.run(&["index", "one", "-o", "i"]).code, 0);
    for name in ["1.posts", "1.formulas", "1.collection"] {
        let path = dir.path().join("i").join(name);
        let whole = fs::read(&path).unwrap();
        let mut bytes = whole.clone();
        bytes[100] ^= 4;
        dir.write(&format!("i/{name}"), bytes);
        let verified = dir.run(&["index", "-o", "i", "--verify"]);
        assert_eq!(verified.code, 1, "{}", verified.stderr);
        let part = format!("i/{name}: is damaged: the section ");
        assert!(verified.stdout.starts_with(&part), "{}", verified.stdout);
        fs::remove_file(&path).unwrap();
        let verified = dir.run(&["index", "-o", "i", "--verify"]);
        assert!(verified.stdout.starts_with(&format!("i/{name}: is damaged: it is missing")), "{verified:?}");
        fs::write(&path, whole).unwrap();
    }
    assert_eq!(dir.run(&["index", "-o", "i", "--verify"]).code, 0);
    assert_eq!(dir.run(&["collection", "verify", "one"]).code, 0);
}

/// What is made of a damaged collection would be damaged, too: nothing is made of it.
#[test]
fn nothing_is_made_of_what_is_damaged() {
    let dir = folder("index-of-damage");
    assert_eq!(dir.run(&["index", "one", "-o", "i"]).code, 0);
    let mut bytes = fs::read(dir.path().join("two")).unwrap();
    bytes[200] ^= 4;
    dir.write("bad", &bytes);
    let before = fs::read(dir.path().join("i/index.json")).unwrap();
    for arguments in [
        &["index", "bad", "-o", "new"][..],
        &["index", "bad", "-o", "i"],
        &["index", "bad", "-o", "i", "--update"],
        &["collection", "export", "bad", "--to", "jsonl", "-o", "out"],
        &["collection", "export", "bad", "--to", "trec", "-o", "out"],
        &["collection", "info", "bad"],
        &["collection", "thread", "bad", "2", "-o", "out"],
        &["collection", "thread", "bad", "--all", "-o", "out"],
        &["collection", "show", "bad", "2"],
        &["collection", "verify", "bad"],
    ] {
        let outcome = dir.run(arguments);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{arguments:?}");
        assert!(
            outcome.stderr.contains("bad: is damaged: the section "),
            "{arguments:?}: {}",
            outcome.stderr
        );
        assert!(!dir.path().join("out").exists() && !dir.path().join("new/index.json").exists());
    }
    assert!(fs::read(dir.path().join("i/index.json")).unwrap() == before);
    // Nor of an index.
    let mut bytes = fs::read(dir.path().join("i/1.posts")).unwrap();
    bytes[200] ^= 4;
    dir.write("i/1.posts", &bytes);
    for arguments in [
        &["index", "two", "-o", "i", "--update"][..],
        &["index", "-o", "i", "--delete", "1"],
        &["index", "-o", "i", "--compact"],
        &["search", "--index", "i", "squares"],
        &["serve", "--index", "i", "--port", "0"],
    ] {
        let outcome = dir.run(arguments);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{arguments:?}");
        assert!(outcome.stderr.contains("i/1.posts: is damaged: the section "), "{}", outcome.stderr);
    }
    assert!(fs::read(dir.path().join("i/index.json")).unwrap() == before);
}

#[test]
fn what_is_killed_leaves_the_old_state_or_the_new_one() {
    let dir = Dir::new("index-kill");
    for (name, seed, posts) in [("one", "1", "150"), ("two", "2", "250")] {
        let made = dir.run(&["synth", "--posts", posts, "--seed", seed, "--topics", "1", "-o", name]);
        assert_eq!(made.code, 0, "{}", made.stderr);
        let coll = format!("{name}.coll");
        assert_eq!(dir.run(&["collection", "build", name, "-o", &coll]).code, 0);
    }
    let timed = |arguments: &[&str]| {
        let started = Instant::now();
        let outcome = dir.run(arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        started.elapsed()
    };
    let features = ["--features", "parts", "--post-features", "parts"];
    let build = |source: &'static str, target: &'static str| {
        [&["index", source, "-o", target][..], &features].concat()
    };
    let fingerprint = |target: &str| {
        let index = Index::open(&dir.path().join(target)).unwrap();
        index.check().unwrap();
        index.fingerprint()
    };
    let usual = timed(&build("two.coll", "two.index"));
    timed(&build("one.coll", "i"));
    let (old, new) = (fingerprint("i"), fingerprint("two.index"));
    assert_ne!(old, new);
    // Builds, each over what the last has left.
    let killed = kill(
        25,
        usual,
        || dir.command(&build("two.coll", "i")),
        |round| {
            let left = fingerprint("i");
            assert!(left == old || left == new, "round {round}");
            if left == new {
                timed(&build("one.coll", "i"));
                assert_eq!(fingerprint("i"), old, "round {round}");
            }
        },
    );
    assert!(killed >= 5, "{killed}");
    timed(&build("two.coll", "i"));
    assert_eq!(fingerprint("i"), new);
    // Changes of one state.
    let update = ["index", "one.coll", "-o", "i", "--update", "--delete", "1,2"];
    let usual = timed(&update);
    let changed = fingerprint("i");
    timed(&build("two.coll", "i"));
    let killed = kill(
        25,
        usual,
        || dir.command(&update),
        |round| {
            let left = fingerprint("i");
            assert!(left == new || left == changed, "round {round}");
            if left == changed {
                timed(&build("two.coll", "i"));
                assert_eq!(fingerprint("i"), new, "round {round}");
            }
        },
    );
    assert!(killed >= 5, "{killed}");
    timed(&update);
    assert_eq!(fingerprint("i"), changed);
    let mut names: Vec<String> = fs::read_dir(dir.path().join("i"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(!names.iter().any(|name| name == "building" || name.ends_with(".new")), "{names:?}");
}

#[test]
fn one_core_writes_the_same_bytes_as_all() {
    let dir = folder("index-cores");
    if Command::new("taskset").arg("-V").stdout(Stdio::null()).status().is_err() {
        testkit::skip("there is no taskset");
        return;
    }
    assert_eq!(dir.run(&["index", "one", "-o", "all"]).code, 0);
    let one = Command::new("taskset")
        .args(["1", env!("CARGO_BIN_EXE_hypatia"), "index", "one", "-o", "one-core"])
        .current_dir(dir.path())
        .stdout(Stdio::null())
        .status();
    assert!(one.unwrap().success());
    for name in ["1.posts", "1.formulas", "index.json"] {
        let read = |folder: &str| fs::read(dir.path().join(folder).join(name)).unwrap();
        assert!(read("all") == read("one-core"), "{name}");
    }
}

#[test]
fn files_become_an_index_without_a_collection_of_their_own() {
    let dir = Dir::new("index-files");
    dir.write("notes/limits.md", "# Limits\n\nThe limit of $\\frac{\\sin x}{x}$ is $1$.\n");
    dir.write("notes/site/index.json", "{\"pages\": []}");
    let built = dir.run(&["index", "notes"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    assert!(dir.run(&["search", "limit"]).stdout.contains("sin"));
    // Nothing is left beside the index.
    let names = |folder: &str| {
        let entries = fs::read_dir(dir.path().join(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names("."), ["hypatia.index", "notes"]);
    // The folder may hold its own index, which is not read as notes.
    let inside = dir.run(&["index", "notes", "-o", "notes/own.index"]);
    assert_eq!(inside.code, 0, "{}", inside.stderr);
    let again = dir.run(&["index", "notes", "-o", "notes/own.index"]);
    assert_eq!(again.code, 0, "{}", again.stderr);
    assert_eq!(again.stderr.replace("notes/own.index: replaced\n", ""), inside.stderr);
    dir.write("more/series.md", "# Series\n\nA geometric series.\n");
    let updated = dir.run(&["index", "more", "--update"]);
    assert_eq!(updated.code, 0, "{}", updated.stderr);
    assert!(dir.run(&["search", "geometric"]).stdout.contains("series"));
    let wrong = dir.run(&["index", "hypatia.index", "-o", "x"]);
    assert!(wrong.stderr.contains("hypatia.index: is an index already"), "{}", wrong.stderr);
}
