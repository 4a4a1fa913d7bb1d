//! Unit vectors in signed bytes: what the index stores and what queries are compared with.

use crate::simd;

/// A unit vector of `N` numbers: value = `scale` x byte.
#[derive(Clone, PartialEq)]
pub struct Embedding<const N: usize> {
    scale: f32,
    values: [u8; N],
}

impl<const N: usize> std::fmt::Debug for Embedding<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Vector<{N}>(scale {})", self.scale)
    }
}

impl<const N: usize> Embedding<N> {
    /// Bytes of a stored vector: the scale (f32), then the values.
    pub(crate) const BYTES: usize = 4 + N;

    /// The direction of `values`; nothing for a zero or non-finite vector.
    pub fn from_values(values: &[f32; N]) -> Option<Self> {
        let length = values.iter().map(|v| v * v).sum::<f32>().sqrt();
        let peak = values.iter().fold(0.0_f32, |m, v| m.max(v.abs()));
        if !(length.is_finite() && length > 1e-12 && peak > 0.0) {
            return None;
        }
        let step = 127.0 / peak;
        let values = values.map(|v| ((v * step).round() as i8).cast_unsigned());
        Some(Self {
            scale: peak / 127.0 / length,
            values,
        })
    }

    /// The cosine of two vectors, -1 to 1.
    pub fn cosine(&self, other: &Self) -> f32 {
        simd::dot_bytes(&self.values, &other.values) as f32 * self.scale * other.scale
    }

    pub(crate) fn scale(&self) -> f32 {
        self.scale
    }

    pub(crate) fn values(&self) -> &[u8; N] {
        &self.values
    }

    /// The numbers of the unit vector.
    pub fn unit_values(&self) -> impl Iterator<Item = f32> + '_ {
        self.values
            .iter()
            .map(|&v| self.scale * f32::from(v.cast_signed()))
    }

    /// The cosine with a stored vector; nothing where none is stored.
    pub(crate) fn cosine_with(&self, stored: &[u8]) -> Option<f32> {
        let (scale, values) = stored.split_at_checked(4)?;
        let scale = f32::from_le_bytes(scale.try_into().ok()?);
        if scale == 0.0 || values.len() != N {
            return None;
        }
        let cosine = simd::dot_bytes(&self.values, values) as f32 * self.scale * scale;
        Some(if cosine.is_finite() {
            cosine.clamp(-1.0, 1.0)
        } else {
            0.0
        })
    }

    /// Reads the stored form; nothing where none is stored.
    pub(crate) fn read(stored: &[u8]) -> Option<Self> {
        let (scale, values) = stored.split_at_checked(4)?;
        let scale = f32::from_le_bytes(scale.try_into().ok()?);
        let values = values.try_into().ok()?;
        (scale != 0.0 && scale.is_finite()).then_some(Self { scale, values })
    }

    /// Appends the stored form; `None` is stored as zeros.
    pub(crate) fn append_stored(vector: Option<&Self>, out: &mut Vec<u8>) {
        match vector {
            Some(v) => {
                out.extend_from_slice(&v.scale.to_le_bytes());
                out.extend_from_slice(&v.values);
            }
            None => out.resize(out.len() + Self::BYTES, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_survive_storage() {
        let a: [f32; 256] = std::array::from_fn(|i| ((i * 37 % 101) as f32 - 50.0) * 3.0);
        let b: [f32; 256] = std::array::from_fn(|i| ((i * 53 % 97) as f32 - 48.0) * 0.01);
        let exact = {
            let dot: f32 = a.iter().zip(&b).map(|(x, y)| x * y).sum();
            dot / a.iter().map(|x| x * x).sum::<f32>().sqrt()
                / b.iter().map(|x| x * x).sum::<f32>().sqrt()
        };
        let (Some(a), Some(b)) = (Embedding::from_values(&a), Embedding::from_values(&b)) else {
            panic!("no vector")
        };
        assert!((a.cosine(&b) - exact).abs() < 0.01);
        let mut stored = Vec::new();
        Embedding::append_stored(Some(&b), &mut stored);
        assert_eq!(a.cosine_with(&stored), Some(a.cosine(&b)));
        assert!((a.cosine(&a) - 1.0).abs() < 0.01);
    }

    #[test]
    fn nothing_has_no_direction() {
        assert!(Embedding::from_values(&[0.0; 8]).is_none());
        assert!(Embedding::from_values(&[f32::NAN; 8]).is_none());
        let one: Embedding<8> = Embedding {
            scale: 1.0,
            values: [1; 8],
        };
        assert_eq!(one.cosine_with(&[0; 12]), None);
        assert_eq!(one.cosine_with(&[1; 3]), None);
    }
}
