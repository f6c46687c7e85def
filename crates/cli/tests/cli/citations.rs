//! `hypatia collection citations`: threads and papers become topics and judgments, and all the way to a score.

use crate::util::{Dir, Outcome};
use std::fs;

fn done(dir: &Dir, command: &[&str]) -> Outcome {
    let done = dir.run(command);
    assert_eq!(done.code, 0, "{command:?}: {}", done.stderr);
    done
}

/// A paper in the layout of MREC: XHTML with MathML.
fn paper(dir: &Dir, path: &str, title: &str, text: &str) {
    let math = "<m:math xmlns:m=\"http://www.w3.org/1998/Math/MathML\" alttext=\"x^{2}\"><m:semantics><m:msup>\
                <m:mi>x</m:mi><m:mn>2</m:mn></m:msup></m:semantics></m:math>";
    dir.write(
        &format!("mrec/{path}"),
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\">\n\
             <head><title>{title}</title></head>\n<body><h1>{title}</h1><p>{text} With {math}.</p></body></html>\n"
        ),
    );
}

/// Five papers, of which four are cited, and six threads.
fn example(name: &str) -> Dir {
    let dir = Dir::new(name);
    paper(
        &dir,
        "math/papers/0301001/0301001.xhtml",
        "Tilings by squares",
        "Which rectangles can squares tile?",
    );
    paper(&dir, "0901/0901.1234.xhtml", "Growth of groups", "A group may grow slower than any exponential.");
    paper(&dir, "0901/0901.1235.xhtml", "More growth", "Growth of automata and of their groups, growth.");
    paper(&dir, "hep-th9711200.xhtml", "Strings", "The large limit of field theories.");
    paper(&dir, "1501/1501.00001.xhtml", "Knots", "Colourings of knots, which nobody cites.");
    dir.write(
        "threads/threads.md",
        "=== question 1\n\
         title: Which rectangles can be tiled?\n\
         accepted: 11\n\n\
         I want to tile rectangles of size $a \\times b$ with squares.\n\n\
         --- answer 11\nscore: 3\n\n\
         See <http://front.math.ucdavis.edu/math.CO/0301001> and arXiv:0812.0001, which is elsewhere.\n\n\
         --- answer 12\nscore: -2\n\n\
         Strings might help: [this](http://arxiv.org/abs/hep-th/9711200v3).\n\n\
         === question 2\n\
         title: Can a group grow slowly?\n\n\
         I know of arXiv:0901.1235 on growth. Is there more on growth of groups?\n\n\
         --- answer 21\n\n\
         Yes, http://arxiv.org/pdf/0901.1234v1.pdf, and what you know, arXiv:0901.1235, is good.\n\n\
         === question 3\n\
         title: All elsewhere\n\n\
         What is there on $x^2$?\n\n\
         --- answer 31\n\n\
         Only arXiv:0812.0002 and math/0412345.\n\n\
         === question 4\n\
         title: Nothing cited\n\n\
         Does $1+1=2$ hold?\n\n\
         --- answer 41\n\n\
         Yes; 0901.1234 is a number here.\n\n\
         === question 5\n\
         title: Known already\n\n\
         I read math/0301001. What next?\n\n\
         --- answer 51\n\n\
         Read math/0301001 again.\n\n\
         ... comment 511\n\n\
         Or arXiv:1501.00001, which a comment cites.\n",
    );
    done(&dir, &["collection", "build", "mrec", "-o", "mrec.coll"]);
    done(&dir, &["collection", "build", "threads", "-o", "mo.coll"]);
    dir
}

const MAKE: [&str; 5] = ["collection", "citations", "mrec.coll", "--threads", "mo.coll"];

fn read(dir: &Dir, name: &str) -> String {
    fs::read_to_string(dir.path().join(name)).unwrap()
}

#[test]
fn papers_of_mrec_have_their_arxiv_identifiers() {
    let dir = example("citations-mrec");
    let shown =
        done(&dir, &["collection", "export", "mrec.coll", "--to", "jsonl", "--only", "posts", "-o", "-"]);
    let id = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        value["id"].as_str().unwrap().to_owned()
    };
    let mut ids: Vec<String> = shown.stdout.lines().map(id).collect();
    ids.sort();
    assert_eq!(ids, ["0901.1234", "0901.1235", "1501.00001", "hep-th9711200", "math/0301001"]);
}

#[test]
fn what_answers_cite_in_the_collection_is_relevant() {
    let dir = example("citations-rules");
    let made = done(&dir, &[&MAKE[..], &["-o", "cumtc", "--format", "json"]].concat());
    assert_eq!(made.stderr, "");
    let counts: serde_json::Value = serde_json::from_str(&made.stdout).unwrap();
    // 11 cites two papers, 12 one, 21 two, 31 two, 51 one; 11 and 31 cite three outside together.
    assert_eq!(
        counts,
        serde_json::json!({
            "documents": 5, "citations": 8, "citations_outside": 3, "questions": 5,
            "dropped": {"no_citation": 1, "outside": 1, "cited_by_question": 1},
            "not_chosen": 0, "topics": 2, "relevant": 3, "relevant_distinct": 3,
        })
    );
    let mut qrels: Vec<String> = read(&dir, "cumtc/task1.qrels").lines().map(str::to_owned).collect();
    qrels.sort();
    assert_eq!(qrels, ["C.1\t0\thep-th9711200\t3", "C.1\t0\tmath/0301001\t3", "C.2\t0\t0901.1234\t3"]);
    let topics = read(&dir, "cumtc/Topics_Task1.xml");
    assert!(
        topics.contains("Which rectangles can be tiled?") && !topics.contains("All elsewhere"),
        "{topics}"
    );
    assert_eq!(
        read(&dir, "cumtc/topic_info.tsv").lines().nth(2),
        Some("C.2\t2\t0\tNo\t21\t0901.1234\t0\t1"),
        "{}",
        read(&dir, "cumtc/topic_info.tsv")
    );
    assert_eq!(
        read(&dir, "cumtc/citations.tsv"),
        "topic\tquestion\tanswer\tcited\tdocument\toutcome\n\
         C.1\t1\t11\tarXiv:math/0301001\tmath/0301001\trelevant\n\
         C.1\t1\t11\tarXiv:0812.0001\t\toutside the collection\n\
         C.1\t1\t12\tarXiv:hep-th/9711200\thep-th9711200\trelevant\n\
         C.2\t2\t21\tarXiv:0901.1234\t0901.1234\trelevant\n\
         C.2\t2\t21\tarXiv:0901.1235\t0901.1235\tcited by the question\n\
         \t3\t31\tarXiv:0812.0002\t\toutside the collection\n\
         \t3\t31\tarXiv:math/0412345\t\toutside the collection\n\
         \t5\t51\tarXiv:math/0301001\tmath/0301001\tcited by the question\n"
    );
    // The same again, and answers that do not count.
    let again = done(&dir, &[&MAKE[..], &["-o", "cumtc"]].concat());
    assert_eq!(again.stderr, "cumtc: replaced\n");
    assert!(again.stdout.contains("dropped: all citations lead outside"), "{}", again.stdout);
    for (option, topics, relevant) in [(&["--accepted"][..], 1, 1), (&["--min-score", "0"][..], 2, 2)] {
        let made = done(&dir, &[&MAKE[..], option, &["-o", "fewer", "--format", "json"]].concat());
        let counts: serde_json::Value = serde_json::from_str(&made.stdout).unwrap();
        assert_eq!(
            (&counts["topics"], &counts["relevant"]),
            (&topics.into(), &relevant.into()),
            "{option:?}"
        );
    }
    let made = done(&dir, &[&MAKE[..], &["-o", "one", "--count", "1", "--format", "json"]].concat());
    let counts: serde_json::Value = serde_json::from_str(&made.stdout).unwrap();
    assert_eq!((&counts["topics"], &counts["not_chosen"]), (&1.into(), &1.into()));
}

/// From folders to a score: the two papers of C.1 stand at ranks 1 and 3 of a run made by hand, that of C.2 at rank 2,
/// so AP is (1/1 + 2/3) / 2 = 0.8333 and 1/2, and the mean 2/3.
#[test]
fn threads_and_papers_lead_to_a_score() {
    let dir = example("citations-whole");
    done(&dir, &[&MAKE[..], &["-o", "cumtc"]].concat());
    done(&dir, &["index", "mrec.coll", "-o", "mrec.index"]);
    let topics = ["--topics", "cumtc/Topics_Task1.xml", "--index", "mrec.index"];
    let system = ["run", "--task", "1", "--system", "formula+keywords", "-o", "found.tsv"];
    done(&dir, &[&system[..], &topics].concat());
    let run = read(&dir, "found.tsv");
    let first = |topic: &str| {
        run.lines()
            .find(|line| line.starts_with(&format!("{topic}\t")))
            .unwrap()
            .split('\t')
            .nth(1)
            .unwrap()
            .to_owned()
    };
    assert_eq!((first("C.1"), first("C.2")), ("math/0301001".to_owned(), "0901.1234".to_owned()), "{run}");
    // Systems for answers rank documents where there is no answer.
    for system in ["bm25", "hypatia-classic-1"] {
        let command = ["run", "--task", "1", "--system", system, "-o", "other.tsv"];
        assert!(!done(&dir, &[&command[..], &topics].concat()).stderr.contains("has no results"), "{system}");
        let run = read(&dir, "other.tsv");
        assert!(run.starts_with("C.1\tmath/0301001\t1\t"), "{system}: {run}");
    }
    let eval = |run: &str| {
        let made =
            done(&dir, &["eval", run, "--qrels", "cumtc/task1.qrels", "-m", "AP,RR", "--format", "json"]);
        let value: serde_json::Value = serde_json::from_str(&made.stdout).unwrap();
        let measure = |name: &str| value[0]["measures"][name].as_f64().unwrap();
        (measure("AP"), measure("RR"))
    };
    let (found, _) = eval("found.tsv");
    assert!(found > 0.5, "{found} of {run}");
    let by_hand = [
        ("C.1", "math/0301001", 1),
        ("C.1", "1501.00001", 2),
        ("C.1", "hep-th9711200", 3),
        ("C.2", "0901.1235", 1),
        ("C.2", "0901.1234", 2),
    ];
    let lines = by_hand.map(|(topic, id, rank)| format!("{topic}\tQ0\t{id}\t{rank}\t{}\thand\n", 10 - rank));
    dir.write("hand.tsv", lines.concat());
    let (average, reciprocal) = eval("hand.tsv");
    assert!((average - 2.0 / 3.0).abs() < 1e-9, "{average}");
    assert!((reciprocal - 0.75).abs() < 1e-9, "{reciprocal}");
}

#[test]
fn what_cannot_give_topics_is_told() {
    let dir = example("citations-wrong");
    let same = ["collection", "citations", "mo.coll", "--threads", "mo.coll", "-o", "t"];
    dir.run(&same).fails(
        "hypatia: mo.coll: is the collection of documents, too; for links within one collection there is \
         `hypatia collection validation --kinds links`",
    );
    let swapped = ["collection", "citations", "mo.coll", "--threads", "mrec.coll", "-o", "t"];
    dir.run(&swapped).fails("hypatia: mrec.coll: holds no answers, so nothing in it can cite a document");
    dir.write("notes/a.md", "# A note\n\nNothing of arXiv.\n");
    done(&dir, &["collection", "build", "notes", "-o", "notes.coll"]);
    let notes = ["collection", "citations", "notes.coll", "--threads", "mo.coll", "-o", "t"];
    dir.run(&notes).fails(
        "hypatia: notes.coll: no document has an arXiv identifier as its id, and the site of its posts is not known, \
         so no citation can lead to one; a build with --site names the site",
    );
    dir.write("notes/1501.00001.md", "# Knots\n\nOf knots.\n");
    done(&dir, &["collection", "build", "notes", "-o", "notes.coll"]);
    let none = dir.run(&notes);
    assert_eq!(none.code, 1);
    assert_eq!(none.stderr, "no answer cites a document of the collection, so nothing was written\n");
    assert!(!dir.path().join("t").exists());
    let rules = done(&dir, &["collection", "citations", "--explain"]);
    assert!(rules.stdout.contains("topics and judgments") && rules.stdout.contains("math.AG/0301001"));
}

/// In a collection of posts, a link to an answer stands for it, one to a question for its answers, and one to the topic's
/// own thread for nothing.
#[test]
fn links_to_posts_of_the_collection_are_citations() {
    let dir = Dir::new("citations-posts");
    let row = |id: u32, parent: Option<u32>, body: &str| match parent {
        None => format!("<row Id=\"{id}\" PostTypeId=\"1\" Title=\"T{id}\" Body=\"{body}\" />\n"),
        Some(parent) => {
            format!("<row Id=\"{id}\" PostTypeId=\"2\" ParentId=\"{parent}\" Body=\"{body}\" />\n")
        }
    };
    let dump = |rows: &[String]| format!("<?xml version=\"1.0\"?>\n<posts>\n{}</posts>\n", rows.concat());
    let old = [
        row(10, None, "old"),
        row(11, Some(10), "one"),
        row(12, Some(10), "two"),
        row(20, None, "older"),
        row(21, Some(20), "three"),
        row(30, None, "the topic, as it was"),
        row(31, Some(30), "its own answer"),
    ];
    let link = |path: &str| {
        format!("see &lt;a href=&quot;https://math.stackexchange.com/{path}&quot;&gt;it&lt;/a&gt;")
    };
    let new = [
        row(30, None, "the topic"),
        row(41, Some(30), &format!("{} and {}", link("questions/10/old"), link("a/21"))),
        row(42, Some(30), &link("a/31")),
        row(50, None, "nothing"),
        row(51, Some(50), &link("questions/99/nowhere")),
    ];
    dir.write("old/Posts.xml", dump(&old));
    dir.write("new/Posts.xml", dump(&new));
    for name in ["old", "new"] {
        let target = format!("{name}.coll");
        done(&dir, &["collection", "build", name, "--site", "math.stackexchange.com", "-o", &target]);
    }
    done(&dir, &["collection", "citations", "old.coll", "--threads", "new.coll", "-o", "t"]);
    assert_eq!(read(&dir, "t/task1.qrels"), "C.1\t0\t11\t3\nC.1\t0\t12\t3\nC.1\t0\t21\t3\n");
}
