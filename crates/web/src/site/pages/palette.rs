//! Symbols that people do not know by name: a table of what to insert, drawn by our own writer.

use crate::view::{Html, Pen};
use formula::mathml::Display;
use latex::Mode;
use serde::Serialize;

/// Group, name, what is inserted (slots to be filled are `@` and empty braces), other words for it, and what is
/// drawn if that is not the same.
const TABLE: &str = include_str!("../../../data/palette.tsv");

#[derive(Debug, Serialize)]
struct Group {
    group: &'static str,
    entries: Vec<Entry>,
}

#[derive(Debug, Serialize)]
struct Entry {
    name: &'static str,
    insert: &'static str,
    words: &'static str,
    math: String,
    /// Takes more room.
    tall: bool,
}

/// All of them, drawn, for the script that shows them.
pub(super) fn json() -> String {
    serde_json::to_string(&groups()).unwrap_or_default()
}

fn groups() -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut pen = Pen::default();
    for line in TABLE.lines().skip(1) {
        let mut columns = line.split('\t');
        let mut column = || columns.next().unwrap_or_default();
        let (group, name, insert, words, drawn) = (column(), column(), column(), column(), column());
        let latex = if drawn.is_empty() {
            insert.replace('@', "\\square ").replace("{}", "{\\square}")
        } else {
            drawn.to_owned()
        };
        let mut math = Html::default();
        pen.bare(&latex, Mode::Query, Display::Inline, &mut math);
        let tall = math.as_str().contains("<mtable");
        let entry = Entry { name, insert, words, math: math.to_string(), tall };
        match groups.last_mut().filter(|known| known.group == group) {
            Some(known) => known.entries.push(entry),
            None => groups.push(Group { group, entries: vec![entry] }),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_entry_is_whole_and_understood() {
        let groups = groups();
        let mut names = BTreeSet::new();
        let mut number = 0;
        for entry in groups.iter().flat_map(|group| &group.entries) {
            number += 1;
            assert!(names.insert(entry.name), "{} is there twice", entry.name);
            assert!(!entry.name.is_empty() && !entry.insert.is_empty(), "{entry:?}");
            assert!(!entry.math.contains("style=") && entry.math.starts_with("<math"), "{entry:?}");
            // With something in each place it is a formula without mistakes.
            let filled = entry.insert.replace('@', "x").replace("{}", "{y}");
            let filled = if filled.starts_with(['^', '_']) { format!("A{filled}") } else { filled };
            let parse = latex::parse_bytes(filled.as_bytes(), Mode::Query);
            assert!(!parse.has_errors(), "{filled}: {:?}", parse.diagnostics);
        }
        assert!(number >= 150, "{number}");
        let groups: BTreeSet<&str> = groups.iter().map(|group| group.group).collect();
        assert_eq!(groups.len(), 11, "a group stands in two places");
    }

    #[test]
    fn people_find_them_by_what_they_are_called() {
        let all = groups();
        for (typed, insert) in
            [("for all", "\\forall"), ("choose", "\\binom{n}{@}"), ("expected", "\\mathbb{E}")]
        {
            let fits = |entry: &&Entry| format!("{} {}", entry.name, entry.words).contains(typed);
            let found = all.iter().flat_map(|group| &group.entries).find(fits).map(|entry| entry.insert);
            assert_eq!(found, Some(insert), "{typed}");
        }
    }
}
