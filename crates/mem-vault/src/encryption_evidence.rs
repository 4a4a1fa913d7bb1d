//! What says that encryption of a person's state is on where its keys are gone and their mark too: the marks of
//! memory directories, and files that are sealed. Without such a look the loss would pass for encryption that is off,
//! and what comes next would be written plain.
//!
//! **Cost:** a look at the folder of each memory directory and at eight sessions at most, and only where the person has
//! no file of keys. Test: `encrypt_missing_keys::keys_that_are_gone_with_their_mark_are_not_taken_for_encryption_that_is_off`.

use std::fs::{self};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use mem_core::regular_file;
use mem_core::sealing::{MAGIC, is_sealed};

use crate::key_ring::KeyRing;

/// The folders below the state that hold states of memory directories, and what is remembered of sessions.
const STORES: &str = "stores";
const SESSIONS: &str = "sessions";
/// Where encryption was on, every session is sealed: so many are looked at, since whoever never sealed anything waits
/// for this look too.
const LOOKED_AT_MAX: usize = 8;

/// Something that is there only while encryption is on; the keys themselves are not asked for.
pub(crate) fn of_sealing(home: &Path) -> Option<PathBuf> {
    let marked = folder_entries(&home.join(STORES)).find(|store| KeyRing::is_marked(store));
    marked.or_else(|| {
        let sessions = folder_entries(&home.join(SESSIONS));
        let mut sessions = sessions
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .take(LOOKED_AT_MAX);
        sessions.find(|path| begins_sealed(path))
    })
}

fn folder_entries(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

fn begins_sealed(path: &Path) -> bool {
    let mut head = [0; MAGIC.len()];
    let read = regular_file::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && is_sealed(&head)
}
