//! Features of formulas, against the worked examples of the systems they come from.

mod ngrams;
mod pairs;
mod paths;
mod phoc;
mod tuples;

use formula::slt::{Slt, from_latex};
use proptest::prelude::*;

/// The layout tree of LaTeX.
fn slt(latex: &str) -> Slt {
    let mut slt = Slt::default();
    from_latex(&latex::parse(latex).tree, &mut slt);
    slt
}

/// Any bytes, and bytes that are likely to make trees of all shapes.
fn any_latex() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..60),
        r"([a-zA-C(){}\[\]|,^_&'!/*+=<?… 0-9.-]|\\(frac|sqrt|left\(|right\)|hat|over|mathbf|text|sum|int|lim|sin|foo|,|\\|begin\{matrix\}|end\{matrix\}|qvar|binom|begin\{cases\}|to|le|cdot|alpha|cancel)){0,30}"
            .prop_map(String::into_bytes),
    ]
}

/// Long and deep formulas.
fn monsters() -> Vec<String> {
    vec![
        "x+".repeat(50_000),
        "(".repeat(100_000),
        "(".repeat(50_000) + &")".repeat(50_000),
        "a^".repeat(50_000),
        "^".repeat(100_000),
        "{".repeat(100_000),
        "\\sqrt".repeat(20_000),
        "\\frac".repeat(20_000),
        "\\begin{matrix}".repeat(5_000),
        "&".repeat(100_000),
        "a,".repeat(50_000),
        "-".repeat(100_000),
        "\\sin".repeat(25_000),
        "a=".repeat(50_000),
        "a/".repeat(50_000),
        "a!".repeat(50_000),
    ]
}
