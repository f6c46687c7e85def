//! The layers of an encoder, forward with what the way back needs, and backward.

use super::super::config::{Config, Family};
use super::super::matrix::Then;
use super::super::network::{BUCKETS, Distances, Names, Scratch, TokenIds, attention, layers};
use super::attention::{Buffers, Shape};
use super::parameters::{From, Parameters};
use super::parts::{Affine, Norm, Normalised, Tools, activate, activate_back};
use crate::Error;
use std::collections::HashMap;
use std::ops::Range;

/// Embeddings and layers.
#[derive(Debug)]
pub(super) struct Body {
    config: Config,
    embeddings: Embeddings,
    layers: Vec<Layer>,
    /// Which layers are applied, one after the other.
    order: Vec<usize>,
    /// Of MPNet: where the numbers of distances are, and what they say for each head.
    distances: Option<(Range<usize>, Distances)>,
}

#[derive(Debug)]
struct Embeddings {
    size: usize,
    words: Range<usize>,
    positions: Range<usize>,
    /// Empty where tokens have no types.
    types: Range<usize>,
    norm: Norm,
    widen: Option<Affine>,
}

#[derive(Debug)]
struct Layer {
    queries_keys_values: Affine,
    output: Affine,
    output_norm: Norm,
    up: Affine,
    down: Affine,
    down_norm: Norm,
}

/// Memory that one thread uses again.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    pub(super) tools: Tools,
    scratch: Scratch,
    buffers: Buffers,
}

/// The gradient of some texts: of all parameters before the words, and of words that occurred.
#[derive(Debug, Default)]
pub(super) struct Gradient {
    pub(super) dense: Vec<f32>,
    pub(super) words: HashMap<u32, Vec<f32>>,
}

/// What was kept on the way forward.
#[derive(Debug, Default)]
pub(super) struct Tape {
    embedded: Normalised,
    /// What was widened, of ALBERT.
    narrow: Vec<f32>,
    layers: Vec<Kept>,
}

/// What was kept of a layer.
#[derive(Debug)]
struct Kept {
    input: Vec<f32>,
    queries_keys_values: Vec<f32>,
    attended: Vec<f32>,
    first_norm: Normalised,
    middle: Vec<f32>,
    /// Before the activation.
    inner: Vec<f32>,
    second_norm: Normalised,
}

impl Body {
    /// Reads everything but the words, which [`Body::read_words`] adds at the end of the row.
    pub(super) fn read(parameters: &mut Parameters, from: From<'_>, config: &Config) -> Result<Self, Error> {
        let size = config.embedding_size;
        let positions = parameters.read(
            from,
            "embeddings.position_embeddings.weight",
            &[config.max_position_embeddings, size],
        )?;
        let types = match config.type_vocab_size {
            0 => 0..0,
            count if from.weights.shape("embeddings.token_type_embeddings.weight").is_some() => {
                parameters.read(from, "embeddings.token_type_embeddings.weight", &[count, size])?
            }
            _ => 0..0,
        };
        let epsilon = config.layer_norm_eps;
        let norm = parameters.norm(from, "embeddings.LayerNorm", size)?;
        let norm = Norm::new(norm, epsilon, &parameters.values);
        let widen = match config.family {
            Family::Albert => {
                let names = ["encoder.embedding_hidden_mapping_in"];
                let slot = parameters.linear(from, &names, config.hidden_size, size, true)?;
                Some(Affine::new(slot, &parameters.values))
            }
            _ => None,
        };
        let distances = match config.family {
            Family::Mpnet => {
                let range = parameters.read(from, BUCKETS, &[config.distances, config.heads])?;
                let distances = Distances::new(&parameters.values[range.clone()], config);
                Some((range, distances))
            }
            _ => None,
        };
        let (names, order) = layers(config, config.layers);
        let layers =
            names.iter().map(|name| Layer::read(parameters, from, name, config)).collect::<Result<_, _>>()?;
        let embeddings = Embeddings { size, words: 0..0, positions, types, norm, widen };
        Ok(Self { config: config.clone(), embeddings, layers, order, distances })
    }

    pub(super) fn read_words(&mut self, parameters: &mut Parameters, from: From<'_>) -> Result<(), Error> {
        let shape = [self.config.vocab_size, self.embeddings.size];
        self.embeddings.words = parameters.read(from, "embeddings.word_embeddings.weight", &shape)?;
        Ok(())
    }

    /// How many parameters there are before the words.
    pub(super) fn before_words(&self) -> usize {
        self.embeddings.words.start
    }

    /// Numbers of a word.
    pub(super) fn word_size(&self) -> usize {
        self.embeddings.size
    }

    pub(super) fn hidden(&self) -> usize {
        self.config.hidden_size
    }

    pub(super) fn prepare(&mut self, values: &[f32]) {
        self.embeddings.norm.prepare(values);
        if let Some(widen) = &mut self.embeddings.widen {
            widen.prepare(values);
        }
        if let Some((range, distances)) = &mut self.distances {
            *distances = Distances::new(&values[range.clone()], &self.config);
        }
        for layer in &mut self.layers {
            for affine in [&mut layer.queries_keys_values, &mut layer.output, &mut layer.up, &mut layer.down]
            {
                affine.prepare(values);
            }
            layer.output_norm.prepare(values);
            layer.down_norm.prepare(values);
        }
    }

    /// Multiplications of the forward pass for a text of this many tokens.
    pub(super) fn cost(&self, tokens: usize) -> f64 {
        let (tokens, hidden) = (tokens as f64, self.config.hidden_size as f64);
        let matrices = 4.0 * hidden * hidden + 2.0 * hidden * self.config.intermediate_size as f64;
        self.order.len() as f64 * tokens * (matrices + 2.0 * hidden * tokens)
    }

    /// The hidden states of all tokens, to the bit as the encoder makes them.
    pub(super) fn forward(
        &self,
        values: &[f32],
        texts: &[TokenIds<'_>],
        space: &mut Workspace,
        mut tape: Option<&mut Tape>,
    ) -> Vec<f32> {
        let mut rows = self.embed(values, texts, space, tape.as_deref_mut());
        for &layer in &self.order {
            let (next, kept) = self.layer(&self.layers[layer], rows, texts, space);
            rows = next;
            if let Some(tape) = &mut tape {
                tape.layers.push(kept);
            }
        }
        rows
    }

    fn embed(
        &self,
        values: &[f32],
        texts: &[TokenIds<'_>],
        space: &mut Workspace,
        tape: Option<&mut Tape>,
    ) -> Vec<f32> {
        let Embeddings { size, words, positions, types, norm, widen } = &self.embeddings;
        let row = |of: &Range<usize>, number: usize| &values[of.clone()][number * size..][..*size];
        let mut rows = Vec::new();
        for text in texts {
            for (place, (&id, &kind)) in text.ids.iter().zip(text.types).enumerate() {
                let first = rows.len();
                rows.extend_from_slice(row(words, id as usize));
                let mut add =
                    |more: &[f32]| rows[first..].iter_mut().zip(more).for_each(|(x, more)| *x += more);
                if !types.is_empty() {
                    add(row(types, kind as usize));
                }
                add(row(positions, self.config.position_offset + place));
            }
        }
        let embedded = norm.forward(&mut rows);
        let narrow = match widen {
            Some(widen) => {
                let mut wide = vec![0.0; rows.len() / size * widen.columns()];
                widen.forward(&rows, &mut space.tools, &mut wide, Then::Store);
                std::mem::replace(&mut rows, wide)
            }
            None => Vec::new(),
        };
        if let Some(tape) = tape {
            (tape.embedded, tape.narrow) = (embedded, narrow);
        }
        rows
    }

    fn layer(
        &self,
        layer: &Layer,
        input: Vec<f32>,
        texts: &[TokenIds<'_>],
        space: &mut Workspace,
    ) -> (Vec<f32>, Kept) {
        let tokens = input.len() / self.config.hidden_size;
        let mut queries_keys_values = vec![0.0; tokens * layer.queries_keys_values.columns()];
        layer.queries_keys_values.forward(&input, &mut space.tools, &mut queries_keys_values, Then::Store);
        let mut attended = vec![0.0; input.len()];
        let distances = self.distances.as_ref().map(|(_, distances)| distances);
        attention(
            texts,
            self.config.heads,
            distances,
            (&queries_keys_values, &mut attended),
            &mut space.scratch,
        );
        let mut middle = input.clone();
        layer.output.forward(&attended, &mut space.tools, &mut middle, Then::Add);
        let first_norm = layer.output_norm.forward(&mut middle);
        let mut inner = vec![0.0; tokens * layer.up.columns()];
        layer.up.forward(&middle, &mut space.tools, &mut inner, Then::Store);
        let mut active = inner.clone();
        activate(self.config.activation, &mut active);
        let mut rows = middle.clone();
        layer.down.forward(&active, &mut space.tools, &mut rows, Then::Add);
        let second_norm = layer.down_norm.forward(&mut rows);
        (rows, Kept { input, queries_keys_values, attended, first_norm, middle, inner, second_norm })
    }

    /// Adds the gradient of the parameters, from that of the states.
    pub(super) fn back(
        &self,
        texts: &[TokenIds<'_>],
        mut tape: Tape,
        mut slope: Vec<f32>,
        space: &mut Workspace,
        gradient: &mut Gradient,
    ) {
        for &layer in self.order.iter().rev() {
            let Some(kept) = tape.layers.pop() else { break };
            slope = self.layer_back(&self.layers[layer], &kept, slope, texts, space, &mut gradient.dense);
        }
        self.embed_back(texts, &tape, slope, space, gradient);
    }

    fn layer_back(
        &self,
        layer: &Layer,
        kept: &Kept,
        mut slope: Vec<f32>,
        texts: &[TokenIds<'_>],
        space: &mut Workspace,
        gradient: &mut [f32],
    ) -> Vec<f32> {
        let Workspace { tools, buffers, .. } = space;
        layer.down_norm.back(&kept.second_norm, &mut slope, gradient);
        let mut active = kept.inner.clone();
        activate(self.config.activation, &mut active);
        layer.down.learn(&active, &slope, tools, gradient);
        let mut inner = active;
        layer.down.back(&slope, tools, &mut inner, Then::Store);
        activate_back(self.config.activation, &kept.inner, &mut inner);
        layer.up.learn(&kept.middle, &inner, tools, gradient);
        layer.up.back(&inner, tools, &mut slope, Then::Add);
        layer.output_norm.back(&kept.first_norm, &mut slope, gradient);
        layer.output.learn(&kept.attended, &slope, tools, gradient);
        let mut attended = vec![0.0; kept.attended.len()];
        layer.output.back(&slope, tools, &mut attended, Then::Store);
        let shape = Shape {
            heads: self.config.heads,
            hidden: self.config.hidden_size,
            distances: self.distances.as_ref().map(|(_, distances)| distances),
            buckets: self.config.distances,
        };
        let mut parts = vec![0.0; kept.queries_keys_values.len()];
        let range = self.distances.as_ref().map_or(0..0, |(range, _)| range.clone());
        shape.back(texts, (&kept.queries_keys_values, &attended), &mut parts, &mut gradient[range], buffers);
        layer.queries_keys_values.learn(&kept.input, &parts, tools, gradient);
        layer.queries_keys_values.back(&parts, tools, &mut slope, Then::Add);
        slope
    }

    fn embed_back(
        &self,
        texts: &[TokenIds<'_>],
        tape: &Tape,
        mut slope: Vec<f32>,
        space: &mut Workspace,
        gradient: &mut Gradient,
    ) {
        let Embeddings { size, positions, types, norm, widen, .. } = &self.embeddings;
        if let Some(widen) = widen {
            widen.learn(&tape.narrow, &slope, &mut space.tools, &mut gradient.dense);
            let mut narrow = vec![0.0; tape.narrow.len()];
            widen.back(&slope, &mut space.tools, &mut narrow, Then::Store);
            slope = narrow;
        }
        norm.back(&tape.embedded, &mut slope, &mut gradient.dense);
        let add = |to: &mut [f32], row: &[f32]| to.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        let mut rows = slope.chunks_exact(*size);
        for text in texts {
            let tokens = text.ids.iter().zip(text.types).enumerate();
            for ((place, (&id, &kind)), row) in tokens.zip(&mut rows) {
                let position = (self.config.position_offset + place) * size;
                add(&mut gradient.dense[positions.clone()][position..][..*size], row);
                if !types.is_empty() {
                    add(&mut gradient.dense[types.clone()][kind as usize * size..][..*size], row);
                }
                add(gradient.words.entry(id).or_insert_with(|| vec![0.0; *size]), row);
            }
        }
    }
}

impl Layer {
    fn read(
        parameters: &mut Parameters,
        from: From<'_>,
        layer: &str,
        config: &Config,
    ) -> Result<Self, Error> {
        let (hidden, inner, epsilon) = (config.hidden_size, config.intermediate_size, config.layer_norm_eps);
        let names = Names::of(config.family);
        let full = |part: &str| format!("{layer}.{part}");
        let [query, key, value] = names.queries_keys_values.map(full);
        let queries_keys_values = parameters.linear(from, &[&query, &key, &value], hidden, hidden, true)?;
        let output = parameters.linear(from, &[&full(names.output)], hidden, hidden, true)?;
        let output_norm = parameters.norm(from, &full(names.output_norm), hidden)?;
        let up = parameters.linear(from, &[&full(names.up)], inner, hidden, true)?;
        let down = parameters.linear(from, &[&full(names.down)], hidden, inner, true)?;
        let down_norm = parameters.norm(from, &full(names.down_norm), hidden)?;
        let values = &parameters.values;
        Ok(Self {
            queries_keys_values: Affine::new(queries_keys_values, values),
            output: Affine::new(output, values),
            output_norm: Norm::new(output_norm, epsilon, values),
            up: Affine::new(up, values),
            down: Affine::new(down, values),
            down_norm: Norm::new(down_norm, epsilon, values),
        })
    }
}
