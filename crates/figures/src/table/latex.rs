//! A table as LaTeX source with the rules of the booktabs package.

use super::{Align, Cell, Mark, Row, Table, Value};
use crate::escape::one_line;
use crate::number::fixed;

impl Table {
    /// The table as a `tabular`; inside a `table` if it has a caption.
    ///
    /// It needs `\usepackage{booktabs}`, `xcolor` where cells are dim, and
    /// `amssymb` where there are check marks. The
    /// caption's lines are joined. Everything LaTeX would act on is escaped:
    /// tables hold names and numbers, not LaTeX.
    #[must_use]
    pub fn to_latex(&self) -> String {
        let mut out = String::new();
        let floats = !self.caption.is_empty();
        if floats {
            let caption: Vec<String> = self.caption.iter().map(|line| escape(line)).collect();
            out.push_str(&format!("\\begin{{table}}\n\\centering\n\\caption{{{}}}\n", caption.join(" ")));
        }
        let letters: String = self
            .columns
            .iter()
            .map(|column| match column.align {
                Align::Left => 'l',
                Align::Right => 'r',
                Align::Centre => 'c',
            })
            .collect();
        out.push_str(&format!("\\begin{{tabular}}{{@{{}}{letters}@{{}}}}\n\\toprule\n"));
        if self.has_groups() {
            self.latex_groups(&mut out);
        }
        let widest = self.latex_tails();
        let titles: Vec<String> = self
            .columns
            .iter()
            .zip(&widest)
            .map(|(column, widest)| cell_text(&Cell::text(&column.title), column.align, widest))
            .collect();
        out.push_str(&format!("{} \\\\\n\\midrule\n", titles.join(" & ")));

        let count = self.columns.len().max(1);
        let mut indent = "";
        for (index, row) in self.rows.iter().enumerate() {
            match row {
                Row::Section(name) => {
                    if index > 0 && !matches!(self.rows[index - 1], Row::Rule) {
                        out.push_str("\\addlinespace\n");
                    }
                    indent = "\\quad ";
                    out.push_str(&format!(
                        "\\multicolumn{{{count}}}{{@{{}}l}}{{\\textit{{{}}}}} \\\\\n",
                        escape(name)
                    ));
                }
                Row::Rule => {
                    indent = "";
                    out.push_str("\\midrule\n");
                }
                Row::Cells(cells) => {
                    let cells: Vec<String> = self
                        .cells(cells)
                        .zip(self.columns.iter().zip(&widest))
                        .map(|(cell, (column, widest))| cell_text(cell, column.align, widest))
                        .collect();
                    out.push_str(&format!("{indent}{} \\\\\n", cells.join(" & ")));
                }
            }
        }
        out.push_str("\\bottomrule\n\\end{tabular}\n");
        for line in &self.footnotes {
            out.push_str(&format!("\\par\\smallskip{{\\footnotesize {}}}\n", escape(line)));
        }
        if floats {
            out.push_str("\\end{table}\n");
        }
        out
    }

    /// The widest marks of each column.
    fn latex_tails(&self) -> Vec<String> {
        let mut widest = vec![(0, String::new()); self.columns.len()];
        for row in &self.rows {
            let Row::Cells(cells) = row else { continue };
            for (widest, cell) in widest.iter_mut().zip(self.cells(cells)) {
                let signs = tail_signs(cell);
                if signs > widest.0 {
                    *widest = (signs, parts(cell).1);
                }
            }
        }
        widest.into_iter().map(|(_, tail)| tail).collect()
    }

    fn latex_groups(&self, out: &mut String) {
        let mut heads = Vec::new();
        let mut rules = Vec::new();
        for span in self.spans() {
            let width = span.end - span.start;
            match span.group {
                Some(group) => {
                    heads.push(format!("\\multicolumn{{{width}}}{{c}}{{{}}}", escape(group)));
                    rules.push(format!("\\cmidrule(lr){{{}-{}}}", span.start + 1, span.end));
                }
                None => heads.extend(std::iter::repeat_n(String::new(), width)),
            }
        }
        out.push_str(&format!("{} \\\\\n{}\n", heads.join(" & "), rules.join(" ")));
    }
}

/// What stands in a cell, and the marks and parenthesis that hang out to its right.
fn parts(cell: &Cell) -> (String, String) {
    let mut core = match &cell.value {
        Value::Empty => return (String::new(), String::new()),
        Value::Text(text) => escape(text),
        Value::Number { value, decimals } => {
            fixed(*value, *decimals).map_or_else(|| "--".to_owned(), |text| text.replace('-', "$-$"))
        }
    };
    if cell.has(&Mark::Best) {
        core = format!("\\textbf{{{core}}}");
    }
    if cell.has(&Mark::Dim) {
        core = format!("\\textcolor{{gray}}{{{core}}}");
    }
    let mut tail = String::new();
    if cell.has(&Mark::Parentheses) {
        core.insert(0, '(');
        tail.push(')');
    }
    for mark in &cell.marks {
        match mark {
            Mark::Star => tail.push_str("$^{*}$"),
            Mark::DoubleStar => tail.push_str("$^{**}$"),
            Mark::Dagger => tail.push_str("$^{\\dagger}$"),
            Mark::DoubleDagger => tail.push_str("$^{\\ddagger}$"),
            Mark::Letters(letters) => tail.push_str(&format!("\\textsuperscript{{{}}}", escape(letters))),
            Mark::Best | Mark::Dim | Mark::Parentheses => {}
        }
    }
    (core, tail)
}

/// A cell followed by as much room as the column's widest marks need, so that
/// digits stand below digits.
fn cell_text(cell: &Cell, align: Align, widest: &str) -> String {
    let (core, tail) = parts(cell);
    if align != Align::Right || tail == widest || core.is_empty() {
        format!("{core}{tail}")
    } else if tail.is_empty() {
        format!("{core}\\phantom{{{widest}}}")
    } else {
        format!("{core}\\rlap{{{tail}}}\\phantom{{{widest}}}")
    }
}

/// How many signs a cell's marks print.
fn tail_signs(cell: &Cell) -> usize {
    cell.marks
        .iter()
        .map(|mark| match mark {
            Mark::Best | Mark::Dim => 0,
            Mark::Star | Mark::Dagger | Mark::DoubleDagger | Mark::Parentheses => 1,
            Mark::DoubleStar => 2,
            Mark::Letters(letters) => letters.chars().count(),
        })
        .sum()
}

/// The text with no character that LaTeX would act on.
///
/// The prime of `nDCG'` becomes a prime in mathematics; one between two
/// letters, as in "don't", stays an apostrophe. Stars and square
/// brackets are in braces, as after `\\` they would be read as its arguments.
fn escape(text: &str) -> String {
    let text = one_line(text);
    let mut out = String::new();
    let mut before = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '$' | '&' | '#' | '%' | '_' => {
                out.push('\\');
                out.push(c);
            }
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("$<$"),
            '>' => out.push_str("$>$"),
            '|' => out.push_str("\\textbar{}"),
            '"' => out.push_str("\\textquotedbl{}"),
            '*' => out.push_str("{*}"),
            '[' => out.push_str("{[}"),
            ']' => out.push_str("{]}"),
            '\'' if before.is_alphabetic() && chars.peek().is_some_and(|next| next.is_alphabetic()) => {
                out.push('\'');
            }
            '\'' | '′' => out.push_str("$'$"),
            '†' => out.push_str("\\dag{}"),
            '‡' => out.push_str("\\ddag{}"),
            '−' => out.push_str("$-$"),
            '–' => out.push_str("--"),
            '…' => out.push_str("\\dots{}"),
            '✓' => out.push_str("$\\checkmark$"),
            c => out.push(c),
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::sample::overview;
    use super::*;

    #[test]
    fn an_overview_table() {
        expect![[r#"
            \begin{table}
            \centering
            \caption{Answer retrieval (nDCG$'$ \& MAP$'$).}
            \begin{tabular}{@{}llrrr@{}}
            \toprule
             &  & \multicolumn{2}{c}{ARQMath-1 / 77 topics} & \multicolumn{1}{c}{ARQMath-2 / 71 topics} \\
            \cmidrule(lr){3-4} \cmidrule(lr){5-5}
            Run & Type & nDCG$'$\phantom{$^{**}$} & MAP$'$\phantom{\textsuperscript{ab}} & nDCG$'$\phantom{$^{\dagger}$} \\
            \midrule
            \multicolumn{5}{@{}l}{\textit{Baselines}} \\
            \quad TF-IDF & auto & 0.204\phantom{$^{**}$} & \textcolor{gray}{0.049}\phantom{\textsuperscript{ab}} & 0.185\phantom{$^{\dagger}$} \\
            \quad Linked\textbar{}posts & n/a & (0.279\rlap{)}\phantom{$^{**}$} & --\phantom{\textsuperscript{ab}} & 0.000\phantom{$^{\dagger}$} \\
            \addlinespace
            \multicolumn{5}{@{}l}{\textit{Team\_A \& co}} \\
            \quad tree\_50\% & auto & \textbf{0.433}$^{**}$ & \textbf{0.121}\textsuperscript{ab} & 0.250$^{\dagger}$ \\
            \midrule
            Oracle &  & 1.000\rlap{$^{*}$}\phantom{$^{**}$} &  &  \\
            \bottomrule
            \end{tabular}
            \par\smallskip{\footnotesize {*}{*} p $<$ 0.01 against TF-IDF}
            \end{table}
        "#]].assert_eq(&overview().to_latex());
    }

    #[test]
    fn check_marks_are_those_of_amssymb() {
        assert_eq!(escape("(✓)"), r"($\checkmark$)");
    }

    #[test]
    fn specials_are_escaped() {
        assert_eq!(
            escape(r"\{}$&#%_~^<>|[a] don't nDCG'@5"),
            r"\textbackslash{}\{\}\$\&\#\%\_\textasciitilde{}\textasciicircum{}$<$$>$\textbar{}{[}a{]} don't nDCG$'$@5"
        );
    }
}
