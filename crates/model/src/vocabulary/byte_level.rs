//! Tokens made of bytes, as GPT-2 and most models since cut texts.
//!
//! Bytes are written as visible characters in the vocabulary; a text is cut
//! into words by a rule that differs from model to model and goes by the name
//! that the metadata gives in `tokenizer.ggml.pre`.

use super::{CONTROL, Listed, USER_DEFINED};
use crate::Error;
use crate::gguf::{Array, Header};
use serde_json::{Map, Value, json};

const CONTRACTIONS: &str = "(?i:'s|'t|'re|'ve|'m|'ll|'d)";
const REST: &str = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// Names of rules, by rule.
const KNOWN: [&str; 16] = [
    "gpt-2",
    "gpt2",
    "phi-2",
    "olmo",
    "smollm",
    "starcoder",
    "refact",
    "command-r",
    "codeshell",
    "llama-bpe",
    "llama3",
    "dbrx",
    "qwen2",
    "deepseek-r1-qwen",
    "stablelm2",
    "gpt-4o",
];

/// How many tokens the models have that cut words as Llama 3 does, but may not say so.
const LLAMA_3_TOKENS: usize = 128_256;

/// The name of the rule by which words are cut; if the metadata does not say it, that of models of its kind, and
/// a remark.
///
/// # Errors
///
/// When the metadata is damaged.
pub(super) fn rule<'a>(header: &'a Header, remarks: &mut Vec<String>) -> Result<&'a str, Error> {
    if let Some(rule) = header.optional_text("tokenizer.ggml.pre")? {
        return Ok(rule);
    }
    let tokens = match header.optional_array("tokenizer.ggml.tokens")? {
        Some(Array::Strings(tokens)) => tokens.len(),
        _ => 0,
    };
    let rule = match header.optional_text("general.architecture")? {
        Some("llama") if tokens == LLAMA_3_TOKENS => "llama-bpe",
        Some("qwen2" | "qwen3") => "qwen2",
        _ => "gpt-2",
    };
    remarks.push(format!(
        "the metadata does not say how words are cut (`tokenizer.ggml.pre`): they are cut by the rule `{rule}`"
    ));
    Ok(rule)
}

/// The tokenizer that the metadata describes, with words cut by this rule.
///
/// # Errors
///
/// When the rule is not known, or tokens and merges do not fit each other.
pub(super) fn tokenizer(
    header: &Header,
    listed: &Listed<'_>,
    rule: &str,
) -> Result<tokenizers::Tokenizer, Error> {
    let no_tokenizer = |reason: String| Error::NoTokenizer { path: header.path.clone(), reason };
    let splitter = words(rule).ok_or_else(|| {
        no_tokenizer(format!("words cut by the rule `{rule}` are not known; known are {}", KNOWN.join(", ")))
    })?;
    let merges = match header.optional_array("tokenizer.ggml.merges")? {
        Some(Array::Strings(merges)) => merges,
        _ => return Err(no_tokenizer("the metadata has no texts in `tokenizer.ggml.merges`".to_owned())),
    };
    let pairs: Option<Vec<[&str; 2]>> =
        merges.iter().map(|merge| merge.split_once(' ').map(|(left, right)| [left, right])).collect();
    let pairs = pairs.ok_or_else(|| no_tokenizer("a merge is no pair".to_owned()))?;
    let vocabulary: Map<String, Value> =
        listed.iter().map(|(id, token, _)| (token.to_owned(), Value::from(id))).collect();
    let added: Vec<Value> = listed
        .iter()
        .filter(|&(_, token, kind)| matches!(kind, CONTROL | USER_DEFINED) && !token.is_empty())
        .map(|(id, token, kind)| {
            json!({
                "id": id, "content": token, "special": kind == CONTROL,
                "single_word": false, "lstrip": false, "rstrip": false, "normalized": false,
            })
        })
        .collect();
    let composed = matches!(rule, "qwen2" | "deepseek-r1-qwen");
    let whole_words = matches!(rule, "llama-bpe" | "llama3" | "gpt-4o");
    let described = json!({
        "version": "1.0", "truncation": null, "padding": null, "post_processor": null, "decoder": null,
        "added_tokens": added,
        "normalizer": if composed { json!({"type": "NFC"}) } else { Value::Null },
        "pre_tokenizer": splitter,
        "model": {
            "type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
            "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false,
            "ignore_merges": whole_words, "vocab": vocabulary, "merges": pairs,
        },
    });
    let mut tokenizer: tokenizers::Tokenizer =
        serde_json::from_value(described).map_err(|cause| no_tokenizer(cause.to_string()))?;
    tokenizer.set_encode_special_tokens(true);
    Ok(tokenizer)
}

/// How the rule of this name cuts words; all end with bytes.
fn words(rule: &str) -> Option<Value> {
    let bytes = |by_rule: bool| json!({"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": by_rule});
    let by_expression = |expression: String| {
        let split = json!({"type": "Split", "pattern": {"Regex": expression}, "behavior": "Isolated", "invert": false});
        json!({"type": "Sequence", "pretokenizers": [split, bytes(false)]})
    };
    let with_numbers = |numbers: &str| {
        by_expression(format!(r"{CONTRACTIONS}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|{numbers}|{REST}"))
    };
    Some(match rule {
        "gpt-2" | "gpt2" | "phi-2" | "olmo" => bytes(true),
        "smollm" | "starcoder" | "refact" | "command-r" | "codeshell" => {
            let digits = json!({"type": "Digits", "individual_digits": true});
            json!({"type": "Sequence", "pretokenizers": [digits, bytes(true)]})
        }
        "llama-bpe" | "llama3" | "dbrx" => with_numbers(r"\p{N}{1,3}"),
        "qwen2" | "deepseek-r1-qwen" | "stablelm2" => with_numbers(r"\p{N}"),
        "gpt-4o" => {
            let (upper, lower) = (r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]");
            by_expression(format!(
                r"[^\r\n\p{{L}}\p{{N}}]?{upper}*{lower}+{CONTRACTIONS}?|[^\r\n\p{{L}}\p{{N}}]?{upper}+{lower}*{CONTRACTIONS}?|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
            ))
        }
        _ => return None,
    })
}

/// The bytes of a token as the vocabulary spells it.
pub(super) fn bytes(token: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(token.len());
    for character in token.chars() {
        match byte(character) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// The byte for which a character stands: visible Latin-1 characters for themselves, and those from
/// U+0100 on for all others, in order.
fn byte(character: char) -> Option<u8> {
    let visible = |byte: u8| matches!(byte, b'!'..=b'~' | 0xa1..=0xac | 0xae..=0xff);
    match u32::from(character) {
        code @ 0..=0xff => u8::try_from(code).ok().filter(|&byte| visible(byte)),
        code => (0..=255).filter(|&byte| !visible(byte)).nth(code as usize - 0x100),
    }
}

#[cfg(test)]
mod tests {
    use super::{KNOWN, byte, bytes, words};
    use crate::gguf::{Array, Header, Value};
    use std::collections::{BTreeMap, BTreeSet};
    use tokenizers::{OffsetReferential, OffsetType, PreTokenizedString, PreTokenizer, PreTokenizerWrapper};

    #[test]
    fn the_rule_of_llama_3_is_known_by_its_tokens() {
        let mut header = header();
        let tokens = |count: usize| Value::Array(Array::Strings(vec![String::new(); count]));
        let mut rule = |count: usize| {
            header.metadata.insert("tokenizer.ggml.tokens".to_owned(), tokens(count));
            let mut remarks = Vec::new();
            let rule = super::rule(&header, &mut remarks).unwrap().to_owned();
            assert_eq!(remarks.len(), 1);
            rule
        };
        assert_eq!(rule(128_256), "llama-bpe");
        assert_eq!(rule(50_257), "gpt-2");
    }

    fn header() -> Header {
        Header {
            path: "model.gguf".into(),
            metadata: [("general.architecture".to_owned(), Value::String("llama".to_owned()))].into(),
            tensors: BTreeMap::new(),
            data_start: 0,
            file_size: 0,
        }
    }

    #[test]
    fn every_byte_has_one_character() {
        let found: BTreeSet<u8> = (0..0x200).filter_map(char::from_u32).filter_map(byte).collect();
        assert_eq!(found.len(), 256);
        assert_eq!((0..0x2000).filter_map(char::from_u32).filter_map(byte).count(), 256);
    }

    #[test]
    fn blanks_and_letters_are_bytes_and_the_rest_stays() {
        assert_eq!(bytes("ĠaĊ"), b" a\n");
        assert_eq!(bytes("Ã¤"), "ä".as_bytes());
        assert_eq!(bytes("▁"), "▁".as_bytes());
    }

    /// What Python's `regex` makes of the expressions that the makers published.
    #[test]
    fn every_rule_cuts_as_its_makers_do() {
        let text = "We'LL don't add 12345 fooBar, (x≤ü)!/\n\n  end  ";
        let gpt2 = "We|'|LL| don|'t| add| 12345| fooBar|,| (|x|≤|ü|)!/|\n\n | end|  ";
        let digits = "We|'|LL| don|'t| add| |1|2|3|4|5| fooBar|,| (|x|≤|ü|)!/|\n\n | end|  ";
        let llama = "We|'LL| don|'t| add| |123|45| fooBar|,| (|x|≤ü|)!/\n\n| | end|  ";
        let qwen = "We|'LL| don|'t| add| |1|2|3|4|5| fooBar|,| (|x|≤ü|)!/\n\n| | end|  ";
        let gpt4o = "We'LL| don't| add| |123|45| foo|Bar|,| (|x|≤ü|)!/\n\n| | end|  ";
        for rule in KNOWN {
            let expected = match rule {
                "gpt-2" | "gpt2" | "phi-2" | "olmo" => gpt2,
                "smollm" | "starcoder" | "refact" | "command-r" | "codeshell" => digits,
                "llama-bpe" | "llama3" | "dbrx" => llama,
                "qwen2" | "deepseek-r1-qwen" | "stablelm2" => qwen,
                _ => gpt4o,
            };
            let splitter: PreTokenizerWrapper = serde_json::from_value(words(rule).unwrap()).unwrap();
            let mut cut = PreTokenizedString::from(text);
            splitter.pre_tokenize(&mut cut).unwrap();
            let pieces = cut.get_splits(OffsetReferential::Original, OffsetType::Byte);
            let pieces: Vec<&str> = pieces.iter().map(|(_, (start, end), _)| &text[*start..*end]).collect();
            assert_eq!(pieces.join("|"), expected, "{rule}");
        }
    }

    #[test]
    fn every_rule_that_is_named_is_known() {
        assert!(KNOWN.iter().all(|rule| words(rule).is_some()));
        assert!(words("no-such-rule").is_none());
    }
}
