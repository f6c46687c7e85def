//! Vectors as parts of an index.
//!
//! A part of posts has a vector for each passage of each post, in 16-bit numbers. A part of formulas has one for each
//! distinct formula. The settings of a part name the model, its fingerprint and how the texts were written, so that
//! vectors of different models are never compared.
//!
//! Where a segment has more than [`ROWS_WITHOUT_LISTS`] vectors, its file also has lists of vectors that point the
//! same way, which searches use to leave most of them out.

use crate::encode::{Encode, EncodeError};
use crate::text::{FormulaStyle, TextWriter};
use index::parts::{
    BuildFormulas, BuildPosts, ListSection, NewFormulas, NewPosts, Over, PartBuilder, PartFile, PartKind,
    PartLabel, PartOutput, RowSection,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;
use store::PostKind;
use vectors::{ByteRows, Effort, HalfRows, ListOptions, Lists, NewLists, ROWS_WITHOUT_LISTS, Vectors};

/// The version of the sections and of the texts.
const VERSION: u32 = 1;
/// The section of the vectors.
const VECTORS: &str = "vectors";
/// The section of the lists.
const LISTS: &str = "lists";
/// Chance in building lists.
const SEED: u64 = 1;
/// The number of posts that are encoded together.
const BATCH: u32 = 64;
/// The most passages of a post.
const MOST_PASSAGES: usize = 64;

/// How posts longer than the model's limit are cut.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Passages {
    /// The beginning alone is encoded.
    #[default]
    First,
    /// Passages with an overlap of this many tokens.
    Overlapping(usize),
}

/// What decides the vectors of a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The name of the model.
    pub model: String,
    /// Its fingerprint.
    pub fingerprint: String,
    /// The numbers of a vector.
    pub dimensions: usize,
    /// The tokens of a text that the model reads.
    pub tokens: usize,
    /// How formulas are written.
    pub formulas: FormulaStyle,
    /// How long posts are cut.
    pub passages: Passages,
    /// Which posts have vectors.
    pub of: BTreeSet<Kind>,
}

/// A kind of post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Answers.
    Answers,
    /// Questions, and documents of other collections.
    Questions,
}

impl Settings {
    /// The settings for a model, with the defaults for the rest.
    #[must_use]
    pub fn of(encoder: &dyn Encode) -> Self {
        Self {
            model: encoder.name().to_owned(),
            fingerprint: encoder.fingerprint().to_owned(),
            dimensions: encoder.dimensions(),
            tokens: encoder.max_tokens(),
            formulas: FormulaStyle::default(),
            passages: Passages::default(),
            of: BTreeSet::from([Kind::Answers, Kind::Questions]),
        }
    }

    /// The settings of a part, if it is one of vectors.
    #[must_use]
    pub fn read(label: &PartLabel) -> Option<Self> {
        if !label.name.starts_with(prefix(label.over)) || label.version != VERSION {
            return None;
        }
        serde_json::from_str(&label.settings).ok()
    }

    fn write(&self) -> String {
        serde_json::to_string(self).expect("names and numbers can be written")
    }

    fn row(&self) -> usize {
        2 * self.dimensions
    }
}

/// What the names of parts begin with.
fn prefix(over: Over) -> &'static str {
    match over {
        Over::Posts => "vectors-",
        Over::Formulas => "formula-vectors-",
    }
}

/// The longest name of a part.
const LONGEST: usize = 64;

/// The name of a part for a model. Letters, digits and hyphens of the model's name stay; a model whose name has
/// anything else gets a number that tells it from models with a similar name.
fn part_name(over: Over, model: &str) -> String {
    let plain = |letter: char| match letter.to_ascii_lowercase() {
        letter @ ('a'..='z' | '0'..='9') => letter,
        _ => '-',
    };
    let mut name = prefix(over).to_owned();
    name.extend(model.chars().map(plain));
    if name[prefix(over).len()..] != *model || name.len() > LONGEST {
        let number = xxhash_rust::xxh3::xxh3_64(model.as_bytes()) & 0xffff_ffff;
        name.truncate(LONGEST - 9);
        name.push_str(&format!("-{number:08x}"));
    }
    name
}

/// The vectors of posts, or those of distinct formulas.
#[derive(Debug)]
pub struct VectorPart<'e> {
    name: String,
    over: Over,
    settings: Settings,
    encoder: &'e dyn Encode,
    most_without_lists: usize,
}

impl<'e> VectorPart<'e> {
    /// A part whose vectors an encoder makes.
    #[must_use]
    pub fn new(over: Over, encoder: &'e dyn Encode, settings: Settings) -> Self {
        let name = part_name(over, encoder.name());
        Self { name, over, settings, encoder, most_without_lists: ROWS_WITHOUT_LISTS }
    }

    /// The same with lists in segments of more vectors than this; for tests, which have few.
    #[must_use]
    pub fn with_lists_from(self, rows: usize) -> Self {
        Self { most_without_lists: rows, ..self }
    }

    fn has_vectors(&self, kind: PostKind) -> bool {
        let kind = if kind == PostKind::Answer { Kind::Answers } else { Kind::Questions };
        self.settings.of.contains(&kind)
    }

    fn failed(&self, error: impl std::error::Error + Send + Sync + 'static) -> index::Error {
        index::Error::part(&self.name, error)
    }

    /// The vectors of texts, each as the bytes of a row.
    fn encode(&self, texts: &[&str]) -> Result<Vec<Vec<u8>>, index::Error> {
        let vectors = self.encoder.encode(texts).map_err(|error| self.failed(error))?;
        let row = |vector: &[f32]| {
            let mut row = Vec::new();
            HalfRows::push(vector, &mut row).map_err(|error| self.failed(error))?;
            Ok(row)
        };
        vectors.chunks_exact(self.settings.dimensions).map(row).collect()
    }

    /// The passages of a text.
    fn passages<'t>(&self, text: &'t str) -> Result<Vec<&'t str>, EncodeError> {
        match self.settings.passages {
            Passages::First => Ok(vec![text]),
            Passages::Overlapping(overlap) => {
                let ranges = self.encoder.passages(text, overlap)?;
                Ok(ranges.into_iter().take(MOST_PASSAGES).map(|range| &text[range]).collect())
            }
        }
    }

    /// The rows of posts, given as texts.
    fn rows(&self, texts: &[Option<String>]) -> Result<Vec<Vec<u8>>, index::Error> {
        let mut places = Vec::new();
        let mut passages = Vec::new();
        for (place, text) in texts.iter().enumerate() {
            let Some(text) = text else { continue };
            for passage in self.passages(text).map_err(|error| self.failed(error))? {
                places.push(place);
                passages.push(passage);
            }
        }
        let mut rows = vec![Vec::new(); texts.len()];
        for (place, row) in places.into_iter().zip(self.encode(&passages)?) {
            rows[place].extend(row);
        }
        Ok(rows)
    }

    /// Writes lists of vectors that lie in these bytes of the file, if there are many.
    fn write_lists(&self, vectors: Range<usize>, out: &mut PartOutput<'_>) -> Result<(), index::Error> {
        let rows = vectors.len() / self.settings.row();
        if rows <= self.most_without_lists {
            return Ok(());
        }
        out.watch().stage(&format!("{} (lists)", self.name), rows as u64);
        out.derived(LISTS, vectors, |vectors, put| {
            let half = HalfRows::new(self.settings.dimensions, vectors);
            let half = half.map_err(|error| self.failed(error))?;
            let lists = NewLists::build(&half, SEED, &ListOptions::default(), || false);
            lists.map_err(|error| self.failed(error))?.write(&half, put)?;
            Ok(())
        })?;
        out.watch().done(rows as u64);
        Ok(())
    }
}

impl PartKind for VectorPart<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> u32 {
        VERSION
    }

    fn settings(&self) -> String {
        self.settings.write()
    }

    fn builder(&self) -> PartBuilder<'_> {
        match self.over {
            Over::Posts => PartBuilder::Posts(self),
            Over::Formulas => PartBuilder::Formulas(self),
        }
    }
}

impl BuildPosts for VectorPart<'_> {
    fn build(&self, posts: &NewPosts<'_>, out: &mut PartOutput<'_>) -> Result<(), index::Error> {
        let bytes = self.settings.row();
        let section = ListSection { name: VECTORS, documents: posts.documents(), bytes, batch: BATCH };
        let old = |doc| posts.old(doc).and_then(|(file, doc)| file.list(VECTORS, bytes, doc));
        let written = out.lists(section, old, || {
            let mut readers = posts.readers();
            let mut writer = TextWriter::new(self.settings.formulas);
            move |docs: &[u32]| {
                let mut texts = Vec::with_capacity(docs.len());
                for doc in docs {
                    let (collection, post) = posts.post(*doc);
                    if self.has_vectors(collection.post_facts(post).kind) {
                        let (reader, post) = readers.post(*doc);
                        texts.push(Some(writer.post(reader, post)?));
                    } else {
                        texts.push(None);
                    }
                }
                self.rows(&texts)
            }
        })?;
        self.write_lists(written, out)
    }
}

impl BuildFormulas for VectorPart<'_> {
    fn build(&self, formulas: &NewFormulas<'_>, out: &mut PartOutput<'_>) -> Result<(), index::Error> {
        let bytes = self.settings.row();
        let section = RowSection { name: VECTORS, documents: formulas.documents(), bytes, batch: 4 * BATCH };
        let old = |doc| formulas.old(doc).and_then(|(file, doc)| file.row(VECTORS, bytes, doc));
        let written = out.rows(section, old, || {
            let mut writer = TextWriter::new(self.settings.formulas);
            move |docs: &[u32]| {
                let latex = docs.iter().map(|doc| formulas.formulas().latex(*doc));
                let texts: Vec<String> = latex.map(|latex| writer.formula_alone(latex)).collect();
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                Ok(self.encode(&texts)?.concat())
            }
        })?;
        self.write_lists(written, out)
    }
}

/// The vectors in an open file of a part.
#[derive(Clone, Copy, Debug)]
pub struct VectorFile<'f> {
    rows: HalfRows<'f>,
    /// For each post the row after its last; nothing in a part of formulas, where each document has one row.
    ends: Option<&'f [[u8; 4]]>,
    lists: Option<Lists<'f>>,
}

impl<'f> VectorFile<'f> {
    /// Reads a file of a part with these settings.
    ///
    /// # Errors
    ///
    /// When its sections do not fit together.
    pub fn new(file: &'f PartFile, settings: &Settings) -> Result<Self, index::Error> {
        let bytes = settings.row();
        let (rows, ends) = match file.about().label.over {
            Over::Formulas => (file.rows(VECTORS, bytes)?, None),
            Over::Posts => {
                let (rows, ends) = file.lists(VECTORS, bytes)?;
                (rows, Some(ends))
            }
        };
        let damaged = |error: vectors::Error| file.damaged(&error.to_string());
        let rows = HalfRows::new(settings.dimensions, rows).map_err(damaged)?;
        let lists = match file.bytes(LISTS) {
            [] => None,
            lists => Some(Lists::new(lists).map_err(damaged)?),
        };
        Ok(Self { rows, ends, lists })
    }

    /// All vectors, one after the other.
    #[must_use]
    pub fn rows(&self) -> HalfRows<'f> {
        self.rows
    }

    /// About the `depth` documents nearest to a vector, with how near they are, nearest first; nothing if the file
    /// has no lists. [`Effort::Usual`] says what may be missed.
    ///
    /// # Errors
    ///
    /// When the lists belong to other vectors, or the vector has another dimension.
    pub fn top_listed(
        &self,
        query: &[f32],
        depth: usize,
        accept: impl Fn(u32) -> bool + Sync,
        should_stop: impl FnMut() -> bool,
    ) -> Result<Option<Vec<(u32, f32)>>, vectors::Error> {
        let Some(lists) = self.lists else { return Ok(None) };
        let rest = ByteRows::new(self.rows.dimension(), &[])?;
        let vectors = Vectors::with_lists(self.rows, lists, rest)?;
        let document = |row| self.document(row);
        let found = vectors.top_documents(query, depth, Effort::Usual, document, accept, should_stop)?;
        Ok(Some(found.hits.into_iter().map(|hit| (hit.document, hit.score)).collect()))
    }

    /// The rows of a document.
    #[must_use]
    pub fn of(&self, doc: u32) -> Range<u32> {
        let Some(ends) = self.ends else { return doc..doc + 1 };
        let end = |doc: u32| ends.get(doc as usize).map_or(0, |end| u32::from_le_bytes(*end));
        doc.checked_sub(1).map_or(0, end)..end(doc)
    }

    /// The document of a row.
    #[must_use]
    pub fn document(&self, row: u32) -> u32 {
        let Some(ends) = self.ends else { return row };
        ends.partition_point(|end| u32::from_le_bytes(*end) <= row) as u32
    }

    /// How near a document is to a vector, and which of its passages is nearest; nothing if it has no vector.
    #[must_use]
    pub fn nearest(&self, doc: u32, query: &[f32]) -> Option<(usize, f32)> {
        let similarities = self.of(doc).map_while(|row| self.rows.dot(row, query)).enumerate();
        similarities.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }
}

#[cfg(test)]
mod tests {
    use super::{Over, part_name};

    #[test]
    fn models_of_similar_names_have_parts_of_their_own() {
        assert_eq!(part_name(Over::Posts, "all-mpnet-base-v2"), "vectors-all-mpnet-base-v2");
        let similar = ["x.y", "x-y", "x_y", "X-y", &"x".repeat(96), &"x".repeat(95)];
        let names: std::collections::BTreeSet<String> =
            similar.iter().map(|model| part_name(Over::Formulas, model)).collect();
        assert_eq!(names.len(), similar.len());
        assert!(names.iter().all(|name| name.len() <= 64), "{names:?}");
    }
}
