//! One layer of the encoder: attention, then two matrices with a GELU between, each added to what
//! came in and normalised.

use super::shape::EncoderShape;
use super::weights::{Matrix, take_floats};
use crate::model::ModelParts;
use crate::simd::{self, Attention, Inputs};

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

impl LayerBuffers {
    fn mix_heads<const HEAD: usize>(&mut self, shape: &EncoderShape, bias: &[f32]) {
        let attention = Attention::<HEAD> {
            rows: [&self.query, &self.key, &self.value],
            columns: shape.width,
            bias,
        };
        simd::mix_attention(attention, &mut self.mixed);
    }
}

/// Layer normalisation.
pub(super) struct Norm {
    gain: Vec<f32>,
    bias: Vec<f32>,
}

impl Norm {
    pub(super) fn read(parts: &mut ModelParts, width: usize) -> Self {
        Self {
            gain: take_floats(parts, width),
            bias: take_floats(parts, width),
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
    pub(super) fn read(parts: &mut ModelParts, shape: &EncoderShape) -> Self {
        let (width, inner) = (shape.width, shape.inner);
        Self {
            query: Matrix::read(parts, width, width),
            key: Matrix::read(parts, width, width),
            value: Matrix::read(parts, width, width),
            attention_out: Matrix::read(parts, width, width),
            inner: Matrix::read(parts, inner, width),
            out: Matrix::read(parts, width, inner),
            attention_norm: Norm::read(parts, width),
            norm: Norm::read(parts, width),
        }
    }

    /// Replaces `states`; `bias` is that of [`Attention`].
    pub(super) fn apply_layer(
        &self,
        shape: &EncoderShape,
        bias: &[f32],
        states: &mut [f32],
        work: &mut LayerBuffers,
    ) {
        simd::quantize_rows(states, shape.width, &mut work.inputs);
        simd::multiply_matrix(&self.query.matrix_weights(), &work.inputs, &mut work.query);
        simd::multiply_matrix(&self.key.matrix_weights(), &work.inputs, &mut work.key);
        simd::multiply_matrix(&self.value.matrix_weights(), &work.inputs, &mut work.value);
        match shape.width / shape.heads {
            64 => work.mix_heads::<64>(shape, bias),
            _ => work.mix_heads::<32>(shape, bias),
        }
        simd::quantize_rows(&work.mixed, shape.width, &mut work.inputs);
        simd::multiply_matrix(
            &self.attention_out.matrix_weights(),
            &work.inputs,
            &mut work.out,
        );
        simd::add_scaled(states, &work.out, 1.0);
        self.attention_norm.normalize_states(states);

        simd::quantize_rows(states, shape.width, &mut work.inputs);
        simd::multiply_matrix(&self.inner.matrix_weights(), &work.inputs, &mut work.inner);
        simd::apply_gelu(&mut work.inner);
        simd::quantize_rows(&work.inner, shape.inner, &mut work.inputs);
        simd::multiply_matrix(&self.out.matrix_weights(), &work.inputs, &mut work.out);
        simd::add_scaled(states, &work.out, 1.0);
        self.norm.normalize_states(states);
    }
}
