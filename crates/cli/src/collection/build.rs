//! `hypatia collection build`: files become a collection.

use crate::output::{self, push_row};
use crate::{Exit, Run};
use anyhow::{Context, Result, bail};
use clap::Args;
use figures::table::{Cell, Colour, Column, Row, Table};
use indicatif::{ProgressBar, ProgressStyle};
use ingest::{Dirt, DirtKind, Plan, Strictness, Watch};
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write, stderr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use store::{About, Collection};

const LONG_ABOUT: &str = "\
Reads a folder, a file or an archive and writes one collection.

What is read, whatever lies beside it:
  - ARQMath: Posts, Comments, PostLinks, Users XML of any version, and the formula tables \
latex_representation, slt_representation and opt_representation, as one file or a folder of \
numbered files. Tags, Votes, Badges and PostHistory are counted and not kept.
  - Stack Exchange: the same XML files as they are published; formulas stand between dollars.
  - NTCIR and MREC: XHTML documents with MathML, named by their files. Folders of Markdown, HTML and LaTeX. Threads in \
Markdown. JSON lines. docs/collections.md says how each is read.
  - all of these packed with gzip, zstd or bzip2, or in 7z and zip archives.

Dirt is expected. Every piece is met by the rule of its kind, counted, and listed with file \
and line in --report; 'hypatia collection build --rules' prints the rules. With --strict the \
first stops the build.

A file that is cut short or cannot be read, as after a download that broke off, ends the build \
with exit code 1. With --keep-going what can be read of it is taken.

The collection is written whole or not at all: until the end, what was there before stays, \
and a build that is killed leaves it as it was.";

const EXAMPLES: &str = "\
Examples:
  hypatia collection build arqmath/ -o arqmath.coll
  hypatia collection build math.stackexchange.com.7z -o mse.coll --report dirt.tsv
  hypatia collection build dump/ -o physics.coll --site physics.stackexchange.com
  hypatia collection build notes/ -o notes.coll          a folder of Markdown
  hypatia collection build posts.jsonl.zst -o mine.coll
  hypatia collection build --sample -o sample.coll       try it without any files
  hypatia collection build --rules                       what is done about dirt";

/// Read files into a collection
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Build {
    /// The folder, file or archive to read
    #[arg(value_name = "DIR", required_unless_present_any = ["rules", "sample"])]
    source: Option<PathBuf>,

    /// Read the sample collection that is part of the program
    #[arg(long, conflicts_with = "source")]
    sample: bool,

    /// The collection to write; what is there is replaced at the end
    #[arg(short, long, value_name = "COLLECTION", required_unless_present = "rules")]
    output: Option<PathBuf>,

    /// The site whose posts these are: addresses on it lead to them [default: math.stackexchange.com for
    /// ARQMath; of other dumps the site that the folder or archive is called after]
    #[arg(long, value_name = "HOST", conflicts_with = "sample")]
    site: Option<String>,

    /// Stop at the first piece of dirt
    #[arg(long)]
    strict: bool,

    /// Take what can be read of files that are cut short or damaged
    #[arg(long, conflicts_with = "strict")]
    keep_going: bool,

    /// Write every piece of dirt to this table
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    /// Print the rules by which dirt is met, and do nothing else
    #[arg(long, conflicts_with_all = ["source", "sample", "output", "site", "strict", "keep_going", "report"])]
    rules: bool,
}

impl Run for Build {
    fn run(self) -> Result<Exit> {
        if self.rules {
            output::print(rules().to_text(Colour::Off).as_bytes())?;
            return Ok(Exit::Yes);
        }
        let Some(target) = self.output else { bail!("-o is needed") };
        let plan = match &self.source {
            Some(source) => Plan::of(source)?,
            None => sample::plan()?,
        };
        let plan = match &self.site {
            Some(site) => plan.of_site(site),
            None => plan,
        };
        let strictness = match (self.strict, self.keep_going) {
            (true, _) => Strictness::Strict,
            (false, true) => Strictness::KeepGoing,
            (false, false) => Strictness::Lenient,
        };
        let is_collection = |path: &Path| {
            path.is_file() && !matches!(Collection::open(path), Err(store::Error::NotACollection(_)))
        };
        let replaced = output::replaces(&target, is_collection)?;
        // A link stays a link.
        let target = target.canonicalize().unwrap_or(target);
        let started = Instant::now();
        let about = build(&plan, &target, strictness, self.report)?;
        output::note(&format!("built in {:.1} s", started.elapsed().as_secs_f64()));
        replaced.note();
        let size = std::fs::metadata(&target).with_context(|| target.display().to_string())?.len();
        output::print(summary(&about, size).as_bytes())?;
        Ok(Exit::Yes)
    }
}

/// Builds a collection, with a progress bar and, if wanted, a table of what is wrong with the files.
pub(crate) fn build(
    plan: &Plan,
    target: &Path,
    strictness: Strictness,
    report: Option<PathBuf>,
) -> Result<About> {
    let done = Arc::new(AtomicU64::new(0));
    let mut watcher = Watcher::new(plan.packed_size(), &done, report)?;
    let about = ingest::build(plan, target, strictness, &done, &mut watcher);
    watcher.finish()?;
    Ok(about?)
}

/// Shows how the build goes, and writes the report.
struct Watcher {
    bar: Option<ProgressBar>,
    stop: Arc<AtomicBool>,
    ticker: Option<thread::JoinHandle<()>>,
    report: Option<(PathBuf, BufWriter<File>)>,
}

impl Watcher {
    fn new(total: u64, done: &Arc<AtomicU64>, report: Option<PathBuf>) -> Result<Self> {
        let report = match report {
            None => None,
            Some(path) => {
                let file = File::create(&path).with_context(|| path.display().to_string())?;
                let mut file = BufWriter::new(file);
                writeln!(file, "kind\taction\tfile\tline\tabout\tdetail")
                    .with_context(|| path.display().to_string())?;
                Some((path, file))
            }
        };
        let stop = Arc::new(AtomicBool::new(false));
        let mut watcher = Self { bar: None, stop: Arc::clone(&stop), ticker: None, report };
        if stderr().is_terminal() {
            let template = "{msg:15} {bar:32} {bytes}/{total_bytes}  {bytes_per_sec}  {eta} left";
            let style =
                ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(total).with_style(style);
            let (shown, done) = (bar.clone(), Arc::clone(done));
            watcher.bar = Some(bar);
            watcher.ticker = Some(thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    shown.set_position(done.load(Ordering::Relaxed));
                    thread::park_timeout(Duration::from_millis(200));
                }
            }));
        }
        Ok(watcher)
    }

    fn finish(mut self) -> Result<()> {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(ticker) = self.ticker.take() {
            ticker.thread().unpark();
            // It only draws; if it failed, nothing is lost.
            let _ = ticker.join();
        }
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        if let Some((path, mut file)) = self.report {
            file.flush().with_context(|| path.display().to_string())?;
        }
        Ok(())
    }
}

impl Watch for Watcher {
    fn stage(&mut self, name: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(name.to_owned());
        }
    }

    fn dirt(&mut self, file: &str, dirt: &Dirt) -> std::io::Result<()> {
        let Some((_, report)) = &mut self.report else { return Ok(()) };
        let mut row = String::new();
        let (line, kind) = (dirt.at.line.to_string(), dirt.kind);
        push_row(&mut row, &[kind.name(), kind.action().name(), file, &line, &dirt.about, &dirt.detail]);
        report.write_all(row.as_bytes())
    }
}

fn rules() -> Table {
    let mut table = Table {
        columns: vec![Column::left("kind"), Column::left("action"), Column::left("rule")],
        ..Table::default()
    };
    for kind in DirtKind::ALL {
        let cells = [kind.name(), kind.action().name(), kind.rule()];
        table.rows.push(Row::Cells(cells.into_iter().map(Cell::text).collect()));
    }
    table
}

/// What was read, what was made of it, and what was wrong with it.
fn summary(about: &About, size: u64) -> String {
    let mut table = Table {
        columns: vec![Column::left("what"), Column::right("count"), Column::left("")],
        ..Table::default()
    };
    let mut row = |name: &str, count: u64, note: &str| {
        let cells = vec![Cell::text(name), Cell::number(count as f64, 0), Cell::text(note)];
        table.rows.push(Row::Cells(cells));
    };
    let counts = &about.counts;
    for (name, count) in [
        ("questions", counts.questions),
        ("answers", counts.answers),
        ("documents", counts.documents),
        ("comments", counts.comments),
        ("links", counts.links),
        ("users", counts.users),
        ("formula ids", counts.formula_ids),
        ("formula places", counts.formulas),
        ("distinct forms", counts.forms),
        ("visual ids", counts.visuals),
    ] {
        if count > 0 {
            row(name, u64::from(count), "");
        }
    }
    for (name, count) in &about.passed_over {
        row(name, *count, "counted, not kept");
    }
    let read: u64 = about.inputs.iter().map(|input| input.bytes).sum();
    row("bytes read", read, "");
    row(
        "bytes written",
        size,
        &format!("{:.0} % of what was read", 100.0 * size as f64 / read.max(1) as f64),
    );
    if !about.dirt.is_empty() {
        table.rows.push(Row::Section("dirt".to_owned()));
    }
    for dirt in &about.dirt {
        let cells = [Cell::text(&dirt.kind), Cell::number(dirt.count as f64, 0), Cell::text(&dirt.action)];
        table.rows.push(Row::Cells(cells.to_vec()));
    }
    table.to_text(Colour::Off)
}
