//! Models of a few kilobytes, whose weights are small numbers made up from their places.

use serde_json::json;
use vectors::{HalfRows, ListOptions, NewLists};

/// How the vocabulary of a decoder is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Words {
    /// A token for each byte, as GPT-2 has them, and merges.
    Bytes,
    /// Scored pieces, as SentencePiece has them.
    Pieces,
}

const HIDDEN: usize = 8;
const HEADS: usize = 2;
const INNER: usize = 8;
const CONTEXT: u32 = 16;

enum Value<'a> {
    Count(u32),
    Float(f32),
    Text(&'a str),
    Texts(Vec<String>),
    Kinds(Vec<i32>),
    Floats(Vec<f32>),
}

fn put_text(text: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(&(text.len() as u64).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

fn put_value(value: &Value<'_>, out: &mut Vec<u8>) {
    let kind = |kind: u32, out: &mut Vec<u8>| out.extend_from_slice(&kind.to_le_bytes());
    let list = |of: u32, length: usize, out: &mut Vec<u8>| {
        kind(9, out);
        kind(of, out);
        out.extend_from_slice(&(length as u64).to_le_bytes());
    };
    match value {
        Value::Count(number) => {
            kind(4, out);
            out.extend_from_slice(&number.to_le_bytes());
        }
        Value::Float(number) => {
            kind(6, out);
            out.extend_from_slice(&number.to_le_bytes());
        }
        Value::Text(text) => {
            kind(8, out);
            put_text(text, out);
        }
        Value::Texts(texts) => {
            list(8, texts.len(), out);
            texts.iter().for_each(|text| put_text(text, out));
        }
        Value::Kinds(kinds) => {
            list(5, kinds.len(), out);
            kinds.iter().for_each(|kind| out.extend_from_slice(&kind.to_le_bytes()));
        }
        Value::Floats(numbers) => {
            list(6, numbers.len(), out);
            numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
        }
    }
}

fn weights(length: usize) -> Vec<u8> {
    let number = |place: usize| (place * 37 % 64) as f32 / 64.0 - 0.5;
    (0..length).flat_map(|place| number(place).to_le_bytes()).collect()
}

/// The tokens of a vocabulary, with their kinds and scores.
fn tokens(words: Words) -> Vec<(String, i32, f32)> {
    let control = |name: &str| (name.to_owned(), 3, 0.0);
    let mut all = vec![control("<s>"), control("<|im_start|>"), control("<|im_end|>")];
    match words {
        Words::Bytes => {
            let visible = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
            let mut unseen = 0x100..;
            for byte in 0..=255_u8 {
                let code = if visible(byte) { u32::from(byte) } else { unseen.next().unwrap_or(0x100) };
                all.push((char::from_u32(code).unwrap_or('?').to_string(), 1, 0.0));
            }
            all.push(("th".to_owned(), 1, 0.0));
        }
        Words::Pieces => {
            all.extend((0..=255_u8).map(|byte| (format!("<0x{byte:02X}>"), 6, 0.0)));
            all.extend([("▁".to_owned(), 1, -3.0), ("a".to_owned(), 1, -2.0), ("▁a".to_owned(), 1, -1.0)]);
        }
    }
    all
}

/// A GGUF file of a decoder with one layer.
#[must_use]
pub fn decoder(words: Words) -> Vec<u8> {
    let tokens = tokens(words);
    let texts = tokens.iter().map(|(token, ..)| token.clone()).collect();
    let kinds = tokens.iter().map(|(_, kind, _)| *kind).collect();
    let mut metadata = vec![
        ("general.architecture", Value::Text("llama")),
        ("llama.block_count", Value::Count(1)),
        ("llama.context_length", Value::Count(CONTEXT)),
        ("llama.embedding_length", Value::Count(HIDDEN as u32)),
        ("llama.feed_forward_length", Value::Count(INNER as u32)),
        ("llama.attention.head_count", Value::Count(HEADS as u32)),
        ("llama.attention.layer_norm_rms_epsilon", Value::Float(1e-5)),
        ("tokenizer.ggml.tokens", Value::Texts(texts)),
        ("tokenizer.ggml.token_type", Value::Kinds(kinds)),
        ("tokenizer.ggml.bos_token_id", Value::Count(0)),
        ("tokenizer.ggml.eos_token_id", Value::Count(2)),
        (
            "tokenizer.chat_template",
            Value::Text("{% for message in messages %}{{ message.content }}{% endfor %}"),
        ),
    ];
    match words {
        Words::Bytes => metadata.extend([
            ("tokenizer.ggml.model", Value::Text("gpt2")),
            ("tokenizer.ggml.pre", Value::Text("gpt-2")),
            ("tokenizer.ggml.merges", Value::Texts(vec!["t h".to_owned()])),
        ]),
        Words::Pieces => metadata.extend([
            ("tokenizer.ggml.model", Value::Text("llama")),
            ("tokenizer.ggml.scores", Value::Floats(tokens.iter().map(|(.., score)| *score).collect())),
        ]),
    }
    let square = vec![HIDDEN, HIDDEN];
    let mut tensors = vec![
        ("token_embd.weight".to_owned(), vec![tokens.len(), HIDDEN]),
        ("output_norm.weight".to_owned(), vec![HIDDEN]),
    ];
    for part in ["attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down"] {
        tensors.push((format!("blk.0.{part}.weight"), square.clone()));
    }
    for part in ["attn_norm", "ffn_norm"] {
        tensors.push((format!("blk.0.{part}.weight"), vec![HIDDEN]));
    }
    let mut out = b"GGUF\x03\0\0\0".to_vec();
    out.extend_from_slice(&(tensors.len() as u64).to_le_bytes());
    out.extend_from_slice(&(metadata.len() as u64).to_le_bytes());
    for (key, value) in &metadata {
        put_text(key, &mut out);
        put_value(value, &mut out);
    }
    let mut data = Vec::new();
    for (name, shape) in &tensors {
        put_text(name, &mut out);
        out.extend_from_slice(&(shape.len() as u32).to_le_bytes());
        // The dimension that lies together comes first.
        shape.iter().rev().for_each(|size| out.extend_from_slice(&(*size as u64).to_le_bytes()));
        out.extend_from_slice(&0_u32.to_le_bytes());
        out.extend_from_slice(&(data.len() as u64).to_le_bytes());
        data.extend_from_slice(&weights(shape.iter().product()));
        data.resize(data.len().next_multiple_of(32), 0);
    }
    out.resize(out.len().next_multiple_of(32), 0);
    out.extend_from_slice(&data);
    out
}

const WORDS: &str = "[PAD] [CLS] [SEP] [UNK] the number is even odd prime";

/// The `config.json` of an encoder with one layer.
#[must_use]
pub fn encoder_config() -> String {
    json!({
        "model_type": "bert", "hidden_size": HIDDEN, "num_hidden_layers": 1, "num_attention_heads": HEADS,
        "intermediate_size": INNER, "vocab_size": WORDS.split(' ').count(), "max_position_embeddings": 12,
        "type_vocab_size": 2, "pad_token_id": 0, "layer_norm_eps": 1e-12, "hidden_act": "gelu"
    })
    .to_string()
}

/// Its `tokenizer.json`.
#[must_use]
pub fn encoder_tokenizer() -> String {
    let vocabulary: serde_json::Value =
        WORDS.split(' ').zip(0..).map(|(word, id): (&str, i32)| (word.to_owned(), json!(id))).collect();
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "BertPreTokenizer"}, "decoder": null,
        "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]},
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100, "vocab": vocabulary
        }
    })
    .to_string()
}

/// Its `model.safetensors`.
#[must_use]
pub fn encoder_weights() -> Vec<u8> {
    let mut tensors = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![WORDS.split(' ').count(), HIDDEN]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![12, HIDDEN]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, HIDDEN]),
        ("embeddings.LayerNorm.weight".to_owned(), vec![HIDDEN]),
        ("embeddings.LayerNorm.bias".to_owned(), vec![HIDDEN]),
    ];
    let parts =
        ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"];
    for part in parts.into_iter().chain(["intermediate.dense", "output.dense"]) {
        tensors.push((format!("encoder.layer.0.{part}.weight"), vec![HIDDEN, HIDDEN]));
        tensors.push((format!("encoder.layer.0.{part}.bias"), vec![HIDDEN]));
    }
    for part in ["attention.output.LayerNorm", "output.LayerNorm"] {
        tensors.push((format!("encoder.layer.0.{part}.weight"), vec![HIDDEN]));
        tensors.push((format!("encoder.layer.0.{part}.bias"), vec![HIDDEN]));
    }
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, shape) in tensors {
        let start = data.len();
        data.extend_from_slice(&weights(shape.iter().product()));
        header.insert(name, json!({"dtype": "F32", "shape": shape, "data_offsets": [start, data.len()]}));
    }
    let mut text = serde_json::Value::from(header).to_string();
    text.extend(std::iter::repeat_n(' ', text.len().next_multiple_of(8) - text.len()));
    let mut out = (text.len() as u64).to_le_bytes().to_vec();
    out.extend_from_slice(text.as_bytes());
    out.extend_from_slice(&data);
    out
}

/// The numbers of a made-up vector.
const DIMENSION: usize = 8;

/// A few vectors as rows of 16 bits.
pub(crate) fn vectors() -> Vec<u8> {
    let mut rows = Vec::new();
    for row in 0..40_u8 {
        let number = |place: usize| ((usize::from(row) * 31 + place * 57) % 23) as f32 - 11.0;
        let vector: Vec<f32> = (0..DIMENSION).map(number).collect();
        HalfRows::push(&vector, &mut rows).expect("a vector that is not zero");
    }
    rows
}

/// A vector to look for.
pub(crate) fn query() -> Vec<f32> {
    (0..DIMENSION).map(|place| 1.0 - place as f32 / 4.0).collect()
}

/// The section of lists of [`vectors`].
pub(crate) fn vector_lists() -> Vec<u8> {
    let rows = vectors();
    let half = HalfRows::new(DIMENSION, &rows).expect("whole rows");
    let lists = NewLists::build(&half, 1, &ListOptions::default(), || false).expect("nothing stops it");
    lists.to_bytes(&half)
}

/// The files of a model of tuples, without the byte that says which it is: vectors, configuration, vocabulary, symbols.
pub const TUPLES: [&[u8]; 4] = [
    include_bytes!("../../data/tuples/model.safetensors"),
    include_bytes!("../../data/tuples/config.json"),
    include_bytes!("../../data/tuples/vocabulary.tsv"),
    include_bytes!("../../data/tuples/symbols.json"),
];
