//! Models that people use, where they are at hand: tokens and words as other programs give them.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking, as tests do")]

use eval::task3::AnswerSimilarity;
use generate::{Continue, Ended, Generator, Message, Prompt, Request, Role};
use model::{ContextualSimilarity, LocalModel, Options};

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
