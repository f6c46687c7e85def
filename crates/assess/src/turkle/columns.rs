//! Where in a table of Turkle's results things stand.

use std::collections::BTreeMap;

/// The names of columns, each with other names that are tried after it. Capital letters do not
/// matter. Where a task has several things to be judged, a number stands behind the name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// The topic.
    pub topic: Vec<String>,
    /// The item.
    pub item: Vec<String>,
    /// The instance of a formula; may have numbers.
    pub instance: Vec<String>,
    /// What was said; may have numbers.
    pub verdict: Vec<String>,
    /// The comment; may have numbers.
    pub comment: Vec<String>,
    /// Who said it.
    pub assessor: Vec<String>,
    /// How long the task took.
    pub seconds: Vec<String>,
    /// When it was sent.
    pub sent: Vec<String>,
}

impl Default for Columns {
    /// The names of our own batches, and some that others use.
    fn default() -> Self {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self {
            topic: names(&["Input.topic", "Input.topic_id", "Input.query_id", "Input.query"]),
            item: names(&[
                "Input.item",
                "Input.visual_id",
                "Input.answer_id",
                "Input.post_id",
                "Input.document",
            ]),
            instance: names(&["Input.instance", "Input.formula_id", "Input.formula"]),
            verdict: names(&["Answer.relevance", "Answer.rel", "Answer.grade", "Answer.judgment"]),
            comment: names(&["Answer.comment", "Answer.comments", "Answer.note"]),
            assessor: names(&["Turkle.Username", "WorkerId"]),
            seconds: names(&["WorkTimeInSeconds"]),
            sent: names(&["SubmitTime"]),
        }
    }
}

impl Columns {
    /// The usual names, with others before them: `topic=Input.q, verdict=Answer.choice`.
    ///
    /// # Errors
    ///
    /// When something is no such pair, or there is no such thing; what there is, is told.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut columns = Self::default();
        for pair in text.split([',', ';', '\n']).map(str::trim).filter(|pair| !pair.is_empty()) {
            let Some((thing, name)) = pair.split_once('=') else {
                return Err(format!("{pair:?} is no thing=column, such as topic=Input.q"));
            };
            let (thing, name) = (thing.trim(), name.trim().to_owned());
            if name.is_empty() {
                return Err(format!("{pair:?} names no column"));
            }
            let names = match thing {
                "topic" => &mut columns.topic,
                "item" => &mut columns.item,
                "instance" => &mut columns.instance,
                "verdict" => &mut columns.verdict,
                "comment" => &mut columns.comment,
                "assessor" => &mut columns.assessor,
                "seconds" => &mut columns.seconds,
                "sent" => &mut columns.sent,
                other => {
                    return Err(format!(
                        "{other:?} is nothing that a column has: there are topic, item, instance, verdict, \
                         comment, assessor, seconds and sent"
                    ));
                }
            };
            names.insert(0, name);
        }
        Ok(columns)
    }

    /// The places of the columns in a table.
    pub(super) fn find(&self, header: &[String]) -> Result<Places, String> {
        let one = |names: &[String]| {
            names.iter().find_map(|name| header.iter().position(|column| column.eq_ignore_ascii_case(name)))
        };
        let must = |what: &str, found: Option<usize>, names: &[String]| {
            found.ok_or_else(|| {
                let names = names.join(" or ");
                format!("there is no column for the {what}, {names}; the columns are {}", header.join(", "))
            })
        };
        let verdicts = numbered(header, &self.verdict);
        Ok(Places {
            topic: must("topic", one(&self.topic), &self.topic)?,
            item: must("item", one(&self.item), &self.item)?,
            assessor: must("assessor", one(&self.assessor), &self.assessor)?,
            other_assessor: self
                .assessor
                .iter()
                .skip(1)
                .find_map(|name| header.iter().position(|column| column.eq_ignore_ascii_case(name))),
            verdicts: {
                must("verdict", verdicts.values().next().copied(), &self.verdict)?;
                verdicts
            },
            instances: numbered(header, &self.instance),
            comments: numbered(header, &self.comment),
            seconds: one(&self.seconds),
            sent: one(&self.sent),
        })
    }
}

/// Where the columns are.
pub(super) struct Places {
    pub(super) topic: usize,
    pub(super) item: usize,
    pub(super) assessor: usize,
    /// Who is told where the first column is empty, as for people who did not sign in.
    pub(super) other_assessor: Option<usize>,
    /// By their numbers; 1 where there is none.
    pub(super) verdicts: BTreeMap<usize, usize>,
    pub(super) instances: BTreeMap<usize, usize>,
    pub(super) comments: BTreeMap<usize, usize>,
    pub(super) seconds: Option<usize>,
    pub(super) sent: Option<usize>,
}

/// The columns with the first of these names that there is, by the numbers behind it.
fn numbered(header: &[String], names: &[String]) -> BTreeMap<usize, usize> {
    for name in names {
        let mut found = BTreeMap::new();
        for (at, column) in header.iter().enumerate() {
            let Some((start, rest)) = column.split_at_checked(name.len()) else { continue };
            if !start.eq_ignore_ascii_case(name) {
                continue;
            }
            let digits = rest.strip_prefix(['_', '-', '.']).unwrap_or(rest);
            let number = if rest.is_empty() { Some(1) } else { digits.parse().ok() };
            if let Some(number) = number {
                found.entry(number).or_insert(at);
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    BTreeMap::new()
}
