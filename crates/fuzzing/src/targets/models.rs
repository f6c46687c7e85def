//! Files of language models, which come from elsewhere.

use crate::Outcome;
use crate::scratch::Scratch;
use crate::seeds::models;
use eval::task3::AnswerSimilarity;
use generate::{Continue, Generator, Prompt, Request};
use model::{ContextualSimilarity, LocalModel, Options};

thread_local! {
    static GGUF: Scratch = Scratch::new("gguf");
    static ENCODER: Scratch = encoder();
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

fn encoder() -> Scratch {
    let scratch = Scratch::new("encoder");
    scratch.write("config.json", models::encoder_config().as_bytes());
    scratch.write("tokenizer.json", models::encoder_tokenizer().as_bytes());
    scratch
}

/// Weights of an encoder from any bytes: an error that names the file, or a measure that gives numbers from -1 to
/// 1. The first byte says whether the bytes are the weights or the configuration.
pub fn safetensors(bytes: &[u8]) -> Outcome {
    let Some((kind, rest)) = bytes.split_first() else { return Outcome::Refused };
    ENCODER.with(|scratch| {
        if kind % 2 == 0 {
            scratch.write("config.json", models::encoder_config().as_bytes());
            scratch.write("model.safetensors", rest);
        } else {
            scratch.write("config.json", rest);
            scratch.write("model.safetensors", &models::encoder_weights());
        }
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
