//! Remarks counted over many formulas, with examples.

use crate::engine;
use crate::output;
use latex::{Diagnostic, DiagnosticKind};
use serde::Serialize;
use std::collections::BTreeMap;

/// Examples kept of each kind and of each command: the first ones of the input.
const EXAMPLES: usize = 3;
/// Characters shown of an example in the table.
const EXAMPLE_WIDTH: usize = 60;

/// Counts over formulas. Parts are joined in the order of the input, so the
/// result does not depend on how the work was spread.
#[derive(Debug, Default)]
pub(super) struct Report {
    formulas: u64,
    with_errors: u64,
    kinds: BTreeMap<DiagnosticKind, Count>,
    commands: BTreeMap<String, Count>,
    environments: BTreeMap<String, Count>,
}

#[derive(Debug, Default)]
struct Count {
    count: u64,
    examples: Vec<Example>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
struct Example {
    id: String,
    formula: String,
}

impl Report {
    /// Counts one formula.
    pub(super) fn add(&mut self, id: &str, formula: &str, diagnostics: &[Diagnostic]) {
        self.formulas += 1;
        self.with_errors += u64::from(diagnostics.iter().any(|diagnostic| diagnostic.kind.is_error()));
        for diagnostic in diagnostics {
            self.kinds.entry(diagnostic.kind).or_default().add(id, formula);
            let subject = || engine::subject(diagnostic, formula).to_owned();
            match diagnostic.kind {
                DiagnosticKind::UnknownCommand => {
                    self.commands.entry(subject()).or_default().add(id, formula);
                }
                DiagnosticKind::UnknownEnvironment => {
                    self.environments.entry(subject()).or_default().add(id, formula);
                }
                _ => {}
            }
        }
    }

    /// Adds the counts of formulas further down the input.
    pub(super) fn join(&mut self, later: Self) {
        self.formulas += later.formulas;
        self.with_errors += later.with_errors;
        join(&mut self.kinds, later.kinds);
        join(&mut self.commands, later.commands);
        join(&mut self.environments, later.environments);
    }

    /// One object; `examples` is keyed by command, environment and kind.
    pub(super) fn json(self) -> String {
        #[derive(Serialize)]
        struct Object<'a> {
            formulas: u64,
            with_errors: u64,
            diagnostics: BTreeMap<&'a str, u64>,
            commands: BTreeMap<&'a str, u64>,
            environments: BTreeMap<&'a str, u64>,
            examples: BTreeMap<&'a str, &'a [Example]>,
        }
        fn counts(names: &BTreeMap<String, Count>) -> BTreeMap<&str, u64> {
            names.iter().map(|(name, count)| (name.as_str(), count.count)).collect()
        }
        let kinds = self.kinds.iter().map(|(kind, count)| (kind.name(), count));
        let names =
            self.commands.iter().chain(&self.environments).map(|(name, count)| (name.as_str(), count));
        let object = Object {
            formulas: self.formulas,
            with_errors: self.with_errors,
            diagnostics: kinds.clone().map(|(kind, count)| (kind, count.count)).collect(),
            commands: counts(&self.commands),
            environments: counts(&self.environments),
            examples: kinds.chain(names).map(|(name, count)| (name, count.examples.as_slice())).collect(),
        };
        let mut out = String::new();
        output::push_json(&mut out, &object);
        out
    }

    /// Tables for people, the most frequent first.
    pub(super) fn table(self) -> String {
        let share = if self.formulas == 0 { 0.0 } else { self.with_errors as f64 / self.formulas as f64 };
        let mut out = format!(
            "{:>10} formulas\n{:>10} with errors ({:.3} %)\n",
            self.formulas,
            self.with_errors,
            100.0 * share
        );
        let kinds = self
            .kinds
            .into_iter()
            .map(|(kind, count)| {
                let severity = if kind.is_error() { "error" } else { "warning" };
                (format!("{severity}: {kind}"), count)
            })
            .collect();
        push_table(&mut out, "remarks", kinds);
        push_table(&mut out, "unknown commands", self.commands.into_iter().collect());
        push_table(&mut out, "unknown environments", self.environments.into_iter().collect());
        out
    }
}

impl Count {
    fn add(&mut self, id: &str, formula: &str) {
        self.count += 1;
        // A formula with the same remark twice is one example.
        if self.examples.len() < EXAMPLES && self.examples.last().is_none_or(|last| last.id != id) {
            self.examples.push(Example { id: id.to_owned(), formula: formula.to_owned() });
        }
    }

    fn join(&mut self, later: Self) {
        self.count += later.count;
        let room = EXAMPLES.saturating_sub(self.examples.len());
        self.examples.extend(later.examples.into_iter().take(room));
    }
}

fn join<K: Ord>(counts: &mut BTreeMap<K, Count>, later: BTreeMap<K, Count>) {
    for (name, count) in later {
        counts.entry(name).or_default().join(count);
    }
}

fn push_table(out: &mut String, title: &str, mut rows: Vec<(String, Count)>) {
    if rows.is_empty() {
        return;
    }
    rows.sort_by(|(a, in_a), (b, in_b)| in_b.count.cmp(&in_a.count).then_with(|| a.cmp(b)));
    out.push_str(&format!("\n{title}\n"));
    for (name, count) in rows {
        out.push_str(&format!("{:>10} {name}\n", count.count));
        for Example { id, formula } in count.examples {
            out.push_str(&format!("{:>15}: {}\n", id, shortened(&formula)));
        }
    }
}

fn shortened(formula: &str) -> String {
    let mut characters =
        formula.chars().map(|character| if character.is_control() { ' ' } else { character });
    let mut short: String = characters.by_ref().take(EXAMPLE_WIDTH).collect();
    if characters.next().is_some() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;
    use latex::Span;

    fn unknown(start: usize, end: usize) -> Diagnostic {
        let message = "unknown command `\\foo`".into();
        Diagnostic { span: Span::new(start, end), kind: DiagnosticKind::UnknownCommand, message }
    }

    fn sample(range: std::ops::Range<usize>) -> Report {
        let mut report = Report::default();
        for number in range {
            let id = number.to_string();
            match number % 3 {
                0 => report.add(&id, "x", &[]),
                1 => report.add(&id, "\\foo+\\foo", &[unknown(0, 4), unknown(5, 9)]),
                _ => {
                    let kind = DiagnosticKind::Ignored;
                    let message = "left out".into();
                    report.add(&id, "\\label{x}", &[Diagnostic { span: Span::new(0, 9), kind, message }]);
                }
            }
        }
        report
    }

    #[test]
    fn counts_and_examples() {
        let expected = concat!(
            r#"{"formulas":6,"with_errors":2,"diagnostics":{"ignored":2,"unknown-command":4},"#,
            r#""commands":{"\\foo":4},"environments":{},"examples":{"#,
            r#""\\foo":[{"id":"1","formula":"\\foo+\\foo"},{"id":"4","formula":"\\foo+\\foo"}],"#,
            r#""ignored":[{"id":"2","formula":"\\label{x}"},{"id":"5","formula":"\\label{x}"}],"#,
            r#""unknown-command":[{"id":"1","formula":"\\foo+\\foo"},{"id":"4","formula":"\\foo+\\foo"}]}}"#,
            "\n"
        );
        assert_eq!(sample(0..6).json(), expected);
    }

    #[test]
    fn parts_joined_are_the_whole() {
        for cut in 0..20 {
            let mut joined = sample(0..cut);
            joined.join(sample(cut..20));
            assert_eq!(joined.json(), sample(0..20).json());
        }
    }

    #[test]
    fn table_for_people() {
        let expected = "         3 formulas
         1 with errors (33.333 %)

remarks
         2 error: unknown-command
              1: \\foo+\\foo
         1 warning: ignored
              2: \\label{x}

unknown commands
         2 \\foo
              1: \\foo+\\foo
";
        assert_eq!(sample(0..3).table(), expected);
        assert_eq!(Report::default().table(), "         0 formulas\n         0 with errors (0.000 %)\n");
    }
}
