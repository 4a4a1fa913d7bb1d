//! Code spans with a declaration in them: `fn foo(a: u8)`, `class Foo`, `export const bar`.

use super::{CitationKind, CitationShape, symbol};

/// What a declaration may begin with.
const MODIFIERS: [&str; 12] = [
    "pub",
    "pub(crate)",
    "pub(super)",
    "async",
    "export",
    "default",
    "static",
    "public",
    "private",
    "protected",
    "abstract",
    "unsafe",
];

/// The name that a span declares.
pub(super) fn in_code(span: &str) -> Option<CitationShape> {
    let mut words = span
        .split_whitespace()
        .skip_while(|word| MODIFIERS.contains(word));
    let kind = match words.next()? {
        "fn" | "def" | "func" | "function" | "macro_rules!" | "fun" => CitationKind::Function,
        "struct" | "enum" | "trait" | "class" | "interface" | "type" | "union" => {
            CitationKind::Type
        }
        "const" | "let" | "var" | "mod" => CitationKind::Symbol,
        _ => return None,
    };
    let name = words.next()?;
    let end = name
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(name.len());
    symbol::named_symbol(&name[..end], kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declared_name_is_cited() {
        assert_eq!(
            in_code("pub fn load_all(a: u8) -> bool"),
            symbol::named_symbol("load_all", CitationKind::Function)
        );
        assert_eq!(
            in_code("class Basket:"),
            symbol::named_symbol("Basket", CitationKind::Type)
        );
        assert_eq!(in_code("cargo test"), None);
        assert_eq!(in_code("type"), None);
    }
}
