//! A `tokenizer.json`, as the makers of models publish it.
//!
//! It cuts texts exactly as the model was taught, if it is this model's: files
//! are renamed and folders shared, so it is held against the metadata.

use super::markers::{self, Marker, is_marker};
use super::{Listed, Parts, Splitter, UNUSED, byte_level, sentence_pieces};
use crate::Error;
use crate::gguf::Header;
use std::collections::BTreeMap;
use std::path::Path;
use tokenizers::{AddedToken, Tokenizer};

/// One in so many tokens of the metadata may be missing: the rest of a matrix is filled up with names.
const MAY_BE_MISSING: usize = 16;

/// The spellings of tokens, by id.
type Spellings = BTreeMap<u32, String>;

/// Reads the file, without added tokens for which the model has no weights. Gives the tokens, too.
///
/// # Errors
///
/// When the file cannot be read, or is not a tokenizer.
pub(super) fn read(path: &Path, header: &Header) -> Result<(Parts, Spellings), Error> {
    let no_tokenizer =
        |cause: &dyn std::fmt::Display| Error::damaged(path, format!("not a tokenizer: {cause}"));
    let json = std::fs::read(path).map_err(|cause| Error::io(path, cause))?;
    let mut described: serde_json::Value =
        serde_json::from_slice(&json).map_err(|cause| no_tokenizer(&cause))?;
    let rows = header.tensors.get("token_embd.weight").and_then(|info| info.shape.first().copied());
    if let Some(added) = described.get_mut("added_tokens").and_then(|added| added.as_array_mut()) {
        let has_weights = |id: u64| rows.is_none_or(|rows| id < rows as u64);
        added.retain(|token| token["id"].as_u64().is_none_or(has_weights));
        for token in added {
            if token["content"].as_str().is_some_and(is_marker) {
                token["special"] = true.into();
            }
        }
    }
    let mut tokenizer: Tokenizer = serde_json::from_value(described).map_err(|cause| no_tokenizer(&cause))?;
    tokenizer.with_truncation(None).map_err(|cause| no_tokenizer(&cause))?;
    tokenizer.with_padding(None);
    // What looks like a control token within a text is text.
    tokenizer.set_encode_special_tokens(true);
    let by_bytes =
        serde_json::to_string(&tokenizer.get_decoder()).is_ok_and(|json| json.contains("\"ByteLevel\""));
    let added = tokenizer.get_added_tokens_decoder();
    let tokens: Spellings = tokenizer.get_vocab(true).into_iter().map(|(token, id)| (id, token)).collect();
    let length = tokens.last_key_value().map_or(0, |(&id, _)| id as usize + 1);
    // Ids are consecutive, or nearly so; a damaged one must not ask for gigabytes.
    if length > 2 * tokens.len() + 4096 {
        return Err(no_tokenizer(&format!("a token has the id {} of {} tokens", length - 1, tokens.len())));
    }
    let mut pieces = vec![Box::<[u8]>::default(); length];
    let mut control = BTreeMap::new();
    for (&id, token) in &tokens {
        let is = |property: fn(&AddedToken) -> bool| added.get(&id).is_some_and(property);
        let piece = if is(|added| added.special) || is_marker(token) {
            let strips_right = is(|added| added.rstrip);
            control.insert(token.clone(), Marker { token: id, strips_right });
            markers::bytes(token).to_vec()
        } else if by_bytes && added.contains_key(&id) {
            token.clone().into_bytes()
        } else if by_bytes {
            byte_level::bytes(token)
        } else {
            sentence_pieces::bytes(token, !added.contains_key(&id))
        };
        pieces[id as usize] = piece.into_boxed_slice();
    }
    Ok(((Splitter::Tokenizer(Box::new(tokenizer)), pieces, control), tokens))
}

/// In what the tokens of a file and of the metadata differ, if they do, in words; nothing if the metadata
/// has none.
///
/// # Errors
///
/// When the metadata has tokens and they are damaged.
pub(super) fn disagreement(header: &Header, tokens: &Spellings) -> Result<Option<String>, Error> {
    if !header.metadata.contains_key("tokenizer.ggml.tokens") {
        return Ok(None);
    }
    let listed = Listed::read(header)?;
    let mut missing = 0;
    for (id, expected, kind) in listed.iter() {
        let filled_up = kind == UNUSED || expected.starts_with("[PAD");
        match tokens.get(&id) {
            Some(found) if filled_up || same(found, expected) => {}
            Some(found) => {
                let difference = format!("its token {id} is `{found}`, and the model's is `{expected}`");
                return Ok(Some(difference));
            }
            None if filled_up => {}
            None => missing += 1,
        }
    }
    let count = listed.tokens.len();
    Ok((missing > count / MAY_BE_MISSING)
        .then(|| format!("it lacks {missing} of the model's {count} tokens")))
}

/// Whether two spellings are of one token: some files write the blank of pieces as such, and a spelling that
/// is no text cannot be compared.
fn same(left: &str, right: &str) -> bool {
    let plain = |token: &str| token.replace(sentence_pieces::BLANK, " ");
    left == right || right.contains(char::REPLACEMENT_CHARACTER) || plain(left) == plain(right)
}

#[cfg(test)]
mod tests {
    use super::{disagreement, read, same};
    use crate::gguf::{Array, Header, TensorInfo, Value};
    use crate::vocabulary::Parts;
    use serde_json::json;
    use std::collections::BTreeMap;
    use testkit::TempDir;

    /// A file that has weights for so many tokens.
    fn header(tokens: &[&str], rows: usize) -> Header {
        let tokens = tokens.iter().map(ToString::to_string).collect();
        let tensor = TensorInfo::new(vec![rows, 8], 0, 0).unwrap();
        Header {
            path: "model.gguf".into(),
            metadata: [("tokenizer.ggml.tokens".to_owned(), Value::Array(Array::Strings(tokens)))].into(),
            tensors: [("token_embd.weight".to_owned(), tensor)].into(),
            data_start: 0,
            file_size: 0,
        }
    }

    /// A tokenizer with three tokens and these added ones, with whether they are special.
    fn parts(decoder: &str, added: &[(&str, bool)], header: &Header) -> Parts {
        let folder = TempDir::new("tokenizer-json");
        let path = folder.path().join("tokenizer.json");
        let added: Vec<_> = added
            .iter()
            .zip(3..)
            .map(|((content, special), id)| {
                json!({
                    "id": id, "content": content, "special": special, "single_word": false, "lstrip": false,
                    "rstrip": content.ends_with('|'), "normalized": false
                })
            })
            .collect();
        let described = json!({
            "version": "1.0", "truncation": null, "padding": null, "normalizer": null, "post_processor": null,
            "pre_tokenizer": null, "added_tokens": added, "decoder": {
                "type": decoder, "add_prefix_space": false, "trim_offsets": true, "use_regex": true
            },
            "model": {"type": "BPE", "vocab": {"a": 0, "▁b": 1, "Ġ": 2}, "merges": []}
        });
        std::fs::write(&path, described.to_string()).unwrap();
        read(&path, header).unwrap().0
    }

    #[test]
    fn added_tokens_without_weights_are_left_out() {
        let (_, pieces, control) = parts("Fuse", &[("x", false), ("<y>", true)], &header(&[], 4));
        assert_eq!((pieces.len(), control.len()), (4, 0));
        let (_, pieces, control) = parts("Fuse", &[("x", false), ("<y>", true)], &header(&[], 5));
        assert_eq!((pieces.len(), control.len()), (5, 1));
    }

    #[test]
    fn tokens_take_blanks_if_the_file_says_so() {
        let (_, _, control) = parts("Fuse", &[("|x|", true), ("<y>", true)], &header(&[], 9));
        assert!(control["|x|"].strips_right && !control["<y>"].strips_right);
    }

    #[test]
    fn the_blank_of_pieces_is_a_blank_and_that_of_bytes_is_none() {
        let bytes = |decoder| {
            let (_, pieces, _) = parts(decoder, &[("▁▁x", false), ("<|im_end|>", false)], &header(&[], 9));
            pieces.iter().map(|piece| String::from_utf8(piece.to_vec()).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(bytes("Fuse"), ["a", " b", "Ġ", "  x", ""]);
        assert_eq!(bytes("ByteLevel"), ["a", "▁b", " ", "▁▁x", ""]);
    }

    #[test]
    fn files_differ_by_what_they_say_of_the_same_token() {
        let tokens: BTreeMap<u32, String> = [(0, "a".to_owned()), (1, "▁b".to_owned())].into();
        let check = |listed: &[&str], expected: Option<&str>| {
            assert_eq!(disagreement(&header(listed, 9), &tokens).unwrap().as_deref(), expected);
        };
        check(&["a", "▁b"], None);
        check(&["a", " b", "[PAD2]"], None);
        check(&["a"], None);
        check(&["a", "b"], Some("its token 1 is `▁b`, and the model's is `b`"));
        check(&["a", "▁b", "c"], Some("it lacks 1 of the model's 3 tokens"));
        assert!(same("\u{fe}", "\u{fffd}"));
    }
}
