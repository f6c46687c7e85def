//! What assessors wrote beside their verdicts, and what organisers answered.

use crate::books::Books;
use crate::error::{Error, Result};
use crate::ids::JudgmentNo;
use formats::TopicId;
use lab::{PoolKind, Stage, Verdict};
use rusqlite::{OptionalExtension as _, Row, params};

/// The longest answer to a comment, in characters.
pub const LONGEST_REPLY: usize = 2000;

/// Which comments are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inbox {
    /// Those that nobody has dealt with.
    #[default]
    Open,
    /// Those that somebody has dealt with.
    Dealt,
    /// All, open ones first.
    All,
}

/// Whether a judgment is the last word of who gave it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SinceThen {
    /// It counts now.
    Counts,
    /// The assessor has said something else since, or took it back.
    Changed,
}

/// A judgment with a comment, or without a grade.
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    /// The row of the log.
    pub judgment: JudgmentNo,
    /// What was judged.
    pub kind: PoolKind,
    /// The set of topics.
    pub set: String,
    /// The topic.
    pub topic: TopicId,
    /// The item.
    pub item: String,
    /// The instance of a formula.
    pub instance: Option<String>,
    /// For what it was judged.
    pub stage: Stage,
    /// Who judged.
    pub assessor: String,
    /// What was said.
    pub verdict: Verdict,
    /// In their words; may be empty.
    pub comment: String,
    /// When, as the database has it.
    pub at: String,
    /// Whether it still counts.
    pub since: SinceThen,
    /// What an organiser answered.
    pub reply: Option<Reply>,
}

/// What an organiser answered. A text may be empty: then it was only dealt with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Who.
    pub who: String,
    /// When, in seconds since 1970.
    pub at: i64,
    /// What.
    pub text: String,
}

/// A page of comments.
#[derive(Clone, Debug, PartialEq)]
pub struct Comments {
    /// Those of the page.
    pub list: Vec<Comment>,
    /// How many there are in all that were asked for.
    pub total: usize,
    /// How many of all comments nobody has dealt with.
    pub open: usize,
}

/// Rows that say something; what is said again later in the same words is told once.
const WORTH: &str = "(j.comment <> '' OR j.verdict IN ('failure', 'unknown')) AND NOT EXISTS (
    SELECT 1 FROM judgment AS l WHERE l.kind = j.kind AND l.topic_set = j.topic_set AND l.stage = j.stage
    AND l.topic = j.topic AND l.item = j.item AND l.instance IS j.instance AND l.assessor = j.assessor
    AND l.number > j.number AND l.comment = j.comment AND (l.comment <> '' OR l.verdict = j.verdict))";

const COLUMNS: &str =
    "j.number, j.kind, j.topic_set, j.topic, j.item, j.instance, j.stage, j.assessor, j.verdict,
    j.comment, j.judged_at, r.who, r.at, r.text, EXISTS (
    SELECT 1 FROM judgment AS l WHERE l.kind = j.kind AND l.topic_set = j.topic_set AND l.stage = j.stage
    AND l.topic = j.topic AND l.item = j.item AND l.instance IS j.instance AND l.assessor = j.assessor
    AND l.number > j.number)";

impl Books<'_> {
    /// Comments, open ones first and the newest of them first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn comments(&self, inbox: Inbox, from: usize, at_most: usize) -> Result<Comments> {
        let count = format!(
            "SELECT count(*) FILTER (WHERE r.judgment IS NULL), count(*)
             FROM judgment AS j LEFT JOIN reply AS r ON r.judgment = j.number WHERE {WORTH}"
        );
        let (open, all): (usize, usize) =
            self.database().prepare_cached(&count)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        let (only, total) = match inbox {
            Inbox::Open => ("AND r.judgment IS NULL", open),
            Inbox::Dealt => ("AND r.judgment IS NOT NULL", all - open),
            Inbox::All => ("", all),
        };
        let select = format!(
            "SELECT {COLUMNS} FROM judgment AS j LEFT JOIN reply AS r ON r.judgment = j.number
             WHERE {WORTH} {only} ORDER BY r.judgment IS NOT NULL, j.number DESC LIMIT ?1 OFFSET ?2"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        let list = statement.query_map(params![at_most, from], read)?.collect::<rusqlite::Result<_>>()?;
        Ok(Comments { list, total, open })
    }

    /// How many comments nobody has dealt with.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn open_comments(&self) -> Result<usize> {
        let count = format!(
            "SELECT count(*) FROM judgment AS j WHERE {WORTH} AND j.number NOT IN (SELECT judgment FROM reply)"
        );
        Ok(self.database().prepare_cached(&count)?.query_row([], |row| row.get(0))?)
    }

    /// What organisers answered somebody, newest first.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn replies_to(&self, assessor: &str, at_most: usize) -> Result<Vec<Comment>> {
        let select = format!(
            "SELECT {COLUMNS} FROM reply AS r JOIN judgment AS j ON j.number = r.judgment
             WHERE j.assessor = ?1 AND r.text <> '' ORDER BY r.at DESC, r.judgment DESC LIMIT ?2"
        );
        let mut statement = self.database().prepare_cached(&select)?;
        let rows = statement.query_map(params![assessor, at_most], read)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Marks a comment as dealt with, and answers it if there is something to say.
    ///
    /// # Errors
    ///
    /// When there is no such judgment, or the answer is too long.
    pub fn reply(&self, judgment: JudgmentNo, text: &str, by: &str) -> Result<()> {
        let text = text.trim();
        if text.chars().count() > LONGEST_REPLY {
            return Err(Error::refused(format!(
                "the answer is longer than {LONGEST_REPLY} characters; say it in fewer words"
            )));
        }
        let select = "SELECT assessor, topic, item FROM judgment WHERE number = ?1";
        let whose: Option<(String, String, String)> = self
            .database()
            .query_row(select, [judgment], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .optional()?;
        let (assessor, topic, item) = whose.ok_or(Error::NotYours("judgment"))?;
        let write = "INSERT INTO reply (judgment, who, at, text) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT (judgment) DO UPDATE SET who = ?2, at = ?3, text = ?4";
        self.database().execute(write, params![judgment, by, self.now(), text])?;
        let did = if text.is_empty() { "dealt with" } else { "answered" };
        self.note(by, &format!("{did} the comment of {assessor} on {item} for {topic} (judgment {judgment})"))
    }

    /// Makes a comment open again.
    ///
    /// # Errors
    ///
    /// When nobody has dealt with it.
    pub fn reopen(&self, judgment: JudgmentNo, by: &str) -> Result<()> {
        match self.database().execute("DELETE FROM reply WHERE judgment = ?1", [judgment])? {
            0 => Err(Error::NotYours("answer")),
            _ => self.note(by, &format!("opened the comment of judgment {judgment} again")),
        }
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Comment> {
    let broken = || rusqlite::Error::InvalidQuery;
    let text = |column: usize| row.get::<_, String>(column);
    let reply = match row.get::<_, Option<String>>(11)? {
        Some(who) => Some(Reply { who, at: row.get(12)?, text: row.get(13)? }),
        None => None,
    };
    Ok(Comment {
        judgment: row.get(0)?,
        kind: PoolKind::read(&text(1)?).ok_or_else(broken)?,
        set: row.get(2)?,
        topic: TopicId::from(text(3)?.as_str()),
        item: row.get(4)?,
        instance: row.get(5)?,
        stage: Stage::read(&text(6)?).ok_or_else(broken)?,
        assessor: row.get(7)?,
        verdict: Verdict::stored(&text(8)?).ok_or_else(broken)?,
        comment: row.get(9)?,
        at: row.get(10)?,
        reply,
        since: if row.get(14)? { SinceThen::Changed } else { SinceThen::Counts },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{judgment, small};

    #[test]
    fn open_comments_come_first_and_answers_reach_who_wrote() {
        let (_place, lab) = small("assess-comments");
        let books = Books::new(&lab, 1_000_000);
        let say = |item: &str, who: &str, verdict: Verdict, comment: &str| {
            let row = lab::NewJudgment {
                verdict,
                comment: comment.to_owned(),
                ..judgment(item, who, Stage::Main, 0)
            };
            JudgmentNo(lab.append_judgment(&row).unwrap())
        };
        say("11", "ada", Verdict::Grade(2), "");
        let first = say("11", "ada", Verdict::Grade(3), "is this a proof?");
        let code = say("12", "bob", Verdict::DoNotKnow, "too hard");
        let twice = say("13", "bob", Verdict::Grade(1), "hm");
        let again = say("13", "bob", Verdict::Grade(2), "hm");
        let page = books.comments(Inbox::Open, 0, 10).unwrap();
        let numbers: Vec<JudgmentNo> = page.list.iter().map(|comment| comment.judgment).collect();
        assert_eq!(numbers, [again, code, first], "{twice} says what {again} says");
        assert_eq!((page.total, page.open), (3, 3));

        books.reply(first, "  Yes, as far as it goes. ", "olga").unwrap();
        books.reply(code, "", "olga").unwrap();
        let page = books.comments(Inbox::All, 0, 10).unwrap();
        let numbers: Vec<JudgmentNo> = page.list.iter().map(|comment| comment.judgment).collect();
        assert_eq!((numbers, page.open), (vec![again, code, first], 1));
        assert_eq!(books.comments(Inbox::Open, 0, 10).unwrap().total, 1);
        assert_eq!(books.open_comments().unwrap(), 1);
        let answers = books.replies_to("ada", 9).unwrap();
        let reply = answers[0].reply.as_ref().unwrap();
        assert_eq!((reply.who.as_str(), reply.text.as_str()), ("olga", "Yes, as far as it goes."));
        assert!(books.replies_to("bob", 9).unwrap().is_empty(), "nothing was said to bob");

        say("11", "ada", Verdict::Grade(0), "");
        let changed = books.comments(Inbox::Dealt, 1, 1).unwrap();
        assert_eq!((changed.list[0].judgment, changed.list[0].since), (first, SinceThen::Changed));
        books.reopen(code, "olga").unwrap();
        assert_eq!(books.open_comments().unwrap(), 2);
        assert!(books.reopen(code, "olga").is_err());
        assert!(books.reply(JudgmentNo(999), "", "olga").is_err());
        assert!(books.reply(first, &"x".repeat(2001), "olga").unwrap_err().to_string().contains("2000"));
    }
}
