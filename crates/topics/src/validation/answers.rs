//! A question must find its own answers, in a collection without questions.

use super::{HIGH, Kind, Set, answers_to, is_answered, questions};
use crate::Error;
use crate::question::{Maker, Shown};
use formats::Topic;
use stats::rng::Rng;
use store::{Collection, Cut, PostNo};

pub(super) fn make(source: &Collection, count: usize, mut rng: Rng) -> Result<Set, Error> {
    let mut asked: Vec<PostNo> =
        questions(source).filter(|question| is_answered(source, *question)).collect();
    rng.shuffle(&mut asked);
    asked.truncate(count);
    let mut cut = Cut::new(source);
    questions(source).for_each(|question| cut.post(question));
    let mut maker = Maker::new(source);
    let mut draft = Kind::Answers.draft(&["question", "change"]);
    for question in asked {
        let topic = maker.topic(question, &draft.next_id(), &Shown::default())?;
        let topic = Topic { formulas: Vec::new(), thread: None, ..topic };
        let id = source.post_id(question).to_string();
        draft.push(topic, answers_to(source, question, HIGH), &[&id, "all questions left out"]);
    }
    Kind::Answers.finish(draft, Some(cut))
}
