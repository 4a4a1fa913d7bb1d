//! Putting a hook into a directory, and putting back what was there: its bytes, mode and links.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use mem_core::regular_file;

use super::Hook;
use super::hooks_dir::HookError;
use super::script::{self, BEFORE, Script};

/// Where other tools put a hook that they find: pre-commit and lefthook.
const MOVED: [&str; 2] = ["legacy", "old"];

/// A hook as it stands in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookState {
    /// The file that git runs.
    pub path: PathBuf,
    /// Where ours is: there, or where another tool moved it; `None` if it is nowhere.
    pub ours: Option<PathBuf>,
    /// The program that ours runs.
    pub program: Option<PathBuf>,
    /// Whether something else is there or chained.
    pub other: Option<PathBuf>,
}

/// What taking a hook away did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UninstallOutcome {
    /// What was there before is back.
    Restored,
    /// Nothing was there before, and nothing is now.
    Removed,
    /// It was not installed.
    Nothing,
}

/// Looks at a hook.
pub fn hook_state(folder: &Path, hook: Hook) -> HookState {
    let path = folder.join(hook.git_name());
    let before = backup_path(folder, hook);
    let moved = MOVED
        .iter()
        .map(|suffix| folder.join(format!("{}.{suffix}", hook.git_name())));
    let ours = std::iter::once(path.clone())
        .chain(moved)
        .find(|path| is_ours(path));
    let text = ours
        .as_ref()
        .and_then(|path| regular_file::read_text(path).ok());
    let other = match &ours {
        Some(ours) if *ours == path => exists_at(&before).then_some(before),
        _ => exists_at(&path).then(|| path.clone()),
    };
    HookState {
        program: text.as_deref().and_then(script::hook_program),
        path,
        ours,
        other,
    }
}

/// Installs a hook; one that is there runs after ours.
///
/// # Errors
/// A file cannot be moved or written; what was there is then in its place.
pub fn install_hook(folder: &Path, script: &Script) -> Result<HookState, HookError> {
    let name = script.hook.git_name();
    let (path, before) = (folder.join(name), backup_path(folder, script.hook));
    mem_core::atomic::create_dirs(folder).map_err(io_failure("create", folder))?;
    let state = hook_state(folder, script.hook);
    let target = state.ours.clone().unwrap_or_else(|| path.clone());
    let moves = state.ours.is_none() && exists_at(&path);
    if moves {
        // An older backup belonged to a hook that somebody has replaced since.
        move_as_is(&path, &before)?;
    }
    let in_place = is_husky(folder);
    let text = Script {
        in_place,
        ..script.clone()
    }
    .text();
    if let Err(error) = write(&target, &text) {
        if moves {
            move_as_is(&before, &path)?;
        }
        return Err(error);
    }
    Ok(hook_state(folder, script.hook))
}

/// Takes a hook of ours away and puts back what was there before.
///
/// # Errors
/// A file cannot be moved or removed.
pub fn uninstall_hook(folder: &Path, hook: Hook) -> Result<UninstallOutcome, HookError> {
    let Some(ours) = hook_state(folder, hook).ours else {
        return Ok(UninstallOutcome::Nothing);
    };
    let before = backup_path(folder, hook);
    if exists_at(&before) {
        move_as_is(&before, &ours)?;
        return Ok(UninstallOutcome::Restored);
    }
    fs::remove_file(&ours).map_err(io_failure("remove", &ours))?;
    Ok(UninstallOutcome::Removed)
}

fn backup_path(folder: &Path, hook: Hook) -> PathBuf {
    folder.join(format!("{}.{BEFORE}", hook.git_name()))
}

/// Whether something stands there, be it a link to nowhere.
fn exists_at(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

fn is_ours(path: &Path) -> bool {
    regular_file::read_whole(path).is_ok_and(|text| script::is_ours(&text))
}

/// husky 9 keeps its launchers in `.husky/_`, and they look for scripts from where they stand.
fn is_husky(folder: &Path) -> bool {
    folder.file_name().is_some_and(|name| name == "_") && folder.join("h").is_file()
}

#[expect(
    clippy::disallowed_methods,
    reason = "a hook moves with its mode, as it is, or not at all"
)]
fn move_as_is(from: &Path, to: &Path) -> Result<(), HookError> {
    fs::rename(from, to).map_err(io_failure("move", from))
}

/// Writes an executable file at once.
pub(super) fn write(path: &Path, text: &str) -> Result<(), HookError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    #[cfg_attr(not(unix), expect(unused_mut, reason = "it is set on Unix alone"))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o755));
    }
    let mut file = builder
        .tempfile_in(folder)
        .map_err(io_failure("write to", folder))?;
    file.write_all(text.as_bytes())
        .map_err(io_failure("write", path))?;
    let kept = file.persist(path).map_err(|error| error.error);
    kept.map(drop).map_err(io_failure("write", path))
}

pub(super) fn io_failure<'a>(
    step: &'static str,
    path: &'a Path,
) -> impl Fn(io::Error) -> HookError + 'a {
    move |cause| HookError::File {
        step,
        path: path.to_owned(),
        cause,
    }
}
