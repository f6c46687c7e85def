//! The two forms in which pya0 keeps queries picked by hand.

use super::read::Builder;
use super::tables::read_keywords;
use super::{Formula, Keyword, Role, Topic, arqmath};
use crate::delimited::{Delimiter, Header, Quoting, Records};
use crate::error::{Error, Place};
use crate::json::{self, Pairs};
use crate::source::SourceText;
use serde_json::Value;

/// Whether a table with these columns is one of pya0's.
pub(super) fn has_columns(header: &Header) -> bool {
    header.find(&["qid"]) == Some(0) && header.find(&["term"]) == Some(1)
}

/// Columns: `qid`, keywords separated by commas, then one formula a column.
pub(super) fn read_tsv(source: &SourceText, builder: &mut Builder) -> Result<(), Error> {
    let mut records = Records::new(&source.name, source.text.as_bytes(), Delimiter::Tab, Quoting::Csv);
    if records.advance()? && !has_columns(&Header::new(records.record())) {
        return Err(records.bad(0, "a header that begins with qid and term was expected"));
    }
    while records.advance()? {
        let record = records.record();
        let mut topic = Topic::new(record.get(0).unwrap_or_default().trim());
        topic.keywords = read_keywords(record.get(1).unwrap_or_default());
        topic.formulas = record.iter().skip(2).filter(|tex| !tex.is_empty()).map(query).collect();
        builder.push(topic, records.place(0))?;
    }
    Ok(())
}

/// An array of objects with `qid`, `tags`, and `kw`, a list of `type` and `str`.
pub(super) fn read_json(source: &SourceText, builder: &mut Builder) -> Result<(), Error> {
    let objects: Vec<Pairs<Value>> = json::read(source)?;
    for (object, number) in objects.into_iter().zip(1..) {
        let refuse = |what: &str| Error::File {
            file: source.name.clone(),
            reason: format!("object {number}: {what}"),
        };
        let mut topic = Topic::new("");
        for (name, value) in object.0 {
            match name.as_str() {
                "qid" => {
                    let id = json::plain(&value).ok_or_else(|| refuse("qid is not a string"))?;
                    topic.id = id.trim().into();
                }
                "tags" => {
                    topic.tags = tags(&value).ok_or_else(|| refuse("tags are not a list of strings"))?;
                }
                "kw" => {
                    let items = value.as_array().ok_or_else(|| refuse("kw is not a list"))?;
                    for item in items {
                        let text = |name| item.get(name).and_then(Value::as_str);
                        match (text("type"), text("str")) {
                            (Some("term"), Some(term)) => {
                                topic.keywords.push(Keyword { id: None, text: term.to_owned() });
                            }
                            (Some("tex"), Some(tex)) => topic.formulas.push(query(tex)),
                            _ => return Err(refuse("kw holds something without type term or tex and str")),
                        }
                    }
                }
                _ => {}
            }
        }
        if topic.id.as_str().is_empty() {
            return Err(refuse("there is no qid"));
        }
        let place =
            Place { file: source.name.clone(), line: line_of(source, topic.id.as_str()), column: None };
        builder.push(topic, place)?;
    }
    Ok(())
}

/// The line on which an id is last written: JSON values carry no places.
fn line_of(source: &SourceText, id: &str) -> usize {
    let quoted = format!("\"{id}\"");
    source.text.rfind(&quoted).map_or(1, |at| source.place(at).line)
}

fn query(tex: &str) -> Formula {
    let mut formula = Formula::new(Role::Query);
    formula.latex = Some(tex.to_owned());
    formula
}

fn tags(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Null => Some(Vec::new()),
        Value::String(text) => Some(arqmath::read_tags(text)),
        Value::Array(list) => list.iter().map(|tag| tag.as_str().map(str::to_owned)).collect(),
        _ => None,
    }
}
