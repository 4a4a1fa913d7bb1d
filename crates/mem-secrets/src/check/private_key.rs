//! The inner structure of private keys: DER as PKCS #1, PKCS #8, SEC 1 and DSA have it, and OpenSSH's own form.
//!
//! ```text
//! PKCS #1  SEQUENCE { INTEGER version, 8 x INTEGER .. }
//! DSA      SEQUENCE { INTEGER 0, INTEGER p, q, g, public key, private key }
//! PKCS #8  SEQUENCE { INTEGER version, SEQUENCE algorithm, OCTET STRING key, [0] attributes, [1] public key }
//! SEC 1    SEQUENCE { INTEGER 1, OCTET STRING key, [0] { curve or its parameters }, [1] public key }
//! OpenSSH  "openssh-key-v1\0", 3 x string, u32 keys, keys x string, string
//! ```

const INTEGER: u8 = 0x02;
const OCTET_STRING: u8 = 0x04;
const OBJECT_IDENTIFIER: u8 = 0x06;
/// What keys in DER begin with.
const SEQUENCE: u8 = 0x30;
/// `[0]` and `[1]` of what may be left out.
const OPTIONS: [u8; 4] = [0x80, 0x81, 0xa0, 0xa1];
/// `[0]`; the low five bits count on from it.
const CONTEXT: u8 = 0xa0;
/// Integers of a DSA key.
const DSA_INTEGERS: usize = 6;
/// Bytes of its primes, the larger of 512 bits or more, the smaller of 160 to 256 bits and a sign.
const DSA_P_BYTES_MIN: usize = 64;
const DSA_Q_BYTES: std::ops::RangeInclusive<usize> = 20..=33;
/// Integers of an RSA key; one with more than two primes has a sequence behind them.
const RSA_INTEGERS: usize = 9;
/// What keys of OpenSSH begin with.
const OPENSSH: &[u8] = b"openssh-key-v1\0";

/// How far the bytes of a block are a private key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyStructure {
    /// Every length and every part is right.
    Whole,
    /// It begins like a key, and something inside is not right: cut, or made up.
    Broken,
    /// The key is encrypted with a passphrase.
    Encrypted,
    /// It begins like no key.
    Absent,
}

/// Checks the decoded bytes of a block.
pub(crate) fn structure(key: &[u8]) -> KeyStructure {
    let is_whole = if let Some(rest) = key.strip_prefix(OPENSSH) {
        let cipher = ssh_string(rest).map_or(rest.get(4..), |(cipher, _)| Some(cipher));
        if !cipher.is_some_and(|cipher| cipher.starts_with(b"none")) {
            return KeyStructure::Encrypted;
        }
        is_openssh(rest).is_some()
    } else if key.first() == Some(&SEQUENCE) {
        is_der(key).is_some()
    } else {
        return KeyStructure::Absent;
    };
    match is_whole {
        true => KeyStructure::Whole,
        false => KeyStructure::Broken,
    }
}

/// The length of the key in DER that `bytes` begin with.
pub(crate) fn der_length(bytes: &[u8]) -> Option<usize> {
    let (tag, content, rest) = value(bytes)?;
    if tag != SEQUENCE {
        return None;
    }
    is_content(content)?;
    Some(bytes.len() - rest.len())
}

/// Something where the bytes are one of the four keys in DER, to the last byte.
fn is_der(key: &[u8]) -> Option<()> {
    (der_length(key)? == key.len()).then_some(())
}

/// Something where the sequence of a key has these bytes.
fn is_content(content: &[u8]) -> Option<()> {
    let mut parts = Vec::new();
    let mut rest = content;
    while !rest.is_empty() {
        // No key has more, and bytes that only look like one are not read to their end.
        if parts.len() > RSA_INTEGERS {
            return None;
        }
        let (tag, content, after) = value(rest)?;
        parts.push((tag, content));
        rest = after;
    }
    let ((INTEGER, [version @ 0..=3]), parts) = parts.split_first()? else {
        return None;
    };
    let tags: Vec<u8> = parts.iter().map(|(tag, _)| *tag).collect();
    let integers = 1 + tags.iter().take_while(|tag| **tag == INTEGER).count();
    let are_optional = |tags: &[u8]| tags.iter().all(|tag| OPTIONS.contains(tag));
    let is_key = match *tags.as_slice() {
        [SEQUENCE, OCTET_STRING, ref rest @ ..] => {
            let (tag, ..) = value(parts[0].1)?;
            tag == OBJECT_IDENTIFIER && are_optional(rest)
        }
        [OCTET_STRING, ref rest @ ..] => {
            are_optional(rest) && !parts[1..].iter().any(is_snmp_request)
        }
        _ if integers == tags.len() + 1 => match integers {
            DSA_INTEGERS => *version == 0 && has_dsa_sizes(parts),
            count => count == RSA_INTEGERS,
        },
        _ => integers == RSA_INTEGERS && tags[RSA_INTEGERS - 1..] == [SEQUENCE],
    };
    is_key.then_some(())
}

/// Whether a part is the request of a message of SNMP, which begins like an elliptic key: it has the request's number.
fn is_snmp_request((tag, content): &(u8, &[u8])) -> bool {
    tag & 0xe0 == CONTEXT && content.first() == Some(&INTEGER)
}

/// Whether the integers behind the version are as long as those of a DSA key.
fn has_dsa_sizes(parts: &[(u8, &[u8])]) -> bool {
    let lengths: Vec<usize> = parts.iter().map(|(_, content)| content.len()).collect();
    let [p, q, g, public, private] = lengths[..] else {
        return false;
    };
    p >= DSA_P_BYTES_MIN && DSA_Q_BYTES.contains(&q) && g.max(public) <= p && private <= q
}

/// The first value in `bytes`: its tag, its content, and what follows.
fn value(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    // From 0x80 on the lower bits say how many bytes the length has.
    let (length, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        0x81..=0x83 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x7f))?;
            let length = digits
                .iter()
                .fold(0, |length, byte| length << 8 | usize::from(*byte));
            (length, rest)
        }
        _ => return None,
    };
    let (content, rest) = rest.split_at_checked(length)?;
    Some((tag, content, rest))
}

/// Something where what follows OpenSSH's mark is whole, and its two check numbers are the same.
fn is_openssh(bytes: &[u8]) -> Option<()> {
    let mut rest = bytes;
    for _ in ["cipher", "derivation", "options"] {
        (_, rest) = ssh_string(rest)?;
    }
    let (keys, mut rest) = rest.split_first_chunk()?;
    for _ in 0..u32::from_be_bytes(*keys) {
        (_, rest) = ssh_string(rest)?;
    }
    let (private, rest) = ssh_string(rest)?;
    let (one, two) = private.get(..8)?.split_at(4);
    (one == two && rest.is_empty()).then_some(())
}

/// The string that `bytes` begins with, after its length in four bytes, and what follows.
fn ssh_string(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(u32::from_be_bytes(*length) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value in DER.
    fn der(tag: u8, content: &[u8]) -> Vec<u8> {
        let length = content.len() as u8;
        let head = match length {
            0..=0x7f => vec![tag, length],
            _ => vec![tag, 0x81, length],
        };
        [head, content.to_vec()].concat()
    }

    fn sequence(parts: &[Vec<u8>]) -> Vec<u8> {
        der(SEQUENCE, &parts.concat())
    }

    fn ssh(text: &[u8]) -> Vec<u8> {
        [(text.len() as u32).to_be_bytes().as_slice(), text].concat()
    }

    fn openssh(cipher: &[u8], checks: [u8; 8]) -> Vec<u8> {
        let private = [checks.as_slice(), &[7; 60]].concat();
        let parts = [
            OPENSSH.to_vec(),
            ssh(cipher),
            ssh(b"none"),
            ssh(b""),
            1_u32.to_be_bytes().to_vec(),
            ssh(&[9; 51]),
            ssh(&private),
        ];
        parts.concat()
    }

    #[test]
    fn keys_of_every_form_are_whole() {
        let (version, number) = (der(INTEGER, &[0]), der(INTEGER, &[0x5a; 20]));
        let octets = der(OCTET_STRING, &[0x5a; 32]);
        let algorithm = sequence(&[der(OBJECT_IDENTIFIER, &[0x2b, 0x65, 0x70])]);
        let curve = der(OBJECT_IDENTIFIER, &[0x2b, 0x81, 0x04, 0x00, 0x22]);
        let elliptic = |options: &[Vec<u8>]| {
            let key = [der(INTEGER, &[1]), octets.clone()];
            sequence(&[&key[..], options].concat())
        };
        let public = der(CONTEXT | 1, &der(0x03, &[0x5a; 34]));
        let numbers = |count: usize| {
            let rest = vec![number.clone(); count - 1];
            sequence(&[vec![version.clone()], rest].concat())
        };
        let dsa = |version: u8, lengths: [u8; 5]| {
            let numbers = lengths.map(|length| der(INTEGER, &vec![0x5a; length.into()]));
            sequence(&[&[der(INTEGER, &[version])], &numbers[..]].concat())
        };
        for key in [
            numbers(RSA_INTEGERS),
            dsa(0, [65, 21, 64, 1, 20]),
            sequence(&[version.clone(), algorithm, octets.clone()]),
            elliptic(&[]),
            elliptic(&[der(CONTEXT, &curve)]),
            elliptic(std::slice::from_ref(&public)),
            elliptic(&[der(CONTEXT, &curve), public]),
            openssh(b"none", [1, 2, 3, 4, 1, 2, 3, 4]),
        ] {
            assert_eq!(structure(&key), KeyStructure::Whole, "{key:x?}");
            assert_eq!(structure(&key[..key.len() - 1]), KeyStructure::Broken);
            assert_eq!(structure(&[&key, &[0][..]].concat()), KeyStructure::Broken);
        }
        for other in [
            numbers(4),
            numbers(DSA_INTEGERS),
            dsa(1, [65, 21, 64, 64, 20]),
            dsa(0, [65, 40, 64, 1, 20]),
            dsa(0, [65, 21, 64, 64, 22]),
            // A request of SNMP.
            elliptic(&[der(CONTEXT, &number)]),
            elliptic(&[der(CONTEXT | 1, &number)]),
        ] {
            assert_eq!(structure(&other), KeyStructure::Broken, "{other:x?}");
        }
    }

    #[test]
    fn a_beginning_alone_is_broken() {
        let noise: Vec<u8> = (0..188).map(|at| (at * 73 + 41) as u8).collect();
        let begun = [&[SEQUENCE, 0x81, 0xbf, INTEGER, 1, 0], noise.as_slice()].concat();
        assert_eq!(structure(&begun), KeyStructure::Broken);
        assert_eq!(structure(&noise), KeyStructure::Absent);
        let other = openssh(b"none", [1, 2, 3, 4, 1, 2, 3, 5]);
        assert_eq!(structure(&other), KeyStructure::Broken);
        let encrypted = openssh(b"aes256-ctr", [0; 8]);
        assert_eq!(structure(&encrypted), KeyStructure::Encrypted);
    }
}
