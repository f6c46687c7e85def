//! Tiny encoders of every family: vectors and scores as transformers gives them, and what is refused.
//!
//! `bench/encode/fixtures.py` writes the fixtures in `tests/encoders`.

use model::{CrossEncoder, EncoderOptions, Error, TextEncoder};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::TempDir;

pub(crate) const TEXTS: [&str; 7] =
    ["albert", "albert-shared", "bert", "bert-colbert", "distilbert", "mpnet", "roberta"];
pub(crate) const PAIRS: [&str; 5] =
    ["pairs-albert", "pairs-bert", "pairs-distilbert", "pairs-mpnet", "pairs-roberta"];

pub(crate) fn fixture(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/encoders").join(format!("{name}.json"));
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The same numbers as in `fixtures.py`.
pub(crate) fn numbers(name: &str, shape: &[usize]) -> Vec<f32> {
    let mut state = name
        .bytes()
        .fold(2_166_136_261_u32, |state, byte| (state ^ u32::from(byte)).wrapping_mul(16_777_619));
    let lower = name.to_lowercase();
    let norm = lower.ends_with("layernorm.weight") || lower.ends_with("layer_norm.weight");
    let around = if norm { 1.0 } else { 0.0 };
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 8) as f32 / 16_777_216.0 - 0.5) / 2.0 + around
    };
    std::iter::repeat_with(next).take(shape.iter().product()).collect()
}

/// How numbers are written.
#[derive(Clone, Copy)]
enum Precision {
    Single,
    Brain,
}

fn safetensors(tensors: &BTreeMap<String, (Vec<usize>, Vec<f32>)>, precision: Precision) -> Vec<u8> {
    let (mut header, mut data) = (serde_json::Map::new(), Vec::new());
    for (name, (shape, numbers)) in tensors {
        let begin = data.len();
        for number in numbers {
            match precision {
                Precision::Single => data.extend(number.to_le_bytes()),
                Precision::Brain => data.extend(&number.to_le_bytes()[2..]),
            }
        }
        let dtype = if matches!(precision, Precision::Single) { "F32" } else { "BF16" };
        let place = json!({"dtype": dtype, "shape": shape, "data_offsets": [begin, data.len()]});
        header.insert(name.clone(), place);
    }
    let header = Value::Object(header).to_string().into_bytes();
    [&(header.len() as u64).to_le_bytes()[..], &header, &data].concat()
}

fn tensors(shapes: &Value) -> BTreeMap<String, (Vec<usize>, Vec<f32>)> {
    let shape = |shape: &Value| serde_json::from_value::<Vec<usize>>(shape.clone()).unwrap();
    let tensor =
        |(name, found): (&String, &Value)| (name.clone(), (shape(found), numbers(name, &shape(found))));
    shapes.as_object().unwrap().iter().map(tensor).collect()
}

/// Writes the files of a fixture.
fn write(fixture: &Value, folder: &Path) {
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    for (name, file) in fixture["files"].as_object().unwrap() {
        put(name, file.to_string().as_bytes());
    }
    for (name, shapes) in fixture["tensors"].as_object().unwrap() {
        put(name, &safetensors(&tensors(shapes), Precision::Single));
    }
}

pub(crate) fn write_named(name: &str, folder: &TempDir) -> Value {
    let fixture = fixture(name);
    write(&fixture, folder.path());
    fixture
}

fn open(folder: &TempDir) -> Result<TextEncoder, Error> {
    TextEncoder::open(folder.path(), &EncoderOptions::default())
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

fn floats(value: &Value) -> Vec<f32> {
    serde_json::from_value(value.clone()).unwrap()
}

fn assert_near(found: &[f32], expected: &[f32], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() < 1e-4, "{what}, number {place}: {found}, not {expected}");
    }
}

#[test]
fn vectors_are_those_of_transformers() {
    for name in TEXTS {
        let folder = TempDir::new("encoders-texts");
        let fixture = write_named(name, &folder);
        let encoder = open(&folder).unwrap();
        let texts = strings(&fixture["texts"]);
        let vectors = encoder.encode(&texts).unwrap();
        let expected: Vec<f32> = fixture["vectors"].as_array().unwrap().iter().flat_map(floats).collect();
        assert_eq!(encoder.dimensions() * texts.len(), expected.len(), "{name}");
        assert_near(&vectors, &expected, name);
        let tokens = encoder.encode_tokens(texts[0]).unwrap();
        assert_near(&tokens.rows, &floats(&fixture["tokens"][0]), name);
        assert_eq!(tokens.rows.len(), tokens.dimensions * tokens.spans.len());
        let spans: Vec<&str> = tokens.spans.iter().map(|span| &texts[0][span.clone()]).collect();
        assert_eq!(spans, ["", "the", "number", "is", "even", ".", ""], "{name}");
    }
}

#[test]
fn scores_of_pairs_are_those_of_transformers() {
    for name in PAIRS {
        let folder = TempDir::new("encoders-pairs");
        let fixture = write_named(name, &folder);
        let encoder = CrossEncoder::open(folder.path(), &EncoderOptions::default()).unwrap();
        assert_eq!(encoder.max_tokens(), 48, "{name}");
        let pairs: Vec<(&str, &str)> = fixture["pairs"]
            .as_array()
            .unwrap()
            .iter()
            .map(|pair| (pair[0].as_str().unwrap(), pair[1].as_str().unwrap()))
            .collect();
        let scores = encoder.scores(&pairs).unwrap();
        assert_near(&scores, &floats(&fixture["scores"]), name);
        let alone: Vec<f32> = pairs.iter().flat_map(|pair| encoder.scores(&[*pair]).unwrap()).collect();
        assert_eq!(scores, alone, "{name}");
    }
}

/// Whatever is encoded together and by however many threads, the bits are the same.
#[test]
fn vectors_do_not_depend_on_batches_and_threads() {
    let folder = TempDir::new("encoders-bits");
    for name in TEXTS {
        let fixture = write_named(name, &folder);
        let encoder = open(&folder).unwrap();
        let some = strings(&fixture["texts"]);
        let joined = some.join(" ");
        let words: Vec<&str> = joined.split(' ').collect();
        // Lengths of all sizes, in an order of no use.
        let texts: Vec<String> =
            (0..60).map(|place| words[..place * 7 % 41 % words.len()].join(" ")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let together = encoder.encode(&texts).unwrap();
        let one_by_one: Vec<f32> = texts.iter().flat_map(|text| encoder.encode(&[text]).unwrap()).collect();
        assert!(together == one_by_one, "{name}");
        let mut backwards = texts.clone();
        backwards.reverse();
        for threads in [1, 2, 3, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert!(
                pool.install(|| encoder.encode(&texts)).unwrap() == together,
                "{name}, {threads} threads"
            );
            let vectors = pool.install(|| encoder.encode(&backwards)).unwrap();
            let turned: Vec<f32> =
                vectors.chunks_exact(encoder.dimensions()).rev().flatten().copied().collect();
            assert!(turned == together, "{name} backwards, {threads} threads");
        }
    }
}

#[test]
fn the_fingerprint_changes_with_everything_that_decides_vectors() {
    let folder = TempDir::new("encoders-fingerprint");
    let mut seen = BTreeMap::new();
    let mut add = |what: &str, encoder: &TextEncoder| {
        let before = seen.insert(encoder.fingerprint().to_owned(), what.to_owned());
        assert_eq!(before, None, "{what}");
    };
    let plain = write_named("mpnet", &folder);
    let encoder = open(&folder).unwrap();
    assert_eq!(encoder.fingerprint(), open(&folder).unwrap().fingerprint());
    assert_eq!(encoder.fingerprint().len(), 32);
    add("as it is", &encoder);
    add("limit", &TextEncoder::open(folder.path(), &EncoderOptions::with_max_tokens(9)).unwrap());
    let mut changed = plain.clone();
    changed["files"]["1_Pooling/config.json"]["pooling_mode_cls_token"] = json!(false);
    write(&changed, folder.path());
    add("pooling", &open(&folder).unwrap());
    let mut changed = plain.clone();
    changed["files"]["config.json"]["layer_norm_eps"] = json!(1e-6);
    write(&changed, folder.path());
    add("config", &open(&folder).unwrap());
    write(&plain, folder.path());
    let mut dense = tensors(&plain["tensors"]["2_Dense/model.safetensors"]);
    dense.get_mut("linear.bias").unwrap().1[0] += 1.0;
    std::fs::write(folder.path().join("2_Dense/model.safetensors"), safetensors(&dense, Precision::Single))
        .unwrap();
    add("dense", &open(&folder).unwrap());
}

#[test]
fn weights_of_half_precision_are_read() {
    let folder = TempDir::new("encoders-brain");
    let fixture = write_named("bert", &folder);
    let exact = open(&folder).unwrap().encode(&["the number is even ."]).unwrap();
    let tensors = tensors(&fixture["tensors"]["model.safetensors"]);
    std::fs::write(folder.path().join("model.safetensors"), safetensors(&tensors, Precision::Brain)).unwrap();
    let brain = open(&folder).unwrap().encode(&["the number is even ."]).unwrap();
    assert_ne!(exact, brain);
    let cosine: f32 = exact.iter().zip(&brain).map(|(a, b)| a * b).sum();
    assert!(cosine > 0.999, "{cosine}");
}

#[test]
fn old_names_of_normalisations_are_known() {
    let folder = TempDir::new("encoders-old");
    let fixture = write_named("bert", &folder);
    let expected = open(&folder).unwrap().encode(&["prime"]).unwrap();
    let renamed = tensors(&fixture["tensors"]["model.safetensors"]).into_iter().map(|(name, tensor)| {
        (
            name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"),
            tensor,
        )
    });
    let renamed = safetensors(&renamed.collect(), Precision::Single);
    std::fs::write(folder.path().join("model.safetensors"), renamed).unwrap();
    assert_eq!(open(&folder).unwrap().encode(&["prime"]).unwrap(), expected);
}

#[test]
fn texts_are_cut_at_the_limit() {
    let folder = TempDir::new("encoders-limit");
    write_named("bert", &folder);
    let encoder = open(&folder).unwrap();
    // As sentence_bert_config.json has it, though the window is longer.
    assert_eq!(encoder.max_tokens(), 20);
    let text = ["prime and odd"; 20].join(" ");
    assert_eq!(encoder.tokens(&text).unwrap(), 60);
    assert_eq!(
        encoder.encode(&[&text]).unwrap(),
        encoder.encode(&[&["prime and odd"; 6].join(" ")]).unwrap()
    );
    let all = TextEncoder::open(folder.path(), &EncoderOptions::with_max_tokens(48)).unwrap();
    assert_eq!(all.encode_tokens(&text).unwrap().spans.len(), 48);
    assert_ne!(all.encode(&[&text]).unwrap(), encoder.encode(&[&text]).unwrap());
    for limit in [0, 2, 49] {
        let error = TextEncoder::open(folder.path(), &EncoderOptions::with_max_tokens(limit)).unwrap_err();
        let expected = format!("a limit of {limit} tokens was asked for; possible are 3 to 48");
        assert!(error.to_string().ends_with(&expected), "{error}");
    }
    assert_eq!(encoder.encode(&[]).unwrap(), [0.0; 0]);
}

#[test]
fn passages_fit_the_limit_cover_the_text_and_overlap() {
    let folder = TempDir::new("encoders-passages");
    write_named("bert", &folder);
    let encoder = open(&folder).unwrap();
    let room = encoder.max_tokens() - 2;
    for whole in ["prime numbers", ""] {
        assert_eq!(encoder.passages(whole, 4).unwrap(), vec![0..whole.len(); 1]);
    }
    let texts = [
        "the sum of a number and a prime is not even . ".repeat(9),
        "numbers ".repeat(50),
        // One word of many tokens, and letters of several bytes.
        format!("prime{}", "s".repeat(90)),
        "é ∑ 数 prime ".repeat(20),
    ];
    for text in &texts {
        for overlap in [0, 4, 9, 1000] {
            let passages = encoder.passages(text, overlap).unwrap();
            assert!(passages.len() > 2 && passages.len() < 40, "{passages:?}");
            assert_eq!((passages[0].start, passages[passages.len() - 1].end), (0, text.trim_end().len()));
            for passage in &passages {
                assert!(encoder.tokens(&text[passage.clone()]).unwrap() <= room, "{passage:?}");
            }
            for pair in passages.windows(2) {
                assert!(pair[0].start < pair[1].start && pair[0].end < pair[1].end, "{pair:?}");
                let between = text.get(pair[0].end..pair[1].start).unwrap_or_default();
                assert!(between.trim().is_empty(), "{between:?} is in no passage");
            }
        }
    }
    let overlapping = encoder.passages(&texts[0], 4).unwrap();
    let shared = &texts[0][overlapping[1].start..overlapping[0].end];
    assert_eq!(encoder.tokens(shared).unwrap(), 4, "{shared}");
}

#[test]
fn upper_case_is_lowered_if_the_model_says_so() {
    let folder = TempDir::new("encoders-case");
    let mut fixture = fixture("bert");
    fixture["files"]["tokenizer.json"]["normalizer"] = Value::Null;
    write(&fixture, folder.path());
    let texts = ["PRIME", "prime"];
    let differ = |folder: &TempDir| {
        let encoder = open(folder).unwrap();
        encoder.encode(&texts[..1]).unwrap() != encoder.encode(&texts[1..]).unwrap()
    };
    assert!(differ(&folder));
    fixture["files"]["sentence_bert_config.json"]["do_lower_case"] = json!(true);
    write(&fixture, folder.path());
    assert!(!differ(&folder));
}

#[test]
fn encoding_stops_when_asked() {
    let folder = TempDir::new("encoders-stop");
    write_named("bert", &folder);
    let encoder = open(&folder).unwrap();
    let texts = vec!["the number is even . the number is even . the number is even ."; 100];
    let asked = AtomicUsize::new(0);
    let go_on = || asked.fetch_add(1, Ordering::Relaxed) < 2;
    assert!(matches!(encoder.encode_while(&texts, &go_on), Err(Error::Stopped)));
    assert!(asked.load(Ordering::Relaxed) < 8);
    assert_eq!(encoder.encode_while(&texts, &|| true).unwrap().len(), 1600);
}

/// Every error names the file and what is wrong with it.
#[test]
fn damaged_models_are_errors() {
    let folder = TempDir::new("encoders-damaged");
    let plain = fixture("mpnet");
    let check = |change: &dyn Fn(&mut Value), file: &str, expected: &str| {
        let mut changed = plain.clone();
        change(&mut changed);
        write(&changed, folder.path());
        let error = open(&folder).unwrap_err().to_string();
        assert!(error.starts_with(&folder.path().join(file).display().to_string()), "{error}");
        assert!(error.contains(expected), "{error}");
    };
    let module = |place: usize, key: &'static str, value: &'static str| {
        move |fixture: &mut Value| fixture["files"]["modules.json"][place][key] = json!(value)
    };
    check(
        &module(3, "type", "sentence_transformers.models.LSTM"),
        "modules.json",
        "the module `sentence_transformers.models.LSTM` is not known; known are Transformer, Pooling, Dense, Normalize",
    );
    for path in ["../2_Dense", "/etc", "2_Dense/../..", ".", "a\\b"] {
        let change = |fixture: &mut Value| fixture["files"]["modules.json"][2]["path"] = json!(path);
        check(&change, "modules.json", &format!("the path `{path}` of a module leads out of the folder"));
    }
    check(
        &module(0, "type", "Pooling"),
        "modules.json",
        "the first module, and no other, must be a Transformer",
    );
    check(
        &module(2, "type", "Pooling"),
        "modules.json",
        "the second module, and no other, must be a Pooling",
    );
    check(&|fixture| fixture["files"]["modules.json"] = json!([]), "modules.json", "the first module");
    check(&|fixture| fixture["files"]["modules.json"] = json!({}), "modules.json", "invalid type");
    let config = |key: &'static str, value: Value| {
        move |fixture: &mut Value| fixture["files"]["config.json"][key] = value.clone()
    };
    check(&config("hidden_size", Value::Null), "config.json", "there is no `hidden_size`");
    check(
        &config("num_hidden_layers", json!(1_u64 << 30)),
        "config.json",
        "`num_hidden_layers` is 1073741824",
    );
    check(&config("relative_attention_num_buckets", json!(2)), "config.json", "which cannot be");
    check(&config("max_position_embeddings", json!(2)), "config.json", "`max_position_embeddings` is 2");
    check(&config("layer_norm_eps", json!(-1.0)), "config.json", "`layer_norm_eps` is -1");
    check(
        &|fixture| fixture["files"]["1_Pooling/config.json"]["word_embedding_dimension"] = json!(17),
        "1_Pooling/config.json",
        "vectors of 17 numbers are expected, but the encoder gives 16",
    );
    check(
        &|fixture| fixture["files"]["1_Pooling/config.json"]["pooling_mode"] = json!(["cls", "median"]),
        "1_Pooling/config.json",
        "the pooling `median` is not known",
    );
    let dense = |key: &'static str, value: Value| {
        move |fixture: &mut Value| fixture["files"]["2_Dense/config.json"][key] = value.clone()
    };
    check(&dense("in_features", json!(4)), "2_Dense/config.json", "`in_features` is 4");
    check(
        &dense("out_features", json!(4)),
        "2_Dense/model.safetensors",
        "has the shape [5, 16], not [4, 16]",
    );
    check(
        &dense("activation_function", json!("os.system")),
        "2_Dense/config.json",
        "the activation `system`",
    );
    let tensor = |name: &'static str, shape: Value| {
        move |fixture: &mut Value| fixture["tensors"]["model.safetensors"][name] = shape.clone()
    };
    let name = "encoder.relative_attention_bias.weight";
    check(&tensor(name, json!([32, 3])), "model.safetensors", "has the shape [32, 3], not [32, 2]");
    let vocabulary = |fixture: &mut Value| {
        fixture["files"]["tokenizer.json"]["model"]["vocab"]["another"] = json!(19);
    };
    check(
        &vocabulary,
        "tokenizer.json",
        "there are 20 tokens, but weights for 19; it belongs to another model",
    );

    // As many tokens as weights, but one of them far beyond.
    let mut changed = plain.clone();
    changed["files"]["tokenizer.json"]["model"]["vocab"]["prime"] = json!(1000);
    write(&changed, folder.path());
    let error = open(&folder).unwrap().encode(&["prime"]).unwrap_err().to_string();
    assert!(
        error.ends_with("the token 1000 is beyond the weights for 19 tokens; it belongs to another model"),
        "{error}"
    );

    for wrong in [f32::NAN, f32::INFINITY] {
        write(&plain, folder.path());
        let mut tensors = tensors(&plain["tensors"]["model.safetensors"]);
        tensors.get_mut("encoder.layer.1.output.dense.bias").unwrap().1[3] = wrong;
        for precision in [Precision::Single, Precision::Brain] {
            std::fs::write(folder.path().join("model.safetensors"), safetensors(&tensors, precision))
                .unwrap();
            let error = open(&folder).unwrap_err().to_string();
            let expected = format!("the tensor `encoder.layer.1.output.dense.bias` has {wrong} as number 3");
            assert!(error.ends_with(&expected), "{error}");
        }
    }
    write(&plain, folder.path());
    for file in ["2_Dense/model.safetensors", "model.safetensors", "tokenizer.json", "config.json"] {
        let path = folder.path().join(file);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let error = open(&folder).unwrap_err().to_string();
        assert!(error.starts_with(&path.display().to_string()), "{error}");
        std::fs::remove_file(&path).unwrap();
        let error = open(&folder).unwrap_err().to_string();
        assert!(error.starts_with(&path.display().to_string()), "{error}");
        std::fs::write(&path, &bytes).unwrap();
    }
    let header = [&(1_u64 << 40).to_le_bytes()[..], b"{}"].concat();
    std::fs::write(folder.path().join("model.safetensors"), header).unwrap();
    let error = open(&folder).unwrap_err().to_string();
    assert!(error.ends_with("a header of 1099511627776 bytes in a file of 10"), "{error}");
}

#[test]
fn headers_that_lie_are_errors() {
    let folder = TempDir::new("encoders-header");
    write_named("roberta", &folder);
    let check = |place: Value| {
        let header = json!({"embeddings.word_embeddings.weight": place}).to_string();
        let bytes = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &[0; 64]].concat();
        std::fs::write(folder.path().join("model.safetensors"), bytes).unwrap();
        let error = open(&folder).unwrap_err().to_string();
        assert!(error.contains("model.safetensors: these are no safetensors: "), "{error}");
    };
    let place =
        |shape: Value, offsets: Value| json!({"dtype": "F32", "shape": shape, "data_offsets": offsets});
    check(place(json!([4, 4]), json!([0, 65])));
    check(place(json!([4, 4]), json!([64, 0])));
    check(place(json!([4, 5]), json!([0, 64])));
    check(place(json!([1_u64 << 62, 4]), json!([0, 0])));
    check(place(json!([-1]), json!([0, 4])));
    check(place(json!([1]), json!([0, u64::MAX])));
    check(json!(7));
}

#[test]
fn models_that_do_not_score_pairs_are_refused() {
    let folder = TempDir::new("encoders-headless");
    write_named("bert", &folder);
    let open = || CrossEncoder::open(folder.path(), &EncoderOptions::default()).unwrap_err().to_string();
    assert!(open().ends_with("there is no tensor `classifier.weight`, which scores pairs of texts"));
    let mut fixture = fixture("pairs-bert");
    fixture["tensors"]["model.safetensors"]["classifier.weight"] = json!([3, 16]);
    write(&fixture, folder.path());
    assert!(open().ends_with("has the shape [3, 16]; 1 or 2 classes are expected"));
    fixture["tensors"]["model.safetensors"]["classifier.weight"] = json!([1, 16]);
    fixture["files"]["config.json"]["type_vocab_size"] = json!(1);
    fixture["tensors"]["model.safetensors"]["bert.embeddings.token_type_embeddings.weight"] = json!([1, 16]);
    write(&fixture, folder.path());
    assert!(open().ends_with("a token has the type 1, and there are weights for 1"));
    fixture["files"]["tokenizer.json"]["post_processor"] = Value::Null;
    write(&fixture, folder.path());
    assert!(open().ends_with("there is no post-processor, which pairs of texts need"));
}
