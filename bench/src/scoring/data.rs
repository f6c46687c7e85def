//! Generated runs and judgments in the shape of ARQMath's Task 1.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(super) const RUNS: usize = 30;
pub(super) const TOPICS: usize = 100;
pub(super) const RESULTS: usize = 1000;
pub(super) const JUDGED: usize = 500;

/// Answers have ids up to here.
const HIGHEST_ID: u64 = 2_000_000;

/// Where the files are.
pub(super) struct Files {
    pub(super) runs: Vec<PathBuf>,
    pub(super) qrels: PathBuf,
    /// A run of one line, and a file of one judgment.
    pub(super) line: PathBuf,
    pub(super) judgment: PathBuf,
    /// How many bytes the runs have together.
    pub(super) bytes: usize,
}

/// Writes the same files every time.
pub(super) fn generate(folder: &Path) -> io::Result<Files> {
    fs::create_dir_all(folder)?;
    let mut random = Random(1);
    let topics: Vec<Topic> = (0..TOPICS).map(|index| Topic::generate(index, &mut random)).collect();
    let write = |name: &str, text: &str| -> io::Result<PathBuf> {
        let path = folder.join(name);
        fs::write(&path, text)?;
        Ok(path)
    };
    let mut text = String::new();
    for Topic { id, judged } in &topics {
        for (doc, grade) in judged {
            writeln!(text, "{id}\t0\t{doc}\t{grade}").expect("strings take all that is written");
        }
    }
    let qrels = write("qrels.tsv", &text)?;
    let judgment = write("judgment.tsv", "A.301\t0\t1\t2\n")?;
    let line = write("line.tsv", "A.301\tQ0\t1\t1\t1.5\tline\n")?;
    let mut runs = Vec::new();
    let mut bytes = 0;
    for number in 1..=RUNS {
        let text = run(number, &topics, &mut random);
        bytes += text.len();
        runs.push(write(&format!("run-{number:02}.tsv"), &text)?);
    }
    Ok(Files { runs, qrels, line, judgment, bytes })
}

/// A topic with its judgments.
struct Topic {
    id: String,
    judged: Vec<(u64, u64)>,
}

impl Topic {
    /// Of a hundred judgments 72 say irrelevant, as about in ARQMath.
    fn generate(index: usize, random: &mut Random) -> Self {
        let mut seen = std::collections::HashSet::new();
        let mut judged = Vec::with_capacity(JUDGED);
        while judged.len() < JUDGED {
            let doc = 1 + random.below(HIGHEST_ID);
            let grade = match random.below(100) {
                0..72 => 0,
                72..84 => 1,
                84..93 => 2,
                _ => 3,
            };
            if seen.insert(doc) {
                judged.push((doc, grade));
            }
        }
        Self { id: format!("A.{}", 301 + index), judged }
    }
}

/// A run: six of ten results at the top are judged, fewer further down, and
/// one score in twenty equals the one above it. Every other run has scores
/// with all their digits, the others with six.
fn run(number: usize, topics: &[Topic], random: &mut Random) -> String {
    let mut text = String::with_capacity(TOPICS * RESULTS * 40);
    for topic in topics {
        let mut seen = std::collections::HashSet::new();
        let mut score = 20.0 + random.share() * 10.0;
        let mut rank = 0;
        while rank < RESULTS {
            let is_judged = random.share() < 0.05 + 0.55 * (-(rank as f64) / 300.0).exp();
            let doc = if is_judged {
                topic.judged[random.below(JUDGED as u64) as usize].0
            } else {
                1 + random.below(HIGHEST_ID)
            };
            if !seen.insert(doc) {
                continue;
            }
            rank += 1;
            if random.below(20) > 0 {
                score -= random.share() * 0.04;
            }
            let id = &topic.id;
            if number.is_multiple_of(2) {
                writeln!(text, "{id}\tQ0\t{doc}\t{rank}\t{score}\trun-{number:02}")
            } else {
                writeln!(text, "{id}\tQ0\t{doc}\t{rank}\t{score:.6}\trun-{number:02}")
            }
            .expect("strings take all that is written");
        }
    }
    text
}

/// SplitMix64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number below a limit; the tiny bias does no harm here.
    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// A number from 0 to below 1.
    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
