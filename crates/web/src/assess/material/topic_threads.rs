//! The threads that the topics were taken from, with the answers and comments posted later.

use formats::Topic;
use post::{FormulaTexts, PostView};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::OnceLock;
use store::{Collection, PostKind, PostNo};

/// A collection of the topics' threads, which is shown and never searched.
pub(super) struct TopicThreads {
    pub(super) collection: Collection,
    /// The questions by their titles; `None` where several questions have the same one.
    titles: OnceLock<HashMap<String, Option<PostNo>>>,
}

impl TopicThreads {
    pub(super) fn new(collection: Collection) -> Self {
        Self { collection, titles: OnceLock::new() }
    }

    /// The question of a topic: by the id of its thread, by its own id, or else by its title, since ARQMath's topics
    /// have ids of their own and do not name the question that they were taken from.
    pub(super) fn find(&self, topic: &Topic) -> Option<PostNo> {
        let ids = topic.thread.as_deref().into_iter().chain([topic.id.as_str()]);
        let by_id = ids.into_iter().find_map(|id| self.collection.find_post(id));
        by_id.or_else(|| {
            let key = topic_key(topic).filter(|key| !key.is_empty())?;
            *self.titles.get_or_init(|| titles(&self.collection)).get(&key)?
        })
    }
}

/// Questions by title; a question that cannot be read has none.
fn titles(collection: &Collection) -> HashMap<String, Option<PostNo>> {
    let mut titles = HashMap::new();
    let (mut reader, mut texts) = (collection.reader(), FormulaTexts::default());
    for post in collection.posts().filter(|post| collection.post_facts(*post).kind == PostKind::Question) {
        let Ok(PostView { title: Some(title), .. }) = PostView::read(&mut reader, post) else { continue };
        let Ok(title) = title.pieces(&mut reader, &mut texts) else { continue };
        match titles.entry(key(&title.plain())) {
            Entry::Vacant(free) => {
                free.insert(Some(post));
            }
            Entry::Occupied(mut taken) => {
                taken.insert(None);
            }
        }
    }
    titles
}

/// The title of a topic as a key.
fn topic_key(topic: &Topic) -> Option<String> {
    Some(key(&post::plain_html(topic.title.as_ref()?)))
}

/// The letters, digits and signs of a title: blanks and case differ between dumps and files of topics.
fn key(title: &str) -> String {
    title.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}
