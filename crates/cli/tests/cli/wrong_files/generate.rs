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
}

impl Kind {
    /// The name of a good file of this kind.
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Self::Task1 => "us-task1-bm25-auto-both-P.tsv",
            Self::Task2 => "us-task2-tree-auto-math-P.tsv",
            Self::Task3 => "us-task3-gpt-auto-both-extract-P.tsv",
            Self::Qrels => "qrels.tsv",
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
