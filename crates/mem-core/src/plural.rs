//! Numbers of things, as people write them.

/// `1 file`, `2 files`.
pub fn format_count(count: usize, one: &str, many: &str) -> String {
    let word = if count == 1 { one } else { many };
    format!("{count} {word}")
}

/// [`format_count`] for files.
pub fn count_files(count: usize) -> String {
    format_count(count, "file", "files")
}
