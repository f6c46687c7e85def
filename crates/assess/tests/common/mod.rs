//! A small lab with pools of answers and formulas, people to judge them, and a clock to turn.

#![allow(dead_code, reason = "every test uses a part of it")]
use assess::{
    Account, Asks, BatchPlan, Books, Error, NewGrade, NewInvitation, Office, Receipt, Result, Role, Shown,
    Standing,
};
use lab::pools::PoolRequest;
use lab::submit::Entry;
use lab::{Lab, Manifest, NewFiles, NewSet, PoolKind, Rules, Stage, Verdict};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use testkit::TempDir;
use testkit::lab::{EARLIER, FORMULAS, QUESTIONS, WRITTEN, formula_table, found, ranked};

/// When tests begin.
pub(crate) const START: i64 = 1_700_000_000;

/// A lab with its office.
pub(crate) struct Place {
    pub(crate) dir: TempDir,
    pub(crate) root: PathBuf,
    pub(crate) office: Office,
    clock: Arc<AtomicI64>,
}

impl Place {
    /// A lab whose pool has the answers 11, 12, 13 for A.1, 21, 22 for A.2, a written answer for each,
    /// and the formulas 7 (with two instances), 8 and 9 for B.1.
    pub(crate) fn new(name: &str) -> Self {
        let dir = TempDir::new(name);
        let topics =
            |file: &str, text: &str| NewFiles { topics: dir.write(file, text), ..NewFiles::default() };
        let questions = topics("questions.xml", QUESTIONS);
        let formulas = topics("formulas.xml", FORMULAS);
        let qrels = "A.9\t0\t50\t3\nA.9\t0\t51\t2\nA.9\t0\t52\t1\nA.9\t0\t53\t0\nA.9\t0\t54\t0\n";
        let earlier = NewFiles { qrels: Some(dir.write("old.qrels", qrels)), ..topics("old.xml", EARLIER) };
        let manifest = Manifest {
            seed: 5,
            most_runs: 2,
            about: "A lab for tests.".to_owned(),
            formulas: Some(dir.write("table.tsv", formula_table(4))),
            ..Manifest::new("small", Rules::Arqmath, &[1, 2, 3])
        };
        let sets = [
            NewSet { name: "old".to_owned(), questions: Some(earlier), formulas: None },
            NewSet { name: "now".to_owned(), questions: Some(questions), formulas: Some(formulas) },
        ];
        let root = dir.path().join("lab");
        let mut lab = Lab::create(&root, manifest, None, &sets).unwrap();
        let answers = ranked(&[("A.1", &["11", "12", "13"]), ("A.2", &["21", "22"])], "first");
        submit(&mut lab, "us-task1-first-auto-both-P.tsv", &answers);
        let formulas = found(&[("1", "101"), ("2", "102"), ("3", "101"), ("4", "103")], "trees");
        submit(&mut lab, "us-task2-trees-auto-math-P.tsv", &formulas);
        submit(&mut lab, "us-task3-writer-auto-both-generate-P.tsv", WRITTEN);
        for kind in [PoolKind::Answers, PoolKind::Formulas] {
            let plan = lab.plan_pool(&PoolRequest::new(kind)).unwrap();
            lab.keep_pool(&plan).unwrap();
        }
        drop(lab);
        let clock = Arc::new(AtomicI64::new(START));
        let time = Arc::clone(&clock);
        let office = Office::with_clock(&root, Arc::new(move || time.load(Ordering::SeqCst))).unwrap();
        Self { dir, root, office, clock }
    }

    /// Lets time pass.
    pub(crate) fn pass(&self, seconds: i64) {
        self.clock.fetch_add(seconds, Ordering::SeqCst);
    }

    /// Somebody with an account.
    pub(crate) fn person(&self, name: &str, role: Role, standing: Standing) -> Account {
        let new = NewInvitation { recipient: name.to_owned(), role, standing, life: assess::INVITATION_LIFE };
        let invited = self.office.write(move |books| books.invite(&new, "tester")).unwrap();
        self.office.join(&invited.secret, name, "a good long secret of tests").unwrap()
    }

    pub(crate) fn assessor(&self, name: &str) -> Account {
        self.person(name, Role::Assessor, Standing::Active)
    }

    /// Makes batches of a pool.
    pub(crate) fn batches(&self, kind: PoolKind, change: impl FnOnce(&mut BatchPlan)) -> usize {
        let mut plan = plan(kind);
        change(&mut plan);
        self.office.write(move |books| books.make_batches(&plan, "tester")).unwrap().len()
    }

    /// Says something of the first thing on somebody's next page that nothing was said of.
    pub(crate) fn judge_next(
        &self,
        who: &Account,
        assignment: assess::AssignmentNo,
        verdict: Verdict,
    ) -> Result<Receipt> {
        let who = who.clone();
        self.office.write(move |books| {
            let shown = next(books, &who, assignment)?;
            let part = shown.parts.iter().find(|part| part.said.is_none()).ok_or(Error::Broken)?.part;
            books.judge(&who, &grade(assignment, part, verdict))
        })
    }
}

/// Somebody's next page.
pub(crate) fn next(books: &Books<'_>, who: &Account, assignment: assess::AssignmentNo) -> Result<Shown> {
    let task = books.first_task(who.number, assignment)?.ok_or(Error::Broken)?;
    books.show(who.number, assignment, task)
}

/// What is said, in a request of its own.
pub(crate) fn grade(assignment: assess::AssignmentNo, part: assess::PartNo, verdict: Verdict) -> NewGrade {
    let comment = if verdict.grade().is_none() { "because".to_owned() } else { String::new() };
    NewGrade { assignment, part, verdict, comment, seconds: Some(10.0), request: request_name() }
}

/// A name that no other request has.
pub(crate) fn request_name() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    format!("request-{:016}", NUMBER.fetch_add(1, Ordering::Relaxed))
}

pub(crate) fn plan(kind: PoolKind) -> BatchPlan {
    BatchPlan {
        kind,
        set: "now".to_owned(),
        stage: Stage::Main,
        asks: Asks::Grades,
        judges: 1,
        overlap: 0.0,
        at_most: None,
        gold: 0,
        seed: 1,
    }
}

fn submit(lab: &mut Lab, name: &str, text: &str) {
    lab.submit(&Entry::new(name, text, "tester")).unwrap();
}
