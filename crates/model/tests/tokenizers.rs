//! Small tokenizers of each kind, and what they make of a text.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking, as tests do")]

use eval::task3::{Counting, LexicalOverlap, Normalisation, References, Tokenize, Unanswered, similarity};
use model::tokenizer::{ModelTokenizer, PrefixSpace};
use proptest::prelude::*;
use serde_json::{Value, json};

fn load(value: &Value, prefix_space: PrefixSpace) -> ModelTokenizer {
    ModelTokenizer::from_json("m", value.to_string().as_bytes(), prefix_space).unwrap()
}

fn check(value: &Value, prefix_space: PrefixSpace, text: &str, expected: &[&str]) {
    assert_eq!(load(value, prefix_space).tokens(text).unwrap(), expected, "{text:?}");
}

/// Ids of the words, in order.
fn vocabulary(words: &str) -> Value {
    words.split(' ').zip(0..).map(|(word, id): (&str, i32)| (word.to_owned(), json!(id))).collect()
}

/// A WordPiece tokenizer that also adds tokens around a text and cuts it short.
fn word_piece() -> Value {
    json!({
        "version": "1.0",
        "truncation": {"direction": "Right", "max_length": 3, "strategy": "LongestFirst", "stride": 0},
        "padding": {
            "strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": null,
            "pad_id": 0, "pad_type_id": 0, "pad_token": "[UNK]"
        },
        "added_tokens": [{
            "id": 1, "content": "[MATH]", "single_word": false, "lstrip": false, "rstrip": false,
            "normalized": false, "special": true
        }],
        "normalizer": {
            "type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
            "strip_accents": null, "lowercase": true
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "BertProcessing", "sep": ["[UNK]", 0], "cls": ["[UNK]", 0]},
        "decoder": null,
        "model": {
            "type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 100,
            "vocab": vocabulary("[UNK] [MATH] theo ##rem ##s 1 ##2 \\ frac . e")
        }
    })
}

/// A BPE tokenizer of bytes; `Ġ` is a blank.
fn byte_pairs(pre_tokenizer: &Value) -> Value {
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": pre_tokenizer, "post_processor": null, "decoder": null,
        "model": {
            "type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false,
            "vocab": vocabulary("a l o s Ġ Ã ¤ lo so Ġso Ġlo"),
            "merges": [["l", "o"], ["s", "o"], ["Ġ", "so"], ["Ġ", "lo"]]
        }
    })
}

fn byte_level() -> Value {
    json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true})
}

/// A Unigram tokenizer; `▁` is a blank.
fn unigram() -> Value {
    json!({
        "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true},
        "post_processor": null, "decoder": null,
        "model": {
            "type": "Unigram", "unk_id": 0, "byte_fallback": false,
            "vocab": [["<unk>", 0.0], ["▁", -4.0], ["a", -3.0], ["b", -3.0], ["▁ab", -2.0], ["bb", -2.5], ["▁a", -2.2]]
        }
    })
}

#[test]
fn word_pieces_without_what_stands_around_a_text() {
    let expected = ["theo", "##rem", "##s", "1", "##2", ".", "\\", "frac", "e", "[UNK]"];
    check(&word_piece(), PrefixSpace::AsInFile, "Theorems 12.\\frac É q", &expected);
    check(&word_piece(), PrefixSpace::AsInFile, "1[MATH]1", &["1", "[MATH]", "1"]);
    check(&word_piece(), PrefixSpace::AsInFile, "", &[]);
}

#[test]
fn byte_pairs_with_and_without_a_blank_before_the_text() {
    let model = byte_pairs(&byte_level());
    check(&model, PrefixSpace::AsInFile, "so lo ä", &["so", "Ġlo", "Ġ", "Ã", "¤"]);
    check(&model, PrefixSpace::On, "so lo", &["Ġso", "Ġlo"]);
    check(&model, PrefixSpace::On, " so", &["Ġso"]);
    check(&model, PrefixSpace::On, "", &[]);
}

#[test]
fn the_cutter_of_bytes_may_stand_in_a_sequence() {
    let sequence = json!({
        "type": "Sequence",
        "pretokenizers": [{"type": "Digits", "individual_digits": true}, byte_level()]
    });
    check(&byte_pairs(&sequence), PrefixSpace::On, "lo", &["Ġlo"]);
}

#[test]
fn unigrams_take_the_likeliest_cut() {
    check(&unigram(), PrefixSpace::AsInFile, "abb ab z", &["▁a", "bb", "▁ab", "▁", "z"]);
}

#[test]
fn a_tokenizer_is_named_with_its_kind_and_size() {
    assert_eq!(load(&word_piece(), PrefixSpace::AsInFile).name(), "m (WordPiece, 11 tokens)");
    let name = load(&byte_pairs(&byte_level()), PrefixSpace::On).name();
    assert_eq!(name, "m (BPE, 11 tokens, prefix space on)");
    assert_eq!(load(&unigram(), PrefixSpace::AsInFile).name(), "m (Unigram, 7 tokens)");
}

#[test]
fn what_is_no_tokenizer_is_said() {
    let message = |json: &str, prefix_space| {
        ModelTokenizer::from_json("m", json.as_bytes(), prefix_space).unwrap_err().to_string()
    };
    assert!(message("{", PrefixSpace::AsInFile).starts_with("m is no JSON: "));
    for json in ["{}", "[]", "1", "null"] {
        let message = message(json, PrefixSpace::AsInFile);
        assert!(message.starts_with("m is not a tokenizer: "), "{json}: {message}");
    }
    let expected = "m does not cut text into bytes, so it takes no blank before the text";
    for json in [unigram().to_string(), "[]".to_owned(), "1".to_owned(), "{}".to_owned()] {
        assert_eq!(message(&json, PrefixSpace::On), expected, "{json}");
    }
    let missing = ModelTokenizer::read(std::path::Path::new("no such file"), PrefixSpace::AsInFile);
    assert!(missing.unwrap_err().to_string().starts_with("no such file: "));
}

#[test]
fn overlap_counts_the_tokens_of_a_model() {
    let tokenizer = load(&byte_pairs(&byte_level()), PrefixSpace::On);
    let overlap = LexicalOverlap { tokenizer: &tokenizer, counting: Counting::Bags };
    let mut references = References::new(Normalisation::Published);
    let rows = formats::Source::bytes("q", "A.1 0 d 2\n");
    let (qrels, _) = formats::qrels::Qrels::read(rows, formats::qrels::Scale::Task3).unwrap();
    let topic = formats::TopicId::from("A.1");
    references.add_task3(&"us".into(), [(topic.clone(), formats::DocId("d"), "so lo")], |_, _| true, &qrels);
    let score = similarity(&overlap, [(topic, "lo lo so")], &references, Unanswered::LeftOut).unwrap();
    assert_eq!(score.mean(), Some(0.8));
    assert_eq!(score.rules[0].to_string(), "tokenizer: m (BPE, 11 tokens, prefix space on)");
}

proptest! {
    #[test]
    fn any_text_is_cut(text in "\\PC*") {
        for model in [word_piece(), byte_pairs(&byte_level()), unigram()] {
            prop_assert!(load(&model, PrefixSpace::AsInFile).tokens(&text).is_ok());
        }
    }
}
