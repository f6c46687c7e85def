//! Tables of single judgments: who said what of which item, and how long it took.
//!
//! A file of judgments for evaluation has one grade an item; before that there
//! is what each assessor said. The table has a header and is cut at tabs, or at
//! commas if there is no tab in it; fields may be quoted as in CSV. The columns
//! are known by their names and may stand in any order:
//!
//! | column | also called | must be there |
//! | --- | --- | --- |
//! | `topic` | `query`, `query_id` | yes |
//! | `item` | `document`, `doc`, `answer`, `post_id`, `visual_id` | yes |
//! | `instance` | `formula`, `formula_id` | no |
//! | `assessor` | `worker`, `judge` | yes |
//! | `verdict` | `grade`, `relevance`, `judgment` | yes |
//! | `seconds` | `time` | no |
//! | `comment` | | no |
//! | `stage` | `round` | no |
//! | `at` | `date` | no |
//!
//! What a verdict or a stage means is left to whoever knows the scale.

use crate::delimited::{Delimiter, Header, Quoting, Records, quote};
use crate::error::{Error, Place};
use crate::ids::TopicId;
use crate::source::Source;

/// What one assessor said of one item.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// Where it stands in its file.
    pub place: Place,
    /// The topic.
    pub topic: TopicId,
    /// What was judged.
    pub item: String,
    /// The instance of a formula that was looked at.
    pub instance: Option<String>,
    /// Who judged.
    pub assessor: String,
    /// What they said, in the words of the file.
    pub verdict: String,
    /// How long it took.
    pub seconds: Option<f64>,
    /// What else they said.
    pub comment: String,
    /// For what it was judged, in the words of the file.
    pub stage: Option<String>,
    /// When, in the words of the file.
    pub at: Option<String>,
}

/// Reads a table of single judgments.
///
/// ```
/// use formats::{Source, read_assessments};
/// let table = "topic\titem\tassessor\tgrade\tseconds\nA.1\t42\tada\tHigh\t31.5\n";
/// let rows = read_assessments(Source::bytes("ada.tsv", table))?;
/// assert_eq!((rows[0].item.as_str(), rows[0].verdict.as_str()), ("42", "High"));
/// # Ok::<(), formats::Error>(())
/// ```
///
/// # Errors
///
/// When it cannot be read, lacks a column, or a row lacks what it must have.
pub fn read_assessments(source: Source<'_>) -> Result<Vec<Assessment>, Error> {
    let source = source.read()?;
    let delimiter = Delimiter::of(&source.text);
    let mut records = Records::new(&source.name, source.text.as_bytes(), delimiter, Quoting::Csv);
    if !records.advance()? {
        return Err(Error::File { file: source.name, reason: "the table is empty".to_owned() });
    }
    let columns = Columns::find(&Header::new(records.record())).map_err(|reason| records.bad(0, reason))?;
    let mut rows = Vec::new();
    while records.advance()? {
        let record = records.record();
        let field = |column: usize| record.get(column).map_or("", str::trim);
        let optional =
            |column: Option<usize>| column.map(field).filter(|text| !text.is_empty()).map(str::to_owned);
        for (name, column) in [
            ("topic", columns.topic),
            ("item", columns.item),
            ("assessor", columns.assessor),
            ("verdict", columns.verdict),
        ] {
            if field(column).is_empty() {
                return Err(records.bad(column, format!("the {name} is empty")));
            }
        }
        let seconds = match optional(columns.seconds) {
            None => None,
            Some(text) => match text.parse::<f64>() {
                Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => Some(seconds),
                _ => {
                    let reason = format!("{text:?} is no number of seconds");
                    return Err(records.bad(columns.seconds.unwrap_or(0), reason));
                }
            },
        };
        rows.push(Assessment {
            place: records.place(columns.topic),
            topic: TopicId::from(field(columns.topic)),
            item: field(columns.item).to_owned(),
            instance: optional(columns.instance),
            assessor: field(columns.assessor).to_owned(),
            verdict: field(columns.verdict).to_owned(),
            seconds,
            comment: optional(columns.comment).unwrap_or_default(),
            stage: optional(columns.stage),
            at: optional(columns.at),
        });
    }
    Ok(rows)
}

/// Writes a table that [`read_assessments`] reads, cut at tabs.
#[must_use]
pub fn write_assessments(rows: &[Assessment]) -> String {
    let mut out = String::from("topic\titem\tinstance\tstage\tassessor\tverdict\tseconds\tat\tcomment\n");
    for row in rows {
        let seconds = row.seconds.map_or_else(String::new, |seconds| seconds.to_string());
        let fields = [
            row.topic.as_str(),
            &row.item,
            row.instance.as_deref().unwrap_or_default(),
            row.stage.as_deref().unwrap_or_default(),
            &row.assessor,
            &row.verdict,
            &seconds,
            row.at.as_deref().unwrap_or_default(),
            &row.comment,
        ];
        let quoted: Vec<_> = fields.into_iter().map(quote).collect();
        out.push_str(&quoted.join("\t"));
        out.push('\n');
    }
    out
}

/// Where the columns are.
struct Columns {
    topic: usize,
    item: usize,
    instance: Option<usize>,
    assessor: usize,
    verdict: usize,
    seconds: Option<usize>,
    comment: Option<usize>,
    stage: Option<usize>,
    at: Option<usize>,
}

impl Columns {
    fn find(header: &Header) -> Result<Self, String> {
        let must = |names: &[&str]| {
            header.find(names).ok_or_else(|| {
                let first = names.first().copied().unwrap_or_default();
                format!("no column {first}; the columns are {}", header.names())
            })
        };
        Ok(Self {
            topic: must(&["topic", "query", "query_id", "topic_id"])?,
            item: must(&["item", "document", "doc", "answer", "answer_id", "post_id", "visual_id"])?,
            instance: header.find(&["instance", "formula", "formula_id"]),
            assessor: must(&["assessor", "worker", "judge"])?,
            verdict: must(&["verdict", "grade", "relevance", "judgment"])?,
            seconds: header.find(&["seconds", "time"]),
            comment: header.find(&["comment"]),
            stage: header.find(&["stage", "round"]),
            at: header.find(&["at", "date"]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Assessment>, Error> {
        read_assessments(Source::bytes("t.tsv", text))
    }

    #[test]
    fn what_is_written_is_read_back() {
        let rows = read(
            "Assessor,Item,Topic,Grade,Comment,Instance,Time\n\
             ada,7,B.1,3,\"says \"\"yes\"\",\ttwice\nor so\",99,4.25\nbob,8,B.1,do not know,,,\n",
        )
        .unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].comment, "says \"yes\",\ttwice\nor so");
        assert_eq!((rows[0].seconds, rows[0].instance.as_deref()), (Some(4.25), Some("99")));
        let again = read(&write_assessments(&rows)).unwrap();
        let without_place = |rows: &[Assessment]| -> Vec<Assessment> {
            let place = Place { file: String::new(), line: 0, column: None };
            rows.iter().map(|row| Assessment { place: place.clone(), ..row.clone() }).collect()
        };
        assert_eq!(without_place(&again), without_place(&rows));
    }

    #[test]
    fn what_is_missing_is_told_with_its_place() {
        for (text, message) in [
            ("", "t.tsv: the table is empty"),
            ("topic\titem\tgrade\n", "t.tsv:1:1: no column assessor; the columns are topic, item, grade"),
            ("topic\titem\tassessor\tgrade\nA.1\t\ta\t3\n", "t.tsv:2:5: the item is empty"),
            ("topic\titem\tassessor\tgrade\ttime\nA.1\t1\ta\t3\t-1\n", "\"-1\" is no number of seconds"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(message), "{error} should say {message}");
        }
    }
}
