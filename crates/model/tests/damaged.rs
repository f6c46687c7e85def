//! Damaged model files: an error that says where, or a model, never a panic.

use crate::tiny;

use candle_core::quantized::GgmlDType;
use candle_core::quantized::gguf_file::Value;
use generate::{Continue, Generator};
use model::{LocalModel, Options};
use std::path::Path;
use testkit::TempDir;
use tiny::{Tiny, request};

fn error(path: &Path) -> String {
    LocalModel::open(path, &Options::default()).unwrap_err().to_string()
}

/// The error of a tiny model with a change, without the folder.
fn refused(tiny: &Tiny) -> String {
    let folder = TempDir::new("model-refused");
    let path = tiny.write(folder.path());
    let error = error(&path);
    let start = path.display().to_string();
    error.strip_prefix(&start).unwrap_or_else(|| panic!("{error}")).to_owned()
}

#[test]
fn what_is_missing_or_cannot_be_is_named() {
    let llama = || Tiny::new("llama");
    let check = |tiny: Tiny, expected: &str| assert_eq!(refused(&tiny), expected);
    check(
        Tiny::new("mamba"),
        ": the architecture `mamba` is not known; known are llama, qwen2, qwen3, phi3, gemma3",
    );
    check(llama().without("general.architecture"), ": the metadata has no `general.architecture`");
    check(llama().without("llama.block_count"), ": the metadata has no `llama.block_count`");
    check(llama().with("llama.block_count", Value::U32(3)), ": there is no tensor `blk.2.attn_q.weight`");
    check(
        llama().with("llama.block_count", Value::U32(1 << 31)),
        ": `llama.block_count` is 2147483648, which cannot be",
    );
    check(
        llama().with("llama.block_count", Value::F32(2.0)),
        ": `llama.block_count` is a number, not a whole number",
    );
    check(
        llama().with("llama.embedding_length", Value::U32(32)),
        ": the tensor `token_embd.weight` has the shape [263, 64], not [263, 32]",
    );
    check(
        llama().with("llama.attention.head_count_kv", Value::U32(3)),
        ": `llama.attention.head_count_kv` is 3, which cannot be",
    );
    check(
        llama().with("llama.attention.head_count", Value::U32(0)),
        ": `llama.attention.head_count` is 0, which cannot be",
    );
    check(
        llama().with("llama.rope.dimension_count", Value::U32(15)),
        ": `llama.rope.dimension_count` is 15, which cannot be",
    );
    check(
        llama().with("llama.rope.freq_base", Value::F32(f32::NAN)),
        ": `llama.rope.freq_base` is NaN, which cannot be",
    );
    check(
        llama().with("llama.rope.scaling.type", Value::String("yarn".to_owned())),
        ": the scaling of positions `yarn` is not known; known are none, linear, longrope",
    );
    check(
        llama().with("llama.expert_count", Value::U32(8)),
        ": the kind of model `mixture of experts` is not known; known are dense models",
    );
    check(llama().with("general.alignment", Value::U32(0)), ": `general.alignment` is no power of two");
    check(
        llama().with("tokenizer.ggml.model", Value::String("t5".to_owned())),
        ": a tokenizer of the kind `t5` cannot be made from the metadata; put the model's tokenizer.json beside the file",
    );
    check(
        llama().without("tokenizer.ggml.tokens"),
        ": the metadata has no `tokenizer.ggml.tokens`; put the model's tokenizer.json beside the file",
    );
    let rule = refused(&llama().with("tokenizer.ggml.pre", Value::String("tekken".to_owned())));
    assert!(rule.starts_with(": words cut by the rule `tekken` are not known; known are gpt-2, "), "{rule}");
    let merges =
        refused(&llama().with("tokenizer.ggml.merges", Value::Array(vec![Value::String("q x".to_owned())])));
    assert!(merges.ends_with("put the model's tokenizer.json beside the file"), "{merges}");
    check(
        Tiny { packing: GgmlDType::Q8_0, ..Tiny::new("qwen3") }
            .with("qwen3.attention.key_length", Value::U32(64)),
        ": the tensor `blk.0.attn_q.weight` has the shape [128, 64], not [256, 64]",
    );
}

#[test]
fn what_is_no_model_is_told() {
    let folder = TempDir::new("model-no-model");
    let path = folder.path().join("x.gguf");
    assert!(error(&path).starts_with(&format!("{}: ", path.display())));
    let check = |bytes: &[u8], expected: &str| {
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(error(&path), format!("{}: {expected}", path.display()));
    };
    check(b"", "byte 0: the file ends within its header");
    check(b"PK\x03\x04abcd", "byte 0: this is no GGUF file: it does not begin with `GGUF`");
    check(b"GGUF\x09\0\0\0", "byte 4: version 9 of GGUF is not known");
    check(
        b"GGUF\x03\0\0\0\xff\xff\xff\xff\xff\xff\xff\x7f\0\0\0\0\0\0\0\0",
        "byte 8: it says that 9223372036854775807 tensors follow, but only 8 bytes do",
    );
    check(
        b"GGUF\x03\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0k\x08\0\0\0\xff\xff\xff\xff\0\0\0\0",
        "byte 37: it says that 4294967295 bytes of text follow, but only 0 bytes do",
    );
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert!(LocalModel::open(&path, &Options::default()).is_err());
}

#[test]
fn a_file_that_is_cut_short_is_never_a_model() {
    let folder = TempDir::new("model-short");
    let bytes =
        std::fs::read(Tiny { packing: GgmlDType::Q4_1, ..Tiny::new("llama") }.write(folder.path())).unwrap();
    let path = folder.path().join("short.gguf");
    // The last tensor is padded; everything before that is needed.
    let lengths = (0..64).chain((64..bytes.len() - 32).step_by(997));
    for length in lengths {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let error = error(&path);
        assert!(error.starts_with(&format!("{}: ", path.display())), "{error}");
    }
}

#[test]
fn tensors_that_overlap_are_refused() {
    let folder = TempDir::new("model-overlap");
    let path = Tiny::new("llama").write(folder.path());
    let mut bytes = std::fs::read(&path).unwrap();
    let place = |name: &str| {
        let at = bytes.windows(name.len()).position(|found| found == name.as_bytes()).unwrap();
        // Two dimensions of eight bytes, with four for their number before and four for the packing after.
        at + name.len() + 4 + 16 + 4
    };
    let (gate, up) = (place("blk.0.ffn_gate.weight"), place("blk.0.ffn_up.weight"));
    let offset: [u8; 8] = bytes[gate..gate + 8].try_into().unwrap();
    bytes[up..up + 8].copy_from_slice(&offset);
    std::fs::write(&path, &bytes).unwrap();
    let expected = "the tensors `blk.0.ffn_gate.weight` and `blk.0.ffn_up.weight` overlap";
    assert_eq!(error(&path), format!("{}: {expected}", path.display()));
}

/// Bytes of the header, closely, and some of the rest: what opens can be asked.
#[test]
fn bytes_that_are_wrong_make_an_error_or_another_model() {
    let folder = TempDir::new("model-bytes");
    let tiny = Tiny { packing: GgmlDType::Q8_0, ..Tiny::new("llama") };
    let bytes = std::fs::read(tiny.write(folder.path())).unwrap();
    let path = folder.path().join("bytes.gguf");
    let mut opened = 0;
    let mut refused = 0;
    let header = (0..1200).step_by(5).chain((1200..bytes.len()).step_by(2003));
    for place in header {
        for change in [0x01, 0x80, 0xff] {
            let mut bytes = bytes.clone();
            bytes[place] ^= change;
            std::fs::write(&path, &bytes).unwrap();
            match LocalModel::open(&path, &Options::default()) {
                Ok(model) => {
                    opened += 1;
                    // A wrong weight may give no number, which is an error as well.
                    let _ = model.generate(&request("ab", 2), &mut |_| Continue::Yes);
                }
                Err(error) => {
                    refused += 1;
                    assert!(error.to_string().starts_with(&format!("{}: ", path.display())), "{error}");
                }
            }
        }
    }
    assert!(opened > 100 && refused > 100, "{opened} {refused}");
}
