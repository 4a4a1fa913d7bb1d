//! What killed processes leave of files that they were replacing: `.mem-tmp-…`, as plain as what it was made of, and
//! nobody's any more. What a process that lives is writing is never touched.

use std::fs::{self};
use std::io;
use std::path::{Path, PathBuf};

use crate::atomic::TEMP_PREFIX;
use crate::dirs::Dirs;
use crate::regular_file;
use crate::state_file::{StateError, refused};

/// Objects of histories are put into their place in another way, and are many.
const OBJECTS: &str = "objects";

/// Those in everything that `mem` keeps for a person beside their memories.
pub fn of(dirs: &Dirs) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in [&dirs.state, &dirs.cache, &dirs.config] {
        list_folder(folder, true, &mut found);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Those in one folder, not in the folders in it.
pub fn beside(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    list_folder(folder, false, &mut found);
    found
}

/// Removes all of [`of`], and tells how many those were.
///
/// # Errors
/// One cannot be removed; the others are gone.
pub fn sweep(dirs: &Dirs) -> Result<usize, StateError> {
    let (mut count, mut failed) = (0, None);
    for path in of(dirs) {
        match regular_file::if_there(fs::remove_file(&path)) {
            Ok(removed) => count += usize::from(removed.is_some()),
            Err(error) => failed = failed.or(Some(refused("remove", &path)(error))),
        }
    }
    failed.map_or(Ok(count), Err)
}

/// Links are not followed.
fn list_folder(folder: &Path, is_deep: bool, found: &mut Vec<PathBuf>) {
    let is_of_git = folder.extension().is_some_and(|end| end == "git");
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && is_deep && !(is_of_git && name == OBJECTS) => {
                list_folder(&path, is_deep, found);
            }
            Ok(kind) if kind.is_file() => {
                let pid = name.to_str().and_then(writer);
                if pid.is_some_and(|pid| !is_running(pid)) && is_free(&path) {
                    found.push(path);
                }
            }
            _ => {}
        }
    }
}

/// The process that a temporary file is of, by its name.
fn writer(name: &str) -> Option<u32> {
    let rest = name.strip_prefix(TEMP_PREFIX)?;
    let pid = rest.split('-').next().unwrap_or(rest);
    pid.parse().ok().filter(|pid| *pid > 0)
}

/// Whether another process of this number runs. This one writes nothing while it looks, unless it holds it: in a
/// container every run may have the same number.
#[cfg(unix)]
fn is_running(pid: u32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let number = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let missing = |pid| test_kill_process(pid) == Err(rustix::io::Errno::SRCH);
    pid != std::process::id() && number.is_some_and(|pid| !missing(pid)) && !has_ended(pid)
}

/// Whether a process has ended and nobody has asked how: its number stays, and it writes nothing any more.
#[cfg(target_os = "linux")]
fn has_ended(pid: u32) -> bool {
    // The name before the state stands in brackets, and may hold any character.
    regular_file::read_text(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        let state = stat.rsplit_once(") ").map_or("", |(_, state)| state);
        state.starts_with(['Z', 'X'])
    })
}

/// Nobody can tell here.
#[cfg(all(unix, not(target_os = "linux")))]
fn has_ended(_pid: u32) -> bool {
    false
}

/// Nobody can tell here.
#[cfg(not(unix))]
fn is_running(_pid: u32) -> bool {
    true
}

/// Whoever writes holds a lock on it, also where the numbers of processes are others, as in a container.
fn is_free(path: &Path) -> bool {
    match regular_file::open(path) {
        Ok(file) => !matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)),
        // One that cannot be opened may still be removed.
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;
    use crate::sealing::StateKeys;

    /// The number of a process that has ended.
    fn ended() -> u32 {
        let mut child = Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        child.id()
    }

    #[test]
    fn what_the_dead_left_goes_and_what_somebody_is_writing_stays() {
        let home = tempfile::tempdir().unwrap();
        let dirs = Dirs {
            home: None,
            base: home.path().join("base"),
            config: home.path().join("config"),
            state: home.path().join("state"),
            cache: home.path().join("cache"),
            managed: home.path().join("managed"),
            seals: StateKeys::default(),
        };
        let put = |folder: &Path, name: String| {
            fs::create_dir_all(folder).unwrap();
            crate::atomic::replace_file(&folder.join(&name), b"plain").unwrap();
            folder.join(name)
        };
        let mut living = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let (dead, inbox) = (ended(), dirs.state.join("stores/x/inbox"));
        let keys = put(&dirs.config, format!("{TEMP_PREFIX}{dead}-17"));
        let mut left = vec![
            keys.clone(),
            put(&inbox, format!("{TEMP_PREFIX}{dead}-0")),
            put(&dirs.cache, format!("{TEMP_PREFIX}{dead}")),
            put(&inbox, format!("{TEMP_PREFIX}{}-9", std::process::id())),
        ];
        left.sort();
        let held = put(&inbox, format!("{TEMP_PREFIX}{dead}-1"));
        let lock = fs::File::open(&held).unwrap();
        lock.lock().unwrap();
        let others = [
            put(&inbox, format!("{TEMP_PREFIX}{}-0", living.id())),
            put(&inbox, format!("{TEMP_PREFIX}of-nobody")),
            put(&inbox, "1.json".to_owned()),
            held,
        ];
        assert_eq!(of(&dirs), left);
        assert_eq!(beside(&dirs.config), [keys]);
        assert!(beside(&dirs.state).is_empty());
        assert_eq!(sweep(&dirs).unwrap(), left.len());
        assert!(of(&dirs).is_empty() && others.iter().all(|path| path.exists()));
        drop(living.stdin.take());
        living.wait().unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_nobody_has_asked_for_its_end_is_dead() {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let file = folder.path().join(format!("{TEMP_PREFIX}{}-0", child.id()));
        crate::atomic::replace_file(&file, b"plain").unwrap();
        assert!(beside(folder.path()).is_empty(), "it lives");
        drop(child.stdin.take());
        let pid = Pid::from_child(&child);
        let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(pid), ended).unwrap();
        assert_eq!(beside(folder.path()), [file]);
        child.wait().unwrap();
    }
}
