//! `hypatia synth`: a collection of any size, made up from a seed.

use crate::output::OutputFolder;
use crate::progress::Progress;
use crate::{Exit, Run, output};
use ::synth::{Existing, FILES, MAX_POSTS, Manifest, Settings};
use anyhow::{Result, bail};
use clap::Args;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

const LONG_ABOUT: &str = "\
Makes up a collection in the form of ARQMath's, for tests of scale: posts, comments, links, tags, \
users, the table of formulas, topics and judgments. The same number of posts, seed and topics give \
the same bytes on every machine, whatever the number of cores.

Lengths, counts and the sharing of formulas follow the real collection, and the number of distinct \
formulas grows with the collection as it does there. The texts look like prose and mean nothing. \
What is relevant to a topic is known, since it was planted: each topic is a hidden subject, some \
words and formulas, that four to twelve threads share in whole (grade 3), in large part and with \
other letters (2), or in part (1). Judged formulas are visual ids.

The memory does not grow with the collection. A million posts take some 4 GB on the disk. The \
files get their names when all are whole; synth.json says what is in them.";

const EXAMPLES: &str = "\
Examples:
  hypatia synth --posts 10000 -o small                      the same every time
  hypatia synth --posts 1000000 --seed 7 -o large           another one, for a test of scale
  hypatia synth --posts 5000 --topics 50 -o topics          more topics

Files:
  Posts.xml Comments.xml PostLinks.xml Tags.xml Users.xml   as in the dumps of Stack Exchange
  latex_representation.tsv                                  the columns of ARQMath's third version
  topics/Topics_Task1.xml Topics_Task2.xml Formulas_Latex.tsv
  qrels/task1.qrels task2.qrels                             answers; visual ids
  synth.json                                                seed, version, and counts of everything";

/// Make up a collection of any size, with topics and judgments
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Synth {
    /// How many questions and answers there are together
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_POSTS))]
    posts: u64,

    /// What everything is drawn from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// How many topics there are; each needs 25 posts [default: 20, or as many as fit]
    #[arg(long, value_name = "T")]
    topics: Option<u32>,

    /// The folder to write, made if it is not there
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Write into a folder with files that this command did not write, and replace those of the same names
    #[arg(long)]
    force: bool,
}

impl Run for Synth {
    fn run(self) -> Result<Exit> {
        let settings = Settings {
            posts: self.posts,
            seed: self.seed,
            topics: self.topics.unwrap_or_else(|| Settings::usual_topics(self.posts)),
            threads: thread::available_parallelism().map_or(1, NonZeroUsize::get),
        };
        let folder = OutputFolder::open(&self.output, "synth")?;
        let existing = if self.force || folder.is_again() { Existing::Replace } else { Existing::Refuse };
        if !self.force && folder.is_again() {
            folder.ensure_own(FILES)?;
        }
        let mut progress = Progress::items(self.posts);
        let written = ::synth::write(&settings, &self.output, existing, |posts| progress.advance(posts));
        drop(progress);
        match written {
            Ok(manifest) => {
                folder.finish(FILES)?;
                output::print(summary(&manifest).as_bytes())?;
            }
            Err(error @ ::synth::Error::NotEmpty { .. }) => {
                bail!("{error}; --force writes there anyway")
            }
            Err(error) => return Err(error.into()),
        }
        Ok(Exit::Yes)
    }
}

fn summary(manifest: &Manifest) -> String {
    let formulas = &manifest.formulas;
    let about = if formulas.distinct_are_exact { "" } else { "about " };
    format!(
        "{} questions, {} answers, {} comments, {} links, {} users\n\
         {} formulas, {about}{} visually distinct\n\
         {} topics, {} judged answers, {} judged formulas\n",
        manifest.questions,
        manifest.answers,
        manifest.comments,
        manifest.links,
        manifest.users,
        formulas.instances,
        formulas.distinct_visual_ids,
        manifest.topics,
        manifest.judged_answers,
        manifest.judged_formulas,
    )
}
