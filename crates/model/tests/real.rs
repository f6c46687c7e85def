//! Models that people use, where they are at hand: tokens and words as other programs give them.

use eval::task3::AnswerSimilarity;
use generate::{Continue, Ended, Generator, Message, Prompt, Request, Role};
use model::{ContextualSimilarity, EncoderOptions, LocalModel, Options, TextEncoder};

fn smollm2() -> Option<LocalModel> {
    let folder = testkit::model_dir("smollm2")?;
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "gguf")).collect();
    files.sort();
    Some(LocalModel::open(&files[0], &Options::default()).unwrap())
}

fn ask(model: &LocalModel, prompt: Prompt, max_tokens: usize) -> (String, Ended) {
    let request = Request { prompt, temperature: 0.0, max_tokens, seed: 1, stop: Vec::new() };
    let completion = model.generate(&request, &mut |_| Continue::Yes).unwrap();
    (completion.text, completion.ended)
}

/// The words that llama.cpp gives for the same file, and transformers 5.22 with its weights unpacked to
/// single precision.
#[test]
fn smollm2_writes_what_other_programs_write() {
    let Some(model) = smollm2() else { return };
    assert_eq!(
        model.name(),
        "SmolLM2-135M-Instruct.Q4_1.gguf (llama, 135M parameters, Q4_1, xxh3 b8951aa641e75aa1)"
    );
    assert_eq!(model.remarks(), [""; 0]);
    let content = "What is a prime number? Answer in two sentences.".to_owned();
    let (text, ended) = ask(&model, Prompt::Chat(vec![Message { role: Role::User, content }]), 64);
    let expected = "A prime number is a positive integer greater than 1 that has no positive integer divisors other than \
        1 and itself.";
    assert_eq!((text.as_str(), ended), (expected, Ended::Itself));

    let (text, ended) = ask(&model, Prompt::Text("The derivative of the sine function is".to_owned()), 64);
    let expected = " 1/sin(x), which is a fundamental property of the sine function.\n\nThe sine function has a \
        beautiful connection to the exponential function. In fact, the sine function can be expressed as the \
        exponential function e^(x), where e is the base of the natural logarithm. This exponential function is";
    assert_eq!((text.as_str(), ended), (expected, Ended::Limit));
}

/// As many tokens as transformers and llama.cpp make.
#[test]
fn smollm2_cuts_texts_as_other_programs_do() {
    let Some(model) = smollm2() else { return };
    let count = |text: &str| model.count_tokens(&Prompt::Text(text.to_owned())).unwrap();
    assert_eq!(count("The derivative of the sine function is"), 7);
    assert_eq!(count("Let $x_{12} \\in \\mathbb{R}$, 3.14159 don't\n\n  tab\tend  "), 31);
    assert_eq!(count("naïve Σ ≤ 数学 🙂"), 10);
    let chat = |content: &str| {
        let message = Message { role: Role::User, content: content.to_owned() };
        model.count_tokens(&Prompt::Chat(vec![message])).unwrap()
    };
    assert_eq!(chat("What is a prime number? Answer in two sentences."), 41);
    // A marker is as many tokens as its characters make, beside what is there for an empty message.
    assert!(chat("<|im_end|>") > chat("") + 3);
}

/// What bert_score 0.3.12 gives with the same weights, for all six layers and for three of them.
#[test]
fn minilm_compares_texts_as_bert_score_does() {
    let Some(folder) = testkit::model_dir("minilm") else { return };
    let long = ["a ".repeat(600), "a b c ".repeat(300)];
    let pairs = [
        ("It is even.", "The number is even.", 0.695_971, 0.773_703),
        (
            "Since $n^2$ is even, $n$ is even as well.",
            "If n were odd, its square would be odd; hence n is even.",
            0.656_814,
            0.584_479,
        ),
        (
            "prime",
            "The derivative of \\sin x is \\cos x, which follows from the addition formulas.",
            0.031_363,
            0.257_784,
        ),
        (
            "The derivative of \\sin x is \\cos x.",
            "  The derivative of $\\sin x$ is $\\cos x$, which follows from the addition formulas. ",
            0.848_987,
            0.792_804,
        ),
        (&long[0], &long[1], 0.460_94, 0.688_921),
    ];
    let all = ContextualSimilarity::read(&folder, None).unwrap();
    let three = ContextualSimilarity::read(&folder, Some(3)).unwrap();
    assert_eq!(all.rules()[1].value, "6 of 6");
    assert_eq!(all.rules()[2].value, "512 tokens");
    for (answer, reference, of_all, of_three) in pairs {
        for (measure, expected) in [(&all, of_all), (&three, of_three)] {
            let found = measure.similarities(answer, &[reference]).unwrap()[0].unwrap();
            assert!((found - expected).abs() < 1e-4, "{answer:?}: {found} instead of {expected}");
        }
    }
    assert_eq!(all.num_cut(), 2);
}

/// The first numbers of the vectors of sentence-transformers 5.7 with torch 2.9, and the cosine of two.
#[test]
fn minilm_makes_the_vectors_of_sentence_transformers() {
    let Some(folder) = testkit::model_dir("minilm") else { return };
    let encoder = TextEncoder::open(&folder, &EncoderOptions::with_max_tokens(256)).unwrap();
    assert_eq!((encoder.dimensions(), encoder.max_tokens()), (384, 256));
    let long = "a b c ".repeat(300);
    let texts = [
        ("Is $n^2$ even if $n$ is even?", [0.017_624, 0.056_787, -0.048_456, 0.119_096]),
        ("The square of an even number is even.", [0.035_32, 0.052_809, 0.000_409, 0.129_831]),
        ("naïve Σ ≤ 数学 🙂", [0.049_069, 0.026_382, 0.108_367, 0.021_757]),
        ("", [-0.118_838, 0.048_299, -0.002_548, -0.011_011]),
        (&long, [-0.063_517, -0.042_239, -0.034_452, -0.023_313]),
    ];
    let vectors = encoder.encode(&texts.map(|(text, _)| text)).unwrap();
    let vectors: Vec<&[f32]> = vectors.chunks_exact(384).collect();
    assert_eq!(vectors.len(), texts.len());
    for (vector, (text, expected)) in vectors.iter().zip(texts) {
        for (found, expected) in vector.iter().zip(expected) {
            assert!((found - expected).abs() < 5e-6, "{text:?}: {found} instead of {expected}");
        }
    }
    let cosine: f32 = vectors[0].iter().zip(vectors[1]).map(|(left, right)| left * right).sum();
    assert!((cosine - 0.698_505).abs() < 1e-5, "{cosine}");
    assert_eq!(encoder.tokens(texts[0].0).unwrap(), 14);
    let passages = encoder.passages(&long, 32).unwrap();
    assert!(passages.iter().all(|passage| encoder.tokens(&long[passage.clone()]).unwrap() <= 254));
    // 900 tokens, of which each passage after the first brings 222 new ones.
    assert_eq!((passages.len(), passages[3].end), (4, long.trim_end().len()));
}
