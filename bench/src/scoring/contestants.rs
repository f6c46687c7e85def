//! Who scores the runs, each in its fastest way that gives the same numbers.

use super::data::Files;
use super::process;
use eval::{Codes, Judgments, Measure, Pipeline, Preset, Scorer, Ties};
use formats::Source;
use formats::qrels::{Qrels, Scale};
use formats::run::{Run, RunKind};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// nDCG', MAP' and P'@10 of each run.
pub(super) type Values = Vec<[f64; 3]>;

/// One way of scoring.
pub(super) struct Contestant<'a> {
    pub(super) name: &'static str,
    /// Reads and scores all runs.
    pub(super) score: Box<dyn Fn() -> Option<(Duration, Values)> + 'a>,
    /// The most memory it takes, in kilobytes, if it is a process of its own.
    pub(super) memory: Box<dyn Fn() -> Option<u32> + 'a>,
    /// How far its numbers may be from ours.
    pub(super) tolerance: f64,
}

const EXACT: f64 = 1e-6;

/// trec_eval prints four digits.
const FOUR_DIGITS: f64 = 0.5e-4 + 1e-9;

/// The calls of the labs' scripts.
const TREC_EVAL_LABS: [&[&str]; 3] =
    [&["-J", "-m", "ndcg"], &["-J", "-l2", "-m", "map"], &["-J", "-l2", "-m", "P.10"]];

/// One call that gives the same: nDCG does not look at the level.
pub(super) const TREC_EVAL_ONCE: [&str; 8] = ["-J", "-l2", "-m", "ndcg", "-m", "map", "-m", "P.10"];

/// All contestants that are there; ours comes first.
pub(super) fn contestants<'a>(files: &'a Files, hypatia: &'a Path) -> Vec<Contestant<'a>> {
    let library = |name, threads| Contestant {
        name,
        score: Box::new(move || library(files, threads)),
        memory: Box::new(|| None),
        tolerance: EXACT,
    };
    let arguments = |runs: &[PathBuf]| {
        let mut arguments: Vec<OsString> = vec!["eval".into()];
        arguments.extend(runs.iter().map(|run| run.into()));
        arguments.extend(["--qrels".into(), files.qrels.as_os_str().to_owned()]);
        arguments.extend(["--task", "1", "--format", "json"].map(Into::into));
        arguments
    };
    let each: Vec<Vec<OsString>> =
        files.runs.iter().map(|run| arguments(std::slice::from_ref(run))).collect();
    let all = [arguments(&files.runs)];
    let mut contestants = vec![
        library("ours: library, one thread", 1),
        library("ours: library, two threads", 2),
        processes(
            "ours: hypatia eval, one process for all, all cores",
            hypatia.to_owned(),
            all.into(),
            from_json,
        ),
        processes("ours: hypatia eval, a process for each run", hypatia.to_owned(), each, from_json),
    ];
    match process::on_path("trec_eval") {
        None => testkit::skip("trec_eval is not on the PATH"),
        Some(program) => {
            let calls = |options: &[&[&str]]| -> Vec<Vec<OsString>> {
                let call = |run: &PathBuf, options: &[&str]| {
                    let files = [files.qrels.as_os_str().to_owned(), run.as_os_str().to_owned()];
                    options.iter().map(Into::into).chain(files).collect()
                };
                files.runs.iter().flat_map(|run| options.iter().map(move |o| call(run, o))).collect()
            };
            let mut add = |name, options: &[&[&str]]| {
                let contestant = processes(name, program.clone(), calls(options), from_trec_eval);
                contestants.push(Contestant { tolerance: FOUR_DIGITS, ..contestant });
            };
            add("trec_eval (C): one call for each run", &[&TREC_EVAL_ONCE]);
            add("trec_eval (C): the labs' three calls for each run", &TREC_EVAL_LABS);
        }
    }
    match process::python() {
        None => testkit::skip("pytrec_eval: no Python 3, or no package index"),
        Some(python) => contestants.push(pytrec_eval(python, files)),
    }
    contestants
}

/// Our library: each run is read, scored and dropped.
fn library(files: &Files, threads: usize) -> Option<(Duration, Values)> {
    let start = Instant::now();
    let (qrels, _) = Qrels::read(Source::path(&files.qrels), Scale::Plain).ok()?;
    let judgments = Judgments::new(&qrels, Codes::Unjudged);
    let preset = Preset::Task1;
    let measures: Vec<Measure> = preset.columns().into_iter().map(|column| column.measure).collect();
    let pipeline = Pipeline { duplicates: preset.duplicates(), depth: preset.depth(), ..Pipeline::default() };
    let score = |path: &PathBuf| -> Option<[f64; 3]> {
        let run = Run::read(Source::path(path), RunKind::Documents).ok()?;
        let scorer = Scorer { judgments: &judgments, measures: &measures, pipeline, ties: Ties::Ordered };
        let scores = scorer.score(&run).ok()?;
        Some([0, 1, 2].map(|measure| scores.average(measure, preset.topic_policy()).value))
    };
    let next = AtomicUsize::new(0);
    let work = || -> Vec<(usize, Option<[f64; 3]>)> {
        std::iter::from_fn(|| {
            let index = next.fetch_add(1, Ordering::Relaxed);
            files.runs.get(index).map(|path| (index, score(path)))
        })
        .collect()
    };
    let mut values = if threads == 1 {
        work()
    } else {
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
        })
    };
    values.sort_by_key(|(index, _)| *index);
    let values: Option<Values> = values.into_iter().map(|(_, values)| values).collect();
    values.map(|values| (start.elapsed(), values))
}

/// A program that is called once or many times; its times are added up.
fn processes<'a>(
    name: &'static str,
    program: PathBuf,
    calls: Vec<Vec<OsString>>,
    read: fn(&str) -> Values,
) -> Contestant<'a> {
    let (one_program, one_call) = (program.clone(), calls[0].clone());
    let score = move || {
        let start = Instant::now();
        let outputs: Option<Vec<String>> =
            calls.iter().map(|call| process::run(&program, call).map(|(_, output)| output)).collect();
        let time = start.elapsed();
        Some((time, read(&outputs?.concat())))
    };
    let memory = move || process::peak_memory(&one_program, &one_call);
    Contestant { name, score: Box::new(score), memory: Box::new(memory), tolerance: EXACT }
}

/// pytrec_eval tells its own time, without that of Python's start and imports.
fn pytrec_eval<'a>(python: PathBuf, files: &Files) -> Contestant<'a> {
    let mut call: Vec<OsString> = vec!["-c".into(), include_str!("pytrec_eval.py").into()];
    call.push(files.qrels.as_os_str().to_owned());
    call.extend(files.runs.iter().map(|run| run.into()));
    let (one_program, one_call) = (python.clone(), call.clone());
    let score = move || {
        let (_, output) = process::run(&python, &call)?;
        let mut numbers = output.split_whitespace().map_while(|number| number.parse::<f64>().ok());
        let time = Duration::from_secs_f64(numbers.next()?);
        Some((time, triples(numbers)))
    };
    let memory = move || process::peak_memory(&one_program, &one_call);
    Contestant {
        name: "pytrec_eval: parse_run and evaluate, start not counted",
        score: Box::new(score),
        memory: Box::new(memory),
        tolerance: EXACT,
    }
}

/// The values of what `hypatia eval --format json` prints, of one array or several.
fn from_json(output: &str) -> Values {
    let arrays = serde_json::Deserializer::from_str(output).into_iter::<Vec<serde_json::Value>>();
    let runs = arrays.filter_map(Result::ok).flatten();
    let value = |run: &serde_json::Value, name: &str| run["measures"][name].as_f64().unwrap_or(f64::NAN);
    runs.map(|run| ["nDCG'", "MAP'", "P'@10"].map(|name| value(&run, name))).collect()
}

/// The values of what trec_eval prints, one line each.
fn from_trec_eval(output: &str) -> Values {
    let mut lines: Vec<(&str, f64)> = output
        .lines()
        .filter_map(|line| {
            let mut columns = line.split_whitespace();
            Some((columns.next()?, columns.nth(1)?.parse().ok()?))
        })
        .collect();
    // It prints in an order of its own.
    let place = |name: &str| ["ndcg", "map", "P_10"].iter().position(|known| *known == name);
    lines.chunks_mut(3).for_each(|run| run.sort_by_key(|(name, _)| place(name)));
    triples(lines.into_iter().map(|(_, value)| value))
}

fn triples(numbers: impl Iterator<Item = f64>) -> Values {
    let numbers: Vec<f64> = numbers.collect();
    numbers.chunks_exact(3).map(|triple| [triple[0], triple[1], triple[2]]).collect()
}
