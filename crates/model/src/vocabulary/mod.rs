//! Which tokens is a text made of, and which bytes does a token stand for?
//!
//! A vocabulary comes from the `tokenizer.json` beside a model file, if that is
//! of the same model, or from the file's own metadata. Text is always cut as text: a control token, such
//! as the one that ends a turn, is made only where [`Vocabulary::encode_marked`]
//! is told that a text holds markers, so that nobody can write one. What a
//! chat looks like is the [template](crate::chat)'s.

mod byte_level;
mod json;
mod markers;
mod sentence_pieces;

use crate::Error;
use crate::gguf::{Array, Header};
use markers::{END_MARKERS, Marker, Markers, is_marker, strips_right_in_phi3};
use sentence_pieces::SentencePieces;
use std::collections::BTreeSet;
use std::path::Path;

/// What the format calls the kinds of tokens.
const NORMAL: i64 = 1;
const CONTROL: i64 = 3;
const USER_DEFINED: i64 = 4;
const UNUSED: i64 = 5;
const BYTE: i64 = 6;

/// What the metadata calls tokens after which nothing comes, and those with these that have a use of their own.
const ENDS: [&str; 3] = ["eos", "eot", "eom"];
const NAMED: [&str; 4] = ["bos", "eos", "eot", "eom"];

/// The tokens of a model.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    splitter: Splitter,
    /// The bytes of each token; none for control tokens.
    pieces: Vec<Box<[u8]>>,
    control: Markers,
    ends: BTreeSet<u32>,
    begin: Option<u32>,
    /// Whether a text begins with the token for that.
    begins: bool,
    pub(crate) begin_marker: String,
    pub(crate) end_marker: String,
    pub(crate) origin: Origin,
}

/// Where a vocabulary comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The metadata of the model file.
    Header,
    /// A `tokenizer.json`.
    Json,
}

enum Splitter {
    Tokenizer(Box<tokenizers::Tokenizer>),
    Pieces(Box<SentencePieces>),
}

impl std::fmt::Debug for Splitter {
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
    /// The vocabulary of a `tokenizer.json`, if one is given and it is this model's, or of the model file.
    /// `remarks` gets why not, and whatever else is not as one would expect.
    ///
    /// # Errors
    ///
    /// When the file is damaged, or the metadata does not say enough.
    pub(crate) fn read(
        header: &Header,
        json: Option<&Path>,
        remarks: &mut Vec<String>,
    ) -> Result<Self, Error> {
        let model = header.optional_text("tokenizer.ggml.model")?;
        let mut origin = Origin::Header;
        let (splitter, pieces, control) = match json {
            None => from_header(header, remarks)?,
            Some(path) => {
                let (parts, tokens) = json::read(path, header)?;
                match json::disagreement(header, &tokens)? {
                    None => {
                        origin = Origin::Json;
                        parts
                    }
                    Some(difference) => {
                        // What else could be done is told by the error of the file itself.
                        let parts = from_header(header, remarks).map_err(|_| {
                            Error::damaged(path, format!("it is another model's: {difference}"))
                        })?;
                        remarks.push(format!("{} is not used: {difference}", path.display()));
                        parts
                    }
                }
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
        let by_default = model == Some("llama") || byte_level::rule(header, &mut Vec::new())? == "llama-bpe";
        let begins = header.optional_bool("tokenizer.ggml.add_bos_token")?.unwrap_or(by_default);
        let spelling = |id: Option<u32>| {
            let found = control.iter().find(|(_, marker)| Some(marker.token) == id);
            found.map_or_else(String::new, |(spelling, _)| spelling.clone())
        };
        let (begin_marker, end_marker) = (spelling(begin), spelling(token("eos")?));
        Ok(Self { splitter, pieces, control, ends, begin, begins, begin_marker, end_marker, origin })
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
        let mut places: Vec<(usize, usize, Marker)> = Vec::new();
        for marker in self.markers() {
            let found = self.control[marker];
            places.extend(text.match_indices(marker).map(|(start, marker)| (start, marker.len(), found)));
        }
        // The longest of those that begin together.
        places.sort_unstable_by_key(|&(start, length, _)| (start, std::cmp::Reverse(length)));
        let mut tokens = Vec::new();
        let mut end = 0;
        for (start, length, marker) in places {
            if start >= end {
                self.append(&text[end..start].replace(shield, ""), &mut tokens)?;
                tokens.push(marker.token);
                end = start + length;
                if marker.strips_right {
                    end = text.len() - text[end..].trim_start().len();
                }
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
        match &self.splitter {
            Splitter::Tokenizer(tokenizer) => {
                let encoding = tokenizer.encode_fast(text, false).map_err(|cause| cause.to_string())?;
                tokens.extend_from_slice(encoding.get_ids());
            }
            Splitter::Pieces(pieces) => pieces.append(text, tokens),
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

    fn control(&self, strips_right: impl Fn(&str) -> bool) -> Markers {
        let control = self.iter().filter(|&(_, token, kind)| kind == CONTROL && !token.is_empty());
        let marker = |token: u32, spelling: &str| Marker { token, strips_right: strips_right(spelling) };
        control.map(|(id, spelling, _)| (spelling.to_owned(), marker(id, spelling))).collect()
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

type Parts = (Splitter, Vec<Box<[u8]>>, Markers);

fn from_header(header: &Header, remarks: &mut Vec<String>) -> Result<Parts, Error> {
    match header.optional_text("tokenizer.ggml.model")? {
        Some("gpt2") => {
            let listed = Listed::read(header)?;
            let tokenizer = byte_level::tokenizer(header, &listed, byte_level::rule(header, remarks)?)?;
            let pieces = listed.pieces(|token, _| byte_level::bytes(token));
            Ok((Splitter::Tokenizer(Box::new(tokenizer)), pieces, listed.control(|_| false)))
        }
        Some("llama") => {
            let listed = Listed::read(header)?;
            let splitter = Splitter::Pieces(Box::new(SentencePieces::read(header, &listed)?));
            let pieces = listed.pieces(|token, kind| sentence_pieces::bytes(token, kind == BYTE));
            let phi3 = header.optional_text("general.architecture")? == Some("phi3");
            let control = listed.control(|token| phi3 && strips_right_in_phi3(token));
            Ok((splitter, pieces, control))
        }
        other => {
            let reason = match other {
                Some(other) => format!("a tokenizer of the kind `{other}` cannot be made from the metadata"),
                None => "the metadata has no `tokenizer.ggml.model`".to_owned(),
            };
            Err(Error::NoTokenizer { path: header.path.clone(), reason })
        }
    }
}
