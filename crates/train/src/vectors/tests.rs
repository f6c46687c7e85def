//! Steps worked out by hand, gradients compared with differences, and whole trainings.

use super::chance::Negatives;
use super::learner::{Learner, Made, Network, Plan};
use super::numbers::{BLOCK, Block};
use super::options::{Algorithm, Objective, Options, Reference, Subwords};
use super::rows::{Matrix, Plain, Rows, Shared};
use super::sigmoid::Sigmoid;
use super::subwords::{bucket, hash, ngrams};
use super::training::{Stopped, Watch};
use super::work::Work;
use super::{Error, TokenVectors};
use testkit::TempDir;

const FASTTEXT: Subwords = Subwords { shortest: 3, longest: 6, buckets: 2_000_000 };

#[test]
fn hashes_are_those_of_fasttext() {
    let known = [
        ("<a", 1_761_008_750, 1_008_750),
        ("where", 90_969_176, 969_176),
        ("<wh", 1_048_167_652, 167_652),
        ("é", 1_023_043_777, 1_043_777),
    ];
    for (text, expected, in_bucket) in known {
        assert_eq!((hash(text), bucket(text, 2_000_000)), (expected, in_bucket), "{text}");
    }
}

#[test]
fn subwords_are_those_of_fasttext() {
    let of = |token: &str| {
        let mut buckets = Vec::new();
        ngrams(token, &FASTTEXT, |bucket| buckets.push(bucket));
        buckets
    };
    assert_eq!(
        of("where"),
        [
            167_652, 989_715, 1_526_707, 1_071_586, 420_941, 312_621, 969_176, 121_234, 1_473_420, 1_540_811,
            114_991, 1_529_033, 1_568_469, 867_498
        ]
    );
    // Words of tuples, whose characters have two and three bytes.
    assert_eq!(
        of("\u{EA60}\u{EA61}\u{EA62}\u{EA63}\u{01F4}"),
        [
            1_187_926, 1_995_811, 348_891, 1_154_656, 1_032_881, 109_981, 1_838_702, 1_400_304, 588_142,
            1_848_493, 1_637_609, 466_443, 363_759, 1_541_108
        ]
    );
    assert_eq!(of("\u{EA60}\u{EA61}\u{01F4}"), [1_187_926, 436_693, 401_521, 35_027, 1_183_767, 962_378]);
    // Single characters: not the marks of the beginning and the end.
    let mut count = 0;
    ngrams("ab", &Subwords { shortest: 1, longest: 1, ..FASTTEXT }, |_| count += 1);
    assert_eq!(count, 2);
}

/// A row of one block.
fn row(numbers: &[f32]) -> Block {
    let mut row = [0.0; BLOCK];
    row[..numbers.len()].copy_from_slice(numbers);
    row
}

fn matrix<M: Matrix>(rows: &[&[f32]]) -> M {
    M::new(rows.len(), 1, |number, into| into[0] = row(rows[number]))
}

fn numbers<M: Matrix>(matrix: &M, number: usize, length: usize) -> Vec<f32> {
    let mut into = [[0.0; BLOCK]];
    matrix.read(number, &mut into);
    into[0][..length].to_vec()
}

fn close(found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len());
    let near = found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1.5e-6);
    assert!(near, "{found:?} in place of {expected:?}");
}

/// A network whose only negative is the last output row, with the exact logistic function.
fn plan(algorithm: Algorithm, made: Made, tokens: usize, change: impl FnOnce(&mut Options)) -> Plan {
    let mut options = Options { dimensions: 4, negatives: 1, ..Options::of(algorithm) };
    change(&mut options);
    let mut counts = vec![0; tokens];
    counts[tokens - 1] = 1;
    let drawn = Negatives::new(options.algorithm.reference(), &counts);
    let plan = Plan::new(&options, made, vec![1.0; tokens], drawn);
    Plan { sigmoid: Sigmoid::exact(), ..plan }
}

/// The step of the skip-gram of fastText, by hand: a word of two rows predicts another.
fn skip_gram_step<M: Matrix>(learn: impl FnOnce(&Plan, &mut Network<M>)) {
    // Token 0 is made of its own row and that of a bucket; 1 is the target; 2 is drawn.
    let mut made = Made::default();
    made.push(0, &[3], Reference::Facebook);
    made.push(1, &[], Reference::Facebook);
    made.push(2, &[], Reference::Facebook);
    let plan = plan(Algorithm::Fasttext, made, 3, |options| options.window = 1);
    let mut network: Network<M> = Network {
        input: matrix(&[&[0.1, -0.2], &[0.0, 0.0], &[0.0, 0.0], &[0.3, 0.0]]),
        output: matrix(&[&[0.0, 0.0], &[0.5, 0.4], &[-0.3, 0.2]]),
        positions: matrix(&[]),
    };
    learn(&plan, &mut network);
    close(&numbers(&network.input, 0, 2), &[0.119325, -0.195100]);
    close(&numbers(&network.input, 3, 2), &[0.319325, 0.004900]);
    close(&numbers(&network.output, 1, 2), &[0.504850, 0.397575]);
    close(&numbers(&network.output, 2, 2), &[-0.304800, 0.202400]);
}

#[test]
fn a_step_of_skip_gram_on_rows_of_one_thread_and_of_several() {
    skip_gram_step::<Plain>(|plan, network| {
        let Network { input, output, positions } = network;
        let mut learner = Learner::new(plan);
        learner.centre(&[0, 1], 0, 0.05, &mut Network { input, output, positions });
        close(&learner.gradient()[0][..2], &[0.019325, 0.004900]);
    });
    skip_gram_step::<Shared>(|plan, network| {
        let network = &*network;
        let mut view =
            Network { input: &network.input, output: &network.output, positions: &network.positions };
        let mut learner = Learner::new(plan);
        learner.centre(&[0, 1], 0, 0.05, &mut view);
        close(&learner.gradient()[0][..2], &[0.019325, 0.004900]);
    });
}

#[test]
fn a_step_of_cbow_with_and_without_places() {
    let outputs: [&[f32]; 4] = [&[0.0; 4], &[0.1, 0.2, -0.1, 0.3], &[0.0; 4], &[-0.2, 0.1, 0.3, 0.0]];
    let inputs: [&[f32]; 4] = [&[0.2, -0.1, 0.4, 0.0], &[0.0; 4], &[-0.3, 0.5, 0.1, 0.2], &[0.0; 4]];
    let learn = |positional: usize, places: &[&[f32]]| {
        let mut made = Made::default();
        (0..4).for_each(|token| made.push(token, &[], Reference::Pine));
        let plan = plan(Algorithm::PositionalWord2vec, made, 4, |options| {
            (options.positional, options.window) = (positional, 1);
        });
        let mut network: Network<Plain> =
            Network { input: matrix(&inputs), output: matrix(&outputs), positions: matrix(places) };
        let mut learner = Learner::new(&plan);
        let Network { input, output, positions } = &mut network;
        learner.centre(&[0, 1, 2], 1, 0.05, &mut Network { input, output, positions });
        let hidden = learner.hidden()[0][..4].to_vec();
        let gradient = learner.gradient()[0][..4].to_vec();
        (network, hidden, gradient)
    };
    let (_, hidden, _) = learn(0, &[]);
    close(&hidden, &[-0.05, 0.2, 0.25, 0.1]);
    let (network, hidden, gradient) = learn(2, &[&[1.2, 0.8], &[0.5, -1.0]]);
    close(&hidden, &[0.045, -0.29, 0.25, 0.1]);
    close(&gradient, &[0.007653, 0.002575, -0.010199, 0.007682]);
    close(&numbers(&network.input, 0, 4), &[0.209184, -0.097940, 0.389801, 0.007682]);
    close(&numbers(&network.input, 2, 4), &[-0.296173, 0.497425, 0.089801, 0.207682]);
    close(&numbers(&network.positions, 0, 2), &[1.201531, 0.799743]);
    close(&numbers(&network.positions, 1, 2), &[0.497704, -0.998713]);
    close(&numbers(&network.output, 1, 4), &[0.101152, 0.192574, -0.093598, 0.302561]);
    close(&numbers(&network.output, 3, 4), &[-0.201146, 0.107384, 0.293634, -0.002546]);
}

/// Rows that cannot be changed: what is learned from them is the gradient of the loss as it stands.
struct Still<'m>(&'m Plain);

impl Rows for Still<'_> {
    fn add_to(&self, row: usize, sum: &mut [Block]) {
        let mut numbers = [[0.0; BLOCK]];
        self.0.read(row, &mut numbers);
        sum[0].iter_mut().zip(numbers[0]).for_each(|(sum, number)| *sum += number);
    }

    fn change(&mut self, _: usize, _: &[Block]) {}

    fn touch(&self, _: usize) -> u32 {
        0
    }

    fn dot(&self, row: usize, vector: &[Block]) -> f32 {
        let mut numbers = [[0.0; BLOCK]];
        self.0.read(row, &mut numbers);
        vector[0].iter().zip(numbers[0]).map(|(left, right)| left * right).sum()
    }

    fn learn(&mut self, row: usize, factor: f32, _: &[Block], gradient: &mut [Block]) {
        let mut numbers = [[0.0; BLOCK]];
        self.0.read(row, &mut numbers);
        gradient[0].iter_mut().zip(numbers[0]).for_each(|(sum, number)| *sum += factor * number);
    }
}

#[test]
fn gradients_are_those_of_the_loss() {
    let output: Plain = matrix(&[&[0.3, -0.4, 0.2, 0.7], &[0.5, 0.1, -0.2, 0.3], &[-0.6, 0.4, 0.1, -0.2]]);
    let of = |input: &[f32]| {
        let mut made = Made::default();
        (0..3).for_each(|token| made.push(token, &[], Reference::Facebook));
        let plan = plan(Algorithm::Fasttext, made, 3, |options| options.window = 1);
        let input: Plain = matrix(&[input, &[0.0; 4], &[0.0; 4]]);
        let empty: Plain = matrix(&[]);
        let mut learner = Learner::new(&plan);
        let mut network = Network { input: Still(&input), output: Still(&output), positions: Still(&empty) };
        learner.centre(&[0, 1], 0, 1.0, &mut network);
        (learner.loss.0, learner.gradient()[0])
    };
    let at = [0.2, -0.3, 0.5, 0.1];
    let (_, gradient) = of(&at);
    for dimension in 0..at.len() {
        let moved = |by: f32| {
            let mut moved = at;
            moved[dimension] += by;
            of(&moved).0
        };
        // What is added to the vector lowers the loss.
        let slope = (moved(0.01) - moved(-0.01)) / 0.02;
        assert!((slope + f64::from(gradient[dimension])).abs() < 1e-4, "{slope} {}", gradient[dimension]);
    }
}

/// Two kinds of sequences, whose tokens occur with each other only.
fn lines() -> Vec<String> {
    let mut rng = stats::rng::Rng::seeded(5);
    let mut line = |line: usize| {
        let kind = if line.is_multiple_of(2) { "even" } else { "odd" };
        let tokens: Vec<String> = (0..8).map(|_| format!("{kind}{}", rng.index(12))).collect();
        tokens.join(" ")
    };
    (0..2000).map(|number| line(number)).collect()
}

fn options(algorithm: Algorithm, threads: usize) -> Options {
    let common = Options::of(algorithm);
    Options {
        dimensions: 24,
        epochs: 6,
        rate: 0.1,
        sample: 0.0,
        positional: common.positional.min(8),
        threads,
        ..common
    }
}

/// Trains in a folder, and gives the folder of the model.
fn train(folder: &TempDir, options: &Options, watch: &mut dyn Watch) -> Result<std::path::PathBuf, Error> {
    let mut work = Work::open(folder.path(), options, "lines")?;
    if let Some(mut sequences) = work.sequences()? {
        for line in lines() {
            sequences.push(line.split(' '))?;
        }
        sequences.finish(&[("extra.json", b"{}")])?;
    }
    work.train(watch)?;
    work.write_model(&["lines".to_owned()])
}

#[test]
fn tokens_of_a_kind_come_close_by_every_algorithm() {
    for algorithm in Algorithm::ALL {
        for (objective, threads) in [(Objective::SkipGram, 1), (Objective::Cbow, 1), (Objective::Cbow, 3)] {
            // Places are for CBOW, and learn slowly from few tokens: with threads, too slowly to be sure.
            if algorithm == Algorithm::PositionalWord2vec && (objective, threads) != (Objective::Cbow, 1) {
                continue;
            }
            let dir = TempDir::new("train-kinds");
            let options = Options { objective, ..options(algorithm, threads) };
            let model = TokenVectors::open(&train(&dir, &options, &mut ()).unwrap()).unwrap();
            assert_eq!(model.len(), 24);
            let nearest = model.nearest(&model.token("even3").unwrap(), 12);
            let right = nearest.iter().filter(|(token, _)| token.starts_with("even")).count();
            assert!(right >= 11, "{algorithm} {objective} on {threads}: {nearest:?}");
            // Unknown tokens are made of sub-words where there are some.
            assert_eq!(model.token("even99").is_some(), options.subwords.is_some());
            assert_eq!(model.sequence([]), vec![0.0; 24]);
        }
    }
}

/// Stops after a number of looks.
struct Impatient(u32);

impl Watch for Impatient {
    fn learned(&mut self, done: u64, total: u64, loss: f64) -> Stopped {
        assert!(done <= total && loss.is_finite());
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { Stopped::Yes } else { Stopped::No }
    }
}

#[test]
fn one_thread_gives_the_same_bytes_also_when_it_was_stopped() {
    let bytes = |folder: &std::path::Path| std::fs::read(folder.join("model.safetensors")).unwrap();
    for algorithm in [Algorithm::GensimFasttext, Algorithm::PositionalWord2vec] {
        let options = Options { epochs: 4, ..options(algorithm, 1) };
        let (whole, stopped) = (TempDir::new("train-whole"), TempDir::new("train-stopped"));
        let expected = bytes(&train(&whole, &options, &mut ()).unwrap());
        let mut stops = 0;
        let model = loop {
            match train(&stopped, &options, &mut Impatient(1)) {
                Ok(model) => break model,
                Err(Error::Stopped) => stops += 1,
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!(stops, 3, "every epoch is a round here");
        assert!(bytes(&model) == expected, "{algorithm}");
        assert_eq!(std::fs::read(model.join("extra.json")).unwrap(), b"{}");
    }
}

#[test]
fn a_folder_belongs_to_one_training() {
    let dir = TempDir::new("train-other");
    let first = options(Algorithm::Fasttext, 1);
    Work::open(dir.path(), &first, "lines").unwrap();
    // The number of threads may change.
    Work::open(dir.path(), &Options { threads: 2, ..first.clone() }, "lines").unwrap();
    let error = Work::open(dir.path(), &first, "others").unwrap_err().to_string();
    assert!(error.contains("unfinished training with other data"), "{error}");
    let error = Work::open(dir.path(), &Options { window: 2, ..first.clone() }, "lines").unwrap_err();
    assert!(error.to_string().contains("with other options"), "{error}");
    let error = Work::open(dir.path(), &Options { window: 0, ..first }, "lines").unwrap_err().to_string();
    assert_eq!(error, "a window has from 1 to 1000 tokens on each side");
}

#[test]
fn damaged_files_are_named() {
    let dir = TempDir::new("train-damaged");
    let options = options(Algorithm::Fasttext, 1);
    let model = train(&dir, &options, &mut ()).unwrap();
    let change = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let path = model.join(name);
        let whole = std::fs::read(&path).unwrap();
        let mut bytes = whole.clone();
        change(&mut bytes);
        std::fs::write(&path, bytes).unwrap();
        let error = TokenVectors::open(&model).map(|_| ()).unwrap_err().to_string();
        std::fs::write(&path, whole).unwrap();
        assert!(error.contains(name) && error.contains("damaged"), "{error}");
    };
    change("model.safetensors", &|bytes| bytes.truncate(1000));
    change("model.safetensors", &|bytes| bytes[..8].fill(0xff));
    change("vocabulary.tsv", &|bytes| bytes.truncate(20));
    change("vocabulary.tsv", &|bytes| bytes.extend(b"more\t1\n"));
    change("config.json", &|bytes| bytes.truncate(9));
    let path = dir.path().join("learned");
    let mut bytes = std::fs::read(&path).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let error = train(&dir, &options, &mut ()).unwrap_err().to_string();
    assert!(error.contains("learned: is damaged"), "{error}");
}

#[test]
fn nothing_frequent_is_nothing_to_learn_from() {
    let dir = TempDir::new("train-nothing");
    let mut work = Work::open(dir.path(), &Options::of(Algorithm::Fasttext), "words").unwrap();
    let mut sequences = work.sequences().unwrap().unwrap();
    sequences.push(["a", "", "b"]).unwrap();
    let error = sequences.finish(&[]).unwrap_err().to_string();
    assert_eq!(
        error,
        "nothing to learn from: 1 sequences with 2 distinct tokens, none of which occurs 5 times"
    );
}
