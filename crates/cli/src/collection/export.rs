//! `hypatia collection export`: a collection in the forms that other tools read.

use crate::output::{OutputFolder, Replaced};
use crate::progress::Progress;
use crate::{Exit, Run, output};
use anyhow::{Result, anyhow, bail, ensure};
use clap::{Args, ValueEnum};
use export::{Error, Existing, Folder, OptAs, Output, jsonl, parquet, trec, tsv};
use std::fs;
use std::path::{Path, PathBuf};
use store::Collection;

const LONG_ABOUT: &str = "\
Writes a collection in a form that other tools read.

'trec' is one file of TREC documents: DOCNO, TITLE, TAGS and TEXT, as plain text with \
formulas as $LaTeX$. '&', '<' and '>' are entities, so that no post looks like a tag; in ids \
that are names, blanks and these are written like %20. --unit says what a document is.

'jsonl' is one file of lines of JSON which 'hypatia collection build' reads: users, posts, \
comments and links, texts as HTML, formulas as spans that carry their ids. Built again, posts, \
comments, links and formulas are the same. Not kept are MathML that came with formulas, visual \
ids that were given ('--to tsv' writes them), formulas that stand in no text, and where a table \
has a formula that stands elsewhere.

'parquet' is a folder of tables: posts, comments, links, users and formulas, for pyarrow, DuckDB, \
Spark and others. Ids are 64-bit numbers if all are numbers, otherwise texts; dates have no time \
zone. Texts are there as 'text' (plain, formulas as $LaTeX$) and as 'html' (formulas as spans). \
A row of formulas is a place: type is title, question, answer, document, comment or nowhere, \
'place' counts the formulas of its text from 0, 'key' is that of 'hypatia formula key', and the \
columns table_* say where its table has a formula that stands elsewhere.

'tsv' is a folder with the labs' tables in the columns of ARQMath-3 (id, post_id, thread_id, \
type, comment_id, old_visual_id, visual_id, issue, formula): latex_representation.tsv, \
slt_representation.tsv with Presentation MathML, opt_representation.tsv with Content MathML, and \
visual_ids.tsv (id, visual_id). Rows are in the order of formula ids, quoted as by Python's \
excel-tab, and end in LF. An id has one row, for the place that its table named, else the first. \
MathML is made from LaTeX by our own reader, unless --given; a formula that cannot be converted \
has an empty cell and is counted.

Files get their names when all are complete, so a run that is stopped leaves no half file. The \
same collection gives the same bytes. Memory does not grow with the collection: some MB of texts, \
with parquet a row group (64 Ki rows or 64 MiB) besides, with tsv 8 bytes for each distinct \
formula. Only the names of users are held.";

const EXAMPLES: &str = "\
Examples:
  hypatia collection export math.coll --to trec -o docs.trec.gz
  hypatia collection export math.coll --to trec --unit answer -o answers.trec
  hypatia collection export math.coll --to jsonl --only posts -o - | head -n 1
  hypatia collection export math.coll --to parquet -o tables
  hypatia collection export math.coll --to parquet --only formulas --with-mathml -o tables
  hypatia collection export math.coll --to tsv --split 101 -o formulas
  hypatia collection export math.coll --to tsv --only opt --as meaning -o formulas --force";

/// Write a collection as TREC documents, JSON lines, Parquet or tables of formulas
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Export {
    /// The collection
    collection: PathBuf,

    /// The form to write
    #[arg(long, value_name = "FORMAT")]
    to: Format,

    /// The file (trec, jsonl; '-' for standard output; packed if it ends in .gz) or the folder
    #[arg(short = 'o', long = "output", value_name = "PATH")]
    output: PathBuf,

    /// What to write of it, if not all; several are parted by commas
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    only: Vec<Part>,

    /// What a TREC document is [default: post]
    #[arg(long, value_name = "UNIT")]
    unit: Option<Unit>,

    /// Add MathML that came with formulas to the Parquet table of formulas
    #[arg(long)]
    with_mathml: bool,

    /// What the operator trees of opt_representation.tsv say [default: labs]
    #[arg(long = "as", value_name = "KIND", conflicts_with = "given")]
    says: Option<Says>,

    /// Write MathML that came with formulas to the tables of formulas, and no other
    #[arg(long)]
    given: bool,

    /// Write each table of formulas as this number of numbered files in a folder of its name
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    split: Option<u32>,

    /// Replace files of the same names in a folder, even if this command did not write them
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// TREC documents
    Trec,
    /// Lines of JSON that can be built again
    Jsonl,
    /// Tables for pyarrow, DuckDB, Spark
    Parquet,
    /// The labs' tables of formulas
    Tsv,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// Questions, answers and documents (jsonl, parquet)
    Posts,
    /// Comments (jsonl, parquet)
    Comments,
    /// Links (jsonl, parquet)
    Links,
    /// Users (jsonl, parquet)
    Users,
    /// Formulas (parquet)
    Formulas,
    /// latex_representation.tsv (tsv)
    Latex,
    /// slt_representation.tsv (tsv)
    Slt,
    /// opt_representation.tsv (tsv)
    Opt,
    /// visual_ids.tsv (tsv)
    VisualIds,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Unit {
    /// Each question, answer and document
    Post,
    /// Each answer, after title, tags and text of its question; the id is the answer's
    Answer,
    /// Each question with its answers; the id is the question's
    Thread,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Says {
    /// What the labs' tools build: f(x) is f times x
    Labs,
    /// What a mathematician reads: functions are applied
    Meaning,
}

impl Run for Export {
    fn run(self) -> Result<Exit> {
        self.refuse_idle_options()?;
        let collection = Collection::open_whole(&self.collection)?;
        output::ensure_apart(&self.output, [&*self.collection])?;
        let said = match self.to {
            Format::Trec => self.trec(&collection),
            Format::Jsonl => self.jsonl(&collection),
            Format::Parquet => self.parquet(&collection),
            Format::Tsv => self.tsv(&collection),
        };
        let said = said.map_err(|error| match error.downcast_ref::<Error>() {
            Some(Error::Exists(_)) => anyhow!("{error}; --force replaces it"),
            _ => error,
        })?;
        output::note(&said);
        Ok(Exit::Yes)
    }
}

impl Export {
    /// An option that would have no effect is a mistake.
    fn refuse_idle_options(&self) -> Result<()> {
        let options = [
            (self.unit.is_some(), "--unit", Format::Trec),
            (self.with_mathml, "--with-mathml", Format::Parquet),
            (self.says.is_some(), "--as", Format::Tsv),
            (self.given, "--given", Format::Tsv),
            (self.split.is_some(), "--split", Format::Tsv),
        ];
        for (is_given, option, format) in options {
            ensure!(!is_given || self.to == format, "{option} goes with --to {} only", name(format));
        }
        ensure!(
            self.to != Format::Trec || self.only.is_empty(),
            "--only has no effect on --to trec: see --unit"
        );
        let misses = |part| !self.only.is_empty() && !self.only.contains(&part);
        ensure!(
            !(self.with_mathml && misses(Part::Formulas)),
            "--with-mathml has no effect without formulas"
        );
        ensure!(self.says.is_none() || !misses(Part::Opt), "--as has no effect without opt");
        ensure!(
            !(self.given && misses(Part::Opt) && misses(Part::Slt)),
            "--given has no effect without slt or opt"
        );
        Ok(())
    }

    /// The parts to write, all of them if none is named.
    fn parts<P: Copy>(&self, known: &[(Part, P)]) -> Result<Vec<P>> {
        for part in &self.only {
            if !known.iter().any(|(other, _)| other == part) {
                let names: Vec<String> = known.iter().map(|(part, _)| name(*part)).collect();
                bail!("--to {} has no {}: it has {}", name(self.to), name(*part), names.join(", "));
            }
        }
        let wanted = |part: &Part| self.only.is_empty() || self.only.contains(part);
        Ok(known.iter().filter(|(part, _)| wanted(part)).map(|(_, value)| *value).collect())
    }

    /// The folder of a format with several files, and what is known of it.
    fn folder(&self) -> Result<(Folder, OutputFolder)> {
        let output = OutputFolder::open(&self.output, "collection export")?;
        let existing = if self.force { Existing::Replace } else { Existing::Keep };
        Ok((Folder::create(&self.output, existing)?.replacing(output.own_files()), output))
    }

    /// The one file of a format, in the folder if one is named.
    fn file(&self, default: &str) -> Result<(Output, Replaced)> {
        if self.output == Path::new("-") {
            return Ok((Output::stdout(), Replaced::nothing()));
        }
        let path = if self.output.is_dir() { self.output.join(default) } else { self.output.clone() };
        let is_plain = fs::metadata(&path).is_ok_and(|data| data.is_file());
        let replaced = if is_plain { output::replaces(&path, |_| true)? } else { Replaced::nothing() };
        Ok((Output::create(&path, Existing::Replace)?, replaced))
    }

    fn trec(&self, collection: &Collection) -> Result<String> {
        let unit = match self.unit {
            None | Some(Unit::Post) => trec::Unit::Post,
            Some(Unit::Answer) => trec::Unit::Answer,
            Some(Unit::Thread) => trec::Unit::Thread,
        };
        let (mut out, replaced) = self.file("docs.trec")?;
        let mut progress = Progress::items(collection.num_posts().into());
        let documents = trec::write(collection, unit, &mut out, &mut |done| progress.advance(done))?;
        drop(progress);
        let name = out.path().display().to_string();
        out.finish()?;
        replaced.note();
        Ok(format!("{name}: {}", counted(documents, "document")))
    }

    fn jsonl(&self, collection: &Collection) -> Result<String> {
        let parts = self.parts(&[
            (Part::Posts, jsonl::Part::Posts),
            (Part::Comments, jsonl::Part::Comments),
            (Part::Links, jsonl::Part::Links),
            (Part::Users, jsonl::Part::Users),
        ])?;
        let (mut out, replaced) = self.file("docs.jsonl")?;
        let mut progress = Progress::items(parts.iter().map(|part| part.records(collection)).sum());
        let lines = jsonl::write(collection, &parts, &mut out, &mut |done| progress.advance(done))?;
        drop(progress);
        let name = out.path().display().to_string();
        out.finish()?;
        replaced.note();
        Ok(format!("{name}: {}", counted(lines, "line")))
    }

    fn parquet(&self, collection: &Collection) -> Result<String> {
        let parts = self.parts(&[
            (Part::Posts, parquet::Part::Posts),
            (Part::Comments, parquet::Part::Comments),
            (Part::Links, parquet::Part::Links),
            (Part::Users, parquet::Part::Users),
            (Part::Formulas, parquet::Part::Formulas),
        ])?;
        let mathml = if self.with_mathml { parquet::GivenMathml::Yes } else { parquet::GivenMathml::No };
        let (mut folder, output) = self.folder()?;
        let mut progress = Progress::items(parts.iter().map(|part| part.rows(collection)).sum());
        let mut watch = |done| progress.advance(done);
        let written = parquet::write(collection, &parts, mathml, &mut folder, &mut watch)?;
        drop(progress);
        output.finish(folder.finish()?.iter().map(String::as_str))?;
        let line = |(part, rows): &(parquet::Part, u64)| {
            let path = self.output.join(format!("{}.parquet", part.name()));
            format!("{}: {}", path.display(), counted(*rows, "row"))
        };
        Ok(written.iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    fn tsv(&self, collection: &Collection) -> Result<String> {
        let tables = self.parts(&[
            (Part::Latex, tsv::Table::Latex),
            (Part::Slt, tsv::Table::Slt),
            (Part::Opt, tsv::Table::Opt),
            (Part::VisualIds, tsv::Table::VisualIds),
        ])?;
        let mathml = match (self.given, self.says) {
            (true, _) => tsv::Mathml::Given,
            (false, None | Some(Says::Labs)) => tsv::Mathml::Ours(OptAs::Labs),
            (false, Some(Says::Meaning)) => tsv::Mathml::Ours(OptAs::Meaning),
        };
        let options = tsv::Options { tables, mathml, split: self.split };
        let (mut folder, output) = self.folder()?;
        let mut progress = Progress::items(options.items(collection));
        let summary = tsv::write(collection, &options, &mut folder, &mut |done| progress.advance(done))?;
        drop(progress);
        output.finish(folder.finish()?.iter().map(String::as_str))?;
        let mut said = format!("{}: {} a table", self.output.display(), counted(summary.rows, "row"));
        for (count, what) in [
            (summary.other_places, "of an id beyond its first place, without a row"),
            (summary.without_slt, "with an empty cell in slt_representation"),
            (summary.without_opt, "with an empty cell in opt_representation"),
        ] {
            if count > 0 {
                said += &format!("\n{} {what}", counted(count, "formula"));
            }
        }
        Ok(said)
    }
}

/// The name of a value on the command line.
fn name(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn counted(count: u64, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
