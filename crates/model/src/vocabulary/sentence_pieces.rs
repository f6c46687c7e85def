//! Tokens made of pieces with scores, as SentencePiece cuts texts.
//!
//! Characters are joined, the best-scored piece first and of equals the
//! leftmost, until no two neighbours make a piece; what is no piece then is
//! written in bytes. A blank is `▁`.

use super::{BYTE, Listed, NORMAL, USER_DEFINED};
use crate::Error;
use crate::gguf::{Array, Header};
use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};

pub(super) const BLANK: &str = "▁";

/// Pieces and their scores.
#[derive(Debug)]
pub(super) struct SentencePieces {
    pieces: HashMap<String, (u32, f32)>,
    /// Tokens that are never cut, by their first character and the longest first.
    whole: HashMap<char, Vec<(String, u32)>>,
    bytes: [Option<u32>; 256],
    unknown: Option<u32>,
    /// Whether a blank is put before a text.
    blank_before: bool,
}

impl SentencePieces {
    pub(super) fn read(header: &Header, listed: &Listed<'_>) -> Result<Self, Error> {
        let scores = match header.optional_array("tokenizer.ggml.scores")? {
            Some(Array::Floats(scores)) if scores.len() == listed.tokens.len() => scores,
            _ => {
                let reason = format!(
                    "`tokenizer.ggml.scores` has not one number for each of {} tokens",
                    listed.tokens.len()
                );
                return Err(Error::NoTokenizer { path: header.path.clone(), reason });
            }
        };
        let mut found = Self {
            pieces: HashMap::new(),
            whole: HashMap::new(),
            bytes: [None; 256],
            unknown: None,
            blank_before: header.optional_bool("tokenizer.ggml.add_space_prefix")?.unwrap_or(true),
        };
        for ((id, token, kind), &score) in listed.iter().zip(scores) {
            match kind {
                BYTE => {
                    if let Some(byte) = byte_of(token) {
                        found.bytes[usize::from(byte)] = Some(id);
                    }
                }
                USER_DEFINED => {
                    if let Some(first) = token.chars().next() {
                        found.whole.entry(first).or_default().push((token.to_owned(), id));
                    }
                }
                NORMAL if !token.is_empty() => {
                    found.pieces.entry(token.to_owned()).or_insert((id, score));
                }
                2 => found.unknown = found.unknown.or(Some(id)),
                _ => {}
            }
        }
        for tokens in found.whole.values_mut() {
            tokens.sort_by_key(|(token, _)| std::cmp::Reverse(token.len()));
        }
        Ok(found)
    }

    pub(super) fn append(&self, text: &str, tokens: &mut Vec<u32>) {
        let blank = if self.blank_before { " " } else { "" };
        let text = format!("{blank}{text}");
        let mut cut = 0;
        for (at, character) in text.char_indices().filter(|_| !self.whole.is_empty()) {
            let candidates = self.whole.get(&character).filter(|_| at >= cut);
            let found =
                candidates.and_then(|found| found.iter().find(|(token, _)| text[at..].starts_with(token)));
            if let Some((token, id)) = found {
                self.tokenise(&text[cut..at], tokens);
                tokens.push(*id);
                cut = at + token.len();
            }
        }
        self.tokenise(&text[cut..], tokens);
    }

    fn tokenise(&self, text: &str, tokens: &mut Vec<u32>) {
        let text = text.replace(' ', BLANK);
        let mut symbols = Symbols::new(&text);
        let mut queue = BinaryHeap::new();
        let propose = |symbols: &Symbols, left: usize, queue: &mut BinaryHeap<Join>| {
            let Some(right) = symbols.next[left] else { return };
            let joined = &text[symbols.start[left]..symbols.end[right]];
            if let Some(&(_, score)) = self.pieces.get(joined) {
                queue.push(Join { score, left, right, length: joined.len() });
            }
        };
        for left in 0..symbols.start.len() {
            propose(&symbols, left, &mut queue);
        }
        while let Some(join) = queue.pop() {
            // Either side may have been joined with others since.
            let whole = symbols.next[join.left] == Some(join.right)
                && symbols.alive[join.left]
                && symbols.end[join.right] - symbols.start[join.left] == join.length;
            if whole {
                let before = symbols.join(join.left, join.right);
                if let Some(before) = before {
                    propose(&symbols, before, &mut queue);
                }
                propose(&symbols, join.left, &mut queue);
            }
        }
        for symbol in (0..symbols.start.len()).filter(|&symbol| symbols.alive[symbol]) {
            let piece = &text[symbols.start[symbol]..symbols.end[symbol]];
            match self.pieces.get(piece) {
                Some(&(id, _)) => tokens.push(id),
                None => self.in_bytes(piece, tokens),
            }
        }
    }

    fn in_bytes(&self, piece: &str, tokens: &mut Vec<u32>) {
        let ids: Option<Vec<u32>> = piece.bytes().map(|byte| self.bytes[usize::from(byte)]).collect();
        match ids {
            Some(ids) => tokens.extend(ids),
            None => tokens.extend(self.unknown),
        }
    }
}

/// Pieces of a text, linked to their neighbours.
struct Symbols {
    start: Vec<usize>,
    end: Vec<usize>,
    next: Vec<Option<usize>>,
    previous: Vec<Option<usize>>,
    alive: Vec<bool>,
}

impl Symbols {
    fn new(text: &str) -> Self {
        let start: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let end = text.char_indices().map(|(at, character)| at + character.len_utf8()).collect();
        let count = start.len();
        Self {
            start,
            end,
            next: (0..count).map(|symbol| Some(symbol + 1).filter(|&next| next < count)).collect(),
            previous: (0..count).map(|symbol| symbol.checked_sub(1)).collect(),
            alive: vec![true; count],
        }
    }

    /// Makes two neighbours one; gives the one before them.
    fn join(&mut self, left: usize, right: usize) -> Option<usize> {
        self.end[left] = self.end[right];
        self.alive[right] = false;
        self.next[left] = self.next[right];
        if let Some(next) = self.next[left] {
            self.previous[next] = Some(left);
        }
        self.previous[left]
    }
}

struct Join {
    score: f32,
    left: usize,
    right: usize,
    length: usize,
}

impl Ord for Join {
    fn cmp(&self, other: &Self) -> Ordering {
        self.score.total_cmp(&other.score).then_with(|| other.left.cmp(&self.left))
    }
}

impl PartialOrd for Join {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Join {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Join {}

/// The bytes of a piece; `<0x0A>` is one byte where pieces may be bytes.
pub(super) fn bytes(token: &str, may_be_byte: bool) -> Vec<u8> {
    match byte_of(token).filter(|_| may_be_byte) {
        Some(byte) => vec![byte],
        None => token.replace(BLANK, " ").into_bytes(),
    }
}

fn byte_of(token: &str) -> Option<u8> {
    let digits = token.strip_prefix("<0x")?.strip_suffix('>')?;
    let is_byte = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u8::from_str_radix(digits, 16).ok().filter(|_| is_byte)
}

#[cfg(test)]
mod tests {
    use super::{SentencePieces, byte_of, bytes};

    fn pieces(listed: &[(&str, f32)], whole: &[&str]) -> SentencePieces {
        let numbered = listed.iter().zip(0..).map(|(&(piece, score), id)| (piece.to_owned(), (id, score)));
        let mut found = SentencePieces {
            pieces: numbered.collect(),
            whole: std::collections::HashMap::new(),
            bytes: std::array::from_fn(|byte| Some(1000 + byte as u32)),
            unknown: None,
            blank_before: true,
        };
        for (token, id) in whole.iter().zip(500..) {
            found.whole.entry(token.chars().next().unwrap()).or_default().push(((*token).to_owned(), id));
        }
        found
    }

    fn check(pieces: &SentencePieces, text: &str, expected: &[u32]) {
        let mut tokens = Vec::new();
        pieces.append(text, &mut tokens);
        assert_eq!(tokens, expected, "{text:?}");
    }

    #[test]
    fn the_best_pair_is_joined_first_and_of_equals_the_leftmost() {
        let listed =
            [("▁", -9.0), ("a", -9.0), ("b", -9.0), ("ab", -2.0), ("ba", -1.0), ("aa", -3.0), ("▁a", -4.0)];
        let pieces = pieces(&listed, &[]);
        check(&pieces, "ab", &[0, 3]);
        // `ba` scores better than either `ab`.
        check(&pieces, "abab", &[6, 4, 2]);
        check(&pieces, "aaa", &[0, 5, 1]);
        check(&pieces, "", &[0]);
    }

    #[test]
    fn what_is_no_piece_is_written_in_bytes() {
        let pieces = pieces(&[("▁", -1.0), ("a", -2.0)], &[]);
        check(&pieces, "aé", &[0, 1, 1000 + 0xc3, 1000 + 0xa9]);
    }

    #[test]
    fn tokens_that_are_never_cut_are_found_first() {
        let pieces = pieces(&[("▁", -1.0), ("a", -2.0), ("aa", -1.0)], &["\n\n", "aXa"]);
        check(&pieces, "aaXa\n\na", &[0, 1, 501, 500, 1]);
    }

    #[test]
    fn a_piece_is_its_text_or_one_byte() {
        assert_eq!(bytes("▁is", true), b" is");
        assert_eq!(bytes("<0x0A>", true), b"\n");
        assert_eq!(bytes("<0x0A>", false), b"<0x0A>");
        assert_eq!(byte_of("<0x0AB>"), None);
        assert_eq!(byte_of("<0x+A>"), None);
    }
}
