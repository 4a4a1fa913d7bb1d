//! The plain twins. They are `inline(always)` where the AVX2 module compiles the same lines for
//! its instructions.

use super::{Attention, BLOCK, GROUP, Inputs, MatrixWeights};

pub(super) fn dot_bytes(a: &[u8], b: &[u8]) -> i32 {
    a.iter()
        .zip(b)
        .map(|(&x, &y)| i32::from(x.cast_signed()) * i32::from(y.cast_signed()))
        .sum()
}

pub(super) fn multiply_matrix(weights: &MatrixWeights<'_>, inputs: &Inputs, out: &mut [f32]) {
    multiply_blocks(weights, inputs, out, 0);
}

/// The rows of the blocks from `first` on.
pub(super) fn multiply_blocks(
    weights: &MatrixWeights<'_>,
    inputs: &Inputs,
    out: &mut [f32],
    first: usize,
) {
    let (rows, groups) = (weights.row_scales.len(), weights.columns / GROUP);
    let mut unpacked = vec![0_i8; weights.columns * BLOCK];
    let blocks = weights
        .nibbles
        .chunks_exact(groups * GROUP * BLOCK / 2)
        .enumerate();
    for (block, nibbles) in blocks.skip(first) {
        unpack_block(nibbles, &mut unpacked);
        let scales = &weights.group_scales[block * groups * BLOCK..][..groups * BLOCK];
        for (token, &input_scale) in inputs.scales.iter().enumerate() {
            let bytes = &inputs.bytes[token * weights.columns..][..weights.columns];
            let sums = block_sums(bytes, &unpacked, scales);
            for (row, sum) in (block * BLOCK..).zip(sums) {
                // A file that somebody made may have sums that belong to no weights.
                let sum = sum.wrapping_sub(weights.row_sums[row].wrapping_mul(128)) as f32;
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

/// Keeps a row without any deviation from a division by nothing.
const EPSILON: f32 = 1e-12;
#[inline(always)]
pub(super) fn quantize_rows(values: &[f32], columns: usize, inputs: &mut Inputs) {
    for (row, bytes) in values
        .chunks_exact(columns)
        .zip(inputs.bytes.chunks_exact_mut(columns))
    {
        let peak = peak_magnitude(row).max(1e-9);
        let step = 127.0 / peak;
        for (to, &from) in bytes.iter_mut().zip(row) {
            // The lowest byte of the sum's bits is the rounded number.
            *to = (from * step + ROUNDING).to_bits() as u8 ^ 128;
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

/// What is added to a number has no room left for fractions: 1.5 x 2^23.
const ROUNDING: f32 = 12_582_912.0;

/// `a x b + c`. `FMA`: the processor does that in one instruction.
#[inline(always)]
fn multiply_add<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    match FMA {
        true => a.mul_add(b, c),
        false => a * b + c,
    }
}

/// The polynomial with these coefficients, that of the highest power first.
#[inline(always)]
fn evaluate_series<const FMA: bool>(x: f32, coefficients: &[f32]) -> f32 {
    coefficients.iter().fold(0.0, |sum, &coefficient| {
        multiply_add::<FMA>(sum, x, coefficient)
    })
}

/// 2^(x / ln 2) by parts: the whole exponent by its bits, the rest by a polynomial.
#[inline(always)]
fn fast_exp<const FMA: bool>(x: f32) -> f32 {
    let scaled = x.clamp(-87.0, 88.0) * std::f32::consts::LOG2_E;
    let rounded = scaled + ROUNDING;
    let rest = (scaled - (rounded - ROUNDING)) * std::f32::consts::LN_2;
    let terms = [720.0, 120.0, 24.0, 6.0, 2.0, 1.0, 1.0].map(|factorial: f32| 1.0 / factorial);
    let series = evaluate_series::<FMA>(rest, &terms);
    // The whole exponent is in the lowest bits of what was rounded.
    f32::from_bits(series.to_bits().wrapping_add(rounded.to_bits() << 23))
}

/// The error function (Abramowitz and Stegun 7.1.26).
#[inline(always)]
fn error_function<const FMA: bool>(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let terms = [
        1.061_405_4,
        -1.453_152,
        1.421_413_7,
        -0.284_496_74,
        0.254_829_6,
        0.0,
    ];
    let series = evaluate_series::<FMA>(t, &terms);
    (1.0 - series * fast_exp::<FMA>(-size * size)).copysign(x)
}

pub(super) fn apply_gelu(values: &mut [f32]) {
    apply_gelu_by::<false>(values);
}

#[inline(always)]
pub(super) fn apply_gelu_by<const FMA: bool>(values: &mut [f32]) {
    for value in values {
        let error = error_function::<FMA>(*value * std::f32::consts::FRAC_1_SQRT_2);
        *value *= 0.5 * (1.0 + error);
    }
}

/// Layer normalisation of rows as wide as `gain`: their mean is taken away, and their deviation made one.
#[inline(always)]
pub(super) fn normalize_rows(rows: &mut [f32], gain: &[f32], bias: &[f32]) {
    let width = gain.len() as f32;
    for row in rows.chunks_exact_mut(gain.len()) {
        let mean = sum_of(row, |value| value) / width;
        row.iter_mut().for_each(|value| *value -= mean);
        let variance = sum_of(row, |value| value * value) / width;
        let scale = 1.0 / (variance + EPSILON).sqrt();
        for ((value, gain), bias) in row.iter_mut().zip(gain).zip(bias) {
            *value = *value * scale * gain + bias;
        }
    }
}

#[inline(always)]
fn sum_of(row: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0_f32; 16];
    for chunk in row.chunks_exact(16) {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane += of(value);
        }
    }
    fold_lanes(lanes, |a, b| a + b)
}

/// Queries that share each load of a key and of a value, and whose sums do not wait for each other.
const QUERIES: usize = 4;

pub(super) fn mix_attention<const HEAD: usize>(attention: Attention<'_, HEAD>, mixed: &mut [f32]) {
    mix_heads::<8, HEAD, false>(attention, mixed);
}

/// The keys of a head are turned over, number by number, so that a vector of `L` numbers holds the scores of as many
/// tokens: no sum is taken across it.
#[inline(always)]
pub(super) fn mix_heads<const L: usize, const HEAD: usize, const FMA: bool>(
    attention: Attention<'_, HEAD>,
    mixed: &mut [f32],
) {
    let ([query, key, value], columns) = (attention.rows, attention.columns);
    let tokens = query.len() / columns;
    let wide = tokens.div_ceil(L);
    let scale = 1.0 / (HEAD as f32).sqrt();
    let mut keys = vec![[0.0; L]; HEAD * wide];
    let mut scores = vec![[0.0; L]; QUERIES * wide];
    for head in (0..columns).step_by(HEAD) {
        for (token, row) in key.chunks_exact(columns).enumerate() {
            for (i, &number) in row[head..head + HEAD].iter().enumerate() {
                keys[token / L * HEAD + i][token % L] = number * scale;
            }
        }
        for first in (0..tokens).step_by(QUERIES) {
            // The last tile may repeat its last query.
            let of_query = |q: usize| (first + q).min(tokens - 1) * columns + head;
            let queries: [&[f32]; QUERIES] = std::array::from_fn(|q| &query[of_query(q)..][..HEAD]);
            for (chunk, keys) in keys.chunks_exact(HEAD).enumerate() {
                let factors = |i: usize| queries.map(|query| query[i]);
                let keys = keys.iter().enumerate();
                let sums = weighted_sums::<L, FMA>(keys.map(|(i, keys)| (factors(i), keys)));
                for (q, sum) in sums.into_iter().enumerate() {
                    scores[q * wide + chunk] = sum;
                }
            }
            let mut shares = [0.0; QUERIES];
            let tiles = shares.iter_mut().zip(scores.chunks_exact_mut(wide));
            for (q, (share, scores)) in tiles.enumerate() {
                let bias = attention.key_bias(head / HEAD, (first + q).min(tokens - 1));
                for (lane, bias) in scores.as_flattened_mut().iter_mut().zip(bias) {
                    *lane += bias;
                }
                for lane in scores.as_flattened_mut().iter_mut().skip(tokens) {
                    *lane = f32::NEG_INFINITY;
                }
                *share = apply_softmax::<L, FMA>(scores);
            }
            let scores: [&[f32]; QUERIES] =
                std::array::from_fn(|q| scores[q * wide..][..wide].as_flattened());
            let factors = |token: usize| scores.map(|scores| scores[token]);
            let values = value.chunks_exact(columns).enumerate();
            let values = values.map(|(token, value)| {
                let (heads, _) = value.as_chunks::<HEAD>();
                (factors(token), &heads[head / HEAD])
            });
            let sums = weighted_sums::<HEAD, FMA>(values);
            for (q, (sum, share)) in sums.into_iter().zip(shares).enumerate() {
                let mixed = &mut mixed[of_query(q)..][..HEAD];
                for (mixed, number) in mixed.iter_mut().zip(sum) {
                    *mixed = number * share;
                }
            }
        }
    }
}

/// For each query, the sum of vectors with a factor of its own for each.
#[inline(always)]
fn weighted_sums<'a, const L: usize, const FMA: bool>(
    parts: impl Iterator<Item = ([f32; QUERIES], &'a [f32; L])>,
) -> [[f32; L]; QUERIES] {
    // Four arrays and not one of four: each becomes registers for the whole loop.
    let [mut first, mut second, mut third, mut fourth] = [[0.0; L]; QUERIES];
    for (factors, lanes) in parts {
        for i in 0..L {
            first[i] = multiply_add::<FMA>(factors[0], lanes[i], first[i]);
            second[i] = multiply_add::<FMA>(factors[1], lanes[i], second[i]);
            third[i] = multiply_add::<FMA>(factors[2], lanes[i], third[i]);
            fourth[i] = multiply_add::<FMA>(factors[3], lanes[i], fourth[i]);
        }
    }
    [first, second, third, fourth]
}

/// Makes weights of scores; what their sum has to be multiplied with.
#[inline(always)]
fn apply_softmax<const L: usize, const FMA: bool>(scores: &mut [[f32; L]]) -> f32 {
    let mut top = [f32::NEG_INFINITY; L];
    for lanes in &*scores {
        for (top, &lane) in top.iter_mut().zip(lanes) {
            *top = if lane > *top { lane } else { *top };
        }
    }
    let top = fold_lanes(top, |a, b| if a > b { a } else { b });
    let mut sum = [0.0; L];
    for lanes in &mut *scores {
        for (lane, sum) in lanes.iter_mut().zip(&mut sum) {
            *lane = fast_exp::<FMA>(*lane - top);
            *sum += *lane;
        }
    }
    1.0 / fold_lanes(sum, |a, b| a + b)
}

/// One number of a power of two of them, half by half: each step is one vector's.
#[inline(always)]
fn fold_lanes<const L: usize>(mut lanes: [f32; L], join: impl Fn(f32, f32) -> f32) -> f32 {
    let mut half = L / 2;
    while half > 0 {
        for i in 0..half {
            lanes[i] = join(lanes[i], lanes[i + half]);
        }
        half /= 2;
    }
    lanes[0]
}

#[inline(always)]
pub(super) fn add_scaled(to: &mut [f32], from: &[f32], factor: f32) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}
