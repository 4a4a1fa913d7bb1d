//! A code span and the words around it: which citation it is, if any.

use super::context::{word_after, word_before};
use super::{
    CitationKind, CitationShape, CitationTarget, declaration, path, reference, symbol, url,
};
use crate::limits::SPAN_BYTES_MAX;

/// What a code span cites; `tests/a.py::test_b` cites two things.
pub(super) fn span_shapes(
    span: &str,
    before: &str,
    after: &str,
    remotes: &[String],
) -> Vec<CitationShape> {
    if span.is_empty() || span.len() > SPAN_BYTES_MAX {
        return Vec::new();
    }
    if span.contains("://") {
        return url::parse_remote_url(span, remotes).into_iter().collect();
    }
    let near = (word_before(before), word_after(after));
    if let Some(shape) = reference::in_code(span, &near.0, &near.1) {
        return vec![shape];
    }
    if let Some(pair) = file_and_symbol(span) {
        return pair;
    }
    path::in_code(span)
        .or_else(|| declaration::in_code(span))
        .or_else(|| symbol::in_code(span).map(|shape| adjust_kind(shape, before, after)))
        .or_else(|| called_symbol(span, &near.0, &near.1))
        .into_iter()
        .collect()
}

/// `tests/a.py::test_b`, `src/a.rs:load_all`.
fn file_and_symbol(span: &str) -> Option<Vec<CitationShape>> {
    let (file, name) = span.split_once(':')?;
    if !path::has_extension(file) {
        return None;
    }
    let file = path::in_code(file)?;
    let name = name.trim_start_matches(':');
    let name =
        symbol::in_code(name).or_else(|| symbol::named_symbol(name, CitationKind::Symbol))?;
    Some(vec![file, name])
}

/// Capitals are a variable of the environment if the sentence says so.
fn adjust_kind(shape: CitationShape, before: &str, after: &str) -> CitationShape {
    let CitationTarget::Symbol { alternatives } = &shape.target else {
        return shape;
    };
    let near = format!("{before} {after}").to_lowercase();
    let says = ["env", "variable", "export"]
        .iter()
        .any(|word| near.contains(word));
    if says && shape.kind == CitationKind::Symbol && symbol::is_screaming(&alternatives[0][0]) {
        return CitationShape {
            kind: CitationKind::Env,
            ..shape
        };
    }
    shape
}

/// A plain word that the sentence calls a function or a type.
fn called_symbol(span: &str, before: &str, after: &str) -> Option<CitationShape> {
    let kind = |word: &str| match word {
        "function" | "method" | "macro" | "hook" | "func" => Some(CitationKind::Function),
        "struct" | "class" | "trait" | "enum" | "interface" => Some(CitationKind::Type),
        _ => None,
    };
    symbol::named_symbol(span, kind(after).or_else(|| kind(before))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(span: &str, before: &str, after: &str) -> Vec<CitationKind> {
        let shapes = span_shapes(span, before, after, &[]);
        shapes.into_iter().map(|shape| shape.kind).collect()
    }

    #[test]
    fn one_span_one_meaning() {
        assert_eq!(kinds("src/a.rs:12", "", ""), [CitationKind::Line]);
        assert_eq!(
            kinds("tests/a.py::test_login", "", ""),
            [CitationKind::Path, CitationKind::Symbol]
        );
        assert_eq!(
            kinds("APP_KEY", "set the env var ", ""),
            [CitationKind::Env]
        );
        assert_eq!(
            kinds("APP_KEY", "the constant ", ""),
            [CitationKind::Symbol]
        );
        assert_eq!(
            kinds("parse", "the ", " function"),
            [CitationKind::Function]
        );
        assert_eq!(kinds("parse", "to ", " it"), []);
        assert_eq!(kinds("cargo test -p core", "run ", ""), []);
        assert_eq!(kinds("git push --force-with-lease", "", ""), []);
        assert_eq!(kinds("https://example.org/src/a.rs", "", ""), []);
    }
}
