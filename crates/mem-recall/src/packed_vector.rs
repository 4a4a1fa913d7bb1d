//! Unit vectors in four bits a number: for what is many and only has to be about right. The cosine
//! with the exact vector is about 0.99.

use crate::simd;
use crate::vector::Embedding;

/// Bytes of a packed vector of `numbers` numbers: the scale (f32), then two numbers a byte.
pub(crate) const fn packed_bytes(numbers: usize) -> usize {
    4 + numbers / 2
}

/// Numbers are from -7 to 7, stored with 8 more.
const PEAK: f32 = 7.0;
const MIDDLE: u8 = 8;

/// Appends a vector: byte `i` holds number `i` in its low half and number `i + N / 2` in its high one.
pub(crate) fn pack_vector<const N: usize>(vector: &Embedding<N>, out: &mut Vec<u8>) {
    let numbers: Vec<f32> = vector.unit_values().collect();
    let peak = numbers.iter().fold(0.0_f32, |m, v| m.max(v.abs()));
    let step = PEAK / peak.max(f32::MIN_POSITIVE);
    let rounded: Vec<f32> = numbers.iter().map(|v| (v * step).round()).collect();
    let length = rounded.iter().map(|v| v * v).sum::<f32>().sqrt();
    out.extend_from_slice(&length.max(1.0).recip().to_le_bytes());
    let half = |v: f32| (v as i8).wrapping_add_unsigned(MIDDLE).cast_unsigned();
    let (low, high) = rounded.split_at(N / 2);
    out.extend(low.iter().zip(high).map(|(&l, &h)| half(l) | half(h) << 4));
}

/// The cosine of a vector with a packed one; nothing where none is stored.
pub(crate) fn cosine_with_packed<const N: usize>(
    asked: &Embedding<N>,
    stored: &[u8],
) -> Option<f32> {
    let (scale, halves) = stored.split_at_checked(4)?;
    let scale = f32::from_le_bytes(scale.try_into().ok()?);
    if halves.len() != N / 2 || !scale.is_finite() {
        return None;
    }
    let mut values = [0; N];
    let (low, high) = values.split_at_mut(N / 2);
    for ((byte, low), high) in halves.iter().zip(low).zip(high) {
        *low = (byte & 15).wrapping_sub(MIDDLE);
        *high = (byte >> 4).wrapping_sub(MIDDLE);
    }
    let dot = simd::dot_bytes(asked.values(), &values) as f32;
    Some((dot * asked.scale() * scale).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(step: usize) -> Option<Embedding<384>> {
        Embedding::from_values(&std::array::from_fn(|i| {
            ((i * step % 101) as f32 - 50.0) * 0.3
        }))
    }

    #[test]
    fn a_packed_vector_is_nearly_the_same() {
        let (Some(one), Some(other)) = (wave(37), wave(53)) else {
            panic!("no vector")
        };
        let mut stored = Vec::new();
        pack_vector(&one, &mut stored);
        assert_eq!(stored.len(), packed_bytes(384));
        let near = |asked| cosine_with_packed(asked, &stored);
        assert!(near(&one).is_some_and(|c| c > 0.985), "{:?}", near(&one));
        let exact = one.cosine(&other);
        assert!(near(&other).is_some_and(|c| (c - exact).abs() < 0.03));
    }

    #[test]
    fn bytes_that_are_no_vector_have_no_cosine() {
        let Some(one) = wave(37) else {
            panic!("no vector")
        };
        assert_eq!(cosine_with_packed(&one, &[]), None);
        assert_eq!(cosine_with_packed(&one, &[0; 12]), None);
        let mut endless = vec![0; packed_bytes(384)];
        assert_eq!(cosine_with_packed(&one, &endless), Some(0.0));
        endless[..4].copy_from_slice(&f32::INFINITY.to_le_bytes());
        assert_eq!(cosine_with_packed(&one, &endless), None);
    }
}
