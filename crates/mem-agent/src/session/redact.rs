//! Taking a text out of what is kept of sessions: their notes, and what is remembered of each. Transcripts are the
//! host's and stay.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use mem_core::Dirs;
use mem_core::spellings::TextSpellings;
use mem_core::state_file::{self, StateError};
use mem_core::store::without_text;
use serde_json::Value;

use super::place;
use super::state::SessionState;
use super::state_storage::{WHAT, read_bytes, state_error, state_files};

/// What becomes of a file.
enum FileRedaction {
    Clean,
    Written(Vec<u8>),
    /// Without the text it makes no sense: it is gathered anew.
    Removed,
}

/// How many files of sessions hold a text.
///
/// # Errors
/// One is sealed and cannot be opened, or cannot be read: nobody knows what is in it.
pub fn count_files(dirs: &Dirs, text: &TextSpellings) -> Result<usize, StateError> {
    visit_sessions(dirs, text, true)
}

/// Takes it out of them, each under its session's lock. Says how many those were.
///
/// # Errors
/// One cannot be opened, read or written; those before it are clean.
pub fn redact_files(dirs: &Dirs, text: &TextSpellings) -> Result<usize, StateError> {
    // What cannot be opened is told before anything is changed.
    count_files(dirs, text)?;
    visit_sessions(dirs, text, false)
}

fn visit_sessions(dirs: &Dirs, text: &TextSpellings, is_dry: bool) -> Result<usize, StateError> {
    let mut sessions: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for (_, id) in state_files(dirs) {
        sessions.entry(id).or_default();
    }
    for noted in place::noted_sessions(dirs) {
        sessions
            .entry(noted.place.id)
            .or_default()
            .push(noted.place.notes);
    }
    let mut count = 0;
    for (id, notes) in sessions {
        let state = dirs.state.join("sessions").join(format!("{id}.json"));
        let _lock = state_file::lock(&state.with_extension("lock"))?;
        let mut fates = vec![(state_fate(dirs, &state, &id, text)?, state)];
        for path in notes {
            let bytes = read_bytes(&path)?.unwrap_or_default();
            let written = without_text(&bytes, text);
            fates.push((
                written.map_or(FileRedaction::Clean, FileRedaction::Written),
                path,
            ));
        }
        for (fate, path) in fates {
            count += usize::from(!matches!(fate, FileRedaction::Clean));
            match fate {
                FileRedaction::Written(bytes) if !is_dry => state_file::write(&path, &bytes)?,
                FileRedaction::Removed if !is_dry => {
                    fs::remove_file(&path).map_err(state_error("remove", &path))?;
                }
                FileRedaction::Clean | FileRedaction::Written(_) | FileRedaction::Removed => {}
            }
        }
    }
    Ok(count)
}

fn state_fate(
    dirs: &Dirs,
    path: &Path,
    id: &str,
    text: &TextSpellings,
) -> Result<FileRedaction, StateError> {
    let Some(stored) = read_bytes(path)? else {
        return Ok(FileRedaction::Clean);
    };
    let seal = dirs.seal();
    let plain = seal.opened(stored, &["session", id], WHAT)?;
    let Ok(mut value) = serde_json::from_slice::<Value>(&plain) else {
        // Damaged: nobody can prove that it is clean.
        return Ok(FileRedaction::Removed);
    };
    if !clean_strings(&mut value, text) {
        return Ok(FileRedaction::Clean);
    }
    let bytes = match serde_json::from_value::<SessionState>(value) {
        Ok(state) => serde_json::to_vec(&state).unwrap_or_default(),
        Err(_) => return Ok(FileRedaction::Removed),
    };
    Ok(FileRedaction::Written(
        seal.closed(bytes, &["session", id])?.into_owned(),
    ))
}

/// Takes a text out of every string. Says whether there was one.
fn clean_strings(value: &mut Value, text: &TextSpellings) -> bool {
    match value {
        Value::String(said) => {
            let new = without_text(said.as_bytes(), text);
            let new = new.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            new.map(|new| *said = new).is_some()
        }
        Value::Array(all) => clean_all(all.iter_mut(), text),
        Value::Object(all) => {
            let any = clean_all(all.values_mut(), text);
            // A title of a section is a name here. A name of the format that goes makes its part empty.
            let named: Vec<String> = all
                .keys()
                .filter(|name| text.is_in(name.as_bytes()))
                .cloned()
                .collect();
            for name in &named {
                let new = without_text(name.as_bytes(), text).unwrap_or_default();
                if let Some(one) = all.remove(name) {
                    all.insert(String::from_utf8_lossy(&new).into_owned(), one);
                }
            }
            any || !named.is_empty()
        }
        _ => false,
    }
}

/// None of them is passed over.
fn clean_all<'v>(values: impl Iterator<Item = &'v mut Value>, text: &TextSpellings) -> bool {
    let cleaned = values.map(|value| clean_strings(value, text));
    cleaned.filter(|is_changed| *is_changed).count() > 0
}
