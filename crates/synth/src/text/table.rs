//! The table of formulas, written while the texts are.

use crate::formula::{Formula, type_as, visual_id};
use crate::pool::Setting;
use crate::xml::push_escaped;
use std::fmt::Write;
use xxhash_rust::xxh3::xxh3_64;

/// The kind of text a formula stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    Title,
    Question,
    Answer,
    Comment,
}

impl Site {
    fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Question => "question",
            Self::Answer => "answer",
            Self::Comment => "comment",
        }
    }
}

/// Where a formula stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Location {
    pub(crate) site: Site,
    pub(crate) post_id: u64,
    pub(crate) thread_id: u64,
    /// Only used for comments.
    pub(crate) comment_id: u64,
}

/// The columns of the table.
pub(crate) const HEADER: &str =
    "id\tpost_id\tthread_id\ttype\tcomment_id\told_visual_id\tvisual_id\tissue\tformula\n";

/// Rows of formulas, and what is needed to count them.
#[derive(Debug)]
pub(crate) struct FormulaTable {
    pub(crate) next_id: u64,
    /// What ids begin with: nothing, or `q_` for topics.
    prefix: &'static str,
    pub(crate) rows: String,
    /// Hashes of what they look like and of how they are typed.
    pub(crate) looks: Vec<u64>,
    pub(crate) texts: Vec<u64>,
    /// Instances by site.
    pub(crate) counts: [u64; 4],
    canonical: String,
    typed: String,
}

impl FormulaTable {
    pub(crate) fn new(first_id: u64, prefix: &'static str) -> Self {
        Self {
            next_id: first_id,
            prefix,
            rows: String::new(),
            looks: Vec::new(),
            texts: Vec::new(),
            counts: [0; 4],
            canonical: String::new(),
            typed: String::new(),
        }
    }

    /// Appends a formula to a text and to the table.
    pub(crate) fn place(
        &mut self,
        formula: &Formula,
        person: u64,
        location: Location,
        setting: Setting,
        html: &mut String,
    ) {
        formula.write(&mut self.canonical);
        type_as(person, &self.canonical, &mut self.typed);
        let look = visual_id(&self.canonical);
        let (id, prefix) = (self.next_id, self.prefix);
        self.next_id += 1;
        let dollars = if setting == Setting::Displayed { "$$" } else { "$" };
        // Writing to a string does not fail.
        let _ = write!(html, "<span class=\"math-container\" id=\"{prefix}{id}\">{dollars}");
        push_escaped(html, &self.typed);
        html.push_str(dollars);
        html.push_str("</span>");
        let Location { site, post_id, thread_id, comment_id } = location;
        let _ = write!(self.rows, "{prefix}{id}\t{post_id}\t{thread_id}\t{}\t", site.name());
        if site == Site::Comment {
            let _ = write!(self.rows, "{comment_id}");
        }
        let _ = write!(self.rows, "\t{look}\t{look}\t\t");
        push_quoted(&mut self.rows, &self.typed);
        self.rows.push('\n');
        self.looks.push(look << 11);
        self.texts.push(xxh3_64(self.typed.as_bytes()));
        self.counts[site as usize] += 1;
    }
}

/// Appends a cell, in quotation marks where it has to be.
fn push_quoted(out: &mut String, cell: &str) {
    if cell.contains(['"', '\t', '\n', '\r']) {
        out.push('"');
        out.push_str(&cell.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(cell);
    }
}
