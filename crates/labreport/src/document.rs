//! The report before it is printed: sections with paragraphs, tables and charts.
//!
//! Everything here is plain text; the printers below escape it. Charts are
//! SVG text from `figures` and go into the page as they are.

mod html;
mod markdown;

use crate::input::Fact;
use figures::table::Table;

/// The report about a lab, ready to be printed.
///
/// The same lab gives the same bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Overview {
    pub(crate) title: String,
    pub(crate) lead: Vec<String>,
    pub(crate) sections: Vec<Section>,
}

/// A table as a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFile {
    /// The name of the file without its ending, such as `task1-results`:
    /// letters from a to z, digits and hyphens.
    pub name: String,
    /// The text of the file.
    pub text: String,
}

/// A chart as a file of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FigureFile {
    /// The name of the file without its ending: letters from a to z, digits and hyphens.
    pub name: String,
    /// The SVG.
    pub svg: String,
}

impl Overview {
    /// Every table under its name, in the order of the report. Those of single
    /// topics are not among them.
    #[must_use]
    pub fn tables(&self) -> Vec<(&str, &Table)> {
        let mut tables = Vec::new();
        self.sections.iter().for_each(|section| section.collect_tables(&mut tables));
        tables
    }

    /// Every table as LaTeX source: a `table` that needs `booktabs`, and
    /// `amssymb` for its check marks.
    #[must_use]
    pub fn latex_files(&self) -> Vec<TableFile> {
        let file = |(name, table): (&str, &Table)| {
            let text = table.to_latex();
            let label = format!("\\label{{tab:{name}}}\n\\begin{{tabular}}");
            TableFile { name: name.to_owned(), text: text.replacen("\\begin{tabular}", &label, 1) }
        };
        self.tables().into_iter().map(file).collect()
    }

    /// Every chart as an SVG file of its own, named by its section: `task1-pools-1`.
    #[must_use]
    pub fn figure_files(&self) -> Vec<FigureFile> {
        let mut files = Vec::new();
        self.sections.iter().for_each(|section| section.collect_figures(&mut files));
        files
    }

    /// Every table as Markdown.
    #[must_use]
    pub fn markdown_files(&self) -> Vec<TableFile> {
        let file =
            |(name, table): (&str, &Table)| TableFile { name: name.to_owned(), text: table.to_markdown() };
        self.tables().into_iter().map(file).collect()
    }
}

/// A part of the report with a heading.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Section {
    /// Its address: letters from a to z, digits and hyphens.
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) blocks: Vec<Block>,
    pub(crate) parts: Vec<Section>,
}

impl Section {
    pub(crate) fn new(id: impl Into<String>, title: impl Into<String>) -> Self {
        Self { id: id.into(), title: title.into(), blocks: Vec::new(), parts: Vec::new() }
    }

    /// Whether there is nothing under the heading.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.parts.is_empty()
    }

    pub(crate) fn paragraph(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Paragraph(text.into()));
    }

    /// Adds a table; its name is that of its file.
    pub(crate) fn table(&mut self, name: impl Into<String>, table: Table) {
        self.blocks.push(Block::Table { name: name.into(), table });
    }

    /// Adds a chart with a line below.
    pub(crate) fn chart(&mut self, svg: String, caption: impl Into<String>) {
        self.charts(vec![svg], caption);
    }

    /// Adds charts that stand side by side where there is room, with a line below.
    pub(crate) fn charts(&mut self, charts: Vec<String>, caption: impl Into<String>) {
        self.blocks.push(Block::Charts { charts, caption: caption.into() });
    }

    /// Adds a part unless there is nothing in it.
    pub(crate) fn part(&mut self, part: Section) {
        if !part.is_empty() {
            self.parts.push(part);
        }
    }

    fn collect_figures(&self, files: &mut Vec<FigureFile>) {
        let charts = self.blocks.iter().filter_map(|block| match block {
            Block::Charts { charts, .. } => Some(charts),
            _ => None,
        });
        files.extend((1..).zip(charts.flatten()).map(|(number, svg): (usize, &String)| FigureFile {
            name: format!("{}-{number}", self.id),
            svg: svg.clone(),
        }));
        self.parts.iter().for_each(|part| part.collect_figures(files));
    }

    fn collect_tables<'a>(&'a self, tables: &mut Vec<(&'a str, &'a Table)>) {
        for block in &self.blocks {
            if let Block::Table { name, table } = block {
                tables.push((name, table));
            }
        }
        self.parts.iter().for_each(|part| part.collect_tables(tables));
    }
}

/// What stands under a heading.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Block {
    /// A paragraph.
    Paragraph(String),
    /// Names and values.
    Facts(Vec<Fact>),
    /// A table under the name of its file.
    Table { name: String, table: Table },
    /// Charts side by side and the line below.
    Charts { charts: Vec<String>, caption: String },
    /// Places to jump to, by their addresses.
    Jumps(Vec<(String, String)>),
    /// What is shown when it is asked for.
    Fold(Fold),
}

/// What is shown when it is asked for: a topic.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fold {
    /// The address of what is inside.
    pub(crate) id: String,
    pub(crate) summary: String,
    pub(crate) lines: Vec<String>,
    pub(crate) table: Option<CompactTable>,
}

/// A table of numbers that costs few bytes, for pages with hundreds of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CompactTable {
    /// The titles; the first column holds names.
    pub(crate) columns: Vec<String>,
    /// The rows: a name and the texts of the other columns.
    pub(crate) rows: Vec<(String, Vec<String>)>,
}
