//! What a formula needs to have, so that it can hold all of another.
//!
//! A formula holds a query when every node of the query is aligned with the same node, in whatever notation.
//! So it has the query's letters, numbers and functions, and an index of [`Parts`](super::Parts) can tell which
//! formulas have those, before any is aligned.
//! Symbols that notation can add or take away, such as the base of `\exp`, are not needed.

use super::Parts;
use super::parts::symbol_part;
use crate::alphabet::{FONTS, plain, styled};
use crate::matching::layout::normalise;
use crate::matching::node::Kind;
use crate::matching::prepared::Letters;
use crate::slt::Slt;
use xxhash_rust::xxh3::xxh3_64;

/// Signs for derivatives, with the order that each stands for.
const PRIMES: [(char, usize); 6] = [('′', 1), ('\'', 1), ('’', 1), ('″', 2), ('‴', 3), ('⁗', 4)];
/// The tags of a differential.
const DIFFERENTIALS: [&str; 7] = ["V!d", "T!d", "d", "𝑑", "V!𝑑", "ⅆ", "V!ⅆ"];
/// Derivatives of a higher order are seldom written with primes.
const MOST_PRIMES: usize = 4;

impl Parts {
    /// For each symbol that every formula which holds all of this one has: the parts of which it has at least
    /// one. Letters that may be renamed are not among them. Formulas of [`MAX_NODES`](super::node::MAX_NODES) nodes and more may hold it without them.
    pub fn needed(&mut self, slt: &Slt, letters: Letters) -> Vec<Vec<u64>> {
        self.slt.clone_from(slt);
        normalise(&mut self.slt);
        self.to_opt.read(&self.slt, &mut self.opt);
        self.nodes.read(&self.opt);
        let has = |kind: Kind, name: &str| {
            let symbol = xxh3_64(name.as_bytes());
            self.nodes.all().iter().any(|node| node.kind == kind && node.symbol == symbol)
        };
        let mut all: Vec<Vec<u64>> = Vec::new();
        for id in self.slt.preorder() {
            let tags = match self.slt.tag(id).split_at_checked(2) {
                Some(("N!", digits)) if has(Kind::Number, self.slt.tag(id)) => number(digits),
                Some(("V!", name)) => {
                    let mut name_letters = name.chars();
                    match (name_letters.next(), name_letters.next()) {
                        (Some(letter), None) => {
                            let letter = plain(letter).map_or(letter, |(plain, _)| plain);
                            if letters == Letters::Same && has(Kind::Letter, letter.encode_utf8(&mut [0; 4]))
                            {
                                self::letter(letter)
                            } else {
                                Vec::new()
                            }
                        }
                        (Some(_), Some(_)) if has(Kind::Function, &format!("F!{name}")) => function(name),
                        _ => Vec::new(),
                    }
                }
                _ => Vec::new(),
            };
            let mut parts: Vec<u64> = tags.iter().map(|tag| symbol_part(tag)).collect();
            parts.sort_unstable();
            parts.dedup();
            if !parts.is_empty() && !all.contains(&parts) {
                all.push(parts);
            }
        }
        all
    }
}

/// The tags by which a letter comes into a layout.
fn letter(letter: char) -> Vec<String> {
    match letter {
        // `\exp`, `\Pr`, a transpose and differentials come and go with notation.
        'e' | 'P' | 'T' | 'd' | '∂' => Vec::new(),
        _ => spelled(letter),
    }
}

/// A letter in every font, and as a text of its own.
fn spelled(letter: char) -> Vec<String> {
    let mut tags: Vec<String> = FONTS.iter().map(|font| format!("V!{}", styled(letter, *font))).collect();
    tags.push(format!("T!{letter}"));
    tags
}

/// The tags by which a number comes into a layout; a derivative's order may be written with primes.
fn number(digits: &str) -> Vec<String> {
    let mut tags = vec![format!("N!{digits}")];
    match digits.parse::<usize>() {
        // `\int dx` is the integral of 1.
        Ok(1) => tags.extend(DIFFERENTIALS.map(str::to_owned)),
        Ok(order @ 2..=MOST_PRIMES) => {
            let mut runs = primes(order);
            tags.extend(runs.iter().map(|run| format!("V!{run}")));
            tags.append(&mut runs);
        }
        Ok(5..=9) => return Vec::new(),
        _ => {}
    }
    tags
}

/// All ways to write `order` primes.
fn primes(order: usize) -> Vec<String> {
    if order == 0 {
        return vec![String::new()];
    }
    let mut all = Vec::new();
    for (sign, count) in PRIMES {
        if let Some(rest) = order.checked_sub(count) {
            all.extend(primes(rest).into_iter().map(|run| format!("{sign}{run}")));
        }
    }
    all
}

/// The tags by which a function's name comes into a layout: as one symbol, as text or letter by letter. Most
/// functions can be written without their name: `\sin^{-1}` is the arc sine, `|x|` the absolute value.
fn function(name: &str) -> Vec<String> {
    let names: &[&str] = match name {
        "log" | "ln" => &["log", "ln"],
        "sin" => &["sin"],
        "cos" => &["cos"],
        "tan" => &["tan"],
        _ => return Vec::new(),
    };
    let symbols =
        |name: &&str| [format!("V!{name}"), format!("F!{name}"), format!("T!{name}"), (*name).to_owned()];
    let mut tags: Vec<String> = names.iter().flat_map(symbols).collect();
    tags.extend(name.chars().next().into_iter().flat_map(spelled));
    tags
}
