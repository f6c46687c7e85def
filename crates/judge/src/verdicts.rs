//! Verdicts of a model as a file: a table with a header that no reader of judgments takes.
//!
//! Its columns, with tabs between them, are topic, run, model_grade, model and what the model said.
//! A grade that the model did not give is `-`.

use crate::Verdict;
use collection::{RunTag, TopicId};

/// The header of the table.
pub const HEADER: &str = "topic\trun\tmodel_grade\tmodel\tsaid";

/// Writes a row of the table.
pub fn push_row(out: &mut String, topic: &TopicId, run: &RunTag, model: &str, verdict: &Verdict) {
    let grade = verdict.grade.map_or_else(|| "-".to_owned(), |grade| grade.to_string());
    let plain = |text: &str| text.replace(['\t', '\n', '\r'], " ");
    out.push_str(&format!(
        "{}\t{}\t{grade}\t{}\t{}\n",
        plain(topic.as_str()),
        plain(run.as_str()),
        plain(model),
        plain(&verdict.said)
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use collection::Source;
    use collection::qrels::{Qrels, Scale};

    #[test]
    fn verdicts_are_no_judgments() {
        let mut out = format!("{HEADER}\n");
        let verdict = Verdict { grade: Some(2), said: "2. It\tis.".to_owned() };
        push_row(&mut out, &TopicId::from("A.1"), &RunTag::from("us"), "oracle", &verdict);
        let none = Verdict { grade: None, said: "Well".to_owned() };
        push_row(&mut out, &TopicId::from("A.2"), &RunTag::from("us"), "oracle", &none);
        assert_eq!(out, format!("{HEADER}\nA.1\tus\t2\toracle\t2. It is.\nA.2\tus\t-\toracle\tWell\n"));
        assert!(Qrels::read(Source::bytes("verdicts", out), Scale::Task3).is_err());
    }
}
