//! Task 3 of a lab as those find it who come later: judged answers, and references for answers that nobody judged.

use crate::error::{Error, Result};
use crate::folder::Lab;
use crate::manifest::{PoolKind, Rules};
use crate::report::{Posts, contributed, flags, qrels, training_topics};
use eval::task3::{Normalisation, TeamReferences};
use formats::check::Task;
use formats::qrels::Qrels;
use formats::task3::Task3Answer;
use formats::{DocId, Flags, RunTag, TopicId};
use labreport::PostTexts as _;
use std::collections::BTreeSet;

/// What a lab knows of the answers to the questions of a set.
#[derive(Debug)]
pub struct AnsweredTask {
    /// The judgments of Task 3.
    pub qrels: Qrels,
    /// The topics that were set apart for training: as in the report, no result is over them.
    pub train: BTreeSet<TopicId>,
    /// What assessors said of answers beside their grades.
    pub flags: Option<Flags>,
    /// The runs of Task 3.
    pub runs: Vec<AnsweredRun>,
    /// The relevant answers of Task 3, and the relevant posts of Task 1 that are no longer than an answer may be.
    pub references: TeamReferences,
    /// Whether the posts of Task 1 are among the references; where not, why.
    pub without_posts: Option<&'static str>,
}

/// A run of Task 3.
#[derive(Debug)]
pub struct AnsweredRun {
    /// Its name: that of its file, without the ending.
    pub name: String,
    /// The team.
    pub team: String,
    /// Its answers.
    pub answers: Vec<Task3Answer>,
}

impl AnsweredRun {
    /// The id under which each answer was judged.
    pub fn ids(&self) -> impl Iterator<Item = (TopicId, String)> {
        let filled = self.answers.iter().filter(|answer| !answer.answer.trim().is_empty());
        filled
            .map(|answer| (answer.topic.clone(), pool::answer_id(&answer.topic, &answer.answer).to_string()))
    }
}

impl Lab {
    /// Reads the judged answers and the references of Task 3 on a set of topics, the current one if none is named.
    ///
    /// # Errors
    ///
    /// When the lab has no Task 3, nothing was judged yet, or a file of the lab is missing or was changed.
    pub fn answered(&self, set: Option<&str>, normalisation: Normalisation) -> Result<AnsweredTask> {
        let set = self.manifest().set(set)?.name.clone();
        if self.manifest().rules != Rules::Arqmath || !self.manifest().tasks.contains(&3) {
            return Err(Error::asked("the lab has no task 3"));
        }
        let Some((judged, _)) = qrels(self, Task::Task3, &set)? else {
            return Err(Error::asked(format!(
                "the lab has no judgments of task 3 for the set {set} yet; `hypatia lab qrels` makes them"
            )));
        };
        let train = training_topics(self, Task::Task3, &set)?;
        let tested = judged.only(|topic| !train.contains(topic));
        let pool = self.pool(PoolKind::of(Task::Task3), &set)?;
        let mut references = TeamReferences::new(normalisation);
        let mut runs = Vec::new();
        for system in self.systems()?.into_iter().filter(|system| system.task == Task::Task3) {
            let Some(submission) = system.on(&set) else { continue };
            let brought = pool.as_ref().map(|pool| contributed(pool, Task::Task3, &system));
            let contributed = |topic: &TopicId, id: DocId<'_>| {
                brought.as_ref().is_none_or(|items| items.contains(topic, id.as_str()))
            };
            let answers = self.answers(submission)?.answers;
            let run = AnsweredRun { name: submission.name().to_owned(), team: system.team, answers };
            let ids: Vec<(TopicId, String)> = run.ids().collect();
            let texts = run.answers.iter().filter_map(|answer| {
                let (_, id) = ids.iter().find(|(topic, _)| *topic == answer.topic)?;
                Some((answer.topic.clone(), DocId(id), answer.answer.as_str()))
            });
            references.add_answers(&run.team, RunTag::from(run.name.as_str()), texts, contributed, &tested);
            runs.push(run);
        }
        let without_posts = self.add_posts(&set, &train, &mut references)?;
        let flags = flags(self, &set)?;
        Ok(AnsweredTask { qrels: judged, train, flags, runs, references, without_posts })
    }

    /// Adds the relevant posts of Task 1, and says why if there are none.
    fn add_posts(
        &self,
        set: &str,
        train: &BTreeSet<TopicId>,
        references: &mut TeamReferences,
    ) -> Result<Option<&'static str>> {
        if !self.manifest().tasks.contains(&1) {
            return Ok(Some("the lab has no task 1"));
        }
        let Some((judged, _)) = qrels(self, Task::Task1, set)? else {
            return Ok(Some("the lab has no judgments of task 1 yet"));
        };
        let judged = judged.only(|topic| !train.contains(topic));
        let known = self.known()?;
        let Some(posts) = known.collection().map(Posts) else {
            return Ok(Some("the lab has no collection"));
        };
        references.add_posts(&judged, |post| posts.text(post));
        let pool = self.pool(PoolKind::of(Task::Task1), set)?;
        for system in self.systems()?.into_iter().filter(|system| system.task == Task::Task1) {
            let Some(submission) = system.on(set) else { continue };
            let run = self.run(Task::Task1, submission)?;
            let returned =
                run.topics().flat_map(|topic| topic.rows().map(move |row| (topic.id().clone(), row.doc())));
            let tag = RunTag::from(submission.name());
            let brought = pool.as_ref().map(|pool| contributed(pool, Task::Task1, &system));
            let contributed = |topic: &TopicId, id: DocId<'_>| {
                brought.as_ref().is_none_or(|items| items.contains(topic, id.as_str()))
            };
            let text = |post: DocId<'_>| posts.text(post);
            references.add_ranking(&system.team, tag, returned, contributed, &judged, text);
        }
        Ok(None)
    }
}
