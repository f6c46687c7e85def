//! Texts of posts, from a collection or from the collections of an index.

use super::entries::{Answers, Entry};
use anyhow::Result;
use eval::task3::{ComparedAnswer, Match, MatchRule, Normalisation, Share, TopicPosts, source_words};
use formats::qrels::Qrels;
use formats::task3::Task3Answer;
use formats::{DocId, TopicId};
use index::Index;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use store::{Collection, PostNo};

/// Where posts are looked up.
enum Shelf {
    Collection(Box<Collection>),
    Index(Box<Index>),
}

impl Shelf {
    fn open(path: &Path) -> Result<Self> {
        Ok(if path.is_dir() {
            Self::Index(Box::new(Index::open(path)?))
        } else {
            Self::Collection(Box::new(Collection::open(path)?))
        })
    }

    /// Whether all that was read is as it was written.
    fn sound(&self) -> Result<()> {
        match self {
            Self::Collection(collection) => Ok(collection.sound()?),
            Self::Index(index) => Ok(index.sound()?),
        }
    }

    fn find(&self, id: &str) -> Option<(&Collection, PostNo)> {
        match self {
            Self::Collection(collection) => collection.find_post(id).map(|post| (&**collection, post)),
            Self::Index(index) => index.find(id).map(|document| {
                let (source, post) = index.post(document);
                (&source.collection, post)
            }),
        }
    }
}

/// The texts of all posts that are judged or named as a source.
pub(super) struct Posts(HashMap<String, Text>);

/// The text of a post.
struct Text {
    /// As a reference.
    compared: ComparedAnswer,
    /// As an answer with it is written, then tagged as answers are: dollar signs that are read wrongly there
    /// are read wrongly here.
    written: String,
}

impl Posts {
    /// Reads the texts of the posts that judgments and runs name.
    pub(super) fn read(path: &Path, qrels: &Qrels, entries: &[&Entry]) -> Result<Self> {
        let shelf = Shelf::open(path)?;
        let mut wanted: BTreeSet<&str> = BTreeSet::new();
        for topic in qrels.topics() {
            wanted.extend(topic.rows().map(|row| row.doc().as_str()));
        }
        for answer in entries.iter().flat_map(|entry| entry.written()) {
            wanted.extend(source_words(&answer.sources));
        }
        let mut texts = HashMap::new();
        for id in wanted {
            let Some((collection, post)) = shelf.find(id) else { continue };
            let pieces = post::body(&mut collection.reader(), post)?;
            let written = Normalisation::Published.apply(&pieces.plain());
            let compared = ComparedAnswer::from_marked(pieces.text(), post::MARK, pieces.latex());
            texts.insert(id.to_owned(), Text { compared, written });
        }
        shelf.sound()?;
        Ok(Self(texts))
    }

    /// The text of a post, if it is there.
    pub(super) fn get(&self, id: &str) -> Option<&ComparedAnswer> {
        self.0.get(id).map(|text| &text.compared)
    }

    fn written(&self, id: &str) -> Option<&str> {
        self.0.get(id).map(|text| text.written.as_str())
    }

    /// How many of the judged posts are there.
    pub(super) fn judged(&self, qrels: &Qrels) -> Share {
        let judged: BTreeSet<&str> =
            qrels.topics().flat_map(|topic| topic.rows().map(|row| row.doc().as_str())).collect();
        judged.into_iter().map(|id| self.0.contains_key(id)).collect()
    }

    /// Finds out which post each written answer is.
    pub(super) fn find(&self, qrels: &Qrels, entries: &mut [&mut Entry], rule: MatchRule) {
        let shown: Vec<&Entry> = entries.iter().map(|entry| &**entry).collect();
        let topics: Vec<&TopicId> = qrels.topics().map(|topic| topic.id()).collect();
        let found = parallel::map(&topics, |topic| self.find_for(topic, qrels, &shown, rule));
        for (topic, found) in topics.into_iter().zip(found) {
            for (entry, found) in entries.iter_mut().zip(found) {
                if let (Answers::Written { matches, .. }, Some(found)) = (&mut entry.answers, found) {
                    matches.insert(topic.clone(), found);
                }
            }
        }
    }

    /// For each run the post that its answer to a topic is.
    fn find_for(
        &self,
        topic: &TopicId,
        qrels: &Qrels,
        entries: &[&Entry],
        rule: MatchRule,
    ) -> Vec<Option<Match>> {
        let answers: Vec<Option<&Task3Answer>> = entries
            .iter()
            .map(|entry| entry.written().iter().find(|answer| answer.topic == *topic))
            .collect();
        if answers.iter().all(Option::is_none) {
            return entries.iter().map(|_| None).collect();
        }
        let rows = qrels.topic(topic).into_iter().flat_map(|topic| topic.rows());
        let text = |id| Some((id, self.written(id)?));
        let judged: BTreeMap<&str, &str> = rows.filter_map(|row| text(row.doc().as_str())).collect();
        let named: BTreeMap<&str, &str> = answers
            .iter()
            .flatten()
            .flat_map(|answer| source_words(&answer.sources))
            .filter(|id| !judged.contains_key(id))
            .filter_map(text)
            .collect();
        let judged = judged.iter().map(|(id, text)| (DocId(id), *text));
        let named = named.iter().map(|(id, text)| (DocId(id), *text));
        let posts = TopicPosts::new(rule, judged, named);
        let find = |answer: &Task3Answer| posts.find(&answer.answer, &answer.sources);
        answers.into_iter().map(|answer| answer.map(find)).collect()
    }
}
