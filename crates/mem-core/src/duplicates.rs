//! Notes that say the very same: equal bodies, byte for byte.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

/// The sha256 of some bytes.
pub type Checksum = [u8; 32];

/// The checksum of a body, white space around it left out.
pub fn checksum(body: &[u8]) -> Checksum {
    Sha256::digest(body.trim_ascii()).into()
}

/// Groups of equal bodies, as indexes into `bodies`; each group has at least two members, the
/// groups stand in the order of their first. Empty bodies are equal to nothing.
pub fn groups(bodies: &[&[u8]]) -> Vec<Vec<usize>> {
    let mut by_length: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, body) in bodies.iter().enumerate() {
        let length = body.trim_ascii().len();
        if length > 0 {
            by_length.entry(length).or_default().push(index);
        }
    }
    // Only bodies of one length need to be hashed.
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for twins in by_length.into_values().filter(|twins| twins.len() > 1) {
        let mut by_checksum: BTreeMap<Checksum, Vec<usize>> = BTreeMap::new();
        for index in twins {
            let sum = checksum(bodies[index]);
            by_checksum.entry(sum).or_default().push(index);
        }
        groups.extend(by_checksum.into_values().filter(|group| group.len() > 1));
    }
    groups.sort_unstable();
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_bodies_are_found_whatever_surrounds_them() {
        let bodies: [&[u8]; 7] = [b"b", b"\na\n", b"", b"a", b"c", b"a ", b" \n"];
        assert_eq!(groups(&bodies), [vec![1, 3, 5]]);
        assert_eq!(groups(&[b"x", b"y", b"x", b"y"]), [vec![0, 2], vec![1, 3]]);
    }
}
