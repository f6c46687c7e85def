//! Which tokens is a text made of, and which bytes does a token stand for?
//!
//! A vocabulary comes from the `tokenizer.json` beside a model file, or from
//! the file's own metadata. Text is always cut as text: a control token, such
//! as the one that ends a turn, is made only where [`Vocabulary::encode_marked`]
//! is told that a text holds markers, so that nobody can write one. What a
//! chat looks like is the [template](crate::chat)'s.

mod byte_level;
mod markers;
mod sentence_pieces;

use crate::Error;
use crate::gguf::{Array, Header};
use markers::{END_MARKERS, Marker, Markers, is_marker};
use sentence_pieces::SentencePieces;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What the format calls the kinds of tokens.
const NORMAL: i64 = 1;
const CONTROL: i64 = 3;
const USER_DEFINED: i64 = 4;
const BYTE: i64 = 6;

/// What the metadata calls tokens after which nothing comes, and those with these that have a use of their own.
const ENDS: [&str; 3] = ["eos", "eot", "eom"];
const NAMED: [&str; 4] = ["bos", "eos", "eot", "eom"];

/// The tokens of a model.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    cutter: Cutter,
    /// The bytes of each token; none for control tokens.
    pieces: Vec<Box<[u8]>>,
    control: Markers,
    ends: BTreeSet<u32>,
    begin: Option<u32>,
    /// Whether a text begins with the token for that.
    begins: bool,
    pub(crate) begin_marker: String,
    pub(crate) end_marker: String,
}

enum Cutter {
    Tokenizer(Box<tokenizers::Tokenizer>),
    Pieces(Box<SentencePieces>),
}

impl std::fmt::Debug for Cutter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Tokenizer(_) => "Tokenizer",
            Self::Pieces(_) => "Pieces",
        })
    }
}

/// The tokens of a model file, one by one.
struct Listed<'a> {
    tokens: &'a [String],
    /// What kind each is; as long as `tokens`.
    kinds: Vec<i64>,
}

impl Vocabulary {
    /// The vocabulary of a `tokenizer.json`, if one is given, or of the model file.
    ///
    /// # Errors
    ///
    /// When the file is damaged, or the metadata does not say enough.
    pub(crate) fn read(header: &Header, json: Option<&Path>) -> Result<Self, Error> {
        let model = header.optional_text("tokenizer.ggml.model")?;
        let (cutter, pieces, control) = match (json, model) {
            (Some(path), _) => from_json(path)?,
            (None, Some("gpt2")) => {
                let listed = Listed::read(header)?;
                let tokenizer = byte_level::tokenizer(header, &listed)?;
                let pieces = listed.pieces(|token, _| byte_level::bytes(token));
                (Cutter::Tokenizer(Box::new(tokenizer)), pieces, listed.control())
            }
            (None, Some("llama")) => {
                let listed = Listed::read(header)?;
                let cutter = Cutter::Pieces(Box::new(SentencePieces::read(header, &listed)?));
                let pieces = listed.pieces(|token, kind| sentence_pieces::bytes(token, kind == BYTE));
                (cutter, pieces, listed.control())
            }
            (None, Some(other)) => {
                let reason = format!("a tokenizer of the kind `{other}` cannot be made from the metadata");
                return Err(Error::NoTokenizer { path: header.path.clone(), reason });
            }
            (None, None) => {
                let reason = "the metadata has no `tokenizer.ggml.model`".to_owned();
                return Err(Error::NoTokenizer { path: header.path.clone(), reason });
            }
        };
        let token = |key: &str| -> Result<Option<u32>, Error> {
            let id = header.optional_count(&format!("tokenizer.ggml.{key}_token_id"))?;
            Ok(id.and_then(|id| u32::try_from(id).ok()).filter(|&id| (id as usize) < pieces.len()))
        };
        let mut ends: BTreeSet<u32> =
            END_MARKERS.iter().filter_map(|marker| control.get(*marker)).map(|marker| marker.token).collect();
        for key in ENDS {
            ends.extend(token(key)?);
        }
        let begin = token("bos")?;
        let by_default =
            model == Some("llama") || header.optional_text("tokenizer.ggml.pre")? == Some("llama-bpe");
        let begins = header.optional_bool("tokenizer.ggml.add_bos_token")?.unwrap_or(by_default);
        let spelling = |id: Option<u32>| {
            let found = control.iter().find(|(_, marker)| Some(marker.token) == id);
            found.map_or_else(String::new, |(spelling, _)| spelling.clone())
        };
        let (begin_marker, end_marker) = (spelling(begin), spelling(token("eos")?));
        Ok(Self { cutter, pieces, control, ends, begin, begins, begin_marker, end_marker })
    }

    /// How many tokens there are.
    pub(crate) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether nothing comes after this token.
    pub(crate) fn is_end(&self, token: u32) -> bool {
        self.ends.contains(&token)
    }

    /// The bytes that a token stands for; none for a control token. They need not be whole characters.
    pub(crate) fn bytes(&self, token: u32) -> &[u8] {
        self.pieces.get(token as usize).map_or(&[], |piece| piece)
    }

    /// The spellings of control tokens. One of a single character is none: it could not be told from text.
    pub(crate) fn markers(&self) -> Vec<&str> {
        self.control.keys().map(String::as_str).filter(|marker| marker.chars().nth(1).is_some()).collect()
    }

    /// The tokens of a text in which nothing is a marker.
    pub(crate) fn encode(&self, text: &str) -> Result<Vec<u32>, String> {
        let mut tokens = Vec::new();
        tokens.extend(self.begin.filter(|_| self.begins));
        self.append(text, &mut tokens)?;
        Ok(tokens)
    }

    /// The tokens of a text in which control tokens are markers. `shield` stands within those that
    /// people wrote, and is no part of the text.
    pub(crate) fn encode_marked(&self, text: &str, shield: char) -> Result<Vec<u32>, String> {
        let mut places: Vec<(usize, usize, u32)> = Vec::new();
        for marker in self.markers() {
            let token = self.control[marker].token;
            places.extend(text.match_indices(marker).map(|(start, marker)| (start, marker.len(), token)));
        }
        // The longest of those that begin together.
        places.sort_unstable_by_key(|&(start, length, _)| (start, std::cmp::Reverse(length)));
        let mut tokens = Vec::new();
        let mut end = 0;
        for (start, length, token) in places {
            if start >= end {
                self.append(&text[end..start].replace(shield, ""), &mut tokens)?;
                tokens.push(token);
                end = start + length;
            }
        }
        self.append(&text[end..].replace(shield, ""), &mut tokens)?;
        // Most templates write the token themselves; it must not stand there twice.
        if let Some(begin) = self.begin.filter(|begin| self.begins && tokens.first() != Some(begin)) {
            tokens.insert(0, begin);
        }
        Ok(tokens)
    }

    fn append(&self, text: &str, tokens: &mut Vec<u32>) -> Result<(), String> {
        if text.is_empty() {
            return Ok(());
        }
        match &self.cutter {
            Cutter::Tokenizer(tokenizer) => {
                let encoding = tokenizer.encode_fast(text, false).map_err(|cause| cause.to_string())?;
                tokens.extend_from_slice(encoding.get_ids());
            }
            Cutter::Pieces(pieces) => pieces.append(text, tokens),
        }
        Ok(())
    }
}

impl<'a> Listed<'a> {
    fn read(header: &'a Header) -> Result<Self, Error> {
        let wrong = |reason: String| Error::NoTokenizer { path: header.path.clone(), reason };
        let tokens = match header.optional_array("tokenizer.ggml.tokens")? {
            Some(Array::Strings(tokens)) => tokens,
            Some(_) => return Err(wrong("`tokenizer.ggml.tokens` holds no texts".to_owned())),
            None => return Err(wrong("the metadata has no `tokenizer.ggml.tokens`".to_owned())),
        };
        let kinds = match header.optional_array("tokenizer.ggml.token_type")? {
            Some(Array::Integers(kinds)) if kinds.len() == tokens.len() => kinds.clone(),
            Some(_) => {
                let reason = format!(
                    "`tokenizer.ggml.token_type` has not one number for each of {} tokens",
                    tokens.len()
                );
                return Err(wrong(reason));
            }
            None => vec![NORMAL; tokens.len()],
        };
        let mut listed = Self { tokens, kinds };
        listed.promote(header)?;
        Ok(listed)
    }

    /// Makes control tokens of those that are, whatever the file calls them.
    fn promote(&mut self, header: &Header) -> Result<(), Error> {
        for (token, kind) in self.tokens.iter().zip(&mut self.kinds) {
            if is_marker(token) {
                *kind = CONTROL;
            }
        }
        // A file may also end with a token that people write, such as a line end.
        let in_brackets = |token: &String| token.starts_with('<') && token.ends_with('>');
        for key in NAMED {
            let id = header.optional_count(&format!("tokenizer.ggml.{key}_token_id"))?;
            let id = id.and_then(|id| usize::try_from(id).ok());
            if let Some(id) = id.filter(|&id| self.tokens.get(id).is_some_and(in_brackets)) {
                self.kinds[id] = CONTROL;
            }
        }
        Ok(())
    }

    fn iter(&self) -> impl Iterator<Item = (u32, &'a str, i64)> {
        self.tokens.iter().zip(&self.kinds).zip(0..).map(|((token, &kind), id)| (id, token.as_str(), kind))
    }

    fn control(&self) -> Markers {
        let control = self.iter().filter(|&(_, token, kind)| kind == CONTROL && !token.is_empty());
        control.map(|(token_id, token, _)| (token.to_owned(), Marker { token: token_id })).collect()
    }

    fn pieces(&self, bytes: impl Fn(&str, i64) -> Vec<u8>) -> Vec<Box<[u8]>> {
        let piece = |(_, token, kind): (u32, &str, i64)| match kind {
            CONTROL => markers::bytes(token).into(),
            USER_DEFINED => token.as_bytes().into(),
            _ => bytes(token, kind).into_boxed_slice(),
        };
        self.iter().map(piece).collect()
    }
}

type Parts = (Cutter, Vec<Box<[u8]>>, Markers);

fn from_json(path: &Path) -> Result<Parts, Error> {
    let json = std::fs::read(path).map_err(|cause| Error::io(path, cause))?;
    let no_tokenizer =
        |cause: &dyn std::fmt::Display| Error::damaged(path, format!("this is no tokenizer: {cause}"));
    let mut described: serde_json::Value =
        serde_json::from_slice(&json).map_err(|cause| no_tokenizer(&cause))?;
    for added in described["added_tokens"].as_array_mut().into_iter().flatten() {
        if added["content"].as_str().is_some_and(is_marker) {
            added["special"] = true.into();
        }
    }
    let mut tokenizer: tokenizers::Tokenizer =
        serde_json::from_value(described).map_err(|cause| no_tokenizer(&cause))?;
    tokenizer.with_truncation(None).map_err(|cause| no_tokenizer(&cause))?;
    tokenizer.with_padding(None);
    // What looks like a control token within a text is text.
    tokenizer.set_encode_special_tokens(true);
    let by_bytes =
        serde_json::to_string(&tokenizer.get_decoder()).is_ok_and(|json| json.contains("\"ByteLevel\""));
    let added = tokenizer.get_added_tokens_decoder();
    let mut tokens: BTreeMap<u32, String> =
        tokenizer.get_vocab(true).into_iter().map(|(token, id)| (id, token)).collect();
    let length = tokens.last_key_value().map_or(0, |(&id, _)| id as usize + 1);
    // Ids are consecutive, or nearly so; a damaged one must not ask for gigabytes.
    if length > 2 * tokens.len() + 4096 {
        return Err(no_tokenizer(&format!("a token has the id {} of {} tokens", length - 1, tokens.len())));
    }
    let mut pieces = vec![Box::<[u8]>::default(); length];
    let mut control = BTreeMap::new();
    for (id, token) in std::mem::take(&mut tokens) {
        let special = added.get(&id).is_some_and(|added| added.special);
        if special || is_marker(&token) {
            pieces[id as usize] = markers::bytes(&token).into();
            control.insert(token, Marker { token: id });
            continue;
        }
        let piece = match added.get(&id) {
            Some(_) => token.into_bytes(),
            None if by_bytes => byte_level::bytes(&token),
            None => sentence_pieces::bytes(&token, true),
        };
        pieces[id as usize] = piece.into_boxed_slice();
    }
    Ok((Cutter::Tokenizer(Box::new(tokenizer)), pieces, control))
}
