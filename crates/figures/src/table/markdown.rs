//! A table as a Markdown pipe table.

use super::{Align, Cell, Mark, Row, Table, Value};
use crate::escape::{columns, one_line};
use crate::number::{MISSING, fixed};

impl Table {
    /// The table as a pipe table, aligned in the source too.
    ///
    /// Pipe tables have one line of headings and no spans, so each column's
    /// group stands above its title, and section headings are rows in bold.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut lines: Vec<Vec<String>> = vec![self.columns.iter().map(heading).collect()];
        for row in &self.rows {
            match row {
                Row::Section(name) => {
                    let mut line = vec![String::new(); self.columns.len()];
                    if let Some(first) = line.first_mut() {
                        *first = format!("**{}**", escape(name));
                    }
                    lines.push(line);
                }
                Row::Rule => {}
                Row::Cells(cells) => lines.push(self.cells(cells).map(cell_text).collect()),
            }
        }
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|index| lines.iter().map(|line| columns(&line[index])).max().unwrap_or(0).max(3))
            .collect();

        let mut out = String::new();
        for line in &self.caption {
            out.push_str(&escape(line));
            out.push_str("\n\n");
        }
        for (number, line) in lines.iter().enumerate() {
            for ((text, &width), column) in line.iter().zip(&widths).zip(&self.columns) {
                let blank = width - columns(text);
                let left = match column.align {
                    Align::Left => 0,
                    Align::Right => blank,
                    Align::Centre => blank / 2,
                };
                out.push_str(&format!("| {}{text}{} ", " ".repeat(left), " ".repeat(blank - left)));
            }
            out.push_str("|\n");
            if number == 0 {
                for (&width, column) in widths.iter().zip(&self.columns) {
                    let (left, right) = match column.align {
                        Align::Left => (" ", " "),
                        Align::Right => (" ", ":"),
                        Align::Centre => (":", ":"),
                    };
                    out.push_str(&format!("|{left}{}{right}", "-".repeat(width)));
                }
                out.push_str("|\n");
            }
        }
        for line in &self.footnotes {
            out.push('\n');
            out.push_str(&escape(line));
            out.push('\n');
        }
        out
    }
}

fn heading(column: &super::Column) -> String {
    match &column.group {
        Some(group) => format!("{}<br>{}", escape(group), escape(&column.title)),
        None => escape(&column.title),
    }
}

fn cell_text(cell: &Cell) -> String {
    let mut text = match &cell.value {
        Value::Empty => return String::new(),
        Value::Text(text) => escape(text),
        Value::Number { value, decimals } => fixed(*value, *decimals).unwrap_or_else(|| MISSING.to_owned()),
    };
    if cell.has(&Mark::Best) {
        text = format!("**{text}**");
    }
    if cell.has(&Mark::Dim) {
        text = format!("<small>{text}</small>");
    }
    if cell.has(&Mark::Parentheses) {
        text = format!("({text})");
    }
    for mark in &cell.marks {
        match mark {
            Mark::Star => text.push_str("\\*"),
            Mark::DoubleStar => text.push_str("\\*\\*"),
            Mark::Dagger => text.push('†'),
            Mark::DoubleDagger => text.push('‡'),
            Mark::Letters(letters) => text.push_str(&format!("<sup>{}</sup>", escape(letters))),
            Mark::Best | Mark::Dim | Mark::Parentheses => {}
        }
    }
    text
}

/// A backslash before everything that Markdown could take for markup.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in one_line(text).chars() {
        if matches!(c, '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '\\' | '~' | '$' | '&' | '#') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::sample::overview;

    #[test]
    fn an_overview_table() {
        expect![[r#"
            Answer retrieval (nDCG' \& MAP').

            | Run               | Type | ARQMath-1 / 77 topics<br>nDCG' | ARQMath-1 / 77 topics<br>MAP' | ARQMath-2 / 71 topics<br>nDCG' |
            | ----------------- | ---- | ------------------------------:| -----------------------------:| ------------------------------:|
            | **Baselines**     |      |                                |                               |                                |
            | TF-IDF            | auto |                          0.204 |          <small>0.049</small> |                          0.185 |
            | Linked\|posts     | n/a  |                        (0.279) |                             – |                          0.000 |
            | **Team\_A \& co** |      |                                |                               |                                |
            | tree\_50%         | auto |                  **0.433**\*\* |        **0.121**<sup>ab</sup> |                         0.250† |
            | Oracle            |      |                        1.000\* |                               |                                |

            \*\* p \< 0.01 against TF-IDF
        "#]].assert_eq(&overview().to_markdown());
    }
}
