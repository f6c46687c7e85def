//! Runs of Task 3: one written answer for each topic.
//!
//! Six columns, `topic rank score run sources answer`, cut at tabs; a field
//! may be quoted as in CSV and then hold tabs, line ends and doubled quotes.
//! A quote that does not open a field is an ordinary character, and so is one
//! that is never closed or is closed in the middle of a field.

use crate::error::{Error, Place, Problem, Problems};
use crate::fields::shorten;
use crate::ids::TopicId;
use crate::source::Source;
use std::collections::HashSet;

/// How many characters an answer may have.
pub const LONGEST_ANSWER: usize = 1200;

/// A run of Task 3, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Task3Run {
    /// What the file is called in messages.
    pub name: String,
    /// The answers.
    pub answers: Vec<Task3Answer>,
}

/// One answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Task3Answer {
    /// The topic that it answers.
    pub topic: TopicId,
    /// The rank as it stands in the file; it should be 1.
    pub rank: String,
    /// The score as it stands in the file.
    pub score: String,
    /// The name of the run as it stands in the file.
    pub run: String,
    /// Where the answer comes from, in words of the team.
    pub sources: String,
    /// The answer: text with formulas between dollar signs.
    pub answer: String,
    /// The line on which the row starts, from 1.
    pub line: usize,
}

impl Task3Run {
    /// Reads a run; a row that is none is an error, and so is a second answer to a topic.
    ///
    /// ```
    /// use formats::{Source, task3::Task3Run};
    /// let text = "A.301\t1\t0.9\tus\t\"post 7\"\t\"Take \"\"any\"\" $x$.\"\r\n";
    /// let run = Task3Run::read(Source::bytes("run", text))?;
    /// assert_eq!(run.answers[0].answer, "Take \"any\" $x$.");
    /// # Ok::<(), formats::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is no such run: all problems are listed.
    pub fn read(source: Source<'_>) -> Result<Self, Error> {
        let (run, mut problems) = Self::read_tolerant(source)?;
        let mut seen = HashSet::new();
        for answer in &run.answers {
            if !seen.insert(&answer.topic) {
                let reason = format!("topic {} is answered a second time", answer.topic);
                let place = Place { file: run.name.clone(), line: answer.line, column: None };
                problems.push(|| Problem { place, reason });
            }
        }
        if problems.is_empty() { Ok(run) } else { Err(problems.into()) }
    }

    /// Reads what can be read of a run, and says what cannot.
    ///
    /// # Errors
    ///
    /// When the file cannot be read at all.
    pub fn read_tolerant(source: Source<'_>) -> Result<(Self, Problems), Error> {
        let source = source.read()?;
        let mut problems = Problems::default();
        let mut answers = Vec::new();
        for record in records(&source.text) {
            match answer(&record) {
                Ok(answer) => answers.push(answer),
                Err(reason) => {
                    let place = Place { file: source.name.clone(), line: record.line, column: Some(1) };
                    problems.push(|| Problem { place, reason });
                }
            }
        }
        Ok((Self { name: source.name, answers }, problems))
    }

    /// Writes the run; fields are quoted where they must be.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut out = String::new();
        for answer in &self.answers {
            let fields = [
                answer.topic.as_str(),
                &answer.rank,
                &answer.score,
                &answer.run,
                &answer.sources,
                &answer.answer,
            ];
            for (index, field) in fields.into_iter().enumerate() {
                if index > 0 {
                    out.push('\t');
                }
                push_field(&mut out, field);
            }
            out.push('\n');
        }
        out
    }
}

impl Task3Answer {
    /// The place of the row, for messages.
    #[must_use]
    pub fn place(&self, run: &Task3Run) -> Place {
        Place { file: run.name.clone(), line: self.line, column: None }
    }
}

fn push_field(out: &mut String, field: &str) {
    let blank_edge = field.starts_with([' ', '\u{FEFF}']) || field.ends_with(' ');
    if field.contains(['\t', '\n', '\r', '"']) || blank_edge {
        out.push('"');
        out.push_str(&field.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(field);
    }
}

fn answer(record: &Record) -> Result<Task3Answer, String> {
    let [topic, rank, score, run, sources, answer] = record.fields.as_slice() else {
        let count = record.fields.len();
        let columns = if count == 1 { "column" } else { "columns" };
        return Err(format!(
            "{count} {columns} where a Task 3 run has 6 (topic, rank, score, run, sources, answer), cut at tabs"
        ));
    };
    if topic.is_empty() {
        return Err("the topic is empty".to_owned());
    }
    if !score.parse::<f64>().is_ok_and(|score| !score.is_nan()) {
        let hint = if record.line == 1 { "; if the first line is a header, delete it" } else { "" };
        return Err(format!("the score '{}' is not a number{hint}", shorten(score)));
    }
    Ok(Task3Answer {
        topic: TopicId::from(topic.as_str()),
        rank: rank.clone(),
        score: score.clone(),
        run: run.clone(),
        sources: sources.clone(),
        answer: answer.clone(),
        line: record.line,
    })
}

/// A row of the file, taken apart.
#[derive(Debug, PartialEq, Eq)]
struct Record {
    line: usize,
    fields: Vec<String>,
}

/// The fields of each row of a text, cut as a run of Task 3 is: at tabs, with quotes as in CSV. Whether the
/// text is such a run is not looked at.
///
/// ```
/// let mut rows = formats::task3::rows("\"A.1\"\t\"one\ttwo\"\nA.2\tthree\n");
/// assert_eq!(rows.next().unwrap(), ["A.1", "one\ttwo"]);
/// ```
pub fn rows(text: &str) -> impl Iterator<Item = Vec<String>> {
    records(text).map(|record| record.fields)
}

fn records(text: &str) -> impl Iterator<Item = Record> {
    let mut rest = text;
    let mut line = 1;
    std::iter::from_fn(move || {
        loop {
            if rest.is_empty() {
                return None;
            }
            let start = line;
            let end = rest.find('\n').unwrap_or(rest.len());
            let plain = rest[..end].trim_end_matches('\r');
            if plain.trim().is_empty() {
                rest = rest.get(end + 1..).unwrap_or_default();
                line += 1;
                continue;
            }
            // A quoted record may reach over several lines. One that opens a
            // quote and never closes it is what it looks like line by line.
            if let Some((fields, length)) = quoted_record(rest) {
                line += rest[..length].matches('\n').count();
                rest = &rest[length..];
                return Some(Record { line: start, fields });
            }
            rest = rest.get(end + 1..).unwrap_or_default();
            line += 1;
            return Some(Record { line: start, fields: plain.split('\t').map(str::to_owned).collect() });
        }
    })
}

/// The fields of the record that `text` starts with, and its length with its line end.
fn quoted_record(text: &str) -> Option<(Vec<String>, usize)> {
    let mut fields = Vec::new();
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let field;
        if let Some(inside) = rest.strip_prefix('"') {
            let mut value = String::new();
            let mut from = 0;
            loop {
                let quote = from + inside[from..].find('"')?;
                value.push_str(&inside[from..quote]);
                if inside[quote + 1..].starts_with('"') {
                    value.push('"');
                    from = quote + 2;
                } else {
                    at += quote + 2;
                    break;
                }
            }
            field = value;
        } else {
            let end = rest.find(['\t', '\n']).unwrap_or(rest.len());
            let value = &rest[..end];
            let value = if rest[end..].starts_with('\t') { value } else { value.trim_end_matches('\r') };
            field = value.to_owned();
            at += value.len();
        }
        fields.push(field);
        let after = text[at..].trim_start_matches('\r');
        let skipped = text[at..].len() - after.len();
        match after.bytes().next() {
            None => return Some((fields, text.len())),
            Some(b'\n') => return Some((fields, at + skipped + 1)),
            Some(b'\t') if skipped == 0 => at += 1,
            // Something follows the closing quote: not a quoted field after all.
            Some(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expected: &[(usize, &[&str])]) {
        let found: Vec<Record> = records(text).collect();
        let expected: Vec<Record> = expected
            .iter()
            .map(|(line, fields)| Record {
                line: *line,
                fields: fields.iter().map(|f| (*f).to_owned()).collect(),
            })
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn records_with_and_without_quotes() {
        check("a\tb\r\n\nc\td", &[(1, &["a", "b"]), (3, &["c", "d"])]);
        check("a\t\"b\tc\n\"\"d\"\"\"\r\ne\n", &[(1, &["a", "b\tc\n\"d\""]), (3, &["e"])]);
        check("a\t\n", &[(1, &["a", ""])]);
    }

    #[test]
    fn stray_quotes_are_ordinary() {
        check("a\tsay \"x\"\n", &[(1, &["a", "say \"x\""])]);
        check("a\t\"x\" is it\nb\n", &[(1, &["a", "\"x\" is it"]), (2, &["b"])]);
        check("a\t\"never closed\nb\tc\n", &[(1, &["a", "\"never closed"]), (2, &["b", "c"])]);
    }

    #[test]
    fn what_is_wrong_is_listed() {
        let text = "A.1\t1\t0.5\tus\tsource\tx\nA.2\t1\t0.5\tus\nA.1\t1\tx\tus\t\ty\nA.1\t1\t1\tus\t\tz\n";
        let error = match Task3Run::read(Source::bytes("r", text)) {
            Err(Error::Problems(problems)) => problems,
            other => panic!("{other:?}"),
        };
        let shown: Vec<String> = error.kept.iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "r:2:1: 4 columns where a Task 3 run has 6 (topic, rank, score, run, sources, answer), cut at tabs",
                "r:3:1: the score 'x' is not a number",
                "r:4: topic A.1 is answered a second time",
            ]
        );
    }

    proptest! {
        #[test]
        fn reading_what_was_written_gives_it_back(
            fields in proptest::collection::vec("[a\"\t\n\r ü$]{0,6}", 3), topics in 1usize..4
        ) {
            let answers = (0..topics).map(|topic| Task3Answer {
                topic: TopicId::new(format!("A.{topic}")),
                rank: "1".to_owned(),
                score: "0.50".to_owned(),
                run: fields[0].clone(),
                sources: fields[1].clone(),
                answer: fields[2].clone(),
                line: 0,
            }).collect();
            let run = Task3Run { name: "run".to_owned(), answers };
            let mut again = Task3Run::read(Source::bytes("run", run.to_text())).unwrap();
            again.answers.iter_mut().for_each(|answer| answer.line = 0);
            prop_assert_eq!(again, run);
        }
    }
}
