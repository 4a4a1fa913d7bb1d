//! The plain twins. They are `inline(always)` where the AVX2 module compiles the same lines for
//! its instructions.

use super::{BLOCK, GROUP, HEAD, Inputs, MatrixWeights};

pub(super) fn dot_bytes(a: &[u8], b: &[u8]) -> i32 {
    a.iter()
        .zip(b)
        .map(|(&x, &y)| i32::from(x.cast_signed()) * i32::from(y.cast_signed()))
        .sum()
}

pub(super) fn multiply_matrix(weights: &MatrixWeights<'_>, inputs: &Inputs, out: &mut [f32]) {
    let (rows, groups) = (weights.row_scales.len(), weights.columns / GROUP);
    let mut unpacked = vec![0_i8; weights.columns * BLOCK];
    for (block, nibbles) in weights
        .nibbles
        .chunks_exact(groups * GROUP * BLOCK / 2)
        .enumerate()
    {
        unpack_block(nibbles, &mut unpacked);
        let scales = &weights.group_scales[block * groups * BLOCK..][..groups * BLOCK];
        for (token, &input_scale) in inputs.scales.iter().enumerate() {
            let bytes = &inputs.bytes[token * weights.columns..][..weights.columns];
            let sums = block_sums(bytes, &unpacked, scales);
            for (row, sum) in (block * BLOCK..).zip(sums) {
                let sum = (sum - 128 * weights.row_sums[row]) as f32;
                out[token * rows + row] =
                    sum * (weights.row_scales[row] * input_scale) + weights.bias[row];
            }
        }
    }
}

/// For each row of a block, the sum of group scale x weight x input.
fn block_sums(bytes: &[u8], weights: &[i8], scales: &[u8]) -> [i32; BLOCK] {
    let mut sums = [0; BLOCK];
    let groups = bytes
        .chunks_exact(GROUP)
        .zip(weights.chunks_exact(GROUP * BLOCK));
    for ((bytes, weights), scales) in groups.zip(scales.chunks_exact(BLOCK)) {
        let mut group = [0_i32; BLOCK];
        for (inputs, weights) in bytes.chunks_exact(4).zip(weights.chunks_exact(4 * BLOCK)) {
            for (sum, weights) in group.iter_mut().zip(weights.chunks_exact(4)) {
                for (&x, &w) in inputs.iter().zip(weights) {
                    *sum += i32::from(x) * i32::from(w);
                }
            }
        }
        for ((sum, group), &scale) in sums.iter_mut().zip(group).zip(scales) {
            *sum += i32::from(scale.cast_signed()) * group;
        }
    }
    sums
}

/// The weights of eight rows, -8 to 7, in the order of [`MatrixWeights`]: of each group the four columns of a step
/// for each row, then the next step's.
#[inline(always)]
pub(super) fn unpack_block(nibbles: &[u8], out: &mut [i8]) {
    for (from, to) in nibbles
        .chunks_exact(GROUP * BLOCK / 2)
        .zip(out.chunks_exact_mut(GROUP * BLOCK))
    {
        let (low, high) = to.split_at_mut(GROUP * BLOCK / 2);
        for ((&byte, low), high) in from.iter().zip(low).zip(high) {
            *low = (byte & 15) as i8 - 8;
            *high = (byte >> 4) as i8 - 8;
        }
    }
}

/// The values of a row of 4-bit numbers, -8 to 7: byte `i` of a group holds value `i` in its low and `i + 16` in its high
/// nibble.
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

/// Eight numbers at a time, so that they lie in one vector.
type Lanes = [f32; 8];

/// The keys of a head are turned over, number by number, so that a vector holds the scores of eight tokens:
/// no sum is taken across it.
#[inline(always)]
pub(super) fn mix_attention([query, key, value]: [&[f32]; 3], columns: usize, mixed: &mut [f32]) {
    let tokens = query.len() / columns;
    let wide = tokens.div_ceil(8);
    let scale = 1.0 / (HEAD as f32).sqrt();
    let mut keys = vec![[0.0; 8]; HEAD * wide];
    let mut scores: Vec<Lanes> = vec![[0.0; 8]; wide];
    for head in (0..columns).step_by(HEAD) {
        for (token, row) in key.chunks_exact(columns).enumerate() {
            for (i, &number) in row[head..head + HEAD].iter().enumerate() {
                keys[token / 8 * HEAD + i][token % 8] = number * scale;
            }
        }
        for (query, mixed) in query
            .chunks_exact(columns)
            .zip(mixed.chunks_exact_mut(columns))
        {
            let query = &query[head..head + HEAD];
            for (score, keys) in scores.iter_mut().zip(keys.chunks_exact(HEAD)) {
                *score = weighted_sum(query.iter().zip(keys));
            }
            for lane in scores.as_flattened_mut().iter_mut().skip(tokens) {
                *lane = f32::NEG_INFINITY;
            }
            apply_softmax(&mut scores);
            let mut sums = [[0.0; 8]; HEAD / 8];
            for (&score, value) in scores
                .as_flattened()
                .iter()
                .zip(value.chunks_exact(columns))
            {
                let (value, _) = value[head..head + HEAD].as_chunks::<8>();
                for (sum, value) in sums.iter_mut().zip(value) {
                    add_lanes(sum, score, value);
                }
            }
            mixed[head..head + HEAD].copy_from_slice(sums.as_flattened());
        }
    }
}

#[inline(always)]
fn weighted_sum<'a>(parts: impl Iterator<Item = (&'a f32, &'a Lanes)>) -> Lanes {
    let mut sum = [0.0; 8];
    for (&factor, lanes) in parts {
        add_lanes(&mut sum, factor, lanes);
    }
    sum
}

#[inline(always)]
fn add_lanes(sum: &mut Lanes, factor: f32, lanes: &Lanes) {
    for (sum, lane) in sum.iter_mut().zip(lanes) {
        *sum += factor * lane;
    }
}

#[inline(always)]
fn apply_softmax(scores: &mut [Lanes]) {
    let mut top = [f32::NEG_INFINITY; 8];
    for lanes in &*scores {
        for (top, &lane) in top.iter_mut().zip(lanes) {
            *top = if lane > *top { lane } else { *top };
        }
    }
    let top = top.iter().fold(f32::NEG_INFINITY, |m, &v| m.max(v));
    let mut sum = [0.0; 8];
    for lanes in &mut *scores {
        for (lane, sum) in lanes.iter_mut().zip(&mut sum) {
            *lane = fast_exp(*lane - top);
            *sum += *lane;
        }
    }
    let share = 1.0 / sum.iter().sum::<f32>();
    for lane in scores.as_flattened_mut() {
        *lane *= share;
    }
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
