//! The layout that all embedded files share: little-endian parts, each padded to 32 bytes.

const PADDING: usize = 32;

/// Hands out the parts of a file in order.
pub(crate) struct ModelParts {
    rest: &'static [u8],
}

impl ModelParts {
    pub(crate) fn new(file: &'static [u8]) -> Self {
        Self { rest: file }
    }

    /// The numbers after the eight bytes that name the format.
    pub(crate) fn read_header<const N: usize>(&mut self, magic: &[u8; 8]) -> [usize; N] {
        let head = self.take_part(8 + 4 * N);
        debug_assert_eq!(&head[..8], magic);
        std::array::from_fn(|i| u32_at(&head[8..], i) as usize)
    }

    /// The next part, `bytes` long.
    pub(crate) fn take_part(&mut self, bytes: usize) -> &'static [u8] {
        let part = &self.rest[..bytes];
        self.rest = &self.rest[bytes.next_multiple_of(PADDING)..];
        part
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }
}

/// The `i`th 16-bit number of `bytes`.
pub(crate) fn u16_at(bytes: &[u8], i: usize) -> u16 {
    u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]])
}

/// The `i`th 32-bit number of `bytes`.
pub(crate) fn u32_at(bytes: &[u8], i: usize) -> u32 {
    u32::from_le_bytes([
        bytes[4 * i],
        bytes[4 * i + 1],
        bytes[4 * i + 2],
        bytes[4 * i + 3],
    ])
}

/// The `i`th signed 32-bit number of `bytes`.
pub(crate) fn i32_at(bytes: &[u8], i: usize) -> i32 {
    u32_at(bytes, i).cast_signed()
}

/// The `i`th 32-bit float of `bytes`.
pub(crate) fn f32_at(bytes: &[u8], i: usize) -> f32 {
    f32::from_bits(u32_at(bytes, i))
}
