//! `If-None-Match` and `If-Match`: lists of ETags, or `*`.

use axum::http::header::AsHeaderName;
use axum::http::{HeaderMap, HeaderValue};
use mem_sync::wire::ETag;

/// What a condition names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// Whatever state the store has.
    Any,
    /// One of these states. Empty where no tag of the header could be read: nothing is such a state.
    OneOf(Vec<ETag>),
}

impl Condition {
    /// Reads a header, its repetitions as one list; `None` where it is not there. Weak tags are taken
    /// for strong ones, because proxies that pack answers weaken them.
    pub(crate) fn read(headers: &HeaderMap, name: impl AsHeaderName) -> Option<Self> {
        let values: Vec<&HeaderValue> = headers.get_all(name).iter().collect();
        if values.is_empty() {
            return None;
        }
        let mut tags = Vec::new();
        for text in values.iter().filter_map(|value| value.to_str().ok()) {
            if text.trim() == "*" {
                return Some(Self::Any);
            }
            tags.extend(split(text).filter_map(|tag| ETag::parse(tag).ok()));
        }
        Some(Self::OneOf(tags))
    }

    /// Whether a state is one that is named.
    pub(crate) fn names(&self, state: &ETag) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(tags) => tags.contains(state),
        }
    }
}

/// The items of a list; a comma between quotes belongs to a tag.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &[&str]) -> Option<Condition> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append("if-match", HeaderValue::from_str(value).unwrap());
        }
        Condition::read(&headers, "if-match")
    }

    #[test]
    fn lists_weak_tags_and_stars() {
        let tag = |text| ETag::parse(text).unwrap();
        assert_eq!(read(&[]), None);
        assert_eq!(read(&[" * "]), Some(Condition::Any));
        let list = read(&["\"1\", W/\"2\"", "\"a,b\""]).unwrap();
        for there in ["\"1\"", "\"2\"", "\"a,b\""] {
            assert!(list.names(&tag(there)), "{there}");
        }
        assert!(!list.names(&tag("\"3\"")));
        assert_eq!(read(&["1"]), Some(Condition::OneOf(Vec::new())));
    }
}
