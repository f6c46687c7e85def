//! Language models small enough to be made by a test: random weights from a seed, written as GGUF by candle.

#![allow(dead_code, reason = "each test uses a part of it")]
use candle_core::quantized::gguf_file::{self, Value};
use candle_core::quantized::{GgmlDType, QTensor};
use candle_core::{Device, Tensor};
use generate::{Completion, Continue, Ended, Event, Generator, Prompt, Request};
use model::{LocalModel, Options};
use stats::rng::Rng;
use std::path::{Path, PathBuf};

const HIDDEN: usize = 64;
pub(crate) const CONTEXT: usize = 512;
const HEADS: usize = 4;
const KEY_HEADS: usize = 2;

/// Three control tokens, then one for each byte as GPT-2 spells them, then these.
pub(crate) const CONTROL: [&str; 3] = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];
pub(crate) const MERGES: [(&str, &str); 4] = [("t", "h"), ("th", "e"), ("Ġ", "the"), ("a", "n")];

/// What to make.
pub(crate) struct Tiny {
    pub(crate) architecture: &'static str,
    pub(crate) packing: GgmlDType,
    /// How many numbers stand for a token; packings by K need 256.
    pub(crate) hidden: usize,
    pub(crate) seed: u64,
    pub(crate) template: Option<String>,
    /// Metadata that is added, or takes the place of what would be there.
    pub(crate) changes: Vec<(String, Option<Value>)>,
    /// Tensors that are added.
    pub(crate) vectors: Vec<(&'static str, Vec<f32>)>,
}

impl Tiny {
    pub(crate) fn new(architecture: &'static str) -> Self {
        let (changes, vectors) = (Vec::new(), Vec::new());
        let (packing, hidden) = (GgmlDType::F32, HIDDEN);
        Self { architecture, packing, hidden, seed: 1, template: None, changes, vectors }
    }

    pub(crate) fn with(mut self, key: &str, value: Value) -> Self {
        self.changes.push((key.to_owned(), Some(value)));
        self
    }

    pub(crate) fn with_vector(mut self, name: &'static str, numbers: Vec<f32>) -> Self {
        self.vectors.push((name, numbers));
        self
    }

    pub(crate) fn without(mut self, key: &str) -> Self {
        self.changes.push((key.to_owned(), None));
        self
    }

    /// The same with a vocabulary of scored pieces: one for each byte where the others have theirs, and four.
    pub(crate) fn with_pieces(self) -> Self {
        let bytes = (0..256).map(|byte| (format!("<0x{byte:02X}>"), 6, 0.0));
        let first = [("<unk>", 2, 0.0), ("<s>", 3, 0.0), ("<|end|>", 3, 0.0)];
        let last = [("▁", 1, -3.0), ("a", 1, -2.0), ("▁a", 1, -1.0), ("<|user|>", 3, 0.0)];
        let owned = |(token, kind, score): (&str, i32, f32)| (token.to_owned(), kind, score);
        let all: Vec<(String, i32, f32)> =
            first.map(owned).into_iter().chain(bytes).chain(last.map(owned)).collect();
        let list = |item: fn(&(String, i32, f32)) -> Value| Value::Array(all.iter().map(item).collect());
        self.with("tokenizer.ggml.model", Value::String("llama".to_owned()))
            .without("tokenizer.ggml.pre")
            .without("tokenizer.ggml.merges")
            .with("tokenizer.ggml.tokens", list(|(token, ..)| Value::String(token.clone())))
            .with("tokenizer.ggml.token_type", list(|(_, kind, _)| Value::I32(*kind)))
            .with("tokenizer.ggml.scores", list(|(.., score)| Value::F32(*score)))
            .with("tokenizer.ggml.bos_token_id", Value::U32(1))
    }

    /// Writes the file.
    pub(crate) fn write(&self, folder: &Path) -> PathBuf {
        let path = folder.join(format!("tiny-{}.gguf", self.architecture));
        let metadata = self.metadata();
        let tensors = self.tensors();
        let metadata: Vec<(&str, &Value)> =
            metadata.iter().map(|(key, value)| (key.as_str(), value)).collect();
        let tensors: Vec<(&str, &QTensor)> =
            tensors.iter().map(|(name, tensor)| (name.as_str(), tensor)).collect();
        let mut file = std::fs::File::create(&path).unwrap();
        gguf_file::write(&mut file, &metadata, &tensors).unwrap();
        path
    }

    /// Writes the file and opens it.
    pub(crate) fn open(&self, folder: &Path) -> LocalModel {
        LocalModel::open(&self.write(folder), &Options::default()).unwrap()
    }

    fn layers(&self) -> usize {
        // Every sixth layer of Gemma looks at everything.
        if self.architecture == "gemma3" { 7 } else { 2 }
    }

    fn feed_forward(&self) -> usize {
        2 * self.hidden
    }

    fn head_size(&self) -> usize {
        if matches!(self.architecture, "qwen3" | "gemma3") { 32 } else { self.hidden / HEADS }
    }

    fn metadata(&self) -> Vec<(String, Value)> {
        let text = |text: &str| Value::String(text.to_owned());
        let count = |number: usize| Value::U32(number as u32);
        let list = |items: Vec<String>| Value::Array(items.into_iter().map(Value::String).collect());
        let tokens = tokens();
        let kinds =
            tokens.iter().map(|token| Value::I32(if CONTROL.contains(&token.as_str()) { 3 } else { 1 }));
        let merges = MERGES.iter().map(|(left, right)| format!("{left} {right}")).collect();
        let key = |rest: &str| format!("{}.{rest}", self.architecture);
        let mut metadata = vec![
            ("general.architecture".to_owned(), text(self.architecture)),
            (key("block_count"), count(self.layers())),
            (key("context_length"), count(CONTEXT)),
            (key("embedding_length"), count(self.hidden)),
            (key("feed_forward_length"), count(self.feed_forward())),
            (key("attention.head_count"), count(HEADS)),
            (key("attention.head_count_kv"), count(KEY_HEADS)),
            (key("attention.key_length"), count(self.head_size())),
            (key("attention.value_length"), count(self.head_size())),
            (key("rope.dimension_count"), count(self.head_size())),
            (key("rope.freq_base"), Value::F32(if self.architecture == "gemma3" { 1e6 } else { 1e4 })),
            (key("attention.layer_norm_rms_epsilon"), Value::F32(1e-5)),
            ("tokenizer.ggml.model".to_owned(), text("gpt2")),
            ("tokenizer.ggml.pre".to_owned(), text("gpt-2")),
            ("tokenizer.ggml.token_type".to_owned(), Value::Array(kinds.collect())),
            ("tokenizer.ggml.tokens".to_owned(), list(tokens)),
            ("tokenizer.ggml.merges".to_owned(), list(merges)),
            ("tokenizer.ggml.eos_token_id".to_owned(), count(2)),
            ("tokenizer.ggml.bos_token_id".to_owned(), count(0)),
            ("tokenizer.ggml.add_bos_token".to_owned(), Value::Bool(false)),
        ];
        if self.architecture == "gemma3" {
            metadata.push((key("attention.sliding_window"), count(8)));
        }
        if let Some(template) = &self.template {
            metadata.push(("tokenizer.chat_template".to_owned(), text(template)));
        }
        for (key, value) in &self.changes {
            metadata.retain(|(known, _)| known != key);
            metadata.extend(value.clone().map(|value| (key.clone(), value)));
        }
        metadata
    }

    fn tensors(&self) -> Vec<(String, QTensor)> {
        let mut rng = Rng::seeded(self.seed);
        let mut tensors = Vec::new();
        let num_tokens = tokens().len();
        let mut matrix = |name: String, rows: usize, columns: usize, scale: f32| {
            let packing =
                if columns.is_multiple_of(self.packing.block_size()) { self.packing } else { GgmlDType::F32 };
            let numbers = random(&mut rng, rows * columns, scale, 0.0);
            tensors.push((name, pack(numbers, &[rows, columns], packing)));
        };
        let size = self.head_size();
        let (queries, keys) = (HEADS * size, KEY_HEADS * size);
        for layer in 0..self.layers() {
            let mut matrix = |part: &str, rows, columns| {
                matrix(format!("blk.{layer}.{part}.weight"), rows, columns, 0.3);
            };
            if self.architecture == "phi3" {
                matrix("attn_qkv", queries + 2 * keys, self.hidden);
                matrix("ffn_up", 2 * self.feed_forward(), self.hidden);
            } else {
                matrix("attn_q", queries, self.hidden);
                matrix("attn_k", keys, self.hidden);
                matrix("attn_v", keys, self.hidden);
                matrix("ffn_gate", self.feed_forward(), self.hidden);
                matrix("ffn_up", self.feed_forward(), self.hidden);
            }
            matrix("attn_output", self.hidden, queries);
            matrix("ffn_down", self.hidden, self.feed_forward());
        }
        // Gemma multiplies embeddings by eight; larger ones would drown what the layers add.
        let scale = if self.architecture == "gemma3" { 0.1 } else { 1.0 };
        // Only visible ASCII is ever likely, so that what is written is text.
        let mut vocabulary = |name: &str| {
            let numbers = random(&mut rng, num_tokens * self.hidden, scale, 0.0);
            let visible = |row: usize| (3 + 33..3 + 127).contains(&row);
            let shown = numbers
                .into_iter()
                .enumerate()
                .map(|(at, number)| if visible(at / self.hidden) { number } else { 0.0 });
            tensors.push((name.to_owned(), pack(shown.collect(), &[num_tokens, self.hidden], self.packing)));
        };
        vocabulary("token_embd.weight");
        if self.architecture != "gemma3" {
            vocabulary("output.weight");
        }
        let mut vector = |name: String, length: usize, around: f32| {
            let numbers = random(&mut rng, length, 0.5, around);
            tensors.push((name, pack(numbers, &[length], GgmlDType::F32)));
        };
        for layer in 0..self.layers() {
            let mut vector =
                |part: &str, length, around| vector(format!("blk.{layer}.{part}"), length, around);
            vector("attn_norm.weight", self.hidden, 1.0);
            vector("ffn_norm.weight", self.hidden, 1.0);
            if self.architecture == "qwen2" {
                vector("attn_q.bias", queries, 0.0);
                vector("attn_k.bias", keys, 0.0);
                vector("attn_v.bias", keys, 0.0);
            }
            if matches!(self.architecture, "qwen3" | "gemma3") {
                vector("attn_q_norm.weight", size, 1.0);
                vector("attn_k_norm.weight", size, 1.0);
            }
            if self.architecture == "gemma3" {
                vector("post_attention_norm.weight", self.hidden, 1.0);
                vector("post_ffw_norm.weight", self.hidden, 1.0);
            }
        }
        vector("output_norm.weight".to_owned(), self.hidden, 1.0);
        for (name, numbers) in &self.vectors {
            tensors.push(((*name).to_owned(), pack(numbers.clone(), &[numbers.len()], GgmlDType::F32)));
        }
        tensors
    }
}

/// The tokens, in the order of their ids.
pub(crate) fn tokens() -> Vec<String> {
    let visible = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    let mut unseen = 0x100..;
    let spelling = |byte: u8| if visible(byte) { u32::from(byte) } else { unseen.next().unwrap() };
    let bytes: Vec<u32> = (0..=255).map(spelling).collect();
    let bytes = bytes.into_iter().map(|code| char::from_u32(code).unwrap().to_string());
    let control = CONTROL.iter().map(ToString::to_string);
    control.chain(bytes).chain(MERGES.iter().map(|(left, right)| format!("{left}{right}"))).collect()
}

fn random(rng: &mut Rng, length: usize, scale: f32, around: f32) -> Vec<f32> {
    (0..length).map(|_| around + scale * (2.0 * rng.unit() as f32 - 1.0)).collect()
}

fn pack(numbers: Vec<f32>, shape: &[usize], packing: GgmlDType) -> QTensor {
    QTensor::quantize(&Tensor::from_vec(numbers, shape, &Device::Cpu).unwrap(), packing).unwrap()
}

/// A request for the likeliest continuation.
pub(crate) fn request(text: &str, max_tokens: usize) -> Request {
    Request { prompt: Prompt::Text(text.to_owned()), temperature: 0.0, max_tokens, seed: 1, stop: Vec::new() }
}

/// Asks, and checks that the pieces make the text.
pub(crate) fn ask(model: &LocalModel, request: &Request) -> Completion {
    let mut pieces = String::new();
    let completion = model
        .generate(request, &mut |event| {
            assert_ne!(event, Event::Restart, "a model in this process never starts anew");
            if let Event::Text(piece) = event {
                pieces.push_str(piece);
            }
            Continue::Yes
        })
        .unwrap();
    assert_eq!(pieces, completion.text);
    assert_ne!(completion.ended, Ended::Stopped);
    completion
}
