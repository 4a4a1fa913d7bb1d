//! Reading and writing little-endian numbers in bytes that nobody vouches for.

/// The `i`th 32-bit number; zero past the end.
pub(super) fn u32_at(bytes: &[u8], i: usize) -> u32 {
    let at = i.saturating_mul(4);
    bytes
        .get(at..at.saturating_add(4))
        .and_then(|b| b.try_into().ok())
        .map_or(0, u32::from_le_bytes)
}

/// The `i`th entry of a blob whose `offsets` are 32-bit numbers, one more than entries; empty where
/// they make no sense.
pub(super) fn blob_entry<'a>(offsets: &[u8], blob: &'a [u8], i: usize) -> &'a [u8] {
    let (from, to) = (u32_at(offsets, i) as usize, u32_at(offsets, i + 1) as usize);
    blob.get(from..to).unwrap_or_default()
}

/// Seven bits a byte, low ones first.
pub(super) fn put_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 128 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Reads a number and steps over it; nothing at the end or where it is too long.
pub(super) fn take_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Some(value);
        }
    }
    None
}

/// A length and that many bytes.
pub(super) fn put_bytes(value: &[u8], out: &mut Vec<u8>) {
    put_varint(value.len() as u64, out);
    out.extend_from_slice(value);
}

/// Reads what [`put_bytes`] wrote.
pub(super) fn take_bytes<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(take_varint(bytes)?).ok()?;
    let (value, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(value)
}

/// Reads text; nothing where it is not UTF-8.
pub(super) fn take_text<'a>(bytes: &mut &'a [u8]) -> Option<&'a str> {
    std::str::from_utf8(take_bytes(bytes)?).ok()
}
