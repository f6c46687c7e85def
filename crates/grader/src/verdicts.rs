//! Verdicts of a model as a file: a table with a header that no reader of judgments takes.
//!
//! Its columns, with tabs between them, are topic, run, model_grade, kappa_with_people, agreement_with_people, model
//! and said. They are not as many as those of judgments or of any run. The agreement stands in every row, so that grades are never passed on without it, whatever becomes of the rest
//! of the table. A grade that the model did not give is `-`.

use crate::{ModelGrade, Trust};
use formats::{RunTag, TopicId};

/// The header of the table.
pub const HEADER: &str = "topic\trun\tmodel_grade\tkappa_with_people\tagreement_with_people\tmodel\tsaid";

/// Writes a row of the table.
pub fn push_row(
    out: &mut String,
    topic: &TopicId,
    run: &RunTag,
    model: &str,
    verdict: &ModelGrade,
    trust: &Trust,
) {
    let grade = verdict.grade.map_or_else(|| "-".to_owned(), |grade| grade.to_string());
    let plain = |text: &str| text.replace(['\t', '\n', '\r'], " ");
    out.push_str(&format!(
        "{}\t{}\t{grade}\t{}\t{}\t{}\t{}\n",
        plain(topic.as_str()),
        plain(run.as_str()),
        trust.kappa(),
        trust.short(),
        plain(model),
        plain(&verdict.said)
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::qrels::{Qrels, Scale};
    use formats::task3::Task3Run;
    use formats::{Source, read_assessments};

    #[test]
    fn verdicts_are_no_judgments_and_none_is_without_the_agreement() {
        let pairs: Vec<(Option<i32>, i32)> = (0..24).map(|number| (Some(number % 4), number % 4)).collect();
        let trust = Trust::of(&pairs, [6; 4], 1);
        let mut rows = String::new();
        let verdict = ModelGrade { grade: Some(2), said: "2. It\tis.".to_owned() };
        push_row(&mut rows, &TopicId::from("A.1"), &RunTag::from("us"), "oracle", &verdict, &trust);
        let none = ModelGrade { grade: None, said: String::new() };
        push_row(&mut rows, &TopicId::from("A.2"), &RunTag::from("us"), "oracle", &none, &trust);
        let agreement = "1.000\tkappa 1.000 [1.000, 1.000] on 24 answers";
        assert_eq!(
            rows,
            format!("A.1\tus\t2\t{agreement}\toracle\t2. It is.\nA.2\tus\t-\t{agreement}\toracle\t\n")
        );
        for text in [format!("{HEADER}\n{rows}"), rows.clone()] {
            let source = || Source::bytes("verdicts", text.clone());
            for scale in [Scale::Plain, Scale::Task3, Scale::Ntcir] {
                assert!(Qrels::read(source(), scale).is_err());
            }
            assert!(Task3Run::read(source()).is_err());
            assert!(read_assessments(source()).is_err());
        }
    }
}
