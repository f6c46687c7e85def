//! What a change does to threads.
//!
//! A thread lies in one segment as a whole. One that a change touches is taken
//! out of its segment and, as it is then, goes into the new one.

use super::Changed;
use crate::error::Error;
use crate::index::{Document, Index};
use crate::posts::DocumentPlace;
use std::collections::{BTreeMap, BTreeSet};
use store::{Collection, PostKind, PostNo};

/// Where a post is: the number of a collection, and its number there.
type At = (u16, PostNo);

/// The threads that a change touches, as they will be.
pub(super) struct Threads<'i> {
    index: &'i Index,
    /// By the id of the first post: that post, unless it is gone, and the answers by their ids.
    threads: BTreeMap<String, (Option<At>, BTreeMap<String, At>)>,
    /// The threads that posts of a new collection are in, by their ids.
    homes: BTreeMap<String, String>,
    /// The documents of each segment that go into the new one, or nowhere.
    dead: Vec<BTreeSet<u32>>,
}

impl<'i> Threads<'i> {
    pub(super) fn new(index: &'i Index) -> Self {
        Self {
            index,
            threads: BTreeMap::new(),
            homes: BTreeMap::new(),
            dead: vec![BTreeSet::new(); index.segments().len()],
        }
    }

    fn id(&self, document: Document) -> String {
        let (source, post) = self.index.post(document);
        source.collection.post_id(post).to_string()
    }

    /// Takes the thread of a document out of its segment; gives the id of its first post.
    fn touch(&mut self, document: Document) -> String {
        let segment = &self.index.segments()[document.segment];
        let first = segment.posts.parent(document.doc).unwrap_or(document.doc);
        let in_segment = |doc: u32| Document { doc, ..document };
        let id = self.id(in_segment(first));
        if !self.dead[document.segment].contains(&document.doc) {
            let mut thread = (None, BTreeMap::new());
            let answers = (first + 1..segment.posts.documents())
                .take_while(|doc| segment.posts.parent(*doc) == Some(first));
            for doc in std::iter::once(first).chain(answers).filter(|doc| segment.is_live(*doc)) {
                self.dead[document.segment].insert(doc);
                let at = segment.posts.place(doc);
                if doc == first {
                    thread.0 = Some(at);
                } else {
                    thread.1.insert(self.id(in_segment(doc)), at);
                }
            }
            let known = self.threads.entry(id.clone()).or_default();
            known.0 = known.0.or(thread.0);
            for (id, at) in thread.1 {
                known.1.entry(id).or_insert(at);
            }
        }
        id
    }

    /// Adds the posts of a collection; those with an id that is known are replaced.
    pub(super) fn add(
        &mut self,
        number: u16,
        collection: &Collection,
        changed: &mut Changed,
    ) -> Result<(), Error> {
        let mut orphans = self.orphans()?;
        let mut reader = collection.reader();
        for post in collection.posts() {
            let id = collection.post_id(post).to_string();
            match self.index.find(&id) {
                Some(document) => {
                    let old = self.touch(document);
                    changed.replaced += 1;
                    // It may answer another question now.
                    self.take(&old, &id);
                }
                None => changed.added += 1,
            }
            let home = match collection.post_facts(post).parent {
                Some(parent) => {
                    let parent = collection.post_id(parent).to_string();
                    if let Some(document) = self.index.find(&parent) {
                        self.touch(document);
                    }
                    Some(parent)
                }
                None => {
                    let parent = reader.post(post)?.parent_id;
                    parent.as_deref().and_then(|parent| self.question(parent.trim(), collection))
                }
            };
            let thread = self.threads.entry(home.clone().unwrap_or_else(|| id.clone())).or_default();
            match &home {
                None => thread.0 = Some((number, post)),
                Some(_) => {
                    thread.1.insert(id.clone(), (number, post));
                }
            }
            self.homes.insert(id.clone(), home.unwrap_or(id));
        }
        // Answers whose question was not there come to it when it is.
        for post in collection.posts() {
            if collection.post_facts(post).kind != PostKind::Question {
                continue;
            }
            let parent = collection.post_id(post).to_string();
            for document in orphans.remove(&parent).unwrap_or_default() {
                let id = self.id(document);
                // Of posts that are replaced, the new collection has said where they belong.
                if self.homes.contains_key(&id) {
                    continue;
                }
                let old = self.touch(document);
                if let Some(at) = self.take(&old, &id) {
                    self.threads.entry(parent.clone()).or_default().1.insert(id.clone(), at);
                    self.homes.insert(id, parent.clone());
                }
            }
        }
        Ok(())
    }

    /// The id of a question of the index that a new collection does not replace; its thread is touched.
    fn question(&mut self, id: &str, new: &Collection) -> Option<String> {
        if new.find_post(id).is_some() {
            return None;
        }
        let index = self.index;
        let document = index.find(id)?;
        let (source, post) = index.post(document);
        let facts = source.collection.post_facts(post);
        (facts.kind == PostKind::Question && facts.parent.is_none()).then(|| self.touch(document))
    }

    /// The valid answers that stand alone, by the question that they answer.
    fn orphans(&self) -> Result<BTreeMap<String, Vec<Document>>, Error> {
        let mut readers: Vec<_> =
            self.index.sources().iter().map(|source| (source.number, source.collection.reader())).collect();
        let mut orphans: BTreeMap<String, Vec<Document>> = BTreeMap::new();
        for (number, segment) in self.index.segments().iter().enumerate() {
            for doc in (0..segment.posts.documents()).filter(|doc| segment.is_live(*doc)) {
                if segment.posts.parent(doc).is_some() {
                    continue;
                }
                let (source, post) = segment.posts.place(doc);
                let reader = readers.iter_mut().find(|(known, _)| *known == source);
                let reader = &mut reader.expect("looked at when it was opened").1;
                if reader.collection().post_facts(post).kind != PostKind::Answer {
                    continue;
                }
                if let Some(parent) = reader.post(post)?.parent_id {
                    orphans
                        .entry(parent.trim().to_owned())
                        .or_default()
                        .push(Document { segment: number, doc });
                }
            }
        }
        Ok(orphans)
    }

    /// Takes a post out of a thread.
    fn take(&mut self, thread: &str, id: &str) -> Option<At> {
        let (first, answers) = self.threads.get_mut(thread)?;
        answers.remove(id).or_else(|| if thread == id { first.take() } else { None })
    }

    /// Deletes posts, those just added included.
    pub(super) fn delete(&mut self, ids: &[String], changed: &mut Changed) {
        for id in ids {
            let thread = match self.homes.get(id) {
                Some(home) => Some(home.clone()),
                None => self.index.find(id).map(|document| self.touch(document)),
            };
            let found = thread.and_then(|thread| self.take(&thread, id)).is_some();
            if found { changed.deleted += 1 } else { changed.unknown += 1 }
        }
    }

    /// The documents of the new segment, and those of the old ones that are not valid any more.
    pub(super) fn finish(self) -> (Vec<DocumentPlace>, Vec<BTreeSet<u32>>) {
        let mut documents = Vec::new();
        for (first, answers) in self.threads.into_values() {
            let parent = first.map(|(collection, post)| {
                documents.push(DocumentPlace { collection, post, parent: None });
                u32::try_from(documents.len() - 1).expect("posts are numbered with 32 bits")
            });
            for (collection, post) in answers.into_values() {
                documents.push(DocumentPlace { collection, post, parent });
            }
        }
        (documents, self.dead)
    }
}
