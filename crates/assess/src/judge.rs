//! Judging: what somebody says is added to the log, at once, and never lost or counted twice.

use crate::accounts::Account;
use crate::batches::{Asks, item_kind};
use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::{AccountNo, AssignmentNo, PartNo, TaskNo};
use crate::tasks::{Flags, Said, said};
use crate::work::{Assignment, State};
use formats::check::Task;
use lab::{NewJudgment, Stage, Verdict, stamp};
use pool::ItemKind;
use rusqlite::{OptionalExtension as _, params};
use store::Date;

/// Comments are no longer than this.
pub const LONGEST_COMMENT: usize = 4000;
/// Nobody looks at one thing for longer than this.
const LONGEST_LOOK: f64 = 4.0 * 3600.0;

/// What somebody says of something.
#[derive(Clone, Debug, PartialEq)]
pub struct NewGrade {
    /// As part of which work.
    pub assignment: AssignmentNo,
    /// Of what.
    pub part: PartNo,
    /// What.
    pub verdict: Verdict,
    /// In their words.
    pub comment: String,
    /// How long it took, idle time left out.
    pub seconds: Option<f64>,
    /// What the browser calls this: what is sent twice counts once.
    pub request: String,
}

/// What somebody says after judging.
#[derive(Clone, Debug, PartialEq)]
pub struct NewFlags {
    /// As part of which work.
    pub assignment: AssignmentNo,
    /// Of what.
    pub part: PartNo,
    /// What.
    pub flags: Flags,
    /// How long it took, idle time left out.
    pub seconds: Option<f64>,
    /// What the browser calls this: what is sent twice counts once.
    pub request: String,
}

/// That something was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// The number of the row.
    pub judgment: i64,
    /// Whether it was there already.
    pub again: bool,
    /// Whether all on the page is judged.
    pub task_done: bool,
    /// Whether all of the batch is judged.
    pub batch_done: bool,
    /// For what it counts.
    pub stage: Stage,
}

/// What is judged, as the log needs it.
struct Thing {
    task: TaskNo,
    item: String,
    kind: ItemKind,
    instance: Option<String>,
    is_gold: bool,
}

impl Books<'_> {
    /// Adds what somebody says to the log.
    ///
    /// Work that has expired or was given to somebody else is not lost: it counts as it would have,
    /// unless the other person has judged the same thing already; then it is a cross-check.
    ///
    /// # Errors
    ///
    /// When it is not their work, the scale has no such grade, or a comment is missing.
    pub fn judge(&self, account: &Account, new: &NewGrade) -> Result<Receipt> {
        let assignment = self.assignment_of(account.number, new.assignment)?;
        let thing = self.thing(&assignment, new.part)?;
        let request = request_of(account.number, &new.request)?;
        if let Some(known) = self.known_judgment(&request, new.part)? {
            return self.receipt(&assignment, thing.task, known.0, true, known.1);
        }
        if assignment.batch.asks != Asks::Grades {
            return Err(Error::refused("this batch does not ask for grades"));
        }
        self.check_not_shown(&assignment.batch)?;
        let comment = new.comment.trim();
        self.check_verdict(&assignment, thing.kind, new.verdict, comment)?;
        let stage = self.stage_of(account.number, &assignment, &thing, new.part)?;
        let judgment = self.lab().append_judgment(&NewJudgment {
            kind: assignment.batch.kind,
            set: assignment.batch.set.clone(),
            topic: assignment.batch.topic.clone(),
            item: thing.item,
            instance: thing.instance,
            stage,
            assessor: account.name.clone(),
            verdict: new.verdict,
            comment: comment.to_owned(),
            seconds: self.credible(new.seconds, &assignment),
            at: Some(stamp(Date(self.now() * 1000))),
            origin: "web".to_owned(),
        })?;
        let insert = "INSERT INTO judged (judgment, part, assignment, request) VALUES (?1, ?2, ?3, ?4)";
        let values = params![judgment, new.part, new.assignment, request];
        self.database().prepare_cached(insert)?.execute(values)?;
        self.renew(account.number, &assignment)?;
        self.receipt(&assignment, thing.task, judgment, false, stage)
    }

    /// Adds what somebody says after judging.
    ///
    /// # Errors
    ///
    /// When it is not their work, or the batch asks for something else.
    pub fn flag(&self, account: &Account, new: &NewFlags) -> Result<Receipt> {
        let assignment = self.assignment_of(account.number, new.assignment)?;
        let thing = self.thing(&assignment, new.part)?;
        let request = request_of(account.number, &new.request)?;
        let select = "SELECT flag, part FROM flagged WHERE request = ?1";
        let known = self
            .database()
            .prepare_cached(select)?
            .query_row([&request], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, PartNo>(1)?)))
            .optional()?;
        let stage = assignment.batch.stage;
        match known {
            Some((_, part)) if part != new.part => return Err(used_twice()),
            Some((flag, _)) => return self.receipt(&assignment, thing.task, flag, true, stage),
            None => {}
        }
        if assignment.batch.asks != Asks::Flags {
            return Err(Error::refused("this batch asks for grades"));
        }
        let flag = self.add_flag(account, &assignment, &thing.item, new.flags)?;
        let insert = "INSERT INTO flagged (flag, part, assignment, request) VALUES (?1, ?2, ?3, ?4)";
        let values = params![flag, new.part, new.assignment, request];
        self.database().prepare_cached(insert)?.execute(values)?;
        self.renew(account.number, &assignment)?;
        self.receipt(&assignment, thing.task, flag, false, stage)
    }

    /// Takes back the last thing that somebody said in a batch and that they did not take back yet,
    /// and tells its page; nothing, if there is none.
    ///
    /// What was there before counts again. All of it stays in the log.
    ///
    /// # Errors
    ///
    /// When the batch is not theirs.
    pub fn undo(&self, account: &Account, number: AssignmentNo, request: &str) -> Result<Option<TaskNo>> {
        let assignment = self.assignment_of(account.number, number)?;
        let request = request_of(account.number, request)?;
        self.check_not_shown(&assignment.batch)?;
        let task = match assignment.batch.asks {
            Asks::Grades => self.undo_grade(account, &assignment, &request)?,
            Asks::Flags => self.undo_flags(account, &assignment, &request)?,
        };
        if task.is_some() && assignment.state == State::Done && !self.is_finished(assignment.batch.number)? {
            let update =
                "UPDATE assignment SET state = 'open', ended_at = NULL, expires_at = ?2 WHERE number = ?1";
            self.database().execute(update, params![number, self.now() + self.lease()?])?;
        }
        Ok(task)
    }

    /// All that somebody said of something, oldest first.
    ///
    /// # Errors
    ///
    /// When it is not part of their work.
    pub fn history(&self, account: AccountNo, part: PartNo) -> Result<Vec<Said>> {
        let select = "SELECT 1 FROM part p JOIN task t ON t.number = p.task
                      JOIN assignment a ON a.batch = t.batch WHERE p.number = ?1 AND a.account = ?2";
        if !self.database().prepare_cached(select)?.exists(params![part, account])? {
            return Err(Error::NotYours("item"));
        }
        let select = "SELECT j.verdict, j.comment, j.judged_at, j.assessor
                      FROM judged d JOIN judgment j ON j.number = d.judgment
                      JOIN assignment a ON a.number = d.assignment
                      WHERE d.part = ?1 AND a.account = ?2 ORDER BY d.judgment";
        let mut statement = self.database().prepare_cached(select)?;
        let rows = statement.query_map(params![part, account], said)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    fn undo_grade(&self, account: &Account, work: &Assignment, request: &str) -> Result<Option<TaskNo>> {
        let again = "SELECT p.task FROM judged d JOIN part p ON p.number = d.part WHERE d.request = ?1";
        if let Some(task) = self.database().query_row(again, [request], |row| row.get(0)).optional()? {
            return Ok(Some(task));
        }
        let last = "SELECT d.judgment, d.part FROM judged d JOIN assignment a ON a.number = d.assignment
                    WHERE d.assignment = ?1 AND d.undoes IS NULL
                    AND NOT EXISTS (SELECT 1 FROM judged u WHERE u.undoes = d.judgment)
                    ORDER BY d.judgment DESC LIMIT 1";
        let found = self
            .database()
            .prepare_cached(last)?
            .query_row([work.number], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, PartNo>(1)?)))
            .optional()?;
        let Some((undone, part)) = found else { return Ok(None) };
        let thing = self.thing(work, part)?;
        let before = "SELECT j.verdict, j.comment, j.judged_at, j.assessor FROM judged d
                      JOIN judgment j ON j.number = d.judgment
                      WHERE d.part = ?1 AND d.judgment < ?2 AND j.assessor = ?3 ORDER BY d.judgment DESC LIMIT 1";
        let before = self
            .database()
            .prepare_cached(before)?
            .query_row(params![part, undone, account.name], said)
            .optional()?;
        let stage: String =
            self.database()
                .query_row("SELECT stage FROM judgment WHERE number = ?1", [undone], |row| row.get(0))?;
        let (verdict, comment) =
            before.map_or((Verdict::Withdrawn, String::new()), |before| (before.verdict, before.comment));
        let judgment = self.lab().append_judgment(&NewJudgment {
            kind: work.batch.kind,
            set: work.batch.set.clone(),
            topic: work.batch.topic.clone(),
            item: thing.item,
            instance: thing.instance,
            stage: Stage::read(&stage).ok_or(Error::Broken)?,
            assessor: account.name.clone(),
            verdict,
            comment,
            seconds: None,
            at: Some(stamp(Date(self.now() * 1000))),
            origin: "web".to_owned(),
        })?;
        let insert =
            "INSERT INTO judged (judgment, part, assignment, request, undoes) VALUES (?1, ?2, ?3, ?4, ?5)";
        self.database().execute(insert, params![judgment, part, work.number, request, undone])?;
        Ok(Some(thing.task))
    }

    fn undo_flags(&self, account: &Account, work: &Assignment, request: &str) -> Result<Option<TaskNo>> {
        let again = "SELECT p.task FROM flagged d JOIN part p ON p.number = d.part WHERE d.request = ?1";
        if let Some(task) = self.database().query_row(again, [request], |row| row.get(0)).optional()? {
            return Ok(Some(task));
        }
        let last = "SELECT d.flag, d.part FROM flagged d WHERE d.assignment = ?1 AND d.undoes IS NULL
                    AND NOT EXISTS (SELECT 1 FROM flagged u WHERE u.undoes = d.flag)
                    ORDER BY d.flag DESC LIMIT 1";
        let found = self
            .database()
            .query_row(last, [work.number], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, PartNo>(1)?)))
            .optional()?;
        let Some((undone, part)) = found else { return Ok(None) };
        let thing = self.thing(work, part)?;
        let before = "SELECT f.machine_generated, f.unrelated FROM flagged d JOIN flag f ON f.number = d.flag
                      WHERE d.part = ?1 AND d.flag < ?2 AND f.assessor = ?3 ORDER BY d.flag DESC LIMIT 1";
        let before = self
            .database()
            .query_row(before, params![part, undone, account.name], |row| {
                Ok(Flags { machine_generated: row.get(0)?, unrelated: row.get(1)? })
            })
            .optional()?;
        let flag = self.add_flag(account, work, &thing.item, before.unwrap_or_default())?;
        let insert =
            "INSERT INTO flagged (flag, part, assignment, request, undoes) VALUES (?1, ?2, ?3, ?4, ?5)";
        self.database().execute(insert, params![flag, part, work.number, request, undone])?;
        Ok(Some(thing.task))
    }

    fn add_flag(&self, account: &Account, work: &Assignment, item: &str, flags: Flags) -> Result<i64> {
        let insert =
            "INSERT INTO flag (topic_set, topic, item, assessor, machine_generated, unrelated, judged_at)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        Ok(self.database().prepare_cached(insert)?.insert(params![
            work.batch.set,
            work.batch.topic.as_str(),
            item,
            account.name,
            flags.machine_generated,
            flags.unrelated,
            stamp(Date(self.now() * 1000)),
        ])?)
    }

    fn thing(&self, work: &Assignment, part: PartNo) -> Result<Thing> {
        let select = "SELECT t.number, t.item, t.kind, p.instance, p.gold IS NOT NULL
                      FROM part p JOIN task t ON t.number = p.task WHERE p.number = ?1 AND t.batch = ?2";
        let mut statement = self.database().prepare_cached(select)?;
        let mut rows = statement.query(params![part, work.batch.number])?;
        let row = rows.next()?.ok_or(Error::NotYours("item"))?;
        Ok(Thing {
            task: row.get(0)?,
            item: row.get(1)?,
            kind: item_kind(&row.get::<_, String>(2)?)?,
            instance: row.get(3)?,
            is_gold: row.get(4)?,
        })
    }

    /// A judgment that was sent before under the same name.
    fn known_judgment(&self, request: &str, part: PartNo) -> Result<Option<(i64, Stage)>> {
        let select =
            "SELECT d.judgment, d.part, j.stage FROM judged d JOIN judgment j ON j.number = d.judgment
                      WHERE d.request = ?1";
        let found = self
            .database()
            .prepare_cached(select)?
            .query_row([request], |row| {
                Ok((row.get::<_, i64>(0)?, row.get::<_, PartNo>(1)?, row.get::<_, String>(2)?))
            })
            .optional()?;
        match found {
            None => Ok(None),
            Some((_, known, _)) if known != part => Err(used_twice()),
            Some((judgment, _, stage)) => Ok(Some((judgment, Stage::read(&stage).ok_or(Error::Broken)?))),
        }
    }

    fn check_verdict(
        &self,
        work: &Assignment,
        kind: ItemKind,
        verdict: Verdict,
        comment: &str,
    ) -> Result<()> {
        if comment.chars().count() > LONGEST_COMMENT {
            return Err(Error::refused(format!("a comment has at most {LONGEST_COMMENT} characters")));
        }
        match verdict {
            Verdict::Grade(grade) => {
                let task = if kind == ItemKind::Answer { Task::Task3 } else { work.batch.kind.task() };
                if self.manifest().grades_of(task).iter().any(|known| known.grade == grade) {
                    return Ok(());
                }
                Err(Error::refused(format!("there is no grade {grade}")))
            }
            Verdict::SystemFailure | Verdict::DoNotKnow if comment.is_empty() => {
                Err(Error::refused("please say in a comment what is wrong or what you do not know"))
            }
            Verdict::SystemFailure | Verdict::DoNotKnow => Ok(()),
            Verdict::Withdrawn => Err(Error::refused("what was said is taken back by undoing it")),
        }
    }

    /// For what a judgment counts.
    fn stage_of(&self, account: AccountNo, work: &Assignment, thing: &Thing, part: PartNo) -> Result<Stage> {
        let stage = work.batch.stage;
        if stage != Stage::Main {
            return Ok(if thing.is_gold && stage == Stage::CrossCheck { Stage::Gold } else { stage });
        }
        if thing.is_gold {
            return Ok(Stage::Gold);
        }
        if matches!(work.state, State::Open | State::Done) {
            return Ok(stage);
        }
        // Somebody else may have it by now: what they have judged stays theirs.
        let others = "SELECT 1 FROM judged d JOIN judgment j ON j.number = d.judgment
                      JOIN assignment a ON a.number = d.assignment
                      WHERE d.part = ?1 AND a.account <> ?2 AND j.verdict <> 'withdrawn' LIMIT 1";
        let theirs = self.database().prepare_cached(others)?.exists(params![part, account])?;
        Ok(if theirs { Stage::CrossCheck } else { stage })
    }

    /// Who works on a batch keeps it, and gets it again if it had expired and nobody else has it.
    fn renew(&self, account: AccountNo, work: &Assignment) -> Result<()> {
        let until = self.now() + self.lease()?;
        match work.state {
            State::Open => {
                let update = "UPDATE assignment SET expires_at = ?2 WHERE number = ?1";
                self.database().prepare_cached(update)?.execute(params![work.number, until])?;
            }
            State::Expired => {
                let update = "UPDATE assignment SET state = 'open', ended_at = NULL, expires_at = ?2
                              WHERE number = ?1 AND account = ?3 AND NOT EXISTS (
                                  SELECT 1 FROM assignment o WHERE o.batch = assignment.batch
                                  AND o.number <> assignment.number AND o.state IN ('open', 'done'))";
                self.database().prepare_cached(update)?.execute(params![work.number, until, account])?;
            }
            State::Done | State::Returned => {}
        }
        Ok(())
    }

    fn receipt(
        &self,
        work: &Assignment,
        task: TaskNo,
        judgment: i64,
        again: bool,
        stage: Stage,
    ) -> Result<Receipt> {
        let task_done = self.parts_of(task)?.iter().all(|part| part.said.is_some() || part.flags.is_some());
        let batch_done = task_done && self.is_finished(work.batch.number)?;
        if batch_done {
            // Whoever has the batch is done with it, even if somebody else judged the last of it.
            let update =
                "UPDATE assignment SET state = 'done', ended_at = ?2 WHERE batch = ?1 AND state = 'open'";
            self.database().prepare_cached(update)?.execute(params![work.batch.number, self.now()])?;
        }
        Ok(Receipt { judgment, again, task_done, batch_done, stage })
    }

    /// How long something took, if it can be true.
    fn credible(&self, seconds: Option<f64>, work: &Assignment) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "seconds of a few years")]
        let since = (self.now() - work.made_at + 60) as f64;
        seconds.filter(|seconds| seconds.is_finite() && *seconds >= 0.0).map(|seconds| {
            let most = seconds.min(LONGEST_LOOK).min(since.max(0.0));
            (most * 10.0).round() / 10.0
        })
    }
}

/// What a browser calls something, made that of its account.
fn request_of(account: AccountNo, request: &str) -> Result<String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    if !(16..=64).contains(&request.len()) || !request.bytes().all(plain) {
        return Err(Error::refused("the name of a request has 16 to 64 letters, digits, _ and -"));
    }
    Ok(format!("{account}:{request}"))
}

fn used_twice() -> Error {
    Error::refused("the name of this request was used for something else")
}
