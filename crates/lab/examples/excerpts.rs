//! How well excerpts of posts are found again, for choosing the rule by which an answer agrees with a post.
//!
//! ```console
//! cargo run --release -p hypatia-lab --example excerpts -- COLLECTION
//! ```
//!
//! Excerpts of several kinds are cut out of every answer of a collection, at random places from a fixed seed,
//! and looked for among all its answers, which are far more than the judged ones of a topic: is it the post,
//! another one as well, only another one, or none? *short* are those of the latter with fewer tokens than a run.

use eval::task3::{
    Indicators, Match, MatchRule, Normalisation, Tokenize, Tokenizer, TopicPosts, WrittenAnswer,
};
use formats::{DocId, TopicId};
use post::body;
use stats::rng::Rng;
use std::error::Error;
use std::num::NonZeroU8;
use std::path::PathBuf;
use std::time::Instant;
use store::{Collection, PostKind};

/// An answer.
struct Post {
    id: String,
    text: String,
}

/// A way to cut.
type Cut = fn(&str, &mut Rng) -> Option<String>;

const CUTS: [(&str, Cut); 6] = [
    ("the whole post", |text, _| Some(text.to_owned())),
    ("1200 characters", |text, _| (text.chars().count() > 1200).then(|| text.chars().take(1200).collect())),
    ("half of the sentences", |text, rng| some_sentences(text, rng, " ")),
    ("the same with ellipses", |text, rng| some_sentences(text, rng, " […] ")),
    ("one sentence", |text, rng| {
        let sentences = sentences(text);
        sentences.get(rng.index(sentences.len().max(1))).map(|sentence| (*sentence).to_owned())
    }),
    ("an extra sentence", |text, _| Some(format!("Here is what others wrote about it. {text}"))),
];

fn sentences(text: &str) -> Vec<&str> {
    text.split_inclusive(". ").filter(|sentence| sentence.matches('$').count() % 2 == 0).collect()
}

fn some_sentences(text: &str, rng: &mut Rng, between: &str) -> Option<String> {
    let kept: Vec<&str> = sentences(text).into_iter().filter(|_| rng.index(2) == 0).map(str::trim).collect();
    (!kept.is_empty()).then(|| kept.join(between))
}

/// How many tokens an answer has, tags not counted.
fn length(answer: &str) -> usize {
    let tokens = Tokenizer::WordsAndLatex.tokens(&Normalisation::Published.apply(answer)).unwrap_or_default();
    tokens.iter().filter(|token| !matches!(token.as_str(), "[MATH]" | "[/MATH]")).count()
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).map(PathBuf::from).ok_or("a collection is needed")?;
    let collection = Collection::open(&path)?;
    let mut reader = collection.reader();
    let mut posts = Vec::new();
    for number in collection.posts_by_id() {
        if collection.post_facts(number).kind == PostKind::Answer {
            let text = body(&mut reader, number)?.plain();
            posts.push(Post { id: collection.post_id(number).to_string(), text });
        }
    }
    let tagged: Vec<String> = posts.iter().map(|post| Normalisation::Published.apply(&post.text)).collect();
    let pairs = || posts.iter().zip(&tagged).map(|(post, text)| (DocId(&post.id), text.as_str()));
    println!("{} answers", posts.len());
    for (run, share) in [(8, 0.9), (5, 0.9), (12, 0.9), (8, 0.8), (8, 1.0)] {
        let rule = MatchRule { run: NonZeroU8::new(run).ok_or("a run")?, share };
        let start = Instant::now();
        let all = TopicPosts::new(rule, pairs(), []);
        println!("\n{rule} (read in {:.2} s)", start.elapsed().as_secs_f64());
        let head = ["cut", "found", "also", "only", "none", "short", "ms each"];
        println!("{:24}{}", "", head.map(|title| format!("{title:>8}")).concat());
        for (name, cut) in CUTS {
            let start = Instant::now();
            let mut rng = Rng::seeded(1);
            let [mut cuts, mut found, mut also, mut only, mut none, mut short] = [0_u32; 6];
            for post in &posts {
                let Some(answer) = cut(&post.text, &mut rng) else { continue };
                cuts += 1;
                let Match { post: best, others, .. } = all.find(&answer, "");
                let agreeing: Vec<&str> = best.iter().chain(&others).map(|id| &**id).collect();
                match agreeing.as_slice() {
                    [] => {
                        none += 1;
                        short += u32::from(length(&answer) < usize::from(run));
                    }
                    ids if ids.contains(&post.id.as_str()) => {
                        found += 1;
                        also += u32::from(ids.len() > 1);
                    }
                    _ => only += 1,
                }
            }
            let each = start.elapsed().as_secs_f64() * 1000.0 / f64::from(cuts);
            let counts = [cuts, found, also, only, none, short].map(|count| format!("{count:>8}")).concat();
            println!("{name:24}{counts}{each:>8.2}");
        }
    }
    indicators(&posts);
    Ok(())
}

/// What people's own answers have of what is counted in answers, of those that a run may give.
#[expect(clippy::print_stdout, reason = "an example prints")]
fn indicators(posts: &[Post]) {
    let topic = TopicId::from("A.1");
    let mut values: Vec<(&str, Vec<f64>)> = Vec::new();
    for post in posts.iter().filter(|post| post.text.chars().count() <= 1200) {
        let answer = WrittenAnswer { topic: &topic, text: &post.text, sources: &post.id, question: None };
        for (place, one) in Indicators::count([answer]).list().into_iter().enumerate() {
            if values.len() <= place {
                values.push((one.name, Vec::new()));
            }
            values[place].1.push(one.value);
        }
    }
    println!("\n{:24}{:>9}{:>9}{:>9}{:>9}", "", "mean", "50 %", "95 %", "99 %");
    for (name, mut values) in values {
        values.sort_by(f64::total_cmp);
        let at = |share: usize| values[(values.len() - 1) * share / 100];
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        println!("{name:24}{mean:>9.3}{:>9.3}{:>9.3}{:>9.3}", at(50), at(95), at(99));
    }
}
