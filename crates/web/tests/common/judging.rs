//! A lab on a socket, with people who have batches to judge.

use super::bureau::{Bureau, patient};
use assess::{Account, Asks, AssignmentNo, BatchPlan, Role, Standing};
use lab::{PoolKind, Stage};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;
use tokio::sync::oneshot;
use web::{AttemptLimits, serve_assess};

/// Those who judge: each has batches of their own, so that tests do not disturb each other.
pub(crate) const PEOPLE: [&str; 8] = ["ada", "ben", "cleo", "dora", "emil", "fay", "gus", "hana"];

pub(crate) fn plan(kind: PoolKind, asks: Asks) -> BatchPlan {
    BatchPlan {
        kind,
        set: "now".to_owned(),
        stage: Stage::Main,
        asks,
        judges: 1,
        overlap: 0.0,
        at_most: None,
        gold: 0,
        seed: 1,
    }
}

/// Makes batches of all kinds and gives each person one of each; tells who has which.
pub(crate) fn give_out(bureau: &Bureau) -> Vec<(Account, [AssignmentNo; 3])> {
    let kinds = [
        plan(PoolKind::Answers, Asks::Grades),
        plan(PoolKind::Formulas, Asks::Grades),
        plan(PoolKind::Answers, Asks::Flags),
    ];
    let made =
        kinds.map(|plan| bureau.office().write(move |books| books.make_batches(&plan, "tester")).unwrap());
    let mut people = Vec::new();
    for (at, name) in PEOPLE.into_iter().enumerate() {
        let account = bureau.account(name, Role::Assessor, Standing::Active);
        let number = account.number;
        let batches = [0, 1, 2].map(|kind| made[kind][at % made[kind].len()]);
        let assignments = batches
            .map(|batch| bureau.office().write(move |books| books.assign(batch, number, "tester")).unwrap());
        people.push((account, assignments));
    }
    people
}

/// A server on a socket.
pub(crate) struct JudgingSite {
    pub(crate) bureau: Bureau,
    pub(crate) address: SocketAddr,
    /// Who judges, with the secret of their session and their batches.
    pub(crate) people: Value,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl JudgingSite {
    pub(crate) fn start(name: &str) -> Self {
        // The clock of the limits stands still, and a browser asks often.
        let mut config = patient();
        config.limits.requests = AttemptLimits { at_once: 1e9, every: Duration::from_millis(1) };
        let bureau = Bureau::with(name, config);
        let mut people = serde_json::Map::new();
        for (account, [answers, formulas, flags]) in give_out(&bureau) {
            let session = bureau.office().welcome(&account, bureau.app.config().sessions).unwrap().secret;
            let facts = json!({ "session": session.as_str(), "answers": answers, "formulas": formulas, "flags": flags });
            people.insert(account.name, facts);
        }
        let listener = web::listen(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
        let (address, app) = (listener.local_addr().unwrap(), bureau.app.clone());
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            let stop = async {
                let _ = stopped.await;
            };
            runtime.block_on(serve_assess(listener, app, stop)).unwrap();
            runtime.shutdown_background();
        });
        Self { bureau, address, people: Value::Object(people), stop: Some(stop), thread: Some(thread) }
    }

    pub(crate) fn stop(mut self) {
        let _ = self.stop.take().unwrap().send(());
        self.thread.take().unwrap().join().unwrap();
    }
}
