//! What a list of memories is narrowed to.

use super::{InvalidStorePath, StorePath, invalid};
use crate::ApiVersion;
use crate::limits::PATH_BYTES_MAX;

/// The beginning of the paths that are wanted. In the current dialect it is whole segments and ends with
/// a slash: `/notes/` has `/notes/a.md` and not `/notes-old/a.md`. In the research preview it is any text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PathPrefix(String);

impl PathPrefix {
    /// Parses a prefix.
    ///
    /// # Errors
    /// In the current dialect what does not begin and end with a slash, and what no path can begin with;
    /// in both what is longer than a path.
    pub fn parse(text: &str, dialect: ApiVersion) -> Result<Self, InvalidStorePath> {
        if text.len() > PATH_BYTES_MAX {
            return Err(invalid(text, "it is longer than 1,024 bytes"));
        }
        if dialect == ApiVersion::Preview || text == "/" {
            return Ok(Self(text.to_owned()));
        }
        let Some(folder) = text.strip_suffix('/') else {
            return Err(invalid(text, "a prefix ends with a slash"));
        };
        let folder = StorePath::parse(folder).map_err(|error| invalid(text, error.reason))?;
        Ok(Self(format!("{folder}/")))
    }

    /// The prefix as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_whole_segments_in_the_current_dialect_only() {
        for text in ["/", "/notes/", "/a/b/", "/é/"] {
            assert_eq!(
                PathPrefix::parse(text, ApiVersion::Current)
                    .unwrap()
                    .as_str(),
                text
            );
        }
        for text in ["", "notes/", "/notes", "//", "/a//", "/../", "/e\u{301}/"] {
            assert!(
                PathPrefix::parse(text, ApiVersion::Current).is_err(),
                "{text:?}"
            );
            assert!(
                PathPrefix::parse(text, ApiVersion::Preview).is_ok(),
                "{text:?}"
            );
        }
        assert!(PathPrefix::parse(&"a".repeat(1025), ApiVersion::Preview).is_err());
    }
}
