//! Tables of what happened, for spreadsheets and for this program, written row by row.
//!
//! A table of any length is never whole in memory. Cells of a table for a
//! spreadsheet that the spreadsheet would run as a formula are made harmless;
//! the table that this program reads again has every cell as it is.

use crate::agreement::Agreement;
use crate::books::Books;
use crate::error::Result;
use lab::stamp;
use rusqlite::types::ValueRef;
use rusqlite::{Params, Row};
use std::borrow::Cow;
use std::ops::ControlFlow;
use store::Date;

/// What can be had as a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Every row of the log of judgments, oldest first.
    Log,
    /// The rows of the log that count now.
    Current,
    /// What was asked about answers after judging.
    Flags,
    /// Who had which batch from when to when.
    Assignments,
    /// How far people agree.
    Agreement,
}

impl Table {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Log, Self::Current, Self::Flags, Self::Assignments, Self::Agreement];

    /// The name of its file, without what follows the dot.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Log => "judgment-log",
            Self::Current => "judgments",
            Self::Flags => "flags",
            Self::Assignments => "assignments",
            Self::Agreement => "agreement",
        }
    }

    /// What is in it, in a sentence.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::Log => "Everything that was ever said, oldest first, with what was changed or taken back.",
            Self::Current => "What counts now: the last word of every assessor on everything.",
            Self::Flags => "Whether answers look machine-made or hold unrelated things.",
            Self::Assignments => {
                "Who had which batch, from when to when, how far they came and how long it took."
            }
            Self::Agreement => {
                "Cohen's kappa of every pair of assessors, by all grades and by relevant or not."
            }
        }
    }
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Cut at commas, harmless for spreadsheets.
    Csv,
    /// Cut at tabs, exact; judgments in this form are read by `hypatia lab judgments --import`.
    Tsv,
}

impl Form {
    /// What follows the dot in the name of a file.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
        }
    }

    fn write(self, cells: &[Cow<'_, str>]) -> String {
        let mut line = String::new();
        for (at, cell) in cells.iter().enumerate() {
            if at > 0 {
                line.push(if self == Self::Csv { ',' } else { '\t' });
            }
            let cell = match self {
                Self::Csv => harmless(cell),
                Self::Tsv => Cow::Borrowed(cell.as_ref()),
            };
            if cell.contains(['\t', '\n', '\r', '"', ',']) {
                line.push('"');
                line.push_str(&cell.replace('"', "\"\""));
                line.push('"');
            } else {
                line.push_str(&cell);
            }
        }
        line.push('\n');
        line
    }
}

/// A cell that no spreadsheet takes for a formula: those begin with one of a few signs.
fn harmless(cell: &str) -> Cow<'_, str> {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

/// Takes lines of a table as they are made; who wants no more breaks off.
pub type Sink<'s> = dyn FnMut(String) -> ControlFlow<()> + 's;

/// The columns of judgments, by the names by which imports know them.
const JUDGMENT: [(&str, &str); 9] = [
    ("topic", "j.topic"),
    ("item", "j.item"),
    ("instance", "j.instance"),
    ("stage", "j.stage"),
    ("assessor", "j.assessor"),
    ("verdict", "j.verdict"),
    ("seconds", "j.seconds"),
    ("at", "j.judged_at"),
    ("comment", "j.comment"),
];
const MORE: [(&str, &str); 4] =
    [("kind", "j.kind"), ("set", "j.topic_set"), ("origin", "j.origin"), ("number", "j.number")];
const FLAG: [(&str, &str); 7] = [
    ("set", "f.topic_set"),
    ("topic", "f.topic"),
    ("item", "f.item"),
    ("assessor", "f.assessor"),
    ("machine_generated", "CASE f.machine_generated WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END"),
    ("unrelated", "CASE f.unrelated WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END"),
    ("at", "f.judged_at"),
];
const ASSIGNMENT: [(&str, &str); 15] = [
    ("assignment", "a.number"),
    ("batch", "b.number"),
    ("asks", "b.asks"),
    ("kind", "b.kind"),
    ("set", "b.topic_set"),
    ("topic", "b.topic"),
    ("stage", "b.stage"),
    ("copy", "b.copy"),
    ("assessor", "who.name"),
    ("state", "a.state"),
    ("from", "strftime('%Y-%m-%dT%H:%M:%SZ', a.made_at, 'unixepoch')"),
    ("expires", "strftime('%Y-%m-%dT%H:%M:%SZ', a.expires_at, 'unixepoch')"),
    ("until", "strftime('%Y-%m-%dT%H:%M:%SZ', a.ended_at, 'unixepoch')"),
    (
        "judged",
        "(SELECT count(DISTINCT part) FROM judged WHERE assignment = a.number)
         + (SELECT count(DISTINCT part) FROM flagged WHERE assignment = a.number)",
    ),
    (
        "seconds",
        "(SELECT round(sum(j.seconds), 1) FROM judged AS d JOIN judgment AS j ON j.number = d.judgment
          WHERE d.assignment = a.number)",
    ),
];

impl Books<'_> {
    /// Writes a table of a set of topics, line by line.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub fn export(&self, table: Table, form: Form, set: &str, sink: &mut Sink<'_>) -> Result<()> {
        let mut judgments: Vec<(&str, &str)> = JUDGMENT.to_vec();
        if form == Form::Csv {
            judgments.extend(MORE);
        }
        match table {
            Table::Log => {
                let rest = "FROM judgment AS j WHERE j.topic_set = ?1 ORDER BY j.number";
                self.rows(form, &judgments, rest, [set], sink)
            }
            Table::Current => {
                let rest = "FROM judgment AS j JOIN (
                        SELECT max(number) AS number FROM judgment WHERE topic_set = ?1
                        GROUP BY kind, topic, item, instance, stage, assessor
                    ) AS last ON last.number = j.number WHERE j.verdict <> 'withdrawn' ORDER BY j.number";
                self.rows(form, &judgments, rest, [set], sink)
            }
            Table::Flags => {
                let rest = "FROM flag AS f WHERE f.topic_set = ?1 ORDER BY f.number";
                self.rows(form, &FLAG, rest, [set], sink)
            }
            Table::Assignments => {
                let rest = "FROM assignment AS a JOIN batch AS b ON b.number = a.batch
                            JOIN account AS who ON who.number = a.account
                            WHERE b.topic_set = ?1 ORDER BY a.number";
                self.rows(form, &ASSIGNMENT, rest, [set], sink)
            }
            Table::Agreement => {
                write_agreement(&self.agreement_of(set)?, form, sink);
                Ok(())
            }
        }
    }

    fn rows(
        &self,
        form: Form,
        columns: &[(&str, &str)],
        rest: &str,
        values: impl Params,
        sink: &mut Sink<'_>,
    ) -> Result<()> {
        let names: Vec<Cow<'_, str>> = columns.iter().map(|(name, _)| Cow::Borrowed(*name)).collect();
        let expressions: Vec<&str> = columns.iter().map(|(_, expression)| *expression).collect();
        let mut statement = self.database().prepare(&format!("SELECT {} {rest}", expressions.join(", ")))?;
        let mut rows = statement.query(values)?;
        if sink(form.write(&names)).is_break() {
            return Ok(());
        }
        while let Some(row) = rows.next()? {
            let cells: Vec<Cow<'_, str>> =
                (0..columns.len()).map(|column| cell(row, column)).collect::<rusqlite::Result<_>>()?;
            if sink(form.write(&cells)).is_break() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The name of the file that a table is saved as: with the lab, the set and the day.
    #[must_use]
    pub fn file_name(&self, table: Table, form: Form, set: &str) -> String {
        let day = stamp(Date(self.now().saturating_mul(1000)));
        let day = day.split('T').next().unwrap_or_default().to_owned();
        let plain = |name: &str| -> String {
            let plain = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
            name.chars().map(|letter| if plain(letter) { letter } else { '-' }).collect()
        };
        format!("{}-{}-{}-{day}.{}", plain(&self.manifest().name), plain(set), table.name(), form.ending())
    }
}

fn cell<'r>(row: &'r Row<'_>, column: usize) -> rusqlite::Result<Cow<'r, str>> {
    Ok(match row.get_ref(column)? {
        ValueRef::Null => Cow::Borrowed(""),
        ValueRef::Integer(number) => Cow::Owned(number.to_string()),
        ValueRef::Real(number) => Cow::Owned(number.to_string()),
        ValueRef::Text(text) | ValueRef::Blob(text) => String::from_utf8_lossy(text),
    })
}

fn write_agreement(kinds: &[Agreement], form: Form, sink: &mut Sink<'_>) {
    let names =
        ["kind", "occasion", "first", "second", "things", "left_out", "equal", "kappa", "kappa_relevant"];
    let names: Vec<Cow<'_, str>> = names.into_iter().map(Cow::Borrowed).collect();
    let number =
        |value: Option<f64>| Cow::Owned(value.map_or_else(String::new, |value| format!("{value:.4}")));
    let count = |count: usize| Cow::Owned(count.to_string());
    let lines = kinds.iter().flat_map(|agreement| {
        agreement.pairs.iter().map(|pair| {
            // A kappa below zero is a number: a spreadsheet may take it for one.
            let cells = [
                Cow::Borrowed(agreement.kind.word()),
                Cow::Borrowed(pair.occasion.name()),
                Cow::Borrowed(pair.first.as_str()),
                Cow::Borrowed(pair.second.as_str()),
                count(pair.things),
                count(pair.left_out),
                number(pair.equal),
            ];
            let line = form.write(&cells);
            let cut = if form == Form::Csv { ',' } else { '\t' };
            format!(
                "{}{cut}{}{cut}{}\n",
                line.trim_end_matches('\n'),
                number(pair.graded),
                number(pair.binary)
            )
        })
    });
    let _ = std::iter::once(form.write(&names)).chain(lines).try_for_each(sink);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{judgment, read_table, small};
    use lab::judgments::{ImportOptions, Unpooled};
    use lab::{NewJudgment, PoolKind, Stage, Verdict};

    fn text(books: &Books<'_>, table: Table, form: Form) -> String {
        let mut out = String::new();
        let mut sink = |line: String| {
            out.push_str(&line);
            ControlFlow::Continue(())
        };
        books.export(table, form, "now", &mut sink).unwrap();
        out
    }

    #[test]
    fn the_log_is_read_back_as_it_was() {
        let (_place, mut lab) = small("assess-export");
        let odd = "=1+1, \"said\"\tthen\nmore";
        let rows = [
            NewJudgment { comment: odd.to_owned(), ..judgment("11", "ada", Stage::Main, 3) },
            NewJudgment {
                verdict: Verdict::DoNotKnow,
                seconds: None,
                ..judgment("12", "ada", Stage::CrossCheck, 0)
            },
            judgment("11", "ada", Stage::Main, 1),
            NewJudgment { verdict: Verdict::Withdrawn, ..judgment("12", "ada", Stage::CrossCheck, 0) },
            NewJudgment {
                kind: PoolKind::Formulas,
                topic: formats::TopicId::from("B.1"),
                instance: Some("1".to_owned()),
                ..judgment("7", "bob", Stage::Main, 2)
            },
        ];
        lab.add_judgments(&rows).unwrap();
        let books = Books::new(&lab, 1_651_400_000);
        let table = text(&books, Table::Log, Form::Tsv);
        let read = read_table(&table);
        assert_eq!(read.len(), 5);
        assert_eq!(read[0].comment, odd, "exact in the table for ourselves");
        let current = text(&books, Table::Current, Form::Tsv);
        assert_eq!(read_table(&current).len(), 2, "{current}");
        let csv = text(&books, Table::Log, Form::Csv);
        assert!(csv.contains("\"'=1+1, \"\"said\"\"\tthen\nmore\""), "{csv}");
        assert!(csv.starts_with(
            "topic,item,instance,stage,assessor,verdict,seconds,at,comment,kind,set,origin,number\n"
        ));
        assert_eq!(books.file_name(Table::Log, Form::Tsv, "now"), "small-now-judgment-log-2022-05-01.tsv");

        // Another lab with the same pool comes to the same judgments.
        let (_other_place, mut other) = small("assess-export-other");
        let options = ImportOptions { set: None, stage: Stage::Main, unpooled: Unpooled::Refuse };
        let imported = other.import_judgments(formats::Source::bytes("log.tsv", table), &options).unwrap();
        assert_eq!(imported.added, 5);
        for kind in [PoolKind::Answers, PoolKind::Formulas] {
            let said = |lab: &lab::Lab| -> Vec<(String, Verdict, String)> {
                let rows = lab.judgments(kind, "now").unwrap().into_iter();
                rows.map(|row| (row.said.item, row.said.verdict, row.said.comment)).collect()
            };
            assert_eq!(said(&other), said(&lab));
        }
    }

    #[test]
    fn what_a_spreadsheet_would_run_is_harmless() {
        for bad in ["=1", "+1", "-1", "@x", "\tx", "\rx", "＝1"] {
            assert!(harmless(bad).starts_with('\''), "{bad:?}");
        }
        for good in ["", "x=1", "1", "'=1"] {
            assert_eq!(harmless(good), good);
        }
    }

    #[test]
    fn tables_without_rows_have_their_names() {
        let (_place, lab) = small("assess-export-empty");
        let books = Books::new(&lab, 0);
        for table in Table::ALL {
            let csv = text(&books, table, Form::Csv);
            assert_eq!(csv.lines().count(), 1, "{}", table.name());
        }
        let mut lines = 0;
        let mut stop = |_| {
            lines += 1;
            ControlFlow::Break(())
        };
        books.export(Table::Log, Form::Csv, "now", &mut stop).unwrap();
        assert_eq!(lines, 1);
    }

    #[test]
    fn agreement_as_a_table() {
        let (_place, mut lab) = small("assess-export-agreement");
        let rows = [
            judgment("11", "ada", Stage::Main, 3),
            judgment("11", "=bob", Stage::CrossCheck, 3),
            judgment("12", "ada", Stage::Main, 0),
            judgment("12", "=bob", Stage::CrossCheck, 0),
        ];
        lab.add_judgments(&rows).unwrap();
        let csv = text(&Books::new(&lab, 0), Table::Agreement, Form::Csv);
        assert_eq!(csv.lines().nth(1), Some("answers,cross-checked,ada,'=bob,2,0,1.0000,1.0000,1.0000"));
    }
}
