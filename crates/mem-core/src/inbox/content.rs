//! The bytes of a file within JSON: as text where they are UTF-8, else as base64.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

/// Bytes, as an entry holds them: `{"text"}` or `{"base64"}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "EncodedContent", into = "EncodedContent")]
pub struct EntryContent(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EncodedContent {
    Text(String),
    Base64(String),
}

impl From<EntryContent> for EncodedContent {
    fn from(content: EntryContent) -> Self {
        match String::from_utf8(content.0) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Base64(STANDARD.encode(error.as_bytes())),
        }
    }
}

impl TryFrom<EncodedContent> for EntryContent {
    type Error = &'static str;

    fn try_from(stored: EncodedContent) -> Result<Self, Self::Error> {
        match stored {
            EncodedContent::Text(text) => Ok(Self(text.into_bytes())),
            EncodedContent::Base64(text) => {
                STANDARD.decode(text).map(Self).map_err(|_| "no base64")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_as_they_were() {
        for bytes in [&b"text\r\n"[..], b"\xff\x00\xfe", b""] {
            let content = EntryContent(bytes.to_vec());
            let json = serde_json::to_string(&content).unwrap();
            assert_eq!(
                serde_json::from_str::<EntryContent>(&json).unwrap(),
                content
            );
        }
        let json = serde_json::to_string(&EntryContent(b"a".to_vec())).unwrap();
        assert_eq!(json, r#"{"text":"a"}"#);
        assert!(serde_json::from_str::<EntryContent>(r#"{"base64":"?"}"#).is_err());
    }
}
