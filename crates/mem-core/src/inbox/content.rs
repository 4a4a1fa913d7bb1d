//! The bytes of a file within JSON: as text where they are UTF-8, else as base64.

use serde::{Deserialize, Serialize};

use crate::base64;

/// Bytes, as an entry holds them: `{"text"}` or `{"base64"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct Content(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Stored {
    Text(String),
    Base64(String),
}

impl From<Content> for Stored {
    fn from(content: Content) -> Self {
        match String::from_utf8(content.0) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Base64(base64::encode(error.as_bytes())),
        }
    }
}

impl TryFrom<Stored> for Content {
    type Error = &'static str;

    fn try_from(stored: Stored) -> Result<Self, Self::Error> {
        match stored {
            Stored::Text(text) => Ok(Self(text.into_bytes())),
            Stored::Base64(text) => base64::decode(&text).map(Self).ok_or("no base64"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_as_they_were() {
        for bytes in [&b"text\r\n"[..], b"\xff\x00\xfe", b""] {
            let content = Content(bytes.to_vec());
            let json = serde_json::to_string(&content).unwrap();
            assert_eq!(serde_json::from_str::<Content>(&json).unwrap(), content);
        }
        let json = serde_json::to_string(&Content(b"a".to_vec())).unwrap();
        assert_eq!(json, r#"{"text":"a"}"#);
        assert!(serde_json::from_str::<Content>(r#"{"base64":"?"}"#).is_err());
    }
}
