//! Formulas as vectors by models of tuple words: TangentCFT.
//!
//! A [`FormulaModel`] is a model of tokens whose tokens are [words of symbol pairs](TupleWords), with the alphabet of
//! these words. The vector of a formula is the mean of the vectors of its words; words that the model does not know
//! are made of their sub-words. A [`FormulaEncoder`] adds the vectors of one or several models and gives the sum the
//! length 1.

use crate::encode::{Encode, EncodeError, Reads};
use formula::FormulaParser;
use formula::features::{TupleAlphabet, TupleWords, Tuples};
use formula::opt::Opt;
use formula::opt::labs::LabsOpt;
use latex::Mode;
use serde::{Deserialize, Serialize};
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use train::vectors::TokenVectors;

/// The file of the alphabet in the folder of a model.
pub const ALPHABET: &str = "symbols.json";

/// An alphabet as it is stored.
#[derive(Debug, Serialize, Deserialize)]
struct Stored {
    words: String,
    labels: String,
    symbols: Vec<Box<str>>,
}

/// Writes an alphabet for the folder of a model.
#[must_use]
pub fn write_alphabet(alphabet: &TupleAlphabet) -> Vec<u8> {
    let stored = Stored {
        words: alphabet.words().name().to_owned(),
        labels: alphabet.labels(),
        symbols: alphabet.symbols().to_vec(),
    };
    serde_json::to_vec(&stored).expect("texts can be written")
}

/// Takes formulas apart into symbol pairs. Keeps its memory from one formula to the next.
#[derive(Debug, Default)]
pub struct TupleReader {
    parser: FormulaParser,
    labs: LabsOpt,
    opt: Opt,
    tuples: Tuples,
}

impl TupleReader {
    /// The symbol pairs of a formula, of the tree that the words are made of.
    pub fn read(&mut self, latex: &str, words: TupleWords) -> &Tuples {
        self.tuples.clear();
        let parsed = self.parser.parse_latex(latex, Mode::Document);
        if words.is_of_operators() {
            self.labs.read_typed(parsed.slt(), latex, &mut self.opt);
            self.tuples.opt(&self.opt);
        } else {
            self.tuples.slt(parsed.slt());
        }
        &self.tuples
    }
}

/// A model whose tokens are words of symbol pairs.
#[derive(Debug)]
pub struct FormulaModel {
    vectors: TokenVectors,
    alphabet: TupleAlphabet,
}

impl FormulaModel {
    /// Opens the folder of a model.
    ///
    /// # Errors
    ///
    /// When a file cannot be read, is damaged, or the model was trained on something else than formulas.
    pub fn open(folder: &Path) -> Result<Self, EncodeError> {
        let path = folder.join(ALPHABET);
        let failed = |reason: &dyn std::fmt::Display| EncodeError(format!("{}: {reason}", path.display()));
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => {
                let folder = folder.display();
                return Err(EncodeError(format!(
                    "{folder}: the model was not trained on formulas, so it encodes none"
                )));
            }
            Err(cause) => return Err(failed(&cause)),
        };
        let stored: Stored =
            serde_json::from_slice(&bytes).map_err(|cause| failed(&format!("damaged: {cause}")))?;
        let words = stored.words.parse().map_err(|cause| failed(&format!("damaged: {cause}")))?;
        let vectors = TokenVectors::open(folder).map_err(|cause| EncodeError(cause.to_string()))?;
        Ok(Self { vectors, alphabet: TupleAlphabet::with(words, &stored.symbols, &stored.labels) })
    }

    /// The words of its formulas.
    #[must_use]
    pub fn words(&self) -> TupleWords {
        self.alphabet.words()
    }

    /// The mean of the vectors of a formula's words.
    fn vector(&self, reader: &mut TupleReader, latex: &str, words: &mut Vec<String>) -> Vec<f32> {
        words.clear();
        self.alphabet.spell(reader.read(latex, self.words()), words);
        self.vectors.sequence(words.iter().map(String::as_str))
    }
}

/// Encodes formulas by the sum of the vectors of models.
#[derive(Debug)]
pub struct FormulaEncoder {
    name: String,
    fingerprint: String,
    models: Vec<Arc<FormulaModel>>,
    dimensions: usize,
}

impl FormulaEncoder {
    /// An encoder of this name; the fingerprint is one of all files of the models.
    ///
    /// # Errors
    ///
    /// When there is no model, or their vectors have different lengths.
    pub fn new(
        name: String,
        fingerprint: String,
        models: Vec<Arc<FormulaModel>>,
    ) -> Result<Self, EncodeError> {
        let dimensions = models.first().map_or(0, |model| model.vectors.dimensions());
        if dimensions == 0 {
            return Err(EncodeError("an encoder needs at least one model".to_owned()));
        }
        if let Some(other) = models.iter().find(|model| model.vectors.dimensions() != dimensions) {
            return Err(EncodeError(format!(
                "{name}: vectors of {dimensions} and of {} numbers cannot be added",
                other.vectors.dimensions()
            )));
        }
        Ok(Self { name, fingerprint, models, dimensions })
    }

    fn formula(&self, reader: &mut TupleReader, latex: &str, words: &mut Vec<String>) -> Vec<f32> {
        let mut sum = vec![0.0; self.dimensions];
        for model in &self.models {
            let vector = model.vector(reader, latex, words);
            sum.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number);
        }
        unit(sum)
    }
}

/// A vector of length 1. What has no direction gets one that is near to nothing else.
fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let norm = vector.iter().map(|number| f64::from(*number).powi(2)).sum::<f64>().sqrt();
    if norm < f64::from(f32::MIN_POSITIVE) || !norm.is_finite() {
        let side = 1.0 / (vector.len() as f32).sqrt();
        for (place, number) in (0_u64..).zip(&mut vector) {
            let is_below = xxhash_rust::xxh3::xxh3_64(&place.to_le_bytes()).is_multiple_of(2);
            *number = if is_below { -side } else { side };
        }
        return vector;
    }
    vector.iter_mut().for_each(|number| *number = (f64::from(*number) / norm) as f32);
    vector
}

/// The LaTeX of a formula that was written as a text of its own.
fn latex_alone(text: &str) -> &str {
    let text = text.trim();
    let inner = text.strip_prefix('$').and_then(|text| text.strip_suffix('$'));
    inner.unwrap_or(text)
}

impl Encode for FormulaEncoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn max_tokens(&self) -> usize {
        // Formulas are read as a whole.
        u32::MAX as usize
    }

    fn reads(&self) -> Reads {
        Reads::Formulas
    }

    fn encode(&self, texts: &[&str]) -> Result<Vec<f32>, EncodeError> {
        let (mut reader, mut words) = (TupleReader::default(), Vec::new());
        let vectors = texts.iter().flat_map(|text| self.formula(&mut reader, latex_alone(text), &mut words));
        Ok(vectors.collect())
    }

    fn passages(&self, text: &str, _: usize) -> Result<Vec<Range<usize>>, EncodeError> {
        Ok(std::iter::once(0..text.len()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use testkit::TempDir;
    use train::vectors::{Algorithm, Options, Work};

    const FORMULAS: [&str; 8] = [
        "x^2+y^2",
        "x^2-y^2",
        "a^2+b^2",
        r"\sum_{k=1}^n k",
        r"\sum_{i=0}^n i^2",
        r"\frac{a}{b}",
        r"\frac{x}{y}",
        "x_1",
    ];

    fn model(words: TupleWords) -> (TempDir, FormulaModel) {
        let dir = TempDir::new("formula-model");
        let options = Options {
            dimensions: 16,
            min_count: 1,
            threads: 1,
            epochs: 20,
            ..Options::of(Algorithm::GensimFasttext)
        };
        let mut work = Work::open(dir.path(), &options, "formulas").unwrap();
        let mut sequences = work.sequences().unwrap().unwrap();
        let mut alphabet = TupleAlphabet::new(words);
        let mut reader = TupleReader::default();
        for latex in FORMULAS {
            let mut spelled = Vec::new();
            alphabet.learn(reader.read(latex, words), &mut spelled);
            sequences.push(spelled.iter().map(String::as_str)).unwrap();
        }
        sequences.finish(&[(ALPHABET, &write_alphabet(&alphabet))]).unwrap();
        work.train(&mut ()).unwrap();
        let model = FormulaModel::open(&work.write_model(&[]).unwrap()).unwrap();
        (dir, model)
    }

    #[test]
    fn formulas_are_near_to_formulas_like_them() {
        for words in TupleWords::ALL {
            let (_dir, model) = model(words);
            let encoder = FormulaEncoder::new("f".to_owned(), "1".to_owned(), vec![Arc::new(model)]).unwrap();
            let vectors = encoder.encode(&["$u^2+v^2$", "x^2+y^2", r"\sum_{j=1}^m j", "x^2+y^2"]).unwrap();
            let rows: Vec<&[f32]> = vectors.chunks_exact(16).collect();
            let cosine = |left: usize, right: usize| -> f32 {
                rows[left].iter().zip(rows[right]).map(|(left, right)| left * right).sum()
            };
            assert!((cosine(1, 3) - 1.0).abs() < 1e-5);
            assert!(cosine(0, 1) > cosine(0, 2), "{words}: {} {}", cosine(0, 1), cosine(0, 2));
        }
    }

    #[test]
    fn vectors_of_models_are_added() {
        let models: Vec<Arc<FormulaModel>> =
            [TupleWords::Slt, TupleWords::Opt].map(|words| Arc::new(model(words).1)).into();
        let [first, second] = [0, 1].map(|one| {
            let (mut reader, mut words) = (TupleReader::default(), Vec::new());
            models[one].vector(&mut reader, "x^2", &mut words)
        });
        let encoder = FormulaEncoder::new("a+b".to_owned(), "1+2".to_owned(), models).unwrap();
        let sum = unit(first.iter().zip(&second).map(|(left, right)| left + right).collect());
        assert_eq!(encoder.encode(&["$x^2$"]).unwrap(), sum);
        assert!(FormulaEncoder::new("none".to_owned(), String::new(), Vec::new()).is_err());
    }

    #[test]
    fn what_has_no_words_has_a_direction() {
        let (_dir, model) = model(TupleWords::Slt);
        let encoder = FormulaEncoder::new("f".to_owned(), "1".to_owned(), vec![Arc::new(model)]).unwrap();
        let vector = encoder.encode(&["$$", ""]).unwrap();
        assert_eq!(vector[..16], vector[16..]);
        let norm: f32 = vector[..16].iter().map(|number| number * number).sum();
        assert!((norm - 1.0).abs() < 1e-5);
    }

    #[test]
    fn a_model_of_something_else_is_refused() {
        let dir = TempDir::new("formula-model-none");
        let error = FormulaModel::open(dir.path()).unwrap_err().to_string();
        assert!(error.ends_with("the model was not trained on formulas, so it encodes none"), "{error}");
        dir.write(ALPHABET, r#"{"words": "slt", "labels": "", "symbols": ["#);
        assert!(FormulaModel::open(dir.path()).unwrap_err().to_string().contains("symbols.json: damaged"));
        dir.write(ALPHABET, r#"{"words": "phoc", "labels": "", "symbols": []}"#);
        let error = FormulaModel::open(dir.path()).unwrap_err().to_string();
        assert!(error.contains("choose one of slt, opt, slt-type, opt-type"), "{error}");
    }
}
