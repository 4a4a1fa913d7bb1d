//! A checksum against torn and foreign files: four lanes of multiply and rotate, some bytes a
//! cycle. It is no defence against a forger; what is read is checked again where it is used.

const PRIME: u64 = 0x9E37_79B1_85EB_CA87;
const OTHER: u64 = 0xC2B2_AE3D_27D4_EB4F;

/// The sum of `bytes`.
pub(super) fn compute_checksum(bytes: &[u8]) -> u64 {
    let mut lanes = [PRIME, OTHER, PRIME ^ OTHER, PRIME.wrapping_add(OTHER)];
    let (blocks, tail) = bytes.as_chunks::<32>();
    for block in blocks {
        let (words, _) = block.as_chunks::<8>();
        for (lane, word) in lanes.iter_mut().zip(words) {
            *lane = mix_lane(*lane, u64::from_le_bytes(*word));
        }
    }
    let mut sum = bytes.len() as u64;
    for lane in lanes {
        sum = mix_lane(sum, lane);
    }
    for &byte in tail {
        sum = mix_lane(sum, u64::from(byte) + 1);
    }
    sum ^ sum >> 29
}

fn mix_lane(lane: u64, word: u64) -> u64 {
    (lane ^ word.wrapping_mul(OTHER))
        .rotate_left(31)
        .wrapping_mul(PRIME)
}

#[cfg(test)]
mod tests {
    use super::compute_checksum;

    #[test]
    fn every_byte_and_the_length_count() {
        let bytes: Vec<u8> = (0..100).collect();
        let whole = compute_checksum(&bytes);
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_ne!(compute_checksum(&changed), whole, "byte {at}");
            assert_ne!(compute_checksum(&bytes[..at]), whole, "length {at}");
        }
    }
}
