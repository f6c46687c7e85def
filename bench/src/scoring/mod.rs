//! Scoring runs: how fast beside trec_eval and pytrec_eval, files included.
//!
//! All contestants read and score the same generated runs by the measures of
//! ARQMath's Task 1, in turns, so that a noisy machine is noisy for all of
//! them; the best round of each counts, of the time that passes and of the
//! time on a processor, which says more where others use the machine. Their
//! numbers are compared, too.

mod contestants;
mod data;
mod process;

use contestants::{Contestant, Values, contestants};
use data::Files;
use std::path::{Path, PathBuf};
use std::time::Duration;
use testkit::TempDir;

const ROUNDS: usize = 5;

/// Rounds of what takes milliseconds.
const SHORT_ROUNDS: usize = 31;

/// Compares all contestants; the files are kept if a folder for them is given.
pub(crate) fn compare(folder: Option<PathBuf>) {
    let temporary = TempDir::new("bench-eval");
    let folder = folder.unwrap_or_else(|| temporary.path().to_owned());
    let files = match data::generate(&folder) {
        Ok(files) => files,
        Err(error) => return println!("{}: {error}", folder.display()),
    };
    let Some(hypatia) = process::build_hypatia() else {
        return println!("the program could not be built");
    };
    println!(
        "{} runs of {} topics and {} results each, {:.1} MB; {} judgments; best of {ROUNDS} rounds",
        files.runs.len(),
        data::TOPICS,
        data::RESULTS,
        files.bytes as f64 / 1e6,
        data::TOPICS * data::JUDGED,
    );
    let contestants = contestants(&files, &hypatia);
    let best = rounds(&contestants);
    print(&contestants, &best);
    start_up(&files, &hypatia);
}

/// The fastest rounds of a contestant, and what it computed.
struct Best {
    time: Duration,
    processor: Option<Duration>,
    values: Values,
}

fn rounds(contestants: &[Contestant<'_>]) -> Vec<Option<Best>> {
    let mut best: Vec<Option<Best>> = contestants.iter().map(|_| None).collect();
    for _ in 0..ROUNDS {
        for (contestant, best) in contestants.iter().zip(&mut best) {
            let before = process::processor_time();
            let Some((time, values)) = (contestant.score)() else { continue };
            let after = process::processor_time();
            let processor = before.zip(after).map(|(before, after)| after.saturating_sub(before));
            *best = Some(match best.take() {
                None => Best { time, processor, values },
                Some(best) => {
                    Best { time: time.min(best.time), processor: processor.min(best.processor), values }
                }
            });
        }
    }
    best
}

fn print(contestants: &[Contestant<'_>], best: &[Option<Best>]) {
    let Some(Some(ours)) = best.first() else { return println!("our own library failed") };
    println!(
        "{:<58} {:>9} {:>7} {:>9} {:>7} {:>9}  same numbers",
        "", "seconds", "ratio", "processor", "ratio", "peak MB"
    );
    for (contestant, best) in contestants.iter().zip(best) {
        let name = contestant.name;
        let Some(Best { time, processor, values }) = best else {
            println!("{name:<58} failed");
            continue;
        };
        let seconds = time.as_secs_f64();
        let ratio = seconds / ours.time.as_secs_f64();
        let processor = match (processor, ours.processor) {
            (Some(time), Some(ours)) => {
                format!("{:>9.2} {:>7.1}", time.as_secs_f64(), time.as_secs_f64() / ours.as_secs_f64())
            }
            _ => format!("{:>9} {:>7}", "-", "-"),
        };
        let memory = (contestant.memory)()
            .map_or("-".to_owned(), |kilobytes| format!("{:.0}", f64::from(kilobytes) * 1024.0 / 1e6));
        let same = agreement(&ours.values, values, contestant.tolerance);
        println!("{name:<58} {seconds:>9.3} {ratio:>7.1} {processor} {memory:>9}  {same}");
    }
}

/// Whether two contestants computed the same, in words.
fn agreement(expected: &Values, found: &Values, tolerance: f64) -> String {
    if expected.len() != found.len() {
        return format!("no: {} runs, not {}", found.len(), expected.len());
    }
    let pairs = expected.iter().flatten().zip(found.iter().flatten());
    let largest = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    if largest <= tolerance { "yes".to_owned() } else { format!("no: they differ by {largest:e}") }
}

/// What a process costs before it has read anything, and for one run.
fn start_up(files: &Files, hypatia: &Path) {
    println!("\none process, best of {SHORT_ROUNDS}");
    let eval = |run: &Path, qrels: &Path| {
        let mut arguments = vec!["eval".into(), run.as_os_str().to_owned()];
        arguments.extend(["--qrels".into(), qrels.as_os_str().to_owned()]);
        arguments.extend(["--task", "1", "--format", "json"].map(Into::into));
        arguments
    };
    let mut cases = vec![
        ("hypatia --version", hypatia.to_owned(), vec!["--version".into()]),
        ("hypatia eval: a run of 1 line, 1 judgment", hypatia.to_owned(), eval(&files.line, &files.judgment)),
        ("hypatia eval: a run of 1 line, all judgments", hypatia.to_owned(), eval(&files.line, &files.qrels)),
        ("hypatia eval: a run of 100,000 lines", hypatia.to_owned(), eval(&files.runs[0], &files.qrels)),
    ];
    if let Some(trec_eval) = process::on_path("trec_eval") {
        for (name, run) in [
            ("trec_eval: a run of 1 line, all judgments", &files.line),
            ("trec_eval: a run of 100,000 lines", &files.runs[0]),
        ] {
            let mut arguments: Vec<_> = contestants::TREC_EVAL_ONCE.map(Into::into).to_vec();
            arguments.extend([files.qrels.as_os_str().to_owned(), run.as_os_str().to_owned()]);
            cases.push((name, trec_eval.clone(), arguments));
        }
    }
    for (name, program, arguments) in cases {
        let times =
            (0..SHORT_ROUNDS).filter_map(|_| process::run(&program, &arguments).map(|(time, _)| time));
        match times.min() {
            Some(time) => println!("{name:<58} {:>9.2} ms", time.as_secs_f64() * 1e3),
            None => println!("{name:<58} failed"),
        }
    }
}
