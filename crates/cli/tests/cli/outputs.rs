//! One rule for outputs: an earlier one is replaced, with a note; what is not Hypatia's own stays.

use crate::util::Dir;

const POSTS: &str = r#"{"kind":"question","id":1,"title":"Is $x^2\\ge 0$?","body":"The square is never negative."}
"#;

#[test]
fn outputs_are_replaced_with_a_note() {
    let dir = Dir::new("outputs");
    dir.write("posts.jsonl", POSTS);
    for (arguments, name) in [
        (&["collection", "build", "posts.jsonl", "-o", "posts.coll"][..], "posts.coll"),
        (&["index", "posts.coll", "-o", "posts.index"], "posts.index"),
        (&["sample", "-o", "sample"], "sample"),
        (&["synth", "--posts", "30", "-o", "made-up"], "made-up"),
        (&["collection", "export", "posts.coll", "--to", "parquet", "-o", "tables"], "tables"),
        (&["collection", "export", "posts.coll", "--to", "jsonl", "-o", "out.jsonl"], "out.jsonl"),
        (
            &[
                "run",
                "--task",
                "1",
                "--topics",
                "sample/topics/Topics_Task1.xml",
                "--index",
                "posts.index",
                "-o",
                "run",
            ],
            "run",
        ),
    ] {
        let note = format!("{name}: replaced\n");
        let first = dir.run(arguments);
        assert_eq!(first.code, 0, "{arguments:?}: {}", first.stderr);
        assert!(!first.stderr.contains("replaced"), "{arguments:?}: {}", first.stderr);
        let again = dir.run(arguments);
        assert_eq!(
            (again.code, again.stderr.matches("replaced").count()),
            (0, 1),
            "{arguments:?}: {}",
            again.stderr
        );
        assert!(again.stderr.contains(&note), "{arguments:?}: {}", again.stderr);
    }
}

#[test]
fn what_is_not_ours_stays() {
    let dir = Dir::new("outputs-others");
    dir.write("posts.jsonl", POSTS);
    assert_eq!(dir.run(&["collection", "build", "posts.jsonl", "-o", "posts.coll"]).code, 0);
    let mine = "my thesis";
    for (arguments, file, told) in [
        (
            &["collection", "build", "posts.jsonl", "-o", "thesis.tex"][..],
            "thesis.tex",
            "something else is there",
        ),
        (&["index", "posts.jsonl", "-o", "notes"], "notes/a.md", "contains other files"),
        (&["sample", "-o", "."], "threads/algebra.md", "was not written by this command"),
        (&["synth", "--posts", "30", "-o", "dump"], "dump/Posts.xml", "--force writes there anyway"),
        (
            &["collection", "export", "posts.coll", "--to", "parquet", "-o", "tables"],
            "tables/posts.parquet",
            "--force replaces it",
        ),
    ] {
        let path = dir.write(file, mine);
        let outcome = dir.run(arguments);
        assert_eq!(outcome.code, 2, "{arguments:?}");
        assert!(outcome.stderr.contains(told), "{arguments:?}: {}", outcome.stderr);
        assert_eq!(std::fs::read_to_string(path).unwrap(), mine, "{arguments:?}");
    }
}

#[test]
fn inputs_are_never_overwritten() {
    let dir = Dir::new("outputs-inputs");
    dir.write("posts.jsonl", POSTS);
    dir.write("a.txt", "1 Q0 x 1 1 a\n");
    dir.write("b.txt", "1 Q0 y 1 1 b\n");
    for arguments in [
        &["collection", "build", "posts.jsonl", "-o", "posts.coll"][..],
        &["index", "posts.coll"],
        &["sample", "-o", "sample"],
    ] {
        assert_eq!(dir.run(arguments).code, 0);
    }
    let topics = "sample/topics/Topics_Task1.xml";
    for (arguments, file) in [
        (&["collection", "export", "posts.coll", "--to", "trec", "-o", "./posts.coll"][..], "posts.coll"),
        (&["fuse", "a.txt", "b.txt", "--by", "rrf", "-o", "a.txt"], "a.txt"),
        (&["run", "--task", "1", "--topics", topics, "-o", topics], topics),
        (&["run", "--task", "3", "--topics", topics, "-o", topics], topics),
    ] {
        let before = std::fs::read(dir.path().join(file)).unwrap();
        let told = format!("hypatia: {file}: would be overwritten by its result");
        dir.run(arguments).fails(&told);
        assert!(std::fs::read(dir.path().join(file)).unwrap() == before, "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn links_stay_links() {
    let dir = Dir::new("outputs-links");
    dir.write("posts.jsonl", POSTS);
    let build = ["collection", "build", "posts.jsonl", "-o", "link.coll"];
    assert_eq!(dir.run(&["collection", "build", "posts.jsonl", "-o", "posts.coll"]).code, 0);
    std::os::unix::fs::symlink("posts.coll", dir.path().join("link.coll")).unwrap();
    assert_eq!(dir.run(&build).code, 0);
    assert!(dir.path().join("link.coll").is_symlink());
    let null = dir.run(&["collection", "build", "posts.jsonl", "-o", "/dev/null"]);
    assert_eq!(null.code, 2);
    assert!(null.stderr.contains("/dev/null: something else is there"), "{}", null.stderr);
}
