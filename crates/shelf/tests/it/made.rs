//! Models that tests make.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The bytes of a safetensors file with one tensor of so many numbers.
pub(crate) fn weights(numbers: usize) -> Vec<u8> {
    let header =
        format!(r#"{{"w":{{"dtype":"F32","shape":[{numbers}],"data_offsets":[0,{}]}}}}"#, numbers * 4);
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.as_bytes());
    bytes.extend((0..numbers).flat_map(|number| (number as f32).to_le_bytes()));
    bytes
}

/// The files of a small sentence encoder, with some that are not needed.
pub(crate) fn encoder() -> Vec<(&'static str, Vec<u8>)> {
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        (
            "config.json",
            text(
                r#"{"model_type":"bert","architectures":["BertModel"],"hidden_size":8,"max_position_embeddings":64}"#,
            ),
        ),
        (
            "modules.json",
            text(
                r#"[{"idx":0,"name":"0","path":"","type":"sentence_transformers.models.Transformer"},
                    {"idx":1,"name":"1","path":"1_Pooling","type":"sentence_transformers.models.Pooling"},
                    {"idx":2,"name":"2","path":"2_Dense","type":"sentence_transformers.models.Dense"},
                    {"idx":3,"name":"3","path":"3_Normalize","type":"sentence_transformers.models.Normalize"}]"#,
            ),
        ),
        (
            "1_Pooling/config.json",
            text(r#"{"pooling_mode_cls_token":false,"pooling_mode_mean_tokens":true}"#),
        ),
        ("2_Dense/config.json", text(r#"{"in_features":8,"out_features":4}"#)),
        ("2_Dense/model.safetensors", weights(32)),
        ("sentence_bert_config.json", text(r#"{"max_seq_length":48}"#)),
        ("tokenizer.json", text("{}")),
        ("tokenizer_config.json", text(r#"{"model_max_length":64}"#)),
        ("model.safetensors", weights(3000)),
        ("README.md", text("---\nlicense: mit\ndatasets:\n- org/stackexchange_xml\n---\n# tiny-encoder\n")),
        ("LICENSE", text("Do what you like.\n")),
        ("pytorch_model.bin", text("a program")),
        ("onnx/model.onnx", text("another format")),
        ("vocab.txt", text("a\nb\n")),
    ]
}

/// Paths of files that are kept of [`encoder`], in order.
pub(crate) const KEPT: [&str; 11] = [
    "1_Pooling/config.json",
    "2_Dense/config.json",
    "2_Dense/model.safetensors",
    "LICENSE",
    "README.md",
    "config.json",
    "model.safetensors",
    "modules.json",
    "sentence_bert_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
];

pub(crate) fn folder(at: &Path) -> PathBuf {
    for (path, bytes) in encoder() {
        let file = at.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, bytes).unwrap();
    }
    at.to_owned()
}

/// A zip archive of members.
pub(crate) fn zip(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(name.as_str(), zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The header of a member of a tar archive.
fn header(name: &str, size: usize, kind: u8) -> [u8; 512] {
    let mut header = [0; 512];
    header[..name.len()].copy_from_slice(name.as_bytes());
    header[124..135].copy_from_slice(format!("{size:011o}").as_bytes());
    header[156] = kind;
    header[257..263].copy_from_slice(b"ustar\0");
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

/// A tar archive of members; a link has no bytes.
pub(crate) fn tar(members: &[(String, Vec<u8>)], links: &[&str]) -> Vec<u8> {
    let mut tar = Vec::new();
    for (name, bytes) in members {
        if name.len() > 100 {
            tar.extend(header("././@LongLink", name.len() + 1, b'L'));
            tar.extend(name.as_bytes());
            tar.resize(tar.len() + 1, 0);
            tar.resize(tar.len().next_multiple_of(512), 0);
        }
        tar.extend(header(&name[..name.len().min(100)], bytes.len(), b'0'));
        tar.extend(bytes);
        tar.resize(tar.len().next_multiple_of(512), 0);
    }
    links.iter().for_each(|name| tar.extend(header(name, 0, b'2')));
    tar.resize(tar.len() + 1024, 0);
    tar
}

/// The files of the small encoder below a folder.
pub(crate) fn below(prefix: &str) -> Vec<(String, Vec<u8>)> {
    encoder().into_iter().map(|(path, bytes)| (format!("{prefix}{path}"), bytes)).collect()
}

/// The beginning of a GGUF file.
pub(crate) fn gguf() -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u64).to_le_bytes()[..], text.as_bytes()].concat();
    let mut bytes = b"GGUF".to_vec();
    bytes.extend(3u32.to_le_bytes());
    bytes.extend([0u64.to_le_bytes(), 2u64.to_le_bytes()].concat());
    bytes.extend([text("general.architecture"), 8u32.to_le_bytes().to_vec(), text("llama")].concat());
    bytes.extend(
        [text("llama.context_length"), 4u32.to_le_bytes().to_vec(), 2048u32.to_le_bytes().to_vec()].concat(),
    );
    bytes
}
