//! Reading formulas and scoring runs: how fast beside others, and how like the labs.
//!
//! - `cargo run --profile dist -p bench` reads the formulas of `arqmath-mini` where
//!   the data is (see `docs/quality.md`), else the gallery's, several times over
//!   on one core, and prints the best round of each contestant and its ratio to
//!   ours.
//! - `… -- stream [N]` reads N formulas (28 million) one after the other and
//!   prints the memory in use as it goes.
//! - `… -- eval [FOLDER]` scores generated runs beside trec_eval and pytrec_eval;
//!   the runs stay in FOLDER if one is given.
//! - `… -- layout` compares layout trees from LaTeX with those from LaTeXML's
//!   MathML.
//! - `… -- similarity` compares formulas of median size by every measure.
//! - `… -- matcher` ranks judged formulas with the matcher.
//! - `… -- assess load LAB` and `… -- assess kill LAB` judge a lab's pools with
//!   simulated assessors; `bench/assess/run` makes a lab for them.
//! - `… -- deadlines INDEX TASK1_TOPICS TASK2_TOPICS [SYSTEM…]` cuts searches short and says how long after
//!   their deadline they end.
//! - `… -- train` learns the matcher's weights and says, by cross-validation,
//!   what to expect of them; `… -- train across` learns on one year and measures on the other.

#![allow(clippy::print_stdout, reason = "a benchmark prints")]

mod deadlines;
mod judging;
mod layout;
mod matching;
mod scoring;
mod similarity;

use formula::identity::Keyer;
use formula::mathml::{Label, MathmlOptions, write_mathml};
use formula::slt::{LatexToSlt, Slt};
use math_core::{LatexToMathML, MathCoreConfig, MathDisplay};
use std::hint::black_box;
use std::time::{Duration, Instant};

const ROUNDS: usize = 7;

fn main() {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("assess") => judging::run(arguments),
        Some("deadlines") => deadlines::run(arguments),
        Some("eval") => scoring::compare(arguments.next().map(Into::into)),
        Some("layout") => layout::agreement(),
        Some("matcher") => matching::report(),
        Some("train") => match arguments.next().as_deref() {
            Some("across") => matching::across_years(),
            _ => matching::train(),
        },
        Some("similarity") => similarity::speed(),
        Some("stream") => {
            let count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(28_000_000);
            stream(&formulas(), count);
        }
        Some(other) => {
            println!(
                "unknown workload '{other}'; known: assess, deadlines, eval, layout, matcher, similarity, stream, train, or none for speed"
            );
        }
        None => compare(&formulas()),
    }
}

/// Real formulas where they are, else those of the gallery.
fn formulas() -> Vec<String> {
    let Some(dir) = testkit::data_dir() else {
        testkit::skip("no data folder: the gallery's formulas instead of arqmath-mini's");
        return formula::gallery::entries().map(|entry| entry.latex.to_owned()).collect();
    };
    let rows = testkit::read_tsv(&dir.join("arqmath-mini/latex_representation.tsv"));
    let mut seen = std::collections::HashSet::new();
    rows.into_iter()
        .filter(|row| row["type"] != "comment" && seen.insert(row["visual_id"].clone()))
        .filter_map(|mut row| row.remove("formula"))
        .collect()
}

/// Every contestant reads the same formulas; each reports how many it could read.
fn compare(formulas: &[String]) {
    let bytes: usize = formulas.iter().map(String::len).sum();
    println!("{} formulas, {bytes} bytes, one core, best of {ROUNDS} rounds", formulas.len());
    let mut reader = latex::Reader::default();
    let mut to_slt = LatexToSlt::default();
    let mut slt = Slt::default();
    let mut keyer = Keyer::default();
    let mut key_of = |latex: &str| {
        let parse = reader.read(latex.as_bytes(), latex::Mode::Document);
        to_slt.read(&parse.tree, &mut slt);
        keyer.key(formula::identity::Formula { slt: Some(&slt), latex })
    };
    let ours = best(formulas, |latex| {
        black_box(key_of(latex));
        true
    });
    let mut reader = latex::Reader::default();
    let tree = best(formulas, |latex| {
        black_box(reader.read(latex.as_bytes(), latex::Mode::Document));
        true
    });
    let options = MathmlOptions { label: Label::None, ..MathmlOptions::default() };
    let mathml = best(formulas, |latex| {
        let parse = reader.read(latex.as_bytes(), latex::Mode::Document);
        black_box(write_mathml(&parse.tree, latex, options));
        true
    });
    let pulldown_events = best(formulas, |latex| {
        let storage = pulldown_latex::Storage::new();
        let parser = pulldown_latex::Parser::new(latex, &storage);
        parser.map(black_box).all(|event| event.is_ok())
    });
    let pulldown_mathml = best(formulas, |latex| {
        let storage = pulldown_latex::Storage::new();
        let parser = pulldown_latex::Parser::new(latex, &storage);
        let mut out = String::new();
        let written = pulldown_latex::push_mathml(&mut out, parser, pulldown_latex::RenderConfig::default());
        black_box(&out);
        written.is_ok() && !out.contains("<merror")
    });
    let converter = LatexToMathML::new(MathCoreConfig::default()).ok();
    let math_core = best(formulas, |latex| {
        let Some(converter) = &converter else { return false };
        black_box(converter.convert_with_local_state(latex, MathDisplay::Inline)).is_ok()
    });

    println!("{:<44} {:>12} {:>8} {:>10}", "", "formulas/s", "ratio", "read");
    for (name, (time, read)) in [
        ("ours: LaTeX to layout tree (SLT) and key", ours),
        ("ours: LaTeX to tree", tree),
        ("ours: LaTeX to MathML (no spoken label)", mathml),
        ("pulldown-latex 0.8: LaTeX to events", pulldown_events),
        ("pulldown-latex 0.8: LaTeX to MathML", pulldown_mathml),
        ("math-core 0.7: LaTeX to MathML", math_core),
    ] {
        let rate = formulas.len() as f64 / time.as_secs_f64();
        let ratio = ours.0.as_secs_f64() / time.as_secs_f64();
        let share = 100.0 * read as f64 / formulas.len() as f64;
        println!("{name:<44} {rate:>12.0} {ratio:>8.2} {share:>9.2}%");
    }
}

/// The fastest round, and how many formulas were read in it.
fn best(formulas: &[String], mut read: impl FnMut(&str) -> bool) -> (Duration, usize) {
    let mut fastest = (Duration::MAX, 0);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let count = formulas.iter().filter(|formula| read(formula)).count();
        fastest = fastest.min((start.elapsed(), count));
    }
    fastest
}

/// Reads formulas without end in sight and watches the memory.
fn stream(formulas: &[String], count: usize) {
    let mut reader = latex::Reader::default();
    let mut to_slt = LatexToSlt::default();
    let mut slt = Slt::default();
    let mut keyer = Keyer::default();
    let start = Instant::now();
    for (number, latex) in formulas.iter().cycle().take(count).enumerate() {
        let parse = reader.read(latex.as_bytes(), latex::Mode::Document);
        to_slt.read(&parse.tree, &mut slt);
        black_box(keyer.key(formula::identity::Formula { slt: Some(&slt), latex }));
        if number % (count / 8).max(1) == 0 {
            println!(
                "{number:>12} formulas {:>8.1} s {:>8} in memory",
                start.elapsed().as_secs_f64(),
                resident()
            );
        }
    }
    println!("{count:>12} formulas {:>8.1} s {:>8} in memory", start.elapsed().as_secs_f64(), resident());
}

/// What the system says this process holds in memory.
fn resident() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.map_or_else(|| "unknown".to_owned(), |size| size.trim().to_owned())
}
