//! The name of a project's directory under `<base>/projects`, exactly as Claude Code makes it.
//!
//! The rules are those of its documentation (sessions) and of the MIT-licensed Agent SDK. They are
//! not injective: different paths may share a slug, as they do for the host.

use std::fs;
use std::path::Path;

use unicode_normalization::UnicodeNormalization as _;

use crate::compact_sort::CompactSort as _;
use crate::dirs::Dirs;
use crate::environment::Environment;

/// Longer slugs are cut here and carry a hash.
pub const SLUG_CHARS_MAX: usize = 200;
/// The longest value of `CLAUDE_CODE_PROJECT_DIR_NAME`.
const GIVEN_NAME_CHARS_MAX: usize = 64;

/// The slug of a path that is free of symbolic links: each UTF-16 unit outside `[A-Za-z0-9]` becomes `-`, in whichever
/// normal form the path is; over 200 characters the first 200, `-` and a hash of the path. Seen in Claude Code 2.1.330.
pub fn slug(path: &Path) -> String {
    slug_of_text(&plain_text(path))
}

fn slug_of_text(text: &str) -> String {
    let plain: String = text.encode_utf16().map(dash_unless_alphanumeric).collect();
    if plain.len() <= SLUG_CHARS_MAX {
        return plain;
    }
    format!("{}-{}", &plain[..SLUG_CHARS_MAX], hash(text))
}

/// Spellings that other programs or older versions make of the same path, without [`slug`]'s own:
/// with underscores kept, with one dash where UTF-16 needs two units (the Python SDK), and of the path in NFC (the SDKs).
pub fn variants(path: &Path) -> Vec<String> {
    let own = slug(path);
    let text = plain_text(path);
    let by = |keep: fn(char) -> bool| -> String {
        text.chars()
            .map(|c| if keep(c) { c } else { '-' })
            .collect()
    };
    let mut found = vec![
        by(|c| c.is_ascii_alphanumeric() || c == '_'),
        by(|c| c.is_ascii_alphanumeric()),
        slug_of_text(&text.nfc().collect::<String>()),
    ];
    found.retain(|variant| *variant != own && variant.len() <= SLUG_CHARS_MAX);
    found.dedup();
    found
}

/// The slug in use for a path: [`slug`], unless the host already made a directory for it under a
/// name that differs only in its hash (its builds hash differently) or, on Windows, in case.
pub fn existing(path: &Path, projects: &Path) -> String {
    let own = slug(path);
    let is_settled = || own.len() <= SLUG_CHARS_MAX || projects.join(&own).is_dir();
    if !cfg!(windows) && is_settled() {
        return own;
    }
    let siblings = fs::read_dir(projects).into_iter().flatten().flatten();
    let mut names: Vec<String> = siblings
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| is_same(name, &own))
        .collect();
    // The exact name first, then one that holds memory, then by name, so that the choice is stable.
    names.compact_sort_by_key(|name| {
        let holds_memory = projects.join(name).join("memory").is_dir();
        (*name != own, !holds_memory, name.clone())
    });
    names.into_iter().next().unwrap_or(own)
}

/// Whether a directory's name stands for the same path as the slug.
fn is_same(name: &str, slug: &str) -> bool {
    let equal = |a: &str, b: &str| {
        if cfg!(windows) {
            a.eq_ignore_ascii_case(b)
        } else {
            a == b
        }
    };
    match slug.get(..=SLUG_CHARS_MAX) {
        Some(prefix) => name
            .get(..=SLUG_CHARS_MAX)
            .is_some_and(|start| equal(start, prefix)),
        None => equal(name, slug),
    }
}

/// The slug of a project root, heeding `CLAUDE_CODE_PROJECT_DIR_NAME`, which counts only beside
/// `CLAUDE_CONFIG_DIR`. The second value is a warning about a name that is not acceptable.
pub fn of_project(root: &Path, dirs: &Dirs, environment: &Environment) -> (String, Option<String>) {
    let given = environment
        .get("CLAUDE_CODE_PROJECT_DIR_NAME")
        .filter(|_| environment.get("CLAUDE_CONFIG_DIR").is_some());
    match given {
        Some(name) if is_acceptable(name) => (name.to_owned(), None),
        Some(_) => (
            existing(root, &dirs.projects()),
            Some(
                "CLAUDE_CODE_PROJECT_DIR_NAME is not 1 to 64 letters, digits, `-` or `_`: ignored"
                    .to_owned(),
            ),
        ),
        None => (existing(root, &dirs.projects()), None),
    }
}

fn is_acceptable(name: &str) -> bool {
    (1..=GIVEN_NAME_CHARS_MAX).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// The path without the prefix that Windows gives to resolved paths.
fn plain_text(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.strip_prefix(r"\\?\").unwrap_or(&text).to_owned()
}

fn dash_unless_alphanumeric(unit: u16) -> char {
    u8::try_from(unit)
        .ok()
        .filter(u8::is_ascii_alphanumeric)
        .map_or('-', char::from)
}

/// The SDK's hash: `h * 31 + unit` in 32 signed bits, its absolute value in base 36.
fn hash(text: &str) -> String {
    let sum = text.encode_utf16().fold(0_i32, |hash, unit| {
        hash.wrapping_mul(31).wrapping_add(i32::from(unit))
    });
    base36(sum.unsigned_abs())
}

fn base36(mut value: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(value % 36, 36).unwrap_or('0'));
        value /= 36;
        if value == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_the_hosts() {
        for (path, want) in [
            ("/srv/me/proj", "-srv-me-proj"),
            (
                "/srv/me/proj/.worktrees/2573",
                "-srv-me-proj--worktrees-2573",
            ),
            ("C:\\Users\\me\\my_proj", "C--Users-me-my-proj"),
            ("/a/ü", "-a--"),
            // Decomposed: the letter stays, its mark is a dash.
            ("/a/u\u{308}", "-a-u-"),
            // Two UTF-16 units.
            ("/a/😀b", "-a---b"),
            ("/", "-"),
        ] {
            assert_eq!(slug(Path::new(path)), want, "{path}");
        }
    }

    #[test]
    fn long_slugs_are_cut_and_hashed() {
        let path = format!("/{}", "a".repeat(199));
        assert_eq!(slug(Path::new(&path)), format!("-{}", "a".repeat(199)));
        let path = format!("/{}", "a".repeat(200));
        // The expected hash was computed with the SDK's published function.
        assert_eq!(
            slug(Path::new(&path)),
            format!("-{}-{LONG_HASH}", "a".repeat(199))
        );
        assert_eq!(hash("hello"), "1n1e4y");
        assert_eq!(hash(""), "0");
    }

    const LONG_HASH: &str = "b6ymvl";

    #[test]
    fn an_existing_sibling_of_a_long_slug_is_reused() {
        let dir = tempfile::tempdir().unwrap();
        let long = std::path::PathBuf::from(format!("/{}", "b".repeat(300)));
        assert_eq!(existing(&long, dir.path()), slug(&long));
        let prefix = &slug(&long)[..SLUG_CHARS_MAX];
        for name in [
            format!("{prefix}-zz"),
            format!("{prefix}-yy"),
            format!("{prefix}x"),
        ] {
            fs::create_dir_all(dir.path().join(name)).unwrap();
        }
        assert_eq!(existing(&long, dir.path()), format!("{prefix}-yy"));
        fs::create_dir_all(dir.path().join(format!("{prefix}-zz/memory"))).unwrap();
        assert_eq!(existing(&long, dir.path()), format!("{prefix}-zz"));
        fs::create_dir_all(dir.path().join(slug(&long))).unwrap();
        assert_eq!(existing(&long, dir.path()), slug(&long));
    }

    #[test]
    fn other_spellings_are_known() {
        assert_eq!(variants(Path::new("/a/b_c")), ["-a-b_c"]);
        assert_eq!(variants(Path::new("/a/😀b")), ["-a--b"]);
        assert_eq!(variants(Path::new("/a/u\u{308}")), ["-a--"]);
        assert_eq!(variants(Path::new("/a/b")), Vec::<String>::new());
    }
}
