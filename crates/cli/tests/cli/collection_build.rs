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
