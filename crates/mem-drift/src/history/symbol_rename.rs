//! The new name of an identifier that a commit removed: a line that is the same but for one word, and of those that the
//! commit brought the one whose name or body is nearest to the old one. Where none is near, it was removed.

use super::declaration::line_declares;
use super::path_change::deltas_of;
use super::similar::similarity_percent;
use super::walk::{LostSymbol, WalkOutcome};
use crate::checkout::Checkout;
use crate::limits::{BLOB_BYTES_MAX, RENAME_SIMILARITY_PERCENT_MIN};

/// Lines that are tried.
const LINES_TRIED_MAX: usize = 8;

/// Lines of a declaration that are compared.
const BODY_LINES_MAX: usize = 100;

/// A shorter declaration is like many.
const DECLARATION_BYTES_MIN: usize = 24;

/// Bodies that share less, in percent, are not of one declaration, however near the names are.
const BODY_SIMILARITY_PERCENT_MIN: usize = 20;

/// Files of the commit in which the new name must not have been.
const OLD_FILES_MAX: usize = 256;
/// How many files that the commit added are looked through for the new name.
const ADDED_FILES_MAX: usize = 64;

/// A line that held the old name.
struct NamedLine<'a> {
    front: &'a str,
    back: &'a str,
    body: Body,
}

/// What stands with a declaration; nothing where the name is only used.
#[derive(Default)]
struct Body {
    text: String,
    /// Whether these are the lines that are indented below it, and not those around it.
    is_own: bool,
}

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
    let lines = named_lines(&old, word);
    let own = deltas.iter().filter(|delta| delta.path == lost.path);
    let added = deltas.iter().filter(|delta| {
        let same_ending = file_ending(&delta.path) == file_ending(&lost.path);
        delta.path != lost.path && delta.is_addition() && same_ending
    });
    let found = own.chain(added.take(ADDED_FILES_MAX)).filter_map(|delta| {
        let new = checkout.read_blob(delta.new?, BLOB_BYTES_MAX)?;
        let new = String::from_utf8_lossy(&new);
        let (nearness, name) = find_replacement(&new, &lines, word, &is_new)?;
        Some(((nearness, delta.path == lost.path), name))
    });
    found.max_by_key(|(key, _)| *key).map(|(_, name)| name)
}

/// The lines of the old text that hold the word and enough beside it.
fn named_lines<'a>(old: &'a str, word: &str) -> Vec<NamedLine<'a>> {
    let all: Vec<&str> = old.lines().collect();
    let split = |(at, line): (usize, &&'a str)| {
        let (front, back) = line.split_once(word)?;
        let is_enough = front.trim().len() >= 2 || back.trim().len() >= 4;
        (is_enough && is_edge(front, back)).then(|| NamedLine {
            front,
            back,
            body: body_of(&all, at, word),
        })
    };
    let found = all.iter().enumerate().filter_map(split);
    found.take(LINES_TRIED_MAX).collect()
}

/// The body of a name that a line declares: the lines that are indented below it, else those around it.
fn body_of(lines: &[&str], at: usize, name: &str) -> Body {
    let Some(line) = lines
        .get(at)
        .filter(|line| line_declares(line, name, false))
    else {
        return Body::default();
    };
    let own = indentation(line);
    let below = lines.iter().skip(at + 1).take(BODY_LINES_MAX);
    let below = below.take_while(|line| {
        let text = line.trim_start();
        text.is_empty() || text.starts_with(['{', ')']) || indentation(line) > own
    });
    let has_words = |line: &&str| line.contains(char::is_alphanumeric);
    let mut body: Vec<&str> = below.copied().filter(has_words).collect();
    let is_own = !body.is_empty();
    if !is_own {
        let around = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        let around = around.filter_map(|at| lines.get(at).copied());
        body = around.filter(has_words).collect();
    }
    let text = body.iter().flat_map(|line| [line.trim(), "\n"]).collect();
    Body { text, is_own }
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn file_ending(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'.').next().unwrap_or_default()
}

fn is_edge(front: &str, back: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    !front.ends_with(is_part) && !back.starts_with(is_part)
}

/// The identifier, new to the commit, that a line of the new text has between the same words, with how near it is: the
/// nearest of them.
fn find_replacement(
    new: &str,
    lines: &[NamedLine<'_>],
    word: &str,
    is_new: &dyn Fn(&str) -> bool,
) -> Option<(usize, String)> {
    let all: Vec<&str> = new.lines().collect();
    let mut nearest: Option<(usize, String)> = None;
    for (at, line) in all.iter().enumerate() {
        for named in lines {
            let Some(name) = name_between(line, named).filter(|name| *name != word) else {
                continue;
            };
            let nearness = nearness_percent(named, word, &body_of(&all, at, name), name);
            let least = nearest
                .as_ref()
                .map_or(RENAME_SIMILARITY_PERCENT_MIN, |(nearness, _)| *nearness);
            if nearness > least && is_new(name) {
                nearest = Some((nearness, name.to_owned()));
            }
        }
    }
    nearest
}

/// The identifier that a line has where another one had the old name.
fn name_between<'a>(line: &'a str, named: &NamedLine<'_>) -> Option<&'a str> {
    let name = line.strip_prefix(named.front)?.strip_suffix(named.back)?;
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || c == '_' || c == '-')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    is_name.then_some(name)
}

/// How near another name and its body are to the old ones. Lines around tell something only of a function of one line, or
/// of names that share a part: in a list of modules or constants any two lines have them in common.
fn nearness_percent(named: &NamedLine<'_>, word: &str, body: &Body, name: &str) -> usize {
    let by_name = shared_parts_percent(word, name);
    let by_body = similarity_percent(named.body.text.as_bytes(), body.text.as_bytes());
    let has_bodies = named.body.is_own && body.is_own;
    let is_function = named.back.starts_with(['(', '<']);
    let length = named.front.len() + named.back.len() + named.body.text.len();
    match has_bodies {
        true if by_body < BODY_SIMILARITY_PERCENT_MIN => 0,
        false if by_name == 0 && !is_function => 0,
        _ if length < DECLARATION_BYTES_MIN => by_name,
        _ => by_name.max(by_body),
    }
}

/// How many of the parts of the longer name both have.
fn shared_parts_percent(one: &str, other: &str) -> usize {
    let (one, other) = (name_parts(one), name_parts(other));
    let shared = one.iter().filter(|part| other.contains(part)).count();
    shared * 100 / one.len().max(other.len()).max(1)
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

    fn nearest_name(old: &str, new: &str, word: &str) -> Option<String> {
        let found = find_replacement(new, &named_lines(old, word), word, &|_| true);
        found.map(|(_, name)| name)
    }

    #[test]
    fn one_word_differs() {
        let body = "    let parts = t.split('.');\n    parts.count() == 3\n}\n";
        let old = format!("fn check(t: &str) -> bool {{\n{body}");
        let new = format!("x\nfn verify_session(t: &str) -> bool {{\n{body}");
        let renamed = Some("verify_session".to_owned());
        assert_eq!(nearest_name(&old, &new, "check"), renamed);
        let two = format!("fn a b(t: &str) -> bool {{\n{body}");
        assert_eq!(nearest_name(&old, &two, "check"), None);
    }

    #[test]
    fn of_the_new_declarations_the_nearest_counts() {
        let old = "def test_inert_in_back_end():\n    assert heat(1) == heat(2)\n";
        let acid = "def test_acid_is_short():\n    assert acid() < 1\n\n";
        let word = "test_inert_in_back_end";
        assert_eq!(nearest_name(old, acid, word), None);
        let longer = old.replace("in_back", "in_the_hardenability_back");
        let renamed = Some("test_inert_in_the_hardenability_back_end".to_owned());
        assert_eq!(nearest_name(old, &format!("{acid}{longer}"), word), renamed);
        let screen = |name: &str| format!("export const {name} = () => {{\n}}\n");
        let new = screen("CategoriesChartScreen");
        let old = screen("TransactionsScreen");
        assert_eq!(nearest_name(&old, &new, "TransactionsScreen"), None);
    }

    #[test]
    fn a_method_is_renamed_where_its_body_stays() {
        let body = "        return this.rows.filter(row -> row.isOpen());\n    }\n";
        let other = "        this.rows = List.of();\n        this.isOpen = false;\n    }\n";
        for front in ["    ", "    public List<Row> ", "func (s *Store) "] {
            let method = |name: &str, body: &str| format!("{front}{name}() {{\n{body}");
            let old = method("load", body);
            let new = method("clear", other) + &method("loadAll", body);
            let renamed = Some("loadAll".to_owned());
            assert_eq!(nearest_name(&old, &new, "load"), renamed, "{front}");
            // A near name alone is not enough where the bodies differ.
            let (old, new) = (
                method("load_all_rows", body),
                method("drop_all_rows", other),
            );
            assert_eq!(nearest_name(&old, &new, "load_all_rows"), None, "{front}");
        }
        let list = |name: &str| format!("const first = 1;\nconst {name} = 2;\nconst last = 3;\n");
        assert_eq!(
            nearest_name(&list("apples"), &list("pears"), "apples"),
            None
        );
    }

    #[test]
    fn a_use_of_something_else_is_no_rename() {
        let name = |new: &str, word: &str| nearest_name(&format!("{word} = \"1\""), new, word);
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
