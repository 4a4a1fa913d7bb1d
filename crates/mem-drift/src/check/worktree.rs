//! What the checkout has that `HEAD` has not, and the other way round: changes that nobody
//! committed yet. Worked out only when something is missing.

use std::sync::OnceLock;

use git2::Oid;

use crate::checkout::{Checkout, TrackedFiles, ends_with_parts};
use crate::history::most_similar;
use crate::limits::{BLOB_BYTES_MAX, RENAME_CANDIDATES_MAX};

/// The difference between `HEAD` and the checkout.
pub(crate) struct Worktree<'a> {
    checkout: &'a Checkout,
    listing: &'a TrackedFiles,
    edited: &'a [usize],
    untracked: &'a [Vec<u8>],
    /// The files of `HEAD`; none where they are the listing itself.
    head: OnceLock<Option<TrackedFiles>>,
}

impl<'a> Worktree<'a> {
    pub(super) fn new(
        checkout: &'a Checkout,
        listing: &'a TrackedFiles,
        edited: &'a [usize],
        untracked: &'a [Vec<u8>],
    ) -> Self {
        Self {
            checkout,
            listing,
            edited,
            untracked,
            head: OnceLock::new(),
        }
    }

    /// The files of `HEAD`; none in a bare repository, where nothing can differ from it.
    fn head_files(&self) -> &TrackedFiles {
        let read = || match &self.checkout.disk {
            Some(_) if self.checkout.is_head(self.listing) => None,
            Some(_) => Some(self.checkout.head_listing()),
            None => Some(TrackedFiles::default()),
        };
        self.head.get_or_init(read).as_ref().unwrap_or(self.listing)
    }

    /// Contents that `HEAD` has and the checkout may not have: of files that were edited or
    /// deleted since. A file counts as edited when its size or time differ from the index's.
    pub(super) fn replaced_contents(&self) -> Vec<(Vec<u8>, Oid)> {
        let head = self.head_files();
        let edited = self.edited.iter().filter_map(|&at| {
            let path = self.listing.path_at(at);
            Some((path.to_vec(), head.entries()[head.find_path(path)?].id))
        });
        let mut replaced: Vec<(Vec<u8>, Oid)> = edited.collect();
        if !std::ptr::eq(head, self.listing) {
            let is_staged = |path: &[u8], id| {
                self.listing
                    .find_path(path)
                    .is_none_or(|at| self.listing.entries()[at].id != id)
            };
            let all = (0..head.entries().len()).map(|at| (head.path_at(at), head.entries()[at].id));
            let staged = all.filter(|&(path, id)| is_staged(path, id));
            replaced.extend(staged.map(|(path, id)| (path.to_vec(), id)));
        }
        replaced
    }

    /// Whether `HEAD` has the path, or a file that ends with it or lies in it.
    pub(super) fn was_committed(&self, path: &[u8]) -> bool {
        let head = self.head_files();
        head.find_path(path).is_some()
            || head.folders().contains_folder(path)
            || !head.ending_with(path).is_empty()
    }

    /// Whether `HEAD` has this content at a path.
    pub(super) fn is_committed(&self, path: &[u8], id: Oid) -> bool {
        let head = self.head_files();
        let is_same = |at: usize| head.entries()[at].id == id;
        self.checkout.disk.is_none() || head.find_path(path).is_some_and(is_same)
    }

    /// What became of a path that `HEAD` has and the checkout has not: where to, if anywhere.
    pub(super) fn moved_to(&self, path: &[u8]) -> Option<Vec<u8>> {
        let head = self.head_files();
        if let Some(at) = head
            .find_path(path)
            .or_else(|| head.ending_with(path).first().copied())
        {
            return self.file_moved_to(head.path_at(at), head.entries()[at].id);
        }
        let inner = (0..head.entries().len()).find(|&at| is_below(head.path_at(at), path))?;
        let to = self.file_moved_to(head.path_at(inner), head.entries()[inner].id)?;
        let rest = head.path_at(inner).get(path.len()..)?;
        Some(to.strip_suffix(rest).unwrap_or(&to).to_vec())
    }

    fn file_moved_to(&self, path: &[u8], id: Oid) -> Option<Vec<u8>> {
        let head = self.head_files();
        let staged = (0..self.listing.entries().len())
            .map(|at| (self.listing.path_at(at), self.listing.entries()[at].id))
            .filter(|(other, _)| head.find_path(other).is_none());
        let staged: Vec<(&[u8], Oid)> = staged.collect();
        most_similar(self.checkout, path, id, &staged).or_else(|| self.untracked_like(path, id))
    }

    /// An untracked file with the same content, line ends aside from nothing.
    fn untracked_like(&self, path: &[u8], id: Oid) -> Option<Vec<u8>> {
        let disk = self.checkout.disk.as_ref()?;
        let text = self
            .checkout
            .read_blob(id, BLOB_BYTES_MAX)
            .filter(|text| !text.is_empty())?;
        let mut content = Vec::new();
        let mut like = |other: &&Vec<u8>| {
            disk.read(other, &mut content)
                && crate::history::similarity_percent(&text, &content)
                    >= crate::limits::RENAME_SIMILARITY_PERCENT_MIN
        };
        let name = crate::checkout::last_segment(path);
        let (same, others): (Vec<_>, Vec<_>) = self
            .untracked
            .iter()
            .partition(|other| ends_with_parts(other, name));
        let mut candidates = same.into_iter().chain(others).take(RENAME_CANDIDATES_MAX);
        candidates.find(|other| like(other)).cloned()
    }
}

/// Whether a file lies in a folder.
fn is_below(path: &[u8], folder: &[u8]) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.starts_with(b"/"))
}
