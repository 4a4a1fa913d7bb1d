//! Folders of cached files, bounded by their number: the oldest are removed first.

use std::fs;
use std::path::Path;

/// Removes the oldest files of a folder whose names end with `ending`, until one more makes `most`. What cannot be
/// removed stays.
pub fn forget_oldest(folder: &Path, ending: &str, most: usize) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries
        .filter(|entry| entry.file_name().to_string_lossy().ends_with(ending))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    files.sort_unstable();
    let surplus = (files.len() + 1).saturating_sub(most);
    for (_, path) in files.iter().take(surplus) {
        // Another run may have removed it.
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_are_forgotten() {
        let temp = tempfile::tempdir().unwrap();
        for number in 0..9 {
            fs::File::create(temp.path().join(number.to_string())).unwrap();
        }
        forget_oldest(temp.path(), "", 4);
        assert_eq!(fs::read_dir(temp.path()).unwrap().count(), 3);
    }
}
