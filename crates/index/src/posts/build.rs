//! The index of posts, built.

use super::{About, FORMAT, stem_section};
use crate::error::Error;
use crate::features::{Extractor, FeatureKind};
use crate::fields::{Field, Part, STOPS, length_section, word_key};
use crate::postings::gather::{Batch, Chunk, Gathering};
use crate::progress::Watch;
use crate::symbols::symbol_words;
use frame::{FrameWriter, varint};
use latex::Mode;
use post::{FormulaTexts, PostView};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use store::{Collection, FormNo, PostNo, Reader};
use text::{Kind, Stemmer, StopWords, Tokenizer};
use xxhash_rust::xxh3::Xxh3;

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;
type Set<K> = HashSet<K, foldhash::fast::FixedState>;

/// How many documents are taken together; what a batch needs is held in memory. What is written does not
/// depend on it, and tests are to see many.
const BATCH: u32 = if cfg!(test) { 16 } else { 2048 };
/// How many formulas a worker remembers the features of.
const REMEMBERED: usize = 100_000;

/// A document to be: where its post is, and which document it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DocumentPlace {
    pub(crate) collection: u16,
    pub(crate) post: PostNo,
    pub(crate) parent: Option<u32>,
}

/// Builds a segment of these documents, which are in the order of threads.
///
/// What a build that was cut off has left in `work` is used if it had the same `purpose`.
pub(crate) fn build(
    documents: &[DocumentPlace],
    collections: &[(u16, &Collection)],
    kinds: &[FeatureKind],
    (work, purpose): (&Path, &str),
    target: &Path,
    watch: &dyn Watch,
) -> Result<(), Error> {
    let fields = Field::all(kinds);
    let names: Vec<String> = fields.iter().map(Field::to_string).collect();
    let mut gathering = Gathering::open(work, &names, purpose)?;
    let vocabulary = Vocabulary::open(work, gathering.notes().last())?;
    let mut vocabulary = match vocabulary {
        Some(vocabulary) => vocabulary,
        None => {
            // What the journal counts on is not there: words would have no stems.
            gathering = gathering.anew(purpose)?;
            Vocabulary::create(work)?
        }
    };
    let count = u32::try_from(documents.len()).expect("documents are numbered with 32 bits");
    let start = gathering.next();
    watch.stage("posts", u64::from(count));
    watch.done(u64::from(start));
    let new_worker = || {
        let mut worker = Worker::new(collections, fields.clone());
        move |batch: Range<u32>| worker.batch(documents, start + batch.start..start + batch.end)
    };
    parallel::batches(count - start, BATCH, new_worker, |made: Made| {
        vocabulary.add(&made.terms)?;
        let mut notes = vocabulary.state();
        notes.extend_from_slice(&made.lengths);
        gathering.add(&made.chunks, made.next, notes)?;
        watch.done(u64::from(made.next));
        Ok::<_, Error>(())
    })?;
    watch.stage("lists of posts", 0);
    let mut file = FrameWriter::create(target, FORMAT)?;
    let about = About { documents: count, fields: names, words: vocabulary.terms.len() as u64 };
    let about = serde_json::to_vec(&about).expect("names and numbers can be written");
    file.section::<Error>("about", |put| Ok(put(&about)?))?;
    write_documents(&mut file, documents, collections)?;
    write_lengths(&mut file, &fields, gathering.notes())?;
    for stemmer in [Stemmer::Porter, Stemmer::English] {
        file.items(&stem_section(stemmer), vocabulary.stems(work, stemmer)?)?;
    }
    gathering.write(&mut file, |_| ())?;
    file.finish()?;
    Ok(())
}

fn write_documents(
    file: &mut FrameWriter,
    documents: &[DocumentPlace],
    collections: &[(u16, &Collection)],
) -> Result<(), Error> {
    let posts: Vec<u32> = documents.iter().map(|document| document.post.0).collect();
    file.numbers("doc.post", &posts)?;
    file.items("doc.source", documents.iter().map(|document| document.collection.to_le_bytes()))?;
    let parents: Vec<u32> = documents.iter().map(|document| document.parent.unwrap_or(u32::MAX)).collect();
    file.numbers("doc.parent", &parents)?;
    // The order of ids as strings decides between documents with the same score.
    let id = |document: &DocumentPlace| {
        let collection = collection(collections, document.collection);
        collection.post_id(document.post).to_string()
    };
    let ids: Vec<String> = documents.iter().map(id).collect();
    let mut order: Vec<u32> = (0_u32..).zip(documents).map(|(doc, _)| doc).collect();
    order.sort_unstable_by(|left, right| ids[*left as usize].cmp(&ids[*right as usize]));
    let mut ranks = vec![0; documents.len()];
    for (rank, doc) in (0_u32..).zip(order) {
        ranks[doc as usize] = rank;
    }
    Ok(file.numbers("doc.rank", &ranks)?)
}

/// Lengths are noted a document after the other, and written a field after the other.
fn write_lengths(file: &mut FrameWriter, fields: &[Field], notes: &[Vec<u8>]) -> Result<(), Error> {
    let columns: Vec<String> =
        length_columns(fields).map(|(field, stop)| length_section(field, stop)).collect();
    for (column, name) in columns.iter().enumerate() {
        let rows = notes.iter().filter_map(|note| note.get(STATE..));
        let rows = rows.flat_map(|lengths| lengths.chunks_exact(columns.len() * 2));
        file.items(name, rows.map(|row| [row[column * 2], row[column * 2 + 1]]))?;
    }
    Ok(())
}

/// The lengths that are known of a document.
fn length_columns(fields: &[Field]) -> impl Iterator<Item = (Field, StopWords)> {
    fields.iter().flat_map(|field| {
        let stops =
            if matches!(field, Field::Words(_) | Field::Symbols(_)) { &STOPS[..] } else { &STOPS[..1] };
        stops.iter().map(|stop| (*field, *stop))
    })
}

fn collection<'c>(collections: &[(u16, &'c Collection)], number: u16) -> &'c Collection {
    let found = collections.iter().find(|(known, _)| *known == number);
    found.expect("documents come from collections of the index").1
}

/// What became of a batch.
struct Made {
    chunks: Vec<Chunk>,
    lengths: Vec<u8>,
    terms: Vec<Box<str>>,
    next: u32,
}

/// Takes posts apart; each thread has its own.
struct Worker<'c> {
    readers: Vec<(u16, Reader<'c>)>,
    fields: Vec<Field>,
    batches: Vec<Batch>,
    tokenizer: Tokenizer,
    extractor: Extractor,
    texts: FormulaTexts,
    kinds: Vec<FeatureKind>,
    seen: Set<u64>,
    terms: Vec<Box<str>>,
    /// For each formula, the features of each kind.
    remembered: Map<(u16, u32), Vec<Vec<u64>>>,
}

impl<'c> Worker<'c> {
    fn new(collections: &[(u16, &'c Collection)], fields: Vec<Field>) -> Self {
        Self {
            readers: collections.iter().map(|(number, collection)| (*number, collection.reader())).collect(),
            batches: fields.iter().map(|_| Batch::default()).collect(),
            kinds: fields.iter().filter_map(|field| field.kind()).collect(),
            fields,
            tokenizer: Tokenizer::default(),
            extractor: Extractor::default(),
            texts: FormulaTexts::default(),
            seen: Set::default(),
            terms: Vec::new(),
            remembered: Map::default(),
        }
    }

    fn batch(&mut self, documents: &[DocumentPlace], range: Range<u32>) -> Result<Made, Error> {
        let mut lengths = Vec::new();
        for doc in range.clone() {
            self.document(doc, documents[doc as usize], &mut lengths)?;
        }
        self.seen.clear();
        Ok(Made {
            chunks: self.batches.iter_mut().map(Batch::chunk).collect(),
            lengths,
            terms: std::mem::take(&mut self.terms),
            next: range.end,
        })
    }

    fn document(&mut self, doc: u32, place: DocumentPlace, lengths: &mut Vec<u8>) -> Result<(), Error> {
        let reader = reader(&mut self.readers, place.collection);
        let collection = reader.collection();
        let PostView { post, title, body } = PostView::read(reader, place.post)?;
        let mut comments = String::new();
        for comment in collection.comments_on(place.post) {
            comments.push_str(&post::plain(&reader.comment(comment)?.text));
            comments.push('\n');
        }
        let title = title.unwrap_or_default();
        let mut forms: Vec<FormNo> = title.forms(collection).collect();
        let in_title = forms.len();
        forms.extend(body.forms(collection));
        let (title, body, tags) = (title.text, body.text, post.tags.join(" "));
        for (number, field) in self.fields.clone().into_iter().enumerate() {
            let written = match field {
                Field::Words(Part::Title) => self.words(doc, number, &title),
                Field::Words(Part::Body) => self.words(doc, number, &body),
                Field::Words(Part::Tags) => self.words(doc, number, &tags),
                Field::Words(Part::Comments) => self.words(doc, number, &comments),
                Field::Source(Part::Title) => self.source(doc, number, place, &forms[..in_title])?,
                Field::Source(_) => self.source(doc, number, place, &forms[in_title..])?,
                Field::Symbols(Part::Title) => {
                    self.symbols(doc, number, place, &title, &forms[..in_title])?
                }
                Field::Symbols(_) => self.symbols(doc, number, place, &body, &forms[in_title..])?,
                Field::Math(kind) => self.features(doc, number, place, &forms, kind)?,
            };
            for length in written.into_iter().flatten() {
                // Two bytes each, 65,535 standing for anything longer.
                lengths.extend_from_slice(&u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes());
            }
        }
        Ok(())
    }

    /// Adds the words of a text; says how many there are without the words of each list of stop words.
    fn words(&mut self, doc: u32, field: usize, text: &str) -> Lengths {
        let Self { batches, tokenizer, seen, terms, .. } = self;
        let mut counts = [0; STOPS.len()];
        tokenizer.tokenize(text, |word| {
            let key = word_key(word.term);
            batches[field].add(key, doc);
            if word.kind != Kind::Compound {
                for (count, stop) in counts.iter_mut().zip(STOPS) {
                    *count += u32::from(!stop.contains(word.term));
                }
            }
            if seen.insert(key) {
                terms.push(word.term.into());
            }
        });
        counts.map(Some)
    }

    /// Adds the words in the LaTeX of formulas; says how many there are.
    fn source(
        &mut self,
        doc: u32,
        field: usize,
        place: DocumentPlace,
        forms: &[FormNo],
    ) -> Result<Lengths, Error> {
        let Self { readers, batches, tokenizer, texts, .. } = self;
        let reader = reader(readers, place.collection);
        let mut count = 0;
        for form in forms {
            tokenizer.tokenize_source(&texts.latex(reader, *form)?, |word| {
                if word.kind != Kind::Compound {
                    batches[field].add(word_key(word.term), doc);
                    count += 1;
                }
            });
        }
        Ok(one(count))
    }

    /// Adds the names of the signs in a text and in the LaTeX of its formulas, each between two dollars; says
    /// how many there are without the words of each list of stop words.
    fn symbols(
        &mut self,
        doc: u32,
        field: usize,
        place: DocumentPlace,
        text: &str,
        forms: &[FormNo],
    ) -> Result<Lengths, Error> {
        let Self { readers, batches, seen, terms, texts, .. } = self;
        let reader = reader(readers, place.collection);
        let mut counts = [0; STOPS.len()];
        let mut add = |word: &'static str| {
            let key = word_key(word);
            batches[field].add(key, doc);
            for (count, stop) in counts.iter_mut().zip(STOPS) {
                *count += u32::from(!stop.contains(word));
            }
            if seen.insert(key) {
                terms.push(word.into());
            }
        };
        symbol_words(text, &mut add);
        for form in forms {
            symbol_words("$", &mut add);
            symbol_words(&texts.latex(reader, *form)?, &mut add);
            symbol_words("$", &mut add);
        }
        Ok(counts.map(Some))
    }

    /// Adds the features of formulas; says how many there are.
    fn features(
        &mut self,
        doc: u32,
        field: usize,
        place: DocumentPlace,
        forms: &[FormNo],
        kind: FeatureKind,
    ) -> Result<Lengths, Error> {
        let Self { readers, batches, extractor, kinds, remembered, texts, .. } = self;
        let reader = reader(readers, place.collection);
        let number = kinds.iter().position(|known| *known == kind).expect("kinds are those of the fields");
        let mut count = 0;
        for form in forms {
            let key = (place.collection, form.0);
            if !remembered.contains_key(&key) {
                if remembered.len() >= REMEMBERED {
                    remembered.clear();
                }
                // All kinds at once, so that a formula is read once.
                let latex = texts.latex(reader, *form)?;
                extractor.read(&latex, Mode::Document);
                let features = kinds.iter().map(|kind| {
                    let mut features = Vec::new();
                    extractor.features(*kind, |feature| features.push(feature));
                    features
                });
                remembered.insert(key, features.collect());
            }
            let features = &remembered[&key][number];
            features.iter().for_each(|feature| batches[field].add(*feature, doc));
            count += u32::try_from(features.len()).unwrap_or(u32::MAX);
        }
        Ok(one(count))
    }
}

/// The reader of a collection.
fn reader<'r, 'c>(readers: &'r mut [(u16, Reader<'c>)], collection: u16) -> &'r mut Reader<'c> {
    let found = readers.iter_mut().find(|(number, _)| *number == collection);
    &mut found.expect("documents come from collections of the index").1
}

/// How long a field of a document is: without each list of stop words, or just how long.
type Lengths = [Option<u32>; STOPS.len()];

fn one(length: u32) -> Lengths {
    let mut lengths = [None; STOPS.len()];
    lengths[0] = Some(length);
    lengths
}

/// The bytes of a vocabulary's state in the notes of a batch; lengths follow.
const STATE: usize = 16;

/// The words of all posts: their keys in memory, themselves on disk.
struct Vocabulary {
    terms: Set<u64>,
    file: File,
    path: PathBuf,
    /// How long the file is, and the checksum of what is in it.
    length: u64,
    checksum: Xxh3,
}

impl Vocabulary {
    fn create(work: &Path) -> Result<Self, Error> {
        let path = work.join("vocabulary");
        let file = File::create(&path).map_err(Error::io(&path))?;
        Ok(Self { terms: Set::default(), file, path, length: 0, checksum: Xxh3::new() })
    }

    /// Begins, or takes up the state that was noted with the last batch; `None` if that is not there.
    fn open(work: &Path, noted: Option<&Vec<u8>>) -> Result<Option<Self>, Error> {
        let Some(noted) = noted else { return Self::create(work).map(Some) };
        let path = work.join("vocabulary");
        let (Some(noted), Ok(bytes)) = (noted.get(..STATE), fs::read(&path)) else { return Ok(None) };
        let length = u64::from_le_bytes(noted[..8].try_into().expect("eight bytes"));
        let Some(bytes) = usize::try_from(length).ok().and_then(|length| bytes.get(..length)) else {
            return Ok(None);
        };
        let mut checksum = Xxh3::new();
        checksum.update(bytes);
        if noted[8..] != checksum.digest().to_le_bytes() {
            return Ok(None);
        }
        let mut terms = Set::default();
        let mut rest = bytes;
        while let Some(term) = take_term(&mut rest) {
            terms.insert(word_key(term));
        }
        let file = OpenOptions::new().append(true).open(&path).map_err(Error::io(&path))?;
        file.set_len(length).map_err(Error::io(&path))?;
        Ok(Some(Self { terms, file, path, length, checksum }))
    }

    /// What a later build needs to take it up again.
    fn state(&self) -> Vec<u8> {
        [self.length, self.checksum.digest()].iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    fn add(&mut self, terms: &[Box<str>]) -> Result<(), Error> {
        let mut bytes = Vec::new();
        for term in terms {
            if self.terms.insert(word_key(term)) {
                varint::put(term.len() as u64, &mut bytes);
                bytes.extend_from_slice(term.as_bytes());
            }
        }
        self.length += bytes.len() as u64;
        self.checksum.update(&bytes);
        self.file.write_all(&bytes).map_err(Error::io(&self.path))
    }

    /// The words whose stem is another word: the key of the stem and that of the word, in order.
    fn stems(&self, work: &Path, stemmer: Stemmer) -> Result<Vec<[u8; 16]>, Error> {
        let bytes = frame::map(&work.join("vocabulary"))?;
        let mut rest = &bytes[..];
        let mut memory = String::new();
        let mut pairs = Vec::new();
        while let Some(term) = take_term(&mut rest) {
            let stem = stemmer.stem(term, &mut memory);
            if stem != term {
                pairs.push((word_key(stem), word_key(term)));
            }
        }
        pairs.sort_unstable();
        let pair = |(stem, term): (u64, u64)| {
            let mut bytes = [0; 16];
            bytes[..8].copy_from_slice(&stem.to_le_bytes());
            bytes[8..].copy_from_slice(&term.to_le_bytes());
            bytes
        };
        Ok(pairs.into_iter().map(pair).collect())
    }
}

fn take_term<'a>(bytes: &mut &'a [u8]) -> Option<&'a str> {
    let mut rest = *bytes;
    let length = usize::try_from(varint::take(&mut rest)?).ok()?;
    let (term, rest) = rest.split_at_checked(length)?;
    let term = std::str::from_utf8(term).ok()?;
    *bytes = rest;
    Some(term)
}
