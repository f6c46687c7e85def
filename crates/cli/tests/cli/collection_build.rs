//! `hypatia collection build` and `verify`, from files to a collection that survives everything.

use crate::util::Dir;
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};
use store::Collection;

const JSONL: &str = r#"{"kind":"question","id":1,"title":"Is $x^2\\ge 0$?","body":"For **real** $x$; it costs $5 or $6.","tags":["algebra"]}
{"kind":"answer","id":2,"parent":1,"body":"Yes: `$code$` is code, \\[x^2=x\\cdot x\\] is not."}
{"kind":"comment","id":1,"post":2,"text":"And $x=0$?"}
{"kind":"link","from":1,"to":7,"link":"duplicate"}
"#;

#[test]
fn json_lines_become_a_collection_that_can_be_looked_at() {
    let dir = Dir::new("collection-build");
    dir.write("posts.jsonl", JSONL);
    let built = dir.run(&["collection", "build", "posts.jsonl", "-o", "c", "--report", "dirt.tsv"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    let words: Vec<String> =
        built.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in ["questions 1", "answers 1", "comments 1", "formula ids 4", "link-outside 1 kept"] {
        assert!(words.iter().any(|known| known == line), "{line:?} in\n{}", built.stdout);
    }
    let dirt = fs::read_to_string(dir.path().join("dirt.tsv")).unwrap();
    assert!(dirt.contains("link-outside\tkept\tposts.jsonl\t4\tlink from 1 to 7\tduplicate"), "{dirt}");
    let shown = dir.run(&["collection", "show", "c", "1"]);
    assert!(shown.stdout.contains("For real $x$; it costs $5 or $6."), "{}", shown.stdout);
    let collection = Collection::open(&dir.path().join("c")).unwrap();
    let mut reader = collection.reader();
    let latex: Vec<String> = collection
        .formulas()
        .map(|formula| reader.latex(collection.formula_form(formula)).unwrap().to_owned())
        .collect();
    assert_eq!(latex, [r"x^2\ge 0", "x", r"x^2=x\cdot x", "x=0"]);
    let verified = dir.run(&["collection", "verify", "c"]);
    assert_eq!((verified.code, verified.stderr.as_str()), (0, ""), "{}", verified.stdout);
}

#[test]
fn folders_of_pages_are_collections_with_names() {
    let dir = Dir::new("collection-pages");
    fs::create_dir_all(dir.path().join("notes/deep")).unwrap();
    dir.write("notes/a.md", "# Squares\n\nAll $x^2$ are at least $0$.\n");
    dir.write("notes/deep/b.html", "<title>Roots</title><body><p>See \\(\\sqrt{2}\\).</p></body>");
    dir.write("notes/c.tex", "\\title{Sums}\\begin{document}We have $$\\sum_k k$$\\end{document}");
    let page = "<html><body><p><math id=\"m1\" alttext=\"e^x\"><mi>e</mi></math></p></body></html>";
    dir.write("notes/Exponential.xhtml", page);
    let built = dir.run(&["collection", "build", "notes", "-o", "c", "--strict"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    let collection = Collection::open(&dir.path().join("c")).unwrap();
    let ids: Vec<String> =
        collection.posts_by_id().map(|post| collection.post_id(post).to_string()).collect();
    assert_eq!(ids, ["Exponential", "a", "c", "deep/b"]);
    let formulas: Vec<String> =
        collection.formulas_by_id().map(|formula| collection.formula_id(formula).to_string()).collect();
    assert_eq!(formulas, ["Exponential:0", "a:0", "a:1", "c:0", "deep/b:0"]);
}

#[test]
fn what_cannot_be_built_says_why() {
    let dir = Dir::new("collection-wrong");
    fs::create_dir(dir.path().join("empty")).unwrap();
    dir.run(&["collection", "build", "nothing", "-o", "c"])
        .fails("hypatia: nothing: No such file or directory (os error 2)");
    let empty = dir.run(&["collection", "build", "empty", "-o", "c"]);
    assert!(empty.stderr.starts_with("hypatia: empty: holds nothing that can be read"), "{}", empty.stderr);
    dir.write("posts.jsonl", "{\"id\":1,\"body\":\"x\"}\nno json\n");
    let strict = dir.run(&["collection", "build", "posts.jsonl", "-o", "c", "--strict"]);
    assert_eq!(strict.code, 2);
    assert!(strict.stderr.starts_with("hypatia: posts.jsonl:2: broken-row"), "{}", strict.stderr);
    assert!(!dir.path().join("c").exists());
    dir.write("c", "something else");
    let other = dir.run(&["collection", "info", "c"]);
    assert!(other.stderr.starts_with("hypatia: c: is no collection"), "{}", other.stderr);
}

#[test]
fn the_sample_is_in_the_program() {
    let dir = Dir::new("collection-sample");
    let built = dir.run(&["collection", "build", "--sample", "--strict", "-o", "c"]);
    assert_eq!(built.code, 0, "{}", built.stderr);
    let counts = Collection::open(&dir.path().join("c")).unwrap().about().counts;
    assert!(counts.questions >= 100 && counts.answers >= 240 && counts.formulas >= 2000, "{counts:?}");
}

/// Kills builds at moments spread over their whole length: what was there before
/// is intact, or the new collection is complete.
#[test]
fn a_build_that_is_killed_leaves_a_whole_collection() {
    let dir = Dir::new("collection-kill");
    for (name, seed) in [("one", "1"), ("two", "2")] {
        let made = dir.run(&["synth", "--posts", "400", "--seed", seed, "--topics", "2", "-o", name]);
        assert_eq!(made.code, 0, "{}", made.stderr);
    }
    let build = |source: &str, target: &str| {
        let mut command = dir.command(&["collection", "build", source, "-o", target]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    let started = Instant::now();
    let mut wholes = Vec::new();
    for source in ["one", "two"] {
        let target = format!("{source}.coll");
        assert!(build(source, &target).status().unwrap().success());
        wholes.push(fs::read(dir.path().join(target)).unwrap());
    }
    let usual = started.elapsed() / 2;
    assert_ne!(wholes[0], wholes[1]);
    let (mut killed, mut done) = (0, 0);
    fs::write(dir.path().join("c"), &wholes[0]).unwrap();
    for round in 0..50_u32 {
        let source = if round % 2 == 0 { "two" } else { "one" };
        let mut child = build(source, "c").spawn().unwrap();
        // Moments that are spread evenly over a build and a little beyond.
        let moment = usual * (round * 37 % 50) / 45;
        let until = Instant::now() + moment;
        while Instant::now() < until && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let finished = child.try_wait().unwrap().is_some();
        if !finished {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        let bytes = fs::read(dir.path().join("c")).unwrap();
        assert!(wholes.contains(&bytes), "round {round}: neither the old nor the new collection");
        if finished {
            done += 1;
        } else {
            killed += 1;
        }
        Collection::open(&dir.path().join("c")).unwrap().check().unwrap();
    }
    assert!(killed >= 10, "{killed} killed, {done} done");
    // What was left behind does not stand in the way.
    assert!(build("one", "c").status().unwrap().success());
    assert_eq!(fs::read(dir.path().join("c")).unwrap(), wholes[0]);
    let left: Vec<_> = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with('.'))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A download that broke off leaves the collection that is there alone.
#[test]
fn half_a_download_is_no_collection() {
    let dir = Dir::new("collection-half");
    let rows: String = (1..400)
        .map(|id| {
            let body = (0..40).map(|word| format!("word{} ", id * 7919 % (word + 97))).collect::<String>();
            format!("  <row Id=\"{id}\" PostTypeId=\"1\" Title=\"Post {id}\" Body=\"{body}\" />\n")
        })
        .collect();
    let xml = format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<posts>\n{rows}</posts>\n");
    fs::create_dir_all(dir.path().join("dump")).unwrap();
    dir.write("dump/Posts.xml", &xml);
    let packed = |program: &str| {
        let packed = std::process::Command::new(program)
            .args(["-c", "dump/Posts.xml"])
            .current_dir(dir.path())
            .stderr(Stdio::null())
            .output();
        packed.ok().filter(|output| output.status.success()).map(|output| output.stdout)
    };
    let gzip = packed("gzip").unwrap();
    let others = [("zst", packed("zstd")), ("bz2", packed("bzip2"))];
    assert_eq!(dir.run(&["collection", "build", "dump", "-o", "c"]).code, 0);
    let before = fs::read(dir.path().join("c")).unwrap();
    let mut inputs = vec![("Posts.xml", xml.into_bytes()), ("Posts.xml.gz", gzip)];
    for (ending, bytes) in &others {
        match bytes {
            Some(bytes) => inputs.push(if *ending == "zst" {
                ("Posts.xml.zst", bytes.clone())
            } else {
                ("Posts.xml.bz2", bytes.clone())
            }),
            None => testkit::skip(&format!("nothing packs .{ending} here")),
        }
    }
    fs::remove_file(dir.path().join("dump/Posts.xml")).unwrap();
    for (name, whole) in inputs {
        let path = dir.path().join("dump").join(name);
        for length in [0, 1, 5, 12, whole.len() / 2, whole.len() - 12, whole.len() - 3] {
            fs::write(&path, &whole[..length]).unwrap();
            let half = dir.run(&["collection", "build", "dump", "-o", "c"]);
            assert_eq!((half.code, half.stdout.as_str()), (1, ""), "{name}, {length}: {}", half.stderr);
            assert!(half.stderr.contains(name), "{name}, {length}: {}", half.stderr);
            assert!(half.stderr.contains("--keep-going"), "{name}, {length}: {}", half.stderr);
            assert!(fs::read(dir.path().join("c")).unwrap() == before, "{name}, {length}");
        }
        fs::write(&path, &whole[..whole.len() / 2]).unwrap();
        let kept = dir.run(&["collection", "build", "dump", "-o", "kept", "--keep-going"]);
        assert_eq!(kept.code, 0, "{name}: {}", kept.stderr);
        let posts = Collection::open(&dir.path().join("kept")).unwrap().num_posts();
        assert!(posts < 399, "{name}: {posts}");
        fs::write(&path, &whole).unwrap();
        assert_eq!(dir.run(&["collection", "build", "dump", "-o", "whole"]).code, 0, "{name}");
        fs::remove_file(&path).unwrap();
    }
}

/// So do lines of JSON, tables and archives that end too early.
#[test]
fn files_of_all_kinds_that_are_cut_short_are_named() {
    let dir = Dir::new("collection-cut");
    let line = "{\"kind\":\"question\",\"id\":1,\"title\":\"A\",\"body\":\"B\"}\n";
    fs::create_dir_all(dir.path().join("lines")).unwrap();
    dir.write("lines/posts.jsonl", format!("{line}{}", &line.replace(":1,", ":2,")[..30]));
    let posts = "<posts>\n<row Id=\"1\" PostTypeId=\"1\" Title=\"A\" Body=\"B\" />\n</posts>\n";
    let table = "id\tpost_id\tthread_id\ttype\tvisual_id\tformula\n1\t1\t1\ttitle\t1\tx\n2\t1\t1\tti";
    dir.write("table/Posts.xml", posts);
    dir.write("table/latex_representation.tsv", table);
    dir.write("zip/Posts.xml", posts);
    dir.write("zip/Comments.zip", b"PK\x03\x04 and what is left of an archive");
    dir.write("seven/Posts.xml", posts);
    dir.write("seven/Comments.7z", b"7z\xbc\xaf\x27\x1c and what is left of an archive");
    dir.write("xz/Posts.xml.xz", b"\xfd7zXZ\x00 packed in a way that is not read");
    for (folder, file, kind) in [
        ("lines", "posts.jsonl:2: cut-short", "column"),
        ("table", "latex_representation.tsv:3: cut-short", "4 columns instead of 6"),
        ("zip", "Comments.zip: unreadable-file", "damaged zip"),
        ("seven", "Comments.7z: unreadable-file", "damaged 7z"),
        ("xz", "Posts.xml.xz: unreadable-file", "xz cannot be read"),
    ] {
        let outcome = dir.run(&["collection", "build", folder, "-o", "c"]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (1, ""), "{folder}: {}", outcome.stderr);
        assert!(
            outcome.stderr.contains(file) && outcome.stderr.contains(kind),
            "{folder}: {}",
            outcome.stderr
        );
        assert!(!dir.path().join("c").exists(), "{folder}");
        if folder != "xz" {
            assert_eq!(
                dir.run(&["collection", "build", folder, "-o", "k", "--keep-going"]).code,
                0,
                "{folder}"
            );
        }
    }
}

/// Topics, judgments, runs and tables of formulas may be packed; half of one is not read.
#[test]
fn half_of_a_packed_file_is_an_error_everywhere() {
    let dir = Dir::new("half-packed");
    assert_eq!(dir.run(&["sample", "-o", "sample"]).code, 0);
    assert_eq!(dir.run(&["collection", "build", "--sample", "-o", "c"]).code, 0);
    assert_eq!(dir.run(&["index", "c", "-o", "i", "--features", "parts"]).code, 0);
    let run: String = (1..200).map(|rank| format!("A.1 Q0 {rank} {rank} {} t\n", 1000 - rank)).collect();
    dir.write("run", run);
    let formulas: String =
        (1..3000).map(|id| format!("{id}\t1\t1\ttitle\t{id}\tx_{{{}}}\n", id * 7919 % 3001)).collect();
    let header = "id\tpost_id\tthread_id\ttype\tvisual_id\tformula";
    dir.write("formulas.tsv", format!("{header}\n{formulas}"));
    let find = |part: &str| {
        let mut found = None;
        let mut folders = vec![dir.path().join("sample")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.file_name().unwrap().to_string_lossy().to_lowercase().contains(part) {
                    found = Some(path);
                }
            }
        }
        found.unwrap_or_else(|| panic!("{part} in the sample"))
    };
    let half = |name: &str, path: &std::path::Path| {
        let packed = std::process::Command::new("gzip").arg("-c").arg(path).output().unwrap().stdout;
        assert!(packed.len() > 100, "{name}");
        dir.write(name, &packed[..packed.len() / 2]);
    };
    half("topics.xml.gz", &find("topics_task1"));
    half("qrels.gz", &find("task1.qrels"));
    half("run.gz", &dir.path().join("run"));
    half("formulas.tsv.gz", &dir.path().join("formulas.tsv"));
    let (qrels, topics) = (find("task1.qrels"), find("topics_task1"));
    let (qrels, topics) = (qrels.to_str().unwrap(), topics.to_str().unwrap());
    for arguments in [
        &["run", "--task", "1", "--topics", "topics.xml.gz", "--system", "bm25", "--index", "i", "-o", "out"]
            [..],
        &["eval", "run", "--qrels", "qrels.gz", "--task", "1"],
        &["eval", "run.gz", "--qrels", qrels, "--task", "1"],
        &["check", "run.gz", "--task", "1", "--topics", topics],
        &["fuse", "run", "run.gz", "-o", "out"],
        &[
            "eval",
            "run",
            "--qrels",
            qrels,
            "--task",
            "2",
            "--ids",
            "instance",
            "--visual-ids",
            "formulas.tsv.gz",
        ],
    ] {
        let outcome = dir.run(arguments);
        assert_ne!(outcome.code, 0, "{arguments:?}: {}", outcome.stdout);
        let told = format!("{}{}", outcome.stdout, outcome.stderr);
        assert!(told.contains("damaged gzip"), "{arguments:?}: {told}");
        assert!(!dir.path().join("out").exists(), "{arguments:?}");
    }
}
