//! Paths: `src/a.rs`, `src/a.rs:10`, `src/a.rs:10-20`, `src/a.rs#L10-L20`, `src/`, `Cargo.toml`.

use super::{CitationKind, CitationShape, CitationTarget, words};

/// Starts of paths that stand for others.
const PLACEHOLDERS: [&str; 7] = [
    "path/to/", "your/", "some/", "foo/bar", "dir/file", "a/b/", "x/y",
];

/// A path in a code span.
pub(super) fn in_code(span: &str) -> Option<CitationShape> {
    let (path, lines) = split_lines(span);
    let shape = shape_path(path, lines)?;
    Some(shape)
}

/// A path in prose, where words are joined by slashes too: it needs an ending, and a folder or a
/// line number.
pub(super) fn in_prose(word: &str) -> Option<CitationShape> {
    let (path, lines) = split_lines(word);
    let is_file = has_extension(path) && (path.contains('/') || lines.is_some());
    if !is_file {
        return None;
    }
    shape_path(path, lines).filter(|shape| !shape.is_tentative)
}

fn shape_path(path: &str, lines: Option<(u32, u32)>) -> Option<CitationShape> {
    let is_folder = path.ends_with('/');
    let path = path.strip_prefix("./").unwrap_or(path);
    let plain = path.trim_end_matches('/');
    if !is_plausible(plain) {
        return None;
    }
    let is_file = has_extension(plain) || words::is_bare_file(last_segment(plain));
    let has_folder = plain.contains('/');
    if !has_folder && !is_file && !is_folder {
        return None;
    }
    let kind = match lines {
        None => CitationKind::Path,
        Some((first, last)) if first == last => CitationKind::Line,
        Some(_) => CitationKind::Range,
    };
    let target = CitationTarget::Path {
        path: plain.to_owned(),
        lines,
        is_folder,
    };
    let is_firm = is_file || (is_folder && has_folder) || lines.is_some();
    Some(if is_firm {
        CitationShape::firm_shape(kind, target)
    } else {
        CitationShape::tentative_shape(kind, target)
    })
}

/// Whether it could be a path of a repository.
fn is_plausible(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let is_placeholder = PLACEHOLDERS.iter().any(|start| lower.starts_with(start))
        || lower.contains("xxx")
        || path.contains("...")
        || path.contains("YYYY");
    !is_placeholder
        && !path.starts_with(['/', '~', '-', '@'])
        && path.chars().any(char::is_alphabetic)
        && path.split('/').all(is_plausible_segment)
        && !has_inner_file(path)
}

fn is_plausible_segment(segment: &str) -> bool {
    let allowed = |c: char| c.is_alphanumeric() || "._-+@()[]~".contains(c);
    !segment.is_empty() && segment != "." && segment != ".." && segment.chars().all(allowed)
}

/// `a.rs/b.rs` names two files.
fn has_inner_file(path: &str) -> bool {
    path.rsplit_once('/').is_some_and(|(folders, _)| {
        folders.split('/').any(|folder| {
            folder.rsplit_once('.').is_some_and(|(stem, ending)| {
                !stem.is_empty()
                    && words::is_extension(ending)
                    && !["d", "r", "v", "m"].contains(&ending)
            })
        })
    })
}

fn last_segment(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether the last part ends like a file; `.rs` by itself and `Node.js` do not.
pub(super) fn has_extension(path: &str) -> bool {
    let name = last_segment(path);
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return false;
    };
    let is_product = !path.contains('/')
        && ["js", "io", "ai"].contains(&ending)
        && (stem.starts_with(char::is_uppercase)
            || ["node", "d3", "three", "vue", "next"].contains(&stem));
    !stem.is_empty()
        && words::is_extension(ending)
        && !is_product
        && !is_attribute(path, stem, ending)
}

/// Short endings that are as often a field: `self.c`, `x.r`.
fn is_attribute(path: &str, stem: &str, ending: &str) -> bool {
    let is_short = [
        "r", "v", "m", "mod", "env", "lock", "example", "template", "feature", "http", "service",
        "sum", "props", "snap", "diff", "patch",
    ];
    !path.contains('/')
        && is_short.contains(&ending)
        && (words::is_foreign_root(stem) || (stem.len() < 3 && stem != "go"))
}

/// Splits off `:10`, `:10:5`, `:10-20`, `#L10`, `#L10-L20`.
fn split_lines(text: &str) -> (&str, Option<(u32, u32)>) {
    if let Some((path, anchor)) = text.split_once("#L") {
        return (path, parse_line_range(&anchor.replace('L', "")));
    }
    let Some((path, rest)) = text.split_once(':') else {
        return (text, None);
    };
    let first = rest.split(':').next().unwrap_or(rest);
    let tail_is_column = rest
        .split(':')
        .skip(1)
        .all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
    match parse_line_range(first) {
        Some(lines) if tail_is_column => (path, Some(lines)),
        _ => (text, None),
    }
}

/// `10`, `10-20`, with an en dash too, and `L10`.
fn parse_line_range(text: &str) -> Option<(u32, u32)> {
    let number = |text: &str| text.trim_start_matches('L').parse::<u32>().ok();
    let (first, last) = match text.split_once(['-', '–']) {
        Some((first, last)) => (number(first)?, number(last)?),
        None => (number(text)?, number(text)?),
    };
    (first >= 1 && last >= first).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The path, its lines, and whether it is tentative.
    type Read<'a> = (&'a str, Option<(u32, u32)>, bool);

    #[track_caller]
    fn check(span: &str, expected: Option<Read<'_>>) {
        let found = in_code(span).map(|shape| match shape.target {
            CitationTarget::Path { path, lines, .. } => (path, lines, shape.is_tentative),
            other => panic!("{other:?}"),
        });
        let expected = expected.map(|(path, lines, weak)| (path.to_owned(), lines, weak));
        assert_eq!(found, expected, "{span}");
    }

    #[test]
    fn spellings_of_paths() {
        check("src/a.rs", Some(("src/a.rs", None, false)));
        check("./src/a.rs:10", Some(("src/a.rs", Some((10, 10)), false)));
        check("src/a.rs:10:5", Some(("src/a.rs", Some((10, 10)), false)));
        check("a.rs:10-20", Some(("a.rs", Some((10, 20)), false)));
        check("src/a.rs#L3-L9", Some(("src/a.rs", Some((3, 9)), false)));
        check("src/auth/", Some(("src/auth", None, false)));
        check("crates/mem-core", Some(("crates/mem-core", None, true)));
        check(
            "app/[id]/page.tsx",
            Some(("app/[id]/page.tsx", None, false)),
        );
        check("Makefile", Some(("Makefile", None, false)));
        check(
            ".github/workflows/ci.yml",
            Some((".github/workflows/ci.yml", None, false)),
        );
    }

    #[test]
    fn what_is_no_path() {
        for span in [
            "/etc/passwd",
            "~/x.rs",
            "../a.rs",
            "src/*.rs",
            "src/{a,b}.rs",
            "src/<name>.rs",
            "path/to/file.rs",
            ".rs",
            "Node.js",
            "a.rs/b.rs",
            "1/2",
            "example.com",
            "word",
            "self.m",
            "C:\\a.rs",
            "a b.rs",
        ] {
            check(span, None);
        }
        assert_eq!(in_prose("and/or"), None);
        assert_eq!(in_prose("main.rs"), None);
        assert!(in_prose("main.rs:5").is_some());
        assert!(in_prose("src/main.rs").is_some());
    }
}
