//! Has `unsafe` code: vector instructions behind a run-time check, for dot products and matrices.
//!
//! Every function here has a portable twin with the same result (integers) or the same formula
//! (floats); which of them runs is decided once per call by what the processor has.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

pub(crate) use portable::unpack_nibbles;

/// 4-bit weights of a matrix in groups of 32 along a row, and what turns sums of integers back
/// into numbers.
///
/// Eight rows lie together, so that a vector holds a sum of each and no sum is taken across a vector:
///
/// ```text
/// rows 8b to 8b + 7, columns 32g to 32g + 31: 128 bytes
///   byte 32 s + 4 r + c   low nibble:  row 8b + r, column 32g + 4 s + c        (s = 0 to 3)
///                         high nibble: row 8b + r, column 32g + 4 (s + 4) + c
/// ```
///
/// The inputs of a group are read four at a time and meet the same four columns of all eight rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MatrixWeights<'a> {
    /// Inputs, a multiple of 32.
    pub(crate) columns: usize,
    /// `rows x columns / 2` bytes.
    pub(crate) nibbles: &'a [u8],
    /// One signed byte a group, those of eight rows together.
    pub(crate) group_scales: &'a [u8],
    /// One a row.
    pub(crate) row_scales: &'a [f32],
    /// Per row, the sum of group scale x weight: the part that the offset of the inputs adds.
    pub(crate) row_sums: &'a [i32],
    /// One a row.
    pub(crate) bias: &'a [f32],
}

/// Rows of numbers in bytes: value = scale x (byte - 128).
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    pub(crate) bytes: Vec<u8>,
    pub(crate) scales: Vec<f32>,
}

/// The weights in a group.
pub(crate) const GROUP: usize = 32;
/// The rows whose weights lie together.
pub(crate) const BLOCK: usize = 8;

/// What attention mixes, in heads of `HEAD` numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attention<'a, const HEAD: usize> {
    /// Query, key and value of each token.
    pub(crate) rows: [&'a [f32]; 3],
    /// How wide a row is, a multiple of `HEAD`.
    pub(crate) columns: usize,
    /// What the distance of a key from a query adds to their score: for each head a row of numbers, of which that of
    /// no distance is in the middle. None at all for a model that knows no distances.
    pub(crate) bias: &'a [f32],
}

impl<const HEAD: usize> Attention<'_, HEAD> {
    /// What is added for `query` and each key from the first on.
    fn key_bias(&self, head: usize, query: usize) -> &[f32] {
        let distances = self.bias.len() * HEAD / self.columns;
        let first = (distances / 2).checked_sub(query);
        let row = self.bias.get(head * distances..(head + 1) * distances);
        row.zip(first).map_or(&[], |(row, first)| &row[first..])
    }
}

#[cfg(target_arch = "x86_64")]
fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// Whether there are vectors of sixteen numbers, and products of bytes for them.
#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vnni")
}

/// Runs the AVX2 twin where there is one and the processor has it, else the portable one.
macro_rules! fastest {
    ($name:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        if has_avx2() {
            #[expect(unsafe_code, reason = "the line above has checked the processor")]
            // SAFETY: AVX2 and FMA are there.
            return unsafe { avx2::$name($($argument),*) };
        }
        portable::$name($($argument),*)
    }};
}

/// Runs the AVX-512 twin where the processor has it, else the fastest other one.
macro_rules! widest {
    ($name:ident($($argument:expr),*)) => {{
        #[cfg(target_arch = "x86_64")]
        if has_avx512() {
            #[expect(unsafe_code, reason = "the line above has checked the processor")]
            // SAFETY: AVX-512 is there.
            return unsafe { avx512::$name($($argument),*) };
        }
        fastest!($name($($argument),*))
    }};
}

/// The dot product of two rows of signed bytes (-127 to 127), as far as the shorter one goes.
pub(crate) fn dot_bytes(a: &[u8], b: &[u8]) -> i32 {
    fastest!(dot_bytes(a, b))
}

/// `out[t][r] = bias[r] + sum over c of weights[r][c] x inputs[t][c]`.
pub(crate) fn multiply_matrix(weights: &MatrixWeights<'_>, inputs: &Inputs, out: &mut Vec<f32>) {
    let (rows, tokens) = (weights.row_scales.len(), inputs.scales.len());
    out.resize(rows * tokens, 0.0);
    // The vector code reads without further checks.
    let groups = rows * weights.columns / GROUP;
    assert!(
        weights.columns.is_multiple_of(GROUP)
            && rows.is_multiple_of(BLOCK)
            && weights.nibbles.len() == groups * GROUP / 2
            && weights.group_scales.len() == groups
            && weights.row_sums.len() == rows
            && weights.bias.len() == rows
            && inputs.bytes.len() == tokens * weights.columns,
        "shapes of a product"
    );
    widest!(multiply_matrix(weights, inputs, out));
}

/// Rounds rows of `columns` numbers to bytes.
pub(crate) fn quantize_rows(values: &[f32], columns: usize, inputs: &mut Inputs) {
    inputs.bytes.resize(values.len(), 0);
    inputs.scales.clear();
    widest!(quantize_rows(values, columns, inputs));
}

/// The Gaussian error linear unit of each number, to about 1e-6.
pub(crate) fn apply_gelu(values: &mut [f32]) {
    widest!(apply_gelu(values));
}

/// Layer normalisation of rows as wide as `gain` and `bias`, a multiple of sixteen.
pub(crate) fn normalize_rows(rows: &mut [f32], gain: &[f32], bias: &[f32]) {
    widest!(normalize_rows(rows, gain, bias));
}

/// What each token takes from the values of all: softmax of the scaled products of its query and their keys.
pub(crate) fn mix_attention<const HEAD: usize>(
    attention: Attention<'_, HEAD>,
    mixed: &mut Vec<f32>,
) {
    mixed.resize(attention.rows[0].len(), 0.0);
    widest!(mix_attention(attention, mixed));
}

/// `to += factor x from`.
pub(crate) fn add_scaled(to: &mut [f32], from: &[f32], factor: f32) {
    fastest!(add_scaled(to, from, factor));
}

#[cfg(test)]
mod tests;
