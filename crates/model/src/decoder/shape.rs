//! What a decoder is made of, as the metadata says.

use crate::Error;
use crate::gguf::Header;

/// More than any model has; a damaged count would otherwise look for tensors for a long time.
const MAX_LAYERS: u64 = 1024;
/// No matrix of a model has more rows or columns than this.
const MAX_SIZE: u64 = 1 << 24;
/// The base of the turning frequencies where the file does not say one.
const DEFAULT_ROPE_BASE: f64 = 10_000.0;
/// The same in the layers of Gemma 3 that look at what is near.
pub(super) const NEAR_ROPE_BASE: f64 = 10_000.0;
/// In Gemma 3 every sixth layer looks at everything.
const NEAR_LAYERS: usize = 6;
/// By how many layers Gemma 3 of 27 billion parameters is known.
const LARGEST_GEMMA_LAYERS: usize = 62;

/// A family of decoders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Architecture {
    Llama,
    Qwen2,
    Qwen3,
    Phi3,
    Gemma3,
}

impl Architecture {
    const ALL: [(&'static str, Self); 5] = [
        ("llama", Self::Llama),
        ("qwen2", Self::Qwen2),
        ("qwen3", Self::Qwen3),
        ("phi3", Self::Phi3),
        ("gemma3", Self::Gemma3),
    ];

    fn read(header: &Header) -> Result<(&'static str, Self), Error> {
        let key = "general.architecture";
        let found = header.optional_text(key)?.ok_or_else(|| header.missing(key))?;
        Self::ALL.into_iter().find(|(name, _)| *name == found).ok_or_else(|| Error::Unknown {
            path: header.path.clone(),
            what: "architecture",
            found: found.to_owned(),
            known: Self::ALL.iter().map(|(name, _)| *name).collect(),
        })
    }
}

/// How positions turn the numbers of a head in pairs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pairs {
    /// The first with the second, the third with the fourth.
    Neighbours,
    /// The first with the first of the second half.
    Halves,
}

/// What a decoder is made of.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) architecture: Architecture,
    /// The architecture as the file spells it.
    pub(crate) name: &'static str,
    pub(crate) layers: usize,
    pub(crate) hidden: usize,
    pub(crate) feed_forward: usize,
    pub(crate) heads: usize,
    /// Heads share keys and values in groups; this many are stored.
    pub(crate) key_heads: usize,
    pub(crate) head_size: usize,
    /// What queries are multiplied by before they meet keys.
    pub(crate) query_factor: f64,
    /// How many numbers of a head are turned.
    pub(crate) turned: usize,
    pub(crate) pairs: Pairs,
    pub(crate) rope_base: f64,
    /// Positions are divided by this.
    pub(crate) rope_divisor: f64,
    /// The turned numbers are multiplied by this.
    pub(crate) rope_factor: f64,
    pub(crate) epsilon: f64,
    /// How many tokens the model was made for.
    pub(crate) context: usize,
    /// How far layers look back that do not look at everything.
    pub(crate) window: Option<usize>,
    /// Up to how many tokens the short factors of long-rope hold, if the model has such.
    pub(crate) original_context: Option<usize>,
}

impl Shape {
    /// # Errors
    ///
    /// When the architecture is not known, or a number is missing or cannot be.
    pub(crate) fn read(header: &Header) -> Result<Self, Error> {
        let (name, architecture) = Architecture::read(header)?;
        let key = |rest: &str| format!("{name}.{rest}");
        let wrong = |rest: &str, number: u64| {
            Error::damaged(&header.path, format!("`{name}.{rest}` is {number}, which cannot be"))
        };
        let at_most = |rest: &str, limit: u64| -> Result<usize, Error> {
            let number = header.count(&key(rest))?;
            if (1..=limit).contains(&number) { Ok(number as usize) } else { Err(wrong(rest, number)) }
        };
        let count = |rest: &str| at_most(rest, MAX_SIZE);
        let optional = |rest: &str| -> Result<Option<usize>, Error> {
            if header.metadata.contains_key(&key(rest)) { count(rest).map(Some) } else { Ok(None) }
        };
        if header.optional_count(&key("expert_count"))?.is_some_and(|experts| experts > 0) {
            return Err(Error::Unknown {
                path: header.path.clone(),
                what: "kind of model",
                found: "mixture of experts".to_owned(),
                known: vec!["dense models"],
            });
        }
        let layers = at_most("block_count", MAX_LAYERS)?;
        let hidden = count("embedding_length")?;
        let heads = count("attention.head_count")?;
        let key_heads = optional("attention.head_count_kv")?.unwrap_or(heads);
        if heads % key_heads != 0 {
            return Err(wrong("attention.head_count_kv", key_heads as u64));
        }
        let head_size = match optional("attention.key_length")? {
            Some(size) => size,
            None if hidden % heads == 0 => hidden / heads,
            None => return Err(wrong("attention.head_count", heads as u64)),
        };
        let turned = optional("rope.dimension_count")?.unwrap_or(head_size);
        if turned > head_size || turned % 2 != 0 {
            return Err(wrong("rope.dimension_count", turned as u64));
        }
        let number = |rest: &str, default: Option<f64>| -> Result<f64, Error> {
            let found = header.optional_number(&key(rest))?.or(default);
            let found = found.ok_or_else(|| header.missing(&key(rest)))?;
            if found.is_finite() && found > 0.0 {
                Ok(found)
            } else {
                Err(Error::damaged(&header.path, format!("`{name}.{rest}` is {found}, which cannot be")))
            }
        };
        let rope_divisor = match rope_factor_key(header, name)? {
            Some(rest) => number(rest, None)?,
            None => 1.0,
        };
        let gemma = architecture == Architecture::Gemma3;
        // The largest of them divides what a head has of the hidden numbers, not what it makes of them.
        let divisor = if gemma && layers == LARGEST_GEMMA_LAYERS { hidden / heads } else { head_size };
        Ok(Self {
            architecture,
            name,
            layers,
            hidden,
            feed_forward: count("feed_forward_length")?,
            heads,
            key_heads,
            head_size,
            query_factor: 1.0 / (divisor as f64).sqrt(),
            turned,
            pairs: if architecture == Architecture::Llama { Pairs::Neighbours } else { Pairs::Halves },
            rope_base: number("rope.freq_base", Some(DEFAULT_ROPE_BASE))?,
            rope_divisor,
            rope_factor: number("rope.scaling.attn_factor", Some(1.0))?,
            epsilon: number("attention.layer_norm_rms_epsilon", None)?,
            context: at_most("context_length", u64::from(u32::MAX))?,
            window: if gemma { optional("attention.sliding_window")? } else { None },
            original_context: optional("rope.scaling.original_context_length")?,
        })
    }

    /// How many tokens it looks at unless more is asked for: those for which it was first made.
    pub(crate) fn usual_context(&self) -> usize {
        self.original_context.map_or(self.context, |original| original.min(self.context))
    }

    /// How far this layer looks back; nothing if to the beginning.
    pub(crate) fn window_of(&self, layer: usize) -> Option<usize> {
        self.window.filter(|_| layer % NEAR_LAYERS != NEAR_LAYERS - 1)
    }
}

/// Under which key a file has the factor by which positions are divided; nothing if they are not.
///
/// A factor without a type is linear, and old files have it under another name; 0 says that there is none.
fn rope_factor_key(header: &Header, name: &str) -> Result<Option<&'static str>, Error> {
    match header.optional_text(&format!("{name}.rope.scaling.type"))?.unwrap_or("linear") {
        "none" | "longrope" => Ok(None),
        "linear" => {
            for rest in ["rope.scaling.factor", "rope.scale_linear"] {
                if header.optional_number(&format!("{name}.{rest}"))?.is_some_and(|factor| factor != 0.0) {
                    return Ok(Some(rest));
                }
            }
            Ok(None)
        }
        other => Err(Error::Unknown {
            path: header.path.clone(),
            what: "scaling of positions",
            found: other.to_owned(),
            known: vec!["none", "linear", "longrope"],
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::Shape;
    use crate::gguf::{Header, Value};
    use std::collections::BTreeMap;

    /// Gemma 3 of 27 billion parameters, but for its layers.
    fn gemma(layers: u64) -> Shape {
        let counts = [
            ("block_count", layers),
            ("context_length", 131_072),
            ("embedding_length", 5376),
            ("feed_forward_length", 21_504),
            ("attention.head_count", 32),
            ("attention.head_count_kv", 16),
            ("attention.key_length", 128),
            ("attention.sliding_window", 1024),
        ];
        let mut metadata: BTreeMap<String, Value> =
            counts.map(|(key, count)| (format!("gemma3.{key}"), Value::Unsigned(count))).into();
        metadata.insert("general.architecture".to_owned(), Value::String("gemma3".to_owned()));
        metadata.insert("gemma3.attention.layer_norm_rms_epsilon".to_owned(), Value::Float(1e-6));
        let (path, tensors) = ("gemma.gguf".into(), BTreeMap::new());
        Shape::read(&Header { path, metadata, tensors, data_start: 0, file_size: 0 }).unwrap()
    }

    /// As llama.cpp and the makers have it: 168 is 5376 by 32.
    #[test]
    fn the_largest_gemma_divides_by_another_number() {
        assert_eq!(gemma(62).query_factor, 1.0 / 168_f64.sqrt());
        assert_eq!(gemma(48).query_factor, 1.0 / 128_f64.sqrt());
    }
}
