//! A trial: the word view of our systems over tantivy's postings, and tantivy's own BM25, on the same tokens.
//!
//! Reads lines from a file, fields separated by tabs:
//!
//! ```text
//! S  WORD  STEM                   a word and its stem
//! D  ID    BODY TOKENS  QUESTION  an answer, and the question that it answers
//! Q  KIND  K            TOKENS    a query and the number of results
//! ```
//!
//! Prints a JSON object with CPU times in milliseconds, one thread, the least of several passes:
//!
//! - `native`: a union of term queries over one field that holds both texts, which tantivy prunes by WAND;
//! - `scorer`: stems as classes of words, body and question added up, as a [`Scorer`] for each class in tantivy's
//!   own union;
//! - `weight`: the same by a [`Weight`] that reads whole blocks of tantivy's postings window by window, as our own
//!   search does, but without leaving anything out.

use cpu_time::ThreadTime;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tantivy::collector::TopDocs;
use tantivy::postings::{BlockSegmentPostings, Postings, SegmentPostings};
use tantivy::query::{
    BooleanQuery, BoostQuery, EnableScoring, Explanation, Occur, Query, Scorer, TermQuery, Weight,
};
use tantivy::schema::{Field, IndexRecordOption, Schema, TextFieldIndexing, TextOptions};
use tantivy::tokenizer::{TextAnalyzer, WhitespaceTokenizer};
use tantivy::{DocId, DocSet, Index, Score, Searcher, SegmentReader, TERMINATED, TantivyDocument, Term};

const PASSES: usize = 6;
const WINDOW: u32 = 8192;
const FREQUENCIES: IndexRecordOption = IndexRecordOption::WithFreqs;

/// A stem: its words in both fields, and its idf times its count in the query.
#[derive(Clone, Debug)]
struct Class {
    terms: Vec<Term>,
    weight: f32,
}

#[derive(Clone, Debug)]
struct View {
    classes: Arc<Vec<Class>>,
    norms: Arc<Vec<f32>>,
    by_block: bool,
}

impl Query for View {
    fn weight(&self, _: EnableScoring<'_>) -> tantivy::Result<Box<dyn Weight>> {
        Ok(Box::new(self.clone()))
    }
}

impl Weight for View {
    fn scorer(&self, reader: &SegmentReader, boost: Score) -> tantivy::Result<Box<dyn Scorer>> {
        let mut lists = Vec::new();
        for term in &self.classes[0].terms {
            lists.extend(reader.inverted_index(term.field())?.read_postings(term, FREQUENCIES)?);
        }
        let mut scorer =
            ClassScorer { lists, doc: 0, frequency: 0, weight: self.classes[0].weight * boost, norms: self.norms.clone() };
        scorer.settle();
        Ok(Box::new(scorer))
    }

    fn explain(&self, _: &SegmentReader, _: DocId) -> tantivy::Result<Explanation> {
        Ok(Explanation::new("a trial explains nothing", 0.0))
    }

    fn for_each_pruning(
        &self,
        mut threshold: Score,
        reader: &SegmentReader,
        callback: &mut dyn FnMut(DocId, Score) -> Score,
    ) -> tantivy::Result<()> {
        assert!(self.by_block);
        let mut open: Vec<(f32, Vec<BlockSegmentPostings>)> = Vec::new();
        for class in self.classes.iter() {
            let mut lists = Vec::new();
            for term in &class.terms {
                lists.extend(reader.inverted_index(term.field())?.read_block_postings(term, FREQUENCIES)?);
            }
            open.push((class.weight, lists));
        }
        let documents = reader.max_doc();
        let (mut scores, mut frequencies) = (vec![0.0_f32; WINDOW as usize], vec![0.0_f32; WINDOW as usize]);
        let mut touched = vec![0_u32; WINDOW as usize + 1];
        let mut start = 0;
        while start < documents {
            let end = (start + WINDOW).min(documents);
            for (weight, lists) in &mut open {
                let mut num = 0;
                for list in lists {
                    while list.block_len() > 0 {
                        let (docs, counts) = (list.docs(), list.freqs());
                        let from = docs.partition_point(|doc| *doc < start);
                        let to = docs.partition_point(|doc| *doc < end);
                        for (doc, count) in docs[from..to].iter().zip(&counts[from..to]) {
                            let sum = &mut frequencies[(doc - start) as usize];
                            touched[num] = doc - start;
                            num += usize::from(*sum == 0.0);
                            *sum += *count as f32;
                        }
                        if to < docs.len() {
                            break;
                        }
                        list.advance();
                    }
                }
                for &place in &touched[..num] {
                    let frequency = std::mem::take(&mut frequencies[place as usize]);
                    let norm = self.norms[(start + place) as usize];
                    scores[place as usize] += *weight / (1.0 + norm / frequency);
                }
            }
            for (doc, score) in (start..end).zip(&mut scores) {
                if *score > threshold {
                    threshold = callback(doc, *score);
                }
                *score = 0.0;
            }
            start = end;
        }
        Ok(())
    }
}

/// The documents of a class, in order.
struct ClassScorer {
    lists: Vec<SegmentPostings>,
    doc: DocId,
    frequency: u32,
    weight: f32,
    norms: Arc<Vec<f32>>,
}

impl ClassScorer {
    fn settle(&mut self) {
        self.doc = self.lists.iter().map(DocSet::doc).min().unwrap_or(TERMINATED);
        let here = self.lists.iter().filter(|list| list.doc() == self.doc && self.doc != TERMINATED);
        self.frequency = here.map(|list| list.term_freq()).sum();
    }
}

impl DocSet for ClassScorer {
    fn advance(&mut self) -> DocId {
        for list in &mut self.lists {
            if list.doc() == self.doc {
                list.advance();
            }
        }
        self.settle();
        self.doc
    }

    fn doc(&self) -> DocId {
        self.doc
    }

    fn size_hint(&self) -> u32 {
        self.lists.iter().map(DocSet::size_hint).sum()
    }
}

impl Scorer for ClassScorer {
    fn score(&mut self) -> Score {
        self.weight / (1.0 + self.norms[self.doc as usize] / self.frequency as f32)
    }
}

fn main() -> tantivy::Result<()> {
    let path = std::env::args().nth(1).expect("the file of tokens");
    let text = std::fs::read_to_string(path)?;
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default().set_tokenizer("blanks").set_index_option(FREQUENCIES);
    let options = TextOptions::default().set_indexing_options(indexing);
    let [body, question, both] = ["body", "question", "both"].map(|name| schema.add_text_field(name, options.clone()));
    let index = Index::create_in_ram(schema.build());
    index.tokenizers().register("blanks", TextAnalyzer::from(WhitespaceTokenizer::default()));
    let mut writer = index.writer_with_num_threads(1, 1_000_000_000)?;
    let (mut stems, mut classes) = (HashMap::new(), BTreeMap::<&str, Vec<&str>>::new());
    let (mut lengths, mut queries) = (Vec::new(), Vec::new());
    for line in text.lines() {
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["S", word, stem] => {
                stems.insert(word, stem);
                classes.entry(stem).or_default().push(word);
            }
            ["D", _, own, asked] => {
                let mut document = TantivyDocument::default();
                document.add_text(body, own);
                document.add_text(question, asked);
                document.add_text(both, format!("{asked} {own}"));
                lengths.push((own.split(' ').count() + asked.split(' ').count()) as f32);
                writer.add_document(document)?;
            }
            ["Q", kind, k, words] => queries.push((kind, k.parse::<usize>().expect("a number"), words)),
            _ => panic!("a line of another kind"),
        }
    }
    writer.commit()?;
    let segments = index.searchable_segment_ids()?;
    if segments.len() > 1 {
        writer.merge(&segments).wait()?;
    }
    writer.wait_merging_threads()?;
    let searcher = index.reader()?.searcher();
    assert_eq!(searcher.segment_readers().len(), 1);
    let mean = lengths.iter().sum::<f32>() / lengths.len() as f32;
    let norms: Arc<Vec<f32>> = Arc::new(lengths.iter().map(|length| 0.9 * (0.6 + 0.4 * length / mean)).collect());
    let kinds: std::collections::BTreeSet<&str> = queries.iter().map(|(kind, ..)| *kind).collect();
    for kind in kinds {
        let mut made: [Vec<(usize, Box<dyn Query>)>; 3] = Default::default();
        for (_, k, words) in queries.iter().filter(|query| query.0 == kind) {
            let mut counted = BTreeMap::<&str, f32>::new();
            let mut stemmed = BTreeMap::<&str, f32>::new();
            for word in words.split(' ') {
                *counted.entry(word).or_default() += 1.0;
                *stemmed.entry(stems.get(word).unwrap_or(&word)).or_default() += 1.0;
            }
            let native = counted.iter().map(|(word, count)| {
                let term = TermQuery::new(Term::from_field_text(both, word), FREQUENCIES);
                (Occur::Should, Box::new(BoostQuery::new(Box::new(term), *count)) as Box<dyn Query>)
            });
            made[0].push((*k, Box::new(BooleanQuery::new(native.collect()))));
            let all = stemmed.iter().map(|(stem, count)| class(&searcher, &classes, [body, question], stem, *count));
            let all: Vec<Class> = all.collect();
            let scorers = all.iter().map(|class| {
                let view = View { classes: Arc::new(vec![class.clone()]), norms: norms.clone(), by_block: false };
                (Occur::Should, Box::new(view) as Box<dyn Query>)
            });
            made[1].push((*k, Box::new(BooleanQuery::new(scorers.collect()))));
            made[2].push((*k, Box::new(View { classes: Arc::new(all), norms: norms.clone(), by_block: true })));
        }
        for (name, queries) in ["native", "scorer", "weight"].into_iter().zip(made) {
            let mut least = vec![f64::INFINITY; queries.len()];
            for pass in 0..PASSES {
                for ((k, query), least) in queries.iter().zip(&mut least) {
                    let begin = ThreadTime::now();
                    let found = searcher.search(query, &TopDocs::with_limit(*k).order_by_score())?;
                    let spent = begin.elapsed().as_secs_f64() * 1000.0;
                    assert!(!found.is_empty());
                    if pass > 0 {
                        *least = least.min(spent);
                    }
                }
            }
            least.sort_by(f64::total_cmp);
            let mean = least.iter().sum::<f64>() / least.len() as f64;
            println!(
                "{{\"documents\": {}, \"query\": \"{kind}\", \"way\": \"{name}\", \"p50\": {:.3}, \"mean\": {mean:.3}, \"queries\": {}}}",
                lengths.len(), least[least.len() / 2], least.len()
            );
        }
    }
    Ok(())
}

fn class(
    searcher: &Searcher,
    classes: &BTreeMap<&str, Vec<&str>>,
    fields: [Field; 2],
    stem: &str,
    count: f32,
) -> Class {
    let words = classes.get(stem).cloned().unwrap_or_else(|| vec![stem]);
    let terms: Vec<Term> =
        fields.into_iter().flat_map(|field| words.iter().map(move |word| Term::from_field_text(field, word))).collect();
    let documents: u64 = terms.iter().map(|term| searcher.doc_freq(term).unwrap_or(0)).sum();
    let all = searcher.num_docs();
    let documents = documents.min(all) as f32;
    let idf = (1.0 + (all as f32 - documents + 0.5) / (documents + 0.5)).ln();
    Class { terms, weight: idf * count * 1.9 }
}
