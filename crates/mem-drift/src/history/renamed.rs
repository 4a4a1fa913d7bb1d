//! The new name of an identifier that a commit removed: a line that is the same but for one word.

use super::fate::deltas_of;
use super::walk::{LostSymbol, Past};
use crate::checkout::Checkout;
use crate::limits::BLOB_BYTES_MAX;

/// Lines that are tried.
const LINES_TRIED_MAX: usize = 8;

/// Files of the commit in which the new name must not have been.
const OLD_FILES_MAX: usize = 256;

/// The name that stands where the word stood, if the commit put one there.
pub(crate) fn new_name(
    checkout: &Checkout,
    past: &Past,
    lost: &LostSymbol,
    word: &str,
) -> Option<String> {
    let deltas = deltas_of(checkout, past, lost.commit);
    let old = deltas.iter().find(|delta| delta.path == lost.path)?.old?;
    let old = checkout.blob(old, BLOB_BYTES_MAX)?;
    let old = String::from_utf8_lossy(&old);
    let olds = deltas
        .iter()
        .filter_map(|delta| checkout.blob(delta.old?, BLOB_BYTES_MAX));
    let olds: Vec<Vec<u8>> = olds.take(OLD_FILES_MAX).collect();
    let is_new = |name: &String| {
        !olds
            .iter()
            .any(|old| String::from_utf8_lossy(old).contains(name.as_str()))
    };
    let lines: Vec<(&str, &str)> = old
        .lines()
        .filter_map(|line| line.split_once(word))
        .filter(|(front, back)| {
            (front.trim().len() >= 2 || back.trim().len() >= 4) && is_edge(front, back)
        })
        .take(LINES_TRIED_MAX)
        .collect();
    let news = deltas.iter().filter(|delta| {
        let same_ending = ending(&delta.path) == ending(&lost.path);
        delta.path == lost.path || (delta.is_addition() && same_ending)
    });
    news.filter_map(|delta| checkout.blob(delta.new?, BLOB_BYTES_MAX))
        .find_map(|new| replaced(&String::from_utf8_lossy(&new), &lines, word))
        .filter(is_new)
}

fn ending(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'.').next().unwrap_or_default()
}

fn is_edge(front: &str, back: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    !front.ends_with(is_part) && !back.starts_with(is_part)
}

/// The identifier that a line of the new text has between the same words.
fn replaced(new: &str, lines: &[(&str, &str)], word: &str) -> Option<String> {
    new.lines().find_map(|line| {
        lines.iter().find_map(|(front, back)| {
            let name = line.strip_prefix(front)?.strip_suffix(back)?;
            let is_name = !name.is_empty()
                && name != word
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || c == '_' || c == '-')
                && !name.starts_with(|c: char| c.is_ascii_digit());
            is_name.then(|| name.to_owned())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_differs() {
        let lines = [("fn ", "(t: &str) -> bool {")];
        let new = "x\nfn verify_session(t: &str) -> bool {\n";
        assert_eq!(
            replaced(new, &lines, "check").as_deref(),
            Some("verify_session")
        );
        assert_eq!(replaced("fn a b(t: &str) -> bool {", &lines, "check"), None);
    }
}
