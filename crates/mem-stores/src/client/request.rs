//! One request, before it is sent.

use reqwest::{Method, Url};
use serde::Serialize;

use super::error::ClientError;
use crate::limits::ID_BYTES_MAX;

/// A request.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    pub(super) method: Method,
    /// Below the address of the server.
    pub(super) segments: Vec<String>,
    pub(super) query: Vec<(&'static str, String)>,
    pub(super) body: Option<String>,
    /// Whether twice is as good as once.
    pub(super) is_repeatable: bool,
}

impl Ask {
    /// A request for what stands below the stores.
    pub(super) fn new(method: Method, below: &[&str]) -> Self {
        let first = ["v1", "memory_stores"].iter();
        Self {
            method,
            segments: first.chain(below).map(|one| (*one).to_owned()).collect(),
            query: Vec::new(),
            body: None,
            is_repeatable: true,
        }
    }

    /// With a parameter, where there is a value for it.
    pub(super) fn with(mut self, name: &'static str, value: Option<impl ToString>) -> Self {
        let value = value.map(|value| (name, value.to_string()));
        self.query.extend(value);
        self
    }

    /// With a body.
    pub(super) fn json(mut self, body: &impl Serialize) -> Result<Self, ClientError> {
        let body = serde_json::to_string(body);
        self.body = Some(body.map_err(|error| ClientError::Setup(error.to_string()))?);
        Ok(self)
    }

    /// Its address at a server.
    pub(super) fn url(&self, base: &Url) -> Url {
        let mut url = base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(&self.segments);
        }
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        url
    }
}

/// An id that can stand in an address.
pub(super) fn id(text: &str) -> Result<&str, ClientError> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let fits = (1..=ID_BYTES_MAX).contains(&text.len());
    match fits && text.bytes().all(is_plain) {
        true => Ok(text),
        false => Err(ClientError::Id(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_made_of_segments_and_pairs() {
        let base = Url::parse("https://h:1/prefix/").unwrap();
        let ask = Ask::new(Method::GET, &["memstore_1", "memories"])
            .with("path_prefix", Some("/a b/"))
            .with("page", None::<String>)
            .with("created_at[gte]", Some("2026-01-01T00:00:00+00:00"));
        assert_eq!(
            ask.url(&base).as_str(),
            "https://h:1/prefix/v1/memory_stores/memstore_1/memories?path_prefix=%2Fa+b%2F\
             &created_at%5Bgte%5D=2026-01-01T00%3A00%3A00%2B00%3A00"
        );
        let plain = Ask::new(Method::GET, &[]).url(&Url::parse("https://h").unwrap());
        assert_eq!(plain.as_str(), "https://h/v1/memory_stores");
    }

    #[test]
    fn what_is_no_id_reaches_no_address() {
        assert!(id("memstore_01AbC").is_ok());
        for bad in [
            "",
            ".",
            "..",
            "a/b",
            "a?b",
            "a b",
            "\u{e9}",
            &"a".repeat(200),
        ] {
            assert!(id(bad).is_err(), "{bad}");
        }
    }
}
