//! How models mark where turns and texts begin and end.
//!
//! Files should say of such a token that it controls, and not all do: known
//! spellings are control tokens whatever the file calls them. `<s>` and `</s>`
//! are HTML as well, so they count only where the file names them.

use std::collections::BTreeMap;

/// Control tokens after which a model has nothing more to say, beside those that the metadata names.
pub(super) const END_MARKERS: [&str; 13] = [
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<end_of_turn>",
    "<|end_of_turn|>",
    "<|return|>",
    "<｜end▁of▁sentence｜>",
    "<|endofturn|>",
    "<eos>",
    "</s>",
];

/// Control tokens within a conversation.
const TURN_MARKERS: [&str; 18] = [
    "<|im_start|>",
    "<|im_sep|>",
    "<|begin_of_text|>",
    "<|start_header_id|>",
    "<|end_header_id|>",
    "<|start_of_role|>",
    "<|end_of_role|>",
    "<start_of_turn>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<｜begin▁of▁sentence｜>",
    "<｜User｜>",
    "<｜Assistant｜>",
    "<bos>",
    "[INST]",
    "[/INST]",
    "<|startoftext|>",
];

/// These stand around what a model thinks, and whoever reads what it wrote must see them.
const THOUGHT_MARKERS: [&str; 2] = ["<think>", "</think>"];

/// A control token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marker {
    pub(super) token: u32,
    /// Whether blanks and line ends after it are no part of the text.
    pub(super) strips_right: bool,
}

/// Control tokens by their spelling.
pub(super) type Markers = BTreeMap<String, Marker>;

/// Whether the blanks after a control token of Phi 3 belong to it. Model files do not say so of any token;
/// these are those of its `tokenizer.json`.
pub(super) fn strips_right_in_phi3(token: &str) -> bool {
    !matches!(token, "<unk>" | "<s>" | "<|endoftext|>")
}

/// Whether a token of this spelling controls, whatever a file says of it.
pub(super) fn is_marker(token: &str) -> bool {
    token != "</s>" && (END_MARKERS.contains(&token) || TURN_MARKERS.contains(&token))
}

/// The bytes of a control token: none, unless it stands around thoughts.
pub(super) fn bytes(token: &str) -> &[u8] {
    if THOUGHT_MARKERS.contains(&token) { token.as_bytes() } else { &[] }
}
