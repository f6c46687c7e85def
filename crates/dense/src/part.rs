//! Vectors as parts of an index.
//!
//! A part of posts has a vector for each passage of each post, in 16-bit numbers. A part of formulas has one for each
//! distinct formula. The settings of a part name the model, its fingerprint and how the texts were written, so that
//! vectors of different models are never compared.

use crate::encode::{Encode, EncodeError};
use crate::text::{FormulaStyle, TextWriter};
use index::parts::{
    BuildFormulas, BuildPosts, ListSection, NewFormulas, NewPosts, PartBuilder, PartFile, PartKind,
    PartLabel, PartOutput, RowSection,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use store::PostKind;
use vectors::HalfRows;

/// The version of the sections and of the texts.
const VERSION: u32 = 1;
/// The section of the vectors.
const VECTORS: &str = "vectors";
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
        let is_ours = label.name.starts_with(POSTS) || label.name.starts_with(FORMULAS);
        if !is_ours || label.version != VERSION {
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

const POSTS: &str = "vectors-";
const FORMULAS: &str = "formula-vectors-";

/// The name of a part for a model: what of its name may stand in a file's name.
#[must_use]
pub fn part_name(prefix: &str, model: &str) -> String {
    let mut name = prefix.to_owned();
    for letter in model.chars() {
        let letter = letter.to_ascii_lowercase();
        match letter {
            'a'..='z' | '0'..='9' => name.push(letter),
            _ if name.ends_with('-') => {}
            _ => name.push('-'),
        }
        if name.len() == 64 {
            break;
        }
    }
    name.trim_end_matches('-').to_owned()
}

/// The vectors of posts.
#[derive(Debug)]
pub struct PostVectors<'e> {
    name: String,
    settings: Settings,
    encoder: &'e dyn Encode,
}

impl<'e> PostVectors<'e> {
    /// A part whose vectors an encoder makes.
    #[must_use]
    pub fn new(encoder: &'e dyn Encode, settings: Settings) -> Self {
        Self { name: part_name(POSTS, encoder.name()), settings, encoder }
    }

    fn has_vectors(&self, kind: PostKind) -> bool {
        let kind = if kind == PostKind::Answer { Kind::Answers } else { Kind::Questions };
        self.settings.of.contains(&kind)
    }

    fn failed(&self, error: EncodeError) -> index::Error {
        index::Error::part(&self.name, error)
    }

    /// The rows of posts, given as texts.
    fn rows(&self, texts: &[Option<String>]) -> Result<Vec<Vec<u8>>, index::Error> {
        let mut pieces: Vec<(usize, &str)> = Vec::new();
        for (place, text) in texts.iter().enumerate() {
            let Some(text) = text else { continue };
            match self.settings.passages {
                Passages::First => pieces.push((place, text)),
                Passages::Overlapping(overlap) => {
                    let ranges = self.encoder.passages(text, overlap).map_err(|error| self.failed(error))?;
                    pieces.extend(ranges.into_iter().take(MOST_PASSAGES).map(|range| (place, &text[range])));
                }
            }
        }
        let passages: Vec<&str> = pieces.iter().map(|(_, piece)| *piece).collect();
        let vectors = self.encoder.encode(&passages).map_err(|error| self.failed(error))?;
        let mut rows = vec![Vec::new(); texts.len()];
        for ((place, _), vector) in pieces.iter().zip(vectors.chunks_exact(self.settings.dimensions)) {
            HalfRows::push(vector, &mut rows[*place])
                .map_err(|error| index::Error::part(&self.name, error))?;
        }
        Ok(rows)
    }
}

impl PartKind for PostVectors<'_> {
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
        PartBuilder::Posts(self)
    }
}

impl BuildPosts for PostVectors<'_> {
    fn build(&self, posts: &NewPosts<'_>, out: &mut PartOutput<'_>) -> Result<(), index::Error> {
        let bytes = self.settings.row();
        let section = ListSection { name: VECTORS, documents: posts.documents(), bytes, batch: BATCH };
        let old = |doc| posts.old(doc).and_then(|(file, doc)| file.list(VECTORS, bytes, doc));
        out.lists(section, old, || {
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
        })
    }
}

/// The vectors of distinct formulas.
#[derive(Debug)]
pub struct FormulaVectors<'e> {
    name: String,
    settings: Settings,
    encoder: &'e dyn Encode,
}

impl<'e> FormulaVectors<'e> {
    /// A part whose vectors an encoder makes.
    #[must_use]
    pub fn new(encoder: &'e dyn Encode, settings: Settings) -> Self {
        Self { name: part_name(FORMULAS, encoder.name()), settings, encoder }
    }
}

impl PartKind for FormulaVectors<'_> {
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
        PartBuilder::Formulas(self)
    }
}

impl BuildFormulas for FormulaVectors<'_> {
    fn build(&self, formulas: &NewFormulas<'_>, out: &mut PartOutput<'_>) -> Result<(), index::Error> {
        let bytes = self.settings.row();
        let section = RowSection { name: VECTORS, documents: formulas.documents(), bytes, batch: 4 * BATCH };
        let old = |doc| formulas.old(doc).and_then(|(file, doc)| file.row(VECTORS, bytes, doc));
        out.rows(section, old, || {
            let mut writer = TextWriter::new(self.settings.formulas);
            move |docs: &[u32]| {
                let latex = docs.iter().map(|doc| formulas.formulas().latex(*doc));
                let texts: Vec<String> = latex.map(|latex| writer.formula_alone(latex)).collect();
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                let encoded = self.encoder.encode(&texts);
                let vectors = encoded.map_err(|error| index::Error::part(&self.name, error))?;
                let mut rows = Vec::with_capacity(docs.len() * bytes);
                for vector in vectors.chunks_exact(self.settings.dimensions) {
                    HalfRows::push(vector, &mut rows)
                        .map_err(|error| index::Error::part(&self.name, error))?;
                }
                Ok(rows)
            }
        })
    }
}

/// The vectors in an open file of a part of posts.
#[derive(Clone, Debug)]
pub struct VectorFile<'f> {
    /// All vectors, one after the other.
    pub rows: HalfRows<'f>,
    /// For each document the row after its last.
    pub ends: Vec<u32>,
}

impl<'f> VectorFile<'f> {
    /// Reads a file of a part of posts.
    ///
    /// # Errors
    ///
    /// When its sections do not fit together.
    pub fn of_posts(file: &'f PartFile, settings: &Settings) -> Result<Self, index::Error> {
        let (rows, ends) = file.lists(VECTORS, settings.row())?;
        let rows =
            HalfRows::new(settings.dimensions, rows).map_err(|error| file.damaged(&error.to_string()))?;
        Ok(Self { rows, ends })
    }

    /// The rows of a document.
    #[must_use]
    pub fn of(&self, doc: u32) -> std::ops::Range<u32> {
        let end = |doc: u32| self.ends.get(doc as usize).copied().unwrap_or(0);
        doc.checked_sub(1).map_or(0, end)..end(doc)
    }
}
