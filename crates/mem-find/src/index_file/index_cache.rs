//! Indexes that stay loaded, in a process that answers one question after the other: each as long as its
//! file is the same. Notes are compared with their files either way.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use mem_recall::RecallIndex;

use super::{Identity, IndexFile};

/// By their files; `None` in a process that asks once.
static LOADED: Mutex<Option<HashMap<PathBuf, (Identity, RecallIndex)>>> = Mutex::new(None);

/// From now on, what is loaded stays.
pub fn keep_loaded() {
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    loaded.get_or_insert_default();
}

/// The index of a file: the one that is loaded, or read anew.
pub(super) fn load_again(file: &IndexFile) -> Option<RecallIndex> {
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if loaded.is_none() {
        // Another may be read at the same time.
        drop(loaded);
        return file.read();
    }
    let loaded = loaded.as_mut()?;
    let identity = file.identity()?;
    if let Some((before, index)) = loaded.get(&file.path)
        && *before == identity
    {
        return Some(index.clone());
    }
    let index = file.read()?;
    // Replaced meanwhile: the next one reads it again.
    if file.identity() == Some(identity) {
        loaded.insert(file.path.clone(), (identity, index.clone()));
    }
    Some(index)
}
