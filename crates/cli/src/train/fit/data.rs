//! What is learned from: the threads of a collection, its links, judged topics, and the texts of all of them.

use ::train::encoder::{Held, JudgedTopic, Texts, Thread, Threads, vote_targets};
use anyhow::{Result, bail, ensure};
use clap::Args;
use dense::text::{FormulaStyle, TextWriter};
use formats::qrels::{Qrels, Scale};
use formats::run::{Run, RunKind};
use formats::{MATH_STACK_EXCHANGE, Source, TopicId, read_topics};
use retrieve::Query;
use serde_json::{Value, json};
use stats::rng::Rng;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use store::{Collection, LinkKind, PostKind, PostNo, Reader};

/// Where data come from.
#[derive(Clone, Debug, Args)]
pub(in crate::train) struct DataArgs {
    /// A collection
    #[arg(value_name = "COLLECTION")]
    collection: PathBuf,

    /// Topics with judgments, to learn from beside the collection's questions or in their place
    #[arg(long, value_name = "FILE", requires = "qrels")]
    topics: Option<PathBuf>,

    /// The judgments of these topics
    #[arg(long, value_name = "FILE", requires = "topics")]
    qrels: Option<PathBuf>,

    /// The lowest grade of a relevant text
    #[arg(long, value_name = "GRADE", default_value_t = 1)]
    relevant: i32,

    /// How formulas are written in texts: latex, words, spoken, omitted
    #[arg(long, value_name = "STYLE", default_value = "latex")]
    formulas: FormulaStyle,
}

/// The data of a training.
pub(in crate::train) struct Data {
    collection: Collection,
    name: String,
    formulas: FormulaStyle,
    pub(in crate::train) threads: Vec<Thread>,
    /// The votes of each answer, as far as they are known.
    votes: HashMap<u32, i32>,
    pub(in crate::train) judged: Option<Judged>,
    qrels_name: String,
}

/// Topics with judgments.
pub(in crate::train) struct Judged {
    /// The text of each topic.
    texts: Vec<String>,
    ids: Vec<String>,
    /// Topics with relevant texts.
    pub(in crate::train) topics: Vec<JudgedTopic>,
    /// For each topic, by its number, texts that were judged relevant.
    pub(in crate::train) relevant: HashMap<u32, BTreeSet<u32>>,
}

impl DataArgs {
    /// Reads threads and topics; texts are read when they are needed.
    pub(in crate::train) fn read(&self) -> Result<Data> {
        let collection = Collection::open(&self.collection)?;
        let name = file_name(&self.collection);
        let (threads, votes) = read_threads(&collection)?;
        let judged = match (&self.topics, &self.qrels) {
            (Some(topics), Some(qrels)) => Some(read_judged(&collection, topics, qrels, self)?),
            _ => None,
        };
        let qrels_name = self.qrels.as_deref().map(file_name).unwrap_or_default();
        Ok(Data { collection, name, formulas: self.formulas, threads, votes, judged, qrels_name })
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// All questions with answers, the best answer first: the accepted one, then by votes, then in the order of the
/// collection.
fn read_threads(collection: &Collection) -> Result<(Vec<Thread>, HashMap<u32, i32>)> {
    let mut reader = collection.reader();
    let (mut tags, mut threads, mut votes) = (HashMap::new(), Vec::new(), HashMap::new());
    for question in collection.posts() {
        let facts = collection.post_facts(question);
        if facts.kind != PostKind::Question {
            continue;
        }
        let mut answers: Vec<PostNo> = collection.answers(question).collect();
        if answers.is_empty() {
            continue;
        }
        answers.sort_by_key(|answer| {
            let score = collection.post_facts(*answer).score;
            (facts.accepted != Some(*answer), std::cmp::Reverse(score.unwrap_or(i32::MIN)), *answer)
        });
        for answer in &answers {
            if let Some(score) = collection.post_facts(*answer).score {
                votes.insert(answer.0, score);
            }
        }
        let mut numbers = Vec::new();
        for tag in reader.post(question)?.tags {
            let next = tags.len() as u32;
            numbers.push(*tags.entry(tag).or_insert(next));
        }
        let answers = answers.into_iter().map(|answer| answer.0).collect();
        threads.push(Thread { question: question.0, tags: numbers, answers });
    }
    Ok((threads, votes))
}

fn read_judged(collection: &Collection, topics: &Path, qrels: &Path, args: &DataArgs) -> Result<Judged> {
    let topics = read_topics(Source::path(topics))?.topics;
    let (qrels, _) = Qrels::read(Source::path(qrels), Scale::Plain)?;
    let mut writer = TextWriter::new(args.formulas);
    let first = collection.num_posts();
    let mut judged =
        Judged { texts: Vec::new(), ids: Vec::new(), topics: Vec::new(), relevant: HashMap::new() };
    for topic in &topics {
        let Some(rows) = qrels.topic(&topic.id) else { continue };
        let mut relevant = BTreeSet::new();
        for row in
            rows.rows().filter(|row| row.judgment().grade().is_some_and(|grade| grade >= args.relevant))
        {
            relevant.extend(collection.find_post(row.doc().as_str()).map(|post| post.0));
        }
        if relevant.is_empty() {
            continue;
        }
        let query = Query::of_topic(topic);
        let number = first + judged.texts.len() as u32;
        judged.texts.push(
            writer
                .query((&query.title.text, &query.title.formulas), (&query.body.text, &query.body.formulas)),
        );
        judged.ids.push(topic.id.to_string());
        judged.topics.push(JudgedTopic { query: number, relevant: relevant.iter().copied().collect() });
        judged.relevant.insert(number, relevant);
    }
    ensure!(
        !judged.topics.is_empty(),
        "{}: none of these topics has a relevant text in the collection",
        args.topics.as_deref().unwrap_or(Path::new("")).display()
    );
    Ok(judged)
}

impl Data {
    /// The text of posts and topics, as an encoder reads them.
    pub(in crate::train) fn texts(&self, reading: Reading) -> Box<dyn Texts + '_> {
        Box::new(CollectionTexts {
            reader: self.collection.reader(),
            writer: TextWriter::new(self.formulas),
            posts: self.collection.num_posts(),
            topics: self.judged.as_ref().map_or(&[], |judged| &judged.texts),
            reading,
        })
    }

    /// The site that the data come from, as far as is known.
    pub(super) fn site(&self) -> Option<&str> {
        let about = self.collection.about();
        about.site.as_deref().or_else(|| (about.source == "arqmath").then_some(MATH_STACK_EXCHANGE))
    }

    /// The judged topics as a set that a model was trained on.
    pub(super) fn judged_set(&self) -> Option<String> {
        let Judged { ids, .. } = self.judged.as_ref()?;
        let (first, last) = (ids.first()?, ids.last()?);
        Some(format!("judged-topics/{}/{first}-{last}", self.qrels_name))
    }

    /// The ids of the judged topics that are learned from.
    pub(super) fn judged_topics(&self) -> &[String] {
        self.judged.as_ref().map_or(&[], |judged| &judged.ids)
    }

    /// What decides the data, for the plan and the record.
    pub(super) fn record(&self) -> Value {
        let judged = self.judged.as_ref().map(|judged| {
            let relevant: usize = judged.topics.iter().map(|topic| topic.relevant.len()).sum();
            json!({"qrels": self.qrels_name, "topics": judged.ids, "relevant": relevant})
        });
        json!({
            "collection": self.name,
            "fingerprint": format!("{:016x}", self.collection.fingerprint()),
            "formulas": self.formulas.name(),
            "judged": judged,
        })
    }

    /// All answers.
    pub(in crate::train) fn answers(&self) -> Vec<u32> {
        self.threads.iter().flat_map(|thread| thread.answers.iter().copied()).collect()
    }

    /// The answer that its asker accepted, if that is known.
    pub(in crate::train) fn accepted(&self, thread: &Thread) -> Option<u32> {
        self.collection.post_facts(PostNo(thread.question)).accepted.map(|answer| answer.0)
    }

    /// The targets of the answers of a thread, from their votes; nothing if votes are missing or all the same.
    pub(in crate::train) fn targets(&self, thread: &Thread) -> Option<Vec<f32>> {
        let votes: Option<Vec<i32>> =
            thread.answers.iter().map(|answer| self.votes.get(answer).copied()).collect();
        vote_targets(&votes?)
    }

    /// Pairs of questions that are linked in one of these ways, both of which are in the collection.
    pub(in crate::train) fn linked(&self, kinds: &[LinkKind]) -> Result<Vec<(u32, u32)>> {
        let mut reader = self.collection.reader();
        let mut pairs = BTreeSet::new();
        for link in self.collection.links() {
            let link = reader.link(link)?;
            if !kinds.contains(&link.kind) {
                continue;
            }
            let ends = [&link.from, &link.to].map(|id| self.collection.find_post(id));
            if let [Some(from), Some(to)] = ends.map(|end| end.map(|post| self.collection.thread_of(post)))
                && from != to
            {
                pairs.insert((from.0, to.0));
            }
        }
        Ok(pairs.into_iter().collect())
    }

    /// The first texts of each topic of a run that were not judged relevant, with their threads. Topics are those
    /// with judgments, or ids of questions.
    pub(in crate::train) fn candidates(
        &self,
        run: &Path,
        depth: usize,
    ) -> Result<HashMap<u32, Vec<(u32, u32)>>> {
        let run = Run::read(Source::path(run), RunKind::Documents)?;
        let mut found = HashMap::new();
        for rows in run.topics() {
            let Some(query) = self.query(rows.id()) else { continue };
            let relevant = self.judged.as_ref().and_then(|judged| judged.relevant.get(&query));
            let mut texts = Vec::new();
            for row in rows.rows() {
                let Some(post) = self.collection.find_post(row.doc().as_str()) else { continue };
                if !relevant.is_some_and(|relevant| relevant.contains(&post.0)) {
                    texts.push((row.score(), post.0, self.collection.thread_of(post).0));
                }
            }
            texts.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
            texts.truncate(depth);
            found.insert(query, texts.into_iter().map(|(_, post, thread)| (post, thread)).collect());
        }
        if found.is_empty() {
            bail!("{}: no topic of this run is a judged topic or a question of the collection", run.name());
        }
        Ok(found)
    }

    fn query(&self, id: &TopicId) -> Option<u32> {
        if let Some(judged) = &self.judged
            && let Some(place) = judged.ids.iter().position(|known| known == id.as_str())
        {
            return Some(self.collection.num_posts() + place as u32);
        }
        self.collection.find_post(id.as_str()).map(|post| post.0)
    }

    /// Splits the threads: those to learn from, and those held out, drawn with the seed.
    pub(in crate::train) fn split(&self, held: usize, seed: u64) -> (Vec<Thread>, Vec<Thread>) {
        let mut order: Vec<usize> = (0..self.threads.len()).collect();
        Rng::seeded(seed ^ 0x6865_6c64).shuffle(&mut order);
        let held: BTreeSet<usize> = order.into_iter().take(held).collect();
        let part = |is_held: bool| {
            let is_of_part = |(place, _): &(usize, &Thread)| held.contains(place) == is_held;
            self.threads.iter().enumerate().filter(is_of_part).map(|(_, thread)| thread.clone()).collect()
        };
        (part(false), part(true))
    }

    /// Questions to measure on: the best answer of each, and others that share a tag.
    pub(in crate::train) fn held(threads: &[Thread], others: usize, seed: u64) -> Vec<Held> {
        let mut rng = Rng::seeded(seed ^ 0x6f74_6865);
        let all = Threads::new(threads.iter().cloned());
        let held = |thread: &Thread| {
            let mut documents = vec![thread.answers[0]];
            for _ in 0..others {
                let other = all.other(thread.question, &thread.tags, &mut rng);
                documents.extend(other.map(|(text, _)| text).filter(|text| !documents.contains(text)));
            }
            Held { query: thread.question, documents }
        };
        threads.iter().map(held).collect()
    }
}

/// What of a post is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::train) enum Reading {
    /// Title and body.
    Whole,
    /// The body alone, and of long ones as many words as this from a place drawn at random.
    Bodies(usize),
}

/// The texts of a collection, and of topics after them.
struct CollectionTexts<'c> {
    reader: Reader<'c>,
    writer: TextWriter,
    posts: u32,
    topics: &'c [String],
    reading: Reading,
}

impl Texts for CollectionTexts<'_> {
    fn text(&mut self, number: u32, chance: u64) -> Result<String, String> {
        let text = match number.checked_sub(self.posts) {
            Some(topic) => {
                self.topics.get(topic as usize).cloned().ok_or_else(|| format!("no topic {topic}"))
            }
            None => match self.reading {
                Reading::Whole => self.writer.post(&mut self.reader, PostNo(number)),
                Reading::Bodies(_) => self.writer.body(&mut self.reader, PostNo(number)),
            }
            .map_err(|error| error.to_string()),
        }?;
        Ok(match self.reading {
            Reading::Bodies(most) => window(text, most, chance),
            Reading::Whole => text,
        })
    }
}

/// So many words of a text from a place drawn at random.
fn window(text: String, most: usize, chance: u64) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    if words.len() <= most {
        return text;
    }
    let first = Rng::seeded(chance).index(words.len() - most + 1);
    words[first..first + most].join(" ")
}

impl Judged {
    /// Splits the topics: those to learn from, and those held out, drawn with the seed.
    pub(in crate::train) fn split(&self, held: usize, seed: u64) -> (Vec<JudgedTopic>, Vec<JudgedTopic>) {
        let mut topics = self.topics.clone();
        Rng::seeded(seed ^ 0x6a75_6467).shuffle(&mut topics);
        let learned = topics.split_off(held.min(topics.len().saturating_sub(1)));
        (learned, topics)
    }

    /// Topics to measure on: a relevant text of each, and others that are not.
    pub(in crate::train) fn held(
        topics: &[JudgedTopic],
        texts: &[u32],
        others: usize,
        seed: u64,
    ) -> Vec<Held> {
        let mut rng = Rng::seeded(seed ^ 0x6f74_6865);
        let held = |topic: &JudgedTopic| {
            let mut documents = vec![topic.relevant[rng.index(topic.relevant.len())]];
            for _ in 0..others {
                let other = texts.get(rng.index(texts.len())).copied();
                let is_new =
                    |text: &u32| !documents.contains(text) && topic.relevant.binary_search(text).is_err();
                documents.extend(other.filter(is_new));
            }
            Held { query: topic.query, documents }
        };
        topics.iter().map(held).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::window;

    #[test]
    fn windows_have_as_many_words_and_depend_on_chance() {
        let text: Vec<String> = (0..1000).map(|word| word.to_string()).collect();
        let text = text.join(" ");
        assert_eq!(window("a b".to_owned(), 2, 1), "a b");
        let cut = window(text.clone(), 512, 7);
        assert_eq!(cut.split(' ').count(), 512);
        assert!(text.contains(&cut));
        assert_eq!(cut, window(text.clone(), 512, 7));
        assert_ne!(cut, window(text, 512, 8));
    }
}
