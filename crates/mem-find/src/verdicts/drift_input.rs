//! A memory as `mem-drift` takes it.

use jiff::Timestamp;
use mem_core::memory::Note;

/// The memory with what is known of it.
pub(super) fn drift_input(note: &Note) -> mem_drift::DriftInput {
    mem_drift::DriftInput {
        file: note.label(),
        text: String::from_utf8_lossy(&note.bytes).into_owned(),
        written: (note.modified != Timestamp::UNIX_EPOCH).then_some(note.modified),
        blobs: note
            .cited
            .iter()
            .map(|(path, id)| (path.to_owned(), id.to_owned()))
            .collect(),
    }
}

/// What links of other memories may call it.
pub(super) fn link_names(note: &Note) -> [String; 3] {
    [
        note.file.clone(),
        note.path.stem().to_owned(),
        note.title().to_owned(),
    ]
}
