//! The tokens of the sequences, counted in bounded memory, and those that get a vector of their own.

use super::options::Options;
use foldhash::fast::FixedState;
use std::collections::HashMap;
use xxhash_rust::xxh3::xxh3_64;

/// Counts tokens by their hashes: 64 bits, so that two of ten million tokens share one with a probability of 1 in
/// 100,000.
#[derive(Debug)]
pub(super) struct Counter {
    counts: HashMap<u64, Counted, FixedState>,
    /// The tokens, one after the other.
    text: String,
    /// The occurrences of all tokens.
    pub(super) total: u64,
    /// Tokens with fewer occurrences were forgotten.
    floor: u64,
    most: usize,
}

#[derive(Clone, Copy, Debug)]
struct Counted {
    count: u64,
    start: usize,
    length: u32,
}

impl Counter {
    pub(super) fn new(most: usize) -> Self {
        Self {
            counts: HashMap::with_hasher(FixedState::default()),
            text: String::new(),
            total: 0,
            floor: 1,
            most,
        }
    }

    /// Counts a token, and gives its hash.
    pub(super) fn count(&mut self, token: &str) -> u64 {
        let hash = xxh3_64(token.as_bytes());
        self.total += 1;
        let text = &mut self.text;
        let counted = self.counts.entry(hash).or_insert_with(|| {
            let start = text.len();
            text.push_str(token);
            Counted { count: 0, start, length: token.len() as u32 }
        });
        counted.count += 1;
        if self.counts.len() > self.most {
            self.forget();
        }
        hash
    }

    /// The distinct tokens that are known.
    pub(super) fn distinct(&self) -> usize {
        self.counts.len()
    }

    /// Forgets rare tokens until a quarter is free, as fastText does.
    fn forget(&mut self) {
        while self.counts.len() > self.most / 4 * 3 {
            self.floor += 1;
            let floor = self.floor;
            self.counts.retain(|_, counted| counted.count >= floor);
        }
        let mut text = String::new();
        for counted in self.counts.values_mut() {
            let start = text.len();
            text.push_str(&self.text[counted.start..counted.start + counted.length as usize]);
            counted.start = start;
        }
        self.text = text;
    }

    /// The tokens that get vectors: the most frequent first, equals in the order of their letters.
    pub(super) fn finish(self, options: &Options) -> (Vocabulary, HashMap<u64, u32, FixedState>) {
        let Self { counts, text, .. } = self;
        let mut kept: Vec<(u64, Counted)> =
            counts.into_iter().filter(|(_, counted)| counted.count >= options.min_count).collect();
        let of = |counted: &Counted| &text[counted.start..counted.start + counted.length as usize];
        kept.sort_unstable_by(|(_, left), (_, right)| {
            right.count.cmp(&left.count).then_with(|| of(left).cmp(of(right)))
        });
        kept.truncate(options.max_tokens.unwrap_or(usize::MAX));
        let mut vocabulary = Vocabulary::default();
        for (_, counted) in &kept {
            vocabulary.push(of(counted), counted.count);
        }
        let numbers = (0..).zip(&kept).map(|(number, (hash, _))| (*hash, number)).collect();
        (vocabulary, numbers)
    }
}

/// Tokens with vectors of their own, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Vocabulary {
    text: String,
    ends: Vec<usize>,
    pub(super) counts: Vec<u64>,
}

impl Vocabulary {
    pub(super) fn push(&mut self, token: &str, count: u64) {
        self.text.push_str(token);
        self.ends.push(self.text.len());
        self.counts.push(count);
    }

    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    pub(super) fn token(&self, number: usize) -> &str {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[number]]
    }

    pub(super) fn tokens(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|number| self.token(number))
    }

    /// A token and its count a line, with a tab between.
    pub(super) fn to_lines(&self) -> String {
        self.tokens().zip(&self.counts).map(|(token, count)| format!("{token}\t{count}\n")).collect()
    }

    /// Reads what [`Vocabulary::to_lines`] wrote.
    ///
    /// # Errors
    ///
    /// The number of the first line that is not as it was written.
    pub(super) fn from_lines(lines: &str) -> Result<Self, usize> {
        let mut vocabulary = Self::default();
        for (number, line) in (1_usize..).zip(lines.split_terminator('\n')) {
            let read = line.rsplit_once('\t').filter(|(token, _)| !token.is_empty());
            let count = read.and_then(|(token, count)| Some((token, count.parse().ok()?)));
            let (token, count) = count.ok_or(number)?;
            vocabulary.push(token, count);
        }
        Ok(vocabulary)
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::Algorithm;
    use super::*;

    #[test]
    fn frequent_tokens_come_first() {
        let mut counter = Counter::new(1000);
        for token in ["b", "a", "c", "a", "b", "rare", "c", "c"] {
            counter.count(token);
        }
        let options = Options { min_count: 2, ..Options::of(Algorithm::Fasttext) };
        let (vocabulary, numbers) = counter.finish(&options);
        assert_eq!(vocabulary.to_lines(), "c\t3\na\t2\nb\t2\n");
        assert_eq!(Vocabulary::from_lines(&vocabulary.to_lines()), Ok(vocabulary));
        assert_eq!(numbers[&xxh3_64(b"a")], 1);
        assert_eq!(Vocabulary::from_lines("a\t1\nb"), Err(2));
    }

    #[test]
    fn memory_is_bounded() {
        let mut counter = Counter::new(100);
        for number in 0..10_000 {
            counter.count("often");
            counter.count(&format!("once {number}"));
            assert!(counter.distinct() <= 100);
        }
        let (vocabulary, _) = counter.finish(&Options::of(Algorithm::Fasttext));
        assert_eq!(vocabulary.tokens().collect::<Vec<_>>(), ["often"]);
        assert!(vocabulary.text.len() < 10_000);
    }
}
