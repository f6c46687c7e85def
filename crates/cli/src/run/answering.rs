//! Topics answered one after the other, or several at once: what came of each.

use super::given::Inputs;
use super::refused::{Course, Remedy, Unanswered};
use super::topics::threads;
use crate::answers::model::ModelArgs;
use crate::answers::{self, watched::Watched};
use crate::progress::Progress;
use ::formats::task3::Task3Answer;
use ::formats::{Topic, Topics};
use answer::{Answer, Maker, Writer};
use anyhow::{Result, ensure};
use generate::{Continue, Event, Generator};
use retrieve::{Asked, Engine, Query};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::time::Instant;

/// So many answers are asked of a server at once, unless it is said.
const ASKED_AT_ONCE: NonZeroUsize = NonZeroUsize::new(4).expect("four is not zero");

/// How many topics are answered at once.
pub(crate) fn answering_threads(
    asked: Option<NonZeroUsize>,
    is_generative: bool,
    model: &ModelArgs,
) -> NonZeroUsize {
    match (asked, is_generative) {
        (Some(asked), _) => asked,
        // A model in this process takes all cores by itself.
        (None, true) if model.is_local() => NonZeroUsize::MIN,
        (None, true) => ASKED_AT_ONCE,
        (None, false) => threads(None),
    }
}

/// A system that answers, with all that it needs.
pub(crate) struct Answering<'a> {
    pub(crate) maker: &'a Maker,
    pub(crate) engine: &'a Engine,
    pub(crate) inputs: &'a Inputs,
    pub(crate) model: Option<&'a Watched>,
    /// What chance is drawn from, when the model writes.
    pub(crate) seed: u64,
    pub(crate) threads: NonZeroUsize,
    /// The topics themselves, where queries made by hand are searched for in their place.
    pub(crate) originals: Option<&'a Topics>,
    /// What the run is called in its rows.
    pub(crate) tag: &'a str,
}

/// What came of all topics.
#[derive(Default)]
pub(crate) struct Answered {
    /// In the order of topics, without those that the model refused.
    pub(crate) timed: Vec<Timed>,
    /// The answers as rows of a run.
    pub(crate) rows: Vec<Task3Answer>,
    /// How much of what is asked the sources speak of, by topic.
    pub(crate) fits: BTreeMap<String, f64>,
    /// Topics without an answer, and why.
    pub(crate) unanswered: Vec<Unanswered>,
    /// How many of these the model refused.
    pub(crate) refused: usize,
}

/// An answer, and how long it took.
pub(crate) struct Timed {
    pub(crate) answer: Option<Answer>,
    pub(crate) seconds: f64,
}

/// What came of a topic.
enum Made {
    Done(Timed),
    /// The model would not, for this reason.
    Refused(String),
    /// Nobody was asked: the run was over.
    NotRun,
    /// No topic can be answered.
    Failed(anyhow::Error),
}

impl Answering<'_> {
    /// Answers all topics; what is left unanswered is told. `resumed` says how to go on after a failure.
    pub(crate) fn all(&self, topics: &[&Topic], resumed: Option<&str>) -> Result<Answered> {
        let progress = Mutex::new(Progress::items(topics.len() as u64));
        let course = Course::default();
        let made = parallel::map_on(self.threads, topics, |topic| {
            if course.is_over() {
                return Made::NotRun;
            }
            let start = Instant::now();
            let made = match self.one(topic) {
                Ok(answer) => {
                    course.answered();
                    Made::Done(Timed { answer, seconds: start.elapsed().as_secs_f64() })
                }
                Err(error) => match course.failed(&error) {
                    Remedy::GoOn => Made::Refused(format!("{error:#}")),
                    Remedy::GiveUp => Made::Failed(answers::with_hint(error, self.maker.system())),
                },
            };
            if let Ok(mut progress) = progress.lock() {
                progress.advance(1);
            }
            made
        });
        drop(progress);
        self.engine.index().sound()?;
        self.gather(topics, made, resumed)
    }

    fn gather(&self, topics: &[&Topic], made: Vec<Made>, resumed: Option<&str>) -> Result<Answered> {
        let done = made.iter().filter(|made| matches!(made, Made::Done(_))).count();
        let mut answered = Answered::default();
        let mut was_stopped = false;
        for (topic, made) in topics.iter().zip(made) {
            let reason = match made {
                Made::Failed(error) => {
                    let resumed = resumed.map(|resumed| format!(" ({resumed})")).unwrap_or_default();
                    let all = topics.len();
                    return Err(error.context(format!("topic {}, after {done} of {all}{resumed}", topic.id)));
                }
                Made::NotRun => {
                    was_stopped = true;
                    continue;
                }
                Made::Done(one) => {
                    let answer = one.answer.as_ref();
                    answered.rows.extend(answer.map(|answer| answers::row(topic, answer, self.tag)));
                    let fit = answer.and_then(|answer| answer.fit);
                    answered.fits.extend(fit.map(|fit| (topic.id.to_string(), fit)));
                    let is_answered = answer.is_some();
                    answered.timed.push(one);
                    if is_answered {
                        continue;
                    }
                    let is_generative = self.maker.system().is_generative();
                    if is_generative { "the model wrote nothing" } else { "nothing was found to say" }
                        .to_owned()
                }
                Made::Refused(reason) => {
                    answered.refused += 1;
                    reason
                }
            };
            crate::warn(&format!("topic {} has no answer: {reason}", topic.id));
            answered.unanswered.push(Unanswered { topic: topic.id.to_string(), reason });
        }
        ensure!(!was_stopped, "some topics were not run");
        ensure!(answered.refused < topics.len(), "no topic was answered, and no run is written");
        Ok(answered)
    }

    /// The answer to one topic.
    fn one(&self, topic: &Topic) -> Result<Option<Answer>> {
        let query = self.inputs.query(topic);
        // A model is asked the question of the topic, whatever finds its sources.
        let original = self.originals.and_then(|topics| topics.get(topic.id.as_str()));
        let question = original.map(Query::of_topic);
        let writer = self.model.map(|model| {
            let writer = Writer::new(model as &dyn Generator, self.seed);
            match &question {
                Some(question) => writer.for_question(question),
                None => writer,
            }
        });
        let nobody_listens = &mut |_: Event<'_>| Continue::Yes;
        Ok(self.maker.answer(
            self.engine,
            &Asked::answers(&query).for_topic(topic.id.as_str()),
            writer.as_ref(),
            nobody_listens,
        )?)
    }
}
