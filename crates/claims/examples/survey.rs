//! Tests the claims of many texts and counts what came of it.
//!
//! Reads pairs from standard input, each `context`, a form feed, `text`, a form feed, and prints the counts;
//! with an argument every claim of that status with its note: `failed`, `checked`, `not checkable`.

use claims::{Counts, Limits, check};
use std::io::{Read, Write};

fn main() -> std::io::Result<()> {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let mut all = String::new();
    std::io::stdin().read_to_string(&mut all)?;
    let mut parts = all.split('\u{c}');
    let mut out = std::io::stdout().lock();
    let (mut counts, mut texts, mut with) = (Counts::default(), 0, 0);
    while let (Some(context), Some(text)) = (parts.next(), parts.next()) {
        let claims = check(text, &[context], Limits::default(), &mut || true);
        texts += 1;
        with += usize::from(!claims.is_empty());
        counts += Counts::of(&claims);
        for claim in claims.iter().filter(|claim| claim.status.word() == wanted) {
            let said = text[claim.place.clone()].replace('\n', " ");
            writeln!(out, "{texts}\t{said}\t{}", claim.note.replace('\n', " "))?;
        }
    }
    writeln!(out, "{texts} texts, {with} with claims: {} claims, {counts:?}", counts.all())
}
