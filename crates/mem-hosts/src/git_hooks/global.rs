//! Hooks for every repository of a user: a directory that `core.hooksPath` names.
//!
//! Such a directory replaces each repository's own hooks, so it holds one for every name that
//! runs the repository's.

use std::fs;
use std::path::{Path, PathBuf};

use mem_core::{Dirs, atomic};

use super::hooks_dir::{HookError, run_git};
use super::installation::{self, UninstallOutcome, io_failure, write};
use super::script::{Script, delegate_script};
use super::{Hook, HookState};

/// The hooks of githooks(5) that run in a checkout of somebody's own.
const NAMES: [&str; 15] = [
    "applypatch-msg",
    "commit-msg",
    "post-applypatch",
    "post-checkout",
    "post-commit",
    "post-merge",
    "post-rewrite",
    "pre-applypatch",
    "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit",
    "pre-push",
    "pre-rebase",
    "prepare-commit-msg",
    "sendemail-validate",
];
const KEY: &str = "core.hooksPath";

fn hooks_folder(dirs: &Dirs) -> PathBuf {
    dirs.config.join("git-hooks")
}

/// The directory that is set for all repositories, if there is one.
fn configured_folder(cwd: &Path) -> Option<PathBuf> {
    let value = run_git(cwd, &["config", "--global", "--type=path", "--get", KEY]).ok()?;
    Some(PathBuf::from(value)).filter(|path| path.is_absolute())
}

/// Installs hooks for every repository: into the directory that the user has set, else into one
/// of `mem`'s own.
///
/// # Errors
/// git refuses, or a file cannot be written.
pub fn install_global(
    dirs: &Dirs,
    cwd: &Path,
    scripts: &[Script],
) -> Result<Vec<HookState>, HookError> {
    let own = hooks_folder(dirs);
    if let Some(theirs) = configured_folder(cwd).filter(|path| *path != own) {
        let install = |script: &Script| {
            let script = Script {
                global: false,
                ..script.clone()
            };
            installation::install_hook(&theirs, &script)
        };
        return scripts.iter().map(install).collect();
    }
    atomic::create_dirs(&own).map_err(io_failure("create", &own))?;
    for name in NAMES {
        let path = own.join(name);
        if !path.exists() {
            write(&path, delegate_script())?;
        }
    }
    for script in scripts {
        write(&own.join(script.hook.git_name()), &script.text())?;
    }
    run_git(cwd, &["config", "--global", KEY, &own.to_string_lossy()])?;
    Ok(scripts
        .iter()
        .map(|script| installation::hook_state(&own, script.hook))
        .collect())
}

/// Takes the hooks of every repository away. `mem`'s own directory goes with the last of them.
///
/// # Errors
/// git refuses, or a file cannot be removed.
pub fn uninstall_global(
    dirs: &Dirs,
    cwd: &Path,
    hooks: &[Hook],
) -> Result<Vec<UninstallOutcome>, HookError> {
    let own = hooks_folder(dirs);
    let set = configured_folder(cwd);
    if let Some(theirs) = set.as_ref().filter(|path| **path != own) {
        return hooks
            .iter()
            .map(|hook| installation::uninstall_hook(theirs, *hook))
            .collect();
    }
    let mut took = Vec::new();
    for hook in hooks {
        let path = own.join(hook.git_name());
        let runs = installation::hook_state(&own, *hook).program.is_some();
        if runs {
            write(&path, delegate_script())?;
        }
        took.push(if runs {
            UninstallOutcome::Removed
        } else {
            UninstallOutcome::Nothing
        });
    }
    let left = Hook::ALL
        .iter()
        .any(|hook| installation::hook_state(&own, *hook).program.is_some());
    if !left && own.is_dir() {
        if set.is_some() {
            run_git(cwd, &["config", "--global", "--unset", KEY])?;
        }
        fs::remove_dir_all(&own).map_err(io_failure("remove", &own))?;
    }
    Ok(took)
}
