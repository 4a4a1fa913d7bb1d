//! How matrices lie in the encoder's file (`pack_encoder` in `models/distil.py`).

use super::WIDTH;
use crate::model::{Aligned, Parts, f16_at, f32_at, i32_at};
use crate::simd::{GROUP, Weights, unpack};

static FILE: &Aligned<[u8]> = &Aligned(*include_bytes!("../../models/encoder.bin"));

pub(super) struct Shape {
    pub(super) vocabulary: usize,
    pub(super) layers: usize,
}

pub(super) fn open() -> (Parts, Shape) {
    let mut parts = Parts::new(&FILE.0);
    let [vocabulary, width, layers, _heads, _inner, _positions] = parts.header(b"MEMENC01");
    debug_assert_eq!(width, WIDTH);
    (parts, Shape { vocabulary, layers })
}

/// A run of 32-bit floats.
pub(super) fn floats(parts: &mut Parts, count: usize) -> Vec<f32> {
    let bytes = parts.take(4 * count);
    (0..count).map(|i| f32_at(bytes, i)).collect()
}

/// A matrix of the file: its weights in place, its row scales and sums read out.
pub(super) struct Reader {
    columns: usize,
    nibbles: &'static [u8],
    group_scales: &'static [u8],
    halves: &'static [u8],
    row_scales: Vec<f32>,
    row_sums: Vec<i32>,
    bias: Vec<f32>,
}

impl Reader {
    /// The matrix of a layer, with its sums and bias.
    pub(super) fn linear(parts: &mut Parts, rows: usize, columns: usize) -> Self {
        let mut matrix = Self::bare(parts, rows, columns);
        matrix.row_scales = (0..rows).map(|i| f16_at(matrix.halves, i)).collect();
        let sums = parts.take(4 * rows);
        matrix.row_sums = (0..rows).map(|i| i32_at(sums, i)).collect();
        matrix.bias = floats(parts, rows);
        matrix
    }

    /// The word embeddings, of which only single rows are wanted.
    pub(super) fn embeddings(parts: &mut Parts, rows: usize) -> Self {
        Self::bare(parts, rows, WIDTH)
    }

    fn bare(parts: &mut Parts, rows: usize, columns: usize) -> Self {
        let nibbles = parts.take(rows * columns / 2);
        let group_scales = parts.take(rows * columns / GROUP);
        let halves = parts.take(2 * rows);
        let (row_scales, row_sums, bias) = (Vec::new(), Vec::new(), Vec::new());
        Self {
            columns,
            nibbles,
            group_scales,
            halves,
            row_scales,
            row_sums,
            bias,
        }
    }

    pub(super) fn weights(&self) -> Weights<'_> {
        Weights {
            columns: self.columns,
            nibbles: self.nibbles,
            group_scales: self.group_scales,
            row_scales: &self.row_scales,
            row_sums: &self.row_sums,
            bias: &self.bias,
        }
    }

    /// Appends one row as numbers.
    pub(super) fn row(&self, row: usize, out: &mut Vec<f32>) {
        let mut values = [0_i8; WIDTH];
        unpack(
            &self.nibbles[row * WIDTH / 2..(row + 1) * WIDTH / 2],
            &mut values,
        );
        let scale = f16_at(self.halves, row);
        let groups = &self.group_scales[row * WIDTH / GROUP..];
        for (values, &group) in values.chunks_exact(GROUP).zip(groups) {
            let scale = scale * f32::from(group.cast_signed());
            out.extend(values.iter().map(|&v| scale * f32::from(v)));
        }
    }
}
