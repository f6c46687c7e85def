//! A lab's own files: its settings, what teams submit, and what comes back from another tool.

use super::text_or_refuse;
use crate::Outcome;
use crate::scratch::Scratch;
use assess::Books;
use assess::turkle::{Columns, TurkleOptions};
use formats::Source;
use lab::pools::PoolRequest;
use lab::submit::{Earlier, Entry, Refusal};
use lab::{Lab, Manifest, NewFiles, NewSet, PoolKind, Rules, judgments::ImportOptions};
use std::cell::RefCell;
use std::path::Path;
use testkit::lab::{FORMULAS, QUESTIONS, formula_table, found, ranked};

/// Settings of a lab from any text: a manifest that is read is written and read again the same; an error names a
/// line of the file.
pub fn lab_manifest(bytes: &[u8]) -> Outcome {
    let text = text_or_refuse!(bytes);
    let path = Path::new("lab.toml");
    let manifest = match Manifest::read(path, text) {
        Ok(manifest) => manifest,
        Err(error) => {
            let error = error.to_string();
            let reason = error.strip_prefix("lab.toml: ").unwrap_or_else(|| panic!("{error}"));
            if let Some((line, _)) = reason.strip_prefix("line ").and_then(|rest| rest.split_once(':')) {
                let line: usize = line.parse().unwrap_or(usize::MAX);
                assert!((1..=text.matches('\n').count() + 1).contains(&line), "{error}");
            }
            return Outcome::Refused;
        }
    };
    let written = manifest.to_toml();
    let again = Manifest::read(path, &written).unwrap_or_else(|error| panic!("{error}\n{written}"));
    assert_eq!(again, manifest);
    Outcome::Read
}

/// A small lab with pools. Everything that an input brings is rolled back.
struct SmallLab {
    lab: Lab,
    /// The lab lives in it.
    _scratch: Scratch,
}

thread_local! {
    static LAB: RefCell<SmallLab> = RefCell::new(SmallLab::new());
}

impl SmallLab {
    fn new() -> Self {
        let scratch = Scratch::new("lab");
        let files = |name: &str, text: &str| NewFiles {
            topics: scratch.write(name, text.as_bytes()),
            ..NewFiles::default()
        };
        let set = NewSet {
            name: "now".to_owned(),
            questions: Some(files("questions.xml", QUESTIONS)),
            formulas: Some(files("formulas.xml", FORMULAS)),
        };
        let manifest = Manifest {
            seed: 5,
            most_runs: 100,
            about: "A lab for fuzzing.".to_owned(),
            formulas: Some(scratch.write("table.tsv", formula_table(3).as_bytes())),
            ..Manifest::new("small", Rules::Arqmath, &[1, 2, 3])
        };
        let mut lab =
            Lab::create(&scratch.path().join("lab"), manifest, None, &[set]).expect("the small lab is made");
        let answers = &ranked(&[("A.1", &["11", "12"]), ("A.2", &["21"])], "first");
        let found = &found(&[("1", "101"), ("2", "102"), ("3", "101")], "trees");
        for (name, text) in
            [("us-task1-first-auto-both-P.tsv", answers), ("us-task2-trees-auto-math-P.tsv", found)]
        {
            lab.submit(&entry(name, text.as_bytes())).expect("a good run is taken");
        }
        for kind in [PoolKind::Answers, PoolKind::Formulas] {
            let plan = lab.plan_pool(&PoolRequest::new(kind)).expect("a pool can be made");
            lab.keep_pool(&plan).expect("a pool can be kept");
        }
        Self { lab, _scratch: scratch }
    }
}

fn entry(name: &str, bytes: &[u8]) -> Entry {
    Entry { earlier: Earlier::IsReplaced, ..Entry::new(name, bytes, "team") }
}

/// A run handed in under any name: the first line is the name of the file. A run that is taken lies in the lab's
/// folder, and nowhere else.
pub fn submission(bytes: &[u8]) -> Outcome {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let name = text_or_refuse!(&bytes[..end]);
    let run = bytes.get(end + 1..).unwrap_or_default();
    LAB.with_borrow_mut(|small| {
        let before = small.lab.status().expect("a lab that was just opened").systems.len();
        match small.lab.submit(&entry(name, run)) {
            Ok(receipt) => {
                let kept =
                    small.lab.path(&receipt.path).canonicalize().expect("a run that was taken is there");
                let root = small.lab.root().canonicalize().expect("the lab's folder is there");
                assert!(kept.starts_with(&root), "{} is outside of the lab", kept.display());
                // The next input meets a lab without it.
                *small = SmallLab::new();
                Outcome::Read
            }
            Err(Refusal::Invalid { findings, .. }) => {
                assert!(!findings.is_empty());
                assert_eq!(small.lab.status().map(|status| status.systems.len()).ok(), Some(before));
                Outcome::Refused
            }
            Err(Refusal::Lab(_)) => Outcome::Refused,
        }
    })
}

/// Tables of judgments for a lab, ours and Turkle's: a table is taken whole or refused whole, with lines of the
/// file.
pub fn turkle(bytes: &[u8]) -> Outcome {
    let _ = std::str::from_utf8(bytes).map(Columns::read);
    LAB.with_borrow(|small| {
        let database = small.lab.database();
        let count = || -> i64 {
            database
                .query_row("SELECT COUNT(*) FROM judgment", [], |row| row.get(0))
                .expect("the log of judgments can be counted")
        };
        let before = count();
        database.execute_batch("BEGIN").expect("a transaction begins");
        let books = Books::new(&small.lab, 1_700_000_000);
        let taken = books.import_turkle(Source::bytes("back.csv", bytes), &TurkleOptions::default(), "olga");
        match &taken {
            Ok(imported) => {
                assert_eq!(count(), before + i64::try_from(imported.added).expect("a small number"));
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        database.execute_batch("ROLLBACK").expect("a transaction ends");
        assert_eq!(count(), before);
        let rows = formats::read_assessments(Source::bytes("ours.tsv", bytes));
        let options =
            ImportOptions { set: None, stage: lab::Stage::Main, unpooled: lab::judgments::Unpooled::Take };
        let ours = rows.is_ok_and(|rows| small.lab.fit_judgments(&rows, "ours.tsv", &options).is_ok());
        if taken.is_ok() || ours { Outcome::Read } else { Outcome::Refused }
    })
}
