//! The report as Markdown: words and tables. Charts and single topics are in
//! the page only, and the text says so.

use super::{Block, Overview, Section};

impl Overview {
    /// The words and tables of the report as one Markdown text.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        let mut out = format!("# {}\n", escape(&self.title));
        for paragraph in &self.lead {
            out.push_str(&format!("\n{}\n", escape(paragraph)));
        }
        let mut num_tables = 0;
        for section in &self.sections {
            push(section, 2, &mut num_tables, &mut out);
        }
        out
    }
}

fn push(section: &Section, level: usize, num_tables: &mut usize, out: &mut String) {
    out.push_str(&format!("\n{} {}\n", "#".repeat(level), escape(&section.title)));
    let mut charts = 0;
    for block in &section.blocks {
        match block {
            Block::Paragraph(text) => out.push_str(&format!("\n{}\n", escape(text))),
            Block::Facts(facts) => {
                out.push('\n');
                for fact in facts {
                    out.push_str(&format!("- {}: {}\n", escape(&fact.name), escape(&fact.value)));
                }
            }
            Block::Table { table, .. } => {
                *num_tables += 1;
                let mut table = table.clone();
                if let Some(caption) = table.caption.first_mut() {
                    *caption = format!("Table {num_tables}. {caption}");
                }
                out.push_str(&format!("\n{}", table.to_markdown()));
            }
            Block::Charts { charts: shown, .. } => charts += shown.len(),
            Block::Jumps(_) | Block::Fold(_) => {}
        }
    }
    if charts > 0 {
        let verb = if charts == 1 { "1 chart is" } else { &format!("{charts} charts are") };
        out.push_str(&format!("\n{verb} in the HTML report.\n"));
    }
    for part in &section.parts {
        push(part, (level + 1).min(6), num_tables, out);
    }
}

/// A backslash before everything that Markdown could take for markup.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => out.push(' '),
            c if c.is_control() => {}
            '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '\\' | '~' | '$' | '&' | '#' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}
