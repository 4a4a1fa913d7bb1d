//! What an erasure looked for, until one ended with nothing left: whoever is interrupted runs it again, and by then
//! nothing is there any more that tells what to look for. Kept are checksums of contents alone, no word and no name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::ErasureError;
use super::search::Found;
use super::traces::Traces;
use crate::history::Sha256;
use crate::state_file::{self, StateError};

/// The folder of the state.
pub(super) const FOLDER: &str = "erasing";

/// An erasure that began, and is not known to have ended.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Begun {
    /// Names and pieces of contents, which are not kept themselves.
    names: usize,
    pieces: usize,
    digests: Vec<String>,
}

/// The file about the erasure of what is named so, below a folder.
pub(super) fn file(folder: &Path, what: &Path) -> PathBuf {
    let mut id = Sha256::of(what.as_os_str().as_encoded_bytes()).to_string();
    id.truncate(16);
    folder.join(FOLDER).join(format!("{id}.json"))
}

/// The note about an erasure that somebody else carries out, as of a user of a database.
#[derive(Debug)]
pub struct Unended {
    file: PathBuf,
    earlier: Option<Begun>,
}

impl Unended {
    /// That of what is named so, in a folder that stays.
    pub fn of(folder: &Path, what: &str) -> Self {
        let file = file(folder, Path::new(what));
        let earlier = read(&file);
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
    pub fn begin(&self, traces: &mut Traces) -> Result<(), StateError> {
        if let Some(earlier) = &self.earlier {
            earlier.add_to(traces);
        }
        write(&self.file, traces, self.earlier.as_ref())
    }

    /// It was looked for: says what nobody could look for any more, and forgets it where nothing is left.
    ///
    /// # Errors
    /// The note cannot be removed.
    pub fn end(self, found: &mut Found) -> Result<(), ErasureError> {
        let notes = self.file.parent().unwrap_or(&self.file);
        found.hits.retain(|hit| !hit.file.starts_with(notes));
        let lost = self.earlier.as_ref().and_then(Begun::lost);
        found.not_searched.extend(lost);
        if found.is_left() {
            return Ok(());
        }
        forget(&self.file).map_err(|source| ErasureError::Remove {
            path: self.file,
            source,
        })
    }
}

/// The one that did not end.
pub(super) fn read(file: &Path) -> Option<Begun> {
    file.exists().then(|| state_file::read(file).0)
}

/// Keeps what is looked for.
pub(super) fn write(
    file: &Path,
    traces: &Traces,
    earlier: Option<&Begun>,
) -> Result<(), StateError> {
    let [(_, names), _, (_, pieces)] = traces.counts();
    let begun = Begun {
        names: names + earlier.map_or(0, |one| one.names),
        pieces: pieces + earlier.map_or(0, |one| one.pieces),
        digests: traces.digests().map(str::to_owned).collect(),
    };
    let bytes = serde_json::to_vec(&begun).unwrap_or_default();
    state_file::write(file, &bytes)
}

/// It ended. The folders go where nothing else is in them.
pub(super) fn forget(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    for folder in file.ancestors().skip(1).take(2) {
        match fs::remove_dir(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => break,
            _ => {}
        }
    }
    Ok(())
}

impl Begun {
    /// Looks for its contents too.
    pub(super) fn add_to(&self, traces: &mut Traces) {
        self.digests
            .iter()
            .for_each(|digest| traces.add_digest(digest));
    }

    /// What nobody can look for any more.
    pub(super) fn lost(&self) -> Option<String> {
        let Self { names, pieces, .. } = self;
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
        let file = place.path().join("state").join(FOLDER).join("x.json");
        let mut traces = Traces::default();
        traces.add_id("project_staging_restore.md");
        traces.add_content(b"The staging database is restored every monday at six");
        write(&file, &traces, None).unwrap();
        let kept = fs::read_to_string(&file).unwrap();
        assert!(!kept.contains("staging"), "{kept}");
        let begun = read(&file).unwrap();
        let mut again = Traces::default();
        begun.add_to(&mut again);
        assert_eq!(again.counts().map(|(_, count)| count), [0, 1, 0]);
        assert!(begun.lost().unwrap().starts_with("names (1) and"));
        // A third run still knows what the first looked for.
        write(&file, &again, Some(&begun)).unwrap();
        assert!(read(&file).unwrap().lost().is_some());
        forget(&file).unwrap();
        assert!(read(&file).is_none() && !place.path().join("state").exists());
    }
}
