//! How memory is shared: whether it still is what was agreed to, and what a run left behind.

use std::fs::{self, TryLockError};
use std::path::{Path, PathBuf};

use mem_core::location::{self, ProjectContext};
use mem_core::{Diagnose as _, Dirs, regular_file};
use mem_team::error::TeamError;
use mem_team::masking;
use mem_team::outcome::SyncRuns;
use mem_team::personal_sync;
use mem_team::settings::TeamShare;
use mem_team::tokens;

use super::check::DoctorCheck;
use mem_core::RunContext;
use mem_core::foreign_text::one_line;
use mem_tools::error_text::shown_message;

/// Folders of our copy of a git remote that locks can stand in.
const DEPTH_MAX: usize = 8;

pub(crate) fn sharing_checks(run: &RunContext, fix: bool) -> Vec<DoctorCheck> {
    let Ok(dirs) = run.dirs() else {
        return Vec::new();
    };
    let mut checks = open_tokens(dirs, fix);
    // What is wrong with the place is told elsewhere.
    let Ok(place) = location::open(&run.cwd, dirs, &run.env, &[]) else {
        return checks;
    };
    for (name, shares) in ["team", "sync"]
        .into_iter()
        .zip(personal_sync::all_shares(&place, run))
    {
        checks.extend(share_checks(name, shares, &place, fix));
    }
    checks
}

fn share_checks(
    name: &'static str,
    shares: Result<Vec<TeamShare>, TeamError>,
    place: &ProjectContext,
    fix: bool,
) -> Vec<DoctorCheck> {
    match shares {
        Ok(shares) => shares
            .iter()
            .flat_map(|share| of_share(name, share, place, fix))
            .collect(),
        Err(error) => {
            let hint = error.hint().map(|hint| masking::masked_quote(&hint));
            vec![DoctorCheck::with_failure(
                name,
                shown_message(&error),
                hint.as_deref().unwrap_or("set it up again"),
            )]
        }
    }
}

fn of_share(
    name: &'static str,
    share: &TeamShare,
    place: &ProjectContext,
    fix: bool,
) -> Vec<DoctorCheck> {
    let mut checks = Vec::new();
    let mut state = share.place.state_file();
    if let (_, Some(warning)) = state.load() {
        let hint = match state.is_closed() {
            true => "no sync runs until it opens: `mem encrypt status --local` names the key",
            false => "the next sync compares all files; look at the copy then",
        };
        checks.push(DoctorCheck::with_warning(name, warning, hint));
    }
    let damaged = damaged_copies(&share.place.state());
    if !damaged.is_empty() {
        let message = format!("set aside because it was damaged: {}", damaged.join(", "));
        let hint = match share.place.damaged().is_empty() {
            true => "look at it, then remove it",
            false => "texts that gave way may stand in it: look at it, then remove it",
        };
        checks.push(DoctorCheck::with_warning(name, message, hint));
    }
    if is_locked(&share.place.lock()) {
        let message = "a sync is running right now";
        checks.push(DoctorCheck::with_warning(
            name,
            message,
            "ask again; a lock goes with its process",
        ));
    } else {
        checks.extend(stale_lock_check(name, &share.place.git(), fix));
    }
    let outcome = SyncRuns::load_runs(&share.place);
    let (repository, address) = (share.repository.name(), share.address.to_string());
    let what = format!("{} at {}", one_line(repository), one_line(&address));
    checks.push(match (&outcome.error, place.location.enabled) {
        (Some(error), true) if !outcome.is_offline => {
            let hint = format!("`{} status` tells more", share.command);
            DoctorCheck::with_warning(name, format!("{what}: {}", one_line(error)), &hint)
        }
        _ => DoctorCheck::with_ok(name, what),
    });
    checks
}

/// Copies of a state that could not be read, by name.
fn damaged_copies(state: &Path) -> Vec<String> {
    let stem = state.file_stem().unwrap_or_default().to_string_lossy();
    let entries = state.parent().and_then(|folder| fs::read_dir(folder).ok());
    let names = entries.into_iter().flatten().flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    names
        .filter(|name| name.starts_with(&*stem) && name.contains(".damaged-"))
        .collect()
}

fn is_locked(path: &Path) -> bool {
    let file = regular_file::open(path);
    file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// Locks in our copy of a git remote that a killed run left: git's go with no process.
fn stale_lock_check(name: &'static str, copy: &Path, fix: bool) -> Option<DoctorCheck> {
    let mut locks = Vec::new();
    collect_locks(copy, DEPTH_MAX, &mut locks);
    if fix {
        // Told below where it did not help.
        locks.retain(|lock| fs::remove_file(lock).is_err());
    }
    let first = locks.first()?;
    let message = format!("a killed run left the lock `{}`", first.display());
    Some(DoctorCheck::with_warning(
        name,
        message,
        "`mem doctor --fix` removes it",
    ))
}

fn collect_locks(folder: &Path, depth: usize, locks: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder && depth > 0 && entry.file_name() != "objects" {
            collect_locks(&path, depth - 1, locks);
        } else if !is_folder && path.extension().is_some_and(|end| end == "lock") {
            locks.push(path);
        }
    }
}

/// Tokens that others may have read.
fn open_tokens(dirs: &Dirs, fix: bool) -> Vec<DoctorCheck> {
    let open = tokens::open_files(dirs, fix);
    let check = |path: PathBuf| {
        let message = format!(
            "the token in `{}` may be read by others: it is not used",
            path.display()
        );
        let hint =
            "have it revoked if others use this machine; `mem doctor --fix` makes it private";
        DoctorCheck::with_failure("tokens", message, hint)
    };
    open.into_iter().map(check).collect()
}
