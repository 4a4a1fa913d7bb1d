//! Memory files as something other than `mem` writes them.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::repo::Repo;

/// 2026-01-01T00:00:00Z, when the clock of the tests starts.
const START: Duration = Duration::from_secs(1_767_225_600);

impl Repo<'_> {
    /// The memory directory, as `mem` tells it.
    #[track_caller]
    pub fn memory(&self) -> PathBuf {
        PathBuf::from(self.mem(["path"]).assert_ok().line())
    }

    /// Writes a memory file behind the back of `mem`, with a modification time of the clock.
    #[track_caller]
    pub fn edit_note(&self, file: &str, content: &str) {
        let path = self.memory().join(file);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        fs::write(&path, content).expect("a file");
        let time = SystemTime::UNIX_EPOCH + START + self.env().elapsed();
        let written = File::options().write(true).open(&path);
        let stamped = written.and_then(|file| file.set_modified(time));
        stamped.expect("a modification time");
    }

    /// The content of a memory file; `None` where there is none.
    #[track_caller]
    pub fn note(&self, file: &str) -> Option<String> {
        fs::read_to_string(self.memory().join(file)).ok()
    }
}
