//! Texts that gave way to the remote, and what a person makes of them.

use mem_core::location::ProjectContext;
use mem_core::memory::{MemoryError, StoreMemories as MemoryFiles};
use mem_core::store::{ChangeMetadata, GatedFile, StoreError, WriteGate};
use mem_core::{MemoryPath, RunContext, state_file};
use mem_sync::EntryKey;
use mem_sync::base::{Conflict, SyncStateStorage as _};
use mem_sync::decide::KnownKey;
use mem_sync::files::{FilesError, SyncFiles as _};

use super::error::TeamError;
use super::files::StoreFiles;
use super::settings::TeamShare;

/// Where the texts begin and end in the editor.
const MARKS: [&[u8]; 2] = [b"<<<<<<< mine", b">>>>>>> theirs"];

/// One text that gave way, with what it came from and what stands there now.
#[derive(Debug)]
pub struct ConflictSides {
    /// Where it stood.
    pub key: EntryKey,
    /// What both came from, if that is known.
    pub base: Option<Vec<u8>>,
    /// The text that gave way.
    pub mine: Vec<u8>,
    /// What stands there now; `None` where it was deleted.
    pub theirs: Option<Vec<u8>>,
}

impl ConflictSides {
    /// Both texts: the lines with which they begin and end alike once, the others between marks.
    pub fn marked_text(&self) -> Vec<u8> {
        let lines = |text| <[u8]>::split_inclusive(text, |byte| *byte == b'\n').collect::<Vec<_>>();
        let mine = lines(&self.mine);
        let theirs = lines(self.theirs.as_deref().unwrap_or_default());
        let is_same = |(a, b): &(&&[u8], &&[u8])| a == b;
        let head = mine.iter().zip(&theirs).take_while(is_same).count();
        let (my_rest, their_rest) = (&mine[head..], &theirs[head..]);
        let backwards = my_rest.iter().rev().zip(their_rest.iter().rev());
        let tail = backwards.take_while(is_same).count();
        let (my_part, end) = my_rest.split_at(my_rest.len() - tail);
        let their_part = &their_rest[..their_rest.len() - tail];
        // A mark begins a line, also behind a last line without an end.
        let part = |lines: &[&[u8]]| {
            let mut text = lines.concat();
            if text.last().is_some_and(|byte| *byte != b'\n') {
                text.push(b'\n');
            }
            text
        };
        let [begin, finish] = MARKS;
        [
            &mine[..head].concat(),
            begin,
            b"\n",
            &part(my_part),
            b"=======\n",
            &part(their_part),
            finish,
            b"\n",
            &end.concat(),
        ]
        .concat()
    }
}

/// Whether a mark of [`ConflictSides::marked_text`] begins a line.
pub fn has_marks(text: &[u8]) -> bool {
    let is_mark = |line: &[u8]| MARKS.iter().any(|mark| line.starts_with(mark));
    text.split(|byte| *byte == b'\n').any(is_mark)
}

/// Every text that gave way, the oldest first.
///
/// # Errors
/// The memory cannot be read.
pub fn all(
    share: &TeamShare,
    place: &ProjectContext,
    context: &RunContext,
) -> Result<Vec<ConflictSides>, FilesError> {
    let (state, warning) = share.place.state_file().load();
    if let Some(warning) = warning {
        context.print_warning(warning);
    }
    let mut files = StoreFiles::for_share(share, place, context);
    // Names that are spelled otherwise here are known once they have been listed.
    files.list()?;
    state
        .conflicts
        .iter()
        .map(|one| sides(one, &mut files))
        .collect()
}

fn sides(conflict: &Conflict, files: &mut StoreFiles) -> Result<ConflictSides, FilesError> {
    let key = conflict.key.clone();
    let base = match conflict.base {
        Some(KnownKey::At(sha256)) => files.earlier(&key, sha256),
        Some(KnownKey::Gone(_)) | None => None,
    };
    Ok(ConflictSides {
        base,
        mine: conflict.local.as_bytes().to_vec(),
        theirs: files.read(&key)?,
        key,
    })
}

/// Whether the gates would take this text.
///
/// # Errors
/// One refuses it.
pub fn check(
    sides: &ConflictSides,
    text: Option<&[u8]>,
    share: &TeamShare,
    gate: &dyn WriteGate,
    context: &RunContext,
) -> Result<(), TeamError> {
    let Some(bytes) = text else {
        return Ok(());
    };
    let proposal = GatedFile {
        scope: share.tier.0,
        path: &share.tier.path(sides.key.as_str())?,
        bytes,
        old: sides.theirs.as_deref(),
        author: &context.author(),
    };
    let checked = gate.check(&proposal);
    context.warn_all(&checked.map_err(StoreError::Refused)?);
    Ok(())
}

/// Settles the oldest conflict of a key: with this text, or with what stands there. The text is written
/// first, as one change of this order, so that nothing is lost in between; the next sync shares it.
///
/// # Errors
/// Another text stands there by now, a gate refuses this one, or the state cannot be kept.
pub fn resolve_conflict(
    sides: &ConflictSides,
    text: Option<&[u8]>,
    share: &TeamShare,
    order: &ChangeMetadata,
    gate: &dyn WriteGate,
    context: &RunContext,
) -> Result<(), TeamError> {
    let _lock = state_file::lock(&share.place.lock())?;
    if let Some(text) = text {
        let path: MemoryPath = share.tier.path(sides.key.as_str())?;
        let files = MemoryFiles::new(share.store.clone(), true);
        // What came while somebody looked, or had the editor open, was not part of what they decided about.
        let make = |now: Option<&[u8]>| match now == sides.theirs.as_deref() {
            true => Ok(text.to_vec()),
            false => Err(MemoryError::Overtaken {
                path: path.clone(),
                now: now.unwrap_or_default().to_vec(),
                wanted: text.to_vec(),
            }),
        };
        context.warn_all(&files.write(&path, order, gate, make)?);
    }
    let mut file = share.place.state_file();
    let (mut state, _) = file.load();
    if state.forget_copy(&sides.key, &sides.mine) {
        file.save(&mut state)?;
    }
    Ok(())
}
