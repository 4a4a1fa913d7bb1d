//! The new name of an identifier that a commit removed: a line that is the same but for one word.

use super::path_change::deltas_of;
use super::walk::{LostSymbol, WalkOutcome};
use crate::checkout::Checkout;
use crate::limits::BLOB_BYTES_MAX;

/// Lines that are tried.
const LINES_TRIED_MAX: usize = 8;

/// Files of the commit in which the new name must not have been.
const OLD_FILES_MAX: usize = 256;

/// Words after which a name is defined, in the usual languages.
const DEFINING: &str = "fn def class struct enum trait type const static let var val func function interface \
     impl module mod namespace record object protocol union macro_rules! #define defn sub proc method \
     export async alias typedef package";

/// The name that stands where the word stood, if the commit put one there.
pub(crate) fn new_name(
    checkout: &Checkout,
    past: &WalkOutcome,
    lost: &LostSymbol,
    word: &str,
) -> Option<String> {
    let deltas = deltas_of(checkout, past, lost.commit);
    let old = deltas.iter().find(|delta| delta.path == lost.path)?.old?;
    let old = checkout.read_blob(old, BLOB_BYTES_MAX)?;
    let old = String::from_utf8_lossy(&old);
    let olds = deltas
        .iter()
        .filter_map(|delta| checkout.read_blob(delta.old?, BLOB_BYTES_MAX));
    let olds: Vec<Vec<u8>> = olds.take(OLD_FILES_MAX).collect();
    let is_new = |name: &str| {
        !olds
            .iter()
            .any(|old| String::from_utf8_lossy(old).contains(name))
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
        let same_ending = file_ending(&delta.path) == file_ending(&lost.path);
        delta.path == lost.path || (delta.is_addition() && same_ending)
    });
    news.filter_map(|delta| checkout.read_blob(delta.new?, BLOB_BYTES_MAX))
        .find_map(|new| find_replacement(&String::from_utf8_lossy(&new), &lines, word, &is_new))
}

fn file_ending(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'.').next().unwrap_or_default()
}

fn is_edge(front: &str, back: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    !front.ends_with(is_part) && !back.starts_with(is_part)
}

/// The identifier, new to the commit, that a line of the new text has between the same words.
fn find_replacement(
    new: &str,
    lines: &[(&str, &str)],
    word: &str,
    is_new: &dyn Fn(&str) -> bool,
) -> Option<String> {
    new.lines().find_map(|line| {
        lines.iter().find_map(|(front, back)| {
            let name = line.strip_prefix(front)?.strip_suffix(back)?;
            let is_name = !name.is_empty()
                && name != word
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || c == '_' || c == '-')
                && !name.starts_with(|c: char| c.is_ascii_digit());
            let is_renamed = is_definition(front) || is_alike(word, name);
            (is_name && is_renamed && is_new(name)).then(|| name.to_owned())
        })
    })
}

/// Whether what follows is defined here, and not merely used: of a use, another thing may have taken
/// its place.
fn is_definition(front: &str) -> bool {
    let last = front.split_whitespace().next_back().unwrap_or_default();
    DEFINING.split_ascii_whitespace().any(|word| word == last)
}

/// Whether two names share half of the parts of the shorter one.
fn is_alike(one: &str, other: &str) -> bool {
    let (one, other) = (name_parts(one), name_parts(other));
    let shared = one.iter().filter(|part| other.contains(part)).count();
    shared > 0 && shared * 2 >= one.len().min(other.len())
}

/// `load_all`, `loadAll` and `LOAD-ALL` are made of the same parts.
fn name_parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && was_lower) {
            parts.push(String::new());
        }
        was_lower = c.is_lowercase();
        if let Some(part) = parts.last_mut().filter(|_| c.is_alphanumeric()) {
            part.extend(c.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_differs() {
        let lines = [("fn ", "(t: &str) -> bool {")];
        let new = "x\nfn verify_session(t: &str) -> bool {\n";
        assert_eq!(
            find_replacement(new, &lines, "check", &|_| true).as_deref(),
            Some("verify_session")
        );
        assert_eq!(
            find_replacement("fn a b(t: &str) -> bool {", &lines, "check", &|_| true),
            None
        );
    }

    #[test]
    fn a_use_of_something_else_is_no_rename() {
        let name =
            |new: &str, word: &str| find_replacement(new, &[("", " = \"1\"")], word, &|_| true);
        assert_eq!(name("aho-corasick = \"1\"", "lazy_static"), None);
        let renamed = Some("find_insert_index".to_owned());
        assert_eq!(
            name("find_insert_index = \"1\"", "find_insert_slot"),
            renamed
        );
        assert_eq!(
            name("LIBC_BUILD_VERBOSE = \"1\"", "RUST_LIBC_LINUX_TIME"),
            None
        );
        assert_eq!(
            name_parts("loadAll-ORDERS_2"),
            ["load", "all", "orders", "2"]
        );
    }
}
