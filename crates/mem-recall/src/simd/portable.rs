//! The plain twins. They are `inline(always)` where the AVX2 module compiles the same lines for
//! its instructions.

use super::{GROUP, Inputs, MatrixWeights};

pub(super) fn dot_bytes(a: &[u8], b: &[u8]) -> i32 {
    a.iter()
        .zip(b)
        .map(|(&x, &y)| i32::from(x.cast_signed()) * i32::from(y.cast_signed()))
        .sum()
}

pub(super) fn multiply_matrix(weights: &MatrixWeights<'_>, inputs: &Inputs, out: &mut [f32]) {
    let (rows, groups) = (weights.row_scales.len(), weights.columns / GROUP);
    let mut unpacked = vec![0_i8; weights.columns];
    for row in 0..rows {
        let nibbles = &weights.nibbles[row * groups * GROUP / 2..][..groups * GROUP / 2];
        unpack_nibbles(nibbles, &mut unpacked);
        let scales = &weights.group_scales[row * groups..][..groups];
        for (token, &input_scale) in inputs.scales.iter().enumerate() {
            let bytes = &inputs.bytes[token * weights.columns..][..weights.columns];
            let parts = bytes
                .chunks_exact(GROUP)
                .zip(unpacked.chunks_exact(GROUP))
                .zip(scales);
            let sum: i32 = parts
                .map(|((x, w), &s)| i32::from(s.cast_signed()) * dot_group(x, w))
                .sum();
            let sum = (sum - 128 * weights.row_sums[row]) as f32;
            out[token * rows + row] =
                sum * (weights.row_scales[row] * input_scale) + weights.bias[row];
        }
    }
}

fn dot_group(inputs: &[u8], weights: &[i8]) -> i32 {
    inputs
        .iter()
        .zip(weights)
        .map(|(&x, &w)| i32::from(x) * i32::from(w))
        .sum()
}

/// The weights of one row, -8 to 7.
pub(crate) fn unpack_nibbles(nibbles: &[u8], out: &mut [i8]) {
    for (from, to) in nibbles
        .chunks_exact(GROUP / 2)
        .zip(out.chunks_exact_mut(GROUP))
    {
        let (low, high) = to.split_at_mut(GROUP / 2);
        for ((&byte, low), high) in from.iter().zip(low).zip(high) {
            *low = (byte & 15) as i8 - 8;
            *high = (byte >> 4) as i8 - 8;
        }
    }
}

#[inline(always)]
pub(super) fn quantize_rows(values: &[f32], columns: usize, inputs: &mut Inputs) {
    for (row, bytes) in values
        .chunks_exact(columns)
        .zip(inputs.bytes.chunks_exact_mut(columns))
    {
        let peak = peak_magnitude(row).max(1e-9);
        let step = 127.0 / peak;
        for (to, &from) in bytes.iter_mut().zip(row) {
            *to = ((from * step).round_ties_even() + 128.0) as u8;
        }
        inputs.scales.push(peak / 127.0);
    }
}

#[inline(always)]
fn peak_magnitude(row: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 8];
    for chunk in row.chunks_exact(8) {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = lane.max(value.abs());
        }
    }
    lanes.iter().fold(0.0, |m, &v| m.max(v))
}

/// 2^(x / ln 2) by parts: the whole exponent by its bits, the rest by a polynomial.
#[inline(always)]
fn fast_exp(x: f32) -> f32 {
    let scaled = x.clamp(-87.0, 88.0) * std::f32::consts::LOG2_E;
    let whole = scaled.round_ties_even();
    let rest = (scaled - whole) * std::f32::consts::LN_2;
    let series = 1.0
        + rest
            * (1.0
                + rest
                    * (0.5
                        + rest
                            * (1.0 / 6.0
                                + rest
                                    * (1.0 / 24.0 + rest * (1.0 / 120.0 + rest * (1.0 / 720.0))))));
    f32::from_bits(((whole as i32 + 127) << 23).cast_unsigned()) * series
}

/// The error function (Abramowitz and Stegun 7.1.26).
#[inline(always)]
fn error_function(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let series = t
        * (0.254_829_6
            + t * (-0.284_496_74 + t * (1.421_413_7 + t * (-1.453_152 + t * 1.061_405_4))));
    (1.0 - series * fast_exp(-size * size)).copysign(x)
}

#[inline(always)]
pub(super) fn apply_gelu(values: &mut [f32]) {
    for value in values {
        *value *= 0.5 * (1.0 + error_function(*value * std::f32::consts::FRAC_1_SQRT_2));
    }
}

#[inline(always)]
pub(super) fn apply_softmax(scores: &mut [f32]) {
    let top = scores.iter().fold(f32::NEG_INFINITY, |m, &v| m.max(v));
    let mut sum = 0.0;
    for score in &mut *scores {
        *score = fast_exp(*score - top);
        sum += *score;
    }
    let share = 1.0 / sum;
    scores.iter_mut().for_each(|score| *score *= share);
}

#[inline(always)]
pub(super) fn dot_floats(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0_f32; 8];
    for (a, b) in a.chunks_exact(8).zip(b.chunks_exact(8)) {
        for ((lane, x), y) in lanes.iter_mut().zip(a).zip(b) {
            *lane += x * y;
        }
    }
    lanes.iter().sum()
}

#[inline(always)]
pub(super) fn add_scaled(to: &mut [f32], from: &[f32], factor: f32) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}
