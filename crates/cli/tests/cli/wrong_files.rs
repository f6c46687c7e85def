//! Files that are wrong in one way each: every one gets a message with its place and the reason.
//!
//! The files come from [`generate`]; a command has a table of what it says of
//! each. To cover another command, add a table beside `CHECK`.

mod generate;

use crate::util::Dir;
use generate::{Kind, WrongFile, wrong_files};

/// What `hypatia check` says: the name of the file in the generator, the exit
/// code, and what stands behind the file's name in one line of the output.
const CHECK: &[(&str, i32, &str)] = &[
    ("name says nothing", 1, ": error[name]: the name does not follow"),
    ("name without evaluation", 1, "it does not end in P (primary) or A (alternate)"),
    ("name without data", 1, "it does not say text, math or both"),
    ("name without run type", 1, "it does not say manual or auto"),
    ("name without task", 1, "it does not say task1, task2 or task3 behind the group"),
    ("name of an unknown task", 1, "it does not say task1, task2 or task3 behind the group"),
    ("name without group", 1, "it names no group"),
    ("name with an answer type", 1, ": error[name]: only names of Task 3 say extract or generate"),
    ("name without an answer type", 1, ": error[name]: names of Task 3 say extract or generate"),
    ("name with a capital", 0, ": warning[name]: a word of the name is not in the letters"),
    ("name with underscores", 0, ": warning[name]: parts of the name are joined by '_'"),
    ("name with a numbered evaluation", 0, ": warning[name]: a number stands behind P or A"),
    ("name with another ending", 0, ": warning[name]: the name does not end in .tsv"),
    ("name of another run", 0, ":1:14: warning[tag]: the tag is 'bm25', but the name of the file says 'lm'"),
    ("name of another task", 1, ":1:1: error[topic-id]: topic A.1 is one of Task 1 or 3, not of Task 2"),
    ("empty file", 1, ":1: error[empty]: the file has no rows"),
    ("only blank lines", 1, ":1: error[empty]: the file has no rows"),
    ("byte order mark", 1, ":1:1: error[byte-order-mark]: the file starts with a byte order mark"),
    (
        "byte order mark in the middle",
        1,
        ":3:1: error[characters]: the topic holds the hidden character U+FEFF",
    ),
    ("windows line ends", 0, ":1: warning[line-ends]: 6 lines end in CR LF"),
    ("old mac line ends", 1, ":1: error[line-ends]: 5 CRs without a line feed behind"),
    ("blank line", 0, ":2: warning[blank-line]: the line is blank"),
    ("header", 1, ":1: error[header]: the first line is a header: Query_Id"),
    ("only a header", 1, ":1: error[empty]: the file has a header but no rows"),
    ("comment line", 1, ":1:1: error[columns]: 1 column where 5 are wanted"),
    ("blanks for tabs", 1, ":2: error[separator]: blanks part the columns, not single tabs"),
    ("commas for tabs", 1, ":1: error[separator]: commas part the columns"),
    ("semicolons for tabs", 1, ":1: error[separator]: semicolons part the columns"),
    ("two tabs", 1, ":2: error[separator]: several tabs part the columns"),
    (
        "column missing",
        1,
        ":3:1: error[columns]: 4 columns where 5 are wanted: topic, post, rank, score, tag",
    ),
    ("column too many", 1, ":3:1: error[columns]: 6 columns where 5 are wanted"),
    ("columns of task 2", 1, ":1:1: error[columns]: 6 columns where 5 are wanted"),
    ("cut off in the middle", 1, ":6:1: error[columns]: 2 columns where 5 are wanted"),
    ("trec columns", 0, ":1: warning[trec-columns]: the columns are TREC's"),
    ("trec columns in one line", 1, ":2:1: error[columns]: 6 columns where 5 are wanted"),
    ("a web page", 1, ":2:1: error[columns]: 1 column where 5 are wanted"),
    ("json", 1, ":1:1: error[columns]: 1 column where 5 are wanted"),
    ("empty topic", 1, ":2:1: error[empty-field]: the topic is empty"),
    ("empty document", 1, ":2:5: error[empty-field]: the post is empty"),
    ("empty rank", 1, ":2:7: error[empty-field]: the rank is empty"),
    ("empty score", 1, ":2:9: error[empty-field]: the score is empty"),
    ("empty tag", 1, ":2:13: error[empty-field]: the tag is empty"),
    ("blanks around a field", 0, ":2:5: warning[characters]: there are blanks around '7'"),
    ("nul byte", 1, ":2:5: error[characters]: the post holds the hidden character U+0000"),
    ("zero width blank", 1, ":2:1: error[characters]: the topic holds the hidden character U+200B"),
    ("very long line", 1, ":2:1: error[columns]: 1 column where 5 are wanted"),
    ("not utf-8", 2, ":2:5: is not UTF-8 here"),
    ("utf-16", 2, ":1:1: is not UTF-8 here"),
    ("damaged gzip", 2, ": damaged gzip: "),
    ("ranks from zero", 1, ":1:8: error[rank]: the ranks of topic A.1 start at 0, not at 1"),
    ("ranks from two", 1, ":1:8: warning[rank]: the ranks of topic A.1 start at 2, not at 1"),
    ("rank repeated", 1, ":2:7: error[rank]: rank 1 stands twice in topic A.1"),
    ("rank gap", 0, ":4:7: warning[rank]: rank 9 follows rank 3: there is a gap"),
    ("rank falls", 1, ":4:7: error[rank]: rank 1 follows rank 3: ranks must rise"),
    ("rank is a word", 1, ":2:7: error[rank]: the rank 'two' is not a whole number"),
    ("rank is a fraction", 1, ":2:7: error[rank]: the rank '2.0' is not a whole number"),
    ("rank is negative", 1, ":2:7: error[rank]: the rank '-2' is not a whole number"),
    ("rank is huge", 1, ":2:7: error[rank]: the rank '99999999999999999999' is not a whole number"),
    ("score is a word", 1, ":2:9: error[score]: the score 'high' is not a number"),
    ("score with a decimal comma", 1, ":2:9: error[score]: the score '0,8' is not a number"),
    ("score is nan", 1, ":2:9: error[score]: the score is not a number but NaN"),
    ("score is infinite", 1, ":1:10: error[score]: the score 'inf' is not finite"),
    ("score overflows", 1, ":1:10: error[score]: the score '1e999' is not finite"),
    ("score rises", 1, ":2:9: error[score-order]: the score 0.95 is above 0.9 of the rank before"),
    ("scores tie", 0, ":2:9: warning[ties]: 2 results in 1 topic share a score with others"),
    ("scores tie in 32 bits", 0, ":2:9: warning[ties-32-bits]: 2 more results tie in the 32 bits"),
    ("document twice", 1, ":3:5: error[duplicate]: document 42 was returned for topic A.1 before, on line 1"),
    ("more than a thousand", 1, ":1001: error[too-many]: topic A.1 has 1001 results; 1000 are the most"),
    (
        "topic torn apart",
        0,
        ":3:1: warning[topic-order]: topic A.1 goes on here, after rows of another topic",
    ),
    ("topic of another task", 1, ":5:1: error[topic-id]: topic B.2 is one of Task 2, not of task1"),
    ("topic without a letter", 1, ":5:1: error[topic-id]: '302' is not the id of a topic"),
    ("topic in small letters", 1, ":5:1: error[topic-id]: 'a.2' is not the id of a topic"),
    ("two tags", 0, ":4:13: warning[tag]: the tag is 'bm52' here, but 'bm25' before"),
    ("tag with blanks", 0, ":1:14: warning[tag]: the tag 'bm 25' holds blanks"),
    ("document is a word", 1, ":2:5: error[doc-id]: the document id 'post7' is not a whole number"),
    ("document is a fraction", 1, ":2:5: error[doc-id]: the document id '7.0' is a fraction"),
    ("document with a zero", 1, ":2:5: error[doc-id]: the document id '07' starts with a zero"),
    ("formula without post", 1, ":1: error[columns]: the post is missing"),
    ("formula with an empty post", 1, ":2:8: error[empty-field]: the post is empty"),
    ("formula is a word", 1, ":2:5: error[doc-id]: the formula id 'q_71' is not a whole number"),
    ("post is a word", 1, ":2:8: error[doc-id]: the post id 'post' is not a whole number"),
    ("formula twice", 1, ":3:5: error[duplicate]: formula 70 was returned for topic B.1 before, on line 1"),
    ("formula with a topic of task 1", 1, ":4:1: error[topic-id]: topic A.2 is one of Task 1 or 3"),
    ("visual ids in trec columns", 0, ":1: warning[trec-columns]: the columns are TREC's"),
    ("no answers", 1, ":1: error[empty]: the file has no rows"),
    ("answers with a header", 1, ":1: error[header]: the first line is a header"),
    ("answer missing", 1, ":2: error[columns]: 5 columns where a Task 3 run has 6"),
    ("answer with a tab", 1, ":2: error[columns]: 7 columns where a Task 3 run has 6"),
    ("answer without topic", 1, ":2: error[empty-field]: the topic is empty"),
    ("answer of another task", 1, ":2:1: error[topic-id]: topic B.302 is one of Task 2, not of task3"),
    ("answer twice", 1, ":2: error[duplicate]: topic A.301 was answered before, on line 1"),
    ("answer of rank two", 0, ":2: warning[rank]: the rank is '2'"),
    ("answer without score", 1, ":2: error[score]: the score '' is not a number"),
    ("answer of infinite score", 1, ":2: error[score]: the score 'inf' is not finite"),
    ("answer without run", 1, ":2: error[empty-field]: the run is empty"),
    (
        "answer without sources",
        0,
        ":2: warning[sources]: the answer to topic A.302 is extracted, but names no source",
    ),
    ("answer that is empty", 0, ":2: warning[empty-answer]: the answer to topic A.302 is empty"),
    ("answer too long", 1, ":2:1224: error[long-answer]: the answer to topic A.302 has 1201 characters"),
    ("answer with a lone dollar", 0, ":2:27: warning[dollars]: the dollar sign at character 4"),
    ("answer with html", 0, ":2:27: warning[html]: the answer holds HTML: <b>"),
    ("answer with a bell", 0, ":2:27: warning[characters]: the answer holds the hidden character U+0007"),
    ("no judgments", 2, ": names no topics"),
    ("judgment without grade", 2, ":2:1: 3 columns"),
    ("judgment with a word", 2, ":2:9: the grade 'good'"),
    ("judgment without document", 2, ":2:7: the document is empty"),
    ("judgments that are a run", 2, ":1:1: 5 columns"),
    ("judgments not utf-8", 2, ":1:7: is not UTF-8 here"),
];

/// Files of the generator that are in order for `hypatia check`.
const CHECK_TAKES: &[&str] = &["answer with an open quote"];

/// Runs `hypatia check` over a file, or with it as the judgments.
fn check(file: &WrongFile) -> (i32, String) {
    let dir = Dir::new("wrong-files");
    dir.write(&file.file_name, &file.contents);
    let good = Kind::Task1.file_name();
    let outcome = match file.kind {
        Kind::Qrels => {
            dir.write(good, Kind::Task1.good());
            dir.run(&["check", good, "--qrels", &file.file_name])
        }
        Kind::Task1 | Kind::Task2 | Kind::Task3 => dir.run(&["check", "--", &file.file_name]),
    };
    assert_eq!(outcome.code == 2, !outcome.stderr.is_empty(), "{}: {outcome:?}", file.name);
    (outcome.code, outcome.stdout + &outcome.stderr)
}

#[test]
fn good_files_are_valid() {
    let dir = Dir::new("good-files");
    for kind in [Kind::Task1, Kind::Task2, Kind::Task3] {
        dir.write(kind.file_name(), kind.good());
        dir.run(&["check", "--strict", kind.file_name()]).prints(&format!("{}: valid\n", kind.file_name()));
    }
}

#[test]
fn check_says_what_is_wrong_and_where() {
    let files = wrong_files();
    assert!(CHECK.len() >= 60);
    let mut wrong = Vec::new();
    for (name, code, fragment) in CHECK {
        let file = files.iter().find(|file| file.name == *name).unwrap_or_else(|| panic!("no file '{name}'"));
        let (found, output) = check(file);
        let says = |line: &str| line.contains(&file.file_name) && line.contains(fragment);
        if found != *code || !output.lines().any(says) {
            let start: String = output.chars().take(600).collect();
            wrong.push(format!("{name}: {found} for {code}, '{fragment}' wanted\n{start}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_wrong_file_is_in_the_table() {
    for file in wrong_files() {
        let known = CHECK.iter().any(|entry| entry.0 == file.name) || CHECK_TAKES.contains(&file.name);
        assert!(known, "'{}' is not in the table", file.name);
    }
}

#[test]
fn no_wrong_file_makes_mending_panic() {
    for file in wrong_files().iter().filter(|file| file.kind != Kind::Qrels) {
        let dir = Dir::new("mend-wrong-files");
        dir.write(&file.file_name, &file.contents);
        let outcome = dir.run(&["check", "--fix", "-o", "out", "--", &file.file_name]);
        assert!((0..=2).contains(&outcome.code), "{}: {outcome:?}", file.name);
        assert!(!outcome.stderr.contains("panicked"), "{}: {outcome:?}", file.name);
        let unchanged = std::fs::read(dir.path().join(&file.file_name)).unwrap();
        assert_eq!(unchanged, file.contents, "{}", file.name);
    }
}
