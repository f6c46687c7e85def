//! The store of models: adding, fetching, showing, verifying, removing.

use crate::loopback_hub::{COMMIT, Files, Reply, Server, elsewhere, hub};
use crate::util::{Dir, Outcome};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;

const TOKEN: &str = "hf_abcdefghijklmnop";

/// A safetensors file of these tensors, filled with small numbers.
fn safetensors(tensors: &[(String, Vec<usize>)]) -> Vec<u8> {
    let (mut header, mut end) = (serde_json::Map::new(), 0);
    for (name, shape) in tensors {
        let start = end;
        end += 4 * shape.iter().product::<usize>();
        let entry = serde_json::json!({"dtype": "F32", "shape": shape, "data_offsets": [start, end]});
        header.insert(name.clone(), entry);
    }
    let header = serde_json::Value::from(header).to_string();
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend((0..end / 4).flat_map(|number| ((number % 13) as f32 / 13.0 - 0.5).to_le_bytes()));
    bytes
}

/// The files of a BERT that the engine opens: one layer, eight dimensions, six tokens.
pub(crate) fn tiny() -> Files {
    let mut tensors = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![6, 8]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![16, 8]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, 8]),
    ];
    let mut push = |name: &str, shape: &[usize]| {
        tensors.push((format!("{name}.weight"), shape.to_vec()));
        tensors.push((format!("{name}.bias"), vec![shape[0]]));
    };
    push("embeddings.LayerNorm", &[8]);
    for part in
        ["attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"]
    {
        push(&format!("encoder.layer.0.{part}"), &[8, 8]);
    }
    push("encoder.layer.0.attention.output.LayerNorm", &[8]);
    push("encoder.layer.0.intermediate.dense", &[12, 8]);
    push("encoder.layer.0.output.dense", &[8, 12]);
    push("encoder.layer.0.output.LayerNorm", &[8]);
    let config = r#"{"model_type":"bert","architectures":["BertModel"],"hidden_size":8,"num_hidden_layers":1,
        "num_attention_heads":2,"intermediate_size":12,"vocab_size":6,"max_position_embeddings":16,"type_vocab_size":2}"#;
    let modules = r#"[{"path":"","type":"sentence_transformers.models.Transformer"},
        {"path":"1_Pooling","type":"sentence_transformers.models.Pooling"}]"#;
    let tokenizer = r###"{"version":"1.0","truncation":null,"padding":null,"added_tokens":[],"normalizer":null,
        "pre_tokenizer":{"type":"Whitespace"},"post_processor":{"type":"TemplateProcessing",
        "single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],
        "pair":[{"Sequence":{"id":"A","type_id":0}},{"Sequence":{"id":"B","type_id":1}}],
        "special_tokens":{"[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]}}},"decoder":null,
        "model":{"type":"WordLevel","vocab":{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"sum":4,"prime":5},"unk_token":"[UNK]"}}"###;
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        ("config.json", text(config)),
        ("modules.json", text(modules)),
        ("1_Pooling/config.json", text(r#"{"pooling_mode_mean_tokens":true}"#)),
        ("tokenizer.json", text(tokenizer)),
        ("model.safetensors", safetensors(&tensors)),
        ("README.md", text("---\nlicense: mit\ndatasets: [org/stackexchange_xml]\n---\n# tiny\n")),
        ("pytorch_model.bin", text("a program")),
    ]
}

pub(crate) fn write(dir: &Dir, folder: &str) {
    for (path, bytes) in tiny() {
        dir.write(&format!("{folder}/{path}"), bytes);
    }
}

/// Succeeds and prints nothing but notes.
#[track_caller]
fn done(outcome: &Outcome) -> &str {
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, ""), "{}", outcome.stderr);
    &outcome.stderr
}

fn json(outcome: &Outcome) -> serde_json::Value {
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).unwrap()
}

#[test]
fn a_model_is_added_shown_verified_and_removed() {
    let dir = Dir::new("model");
    write(&dir, "tiny");
    let empty = dir.run(&["model", "list"]);
    assert!(done(&empty).contains("no models in"), "{}", empty.stderr);
    let added = dir.run(&["model", "add", "tiny", "--trained-on", "arqmath"]);
    let store = dir.path().join(".data/hypatia/models");
    let told = done(&added);
    assert!(told.starts_with("tiny: sentence encoder (bert), 8 dimensions, up to 16 tokens, "), "{told}");
    assert!(told.contains("trained on Math Stack Exchange"), "{told}");
    assert!(!store.join("tiny/pytorch_model.bin").exists());

    let list = dir.run(&["model", "list"]);
    assert_eq!(list.stderr, "");
    let row = list.stdout.lines().find(|line| line.starts_with("tiny")).unwrap();
    assert!(row.contains("sentence encoder") && row.contains("yes"), "{row}");
    let listed = json(&dir.run(&["model", "list", "--format", "json"]));
    let info = json(&dir.run(&["model", "info", "tiny", "--format", "json"]));
    assert_eq!(listed, info);
    assert_eq!(
        (&info["kind"], &info["dimensions"], &info["pooling"]),
        (&"sentence-encoder".into(), &8.into(), &"mean".into())
    );
    assert_eq!(info["math_stack_exchange"], "yes");
    assert_eq!(info["trained_on"][0], serde_json::json!({"set": "arqmath", "from": "user"}));
    assert_eq!(info["files"].as_array().unwrap().len(), 6);
    let shown = dir.run(&["model", "info", "tiny"]).stdout;
    for part in
        ["licence      mit", "org/stackexchange_xml", "arqmath (as given when it was added)", "fingerprint"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }

    assert_eq!(done(&dir.run(&["model", "verify"])), "tiny: whole\n");
    dir.write(".data/hypatia/models/tiny/config.json", "{}");
    let wrong = dir.run(&["model", "verify", "tiny"]);
    assert_eq!((wrong.code, wrong.stderr.as_str()), (1, ""));
    assert!(wrong.stdout.starts_with("tiny/config.json: 2 bytes instead of "), "{}", wrong.stdout);

    let again = dir.run(&["model", "add", "tiny"]);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("already; replace it with --replace"), "{}", again.stderr);
    done(&dir.run(&["model", "add", "tiny", "--replace"]));
    assert_eq!(dir.run(&["model", "verify"]).code, 0);
    done(&dir.run(&["model", "remove", "tiny"]));
    assert!(!store.join("tiny").exists());
    let gone = dir.run(&["model", "remove", "tiny"]);
    assert_eq!(gone.code, 2);
    assert!(gone.stderr.contains("there is no model 'tiny'"), "{}", gone.stderr);
}

#[test]
fn the_store_is_an_option_a_variable_or_a_setting() {
    let dir = Dir::new("model-store");
    write(&dir, "tiny");
    done(&dir.run(&["model", "add", "tiny", "--models", "by-option", "--name", "a"]));
    let mut command = dir.command(&["model", "add", "tiny", "--name", "b"]);
    assert_eq!(command.env("HYPATIA_MODELS", "by-variable").output().unwrap().status.code(), Some(0));
    dir.write("hypatia.toml", "models = \"by-setting\"\n");
    done(&dir.run(&["model", "add", "tiny", "--name", "c"]));
    for place in ["by-option/a", "by-variable/b", "by-setting/c"] {
        assert!(dir.path().join(place).join("hypatia-model.json").is_file(), "{place}");
    }
    let unknown = dir.run(&["model", "info", "C"]);
    assert_eq!((unknown.code, unknown.stdout.as_str()), (2, ""));
    assert!(unknown.stderr.ends_with("did you mean 'c'? known: c\n"), "{}", unknown.stderr);
}

#[test]
fn archives_and_their_parts_are_added() {
    let dir = Dir::new("model-archive");
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (path, bytes) in tiny() {
        zip.start_file(format!("package/model/{path}"), zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&bytes).unwrap();
    }
    let zip = zip.finish().unwrap().into_inner();
    dir.write("whole.whl", &zip);
    let (first, second) = zip.split_at(1000);
    dir.write("x.zip.001", first);
    dir.write("x.zip.002", second);
    done(&dir.run(&["model", "add", "whole.whl"]));
    done(&dir.run(&["model", "add", "x.zip.001", "x.zip.002", "--name", "joined"]));
    let fingerprint =
        |name: &str| json(&dir.run(&["model", "info", name, "--format", "json"]))["fingerprint"].clone();
    assert_eq!(fingerprint("tiny"), fingerprint("joined"));
}

#[test]
fn files_that_do_not_fit_each_other_are_refused() {
    let dir = Dir::new("model-unfit");
    let refuse = |path: &str, bytes: Vec<u8>, code: i32, told: &str| {
        write(&dir, "tiny");
        dir.write(&format!("tiny/{path}"), bytes);
        let outcome = dir.run(&["model", "add", "tiny"]);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (code, ""), "{}", outcome.stderr);
        assert!(
            outcome.stderr.starts_with("hypatia: tiny") && outcome.stderr.contains(told),
            "{}",
            outcome.stderr
        );
        assert_eq!(outcome.stderr.lines().count(), 1);
    };
    let weights = tiny().into_iter().find(|(path, _)| *path == "model.safetensors").unwrap().1;
    refuse(
        "model.safetensors",
        weights[..weights.len() - 4].to_vec(),
        1,
        "tiny/model.safetensors: cut short",
    );
    refuse("config.json", b"{".to_vec(), 1, "tiny/config.json: not JSON");
    refuse("tokenizer.json", b"{}".to_vec(), 2, "tokenizer.json: not a tokenizer");
    let config = String::from_utf8(tiny()[0].1.clone()).unwrap();
    refuse(
        "config.json",
        config.replace("\"hidden_size\":8", "\"hidden_size\":4").into_bytes(),
        2,
        "has the shape [6, 8], not [6, 4]",
    );
    assert!(dir.run(&["model", "list"]).stdout.is_empty());
}

/// A hub whose other host stalls once, after a number of bytes of the weights.
fn stalling(after: usize) -> (Server, Server) {
    let files = tiny();
    let copy = files.clone();
    let host = Server::start(move |request, number| {
        let first = number == 0;
        Reply { cut: first.then_some(after), stall: first, ..elsewhere(&copy, request) }
    });
    let address = host.address.clone();
    (Server::start(move |request, _| hub(&files, true, &address, request)), host)
}

fn part_of(store: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(store.join(".partial/tiny")).ok()?;
    files
        .flatten()
        .map(|file| file.path())
        .find(|path| path.extension().is_some_and(|ending| ending == "part"))
}

#[test]
fn a_fetch_that_is_interrupted_is_resumed() {
    let dir = Dir::new("model-fetch");
    let (hub, host) = stalling(700);
    let store = dir.path().join("models");
    let arguments = ["model", "fetch", "org/tiny", "--models", "models"];
    let mut command = dir.command(&arguments);
    command.env("HF_ENDPOINT", &hub.address).env("HF_TOKEN", TOKEN);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !part_of(&store).is_some_and(|part| std::fs::metadata(part).is_ok_and(|data| data.len() == 700)) {
        assert!(child.try_wait().unwrap().is_none(), "it ended");
        std::thread::yield_now();
    }
    let stopped =
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(stopped.success());
    assert_eq!(child.wait().unwrap().code(), None);
    let list = dir.run(&["model", "list", "--models", "models"]);
    assert!(
        list.stdout.is_empty() && list.stderr.contains("tiny: an unfinished download"),
        "{}",
        list.stderr
    );

    let mut command = dir.command(&arguments);
    let output = command.env("HF_ENDPOINT", &hub.address).env("HF_TOKEN", TOKEN).output().unwrap();
    let outcome = Outcome::from(output);
    assert_eq!((outcome.code, outcome.stdout.as_str()), (0, ""), "{}", outcome.stderr);
    assert!(!outcome.stderr.contains(TOKEN));
    assert_eq!(host.requests().last().unwrap().header("range"), Some("bytes=700-"));
    assert!(host.requests().iter().all(|request| request.header("authorization").is_none()));
    let info = json(&dir.run(&["model", "info", "tiny", "--models", "models", "--format", "json"]));
    assert_eq!((&info["source"], &info["revision"]), (&"org/tiny".into(), &COMMIT.into()));
    assert_eq!(dir.run(&["model", "verify", "--models", "models"]).code, 0);
    assert_eq!(dir.run(&["model", "list", "--models", "models"]).stderr, "");
}

#[test]
fn fetching_reads_the_variables_of_the_hubs_own_tools() {
    let dir = Dir::new("model-hub");
    let server = Server::start(|_, _| Reply::new(401, "").with("x-error-code", "RepoNotFound"));
    let fetch = |variables: &[(&str, &str)]| {
        let mut command = dir.command(&["model", "fetch", "org/tiny"]);
        command.env("HF_ENDPOINT", &server.address).envs(variables.iter().copied());
        Outcome::from(command.output().unwrap())
    };
    fetch(&[]).fails("hypatia: org/tiny: there is no such repository, or if it is private, set HF_TOKEN");
    assert_eq!(server.requests()[0].header("authorization"), None);
    dir.write("home/token", format!("{TOKEN}\n"));
    let outcome = fetch(&[("HF_HOME", "home")]);
    assert_eq!(outcome.code, 2);
    assert_eq!(server.requests()[1].header("authorization"), Some(format!("Bearer {TOKEN}").as_str()));
    fetch(&[("HF_HUB_OFFLINE", "1")])
        .fails("hypatia: org/tiny: HF_HUB_OFFLINE is set, so nothing is fetched");
    assert_eq!(server.requests().len(), 2);
    let bad = dir.run(&["model", "fetch", "a/b/c"]);
    assert_eq!(bad.code, 2);
    assert!(bad.stderr.contains("expected ORGANISATION/NAME"), "{}", bad.stderr);
}

#[test]
fn a_killed_add_leaves_the_store_as_it_was() {
    let dir = Dir::new("model-killed");
    write(&dir, "tiny");
    done(&dir.run(&["model", "add", "tiny", "--models", "models"]));
    // Weights that take a while to copy; their place is not where the engine looks.
    let padding = vec![0u8; 128 << 20];
    write(&dir, "large");
    let header = format!(r#"{{"w":{{"dtype":"U8","shape":[{0}],"data_offsets":[0,{0}]}}}}"#, padding.len());
    let bytes = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &padding].concat();
    dir.write("large/2_Dense/model.safetensors", bytes);
    let mut command =
        dir.command(&["model", "add", "large", "--name", "tiny", "--replace", "--models", "models"]);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let is_begun = || {
        let entries = std::fs::read_dir(dir.path().join("models")).unwrap().flatten();
        entries.into_iter().any(|entry| entry.path().join("2_Dense").exists())
    };
    while !is_begun() {
        assert!(child.try_wait().unwrap().is_none(), "it ended");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let told: Vec<String> =
        BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok).collect();
    assert_eq!(told, Vec::<String>::new());
    assert_eq!(dir.run(&["model", "verify", "--models", "models"]).code, 0);
    assert_eq!(
        json(&dir.run(&["model", "info", "tiny", "--models", "models", "--format", "json"]))["source"],
        "tiny"
    );
    // The next writer clears what was left.
    done(&dir.run(&["model", "add", "tiny", "--name", "b", "--models", "models"]));
    let mut names: Vec<String> = std::fs::read_dir(dir.path().join("models"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, [".lock", "b", "tiny"]);
}
