//! Formulas as results: what looks the same is one, with the places it stands in.

mod search;

use crate::alike::Containment;
use crate::desk::Desk;
use crate::engine::{Engine, Work};
use crate::error::Error;
use crate::people::highlight::Highlight;
use crate::people::{FoundPost, Total, show};
use crate::typed::Note;
use formula::matching::Likeness;
use index::{Deadline, Document, Source};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;
use store::{Date, FormNo, Part};

/// Places that are looked up between two looks at the clock.
const AT_ONCE: usize = 4_096;
/// Spellings that are read between two looks at the clock.
const FORMS: usize = 64;
/// So many spellings of a formula are given.
const MOST_SPELLINGS: usize = 50;

/// Formulas that were found.
#[derive(Clone, Debug, PartialEq)]
pub struct FormulaResults {
    /// The formulas, best first.
    pub hits: Vec<FoundVisual>,
    /// How many there are in all, the pages before and after included.
    pub total: Total,
    /// What the person may want to know.
    pub notes: Vec<Note>,
    /// How long it took.
    pub elapsed: Duration,
}

/// A formula that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundVisual {
    /// Its place among all, from 1.
    pub rank: usize,
    /// Which formula of the query it is like most, by its place in
    /// [`Typed::formulas`](crate::typed::Typed::formulas).
    pub query: usize,
    /// Its visual id.
    pub visual_id: u64,
    /// Its LaTeX, in one of its spellings.
    pub latex: String,
    /// How alike they are, from 0 to 1, by the matcher.
    pub similarity: f32,
    /// Whether it holds all of the query.
    pub containment: Containment,
    /// What of its LaTeX was aligned with something of the query, and how; in order.
    pub spans: Vec<(Range<usize>, Likeness)>,
    /// In how many posts it stands, whatever the filters say; comments do not count.
    pub posts: usize,
    /// How often it stands there, comments included.
    pub instances: usize,
    /// A post that it stands in: its id and the title of its thread, as plain text with LaTeX in dollars.
    pub example: Option<(String, String)>,
}

/// One visually distinct formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visual {
    /// Its visual id.
    pub visual_id: u64,
    /// Its LaTeX, in its most frequent spelling.
    pub latex: String,
    /// All spellings, most frequent first; at most 50.
    pub spellings: Vec<Spelling>,
    /// In how many posts it stands; none if it stands in comments only.
    pub posts: usize,
    /// How often it stands there, comments included.
    pub instances: usize,
}

/// A way to write a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spelling {
    /// Its LaTeX.
    pub latex: String,
    /// How often it was written so.
    pub instances: usize,
}

/// Places of a formula, in the posts with most votes first.
#[derive(Clone, Debug, PartialEq)]
pub struct Instances {
    /// These.
    pub instances: Vec<Instance>,
    /// In how many posts it stands.
    pub total: usize,
}

/// A post that a formula stands in.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The post; its snippet is the text around the formula, which is marked there (`like` is 0).
    pub post: FoundPost,
    /// How often the formula stands in it.
    pub times: usize,
}

impl Engine {
    /// A formula by its visual id; none if no valid post and no comment on one has it.
    ///
    /// # Errors
    ///
    /// When the index cannot be read, or there is no time to count.
    pub fn visual(&self, visual_id: u64, deadline: &Deadline) -> Result<Option<Visual>, Error> {
        let mut counted: BTreeMap<String, usize> = BTreeMap::new();
        let mut desk = Desk::new(self);
        let mut forms = Vec::new();
        let each = |source, form, times| forms.push((source, form, times));
        let places = self.work(deadline, |work| Places::whole(self, visual_id, each, work))?;
        for (number, (source, form, times)) in forms.into_iter().enumerate() {
            if number % FORMS == FORMS - 1 && deadline.is_over() {
                return Err(Error::Stopped);
            }
            *counted.entry(desk.latex(source, form)?).or_insert(0) += times;
        }
        let mut spellings: Vec<Spelling> =
            counted.into_iter().map(|(latex, instances)| Spelling { latex, instances }).collect();
        spellings.sort_by(|left, right| {
            let length = left.latex.len().cmp(&right.latex.len());
            right.instances.cmp(&left.instances).then(length).then_with(|| left.latex.cmp(&right.latex))
        });
        spellings.truncate(MOST_SPELLINGS);
        let latex = spellings.first().map(|spelling| spelling.latex.clone());
        self.sound(latex.map(|latex| Visual {
            visual_id,
            latex,
            spellings,
            posts: places.posts.len(),
            instances: places.instances(),
        }))
    }

    /// The posts that a formula stands in: in title or text, not in comments. Those with most votes come
    /// first, of those the latest, then by id.
    ///
    /// # Errors
    ///
    /// When the index cannot be read, or there is no time to count.
    pub fn instances(
        &self,
        visual_id: u64,
        offset: usize,
        limit: usize,
        deadline: &Deadline,
    ) -> Result<Instances, Error> {
        let places = self.work(deadline, |work| Places::whole(self, visual_id, |_, _, _| {}, work))?;
        let total = places.posts.len();
        let mut posts: Vec<_> = places
            .posts
            .into_iter()
            .map(|(document, times)| (self.by_votes(document), document, times))
            .collect();
        // Ids are compared only where it matters.
        let shown = offset.saturating_add(limit).min(total);
        posts.sort_unstable();
        let mut end = shown;
        while end > 0 && end < total && posts[end].0 == posts[end - 1].0 {
            end += 1;
        }
        posts.truncate(end);
        let id = |document: Document| {
            let (source, post) = self.index.post(document);
            source.collection.post_id(post).to_string()
        };
        posts.sort_by_cached_key(|(votes, document, _)| (*votes, id(*document).len(), id(*document)));
        let mut desk = Desk::new(self);
        let asked = Highlight::nothing();
        let mut instances = Vec::new();
        for (rank, (_, document, times)) in (1..).zip(posts).skip(offset).take(limit) {
            if deadline.is_over() {
                return Err(Error::Stopped);
            }
            let own = desk.places_of(document, visual_id);
            let title = match desk.question(document) {
                Some(question) if desk.read(document)?.title.is_empty() => {
                    desk.places_of(question, visual_id)
                }
                _ => own.clone(),
            };
            let post = show::card(&mut desk, &asked, document, (&own, &title))?;
            instances.push(Instance { post: FoundPost { rank, ..post }, times });
        }
        self.sound(Instances { instances, total })
    }

    /// What posts are listed by when there is nothing to rank by: most votes first, then the latest.
    pub(crate) fn by_votes(&self, document: Document) -> (Reverse<Option<i32>>, Reverse<Option<Date>>) {
        let (source, post) = self.index.post(document);
        let facts = source.collection.post_facts(post);
        (Reverse(facts.score), Reverse(facts.date))
    }
}

/// Where a formula stands, in posts that are valid.
pub(super) struct Places {
    /// The posts that have it in title or text, and how often; in the order of documents.
    posts: Vec<(Document, usize)>,
    /// How often it stands in comments on posts that are valid.
    in_comments: usize,
}

impl Places {
    /// Looks a formula up in all collections; `each` is told of every form of it, by the place of its
    /// collection, and how often it stands there. Of very many places, those that there is time for.
    pub(super) fn of(
        engine: &Engine,
        visual_id: u64,
        mut each: impl FnMut(usize, FormNo, usize),
        work: &mut Work,
    ) -> Self {
        let mut places = Self { posts: Vec::new(), in_comments: 0 };
        let mut documents: Vec<Document> = Vec::new();
        let mut looked_at = 0_usize;
        'all: for (number, Source { collection, .. }) in engine.index().sources().iter().enumerate() {
            let Some(visual) = collection.find_visual(visual_id) else { continue };
            for form in collection.forms_of_visual(visual) {
                let mut times = 0;
                for place in collection.formulas_of_form(form) {
                    looked_at += 1;
                    if looked_at.is_multiple_of(AT_ONCE) && work.is_over() {
                        break 'all;
                    }
                    let post = collection.formula_post(place);
                    let Some(document) = post.and_then(|post| engine.index().document(number, post)) else {
                        continue;
                    };
                    times += 1;
                    match collection.formula_marks(place).part() {
                        Part::Comment => places.in_comments += 1,
                        Part::Title | Part::Body | Part::Nowhere => documents.push(document),
                    }
                }
                if times > 0 {
                    each(number, form, times);
                }
            }
        }
        documents.sort_unstable();
        for document in documents {
            match places.posts.last_mut() {
                Some((last, times)) if *last == document => *times += 1,
                _ => places.posts.push((document, 1)),
            }
        }
        places
    }

    /// The same, or nothing if there is no time for all of them.
    fn whole(
        engine: &Engine,
        visual_id: u64,
        each: impl FnMut(usize, FormNo, usize),
        work: &mut Work,
    ) -> Result<Self, Error> {
        let places = Self::of(engine, visual_id, each, work);
        if work.is_over() { Err(Error::Stopped) } else { Ok(places) }
    }

    /// How often it stands there, comments included.
    pub(super) fn instances(&self) -> usize {
        self.in_comments + self.posts.iter().map(|(_, times)| times).sum::<usize>()
    }
}
