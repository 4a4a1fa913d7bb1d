//! Making a change happen, file by file, with nothing overwritten that was not read.
//!
//! Other programs save these files without our lock. Comparing a file and then renaming over it leaves a window in which
//! their save is lost; so a file is exchanged first and compared afterwards, when no path leads to it any more:
//!
//! ```text
//!  compare, rename                           exchange, compare
//!  mem     read = old ........ rename        mem     exchange .... read what came out
//!  editor             save                   editor        save (a)          save (b)
//!                     ^ overwritten, lost    a came before the exchange: the old file differs, and is put back
//!                                            b came after it: it met the new file, as any later edit
//! ```
//!
//! A program that had the old file open before writes into it after the exchange: see `store::replaced_files`. **Invariant:** a
//! content that the plan did not read is never unlinked. Either all steps are made, or all that were made are reverted,
//! each with the same call that made it.
//!
//! **Cost:** per file two renames and one read of the old content, on all cores. Folders are synced once each.
//!
//! Tests: `store::external_edits::a_foreign_save_in_the_middle_of_a_plan_is_built_upon`,
//! `durability::a_foreign_editor_that_saves_all_the_time_loses_nothing_and_corrupts_nothing`.

use std::io;

use cap_std::fs::Dir;

use super::error::StoreError;
use super::folders::BatchFolders;
use super::replaced_files;
use super::stage::{StagedFile, temporary_name};
use super::tree::Tree;
use super::walk::Stat;
use crate::MemoryPath;
use crate::history::Sha256;
use crate::parallel::map_chunks;
use crate::platform;

/// One file's part of a change.
#[derive(Debug)]
pub(super) struct FileStep {
    /// The target.
    pub(super) path: MemoryPath,
    /// What was read there; `None` for nothing.
    pub(super) before: Option<Sha256>,
    /// How many bytes that had.
    pub(super) before_bytes: usize,
    /// What shall stand there; `None` to remove it.
    pub(super) staged: Option<StagedFile>,
}

impl FileStep {
    /// Writes the new content of a file beside `old`, which it replaces, synced; `None` for nothing.
    pub(super) fn prepare(
        tree: &Tree,
        folders: &mut BatchFolders,
        path: &MemoryPath,
        old: Option<&[u8]>,
        new: Option<&[u8]>,
    ) -> Result<Self, StoreError> {
        let content = |bytes: &[u8]| (Sha256::digest(bytes), bytes.len());
        let before = old.map(content);
        let stage = |bytes: &[u8]| {
            folders.open(tree, path)?;
            let contents = (before, Some(content(bytes)));
            StagedFile::write(tree, folders, path, bytes, contents, true)
        };
        Ok(Self {
            path: path.clone(),
            before: before.map(|(digest, _)| digest),
            before_bytes: old.map_or(0, <[u8]>::len),
            staged: new.map(stage).transpose()?,
        })
    }

    /// The stat of what was staged.
    pub(super) fn stat(&self) -> Stat {
        let staged = self.staged.as_ref();
        staged.map(|staged| staged.stat).unwrap_or_default()
    }
}

/// A step that was made, and how to take it back.
pub(super) enum AppliedStep<'s> {
    /// A new file was put where nothing stood.
    Created(&'s FileStep, &'s StagedFile),
    /// The old file, with this digest, now stands under this temporary name.
    Exchanged(&'s FileStep, &'s StagedFile, &'s str, Sha256),
    /// The old file was moved to this name.
    Removed(&'s FileStep, Dir, String, Sha256),
}

/// Makes all steps, or none: at the first that fails the earlier ones are taken back.
pub(super) fn apply(tree: &Tree, steps: &[FileStep]) -> Result<(), StoreError> {
    let (mut done, mut failed) = (Vec::new(), None);
    for (mut made, error) in map_chunks(steps, |share| make_all(tree, share)) {
        done.append(&mut made);
        failed = failed.or(error);
    }
    if let Some(error) = failed {
        // Also behind a step that cannot be taken back: as little as can be is left of the change.
        let reverts = done.into_iter().rev().map(|made| take_back(tree, made));
        let broken = reverts.filter_map(Result::err).last();
        return Err(broken.unwrap_or(error));
    }
    // Only now, when nothing can fail any more: until here the old files are what a revert needs.
    for made in &done {
        finish(tree, made);
    }
    Ok(())
}

/// Makes some steps, up to the first that fails.
fn make_all<'s>(tree: &Tree, steps: &'s [FileStep]) -> (Vec<AppliedStep<'s>>, Option<StoreError>) {
    let mut done = Vec::with_capacity(steps.len());
    for step in steps {
        match make(tree, step) {
            Ok(made) => done.push(made),
            Err(error) => return (done, Some(error)),
        }
    }
    (done, None)
}

/// More folders than this are synced with one call for the whole disk.
const SINGLE_SYNCS_MAX: usize = 8;

/// Syncs the folders that the steps changed; each once.
pub(super) fn sync_folders(tree: &Tree, steps: &[FileStep]) -> Result<(), StoreError> {
    let mut folders: Vec<Option<&str>> = steps.iter().map(|step| step.path.parent()).collect();
    folders.sort_unstable();
    folders.dedup();
    if platform::CAN_SYNC_TREE && folders.len() > SINGLE_SYNCS_MAX {
        let path = tree.path();
        return platform::sync_tree(path).map_err(StoreError::io("sync", path));
    }
    folders
        .into_iter()
        .try_for_each(|folder| tree.sync_folder(folder))
}

fn make<'s>(tree: &Tree, step: &'s FileStep) -> Result<AppliedStep<'s>, StoreError> {
    match (&step.staged, step.before) {
        (Some(staged), None) => create(tree, step, staged),
        (Some(staged), Some(before)) => exchange(tree, step, staged, before),
        (None, Some(before)) => remove(tree, step, before),
        (None, None) => Err(StoreError::NotFound(step.path.clone())),
    }
}

/// Puts a new file where nothing may stand.
fn create<'s>(
    tree: &Tree,
    step: &'s FileStep,
    staged: &'s StagedFile,
) -> Result<AppliedStep<'s>, StoreError> {
    let name = step.path.file_name();
    match rename_without_replacing(&staged.folder, &staged.temporary, name) {
        Ok(()) => {
            staged.stands(false);
            Ok(AppliedStep::Created(step, staged))
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            Err(StoreError::Conflict(step.path.clone()))
        }
        Err(error) => Err(tree.explain("write", &step.path, error)),
    }
}

/// Exchanges the new file with the old one and looks at what came out.
fn exchange<'s>(
    tree: &Tree,
    step: &'s FileStep,
    staged: &'s StagedFile,
    before: Sha256,
) -> Result<AppliedStep<'s>, StoreError> {
    let (folder, name) = (&staged.folder, step.path.file_name());
    let conflict = || StoreError::Conflict(step.path.clone());
    let retired = staged.retired.as_deref().ok_or_else(conflict)?;
    let failed = |error| tree.explain("write", &step.path, error);
    // Named before the exchange and not after it: a kill in between would leave the old file under a name that the
    // next writer sweeps, with whatever an editor wrote into it.
    folder
        .rename(&staged.temporary, folder, retired)
        .map_err(failed)?;
    match swap(folder, retired, name) {
        Ok(()) => {}
        Err(error) => {
            let _ = folder.remove_file(retired);
            return Err(match error.kind() {
                io::ErrorKind::NotFound => conflict(),
                _ => failed(error),
            });
        }
    }
    let done = AppliedStep::Exchanged(step, staged, retired, before);
    if digest(folder, retired) != Some(before) {
        take_back(tree, done)?;
        return Err(conflict());
    }
    Ok(done)
}

/// Moves the old file aside and looks at it before it is unlinked.
fn remove<'s>(
    tree: &Tree,
    step: &'s FileStep,
    before: Sha256,
) -> Result<AppliedStep<'s>, StoreError> {
    let conflict = || StoreError::Conflict(step.path.clone());
    let folder = tree.folder(&step.path)?.ok_or_else(conflict)?;
    let aside = replaced_files::name_of(&step.path, Some((before, step.before_bytes)), None);
    match rename_without_replacing(&folder, step.path.file_name(), &aside) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(conflict()),
        Err(error) => return Err(tree.explain("remove", &step.path, error)),
    }
    let unchanged = digest(&folder, &aside) == Some(before);
    let done = AppliedStep::Removed(step, folder, aside, before);
    if !unchanged {
        take_back(tree, done)?;
        return Err(conflict());
    }
    Ok(done)
}

/// Undoes one step.
pub(super) fn take_back(tree: &Tree, done: AppliedStep<'_>) -> Result<(), StoreError> {
    let (step, undone) = match done {
        AppliedStep::Created(step, staged) => {
            let name = step.path.file_name();
            staged.stands(true);
            (
                step,
                rename_without_replacing(&staged.folder, name, &staged.temporary),
            )
        }
        AppliedStep::Exchanged(step, staged, retired, _) => {
            let undone = swap(&staged.folder, retired, step.path.file_name());
            // Another program may have met the new one in the meantime.
            if undone.is_ok()
                && let Some(digest) = staged.digest
            {
                unlink(tree, &staged.folder, retired, digest);
            }
            (step, undone)
        }
        AppliedStep::Removed(step, folder, aside, _) => (
            step,
            rename_without_replacing(&folder, &aside, step.path.file_name()),
        ),
    };
    undone.map_err(|error| tree.explain("restore", &step.path, error))
}

/// Unlinks what a step left under a temporary name.
fn finish(tree: &Tree, done: &AppliedStep<'_>) {
    match done {
        AppliedStep::Created(..) => {}
        AppliedStep::Exchanged(_, staged, retired, before) => {
            staged.stands(false);
            unlink(tree, &staged.folder, retired, *before);
        }
        AppliedStep::Removed(_, folder, aside, before) => unlink(tree, folder, aside, *before),
    }
}

/// Unlinks a file, which stays for the next command where another program has it open or wrote to it.
fn unlink(tree: &Tree, folder: &Dir, name: &str, digest: Sha256) {
    if !replaced_files::unlink(folder, name, digest) {
        tree.leave();
    }
}

/// The digest of a file, `None` where it is no readable regular file.
fn digest(folder: &Dir, name: &str) -> Option<Sha256> {
    let is_file = folder
        .symlink_metadata(name)
        .is_ok_and(|meta| meta.is_file());
    if !is_file {
        return None;
    }
    folder.read(name).ok().map(|bytes| Sha256::digest(&bytes))
}

/// Exchanges two names of one folder in one step.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn swap(folder: &Dir, one: &str, other: &str) -> io::Result<()> {
    use rustix::fs::{RenameFlags, renameat_with};
    match renameat_with(folder, one, folder, other, RenameFlags::EXCHANGE) {
        // A file system without the call (some network ones): the plain replacement, whose
        // old content is then compared too late to be put back.
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => {
            swap_in_steps(folder, one, other)
        }
        result => Ok(result?),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn swap(folder: &Dir, one: &str, other: &str) -> io::Result<()> {
    swap_in_steps(folder, one, other)
}

/// The same in three renames; a crash in between leaves `other` under a temporary name.
///
/// Not one step: for a moment nothing stands under `other`. A kill in that moment looks to a recovery as if another
/// program had removed the file, which is recorded so; both texts are in the history then.
fn swap_in_steps(folder: &Dir, one: &str, other: &str) -> io::Result<()> {
    let aside = temporary_name();
    folder.rename(other, folder, &aside)?;
    folder.rename(one, folder, other)?;
    folder.rename(&aside, folder, one)
}

/// Renames within a folder unless the new name is taken.
fn rename_without_replacing(folder: &Dir, from: &str, to: &str) -> io::Result<()> {
    platform::rename_without_replacing(folder, from, folder, to)
}
