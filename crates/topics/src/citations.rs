//! Topics from discussion threads: a question is a topic, and the documents that its answers cite are relevant.
//!
//! The Cambridge University MathIR Test Collection was made in this way from threads of MathOverflow, whose answers
//! cite papers of arXiv that are in MREC. Nobody judges anything: a citation says that somebody found the paper worth
//! reading for this question. What is not cited is not known to be irrelevant.

use crate::Error;
use crate::addresses::next_address;
use crate::draft::{Draft, Drafted};
use crate::question::{Maker, Shown};
use crate::validation::HIGH;
use crate::wording::parts;
use crate::write::NamedFile;
use formats::Topic;
use post::PostView;
use render::Site;
use stats::rng::Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use store::{Collection, PostKind, PostNo, Reader};
use text::arxiv::{self, ArxivId};

/// The rule in words; that for citations of arXiv papers is [`arxiv::RULE`].
pub const RULE: &str = "\
A question becomes a topic if one of its answers cites a document of the collection. Relevant are the documents that \
its answers cite, all with grade 3, so that every threshold counts them. A document that the question itself cites is \
not relevant, since whoever asks knows it. Comments do not count. A document is cited by its arXiv identifier, where \
its id or the folder and name of its file are one, whatever the version; or by a link to a post on the collection's \
own site: an answer or document stands for itself, a question for its answers, and posts of the topic's own thread do \
not count. Questions whose answers cite only papers outside the collection are dropped and counted.";

/// The names of the files, in the order in which they are made.
pub const NAMES: [&str; 4] = ["Topics_Task1.xml", "task1.qrels", "topic_info.tsv", "citations.tsv"];

/// Which answers' citations count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answers {
    /// Those of all answers.
    #[default]
    All,
    /// Those of the accepted answer.
    Accepted,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Which answers count.
    pub answers: Answers,
    /// The lowest score of an answer that counts; answers without a score count.
    pub min_score: Option<i32>,
    /// How many topics at most; without, all.
    pub count: Option<usize>,
    /// What the choice begins with when there are more.
    pub seed: u64,
    /// What ids of topics begin with.
    pub prefix: String,
    /// The number of the first topic.
    pub start: u32,
}

/// How many questions became topics, and what was met on the way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Documents that can be cited: with an arXiv identifier, or posts of a site.
    pub documents: usize,
    /// Questions.
    pub questions: usize,
    /// Those whose answers, as far as they count, cite nothing.
    pub without_citation: usize,
    /// Those whose answers cite only papers outside the collection.
    pub outside: usize,
    /// Those whose answers cite only documents that the question cites, too, or none but these and papers outside.
    pub known: usize,
    /// Those that were not among the ones chosen.
    pub not_chosen: usize,
    /// Topics.
    pub topics: usize,
    /// Relevant documents, over all topics.
    pub relevant: usize,
    /// Relevant documents, each once.
    pub distinct: usize,
    /// Citations in answers that count, of all questions: each document or paper once an answer.
    pub citations: usize,
    /// Those of papers outside the collection.
    pub citations_outside: usize,
}

/// Topics, what is relevant to them, and how they came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitationSet {
    /// Counts.
    pub counts: Counts,
    /// The files, in the order of [`NAMES`].
    pub files: Vec<NamedFile>,
}

/// Makes topics of `threads` with relevant items among `documents`.
///
/// # Errors
///
/// When a collection is damaged.
pub fn make(documents: &Collection, threads: &Collection, request: &Request) -> Result<CitationSet, Error> {
    let library = Library::new(documents, threads);
    let mut counts = Counts { documents: library.num_documents(), ..Counts::default() };
    let mut reader = threads.reader();
    let mut cited = Vec::new();
    for question in threads.posts().filter(|post| threads.post_facts(*post).kind == PostKind::Question) {
        counts.questions += 1;
        let found = Cited::read(&library, &mut reader, threads, question, request)?;
        counts.citations += found.citations.len();
        let outside = found.citations.iter().filter(|citation| citation.outcome == Outcome::Outside).count();
        counts.citations_outside += outside;
        match found.citations.len() {
            0 => {
                counts.without_citation += 1;
                continue;
            }
            _ if !found.relevant.is_empty() => {}
            all if all == outside => counts.outside += 1,
            _ => counts.known += 1,
        }
        cited.push(found);
    }
    let mut order: Vec<usize> = (0..cited.len()).filter(|at| !cited[*at].relevant.is_empty()).collect();
    if let Some(count) = request.count.filter(|count| *count < order.len()) {
        counts.not_chosen = order.len() - count;
        Rng::seeded(request.seed).shuffle(&mut order);
        order.truncate(count);
    }
    let chosen: BTreeSet<usize> = order.into_iter().collect();
    let mut distinct: BTreeSet<PostNo> = BTreeSet::new();
    let mut maker = Maker::new(threads);
    let columns = ["question", "formulas", "multi-part", "answers", "documents", "outside"];
    let mut draft = Draft::new(&request.prefix, request.start, &columns);
    let mut table = "topic\tquestion\tanswer\tcited\tdocument\toutcome\n".to_owned();
    for (at, found) in cited.iter().enumerate() {
        let id = if chosen.contains(&at) { draft.next_id() } else { String::new() };
        found.push_rows(&mut table, &id, threads, documents);
        if id.is_empty() {
            continue;
        }
        distinct.extend(&found.relevant);
        found.push_topic(&mut draft, &mut maker, &mut reader, threads, documents, &id)?;
    }
    let Drafted { topics, relevant, texts: [topics_xml, qrels, info] } = draft.finish()?;
    (counts.topics, counts.relevant, counts.distinct) = (topics, relevant, distinct.len());
    let files = NAMES.into_iter().zip([topics_xml, qrels, info, table]).collect();
    Ok(CitationSet { counts, files })
}

/// What can be cited.
struct Library<'c> {
    documents: &'c Collection,
    site: Site,
    /// Whether threads are of the same site, so that ids are the same posts.
    has_threads: bool,
    papers: BTreeMap<ArxivId, Vec<PostNo>>,
}

impl<'c> Library<'c> {
    fn new(documents: &'c Collection, threads: &Collection) -> Self {
        let mut papers: BTreeMap<ArxivId, Vec<PostNo>> = BTreeMap::new();
        for post in documents.posts() {
            if let Some(id) = ArxivId::of_path(&documents.post_id(post).to_string()) {
                papers.entry(id).or_default().push(post);
            }
        }
        let site = Site::of(documents);
        let has_threads = site != Site::Unknown && site == Site::of(threads);
        Self { documents, site, has_threads, papers }
    }

    fn num_documents(&self) -> usize {
        match self.site {
            Site::Host(_) => self.documents.num_posts() as usize,
            Site::Unknown => self.papers.values().map(Vec::len).sum(),
        }
    }

    /// What a text of a thread cites, in order, each once: as it is written, with the documents that it stands for;
    /// none for papers outside the collection.
    fn cited(&self, html: &str, question: &str) -> Vec<(String, Vec<PostNo>)> {
        let mut found: Vec<(usize, String, Vec<PostNo>)> = Vec::new();
        for citation in arxiv::citations(html) {
            let documents = self.papers.get(&citation.id).cloned().unwrap_or_default();
            found.push((citation.range.start, format!("arXiv:{}", citation.id), documents));
        }
        let mut at = 0;
        while let Some((place, end)) = next_address(html, at) {
            at = end;
            let address = html[place.clone()].replace("&amp;", "&");
            let Some(post) = self.site.post_at(self.documents, &address) else { continue };
            let thread = self.documents.thread_of(post);
            if self.has_threads && self.documents.post_id(thread).to_string() == question {
                continue;
            }
            let documents: Vec<PostNo> = match self.documents.post_facts(post).kind {
                PostKind::Question => self.documents.answers(post).collect(),
                PostKind::Answer | PostKind::Document => vec![post],
            };
            // A question without answers has nothing to find.
            if !documents.is_empty() {
                found.push((place.start, address, documents));
            }
        }
        found.sort_by_key(|(at, _, _)| *at);
        let mut seen = BTreeSet::new();
        found.retain(|(_, cited, documents)| match documents.is_empty() {
            true => seen.insert((cited.clone(), Vec::new())),
            false => seen.insert((String::new(), documents.clone())),
        });
        found.into_iter().map(|(_, cited, documents)| (cited, documents)).collect()
    }
}

/// What became of a citation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Relevant,
    Outside,
    InQuestion,
}

impl Outcome {
    fn name(self) -> &'static str {
        match self {
            Self::Relevant => "relevant",
            Self::Outside => "outside the collection",
            Self::InQuestion => "cited by the question",
        }
    }
}

/// A citation in an answer.
struct AnswerCitation {
    answer: PostNo,
    cited: String,
    documents: Vec<PostNo>,
    outcome: Outcome,
}

/// What the answers to a question cite.
struct Cited {
    question: PostNo,
    citations: Vec<AnswerCitation>,
    relevant: BTreeSet<PostNo>,
}

impl Cited {
    fn read(
        library: &Library<'_>,
        reader: &mut Reader<'_>,
        threads: &Collection,
        question: PostNo,
        request: &Request,
    ) -> Result<Self, Error> {
        let id = threads.post_id(question).to_string();
        let accepted = threads.post_facts(question).accepted;
        let counts = |answer: PostNo| {
            let is_wanted = request.answers == Answers::All || accepted == Some(answer);
            let score = threads.post_facts(answer).score;
            is_wanted && request.min_score.is_none_or(|least| score.is_none_or(|score| score >= least))
        };
        let mut citations = Vec::new();
        for answer in threads.answers(question).filter(|answer| counts(*answer)) {
            let body = reader.post(answer)?.body;
            for (cited, documents) in library.cited(&body, &id) {
                citations.push(AnswerCitation { answer, cited, documents, outcome: Outcome::Outside });
            }
        }
        let mut relevant = BTreeSet::new();
        if citations.iter().any(|citation| !citation.documents.is_empty()) {
            let post = reader.post(question)?;
            let title = library.cited(post.title.as_deref().unwrap_or_default(), &id);
            let known = title.into_iter().chain(library.cited(&post.body, &id));
            let known: BTreeSet<PostNo> = known.flat_map(|(_, documents)| documents).collect();
            for citation in &mut citations {
                let new = citation.documents.iter().filter(|document| !known.contains(document));
                let all = new.clone().count();
                relevant.extend(new.copied());
                citation.outcome = match (citation.documents.is_empty(), all) {
                    (true, _) => Outcome::Outside,
                    (false, 0) => Outcome::InQuestion,
                    (false, _) => Outcome::Relevant,
                };
            }
        }
        Ok(Self { question, citations, relevant })
    }

    fn push_rows(&self, table: &mut String, topic: &str, threads: &Collection, documents: &Collection) {
        for citation in &self.citations {
            let ids = citation.documents.iter().map(|document| documents.post_id(*document).to_string());
            let cells = [
                topic.to_owned(),
                threads.post_id(self.question).to_string(),
                threads.post_id(citation.answer).to_string(),
                citation.cited.clone(),
                ids.collect::<Vec<_>>().join(" "),
                citation.outcome.name().to_owned(),
            ];
            let cells = cells.map(|cell| cell.replace(['\t', '\n', '\r'], " "));
            // Writing to a string does not fail.
            let _ = writeln!(table, "{}", cells.join("\t"));
        }
    }

    fn push_topic(
        &self,
        draft: &mut Draft,
        maker: &mut Maker<'_>,
        reader: &mut Reader<'_>,
        threads: &Collection,
        documents: &Collection,
        id: &str,
    ) -> Result<(), Error> {
        let topic = maker.topic(self.question, id, &Shown::default())?;
        let body = PostView::read(reader, self.question)?.body;
        let multi_part = parts(&body.text).map_or_else(|| "No".to_owned(), |sign| format!("Yes ({sign})"));
        let mut answers: Vec<String> = Vec::new();
        let mut outside = 0;
        for citation in &self.citations {
            match citation.outcome {
                Outcome::Outside => outside += 1,
                Outcome::InQuestion => {}
                Outcome::Relevant => {
                    let answer = threads.post_id(citation.answer).to_string();
                    if answers.last() != Some(&answer) {
                        answers.push(answer);
                    }
                }
            }
        }
        let relevant = || self.relevant.iter().map(|document| documents.post_id(*document).to_string());
        let info = [
            &threads.post_id(self.question).to_string(),
            &topic.formulas.len().to_string(),
            &multi_part,
            &answers.join(" "),
            &relevant().collect::<Vec<_>>().join(" "),
            &outside.to_string(),
        ];
        let topic = Topic { formulas: Vec::new(), thread: None, ..topic };
        draft.push(topic, relevant().map(|id| (id, HIGH)), &info.map(String::as_str));
        Ok(())
    }
}
