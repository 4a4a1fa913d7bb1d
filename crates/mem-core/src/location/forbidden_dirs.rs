//! Directories that no settings file may turn into a memory.
//!
//! A memory directory is written to, listed, loaded into prompts and can be erased: pointing it at
//! keys, at a home or at the system would leak or destroy them.

use std::path::{Component, Path, PathBuf};

use crate::dirs::Dirs;

/// In the home directory, with all that is in them: keys, credentials, programs' settings.
const PRIVATE: &[&str] = &[
    ".azure",
    ".kube",
    ".docker",
    ".config",
    ".password-store",
    ".local/share/keyrings",
    ".local/bin",
    ".cargo",
    ".mozilla",
    ".thunderbird",
    "Library/Keychains",
    "Library/LaunchAgents",
    "Library/Application Support",
    "AppData",
];

/// Anywhere, with all that is in them.
const KEYS: &[&str] = &[".ssh", ".gnupg", ".aws", ".git"];

/// The system's, with all that is in them.
const SYSTEM: &[&str] = &[
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/proc",
    "/sbin",
    "/sys",
    "/usr",
    "/Applications",
    "/Library",
    "/System",
    "/private/etc",
    "C:\\Windows",
    "C:\\Program Files",
    "C:\\ProgramData",
];

/// The system's, themselves only: what people keep below is theirs.
const SHARED: &[&str] = &[
    "/home",
    "/media",
    "/mnt",
    "/opt",
    "/private",
    "/private/tmp",
    "/private/var",
    "/root",
    "/run",
    "/srv",
    "/tmp",
    "/var",
    "/var/lib",
    "/var/log",
    "/var/tmp",
    "/Users",
    "/Volumes",
    "C:\\Users",
];

/// Why a directory cannot be named by a settings file; `None` when it can. Looks at the path as
/// written and at where its symbolic links lead.
pub fn refusal(path: &Path, dirs: &Dirs, project_root: &Path) -> Option<&'static str> {
    let real = real(path);
    [path, &real].into_iter().find_map(|path| {
        too_wide(path, dirs.home.as_deref()).or_else(|| forbidden_reason(path, dirs, project_root))
    })
}

/// Why a directory cannot be a memory, whoever names it. Looks at the path as written and at where
/// its symbolic links lead.
pub(super) fn unfit(path: &Path, dirs: &Dirs) -> Option<&'static str> {
    let real = real(path);
    [path, &real]
        .into_iter()
        .find_map(|path| too_wide(path, dirs.home.as_deref()).or_else(|| in_use(path, dirs)))
}

/// Whether no memory can be in a directory, whoever named it.
pub(crate) fn is_unfit(path: &Path, dirs: &Dirs) -> bool {
    unfit(path, dirs).is_some()
}

/// Why a directory is too wide to be a memory.
fn too_wide(path: &Path, home: Option<&Path>) -> Option<&'static str> {
    if path.parent().is_none() {
        return Some("it is the root of the file system");
    }
    let homes = [home.map(Path::to_owned), home.map(real)];
    homes.into_iter().flatten().find_map(|home| {
        if path == home {
            Some("it is the home directory")
        } else if home.starts_with(path) {
            Some("it is a parent of the home directory")
        } else {
            None
        }
    })
}

/// Why a directory is not free to be a memory.
fn forbidden_reason(path: &Path, dirs: &Dirs, project_root: &Path) -> Option<&'static str> {
    if project_root.starts_with(path) {
        return Some("it is the project itself or a parent of it");
    }
    if path.components().any(|part| is_any_of(part, KEYS)) {
        return Some("it is where keys, credentials or a repository's own files live");
    }
    if let Some(reason) = in_use(path, dirs) {
        return Some(reason);
    }
    if SYSTEM.iter().any(|system| path.starts_with(system))
        || SHARED.iter().any(|shared| path == Path::new(shared))
    {
        return Some("it belongs to the system");
    }
    let in_base = path.starts_with(dirs.base.join("projects"));
    let homes = [dirs.home.clone(), dirs.home.as_deref().map(real)];
    let is_private = homes.iter().flatten().any(|home| {
        PRIVATE
            .iter()
            .any(|private| path.starts_with(home.join(private)))
    });
    (is_private && !in_base).then_some("it is where credentials or other programs' settings live")
}

/// Why a directory would mix memories with what the host or `mem` itself keeps.
fn in_use(path: &Path, dirs: &Dirs) -> Option<&'static str> {
    if path.is_file() {
        return Some("it is a file");
    }
    if path == dirs.base || path == dirs.projects() {
        return Some("it is the host's own directory");
    }
    let own = [&dirs.config, &dirs.state, &dirs.cache];
    own.into_iter()
        .any(|own| path.starts_with(own) || own.starts_with(path))
        .then_some("it is where mem keeps its own settings and state")
}

/// Compared without regard to case, as some file systems do.
fn is_any_of(part: Component<'_>, names: &[&str]) -> bool {
    names
        .iter()
        .any(|name| part.as_os_str().eq_ignore_ascii_case(name))
}

/// The path with the symbolic links of its existing part resolved.
fn real(path: &Path) -> PathBuf {
    for existing in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (existing.canonicalize(), path.strip_prefix(existing)) {
            return if rest.as_os_str().is_empty() {
                real
            } else {
                real.join(rest)
            };
        }
    }
    path.to_owned()
}
