//! Rows of 4-bit numbers, as `quantised` in `models/distil.py` packs them.

use super::{ModelParts, f16_at};
use crate::simd::{GROUP, unpack};

/// A table of which single rows are read. Value = row scale x group scale x (nibble - 8).
#[derive(Debug)]
pub(crate) struct Rows {
    columns: usize,
    nibbles: &'static [u8],
    /// One signed byte for each group of 32.
    group_scales: &'static [u8],
    /// One 16-bit float a row.
    scales: &'static [u8],
}

impl Rows {
    /// The table that comes next in a file; `columns` is a multiple of 32.
    pub(crate) fn read(parts: &mut ModelParts, count: usize, columns: usize) -> Self {
        Self {
            columns,
            nibbles: parts.take(count * columns / 2),
            group_scales: parts.take(count * columns / GROUP),
            scales: parts.take(2 * count),
        }
    }

    /// The numbers of one row.
    pub(crate) fn row(&self, row: usize) -> impl Iterator<Item = f32> {
        let scale = f16_at(self.scales, row);
        let (bytes, groups) = (self.columns / 2, self.columns / GROUP);
        let nibbles = self.nibbles[row * bytes..][..bytes].chunks_exact(GROUP / 2);
        let group_scales = &self.group_scales[row * groups..][..groups];
        nibbles
            .zip(group_scales)
            .flat_map(move |(nibbles, &group)| {
                let mut values = [0; GROUP];
                unpack(nibbles, &mut values);
                let scale = scale * f32::from(group.cast_signed());
                values.map(|value| scale * f32::from(value))
            })
    }

    /// The parts as they lie, for a matrix that is multiplied as a whole.
    pub(crate) fn parts(&self) -> [&'static [u8]; 3] {
        [self.nibbles, self.group_scales, self.scales]
    }
}
