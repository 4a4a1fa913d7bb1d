//! The catalog and the files as they are now, side by side: one walk over both, in which nothing is looked up.

use std::collections::BTreeMap;

use super::text::brief_of;
use super::{Catalog, CatalogEntry};
use crate::MemoryPath;
use crate::history::Sha256;
use crate::sorted_lines::SortedLine;
use crate::store::walk::Stat;

/// A path that the catalog or the directory has.
#[derive(Debug)]
pub(in crate::store) enum MergedPath<'c> {
    /// A file, and what is known of it if its stat is the one that is known.
    File {
        /// Where it stands.
        path: &'c MemoryPath,
        /// Its stat.
        stat: &'c Stat,
        /// The digest of its bytes, where the stat agrees.
        sha256: Option<Sha256>,
        /// Whether the file is certainly as it was when that digest was taken.
        is_unchanged: bool,
    },
    /// What is known of a file that is gone.
    Gone(&'c str, SortedLine<'c, CatalogEntry>),
}

impl Catalog {
    /// Every path that is known or that a file stands at, in order.
    pub(in crate::store) fn merge_with_files<'c>(
        &'c self,
        files: &'c BTreeMap<MemoryPath, Stat>,
    ) -> impl Iterator<Item = MergedPath<'c>> {
        let mut known = self.entries.iter().peekable();
        let mut files = files.iter().peekable();
        std::iter::from_fn(move || {
            let next = files.peek().map(|(path, _)| path.as_str());
            let gone = known.next_if(|(name, _)| next.is_none_or(|next| *name < next));
            if let Some((name, line)) = gone {
                return Some(MergedPath::Gone(name, line));
            }
            let (path, stat) = files.next()?;
            let line = known.next_if(|(name, _)| *name == path.as_str());
            let brief = line.and_then(|(_, line)| brief_of(&line));
            let agreeing = brief.filter(|(_, known)| known.agrees(stat));
            Some(MergedPath::File {
                path,
                stat,
                sha256: agreeing.map(|(sha256, _)| sha256),
                is_unchanged: agreeing.is_some() && self.is_settled(stat),
            })
        })
    }
}
