//! `hypatia answers`: what several runs of Task 3 answered, side by side on a page.

use crate::engine::drawn;
use crate::output::{WholeFile, ensure_apart, note};
use crate::{Exit, Run, names, run_record};
use ::formats::qrels::{Qrels, Scale};
use ::formats::task3::{Task3Answer, Task3Run};
use ::formats::{Html, RunRecord, Source, Topic, TopicId, read_topics};
use anyhow::{Result, ensure};
use claims::{Limits, check};
use clap::Args;
use eval::task3::source_words;
use markup::Markup;
use post::plain_html;
use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Writes a page with the answers of runs of Task 3 side by side: each question with its formulas drawn and its tags, \
below it the answer of each run, its length and its sources. The page is one file that loads nothing from \
elsewhere and runs no scripts.

A run is called by its system, and its answers are marked as extracted or generated, if the file RUN.json that \
`hypatia run` writes stands beside it; else by the name of its file.

Equalities and other claims of generated answers are tested with numbers and listed as checked, failed or not \
checkable.

With the judgments of Task 1 the grades of the posts that a run names as sources are shown, too: an answer that \
was cut out of a post was not judged itself.";

const EXAMPLES: &str = "\
Examples:
  hypatia answers first.tsv ours.tsv --topics Topics_Task1.xml -o answers.html
  hypatia answers runs/*.tsv --topics Topics_Task1.xml --qrels task1.qrels --limit 20 -o answers.html";

/// The page's own style: it follows the reader's choice of light or dark.
const STYLE: &str = include_str!("side_by_side/page.css");

/// Nothing is loaded and nothing runs: texts on the page were written by strangers.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

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
    limit: Option<NonZeroUsize>,

    /// Where the page goes
    #[arg(short, long, value_name = "PAGE")]
    output: PathBuf,
}

/// A run and what is known of it.
struct Shown {
    /// What people call it.
    name: String,
    /// The name of its file.
    file: String,
    record: RunRecord,
    run: Task3Run,
}

impl Run for SideBySide {
    fn run(self) -> Result<Exit> {
        let topics = read_topics(Source::path(&self.topics))?;
        let runs = self.read_runs()?;
        let qrels = self.qrels.as_ref().map(|path| Qrels::read(Source::path(path), Scale::Plain));
        let qrels = qrels.transpose()?.map(|(qrels, _)| qrels);
        let answered: Vec<&Topic> = topics
            .topics
            .iter()
            .filter(|topic| runs.iter().any(|shown| find(&shown.run, &topic.id).is_some()))
            .collect();
        ensure!(!answered.is_empty(), "none of the runs answers a topic of {}", self.topics.display());
        let number = self.limit.map_or(answered.len(), |limit| limit.get().min(answered.len()));
        let shown: Vec<&Topic> = (0..number).map(|at| answered[at * answered.len() / number]).collect();
        let inputs = self.runs.iter().chain([&self.topics]).map(PathBuf::as_path);
        ensure_apart(&self.output, inputs)?;
        let output = WholeFile::create(&self.output)?;
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>Answers side by side</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<h1 id=\"top\">Answers side by side</h1>\n"
        );
        introduce(&runs, &shown, answered.len(), &mut page);
        contents(&shown, &mut page);
        for (at, topic) in shown.iter().enumerate() {
            question(at + 1, topic, &mut page);
            page.push_str("<div class=\"row\">\n");
            for shown in &runs {
                answer(shown, topic, qrels.as_ref(), &mut page);
            }
            page.push_str("</div>\n</section>\n");
        }
        page.push_str("</body>\n</html>\n");
        output.write(page.as_bytes())?;
        note(&format!("{number} of {} topics, {} runs", answered.len(), runs.len()));
        Ok(Exit::Yes)
    }
}

impl SideBySide {
    /// The runs, called by their systems where these tell them apart.
    fn read_runs(&self) -> Result<Vec<Shown>> {
        let mut runs = Vec::new();
        for (path, name) in self.runs.iter().zip(names::of_distinct_files(&self.runs)?) {
            let run = Task3Run::read(Source::path(path))?;
            let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
            runs.push(Shown {
                name,
                file,
                record: run_record::beside(path).map(|file| file.record).unwrap_or_default(),
                run,
            });
        }
        let systems: Vec<&str> = runs.iter().filter_map(|shown| shown.record.system.as_deref()).collect();
        let is_enough =
            systems.len() == runs.len() && systems.iter().collect::<BTreeSet<_>>().len() == runs.len();
        if is_enough {
            for shown in &mut runs {
                shown.name.clone_from(shown.record.system.as_ref().unwrap_or(&shown.file));
            }
        }
        Ok(runs)
    }
}

fn find<'r>(run: &'r Task3Run, topic: &TopicId) -> Option<&'r Task3Answer> {
    run.answers.iter().find(|answer| answer.topic == *topic)
}

/// What is on the page, and where the runs come from.
fn introduce(runs: &[Shown], topics: &[&Topic], answered: usize, page: &mut String) {
    let which = if topics.len() == answered {
        format!("{answered} {}", if answered == 1 { "question" } else { "questions" })
    } else {
        format!("{} of {answered} questions", topics.len())
    };
    page.push_str(&format!("<p class=\"quiet\">{which}, answered by:</p>\n<ul class=\"runs\">\n"));
    for shown in runs {
        let answers = topics.iter().filter(|topic| find(&shown.run, &topic.id).is_some()).count();
        let noun = if answers == 1 { "answer" } else { "answers" };
        let model = shown.record.model.as_deref();
        let model = model.map_or_else(String::new, |model| format!(", written by {}", escaped(model)));
        page.push_str(&format!(
            "<li><b>{}</b>{model}: {answers} {noun} <span class=\"file\">{}</span></li>\n",
            escaped(&shown.name),
            escaped(&shown.file)
        ));
    }
    page.push_str("</ul>\n");
}

/// A list of the questions, each with a link to it.
fn contents(topics: &[&Topic], page: &mut String) {
    page.push_str("<details class=\"contents\" open>\n<summary>Questions</summary>\n<ol>\n");
    for topic in topics {
        let id = escaped(topic.id.as_str());
        // A link inside of a link would end it.
        let title = drawn_html(topic.title.as_ref());
        let title = if title.contains("<a ") { String::new() } else { title };
        page.push_str(&format!("<li><a href=\"#{id}\">{id}</a> {title}</li>\n"));
    }
    page.push_str("</ol>\n</details>\n");
}

fn drawn_html(html: Option<&Html>) -> String {
    html.map(|html| drawn(html.as_str(), Markup::Html)).unwrap_or_default()
}

fn question(number: usize, topic: &Topic, page: &mut String) {
    let id = escaped(topic.id.as_str());
    page.push_str(&format!(
        "<section id=\"{id}\">\n<h2><span class=\"number\">{number}. <a href=\"#top\" title=\"To the list of \
         questions\">{id}</a></span> {}</h2>\n",
        drawn_html(topic.title.as_ref())
    ));
    if !topic.tags.is_empty() {
        let tags: String = topic.tags.iter().map(|tag| format!("<li>{}</li>", escaped(tag))).collect();
        page.push_str(&format!("<ul class=\"tags\" aria-label=\"Tags\">{tags}</ul>\n"));
    }
    page.push_str(&format!("<div class=\"question\">{}</div>\n", drawn_html(topic.question.as_ref())));
}

fn answer(shown: &Shown, topic: &Topic, qrels: Option<&Qrels>, page: &mut String) {
    page.push_str(&format!(
        "<article class=\"answer\">\n<h3 title=\"{}\">{}</h3>\n",
        escaped(&shown.file),
        escaped(&shown.name)
    ));
    match find(&shown.run, &topic.id) {
        None => page.push_str("<p class=\"quiet\">No answer.</p>\n"),
        Some(answer) => {
            let mut badges = String::new();
            if let Some(kind) = kind(shown, answer) {
                badges.push_str(&format!("<span class=\"mark {kind}\">{kind}</span>"));
            }
            badges.push_str(&grades(topic, answer, qrels));
            if !badges.is_empty() {
                page.push_str(&format!("<div class=\"badges\">{badges}</div>\n"));
            }
            let about = match answer.sources.trim() {
                "" => "no sources named".to_owned(),
                sources => format!("sources: {sources}"),
            };
            page.push_str(&format!(
                "<div class=\"text\">{}</div>\n<p class=\"about\">{} characters; {}</p>\n",
                drawn(&answer.answer, Markup::Text),
                answer.answer.chars().count(),
                escaped(&about)
            ));
            if kind(shown, answer) == Some("generated") {
                page.push_str(&claims(topic, &answer.answer));
            }
        }
    }
    page.push_str("</article>\n");
}

/// The claims of an answer that a model wrote, tested.
fn claims(topic: &Topic, answer: &str) -> String {
    let question =
        [&topic.title, &topic.question].map(|part| part.as_ref().map(plain_html).unwrap_or_default());
    let context: Vec<&str> = question.iter().map(String::as_str).collect();
    let claims = check(answer, &context, Limits::default(), &mut || true);
    if claims.is_empty() {
        return String::new();
    }
    let mut out = "<details class=\"about\"><summary>Claims, tested with numbers</summary><ul>\n".to_owned();
    for claim in claims {
        out.push_str(&format!(
            "<li><strong>{}</strong> {} <span class=\"quiet\">{}</span></li>\n",
            claim.status.word(),
            drawn(&claim.quoted(answer), Markup::Text),
            escaped(&claim.note)
        ));
    }
    out + "</ul></details>\n"
}

/// Whether an answer is extracted or generated, if that is known.
fn kind(shown: &Shown, answer: &Task3Answer) -> Option<&'static str> {
    let is_written = source_words(&answer.sources).any(|word| word == "generated");
    match shown.record.kind.as_deref() {
        Some("extracted") => Some("extracted"),
        Some("generated") => Some("generated"),
        _ => is_written.then_some("generated"),
    }
}

/// What people said of the posts that an answer names.
fn grades(topic: &Topic, answer: &Task3Answer, qrels: Option<&Qrels>) -> String {
    let named: BTreeSet<&str> = source_words(&answer.sources).collect();
    let Some(qrels) = qrels.filter(|_| !named.is_empty()) else { return String::new() };
    let rows = qrels.topic(&topic.id).into_iter().flat_map(|judged| judged.rows());
    let badge = |(post, grade): (String, i32)| {
        format!(
            "<span class=\"badge grade-{}\" title=\"People gave post {post} the grade {grade}\">{post} judged {grade}</span>",
            grade.clamp(0, 3)
        )
    };
    let badges: String = rows
        .filter(|row| named.contains(row.doc().as_str()))
        .filter_map(|row| Some((escaped(row.doc().as_str()), row.judgment().grade()?)))
        .map(badge)
        .collect();
    if badges.is_empty() { "<span class=\"mark\">sources not judged</span>".to_owned() } else { badges }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
