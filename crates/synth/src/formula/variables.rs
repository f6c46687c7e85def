//! The letters of a formula, by what they stand for.

use crate::draw::{Draw, Use, mix};

/// Letters for each role; no letter has two of the first three roles.
#[derive(Clone, Debug)]
pub(crate) struct Variables {
    pub(crate) plain: [&'static str; 3],
    pub(crate) constant: [&'static str; 3],
    pub(crate) index: [&'static str; 2],
    pub(crate) function: [&'static str; 2],
    pub(crate) set: [&'static str; 3],
    pub(crate) greek: [&'static str; 2],
    pub(crate) space: &'static str,
}

const PLAIN: [[&str; 3]; 11] = [
    ["x", "y", "z"],
    ["x", "y", "z"],
    ["x", "y", "t"],
    ["y", "x", "u"],
    ["z", "w", "t"],
    ["t", "s", "u"],
    ["u", "v", "w"],
    ["s", "t", "r"],
    ["x", "t", "y"],
    ["v", "u", "x"],
    ["w", "z", "x"],
];
const CONSTANT: [[&str; 3]; 6] = [
    ["a", "b", "c"],
    ["a", "b", "c"],
    ["b", "a", "d"],
    ["c", "d", "a"],
    ["p", "q", "r"],
    ["\\alpha", "\\beta", "\\gamma"],
];
const INDEX: [[&str; 2]; 9] = [
    ["n", "k"],
    ["n", "k"],
    ["n", "m"],
    ["k", "n"],
    ["i", "j"],
    ["m", "n"],
    ["j", "i"],
    ["N", "n"],
    ["\\ell", "k"],
];
const FUNCTION: [[&str; 2]; 8] =
    [["f", "g"], ["f", "g"], ["g", "f"], ["F", "f"], ["h", "g"], ["\\phi", "\\psi"], ["P", "Q"], ["T", "S"]];
const SET: [[&str; 3]; 11] = [
    ["A", "B", "C"],
    ["X", "Y", "Z"],
    ["G", "H", "N"],
    ["S", "T", "U"],
    ["R", "S", "I"],
    ["V", "W", "U"],
    ["B", "A", "D"],
    ["M", "N", "L"],
    ["E", "F", "K"],
    ["U", "V", "W"],
    ["\\mathcal{F}", "\\mathcal{G}", "\\mathcal{B}"],
];
const GREEK: [&str; 18] = [
    "\\epsilon",
    "\\alpha",
    "\\delta",
    "\\theta",
    "\\lambda",
    "\\beta",
    "\\varepsilon",
    "\\mu",
    "\\sigma",
    "\\gamma",
    "\\phi",
    "\\varphi",
    "\\omega",
    "\\rho",
    "\\tau",
    "\\psi",
    "\\xi",
    "\\eta",
];
const SPACE: [&str; 6] =
    ["\\mathbb{R}", "\\mathbb{N}", "\\mathbb{Z}", "\\mathbb{Q}", "\\mathbb{C}", "\\mathbb{F}"];

impl Variables {
    /// The letters of a naming.
    pub(crate) fn named(naming: u64) -> Self {
        let mut draw = Draw::new(mix(naming, Use::Variables as u64));
        let first_greek = draw.ranked(GREEK.len(), 4.0);
        Self {
            plain: PLAIN[draw.ranked(PLAIN.len(), 4.0)],
            constant: CONSTANT[draw.ranked(CONSTANT.len(), 3.0)],
            index: INDEX[draw.ranked(INDEX.len(), 3.0)],
            function: FUNCTION[draw.ranked(FUNCTION.len(), 3.0)],
            set: SET[draw.ranked(SET.len(), 6.0)],
            greek: [GREEK[first_greek], GREEK[(first_greek + 2) % GREEK.len()]],
            space: SPACE[draw.ranked(SPACE.len(), 2.0)],
        }
    }
}
