//! `hypatia answers`: what several runs of Task 3 answered, side by side on a page.

use crate::engine::drawn;
use crate::output::{WholeFile, note};
use crate::{Answer, Run};
use ::collection::qrels::{Qrel, Qrels, Scale};
use ::collection::task3::{Task3Answer, Task3Run};
use ::collection::{Source, Topic, TopicId, read_topics};
use anyhow::{Result, ensure};
use clap::Args;
use markup::Markup;
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Writes a page with the answers of runs of Task 3 side by side: each question with its formulas drawn, below it \
the answer of each run, its length and its sources. The page is one file that loads nothing from elsewhere.

With the judgments of Task 1 the grades of the posts that a run names as sources are shown, too: an answer that \
was cut out of a post was not judged itself.";

const EXAMPLES: &str = "\
Examples:
  hypatia answers first.tsv ours.tsv --topics Topics_Task1.xml -o answers.html
  hypatia answers runs/*.tsv --topics Topics_Task1.xml --qrels task1.qrels --limit 20 -o answers.html";

/// The page's own style: it follows the reader's choice of light or dark.
const STYLE: &str = "\
:root { color-scheme: light dark; --line: #8884; --quiet: #777 }
body { font: 16px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 100rem; padding: 0 1rem }
h2 { border-top: 1px solid var(--line); padding-top: 1rem; font-size: 1.15rem }
.question { max-width: 60rem }
.row { display: grid; grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr)); gap: 1rem }
.answer { border: 1px solid var(--line); border-radius: .5rem; padding: .2rem 1rem; overflow-x: auto }
.answer h3 { font-size: 1rem; margin: .6rem 0 }
.about { color: var(--quiet); font-size: .85rem }
math[display=block] { overflow-x: auto; max-width: 100% }";

/// Put answers of several runs side by side on a page
#[derive(Debug, Args)]
#[command(name = "answers", long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct SideBySide {
    /// Runs of Task 3: topic, rank, score, run, sources, answer
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,

    /// The file of topics
    #[arg(long, value_name = "FILE")]
    topics: PathBuf,

    /// Judgments of Task 1, for the grades of the posts that are named as sources
    #[arg(long, value_name = "FILE")]
    qrels: Option<PathBuf>,

    /// How many topics are shown: every n-th, from the first on [default: all]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Where the page goes
    #[arg(short, long, value_name = "PAGE")]
    output: PathBuf,
}

impl Run for SideBySide {
    fn run(self) -> Result<Answer> {
        let topics = read_topics(Source::path(&self.topics))?;
        let mut runs = Vec::new();
        for path in &self.runs {
            runs.push(Task3Run::read(Source::path(path))?);
        }
        let qrels = self.qrels.as_ref().map(|path| Qrels::read(Source::path(path), Scale::Plain));
        let qrels = qrels.transpose()?.map(|(qrels, _)| qrels);
        let answered: Vec<&Topic> = topics
            .topics
            .iter()
            .filter(|topic| runs.iter().any(|run| find(run, &topic.id).is_some()))
            .collect();
        ensure!(!answered.is_empty(), "none of the runs answers a topic of {}", self.topics.display());
        let shown = self.limit.unwrap_or(answered.len()).clamp(1, answered.len());
        let output = WholeFile::create(&self.output)?;
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
             content=\"width=device-width\">\n<title>Answers side by side</title>\n<style>\n{STYLE}\n</style>\n\
             </head>\n<body>\n<h1>Answers side by side</h1>\n"
        );
        for number in 0..shown {
            let topic = answered[number * answered.len() / shown];
            question(topic, &mut page);
            page.push_str("<div class=\"row\">\n");
            for run in &runs {
                answer(run, topic, qrels.as_ref(), &mut page);
            }
            page.push_str("</div>\n");
        }
        page.push_str("</body>\n</html>\n");
        output.write(page.as_bytes())?;
        note(&format!("{shown} of {} topics, {} runs", answered.len(), runs.len()));
        Ok(Answer::Yes)
    }
}

fn find<'r>(run: &'r Task3Run, topic: &TopicId) -> Option<&'r Task3Answer> {
    run.answers.iter().find(|answer| answer.topic == *topic)
}

fn question(topic: &Topic, page: &mut String) {
    let html = |html: &Option<::collection::Html>| {
        html.as_ref().map(|html| drawn(html.as_str(), Markup::Html)).unwrap_or_default()
    };
    page.push_str(&format!(
        "<h2>{}: {}</h2>\n<div class=\"question\">{}</div>\n",
        escaped(topic.id.as_str()),
        html(&topic.title),
        html(&topic.question)
    ));
}

fn answer(run: &Task3Run, topic: &Topic, qrels: Option<&Qrels>, page: &mut String) {
    let name = std::path::Path::new(&run.name)
        .file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into());
    page.push_str(&format!("<div class=\"answer\">\n<h3>{}</h3>\n", escaped(&name)));
    match find(run, &topic.id) {
        None => page.push_str("<p class=\"about\">No answer.</p>\n"),
        Some(answer) => {
            page.push_str(&drawn(&answer.answer, Markup::Text));
            let mut about = format!("{} characters", answer.answer.chars().count());
            if !answer.sources.trim().is_empty() {
                about.push_str(&format!("; from {}", answer.sources));
            }
            if let Some(rows) = qrels.and_then(|qrels| qrels.topic(&topic.id)) {
                let named: Vec<&str> = answer.sources.split_whitespace().collect();
                let grades = rows.rows().filter(|row| named.contains(&row.doc().as_str()));
                let grade =
                    |row: Qrel<'_>| Some(format!("{} was judged {}", row.doc(), row.judgment().grade()?));
                let grades: Vec<String> = grades.filter_map(grade).collect();
                about.push_str(&if grades.is_empty() {
                    "; not judged".to_owned()
                } else {
                    format!("; {}", grades.join(", "))
                });
            }
            page.push_str(&format!("\n<p class=\"about\">{}</p>\n", escaped(&about)));
        }
    }
    page.push_str("</div>\n");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
