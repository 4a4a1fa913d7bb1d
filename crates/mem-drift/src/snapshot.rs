//! What a note's citations look like at the moment it is saved.

use git2::Oid;

use crate::check::{ResolvedPath, Resolver, current_id};
use crate::checkout::{Checkout, CheckoutPaths};
use crate::cite::{CitationTarget, extract_citations};
use crate::error::DriftError;

/// The files that a note cites, each with the blob id of its present content, by the whole path.
///
/// Only tracked files whose names are UTF-8 are told; ids are 40 hexadecimal digits. Stored with
/// the note's history and handed back in [`DriftInput::blobs`](crate::DriftInput::blobs), they make drift
/// exact, whatever happens to commits and clocks.
///
/// # Errors
/// There is a repository that cannot be read.
pub fn snapshot_citations(
    text: &str,
    place: &CheckoutPaths,
    remotes: &[String],
) -> Result<Vec<(String, String)>, DriftError> {
    let paths = extract_citations(text, remotes)
        .into_iter()
        .filter_map(|citation| match citation.target {
            CitationTarget::Path { path, .. } => Some(path),
            _ => None,
        });
    let paths: Vec<String> = paths.collect();
    if paths.is_empty() || place.git_dir.is_none() {
        return Ok(Vec::new());
    }
    let checkout = Checkout::open(place)?;
    let listing = checkout.list_tracked();
    let resolver = Resolver::new(&checkout, &listing);
    let mut blobs: Vec<(String, String)> = paths
        .iter()
        .filter_map(|path| {
            let ResolvedPath::File { at, .. } = resolver.resolve(path) else {
                return None;
            };
            let own = std::str::from_utf8(listing.path_at(at)).ok()?.to_owned();
            let id: Oid = current_id(&checkout, &listing, at)?;
            Some((own, id.to_string()))
        })
        .collect();
    blobs.sort_unstable();
    blobs.dedup();
    Ok(blobs)
}
