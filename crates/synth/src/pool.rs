//! Which formula stands in a place: often one everybody uses, often one the
//! thread used before, else one of a pool without end.
//!
//! The pool is numbered, and formula `k` is made from the seed and `k`, so it is
//! kept nowhere. Numbers are drawn with a tail like that of Zipf's law with an
//! exponent of 1 + [`TAIL`]: the number of distinct formulas then grows as a
//! power of the number of instances, 1/(1 + [`TAIL`]). In the sample of ARQMath
//! 77 thousand instances have 38 thousand distinct formulas, in the whole
//! collection 28 million have about 9 million: the power is 0.93.

use crate::draw::{Draw, Use, place};
use crate::formula::{Formula, Shape};
use crate::subject::Voice;

/// How fast numbers of the pool thin out.
const TAIL: f64 = 0.075;
/// Below this number all are about equally likely.
const HEAD: f64 = 3000.0;

/// What is in everybody's formulas, beside single symbols; the frequent ones first.
const COMMON: [&str; 96] = [
    "f(x)",
    "x=0",
    "\\epsilon>0",
    "n\\in\\mathbb{N}",
    "(1)",
    "n+1",
    "x,y",
    "e^{x}",
    "a_{n}",
    "\\mathbb{R}^{n}",
    "2^{n}",
    "n\\times n",
    "\\frac{1}{2}",
    "f(n)",
    "\\delta>0",
    "(x,y)",
    "n\\geq N",
    "(0,0)",
    "a>0",
    "(0,1)",
    "a_{i}",
    "g(x)",
    "i^{2}=-1",
    "p=2",
    "(2)",
    "a\\neq 0",
    "a>1",
    "[0,1]",
    "V^{*}",
    "n=k",
    "a^{2}",
    "\\sqrt{-1}",
    "dx",
    "f:X\\to Y",
    "\\sqrt{x}",
    "X_{i}",
    "p,q",
    "z=0",
    "x+1",
    "\\frac{1}{4}",
    "1/n",
    "r=0",
    "n>0",
    "K/F",
    "n^{2}",
    "\\zeta(2)",
    "c\\in[a,b]",
    "P(x)",
    "L^{2}",
    "(X,d)",
    "d=1",
    "(1,0)",
    "x\\in X",
    "2x",
    "x^{2}",
    "AB",
    "C^{1}",
    "c>0",
    "ABC",
    "y=x^{2}",
    "x=1",
    "n=1",
    "x\\in\\mathbb{R}",
    "x_{n}",
    "a,b",
    "n-1",
    "f'(x)",
    "[a,b]",
    "\\mathbb{R}^{2}",
    "x=y",
    "A\\cap B",
    "f(0)=0",
    "S_{n}",
    "-1",
    "x_{0}",
    "n\\to\\infty",
    "A^{T}",
    "\\sin x",
    "p^{2}",
    "a=b",
    "f(a)",
    "k=1",
    "\\frac{1}{n}",
    "n!",
    "m,n",
    "x\\to 0",
    "U(n)",
    "e^{i\\theta}",
    "x\\geq 0",
    "T(v)",
    "\\pi/2",
    "ax+b",
    "S\\subseteq X",
    "a+b",
    "\\ln x",
    "(a,b)",
];

/// The kind of text a formula stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// A sentence.
    Inline,
    /// A line of its own.
    Displayed,
}

/// Draws a formula.
pub(crate) fn draw_formula(draw: &mut Draw, seed: u64, voice: &Voice, setting: Setting) -> Formula {
    let kind = match setting {
        Setting::Inline => draw.weighted(&[32, 7, 53, 8]),
        Setting::Displayed => draw.weighted(&[0, 15, 85, 0]),
    };
    let family = voice.theme().family;
    match kind {
        0 => {
            // A thread uses a few symbols again and again.
            let key = match draw.percent(45) {
                true => place(voice.key, Use::Pool, draw.below(4) as u64, 1),
                false => draw.word(),
            };
            Formula { key, naming: 0, family, shape: Shape::Symbol, size: 1 }
        }
        1 => *draw.pick(&voice.formulas),
        3 => {
            let common = COMMON[draw.ranked(COMMON.len(), 20.0)];
            Formula { key: 0, naming: 0, family, shape: Shape::Fixed(common), size: 0 }
        }
        _ => from_pool(draw, seed, voice, setting),
    }
}

fn from_pool(draw: &mut Draw, seed: u64, voice: &Voice, setting: Setting) -> Formula {
    let number = HEAD * (libm::pow(1.0 - draw.unit(), -1.0 / TAIL) - 1.0);
    // Beyond what a number holds exactly every draw is its own.
    let number = if number < 9e15 { number as u64 } else { draw.word() | 1 << 63 };
    let family = voice.theme().family;
    let key = place(seed, Use::Pool, number, family as u64);
    let mut own = Draw::new(key);
    // What is written often is short.
    let (median, spread) = match number {
        0..100 => (1.6, 0.6),
        100..10_000 => (2.4, 0.9),
        _ => (3.7, 1.15),
    };
    let size = 1.9 + median * libm::exp(spread * own.normal());
    let size = match setting {
        Setting::Inline => size,
        Setting::Displayed => size * 1.8 + 4.0,
    };
    let naming = match number {
        0..100 => own.word(),
        // Some threads have their own letters for it.
        _ if draw.percent(20) => voice.key,
        _ => own.word(),
    };
    Formula { key, naming, family, shape: Shape::Any, size: size.clamp(2.0, 200.0) as u16 }
}
