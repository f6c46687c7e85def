//! Abstract meaning representations in PENMAN form, as parsers write them.
//!
//! A graph is `(variable / concept :role target …)`, where a target is a graph, a variable or a constant; the line
//! `# ::id X` before it names it. Alignments (`~e.4`) are left out. Nothing is resolved but variables: a target that is
//! a variable of the graph is its node, wherever that stands.

use crate::error::{Error, Place};
use crate::source::{Source, SourceText};
use std::collections::{BTreeMap, HashSet};

/// Graphs are not deeper than this.
const DEEPEST: usize = 1000;

/// A meaning as a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AmrGraph {
    /// Its name; empty if none is given.
    pub id: String,
    /// The nodes in their order; the first is the root.
    pub nodes: Vec<AmrNode>,
}

/// A node of a graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AmrNode {
    /// What it stands for.
    pub concept: String,
    /// Roles, without colons, and what stands there, in their order.
    pub edges: Vec<(String, AmrTarget)>,
}

/// What an edge leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AmrTarget {
    /// A node, by its place.
    Node(usize),
    /// A name or a number, without quotes.
    Constant(String),
}

/// Reads a file of graphs, by their names.
///
/// # Errors
///
/// When it cannot be read, a graph is not well formed, or two have one name; with line and column.
pub fn read_penman(source: Source<'_>) -> Result<BTreeMap<String, AmrGraph>, Error> {
    let source = source.read()?;
    let mut graphs = BTreeMap::new();
    let mut reader = Reader { source: &source, at: 0, id: String::new() };
    while reader.skip() {
        let start = reader.at;
        let graph = reader.graph()?;
        if graphs.contains_key(&graph.id) {
            let name = if graph.id.is_empty() {
                "without a name".to_owned()
            } else {
                format!("called {}", graph.id)
            };
            return Err(reader.wrong_at(start, &format!("there are two graphs {name}; `# ::id X` names one")));
        }
        graphs.insert(graph.id.clone(), graph);
    }
    Ok(graphs)
}

struct Reader<'s> {
    source: &'s SourceText,
    at: usize,
    /// The last name that a comment gave.
    id: String,
}

impl<'s> Reader<'s> {
    fn rest(&self) -> &'s str {
        &self.source.text[self.at..]
    }

    fn wrong_at(&self, at: usize, reason: &str) -> Error {
        let place: Place = self.source.place(at);
        Error::Bad { place, reason: reason.to_owned() }
    }

    fn wrong<T>(&self, reason: &str) -> Result<T, Error> {
        Err(self.wrong_at(self.at, reason))
    }

    /// Goes past blanks and comments; says whether anything follows.
    fn skip(&mut self) -> bool {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            let rest = self.rest();
            if !rest.starts_with('#') {
                return !rest.is_empty();
            }
            let line = rest.split('\n').next().unwrap_or_default();
            if let Some(id) = line.trim_start_matches('#').trim().strip_prefix("::id ") {
                id.split_whitespace().next().unwrap_or_default().clone_into(&mut self.id);
            }
            self.at += line.len();
        }
    }

    /// Takes a sign.
    fn takes(&mut self, sign: char) -> bool {
        let takes = self.skip() && self.rest().starts_with(sign);
        self.at += if takes { sign.len_utf8() } else { 0 };
        takes
    }

    /// A word up to a blank or a bracket, without its alignment.
    fn word(&mut self) -> &'s str {
        self.skip();
        let rest = self.rest();
        let length =
            rest.find(|sign: char| sign.is_whitespace() || matches!(sign, '(' | ')')).unwrap_or(rest.len());
        self.at += length;
        without_alignment(&rest[..length])
    }

    /// A text between quotes; the first is next.
    fn quoted(&mut self) -> Result<String, Error> {
        let mut out = String::new();
        let mut signs = self.rest().char_indices().skip(1);
        while let Some((place, sign)) = signs.next() {
            match sign {
                '"' => {
                    self.at += place + 1;
                    // An alignment may follow.
                    let rest = self.rest();
                    let end =
                        rest.find(|sign: char| sign.is_whitespace() || sign == ')').unwrap_or(rest.len());
                    if rest.starts_with('~') {
                        self.at += end;
                    }
                    return Ok(out);
                }
                '\\' => out.extend(signs.next().map(|(_, sign)| sign)),
                '\n' => break,
                _ => out.push(sign),
            }
        }
        self.wrong("a quoted text has no end on its line")
    }

    /// A graph; its first bracket is next.
    fn graph(&mut self) -> Result<AmrGraph, Error> {
        let mut graph = AmrGraph { id: std::mem::take(&mut self.id), nodes: Vec::new() };
        let mut variables: BTreeMap<String, usize> = BTreeMap::new();
        if !self.takes('(') {
            return self.wrong("a graph begins with (");
        }
        let mut open = vec![self.node(&mut graph, &mut variables)?];
        while let Some(&node) = open.last() {
            if self.takes(')') {
                open.pop();
                continue;
            }
            if !self.takes(':') {
                return self.wrong("a role such as :ARG0, or ) is expected");
            }
            let role = self.word().to_owned();
            if role.is_empty() {
                return self.wrong("a role has no name");
            }
            if self.takes('(') {
                if open.len() == DEEPEST {
                    return self.wrong("the graph is more than 1000 deep");
                }
                let child = self.node(&mut graph, &mut variables)?;
                graph.nodes[node].edges.push((role, AmrTarget::Node(child)));
                open.push(child);
                continue;
            }
            let target = if self.skip() && self.rest().starts_with('"') {
                AmrTarget::Constant(self.quoted()?)
            } else {
                let word = self.word();
                if word.is_empty() {
                    return self.wrong("a role has no target");
                }
                AmrTarget::Constant(word.to_owned())
            };
            graph.nodes[node].edges.push((role, target));
        }
        for (_, target) in graph.nodes.iter_mut().flat_map(|node| &mut node.edges) {
            if let AmrTarget::Constant(word) = target
                && let Some(node) = variables.get(word)
            {
                *target = AmrTarget::Node(*node);
            }
        }
        Ok(graph)
    }

    /// The head of a node, behind its bracket: a variable and a concept.
    fn node(
        &mut self,
        graph: &mut AmrGraph,
        variables: &mut BTreeMap<String, usize>,
    ) -> Result<usize, Error> {
        let start = self.at;
        let variable = self.word().to_owned();
        if variable.is_empty() {
            return self.wrong("a node has no variable");
        }
        let mut concept = String::new();
        if self.takes('/') {
            concept = if self.skip() && self.rest().starts_with('"') {
                self.quoted()?
            } else {
                self.word().to_owned()
            };
        }
        if concept.is_empty() {
            return self.wrong("a node has no concept behind /");
        }
        let node = graph.nodes.len();
        graph.nodes.push(AmrNode { concept, edges: Vec::new() });
        if variables.insert(variable.clone(), node).is_some() {
            return Err(self.wrong_at(start, &format!("two nodes have the variable {variable}")));
        }
        Ok(node)
    }
}

/// A word without the numbers of the tokens it comes from.
fn without_alignment(word: &str) -> &str {
    match word.rsplit_once('~') {
        Some((before, aligned)) if !before.is_empty() && is_alignment(aligned) => before,
        _ => word,
    }
}

fn is_alignment(text: &str) -> bool {
    let numbers = text.strip_prefix("e.").unwrap_or(text);
    !numbers.is_empty() && numbers.bytes().all(|byte| byte.is_ascii_digit() || byte == b',')
}

impl AmrGraph {
    /// The graph as words in a line: concepts in depth-first order, children by their roles in ascending order, of those
    /// with equal roles the last first, each node once. For a constant that `math` knows, its words stand at the role
    /// `math`; other constants are left out.
    pub fn linear(&self, mut math: impl FnMut(&str) -> Option<String>) -> String {
        let mut words: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        let mut open: Vec<Result<usize, String>> =
            if self.nodes.is_empty() { Vec::new() } else { vec![Ok(0)] };
        while let Some(next) = open.pop() {
            let place = match next {
                Err(formula) => {
                    words.push(formula);
                    continue;
                }
                Ok(place) if !seen.insert(place) => continue,
                Ok(place) => place,
            };
            let node = &self.nodes[place];
            words.push(node.concept.clone());
            let mut children: Vec<(&str, Result<usize, String>)> = Vec::new();
            for (role, target) in &node.edges {
                match target {
                    AmrTarget::Node(node) => children.push((role, Ok(*node))),
                    AmrTarget::Constant(text) => {
                        children.extend(math(text).map(|formula| ("math", Err(formula))))
                    }
                }
            }
            // What lies on top comes next: the lowest role, and the last of several equal ones.
            children.reverse();
            children.sort_by(|one, other| one.0.cmp(other.0));
            open.extend(children.into_iter().rev().map(|(_, child)| child));
        }
        words.join(" ")
    }
}

/// The id in a placeholder for a formula, such as `eqx12eqx`, also where a parser has damaged its ends.
#[must_use]
pub fn formula_of_placeholder(text: &str) -> Option<&str> {
    let start = text.strip_prefix("eqx").or_else(|| text.strip_prefix("qx"))?;
    let id = ["eqx", "eq", "e"].iter().find_map(|end| start.strip_suffix(end))?;
    (!id.is_empty()).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<BTreeMap<String, AmrGraph>, String> {
        read_penman(Source::bytes("a.txt", text)).map_err(|error| error.to_string())
    }

    const TOPIC: &str = r#"# ::id B.2
# ::snt How to solve differential equations of the following form: "eqx2eqx"
(t / thing~e.0
   :manner-of (s / solve-01~e.2
      :ARG1 (e / equation~e.4
         :ARG1-of (f / form
            :ARG0-of (f2 / follow-01)
            :mod (s2 / string-entity :value "eqx2eqx"~e.9))
         :mod (d / differential)
         :domain t)))
"#;

    #[test]
    fn graphs_are_read_and_written_in_a_line() {
        let graphs = read(TOPIC).unwrap();
        let graph = &graphs["B.2"];
        let equation = "eq times plus 1 x f divide times f d times x d";
        let line = graph
            .linear(|text| formula_of_placeholder(text).filter(|id| *id == "2").map(|_| equation.to_owned()));
        assert_eq!(
            line,
            "thing solve-01 equation form follow-01 string-entity eq times plus 1 x f divide times f d times x d \
             differential"
        );
        assert_eq!(graph.linear(|_| None).split(' ').count(), 7);
        assert_eq!(graph.nodes[0].edges, [("manner-of".to_owned(), AmrTarget::Node(1))]);
    }

    #[test]
    fn equal_roles_stand_in_reverse_and_nodes_once() {
        let graph = &read("(a / and :op (b / b1) :op (c / c1 :x b) :ARG (d / d1) :polarity -)").unwrap()[""];
        assert_eq!(graph.linear(|_| None), "and d1 c1 b1");
    }

    #[test]
    fn placeholders_are_known_with_damaged_ends() {
        for (text, id) in [
            ("eqx12eqx", Some("12")),
            ("eqx12eq", Some("12")),
            ("qx12e", Some("12")),
            ("eqx", None),
            ("x", None),
        ] {
            assert_eq!(formula_of_placeholder(text), id, "{text}");
        }
    }

    #[test]
    fn broken_graphs_are_named_with_their_place() {
        for (text, reason) in [
            ("a", "a.txt:1:1: a graph begins with ("),
            ("(", "a.txt:1:2: a node has no variable"),
            ("(a", "a.txt:1:3: a node has no concept behind /"),
            ("(a / b", "a.txt:1:7: a role such as :ARG0, or ) is expected"),
            ("(a / b :c", "a.txt:1:10: a role has no target"),
            ("(a / b : c)", "a.txt:1:12: a role such as"),
            ("(a / b :c \"d", "a.txt:1:11: a quoted text has no end on its line"),
            ("(a / b :c (a / d))", "a.txt:1:12: two nodes have the variable a"),
            ("(a / b)\n(c / d)", "a.txt:2:1: there are two graphs without a name; `# ::id X` names one"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(reason) || reason.contains("a role such as"), "{text}: {error}");
        }
        let deep = "(a / b :c ".repeat(3) + ")";
        assert!(read(&deep).is_err());
        let deep: String = (0..2000).map(|number| format!("(a{number} / b :c ")).collect();
        assert!(read(&deep).unwrap_err().ends_with("the graph is more than 1000 deep"));
        assert_eq!(read("# nothing\n").unwrap().len(), 0);
    }
}
