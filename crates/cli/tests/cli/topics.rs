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
    assert_eq!((names.len(), names[0].as_str()), (9, ".hypatia"), "{names:?}");
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

/// Question 2 is the only candidate; its formula query has an integral, and the data has no comments.
#[test]
fn balance_and_what_is_left_out_are_in_the_text_the_json_and_the_record() {
    let dir = Dir::new("collection-topics-balance");
    dump(&dir);
    assert_eq!(dir.run(&["collection", "build", "dump", "-o", "c"]).code, 0);
    let arguments = ["collection", "topics", "c", "--since", "2021-01-01", "-o", "t"];
    let text = dir.run(&arguments).stdout;
    assert!(text.contains("the number of comments is known for 0 of 1 questions"), "{text}");
    let row = text.lines().find(|line| line.trim_start().starts_with("Integral")).unwrap();
    assert_eq!(
        row.split_whitespace().collect::<Vec<_>>(),
        ["Integral", "1", "100.0", "1", "100.0"],
        "{text}"
    );
    let json = dir.run(&[&arguments[..], &["--format", "json"]].concat()).stdout;
    assert_eq!(json, fs::read_to_string(dir.path().join("t/selection.json")).unwrap());
    let record: serde_json::Value = serde_json::from_str(&json).unwrap();
    let elements =
        record["balance"].as_array().unwrap().iter().find(|one| one["dimension"] == "leading element");
    assert_eq!(
        elements.unwrap()["values"],
        serde_json::json!([
            {"value": "Integral", "candidates": 1, "candidate_share": 1.0, "topics": 1, "topic_share": 1.0},
        ])
    );
    assert_eq!(record["known"]["comments"], 0);
    // The topics of this year are the earlier ones of the next.
    let earlier = ["--earlier", "t/Topics_Task1.xml"];
    let next = dir.run(&[&arguments[..6], &["n"], &earlier].concat());
    assert_eq!((next.code, next.stderr.as_str()), (1, "no topics, so nothing was written\n"));
    let told = next.stdout.lines().find(|line| line.trim_start().starts_with("2 ")).unwrap();
    assert!(told.contains("A.301") && told.contains("Topics_Task1.xml"), "{}", next.stdout);
}

#[test]
fn a_bound_on_what_is_not_known_is_an_error() {
    let dir = Dir::new("collection-topics-unknown");
    dump(&dir);
    assert_eq!(dir.run(&["collection", "build", "dump", "-o", "c"]).code, 0);
    let arguments = ["collection", "topics", "c", "--since", "2021-01-01", "-o", "t"];
    dir.run(&[&arguments[..], &["--min-comments", "1"]].concat()).fails(
        "hypatia: --min-comments has no effect: the number of comments is known for 0 of 1 questions with a formula \
         and a duplicate",
    );
    // Views are known here.
    assert_eq!(dir.run(&[&arguments[..], &["--min-views", "90"]].concat()).code, 0);
    assert_eq!(dir.run(&[&arguments[..], &["--min-views", "91"]].concat()).code, 1);
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
