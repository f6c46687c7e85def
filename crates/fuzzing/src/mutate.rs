//! Deterministic mutations of a seed: the same seed and number give the same bytes on every machine.
//!
//! This is no replacement for a fuzzer, which learns from coverage. It keeps the targets honest where there is
//! none: every promise is checked on inputs that are almost right.

/// Tokens that mean something in one of the formats, in no order.
#[rustfmt::skip]
const TOKENS: &[&[u8]] = &[
    b"\0", b"\xff", b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x80", b"\xc3", b"\xe2\x80\xae", b"\xef\xbb\xbf", b"\xef\xb7\x90",
    b"\n", b"\r\n", b"\t", b" ", b"\"", b"'", b"$", b"$$", b"\\", b"\\(", b"\\)", b"{", b"}", b"[", b"]", b"(", b")",
    b"<", b">", b"</", b"/>", b"&", b"&lt;", b"&#x0;", b"<!--", b"-->", b"<row ", b"<p>", b"<math>", b"<script>",
    b"\\begin{", b"\\end{", b"\\frac", b"^", b"_", b"tag:", b"score:>", b"+", b"-", b"..", b"0", b"1", b"-1", b"9",
    b"18446744073709551616", b"1e999", b"NaN", b"=", b":", b",", b";", b"|", b"#", b"null", b"true", b"id",
];

/// A small generator of numbers, the same everywhere (splitmix64).
#[derive(Clone, Debug)]
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, or 0.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % (end.max(1) as u64)).unwrap_or(0)
    }
}

/// The mutation of a seed with this number: one to four changes, each of one place or a few bytes.
/// `other` is another seed of the same target, from which pieces are spliced in.
#[must_use]
pub fn mutation(seed: &[u8], other: &[u8], number: u64) -> Vec<u8> {
    let mut numbers = Numbers(number);
    let mut bytes = seed.to_vec();
    for _ in 0..=numbers.below(4) {
        change(&mut bytes, other, &mut numbers);
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, other: &[u8], numbers: &mut Numbers) {
    let at = numbers.below(bytes.len() + 1);
    match numbers.below(8) {
        // A bit.
        0 if at < bytes.len() => bytes[at] ^= 1 << numbers.below(8),
        // A byte.
        1 if at < bytes.len() => bytes[at] = numbers.below(256) as u8,
        // Some bytes go.
        2 => {
            let end = (at + 1 + numbers.below(16)).min(bytes.len());
            bytes.drain(at.min(end)..end);
        }
        // The rest goes.
        3 => bytes.truncate(at),
        // Some bytes come twice.
        4 => {
            let end = (at + 1 + numbers.below(64)).min(bytes.len());
            let piece = bytes[at.min(end)..end].to_vec();
            insert(bytes, at, &piece);
        }
        // A piece of another seed.
        5 => {
            let from = numbers.below(other.len() + 1);
            let end = (from + 1 + numbers.below(64)).min(other.len());
            insert(bytes, at, &other[from.min(end)..end]);
        }
        // A length or an offset: four bytes become another number.
        6 if at + 4 <= bytes.len() => {
            let number = match numbers.below(4) {
                0 => u32::MAX,
                1 => 1 << numbers.below(32),
                2 => numbers.below(64) as u32,
                _ => u32::try_from(bytes.len()).unwrap_or(u32::MAX),
            };
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        _ => insert(bytes, at, TOKENS[numbers.below(TOKENS.len())]),
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    let at = at.min(bytes.len());
    bytes.splice(at..at, piece.iter().copied());
}

#[cfg(test)]
mod tests {
    use super::mutation;

    #[test]
    fn the_same_number_gives_the_same_bytes_and_another_one_others() {
        let seed = b"a seed of some bytes";
        let all: Vec<Vec<u8>> = (0..200).map(|number| mutation(seed, b"other", number)).collect();
        let again: Vec<Vec<u8>> = (0..200).map(|number| mutation(seed, b"other", number)).collect();
        assert_eq!(all, again);
        let different: std::collections::BTreeSet<&Vec<u8>> = all.iter().collect();
        assert!(different.len() > 150, "{} different mutations", different.len());
        assert!(all.iter().filter(|bytes| bytes.as_slice() == seed).count() < 10);
    }

    #[test]
    fn empty_seeds_are_mutated() {
        assert!((0..50).any(|number| !mutation(b"", b"", number).is_empty()));
    }
}
