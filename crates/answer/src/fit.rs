//! Whether a post speaks of what is asked at all. The best of what was found may still be about something else.

use crate::desk::{Desk, Post};
use crate::evidence::{Scales, words_of_question};
use crate::words::{Counts, coverage};

/// How much of what is asked an answer and the question that it answers speak of, from 0 to 1: of the words of
/// the title, each by how rare it is, and of the formulas, each by its size and by how alike the best one is.
pub(crate) fn fit(
    answer: &Post,
    question: Option<&Post>,
    scales: &mut Scales<'_>,
    desk: &mut Desk<'_>,
) -> f64 {
    let mut words = question.map_or_else(Counts::new, |question| words_of_question(question, desk));
    words.extend(&answer.words);
    let Scales { asked, matcher, .. } = scales;
    let of_words: f64 = asked.title.values().sum();
    let of_formulas = asked.formula_weight();
    let whole = of_words + of_formulas;
    if whole == 0.0 {
        return 0.0;
    }
    let formulas: Vec<_> =
        question.into_iter().chain([answer]).flat_map(|post| &post.formulas).cloned().collect();
    let found =
        of_words * coverage(&asked.title, &words) + of_formulas * asked.formulas_in(&formulas, matcher);
    (found / whole).clamp(0.0, 1.0)
}
