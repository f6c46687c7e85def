//! Parquet: tables that pyarrow, `DuckDB`, Spark and their like read.
//!
//! `posts.parquet`, `comments.parquet`, `links.parquet`, `users.parquet` and `formulas.parquet`
//! stand in one folder. Ids are 64-bit numbers where the collection's are numbers, else texts;
//! dates are timestamps without a time zone; what may be missing is null. Texts are there twice:
//! as HTML with formulas as spans that carry their ids, and as plain text with formulas as
//! `$LaTeX$`.
//!
//! A row group has at most 64 Ki rows and ends after 64 MiB of values; that much is in memory,
//! once as values and once packed.

mod ids;
mod table;
mod tables;

use crate::Watch;
use crate::error::Error;
use crate::files::Folder;
use ids::Ids;
use std::ops::Range;
use store::Collection;
use table::{Cell, Field, Table};

/// Records that are worked on at once by a core.
const BATCH: u32 = 512;

/// A table that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// `posts.parquet`.
    Posts,
    /// `comments.parquet`.
    Comments,
    /// `links.parquet`.
    Links,
    /// `users.parquet`.
    Users,
    /// `formulas.parquet`: a row for each place at which a formula stands.
    Formulas,
}

impl Part {
    /// All of them, in the order in which they are written.
    pub const ALL: [Self; 5] = [Self::Posts, Self::Comments, Self::Links, Self::Users, Self::Formulas];

    /// Its name, without the ending of its file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Posts => "posts",
            Self::Comments => "comments",
            Self::Links => "links",
            Self::Users => "users",
            Self::Formulas => "formulas",
        }
    }

    /// How many rows it has.
    #[must_use]
    pub fn rows(self, collection: &Collection) -> u64 {
        self.count(collection).into()
    }

    fn count(self, collection: &Collection) -> u32 {
        let counts = &collection.about().counts;
        match self {
            Self::Posts => collection.num_posts(),
            Self::Comments => counts.comments,
            Self::Links => counts.links,
            Self::Users => counts.users,
            Self::Formulas => counts.formulas,
        }
    }
}

/// Whether MathML that came with formulas is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GivenMathml {
    /// It is left out.
    #[default]
    No,
    /// It stands in the columns `presentation_mathml` and `content_mathml`.
    Yes,
}

/// Writes tables to a folder; says how many rows each has.
///
/// # Errors
///
/// When the collection is damaged or a file cannot be written.
pub fn write(
    collection: &Collection,
    parts: &[Part],
    mathml: GivenMathml,
    folder: &mut Folder,
    watch: Watch<'_>,
) -> Result<Vec<(Part, u64)>, Error> {
    let parts: Vec<Part> = Part::ALL.into_iter().filter(|part| parts.contains(part)).collect();
    let names: Vec<String> = parts.iter().map(|part| format!("{}.parquet", part.name())).collect();
    folder.ensure_free(&names)?;
    let ids = Ids::of(collection);
    let mut written = Vec::new();
    for (part, name) in parts.into_iter().zip(&names) {
        let mut to = Sink { part, collection, output: Some(folder.file(name)?), watch };
        let (output, rows) = match part {
            Part::Posts => to.each(&tables::post_fields(ids), || tables::Posts::new(collection, ids)),
            Part::Comments => {
                to.each(&tables::comment_fields(ids), || tables::Comments::new(collection, ids))
            }
            Part::Links => to.each(&tables::link_fields(ids), || tables::Links::new(collection, ids)),
            Part::Formulas => to.each(&tables::formula_fields(ids, mathml), || {
                tables::Formulas::new(collection, ids, mathml)
            }),
            Part::Users => {
                let users = collection.users()?;
                to.each(&tables::USER_FIELDS, || tables::Users(&users))
            }
        }?;
        folder.keep(output)?;
        written.push((part, rows));
    }
    Ok(written)
}

/// Makes rows; each core has its own.
trait Rows {
    /// A row that belongs to nobody.
    type Row: Send;

    /// Reads the row of a number.
    fn read(&mut self, number: u32) -> Result<Self::Row, Error>;

    /// Its cells, in the order of the fields.
    fn cells(row: &Self::Row) -> Vec<Cell<'_>>;
}

/// Where the rows of a table go.
struct Sink<'s, 'w> {
    part: Part,
    collection: &'s Collection,
    output: Option<crate::Output>,
    watch: &'s mut (dyn FnMut(u64) + 'w),
}

impl Sink<'_, '_> {
    fn each<R: Rows>(
        &mut self,
        fields: &[Field],
        rows: impl Fn() -> R + Sync,
    ) -> Result<(crate::Output, u64), Error> {
        let output = self.output.take().expect("a sink is used once");
        let notes = notes(self.collection, self.part);
        let mut table = Table::create(output, self.part.name(), fields, &notes)?;
        let worker = || {
            let mut rows = rows();
            move |numbers: Range<u32>| numbers.map(|number| rows.read(number)).collect()
        };
        let count = self.part.count(self.collection);
        parallel::batches(count, BATCH, worker, |rows: Vec<R::Row>| {
            (self.watch)(rows.len() as u64);
            rows.iter().try_for_each(|row| table.push(R::cells(row)))
        })?;
        table.finish()
    }
}

/// What a file says about itself; neither a time nor a path, so that the bytes are always the same.
fn notes(collection: &Collection, part: Part) -> Vec<(&'static str, String)> {
    let about = collection.about();
    let inputs = serde_json::to_string(&about.inputs).unwrap_or_default();
    vec![
        ("hypatia.program", format!("hypatia {}", env!("CARGO_PKG_VERSION"))),
        ("hypatia.command", format!("hypatia collection export --to parquet --only {}", part.name())),
        ("hypatia.collection.program", about.program.clone()),
        ("hypatia.collection.source", about.source.clone()),
        ("hypatia.collection.inputs", inputs),
    ]
}
