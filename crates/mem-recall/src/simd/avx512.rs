//! The AVX-512 twins: `unsafe` because they read and write whole vectors through pointers.
//!
//! One instruction (VNNI) multiplies four inputs by the weights of sixteen rows and adds them up, where AVX2 takes two for
//! eight rows and has to widen the sums.
#![expect(unsafe_code, reason = "vector loads and stores take pointers")]

use std::arch::x86_64::{
    _mm256_and_si256, _mm256_loadu_si256, _mm256_set1_epi8, _mm256_srli_epi16, _mm256_storeu_si256,
    _mm256_sub_epi8, _mm512_add_epi32, _mm512_add_ps, _mm512_cvtepi32_ps, _mm512_dpbusd_epi32,
    _mm512_loadu_ps, _mm512_loadu_si512, _mm512_mul_ps, _mm512_mullo_epi32, _mm512_set1_epi32,
    _mm512_set1_ps, _mm512_setzero_si512, _mm512_slli_epi32, _mm512_storeu_ps, _mm512_sub_epi32,
};

use super::{Attention, BLOCK, GROUP, Inputs, MatrixWeights, portable};

/// The blocks of rows whose sums are in one vector.
const BLOCKS: usize = 2;
/// The rows in a vector.
const ROWS: usize = BLOCKS * BLOCK;
/// The most tokens that share the load of a weight: their sums stay in registers.
const TOKENS_MAX: usize = 6;

/// The rows of two vectors are unpacked once for all tokens.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
pub(super) fn multiply_matrix(weights: &MatrixWeights<'_>, inputs: &Inputs, out: &mut [f32]) {
    let vectors = weights.row_scales.len() / ROWS;
    let mut unpacked = UnpackedRows::default();
    for vector in (0..vectors).step_by(2) {
        // SAFETY: the caller has checked the shapes, and these rows are there.
        unsafe {
            match vectors - vector {
                1 => multiply_rows::<1>(weights, inputs, out, vector, &mut unpacked),
                _ => multiply_rows::<2>(weights, inputs, out, vector, &mut unpacked),
            }
        }
    }
    portable::multiply_blocks(weights, inputs, out, vectors * BLOCKS);
}

/// All tokens for the rows of `V` vectors from `vector` on.
///
/// # Safety
/// The slices have the lengths that `super::multiply_matrix` checks, and the rows are there.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
unsafe fn multiply_rows<const V: usize>(
    weights: &MatrixWeights<'_>,
    inputs: &Inputs,
    out: &mut [f32],
    vector: usize,
    unpacked: &mut UnpackedRows,
) {
    unpacked.unpack_rows(weights, vector, V);
    let mut token = 0;
    while token < inputs.scales.len() {
        let left = inputs.scales.len() - token;
        // Tiles of nearly one size: a last tile of one token would wait for each of its sums.
        let tokens = left.div_ceil(left.div_ceil(TOKENS_MAX));
        // SAFETY: by the contract of this function; a tile never reaches past the last token.
        unsafe {
            match tokens {
                1 => multiply_tile::<V, 1>(weights, inputs, out, vector, token, unpacked),
                2 => multiply_tile::<V, 2>(weights, inputs, out, vector, token, unpacked),
                3 => multiply_tile::<V, 3>(weights, inputs, out, vector, token, unpacked),
                4 => multiply_tile::<V, 4>(weights, inputs, out, vector, token, unpacked),
                5 => multiply_tile::<V, 5>(weights, inputs, out, vector, token, unpacked),
                _ => multiply_tile::<V, TOKENS_MAX>(weights, inputs, out, vector, token, unpacked),
            }
        }
        token += tokens;
    }
}

/// The rows of `V` unpacked vectors for the `T` tokens from `first` on.
///
/// # Safety
/// As for [`multiply_rows`], the rows are unpacked, and the tokens are there.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
unsafe fn multiply_tile<const V: usize, const T: usize>(
    weights: &MatrixWeights<'_>,
    inputs: &Inputs,
    out: &mut [f32],
    vector: usize,
    first: usize,
    unpacked: &UnpackedRows,
) {
    let (rows, groups) = (weights.row_scales.len(), weights.columns / GROUP);
    let mut sums = [[_mm512_setzero_si512(); V]; T];
    // SAFETY: by the contract of this function.
    unsafe {
        let bytes = inputs.bytes.as_ptr().add(first * weights.columns);
        for group in 0..groups {
            let mut parts = [[_mm512_setzero_si512(); V]; T];
            for step in 0..GROUP / 4 {
                let mut values = [_mm512_setzero_si512(); V];
                for (v, values) in values.iter_mut().enumerate() {
                    let from = ((v * groups + group) * GROUP + step * 4) * ROWS;
                    *values = _mm512_loadu_si512(unpacked.weights.as_ptr().add(from).cast());
                }
                for (t, parts) in parts.iter_mut().enumerate() {
                    let four = bytes.add(t * weights.columns + group * GROUP + step * 4);
                    let x = _mm512_set1_epi32(four.cast::<i32>().read_unaligned());
                    for (part, &values) in parts.iter_mut().zip(&values) {
                        *part = _mm512_dpbusd_epi32(*part, x, values);
                    }
                }
            }
            for v in 0..V {
                let from = (v * groups + group) * ROWS;
                let scale = _mm512_loadu_si512(unpacked.scales.as_ptr().add(from).cast());
                for (sums, parts) in sums.iter_mut().zip(&parts) {
                    // 32 x 255 x 8 times 127 over 48 groups fits 32 bits.
                    sums[v] = _mm512_add_epi32(sums[v], _mm512_mullo_epi32(parts[v], scale));
                }
            }
        }
        for v in 0..V {
            let row = (vector + v) * ROWS;
            let offset = _mm512_loadu_si512(weights.row_sums.as_ptr().add(row).cast());
            let offset = _mm512_slli_epi32::<7>(offset);
            let row_scale = _mm512_loadu_ps(weights.row_scales.as_ptr().add(row));
            let bias = _mm512_loadu_ps(weights.bias.as_ptr().add(row));
            for (t, sums) in sums.iter().enumerate() {
                let sum = _mm512_cvtepi32_ps(_mm512_sub_epi32(sums[v], offset));
                let input_scale = _mm512_set1_ps(inputs.scales[first + t]);
                let scale = _mm512_mul_ps(row_scale, input_scale);
                let value = _mm512_add_ps(_mm512_mul_ps(sum, scale), bias);
                _mm512_storeu_ps(out.as_mut_ptr().add((first + t) * rows + row), value);
            }
        }
    }
}

/// Weights and group scales of some rows as the vectors read them: what four columns have for all rows of a vector lies
/// together.
#[derive(Default)]
struct UnpackedRows {
    weights: Vec<i8>,
    scales: Vec<i32>,
}

impl UnpackedRows {
    /// Unpacks `vectors` vectors of rows.
    #[target_feature(enable = "avx2")]
    fn unpack_rows(&mut self, weights: &MatrixWeights<'_>, first: usize, vectors: usize) {
        let groups = weights.columns / GROUP;
        self.weights.resize(vectors * weights.columns * ROWS, 0);
        self.scales.resize(vectors * groups * ROWS, 0);
        for block in 0..vectors * BLOCKS {
            let (vector, part) = (block / BLOCKS, block % BLOCKS);
            let from = (first * BLOCKS + block) * groups;
            for group in 0..groups {
                let at = (vector * groups + group) * ROWS;
                let nibbles = &weights.nibbles[(from + group) * GROUP * BLOCK / 2..];
                let (steps, _) = nibbles.as_chunks::<{ 4 * BLOCK }>();
                for (step, nibbles) in steps.iter().take(GROUP / 8).enumerate() {
                    let low = at * GROUP + (step * BLOCKS + part) * 4 * BLOCK;
                    let [low_weights, high_weights] = unpack_step(nibbles);
                    self.weights[low..][..4 * BLOCK].copy_from_slice(&low_weights);
                    let high = low + GROUP / 2 * ROWS;
                    self.weights[high..][..4 * BLOCK].copy_from_slice(&high_weights);
                }
                let scales = &weights.group_scales[(from + group) * BLOCK..][..BLOCK];
                let to = at + part * BLOCK;
                for (to, scale) in self.scales[to..][..BLOCK].iter_mut().zip(scales) {
                    *to = i32::from(scale.cast_signed());
                }
            }
        }
    }
}

/// The weights in the low nibbles, and those in the high ones.
#[target_feature(enable = "avx2")]
fn unpack_step(nibbles: &[u8; 4 * BLOCK]) -> [[i8; 4 * BLOCK]; 2] {
    let mut unpacked = [[0; 4 * BLOCK]; 2];
    let (mask, eight) = (_mm256_set1_epi8(15), _mm256_set1_epi8(8));
    // SAFETY: all three have 32 bytes.
    unsafe {
        let bytes = _mm256_loadu_si256(nibbles.as_ptr().cast());
        let high = _mm256_srli_epi16::<4>(bytes);
        for (to, bytes) in unpacked.iter_mut().zip([bytes, high]) {
            let weights = _mm256_sub_epi8(_mm256_and_si256(bytes, mask), eight);
            _mm256_storeu_si256(to.as_mut_ptr().cast(), weights);
        }
    }
    unpacked
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq")]
pub(super) fn apply_gelu(values: &mut [f32]) {
    portable::apply_gelu_by::<true>(values);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq")]
pub(super) fn mix_attention<const HEAD: usize>(attention: Attention<'_, HEAD>, mixed: &mut [f32]) {
    portable::mix_heads::<16, HEAD, true>(attention, mixed);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq")]
pub(super) fn quantize_rows(values: &[f32], columns: usize, inputs: &mut Inputs) {
    portable::quantize_rows(values, columns, inputs);
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq")]
pub(super) fn normalize_rows(rows: &mut [f32], gain: &[f32], bias: &[f32]) {
    portable::normalize_rows(rows, gain, bias);
}
