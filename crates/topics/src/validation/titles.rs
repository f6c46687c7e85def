//! A title must find its thread, in which it does not stand any more.

use super::{HIGH, Kind, Set, UNTITLED, answers_to, is_answered, questions};
use crate::Error;
use crate::question::{Maker, Shown};
use formats::Topic;
use stats::rng::Rng;
use store::{Collection, Cut, PostNo};

pub(super) fn make(source: &Collection, count: usize, mut rng: Rng) -> Result<Set, Error> {
    let mut asked: Vec<PostNo> =
        questions(source).filter(|question| is_answered(source, *question)).collect();
    // Where few questions have a title, systems that search titles would be measured without them.
    let count = count.min(questions(source).count() / UNTITLED);
    rng.shuffle(&mut asked);
    let mut cut = Cut::new(source);
    let mut maker = Maker::new(source);
    let mut draft = Kind::Titles.draft(&["question", "change"]);
    for question in asked {
        if cut.num_titles() == count {
            break;
        }
        let topic = maker.topic(question, &draft.next_id(), &Shown::default())?;
        if topic.title.is_none() {
            continue;
        }
        let topic = Topic { question: None, tags: Vec::new(), formulas: Vec::new(), thread: None, ..topic };
        cut.title(question);
        let id = source.post_id(question).to_string();
        draft.push(topic, answers_to(source, question, HIGH), &[&id, "title left out"]);
    }
    Kind::Titles.finish(draft, Some(cut))
}
