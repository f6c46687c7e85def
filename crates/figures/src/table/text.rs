//! A table as aligned text, as overview papers print them.

use super::{Align, Cell, Colour, Mark, Row, Table, Value};
use crate::escape::{columns, one_line};
use crate::number::{MISSING, fixed};

const GAP: usize = 2;
const INDENT: usize = 2;

impl Table {
    /// The table as lines of aligned text, without blanks at line ends.
    ///
    /// Numbers stand digit below digit; marks and closing parentheses hang out
    /// to the right. With [`Colour::On`], the best value is bold and dim cells
    /// are dim; with [`Colour::Off`] neither is shown.
    #[must_use]
    pub fn to_text(&self, colour: Colour) -> String {
        let layout = Layout::of(self);
        let mut out = String::new();
        for line in &self.caption {
            push_line(&mut out, &one_line(line));
        }
        if !self.caption.is_empty() {
            out.push('\n');
        }
        if self.has_groups() {
            layout.group_lines(self, &mut out);
        }
        layout.title_line(self, &mut out);
        push_line(&mut out, &"─".repeat(layout.total()));
        let mut indent = 0;
        for (index, row) in self.rows.iter().enumerate() {
            match row {
                Row::Section(name) => {
                    if index > 0 && !matches!(self.rows[index - 1], Row::Rule) {
                        out.push('\n');
                    }
                    indent = INDENT;
                    push_line(&mut out, &one_line(name));
                }
                Row::Rule => {
                    indent = 0;
                    push_line(&mut out, &"─".repeat(layout.total()));
                }
                Row::Cells(cells) => layout.cell_line(self, cells, indent, colour, &mut out),
            }
        }
        if !self.footnotes.is_empty() {
            out.push('\n');
        }
        for line in &self.footnotes {
            push_line(&mut out, &one_line(line));
        }
        out
    }
}

/// The parts of a printed cell: the core and what hangs out to the right.
struct Parts {
    core: String,
    tail: String,
}

fn parts(cell: &Cell) -> Parts {
    let mut core = match &cell.value {
        Value::Empty => String::new(),
        Value::Text(text) => one_line(text),
        Value::Number { value, decimals } => fixed(*value, *decimals).unwrap_or_else(|| MISSING.to_owned()),
    };
    let mut tail = String::new();
    for mark in &cell.marks {
        match mark {
            Mark::Best | Mark::Dim => {}
            Mark::Star => tail.push('*'),
            Mark::DoubleStar => tail.push_str("**"),
            Mark::Dagger => tail.push('†'),
            Mark::DoubleDagger => tail.push('‡'),
            Mark::Letters(letters) => tail.extend(one_line(letters).chars().map(raised)),
            Mark::Parentheses => {
                core.insert(0, '(');
                tail.insert(0, ')');
            }
        }
    }
    Parts { core, tail }
}

/// The raised form of a letter, where Unicode has one.
fn raised(c: char) -> char {
    const RAISED: [char; 26] = [
        'ᵃ', 'ᵇ', 'ᶜ', 'ᵈ', 'ᵉ', 'ᶠ', 'ᵍ', 'ʰ', 'ⁱ', 'ʲ', 'ᵏ', 'ˡ', 'ᵐ', 'ⁿ', 'ᵒ', 'ᵖ', 'q', 'ʳ', 'ˢ', 'ᵗ',
        'ᵘ', 'ᵛ', 'ʷ', 'ˣ', 'ʸ', 'ᶻ',
    ];
    match c {
        'a'..='z' => RAISED[c as usize - 'a' as usize],
        c => c,
    }
}

/// How wide each column is, and how much of it is for marks.
struct Layout {
    core: Vec<usize>,
    tail: Vec<usize>,
    width: Vec<usize>,
}

impl Layout {
    fn of(table: &Table) -> Self {
        let count = table.columns.len();
        let mut layout = Self { core: vec![0; count], tail: vec![0; count], width: vec![0; count] };
        let mut indent = 0;
        for row in &table.rows {
            match row {
                Row::Section(_) => indent = INDENT,
                Row::Rule => indent = 0,
                Row::Cells(cells) => {
                    for (index, cell) in table.cells(cells).enumerate() {
                        let parts = parts(cell);
                        let indent = if index == 0 { indent } else { 0 };
                        layout.core[index] = layout.core[index].max(columns(&parts.core) + indent);
                        layout.tail[index] = layout.tail[index].max(columns(&parts.tail));
                    }
                }
            }
        }
        for (index, column) in table.columns.iter().enumerate() {
            let cells = layout.core[index] + layout.tail[index];
            layout.width[index] = cells.max(columns(&one_line(&column.title)));
        }
        for span in table.spans() {
            let Some(group) = span.group else { continue };
            let room = layout.span(span.start, span.end);
            let wanted = columns(&one_line(group));
            let (extra, count) = (wanted.saturating_sub(room), span.end - span.start);
            for (nth, index) in (span.start..span.end).rev().enumerate() {
                layout.width[index] += extra / count + usize::from(nth < extra % count);
            }
        }
        layout
    }

    fn span(&self, start: usize, end: usize) -> usize {
        self.width[start..end].iter().sum::<usize>() + GAP * (end - start - 1)
    }

    fn total(&self) -> usize {
        if self.width.is_empty() { 0 } else { self.span(0, self.width.len()) }
    }

    fn group_lines(&self, table: &Table, out: &mut String) {
        let mut names = String::new();
        let mut rules = String::new();
        for span in table.spans() {
            if span.start > 0 {
                names.push_str(&" ".repeat(GAP));
                rules.push_str(&" ".repeat(GAP));
            }
            let room = self.span(span.start, span.end);
            let name = one_line(span.group.unwrap_or_default());
            let blank = room - columns(&name).min(room);
            names.push_str(&" ".repeat(blank / 2));
            names.push_str(&name);
            names.push_str(&" ".repeat(blank - blank / 2));
            rules.push_str(&(if span.group.is_some() { "─" } else { " " }).repeat(room));
        }
        push_line(out, &names);
        push_line(out, &rules);
    }

    fn title_line(&self, table: &Table, out: &mut String) {
        let mut line = String::new();
        for (index, column) in table.columns.iter().enumerate() {
            let title = one_line(&column.title);
            // A title over numbers ends where the digits end, not where the marks do.
            let hang = self.tail[index].min(self.width[index] - columns(&title));
            let blank = self.width[index] - columns(&title);
            let left = match column.align {
                Align::Left => 0,
                Align::Right => blank - hang,
                Align::Centre => blank / 2,
            };
            line.push_str(&" ".repeat(left + if index > 0 { GAP } else { 0 }));
            line.push_str(&title);
            line.push_str(&" ".repeat(blank - left));
        }
        push_line(out, &line);
    }

    fn cell_line(&self, table: &Table, cells: &[Cell], indent: usize, colour: Colour, out: &mut String) {
        let mut line = String::new();
        for (index, (cell, column)) in table.cells(cells).zip(&table.columns).enumerate() {
            let parts = parts(cell);
            let (core, tail) = (columns(&parts.core), columns(&parts.tail));
            let indent = if index == 0 { indent } else { 0 };
            let blank = self.width[index] - (core + tail + indent).min(self.width[index]);
            let left = match column.align {
                Align::Left => 0,
                Align::Right => blank - (self.tail[index] - tail).min(blank),
                Align::Centre => blank / 2,
            };
            line.push_str(&" ".repeat(left + indent + if index > 0 { GAP } else { 0 }));
            line.push_str(&coloured(cell, &parts, colour));
            line.push_str(&" ".repeat(blank - left));
        }
        push_line(out, &line);
    }
}

fn coloured(cell: &Cell, parts: &Parts, colour: Colour) -> String {
    let text = format!("{}{}", parts.core, parts.tail);
    let code = match colour {
        Colour::Off => return text,
        Colour::On if cell.has(&Mark::Best) => "1",
        Colour::On if cell.has(&Mark::Dim) => "2",
        Colour::On => return text,
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::sample::overview;
    use super::*;
    use crate::table::Column;

    #[test]
    fn an_overview_table() {
        expect![[r#"
            Answer retrieval (nDCG' & MAP').

                                  ARQMath-1 / 77 topics  ARQMath-2 / 71 topics
                                  ─────────────────────  ─────────────────────
            Run             Type     nDCG'       MAP'                   nDCG'
            ──────────────────────────────────────────────────────────────────
            Baselines
              TF-IDF        auto     0.204      0.049                   0.185
              Linked|posts  n/a     (0.279)         –                   0.000

            Team_A & co
              tree_50%      auto     0.433**    0.121ᵃᵇ                 0.250†
            ──────────────────────────────────────────────────────────────────
            Oracle                   1.000*

            ** p < 0.01 against TF-IDF
        "#]]
        .assert_eq(&overview().to_text(Colour::Off));
    }

    #[test]
    fn colour_changes_no_width() {
        let table = overview();
        let coloured = table.to_text(Colour::On);
        assert!(coloured.contains("\u{1b}[1m0.433**\u{1b}[0m"), "{coloured:?}");
        assert!(coloured.contains("\u{1b}[2m0.049\u{1b}[0m"));
        let plain = coloured.replace("\u{1b}[1m", "").replace("\u{1b}[2m", "").replace("\u{1b}[0m", "");
        assert_eq!(plain, table.to_text(Colour::Off));
    }

    #[test]
    fn a_cell_cannot_steer_the_terminal() {
        let table = Table {
            columns: vec![Column::left("a\nb")],
            rows: vec![Row::Cells(vec![Cell::text("\u{1b}[31mred\n")])],
            ..Table::default()
        };
        assert_eq!(table.to_text(Colour::Off), "a b\n──────\n[31mred\n".replace("──────", "────────"));
    }
}
