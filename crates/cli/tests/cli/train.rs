//! Models that are trained here: vectors of tuples and of lines, and what ranks and searches with them.

use crate::util::{Dir, Outcome, sample};
use serde_json::Value;

#[track_caller]
fn done(outcome: Outcome) -> Outcome {
    assert_eq!(outcome.code, 0, "{}\n{}", outcome.stdout, outcome.stderr);
    outcome
}

/// Options of a training that takes a second.
const SMALL: [&str; 8] = ["--dimensions", "16", "--epochs", "2", "--min-count", "2", "-j", "1"];

const ALL: &str = "cft-slt,cft-opt,cft-slt-type,cft-opt-type";

fn train(dir: &Dir, arguments: &[&str]) -> Outcome {
    dir.run(&[&["train", "vectors"], arguments, &SMALL[..]].concat())
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn models_of_formulas_rank_and_find() {
    let dir = sample("train-formulas");
    let run = |system: &str, output: &str| {
        let topics = "sample/topics/Topics_Task2.xml";
        let given =
            ["run", "--task", "2", "--system", system, "--topics", topics, "--index", "hypatia.index"];
        dir.run(&[&given[..], &["--format", "trec", "--ids", "visual", "-o", output]].concat())
    };
    // Without the models the systems say what is needed.
    let refused = run("dprl-cft2", "none.tsv");
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains(
            "lacks vectors of formulas by cft-slt; add them with `hypatia index -o hypatia.index --encode cft-slt \
             --of formulas`"
        ),
        "{}",
        refused.stderr
    );
    let file = done(dir.run(&["systems", "dprl-cft2"])).stdout;
    assert!(file.contains("hypatia train vectors COLLECTION --name cft --tokens slt,opt,slt-type,opt-type"));
    let refused = dir.run(&["formula", "nearest", "x^2"]);
    assert!(refused.stderr.contains("train one with `hypatia train vectors`"), "{}", refused.stderr);
    let kinds = "slt,opt,slt-type,opt-type";
    let site = ["--trained-on", "math.stackexchange.com"];
    done(train(&dir, &[&["sample.coll", "--name", "cft", "--tokens", kinds], &site[..]].concat()));
    let listed = done(dir.run(&["model", "list"])).stdout;
    assert_eq!(listed.matches("token vectors").count(), 4, "{listed}");
    let info = json(&done(dir.run(&["model", "info", "cft-opt-type", "--format", "json"])).stdout);
    assert_eq!(info["family"], "gensim-fasttext");
    assert_eq!(info["dimensions"], 16);
    assert_eq!(info["trained_on"][0]["set"], "math.stackexchange.com");
    done(dir.run(&["model", "verify"]));
    done(dir.run(&[
        "index",
        "-o",
        "hypatia.index",
        "--encode",
        &format!("{ALL},cft-slt+cft-opt+cft-slt-type"),
    ]));
    for system in ["cft-opt", "tangent-cft", "tangent-cfted", "dprl-cft2", "dprl-cft2ed", "dprl-cft2ed-nodes"]
    {
        let made = done(run(system, &format!("{system}.tsv")));
        assert!(made.stderr.contains("trained on posts of math.stackexchange.com"), "{}", made.stderr);
        let lines = std::fs::read_to_string(dir.path().join(format!("{system}.tsv"))).unwrap();
        assert!(lines.lines().count() > 20, "{system}");
        let record = std::fs::read_to_string(dir.path().join(format!("{system}.tsv.json"))).unwrap();
        let models: Vec<Value> = json(&record)["models"].as_array().unwrap().clone();
        let expected = match system {
            "cft-opt" => 1,
            "tangent-cft" | "tangent-cfted" => 3,
            _ => 4,
        };
        assert_eq!(models.len(), expected, "{system}");
        assert_eq!(models[0]["trained_on"][0], "math.stackexchange.com");
    }
    let nearest = ["formula", "nearest", "x^2", "--model", "cft-slt", "--format", "json"];
    let nearest = done(dir.run(&nearest)).stdout;
    let lines: Vec<Value> = nearest.lines().map(json).collect();
    assert_eq!(lines.len(), 10);
    assert!(lines[0]["cosine"].as_f64().unwrap() >= lines[9]["cosine"].as_f64().unwrap());
    let table = done(dir.run(&["formula", "nearest", "\\frac{1}{\\aleph_{17}}", "-n", "3"])).stdout;
    assert_eq!(table.lines().filter(|line| line.contains("0.") || line.contains("1.")).count(), 3, "{table}");
    let unknown = dir.run(&["formula", "nearest", "x", "--model", "cft-ops"]);
    assert!(unknown.stderr.contains("did you mean 'cft-opt'?"), "{}", unknown.stderr);
    let posts = dir.run(&["index", "-o", "hypatia.index", "--encode", "cft-slt", "--of", "answers"]);
    assert!(
        posts.stderr.contains("cft-slt is a model of formulas, which encodes no posts"),
        "{}",
        posts.stderr
    );
}

#[test]
fn one_thread_gives_the_same_model_every_time() {
    let dir = Dir::new("train-same");
    done(dir.run(&["collection", "build", "--sample", "-o", "sample.coll"]));
    let weights = |name: &str| {
        std::fs::read(dir.path().join(".data/hypatia/models").join(name).join("model.safetensors")).unwrap()
    };
    for name in ["first", "second"] {
        done(train(&dir, &["sample.coll", "--name", name]));
    }
    assert!(weights("first") == weights("second"));
    done(train(&dir, &["sample.coll", "--name", "third", "--seed", "2"]));
    assert!(weights("first") != weights("third"));
    // The folders of trainings are gone, and names are not taken by mistake.
    assert!(!dir.path().join(".data/hypatia/models/.training").exists());
    let taken = train(&dir, &["sample.coll", "--name", "first"]);
    taken.fails("hypatia: first: the store has a model of this name; replace it with --replace");
}

#[test]
fn lines_of_tokens_are_learned_from() {
    let dir = Dir::new("train-lines");
    let lines: String = (0..200).map(|line| format!("a{} b{} c{}\n", line % 3, line % 4, line % 5)).collect();
    dir.write("lines.txt", lines);
    for algorithm in ["fasttext", "gensim-fasttext", "word2vec"] {
        let made =
            train(&dir, &["lines.txt", "--from", "lines", "--name", algorithm, "--algorithm", algorithm]);
        let made = done(made).stderr;
        assert!(made.contains("200 sequences, 600 tokens, 12 of them distinct, 12 with vectors"), "{made}");
    }
    let given = ["lines.txt", "--from", "lines", "--name", "pine", "--algorithm", "positional-word2vec"];
    done(train(&dir, &[&given[..], &["--positional", "4"]].concat()));
    // Only models of formulas encode.
    done(dir.run(&["index", "--sample", "-o", "i"]));
    let encoded = dir.run(&["index", "-o", "i", "--encode", "word2vec", "--of", "formulas"]);
    assert!(encoded.stderr.contains("the model was not trained on formulas"), "{}", encoded.stderr);
    for (given, reason) in [
        (&["missing.txt", "--from", "lines", "--name", "x"][..], "missing.txt"),
        (&["lines.txt", "--name", "x"], "lines.txt"),
        (&["lines.txt", "--from", "lines", "--name", "x", "--ngrams", "3"], "--ngrams 3: give two lengths"),
        (&["lines.txt", "--from", "lines", "--name", "x", "--tokens", "opt"], "--tokens is for formulas"),
        (
            &["lines.txt", "--from", "lines", "--name", "x", "--window", "0"],
            "a window has from 1 to 1000 tokens",
        ),
        (&["lines.txt", "--from", "lines", "--name", "x", "--algorithm", "glove"], "choose one of fasttext"),
    ] {
        let refused = train(&dir, given);
        assert_eq!(refused.code, 2, "{given:?}");
        assert!(refused.stderr.contains(reason), "{}", refused.stderr);
    }
}

#[test]
fn sequences_are_written_for_other_programs() {
    let dir = Dir::new("train-sequences");
    done(dir.run(&["collection", "build", "--sample", "-o", "sample.coll"]));
    let write = ["sample.coll", "--name", "slt", "--write-sequences", "slt.txt"];
    done(dir.run(&[&["train", "vectors"], &write[..]].concat()));
    done(train(&dir, &["sample.coll", "--name", "direct"]));
    done(train(&dir, &["slt.txt", "--from", "lines", "--name", "lines"]));
    let folder = |name: &str| dir.path().join(".data/hypatia/models").join(name).join("model.safetensors");
    // The same sequences give the same vectors, wherever they come from.
    assert!(std::fs::read(folder("direct")).unwrap() == std::fs::read(folder("lines")).unwrap());
}
