//! The files of a small lab with all three tasks: topics, a table of formulas, and runs.

/// Two questions, `A.1` and `A.2`.
pub const QUESTIONS: &str = "<Topics>\
    <Topic number=\"A.1\"><Title>One</Title><Question>Is $x$ one?</Question><Tags>a</Tags></Topic>\
    <Topic number=\"A.2\"><Title>Two</Title><Question>Is $y$ two?</Question><Tags>a</Tags></Topic></Topics>";

/// A formula of the first question, `B.1`.
pub const FORMULAS: &str = "<Topics>\
    <Topic number=\"B.1\"><Formula_Id>q_1</Formula_Id><Latex>x</Latex><Title>One</Title>\
    <Question>Is $x$ one?</Question><Tags>a</Tags></Topic></Topics>";

/// A question of an earlier year, `A.9`.
pub const EARLIER: &str = "<Topics>\
    <Topic number=\"A.9\"><Title>Nine</Title><Question>Is $z$ nine?</Question><Tags>a</Tags></Topic></Topics>";

/// An answer written for each question.
pub const WRITTEN: &str = "A.1\t1\t1\twriter\t\tIt is $1$.\nA.2\t1\t1\twriter\t\tIt is $2$.\n";

/// A table of formulas 1, 2, 3 and so on, at most 10: the first two look the same, and so do the fourth and those
/// after it.
#[must_use]
pub fn formula_table(count: usize) -> String {
    const LOOKS: [(u32, &str); 4] = [(7, "x"), (7, "x"), (8, "y"), (9, "z")];
    const POSTS: [(u32, &str); 10] = [
        (101, "answer"),
        (102, "answer"),
        (101, "answer"),
        (103, "question"),
        (104, "answer"),
        (105, "answer"),
        (106, "answer"),
        (107, "answer"),
        (108, "answer"),
        (109, "answer"),
    ];
    let mut table = "id\tpost_id\ttype\tvisual_id\tformula\n".to_owned();
    for (number, (post, kind)) in POSTS.iter().enumerate().take(count) {
        let (visual, latex) = LOOKS[number.min(3)];
        table.push_str(&format!("{}\t{post}\t{kind}\t{visual}\t{latex}\n", number + 1));
    }
    table
}

/// A run of Task 1 from the posts of each topic, best first.
#[must_use]
pub fn ranked(topics: &[(&str, &[&str])], tag: &str) -> String {
    let mut run = String::new();
    for (topic, posts) in topics {
        for (rank, post) in (1..).zip(*posts) {
            run.push_str(&format!("{topic}\t{post}\t{rank}\t{}\t{tag}\n", 1000 - rank));
        }
    }
    run
}

/// A run of Task 2 for `B.1` from formulas with their posts, best first.
#[must_use]
pub fn found(formulas: &[(&str, &str)], tag: &str) -> String {
    let line = |(rank, (formula, post)): (usize, &(&str, &str))| {
        format!("B.1\t{formula}\t{post}\t{rank}\t{}\t{tag}\n", 5000 - rank)
    };
    (1..).zip(formulas).map(line).collect()
}
