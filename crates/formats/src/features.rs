//! Features of documents with grades, in the form of SVM-rank and LETOR.
//!
//! A line is a grade, `qid:` with a topic, features as `number:value` with ascending numbers, and after `#` what the
//! line is about, whose first word is taken as the document. Features that are not there are 0. Lines that begin with
//! `#` are comments; one of the form `# feature 3 edit-slt` gives a feature a name.

use crate::error::{Error, Place, Problem, Problems};
use crate::source::{Source, SourceText};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Features have numbers up to this.
pub const MOST_FEATURES: usize = 10_000;
/// Values are kept as a table, so a few lines with high numbers would need too much memory.
const MOST_VALUES: usize = 1 << 28;

/// Features of documents with their grades.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeatureTable {
    /// The names of the features; of those without one the number.
    pub names: Vec<String>,
    /// The lines, topics in the order in which they first occur.
    pub rows: Vec<FeatureRow>,
    /// The values of all lines, as many for each as there are names.
    pub values: Vec<f64>,
}

/// A line of a table of features.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureRow {
    /// The topic.
    pub topic: String,
    /// The document; empty where the line does not name one.
    pub doc: String,
    /// How good it is.
    pub grade: f64,
}

impl FeatureTable {
    /// A table without lines.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        Self { names: names.into_iter().collect(), ..Self::default() }
    }

    /// Adds a line.
    ///
    /// # Panics
    ///
    /// When it has another number of values than there are names.
    pub fn push(&mut self, row: FeatureRow, values: &[f64]) {
        assert_eq!(values.len(), self.names.len(), "each feature has a value");
        self.rows.push(row);
        self.values.extend_from_slice(values);
    }

    /// The values of a line.
    #[must_use]
    pub fn values_of(&self, row: usize) -> &[f64] {
        &self.values[row * self.names.len()..][..self.names.len()]
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, or lines of it; with all lines that are wrong.
    pub fn read(source: Source<'_>) -> Result<Self, Error> {
        let source = source.read()?;
        let mut reading = Reading::default();
        for (line, number) in source.text.lines().zip(1..) {
            if let Err(reason) = reading.line(line) {
                let place = Place { file: source.name.clone(), line: number, column: None };
                reading.problems.push(|| Problem { place, reason });
            }
        }
        reading.finish(&source)
    }

    /// The table as a file, whose first lines name the features.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (name, number) in self.names.iter().zip(1..) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "# feature {number} {name}");
        }
        for (place, row) in self.rows.iter().enumerate() {
            let _ = write!(text, "{} qid:{}", row.grade, row.topic);
            for (value, number) in self.values_of(place).iter().zip(1..).filter(|(value, _)| **value != 0.0) {
                let _ = write!(text, " {number}:{value}");
            }
            if !row.doc.is_empty() {
                let _ = write!(text, " # {}", row.doc);
            }
            text.push('\n');
        }
        text
    }
}

/// What was read so far.
#[derive(Default)]
struct Reading {
    names: BTreeMap<usize, String>,
    rows: Vec<(FeatureRow, Vec<(usize, f64)>)>,
    highest: usize,
    problems: Problems,
}

impl Reading {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let line = line.trim();
        if let Some(comment) = line.strip_prefix('#') {
            self.comment(comment);
            return Ok(());
        }
        if line.is_empty() {
            return Ok(());
        }
        let (data, about) = line.split_once('#').unwrap_or((line, ""));
        let mut fields = data.split_whitespace();
        let grade = fields.next().unwrap_or_default();
        let grade = number(grade).ok_or_else(|| format!("the grade `{grade}` is not a number"))?;
        let topic =
            fields.next().and_then(|field| field.strip_prefix("qid:")).filter(|topic| !topic.is_empty());
        let topic = topic.ok_or("the second field is not `qid:` with a topic")?.to_owned();
        let mut values = Vec::new();
        let mut last = 0;
        for field in fields {
            let (feature, value) = field
                .split_once(':')
                .and_then(|(feature, value)| Some((feature.parse::<usize>().ok()?, number(value)?)))
                .ok_or_else(|| format!("`{field}` is not a feature's number and its value, such as 3:0.5"))?;
            if feature <= last {
                return Err(format!("feature {feature} stands behind {last}; numbers begin at 1 and ascend"));
            }
            if feature > MOST_FEATURES {
                return Err(format!("feature {feature} is more than {MOST_FEATURES}, the most there can be"));
            }
            last = feature;
            values.push((feature, value));
        }
        self.highest = self.highest.max(last);
        let doc = about.split_whitespace().next().unwrap_or_default().to_owned();
        self.rows.push((FeatureRow { topic, doc, grade }, values));
        Ok(())
    }

    fn comment(&mut self, comment: &str) {
        let mut words = comment.split_whitespace();
        let (Some("feature"), Some(number), Some(name), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return;
        };
        if let Some(number) = number.parse().ok().filter(|number| (1..=MOST_FEATURES).contains(number)) {
            self.highest = self.highest.max(number);
            self.names.insert(number, name.to_owned());
        }
    }

    fn finish(mut self, source: &SourceText) -> Result<FeatureTable, Error> {
        let wrong = |reason: String| Err(Error::File { file: source.name.clone(), reason });
        if !self.problems.is_empty() {
            return Err(self.problems.into());
        }
        if self.rows.is_empty() {
            return wrong("no lines with features".to_owned());
        }
        let width = self.highest;
        if self.rows.len().saturating_mul(width) > MOST_VALUES {
            return wrong(format!(
                "{} lines of {width} features are more than {MOST_VALUES} values",
                self.rows.len()
            ));
        }
        let names =
            (1..=width).map(|number| self.names.remove(&number).unwrap_or_else(|| number.to_string()));
        let mut table = FeatureTable::new(names);
        // The lines of a topic stand together, whatever their order in the file.
        let mut first: BTreeMap<String, usize> = BTreeMap::new();
        for (place, (row, _)) in self.rows.iter().enumerate() {
            first.entry(row.topic.clone()).or_insert(place);
        }
        self.rows.sort_by_key(|(row, _)| first[&row.topic]);
        let mut line = vec![0.0; width];
        for (row, values) in self.rows {
            line.fill(0.0);
            for (feature, value) in values {
                line[feature - 1] = value;
            }
            table.push(row, &line);
        }
        Ok(table)
    }
}

/// A number that is finite.
fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<FeatureTable, String> {
        FeatureTable::read(Source::bytes("f.txt", text)).map_err(|error| error.to_string())
    }

    #[test]
    fn files_are_read_and_written() {
        let table =
            read("# feature 1 mss\n2 qid:B.1 1:0.5 3:-1e-2 # 17 more\n0 qid:B.2 2:1\n\n1 qid:B.1 1:1 #18")
                .unwrap();
        assert_eq!(table.names, ["mss", "2", "3"]);
        let rows: Vec<(&str, &str, f64)> =
            table.rows.iter().map(|row| (row.topic.as_str(), row.doc.as_str(), row.grade)).collect();
        assert_eq!(rows, [("B.1", "17", 2.0), ("B.1", "18", 1.0), ("B.2", "", 0.0)]);
        assert_eq!(table.values_of(0), [0.5, 0.0, -0.01]);
        assert_eq!(table.values_of(2), [0.0, 1.0, 0.0]);
        assert_eq!(read(&table.to_text()).unwrap(), table);
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, reason) in [
            ("", "f.txt: no lines with features"),
            ("x qid:1 1:1", "f.txt:1: the grade `x` is not a number"),
            ("1 1:1", "f.txt:1: the second field is not `qid:` with a topic"),
            ("1 qid: 1:1", "f.txt:1: the second field is not `qid:` with a topic"),
            ("# c\n1 qid:1 1", "f.txt:2: `1` is not a feature's number and its value, such as 3:0.5"),
            ("1 qid:1 0:1", "f.txt:1: feature 0 stands behind 0; numbers begin at 1 and ascend"),
            ("1 qid:1 2:1 1:1", "f.txt:1: feature 1 stands behind 2; numbers begin at 1 and ascend"),
            ("1 qid:1 1:nan", "f.txt:1: `1:nan` is not a feature's number and its value, such as 3:0.5"),
            ("1 qid:1 10001:1", "f.txt:1: feature 10001 is more than 10000, the most there can be"),
        ] {
            assert_eq!(read(text), Err(reason.to_owned()), "{text}");
        }
        let two = read("1 qid:1 0:1\n1 qid:1\nx").unwrap_err();
        assert!(two.ends_with("(and 1 more problem)"), "{two}");
    }
}
