//! A git whose process was killed: it goes on, holds the lock of the copy, and may wait for a remote that
//! never answers. Whoever wants the lock next ends it.
//!
//! Beside its lock a run leaves which process it belongs to. It is believed only as far as the system
//! confirms it: that process works in this very copy, in the group that was begun for it, and its parent is gone.

use std::fs::File;
use std::path::Path;
use std::process::Child;

#[cfg(target_os = "linux")]
use mem_core::regular_file;

use super::running::GroupSignal;

/// Bytes of what is written: the numbers of this process, of git and of its group.
#[cfg(target_os = "linux")]
const HOLDER_BYTES: usize = 33;

/// Writes into the lock which git holds it.
pub(super) fn write_lock_holder(lock: &File, child: &Child, group: u32) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileExt as _;
        let text = format!(
            "{:>10} {:>10} {group:>10}\n",
            std::process::id(),
            child.id()
        );
        // Without it the next one waits: nothing is lost.
        let _ = lock.write_all_at(text.as_bytes(), 0);
    }
    #[cfg(not(unix))]
    let _ = (lock, child, group);
}

/// Ends the git that holds this lock, if nobody waits for it any more.
#[cfg(target_os = "linux")]
pub(super) fn end_orphan(lock: &File, copy: &Path, how: GroupSignal) {
    if let Some(holder) = read_lock_holder(lock)
        && is_orphan(holder, copy)
    {
        let [_, _, group] = holder;
        super::running::end_group(group, how);
    }
}

/// Elsewhere it cannot be told whose process one is.
#[cfg(not(target_os = "linux"))]
pub(super) fn end_orphan(_: &File, _: &Path, _: GroupSignal) {}

#[cfg(target_os = "linux")]
fn read_lock_holder(lock: &File) -> Option<[u32; 3]> {
    use std::os::unix::fs::FileExt as _;
    let mut bytes = [0; HOLDER_BYTES];
    lock.read_exact_at(&mut bytes, 0).ok()?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let mut words = text.split_whitespace().map(|word| word.parse().ok());
    Some([words.next()??, words.next()??, words.next()??])
}

#[cfg(target_os = "linux")]
fn is_orphan([parent, git, group]: [u32; 3], copy: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt as _;
    let place = Path::new("/proc").join(git.to_string());
    let of = |name: &str| regular_file::read_whole(place.join(name)).unwrap_or_default();
    // The number may belong to another process by now. Three things agree only for our git: it works in this copy, it
    // is in the group that was begun for it, and its parent is another one than the process that began it.
    let ours = [b"GIT_DIR=", copy.as_os_str().as_bytes()].concat();
    let is_ours = of("environ")
        .split(|byte| *byte == 0)
        .any(|pair| pair == ours);
    // After the name, which may hold anything: state, parent, group.
    let stat = String::from_utf8_lossy(&of("stat")).into_owned();
    let fields = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
    let mut fields = fields.split(' ').skip(1).map(|field| field.parse().ok());
    let now = (fields.next().flatten(), fields.next().flatten());
    is_ours && now.0.is_some_and(|now: u32| now != parent) && now.1 == Some(group)
}
