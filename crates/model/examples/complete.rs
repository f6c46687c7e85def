//! Asks a model file for a completion, and says how fast it was.
//!
//!     cargo run --release -p hypatia-model --example complete -- model.gguf "What is a prime?" 100
//!
//! A prompt that begins with `@` names a file that is continued as it is; any other is what the user says in a chat.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that shows something")]

use generate::{Continue, Event, Generator, Message, Prompt, Request, Role};
use model::{LocalModel, Options};
use std::error::Error;
use std::io::Write;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, prompt, max_tokens] = arguments.as_slice() else {
        return Err("usage: complete FILE PROMPT TOKENS".into());
    };
    let start = Instant::now();
    let model = LocalModel::open(path.as_ref(), &Options::default())?;
    eprintln!("{}\nopened in {:.2} s", model.name(), start.elapsed().as_secs_f64());
    for remark in model.remarks() {
        eprintln!("{remark}");
    }
    let prompt = match prompt.strip_prefix('@') {
        Some(file) => Prompt::Text(std::fs::read_to_string(file)?),
        None => Prompt::Chat(vec![Message { role: Role::User, content: prompt.clone() }]),
    };
    let request =
        Request { prompt, temperature: 0.0, max_tokens: max_tokens.parse()?, seed: 1, stop: Vec::new() };
    let start = Instant::now();
    let mut first = None;
    let completion = model.generate(&request, &mut |event| {
        let Event::Text(piece) = event else { return Continue::Yes };
        first.get_or_insert_with(|| start.elapsed().as_secs_f64());
        print!("{piece}");
        // A program that shows text as it comes has nothing better to do than to try.
        let _ = std::io::stdout().flush();
        Continue::Yes
    })?;
    println!();
    let (first, all) = (first.unwrap_or_default(), start.elapsed().as_secs_f64());
    let read = completion.prompt_tokens.unwrap_or_default();
    let written = completion.completion_tokens.unwrap_or_default();
    let (reading, writing) = (read as f64 / first, (written as f64 - 1.0) / (all - first));
    eprintln!(
        "{:?}; read {read} tokens at {reading:.0}/s, wrote {written} at {writing:.1}/s",
        completion.ended
    );
    Ok(())
}
