//! The AVX2 twins: `unsafe` because they read 16 or 32 bytes at a time through pointers.
#![expect(unsafe_code, reason = "vector loads and stores take pointers")]

use std::arch::x86_64::{
    __m256i, _mm_loadl_epi64, _mm256_abs_epi8, _mm256_add_epi16, _mm256_add_epi32, _mm256_add_ps,
    _mm256_blend_epi16, _mm256_cvtepi8_epi32, _mm256_cvtepi32_ps, _mm256_loadu_ps,
    _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_mul_ps, _mm256_set1_epi16,
    _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_si256, _mm256_sign_epi8, _mm256_slli_epi32,
    _mm256_storeu_ps, _mm256_storeu_si256, _mm256_sub_epi32,
};

use super::{Attention, BLOCK, GROUP, Inputs, MatrixWeights, portable};

#[target_feature(enable = "avx2,fma")]
pub(super) fn dot_bytes(a: &[u8], b: &[u8]) -> i32 {
    let whole = a.len().min(b.len()) / 32 * 32;
    let (ones, mut sum) = (_mm256_set1_epi16(1), _mm256_setzero_si256());
    for at in (0..whole).step_by(32) {
        // SAFETY: `at + 32` is within both.
        let (x, y) = unsafe {
            (
                load_lanes(a.as_ptr().add(at)),
                load_lanes(b.as_ptr().add(at)),
            )
        };
        // |x| times y with the sign of x: at most 2 x 127 x 127, which fits 16 bits.
        let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(x), _mm256_sign_epi8(y, x));
        sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, ones));
    }
    lanes_to_array(sum).iter().sum::<i32>() + portable::dot_bytes(&a[whole..], &b[whole..])
}

/// Sixteen rows are unpacked once for all tokens, of which up to four share each load of a weight.
#[target_feature(enable = "avx2,fma")]
pub(super) fn multiply_matrix(weights: &MatrixWeights<'_>, inputs: &Inputs, out: &mut [f32]) {
    let blocks = weights.row_scales.len() / BLOCK;
    let mut unpacked = vec![0_i8; 2 * weights.columns * BLOCK];
    for block in (0..blocks).step_by(2) {
        // SAFETY: the caller has checked the shapes, and these blocks and tokens are there.
        unsafe {
            match blocks - block {
                1 => multiply_blocks::<1>(weights, inputs, out, block, &mut unpacked),
                _ => multiply_blocks::<2>(weights, inputs, out, block, &mut unpacked),
            }
        }
    }
}

/// All tokens for the `B` blocks from `block` on.
///
/// # Safety
/// The slices have the lengths that `super::multiply_matrix` checks, the blocks are there, and `unpacked` has room for
/// them.
#[target_feature(enable = "avx2,fma")]
unsafe fn multiply_blocks<const B: usize>(
    weights: &MatrixWeights<'_>,
    inputs: &Inputs,
    out: &mut [f32],
    block: usize,
    unpacked: &mut [i8],
) {
    let bytes = weights.columns * BLOCK / 2;
    portable::unpack_block(&weights.nibbles[block * bytes..][..B * bytes], unpacked);
    let mut token = 0;
    while token < inputs.scales.len() {
        // SAFETY: by the contract of this function; a tile never reaches past the last token.
        token += unsafe {
            match inputs.scales.len() - token {
                1 => multiply_tile::<B, 1>(weights, inputs, out, block, token, unpacked),
                2 => multiply_tile::<B, 2>(weights, inputs, out, block, token, unpacked),
                4 => multiply_tile::<B, 2>(weights, inputs, out, block, token, unpacked),
                _ => multiply_tile::<B, 3>(weights, inputs, out, block, token, unpacked),
            }
        };
    }
}

/// The rows of `B` unpacked blocks for the `T` tokens from `first` on; returns `T`.
///
/// # Safety
/// As for [`multiply_blocks`], and the tokens are there.
#[target_feature(enable = "avx2,fma")]
unsafe fn multiply_tile<const B: usize, const T: usize>(
    weights: &MatrixWeights<'_>,
    inputs: &Inputs,
    out: &mut [f32],
    block: usize,
    first: usize,
    unpacked: &[i8],
) -> usize {
    let (rows, groups) = (weights.row_scales.len(), weights.columns / GROUP);
    let mut sums = [[_mm256_setzero_si256(); B]; T];
    // SAFETY: by the contract of this function.
    unsafe {
        let bytes = inputs.bytes.as_ptr().add(first * weights.columns);
        for group in 0..groups {
            let mut pairs = [[_mm256_setzero_si256(); B]; T];
            for step in 0..GROUP / 4 {
                let mut values = [_mm256_setzero_si256(); B];
                for (b, values) in values.iter_mut().enumerate() {
                    let from = (b * groups + group) * GROUP * BLOCK + step * 4 * BLOCK;
                    *values = load_lanes(unpacked.as_ptr().add(from).cast());
                }
                for (t, pairs) in pairs.iter_mut().enumerate() {
                    let four = bytes.add(t * weights.columns + group * GROUP + step * 4);
                    let x = _mm256_set1_epi32(four.cast::<i32>().read_unaligned());
                    for (pairs, &values) in pairs.iter_mut().zip(&values) {
                        // At most 2 x 255 x 8, and eight times that fits 16 bits.
                        *pairs = _mm256_add_epi16(*pairs, _mm256_maddubs_epi16(x, values));
                    }
                }
            }
            for b in 0..B {
                let from = ((block + b) * groups + group) * BLOCK;
                let scale = _mm256_cvtepi8_epi32(_mm_loadl_epi64(
                    weights.group_scales.as_ptr().add(from).cast(),
                ));
                // The scale for both halves of a lane: both sums of pairs belong to its row.
                let scale =
                    _mm256_blend_epi16::<0b1010_1010>(scale, _mm256_slli_epi32::<16>(scale));
                for (sums, pairs) in sums.iter_mut().zip(&pairs) {
                    // 127 times two such sums over 48 groups fits 32 bits.
                    sums[b] = _mm256_add_epi32(sums[b], _mm256_madd_epi16(pairs[b], scale));
                }
            }
        }
        for b in 0..B {
            let row = (block + b) * BLOCK;
            let offset =
                _mm256_slli_epi32::<7>(load_lanes(weights.row_sums.as_ptr().add(row).cast()));
            let row_scale = _mm256_loadu_ps(weights.row_scales.as_ptr().add(row));
            let bias = _mm256_loadu_ps(weights.bias.as_ptr().add(row));
            for (t, sums) in sums.iter().enumerate() {
                let sum = _mm256_cvtepi32_ps(_mm256_sub_epi32(sums[b], offset));
                let scale = _mm256_mul_ps(row_scale, _mm256_set1_ps(inputs.scales[first + t]));
                let value = _mm256_add_ps(_mm256_mul_ps(sum, scale), bias);
                _mm256_storeu_ps(out.as_mut_ptr().add((first + t) * rows + row), value);
            }
        }
    }
    T
}

/// # Safety
/// 32 bytes can be read from `from`.
#[target_feature(enable = "avx2,fma")]
unsafe fn load_lanes(from: *const u8) -> __m256i {
    // SAFETY: by the contract of this function.
    unsafe { _mm256_loadu_si256(from.cast()) }
}

#[target_feature(enable = "avx2,fma")]
fn lanes_to_array(sum: __m256i) -> [i32; 8] {
    let mut out = [0; 8];
    // SAFETY: `out` is 32 bytes.
    unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), sum) };
    out
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn mix_attention<const HEAD: usize>(attention: Attention<'_, HEAD>, mixed: &mut [f32]) {
    portable::mix_heads::<8, HEAD, true>(attention, mixed);
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn apply_gelu(values: &mut [f32]) {
    portable::apply_gelu_by::<true>(values);
}

/// The plain lines, compiled for these instructions.
macro_rules! same {
    ($($name:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {$(
        #[target_feature(enable = "avx2,fma")]
        pub(super) fn $name($($argument: $kind),*) $(-> $result)? {
            portable::$name($($argument),*)
        }
    )*};
}

same! {
    quantize_rows(values: &[f32], columns: usize, inputs: &mut Inputs);
    normalize_rows(rows: &mut [f32], gain: &[f32], bias: &[f32]);
    add_scaled(to: &mut [f32], from: &[f32], factor: f32);
}
