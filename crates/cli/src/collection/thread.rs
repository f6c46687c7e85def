//! `hypatia collection thread`: threads as pages.

use crate::output::{self, WholeFile};
use crate::progress::Progress;
use crate::{Exit, Run};
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use render::{Folders, Highlight, Links, Options, Page, Site, file_name};
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use store::{Collection, PostNo, Reader};

const LONG_ABOUT: &str = "\
Writes threads as pages: the question, its answers (the accepted one first, then by score), \
the comments on each, tags, dates and scores, and the questions it is linked with. Formulas \
are drawn as MathML, which browsers show without help; rest the pointer on one to see its \
LaTeX. A document, and an answer whose question is not in the collection, is a thread of its \
own.

A page is one file that loads nothing and runs nothing. Links lead to pages that are written \
at the same time, or within the page; all others are shown as text with the address beside \
them, so that assessors stay on the thread.

With --all, every thread is written to a folder. Where posts have dates, folders are those of \
the labs, such as 16020_2011/24324_03: the smallest id of a thread of that year or month, and \
the year or month. Otherwise each folder holds a thousand ids.

Formulas are highlighted with the labs' yellow. Every formula can be led to: #formula-ID is \
the place of the formula with that id, #post-ID and #comment-ID of posts and comments.";

const EXAMPLES: &str = "\
Examples:
  hypatia collection thread math.coll 1023 > 1023.html
  hypatia collection thread math.coll 1023 -o 1023.html --highlight 2618
  hypatia collection thread math.coll 1023 1077 -o threads/   pages that lead to each other
  hypatia collection thread math.coll 1023 -o x.html --visual 501
  hypatia collection thread math.coll --all -o threads/";

/// Write threads as pages that need nothing else
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Thread {
    /// The collection
    collection: PathBuf,

    /// Posts whose threads are written: questions, answers or documents
    #[arg(value_name = "ID", required_unless_present = "all")]
    ids: Vec<String>,

    /// The file to write, or the folder for several threads [default: standard output]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Write every thread of the collection to a folder
    #[arg(long, conflicts_with = "ids", requires = "output")]
    all: bool,

    /// Highlight the formula with this id; may be given several times
    #[arg(long, value_name = "FORMULA_ID")]
    highlight: Vec<String>,

    /// Highlight formulas with this visual id; may be given several times
    #[arg(long, value_name = "VISUAL_ID")]
    visual: Vec<u64>,

    /// The site whose posts these are [default: the one that the collection was built with]
    ///
    /// Addresses of posts on that site become links between threads. Sites of Stack Exchange number
    /// their posts alike, so addresses on other sites do not.
    #[arg(long, value_name = "HOST")]
    site: Option<String>,
}

impl Run for Thread {
    fn run(self) -> Result<Exit> {
        let collection = Collection::open(&self.collection)?;
        let written = if self.all {
            collection.check()?;
            self.write_all(&collection)
        } else {
            self.write_some(&collection)
        };
        // Damage that was found on the way says more than an error that it led to.
        collection.sound()?;
        written.map(|()| Exit::Yes)
    }
}

impl Thread {
    fn options<'a>(&self, links: Links<'a>) -> Options<'a> {
        Options {
            highlight: Highlight {
                formulas: self.highlight.iter().cloned().collect(),
                visuals: self.visual.iter().copied().collect(),
            },
            links,
            site: self.site.clone().map(Site::Host),
            ..Options::default()
        }
    }

    fn write_some(&self, collection: &Collection) -> Result<()> {
        let mut threads: Vec<PostNo> = Vec::new();
        for id in &self.ids {
            let thread = collection.thread_of(self.post(collection, id)?);
            if !threads.contains(&thread) {
                threads.push(thread);
            }
        }
        let written: BTreeSet<PostNo> = threads.iter().copied().collect();
        self.check_highlight(collection, |thread| written.contains(&thread))?;
        let link = |thread: PostNo| written.contains(&thread).then(|| file_name(collection.post_id(thread)));
        let page = Page::new(collection, self.options(Links::With(&link)));
        let mut reader = collection.reader();
        let mut render = |thread: PostNo| -> Result<String> {
            let html = page.render(&mut reader, thread)?;
            collection.sound()?;
            Ok(html)
        };
        let folder = self.output.as_deref().filter(|path| threads.len() > 1 || path.is_dir());
        match (threads.as_slice(), &self.output, folder) {
            (_, _, Some(folder)) => {
                fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
                for thread in &threads {
                    let file = WholeFile::create(&folder.join(file_name(collection.post_id(*thread))))?;
                    file.write(render(*thread)?.as_bytes())?;
                }
            }
            ([thread], Some(path), None) => {
                let file = WholeFile::create(path)?;
                file.write(render(*thread)?.as_bytes())?;
            }
            ([thread], None, _) => output::print(render(*thread)?.as_bytes())?,
            (several, _, None) => {
                bail!("{} threads are several pages; say where with -o FOLDER", several.len())
            }
        }
        Ok(())
    }

    fn post(&self, collection: &Collection, id: &str) -> Result<PostNo> {
        let name = self.collection.display();
        if let Some(post) = collection.find_post(id) {
            return Ok(post);
        }
        if let Some(comment) = collection.find_comment(id) {
            let post = collection.post_id(collection.comment_post(comment));
            bail!("{name}: there is no post {id}, but a comment {id}, on post {post}");
        }
        bail!("{name}: there is no post {id}");
    }

    /// A highlight that shows nowhere is a mistake.
    fn check_highlight(&self, collection: &Collection, is_written: impl Fn(PostNo) -> bool) -> Result<()> {
        let name = self.collection.display();
        let shows = |formula| {
            collection.formula_post(formula).is_some_and(|post| is_written(collection.thread_of(post)))
        };
        for id in &self.highlight {
            ensure!(collection.find_formulas(id).next().is_some(), "{name}: there is no formula {id}");
            ensure!(
                collection.find_formulas(id).any(shows),
                "formula {id} does not stand in what is written"
            );
        }
        for id in &self.visual {
            let visual =
                collection.find_visual(*id).with_context(|| format!("{name}: there is no visual id {id}"))?;
            let mut forms = collection.forms_of_visual(visual);
            let found = forms.any(|form| collection.formulas_of_form(form).any(shows));
            ensure!(found, "no formula with the visual id {id} stands in what is written");
        }
        Ok(())
    }

    fn write_all(&self, collection: &Collection) -> Result<()> {
        self.check_highlight(collection, |_| true)?;
        let root = self.output.as_deref().unwrap_or(Path::new("."));
        ensure!(!root.is_file(), "{}: is a file, not a folder", root.display());
        let folders = Folders::new(collection);
        let link = |thread: PostNo| Some(folders.address(collection, thread));
        let page = Page::new(collection, self.options(Links::With(&link)));
        let threads: Vec<PostNo> =
            collection.posts().filter(|post| collection.thread_of(*post) == *post).collect();
        let job = Job { collection, page: &page, folders: &folders, root, threads: &threads };
        job.run()?;
        output::note(&format!("{} threads written to {}", threads.len(), root.display()));
        Ok(())
    }
}

/// All threads of a collection, to be written on all cores.
struct Job<'a> {
    collection: &'a Collection,
    page: &'a Page<'a>,
    folders: &'a Folders,
    root: &'a Path,
    threads: &'a [PostNo],
}

/// Threads that are done in one go, so that neighbours share what was unpacked.
const BATCH: u32 = 64;

impl Job<'_> {
    fn run(&self) -> Result<()> {
        let count = u32::try_from(self.threads.len()).context("too many threads")?;
        let mut progress = Progress::items(u64::from(self.collection.num_posts()));
        let new_worker = || {
            let mut worker = Worker { reader: self.collection.reader(), made: HashSet::new() };
            move |batch: Range<u32>| {
                let threads = &self.threads[batch.start as usize..batch.end as usize];
                threads.iter().try_fold(0, |posts, thread| Ok(posts + self.write(*thread, &mut worker)?))
            }
        };
        parallel::batches(count, BATCH, new_worker, |posts: u64| {
            progress.advance(posts);
            Ok(())
        })
    }

    /// Writes one page and says how many posts are on it.
    fn write(&self, thread: PostNo, worker: &mut Worker<'_>) -> Result<u64> {
        let page = self.page.render(&mut worker.reader, thread)?;
        let path = self.root.join(self.folders.path(self.collection, thread));
        if let Some(folder) = path.parent().filter(|folder| !worker.made.contains(*folder)) {
            fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            worker.made.insert(folder.to_owned());
        }
        // A page that is cut off never has a page's name.
        let temporary = path.with_extension("tmp");
        let written = fs::write(&temporary, page).and_then(|()| fs::rename(&temporary, &path));
        written.with_context(|| path.display().to_string())?;
        Ok(1 + self.collection.answers(thread).count() as u64)
    }
}

struct Worker<'c> {
    reader: Reader<'c>,
    /// Folders that are there.
    made: HashSet<PathBuf>,
}
