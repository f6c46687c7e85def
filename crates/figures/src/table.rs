//! Tables of results: what stands in them, and the five ways to print them.
//!
//! A table is columns and rows of cells. It does not look for the best value
//! or test for significance: the caller marks cells, the printers show marks.

mod csv;
mod html;
mod latex;
mod markdown;
mod text;

/// A table of results.
///
/// ```
/// use figures::table::{Cell, Colour, Column, Mark, Row, Table};
///
/// let table = Table {
///     columns: vec![Column::left("Run"), Column::right("nDCG'")],
///     rows: vec![
///         Row::Cells(vec![Cell::text("BM25"), Cell::number(0.25, 3)]),
///         Row::Cells(vec![Cell::text("Tree"), Cell::number(0.5, 3).marked(Mark::Best)]),
///     ],
///     ..Table::default()
/// };
/// assert_eq!(table.to_text(Colour::Off), "\
/// Run   nDCG'
/// ───────────
/// BM25  0.250
/// Tree  0.500
/// ");
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// Lines above the table.
    pub caption: Vec<String>,
    /// The columns, left to right. The first one names the row.
    pub columns: Vec<Column>,
    /// The rows, top to bottom.
    pub rows: Vec<Row>,
    /// Lines below the table, such as what the marks mean.
    pub footnotes: Vec<String>,
}

/// A column: its title, its place under a group heading, its alignment.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Column {
    /// What stands above the cells.
    pub title: String,
    /// The heading over this and neighbouring columns with the same group,
    /// such as `ARQMath-1 / 77 topics`.
    pub group: Option<String>,
    /// To which side cells are set.
    pub align: Align,
}

impl Column {
    /// A column of words.
    pub fn left(title: impl Into<String>) -> Self {
        Self { title: title.into(), group: None, align: Align::Left }
    }

    /// A column of numbers.
    pub fn right(title: impl Into<String>) -> Self {
        Self { title: title.into(), group: None, align: Align::Right }
    }

    /// The same column under a group heading.
    #[must_use]
    pub fn under(self, group: impl Into<String>) -> Self {
        Self { group: Some(group.into()), ..self }
    }
}

/// To which side of its column a cell is set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Align {
    /// For words.
    #[default]
    Left,
    /// For numbers: digits stand below digits, marks and parentheses hang out.
    Right,
    /// For short words and signs.
    Centre,
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq)]
pub enum Row {
    /// A heading over the rows that follow, such as a team's name; they are
    /// indented until the next heading or rule.
    Section(String),
    /// One cell for each column. Missing ones are empty, further ones are not shown.
    Cells(Vec<Cell>),
    /// A line across, which also ends the section.
    Rule,
}

/// What stands in one row and column.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cell {
    /// The text or number.
    pub value: Value,
    /// How it is marked. Signs are printed in the order given.
    pub marks: Vec<Mark>,
}

impl Cell {
    /// A cell of words.
    pub fn text(text: impl Into<String>) -> Self {
        Self { value: Value::Text(text.into()), marks: Vec::new() }
    }

    /// A number and how many decimals of it are printed.
    #[must_use]
    pub fn number(value: f64, decimals: usize) -> Self {
        Self { value: Value::Number { value, decimals }, marks: Vec::new() }
    }

    /// The same cell with one more mark.
    #[must_use]
    pub fn marked(mut self, mark: Mark) -> Self {
        self.marks.push(mark);
        self
    }

    fn has(&self, mark: &Mark) -> bool {
        self.marks.contains(mark)
    }
}

/// The content of a cell.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Value {
    /// Nothing.
    #[default]
    Empty,
    /// Words.
    Text(String),
    /// A number. One that is not finite prints as a dash.
    Number {
        /// The number in full.
        value: f64,
        /// How many decimals are printed.
        decimals: usize,
    },
}

/// How a cell is marked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark {
    /// The best of its column: bold.
    Best,
    /// One star.
    Star,
    /// Two stars.
    DoubleStar,
    /// A dagger.
    Dagger,
    /// A double dagger.
    DoubleDagger,
    /// Raised letters, such as those of the systems it beats.
    Letters(String),
    /// Less weight than others, for runs outside the comparison.
    Dim,
    /// In parentheses, for values to be read with care.
    Parentheses,
}

/// Whether a terminal's colours and weights may be used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Colour {
    /// Plain text: the best value is not told apart.
    #[default]
    Off,
    /// ANSI escapes for bold and dim.
    On,
}

/// The ways to print a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Aligned text for a terminal; see [`Table::to_text`].
    Text(Colour),
    /// A pipe table; see [`Table::to_markdown`].
    Markdown,
    /// A booktabs tabular; see [`Table::to_latex`].
    Latex,
    /// Comma-separated values; see [`Table::to_csv`].
    Csv,
    /// A `<table>`; see [`Table::to_html`].
    Html,
}

impl Table {
    /// The table in the given format.
    #[must_use]
    pub fn render(&self, format: Format) -> String {
        match format {
            Format::Text(colour) => self.to_text(colour),
            Format::Markdown => self.to_markdown(),
            Format::Latex => self.to_latex(),
            Format::Csv => self.to_csv(),
            Format::Html => self.to_html(),
        }
    }

    /// Runs of neighbouring columns with the same group heading.
    fn spans(&self) -> Vec<Span<'_>> {
        let mut spans: Vec<Span<'_>> = Vec::new();
        for (index, column) in self.columns.iter().enumerate() {
            let group = column.group.as_deref();
            match spans.last_mut() {
                Some(last) if last.group == group => last.end = index + 1,
                _ => spans.push(Span { group, start: index, end: index + 1 }),
            }
        }
        spans
    }

    fn has_groups(&self) -> bool {
        self.columns.iter().any(|column| column.group.is_some())
    }

    /// Exactly one cell for each column.
    fn cells<'a>(&self, cells: &'a [Cell]) -> impl Iterator<Item = &'a Cell> {
        const EMPTY: &Cell = &Cell { value: Value::Empty, marks: Vec::new() };
        (0..self.columns.len()).map(move |index| cells.get(index).unwrap_or(EMPTY))
    }
}

/// Neighbouring columns and the heading they share.
struct Span<'a> {
    group: Option<&'a str>,
    start: usize,
    end: usize,
}

#[cfg(test)]
pub(crate) mod sample {
    use super::*;

    /// A small table with every feature.
    pub(crate) fn overview() -> Table {
        let first = "ARQMath-1 / 77 topics";
        let second = "ARQMath-2 / 71 topics";
        Table {
            caption: vec!["Answer retrieval (nDCG' & MAP').".into()],
            columns: vec![
                Column::left("Run"),
                Column::left("Type"),
                Column::right("nDCG'").under(first),
                Column::right("MAP'").under(first),
                Column::right("nDCG'").under(second),
            ],
            rows: vec![
                Row::Section("Baselines".into()),
                Row::Cells(vec![
                    Cell::text("TF-IDF"),
                    Cell::text("auto"),
                    Cell::number(0.2044, 3),
                    Cell::number(0.049, 3).marked(Mark::Dim),
                    Cell::number(0.185, 3),
                ]),
                Row::Cells(vec![
                    Cell::text("Linked|posts"),
                    Cell::text("n/a"),
                    Cell::number(0.279, 3).marked(Mark::Parentheses),
                    Cell::number(f64::NAN, 3),
                    Cell::number(-0.0001, 3),
                ]),
                Row::Section("Team_A & co".into()),
                Row::Cells(vec![
                    Cell::text("tree_50%"),
                    Cell::text("auto"),
                    Cell::number(0.4335, 3).marked(Mark::Best).marked(Mark::DoubleStar),
                    Cell::number(0.121, 3).marked(Mark::Best).marked(Mark::Letters("ab".into())),
                    Cell::number(0.25, 3).marked(Mark::Dagger),
                ]),
                Row::Rule,
                Row::Cells(vec![
                    Cell::text("Oracle"),
                    Cell::default(),
                    Cell::number(1.0, 3).marked(Mark::Star),
                ]),
            ],
            footnotes: vec!["** p < 0.01 against TF-IDF".into()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_table_prints_in_every_format() {
        for format in [Format::Text(Colour::On), Format::Markdown, Format::Latex, Format::Csv, Format::Html] {
            let _ = Table::default().render(format);
            let _ =
                Table { rows: vec![Row::Rule, Row::Section("x".into())], ..Table::default() }.render(format);
        }
    }
}
