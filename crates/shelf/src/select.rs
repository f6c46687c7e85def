//! Which files of a tree are a model, and which of them are needed.
//!
//! Repositories hold the same weights in several formats, training logs and pictures. Only what the engine
//! reads is kept, with the card and the licence. Every file kept has one of the names below, so that no path that
//! a stranger chose is ever written.

/// The tokens of a model that this program trained.
const VOCABULARY: &str = "vocabulary.tsv";
/// Settings are a few lines.
const SETTINGS: u64 = 16 << 20;
/// The largest tokenizers have about 35 MB.
const TOKENIZER: u64 = 256 << 20;
/// Weights, and all files of a model together.
pub(crate) const WEIGHTS: u64 = 64 << 30;
/// More files than any archive of a model has.
pub(crate) const MOST_MEMBERS: usize = 20_000;
/// Shards of weights, modules and texts of one model.
const MOST_FILES: usize = 1000;

/// A file of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    /// The path in the tree, with slashes.
    pub(crate) path: String,
    /// The size in bytes, if it is known.
    pub(crate) size: Option<u64>,
    /// A link, which is not followed.
    pub(crate) is_link: bool,
}

/// A model in a tree.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The folder of the model in the tree: empty, or with a slash at its end.
    pub(crate) root: String,
    /// The files that are needed.
    pub(crate) files: Vec<Chosen>,
}

/// A file that is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    /// The path in the tree.
    pub(crate) from: String,
    /// The path in the folder of the model.
    pub(crate) path: String,
    /// The size, if it is known.
    pub(crate) size: Option<u64>,
    /// The largest size that such a file may have.
    pub(crate) limit: u64,
}

/// Whether a path with slashes stays within its folder, on every system.
pub(crate) fn is_safe(path: &str) -> bool {
    !path.is_empty()
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."))
        && !path.contains(['\\', ':'])
        && !path.chars().any(char::is_control)
}

/// Whether a file is for people: the card or a licence.
pub(crate) fn is_text(path: &str) -> bool {
    let upper = path.to_ascii_uppercase();
    let is_plain = path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    let starts = ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|start| upper.starts_with(start));
    path == "README.md" || (starts && is_plain)
}

/// Finds the one model of a tree.
///
/// # Errors
///
/// A sentence that says why there is none, or which of several could be meant. `gguf` names one file of a tree
/// that holds several.
pub(crate) fn choose(members: &[Member], gguf: Option<&str>) -> Result<Choice, String> {
    let roots = if gguf.is_some() { Vec::new() } else { roots(members) };
    let choice = match &roots[..] {
        [root] => folder(members, root),
        [] => single_file(members, gguf)?,
        several => {
            let shown: Vec<&str> = several.iter().take(5).map(|root| root.trim_end_matches('/')).collect();
            return Err(format!(
                "holds {} models ({}); name the folder of one",
                several.len(),
                shown.join(", ")
            ));
        }
    };
    check(members, &choice)?;
    Ok(choice)
}

/// The folders that hold a model, without those inside others.
fn roots(members: &[Member]) -> Vec<String> {
    let has = |folder: &str, ending: &str| {
        members.iter().any(|member| {
            member.path.strip_prefix(folder).is_some_and(|file| !file.contains('/') && file.ends_with(ending))
        })
    };
    let mut found: Vec<&str> = Vec::new();
    for member in members {
        let (folder, file) = split(&member.path);
        let is_root = match file {
            "modules.json" => true,
            "config.json" => has(folder, ".safetensors") || has(folder, "pytorch_model.bin"),
            _ => false,
        };
        if is_root {
            found.push(folder);
        }
    }
    found.sort_unstable();
    found.dedup();
    // In this order a folder stands right after the one around it, or after its siblings.
    let mut outer: Vec<String> = Vec::new();
    for folder in found {
        if !outer.iter().any(|around| folder.starts_with(around.as_str())) {
            outer.push(folder.to_owned());
        }
    }
    outer
}

/// The folder with a slash at its end, or nothing, and the file.
fn split(path: &str) -> (&str, &str) {
    path.rfind('/').map_or(("", path), |slash| path.split_at(slash + 1))
}

fn folder(members: &[Member], root: &str) -> Choice {
    let files = members.iter().filter_map(|member| {
        let path = member.path.strip_prefix(root)?;
        let limit = limit(members, root, path)?;
        Some(Chosen { from: member.path.clone(), path: path.to_owned(), size: member.size, limit })
    });
    Choice { root: root.to_owned(), files: files.collect() }
}

/// How large a file may be, if it is needed.
fn limit(members: &[Member], root: &str, path: &str) -> Option<u64> {
    let (folder, file) = split(path);
    if !folder.is_empty() && !is_module(folder) {
        return None;
    }
    match file {
        "config.json"
        | "modules.json"
        | "config_sentence_transformers.json"
        | "tokenizer_config.json"
        | "special_tokens_map.json"
        | "added_tokens.json"
        | "artifact.metadata"
        | "model.safetensors.index.json" => Some(SETTINGS),
        "tokenizer.json" => Some(TOKENIZER),
        _ if file.starts_with("sentence_") && file.ends_with("_config.json") => Some(SETTINGS),
        // Models of tokens that this program trains.
        VOCABULARY | "symbols.json" if folder.is_empty() => Some(WEIGHTS),
        _ if folder.is_empty() && is_text(file) => Some(SETTINGS),
        _ if file.ends_with(".safetensors") => {
            let whole = format!("{root}{folder}model.safetensors");
            let has_whole = members.iter().any(|member| member.path == whole);
            (file == "model.safetensors" || (!has_whole && is_shard(file))).then_some(WEIGHTS)
        }
        _ => None,
    }
}

/// Whether a folder is one of a module, such as `1_Pooling/`.
fn is_module(folder: &str) -> bool {
    let name = folder.trim_end_matches('/');
    let Some((number, name)) = name.split_once('_') else { return false };
    (1..=2).contains(&number.len())
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether a file is one of several with weights, such as `model-00001-of-00002.safetensors`.
fn is_shard(file: &str) -> bool {
    let numbers = file.strip_prefix("model-").and_then(|rest| rest.strip_suffix(".safetensors"));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers
        .and_then(|numbers| numbers.split_once("-of-"))
        .is_some_and(|(number, of)| is_number(number) && is_number(of))
}

/// A GGUF file and what lies beside it.
fn single_file(members: &[Member], wanted: Option<&str>) -> Result<Choice, String> {
    let is_gguf = |path: &str| path.to_ascii_lowercase().ends_with(".gguf");
    let mut found: Vec<&Member> = members.iter().filter(|member| is_gguf(&member.path)).collect();
    let names = |found: &[&Member]| {
        let shown: Vec<&str> = found.iter().take(12).map(|member| member.path.as_str()).collect();
        let more = found.len() - shown.len();
        shown.join(", ") + &if more > 0 { format!(", and {more} more") } else { String::new() }
    };
    if let Some(wanted) = wanted {
        let all = names(&found);
        found.retain(|member| member.path == wanted || split(&member.path).1 == wanted);
        if found.is_empty() {
            return Err(format!("holds no file '{wanted}'; its GGUF files: {all}"));
        }
    }
    match found[..] {
        [file] => {
            let (root, name) = split(&file.path);
            if name.contains("-of-") {
                return Err(format!("'{name}' is one part of a split GGUF file, which is not read"));
            }
            if !is_safe(name) || name.starts_with('.') {
                return Err("holds a GGUF file whose name cannot be used".to_owned());
            }
            let beside = members.iter().filter_map(|member| {
                let path = member.path.strip_prefix(root)?;
                let limit = match path {
                    _ if path == name => WEIGHTS,
                    "tokenizer.json" => TOKENIZER,
                    "tokenizer_config.json" => SETTINGS,
                    _ if is_text(path) => SETTINGS,
                    _ => return None,
                };
                Some(Chosen { from: member.path.clone(), path: path.to_owned(), size: member.size, limit })
            });
            Ok(Choice { root: root.to_owned(), files: beside.collect() })
        }
        [] => Err("holds no model: neither config.json with model.safetensors, nor a GGUF file".to_owned()),
        _ => Err(format!("holds {} GGUF files; name one with --file: {}", found.len(), names(&found))),
    }
}

/// Whether the choice is whole, small enough and free of links.
fn check(members: &[Member], choice: &Choice) -> Result<(), String> {
    let in_root = |file: &str| format!("{}{file}", choice.root);
    if choice.files.len() > MOST_FILES {
        return Err(format!("holds {} files of one model; {MOST_FILES} is the limit", choice.files.len()));
    }
    if !choice.files.iter().any(|file| file.path.ends_with(".safetensors") || file.path.ends_with(".gguf")) {
        let other = members.iter().find(|member| {
            member.path.starts_with(&choice.root) && member.path.ends_with("pytorch_model.bin")
        });
        return Err(match other {
            Some(other) => format!(
                "'{}' holds a program beside the weights, and only model.safetensors is read; save the model again \
                 with transformers' save_pretrained",
                other.path
            ),
            None => format!("has no weights: '{}' is missing", in_root("model.safetensors")),
        });
    }
    let is_gguf = choice.files.iter().any(|file| file.path.ends_with(".gguf"));
    let has_tokens = |file: &Chosen| split(&file.path).1 == "tokenizer.json" || file.path == VOCABULARY;
    if !is_gguf && !choice.files.iter().any(has_tokens) {
        return Err(format!(
            "has no '{}'; save the tokenizer again with transformers' fast tokenizers",
            in_root("tokenizer.json")
        ));
    }
    let mut total = 0u64;
    for (number, file) in choice.files.iter().enumerate() {
        if choice.files[..number].iter().any(|other| other.path.eq_ignore_ascii_case(&file.path)) {
            return Err(format!("holds '{}' twice", file.from));
        }
        if members.iter().any(|member| member.path == file.from && member.is_link) {
            return Err(format!("'{}' is a link, which is not followed", file.from));
        }
        let size = file.size.unwrap_or(0);
        if size > file.limit {
            return Err(format!("'{}' has {size} bytes; {} is the limit", file.from, file.limit));
        }
        total = total.saturating_add(size);
    }
    if total > WEIGHTS {
        return Err(format!("has {total} bytes; {WEIGHTS} is the limit"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(paths: &[&str]) -> Vec<Member> {
        paths.iter().map(|path| Member { path: (*path).to_owned(), size: Some(1), is_link: false }).collect()
    }

    fn chosen(paths: &[&str]) -> Result<(String, Vec<String>), String> {
        choose(&tree(paths), None)
            .map(|choice| (choice.root, choice.files.into_iter().map(|file| file.path).collect()))
    }

    #[test]
    fn only_needed_files_are_taken() {
        let (root, files) = chosen(&[
            "p/model/modules.json",
            "p/model/config.json",
            "p/model/1_Pooling/config.json",
            "p/model/2_Dense/model.safetensors",
            "p/model/2_Dense/config.json",
            "p/model/model.safetensors",
            "p/model/pytorch_model.bin",
            "p/model/other.safetensors",
            "p/model/onnx/model.onnx",
            "p/model/onnx/config.json",
            "p/model/tokenizer.json",
            "p/model/vocab.txt",
            "p/model/README.md",
            "p/model/LICENSE",
            "p/model/sentence_bert_config.json",
            "p/model/.git/config",
            "p/setup.py",
            "p/README.md",
        ])
        .unwrap();
        assert_eq!(root, "p/model/");
        assert_eq!(
            files,
            [
                "modules.json",
                "config.json",
                "1_Pooling/config.json",
                "2_Dense/model.safetensors",
                "2_Dense/config.json",
                "model.safetensors",
                "tokenizer.json",
                "README.md",
                "LICENSE",
                "sentence_bert_config.json"
            ]
        );
    }

    #[test]
    fn shards_count_only_without_the_whole() {
        let shards = [
            "config.json",
            "tokenizer.json",
            "model-00001-of-00002.safetensors",
            "model-00002-of-00002.safetensors",
        ];
        assert_eq!(chosen(&shards).unwrap().1.len(), 4);
        let both = [&shards[..], &["model.safetensors"]].concat();
        assert_eq!(chosen(&both).unwrap().1.len(), 3);
    }

    #[test]
    fn what_is_not_one_model_is_explained() {
        for (paths, told) in [
            (&["a.txt"][..], "holds no model"),
            (&["config.json", "pytorch_model.bin", "tokenizer.json"], "holds a program"),
            (&["modules.json", "config.json", "tokenizer.json"], "'model.safetensors' is missing"),
            (&["config.json", "model.safetensors"], "has no 'tokenizer.json'"),
            (
                &["a/config.json", "a/model.safetensors", "b/config.json", "b/model.safetensors"],
                "holds 2 models (a, b)",
            ),
            (&["a.gguf", "b.gguf"], "holds 2 GGUF files; name one with --file: a.gguf, b.gguf"),
            (&["a-00001-of-00002.gguf"], "one part of a split"),
            (&["config.json", "model.safetensors", "tokenizer.json", "config.json"], "twice"),
        ] {
            let error = chosen(paths).unwrap_err();
            assert!(error.contains(told), "{error}");
        }
        assert_eq!(choose(&tree(&["a.gguf", "q/b.gguf"]), Some("b.gguf")).unwrap().root, "q/");
        assert!(choose(&tree(&["a.gguf"]), Some("c.gguf")).unwrap_err().contains("its GGUF files: a.gguf"));
    }

    #[test]
    fn large_files_and_links_are_refused() {
        let mut members = tree(&["config.json", "model.safetensors", "tokenizer.json"]);
        members[0].size = Some(SETTINGS + 1);
        assert!(choose(&members, None).unwrap_err().contains("'config.json' has 16777217 bytes"));
        members[0].size = Some(1);
        members[1].is_link = true;
        assert!(choose(&members, None).unwrap_err().contains("is a link"));
    }

    #[test]
    fn paths_that_lead_out_are_not_safe() {
        for path in ["a", "a/b.c", "1_Pooling/config.json"] {
            assert!(is_safe(path), "{path}");
        }
        for path in ["", "/a", "../a", "a/../b", "a//b", "a/", "./a", "c:a", "a\\b", "a\0"] {
            assert!(!is_safe(path), "{path:?}");
        }
    }
}
