//! `hypatia collection citations`: topics from discussion threads, judged by what their answers cite

use crate::output::{self, OutputFolder, WholeFile};
use crate::{Exit, Run};
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use figures::table::{Cell, Colour, Column, Row, Table};
use serde_json::json;
use std::fs;
use std::path::PathBuf;
use store::Collection;
use topics::citations::{Answers, Counts, NAMES, Request, make};

const LONG_ABOUT: &str = "\
Makes topics from discussion threads, with relevance judgments from citations, as the Cambridge \
University MathIR Test Collection (CUMTC) was made of MathOverflow and MREC: a question is a \
topic, and the documents of the collection that its answers cite are relevant. No assessor is \
needed.

COLLECTION holds the documents to search, for example MREC's papers, a folder of XHTML with \
MathML in which files are named by their arXiv identifiers. --threads is a collection of questions \
and answers, for example a dump of MathOverflow.

A paper is cited by an address (arxiv.org/abs/0901.1234, front.math.ucdavis.edu/math.AG/0301001), as \
arXiv:0901.1234, or as math/0301001; versions do not matter. Where COLLECTION holds posts of a site, \
links to its questions and answers count, too. Questions whose answers cite only papers outside the \
collection are dropped and counted; a document that the question itself cites is not relevant. \
--explain prints the rules in full.

Written are Topics_Task1.xml, task1.qrels, topic_info.tsv with the sources of each topic, and \
citations.tsv with every citation and what became of it. One thread makes one topic, even if it \
asks for several things; topic_info.tsv marks those as multi-part.

Only relevant documents are known. Measures that leave out unjudged documents, such as nDCG', are \
always 1 then: use AP, RR, P@10 or nDCG@1000.";

const EXAMPLES: &str = "\
Examples:
  hypatia collection build MREC/ -o mrec.coll
  hypatia collection build mathoverflow.net.7z -o mo.coll
  hypatia collection citations mrec.coll --threads mo.coll -o cumtc/
  hypatia collection citations mrec.coll --threads mo.coll --accepted --count 120 --seed 7 -o cumtc/
  hypatia index mrec.coll -o mrec.index
  hypatia run --task 1 --system formula+keywords --topics cumtc/Topics_Task1.xml --index mrec.index -o run.tsv
  hypatia eval run.tsv --qrels cumtc/task1.qrels -m 'AP,RR,P@10'";

const COMMAND: &str = "collection citations";

/// How the summary is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// An aligned table
    Text,
    /// One object
    Json,
}

/// Make topics from discussion threads, judged by what their answers cite
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Citations {
    /// The collection of documents that systems will search
    #[arg(value_name = "COLLECTION", required_unless_present = "explain")]
    collection: Option<PathBuf>,

    /// The collection of questions and answers
    #[arg(long, value_name = "COLLECTION", required_unless_present = "explain")]
    threads: Option<PathBuf>,

    /// The folder for the files; created if missing
    #[arg(short, long, value_name = "DIR", required_unless_present = "explain")]
    output: Option<PathBuf>,

    /// Count citations in accepted answers only
    #[arg(long)]
    accepted: bool,

    /// The lowest score of an answer whose citations count; answers without a score count
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    min_score: Option<i32>,

    /// Maximum number of topics, chosen at random [default: all]
    #[arg(long, value_name = "N")]
    count: Option<usize>,

    /// Random seed for the choice of topics
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Prefix of topic ids
    #[arg(long, value_name = "PREFIX", default_value = "C", value_parser = super::topics::prefix)]
    prefix: String,

    /// The number of the first topic
    #[arg(long, value_name = "N", default_value_t = 1)]
    start: u32,

    /// How the summary is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Replace files of the same names, even if this command did not write them
    #[arg(long)]
    force: bool,

    /// Print the rules by which topics and judgments are made, and do nothing else
    #[arg(long)]
    explain: bool,
}

impl Run for Citations {
    fn run(self) -> Result<Exit> {
        if self.explain {
            let rules = [("topics and judgments", topics::citations::RULE), ("citations", text::arxiv::RULE)];
            output::print(super::topics::rules(&rules).as_bytes())?;
            return Ok(Exit::Yes);
        }
        let (Some(path), Some(threads_path), Some(folder)) = (&self.collection, &self.threads, &self.output)
        else {
            bail!("a collection, --threads and -o are needed");
        };
        let output = OutputFolder::open(folder, COMMAND)?;
        if !self.force {
            output.ensure_own(NAMES)?;
        }
        let documents = Collection::open_whole(path)?;
        let threads = Collection::open_whole(threads_path)?;
        ensure!(
            documents.fingerprint() != threads.fingerprint(),
            "{}: is the collection of documents, too; for links within one collection there is \
             `hypatia collection validation --kinds links`",
            threads_path.display()
        );
        ensure!(
            threads.about().counts.answers > 0,
            "{}: holds no answers, so nothing in it can cite a document",
            threads_path.display()
        );
        let request = Request {
            answers: if self.accepted { Answers::Accepted } else { Answers::All },
            min_score: self.min_score,
            count: self.count,
            seed: self.seed,
            prefix: self.prefix.clone(),
            start: self.start,
        };
        let set = make(&documents, &threads, &request)?;
        ensure!(
            set.counts.documents > 0,
            "{}: no document has an arXiv identifier as its id, and the site of its posts is not known, so no \
             citation can lead to one; a build with --site names the site",
            path.display()
        );
        let summary = match self.format {
            Format::Text => summary(&set.counts),
            Format::Json => as_json(&set.counts)?,
        };
        if set.counts.topics == 0 {
            output::print(summary.as_bytes())?;
            output::note("no answer cites a document of the collection, so nothing was written");
            return Ok(Exit::No);
        }
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let opened = set.files.iter().map(|(name, _)| WholeFile::create_beside(&folder.join(name)));
        let opened: Vec<WholeFile> = opened.collect::<Result<_>>()?;
        for (file, (_, text)) in opened.into_iter().zip(&set.files) {
            file.write(text.as_bytes())?;
        }
        output.finish(NAMES)?;
        output::print(summary.as_bytes())?;
        Ok(Exit::Yes)
    }
}

fn summary(counts: &Counts) -> String {
    let mut table = Table { columns: vec![Column::left(""), Column::right("count")], ..Table::default() };
    let mut row = |name: &str, count: usize| {
        table.rows.push(Row::Cells(vec![Cell::text(name), Cell::number(count as f64, 0)]));
    };
    row("documents that can be cited", counts.documents);
    row("citations in answers", counts.citations);
    row("of these outside the collection", counts.citations_outside);
    row("questions", counts.questions);
    row("dropped: no citation in an answer", counts.without_citation);
    row("dropped: all citations lead outside", counts.outside);
    row("dropped: nothing beyond what the question cites", counts.known);
    if counts.not_chosen > 0 {
        row("not chosen", counts.not_chosen);
    }
    row("topics", counts.topics);
    row("relevant documents, over all topics", counts.relevant);
    row("relevant documents, each once", counts.distinct);
    table.to_text(Colour::Off)
}

fn as_json(counts: &Counts) -> Result<String> {
    let object = json!({
        "documents": counts.documents,
        "citations": counts.citations,
        "citations_outside": counts.citations_outside,
        "questions": counts.questions,
        "dropped": {
            "no_citation": counts.without_citation,
            "outside": counts.outside,
            "cited_by_question": counts.known,
        },
        "not_chosen": counts.not_chosen,
        "topics": counts.topics,
        "relevant": counts.relevant,
        "relevant_distinct": counts.distinct,
    });
    let mut text = serde_json::to_string_pretty(&object).context("writing JSON")?;
    text.push('\n');
    Ok(text)
}
