//! A state in a file of its own.
//!
//! Few keys change in a round, so their lines are appended (`grown_file`) and the file is rewritten once these have
//! become many. **Cost:** a save grows with what changed, a load with the number of keys.
//!
//! | | appended | synced | a power failure loses |
//! |---|---|---|---|
//! | `save` | yes, or rewritten | yes | nothing |
//! | `note` | yes, or rewritten | only where rewritten | what the remote says again at the next look |
//!
//! **Invariant:** copies of texts that gave way exist nowhere else, so a file that holds any is never overwritten
//! unread: a damaged one is set aside, and one that cannot be opened for want of a key stops the save.
//!
//! Tests: `base::file::tests::what_changed_is_added_and_a_torn_end_is_the_state_before`,
//! `base::file::tests::what_is_noted_is_added_and_saved_with_the_next_that_is`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mem_core::appended_file::{self, AppendedFile, FileEnd};
use mem_core::regular_file;
use mem_core::sealing::{SealError, StateCipher};
use mem_core::state_file::{self, StateError};

use super::text::MAGIC;
use super::{SyncState, SyncStateStorage};

/// The file, and how far it goes as it was read or written here.
#[derive(Debug)]
pub struct StateFile {
    path: PathBuf,
    end: Option<FileEnd>,
    /// Whether something was noted that the disk may not have yet.
    is_noted: bool,
    seal: StateCipher,
}

/// What stands in a file.
enum Stands {
    Nothing,
    State(Box<SyncState>, Option<FileEnd>),
    Damaged(String),
    /// It is sealed, and cannot be opened: whole for all that is known.
    Closed(SealError),
}

impl StateFile {
    /// The file at a path. What an earlier version kept beside it as JSON is taken over.
    pub fn at(path: PathBuf) -> Self {
        Self {
            path,
            end: None,
            is_noted: false,
            seal: StateCipher::default(),
        }
    }

    /// The same, with the texts in it sealed as a place wants it.
    #[must_use]
    pub fn sealed_by(mut self, seal: &StateCipher) -> Self {
        self.seal = seal.clone();
        self
    }

    /// Writes it as it is to be sealed by now. No round may be at it. What is damaged stays as it is.
    ///
    /// # Errors
    /// It cannot be opened or written; it is as it was.
    pub fn reseal(&mut self) -> Result<(), StateError> {
        match stands(&self.path, &self.seal) {
            Stands::State(mut state, _) => {
                self.end = None;
                self.save(&mut state)
            }
            Stands::Closed(error) => Err(error.into()),
            Stands::Nothing | Stands::Damaged(_) => Ok(()),
        }
    }

    /// Whether what was saved opens. Nothing is written.
    ///
    /// # Errors
    /// It does not, or is damaged: why.
    pub fn require_open(&self) -> Result<(), String> {
        match stands(&self.path, &self.seal) {
            Stands::State(..) | Stands::Nothing => Ok(()),
            Stands::Closed(error) => Err(error.to_string()),
            Stands::Damaged(why) => Err(why),
        }
    }

    /// Whether it is sealed and its key is not there.
    pub fn is_closed(&self) -> bool {
        matches!(stands(&self.path, &self.seal), Stands::Closed(_))
    }

    /// What was saved, and a warning where that is damaged; nothing where nothing was.
    ///
    /// JSON beside the file is the later of both: whoever writes the file removes it, so that only an earlier
    /// version can have written it since. Texts that gave way are taken from both.
    pub fn load(&mut self) -> (SyncState, Option<String>) {
        let json = self.json();
        let mut warning = None;
        let mut warn = |path: &Path, why: &str| {
            warning = Some(format!(
                "`{}` is damaged ({why}): not used. Texts that gave way may stand in it; the next sync sets it \
                 aside, as `.damaged-1` or a later number",
                path.display()
            ));
        };
        let (before, end) = match stands(&self.path, &self.seal) {
            Stands::Nothing => (None, None),
            Stands::State(state, end) => (Some(*state), end),
            Stands::Damaged(why) => {
                warn(&self.path, &why);
                (None, None)
            }
            Stands::Closed(error) => {
                let text = format!("`{}` is not used: {error}", self.path.display());
                return (SyncState::default(), Some(text));
            }
        };
        let later = match stands_as_json(&json) {
            Stands::Nothing => {
                self.end = end;
                return (before.unwrap_or_default(), warning);
            }
            Stands::State(state, _) => Some(*state),
            Stands::Damaged(why) => {
                warn(&json, &why);
                None
            }
            Stands::Closed(_) => None,
        };
        // Whole at the next save, which removes the JSON or sets it aside.
        self.end = None;
        let state = match (before, later) {
            (Some(before), Some(mut later)) => {
                let known = std::mem::take(&mut later.conflicts);
                for conflict in before.conflicts.into_iter().chain(known) {
                    later.keep(conflict);
                }
                later
            }
            (one, other) => other.or(one).unwrap_or_default(),
        };
        (state, warning)
    }

    /// Where an earlier version kept it.
    fn json(&self) -> PathBuf {
        self.path.with_extension("json")
    }

    /// Adds what changed; `false` where the file is to be written anew.
    fn add(&mut self, state: &SyncState, sync: bool) -> Result<bool, StateError> {
        let (Some(end), Some(piece)) = (&mut self.end, state.piece()) else {
            return Ok(false);
        };
        if !end.has_room(piece.len()) {
            return Ok(false);
        }
        let added = end.add(&self.path, &piece, sync);
        added.map_err(|source| StateError::Access {
            step: "write",
            path: self.path.clone(),
            source,
        })
    }

    fn keep(&mut self, state: &mut SyncState, sync: bool) -> Result<(), StateError> {
        // Nothing new to write may still be something to sync: an earlier `note` is not durable yet.
        let is_behind = sync && self.is_noted;
        if self.end.is_some() && state.is_saved() && !is_behind {
            return Ok(());
        }
        let _lock = state_file::lock(&self.path.with_extension("lock"))?;
        let is_added = self.add(state, sync)?;
        if !is_added {
            self.replace(state)?;
        }
        self.is_noted = is_added && !sync;
        state.mark_saved();
        Ok(())
    }

    fn replace(&mut self, state: &SyncState) -> Result<(), StateError> {
        let json = self.json();
        let text = state.file_text(&self.seal)?;
        for (path, stands) in [
            (&self.path, stands(&self.path, &self.seal)),
            (&json, stands_as_json(&json)),
        ] {
            match stands {
                Stands::Damaged(_) => drop(state_file::set_aside(path)?),
                // What it knows is not lost for want of a key.
                Stands::Closed(error) => return Err(error.into()),
                Stands::Nothing | Stands::State(..) => {}
            }
        }
        let (bytes, end) = appended_file::whole(MAGIC, &text);
        state_file::write(&self.path, &bytes)?;
        self.end = Some(end);
        // Last: a crash before it leaves both files, and the next load takes the JSON for the later one. That older
        // state costs merges; copies are taken from both.
        match fs::remove_file(&json) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StateError::Access {
                step: "remove",
                path: json,
                source: error,
            }),
            _ => Ok(()),
        }
    }
}

impl SyncStateStorage for StateFile {
    /// Under the file's lock, so that a crash leaves the old or the new state; a damaged file is set aside
    /// first.
    fn save(&mut self, state: &mut SyncState) -> Result<(), StateError> {
        self.keep(state, true)
    }

    fn note(&mut self, state: &mut SyncState) -> Result<(), StateError> {
        self.keep(state, false)
    }
}

fn stands(path: &Path, seal: &StateCipher) -> Stands {
    let damaged = || Stands::Damaged("it does not hold what was written".to_owned());
    match AppendedFile::read(path, MAGIC) {
        Ok(None) => damaged(),
        Ok(Some(grown)) => match SyncState::of_file(grown, seal) {
            Ok(Some((state, end))) => Stands::State(Box::new(state), Some(end)),
            Ok(None) => damaged(),
            Err(error) => Stands::Closed(error),
        },
        Err(error) => of_error(&error),
    }
}

fn stands_as_json(path: &Path) -> Stands {
    match regular_file::read_whole(path) {
        Ok(bytes) => match SyncState::of_json(&bytes) {
            Ok(state) => Stands::State(Box::new(state), None),
            Err(error) => Stands::Damaged(error.to_string()),
        },
        Err(error) => of_error(&error),
    }
}

fn of_error(error: &io::Error) -> Stands {
    match error.kind() {
        io::ErrorKind::NotFound => Stands::Nothing,
        _ => Stands::Damaged(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use mem_core::history::Sha256;

    use super::*;
    use crate::base::{Conflict, FileContent, KeyView, RemoteView};
    use crate::decide::KnownKey;
    use crate::key::EntryKey;
    use crate::wire::ETag;

    fn key(name: &str) -> EntryKey {
        EntryKey::parse(name).unwrap()
    }

    fn file(folder: &tempfile::TempDir) -> StateFile {
        StateFile::at(folder.path().join("team").join("0.state"))
    }

    fn loaded(folder: &tempfile::TempDir) -> String {
        let (state, warning) = file(folder).load();
        assert_eq!(warning, None);
        state.text()
    }

    fn conflict(bytes: Vec<u8>) -> Conflict {
        Conflict {
            key: key("a.md"),
            local: FileContent::new(bytes),
            base: None,
            remote: KnownKey::At(Sha256::digest(b"x")),
        }
    }

    #[test]
    fn a_state_comes_back_and_a_damaged_one_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = file(&folder);
        assert_eq!(loaded(&folder), SyncState::default().text());
        let mut state = SyncState::default();
        state.view.etag = Some(ETag::of_version(3));
        state.set_base(&key("a.md"), Some(KnownKey::Gone(Sha256::digest(b"x"))));
        for bytes in [b"text".to_vec(), vec![0xff, 0]] {
            state.keep(conflict(bytes));
        }
        state.keep(state.conflicts[0].clone());
        assert_eq!(state.conflicts.len(), 2);
        file.save(&mut state).unwrap();
        assert_eq!(loaded(&folder), state.text());
        mem_core::atomic::replace_file(&file.path, b"mem-sync-1 0 3\n{}\n").unwrap();
        let mut file = StateFile::at(file.path);
        assert!(file.load().1.is_some());
        file.save(&mut state).unwrap();
        assert!(file.path.with_extension("damaged-1").exists());
        assert_eq!(loaded(&folder), state.text());
    }

    #[test]
    fn what_changed_is_added_and_a_torn_end_is_the_state_before() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = file(&folder);
        let mut state = SyncState::default();
        for n in 0..20 {
            let known = Some(KnownKey::At(Sha256::digest(&[n])));
            state.set_base(&key(&format!("{n}.md")), known);
        }
        file.save(&mut state).unwrap();
        let before = (state.text(), fs::read(&file.path).unwrap());
        state.set_base(&key("3.md"), None);
        state.view.version = 8;
        state.taking.insert(key("n.md"), Sha256::digest(b"n"));
        file.save(&mut state).unwrap();
        let after = fs::read(&file.path).unwrap();
        assert!(after.starts_with(&before.1) && after.len() < before.1.len() + 400);
        assert_eq!(loaded(&folder), state.text());
        for length in (before.1.len()..after.len()).step_by(17) {
            mem_core::atomic::replace_file(&file.path, &after[..length]).unwrap();
            assert_eq!(loaded(&folder), before.0);
        }
        // Whoever goes on from there goes on from the state before.
        let mut again = StateFile::at(file.path.clone());
        let mut state = again.load().0;
        state.view.version = 9;
        again.save(&mut state).unwrap();
        assert_eq!(loaded(&folder), state.text());
    }

    #[test]
    fn what_is_noted_is_added_and_saved_with_the_next_that_is() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = file(&folder);
        let mut state = SyncState::default();
        file.save(&mut state).unwrap();
        let length = |file: &StateFile| fs::metadata(&file.path).unwrap().len();
        let first = length(&file);
        state.set_base(&key("a.md"), Some(KnownKey::At(Sha256::digest(b"a"))));
        file.note(&mut state).unwrap();
        assert_eq!(loaded(&folder), state.text());
        let noted = length(&file);
        assert!(noted > first && state.is_saved());
        file.note(&mut state).unwrap();
        assert_eq!(length(&file), noted);
        // The disk may not have it yet.
        file.save(&mut state).unwrap();
        let saved = length(&file);
        assert!(saved > noted);
        file.save(&mut state).unwrap();
        assert_eq!(length(&file), saved);
        assert_eq!(loaded(&folder), state.text());
    }

    #[test]
    fn texts_that_are_taken_out_are_in_the_file_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = file(&folder);
        let mut state = SyncState::default();
        state.keep(conflict(b"a passphrase".to_vec()));
        file.save(&mut state).unwrap();
        state.conflicts.clear();
        file.save(&mut state).unwrap();
        let bytes = fs::read(&file.path).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains("passphrase"));
    }

    #[test]
    fn what_was_kept_as_json_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = file(&folder);
        let sha256 = Sha256::digest(b"x").to_string();
        let json = serde_json::json!({
            "repository": "h/acme/app",
            "view": {
                "etag": ETag::of_version(4),
                "version": 4,
                "keys": {"a.md": {
                    "known": {"at": sha256},
                    "actor": "ann",
                    "updated_at": "2026-01-01T00:00:00Z",
                }},
            },
            "base": {"a.md": {"gone": sha256}},
            "taking": {"b.md": sha256},
            "conflicts": [conflict(b"mine".to_vec())],
            "deleting": {"a.md": sha256},
        });
        let json = json.to_string();
        mem_core::atomic::replace_file(&file.json(), json.as_bytes()).unwrap();
        let (mut state, warning) = file.load();
        assert_eq!(
            (warning, state.conflicts.len(), state.taking.len()),
            (None, 1, 1)
        );
        let (etag, version) = (Some(ETag::of_version(4)), 4);
        assert_eq!(state.view, RemoteView { etag, version });
        let x = Sha256::digest(b"x");
        assert_eq!(state.base(&key("a.md")), Some(KnownKey::Gone(x)));
        let seen = KeyView {
            known: KnownKey::At(x),
            actor: "ann".to_owned(),
            updated_at: "2026-01-01T00:00:00Z".to_owned(),
        };
        assert_eq!(state.last_view(&key("a.md")), Some(seen));
        file.save(&mut state).unwrap();
        assert!(!file.json().exists());
        assert_eq!(loaded(&folder), state.text());
        mem_core::atomic::replace_file(&file.json(), b"{").unwrap();
        let mut file = StateFile::at(file.path);
        let (mut state, warning) = file.load();
        assert_eq!(state.conflicts.len(), 1, "what is damaged does not count");
        assert!(warning.unwrap().contains("0.json"));
        file.save(&mut state).unwrap();
        assert!(!file.json().exists() && file.path.with_extension("damaged-1").exists());
        assert_eq!(loaded(&folder), state.text());
    }

    #[test]
    fn what_an_earlier_version_wrote_since_counts_and_no_text_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = file(&folder);
        let mut state = SyncState::default();
        state.set_base(&key("a.md"), Some(KnownKey::At(Sha256::digest(b"old"))));
        state.keep(conflict(b"first".to_vec()));
        state.keep(conflict(b"in both".to_vec()));
        state.deleting.insert(key("a.md"), Sha256::digest(b"old"));
        file.save(&mut state).unwrap();
        let new = Sha256::digest(b"new");
        let json = serde_json::json!({
            "base": {"a.md": {"at": new.to_string()}},
            "conflicts": [conflict(b"in both".to_vec()), conflict(b"last".to_vec())],
        });
        mem_core::atomic::replace_file(&file.json(), json.to_string().as_bytes()).unwrap();
        let mut file = StateFile::at(file.path);
        let (mut state, warning) = file.load();
        assert_eq!(warning, None);
        assert_eq!(state.base(&key("a.md")), Some(KnownKey::At(new)));
        assert!(state.deleting.is_empty(), "it was carried out or given up");
        let texts: Vec<_> = state
            .conflicts
            .iter()
            .map(|one| one.local.as_bytes())
            .collect();
        assert_eq!(texts, [&b"first"[..], b"in both", b"last"]);
        // A person settles one; that it was known twice does not bring it back.
        state.conflicts.remove(1);
        file.save(&mut state).unwrap();
        assert!(!file.json().exists());
        assert_eq!(loaded(&folder), state.text());
    }
}
