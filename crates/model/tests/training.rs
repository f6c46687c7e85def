//! Encoders that learn: gradients beside torch's and beside central differences, over-fitting, folders.

use crate::encoders::{PAIRS, TEXTS, fixture, numbers, write_named};
use model::training::{Learner, Record, write_adapter};
use model::{CrossEncoder, EncoderOptions, TextEncoder};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;
use testkit::TempDir;
use train::encoder::{
    Candidates, Decay, Example, JudgedTopic, Mirmu, Negatives, Network, Objective, Options, Outcome, Pairs,
    Sampler, Schedule, Texts, Training,
};

/// Texts by number.
struct Given(Vec<String>);

impl Texts for Given {
    fn text(&mut self, number: u32, _: u64) -> Result<String, String> {
        self.0.get(number as usize).cloned().ok_or_else(|| format!("there is no text {number}"))
    }
}

fn given(texts: &[&str]) -> Box<dyn Texts> {
    Box::new(Given(texts.iter().map(|text| (*text).to_owned()).collect()))
}

/// The learner of a fixture, with two logits where its head has two.
fn learner(name: &str, folder: &Path, texts: &[&str]) -> Learner<'static> {
    if !PAIRS.contains(&name) {
        return Learner::encoder(folder, None, given(texts)).unwrap();
    }
    Learner::cross_encoder(folder, logits(name), None, 1, given(texts)).unwrap()
}

fn logits(name: &str) -> usize {
    if ["pairs-roberta", "pairs-distilbert"].contains(&name) { 2 } else { 1 }
}

/// Those that make a vector of a text.
fn encoders() -> impl Iterator<Item = &'static str> {
    TEXTS.into_iter().filter(|name| *name != "bert-colbert")
}

fn objective(name: &str) -> Objective {
    match PAIRS.contains(&name).then(|| logits(name)) {
        None => Objective::Ranking { scale: 20.0, negatives: Negatives::Shared },
        Some(1) => Objective::OneLogit,
        Some(_) => Objective::TwoLogits,
    }
}

fn options(objective: Objective, rate: f64, steps: u32) -> Options {
    Options {
        objective,
        schedule: Schedule { rate, warmup: 0, decay: Decay::Constant, restarts: false },
        batch: 64,
        accumulate: 1,
        epochs: steps,
        max_steps: None,
        decay: 0.01,
        clip: 1.0,
        seed: 1,
        measure_every: 0,
        patience: 0,
    }
}

fn train(learner: &mut Learner<'_>, sampler: &Sampler, options: &Options) -> Outcome {
    let folder = TempDir::new("training-work");
    let training = Training::open(folder.path(), "plan", Duration::MAX).unwrap();
    training.run(learner, sampler, &[], options, &mut ()).unwrap()
}

/// A test fails if the loss, a gradient or one of three steps of AdamW differs from what torch finds.
#[test]
fn losses_gradients_and_steps_are_those_of_torch() {
    let expected = fixture("gradients");
    let texts: Vec<&str> = ["queries", "documents", "hard"]
        .into_iter()
        .flat_map(|part| expected[part].as_array().unwrap().iter().map(|text| text.as_str().unwrap()))
        .collect();
    for name in encoders().chain(PAIRS) {
        let folder = TempDir::new("training-torch");
        write_named(name, &folder);
        let mut learner = learner(name, folder.path(), &texts);
        let examples: Vec<Example> = (0..3)
            .map(|number| Example {
                negative: (!PAIRS.contains(&name)).then_some(6 + number),
                negative_thread: 100 + number,
                target: expected["labels"][number as usize].as_f64().unwrap() as f32,
                ..Example::new(number, 3 + number, number)
            })
            .collect();
        let (loss, gradient) = gradient(&mut learner, objective(name), &examples);
        let of_model = &expected["models"][name];
        let first = of_model["losses"][0].as_f64().unwrap();
        assert!((loss - first).abs() < 1e-4, "{name}: {loss}, not {first}");
        compare(name, &learner, &gradient, &of_model["gradients"]);
        let given =
            examples.iter().map(|example| (example.query, vec![(example.query + 6, 100 + example.query)]));
        let candidates =
            if PAIRS.contains(&name) { Candidates::None } else { Candidates::Given(given.collect()) };
        let sampler = Sampler::Pairs(Pairs::new(examples, HashMap::new(), candidates));
        let rate = expected["rate"].as_f64().unwrap();
        let outcome = train(&mut learner, &sampler, &options(objective(name), rate, 3));
        for (point, expected) in outcome.curve.iter().zip(of_model["losses"].as_array().unwrap()) {
            let expected = expected.as_f64().unwrap();
            assert!(
                (point.1 - expected).abs() < 2e-4,
                "{name}, step {}: {}, not {expected}",
                point.0,
                point.1
            );
        }
        assert_eq!(outcome.curve.len(), 3);
    }
}

/// The length of each tensor's gradient, and its product with a direction.
fn compare(name: &str, learner: &Learner<'_>, gradient: &[f32], expected: &Value) {
    let (mut compared, expected) = (0, expected.as_object().unwrap());
    for (tensor, range) in learner.tensors() {
        let found = &gradient[range];
        let Some(expected) = expected.get(&tensor) else {
            assert!(found.iter().all(|slope| *slope == 0.0), "{name} {tensor}");
            continue;
        };
        let file = tensor.rsplit('/').next().unwrap();
        let direction =
            numbers(&format!("along {}", if tensor.contains('/') { &tensor } else { file }), &[found.len()]);
        let dot = |left: &[f32], right: &[f32]| -> f64 {
            left.iter().zip(right).map(|(left, right)| f64::from(*left) * f64::from(*right)).sum()
        };
        let (length, along) = (dot(found, found).sqrt(), dot(found, &direction));
        let [of_torch, along_of_torch] = [0, 1].map(|place| expected[place].as_f64().unwrap());
        let tolerance = 1e-4 * (1.0 + of_torch);
        assert!((length - of_torch).abs() < tolerance, "{name} {tensor}: {length}, not {of_torch}");
        assert!((along - along_of_torch).abs() < tolerance, "{name} {tensor}: {along}, not {along_of_torch}");
        compared += 1;
    }
    assert_eq!(compared, expected.len(), "{name}");
}

fn gradient(learner: &mut Learner<'_>, objective: Objective, examples: &[Example]) -> (f64, Vec<f32>) {
    let inputs: Vec<_> = if objective.is_cross() {
        examples.iter().map(|pair| learner.read(pair.query, Some(pair.document), 0).unwrap()).collect()
    } else {
        let queries = examples.iter().map(|example| example.query);
        let documents = examples.iter().map(|example| example.document);
        let hard = examples.iter().filter_map(|example| example.negative);
        queries.chain(documents).chain(hard).map(|text| learner.read(text, None, 0).unwrap()).collect()
    };
    let rows = learner.outputs(&inputs).unwrap();
    let lossy = objective.loss(&rows, learner.width(), examples);
    let mut gradient = vec![0.0; learner.parameters().len()];
    learner.back(&inputs, &lossy.gradient, &mut gradient);
    (lossy.loss, gradient)
}

/// Along the gradient of each tensor, and along its greatest numbers, the output changes as the gradient says.
#[test]
fn gradients_are_central_differences() {
    let texts = ["the number is even .", "is a prime odd ?", "the sum of a number and a prime is not even ."];
    for name in encoders().chain(PAIRS) {
        let folder = TempDir::new("training-differences");
        write_named(name, &folder);
        let mut learner = learner(name, folder.path(), &texts);
        let other = PAIRS.contains(&name).then_some(1);
        let inputs: Vec<_> = [0, 2].map(|text| learner.read(text, other, 0).unwrap()).into();
        let weights = numbers("weights of the outputs", &[inputs.len() * learner.width()]);
        let mut gradient = vec![0.0; learner.parameters().len()];
        learner.back(&inputs, &weights, &mut gradient);
        let start = learner.parameters().to_vec();
        let mut at = |direction: &[(usize, f32)], step: f32| -> f64 {
            let mut moved = start.clone();
            direction.iter().for_each(|(place, share)| moved[*place] += step * share);
            learner.prepare(&moved);
            let rows = learner.outputs(&inputs).unwrap();
            rows.iter().zip(&weights).map(|(row, weight)| f64::from(*row) * f64::from(*weight)).sum()
        };
        let tensors: Vec<_> = self::learner(name, folder.path(), &texts).tensors().collect();
        for (tensor, range) in tensors {
            let slopes: Vec<(usize, f32)> = range.map(|place| (place, gradient[place])).collect();
            let length = slopes.iter().map(|(_, slope)| slope * slope).sum::<f32>().sqrt();
            if length < 1e-3 {
                continue;
            }
            let along: Vec<(usize, f32)> =
                slopes.iter().map(|(place, slope)| (*place, slope / length)).collect();
            let greatest = slopes.iter().copied().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).unwrap();
            for (direction, expected) in [(along, length), (vec![(greatest.0, 1.0)], greatest.1)] {
                // Within a wide step another token may become the greatest, and a narrow one has few digits.
                let slopes = [4e-3, 4e-4]
                    .map(|step: f32| (at(&direction, step) - at(&direction, -step)) / f64::from(2.0 * step));
                let fits = |slope: &f64| (slope - f64::from(expected)).abs() < 3e-3 + 0.02 * slope.abs();
                assert!(slopes.iter().any(fits), "{name} {tensor}: {expected}, not {slopes:?}");
            }
        }
    }
}

/// What is computed on the way forward is what the encoder computes, and what is written is read as the same.
#[test]
fn a_written_model_gives_the_rows_of_the_learner_to_the_bit() {
    let record =
        Record { base: "a base".to_owned(), training: json!({"seed": 1}), card: "# A model\n".to_owned() };
    for name in encoders().chain(PAIRS) {
        let (folder, written) = (TempDir::new("training-base"), TempDir::new("training-written"));
        let target = written.path().join("model");
        let fixture = write_named(name, &folder);
        let is_pair = PAIRS.contains(&name);
        let texts: Vec<&str> = if is_pair {
            fixture["pairs"]
                .as_array()
                .unwrap()
                .iter()
                .flat_map(|pair| [0, 1].map(|of| pair[of].as_str().unwrap()))
                .collect()
        } else {
            fixture["texts"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
        };
        let mut learner = learner(name, folder.path(), &texts);
        let open = |folder: &Path| -> Vec<f32> {
            let options = EncoderOptions::default();
            if is_pair {
                let pairs: Vec<(&str, &str)> = texts.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
                CrossEncoder::open(folder, &options).unwrap().scores(&pairs).unwrap()
            } else {
                TextEncoder::open(folder, &options).unwrap().encode(&texts).unwrap()
            }
        };
        let mut rows = |parameters: Option<&[f32]>| -> Vec<f32> {
            if let Some(parameters) = parameters {
                learner.prepare(parameters);
                learner.write(&target, parameters, &record).unwrap();
            }
            let step = if is_pair { 2 } else { 1 };
            let inputs: Vec<_> = (0..texts.len() as u32)
                .step_by(step)
                .map(|text| learner.read(text, is_pair.then_some(text + 1), 0).unwrap())
                .collect();
            let rows = learner.outputs(&inputs).unwrap();
            // Of two logits the second is the score.
            if is_pair {
                rows.chunks_exact(learner.width()).map(|row| row[row.len() - 1]).collect()
            } else {
                rows
            }
        };
        assert_eq!(rows(None), open(folder.path()), "{name}");
        let mut moved = self::learner(name, folder.path(), &texts).parameters().to_vec();
        moved.iter_mut().enumerate().for_each(|(place, number)| *number += (place % 7) as f32 / 100.0);
        let expected = rows(Some(&moved));
        assert_eq!(open(&target), expected, "{name}");
        assert_ne!(expected, open(folder.path()), "{name}");
        let config: Value =
            serde_json::from_slice(&std::fs::read(target.join("config.json")).unwrap()).unwrap();
        assert_eq!(config["hypatia_training"]["seed"], 1);
    }
}

/// A model of texts becomes one of pairs: a new head beside the encoder, of as many logits as are wanted.
#[test]
fn an_encoder_becomes_a_cross_encoder() {
    for (name, logits) in [("bert", 1), ("roberta", 2), ("albert", 1), ("distilbert", 2), ("mpnet", 1)] {
        let (folder, written) = (TempDir::new("training-base"), TempDir::new("training-head"));
        write_named(name, &folder);
        let texts = ["is the number even ?", "the number is even ."];
        let target = written.path().join("model");
        let open =
            |seed| Learner::cross_encoder(folder.path(), logits, Some(40), seed, given(&texts)).unwrap();
        let mut learner = open(7);
        assert_eq!(learner.parameters(), open(7).parameters(), "{name}");
        assert_ne!(learner.parameters(), open(8).parameters(), "{name}");
        learner.write(&target, learner.parameters(), &Record::default()).unwrap();
        let input = learner.read(0, Some(1), 0).unwrap();
        let row = learner.outputs(&[input]).unwrap();
        let judge = CrossEncoder::open(&target, &EncoderOptions::with_max_tokens(40)).unwrap();
        assert_eq!(judge.scores(&[(texts[0], texts[1])]).unwrap(), row[logits - 1..], "{name}");
        let config: Value =
            serde_json::from_slice(&std::fs::read(target.join("config.json")).unwrap()).unwrap();
        let architecture = config["architectures"][0].as_str().unwrap();
        assert!(architecture.ends_with("ForSequenceClassification"), "{architecture}");
        assert_eq!(config["id2label"].as_object().unwrap().len(), logits);
        assert!(!target.join("modules.json").exists());
    }
}

#[test]
fn gradients_do_not_depend_on_threads() {
    let folder = TempDir::new("training-threads");
    for name in ["bert", "albert-shared", "mpnet"] {
        write_named(name, &folder);
        let texts: Vec<String> = (1..40).map(|count| "the number is even . ".repeat(1 + count % 9)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut learner = learner(name, folder.path(), &texts);
                let inputs: Vec<_> = (0..39).map(|text| learner.read(text, None, 0).unwrap()).collect();
                let rows = learner.outputs(&inputs).unwrap();
                let mut gradient = vec![0.0; learner.parameters().len()];
                learner.back(&inputs, &rows, &mut gradient);
                (rows, gradient)
            })
        };
        let expected = run(1);
        assert!(expected.1.iter().any(|slope| *slope != 0.0));
        for threads in [2, 3, 7] {
            assert!(run(threads) == expected, "{name}, {threads} threads");
        }
    }
}

const TEN: [&str; 20] = [
    "is the number even ?",
    "is the number odd ?",
    "prime ?",
    "sum of a prime ?",
    "is not",
    "the the the",
    "odd odd",
    "a number and a sum",
    "even and odd",
    ". ? .",
    "the sum is odd",
    "not a prime",
    "a sum",
    "the number",
    "prime prime",
    "is even",
    "of a number ?",
    "and and",
    "odd . even",
    "? the",
];

#[test]
fn ten_pairs_are_learned_by_heart() {
    let folder = TempDir::new("training-ten");
    write_named("bert", &folder);
    let mut learner = Learner::encoder(folder.path(), None, given(&TEN)).unwrap();
    let examples = (0..10).map(|number| Example::new(number, 10 + number, number)).collect();
    let sampler = Sampler::Pairs(Pairs::new(examples, HashMap::new(), Candidates::None));
    let ranking = Objective::Ranking { scale: 20.0, negatives: Negatives::Shared };
    let outcome = train(&mut learner, &sampler, &options(ranking, 3e-3, 150));
    let (first, last) = (outcome.curve[0].1, outcome.curve.last().unwrap().1);
    assert!(first > 1.0 && last < 0.02, "{first} to {last}");
}

#[test]
fn a_cross_encoder_learns_ten_pairs_by_heart() {
    for (name, objective) in [("pairs-bert", Objective::OneLogit), ("pairs-roberta", Objective::TwoLogits)] {
        let folder = TempDir::new("training-ten-pairs");
        write_named(name, &folder);
        let mut learner = learner(name, folder.path(), &TEN);
        let topics = (0..10).map(|query| JudgedTopic { query, relevant: vec![10 + query] }).collect();
        let mirmu = Mirmu { topics, texts: (10..20).collect(), draws: 4 };
        let outcome = train(&mut learner, &Sampler::Mirmu(mirmu), &options(objective, 3e-3, 250));
        let (first, last) = (outcome.curve[0].1, outcome.curve.last().unwrap().1);
        assert!(first > 0.5 && last < 0.1, "{name}: {first} to {last}");
    }
}

#[test]
fn an_adapter_is_a_module_that_every_reader_knows() {
    for name in ["bert", "roberta", "mpnet"] {
        let (folder, written) = (TempDir::new("adapter-base"), TempDir::new("adapter-written"));
        write_named(name, &folder);
        let target = written.path().join("model");
        let texts = ["the number is even .", "is a prime odd ?"];
        let base = TextEncoder::open(folder.path(), &EncoderOptions::default()).unwrap();
        let (width, vectors) = (base.dimensions(), base.encode(&texts).unwrap());
        let matrix = numbers("adapter", &[width, width]);
        write_adapter(folder.path(), &target, &matrix, &Record::default()).unwrap();
        let found = TextEncoder::open(&target, &EncoderOptions::default()).unwrap().encode(&texts).unwrap();
        for (vector, found) in vectors.chunks_exact(width).zip(found.chunks_exact(width)) {
            let dot = |row: &[f32]| row.iter().zip(vector).map(|(a, b)| a * b).sum::<f32>();
            let turned: Vec<f32> = matrix.chunks_exact(width).map(dot).collect();
            let length = turned.iter().map(|x| x * x).sum::<f32>().sqrt();
            for (turned, found) in turned.iter().zip(found) {
                assert!((turned / length - found).abs() < 1e-5, "{name}");
            }
        }
        assert_ne!(
            base.fingerprint(),
            TextEncoder::open(&target, &EncoderOptions::default()).unwrap().fingerprint()
        );
    }
}

#[test]
fn what_cannot_learn_is_an_error_with_a_reason() {
    let folder = TempDir::new("training-wrong");
    write_named("bert", &folder);
    let mut learner = Learner::encoder(folder.path(), None, given(&["prime"])).unwrap();
    assert_eq!(learner.read(5, None, 0).unwrap_err(), "there is no text 5");
    assert!(learner.memory() > 1 << 20);
    let error = Learner::encoder(folder.path(), Some(2), given(&[])).unwrap_err().to_string();
    assert!(error.contains("a limit of 2 tokens was asked for"), "{error}");
    let late = TempDir::new("training-late");
    write_named("bert", &late);
    let list = json!([{"type": "Transformer", "path": ""}, {"type": "Dense", "path": "1_Dense"}]);
    std::fs::write(late.path().join("modules.json"), list.to_string()).unwrap();
    let error = Learner::encoder(late.path(), None, given(&[])).unwrap_err().to_string();
    assert!(error.contains("a vector for each token only"), "{error}");
    std::fs::remove_file(folder.path().join("model.safetensors")).unwrap();
    assert!(Learner::encoder(folder.path(), None, given(&[])).is_err());
}
