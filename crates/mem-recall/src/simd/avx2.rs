//! The AVX2 twins: `unsafe` because they read 16 or 32 bytes at a time through pointers.
#![expect(unsafe_code, reason = "vector loads and stores take pointers")]

use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_and_si128, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_set1_epi8,
    _mm_shuffle_epi32, _mm_srli_epi16, _mm256_abs_epi8, _mm256_add_epi32, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16,
    _mm256_set_m128i, _mm256_set1_epi8, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_sign_epi8,
    _mm256_storeu_si256, _mm256_sub_epi8,
};

use super::{GROUP, Inputs, MatrixWeights, portable};

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

/// Eight tokens at a time share the unpacking of a row.
#[target_feature(enable = "avx2,fma")]
pub(super) fn multiply_matrix(weights: &MatrixWeights<'_>, inputs: &Inputs, out: &mut [f32]) {
    let mut token = 0;
    while token < inputs.scales.len() {
        let left = inputs.scales.len() - token;
        // SAFETY: the caller has checked the shapes; a tile never reaches past the last token.
        token += unsafe {
            match left {
                1 => multiply_tile::<1>(weights, inputs, out, token),
                2 => multiply_tile::<2>(weights, inputs, out, token),
                3 => multiply_tile::<3>(weights, inputs, out, token),
                4 => multiply_tile::<4>(weights, inputs, out, token),
                5 => multiply_tile::<5>(weights, inputs, out, token),
                6 | 11 | 12 => multiply_tile::<6>(weights, inputs, out, token),
                7 | 13 | 14 => multiply_tile::<7>(weights, inputs, out, token),
                _ => multiply_tile::<8>(weights, inputs, out, token),
            }
        };
    }
}

/// All rows for the `T` tokens from `first` on; returns `T`.
///
/// # Safety
/// The slices have the lengths that `super::product` checks, and `first + T` tokens are there.
#[target_feature(enable = "avx2,fma")]
unsafe fn multiply_tile<const T: usize>(
    weights: &MatrixWeights<'_>,
    inputs: &Inputs,
    out: &mut [f32],
    first: usize,
) -> usize {
    let (rows, groups) = (weights.row_scales.len(), weights.columns / GROUP);
    let (low_bits, eight) = (_mm_set1_epi8(15), _mm256_set1_epi8(8));
    for row in 0..rows {
        let mut sums = [_mm256_setzero_si256(); T];
        // SAFETY: by the contract of this function.
        unsafe {
            let nibbles = weights.nibbles.as_ptr().add(row * groups * (GROUP / 2));
            let scales = weights.group_scales.as_ptr().add(row * groups).cast::<i8>();
            let bytes = inputs.bytes.as_ptr().add(first * weights.columns);
            for group in 0..groups {
                let packed = _mm_loadu_si128(nibbles.add(group * (GROUP / 2)).cast());
                let low = _mm_and_si128(packed, low_bits);
                let high = _mm_and_si128(_mm_srli_epi16::<4>(packed), low_bits);
                let values = _mm256_sub_epi8(_mm256_set_m128i(high, low), eight);
                let scale = _mm256_set1_epi16(i16::from(*scales.add(group)));
                for (t, sum) in sums.iter_mut().enumerate() {
                    let x = load_lanes(bytes.add(t * weights.columns + group * GROUP));
                    // At most 2 x 255 x 8, and 127 times that over 48 groups fits 32 bits.
                    let pairs = _mm256_maddubs_epi16(x, values);
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, scale));
                }
            }
        }
        let offset = 128 * weights.row_sums[row];
        for (t, &sum) in sums.iter().enumerate() {
            let sum = (sum_lanes(sum) - offset) as f32;
            let scale = weights.row_scales[row] * inputs.scales[first + t];
            out[(first + t) * rows + row] = sum * scale + weights.bias[row];
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
fn sum_lanes(sum: __m256i) -> i32 {
    let half = _mm_add_epi32(
        _mm256_castsi256_si128(sum),
        _mm256_extracti128_si256::<1>(sum),
    );
    let pair = _mm_add_epi32(half, _mm_shuffle_epi32::<0b1110>(half));
    _mm_cvtsi128_si32(_mm_add_epi32(pair, _mm_shuffle_epi32::<0b01>(pair)))
}

#[target_feature(enable = "avx2,fma")]
fn lanes_to_array(sum: __m256i) -> [i32; 8] {
    let mut out = [0; 8];
    // SAFETY: `out` is 32 bytes.
    unsafe { _mm256_storeu_si256(out.as_mut_ptr().cast(), sum) };
    out
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
    apply_gelu(values: &mut [f32]);
    apply_softmax(scores: &mut [f32]);
    dot_floats(a: &[f32], b: &[f32]) -> f32;
    add_scaled(to: &mut [f32], from: &[f32], factor: f32);
}
