//! One answer for a topic, taken from something with more: the first of a
//! ranking, or the best that was judged.

use super::error::Task3Error;
use super::grades::grade_of;
use super::relevance::{Relevance, RelevanceConfig, relevance};
use formats::qrels::Qrels;
use formats::run::{Run, RunRow};
use formats::{DocId, TopicId};
use std::cmp::Ordering;

/// The first answer of each topic of a Task 1 run, so that it can be scored as a Task 3 run.
///
/// As in the lab's script it is the one with the highest score, among equal
/// scores the one with the lowest rank, and among equal ranks the one whose id
/// is higher as a string of bytes. This is not trec_eval's order, which does
/// not look at ranks.
///
/// # Errors
///
/// When a rank is no whole number.
pub fn first_answers(run: &Run) -> Result<Vec<(TopicId, DocId<'_>)>, Task3Error> {
    let mut answers = Vec::new();
    for topic in run.topics() {
        let mut first: Option<(f64, i64, DocId<'_>)> = None;
        for row in topic.rows() {
            let candidate = (row.score(), rank(row)?, row.doc());
            if first.is_none_or(|first| stands_before(candidate, first)) {
                first = Some(candidate);
            }
        }
        answers.extend(first.map(|(_, _, doc)| (topic.id().clone(), doc)));
    }
    Ok(answers)
}

fn stands_before(left: (f64, i64, DocId<'_>), right: (f64, i64, DocId<'_>)) -> bool {
    let by_score = left.0.partial_cmp(&right.0).unwrap_or(Ordering::Equal);
    by_score.then_with(|| right.1.cmp(&left.1)).then_with(|| left.2.cmp(&right.2)).is_gt()
}

fn rank(row: RunRow<'_>) -> Result<i64, Task3Error> {
    let text = row.rank_text();
    text.trim().parse().map_err(|_| Task3Error::Rank { place: row.place(), text: text.to_owned() })
}

/// The best judged answer of each topic; the first in the file of several.
#[must_use]
pub fn best_answers(qrels: &Qrels) -> Vec<(TopicId, DocId<'_>)> {
    let mut answers = Vec::new();
    for topic in qrels.topics() {
        let mut best: Option<(i32, DocId<'_>)> = None;
        for row in topic.rows() {
            let Some(grade) = grade_of(row.judgment()) else { continue };
            if best.is_none_or(|(highest, _)| grade > highest) {
                best = Some((grade, row.doc()));
            }
        }
        answers.extend(best.map(|(_, doc)| (topic.id().clone(), doc)));
    }
    answers
}

/// The highest AR and P@1 that any choice of judged answers can have.
///
/// # Errors
///
/// Never for judgments that were read: they hold a topic once.
pub fn highest_possible(qrels: &Qrels, config: &RelevanceConfig) -> Result<Relevance, Task3Error> {
    relevance(best_answers(qrels), qrels, config)
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::Source;
    use formats::qrels::Scale;
    use formats::run::RunKind;

    fn check(rows: &str, expected: &[(&str, &str)]) {
        let run = Run::read(Source::bytes("run", rows), RunKind::Documents).unwrap();
        let answers = first_answers(&run).unwrap();
        let answers: Vec<_> = answers.iter().map(|(topic, doc)| (topic.as_str(), doc.as_str())).collect();
        assert_eq!(answers, expected, "{rows}");
    }

    #[test]
    fn score_then_rank_then_id_decide() {
        check("A.1\t7\t2\t1\tus\nA.1\t5\t1\t1\tus\n", &[("A.1", "5")]);
        check("A.1\t5\t1\t1\tus\nA.1\t70\t1\t1\tus\n", &[("A.1", "70")]);
        check("A.1\t9\t1\t1\tus\nA.1\t5\t2\t3\tus\nA.2\t4\t1\t-1\tus\n", &[("A.1", "5"), ("A.2", "4")]);
        check("A.1\t9\t2\t0.0\tus\nA.1\t5\t1\t-0.0\tus\n", &[("A.1", "5")]);
    }

    #[test]
    fn a_rank_that_is_none_is_placed() {
        let run = Run::read(Source::bytes("run", "A.1\t5\tfirst\t1\tus\n"), RunKind::Documents).unwrap();
        let error = first_answers(&run).unwrap_err();
        assert_eq!(error.to_string(), "run:1: the rank \"first\" is no whole number");
    }

    #[test]
    fn the_best_that_can_be_had() {
        let rows = "A.1 0 a 0\nA.1 0 b 3\nA.2 0 c 5\nA.2 0 d 1\nA.3 0 e 6\nA.4 0 f -1\n";
        let (qrels, _) = Qrels::read(Source::bytes("q", rows), Scale::Task3).unwrap();
        let highest = highest_possible(&qrels, &RelevanceConfig::default()).unwrap();
        assert_eq!((highest.num_topics(), highest.ar()), (3, Some(4.0 / 3.0)));
        assert_eq!(highest.p_at_1().to_string(), "1/3");
    }
}
