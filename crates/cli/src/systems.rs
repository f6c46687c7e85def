//! `hypatia systems`: which systems there are, and their files.

use crate::{Exit, Run, answers, nearest, output};
use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};
use figures::table::{Cell, Colour, Column, Mark, Row, Table};
use retrieve::{Lab, OUR_OWN, SYSTEMS, State, System, SystemError, SystemTask};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const LONG_ABOUT: &str = "\
Lists the systems that come with the program: our own with what they are, then those of the labs with \
the row of the lab's table that each stands for and its nDCG' there by the year of the topics, on the \
whole collection.

With a name, the file of that system is printed. Save it under a name that ends in .toml, change it, \
and give the file to `hypatia run`, `hypatia compare` or `hypatia search` with --system.";

const EXAMPLES: &str = "\
Examples:
  hypatia systems
  hypatia systems --task 2
  hypatia systems search
  hypatia systems bm25 > mine.toml
  hypatia systems --format json | jq '.[].name'";

/// How long the lines of the list are.
const LINE: usize = 100;

/// How the list is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A list for people
    Text,
    /// An array with an object for each system
    Json,
}

/// List the systems, or print the file of one
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Systems {
    /// The name of a system
    #[arg(conflicts_with_all = ["task", "format"])]
    name: Option<String>,

    /// Only those for a task: 1, answers to questions; 2, formulas; 3, one answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=3))]
    task: Option<u8>,

    /// How the list is printed
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
}

impl Run for Systems {
    fn run(self) -> Result<Exit> {
        let out = if let Some(name) = self.name {
            // An unknown name is told with those that are known.
            if answers::is_known(&name) { answers::text(&name)? } else { text(&name)? }
        } else {
            let systems = match self.task {
                Some(3) => Vec::new(),
                task => all(task.map(SystemTask::try_from).transpose().map_err(anyhow::Error::msg)?)?,
            };
            let answering = if matches!(self.task, None | Some(3)) { answers::all()? } else { Vec::new() };
            match self.format {
                Format::Text => list(&systems, &answering),
                Format::Json => json(&systems, &answering)?,
            }
        };
        output::print(out.as_bytes())?;
        Ok(Exit::Yes)
    }
}

/// All systems that come with the program, or those for a task.
pub(crate) fn all(task: Option<SystemTask>) -> Result<Vec<System>> {
    let mut systems = Vec::new();
    for (name, _) in SYSTEMS {
        let system = System::named(name)?;
        if task.is_none_or(|task| system.task == task) {
            systems.push(system);
        }
    }
    Ok(systems)
}

/// The list for people: ours, then those of the labs by task.
fn list(systems: &[System], answering: &[answer::System]) -> String {
    let mut tables = Vec::new();
    let (ours, others): (Vec<&System>, Vec<&System>) =
        systems.iter().partition(|system| OUR_OWN.contains(&system.name.as_str()));
    for (task, title) in
        [(SystemTask::Answers, "Task 1: answers"), (SystemTask::Formulas, "Task 2: formulas")]
    {
        let of_task: Vec<&System> = others.iter().copied().filter(|system| system.task == task).collect();
        if !of_task.is_empty() {
            tables.push(of_labs(title, &of_task));
        }
    }
    let mut parts: Vec<String> = tables.iter().map(|table| table.to_text(Colour::Off)).collect();
    let ours_answering = answering.iter().filter(|system| system.lab.is_none());
    let ours: Vec<OurOwn<'_>> =
        ours.into_iter().map(OurOwn::of).chain(ours_answering.map(OurOwn::of_answering)).collect();
    if !ours.is_empty() {
        parts.insert(0, of_our_own(&ours));
    }
    if answering.iter().any(|system| system.lab.is_some()) {
        parts.push(of_labs_answering(answering).to_text(Colour::Off));
    }
    parts.join("\n")
}

/// One of our own.
struct OurOwn<'a> {
    name: &'a str,
    task: u8,
    about: &'a str,
}

impl<'a> OurOwn<'a> {
    fn of(system: &'a System) -> Self {
        Self { name: &system.name, task: system.task.number(), about: &system.about }
    }

    fn of_answering(system: &'a answer::System) -> Self {
        Self { name: &system.name, task: system.task, about: &system.about }
    }
}

/// Systems of the labs that give one answer.
fn of_labs_answering(systems: &[answer::System]) -> Table {
    let columns = vec![
        Column::left("Task 3: one answer"),
        Column::left("stands for"),
        Column::right("AR").under("in the lab"),
        Column::right("P@1").under("in the lab"),
    ];
    let row = |system: &answer::System| {
        let lab = system.lab.as_ref()?;
        let [relevance, precision] = lab.scores;
        Some(Row::Cells(vec![
            Cell::text(&system.name),
            Cell::text(format!("{}, {}", lab.team, lab.row)),
            Cell::number(relevance, 3),
            Cell::number(precision, 3),
        ]))
    };
    Table { columns, rows: systems.iter().filter_map(row).collect(), ..Table::default() }
}

/// Our own systems with what they are, in lines that fit a terminal.
fn of_our_own(systems: &[OurOwn<'_>]) -> String {
    let width = systems.iter().map(|system| system.name.chars().count()).max().unwrap_or_default();
    let indent = width + "  task 1  ".len();
    let mut out = format!("Our own\n{}\n", "─".repeat(LINE));
    for system in systems {
        let mut line = format!("{:<width$}  task {}  ", system.name, system.task);
        let mut room = LINE.saturating_sub(indent);
        for word in system.about.split_whitespace() {
            let length = word.chars().count() + 1;
            if length > room {
                out.push_str(line.trim_end());
                out.push('\n');
                line = " ".repeat(indent);
                room = LINE.saturating_sub(indent);
            }
            line.push_str(word);
            line.push(' ');
            room = room.saturating_sub(length);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Systems of the labs for one task, and those to be compared with them.
fn of_labs(title: &str, systems: &[&System]) -> Table {
    let labs = || systems.iter().filter_map(|system| system.lab.as_ref());
    let years: BTreeSet<u16> = labs().flat_map(|lab| lab.scores.keys().copied()).collect();
    let mut columns = vec![Column::left(title), Column::left("stands for"), Column::left("state")];
    columns.extend(years.iter().map(|year| Column::right(year.to_string()).under("nDCG' in the lab")));
    let row = |system: &&System| {
        let name = Cell::text(&system.name);
        let Some(lab) = &system.lab else { return Row::Cells(vec![name]) };
        let name = if lab.state() == State::Complete { name } else { name.marked(Mark::Dagger) };
        let mut cells =
            vec![name, Cell::text(format!("{}, {}", lab.team, lab.row)), Cell::text(lab.state().word())];
        let score =
            |year: &u16| lab.scores.get(year).map_or_else(Cell::default, |all| Cell::number(all[0], 3));
        cells.extend(years.iter().map(score));
        Row::Cells(cells)
    };
    let rows = systems.iter().map(row).collect();
    let missing = labs().any(|lab| lab.state() != State::Complete);
    let footnote =
        "† a part of the original is not here; `hypatia systems NAME` says which, and what provides it or \
                    stands in for it."
            .to_owned();
    Table { columns, rows, footnotes: missing.then_some(footnote).into_iter().collect(), ..Table::default() }
}

#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    task: u8,
    about: &'a str,
    lab: Option<ListedLab<'a>>,
    members: Option<Vec<&'a str>>,
}

/// What is known of the run of the lab that a system stands for.
#[derive(Serialize)]
pub(crate) struct ListedLab<'a> {
    team: &'a str,
    row: &'a str,
    scores: &'a BTreeMap<u16, [f64; 3]>,
    state: &'a str,
    differs: Option<&'a str>,
    reduced: Option<&'a str>,
    missing: Option<&'a str>,
}

impl<'a> ListedLab<'a> {
    pub(crate) fn of(lab: &'a Lab) -> Self {
        Self {
            team: &lab.team,
            row: &lab.row,
            scores: &lab.scores,
            state: lab.state().word(),
            differs: lab.differs.as_deref(),
            reduced: lab.reduced.as_deref(),
            missing: lab.missing.as_deref(),
        }
    }
}

impl<'a> Listed<'a> {
    fn of(system: &'a System) -> Self {
        let members = system.fusion.as_ref().map(|fusion| &fusion.members);
        Self {
            name: &system.name,
            task: system.task.number(),
            about: &system.about,
            lab: system.lab.as_ref().map(ListedLab::of),
            members: members.map(|members| members.iter().map(|member| member.from.name()).collect()),
        }
    }
}

/// A system that gives one answer.
#[derive(Serialize)]
struct ListedAnswering<'a> {
    name: &'a str,
    task: u8,
    about: &'a str,
    lab: Option<ListedAnsweringLab<'a>>,
    kind: &'a str,
}

#[derive(Serialize)]
struct ListedAnsweringLab<'a> {
    team: &'a str,
    row: &'a str,
    /// Average relevance and P@1.
    scores: [f64; 2],
    differs: Option<&'a str>,
}

impl<'a> ListedAnswering<'a> {
    fn of(system: &'a answer::System) -> Self {
        let lab = system.lab.as_ref().map(|lab| ListedAnsweringLab {
            team: &lab.team,
            row: &lab.row,
            scores: lab.scores,
            differs: lab.differs.as_deref(),
        });
        let kind = if system.is_generative() { "generated" } else { "extracted" };
        Self { name: &system.name, task: system.task, about: &system.about, lab, kind }
    }
}

fn json(systems: &[System], answering: &[answer::System]) -> Result<String> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum One<'a> {
        Ranks(Listed<'a>),
        Answers(ListedAnswering<'a>),
    }
    let ranking = systems.iter().map(|system| One::Ranks(Listed::of(system)));
    let answering = answering.iter().map(|system| One::Answers(ListedAnswering::of(system)));
    let listed: Vec<One<'_>> = ranking.chain(answering).collect();
    Ok(serde_json::to_string_pretty(&listed).context("writing the list")? + "\n")
}

/// A system by its name or its file, which ends in `.toml`.
pub(crate) fn find(name: &str) -> Result<System> {
    Ok(System::read(&text(name)?, name)?)
}

/// A system by its name or its file, for others that are made of it.
pub(crate) fn find_member(name: &str) -> Result<System, SystemError> {
    if !is_file(name) {
        return System::named(name);
    }
    let text = fs::read_to_string(name).map_err(|error| SystemError::new(name, &error.to_string()))?;
    System::read(&text, name)
}

/// Systems by their names or files; `all` are those that come with the program, of one task.
pub(crate) fn of_one_task(names: &[String], task: Option<SystemTask>) -> Result<Vec<(String, System)>> {
    if names.iter().any(|name| name == "all") {
        let task = task.context("--systems all needs --task")?;
        return Ok(all(Some(task))?.into_iter().map(|system| (system.name.clone(), system)).collect());
    }
    let mut found: Vec<(String, System)> = Vec::new();
    for name in names {
        let system = find(name)?;
        let task = task.unwrap_or_else(|| found.first().map_or(system.task, |(_, first)| first.task));
        ensure!(
            system.task == task,
            "{} is for task {}, and task {} is asked for: compare systems of one task",
            system.name,
            system.task.number(),
            task.number()
        );
        ensure!(
            found.iter().all(|(_, known)| known.name != system.name),
            "{}: is there twice under this name",
            system.name
        );
        found.push((name.clone(), system));
    }
    Ok(found)
}

fn is_file(name: &str) -> bool {
    let known = SYSTEMS.iter().any(|(known, _)| *known == name);
    !known && Path::new(name).extension().is_some_and(|extension| extension == "toml")
}

/// The text of a system's file, by the name of a system or of a file.
pub(crate) fn text(name: &str) -> Result<String> {
    match SYSTEMS.iter().find(|(known, _)| *known == name) {
        Some((_, text)) => Ok((*text).to_owned()),
        None if is_file(name) => fs::read_to_string(name).with_context(|| name.to_owned()),
        None => {
            let known: Vec<String> = SYSTEMS.iter().map(|(name, _)| (*name).to_owned()).collect();
            bail!("{name}: there is no such system; {}", nearest::suggest(name, &known))
        }
    }
}
