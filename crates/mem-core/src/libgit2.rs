//! libgit2 without anybody's settings. Needs `unsafe`: its options are variables without a lock.
//!
//! Left to itself it reads the person's and the machine's git configuration for every repository
//! that it opens. The history is `mem`'s own: it must not change with a `compression` in
//! `~/.gitconfig`, and not fail with a typing error in it.

use std::sync::Once;

use git2::ConfigLevel;

/// Prepares libgit2, once for the process. Goes before every repository that is opened.
pub fn prepare() {
    static PREPARED: Once = Once::new();
    PREPARED.call_once(|| {
        for level in [
            ConfigLevel::ProgramData,
            ConfigLevel::System,
            ConfigLevel::XDG,
            ConfigLevel::Global,
        ] {
            #[expect(
                unsafe_code,
                reason = "sound here: nothing reads the paths before a repository is opened, and \
                          `Once` lets nobody open one before they are set"
            )]
            // Cannot fail: an empty path is copied into an empty string.
            let _ = unsafe { git2::opts::set_search_path(level, "") };
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_settings_but_its_own_are_read() {
        prepare();
        let dir = tempfile::tempdir().unwrap();
        let repo = git2::Repository::init_bare(dir.path()).unwrap();
        let config = repo.config().unwrap();
        let mut entries = config.entries(None).unwrap();
        while let Some(entry) = entries.next() {
            assert_eq!(entry.unwrap().level(), ConfigLevel::Local);
        }
    }
}
