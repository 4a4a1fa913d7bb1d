//! How matrices lie in the encoder's file (`pack_encoder` in `models/distil.py`).

use super::WIDTH;
use crate::model::{Aligned, ModelParts, Rows, f16_at, f32_at, i32_at};
use crate::simd::MatrixWeights;

/// The model's file; a build without the feature has none.
#[cfg(feature = "encoder")]
pub(super) const FILE: Option<&Aligned<[u8]>> = {
    static FILE: &Aligned<[u8]> = &Aligned(*include_bytes!("../../models/encoder.bin"));
    Some(FILE)
};
#[cfg(not(feature = "encoder"))]
pub(super) const FILE: Option<&Aligned<[u8]>> = None;

pub(super) struct EncoderShape {
    pub(super) vocabulary: usize,
    pub(super) layers: usize,
}

pub(super) fn open_model(file: &'static Aligned<[u8]>) -> (ModelParts, EncoderShape) {
    let mut parts = ModelParts::new(&file.0);
    let [vocabulary, width, layers, _heads, _inner, _positions] = parts.read_header(b"MEMENC02");
    debug_assert_eq!(width, WIDTH);
    (parts, EncoderShape { vocabulary, layers })
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
        let [nibbles, group_scales, scales] = Rows::<4>::read(parts, rows, columns).raw_parts();
        let sums = parts.take_part(4 * rows);
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
