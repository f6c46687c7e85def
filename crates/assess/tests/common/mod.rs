//! A small lab with pools of answers and formulas, people to judge them, and a clock to turn.

#![allow(dead_code, reason = "every test uses a part of it")]
use assess::{
    Account, Asks, BatchPlan, Books, Error, NewGrade, NewInvitation, Office, Receipt, Result, Role, Shown,
    Standing,
};
use lab::pools::{InstanceRule, Order, PoolRequest};
use lab::submit::{Earlier, Entry, UsesLinks};
use lab::{Lab, Manifest, NewFiles, NewSet, PoolKind, Rules, Stage, Verdict};
use pool::Rates;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use testkit::TempDir;

const QUESTIONS: &str = "<Topics>\
    <Topic number=\"A.1\"><Title>One</Title><Question>Is $x$ one?</Question><Tags>a</Tags></Topic>\
    <Topic number=\"A.2\"><Title>Two</Title><Question>Is $y$ two?</Question><Tags>a</Tags></Topic></Topics>";
const FORMULAS: &str = "<Topics>\
    <Topic number=\"B.1\"><Formula_Id>q_1</Formula_Id><Latex>x</Latex><Title>One</Title>\
    <Question>Is $x$ one?</Question><Tags>a</Tags></Topic></Topics>";
const EARLIER: &str = "<Topics>\
    <Topic number=\"A.9\"><Title>Nine</Title><Question>Is $z$ nine?</Question><Tags>a</Tags></Topic></Topics>";
/// Formulas 1 and 2 look the same.
const TABLE: &str = "id\tpost_id\ttype\tvisual_id\tformula\n\
    1\t101\tanswer\t7\tx\n2\t102\tanswer\t7\tx\n3\t101\tanswer\t8\ty\n4\t103\tquestion\t9\tz\n";
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
            formulas: Some(dir.write("table.tsv", TABLE)),
            ..Manifest::new("small", Rules::Arqmath, &[1, 2, 3])
        };
        let sets = [
            NewSet { name: "old".to_owned(), questions: Some(earlier), formulas: None },
            NewSet { name: "now".to_owned(), questions: Some(questions), formulas: Some(formulas) },
        ];
        let root = dir.path().join("lab");
        let mut lab = Lab::create(&root, manifest, None, &sets).unwrap();
        let answers = "A.1\t11\t1\t9\tfirst\nA.1\t12\t2\t8\tfirst\nA.1\t13\t3\t7\tfirst\nA.2\t21\t1\t9\tfirst\n\
                       A.2\t22\t2\t8\tfirst\n";
        submit(&mut lab, "us-task1-first-auto-both-P.tsv", answers);
        let found = "B.1\t1\t101\t1\t9\ttrees\nB.1\t2\t102\t2\t8\ttrees\nB.1\t3\t101\t3\t7\ttrees\nB.1\t4\t103\t4\t6\ttrees\n";
        submit(&mut lab, "us-task2-trees-auto-math-P.tsv", found);
        let written = "A.1\t1\t1\twriter\t\tIt is $1$.\nA.2\t1\t1\twriter\t\tIt is $2$.\n";
        submit(&mut lab, "us-task3-writer-auto-both-generate-P.tsv", written);
        for kind in [PoolKind::Answers, PoolKind::Formulas] {
            let plan = lab.plan_pool(&request(kind)).unwrap();
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

fn request(kind: PoolKind) -> PoolRequest {
    PoolRequest {
        kind,
        set: None,
        extent: None,
        show: InstanceRule::ReciprocalRanks,
        at_most: 5,
        seed: None,
        order: Order::Random,
        rates: Rates::default(),
        what_if: Vec::new(),
    }
}

fn submit(lab: &mut Lab, name: &str, text: &str) {
    lab.submit(&Entry {
        label: name.to_owned(),
        file_name: name.to_owned(),
        bytes: text.as_bytes().to_vec(),
        record: None,
        queries: None,
        set: None,
        by: "tester".to_owned(),
        role: lab::Role::Team,
        pooled_as: None,
        uses_links: UsesLinks::No,
        trained_on: Vec::new(),
        about: String::new(),
        earlier: Earlier::Stays,
    })
    .unwrap();
}
