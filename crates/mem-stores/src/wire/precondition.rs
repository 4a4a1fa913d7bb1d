//! On what a write is to be made.

use serde::{Deserialize, Serialize};

use crate::rules::{self, Invalid};
use crate::strict::{ObjectFields, StrictField};

/// Told apart by `type`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Precondition {
    /// The memory has the content with this hash.
    ContentSha256 {
        /// 64 hexadecimal digits in lower case.
        content_sha256: String,
    },
    /// Nothing stands at the path. In the research preview only.
    NotExists,
}

impl Precondition {
    /// Reads the field `precondition`, which may be missing or `null`.
    pub(super) fn read(fields: &mut ObjectFields) -> Result<Option<Self>, Invalid> {
        let StrictField::Is(mut inner) = fields.object("precondition")? else {
            return Ok(None);
        };
        match inner.text("type")?.value().as_deref() {
            Some("content_sha256") => {
                let hash = inner.text("content_sha256")?.value().unwrap_or_default();
                rules::sha256("content_sha256", &hash)?;
                Ok(Some(Self::ContentSha256 {
                    content_sha256: hash,
                }))
            }
            Some("not_exists") => Ok(Some(Self::NotExists)),
            _ => Err(Invalid::field(
                "precondition",
                "has to be of a `type` that is known",
            )),
        }
    }
}
