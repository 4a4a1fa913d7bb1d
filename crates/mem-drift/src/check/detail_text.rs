//! The words of details: paths and commits as a person reads them.

use jiff::Timestamp;

use crate::history::WalkOutcome;

/// Digits of a commit's id that are shown.
const ID_DIGITS: usize = 9;

/// A path without control characters; bytes that are not UTF-8 are replaced.
pub(super) fn printable_path(path: &[u8]) -> String {
    let text = String::from_utf8_lossy(path);
    let plain: String = text.chars().filter(|c| !c.is_control()).collect();
    format!("`{plain}`")
}

/// `1a2b3c4d5 on 2026-11-20`.
pub(super) fn describe_commit(past: &WalkOutcome, at: usize) -> String {
    let Some(met) = past.commits.get(at) else {
        return "an unknown commit".to_owned();
    };
    let id = met.id.to_string();
    let day = Timestamp::from_second(met.seconds).map(|time| time.strftime("%Y-%m-%d").to_string());
    match day {
        Ok(day) => format!("{} on {day}", &id[..ID_DIGITS]),
        Err(_) => id[..ID_DIGITS].to_owned(),
    }
}

/// `1 commit`, `2 commits`.
pub(super) fn format_count(number: usize, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else {
        format!("{number} {noun}s")
    }
}
