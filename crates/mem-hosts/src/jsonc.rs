//! JSON with comments, of which one part is changed and everything else stays byte for byte.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};

/// Why a text cannot be changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum JsonFault {
    /// It does not parse.
    Broken(String),
    /// It parses with comments or commas before a bracket alone, on that line, for a host that takes neither.
    Loose(usize),
    /// It is a list or a single value.
    NotAnObject,
    /// A key holds something else than it has to.
    Shape(String, &'static str),
    /// The name belongs to another program, which runs this.
    Taken(String),
    /// The whole file belongs to somebody else.
    Foreign,
}

const NOT_AN_OBJECT: &str = "is not an object";
const NOT_A_LIST: &str = "is not a list";
const TWICE: &str = "stands there twice";

/// Parses a text; an empty one is an empty object.
///
/// # Errors
/// It is no JSON, or no object.
pub(super) fn parse(text: &str) -> Result<(CstRootNode, CstObject), JsonFault> {
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let root = CstRootNode::parse(text, &options);
    let root = root.map_err(|error| JsonFault::Broken(error.to_string()))?;
    let object = root.object_value();
    let object = object.ok_or(JsonFault::NotAnObject)?;
    Ok((root, object))
}

/// Holds a text to what JSON itself allows.
///
/// # Errors
/// It has comments, or commas before a closing bracket.
pub(super) fn require_strict(text: &str) -> Result<(), JsonFault> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim().is_empty() {
        return Ok(());
    }
    let parsed = serde_json::from_str::<serde::de::IgnoredAny>(text);
    parsed.map_or_else(|error| Err(JsonFault::Loose(error.line())), |_| Ok(()))
}

/// The value of a key, if it is there.
///
/// # Errors
/// The key stands there twice: nobody can tell which one counts.
pub(super) fn value(object: &CstObject, key: &str) -> Result<Option<CstNode>, JsonFault> {
    let named = |name: Option<String>| name.as_deref() == Some(key);
    let properties = object.properties();
    let mut found = properties.iter().filter(|one| named(one.decoded_name()));
    let value = found.next().and_then(CstObjectProp::value);
    match found.next() {
        Some(_) => Err(JsonFault::Shape(key.to_owned(), TWICE)),
        None => Ok(value),
    }
}

/// The object at a key, if the key is there.
///
/// # Errors
/// It is something else.
pub(super) fn object(parent: &CstObject, key: &str) -> Result<Option<CstObject>, JsonFault> {
    let wrong = || JsonFault::Shape(key.to_owned(), NOT_AN_OBJECT);
    let value = value(parent, key)?;
    value
        .map(|value| value.as_object().ok_or_else(wrong))
        .transpose()
}

/// The object at a key of a text as it was before an install; `None` where it held none, or is not known.
pub(super) fn object_before(before: Option<&str>, key: &str) -> Option<CstObject> {
    let (_, top) = parse(before?.trim_start_matches('\u{feff}')).ok()?;
    object(&top, key).ok()?
}

/// The object at a key, made where there is none.
///
/// # Errors
/// The key holds something else.
pub(super) fn object_or_new(parent: &CstObject, key: &str) -> Result<CstObject, JsonFault> {
    if let Some(object) = object(parent, key)? {
        return Ok(object);
    }
    parent.append(key, CstInputValue::Object(Vec::new()));
    object(parent, key)?.ok_or_else(|| JsonFault::Shape(key.to_owned(), NOT_AN_OBJECT))
}

/// The list at a key, if the key is there.
///
/// # Errors
/// It is something else.
pub(super) fn list(parent: &CstObject, key: &str) -> Result<Option<CstArray>, JsonFault> {
    let wrong = || JsonFault::Shape(key.to_owned(), NOT_A_LIST);
    let value = value(parent, key)?;
    value
        .map(|value| value.as_array().ok_or_else(wrong))
        .transpose()
}

/// A text at a key.
pub(super) fn text(parent: &CstObject, key: &str) -> Option<String> {
    let value = value(parent, key).ok()??;
    value.as_string_lit()?.decoded_value().ok()
}

/// The texts of a list at a key; `None` where it is no such list.
pub(super) fn texts(parent: &CstObject, key: &str) -> Option<Vec<String>> {
    let list = list(parent, key).ok()??;
    let text = |node: CstNode| node.as_string_lit()?.decoded_value().ok();
    list.elements().into_iter().map(text).collect()
}

/// Sets a key, where it stands or at the end.
pub(super) fn set(parent: &CstObject, key: &str, new: CstInputValue) {
    match parent.get(key) {
        Some(property) => property.set_value(new),
        None => drop(parent.append(key, new)),
    }
}

/// A list of texts.
pub(super) fn texts_value(texts: &[&str]) -> CstInputValue {
    let texts = texts
        .iter()
        .map(|text| CstInputValue::String((*text).to_owned()));
    CstInputValue::Array(texts.collect())
}

/// Takes a key out of an object.
pub(super) fn remove(parent: &CstObject, key: &str) {
    if let Some(property) = parent.get(key) {
        property.remove();
    }
}
