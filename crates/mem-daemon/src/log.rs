//! What a daemon says, one line each, in mem's state: three files of 5 MB at most, no contents.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use mem_core::regular_file::if_there;
use mem_core::{Now, atomic, regular_file};

use mem_core::foreign_text::one_line;

/// A log of more bytes is set aside.
const LOG_BYTES_MAX: u64 = 5 << 20;
/// So many are kept, the current one included.
const LOGS_MAX: usize = 3;
/// Of one remark, so much is kept.
const REMARK_CHARS_MAX: usize = 500;

/// The files of a log, the oldest first, whether or not they are there.
pub fn log_files(path: &Path) -> Vec<PathBuf> {
    (0..LOGS_MAX)
        .rev()
        .map(|age| rotated_path(path, age))
        .collect()
}

/// Adds a line. That it cannot be written, on a full disk say, is no reason to fail.
pub fn add_remark(path: &Path, now: Now, remark: &str) {
    let remark = one_line(remark);
    let remark: String = remark.chars().take(REMARK_CHARS_MAX).collect();
    let line = format!("{} {remark}\n", now.0.strftime("%Y-%m-%dT%H:%M:%SZ"));
    let _ = append_line(path, line.as_bytes(), LOG_BYTES_MAX);
}

fn append_line(path: &Path, line: &[u8], bytes_max: u64) -> io::Result<()> {
    let mut file = open_log(path)?;
    if file.metadata()?.len() + line.len() as u64 > bytes_max {
        drop(file);
        set_aside(path)?;
        file = open_log(path)?;
    }
    file.write_all(line)
}

fn open_log(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        atomic::create_dirs(folder)?;
    }
    regular_file::append(path)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a log need not be on the disk before it goes on"
)]
fn set_aside(path: &Path) -> io::Result<()> {
    for age in (1..LOGS_MAX).rev() {
        if_there(std::fs::rename(
            rotated_path(path, age - 1),
            rotated_path(path, age),
        ))?;
    }
    Ok(())
}

fn rotated_path(path: &Path, age: usize) -> PathBuf {
    match age {
        0 => path.to_owned(),
        age => {
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".{age}"));
            name.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_files_are_kept_and_none_grows_beyond_its_bound() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("a/d.log");
        for number in 0..1_000 {
            append_line(&path, format!("line {number:05}\n").as_bytes(), 1_000).unwrap();
        }
        let sizes = log_files(&path).into_iter().map(|file| {
            let text = std::fs::read_to_string(file).unwrap();
            assert!(text.lines().all(|line| line.len() == 10), "{text}");
            text.len()
        });
        let sizes: Vec<usize> = sizes.collect();
        assert_eq!(sizes.len(), LOGS_MAX);
        assert!(sizes.iter().all(|size| *size <= 1_000), "{sizes:?}");
        let newest = std::fs::read_to_string(&path).unwrap();
        assert!(newest.ends_with("line 00999\n"));
        assert_eq!(std::fs::read_dir(temp.path().join("a")).unwrap().count(), 3);
    }
}
