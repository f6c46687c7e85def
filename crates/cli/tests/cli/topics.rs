//! `hypatia collection topics`: questions become topics.

use crate::util::Dir;
use std::fs;

/// A dump with an old question and two later ones that ask the same, of which one has no formula.
fn dump(dir: &Dir) {
    let row = |id: u32, year: u32, title: &str, body: &str| {
        format!(
            "  <row Id=\"{id}\" PostTypeId=\"1\" CreationDate=\"{year}-02-03T04:05:06.007\" Score=\"4\" ViewCount=\"90\" \
             Title=\"{title}\" Body=\"{body}\" Tags=\"&lt;calculus&gt;\" />\n"
        )
    };
    let posts: String = [
        row(1, 2012, "Gauss integral", "&lt;p&gt;Compute it: $\\int e^{-x^2}dx$&lt;/p&gt;"),
        row(
            2,
            2021,
            "How to compute $\\int_0^\\infty e^{-x^2}dx$ by hand",
            "&lt;p&gt;I know that $f(x)$ has no simple primitive.&lt;/p&gt;",
        ),
        row(3, 2021, "The same without formulas", "&lt;p&gt;How is the Gauss integral computed?&lt;/p&gt;"),
    ]
    .concat();
    dir.write("dump/Posts.xml", format!("<?xml version=\"1.0\"?>\n<posts>\n{posts}</posts>\n"));
    let links: String = [(1, 2), (2, 3)]
        .iter()
        .map(|(id, from)| {
            format!("  <row Id=\"{id}\" PostId=\"{from}\" RelatedPostId=\"1\" LinkTypeId=\"3\" />\n")
        })
        .collect();
    dir.write("dump/PostLinks.xml", format!("<?xml version=\"1.0\"?>\n<postlinks>\n{links}</postlinks>\n"));
}

#[test]
fn topics_are_chosen_and_written() {
    let dir = Dir::new("collection-topics");
    dump(&dir);
    assert_eq!(dir.run(&["collection", "build", "dump", "-o", "c"]).code, 0);
    let arguments = ["collection", "topics", "c", "--since", "2021-01-01", "-o", "new/topics"];
    let outcome = dir.run(&arguments);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""), "{outcome:?}");
    assert!(
        outcome.stdout.contains("with a formula") && outcome.stdout.contains("complexity"),
        "{outcome:?}"
    );
    let read = |name: &str| fs::read_to_string(dir.path().join("new/topics").join(name)).unwrap();
    let xml = read("Topics_Task2.xml");
    assert!(xml.contains("<Topic number=\"B.301\">\n      <Formula_Id>q_1</Formula_Id>"), "{xml}");
    assert!(read("Topics_Task1.xml").contains("number=\"A.301\""));
    assert!(read("Topics_Formulas_SLT.tsv").contains("q_2\tA.301\t2\tbody\t\"<math xmlns"));
    assert!(read("Topics_Formulas_OPT.tsv").contains("<apply"));
    assert!(read("topic_info.tsv").lines().nth(1).unwrap().starts_with("A.301\t2\t1\tComputation\t"));
    let mut names: Vec<_> = fs::read_dir(dir.path().join("new/topics"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!((names.len(), names[0].as_str()), (7, ".hypatia"), "{names:?}");
    let again = dir.run(&arguments);
    assert_eq!((again.code, again.stderr.as_str()), (0, "new/topics: replaced\n"));
    assert_eq!(again.stdout, outcome.stdout);
    // Topics that somebody else wrote stay.
    dir.write("official/Topics_Task1.xml", "the lab's");
    let mut others = arguments.to_vec();
    *others.last_mut().unwrap() = "official";
    dir.run(&others)
        .fails("hypatia: official/Topics_Task1.xml: was not written by this command, or was changed; --force replaces it");
    others.push("--force");
    assert_eq!(dir.run(&others).stdout, outcome.stdout);
}

#[test]
fn no_topics_is_an_answer() {
    let dir = Dir::new("collection-topics-none");
    dump(&dir);
    assert_eq!(dir.run(&["collection", "build", "dump", "-o", "c"]).code, 0);
    let outcome = dir.run(&["collection", "topics", "c", "--since", "2030-01-01", "-o", "t"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (1, "no topics, so nothing was written\n"));
    assert!(!dir.path().join("t").exists());
    let outcome = dir.run(&["collection", "topics", "c", "--since", "yesterday", "-o", "t"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("2021-01-01"), "{outcome:?}");
}

#[test]
fn rules_are_explained() {
    let outcome = Dir::new("collection-topics-rules").run(&["collection", "topics", "--explain"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    for name in ["candidates", "near-duplicates", "complexity", "formula query", "multi-part"] {
        assert!(outcome.stdout.lines().any(|line| line == name), "{name}");
    }
    assert!(outcome.stdout.contains("Up to 15 points it is Low"));
}
