//! Writing what came as one change of the store, less what the store would not take.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use mem_core::MemoryPath;
use mem_core::inbox::ReviewEachGate;
use mem_core::store::{ChangeMetadata, StoreError, WriteGate};
use mem_sync::EntryKey;
use mem_sync::files::{BatchFile, FilesError};

use super::{StoreFiles, carry_out};
use crate::review::{self, ReviewAnswer};

/// How often a batch is tried again without what the store would not take. Each time all that can be seen to be in the
/// way is left out, so that only folders which nobody may write in take a turn each.
const TURNS_MAX: usize = 64;

/// A change, and where it is made here.
pub(crate) type BatchItem<'c> = (&'c BatchFile, MemoryPath);

/// The changes in the order in which they can be made: at once, but for a file whose name was a folder until
/// this very batch, or whose folder was a file.
pub(super) fn in_turn<'c>(wanted: &[BatchItem<'c>]) -> Vec<Vec<BatchItem<'c>>> {
    let goes = |(change, _): &&BatchItem<'c>| change.new.is_none();
    let going: Vec<&str> = wanted
        .iter()
        .filter(goes)
        .map(|(_, path)| path.as_str())
        .collect();
    let is_below = |one: &str, other: &str| {
        let rest = one.strip_prefix(other);
        rest.is_some_and(|rest| rest.starts_with('/'))
    };
    let is_in_the_way = |path: &str| {
        going
            .iter()
            .any(|going| is_below(going, path) || is_below(path, going))
    };
    let (then, now): (Vec<_>, Vec<_>) = wanted
        .iter()
        .cloned()
        .partition(|(change, path)| change.new.is_some() && is_in_the_way(path.as_str()));
    [now, then]
        .into_iter()
        .filter(|turn| !turn.is_empty())
        .collect()
}

impl StoreFiles {
    /// Writes what is not refused, and returns the keys that were written.
    pub(super) fn write(
        &self,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
        wanted: &[BatchItem<'_>],
        refused: &mut BTreeMap<MemoryPath, String>,
    ) -> Result<BTreeSet<EntryKey>, FilesError> {
        let mut tries = 0;
        loop {
            tries += 1;
            if self.is_dry {
                let fits = wanted
                    .iter()
                    .filter(|(_, path)| !refused.contains_key(path));
                return Ok(fits.map(|(change, _)| change.key.clone()).collect());
            }
            match self.write_once(order, gate, wanted, refused) {
                Ok(done) => return Ok(done),
                Err(error) => match failed_path(&error, wanted) {
                    Some(path) if tries <= TURNS_MAX => {
                        refused.insert(path.clone(), error.to_string());
                        self.refuse_likewise(&error, path, wanted, refused);
                    }
                    _ => return Err(error.into()),
                },
            }
        }
    }

    /// Refuses all else that the store could not take either: what lies behind links, or where something stands that is
    /// no file, and what goes into a folder in which this person may not write.
    fn refuse_likewise(
        &self,
        error: &StoreError,
        culprit_path: &MemoryPath,
        wanted: &[BatchItem<'_>],
        refused: &mut BTreeMap<MemoryPath, String>,
    ) {
        let is_forbidden = matches!(error, StoreError::Io { .. });
        for (_, path) in wanted {
            if refused.contains_key(path) {
                continue;
            }
            if is_forbidden && path.parent() == culprit_path.parent() {
                refused.insert(path.clone(), error.to_string());
            } else if let Err(other) = self.store.read(path)
                && failed_path(&other, &[]).is_some()
            {
                refused.insert(path.clone(), other.to_string());
            }
        }
    }

    fn write_once(
        &self,
        order: &ChangeMetadata,
        gate: &dyn WriteGate,
        wanted: &[BatchItem<'_>],
        refused: &mut BTreeMap<MemoryPath, String>,
    ) -> Result<BTreeSet<EntryKey>, StoreError> {
        let (mut more, mut done) = (BTreeMap::new(), BTreeSet::new());
        let written = self.store.write(order, gate, |draft| {
            more.clear();
            done.clear();
            for (change, path) in wanted
                .iter()
                .filter(|(_, path)| !refused.contains_key(path))
            {
                match carry_out(draft, change, path, self.now) {
                    Ok(true) => {
                        done.insert(change.key.clone());
                    }
                    Ok(false) => {}
                    Err(error) => drop(more.insert(path.clone(), error.to_string())),
                }
            }
            Ok::<_, StoreError>(())
        });
        refused.append(&mut more);
        match written {
            // What was put aside is done with here.
            Err(error) if error.awaits_consent() => Ok(done),
            Err(error) => Err(error),
            Ok(_) => Ok(done),
        }
    }

    /// Puts changes into the inbox, one entry for each file, and adds to `refused` what cannot be put aside. What was
    /// rejected is not put there again.
    pub(super) fn put_aside(
        &mut self,
        wanted: &[BatchItem<'_>],
        refused: &mut BTreeMap<MemoryPath, String>,
    ) -> Result<(), FilesError> {
        let fits = wanted
            .iter()
            .filter(|(_, path)| !refused.contains_key(path));
        let fits = fits.cloned().collect();
        let open = review::not_rejected(&self.store, fits, &mut self.reviewed);
        let remote = open
            .iter()
            .filter_map(|(change, path)| Some((path.clone(), change.remote?)));
        let gate = ReviewEachGate::from_remote(remote.collect());
        self.write(&review::inbox_metadata(self.now), &gate, &open, refused)?;
        let put = gate.put();
        for (change, path) in &open {
            match put.get(path) {
                Some(Ok(())) => self.reviewed.add_answer(&change.key, ReviewAnswer::Waits),
                Some(Err(why)) => drop(refused.insert(path.clone(), why.clone())),
                // Nothing to change, or somebody was at it: the next round looks again.
                None if !self.is_dry || refused.contains_key(path) => {}
                None => self.reviewed.add_answer(&change.key, ReviewAnswer::Waits),
            }
        }
        Ok(())
    }
}

/// The one file that made a batch fail, where it was one.
pub(super) fn failed_path<'a>(
    error: &'a StoreError,
    wanted: &'a [(&BatchFile, MemoryPath)],
) -> Option<&'a MemoryPath> {
    match error {
        StoreError::Io { path, source, .. } if source.kind() == io::ErrorKind::PermissionDenied => {
            let mut paths = wanted.iter().map(|(_, path)| path);
            paths.find(|wanted| path.ends_with(wanted.as_str()))
        }
        StoreError::Symlink(path)
        | StoreError::NotAFile(path)
        | StoreError::NotFound(path)
        | StoreError::Exists(path)
        | StoreError::Conflict(path)
        | StoreError::TooLarge { path, .. }
        | StoreError::Oversized { path, .. } => Some(path),
        StoreError::Io { .. }
        | StoreError::Locked { .. }
        | StoreError::Replace(_)
        | StoreError::Refused(_)
        | StoreError::Sealed(_)
        | StoreError::TooManyFiles { .. }
        | StoreError::Waiting { .. }
        | StoreError::History(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn what_was_a_folder_or_a_file_until_now_comes_in_a_second_turn() {
        let of = |name: &str, new: Option<&str>| BatchFile {
            key: EntryKey::parse(name).unwrap(),
            expected: None,
            new: new.map(|text| Arc::new(text.as_bytes().to_vec())),
            remote: None,
            actor: String::new(),
            updated_at: String::new(),
        };
        let changes = [
            of("a/b/x.md", None),
            of("a", Some("was a folder")),
            of("b", None),
            of("b/x.md", Some("was a file")),
            of("ab", Some("neither")),
        ];
        let wanted = changes.iter().map(|one| {
            let path = MemoryPath::parse(one.key.as_str()).unwrap();
            (one, path)
        });
        let turns = in_turn(&wanted.collect::<Vec<_>>());
        let names = turns.iter().map(|turn| {
            let names = turn.iter().map(|(_, path)| path.as_str());
            names.collect::<Vec<_>>()
        });
        let names: Vec<_> = names.collect();
        assert_eq!(names, [vec!["a/b/x.md", "b", "ab"], vec!["a", "b/x.md"]]);
    }
}
