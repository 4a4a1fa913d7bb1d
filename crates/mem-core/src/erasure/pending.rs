//! What an erasure looked for, until one ended with nothing left: whoever is interrupted runs it again, and by then
//! nothing is there any more that tells what to look for. Kept are checksums of contents alone, no word and no name.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ErasureError;
use super::search::TraceSearch;
use super::traces::TracePatterns;
use crate::history::Sha256;
use crate::regular_file::if_there;
use crate::state_file::{self, StateError};

/// The folder of the state.
pub(super) const FOLDER: &str = "erasing";

/// What is kept of an erasure that began, and is not known to have ended.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct UnfinishedErasure {
    /// Names and pieces of contents, which are not kept themselves.
    names: usize,
    pieces: usize,
    digests: Vec<String>,
}

/// The note about an erasure, in the state or beside a database.
#[derive(Debug)]
pub struct Unended {
    file: PathBuf,
    earlier: Option<UnfinishedErasure>,
}

impl Unended {
    /// That of what is named so, in a folder that stays.
    pub fn from_folder(folder: &Path, what: impl AsRef<OsStr>) -> Self {
        let mut id = Sha256::digest(what.as_ref().as_encoded_bytes()).to_string();
        id.truncate(16);
        let file = folder.join(FOLDER).join(format!("{id}.json"));
        let earlier = file.exists().then(|| state_file::read(&file).0);
        Self { file, earlier }
    }

    /// Whether one began, and is not known to have ended.
    pub fn is_there(&self) -> bool {
        self.earlier.is_some()
    }

    /// Keeps what is looked for before anything goes, and looks for what an earlier run did.
    ///
    /// # Errors
    /// It cannot be written: then nothing is to go.
    pub fn begin(&self, traces: &mut TracePatterns) -> Result<(), StateError> {
        let (mut names, mut pieces) = (0, 0);
        if let Some(earlier) = &self.earlier {
            let digests = earlier.digests.iter();
            digests.for_each(|digest| traces.add_digest(digest));
            (names, pieces) = (earlier.names, earlier.pieces);
        }
        let [(_, new_names), _, (_, new_pieces)] = traces.counts();
        let begun = UnfinishedErasure {
            names: names + new_names,
            pieces: pieces + new_pieces,
            digests: traces.digests().map(Cow::into_owned).collect(),
        };
        let bytes = serde_json::to_vec(&begun).unwrap_or_default();
        state_file::write(&self.file, &bytes)
    }

    /// It was looked for: says what nobody could look for any more, and forgets it where nothing is left.
    ///
    /// # Errors
    /// The note cannot be removed.
    pub fn end(self, found: &mut TraceSearch) -> Result<(), ErasureError> {
        // What this and other erasures look for next time is no word of it.
        let notes = self.file.parent().unwrap_or(&self.file);
        found.hits.retain(|hit| !hit.file.starts_with(notes));
        found.not_searched.extend(self.unsearchable());
        if found.is_left() {
            return Ok(());
        }
        super::remove(&self.file)?;
        // The folders go where nothing else is in them.
        for folder in self.file.ancestors().skip(1).take(2) {
            if if_there(fs::remove_dir(folder)).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// What nobody can look for any more.
    fn unsearchable(&self) -> Option<String> {
        let UnfinishedErasure { names, pieces, .. } = self.earlier.as_ref()?;
        (names + pieces > 0).then(|| {
            format!(
                "names ({names}) and pieces of contents ({pieces}) of an erasure that did not end: of it only the \
                 checksums of whole contents were looked for"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_an_erasure_has_no_word_of_it() {
        let place = tempfile::tempdir().unwrap();
        let state = place.path().join("state");
        let note = || Unended::from_folder(&state, "x");
        let mut traces = TracePatterns::default();
        traces.add_id("project_staging_restore.md");
        traces.add_content(b"The staging database is restored every monday at six");
        note().begin(&mut traces).unwrap();
        let kept = fs::read_to_string(note().file).unwrap();
        assert!(!kept.contains("staging"), "{kept}");
        let mut again = TracePatterns::default();
        note().begin(&mut again).unwrap();
        assert_eq!(again.counts().map(|(_, count)| count), [0, 1, 0]);
        // A third run still knows what the first looked for.
        let mut found = TraceSearch::default();
        note().end(&mut found).unwrap();
        assert!(found.not_searched[0].starts_with("names (1) and"));
        assert!(!note().is_there() && !state.exists());
    }
}
