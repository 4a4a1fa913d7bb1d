//! What a memory is made or changed with.

use serde::Serialize;

use super::Precondition;
use crate::ApiVersion;
use crate::path::StorePath;
use crate::rules::{self, Invalid};
use crate::strict::ObjectFields;

/// A new memory; in the research preview also a new content for the one at the path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CreateMemory {
    /// Where.
    pub path: StorePath,
    /// What.
    pub content: String,
    /// [`Precondition::NotExists`] or none, in the research preview.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precondition: Option<Precondition>,
}

/// Changes of a memory: one of content and path at least.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UpdateMemory {
    /// What instead of what it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Where instead of where it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<StorePath>,
    /// On what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precondition: Option<Precondition>,
}

impl CreateMemory {
    /// Reads a body.
    ///
    /// # Errors
    /// What the contract does not allow. A content of `null` is none.
    pub fn read(bytes: &[u8], dialect: ApiVersion) -> Result<Self, Invalid> {
        let mut fields = ObjectFields::read(bytes)?;
        let path = fields.text("path")?.value();
        let path = path.ok_or(Invalid::field("path", "has to be there"))?;
        let content = fields.text("content")?.value();
        let content = content.ok_or(Invalid::field("content", "has to be there, as a string"))?;
        rules::content(&content)?;
        let precondition = match dialect {
            ApiVersion::Current => None,
            ApiVersion::Preview => Precondition::read(&mut fields)?,
        };
        if matches!(precondition, Some(Precondition::ContentSha256 { .. })) {
            return Err(Invalid::field(
                "precondition",
                "has to be `not_exists` here",
            ));
        }
        Ok(Self {
            path: StorePath::parse(&path)?,
            content,
            precondition,
        })
    }
}

impl UpdateMemory {
    /// Reads a body. `null` keeps what is there.
    ///
    /// # Errors
    /// What the contract does not allow, and a body that changes nothing.
    pub fn read(bytes: &[u8], dialect: ApiVersion) -> Result<Self, Invalid> {
        let mut fields = ObjectFields::read_optional(bytes)?;
        let content = fields.text("content")?.value();
        content.as_deref().map_or(Ok(()), rules::content)?;
        let path = fields.text("path")?.value();
        let path = path.as_deref().map(StorePath::parse).transpose()?;
        if content.is_none() && path.is_none() {
            return Err(Invalid::field("content", "or `path` has to be there"));
        }
        let precondition = Precondition::read(&mut fields)?;
        if precondition == Some(Precondition::NotExists) {
            let wants = match (dialect, &path) {
                (ApiVersion::Current, _) => "has to be `content_sha256`",
                (ApiVersion::Preview, None) => "can be `not_exists` only with a `path`",
                (ApiVersion::Preview, Some(_)) => "",
            };
            if !wants.is_empty() {
                return Err(Invalid::field("precondition", wants));
            }
        }
        Ok(Self {
            content,
            path,
            precondition,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ApiVersion::{Current, Preview};

    #[test]
    fn memories_are_read_as_they_are_sent() {
        let new = CreateMemory {
            path: StorePath::parse("/a").unwrap(),
            content: String::new(),
            precondition: Some(Precondition::NotExists),
        };
        let sent = serde_json::to_vec(&new).unwrap();
        assert_eq!(CreateMemory::read(&sent, Preview), Ok(new.clone()));
        let plain = CreateMemory {
            precondition: None,
            ..new
        };
        assert_eq!(CreateMemory::read(&sent, Current), Ok(plain));
        let change = UpdateMemory {
            content: Some("x".to_owned()),
            path: None,
            precondition: Some(Precondition::ContentSha256 {
                content_sha256: "0a".repeat(32),
            }),
        };
        let sent = serde_json::to_vec(&change).unwrap();
        assert_eq!(UpdateMemory::read(&sent, Current), Ok(change));
    }

    #[test]
    fn what_is_wrong_is_refused_in_both_dialects() {
        for body in [
            r#"{"path":"/a"}"#,
            r#"{"path":"/a","content":null}"#,
            r#"{"path":"/a","content":1}"#,
            r#"{"path":"a","content":""}"#,
            r#"{"content":""}"#,
        ] {
            for dialect in [Current, Preview] {
                let read = CreateMemory::read(body.as_bytes(), dialect);
                assert!(read.is_err(), "{body}");
            }
        }
        for body in [
            "",
            "{}",
            r#"{"content":null}"#,
            r#"{"content":"","precondition":{}}"#,
            r#"{"content":"","precondition":{"type":"content_sha256"}}"#,
            r#"{"content":"","precondition":{"type":"not_exists"}}"#,
            r#"{"content":"","precondition":"not_exists"}"#,
        ] {
            for dialect in [Current, Preview] {
                let read = UpdateMemory::read(body.as_bytes(), dialect);
                assert!(read.is_err(), "{body}");
            }
        }
        let rename = br#"{"path":"/b","precondition":{"type":"not_exists"}}"#;
        assert!(UpdateMemory::read(rename, Preview).is_ok());
        assert!(UpdateMemory::read(rename, Current).is_err());
    }
}
