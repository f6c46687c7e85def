//! What queries are taken apart into: `data/typed.tsv` has a query and its parts on each line.
//!
//! Columns: the query, its words, its formulas and the rest; parts are separated by ` ¦ `.
//! Formulas with marks are written `$x$`, environments `@x`, bare ones as they are; `notes:2` counts notes.

use std::ops::Range;

use proptest::prelude::*;
use retrieve::typed::{Bounds, Day, Filter, How, LONGEST, MOST_FORMULAS, Must, PostIs, Reading, Typed};

fn sign(must: Must) -> &'static str {
    match must {
        Must::Should => "",
        Must::Must => "+",
        Must::MustNot => "-",
    }
}

fn bounds<T: Copy>(bounds: &Bounds<T>, show: impl Fn(T) -> String) -> String {
    format!("{}..{}", bounds.from.map(&show).unwrap_or_default(), bounds.to.map(&show).unwrap_or_default())
}

fn shown(filter: &Filter) -> String {
    let day = |day: Day| format!("{:04}-{:02}-{:02}", day.year, day.month, day.day);
    match filter {
        Filter::Tag(tag) => format!("tag:{tag}"),
        Filter::Is(PostIs::Question) => "is:question".to_owned(),
        Filter::Is(PostIs::Answer) => "is:answer".to_owned(),
        Filter::Is(PostIs::Accepted) => "is:accepted".to_owned(),
        Filter::User(name) => format!("user:{name}"),
        Filter::Score(range) => format!("score:{}", bounds(range, |number| number.to_string())),
        Filter::Answers(range) => format!("answers:{}", bounds(range, |number| number.to_string())),
        Filter::Letters(letters) => format!("letters:{letters:?}"),
        Filter::Date(range) => format!("date:{}", bounds(range, day)),
    }
}

fn parts(query: &str) -> [String; 3] {
    let typed = Typed::read(query);
    let words: Vec<String> = typed.words.iter().map(|word| sign(word.must).to_owned() + &word.text).collect();
    let formulas: Vec<String> = typed
        .formulas
        .iter()
        .map(|formula| {
            let latex = match formula.how {
                How::Dollars => format!("${}$", formula.latex),
                How::Environment => format!("@{}", formula.latex),
                How::Bare => formula.latex.clone(),
                How::Mathml => format!("<{}>", formula.latex),
            };
            sign(formula.must).to_owned() + &latex
        })
        .collect();
    let mut rest: Vec<String> =
        typed.phrases.iter().map(|phrase| format!("{}\"{}\"", sign(phrase.must), phrase.text)).collect();
    rest.extend(typed.filters.iter().map(|filter| {
        let minus = if filter.must == Must::MustNot { "-" } else { "" };
        minus.to_owned() + &shown(&filter.filter)
    }));
    if !typed.notes.is_empty() {
        rest.push(format!("notes:{}", typed.notes.len()));
    }
    [words.join(" ¦ "), formulas.join(" ¦ "), rest.join(" ¦ ")]
}

#[test]
fn the_table() {
    let (mut lines, mut wrong, mut anew) = (0, Vec::new(), String::new());
    for line in include_str!("data/typed.tsv").lines() {
        if line.starts_with("//") {
            anew.push_str(&format!("{line}\n"));
            continue;
        }
        let columns: Vec<&str> = line.split('\t').collect();
        let parts = parts(columns[0]);
        if parts != columns[1..] {
            wrong.push(format!("{}\n  is     {parts:?}\n  should {:?}", columns[0], &columns[1..]));
        }
        anew.push_str(&format!("{}\t{}\n", columns[0], parts.join("\t")));
        lines += 1;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/typed.tsv"), anew).unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{}\nrun again with UPDATE_EXPECT=1 to accept what is new", wrong.join("\n"));
    assert!(lines >= 100, "{lines} lines");
}

#[test]
fn notes_are_kind() {
    for (query, expected) in [
        ("tga:calculus", "«tga:» was searched as text; did you mean tag:?"),
        ("scroe:>5", "«scroe:» was searched as text; did you mean score:?"),
        (
            "is:anwser",
            "«anwser» was searched as text: is: takes question, answer or accepted; did you mean is:answer?",
        ),
        ("is:banana", "«banana» was searched as text: is: takes question, answer or accepted"),
        (
            "score:many",
            "«many» was searched as text: score: takes a number, such as score:5, score:>5 or score:3..10",
        ),
        (
            "foo:bar",
            "«foo:» was searched as text; tag:calculus, is:answer, user:name, score:>5, answers:0, year:2015, \
             date:2015-03..2016 and letters:any are understood",
        ),
        ("x is $x^2", "Missing closing $."),
        ("tag: calculus", "«tag:» was searched as text; a filter has no blank, as in tag:value"),
    ] {
        let notes = Typed::read(query).notes;
        assert_eq!(notes.iter().map(|note| note.message.as_str()).collect::<Vec<_>>(), [expected], "{query}");
    }
}

#[test]
fn long_queries_are_cut() {
    let typed = Typed::read(&format!("{} ", "é".repeat(9)).repeat(LONGEST));
    assert_eq!(typed.words.len(), LONGEST / 10);
    assert_eq!(typed.notes.len(), 1);
    assert_eq!(typed.notes[0].span, LONGEST / 10 * 19..LONGEST * 19);
}

#[test]
fn a_query_holds_only_so_many_of_each() {
    let notes = |typed: &Typed| typed.notes.iter().map(|note| note.message.clone()).collect::<Vec<_>>();
    let formulas: String = (0..300).map(|power| format!("+$x^{power}$ ")).collect();
    let typed = Typed::read(&formulas);
    assert_eq!(typed.formulas.len(), MOST_FORMULAS);
    assert_eq!(notes(&typed), ["only the first 8 formulas were searched for"]);
    let left_out = &formulas[typed.notes[0].span.clone()];
    assert!(left_out.starts_with("x^8$") && left_out.ends_with("x^299"), "{left_out}");

    let typed = Typed::read(&"\"a b\" ".repeat(9));
    assert_eq!(
        (typed.phrases.len(), notes(&typed)),
        (8, vec!["only the first 8 phrases were searched for".into()])
    );
    let typed = Typed::read(&"user:me ".repeat(17));
    assert_eq!(
        (typed.filters.len(), notes(&typed)),
        (16, vec!["only the first 16 filters were searched for".into()])
    );
    let typed = Typed::read(&format!("{}plain", "-word ".repeat(40)));
    assert_eq!(typed.words.len(), 33);
    assert_eq!(notes(&typed), ["only the first 32 words with + or - were searched for"]);
    let typed = Typed::read(&"a ".repeat(1_001));
    assert_eq!(
        (typed.words.len(), notes(&typed)),
        (1_000, vec!["only the first 1000 words were searched for".into()])
    );
    let typed = Typed::read(&format!("$x$ ${}$ ${}$", "?a".repeat(17), "?b".repeat(16)));
    assert_eq!(typed.formulas.len(), 2);
    assert_eq!(notes(&typed), ["formulas with more than 16 wildcards were left out"]);
}

#[test]
fn hostile_queries_are_read() {
    for piece in [
        "(",
        "[",
        "{",
        "^",
        "^{",
        "\\",
        "\\(",
        "\\begin{",
        "\\begin{a}",
        "$",
        "$$",
        "\"",
        "\"a",
        "-",
        "+",
        "tag:",
        "x:",
        "score:(",
        "tag:\"",
        "x+",
        "f(",
        "(x,",
        "[ab",
        "|",
        "?",
        "!",
        "a_",
        "\\frac{",
        "x ",
        "x: ",
        "is:x ",
        "\u{301}",
        "≤",
    ] {
        let typed = Typed::read(&piece.repeat(LONGEST));
        check_spans(&piece.repeat(LONGEST), &typed);
    }
}

fn check_spans(query: &str, typed: &Typed) {
    let ordered = |spans: Vec<Range<usize>>| {
        for span in &spans {
            assert!(query.get(span.clone()).is_some(), "{query:?} {span:?}");
        }
        assert!(spans.is_sorted_by_key(|span| span.start), "{query:?} {spans:?}");
    };
    let mut all: Vec<Range<usize>> = typed.words.iter().map(|word| word.span.clone()).collect();
    all.extend(typed.phrases.iter().map(|phrase| phrase.span.clone()));
    all.extend(typed.filters.iter().map(|filter| filter.span.clone()));
    for list in [
        typed.words.iter().map(|word| word.span.clone()).collect(),
        typed.phrases.iter().map(|phrase| phrase.span.clone()).collect(),
        typed.formulas.iter().map(|formula| formula.span.clone()).collect(),
        typed.filters.iter().map(|filter| filter.span.clone()).collect(),
        typed.notes.iter().map(|note| note.span.clone()).collect::<Vec<_>>(),
    ] {
        ordered(list);
    }
    let is_plain = !query.contains(['&', '<']);
    for word in typed.words.iter().filter(|_| is_plain) {
        assert_eq!(word.text, query[word.span.clone()]);
    }
    for formula in &typed.formulas {
        let typed_so = &query[formula.span.clone()];
        if formula.reading == Reading::AsTyped && is_plain {
            assert_eq!(formula.latex, typed_so);
        }
        // What words say is a formula and words.
        let verbal = formula.reading == Reading::Translated && formula.how == How::Bare;
        if typed.phrases.is_empty() && !verbal {
            all.push(formula.span.clone());
        }
    }
    // Nothing is read twice.
    all.sort_by_key(|span| span.start);
    assert!(all.windows(2).all(|pair| pair[0].end <= pair[1].start), "{query:?} {all:?}");
}

fn queries() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zA-Z]{1,5}",
        3 => "[-+ \"$^_{}()\\[\\]|!?,:.='/<>*0-9]",
        2 => Just(" ".to_owned()),
        2 => "(tag:|score:>|is:answer|\\\\frac|\\\\in|\\\\\\(|\\\\\\)|\\\\begin\\{a\\}|\\\\end\\{a\\}|->|sin|dx|\\.\\.|\\\\\\$)",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn spans_are_within_the_query_and_in_order(query in queries()) {
        check_spans(&query, &Typed::read(&query));
    }

    #[test]
    fn any_text_is_read(query in any::<String>()) {
        check_spans(&query, &Typed::read(&query));
    }

    #[test]
    fn plain_words_are_words(words in prop::collection::vec("[a-z]{4,9}", 1..8)) {
        let typed = Typed::read(&words.join(" "));
        let read: Vec<_> = typed.words.iter().map(|word| word.text.clone()).collect();
        if words.iter().all(|word| word != "sinh" && word != "cosh" && word != "tanh") {
            prop_assert_eq!(read, words);
        }
    }
}
