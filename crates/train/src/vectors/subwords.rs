//! Sub-words: runs of characters of a token between `<` and `>`, hashed into buckets as fastText hashes them.

use super::options::Subwords;

/// The 32-bit hash of fastText: FNV-1a, except that bytes are sign-extended before they are mixed in.
#[must_use]
pub fn hash(text: &str) -> u32 {
    let mix = |hash: u32, byte: u8| (hash ^ i32::from(byte as i8) as u32).wrapping_mul(16_777_619);
    text.bytes().fold(2_166_136_261, mix)
}

/// The bucket of a sub-word.
#[must_use]
pub fn bucket(text: &str, buckets: u32) -> u32 {
    hash(text) % buckets.max(1)
}

/// Calls `sink` with the bucket of each sub-word of a token: by their beginning, the shortest first.
pub fn ngrams(token: &str, subwords: &Subwords, mut sink: impl FnMut(u32)) {
    let wrapped = format!("<{token}>");
    let starts: Vec<usize> =
        wrapped.char_indices().map(|(at, _)| at).chain(std::iter::once(wrapped.len())).collect();
    let characters = starts.len() - 1;
    for first in 0..characters {
        let longest = subwords.longest.min(characters - first);
        for length in subwords.shortest..=longest {
            // Of single characters, the marks of the beginning and the end are none.
            if length == 1 && (first == 0 || first + length == characters) {
                continue;
            }
            sink(bucket(&wrapped[starts[first]..starts[first + length]], subwords.buckets));
        }
    }
}
