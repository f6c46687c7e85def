//! References with the teams that found them, which is how a lab compares answers with what others found.
//!
//! The references of a lab are the relevant answers of Task 3 and the relevant posts of Task 1 that are no longer
//! than an answer may be. A report and a run that is scored later build them here, by the same rule.

use super::error::Task3Error;
use super::references::{Contributor, ReferenceTask, References};
use super::text::{ComparedAnswer, Normalisation};
use formats::qrels::Qrels;
use formats::{DocId, RunTag, TopicId};
use std::collections::BTreeSet;

/// References, and which team each run belongs to that contributed some.
#[derive(Clone, Debug)]
pub struct TeamReferences {
    references: References,
    contributors: Vec<(String, Contributor)>,
}

impl TeamReferences {
    /// No references yet; answers are normalised in the given way, here and when they are compared.
    #[must_use]
    pub fn new(normalisation: Normalisation) -> Self {
        Self { references: References::new(normalisation), contributors: Vec::new() }
    }

    /// Adds the relevant answers of a Task 3 run: topic, id and text as it was written. `contributed` says which of
    /// them the run contributed to the pools.
    pub fn add_answers<'a>(
        &mut self,
        team: &str,
        run: RunTag,
        answers: impl IntoIterator<Item = (TopicId, DocId<'a>, &'a str)>,
        contributed: impl Fn(&TopicId, DocId<'a>) -> bool,
        qrels: &Qrels,
    ) {
        self.references.add_task3(&run, answers, contributed, qrels);
        self.contributors.push((team.to_owned(), Contributor { task: ReferenceTask::Task3, run }));
    }

    /// Adds all relevant posts of the judgments of Task 1, whoever returned them. Those that are longer than a
    /// Task 3 answer may be are not used.
    pub fn add_posts<'a>(&mut self, qrels: &'a Qrels, text: impl FnMut(DocId<'a>) -> Option<ComparedAnswer>) {
        self.references.add_judged(qrels, text);
    }

    /// Says what a Task 1 run returned and which of it it contributed to the pools, with the texts as in
    /// [`add_posts`](Self::add_posts).
    pub fn add_ranking<'a>(
        &mut self,
        team: &str,
        run: RunTag,
        returned: impl IntoIterator<Item = (TopicId, DocId<'a>)>,
        contributed: impl Fn(&TopicId, DocId<'a>) -> bool,
        qrels: &Qrels,
        text: impl FnMut(DocId<'a>) -> Option<ComparedAnswer>,
    ) {
        self.references.add_task1(&run, returned, contributed, qrels, text);
        self.contributors.push((team.to_owned(), Contributor { task: ReferenceTask::Task1, run }));
    }

    /// All references.
    #[must_use]
    pub fn all(&self) -> &References {
        &self.references
    }

    /// The references for the answers of a team: all but those that only its own runs contributed to the pools. A team that
    /// took no part in the lab meets all of them.
    ///
    /// # Errors
    ///
    /// Never for teams whose runs were added.
    pub fn for_team(&self, team: &str) -> Result<References, Task3Error> {
        let own: BTreeSet<Contributor> = self
            .contributors
            .iter()
            .filter(|(of, _)| of == team)
            .map(|(_, contributor)| contributor.clone())
            .collect();
        self.references.without_team(&own)
    }

    /// The references and their contributors, each with its team.
    #[must_use]
    pub fn into_parts(self) -> (References, Vec<(String, Contributor)>) {
        (self.references, self.contributors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::Source;
    use formats::qrels::Scale;
    use formats::task3::LONGEST_ANSWER;

    fn qrels(rows: &str) -> Qrels {
        Qrels::read(Source::bytes("q", rows.to_owned()), Scale::Task3).unwrap().0
    }

    #[test]
    fn references_are_relevant_answers_of_task_3_and_relevant_short_posts_of_task_1() {
        let topic = || TopicId::from("A.1");
        let (answers, posts) =
            (qrels("A.1 0 w1 2\nA.1 0 w2 1\n"), qrels("A.1 0 7 3\nA.1 0 8 2\nA.1 0 9 0\n"));
        let text = |id: DocId<'_>| {
            let characters = if id.as_str() == "8" { LONGEST_ANSWER + 1 } else { LONGEST_ANSWER };
            Some(ComparedAnswer { text: format!("post {id}"), characters })
        };
        let mut references = TeamReferences::new(Normalisation::Published);
        references.add_posts(&posts, text);
        let written = [(topic(), DocId("w1"), "one"), (topic(), DocId("w2"), "two")];
        references.add_answers("us", RunTag::new("a".to_owned()), written, |_, _| true, &answers);
        references.add_ranking(
            "us",
            RunTag::new("a".to_owned()),
            [(topic(), DocId("7"))],
            |_, _| true,
            &posts,
            text,
        );
        let texts = |references: &References| -> Vec<String> {
            references.topic(&topic()).iter().map(|reference| reference.text.clone()).collect()
        };
        assert_eq!(texts(references.all()), ["post 7", "one"]);
        assert_eq!(references.all().not_used().len(), 1, "post 8 is longer than an answer may be");
        assert!(texts(&references.for_team("us").unwrap()).is_empty(), "only its own runs returned them");
        assert_eq!(texts(&references.for_team("new").unwrap()), ["post 7", "one"]);
    }
}
