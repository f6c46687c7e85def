//! The organiser's checklist: the steps of a lab in their order, which are done and which is next.

use crate::accounts::{Role, Standing};
use crate::books::Books;
use crate::error::Result;
use crate::progress::Progress;
use lab::Stage;
use rusqlite::params;

/// A step on the way from topics to the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepName {
    /// Topics are in the lab.
    Topics,
    /// Runs were submitted.
    Runs,
    /// Pools were made of them.
    Pools,
    /// Assessors have accounts.
    People,
    /// Assessors have judged their training.
    Training,
    /// All items of the pools are in batches.
    Batches,
    /// All batches are judged.
    Judging,
    /// Some items are judged by two people.
    Agreement,
    /// Qrels were made of the judgments.
    Qrels,
    /// The report is written.
    Report,
}

/// How it stands with a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepState {
    /// Done.
    Done,
    /// The first that is not done.
    Next,
    /// Not done, and others come first.
    Later,
    /// Not begun, and the lab can do without.
    Optional,
}

/// A step of the checklist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedStep {
    /// Which.
    pub name: StepName,
    /// How it stands.
    pub state: StepState,
    /// What is done: sets of topics, runs, items of pools, people, rounds, batches, judgments, pairs, tasks with qrels,
    /// reports.
    pub done: usize,
    /// Of how much, where that is known.
    pub of: Option<usize>,
}

impl Books<'_> {
    /// The steps in their order. `pairs` is how many pairs of people have judged the same items.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn checklist(&self, progress: &Progress, pairs: usize) -> Result<Vec<ListedStep>> {
        let current = &self.manifest().current;
        let count = |select: &str| -> Result<usize> {
            Ok(self.database().prepare_cached(select)?.query_row(params![current], |row| row.get(0))?)
        };
        let runs = count("SELECT count(*) FROM submission WHERE topic_set = ?1")?;
        let pooled = count("SELECT count(DISTINCT kind) FROM pool WHERE topic_set = ?1")?;
        // A task that nobody took part in has none.
        let tasks = count(
            "SELECT count(DISTINCT y.task) FROM submission s JOIN system y ON y.number = s.system
                           WHERE s.topic_set = ?1",
        )?;
        let qrels = count(
            "SELECT count(DISTINCT y.task) FROM submission s JOIN system y ON y.number = s.system
                           JOIN file f ON f.path = 'qrels/' || ?1 || '/task' || y.task || '.qrels'
                           WHERE s.topic_set = ?1",
        )?;
        let accounts = self.accounts()?;
        let assessors = accounts
            .iter()
            .filter(|account| account.role == Role::Assessor && account.standing == Standing::Active)
            .count();
        let lessons = self.lessons()?;
        let rounds = || lessons.iter().filter(|lesson| matches!(lesson.key.stage, Stage::Training(_)));
        // A round made before anybody joined is handed out to nobody and teaches nobody.
        let is_here = |pupil: &&crate::school::Pupil| {
            accounts.iter().any(|one| one.number == pupil.account && one.standing == Standing::Active)
        };
        let is_taught = |round: &&crate::school::Lesson| {
            let mut pupils = round.pupils.iter().filter(is_here).peekable();
            pupils.peek().is_some() && pupils.all(crate::school::Pupil::is_done)
        };
        let taught = rounds().filter(is_taught).count();
        let batches: usize = progress
            .sorts
            .iter()
            .filter(|(sort, _)| sort.counts())
            .map(|(_, extent)| extent.batches.all)
            .sum();
        let stale = self.lab().judgments_since_qrels(current)? > 0;
        let made = |path: &str| self.lab().path(path).metadata().and_then(|file| file.modified()).ok();
        let report = made("report/index.html");
        let of_qrels = self.manifest().all_tasks().filter_map(|task| {
            // Written with the judgments, even where these did not change.
            made(&format!("qrels/{current}/task{}.json", task.number()))
        });
        let is_fresh = report.is_some_and(|report| of_qrels.max().is_none_or(|qrels| qrels <= report));
        let kinds = self.manifest().pool_kinds().count();
        let outside = progress.num_outside();
        let (whole, rounds) = (progress.whole, rounds().count());
        let in_batches = batches > 0 && outside == 0;
        let step = |name, done: usize, of: Option<usize>, is_done: bool| (name, done, of, is_done);
        let steps = [
            step(StepName::Topics, self.manifest().sets.len(), None, !self.manifest().sets.is_empty()),
            step(StepName::Runs, runs, None, runs > 0),
            step(StepName::Pools, pooled, Some(kinds), pooled == kinds),
            step(StepName::People, assessors, None, assessors > 0),
            step(StepName::Training, taught, Some(rounds), rounds > 0 && taught == rounds),
            step(StepName::Batches, batches, Some(batches + outside), in_batches),
            step(StepName::Judging, whole.done, Some(whole.all), in_batches && whole.left() == 0),
            step(StepName::Agreement, pairs, None, pairs > 0),
            step(StepName::Qrels, qrels, Some(tasks), qrels > 0 && qrels == tasks && !stale),
            step(StepName::Report, usize::from(report.is_some()), None, is_fresh),
        ];
        let mut before = true;
        let listed = steps.map(|(name, done, of, is_done)| {
            let state = match (is_done, name) {
                (true, _) => StepState::Done,
                (false, StepName::Training) if rounds == 0 => StepState::Optional,
                (false, _) if before => StepState::Next,
                (false, _) => StepState::Later,
            };
            before &= state != StepState::Next;
            ListedStep { name, state, done, of }
        });
        Ok(listed.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::BatchPlan;
    use crate::testing::{finish, join, small};
    use crate::{Agreement, Asks};
    use formats::check::Task;
    use lab::qrels::QrelsRequest;
    use lab::{PoolKind, Verdict};
    use std::fs;
    use std::time::Duration;

    fn states(books: &Books<'_>) -> Vec<(StepName, StepState)> {
        let progress = books.progress().unwrap();
        let mut pairs = 0;
        for kind in books.manifest().pool_kinds() {
            let things = books.several(kind, "now").unwrap();
            pairs += Agreement::of(kind, books.relevant_from(kind), &things).pairs.len();
        }
        books.checklist(&progress, pairs).unwrap().iter().map(|step| (step.name, step.state)).collect()
    }

    fn next(books: &Books<'_>) -> Option<StepName> {
        states(books).into_iter().find(|(_, state)| *state == StepState::Next).map(|(name, _)| name)
    }

    fn plan(kind: PoolKind) -> BatchPlan {
        let set = "now".to_owned();
        let (stage, asks) = (Stage::Main, Asks::Grades);
        BatchPlan { kind, set, stage, asks, judges: 1, overlap: 0.0, at_most: None, gold: 0, seed: 1 }
    }

    #[test]
    fn the_checklist_says_what_is_next() {
        let (_dir, lab) = small("checklist");
        let books = Books::new(&lab, 1_000_000);
        assert_eq!(next(&books), Some(StepName::People), "topics, runs and pools are there");
        assert!(states(&books).contains(&(StepName::Training, StepState::Optional)));
        let ada = join(&books, "ada");
        assert_eq!(next(&books), Some(StepName::Batches));
        books.make_batches(&plan(PoolKind::Answers), "olga").unwrap();
        assert_eq!(next(&books), Some(StepName::Batches), "the formulas are in no batch");
        books.make_batches(&plan(PoolKind::Formulas), "olga").unwrap();
        assert_eq!(next(&books), Some(StepName::Judging));
        while books.waiting_for(&ada).unwrap() > 0 {
            finish(&books, &ada, |_| Verdict::Grade(1));
        }
        assert_eq!(next(&books), Some(StepName::Agreement));
        assert_eq!(states(&books).last(), Some(&(StepName::Report, StepState::Later)));
    }

    #[test]
    fn qrels_are_done_for_all_tasks_and_the_report_when_it_is_no_older() {
        let (_dir, mut lab) = small("checklist-qrels");
        let books = Books::new(&lab, 1_000_000);
        let ada = join(&books, "ada");
        for kind in [PoolKind::Answers, PoolKind::Formulas] {
            books.make_batches(&plan(kind), "olga").unwrap();
        }
        while books.waiting_for(&ada).unwrap() > 0 {
            finish(&books, &ada, |_| Verdict::Grade(2));
        }
        let is_done = |lab: &lab::Lab, name: StepName| {
            let states = states(&Books::new(lab, 1_000_000));
            states.into_iter().find(|(step, _)| *step == name).unwrap().1 == StepState::Done
        };
        for task in [Task::Task1, Task::Task2] {
            lab.make_qrels(&QrelsRequest::new(task)).unwrap();
            assert!(!is_done(&lab, StepName::Qrels), "Task 3 has none");
        }
        lab.make_qrels(&QrelsRequest::new(Task::Task3)).unwrap();
        assert!(is_done(&lab, StepName::Qrels) && !is_done(&lab, StepName::Report));

        let page = lab.path("report/index.html");
        fs::create_dir_all(page.parent().unwrap()).unwrap();
        let page = fs::File::create(&page).unwrap();
        let made = lab.path("qrels/now/task3.json").metadata().unwrap().modified().unwrap();
        page.set_modified(made + Duration::from_secs(1)).unwrap();
        assert!(is_done(&lab, StepName::Report));
        page.set_modified(made - Duration::from_secs(1)).unwrap();
        assert!(!is_done(&lab, StepName::Report), "it is of older qrels");
    }

    #[test]
    fn nothing_is_called_done_while_pool_items_are_in_no_batch() {
        let (_dir, lab) = small("checklist-outside");
        let books = Books::new(&lab, 1_000_000);
        let words = |books: &Books<'_>| books.progress().unwrap().finish.words;
        assert_eq!(words(&books), "10 pool items are in no batch yet, so nobody can judge.");
        books.make_batches(&plan(PoolKind::Answers), "olga").unwrap();
        let ada = join(&books, "ada");
        while books.waiting_for(&ada).unwrap() > 0 {
            finish(&books, &ada, |_| Verdict::Grade(1));
        }
        assert_eq!(words(&books), "All batches are judged, but 2 pool items are in no batch yet.");
    }
}
