//! Values that look like secrets and stand in public documentation, so that
//! finding one says nothing. Kept as hashes: the values themselves would make
//! every other scanner stop at this file.

use sha2::{Digest, Sha256};

use super::CheckResult;
use crate::filter::MatchFilter;

include!("known.in");

/// Whether a value stands in public documentation.
pub(crate) fn is_published(secret: &[u8]) -> bool {
    let digest = Sha256::digest(secret);
    let mut head = [0; 8];
    head.copy_from_slice(&digest[..8]);
    PUBLISHED.contains(&u64::from_be_bytes(head))
}

/// Refuses published values, knows nothing of others.
pub(crate) fn verify(secret: &[u8]) -> CheckResult {
    if is_published(secret) {
        CheckResult::Refused(MatchFilter::Published)
    } else {
        CheckResult::Unknown
    }
}
