//! The name of one state of a store.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::limits::ETAG_BYTES_MAX;

/// A strong ETag with its quotes, such as `"42"`. Opaque but for the epoch: only ever compared and sent back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ETag(String);

/// A header that is no ETag this end can send back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an ETag")]
pub struct NotETag;

impl ETag {
    /// Reads the header. A weak one (`W/`) is taken for the strong one: proxies that pack answers weaken
    /// them, and the states are the same.
    ///
    /// # Errors
    /// No quotes, anything that does not belong into a header, more than 128 bytes.
    pub fn parse(text: &str) -> Result<Self, NotETag> {
        let text = text.trim();
        let text = text.strip_prefix("W/").unwrap_or(text);
        let inner = text
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'));
        let fits = inner.is_some_and(|inner| {
            inner
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && byte != b'"')
        });
        if fits && text.len() <= ETAG_BYTES_MAX {
            Ok(Self(text.to_owned()))
        } else {
            Err(NotETag)
        }
    }

    /// The tag of a store's sequence number.
    pub fn of_version(version: u64) -> Self {
        Self(format!("\"{version}\""))
    }

    /// The tag of a state that has a name of its own: what of it does not belong into a header is left out.
    pub fn from_name(name: &str) -> Self {
        let graphic = name.chars().filter(|c| c.is_ascii_graphic() && *c != '"');
        Self(format!(
            "\"{}\"",
            graphic.take(ETAG_BYTES_MAX - 2).collect::<String>()
        ))
    }

    /// The tag of a state of a server: a sequence number in an epoch.
    ///
    /// # Errors
    /// An epoch that does not belong into a header.
    pub fn of_state(epoch: &str, sequence: u64) -> Result<Self, NotETag> {
        Self::parse(&format!("\"{epoch}-{sequence}\""))
    }

    /// The epoch in which a server counts this state; `None` where the tag has none. A server begins a new epoch once
    /// its data may have been put back to an older state.
    pub fn epoch(&self) -> Option<&str> {
        let (epoch, sequence) = self.0.trim_matches('"').rsplit_once('-')?;
        sequence.parse::<u64>().is_ok().then_some(epoch)
    }

    /// As it stands in the header.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ETag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for ETag {
    type Error = NotETag;

    fn try_from(text: String) -> Result<Self, NotETag> {
        Self::parse(&text)
    }
}

impl From<ETag> for String {
    fn from(tag: ETag) -> Self {
        tag.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers() {
        assert_eq!(ETag::parse("\"7\""), Ok(ETag::of_version(7)));
        assert_eq!(ETag::parse("W/\"7\""), Ok(ETag::of_version(7)));
        let of_server = ETag::of_state("epoch", 7).unwrap();
        assert_eq!(of_server.epoch(), Some("epoch"));
        assert_eq!(ETag::of_version(7).epoch(), None);
        let long = format!("\"{}\"", "a".repeat(200));
        for bad in ["", "7", "\"", "\"a\r\nX: y\"", "\"a\"b\"", &long] {
            assert_eq!(ETag::parse(bad), Err(NotETag), "{bad:?}");
        }
    }
}
