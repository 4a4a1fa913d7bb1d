//! One layer of the encoder: attention, then two matrices with a GELU between, each added to what
//! came in and normalised.

use super::WIDTH;
use super::weights::{Matrix, take_floats};
use crate::model::ModelParts;
use crate::simd::{self, Inputs};

const INNER: usize = 1536;

/// Buffers that all layers share.
#[derive(Default)]
pub(super) struct LayerBuffers {
    inputs: Inputs,
    query: Vec<f32>,
    key: Vec<f32>,
    value: Vec<f32>,
    mixed: Vec<f32>,
    inner: Vec<f32>,
    out: Vec<f32>,
}

/// Layer normalisation.
pub(super) struct Norm {
    gain: Vec<f32>,
    bias: Vec<f32>,
}

impl Norm {
    pub(super) fn read(parts: &mut ModelParts) -> Self {
        Self {
            gain: take_floats(parts, WIDTH),
            bias: take_floats(parts, WIDTH),
        }
    }

    pub(super) fn normalize_states(&self, states: &mut [f32]) {
        simd::normalize_rows(states, &self.gain, &self.bias);
    }
}

/// The weights of a layer.
pub(super) struct Layer {
    query: Matrix,
    key: Matrix,
    value: Matrix,
    attention_out: Matrix,
    inner: Matrix,
    out: Matrix,
    attention_norm: Norm,
    norm: Norm,
}

impl Layer {
    pub(super) fn read(parts: &mut ModelParts) -> Self {
        Self {
            query: Matrix::read(parts, WIDTH, WIDTH),
            key: Matrix::read(parts, WIDTH, WIDTH),
            value: Matrix::read(parts, WIDTH, WIDTH),
            attention_out: Matrix::read(parts, WIDTH, WIDTH),
            inner: Matrix::read(parts, INNER, WIDTH),
            out: Matrix::read(parts, WIDTH, INNER),
            attention_norm: Norm::read(parts),
            norm: Norm::read(parts),
        }
    }

    pub(super) fn apply_layer(&self, states: &mut [f32], work: &mut LayerBuffers) {
        simd::quantize_rows(states, WIDTH, &mut work.inputs);
        simd::multiply_matrix(&self.query.matrix_weights(), &work.inputs, &mut work.query);
        simd::multiply_matrix(&self.key.matrix_weights(), &work.inputs, &mut work.key);
        simd::multiply_matrix(&self.value.matrix_weights(), &work.inputs, &mut work.value);
        simd::mix_attention(
            [&work.query, &work.key, &work.value],
            WIDTH,
            &mut work.mixed,
        );
        simd::quantize_rows(&work.mixed, WIDTH, &mut work.inputs);
        simd::multiply_matrix(
            &self.attention_out.matrix_weights(),
            &work.inputs,
            &mut work.out,
        );
        simd::add_scaled(states, &work.out, 1.0);
        self.attention_norm.normalize_states(states);

        simd::quantize_rows(states, WIDTH, &mut work.inputs);
        simd::multiply_matrix(&self.inner.matrix_weights(), &work.inputs, &mut work.inner);
        simd::apply_gelu(&mut work.inner);
        simd::quantize_rows(&work.inner, INNER, &mut work.inputs);
        simd::multiply_matrix(&self.out.matrix_weights(), &work.inputs, &mut work.out);
        simd::add_scaled(states, &work.out, 1.0);
        self.norm.normalize_states(states);
    }
}
