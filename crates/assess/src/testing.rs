//! A small lab for the tests of this crate: two topics of questions and one of formulas, pooled.

use crate::{Account, Books, NewGrade};
use formats::{Source, TopicId};
use lab::pools::PoolRequest;
use lab::submit::Entry;
use lab::{Lab, Manifest, NewFiles, NewJudgment, NewSet, PoolKind, Rules, Stage, Verdict};
use testkit::TempDir;
use testkit::lab::{FORMULAS, QUESTIONS, WRITTEN, formula_table, found, ranked};

/// A lab whose runs are pooled: A.1 has 11, 12, 13, A.2 has 21, 22, 23, each a written answer more;
/// B.1 has the formulas 7 (instances 1 and 2) and 8.
pub(crate) fn small(name: &str) -> (TempDir, Lab) {
    let dir = TempDir::new(name);
    let topics = |file: &str, text: &str| NewFiles { topics: dir.write(file, text), ..NewFiles::default() };
    let sets = [NewSet {
        name: "now".to_owned(),
        questions: Some(topics("questions.xml", QUESTIONS)),
        formulas: Some(topics("formulas.xml", FORMULAS)),
    }];
    let manifest = Manifest {
        seed: 5,
        most_runs: 2,
        formulas: Some(dir.write("table.tsv", formula_table(3))),
        ..Manifest::new("small", Rules::Arqmath, &[1, 2, 3])
    };
    let mut lab = Lab::create(&dir.path().join("lab"), manifest, None, &sets).unwrap();
    let answers = ranked(&[("A.1", &["11", "12", "13"]), ("A.2", &["21", "22", "23"])], "run");
    let formulas = found(&[("1", "101"), ("2", "102"), ("3", "101")], "run");
    for (file, text) in [
        ("us-task1-run-auto-both-P.tsv", answers.as_str()),
        ("us-task2-run-auto-math-P.tsv", &formulas),
        ("us-task3-writer-auto-both-generate-P.tsv", WRITTEN),
    ] {
        lab.submit(&Entry::new(file, text, "tester")).unwrap();
    }
    for kind in [PoolKind::Answers, PoolKind::Formulas] {
        let plan = lab.plan_pool(&PoolRequest::new(kind)).unwrap();
        lab.keep_pool(&plan).unwrap();
    }
    (dir, lab)
}

/// A judgment of an answer; its topic is A.1, or A.2 for items that begin with 2.
pub(crate) fn judgment(item: &str, assessor: &str, stage: Stage, grade: i32) -> NewJudgment {
    NewJudgment {
        kind: PoolKind::Answers,
        set: "now".to_owned(),
        topic: TopicId::from(if item.starts_with('2') { "A.2" } else { "A.1" }),
        item: item.to_owned(),
        instance: None,
        stage,
        assessor: assessor.to_owned(),
        verdict: Verdict::Grade(grade),
        comment: String::new(),
        seconds: Some(10.0),
        at: None,
        origin: "test".to_owned(),
    }
}

/// Reads a table of judgments back, as an import does.
pub(crate) fn read_table(text: &str) -> Vec<formats::Assessment> {
    formats::read_assessments(Source::bytes("exported.tsv", text)).unwrap()
}

/// Makes an account that judges.
pub(crate) fn join(books: &Books<'_>, name: &str) -> Account {
    books.add_account(name, crate::Role::Assessor, crate::Standing::Active, "none").unwrap()
}

/// Takes the next batch and judges all of it, by the place of each page.
pub(crate) fn finish(books: &Books<'_>, account: &Account, verdict: impl Fn(usize) -> Verdict) {
    judge_some(books, account, usize::MAX, verdict);
}

/// Takes the next batch and judges so many pages of it, each in ten seconds.
pub(crate) fn judge_some(
    books: &Books<'_>,
    account: &Account,
    pages: usize,
    verdict: impl Fn(usize) -> Verdict,
) {
    let assignment = books.take(account).unwrap().unwrap();
    for line in books.tasks_of(account.number, assignment).unwrap().iter().take(pages) {
        for part in books.show(account.number, assignment, line.task).unwrap().parts {
            let verdict = verdict(line.place);
            let new = NewGrade {
                assignment,
                part: part.part,
                verdict,
                comment: if verdict.grade().is_none() { "why".to_owned() } else { String::new() },
                seconds: Some(10.0),
                request: format!("request-of-part-{}", part.part),
            };
            books.judge(account, &new).unwrap();
        }
    }
}
