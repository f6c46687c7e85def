//! What texts are cut into: `data/words.tsv` has an input and its terms on each line.
//!
//! Numbers are written `#17`, signs `!∀`, compounds `+nonzero`; `⌜⌝` stands for a formula.

use text::{FORMULA, Kind, LONGEST, Tokenizer};

fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    Tokenizer::default().tokenize(text, |word| {
        let mark = match word.kind {
            Kind::Word => "",
            Kind::Number => "#",
            Kind::Symbol => "!",
            Kind::Compound => "+",
        };
        terms.push(format!("{mark}{}", word.term));
    });
    terms
}

#[test]
fn the_table() {
    let mut lines = 0;
    for line in include_str!("data/words.tsv").lines().filter(|line| !line.starts_with("//")) {
        let (input, expected) = line.split_once('\t').unwrap();
        let input = input.replace("⌜⌝", &FORMULA.to_string());
        assert_eq!(terms(&input).join(" "), expected, "{input}");
        lines += 1;
    }
    assert!(lines >= 80, "{lines} lines");
}

#[test]
fn spans_are_places_in_the_original() {
    let text = "Poincaré’s 𝔽-algebra: l'Hôpital, 1,000 ≤ x";
    let mut places = Vec::new();
    Tokenizer::default().tokenize(text, |word| places.push(&text[word.span]));
    assert_eq!(
        places,
        ["Poincaré", "𝔽", "algebra", "𝔽-algebra", "l", "Hôpital", "l'Hôpital", "1,000", "≤", "x"]
    );
}

#[test]
fn long_words_are_cut_off() {
    for (input, length) in [
        ("a".repeat(1000), LONGEST),
        ("é".repeat(1000), LONGEST),
        ("я".repeat(1000), LONGEST),
        ("1".repeat(1000), LONGEST),
        ("a.".repeat(1000), LONGEST),
        (format!("{}я", "a".repeat(LONGEST - 1)), LONGEST - 1),
        (format!("{}яb", "a".repeat(LONGEST - 1)), LONGEST - 1),
    ] {
        let terms = terms(&input);
        assert_eq!(terms.iter().map(|term| term.trim_start_matches('#').len()).collect::<Vec<_>>(), [length]);
    }
    assert_eq!(
        terms(&format!("{}-{}", "a".repeat(60), "b".repeat(60)))[2],
        format!("+{}bbbb", "a".repeat(60))
    );
}

#[test]
fn anything_takes_linear_time() {
    for piece in [
        "a",
        "-",
        "a-",
        "a.",
        "'",
        "a'",
        "l'",
        "1,",
        "1,000,",
        "3.",
        "*",
        "a*",
        "http://",
        "www.",
        "\u{301}",
        "é",
        "ﷺ",
        "日",
        "≤",
        "2×",
        "x\u{200b}",
        "½",
        "1½",
        "a’s",
        "α-",
        " ",
    ] {
        let text = piece.repeat(500_000 / piece.len());
        let (mut count, mut covered) = (0, 0);
        Tokenizer::default().tokenize(&text, |word| {
            count += 1;
            covered = word.span.end;
        });
        assert!(count <= text.len() && covered <= text.len(), "{piece}");
    }
}

#[test]
fn every_character_folds_once_and_for_all() {
    let (mut once, mut twice) = (String::new(), String::new());
    for character in (0..=0x10_FFFF).filter_map(char::from_u32) {
        once.clear();
        twice.clear();
        text::fold(character.encode_utf8(&mut [0; 4]), &mut once);
        text::fold(&once, &mut twice);
        assert_eq!(once, twice, "{:x}", character as u32);
    }
}
