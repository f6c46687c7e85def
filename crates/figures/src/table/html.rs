//! A table as HTML that a screen reader can find its way in.

use super::{Align, Cell, Mark, Row, Table, Value};
use crate::escape::markup;
use crate::number::typeset;

impl Table {
    /// The table as a `<table class="results">` with a scope on every heading.
    ///
    /// Looks are left to the page: cells have the classes `left`, `right` and
    /// `centre`, dim ones also `dim`; section rows have the class `section`.
    /// Each section and each part between rules is a `<tbody>`.
    #[must_use]
    pub fn to_html(&self) -> String {
        let mut out = String::from("<table class=\"results\">\n");
        let count = self.columns.len().max(1);
        if !self.caption.is_empty() {
            let lines: Vec<String> = self.caption.iter().map(|line| markup(line)).collect();
            out.push_str(&format!("<caption>{}</caption>\n", lines.join("<br>")));
        }
        out.push_str("<thead>\n");
        if self.has_groups() {
            out.push_str("<tr>");
            for span in self.spans() {
                let width = span.end - span.start;
                match span.group {
                    Some(group) => out.push_str(&format!(
                        "<th scope=\"colgroup\" colspan=\"{width}\">{}</th>",
                        markup(group)
                    )),
                    None => out.push_str(&format!("<td colspan=\"{width}\"></td>")),
                }
            }
            out.push_str("</tr>\n");
        }
        out.push_str("<tr>");
        for column in &self.columns {
            out.push_str(&format!(
                "<th scope=\"col\" class=\"{}\">{}</th>",
                class(column.align),
                markup(&column.title)
            ));
        }
        out.push_str("</tr>\n</thead>\n");

        let mut open = false;
        let mut in_section = false;
        for row in &self.rows {
            if open && !matches!(row, Row::Cells(_)) {
                out.push_str("</tbody>\n");
                open = false;
            }
            match row {
                Row::Rule => in_section = false,
                Row::Section(name) => {
                    in_section = true;
                    open = true;
                    out.push_str(&format!(
                        "<tbody>\n<tr class=\"section\"><th scope=\"rowgroup\" colspan=\"{count}\">{}</th></tr>\n",
                        markup(name)
                    ));
                }
                Row::Cells(cells) => {
                    if !open {
                        out.push_str("<tbody>\n");
                        open = true;
                    }
                    self.html_row(cells, in_section, &mut out);
                }
            }
        }
        if open {
            out.push_str("</tbody>\n");
        }
        if !self.footnotes.is_empty() {
            let lines: Vec<String> = self.footnotes.iter().map(|line| markup(line)).collect();
            out.push_str(&format!(
                "<tfoot><tr><td colspan=\"{count}\">{}</td></tr></tfoot>\n",
                lines.join("<br>")
            ));
        }
        out.push_str("</table>\n");
        out
    }

    fn html_row(&self, cells: &[Cell], in_section: bool, out: &mut String) {
        out.push_str(if in_section { "<tr class=\"member\">" } else { "<tr>" });
        for (index, (cell, column)) in self.cells(cells).zip(&self.columns).enumerate() {
            let dim = if cell.has(&Mark::Dim) { " dim" } else { "" };
            let class = class(column.align);
            let text = cell_text(cell);
            out.push_str(&if index == 0 {
                format!("<th scope=\"row\" class=\"{class}{dim}\">{text}</th>")
            } else {
                format!("<td class=\"{class}{dim}\">{text}</td>")
            });
        }
        out.push_str("</tr>\n");
    }
}

fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "left",
        Align::Right => "right",
        Align::Centre => "centre",
    }
}

fn cell_text(cell: &Cell) -> String {
    let mut text = match &cell.value {
        Value::Empty => return String::new(),
        Value::Text(text) => markup(text),
        Value::Number { value, decimals } => typeset(*value, *decimals),
    };
    if cell.has(&Mark::Best) {
        text = format!("<strong>{text}</strong>");
    }
    if cell.has(&Mark::Parentheses) {
        text = format!("({text})");
    }
    for mark in &cell.marks {
        match mark {
            Mark::Star => text.push_str("<sup>*</sup>"),
            Mark::DoubleStar => text.push_str("<sup>**</sup>"),
            Mark::Dagger => text.push_str("<sup>†</sup>"),
            Mark::DoubleDagger => text.push_str("<sup>‡</sup>"),
            Mark::Letters(letters) => text.push_str(&format!("<sup>{}</sup>", markup(letters))),
            Mark::Best | Mark::Dim | Mark::Parentheses => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::sample::overview;

    #[test]
    fn an_overview_table() {
        expect![[r#"
            <table class="results">
            <caption>Answer retrieval (nDCG' &amp; MAP').</caption>
            <thead>
            <tr><td colspan="2"></td><th scope="colgroup" colspan="2">ARQMath-1 / 77 topics</th><th scope="colgroup" colspan="1">ARQMath-2 / 71 topics</th></tr>
            <tr><th scope="col" class="left">Run</th><th scope="col" class="left">Type</th><th scope="col" class="right">nDCG'</th><th scope="col" class="right">MAP'</th><th scope="col" class="right">nDCG'</th></tr>
            </thead>
            <tbody>
            <tr class="section"><th scope="rowgroup" colspan="5">Baselines</th></tr>
            <tr class="member"><th scope="row" class="left">TF-IDF</th><td class="left">auto</td><td class="right">0.204</td><td class="right dim">0.049</td><td class="right">0.185</td></tr>
            <tr class="member"><th scope="row" class="left">Linked|posts</th><td class="left">n/a</td><td class="right">(0.279)</td><td class="right">–</td><td class="right">0.000</td></tr>
            </tbody>
            <tbody>
            <tr class="section"><th scope="rowgroup" colspan="5">Team_A &amp; co</th></tr>
            <tr class="member"><th scope="row" class="left">tree_50%</th><td class="left">auto</td><td class="right"><strong>0.433</strong><sup>**</sup></td><td class="right"><strong>0.121</strong><sup>ab</sup></td><td class="right">0.250<sup>†</sup></td></tr>
            </tbody>
            <tbody>
            <tr><th scope="row" class="left">Oracle</th><td class="left"></td><td class="right">1.000<sup>*</sup></td><td class="right"></td><td class="right"></td></tr>
            </tbody>
            <tfoot><tr><td colspan="5">** p &lt; 0.01 against TF-IDF</td></tr></tfoot>
            </table>
        "#]].assert_eq(&overview().to_html());
    }
}
