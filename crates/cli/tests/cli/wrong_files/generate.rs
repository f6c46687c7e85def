//! Files that are wrong in one way each, made from small good ones.
//!
//! What a command shall say of them is not written here, so that every command
//! that reads such files can have its own table.

/// What a file is meant to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Task1,
    Task2,
    Task3,
    Qrels,
    VisualIds,
    Labels,
}

impl Kind {
    /// The name of a good file of this kind.
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Self::Task1 => "us-task1-bm25-auto-both-P.tsv",
            Self::Task2 => "us-task2-tree-auto-math-P.tsv",
            Self::Task3 => "us-task3-gpt-auto-both-extract-P.tsv",
            Self::Qrels => "qrels.tsv",
            Self::VisualIds => "ids.tsv",
            Self::Labels => "labels.csv",
        }
    }

    /// A good file of this kind.
    pub(crate) fn good(self) -> &'static str {
        match self {
            Self::Task1 => {
                "A.1\t42\t1\t0.9\tbm25\nA.1\t7\t2\t0.8\tbm25\nA.1\t8\t3\t0.7\tbm25\nA.1\t9\t4\t0.6\tbm25\n\
                 A.2\t7\t1\t5\tbm25\nA.2\t9\t2\t4\tbm25\n"
            }
            Self::Task2 => {
                "B.1\t70\t42\t1\t0.9\ttree\nB.1\t71\t42\t2\t0.8\ttree\nB.1\t72\t43\t3\t0.7\ttree\n\
                 B.2\t70\t42\t1\t3\ttree\n"
            }
            Self::Task3 => {
                "A.301\t1\t0.9\tgpt\tpost 7\tTake $x$.\nA.302\t1\t0.8\tgpt\tpost 8\tBy $$a=b$$ it holds.\n"
            }
            Self::Qrels => "A.1\t0\t42\t2\nA.1\t0\t7\t0\nA.2\t0\t7\t1\n",
            Self::VisualIds => "id\tpost_id\tvisual_id\n70\t42\t1\n71\t42\t2\n72\t43\t2\n",
            Self::Labels => "Topic,Difficulty\nA.1,Easy\nA.2,Hard\n",
        }
    }
}

/// A file that is wrong.
#[derive(Clone, Debug)]
pub(crate) struct WrongFile {
    /// What is wrong with it, in a few words.
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) file_name: String,
    pub(crate) contents: Vec<u8>,
}

/// All wrong files.
pub(crate) fn wrong_files() -> Vec<WrongFile> {
    let mut files = Vec::new();
    names(&mut files);
    lines(&mut files);
    rankings(&mut files);
    formulas(&mut files);
    answers(&mut files);
    qrels(&mut files);
    files
}

/// Further files that are wrong for scoring; some are good files of another kind.
pub(crate) fn wrong_for_scoring() -> Vec<WrongFile> {
    let mut files = Vec::new();
    scored_runs(&mut files);
    scored_formulas(&mut files);
    scored_qrels(&mut files);
    visual_ids(&mut files);
    labels(&mut files);
    files
}

fn add(files: &mut Vec<WrongFile>, kind: Kind, name: &'static str, contents: impl Into<Vec<u8>>) {
    files.push(WrongFile { name, kind, file_name: kind.file_name().to_owned(), contents: contents.into() });
}

/// The good file with one field replaced; lines and columns count from 1.
fn field(kind: Kind, line: usize, column: usize, value: &str) -> String {
    let mut rows: Vec<Vec<&str>> = kind.good().lines().map(|line| line.split('\t').collect()).collect();
    rows[line - 1][column - 1] = value;
    rows.iter().map(|row| row.join("\t") + "\n").collect()
}

/// The good file with one line replaced by any text.
fn line(kind: Kind, number: usize, text: &str) -> String {
    let mut lines: Vec<&str> = kind.good().lines().collect();
    lines[number - 1] = text;
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn names(files: &mut Vec<WrongFile>) {
    for (name, kind, file_name) in [
        ("name says nothing", Kind::Task1, "run.tsv"),
        ("name without evaluation", Kind::Task1, "us-task1-bm25-auto-both.tsv"),
        ("name without data", Kind::Task1, "us-task1-bm25-auto-P.tsv"),
        ("name without run type", Kind::Task1, "us-task1-bm25-both-P.tsv"),
        ("name without task", Kind::Task1, "us-bm25-auto-both-P.tsv"),
        ("name of an unknown task", Kind::Task1, "us-task4-bm25-auto-both-P.tsv"),
        ("name without group", Kind::Task1, "-task1-bm25-auto-both-P.tsv"),
        ("name with an answer type", Kind::Task1, "us-task1-bm25-auto-both-extract-P.tsv"),
        ("name without an answer type", Kind::Task3, "us-task3-gpt-auto-both-P.tsv"),
        ("name with a capital", Kind::Task1, "us-Task1-bm25-auto-both-P.tsv"),
        ("name with underscores", Kind::Task1, "us_task1_bm25_auto_both_P.tsv"),
        ("name with a numbered evaluation", Kind::Task1, "us-task1-bm25-auto-both-A3.tsv"),
        ("name with another ending", Kind::Task1, "us-task1-bm25-auto-both-P.txt"),
        ("name of another run", Kind::Task1, "us-task1-lm-auto-both-P.tsv"),
        ("name of another task", Kind::Task1, "us-task2-bm25-auto-both-P.tsv"),
    ] {
        let contents = kind.good().as_bytes().to_vec();
        files.push(WrongFile { name, kind, file_name: file_name.to_owned(), contents });
    }
}

fn lines(files: &mut Vec<WrongFile>) {
    let kind = Kind::Task1;
    let good = kind.good();
    let mut one = |name, contents: String| add(files, kind, name, contents);
    one("empty file", String::new());
    one("only blank lines", "\n \n\n".to_owned());
    one("byte order mark", format!("\u{FEFF}{good}"));
    one("byte order mark in the middle", line(kind, 3, "\u{FEFF}A.1\t8\t3\t0.7\tbm25"));
    one("windows line ends", good.replace('\n', "\r\n"));
    one("old mac line ends", good.replace('\n', "\r"));
    one("blank line", good.replacen('\n', "\n\n", 2));
    one("header", format!("Query_Id\tPost_Id\tRank\tScore\tRun\n{good}"));
    one("only a header", "Query_Id\tPost_Id\tRank\tScore\tRun\n".to_owned());
    one("comment line", format!("# made by us\n{good}"));
    one("blanks for tabs", good.replace('\t', " "));
    one("commas for tabs", good.replace('\t', ","));
    one("semicolons for tabs", good.replace('\t', ";"));
    one("two tabs", line(kind, 2, "A.1\t\t7\t2\t0.8\tbm25"));
    one("column missing", line(kind, 3, "A.1\t8\t3\t0.7"));
    one("column too many", line(kind, 3, "A.1\t8\t3\t0.7\tbm25\tnote"));
    one("columns of task 2", Kind::Task2.good().to_owned());
    one("cut off in the middle", good[..good.len() - 11].to_owned());
    one("trec columns", good.replace("A.1\t", "A.1\tQ0\t").replace("A.2\t", "A.2\tQ0\t"));
    one("trec columns in one line", line(kind, 2, "A.1\tQ0\t7\t2\t0.8\tbm25"));
    one("a web page", "<!DOCTYPE html>\n<html><body>404</body></html>\n".to_owned());
    one("json", "[{\"topic\": \"A.1\", \"doc\": 42}]\n".to_owned());
    one("empty topic", field(kind, 2, 1, ""));
    one("empty document", field(kind, 2, 2, ""));
    one("empty rank", field(kind, 2, 3, ""));
    one("empty score", field(kind, 2, 4, ""));
    one("empty tag", field(kind, 2, 5, ""));
    one("blanks around a field", field(kind, 2, 2, " 7 "));
    one("nul byte", field(kind, 2, 2, "7\0"));
    one("zero width blank", field(kind, 2, 1, "A.1\u{200B}"));
    one("very long line", line(kind, 2, &"x".repeat(100_000)));
    add(files, kind, "not utf-8", b"A.1\t42\t1\t0.9\tbm25\nA.1\t\xFF7\t2\t0.8\tbm25\n".as_slice());
    add(files, kind, "utf-16", b"\xFF\xFEA\x00.\x001\x00\t\x00".as_slice());
    add(files, kind, "damaged gzip", b"\x1F\x8B\x08\x00nonsense".as_slice());
}

fn rankings(files: &mut Vec<WrongFile>) {
    let kind = Kind::Task1;
    let mut one = |name, contents: String| add(files, kind, name, contents);
    let zero = "A.1\t42\t0\t0.9\tbm25\nA.1\t7\t1\t0.8\tbm25\nA.1\t8\t2\t0.7\tbm25\n";
    one("ranks from zero", zero.to_owned());
    one("ranks from two", field(kind, 1, 3, "2"));
    one("rank repeated", field(kind, 2, 3, "1"));
    one("rank gap", field(kind, 4, 3, "9"));
    one("rank falls", field(kind, 4, 3, "1"));
    one("rank is a word", field(kind, 2, 3, "two"));
    one("rank is a fraction", field(kind, 2, 3, "2.0"));
    one("rank is negative", field(kind, 2, 3, "-2"));
    one("rank is huge", field(kind, 2, 3, "99999999999999999999"));
    one("score is a word", field(kind, 2, 4, "high"));
    one("score with a decimal comma", field(kind, 2, 4, "0,8"));
    one("score is nan", field(kind, 2, 4, "NaN"));
    one("score is infinite", field(kind, 1, 4, "inf"));
    one("score overflows", field(kind, 1, 4, "1e999"));
    one("score rises", field(kind, 2, 4, "0.95"));
    one("scores tie", field(kind, 3, 4, "0.8"));
    one("scores tie in 32 bits", field(kind, 3, 4, "0.79999999999"));
    one("document twice", field(kind, 3, 2, "42"));
    let many: String = (1..=1001).map(|rank| format!("A.1\t{rank}\t{rank}\t-{rank}\tbm25\n")).collect();
    one("more than a thousand", many);
    let torn = "A.1\t42\t1\t0.9\tbm25\nA.2\t7\t1\t5\tbm25\nA.1\t7\t2\t0.8\tbm25\n";
    one("topic torn apart", torn.to_owned());
    one("topic of another task", field(kind, 5, 1, "B.2"));
    one("topic without a letter", field(kind, 5, 1, "302"));
    one("topic in small letters", field(kind, 5, 1, "a.2"));
    one("two tags", field(kind, 4, 5, "bm52"));
    one("tag with blanks", kind.good().replace("bm25", "bm 25"));
    one("document is a word", field(kind, 2, 2, "post7"));
    one("document is a fraction", field(kind, 2, 2, "7.0"));
    one("document with a zero", field(kind, 2, 2, "07"));
}

fn formulas(files: &mut Vec<WrongFile>) {
    let kind = Kind::Task2;
    let mut one = |name, contents: String| add(files, kind, name, contents);
    one("formula without post", "B.1\t70\t1\t0.9\ttree\nB.1\t71\t2\t0.8\ttree\n".to_owned());
    one("formula with an empty post", field(kind, 2, 3, ""));
    one("formula is a word", field(kind, 2, 2, "q_71"));
    one("post is a word", field(kind, 2, 3, "post"));
    one("formula twice", field(kind, 3, 2, "70"));
    one("formula with a topic of task 1", field(kind, 4, 1, "A.2"));
    one("visual ids in trec columns", "B.1\tQ0\t70\t1\t0.9\ttree\n".to_owned());
}

fn answers(files: &mut Vec<WrongFile>) {
    let kind = Kind::Task3;
    let mut one = |name, contents: String| add(files, kind, name, contents);
    one("no answers", String::new());
    one("answers with a header", format!("Query\tRank\tScore\tRun\tSources\tAnswer\n{}", kind.good()));
    one("answer missing", line(kind, 2, "A.302\t1\t0.8\tgpt\tpost 8"));
    one("answer with a tab", line(kind, 2, "A.302\t1\t0.8\tgpt\tpost 8\tBy\t$x$"));
    one("answer without topic", field(kind, 2, 1, ""));
    one("answer of another task", field(kind, 2, 1, "B.302"));
    one("answer twice", field(kind, 2, 1, "A.301"));
    one("answer of rank two", field(kind, 2, 2, "2"));
    one("answer without score", field(kind, 2, 3, ""));
    one("answer of infinite score", field(kind, 2, 3, "inf"));
    one("answer without run", field(kind, 2, 4, ""));
    one("answer without sources", field(kind, 2, 5, ""));
    one("answer that is empty", field(kind, 2, 6, ""));
    one("answer too long", field(kind, 2, 6, &"é".repeat(1201)));
    one("answer with a lone dollar", field(kind, 2, 6, "By $a=b it holds."));
    one("answer with html", field(kind, 2, 6, "By <b>this</b>."));
    one("answer with a bell", field(kind, 2, 6, "By \u{7}this."));
    one("answer with an open quote", field(kind, 2, 6, "\"By this."));
}

fn qrels(files: &mut Vec<WrongFile>) {
    let kind = Kind::Qrels;
    let mut one = |name, contents: String| add(files, kind, name, contents);
    one("no judgments", String::new());
    one("judgment without grade", line(kind, 2, "A.1\t0\t7"));
    one("judgment with a word", field(kind, 2, 4, "good"));
    one("judgment without document", field(kind, 2, 3, ""));
    one("judgments that are a run", Kind::Task1.good().to_owned());
    add(files, kind, "judgments not utf-8", b"A.1\t0\t\xFF\t1\n".as_slice());
}

/// The start of a packed file.
const CUT_GZIP: &[u8] = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF\x73\xD4\x33";

const JUNK: &[u8] = b"\x7FELF\x02\x01\x01\0\xC3\x28\n\xFE";

fn scored_runs(files: &mut Vec<WrongFile>) {
    let kind = Kind::Task1;
    let good = kind.good();
    add(files, kind, "run cut while packed", CUT_GZIP);
    add(files, kind, "run of junk", JUNK);
    let mut one = |name, contents: String| add(files, kind, name, contents);
    one("run of three columns", "A.1\t42\t0.9\nA.1\t7\t0.8\n".to_owned());
    one("run that is judgments", Kind::Qrels.good().to_owned());
    one("run of answers", Kind::Task3.good().to_owned());
    one("run that is a table", Kind::VisualIds.good().to_owned());
    one("run of another task", good.replace("A.", "B."));
    one("run of other topics", good.replace("A.", "A.30"));
    one("run with one other topic", good.replace("A.2", "A.302"));
    one("run of other documents", good.replace("\t42\t", "\tp42\t").replace("\t7\t", "\tp7\t"));
    one("run without the last topic", good[..good.find("A.2").unwrap()].to_owned());
    one("run with mixed separators", line(kind, 2, "A.1 7 2   0.8 bm25"));
    one("run with several scores", field(kind, 2, 4, "0.8 0.7"));
    one("run with a hexadecimal score", field(kind, 2, 4, "0x10"));
    one("run with a thousands separator", field(kind, 2, 4, "1'000"));
}

fn scored_formulas(files: &mut Vec<WrongFile>) {
    let kind = Kind::Task2;
    let mut one = |name, contents: String| add(files, kind, name, contents);
    one("formulas of task 1", Kind::Task1.good().to_owned());
    one("formulas that no table has", kind.good().replace("\t7", "\t9"));
    one("a formula that no table has", field(kind, 1, 2, "79"));
    one("formulas with four columns", "B.1\t70\t1\t0.9\n".to_owned());
    one("formulas in trec columns in one line", line(kind, 2, "B.1\tQ0\t71\t2\t0.8\ttree"));
}

fn scored_qrels(files: &mut Vec<WrongFile>) {
    let kind = Kind::Qrels;
    let good = kind.good();
    add(files, kind, "judgments cut while packed", CUT_GZIP);
    add(files, kind, "judgments of junk", JUNK);
    add(files, kind, "judgments in utf-16", b"\xFF\xFEA\x00.\x00".as_slice());
    let mut one = |name, contents: String| add(files, kind, name, contents);
    one("judgments with a header", format!("topic\titer\tdoc\tgrade\n{good}"));
    one("judgments with commas", good.replace('\t', ","));
    one("judgments of blank lines", "\n \n\t\n".to_owned());
    one("judgment twice", line(kind, 2, "A.1\t0\t42\t0"));
    one("judgment twice with the same grade", line(kind, 2, "A.1\t0\t42\t2"));
    one("judgment with a letter", field(kind, 2, 4, "P"));
    one("judgment with a decimal comma", field(kind, 2, 4, "1,5"));
    one("judgment with a fraction", field(kind, 2, 4, "0.5"));
    one("judgment out of range", field(kind, 2, 4, "99999999999"));
    one("judgment above the scale", field(kind, 2, 4, "6"));
    one("judgment without topic", field(kind, 2, 1, ""));
    one("judgment with five columns", line(kind, 2, "A.1\t0\t7\t0\tme"));
    one("judgments of other topics", good.replace("A.", "B."));
    one("judgments of other documents", good.replace("\t42\t", "\t1\t").replace("\t7\t", "\t2\t"));
    one("judgments of nothing relevant", good.replace("\t2\n", "\t0\n").replace("\t1\n", "\t0\n"));
    one("judgments all negative", "A.1\t0\t42\t-1\nA.2\t0\t7\t-2\n".to_owned());
    one("judgments that are json", "{\"A.1\": {\"42\": 2}}\n".to_owned());
}

fn visual_ids(files: &mut Vec<WrongFile>) {
    let kind = Kind::VisualIds;
    let good = kind.good();
    add(files, kind, "table cut while packed", CUT_GZIP);
    add(files, kind, "table of junk", b"id\tvisual_id\n70\t\xC3\x28\n".as_slice());
    let mut one = |name, contents: String| add(files, kind, name, contents);
    one("table that is empty", String::new());
    one("table of a header alone", "id\tpost_id\tvisual_id\n".to_owned());
    one("table without visual ids", "id\tpost_id\tformula\n70\t42\tx\n".to_owned());
    one("table without formula ids", "post_id\tvisual_id\n42\t1\n42\t2\n".to_owned());
    one("table without a header", "70\t42\t1\n71\t42\t2\n".to_owned());
    one("table with a short row", line(kind, 3, "71\t42"));
    one("table with an empty formula id", field(kind, 3, 1, ""));
    one("table with an empty visual id", field(kind, 3, 3, ""));
    one("table that contradicts itself", format!("{good}70\t42\t9\n"));
    one("table of other formulas", good.replace("\n7", "\n9"));
    one("table with commas", good.replace('\t', ","));
    one("table that is a run", Kind::Task2.good().to_owned());
    one("table with an open quote", field(kind, 3, 1, "\"71"));
}

fn labels(files: &mut Vec<WrongFile>) {
    let kind = Kind::Labels;
    let good = kind.good();
    add(files, kind, "labels not utf-8", b"Topic,Difficulty\nA.1,\xFF\n".as_slice());
    let mut one = |name, contents: String| add(files, kind, name, contents);
    one("labels that are empty", String::new());
    one("labels of blank lines", "\n\n".to_owned());
    one("labels of a header alone", "Topic,Difficulty\n".to_owned());
    one("labels without the label", good.replace("Difficulty", "Category"));
    one("labels without topics", "Name,Difficulty,Category\nA.1,Easy,Proof\n".to_owned());
    one("labels with a topic twice", format!("{good}A.1,Hard\n"));
    one("labels with an empty topic", format!("{good},Hard\n"));
    one("labels with a column twice", "Topic,Difficulty,difficulty\nA.1,Easy,Hard\n".to_owned());
    one("labels with too many columns", format!("{good}A.3,Hard,Proof\n"));
    one("labels of other topics", good.replace("A.", "A.30"));
    one("labels of one topic", "Topic,Difficulty\nA.1,Easy\n".to_owned());
    one("labels without values", "Topic,Difficulty\nA.1,\nA.2,\n".to_owned());
    one("labels of broken json", "{\"A.1\": {\"Difficulty\": \"Easy\"}".to_owned());
    one("labels of a json list", "[{\"Topic\": \"A.1\", \"Difficulty\": \"Easy\"}]\n".to_owned());
    one("labels of deep json", "{\"A.1\": {\"Difficulty\": [\"Easy\"]}}\n".to_owned());
}
