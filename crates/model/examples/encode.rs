//! Encodes texts, for `bench/encode`: vectors, and how long they take.
//!
//! `encode FOLDER TEXTS [--max-tokens N] [--threads N] [--repeat N] [--out FILE] [--queries FILE]` reads a JSON array of
//! strings, writes their vectors as little-endian numbers of single precision, and prints times as JSON.

#![allow(clippy::print_stdout, reason = "a program that prints figures")]

use cpu_time::ProcessTime;
use model::{EncoderOptions, TextEncoder};
use std::time::Instant;

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut plain = Vec::new();
    let (mut options, mut threads, mut repeat) = (EncoderOptions::default(), 0, 1);
    let (mut out, mut queries) = (None, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--max-tokens" => options.max_tokens = Some(value()?.parse()?),
            "--threads" => threads = value()?.parse()?,
            "--repeat" => repeat = value()?.parse()?,
            "--out" => out = Some(value()?),
            "--queries" => queries = Some(value()?),
            _ => plain.push(argument),
        }
    }
    let [folder, texts] = &plain[..] else { return Err("a folder and a file of texts are needed".into()) };
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    let read =
        |path: &str| -> Result<Vec<String>, Failure> { Ok(serde_json::from_slice(&std::fs::read(path)?)?) };

    let start = Instant::now();
    let encoder = TextEncoder::open(folder.as_ref(), &options)?;
    let open = start.elapsed().as_secs_f64();
    let texts = read(texts)?;
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let (mut vectors, mut seconds, mut cpu) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..repeat {
        let (start, cpu_start) = (Instant::now(), ProcessTime::now());
        vectors = encoder.encode(&texts)?;
        cpu.push(cpu_start.elapsed().as_secs_f64());
        seconds.push(start.elapsed().as_secs_f64());
    }
    if let Some(out) = out {
        let bytes: Vec<u8> = vectors.iter().flat_map(|number| number.to_le_bytes()).collect();
        std::fs::write(out, bytes)?;
    }
    let mut latencies = Vec::new();
    if let Some(queries) = queries {
        let queries = read(&queries)?;
        for query in &queries {
            let start = Instant::now();
            encoder.encode(&[query])?;
            latencies.push(start.elapsed().as_secs_f64());
        }
    }
    let report = serde_json::json!({
        "name": encoder.name(), "fingerprint": encoder.fingerprint(), "dimensions": encoder.dimensions(),
        "max_tokens": encoder.max_tokens(), "open": open, "seconds": seconds, "cpu": cpu, "latencies": latencies,
    });
    println!("{report}");
    Ok(())
}
