//! Files of models, which come from elsewhere, and the vectors that they make.

use crate::Outcome;
use crate::scratch::Scratch;
use crate::seeds::models;
use dense::Encode as _;
use dense::formulas::{FormulaEncoder, FormulaModel};
use eval::task3::AnswerSimilarity;
use generate::{Continue, Generator, Prompt, Request};
use model::{ContextualSimilarity, LocalModel, Options};
use std::sync::Arc;
use vectors::{ByteRows, Effort, HalfRows, Lists, Vectors};

thread_local! {
    static TUPLES: Scratch = Scratch::new("tuples");
    static GGUF: Scratch = Scratch::new("gguf");
    static ENCODER: Scratch = Scratch::new("encoder");
}

/// GGUF files of any bytes: an error that names the file, or a model that can be asked.
pub fn gguf(bytes: &[u8]) -> Outcome {
    GGUF.with(|scratch| {
        let path = scratch.write("a.gguf", bytes);
        let options = Options { context: Some(8), tokenizer: None };
        let model = match LocalModel::open(&path, &options) {
            Ok(model) => model,
            Err(error) => {
                assert!(error.to_string().starts_with(&path.display().to_string()), "{error}");
                return Outcome::Refused;
            }
        };
        let request = Request {
            prompt: Prompt::Text("ab".to_owned()),
            temperature: 0.0,
            max_tokens: 2,
            seed: 1,
            stop: Vec::new(),
        };
        // A wrong weight may give no number, which is an error as well.
        let mut pieces = 0;
        let _ = model.generate(&request, &mut |_| {
            pieces += 1;
            if pieces < 8 { Continue::Yes } else { Continue::No }
        });
        Outcome::Read
    })
}

/// Weights of an encoder from any bytes: an error that names the file, or a measure that gives numbers from -1 to
/// 1. The first byte says whether the bytes are the weights, the configuration or the tokenizer.
pub fn safetensors(bytes: &[u8]) -> Outcome {
    let Some((kind, rest)) = bytes.split_first() else { return Outcome::Refused };
    ENCODER.with(|scratch| {
        scratch.write("config.json", models::encoder_config().as_bytes());
        scratch.write("model.safetensors", &models::encoder_weights());
        scratch.write("tokenizer.json", models::encoder_tokenizer().as_bytes());
        let file = ["model.safetensors", "config.json", "tokenizer.json"][usize::from(kind % 3)];
        scratch.write(file, rest);
        let measure = match ContextualSimilarity::read(scratch.path(), None) {
            Ok(measure) => measure,
            Err(error) => {
                assert!(error.to_string().starts_with(&scratch.path().display().to_string()), "{error}");
                return Outcome::Refused;
            }
        };
        let Ok(values) = measure.similarities("even or odd", &["the number is even", "prime"]) else {
            return Outcome::Refused;
        };
        for value in values.into_iter().flatten() {
            assert!(value.is_nan() || (-1.001..=1.001).contains(&value), "{value}");
        }
        Outcome::Read
    })
}

/// Models of tuples from any bytes: an error that names the file, or vectors of length 1. The first byte says whether
/// the bytes are the vectors, the configuration, the vocabulary or the symbols.
pub fn token_vectors(bytes: &[u8]) -> Outcome {
    let Some((kind, rest)) = bytes.split_first() else { return Outcome::Refused };
    TUPLES.with(|scratch| {
        let files = ["model.safetensors", "config.json", "vocabulary.tsv", "symbols.json"];
        for (file, whole) in files.into_iter().zip(models::TUPLES) {
            scratch.write(file, whole);
        }
        scratch.write(files[usize::from(kind % 4)], rest);
        let model = match FormulaModel::open(scratch.path()) {
            Ok(model) => model,
            Err(error) => {
                assert!(error.to_string().starts_with(&scratch.path().display().to_string()), "{error}");
                return Outcome::Refused;
            }
        };
        let encoder = FormulaEncoder::new("tuples".to_owned(), String::new(), vec![Arc::new(model)]);
        let encoder = encoder.expect("one model has vectors of one length");
        let vectors = encoder.encode(&["$x^2$", "$y$", "$$"]).expect("formulas can be encoded");
        for vector in vectors.chunks_exact(encoder.dimensions()) {
            let length: f64 = vector.iter().map(|number| f64::from(*number).powi(2)).sum();
            assert!((length - 1.0).abs() < 1e-3, "{length}");
        }
        Outcome::Read
    })
}

/// Lists of vectors from any bytes: an error, or searches that end, name rows that are there and give the scores of
/// these rows.
pub fn vector_lists(bytes: &[u8]) -> Outcome {
    let (half, query) = (models::vectors(), models::query());
    let half = HalfRows::new(query.len(), &half).expect("whole rows");
    let none = ByteRows::new(query.len(), &[]).expect("no rows");
    let Ok(lists) = Lists::new(bytes) else { return Outcome::Refused };
    let Ok(vectors) = Vectors::with_lists(half, lists, none) else { return Outcome::Refused };
    for effort in [Effort::Exact, Effort::Usual, Effort::Share(0.5)] {
        let found =
            vectors.top(&query, 5, effort, |row| row != 3, || false).expect("a vector of this length");
        assert!(found.complete && found.hits.len() <= 5);
        for hit in &found.hits {
            assert_eq!(half.dot(hit.row, &query).map(f32::to_bits), Some(hit.score.to_bits()));
            assert!(hit.row != 3);
        }
    }
    let _ = vectors.check();
    Outcome::Read
}
