//! Function lengths, told from indentation: rustfmt closes a function where it opened it.

use super::source::Source;

/// A function of a file.
pub(crate) struct Function {
    /// Its first line, from 1.
    pub line: usize,
    /// Its length in lines.
    pub length: usize,
}

/// The functions in the production part of a file.
pub(crate) fn of(source: &Source) -> Vec<Function> {
    let lines = source.production();
    (0..lines.len())
        .filter(|&start| is_start(lines[start]))
        .filter_map(|start| {
            let length = length(&lines[start..])?;
            let line = start + 1;
            Some(Function { line, length })
        })
        .collect()
}

/// Whether a function begins here.
fn is_start(line: &str) -> bool {
    let mut rest = line.trim_start();
    if let Some(after) = rest.strip_prefix("pub(") {
        rest = after
            .split_once(')')
            .map_or(after, |(_, rest)| rest)
            .trim_start();
    }
    for word in ["pub ", "default ", "const ", "async ", "unsafe "] {
        rest = rest.strip_prefix(word).unwrap_or(rest);
    }
    rest.starts_with("fn ")
}

/// Lines until the function that begins on the first one ends; `None` for a bare signature.
fn length(lines: &[&str]) -> Option<usize> {
    let first = lines.first()?;
    if first.ends_with('}') {
        return Some(1);
    }
    if first.ends_with(';') {
        return None;
    }
    let indent = &first[..first.len() - first.trim_start().len()];
    let end = format!("{indent}}}");
    lines
        .iter()
        .position(|line| **line == end)
        .map(|end| end + 1)
}

#[test]
fn functions_are_measured() {
    let text = "fn one() {}\n\nimpl X {\n    pub(crate) const fn two() {\n        a()\n    }\n}\n\
                trait T {\n    fn bare();\n}\n#[cfg(test)]\nmod tests {\n    fn hidden() {}\n}\n";
    let source = Source {
        name: "x.rs".to_owned(),
        text: text.to_owned(),
    };
    let found: Vec<_> = of(&source)
        .iter()
        .map(|function| (function.line, function.length))
        .collect();
    assert_eq!(found, [(1, 1), (4, 3)]);
}
