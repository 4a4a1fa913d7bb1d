//! NATS nkey seeds: base 32 with a CRC-16 at the end, so that a real one is
//! certain and a word in capital letters is none.

use crate::candidate::Rank;
use crate::filter::MatchFilter;
use crate::finding::Confidence;
use crate::pass::{KeywordHit, Pass};
use crate::rule::Rule;
use crate::rule::boundary::{closes, opens};

/// Characters of a seed: 2 prefix bytes, 32 of key, 2 of checksum in base 32.
const SEED_CHARS: usize = 58;

/// At a long row: `SU`, `SA`, `SO`, `SN`, `SC` or `SX` and 56 characters of
/// base 32.
pub(crate) fn run(pass: &mut Pass<'_>, rule: &'static Rule, hit: KeywordHit, done: usize) -> usize {
    let bytes = pass.bytes;
    let span = hit.start..hit.start + SEED_CHARS;
    if hit.start < done || bytes.len() < span.end || !opens(bytes, span.start) {
        return done;
    }
    let seed = &bytes[span.clone()];
    if seed[0] != b'S' || !matches!(seed[1], b'U' | b'A' | b'O' | b'N' | b'C' | b'X') {
        return done;
    }
    if !seed
        .iter()
        .all(|byte| matches!(byte, b'A'..=b'Z' | b'2'..=b'7'))
        || !closes(bytes, span.start, span.end)
    {
        return done;
    }
    if !seed.iter().any(u8::is_ascii_digit) {
        pass.reject(rule, span.clone(), MatchFilter::Words);
    } else {
        let confidence = if checks(seed) {
            Confidence::Certain
        } else {
            Confidence::Medium
        };
        pass.accept(rule, Rank::Formed, span.clone(), confidence);
    }
    span.end
}

fn checks(seed: &[u8]) -> bool {
    let Some(raw) = base32(seed) else {
        return false;
    };
    let Some((body, sum)) = raw.split_last_chunk::<2>() else {
        return false;
    };
    crc16(body) == u16::from_le_bytes(*sum)
}

fn base32(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() * 5 / 8);
    let (mut bits, mut count) = (0_u32, 0_u32);
    for &byte in text {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'2'..=b'7' => byte - b'2' + 26,
            _ => return None,
        };
        bits = bits << 5 | u32::from(value);
        count += 5;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(out)
}

/// CRC-16 of the XMODEM protocol, as nkeys use it.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, &byte| {
        let mut crc = crc ^ u16::from(byte) << 8;
        for _ in 0..8 {
            crc = if crc & 0x8000 == 0 {
                crc << 1
            } else {
                crc << 1 ^ 0x1021
            };
        }
        crc
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_value_of_the_standard() {
        assert_eq!(crc16(b"123456789"), 0x31c3);
    }
}
