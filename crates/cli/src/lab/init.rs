//! `hypatia lab init`: a lab begins.

use crate::output::note;
use crate::{Exit, Run};
use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};
use lab::{CollectionFile, Context, Identical, Manifest, NewFiles, NewSet, Rules};
use std::path::PathBuf;

const LONG_ABOUT: &str = "\
Makes the folder of a lab: lab.toml, which says what the lab is, the database, and copies of the \
topics. The collection stays where it is and is known by its fingerprint.

Topics are given as TASK=FILE for the set that is judged now, and as SET:TASK=FILE for those of \
earlier years, on which systems are run to see progress; with --qrels these have their judgments, \
and with --labels what organisers say of topics (type, difficulty, …). Task 3 has the topics of \
Task 1 and needs no file of its own: --tasks 1,2,3 says that there is one.

Grades begin as in ARQMath (High, Medium, Low, Not relevant) or, with the rules of NTCIR, as R, P and N \
given by two assessors. Names and definitions are in lab.toml and can be edited there.";

const EXAMPLES: &str = "\
Examples:
  hypatia lab init arqmath-3 --name ARQMath-3 --set 2022 --collection arqmath.coll --tasks 1,2,3 \\
      --topics 1=Topics_Task1_2022.xml --topics 2=Topics_Task2_2022.xml \\
      --topics 2021:1=Topics_Task1_2021.xml --qrels 2021:1=qrel_task1_2021.tsv
  hypatia lab init mylab --name 'My lab' --topics 1=topics.xml --collection posts.coll \\
      --topic-threads later.coll
  hypatia lab init wfb --name WFB --rules ntcir12 --topics 2=NTCIR12-queries.xml";

/// Make the folder of a lab
#[derive(Debug, Args)]
#[command(long_about = LONG_ABOUT, after_help = EXAMPLES)]
pub(crate) struct Init {
    /// The folder, which is empty or not there yet
    #[arg(value_name = "LAB")]
    folder: PathBuf,

    /// The name of the lab
    #[arg(long, value_name = "NAME")]
    name: String,

    /// A sentence about it
    #[arg(long, value_name = "TEXT", default_value = "")]
    about: String,

    /// Whose rules the lab follows
    #[arg(long, value_enum, default_value_t = RulesName::Arqmath)]
    rules: RulesName,

    /// The tasks [default: those that have topics]
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(1..=3))]
    tasks: Vec<u8>,

    /// The name of the set of topics that is judged now
    #[arg(long, value_name = "NAME", default_value = "main")]
    set: String,

    /// Topics, as TASK=FILE or SET:TASK=FILE; may be given several times
    #[arg(long, value_name = "[SET:]TASK=FILE", required = true, value_parser = given)]
    topics: Vec<Given>,

    /// What organisers say of topics; may be given several times
    #[arg(long, value_name = "[SET:]TASK=FILE", value_parser = given)]
    labels: Vec<Given>,

    /// Judgments of earlier years; may be given several times
    #[arg(long, value_name = "[SET:]TASK=FILE", value_parser = given)]
    qrels: Vec<Given>,

    /// The collection that is searched
    #[arg(long, value_name = "COLLECTION")]
    collection: Option<PathBuf>,

    /// A collection with the threads of the topics, later answers and comments included, for assessors to read;
    /// it is never searched. The id of a question in it is the topic's thread or the topic's id
    #[arg(long, value_name = "COLLECTION")]
    topic_threads: Option<PathBuf>,

    /// A table with the visual ids of formulas, where there is no collection
    #[arg(long, value_name = "TABLE", conflicts_with = "collection")]
    formulas: Option<PathBuf>,

    /// From which all chance in the lab comes
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// How many runs a team may submit for a task
    #[arg(long, value_name = "N", default_value_t = 5)]
    most_runs: usize,

    /// What assessors see of a formula [default: its post; with the rules of NTCIR-10, the formula alone]
    #[arg(long, value_enum)]
    context: Option<ContextName>,

    /// What is said of a formula that looks like the one asked for
    #[arg(long, value_enum, default_value_t = IdenticalName::Judged)]
    identical: IdenticalName,
}

/// A file for a task of a set.
#[derive(Clone, Debug)]
struct Given {
    set: Option<String>,
    task: u8,
    file: PathBuf,
}

fn given(text: &str) -> Result<Given, String> {
    let wrong =
        || "expected TASK=FILE or SET:TASK=FILE, such as 1=topics.xml or 2021:2=topics.xml".to_owned();
    let (key, file) = text.split_once('=').ok_or_else(wrong)?;
    let (set, task) = match key.rsplit_once(':') {
        Some((set, task)) => (Some(set.to_owned()), task),
        None => (None, key),
    };
    let task = match task {
        "1" => 1,
        "2" => 2,
        "3" => return Err("Task 3 has the topics of Task 1: give those as 1=FILE".to_owned()),
        _ => return Err(wrong()),
    };
    if file.is_empty() {
        return Err(wrong());
    }
    Ok(Given { set, task, file: file.into() })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RulesName {
    /// Four grades by one assessor; formulas by their looks
    Arqmath,
    /// The sum of two assessors; formula instances; pools by rank to 100
    Ntcir10,
    /// As NTCIR-10, with the first 20 of each run pooled
    Ntcir12,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ContextName {
    /// The post it stands in
    Post,
    /// The formula alone
    Formula,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IdenticalName {
    /// It is judged as any other, as in ARQMath-2 and -3
    Judged,
    /// It is always relevant, as in ARQMath-1
    Relevant,
}

impl Run for Init {
    fn run(self) -> Result<Exit> {
        let sets = self.sets()?;
        let rules = match self.rules {
            RulesName::Arqmath => Rules::Arqmath,
            RulesName::Ntcir10 => Rules::Ntcir10,
            RulesName::Ntcir12 => Rules::Ntcir12,
        };
        let current = sets.iter().find(|set| set.name == self.set);
        let mut tasks = self.tasks.clone();
        if tasks.is_empty() {
            let has = |files: Option<&NewFiles>, task: u8| files.map(|_| task);
            let current = current.map(|set| (set.questions.as_ref(), set.formulas.as_ref()));
            let (questions, formulas) = current.unwrap_or_default();
            tasks = [has(questions, 1), has(formulas, 2)].into_iter().flatten().collect();
        }
        tasks.sort_unstable();
        let manifest = Manifest {
            about: self.about.clone(),
            seed: self.seed,
            most_runs: self.most_runs,
            context: match self.context {
                None => rules.usual_context(),
                Some(ContextName::Post) => Context::Post,
                Some(ContextName::Formula) => Context::Formula,
            },
            identical: match self.identical {
                IdenticalName::Judged => Identical::Judged,
                IdenticalName::Relevant => Identical::Relevant,
            },
            current: self.set.clone(),
            topic_threads: self
                .topic_threads
                .clone()
                .map(|path| CollectionFile { path, fingerprint: String::new() }),
            formulas: self.formulas.clone(),
            ..Manifest::new(&self.name, rules, &tasks)
        };
        let lab = lab::Lab::create(&self.folder, manifest, self.collection.as_deref(), &sets)?;
        for set in &lab.manifest().sets {
            for task in [::formats::check::Task::Task1, ::formats::check::Task::Task2] {
                if set.files(task).is_some() {
                    let topics = lab.topics(&set.name, task)?.topics.len();
                    let now = if set.name == lab.manifest().current { " (judged now)" } else { "" };
                    note(&format!("set {}, task {}: {topics} topics{now}", set.name, task.number()));
                }
            }
        }
        note(&format!("the lab is in {}; lab.toml says what it is", self.folder.display()));
        Ok(Exit::Yes)
    }
}

impl Init {
    /// The sets in the order in which they were first named, the current one last.
    fn sets(&self) -> Result<Vec<NewSet>> {
        let mut sets: Vec<NewSet> = Vec::new();
        for given in &self.topics {
            let name = given.set.as_ref().unwrap_or(&self.set);
            if !sets.iter().any(|set| set.name == *name) {
                sets.push(NewSet { name: name.clone(), ..NewSet::default() });
            }
            let set = sets.iter_mut().find(|set| set.name == *name).expect("it was added above");
            let files = if given.task == 2 { &mut set.formulas } else { &mut set.questions };
            ensure!(files.is_none(), "--topics: task {} of the set {name} has two files", given.task);
            *files = Some(NewFiles { topics: given.file.clone(), ..NewFiles::default() });
        }
        for (option, list) in [("--labels", &self.labels), ("--qrels", &self.qrels)] {
            for given in list {
                let name = given.set.as_ref().unwrap_or(&self.set);
                let set = sets.iter_mut().find(|set| set.name == *name);
                let files = set.and_then(|set| {
                    if given.task == 2 { set.formulas.as_mut() } else { set.questions.as_mut() }
                });
                let Some(files) = files else {
                    bail!("{option}: the set {name} has no topics for task {}", given.task)
                };
                let place = if option == "--labels" { &mut files.labels } else { &mut files.qrels };
                ensure!(place.is_none(), "{option}: task {} of the set {name} has two files", given.task);
                *place = Some(given.file.clone());
            }
        }
        ensure!(
            sets.iter().any(|set| set.name == self.set),
            "--topics: none are for the set {:?}, which is judged now (see --set)",
            self.set
        );
        sets.sort_by_key(|set| set.name == self.set);
        Ok(sets)
    }
}
