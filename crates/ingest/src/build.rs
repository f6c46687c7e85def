//! Files become a collection.
//!
//! Formula tables come first, since they say what a formula id means; then
//! posts, comments and links, each file cut into pieces that are cleaned on all
//! cores and added in order. What belongs together is joined at the end.

mod add;
mod plan;
mod read;

pub use plan::{Plan, Source};

use crate::dirt::Dirt;
use crate::forms::Forms;
use crate::index::FormulaTable;
use crate::journal::{Journal, Strictness, Watch};
use crate::record::At;
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use store::{About, CollectionWriter, FormMarks, IdKinds, InputNote, PostNo};

/// Why a collection could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// It could not be written.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// There is nothing to read.
    #[error("{0}: holds nothing that can be read: no Posts.xml, no JSON lines, no threads, no pages")]
    Nothing(String),
    /// A strict build met dirt.
    #[error("{file}:{}: {}: {} {}", dirt.at.line, dirt.kind.name(), dirt.about, dirt.detail)]
    Strict {
        /// The file.
        file: String,
        /// What was met.
        dirt: Box<Dirt>,
    },
    /// A file is cut short, or cannot be read or unpacked.
    #[error(
        "{file}:{} {}: {} {}; get the file again, or take what can be read with --keep-going",
        line(dirt), dirt.kind.name(), dirt.about, dirt.detail
    )]
    Incomplete {
        /// The file.
        file: String,
        /// How it shows.
        dirt: Box<Dirt>,
    },
    /// What was met could not be passed on.
    #[error("the report could not be written: {0}")]
    Report(std::io::Error),
}

/// A line and a colon, where it is known.
fn line(dirt: &Dirt) -> String {
    if dirt.at.line == 0 { String::new() } else { format!("{}:", dirt.at.line) }
}

/// Builds a collection; `done` counts packed bytes as they are read.
///
/// # Errors
///
/// When it cannot be written, when a file is cut short or cannot be read, or when dirt is met in a strict
/// build; then nothing has changed at the path.
pub fn build(
    plan: &Plan,
    target: &Path,
    strictness: Strictness,
    done: &AtomicU64,
    watch: &mut dyn Watch,
) -> Result<About, BuildError> {
    let names = plan.inputs.iter().map(|(input, _)| input.name.clone()).collect();
    let ids = plan.ids();
    let mut builder = Builder {
        writer: CollectionWriter::create(target, ids)?,
        journal: Journal::new(watch, strictness, names),
        plan,
        done,
        ids,
        forms: Forms::default(),
        index: None,
        next_formula: 1,
        bytes: vec![0; plan.inputs.len()],
        passed_over: Vec::new(),
        parents: Vec::new(),
        accepted: Vec::new(),
        links: HashSet::default(),
        users: HashSet::default(),
    };
    builder.unknown_files()?;
    builder.broken_files()?;
    builder.formula_tables()?;
    builder.records()?;
    builder.finish()
}

struct Builder<'b> {
    writer: CollectionWriter,
    journal: Journal<'b>,
    plan: &'b Plan,
    done: &'b AtomicU64,
    ids: IdKinds,
    forms: Forms,
    index: Option<FormulaTable>,
    next_formula: u64,
    bytes: Vec<u64>,
    passed_over: Vec<(String, u64)>,
    /// Answers whose question was not there when they came.
    parents: Vec<(PostNo, Box<str>, At)>,
    accepted: Vec<(PostNo, Box<str>, At)>,
    links: HashSet<(u64, u64, u8), foldhash::fast::FixedState>,
    users: HashSet<Box<str>, foldhash::fast::FixedState>,
}

impl Builder<'_> {
    fn finish(mut self) -> Result<About, BuildError> {
        self.journal.watch.stage("threads");
        self.resolve_parents()?;
        self.resolve_accepted()?;
        self.stray_rows()?;
        self.journal.watch.stage("formulas");
        self.forms.close();
        let looks = self.writer.look_at_forms(post::looker)?;
        for (form, look) in (0_u32..).zip(looks) {
            if look.marks.has(FormMarks::UNREADABLE) {
                let at = self.forms.first(store::FormNo(form));
                self.journal.add(&Dirt::new(
                    crate::DirtKind::UnreadableLatex,
                    at,
                    "a form first met here",
                    "",
                ))?;
            }
        }
        self.journal.watch.stage("collection");
        let inputs = self.plan.inputs.iter().zip(&self.bytes);
        let about = About {
            program: concat!("hypatia ", env!("CARGO_PKG_VERSION")).to_owned(),
            source: self.plan.source.name().to_owned(),
            site: self.plan.site.clone(),
            inputs: inputs
                .filter(|(_, bytes)| **bytes > 0)
                .map(|((input, _), bytes)| InputNote { name: input.name.clone(), bytes: *bytes })
                .collect(),
            dirt: self.journal.notes(),
            passed_over: self.passed_over,
            ..About::default()
        };
        Ok(self.writer.finish(about)?)
    }
}
