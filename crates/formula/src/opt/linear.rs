//! An operator tree as words in a line, as DPRL's MathAMR writes it for sentence encoders.
//!
//! The label of a node stands before those of its children. The operands of an operation without order (`U!`) are
//! all called the same, and what is called the same comes last first, so they stand in reverse; all other children
//! keep their order.

use super::{Opt, OptId};

/// Calls `sink` with the name of each node.
///
/// ```
/// use formula::opt::{Opt, linear::linear};
///
/// let opt = Opt::read("[U!plus,0[O!SUP,0[V!x],1[N!2]],1[N!1]]")?;
/// let mut words = Vec::new();
/// linear(&opt, |word| words.push(word.to_owned()));
/// assert_eq!(words, ["plus", "1", "SUP", "x", "2"]);
/// # Ok::<(), formula::opt::OptError>(())
/// ```
pub fn linear(opt: &Opt, mut sink: impl FnMut(&str)) {
    let mut open: Vec<OptId> = opt.root().into_iter().collect();
    while let Some(node) = open.pop() {
        let tag = opt.tag(node);
        sink(match tag.split_once('!') {
            Some((kind, name)) if !kind.is_empty() && !name.is_empty() => name,
            _ => tag,
        });
        let first = open.len();
        open.extend(opt.children(node));
        // What lies on top comes next.
        if !tag.starts_with("U!") {
            open[first..].reverse();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> String {
        let mut words = Vec::new();
        linear(&Opt::read(text).unwrap(), |word| words.push(word.to_owned()));
        words.join(" ")
    }

    #[test]
    fn operands_without_order_stand_in_reverse() {
        // df/dx = f(x+1), as in the topic that the labs show.
        let equation = "[U!eq,0[O!divide,0[U!times,0[V!d],1[V!f]],1[U!times,0[V!d],1[V!x]]],\
                        1[U!times,0[V!f],1[U!plus,0[V!x],1[N!1]]]]";
        assert_eq!(words(equation), "eq times plus 1 x f divide times f d times x d");
        assert_eq!(words("[V!x]"), "x");
        linear(&Opt::default(), |word| panic!("{word}"));
    }
}
