//! The scratch memory of a model that works with the memory tool: copies of the memories, in a folder that goes when
//! the run ends.
//!
//! The tool is the one that hosts use, so that paths, links and limits are judged as ever, and what is written
//! can be read again in the same conversation; but nothing in it is a memory. What was copied stays
//! there, no secret is copied or written, and what is new is read from it as proposals.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use mem_core::foreign_text::single_spaced;
use mem_core::memory::Note;
use mem_core::plain::{PathEnd, PlainRoot};
use mem_core::{Now, Scope, atomic, regular_file, state_file};
use serde_json::Value;
use tempfile::TempDir;

use crate::title::note_line;
use crate::tool::{
    Change, DirWriter, MemoryTool, ToolAnswer, ToolDialect, ToolFailure, ToolLimits, ToolWriter,
};
use mem_secrets::redacted;

/// Memories that a model is shown.
pub(super) const SHOWN_MAX: usize = 300;
/// Longer ones are not laid down.
const NOTE_BYTES_MAX: usize = 64 * 1024;
/// Of one view.
const VIEW_CHARS_MAX: usize = 16_000;
/// What may be written beside what was laid down.
const WRITTEN_BYTES_MAX: u64 = 512 * 1024;
const PREFIX: &str = "memories-";
const LOCK: &str = "lock";
const MEMORIES: &str = "memories";

/// A scratch memory.
#[derive(Debug)]
pub(super) struct ScratchMemory {
    folder: TempDir,
    /// Held for as long as the scratch memory is used.
    _lock: File,
    laid: BTreeMap<String, ScratchNote>,
    /// The files that the model wrote.
    touched: RefCell<BTreeSet<String>>,
    /// How often it would have taken something away.
    withheld: Cell<usize>,
    /// How often it would have written a secret.
    leaks: Cell<usize>,
    now: Now,
}

/// A memory in it.
#[derive(Debug)]
pub(super) struct ScratchNote {
    /// Its tier.
    pub(super) scope: Scope,
    /// Its file within the tier.
    pub(super) file: String,
    /// What it says there, without secrets.
    pub(super) text: String,
    /// One line about it.
    about: String,
}

/// A file that the model wrote.
#[derive(Debug)]
pub(super) struct ModelWrite<'d> {
    /// What it says.
    pub(super) text: String,
    /// What it said before, where it was laid down.
    pub(super) laid: Option<&'d ScratchNote>,
}

impl ScratchMemory {
    /// Copies memories to a new scratch memory; those of runs that were killed are removed.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn copy_notes(notes: &[Note], folder: &Path, now: Now) -> io::Result<Self> {
        atomic::create_dirs(folder)?;
        let turn = state_file::lock(&folder.join(LOCK)).map_err(io::Error::other)?;
        remove_abandoned(folder);
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(folder)?;
        let lock = state_file::lock(&folder.path().join(LOCK)).map_err(io::Error::other)?;
        drop(turn);
        let mut laid = BTreeMap::new();
        for note in notes.iter().take(SHOWN_MAX) {
            let Some((path, one)) = copy_note(note) else {
                continue;
            };
            let target = folder.path().join(MEMORIES).join(&path);
            // What cannot stand beside the others is not shown.
            let parent = target.parent().map(atomic::create_dirs);
            if !matches!(parent, Some(Ok(()))) || target.exists() {
                continue;
            }
            // No care for a crash: a scratch memory does not outlive it.
            File::create_new(&target)?.write_all(one.text.as_bytes())?;
            laid.insert(path, one);
        }
        atomic::create_dirs(&folder.path().join(MEMORIES))?;
        Ok(Self {
            folder,
            _lock: lock,
            laid,
            touched: RefCell::default(),
            withheld: Cell::default(),
            leaks: Cell::default(),
            now,
        })
    }

    /// One line a memory, by its path in the scratch memory.
    pub(super) fn manifest_text(&self) -> String {
        let line =
            |(path, one): (&String, &ScratchNote)| format!("- /memories/{path}: {}", one.about);
        self.laid.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// Carries a tool input out.
    pub(super) fn answer_tool_call(&self, input: &Value) -> ToolAnswer {
        let laid: usize = self.laid.values().map(|one| one.text.len()).sum();
        let tool = MemoryTool {
            dialect: ToolDialect::Docs,
            limits: ToolLimits {
                file_bytes_max: Some(2 * NOTE_BYTES_MAX as u64),
                total_bytes_max: Some(laid as u64 + WRITTEN_BYTES_MAX),
                view_chars_max: Some(VIEW_CHARS_MAX),
                ..ToolLimits::default()
            },
            root: self.memories_folder(),
            writer: self,
            objection: &|path, new, _| self.secret_objection(path, new),
        };
        tool.answer_input(input)
    }

    /// What the model wrote, by its paths.
    pub(super) fn model_writes(&self) -> Vec<ModelWrite<'_>> {
        let touched = self.touched.borrow();
        let read = |path: &String| {
            let file = self.memories_folder().join(path);
            let bytes = regular_file::read(&file, 2 * NOTE_BYTES_MAX as u64).ok()?;
            Some(ModelWrite {
                text: String::from_utf8(bytes).ok()?,
                laid: self.laid.get(path),
            })
        };
        touched.iter().filter_map(read).collect()
    }

    /// Whether the model would have taken memories away.
    pub(super) fn was_cleared(&self) -> bool {
        self.withheld.get() > 0
    }

    /// Whether something was not written for a secret in it.
    pub(super) fn was_leaked(&self) -> bool {
        self.leaks.get() > 0
    }

    fn secret_objection(&self, path: &str, new: &[u8]) -> Option<String> {
        let text = String::from_utf8_lossy(new);
        let is_clean = redacted(&text) == text && redacted(path) == path;
        if !is_clean {
            self.leaks.set(self.leaks.get() + 1);
        }
        (!is_clean).then(|| "It holds a secret, which no memory may.".to_owned())
    }

    fn memories_folder(&self) -> PathBuf {
        self.folder.path().join(MEMORIES)
    }

    /// Refuses what would take away what was laid down.
    fn check_is_kept(&self, spot: &PathEnd) -> Result<(), ToolFailure> {
        let path = spot.path();
        let below = format!("{path}/");
        let is_laid = |one: &String| *one == path || one.starts_with(&below);
        match self.laid.keys().any(is_laid) {
            true => {
                self.withheld.set(self.withheld.get() + 1);
                let text = "Memories that were here before cannot be deleted or moved.";
                Err(ToolFailure::Said(text.to_owned()))
            }
            false => Ok(()),
        }
    }

    fn plain_writer(&self) -> DirWriter {
        DirWriter { now: self.now }
    }
}

impl ToolWriter for ScratchMemory {
    fn lock_root(&self, _: &PlainRoot) -> Option<File> {
        // Nobody else has this scratch memory.
        None
    }

    fn put_file(
        &self,
        root: &PlainRoot,
        source: &PathEnd,
        target: &PathEnd,
        change: Change<'_>,
    ) -> Result<(), ToolFailure> {
        self.plain_writer().put_file(root, source, target, change)?;
        self.touched.borrow_mut().insert(target.path());
        Ok(())
    }

    fn remove_path(&self, root: &PlainRoot, spot: &PathEnd) -> Result<(), ToolFailure> {
        self.check_is_kept(spot)?;
        self.plain_writer().remove_path(root, spot)
    }

    fn rename_path(
        &self,
        root: &PlainRoot,
        from: &PathEnd,
        to: &PathEnd,
    ) -> Result<(), ToolFailure> {
        self.check_is_kept(from)?;
        self.plain_writer().rename_path(root, from, to)?;
        let (old, new) = (from.path(), to.path());
        let moved = |path: &String| match path.strip_prefix(&old) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{new}{rest}"),
            _ => path.clone(),
        };
        self.touched
            .replace_with(|all| all.iter().map(moved).collect());
        Ok(())
    }

    fn expire_file(&self, _: &PlainRoot, _: &PathEnd) -> Result<String, ToolFailure> {
        Err(ToolFailure::Said("Nothing expires here.".to_owned()))
    }

    fn is_kept(&self, _: &PlainRoot, _: &PathEnd) -> bool {
        true
    }
}

/// Removes the scratch memories whose runs were killed.
fn remove_abandoned(folder: &Path) {
    for entry in folder.read_dir().into_iter().flatten().flatten() {
        let is_desk = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let path = entry.path();
        if is_desk && matches!(state_file::try_lock(&path.join(LOCK)), Ok(Some(_))) {
            // Tried again by the next run.
            let _ = std::fs::remove_dir_all(&path);
        }
    }
}

/// A memory as it is laid down, and where: without secrets, or not at all.
fn copy_note(note: &Note) -> Option<(String, ScratchNote)> {
    let path = match note.scope {
        Scope::Global => format!("global/{}", note.file),
        Scope::Private | Scope::Team => note.path.as_str().to_owned(),
    };
    let text = std::str::from_utf8(&note.bytes).ok()?;
    if note.bytes.len() > NOTE_BYTES_MAX || redacted(&path) != path {
        return None;
    }
    let about = redacted(note_line(note));
    let laid = ScratchNote {
        scope: note.scope,
        file: note.file.clone(),
        text: redacted(text),
        about: single_spaced(&about),
    };
    Some((path, laid))
}
