//! Adding, finding, verifying and removing.

use crate::made;
use shelf::{AddOptions, Error, Exposure, FACTS_FILE, Found, Kind, Origin, Store, Wrong};
use std::fs;
use std::path::{Path, PathBuf};
use testkit::TempDir;

fn add(store: &Store, inputs: &[PathBuf], options: &AddOptions) -> Result<Found, Error> {
    store.add(inputs, options, &mut |_, _| Ok(()), &mut ())
}

fn plain(store: &Store, input: &Path) -> Result<Found, Error> {
    add(store, &[input.to_owned()], &AddOptions::default())
}

fn kept(found: &Found) -> Vec<&str> {
    found.facts.files.iter().map(|file| file.path.as_str()).collect()
}

/// Hidden folders that are left in a store.
fn left(store: &Store) -> Vec<String> {
    let names =
        fs::read_dir(store.folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".tmp")).collect()
}

#[test]
fn a_folder_is_added_with_what_is_known_of_it() {
    let dir = TempDir::new("shelf-folder");
    let input = made::folder(&dir.path().join("tiny"));
    let store = Store::open(dir.path().join("models"));
    let options = AddOptions { trained_on: vec!["arqmath".to_owned()], ..AddOptions::default() };
    let added = add(&store, &[input], &options).unwrap();
    assert_eq!(added, store.find("tiny").unwrap());
    let facts = &added.facts;
    assert_eq!(
        (facts.kind, facts.family.as_str(), facts.source.as_str()),
        (Kind::SentenceEncoder, "bert", "tiny")
    );
    assert_eq!(
        (facts.dimensions, facts.max_tokens, facts.pooling.as_deref()),
        (Some(4), Some(48), Some("mean"))
    );
    assert!(facts.normalised);
    assert_eq!((facts.parameters, facts.licence.as_deref()), (Some(3032), Some("mit")));
    let marks: Vec<(&str, Origin)> =
        facts.trained_on.iter().map(|mark| (mark.set.as_str(), mark.from)).collect();
    assert_eq!(marks, [("arqmath", Origin::User), ("org/stackexchange_xml", Origin::Card)]);
    assert_eq!(facts.math_stack_exchange(), Exposure::Yes);
    assert_eq!(kept(&added), made::KEPT);
    assert!(!added.folder.join("pytorch_model.bin").exists());
    assert_eq!(store.verify("tiny", &mut ()).unwrap(), []);
    assert_eq!(left(&store), Vec::<String>::new());
}

#[test]
fn the_same_files_give_the_same_facts_however_they_are_packed() {
    let dir = TempDir::new("shelf-packed");
    let gzip = |bytes: &[u8]| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut packed, bytes).unwrap();
        packed.finish().unwrap()
    };
    let deep = format!("{}/model/", "long-name-of-a-folder".repeat(6));
    let tar = made::tar(&made::below(&deep), &["unrelated-link"]);
    let wheel = made::zip(&made::below("gt_tiny/model/"));
    let (first, second) = wheel.split_at(wheel.len() / 2);
    let part = |number: usize, bytes: &[u8]| {
        made::zip(&[
            (format!("p/x.zip.{number:03}"), bytes.to_vec()),
            ("p/__init__.py".to_owned(), Vec::new()),
        ])
    };
    let inputs = [
        vec![made::folder(&dir.path().join("x"))],
        vec![dir.write("a.whl", &wheel)],
        vec![dir.write("a.tar", &tar)],
        vec![dir.write("a.tar.gz", gzip(&tar))],
        vec![dir.write("a.zip.001", first), dir.write("a.zip.002", second)],
        vec![dir.write("p1.whl", part(1, first)), dir.write("p2.whl", part(2, second))],
    ];
    let mut fingerprints = Vec::new();
    for (number, input) in inputs.iter().enumerate() {
        let store = Store::open(dir.path().join(format!("store{number}")));
        let options = AddOptions { name: Some("m".to_owned()), ..AddOptions::default() };
        let mut added = add(&store, input, &options).unwrap();
        assert_eq!(store.verify("m", &mut ()).unwrap(), []);
        fingerprints.push(added.facts.fingerprint());
        added.facts.source.clear();
        assert_eq!(kept(&added), made::KEPT, "{input:?}");
        // The same again gives the same bytes.
        let json = fs::read(added.folder.join(FACTS_FILE)).unwrap();
        let again = AddOptions { replace: true, ..options };
        add(&store, input, &again).unwrap();
        assert_eq!(fs::read(added.folder.join(FACTS_FILE)).unwrap(), json);
        assert_eq!(left(&store), Vec::<String>::new());
    }
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), 1);
    // An archive without a name gets that of its card.
    let store = Store::open(dir.path().join("named"));
    assert_eq!(plain(&store, &inputs[1][0]).unwrap().facts.name, "tiny-encoder");
}

#[test]
fn parts_must_be_in_their_order() {
    let dir = TempDir::new("shelf-parts");
    let wheel = made::zip(&made::below("m/"));
    let part = |number: usize| made::zip(&[(format!("p/x.zip.{number:03}"), wheel[..50].to_vec())]);
    let (one, two) = (dir.write("1.whl", part(1)), dir.write("2.whl", part(2)));
    let store = Store::open(dir.path().join("models"));
    let error = add(&store, &[two.clone(), one.clone()], &AddOptions::default()).unwrap_err().to_string();
    assert!(error.contains("is part 2, given as part 1"), "{error}");
    let error = add(&store, &[one.clone(), one.clone()], &AddOptions::default()).unwrap_err().to_string();
    assert!(error.contains("is part 1, given as part 2"), "{error}");
    // Half an archive is damaged.
    let error = add(&store, &[one, two], &AddOptions::default()).unwrap_err();
    assert!(error.is_damage(), "{error}");
    let whole = dir.write("w.whl", &wheel);
    let error = add(&store, &[whole.clone(), whole], &AddOptions::default()).unwrap_err().to_string();
    assert!(error.contains("a whole archive"), "{error}");
    assert!(store.list().unwrap().models.is_empty());
    assert_eq!(left(&store), Vec::<String>::new());
}

#[test]
fn a_gguf_file_is_a_decoder() {
    let dir = TempDir::new("shelf-gguf");
    let store = Store::open(dir.path().join("models"));
    let added = plain(&store, &dir.write("small-q4.gguf", made::gguf())).unwrap();
    assert_eq!((added.facts.name.as_str(), added.facts.kind), ("small-q4", Kind::Decoder));
    assert_eq!((added.facts.family.as_str(), added.facts.max_tokens), ("llama", Some(2048)));
    assert_eq!(added.facts.weights().count(), 1);
}

#[test]
fn known_models_are_marked_by_name() {
    let dir = TempDir::new("shelf-known");
    let store = Store::open(dir.path().join("models"));
    let input = made::folder(&dir.path().join("all-MiniLM-L12-v2"));
    let added = plain(&store, &input).unwrap();
    assert_eq!(added.facts.math_stack_exchange(), Exposure::Yes);
    assert_eq!(added.facts.trained_on[0].from, Origin::Known);
    // Under another name too, if the files still say what it was made from.
    fs::write(input.join("README.md"), "---\nbase_model: sentence-transformers/all-mpnet-base-v2\n---\n")
        .unwrap();
    let options = AddOptions { name: Some("mine".to_owned()), ..AddOptions::default() };
    assert_eq!(add(&store, &[input], &options).unwrap().facts.math_stack_exchange(), Exposure::Yes);
}

#[test]
fn other_kinds_are_told_apart() {
    let dir = TempDir::new("shelf-kinds");
    let store = Store::open(dir.path().join("models"));
    let mut number = 0;
    let mut kind = |config: &str, modules: Option<&str>| {
        number += 1;
        let input = made::folder(&dir.path().join(format!("m{number}")));
        fs::write(input.join("config.json"), config).unwrap();
        match modules {
            Some(modules) => fs::write(input.join("modules.json"), modules).unwrap(),
            None => fs::remove_file(input.join("modules.json")).unwrap(),
        }
        plain(&store, &input).map(|found| (found.facts.kind, found.facts.dimensions, found.facts.max_tokens))
    };
    let cross = r#"{"model_type":"roberta","architectures":["RobertaForSequenceClassification"],"hidden_size":8,"max_position_embeddings":34}"#;
    assert_eq!(kind(cross, None).unwrap(), (Kind::CrossEncoder, Some(8), Some(32)));
    let colbert = r#"{"model_type":"bert","architectures":["HF_ColBERT"],"hidden_size":8}"#;
    assert_eq!(kind(colbert, None).unwrap(), (Kind::LateInteraction, Some(8), Some(48)));
    let bare = r#"{"model_type":"distilbert","architectures":["DistilBertModel"],"dim":16}"#;
    assert_eq!(kind(bare, None).unwrap(), (Kind::Encoder, Some(16), Some(48)));
    let causal = r#"{"model_type":"llama","architectures":["LlamaForCausalLM"]}"#;
    assert!(
        kind(causal, None).unwrap_err().to_string().contains("m4/config.json: LlamaForCausalLM is a decoder")
    );
    let sparse = r#"[{"path":"","type":"sentence_transformers.sparse_encoder.models.MLMTransformer"}]"#;
    assert!(kind(bare, Some(sparse)).unwrap_err().to_string().contains("sparse encoder"));
    assert!(kind("{}", None).unwrap_err().is_damage());
    assert!(kind("{", None).unwrap_err().to_string().contains("m7/config.json: not JSON"));
    let out = r#"[{"path":"../..","type":"sentence_transformers.models.Transformer"}]"#;
    assert!(kind(bare, Some(out)).unwrap_err().to_string().contains("leads out"));
}

#[test]
fn tricks_and_damage_are_refused_and_leave_nothing() {
    let dir = TempDir::new("shelf-tricks");
    let store = Store::open(dir.path().join("models"));
    let refuse = |name: &str, bytes: Vec<u8>, told: &str| {
        let error = plain(&store, &dir.write(name, bytes)).unwrap_err().to_string();
        assert!(error.contains(told), "{name}: {error}");
    };
    let with = |name: &str, bytes: Vec<u8>| [made::below("m/"), vec![(name.to_owned(), bytes)]].concat();
    refuse("up.zip", made::zip(&with("m/../../../etc/cron", vec![1])), "leads out of the archive");
    refuse("root.zip", made::zip(&with("/etc/passwd", vec![1])), "leads out of the archive");
    refuse("up.tar", made::tar(&with("../x", vec![1]), &[]), "leads out of the archive");
    let without: Vec<_> = made::below("m/").into_iter().filter(|(name, _)| name != "m/config.json").collect();
    refuse("link.tar", made::tar(&without, &["m/config.json"]), "'m/config.json' is a link");
    refuse("empty.zip", made::zip(&[]), "holds no model");
    refuse("a.txt", b"hello".to_vec(), "not a model: expected a folder");
    let zip = made::zip(&made::below("m/"));
    refuse("cut.zip", zip[..zip.len() / 2].to_vec(), "damaged zip archive");
    let tar = made::tar(&made::below("m/"), &[]);
    refuse("cut.tar", tar[..tar.len() / 2].to_vec(), "damaged tar archive");
    let mut flipped = zip.clone();
    let middle = zip.windows(5).position(|bytes| bytes == b"hello").unwrap_or(300);
    flipped[middle] ^= 0xff;
    assert!(plain(&store, &dir.write("flipped.zip", flipped)).is_err());
    // Seventy megabytes of nothing.
    let bomb = with("m/model.safetensors", Vec::new());
    let mut bomb: Vec<_> =
        bomb.into_iter().filter(|(name, _)| !name.ends_with("m/model.safetensors")).collect();
    bomb.push(("m/model.safetensors".to_owned(), vec![0; 70 << 20]));
    refuse("bomb.zip", made::zip(&bomb), "would grow from");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut packed, &made::tar(&bomb, &[])).unwrap();
    refuse("bomb.tar.gz", packed.finish().unwrap(), "grows to more than 100 times");

    let input = made::folder(&dir.path().join("cut"));
    let whole = made::weights(3000);
    fs::write(input.join("model.safetensors"), &whole[..whole.len() - 1]).unwrap();
    let error = plain(&store, &input).unwrap_err();
    assert!(
        error.is_damage()
            && error.to_string().ends_with(&format!(
                "cut/model.safetensors: cut short: it has {} of {} bytes",
                whole.len() - 1,
                whole.len()
            )),
        "{error}"
    );
    fs::remove_file(input.join("model.safetensors")).unwrap();
    std::os::unix::fs::symlink("/etc/hostname", input.join("model.safetensors")).unwrap();
    assert!(plain(&store, &input).unwrap_err().to_string().contains("a link that leads out of the folder"));
    assert!(store.list().unwrap().models.is_empty());
    assert_eq!(left(&store), Vec::<String>::new());
}

#[test]
fn the_cache_of_the_hubs_own_tools_can_be_added() {
    let dir = TempDir::new("shelf-cache");
    let repository = dir.path().join("models--org--tiny");
    let snapshot = repository.join("snapshots/0123456789012345678901234567890123456789");
    for (number, (path, bytes)) in made::encoder().into_iter().enumerate() {
        let blob = repository.join(format!("blobs/{number}"));
        fs::create_dir_all(blob.parent().unwrap()).unwrap();
        fs::write(&blob, bytes).unwrap();
        let link = snapshot.join(path);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(&blob, link).unwrap();
    }
    let store = Store::open(dir.path().join("models"));
    let added = plain(&store, &snapshot).unwrap();
    // The name of a commit says nothing; the card does.
    assert_eq!(added.facts.name, "tiny-encoder");
    assert_eq!(store.verify("tiny-encoder", &mut ()).unwrap(), []);
}

#[test]
fn a_name_is_used_once_unless_replaced() {
    let dir = TempDir::new("shelf-replace");
    let store = Store::open(dir.path().join("models"));
    let input = made::folder(&dir.path().join("tiny"));
    plain(&store, &input).unwrap();
    assert!(matches!(plain(&store, &input).unwrap_err(), Error::Exists { .. }));
    fs::write(input.join("LICENSE"), "Another.\n").unwrap();
    let options = AddOptions { replace: true, ..AddOptions::default() };
    let replaced = add(&store, std::slice::from_ref(&input), &options).unwrap();
    assert_eq!(fs::read_to_string(replaced.folder.join("LICENSE")).unwrap(), "Another.\n");
    // A refused replacement leaves the old model.
    fs::write(input.join("LICENSE"), "A third.\n").unwrap();
    let error = store
        .add(std::slice::from_ref(&input), &options, &mut |_, _| Err("no".to_owned()), &mut ())
        .unwrap_err();
    assert!(error.to_string().ends_with("tiny: no"), "{error}");
    assert_eq!(store.verify("tiny", &mut ()).unwrap(), []);
    // A folder that is not ours is not replaced.
    fs::create_dir(store.folder().join("other")).unwrap();
    fs::write(store.folder().join("other/file"), "x").unwrap();
    let named = AddOptions { name: Some("other".to_owned()), replace: true, ..AddOptions::default() };
    assert!(add(&store, &[input], &named).unwrap_err().to_string().contains("not a model of this store"));
    assert_eq!(fs::read_to_string(store.folder().join("other/file")).unwrap(), "x");
    assert_eq!(left(&store), Vec::<String>::new());
}

#[test]
fn what_a_killed_process_left_is_not_a_model_and_goes_away() {
    let dir = TempDir::new("shelf-killed");
    let store = Store::open(dir.path().join("models"));
    made::folder(&store.folder().join(".tmp-1-0"));
    assert!(store.list().unwrap().models.is_empty());
    plain(&store, &made::folder(&dir.path().join("tiny"))).unwrap();
    assert_eq!(left(&store), Vec::<String>::new());
}

#[test]
fn verify_names_what_is_wrong() {
    let dir = TempDir::new("shelf-verify");
    let store = Store::open(dir.path().join("models"));
    let folder = plain(&store, &made::folder(&dir.path().join("tiny"))).unwrap().folder;
    let mut weights = fs::read(folder.join("model.safetensors")).unwrap();
    *weights.last_mut().unwrap() ^= 1;
    fs::write(folder.join("model.safetensors"), weights).unwrap();
    fs::write(folder.join("config.json"), "{}").unwrap();
    fs::remove_file(folder.join("2_Dense/config.json")).unwrap();
    fs::write(folder.join("1_Pooling/extra"), "").unwrap();
    let faults = store.verify("tiny", &mut ()).unwrap();
    let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 4, "{told:?}");
    assert_eq!(told[0], "2_Dense/config.json: missing");
    assert_eq!(told[1], "config.json: 2 bytes instead of 96");
    assert!(matches!(&faults[2].wrong, Wrong::Checksum { .. }) && faults[2].path == "model.safetensors");
    assert_eq!(told[3], "1_Pooling/extra: not part of the model");
    fs::write(folder.join(FACTS_FILE), "{").unwrap();
    assert!(store.verify("tiny", &mut ()).unwrap_err().is_damage());
    let listing = store.list().unwrap();
    assert_eq!((listing.models.len(), listing.damaged.len()), (0, 1));
    store.remove("tiny").unwrap();
}

#[test]
fn unknown_names_are_refused_with_the_nearest() {
    let dir = TempDir::new("shelf-unknown");
    let store = Store::open(dir.path().join("models"));
    assert!(store.find("tiny").unwrap_err().to_string().contains("the store is empty"));
    plain(&store, &made::folder(&dir.path().join("tiny"))).unwrap();
    for result in
        [store.find("tinny").map(|_| ()), store.remove("tinny"), store.verify("tinny", &mut ()).map(|_| ())]
    {
        assert!(result.unwrap_err().to_string().ends_with("did you mean 'tiny'? known: tiny"));
    }
    for bad in ["..", ".", "", "tiny/..", "/etc", ".tmp-1"] {
        assert!(store.remove(bad).is_err() && store.find(bad).is_err(), "{bad}");
    }
    store.remove("tiny").unwrap();
    assert!(!store.folder().join("tiny").exists());
    assert_eq!(left(&store), Vec::<String>::new());
}

#[test]
fn known_models_are_marked_by_their_weights() {
    // Published without its card, so that only the weights tell.
    let Some(folder) = testkit::model_dir("minilm") else { return };
    let dir = TempDir::new("shelf-minilm");
    let store = Store::open(dir.path().join("models"));
    let options = AddOptions { name: Some("something-else".to_owned()), ..AddOptions::default() };
    let facts = add(&store, &[folder], &options).unwrap().facts;
    assert_eq!(facts.math_stack_exchange(), Exposure::Yes);
    assert_eq!((facts.dimensions, facts.parameters), (Some(384), Some(22_713_216)));
}

#[test]
fn of_two_that_add_the_same_name_one_wins() {
    let dir = TempDir::new("shelf-race");
    let store = Store::open(dir.path().join("models"));
    let input = made::folder(&dir.path().join("tiny"));
    let results: Vec<Result<Found, Error>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| plain(&store, &input))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
    assert!(
        results
            .iter()
            .filter_map(|result| result.as_ref().err())
            .all(|error| matches!(error, Error::Exists { .. }))
    );
    assert_eq!(store.verify("tiny", &mut ()).unwrap(), []);
    assert_eq!(left(&store), Vec::<String>::new());
}
