//! A small lab with all three tasks, made of texts in this file.

#![allow(dead_code, reason = "every test uses a part of it")]
use formats::Source;
use lab::judgments::ImportOptions;
use lab::pools::PoolRequest;
use lab::submit::{Entry, Receipt, Refusal};
use lab::{Lab, Manifest, NewFiles, NewSet, PoolKind, Rules, Stage};
use std::path::PathBuf;
use testkit::TempDir;
pub(crate) use testkit::lab::{EARLIER, FORMULAS, QUESTIONS, found as formulas, ranked};

/// A folder with a lab in it.
pub(crate) struct Place {
    pub(crate) dir: TempDir,
    pub(crate) root: PathBuf,
}

pub(crate) fn manifest() -> Manifest {
    Manifest {
        seed: 5,
        most_runs: 2,
        about: "A lab for tests.".to_owned(),
        ..Manifest::new("small", Rules::Arqmath, &[1, 2, 3])
    }
}

/// A lab without runs.
pub(crate) fn empty(name: &str) -> (Place, Lab) {
    let dir = TempDir::new(name);
    let topics = |file: &str, text: &str| NewFiles { topics: dir.write(file, text), ..NewFiles::default() };
    let questions = topics("questions.xml", QUESTIONS);
    let formulas = topics("formulas.xml", FORMULAS);
    let earlier =
        NewFiles { qrels: Some(dir.write("old.qrels", "A.9\t0\t50\t3\n")), ..topics("old.xml", EARLIER) };
    let table = dir.write("table.tsv", testkit::lab::formula_table(10));
    let root = dir.path().join("lab");
    let sets = [
        NewSet { name: "old".to_owned(), questions: Some(earlier), formulas: None },
        NewSet { name: "now".to_owned(), questions: Some(questions), formulas: Some(formulas) },
    ];
    let manifest = Manifest { formulas: Some(table), ..manifest() };
    let lab = Lab::create(&root, manifest, None, &sets).unwrap();
    (Place { dir, root }, lab)
}

/// Hands in a run.
pub(crate) fn submit(lab: &mut Lab, name: &str, text: &str) -> Result<Receipt, Refusal> {
    lab.submit(&entry(name, text))
}

pub(crate) fn entry(name: &str, text: &str) -> Entry {
    Entry::new(name, text, "tester")
}

/// Takes judgments from a table without a header: topic, item, instance, assessor, verdict, stage.
pub(crate) fn judge(lab: &mut Lab, rows: &str) -> lab::Result<lab::judgments::Imported> {
    let mut table = String::from("topic\titem\tinstance\tassessor\tverdict\tstage\tcomment\tseconds\n");
    for row in rows.lines() {
        let mut fields: Vec<&str> =
            row.split_whitespace().map(|field| if field == "-" { "" } else { field }).collect();
        fields.extend(["because", "10"]);
        table.push_str(&fields.join("\t"));
        table.push('\n');
    }
    let options = ImportOptions { set: None, stage: Stage::Main, unpooled: lab::judgments::Unpooled::Refuse };
    lab.import_judgments(Source::bytes("said.tsv", table), &options)
}

pub(crate) fn request(kind: PoolKind) -> PoolRequest {
    PoolRequest { what_if: vec![1, 2], ..PoolRequest::new(kind) }
}

/// A lab with runs of two teams in all tasks, pools and judgments.
pub(crate) fn whole(name: &str) -> (Place, Lab) {
    let (place, mut lab) = empty(name);
    let first = ranked(&[("A.1", &["11", "12"]), ("A.2", &["21", "22"])], "first");
    let second = ranked(&[("A.1", &["12", "13"]), ("A.2", &["22"])], "second");
    submit(&mut lab, "us-task1-first-auto-both-P.tsv", &first).unwrap();
    submit(&mut lab, "them-task1-second-manual-text-P.tsv", &second).unwrap();
    let many = [
        ("1", "101"),
        ("2", "102"),
        ("4", "103"),
        ("5", "104"),
        ("6", "105"),
        ("7", "106"),
        ("8", "107"),
        ("9", "108"),
    ];
    submit(&mut lab, "us-task2-trees-auto-math-P.tsv", &formulas(&many, "trees")).unwrap();
    submit(&mut lab, "them-task2-words-auto-math-P.tsv", &formulas(&[("3", "101"), ("2", "102")], "words"))
        .unwrap();
    let answers = "A.1\t1\t1\twriter\t\tIt is $1$.\nA.2\t1\t1\twriter\t\tIt is $2$.\n";
    submit(&mut lab, "us-task3-writer-auto-both-generate-P.tsv", answers).unwrap();
    let mut old = entry("us-task1-first-auto-both-P.tsv", &ranked(&[("A.9", &["50", "51"])], "first"));
    old.set = Some("old".to_owned());
    old.trained_on = vec!["old".to_owned()];
    lab.submit(&old).unwrap();
    for kind in [PoolKind::Answers, PoolKind::Formulas] {
        let plan = lab.plan_pool(&request(kind)).unwrap();
        lab.keep_pool(&plan).unwrap();
    }
    let written: Vec<(String, String)> = lab
        .pool(PoolKind::Answers, "now")
        .unwrap()
        .unwrap()
        .topics
        .iter()
        .flat_map(|topic| topic.items.iter().map(|item| (topic.topic.to_string(), item)))
        .filter(|(_, item)| item.kind == pool::ItemKind::Answer)
        .map(|(topic, item)| (topic, item.id.clone()))
        .collect();
    let mut rows = String::from(
        "A.1 11 - ada 3 main\nA.1 12 - ada 2 main\nA.1 13 - ada 0 main\nA.2 21 - ada 2 main\nA.2 22 - ada unknown main\n\
         A.1 11 - bob 2 cross-check\nB.1 7 1 bob 1 main\nB.1 7 2 bob 3 main\nB.1 8 3 bob 2 main\n",
    );
    for (topic, id) in &written {
        rows.push_str(&format!("{topic} {id} - ada 2 main\n"));
    }
    judge(&mut lab, &rows).unwrap();
    (place, lab)
}
