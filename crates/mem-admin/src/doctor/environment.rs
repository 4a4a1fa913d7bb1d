//! The world around: directories, settings and git.

use std::fs;
use std::path::Path;
use std::process::Command;

use mem_core::plural::format_count;
use mem_core::{Config, Dirs, atomic, leftovers};

use super::check::DoctorCheck;
use super::program::MemPrograms;
use mem_core::RunContext;

pub(crate) fn environment_checks(
    run: &RunContext,
    programs: Option<&MemPrograms>,
    fix: bool,
) -> Vec<DoctorCheck> {
    let mut checks = vec![git_check(run)];
    checks.extend(programs.map(MemPrograms::path_checks).unwrap_or_default());
    let dirs = match run.dirs() {
        Ok(dirs) => dirs,
        Err(error) => {
            checks.push(DoctorCheck::from_error("home", &error));
            return checks;
        }
    };
    checks.push(home_check(dirs));
    checks.push(state_check(dirs, fix));
    checks.extend(leftover_check(dirs, fix));
    checks.push(match Config::load(dirs, &run.env, None, &[]) {
        Ok(_) if dirs.config_file().exists() => {
            DoctorCheck::with_ok("settings", dirs.config_file().display().to_string())
        }
        Ok(_) => DoctorCheck::with_ok("settings", "none; every default holds"),
        Err(error) => DoctorCheck::from_error("settings", &error),
    });
    checks.extend(damaged_check(dirs));
    checks
}

fn home_check(dirs: &Dirs) -> DoctorCheck {
    match dirs.base.is_dir() {
        true => DoctorCheck::with_ok("base", dirs.base.display().to_string()),
        false => absent_check("base", &dirs.base),
    }
}

/// A directory that is made when it is needed.
fn absent_check(name: &'static str, directory: &Path) -> DoctorCheck {
    let shown = directory.display();
    match atomic::check_writable(directory) {
        Ok(()) => DoctorCheck::with_ok(name, format!("{shown} (not there yet)")),
        Err(error) => DoctorCheck::from_io(
            name,
            format!("{shown} is not there and cannot be made"),
            directory,
            error,
        ),
    }
}

/// Whether the state is the owner's alone.
fn state_check(dirs: &Dirs, fix: bool) -> DoctorCheck {
    let state = dirs.state.display();
    if !dirs.state.exists() {
        return absent_check("state", &dirs.state);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        if fix {
            // Told below where it did not help.
            let _ = fs::set_permissions(&dirs.state, fs::Permissions::from_mode(0o700));
        }
        let mode = fs::metadata(&dirs.state).map_or(0, |meta| meta.permissions().mode() & 0o777);
        if mode & 0o077 != 0 {
            let message = format!("{state} can be read by others (mode {mode:03o})");
            return DoctorCheck::with_failure(
                "state",
                message,
                "`mem doctor --fix` makes it private",
            );
        }
    }
    // Elsewhere a home directory is its user's alone.
    #[cfg(not(unix))]
    let _ = fix;
    let probe = tempfile::Builder::new()
        .prefix(".mem-tmp-")
        .tempfile_in(&dirs.state);
    match probe {
        Ok(_) => DoctorCheck::with_ok("state", format!("{state}, private, can be written")),
        Err(error) => {
            let message = format!("{state} cannot be written: {error}");
            DoctorCheck::from_io("state", message, &dirs.state, error)
        }
    }
}

/// State files that were set aside because they could not be read.
fn damaged_check(dirs: &Dirs) -> Option<DoctorCheck> {
    let entries = fs::read_dir(&dirs.state).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let found: Vec<String> = names.filter(|name| name.contains(".damaged-")).collect();
    (!found.is_empty()).then(|| {
        let message = format!("set aside because they were damaged: {}", found.join(", "));
        DoctorCheck::with_warning("leftovers", message, "look at them, then remove them")
    })
}

/// What killed runs left beside what they were writing.
fn leftover_check(dirs: &Dirs, fix: bool) -> Option<DoctorCheck> {
    if fix && let Err(error) = leftovers::sweep(dirs) {
        return Some(DoctorCheck::from_error("leftovers", &error));
    }
    let count = leftovers::of(dirs).len();
    (count > 0).then(|| {
        let message = format!(
            "killed runs left {}, plain, in the directories of mem",
            format_count(count, "temporary file", "temporary files")
        );
        DoctorCheck::with_warning("leftovers", message, "`mem doctor --fix` removes them")
    })
}

fn git_check(run: &RunContext) -> DoctorCheck {
    let lacking = "everything but sharing over git works without it";
    let mut command = Command::new("git");
    if let Some(path) = run.env.get("PATH") {
        command.env("PATH", path);
    }
    match command.arg("--version").output() {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout);
            let version = text.trim().trim_start_matches("git version ").to_owned();
            DoctorCheck::with_ok("git", version)
        }
        Ok(_) => DoctorCheck::with_warning("git", "it does not run", lacking),
        Err(_) => DoctorCheck::with_warning("git", "it is not on the PATH", lacking),
    }
}
