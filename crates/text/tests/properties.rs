//! What holds for the words of any text.

use proptest::prelude::*;
use text::{Kind, LONGEST, Stemmer, Tokenizer, fold};

/// A word with its own copy of the term.
#[derive(Debug, PartialEq)]
struct Seen {
    term: String,
    start: usize,
    end: usize,
    kind: Kind,
}

fn cut(text: &str, shift: usize) -> Vec<Seen> {
    let mut seen = Vec::new();
    Tokenizer::default().tokenize(text, |word| {
        let (start, end) = (word.span.start + shift, word.span.end + shift);
        seen.push(Seen { term: word.term.to_owned(), start, end, kind: word.kind });
    });
    seen
}

/// Any characters, and those that the rules are about more often.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zA-Z0-9]{1,4}",
        4 => "[-'’*.,× –\u{FDD0}]",
        2 => "[éßςΣα𝔽½²日ﬁ≤∀\u{301}\u{200b}İẞK]",
        1 => Just("http://".to_owned()),
        1 => any::<char>().prop_map(String::from),
        1 => "('s|’ll|L'|i\\.e\\.|C\\*-|1,000|2×2)",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn spans_are_in_order_and_between_characters(text in texts()) {
        let (mut end, mut parts) = (0, Vec::new());
        for word in cut(&text, 0) {
            prop_assert!(word.start < word.end && word.end <= text.len());
            prop_assert!(text.is_char_boundary(word.start) && text.is_char_boundary(word.end));
            if word.kind == Kind::Compound {
                prop_assert!(parts.contains(&word.start) && word.end == end);
            } else {
                prop_assert!(word.start >= end);
                end = word.end;
                parts.push(word.start);
            }
        }
    }

    #[test]
    fn terms_are_folded_short_and_not_empty(text in texts()) {
        for word in cut(&text, 0) {
            let mut folded = String::new();
            fold(&word.term, &mut folded);
            prop_assert_eq!(&folded, &word.term);
            prop_assert!(!word.term.is_empty() && word.term.len() <= LONGEST);
        }
    }

    #[test]
    fn folding_twice_is_folding_once(text in texts()) {
        let (mut once, mut twice) = (String::new(), String::new());
        fold(&text, &mut once);
        fold(&once, &mut twice);
        prop_assert_eq!(once, twice);
    }

    #[test]
    fn a_blank_cuts_for_good(first in texts(), second in texts()) {
        let mut apart = cut(&first, 0);
        apart.extend(cut(&second, first.len() + 1));
        prop_assert_eq!(cut(&format!("{first} {second}"), 0), apart);
    }

    #[test]
    fn a_cutter_forgets(first in texts(), second in texts()) {
        let mut tokenizer = Tokenizer::default();
        tokenizer.tokenize(&first, |_| ());
        let mut terms = Vec::new();
        tokenizer.tokenize(&second, |word| terms.push(word.term.to_owned()));
        prop_assert_eq!(terms, cut(&second, 0).into_iter().map(|word| word.term).collect::<Vec<_>>());
    }

    #[test]
    fn stems_are_never_empty(word in "[a-z]{1,20}", ending in "(s|ies|eed|ed|ing|y|ational|fulness|ement|ion|ll|e)?") {
        let (word, mut memory) = (word + &ending, String::new());
        for stemmer in Stemmer::ALL {
            let stem = stemmer.stem(&word, &mut memory);
            prop_assert!(!stem.is_empty() && stem.len() <= word.len() + 1);
        }
    }
}
