//! The sentence encoder: all-MiniLM-L6-v2 with 4-bit weights and 3-bit embeddings, run in plain Rust.
//!
//! Six layers, 384 wide; the mean of the last hidden states, made a unit vector. Its vectors meet
//! each other only: a query's with the documents' of this same encoder. A larger encoder, of a file that the caller has
//! read, runs the same lines; what it makes is turned to as many numbers.

mod layer;
mod shape;
mod weights;

use std::sync::OnceLock;

use crate::model::Rows;
use crate::simd::{self, Inputs};
use crate::vector::Embedding;
use crate::wordpiece;
use layer::{Layer, LayerBuffers, Norm};
use shape::EncoderShape;
pub use shape::{ModelError, ModelFile};
use weights::{Matrix, take_floats};

/// Numbers in a sentence vector.
pub const WIDTH: usize = 384;

/// The model knows no more positions.
pub const TOKENS_MAX: usize = 256;

/// The loaded encoder. Loading reads scales and biases only; the weights stay where they are.
pub struct Encoder {
    id: u64,
    shape: EncoderShape,
    words: Rows<3>,
    positions: &'static [u8],
    norm: Norm,
    layers: Vec<Layer>,
    /// What distances add to scores; the embedded encoder knows none.
    distances: Vec<f32>,
    /// What a wider state is turned to [`WIDTH`] numbers by.
    projection: Option<Matrix>,
}

impl std::fmt::Debug for Encoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Encoder({} layers)", self.layers.len())
    }
}

impl Encoder {
    /// The embedded encoder; nothing in a build without the feature `encoder`.
    pub fn embedded() -> Option<&'static Self> {
        static READ: OnceLock<Encoder> = OnceLock::new();
        weights::model_files().map(|files| READ.get_or_init(|| Self::read(files)))
    }

    /// The vector of a text by the embedded encoder, as [`Self::encode_text`] makes it.
    pub fn text_vector(text: &str, limit: usize) -> Option<Embedding<WIDTH>> {
        Self::embedded()?.encode_text(text, limit)
    }

    fn read(files: [&'static [u8]; 2]) -> Self {
        let ([mut parts, mut rest], shape) = weights::open_model(files);
        let words = Rows::read(&mut parts, shape.vocabulary, WIDTH);
        let positions = parts.take_part(2 * WIDTH * TOKENS_MAX);
        let norm = Norm::read(&mut parts, WIDTH);
        let layers = (0..shape.layers)
            .map(|_| Layer::read(&mut rest, &shape))
            .collect();
        debug_assert!(parts.is_empty() && rest.is_empty());
        Self {
            id: 0,
            shape,
            words,
            positions,
            norm,
            layers,
            distances: Vec::new(),
            projection: None,
        }
    }

    /// The encoder of a model file, which is there as long as the process. What its weights say is not checked: they
    /// make vectors, whatever they are.
    pub fn from_model(file: &ModelFile<'static>) -> Self {
        let (shape, mut parts) = (file.shape, file.parts());
        Self {
            id: file.encoder_id(),
            words: Rows::read(&mut parts, shape.vocabulary, shape.width),
            positions: parts.take_part(2 * shape.width * shape.positions),
            norm: Norm::read(&mut parts, shape.width),
            distances: take_floats(&mut parts, shape.distances()),
            layers: (0..shape.layers)
                .map(|_| Layer::read(&mut parts, &shape))
                .collect(),
            projection: Some(Matrix::read(&mut parts, WIDTH, shape.width)),
            shape,
        }
    }

    /// The number by which an index knows whose its vectors are: 0 for the embedded encoder, which no other has.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The vector of `text`'s first `limit` tokens (at most [`TOKENS_MAX`], two of them the marks of
    /// beginning and end); nothing for a text without tokens.
    pub fn encode_text(&self, text: &str, limit: usize) -> Option<Embedding<WIDTH>> {
        let tokens = wordpiece::tokenize_text(text, limit.min(TOKENS_MAX).saturating_sub(2));
        if tokens.is_empty() {
            return None;
        }
        Embedding::from_values(&self.encode_tokens(&tokens))
    }

    /// The mean of the last hidden states of `[CLS] tokens [SEP]`, as a unit vector.
    pub fn encode_tokens(&self, tokens: &[u16]) -> [f32; WIDTH] {
        let tokens = &tokens[..tokens.len().min(self.shape.positions - 2)];
        let mut states = self.embed_tokens(tokens);
        let mut work = LayerBuffers::default();
        for layer in &self.layers {
            layer.apply_layer(&self.shape, &self.distances, &mut states, &mut work);
        }
        let mut sum = vec![0.0; self.shape.width];
        for row in states.chunks_exact(self.shape.width) {
            sum.iter_mut()
                .zip(row)
                .for_each(|(sum, value)| *sum += value);
        }
        if let Some(projection) = &self.projection {
            let mut inputs = Inputs::default();
            simd::quantize_rows(&sum, self.shape.width, &mut inputs);
            simd::multiply_matrix(&projection.matrix_weights(), &inputs, &mut sum);
        }
        let mut mean = [0.0; WIDTH];
        mean.iter_mut().zip(sum).for_each(|(mean, sum)| *mean = sum);
        let length = mean.iter().map(|v| v * v).sum::<f32>().sqrt().max(1e-12);
        mean.map(|value| value / length)
    }

    fn embed_tokens(&self, tokens: &[u16]) -> Vec<f32> {
        let words = tokens
            .iter()
            .map(|&token| usize::from(token) + self.shape.offset);
        let marked = [self.shape.first]
            .into_iter()
            .chain(words)
            .chain([self.shape.last]);
        let width = self.shape.width;
        let mut states = Vec::with_capacity((tokens.len() + 2) * width);
        for (position, token) in marked.enumerate() {
            let start = states.len();
            states.extend(self.words.row_values(token));
            for (i, value) in states[start..].iter_mut().enumerate() {
                *value += crate::model::f16_at(self.positions, position * width + i);
            }
        }
        self.norm.normalize_states(&mut states);
        states
    }
}
