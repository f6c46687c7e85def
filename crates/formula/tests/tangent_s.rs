//! Tangent-S's own scores for the judged pool, on the real data if it is there.

use formula::opt::Opt;
use formula::similarity::tangent_s::{Aligner, Effort, Prepared};
use formula::slt::Slt;
use std::collections::BTreeMap;

/// Takes off the quotes with backslashes that a table put around strings with a quotation mark. The marks inside
/// stay doubled: so they were when the labs scored them, where `V!""` is a word and not a letter.
fn unquoted(text: &str) -> String {
    let text = text.trim();
    let inner = text.strip_prefix("\\\"").and_then(|rest| rest.strip_suffix("\\\"")).unwrap_or(text);
    inner.replace("\\\"", "\"")
}

fn check(column: &str, prepare: impl Fn(&str) -> Prepared, exceptions: &[&str]) {
    let Some(data) = testkit::data_dir() else {
        return testkit::skip("the real data is not there");
    };
    let queries: BTreeMap<String, Prepared> = testkit::read_tsv(&data.join("arqmath1-pool/queries.tsv"))
        .into_iter()
        .map(|row| (row["topic"].clone(), prepare(&unquoted(&row[column]))))
        .collect();
    let mut aligner = Aligner::default();
    let (mut compared, mut different) = (0, Vec::new());
    for row in testkit::read_tsv(&data.join("arqmath1-pool/pool.tsv")) {
        let candidate = unquoted(&row[column]);
        let Some(stored) = row[&format!("{column}_scores")].strip_prefix('[') else {
            assert_eq!(candidate, "");
            continue;
        };
        let stored: Vec<f64> =
            stored.trim_end_matches(']').split(',').map(|score| score.parse().expect("a number")).collect();
        let alignment = aligner.align(&queries[&row["topic"]], &prepare(&candidate));
        assert_eq!(alignment.effort, Effort::Full, "{candidate}");
        let scores = [alignment.scores.mss, alignment.scores.precision, alignment.scores.recall];
        compared += 1;
        if stored.iter().zip(scores).any(|(stored, score)| (stored - score).abs() > 1e-6) {
            different.push(candidate);
        }
    }
    assert!(compared > 3_900, "{compared}");
    assert_eq!(different, exceptions, "of {compared}");
}

#[test]
fn layout_scores_are_those_of_the_labs() {
    // The stored precision is 2/5, so the labs scored a candidate of five nodes; what stood between the two
    // letters was lost from the pool's string.
    check("slt", |text| Prepared::from(&Slt::read(text).unwrap()), &["[V!a[[V!b]]]"]);
}

#[test]
fn operator_scores_are_those_of_the_labs() {
    check("opt", |text| Prepared::from(&Opt::read(text).unwrap()), &[]);
}
