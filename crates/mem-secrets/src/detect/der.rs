//! Private keys in DER: a binary file of their own, or inside a database or a program.

use crate::candidate::Rank;
use crate::check::private_key;
use crate::finding::Confidence;
use crate::pass::Pass;
use crate::rule::Rule;

/// The tag and the length of the version that every key begins with.
const VERSION: [u8; 2] = [0x02, 0x01];
/// Bytes of the tag and the length in front of the version: a key has at most 65,535 bytes.
const HEAD_BYTES: std::ops::RangeInclusive<usize> = 2..=4;
/// A key of P-256 without its curve has 39 bytes; a few small numbers in a row are no key.
const KEY_BYTES_MIN: usize = 39;

/// Looks for the version of a key, and accepts what is a whole key around it.
pub(crate) fn run(pass: &mut Pass<'_>, rule: &'static Rule) {
    let bytes = pass.bytes;
    // A key of PKCS #8 has another one inside.
    let mut done = 0;
    for version in memchr::memmem::find_iter(bytes, &VERSION) {
        let starts = HEAD_BYTES.filter_map(|head| version.checked_sub(head));
        let key = starts.filter(|start| *start >= done).find_map(|start| {
            let length = private_key::der_length(&bytes[start..])?;
            (length >= KEY_BYTES_MIN).then_some(start..start + length)
        });
        if let Some(key) = key {
            done = key.end;
            pass.accept(rule, Rank::Formed, key, Confidence::Certain);
        }
    }
}
