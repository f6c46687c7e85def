//! Files that are wrong in one way each: every one gets a message with its place and the reason.
//!
//! The files come from [`generate`]; a command has a table of what it says of
//! each. To cover another command, add a table beside `CHECK`.

mod generate;

use crate::util::{Dir, Outcome};
use generate::{Kind, WrongFile, wrong_files, wrong_for_scoring};

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
    ("answer too long", 0, ":2:1224: filtered[long-answer]: the answer to topic A.302 has 1201 characters"),
    ("answer with a lone dollar", 0, ":2:27: filtered[dollars]: the dollar sign at character 4"),
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
        _ => dir.run(&["check", "--", &file.file_name]),
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

/// What `hypatia eval` says: 2 and one line with what stands here behind the file's
/// name, or 0 and a note or a row that holds it.
const EVAL: &[(&str, i32, &str)] = &[
    ("empty file", 2, ": holds no results"),
    ("only blank lines", 2, ": holds no results"),
    ("byte order mark in the middle", 2, ":3:1: the topic holds the hidden character U+FEFF"),
    ("old mac line ends", 2, ":1:1: more than 8 columns where a run has 6 (topic, Q0"),
    ("header", 2, ":1:23: the score 'Score' is not a number; if the first line is a header, delete it"),
    (
        "only a header",
        2,
        ":1:23: the score 'Score' is not a number; if the first line is a header, delete it",
    ),
    ("comment line", 2, ":1:1: 4 columns where a run has 6 (topic, Q0"),
    ("commas for tabs", 2, ":1:1: 1 column (tabs or blanks part columns) where a run has 6 (topic, Q0"),
    ("semicolons for tabs", 2, ":1:1: 1 column (tabs or blanks part columns) where a run has 6 (topic, Q0"),
    (
        "column missing",
        2,
        ":3:1: 4 columns where a run has 5 as in the lines before (topic, post, rank, score, tag)",
    ),
    (
        "column too many",
        2,
        ":3:1: 6 columns where a run has 5 as in the lines before (topic, post, rank, score, tag)",
    ),
    (
        "columns of task 2",
        2,
        ":2:5: the second column, Q0 in TREC runs, differs from row to row as formula ids do; a run",
    ),
    (
        "cut off in the middle",
        2,
        ":6:1: 2 columns where a run has 5 as in the lines before (topic, post, rank, score, tag)",
    ),
    (
        "trec columns in one line",
        2,
        ":2:1: 6 columns where a run has 5 as in the lines before (topic, post, rank, score, tag)",
    ),
    ("a web page", 2, ":1:1: 2 columns where a run has 6 (topic, Q0"),
    ("json", 2, ":1:1: 4 columns where a run has 6 (topic, Q0"),
    ("empty topic", 2, ":2:1: the topic is empty"),
    ("empty document", 2, ":2:5: the document is empty"),
    ("empty score", 2, ":2:9: the score '' is not a number"),
    ("nul byte", 2, ":2:5: the document holds the hidden character U+0000"),
    ("zero width blank", 2, ":2:1: the topic holds the hidden character U+200B"),
    (
        "very long line",
        2,
        ":2:1: 1 column (tabs or blanks part columns) where a run has 5 as in the lines before",
    ),
    ("not utf-8", 2, ":2:5: is not UTF-8 here; convert the file, for example with iconv"),
    ("utf-16", 2, ":1:1: is not UTF-8 here; convert the file, for example with iconv"),
    ("damaged gzip", 2, ": damaged gzip: incomplete deflate stream"),
    ("ranks from zero", 0, ": no results for 1 of 2 topics (counting 0)"),
    ("score is a word", 2, ":2:9: the score 'high' is not a number"),
    ("score with a decimal comma", 2, ":2:9: the score '0,8' is not a number"),
    ("score is nan", 2, ":2:9: the score is not a number but NaN"),
    ("score is infinite", 2, ":1:10: the score 'inf' is not finite"),
    ("score overflows", 2, ":1:10: the score '1e999' is not finite"),
    (
        "score rises",
        0,
        ": in 1 topic a later rank has a higher score; scores decide, ranks are not looked at",
    ),
    (
        "document twice",
        2,
        ":3: document 42 is listed a second time for topic A.1; the first is on line 1; see",
    ),
    ("more than a thousand", 0, ": no results for 1 of 2 topics (counting 0)"),
    (
        "topic torn apart",
        0,
        ": every result is judged, as if unjudged ones had been removed before; then only",
    ),
    ("topic of another task", 0, ": 1 topic is not judged and left out (B.2)"),
    ("topic without a letter", 0, ": 1 topic is not judged and left out (302)"),
    ("topic in small letters", 0, ": 1 topic is not judged and left out (a.2)"),
    ("document is a word", 0, "2  1.0000  0.5000  0.0500      0.375    0.667"),
    ("document is a fraction", 0, "2  1.0000  0.5000  0.0500      0.375    0.667"),
    ("document with a zero", 0, "2  1.0000  0.5000  0.0500      0.375    0.667"),
    ("formula without post", 0, ": no results for 1 of 2 topics (counting 0)"),
    ("formula is a word", 0, ": 1 formula has no visual id and is left out"),
    ("formula twice", 0, ": 1 row repeats a document of its topic"),
    ("formula with a topic of task 1", 0, ": 1 topic is not judged and left out (A.2)"),
    (
        "visual ids in trec columns",
        2,
        "hypatia: --visual-ids has no effect: the documents of TREC runs are visual ids already,",
    ),
    ("no judgments", 2, ": holds no judgments"),
    ("judgment without grade", 2, ":2:1: 3 columns where judgments have 4 (topic, 0, document, grade)"),
    ("judgment with a word", 2, ":2:9: the grade 'good' is not a number"),
    ("judgment without document", 2, ":2:7: the document is empty"),
    ("judgments that are a run", 2, ":1:1: 5 columns where judgments have 4 (topic, 0, document, grade)"),
    ("judgments not utf-8", 2, ":1:7: is not UTF-8 here; convert the file, for example with iconv"),
    ("run cut while packed", 2, ": damaged gzip: incomplete deflate stream"),
    ("run of junk", 2, ":1:9: is not UTF-8 here; convert the file, for example with iconv"),
    ("run of three columns", 2, ":1:1: 3 columns where a run has 6 (topic, Q0"),
    ("run that is judgments", 2, ":1:1: 4 columns where a run has 6 (topic, Q0"),
    (
        "run of answers",
        2,
        ":1:17: the score 'post 7' is not a number; if the first line is a header, delete it",
    ),
    ("run that is a table", 2, ":1:1: 3 columns where a run has 6 (topic, Q0"),
    ("run of another task", 2, ": none of its topics (B.1, B.2) is judged; the judgments are of A.1, A.2"),
    (
        "run of other topics",
        2,
        ": none of its topics (A.301, A.302) is judged; the judgments are of A.1, A.2",
    ),
    ("run with one other topic", 0, ": 1 topic is not judged and left out (A.302)"),
    (
        "run of other documents",
        0,
        ": not one result is judged: do run and judgments have ids of the same kind?",
    ),
    ("run without the last topic", 0, ": no results for 1 of 2 topics (counting 0)"),
    ("run with several scores", 2, ":2:9: the score '0.8 0.7' is not a number"),
    ("run with a hexadecimal score", 2, ":2:9: the score '0x10' is not a number"),
    ("run with a thousands separator", 2, ":2:9: the score '1'000' is not a number"),
    ("formulas of task 1", 2, ": none of its topics (A.1, A.2) is judged; the judgments are of B.1, B.2"),
    ("formulas that no table has", 2, "hypatia: ids.tsv: holds none of the formulas of runs and judgments"),
    ("a formula that no table has", 0, ": 1 formula has no visual id and is left out"),
    (
        "formulas with four columns",
        2,
        ":1:1: 4 columns where a run has 6 (topic, formula, post, rank, score, tag)",
    ),
    ("formulas in trec columns in one line", 0, ": 1 formula has no visual id and is left out"),
    ("judgments cut while packed", 2, ": damaged gzip: incomplete deflate stream"),
    ("judgments of junk", 2, ":1:9: is not UTF-8 here; convert the file, for example with iconv"),
    ("judgments in utf-16", 2, ":1:1: is not UTF-8 here; convert the file, for example with iconv"),
    (
        "judgments with a header",
        2,
        ":1:16: the grade 'grade' is not a number; if the first line is a header, delete it",
    ),
    (
        "judgments with commas",
        2,
        ":1:1: 1 column (tabs or blanks part columns) where judgments have 4 (topic, 0, document,",
    ),
    ("judgments of blank lines", 2, ": holds no judgments"),
    ("judgment twice", 2, ":2:7: document 42 is judged a second time for topic A.1"),
    ("judgment twice with the same grade", 2, ":2:7: document 42 is judged a second time for topic A.1"),
    ("judgment with a letter", 2, ":2:9: the grade 'P' is not a number"),
    ("judgment with a decimal comma", 2, ":2:9: the grade '1,5' is not a number"),
    (
        "judgment with a fraction",
        0,
        "qrels.tsv:2:9: the grade 0.5 is cut to a whole number, as trec_eval does",
    ),
    ("judgment out of range", 2, ":2:9: the grade 99999999999 is out of range"),
    ("judgment above the scale", 0, "qrels.tsv:2: the grade 6 is above 3, the highest of ARQMath"),
    ("judgment without topic", 2, ":2:1: the topic is empty"),
    ("judgment with five columns", 2, ":2:1: 5 columns where judgments have 4 (topic, 0, document, grade)"),
    (
        "judgments of other topics",
        2,
        "hypatia: us-task1-bm25-auto-both-P.tsv: none of its topics (A.1, A.2) is judged; the",
    ),
    (
        "judgments of other documents",
        0,
        ": not one result is judged: do run and judgments have ids of the same kind?",
    ),
    (
        "judgments of nothing relevant",
        0,
        "qrels.tsv: no judgment is high enough to count (the highest grade is 0), so these are 0 for",
    ),
    (
        "judgments all negative",
        0,
        ": not one result is judged: do run and judgments have ids of the same kind?",
    ),
    ("judgments that are json", 2, ":1:1: 3 columns where judgments have 4 (topic, 0, document, grade)"),
    ("table cut while packed", 2, ": damaged gzip: incomplete deflate stream"),
    ("table of junk", 2, ":2:4: is not UTF-8 here; convert the file, for example with iconv"),
    ("table that is empty", 2, ": holds none of the formulas of runs and judgments"),
    ("table of a header alone", 2, ": holds none of the formulas of runs and judgments"),
    (
        "table without visual ids",
        2,
        ":1:1: no column visual_id; the columns are id, post_id, formula. The first version of the",
    ),
    ("table without formula ids", 2, ":1:1: no column id; the columns are post_id, visual_id"),
    (
        "table without a header",
        2,
        ":1:1: neither a header with id and visual_id nor two columns without a header",
    ),
    ("table with a short row", 2, ":3:6: the row ends before its visual id"),
    ("table with an empty formula id", 2, ":3:1: a row without a formula id"),
    ("table with an empty visual id", 0, ": 1 formula has no visual id and is left out"),
    ("table that contradicts itself", 2, ":5:7: formula 70 has visual id 9 here and 1 above"),
    ("table of other formulas", 2, ": holds none of the formulas of runs and judgments"),
    ("table with commas", 2, ":1:1: neither a header with id and visual_id nor two columns without a header"),
    (
        "table that is a run",
        2,
        ":1:1: neither a header with id and visual_id nor two columns without a header",
    ),
    ("table with an open quote", 2, ":3:1: the quote that opens here is never closed"),
    ("labels not utf-8", 2, ":2:5: is not UTF-8 here; convert the file, for example with iconv"),
    ("labels that are empty", 2, ": the file is empty; labels were expected"),
    ("labels of blank lines", 2, ": the file is empty; labels were expected"),
    ("labels of a header alone", 2, ": no judged topic has the label difficulty"),
    ("labels without the label", 2, ": no label \"difficulty\"; there are: type"),
    (
        "labels without topics",
        2,
        ":1:1: the first column must be called Topic, or there must be two without a header",
    ),
    ("labels with a topic twice", 2, ":4:1: topic A.1 is there twice: on line 2, too"),
    ("labels with an empty topic", 2, ":4:1: labels without a topic"),
    ("labels with a column twice", 2, ":1:18: a second column for difficulty"),
    ("labels with too many columns", 2, ":4:10: 3 columns where 2 were expected"),
    ("labels of other topics", 2, ": no judged topic has the label difficulty"),
    ("labels of one topic", 0, "1 judged topic has no such label: in none of the columns but 'all'."),
    ("labels without values", 2, ": no judged topic has the label difficulty"),
    ("labels of broken json", 2, ":1:30: not the JSON expected here: EOF while parsing an object"),
    (
        "labels of a json list",
        2,
        ":1:1: a JSON list; labels are an object of topics: {\"A.1\": {\"Difficulty\": \"Low\"}}",
    ),
    ("labels of deep json", 2, ":1:2: topic A.1: Difficulty is neither a word nor a number"),
];

/// What `hypatia eval` reads as if nothing were wrong, with the scores of the good file.
const EVAL_TAKES: &[&str] = &[
    "name says nothing",
    "name without evaluation",
    "name without data",
    "name without run type",
    "name without task",
    "name of an unknown task",
    "name without group",
    "name with an answer type",
    "name with a capital",
    "name with underscores",
    "name with a numbered evaluation",
    "name with another ending",
    "name of another run",
    "name of another task",
    "byte order mark",
    "windows line ends",
    "blank line",
    "blanks for tabs",
    "two tabs",
    "trec columns",
    "empty rank",
    "empty tag",
    "blanks around a field",
    "ranks from two",
    "rank repeated",
    "rank gap",
    "rank falls",
    "rank is a word",
    "rank is a fraction",
    "rank is negative",
    "rank is huge",
    "scores tie",
    "scores tie in 32 bits",
    "two tags",
    "tag with blanks",
    "formula with an empty post",
    "post is a word",
    "run with mixed separators",
];

/// The good files of all kinds, with `file` in its place; what `eval` says of them.
fn eval(kind: Kind, file_name: &str, contents: &[u8]) -> Outcome {
    let dir = Dir::new("wrong-files-eval");
    let kinds = [Kind::Task1, Kind::Task2, Kind::Qrels, Kind::VisualIds, Kind::Labels];
    kinds.iter().for_each(|kind| drop(dir.write(kind.file_name(), kind.good())));
    dir.write("formulas.qrels", "B.1\t0\t1\t2\nB.1\t0\t2\t1\nB.2\t0\t1\t0\n");
    dir.write(file_name, contents);
    let with = |kind: Kind, arguments: &[&str]| dir.run(&[&["eval", kind.file_name()], arguments].concat());
    match kind {
        Kind::Task1 => dir.run(&["eval", "--qrels", "qrels.tsv", "--", file_name]),
        Kind::Task2 => dir.run(&[
            "eval",
            "--qrels",
            "formulas.qrels",
            "--task",
            "2",
            "--visual-ids",
            "ids.tsv",
            "--",
            file_name,
        ]),
        Kind::VisualIds => {
            with(Kind::Task2, &["--qrels", "formulas.qrels", "--task", "2", "--visual-ids", file_name])
        }
        Kind::Labels => {
            with(Kind::Task1, &["--qrels", "qrels.tsv", "--labels", file_name, "--by", "difficulty"])
        }
        Kind::Qrels | Kind::Task3 => with(Kind::Task1, &["--qrels", file_name]),
    }
}

/// All wrong files that `eval` is given.
fn wrong_for_eval() -> Vec<WrongFile> {
    let mut files = wrong_files();
    files.retain(|file| file.kind != Kind::Task3);
    files.extend(wrong_for_scoring());
    files
}

#[test]
fn eval_says_what_is_wrong_and_where() {
    let files = wrong_for_eval();
    let mut wrong = Vec::new();
    for (name, code, fragment) in EVAL {
        let file = files.iter().find(|file| file.name == *name).unwrap_or_else(|| panic!("no file '{name}'"));
        let outcome = eval(file.kind, &file.file_name, &file.contents);
        let said = outcome.stderr.clone() + &outcome.stdout;
        let is_right = match *code {
            0 => outcome.code == 0 && said.lines().any(|line| line.contains(fragment)),
            _ => {
                // Where two files do not fit, another one may be named.
                let line = match fragment.strip_prefix(':') {
                    Some(_) => format!("hypatia: {}{fragment}", file.file_name),
                    None => (*fragment).to_owned(),
                };
                outcome.code == 2
                    && outcome.stdout.is_empty()
                    && outcome.stderr.starts_with(&line)
                    && outcome.stderr.lines().count() == 1
            }
        };
        if !is_right {
            wrong.push(format!("{name}: {code}, '{fragment}' wanted\n{}\n{said}", outcome.code));
        }
    }
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn eval_takes_what_does_no_harm() {
    let files = wrong_for_eval();
    for name in EVAL_TAKES {
        let file = files.iter().find(|file| file.name == *name).unwrap_or_else(|| panic!("no file '{name}'"));
        let good = eval(file.kind, &file.file_name, file.kind.good().as_bytes());
        let found = eval(file.kind, &file.file_name, &file.contents);
        assert_eq!(good.code, 0, "{good:?}");
        assert_eq!(found, good, "{name}");
    }
}

#[test]
fn every_wrong_file_is_in_the_tables_of_eval() {
    assert!(EVAL.len() >= 100);
    for file in wrong_for_eval() {
        let known = EVAL.iter().any(|entry| entry.0 == file.name) || EVAL_TAKES.contains(&file.name);
        assert!(known, "'{}' is not in the tables", file.name);
    }
}

#[test]
fn eval_of_files_that_cannot_be_opened() {
    let dir = Dir::new("eval-unopened");
    dir.write("run.tsv", Kind::Task1.good());
    dir.write("formulas.tsv", Kind::Task2.good());
    dir.write("qrels.tsv", Kind::Qrels.good());
    dir.write("formulas.qrels", "B.1\t0\t1\t2\n");
    let formulas = ["formulas.tsv", "--qrels", "formulas.qrels", "--task", "2", "--visual-ids"];
    let labels = ["run.tsv", "--qrels", "qrels.tsv", "--by", "type", "--labels"];
    for arguments in [&["--qrels", "qrels.tsv"][..], &["run.tsv", "--qrels"], &formulas, &labels] {
        for name in ["missing", "."] {
            if name == "." && arguments == formulas {
                continue; // Visual ids may come from a folder.
            }
            let outcome = dir.run(&[&["eval"], arguments, &[name]].concat());
            assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{arguments:?} {name}");
            assert_eq!(outcome.stderr.lines().count(), 1, "{outcome:?}");
            assert!(outcome.stderr.starts_with(&format!("hypatia: {name}: ")), "{outcome:?}");
        }
    }
}
