//! 16-bit floats (IEEE 754 binary16), which Rust does not have yet.

/// The `i`th 16-bit float of `bytes`.
pub(crate) fn f16_at(bytes: &[u8], i: usize) -> f32 {
    from_bits(super::u16_at(bytes, i))
}

fn from_bits(half: u16) -> f32 {
    let sign = u32::from(half & 0x8000) << 16;
    let (exponent, fraction) = (u32::from(half >> 10 & 0x1f), u32::from(half & 0x3ff));
    match exponent {
        0 => {
            let size = fraction as f32 / 16_777_216.0;
            if sign == 0 { size } else { -size }
        }
        31 => f32::from_bits(sign | 0x7f80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_those_of_the_standard() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x7bff, 65504.0),
            (0, 0.0),
        ] {
            assert_eq!(from_bits(bits).to_bits(), f32::to_bits(value), "{bits:x}");
        }
        assert!(from_bits(0x7c00).is_infinite() && from_bits(0x7e00).is_nan());
    }
}
