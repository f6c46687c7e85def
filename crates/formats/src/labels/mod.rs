//! What organisers say about topics: how hard they are, what kind, and so on.
//!
//! The files of the years differ in columns and words; here each label has one
//! name and each value one spelling, with the given one kept beside it:
//!
//! | name | also called | values |
//! | --- | --- | --- |
//! | `type` | TopicType, Category | Computation (also Calculation), Concept, Proof |
//! | `difficulty` | | Low (also Easy), Medium, High (also Hard) |
//! | `complexity` | | Low, Medium, High |
//! | `dependence` | Dependency | Text, Formula, Both |
//! | `multi-part` | Multi-Part | as given |
//!
//! All other columns keep their names, runs of blanks made one.

mod read;

pub use read::read_labels;

use crate::ids::TopicId;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

/// The labels of topics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopicLabels {
    names: Vec<String>,
    topics: HashMap<TopicId, BTreeMap<String, Label>>,
}

/// The value of a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// In the spelling that serves all years.
    pub value: String,
    /// As the file has it.
    pub given: String,
}

/// Topics that share the value of a label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stratum {
    /// The value.
    pub value: String,
    /// The topics in the order people list them.
    pub topics: Vec<TopicId>,
}

/// Why labels cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LabelError {
    /// There is no label of that name.
    #[error("no label {name:?}; there are: {}", known.join(", "))]
    Unknown {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// Two files contradict each other.
    #[error("topic {topic}: {name} is {one} in one file and {other} in the other")]
    Contradiction {
        /// The topic.
        topic: TopicId,
        /// The label.
        name: String,
        /// One value.
        one: String,
        /// The other.
        other: String,
    },
}

impl TopicLabels {
    /// The names of the labels, in the order of the file.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many topics have labels.
    #[must_use]
    pub fn len(&self) -> usize {
        self.topics.len()
    }

    /// Whether no topic has any.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.topics.is_empty()
    }

    /// A label of a topic; the name may be that of any year.
    ///
    /// # Errors
    ///
    /// When no topic has a label of that name.
    pub fn get(&self, topic: &str, name: &str) -> Result<Option<&Label>, LabelError> {
        let name = self.resolve(name)?;
        Ok(self.topics.get(topic).and_then(|labels| labels.get(name)))
    }

    /// The topics by the value of a label, Low before Medium before High,
    /// numbers by size, others by the alphabet. Topics without the label are in
    /// no stratum.
    ///
    /// ```
    /// use formats::{Source, read_labels};
    /// let text = "Topic,Difficulty\nA.2,Hard\nA.10,Easy\nA.1,Low\n";
    /// let (labels, _) = read_labels(Source::bytes("labels.csv", text))?;
    /// let strata = labels.strata("difficulty").unwrap();
    /// let values: Vec<&str> = strata.iter().map(|stratum| stratum.value.as_str()).collect();
    /// assert_eq!(values, ["Low", "High"]);
    /// assert_eq!(strata[0].topics[1].as_str(), "A.10");
    /// # Ok::<(), formats::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When no topic has a label of that name.
    pub fn strata(&self, name: &str) -> Result<Vec<Stratum>, LabelError> {
        let name = self.resolve(name)?;
        let mut strata: Vec<Stratum> = Vec::new();
        for (topic, labels) in &self.topics {
            let Some(label) = labels.get(name) else { continue };
            match strata.iter_mut().find(|stratum| stratum.value == label.value) {
                Some(stratum) => stratum.topics.push(topic.clone()),
                None => strata.push(Stratum { value: label.value.clone(), topics: vec![topic.clone()] }),
            }
        }
        strata.sort_by(|left, right| compare_values(&left.value, &right.value));
        for stratum in &mut strata {
            stratum.topics.sort_by(TopicId::natural_cmp);
        }
        Ok(strata)
    }

    /// Adds the labels of another file.
    ///
    /// # Errors
    ///
    /// When both have a label for a topic with different values; nothing of
    /// the other file is added then.
    pub fn merge(&mut self, other: Self) -> Result<(), LabelError> {
        for (topic, labels) in &other.topics {
            let own = self.topics.get(topic);
            for (name, label) in labels {
                if let Some(before) = own.and_then(|own| own.get(name))
                    && before.value != label.value
                {
                    let (one, other) = (before.value.clone(), label.value.clone());
                    return Err(LabelError::Contradiction {
                        topic: topic.clone(),
                        name: name.clone(),
                        one,
                        other,
                    });
                }
            }
        }
        for name in other.names {
            self.add_name(&name);
        }
        for (topic, labels) in other.topics {
            let own = self.topics.entry(topic).or_default();
            for (name, label) in labels {
                own.entry(name).or_insert(label);
            }
        }
        Ok(())
    }

    fn resolve(&self, name: &str) -> Result<&str, LabelError> {
        let wanted = squash(&canonical_name(name));
        let found = self.names.iter().find(|known| squash(known) == wanted);
        found
            .map(String::as_str)
            .ok_or_else(|| LabelError::Unknown { name: name.to_owned(), known: self.names.clone() })
    }

    fn add_name(&mut self, name: &str) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
    }

    /// Adds a value; one that is empty says nothing.
    fn add(&mut self, topic: &TopicId, name: &str, given: &str) {
        self.add_name(name);
        if !given.is_empty() {
            let label = Label { value: canonical_value(name, given), given: given.to_owned() };
            if let Some(labels) = self.topics.get_mut(topic) {
                labels.insert(name.to_owned(), label);
            }
        }
    }
}

fn squash(name: &str) -> String {
    name.chars()
        .filter(|c| !c.is_whitespace() && *c != '-' && *c != '_')
        .flat_map(char::to_lowercase)
        .collect()
}

fn canonical_name(name: &str) -> String {
    match squash(name).as_str() {
        "type" | "topictype" | "category" => "type".to_owned(),
        "dependence" | "dependency" => "dependence".to_owned(),
        "difficulty" => "difficulty".to_owned(),
        "complexity" => "complexity".to_owned(),
        "multipart" => "multi-part".to_owned(),
        _ => name.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

fn canonical_value(name: &str, given: &str) -> String {
    let lower = given.to_lowercase();
    let canonical = match (name, lower.as_str()) {
        ("difficulty" | "complexity", "low" | "easy") => "Low",
        ("difficulty" | "complexity", "medium") => "Medium",
        ("difficulty" | "complexity", "high" | "hard") => "High",
        ("type", "calculation" | "computation") => "Computation",
        ("type", "concept") => "Concept",
        ("type", "proof") => "Proof",
        ("dependence", "text") => "Text",
        ("dependence", "formula") => "Formula",
        ("dependence", "both") => "Both",
        _ => given,
    };
    canonical.to_owned()
}

fn compare_values(left: &str, right: &str) -> Ordering {
    let level = |value: &str| ["Low", "Medium", "High"].iter().position(|level| *level == value);
    match (level(left), level(right)) {
        (Some(left), Some(right)) => return left.cmp(&right),
        (Some(_), None) => return Ordering::Less,
        (None, Some(_)) => return Ordering::Greater,
        (None, None) => {}
    }
    match (left.parse::<f64>(), right.parse::<f64>()) {
        (Ok(a), Ok(b)) => a.total_cmp(&b).then_with(|| left.cmp(right)),
        (Ok(_), Err(_)) => Ordering::Less,
        (Err(_), Ok(_)) => Ordering::Greater,
        (Err(_), Err(_)) => left.cmp(right),
    }
}
