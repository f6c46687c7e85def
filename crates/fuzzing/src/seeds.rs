//! Seeds that our own writers make: small files in binary formats.
//!
//! They are committed in `fuzz/seeds`, since a fuzzer reads files. A test checks that each of them is still read,
//! and `UPDATE_EXPECT=1` makes them anew after a format has changed.

pub mod models;

use crate::small::collection_bytes;
use crate::targets::stored_seeds;

/// The seeds: a target, a name and the bytes.
#[must_use]
pub fn written() -> Vec<(&'static str, String, Vec<u8>)> {
    let (frame, index) = stored_seeds();
    let mut seeds =
        vec![("frame", "whole".to_owned(), frame), ("store", "whole".to_owned(), collection_bytes())];
    for (number, (name, bytes)) in (0_u8..).zip(index) {
        // Names of files begin with a number that depends on how often the index was changed.
        let kind = name.rsplit('.').next().unwrap_or(&name).to_owned();
        let mut seed = vec![number];
        seed.extend_from_slice(&bytes);
        seeds.push(("index", format!("{number}-{kind}"), seed));
    }
    seeds.extend([
        ("gguf", "bytes".to_owned(), models::decoder(models::Words::Bytes)),
        ("gguf", "pieces".to_owned(), models::decoder(models::Words::Pieces)),
        ("safetensors", "weights".to_owned(), [&[0][..], &models::encoder_weights()].concat()),
        ("safetensors", "config".to_owned(), [&[1][..], models::encoder_config().as_bytes()].concat()),
        ("safetensors", "tokenizer".to_owned(), [&[2][..], models::encoder_tokenizer().as_bytes()].concat()),
        ("vector_lists", "whole".to_owned(), models::vector_lists()),
    ]);
    seeds
}
