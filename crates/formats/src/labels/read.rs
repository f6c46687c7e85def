//! The forms in which labels come.

use super::{TopicLabels, canonical_name};
use crate::delimited::{Delimiter, Quoting, Records, column_name};
use crate::error::{Error, Note};
use crate::ids::TopicId;
use crate::json::{self, Pairs};
use crate::source::{Source, SourceText};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// Reads labels: a table with a header, separated by commas or tabs; two
/// columns `topic` and complexity without one; or a JSON object of objects.
///
/// # Errors
///
/// When the file cannot be read or is damaged, and when a topic is there twice.
pub fn read_labels(source: Source<'_>) -> Result<(TopicLabels, Vec<Note>), Error> {
    let source = source.read()?;
    match source.text.trim_start().chars().next() {
        Some('{') => read_json(&source),
        Some('[') => {
            let place = source.place(source.text.len() - source.text.trim_start().len());
            let reason = "a JSON list; labels are an object of topics: {\"A.1\": {\"Difficulty\": \"Low\"}}";
            Err(Error::Bad { place, reason: reason.to_owned() })
        }
        Some(_) => Ok((read_table(&source)?, Vec::new())),
        None => Err(Error::File {
            file: source.name,
            reason: "the file is empty; labels were expected".to_owned(),
        }),
    }
}

fn read_table(source: &SourceText) -> Result<TopicLabels, Error> {
    let delimiter = Delimiter::of(&source.text);
    let mut records = Records::new(&source.name, source.text.as_bytes(), delimiter, Quoting::Csv);
    let mut labels = TopicLabels::default();
    let mut lines: HashMap<TopicId, usize> = HashMap::new();
    if !records.advance()? {
        return Ok(labels);
    }
    let first = records.record();
    let with_header = first.get(0).is_some_and(names_topics);
    if !with_header && first.len() != 2 {
        return Err(
            records.bad(0, "the first column must be called Topic, or there must be two without a header")
        );
    }
    let names: Vec<String> = match with_header {
        true => first.iter().map(canonical_name).collect(),
        false => vec!["topic".to_owned(), "complexity".to_owned()],
    };
    for (at, name) in names.iter().enumerate() {
        if names[..at].contains(name) {
            return Err(records.bad(at, format!("a second column for {name}")));
        }
    }
    names.iter().skip(1).for_each(|name| labels.add_name(name));
    let mut more = !with_header || records.advance()?;
    while more {
        let record = records.record();
        if record.len() > names.len() {
            let reason = format!("{} columns where {} were expected", record.len(), names.len());
            return Err(records.bad(names.len(), reason));
        }
        let topic = TopicId::new(record.get(0).unwrap_or_default().trim());
        if topic.as_str().is_empty() {
            return Err(records.bad(0, "labels without a topic"));
        }
        if let Some(line) = lines.insert(topic.clone(), record.line) {
            return Err(records.bad(0, format!("topic {topic} is there twice: on line {line}, too")));
        }
        labels.topics.insert(topic.clone(), BTreeMap::new());
        for (name, given) in names.iter().zip(record.iter()).skip(1) {
            labels.add(&topic, name, given.trim());
        }
        more = records.advance()?;
    }
    Ok(labels)
}

fn read_json(source: &SourceText) -> Result<(TopicLabels, Vec<Note>), Error> {
    let objects: Pairs<Pairs<Value>> = json::read(source)?;
    let mut labels = TopicLabels::default();
    let mut notes = Vec::new();
    for (key, object) in objects.0 {
        let place = || {
            let at = source.text.rfind(&format!("\"{key}\"")).unwrap_or_default();
            source.place(at)
        };
        if names_topics(&key) {
            notes.push(Note {
                place: place(),
                text: format!("{key:?} is no topic but the names of columns; it was left out"),
            });
            continue;
        }
        let topic = TopicId::new(key.trim());
        if labels.topics.insert(topic.clone(), BTreeMap::new()).is_some() {
            return Err(Error::Bad { place: place(), reason: format!("topic {topic} is there twice") });
        }
        for (name, value) in object.0 {
            let Some(given) = json::plain(&value) else {
                let reason = format!("topic {topic}: {name} is neither a word nor a number");
                return Err(Error::Bad { place: place(), reason });
            };
            if !names_topics(&name) {
                labels.add(&topic, &canonical_name(&name), given.trim());
            } else if given.trim() != topic.as_str() {
                let reason = format!("what is said of topic {topic} calls itself {given}");
                return Err(Error::Bad { place: place(), reason });
            }
        }
    }
    Ok((labels, notes))
}

/// Whether a column of this name holds the ids of topics.
fn names_topics(name: &str) -> bool {
    ["topic", "topic_id", "topicid", "topics", "qid", "query", "query_id"]
        .contains(&column_name(name).as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> TopicLabels {
        read_labels(Source::bytes("t", text)).unwrap_or_else(|error| panic!("{text}\n{error}")).0
    }

    fn check_error(text: &str, expected: &str) {
        let error = read_labels(Source::bytes("t", text)).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}\n{error}");
    }

    fn value(labels: &TopicLabels, topic: &str, name: &str) -> Option<String> {
        labels.get(topic, name).unwrap().map(|label| label.value.clone())
    }

    #[test]
    fn the_columns_of_both_years() {
        let one = read(
            "Topic,Dependency,Difficulty,Category,Average  Rating\r\nA.201,Text,Low,Calculation,0.71\r\n",
        );
        let two = read("Topic,Category,Difficulty,Dependency,Multi-Part\nA.301,Computation,Hard,Both,Yes\n");
        assert_eq!(one.names(), ["dependence", "difficulty", "type", "Average Rating"]);
        assert_eq!(value(&one, "A.201", "TopicType").as_deref(), Some("Computation"));
        assert_eq!(one.get("A.201", "type").unwrap().unwrap().given, "Calculation");
        assert_eq!(value(&one, "A.201", "average rating").as_deref(), Some("0.71"));
        assert_eq!(value(&two, "A.301", "difficulty").as_deref(), Some("High"));
        assert_eq!(value(&two, "A.301", "multipart").as_deref(), Some("Yes"));
        let mut both = one;
        both.merge(two).unwrap();
        assert_eq!(both.len(), 2);
        assert_eq!(value(&both, "A.201", "multi-part"), None);
    }

    #[test]
    fn simple_tables() {
        let labels = read("B.1\tLow\nB.2\thigh\n");
        assert_eq!(value(&labels, "B.2", "complexity").as_deref(), Some("High"));
        let labels = read("topic_id\tComplexity\nB.1\tMedium\nB.2\t\n");
        assert_eq!(value(&labels, "B.1", "Complexity").as_deref(), Some("Medium"));
        assert_eq!(value(&labels, "B.2", "Complexity"), None);
        assert_eq!(labels.len(), 2);
    }

    #[test]
    fn json_with_the_names_of_columns_among_the_topics() {
        let text = r#"{"Topic id": {"Difficulty": "Difficulty"}, "A.1": {"Topic": "A.1", "Difficulty": "Easy", "H": 2}}"#;
        let (labels, notes) = read_labels(Source::bytes("t", text)).unwrap();
        assert_eq!(
            notes[0].to_string(),
            "t:1:2: \"Topic id\" is no topic but the names of columns; it was left out"
        );
        assert_eq!((labels.len(), value(&labels, "A.1", "H").as_deref()), (1, Some("2")));
    }

    #[test]
    fn strata_in_order() {
        let labels = read("topic,difficulty,n\n3,Medium,10\n1,High,9\n2,Easy,10\n4,odd,x\n");
        let order = |name: &str| {
            labels.strata(name).unwrap().into_iter().map(|stratum| stratum.value).collect::<Vec<_>>()
        };
        assert_eq!(order("difficulty"), ["Low", "Medium", "High", "odd"]);
        assert_eq!(order("n"), ["9", "10", "x"]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let labels = read("topic,difficulty\n1,Low\n");
        let error = labels.strata("colour").unwrap_err();
        assert_eq!(error.to_string(), "no label \"colour\"; there are: difficulty");
        let error = labels.clone().merge(read("topic,difficulty\n1,Hard\n")).unwrap_err();
        assert_eq!(error.to_string(), "topic 1: difficulty is Low in one file and High in the other");
        check_error("topic,a\n1,x\n1,y\n", "t:3:1: topic 1 is there twice: on line 2, too");
        check_error("topic,type,Category\n", "t:1:12: a second column for type");
        check_error("topic,a\n1,x,y\n", "t:2:5: 3 columns where 2 were expected");
        check_error("topic,a\n,x\n", "t:2:1: labels without a topic");
        check_error("a,b,c\n", "t:1:1: the first column must be called Topic");
        check_error("", "t: the file is empty");
        check_error(r#"{"1": {"a": []}}"#, "t:1:2: topic 1: a is neither");
        check_error("{\"1\": {},\n\"1\": {}}", "t:2:1: topic 1 is there twice");
        check_error(r#"{"1": {"topic": "2"}}"#, "t:1:2: what is said of topic 1 calls itself 2");
        check_error("{\"1\": 3}", "t:1:7: not the JSON expected here: ");
    }
}
