//! How much of one text stands in another: in the same order, in runs that are long enough to mean something.

use super::sequence::Sequence;

/// More pairs of tokens than this are not compared one by one.
const MOST_PAIRS: usize = 1 << 27;

/// A row of numbered tokens and the lengths of its short sentences.
#[derive(Clone, Debug)]
pub(super) struct Numbered {
    pub(super) tokens: Vec<u32>,
    /// At the end of each sentence that is shorter than a run its length, elsewhere 0; counted from
    /// before the first token.
    short: Vec<u8>,
}

impl Numbered {
    /// Numbers the tokens of a text; `run` is the least length of a run.
    pub(super) fn new(sequence: &Sequence, run: usize, number: impl FnMut(&String) -> u32) -> Self {
        let mut short = vec![0; sequence.tokens.len() + 1];
        let mut start = 0;
        for end in &sequence.ends {
            let length = end - start;
            if length < run {
                short[*end] = u8::try_from(length).unwrap_or(0);
            }
            start = *end;
        }
        Self { tokens: sequence.tokens.iter().map(number).collect(), short }
    }

    /// How many tokens stand in short sentences.
    pub(super) fn in_short_sentences(&self) -> usize {
        self.short.iter().map(|length| usize::from(*length)).sum()
    }
}

/// The most tokens of `answer` that stand in `post` in the same order, each in a run of at least `run`
/// tokens or in a whole sentence of both.
///
/// Where both are so long that it would take minutes, only the whole answer in one run is looked for.
pub(super) fn covered(answer: &Numbered, post: &Numbered, run: usize) -> usize {
    let (n, m) = (answer.tokens.len(), post.tokens.len());
    if n.saturating_mul(m) > MOST_PAIRS {
        return if stands_in(&answer.tokens, &post.tokens) { n } else { 0 };
    }
    // `best[i % kept][j]` is the value for the first i tokens of the answer and the first j of the post.
    let kept = run + 1;
    let mut best = vec![vec![0_u32; m + 1]; kept];
    // For the pair of tokens that ends at j: how many are equal up to it, and the value of a chain whose
    // last run is long and ends here, or 0.
    let mut equal = vec![0_u32; m + 1];
    let mut chain = vec![0_u32; m + 1];
    for (i, token) in (1..).zip(&answer.tokens) {
        let mut row = std::mem::take(&mut best[i % kept]);
        let above = &best[(i - 1) % kept];
        // What stands to the left in the row above, before it is overwritten.
        let (mut equal_before, mut chain_before) = (0, 0);
        row[0] = 0;
        for (j, other) in (1..).zip(&post.tokens) {
            let (equal_here, chain_here) = (equal[j], chain[j]);
            let mut value = above[j].max(row[j - 1]);
            if token == other {
                equal[j] = equal_before + 1;
                let mut longest = if chain_before > 0 { chain_before + 1 } else { 0 };
                if equal[j] as usize >= run {
                    longest = longest.max(best[(i - run) % kept][j - run] + run as u32);
                }
                chain[j] = longest;
                value = value.max(longest);
                let short = answer.short[i];
                if short > 0 && short == post.short[j] && equal[j] >= u32::from(short) {
                    let length = usize::from(short);
                    value = value.max(best[(i - length) % kept][j - length] + u32::from(short));
                }
            } else {
                (equal[j], chain[j]) = (0, 0);
            }
            row[j] = value;
            (equal_before, chain_before) = (equal_here, chain_here);
        }
        best[i % kept] = row;
    }
    best[n % kept][m] as usize
}

/// Whether one row of tokens stands in another without a gap (Knuth, Morris and Pratt).
fn stands_in(needle: &[u32], row: &[u32]) -> bool {
    let mut borders = vec![0; needle.len() + 1];
    let advance = |borders: &[usize], mut length: usize, token: u32| {
        while length > 0 && (length == needle.len() || needle[length] != token) {
            length = borders[length];
        }
        if needle.get(length) == Some(&token) { length + 1 } else { length }
    };
    for end in 2..=needle.len() {
        borders[end] = advance(&borders, borders[end - 1], needle[end - 1]);
    }
    let mut length = 0;
    row.iter().any(|token| {
        length = advance(&borders, length, *token);
        length == needle.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RUN: usize = 3;

    /// Each letter is a token; a full stop is one, too, and ends a sentence.
    fn numbered(text: &str) -> Numbered {
        let spaced: Vec<String> = text.chars().map(String::from).collect();
        let sequence = Sequence::read(&spaced.join(" "));
        Numbered::new(&sequence, RUN, |token| u32::from(token.bytes().next().unwrap()))
    }

    fn check(answer: &str, post: &str, expected: usize) {
        assert_eq!(covered(&numbered(answer), &numbered(post), RUN), expected, "{answer} in {post}");
    }

    #[test]
    fn runs_are_long_and_in_order() {
        check("abc", "xabcy", 3);
        check("abcd", "xabcdy", 4);
        check("ab", "xaby", 0);
        check("abcdef", "abcxdef", 6);
        check("defabc", "abcxdef", 3);
        check("abcabc", "abc", 3);
        check("", "abc", 0);
        check("abc", "", 0);
    }

    #[test]
    fn a_later_passage_does_not_win_over_a_better_chain() {
        // The longest run from the start, abcd, stands behind everything else.
        check("abcdef", "abcxdefxabcd", 6);
    }

    #[test]
    fn short_sentences_count_when_they_are_whole_in_both() {
        check("a.abc", "xyz.a.xabc", 5);
        check("a.abc", "xyz.xa.xabc", 3);
        // The end of a text ends its last sentence.
        check("abc.d", "abc.xyz.d", 5);
        check("abc.d", "abc.xyz.d.", 4);
    }

    #[test]
    fn very_long_texts_are_looked_for_in_one_run() {
        let row = |tokens: Vec<u32>| Numbered { short: vec![0; tokens.len() + 1], tokens };
        let post = row((0..20_000).map(|token| token % 977).collect());
        let answer = row(post.tokens[3..15_000].to_vec());
        assert!(answer.tokens.len() * post.tokens.len() > MOST_PAIRS);
        assert_eq!(covered(&answer, &post, 8), answer.tokens.len());
        let mut other = answer.clone();
        other.tokens[7_000] = 1_000;
        assert_eq!(covered(&other, &post, 8), 0);
    }

    proptest! {
        #[test]
        fn one_run_is_found_where_it_stands(needle in prop::collection::vec(0_u32..3, 1..6), row in prop::collection::vec(0_u32..3, 0..20)) {
            let expected = row.windows(needle.len()).any(|window| window == needle);
            prop_assert_eq!(stands_in(&needle, &row), expected);
        }

        #[test]
        fn never_more_than_either_text_has(answer in "[ab.]{0,20}", post in "[ab.]{0,20}") {
            let (answer, post) = (numbered(&answer), numbered(&post));
            let found = covered(&answer, &post, RUN);
            prop_assert!(found <= answer.tokens.len().min(post.tokens.len()));
        }
    }
}
