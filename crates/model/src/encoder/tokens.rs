//! Tokens of texts, as the `tokenizer.json` of an encoder makes them.

use super::config::Config;
use super::network::TokenIds;
use crate::Error;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tokenizers::normalizers::{Lowercase, Sequence};
use tokenizers::utils::truncation::truncate_encodings;
use tokenizers::{Encoding, NormalizerWrapper, Tokenizer, TruncationParams};

/// Makes tokens of texts, up to a limit.
pub(super) struct Tokens {
    path: PathBuf,
    tokenizer: Tokenizer,
    /// How many tokens have embeddings, and how many types of tokens.
    num_tokens: usize,
    num_types: usize,
    limit: usize,
    /// Tokens that are put around every text.
    around: BTreeSet<u32>,
    num_around: usize,
}

/// The tokens of a text, with those around it.
#[derive(Debug)]
pub(super) struct Tokenised {
    pub(super) ids: Vec<u32>,
    types: Vec<u32>,
    /// Where each token is in the text; empty for those around it.
    pub(super) spans: Vec<Range<usize>>,
    /// Whether the text was longer than the limit.
    pub(super) cut: bool,
}

impl Tokenised {
    pub(super) fn tokens(&self) -> TokenIds<'_> {
        TokenIds { ids: &self.ids, types: &self.types }
    }
}

impl Tokens {
    pub(super) fn read(path: &Path, config: &Config, lower_case: bool) -> Result<Self, Error> {
        let wrong = |cause: &dyn std::fmt::Display| no_tokenizer(path, cause);
        let json = std::fs::read(path).map_err(|cause| Error::io(path, cause))?;
        let mut json: serde_json::Value = serde_json::from_slice(&json).map_err(|cause| wrong(&cause))?;
        // It turns tokens into text, which nobody asks for here, and its reader panics on some numbers.
        if let Some(json) = json.as_object_mut() {
            json.remove("decoder");
        }
        let mut tokenizer: Tokenizer = serde_json::from_value(json).map_err(|cause| wrong(&cause))?;
        tokenizer.with_padding(None);
        tokenizer.with_truncation(None).map_err(|cause| wrong(&cause))?;
        if lower_case {
            let mut steps = vec![NormalizerWrapper::Lowercase(Lowercase)];
            steps.extend(tokenizer.get_normalizer().cloned());
            let all = NormalizerWrapper::Sequence(Sequence::new(steps));
            tokenizer.with_normalizer(Some(all)).map_err(|cause| wrong(&cause))?;
        }
        let empty = tokenizer.encode("", true).map_err(|cause| wrong(&cause))?;
        let around: BTreeSet<u32> = empty.get_ids().iter().copied().collect();
        let num_around = empty.get_ids().len();
        let limit = config.window;
        if num_around >= limit {
            return Err(wrong(&format!("a window of {limit} tokens leaves no room for a text")));
        }
        Ok(Self {
            path: path.to_owned(),
            tokenizer,
            num_tokens: config.vocab_size,
            num_types: config.type_vocab_size,
            limit,
            around,
            num_around,
        })
    }

    /// That there are no more tokens than weights.
    pub(super) fn check(&self) -> Result<(), Error> {
        let found = self.tokenizer.get_vocab_size(true);
        if found <= self.num_tokens {
            return Ok(());
        }
        let reason = format!(
            "there are {found} tokens, but weights for {}; it belongs to another model",
            self.num_tokens
        );
        Err(Error::damaged(&self.path, reason))
    }

    /// Cuts texts at another length, which is not beyond the window.
    pub(super) fn with_limit(self, limit: usize) -> Result<Self, Error> {
        if !(self.num_around + 1..=self.limit).contains(&limit) {
            let reason = format!(
                "a limit of {limit} tokens was asked for; possible are {} to {}",
                self.num_around + 1,
                self.limit
            );
            return Err(Error::Option { path: self.path, reason });
        }
        Ok(Self { limit, ..self })
    }

    /// How many tokens a text may have, with those around it.
    pub(super) fn limit(&self) -> usize {
        self.limit
    }

    /// Whether a token is one that is put around texts.
    pub(super) fn is_around(&self, id: u32) -> bool {
        self.around.contains(&id)
    }

    /// How many tokens a text has, without those around it and whatever the limit.
    pub(super) fn count(&self, text: &str) -> Result<usize, Error> {
        let encoding = self.tokenizer.encode_fast(text, false).map_err(|cause| self.failed(&cause))?;
        Ok(encoding.get_ids().len())
    }

    /// The tokens of a text, up to the limit.
    pub(super) fn tokenise(&self, text: &str) -> Result<Tokenised, Error> {
        let encoding = self.tokenizer.encode(text, false).map_err(|cause| self.failed(&cause))?;
        self.finish(encoding, None, self.num_around)
    }

    /// The tokens of two texts, of which the longer is cut first.
    pub(super) fn tokenise_pair(&self, pair: (&str, &str)) -> Result<Tokenised, Error> {
        // Without it nothing says what stands between the two.
        if self.tokenizer.get_post_processor().is_none() {
            return Err(self.failed(&"there is no post-processor, which pairs of texts need"));
        }
        let encode = |text| self.tokenizer.encode(text, false).map_err(|cause| self.failed(&cause));
        let around = self.tokenizer.encode(("", ""), true).map_err(|cause| self.failed(&cause))?;
        self.finish(encode(pair.0)?, Some(encode(pair.1)?), around.get_ids().len())
    }

    /// Cuts, and puts the other tokens around.
    fn finish(&self, first: Encoding, second: Option<Encoding>, around: usize) -> Result<Tokenised, Error> {
        let length = |encoding: &Encoding| encoding.get_ids().len();
        let room = self.limit.saturating_sub(around);
        let cut = length(&first) + second.as_ref().map_or(0, length) > room;
        let params = TruncationParams { max_length: room, ..TruncationParams::default() };
        let (mut first, mut second) =
            truncate_encodings(first, second, &params).map_err(|cause| self.failed(&cause))?;
        first.take_overflowing();
        second.as_mut().map(Encoding::take_overflowing);
        let encoding =
            self.tokenizer.post_process(first, second, true).map_err(|cause| self.failed(&cause))?;
        if length(&encoding) > self.limit {
            let reason = format!("a limit of {} tokens leaves no room for a text", self.limit);
            return Err(self.failed(&reason));
        }
        let ids = encoding.get_ids().to_vec();
        if let Some(id) = ids.iter().find(|id| **id as usize >= self.num_tokens) {
            let reason = format!(
                "the token {id} is beyond the weights for {} tokens; it belongs to another model",
                self.num_tokens
            );
            return Err(Error::damaged(&self.path, reason));
        }
        // Models without types ignore them.
        let most = self.num_types.max(1) as u32 - 1;
        let types: Vec<u32> =
            if self.num_types == 0 { vec![0; ids.len()] } else { encoding.get_type_ids().to_vec() };
        if let Some(kind) = types.iter().find(|kind| **kind > most) {
            let reason = format!("a token has the type {kind}, and there are weights for {}", self.num_types);
            return Err(Error::damaged(&self.path, reason));
        }
        let spans = encoding.get_offsets().iter().zip(encoding.get_special_tokens_mask());
        let spans =
            spans.map(|(&(begin, end), &special)| if special == 1 { 0..0 } else { begin..end }).collect();
        Ok(Tokenised { ids, types, spans, cut })
    }

    /// Parts of a text that each fit the limit, in order, with an overlap of about so many tokens.
    pub(super) fn passages(&self, text: &str, overlap: usize) -> Result<Vec<Range<usize>>, Error> {
        let encoding = self.tokenizer.encode(text, false).map_err(|cause| self.failed(&cause))?;
        let (offsets, words) = (encoding.get_offsets(), encoding.get_word_ids());
        let room = self.limit - self.num_around;
        let overlap = overlap.min(room / 2);
        // Within a word tokens may become others when it is cut there.
        let begins_word = |token: usize| words[token].is_none() || words[token] != words[token - 1];
        let range = |begin: usize, end: usize| {
            char_boundary_before(text, offsets[begin].0)..char_boundary_after(text, offsets[end - 1].1)
        };
        if offsets.len() <= room {
            return Ok(std::iter::once(0..text.len()).collect());
        }
        let (mut passages, mut begin) = (Vec::new(), 0);
        loop {
            let farthest = (begin + room).min(offsets.len());
            let mut end = farthest;
            if end < offsets.len() {
                let least = begin + room / 2;
                end = (least + 1..=end).rev().find(|end| begins_word(*end)).unwrap_or(end);
            }
            while end > begin + 1 && self.count(&text[range(begin, end)])? > room {
                end -= 1;
            }
            passages.push(range(begin, end));
            if end == offsets.len() {
                return Ok(passages);
            }
            let next = end - overlap;
            let first = next.saturating_sub(room / 4).max(1);
            let next = (first..=next).rev().find(|next| begins_word(*next)).unwrap_or(next);
            begin = next.max(begin + room.div_ceil(4)).min(end);
        }
    }

    fn failed(&self, cause: &dyn std::fmt::Display) -> Error {
        Error::damaged(&self.path, format!("a text cannot be tokenised: {cause}"))
    }
}

fn no_tokenizer(path: &Path, cause: &dyn std::fmt::Display) -> Error {
    Error::damaged(path, format!("not a tokenizer: {cause}"))
}

fn char_boundary_before(text: &str, mut place: usize) -> usize {
    place = place.min(text.len());
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

fn char_boundary_after(text: &str, mut place: usize) -> usize {
    place = place.min(text.len());
    while !text.is_char_boundary(place) {
        place += 1;
    }
    place
}
