//! Rows of 3-bit or 4-bit numbers, as `quantised` in `models/distil.py` packs them.

use super::{ModelParts, f16_at};
use crate::simd::{GROUP, unpack_nibbles};

/// A table of which single rows are read. Value = row scale x group scale x (code - half of the codes).
#[derive(Debug)]
pub(crate) struct Rows<const BITS: usize> {
    columns: usize,
    codes: &'static [u8],
    /// One signed byte for each group of 32.
    group_scales: &'static [u8],
    /// One 16-bit float a row.
    scales: &'static [u8],
}

impl<const BITS: usize> Rows<BITS> {
    /// The table that comes next in a file; `columns` is a multiple of 32.
    pub(crate) fn read(parts: &mut ModelParts, count: usize, columns: usize) -> Self {
        Self {
            columns,
            codes: parts.take_part(count * columns * BITS / 8),
            group_scales: parts.take_part(count * columns / GROUP),
            scales: parts.take_part(2 * count),
        }
    }

    /// The numbers of one row.
    pub(crate) fn row_values(&self, row: usize) -> impl Iterator<Item = f32> {
        let scale = f16_at(self.scales, row);
        let (bytes, groups) = (self.columns * BITS / 8, self.columns / GROUP);
        let codes = self.codes[row * bytes..][..bytes].chunks_exact(GROUP * BITS / 8);
        let group_scales = &self.group_scales[row * groups..][..groups];
        codes.zip(group_scales).flat_map(move |(codes, &group)| {
            let mut values = [0; GROUP];
            match BITS {
                3 => unpack_three_bits(codes, &mut values),
                _ => unpack_nibbles(codes, &mut values),
            }
            let scale = scale * f32::from(group.cast_signed());
            values.map(|value| scale * f32::from(value))
        })
    }
}

/// The values of a group, -4 to 3:
///
/// ```text
/// bytes 0-7   the lower two bits: byte i holds those of the values i, i + 8, i + 16 and i + 24
/// bytes 8-11  the upper bit: bit j of byte i is that of value i + 4 j
/// ```
fn unpack_three_bits(codes: &[u8], values: &mut [i8; GROUP]) {
    let (lower, upper) = codes.split_at(8);
    for (i, value) in values.iter_mut().enumerate() {
        let low = lower[i % 8] >> (2 * (i / 8)) & 3;
        let high = upper[i % 4] >> (i / 4) & 1;
        *value = (high << 2 | low).cast_signed() - 4;
    }
}

#[cfg(test)]
mod tests {
    use super::unpack_three_bits;

    #[test]
    fn three_bits_are_unpacked_as_they_were_packed() {
        let values: [i8; 32] = std::array::from_fn(|i| (i * 5 % 8) as i8 - 4);
        let mut codes = [0u8; 12];
        for (i, &value) in values.iter().enumerate() {
            let code = (value + 4).cast_unsigned();
            codes[i % 8] |= (code & 3) << (2 * (i / 8));
            codes[8 + i % 4] |= (code >> 2) << (i / 4);
        }
        let mut read = [0; 32];
        unpack_three_bits(&codes, &mut read);
        assert_eq!(read, values);
    }
}
