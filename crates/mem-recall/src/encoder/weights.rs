//! How matrices lie in the encoder's file (`pack_encoder` in `models/distil.py`).

use super::WIDTH;
use super::shape::EncoderShape;
use crate::model::{ModelParts, f16_at, f32_at, i32_at};
use crate::simd::{GROUP, MatrixWeights};
use crate::wordpiece;

/// The model's two files, its embeddings and its layers; a build without the feature has none.
pub(super) fn model_files() -> Option<[&'static [u8]; 2]> {
    #[cfg(feature = "encoder")]
    return Some([
        mem_model::encoder_words(),
        mem_model_layers::encoder_layers(),
    ]);
    #[cfg(not(feature = "encoder"))]
    None
}

pub(super) fn open_model(files: [&'static [u8]; 2]) -> ([ModelParts; 2], EncoderShape) {
    let [mut words, mut layers] = files.map(ModelParts::new);
    let [vocabulary, width, count, heads, inner, positions] = words.read_header(b"MEMENC02");
    let [] = layers.read_header(b"MEMLAY03");
    debug_assert_eq!(width, WIDTH);
    let shape = EncoderShape {
        vocabulary,
        width,
        inner,
        heads,
        layers: count,
        positions,
        offset: 0,
        first: usize::from(wordpiece::CLASS),
        last: usize::from(wordpiece::SEPARATOR),
    };
    ([words, layers], shape)
}

/// A run of 32-bit floats.
pub(super) fn take_floats(parts: &mut ModelParts, count: usize) -> Vec<f32> {
    let bytes = parts.take_part(4 * count);
    (0..count).map(|i| f32_at(bytes, i)).collect()
}

/// A matrix of the file: its weights in place, its row scales and sums read out.
pub(super) struct Matrix {
    columns: usize,
    nibbles: &'static [u8],
    group_scales: &'static [u8],
    row_scales: Vec<f32>,
    row_sums: Vec<i32>,
    bias: Vec<f32>,
}

impl Matrix {
    /// The matrix of a layer, with its sums and bias.
    pub(super) fn read(parts: &mut ModelParts, rows: usize, columns: usize) -> Self {
        let nibbles = parts.take_part(rows * columns / 2);
        let group_scales = parts.take_part(rows * columns / GROUP);
        let (scales, sums) = (parts.take_part(2 * rows), parts.take_part(4 * rows));
        Self {
            columns,
            nibbles,
            group_scales,
            row_scales: (0..rows).map(|i| f16_at(scales, i)).collect(),
            row_sums: (0..rows).map(|i| i32_at(sums, i)).collect(),
            bias: take_floats(parts, rows),
        }
    }

    pub(super) fn matrix_weights(&self) -> MatrixWeights<'_> {
        MatrixWeights {
            columns: self.columns,
            nibbles: self.nibbles,
            group_scales: self.group_scales,
            row_scales: &self.row_scales,
            row_sums: &self.row_sums,
            bias: &self.bias,
        }
    }
}
