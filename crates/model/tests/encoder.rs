//! Tiny encoders: what contextual similarity makes of texts, and what it refuses.

use candle_core::{Device, Tensor};
use eval::task3::AnswerSimilarity;
use model::ContextualSimilarity;
use serde_json::{Value, json};
use stats::rng::Rng;
use std::collections::HashMap;
use std::path::Path;
use testkit::TempDir;

const HIDDEN: usize = 16;
const INNER: usize = 24;
const WORDS: &str = "[PAD] [CLS] [SEP] [UNK] the number is even odd . prime not";

/// An encoder with random weights.
struct Tiny {
    kind: &'static str,
    prefix: &'static str,
    layers: usize,
    positions: usize,
    types: usize,
}

impl Tiny {
    fn bert() -> Self {
        Self { kind: "bert", prefix: "", layers: 2, positions: 12, types: 2 }
    }

    fn config(&self) -> Value {
        json!({
            "model_type": self.kind, "hidden_size": HIDDEN, "num_hidden_layers": self.layers,
            "num_attention_heads": 4, "intermediate_size": INNER, "vocab_size": WORDS.split(' ').count(),
            "max_position_embeddings": self.positions, "type_vocab_size": self.types, "pad_token_id": 0,
            "layer_norm_eps": 1e-12, "hidden_act": "gelu"
        })
    }

    fn tensors(&self) -> HashMap<String, Tensor> {
        let mut rng = Rng::seeded(5);
        let mut tensors = HashMap::new();
        let mut add = |name: &str, shape: &[usize]| {
            let around = if name.ends_with("LayerNorm.weight") { 1.0 } else { 0.0 };
            let length = shape.iter().product();
            let numbers = (0..length).map(|_| around + 0.6 * (rng.unit() as f32 - 0.5)).collect();
            let tensor = Tensor::from_vec::<_, f32>(numbers, shape, &Device::Cpu).unwrap();
            tensors.insert(format!("{}{name}", self.prefix), tensor);
        };
        add("embeddings.word_embeddings.weight", &[WORDS.split(' ').count(), HIDDEN]);
        for layer in 0..self.layers {
            let mut linear = |part: &str, rows: usize, columns: usize| {
                add(&format!("encoder.layer.{layer}.{part}.weight"), &[rows, columns]);
                add(&format!("encoder.layer.{layer}.{part}.bias"), &[rows]);
            };
            for part in [
                "attention.self.query",
                "attention.self.key",
                "attention.self.value",
                "attention.output.dense",
            ] {
                linear(part, HIDDEN, HIDDEN);
            }
            linear("intermediate.dense", INNER, HIDDEN);
            linear("output.dense", HIDDEN, INNER);
            for part in ["attention.output.LayerNorm", "output.LayerNorm"] {
                add(&format!("encoder.layer.{layer}.{part}.weight"), &[HIDDEN]);
                add(&format!("encoder.layer.{layer}.{part}.bias"), &[HIDDEN]);
            }
        }
        add("embeddings.LayerNorm.weight", &[HIDDEN]);
        add("embeddings.LayerNorm.bias", &[HIDDEN]);
        add("embeddings.position_embeddings.weight", &[self.positions, HIDDEN]);
        if self.types > 0 {
            add("embeddings.token_type_embeddings.weight", &[self.types, HIDDEN]);
        }
        tensors
    }

    fn write(&self, folder: &Path) {
        std::fs::write(folder.join("config.json"), self.config().to_string()).unwrap();
        std::fs::write(folder.join("tokenizer.json"), tokenizer().to_string()).unwrap();
        candle_core::safetensors::save(&self.tensors(), folder.join("model.safetensors")).unwrap();
    }
}

fn tokenizer() -> Value {
    let vocabulary: Value =
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
}

fn values(measure: &ContextualSimilarity, answer: &str, references: &[&str]) -> Vec<Option<f64>> {
    measure.similarities(answer, references).unwrap()
}

#[test]
fn a_text_is_like_itself_and_less_like_others() {
    let folder = TempDir::new("encoder-itself");
    Tiny::bert().write(folder.path());
    let measure = ContextualSimilarity::read(folder.path(), None).unwrap();
    assert_eq!(measure.name(), "CS");
    let found =
        values(&measure, "the number is even.", &["the number is even.", "the number is odd.", "prime", " "]);
    assert!((found[0].unwrap() - 1.0).abs() < 1e-6, "{found:?}");
    assert!(found[1].unwrap() < 0.999 && found[2] < found[1], "{found:?}");
    assert_eq!(found[3], None);
    assert_eq!(values(&measure, "", &["prime"]), [Some(0.0)]);
    assert_eq!(values(&measure, "prime", &[]), []);
    // Which is which does not matter to F1.
    let other = values(&measure, "prime", &["the number is even."]);
    assert!((found[2].unwrap() - other[0].unwrap()).abs() < 1e-6);
}

#[test]
fn what_is_beyond_the_window_does_not_count_and_is_counted() {
    let folder = TempDir::new("encoder-window");
    Tiny::bert().write(folder.path());
    let measure = ContextualSimilarity::read(folder.path(), None).unwrap();
    assert_eq!(measure.remarks(), [""; 0]);
    let ten = "the number is even . the number is not odd";
    let found = values(&measure, &format!("{ten} prime prime prime"), &[ten]);
    assert!((found[0].unwrap() - 1.0).abs() < 1e-6, "{found:?}");
    assert_eq!(measure.num_cut(), 1);
    let remark = "one text is longer than 12 tokens; only its beginning is compared";
    assert_eq!(measure.remarks(), [remark]);
    // A text that is compared again is no other text.
    values(&measure, ten, &[&format!("{ten} prime prime prime"), &format!("{ten} prime")]);
    assert_eq!(measure.remarks(), ["2 texts are longer than 12 tokens; only their beginnings are compared"]);
}

#[test]
fn the_rules_say_which_model_which_layer_and_how_much_of_a_text() {
    let folder = TempDir::new("encoder-rules");
    let layer = |layers: usize, layer: Option<usize>| {
        Tiny { layers, ..Tiny::bert() }.write(folder.path());
        let measure = ContextualSimilarity::read(folder.path(), layer).unwrap();
        let rules = measure.rules();
        assert_eq!(rules.iter().map(|rule| rule.name).collect::<Vec<_>>(), ["model", "layer", "window"]);
        assert!(rules[0].value.contains("(xxh3 "), "{}", rules[0]);
        assert_eq!(rules[2].value, "12 tokens");
        rules[1].value.clone()
    };
    assert_eq!(layer(2, None), "2 of 2");
    assert_eq!(layer(12, None), "10 of 12");
    assert_eq!(layer(12, Some(12)), "12 of 12");
    let error = ContextualSimilarity::read(folder.path(), Some(13)).unwrap_err();
    assert!(error.to_string().ends_with("layer 13 was asked for, and there are layers 1 to 12"), "{error}");
}

/// The same numbers under other names; what RoBERTa has for padding is before its first position.
#[test]
fn names_may_have_a_prefix_and_positions_may_begin_later() {
    let folder = TempDir::new("encoder-prefix");
    let text = ["the number is even .", "is the number prime"];
    let similarity = |tiny: &Tiny| {
        tiny.write(folder.path());
        let measure = ContextualSimilarity::read(folder.path(), None).unwrap();
        (values(&measure, text[0], &text[1..])[0].unwrap(), measure.rules()[2].value.clone())
    };
    let plain = similarity(&Tiny::bert());
    assert_eq!(similarity(&Tiny { prefix: "bert.", ..Tiny::bert() }), plain);
    assert_eq!(similarity(&Tiny { prefix: "roberta.", ..Tiny::bert() }), plain);
    // Padding is token 0 here, so positions begin at 1, and the window is one shorter.
    let roberta = similarity(&Tiny { kind: "roberta", prefix: "roberta.", ..Tiny::bert() });
    assert_ne!(roberta.0, plain.0);
    assert_eq!(roberta.1, "11 tokens");
    let untyped = similarity(&Tiny { types: 0, ..Tiny::bert() });
    assert_ne!(untyped.0, plain.0);
}

/// What a program in numpy, written from the papers and the makers' description, gives for the same weights:
/// positions begin after that of padding, and the first word is cut as one within a text.
#[test]
fn positions_and_words_begin_as_roberta_has_them() {
    let folder = TempDir::new("encoder-roberta");
    let tiny = Tiny { kind: "roberta", prefix: "roberta.", types: 1, ..Tiny::bert() };
    tiny.write(folder.path());
    let mut config = tiny.config();
    config["pad_token_id"] = json!(1);
    std::fs::write(folder.path().join("config.json"), config.to_string()).unwrap();
    let words = "<s> <pad> </s> <unk> Ġthe the Ġnumber Ġis Ġeven Ġodd Ġ. Ġprime";
    let vocabulary: Value =
        words.split(' ').zip(0..).map(|(word, id): (&str, i32)| (word.to_owned(), json!(id))).collect();
    let tokenizer = json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "post_processor": {
            "type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0], "trim_offsets": true,
            "add_prefix_space": false
        },
        "decoder": null, "model": {"type": "WordLevel", "unk_token": "<unk>", "vocab": vocabulary}
    });
    std::fs::write(folder.path().join("tokenizer.json"), tokenizer.to_string()).unwrap();
    let measure = ContextualSimilarity::read(folder.path(), None).unwrap();
    assert_eq!(measure.rules()[2].value, "10 tokens");
    let found = values(&measure, "the number is even .", &["the number is odd .", "prime"]);
    for (found, expected) in found.into_iter().zip([0.957_427, 0.716_874]) {
        assert!((found.unwrap() - expected).abs() < 1e-5, "{found:?} instead of {expected}");
    }
}

/// Many encoders are published only in the form of another program.
#[test]
fn weights_in_another_form_are_told_how_to_convert() {
    let folder = TempDir::new("encoder-pytorch");
    Tiny::bert().write(folder.path());
    let bin = folder.path().join("pytorch_model.bin");
    std::fs::rename(folder.path().join("model.safetensors"), &bin).unwrap();
    let error = ContextualSimilarity::read(folder.path(), None).unwrap_err().to_string();
    let expected = format!(
        "{}: only model.safetensors is read; make it with python3 -c \"from transformers import AutoModel as m; \
         m.from_pretrained('{folder}').save_pretrained('{folder}')\"",
        bin.display(),
        folder = folder.path().display()
    );
    assert_eq!(error, expected);
    std::fs::remove_file(&bin).unwrap();
    let error = ContextualSimilarity::read(folder.path(), None).unwrap_err().to_string();
    assert!(error.contains("model.safetensors: "), "{error}");
}

#[test]
fn damaged_folders_are_errors() {
    let folder = TempDir::new("encoder-damaged");
    let read = || ContextualSimilarity::read(folder.path(), None).unwrap_err().to_string();
    let file = |name: &str| folder.path().join(name);
    assert!(read().starts_with(&file("config.json").display().to_string()));

    let check = |key: &str, value: Value, expected: &str| {
        Tiny::bert().write(folder.path());
        let mut config = Tiny::bert().config();
        config[key] = value;
        std::fs::write(file("config.json"), config.to_string()).unwrap();
        let error = read();
        assert!(error.ends_with(expected), "{error}");
    };
    check(
        "model_type",
        json!("t5"),
        "the kind of encoder `t5` is not known; known are bert, roberta, xlm-roberta, camembert, mpnet, albert, \
         distilbert",
    );
    check(
        "hidden_act",
        json!("silu"),
        "the activation `silu` is not known; known are gelu, gelu_new, gelu_fast, gelu_pytorch_tanh, relu",
    );
    check(
        "position_embedding_type",
        json!("relative_key"),
        "the kind of positions `relative_key` is not known; known are absolute",
    );
    check("num_attention_heads", json!(3), "`num_attention_heads` is 3, which cannot be");
    check("hidden_size", json!(1_u64 << 40), "`hidden_size` is 1099511627776, which cannot be");
    check("num_hidden_layers", json!(3), "there is no tensor `encoder.layer.2.attention.self.query.weight`");
    check(
        "hidden_size",
        json!(32),
        "the tensor `embeddings.word_embeddings.weight` has the shape [12, 16], not [12, 32]",
    );
    check(
        "vocab_size",
        json!(11),
        "the tensor `embeddings.word_embeddings.weight` has the shape [12, 16], not [11, 16]",
    );
    check("max_position_embeddings", json!(2), "a window of 2 tokens leaves no room for a text");

    Tiny::bert().write(folder.path());
    let bytes = std::fs::read(file("model.safetensors")).unwrap();
    for length in [0, 7, 8, 100, bytes.len() - 1] {
        std::fs::write(file("model.safetensors"), &bytes[..length]).unwrap();
        assert!(read().contains("model.safetensors: these are no safetensors: "), "{length}");
    }
    std::fs::write(file("tokenizer.json"), "[").unwrap();
    assert!(read().contains("tokenizer.json: not a tokenizer: "));
}
