//! What a model may say with a call, read strictly: what is not known is no argument.

use mem_core::history::Sha256;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::store::{StorePage, StoreSearch};
use super::{
    FOUND_DEFAULT, FOUND_MAX, LIST_DEFAULT, LIST_MAX, QUERY_BYTES_MAX, ToolDefinition, ToolError,
};
use crate::{ApiVersion, PathPrefix, StorePath, limits};

/// Arguments as they are sent.
pub(super) type ArgumentMap = Map<String, Value>;

/// A call that can be carried out.
#[derive(Debug, PartialEq)]
pub(super) enum StoreToolCall {
    List(StorePage),
    Search(StoreSearch),
    Read(StorePath),
    Write(MemoryWrite),
    Edit(TextEdit),
    Delete(StorePath, Option<Sha256>),
}

/// A memory that is to be created or replaced.
#[derive(Debug, PartialEq)]
pub(super) struct MemoryWrite {
    pub(super) path: StorePath,
    pub(super) content: String,
    pub(super) expected: Option<Sha256>,
}

/// A piece that is to be replaced.
#[derive(Debug, PartialEq)]
pub(super) struct TextEdit {
    pub(super) path: StorePath,
    pub(super) old: String,
    pub(super) new: String,
    pub(super) expected: Option<Sha256>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListArguments {
    store: Option<String>,
    path_prefix: Option<String>,
    limit: Option<usize>,
    after: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchArguments {
    store: Option<String>,
    query: String,
    path_prefix: Option<String>,
    limit: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadArguments {
    store: Option<String>,
    path: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WriteArguments {
    store: Option<String>,
    path: String,
    content: String,
    content_sha256: Option<Sha256>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EditArguments {
    store: Option<String>,
    path: String,
    old_text: String,
    new_text: String,
    content_sha256: Option<Sha256>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeleteArguments {
    store: Option<String>,
    path: String,
    content_sha256: Option<Sha256>,
}

/// The store that is named, and what is to be done there.
///
/// # Errors
/// [`ToolError::Arguments`], [`ToolError::TooLarge`].
pub(super) fn read(
    tool: ToolDefinition,
    given: ArgumentMap,
) -> Result<(Option<String>, StoreToolCall), ToolError> {
    let reader = ArgumentReader(tool);
    Ok(match tool {
        ToolDefinition::List => {
            let all: ListArguments = reader.fields(given)?;
            let listing = StorePage {
                folder: reader.folder(all.path_prefix)?,
                after: all.after.map(|text| reader.path(&text)).transpose()?,
                limit: reader.limit(all.limit, LIST_DEFAULT, LIST_MAX)?,
            };
            (all.store, StoreToolCall::List(listing))
        }
        ToolDefinition::Search => {
            let all: SearchArguments = reader.fields(given)?;
            let search = StoreSearch {
                query: reader.query(all.query)?,
                folder: reader.folder(all.path_prefix)?,
                limit: reader.limit(all.limit, FOUND_DEFAULT, FOUND_MAX)?,
            };
            (all.store, StoreToolCall::Search(search))
        }
        ToolDefinition::Read => {
            let all: ReadArguments = reader.fields(given)?;
            (all.store, StoreToolCall::Read(reader.path(&all.path)?))
        }
        ToolDefinition::Write => {
            let all: WriteArguments = reader.fields(given)?;
            check_size(&all.content)?;
            let write = MemoryWrite {
                path: reader.path(&all.path)?,
                content: all.content,
                expected: all.content_sha256,
            };
            (all.store, StoreToolCall::Write(write))
        }
        ToolDefinition::Edit => {
            let all: EditArguments = reader.fields(given)?;
            let edit = TextEdit {
                path: reader.path(&all.path)?,
                old: all.old_text,
                new: all.new_text,
                expected: all.content_sha256,
            };
            (all.store, StoreToolCall::Edit(edit))
        }
        ToolDefinition::Delete => {
            let all: DeleteArguments = reader.fields(given)?;
            let path = reader.path(&all.path)?;
            (all.store, StoreToolCall::Delete(path, all.content_sha256))
        }
    })
}

/// Rewrites whole numbers such as `1.0` as integers, which they are to JSON Schema and not to serde.
pub fn normalise_integers(given: &mut Map<String, Value>) {
    for value in given.values_mut() {
        if value.is_f64()
            && let Some(number) = value.as_f64()
            && number.fract() == 0.0
            && number.abs() < 1e15
        {
            *value = Value::from(number as i64);
        }
    }
}

/// Refuses what no memory can hold.
///
/// # Errors
/// [`ToolError::TooLarge`].
pub(super) fn check_size(content: &str) -> Result<(), ToolError> {
    match content.len() > limits::CONTENT_BYTES_MAX {
        true => Err(ToolError::TooLarge(content.len())),
        false => Ok(()),
    }
}

/// Reads the arguments of one tool.
#[derive(Clone, Copy)]
struct ArgumentReader(ToolDefinition);

impl ArgumentReader {
    fn wrong(self, reason: &impl ToString) -> ToolError {
        ToolError::Arguments {
            tool: self.0.name(),
            reason: reason.to_string(),
        }
    }

    fn fields<T: DeserializeOwned>(self, mut given: ArgumentMap) -> Result<T, ToolError> {
        normalise_integers(&mut given);
        serde_json::from_value(Value::Object(given)).map_err(|error| self.wrong(&error))
    }

    fn path(self, text: &str) -> Result<StorePath, ToolError> {
        StorePath::parse(text).map_err(|error| self.wrong(&error))
    }

    /// A folder, also without the `/` that ends it.
    fn folder(self, prefix: Option<String>) -> Result<Option<PathPrefix>, ToolError> {
        let Some(mut prefix) = prefix.filter(|prefix| !prefix.is_empty()) else {
            return Ok(None);
        };
        if !prefix.ends_with('/') {
            prefix.push('/');
        }
        let folder = PathPrefix::parse(&prefix, ApiVersion::Current);
        folder.map(Some).map_err(|error| self.wrong(&error))
    }

    fn limit(self, asked: Option<usize>, usual: usize, max: usize) -> Result<usize, ToolError> {
        let limit = asked.unwrap_or(usual);
        match (1..=max).contains(&limit) {
            true => Ok(limit),
            false => Err(self.wrong(&format!("`limit` is a number from 1 to {max}"))),
        }
    }

    fn query(self, query: String) -> Result<String, ToolError> {
        if query.trim().is_empty() {
            return Err(self.wrong(&"`query` is empty"));
        }
        if query.len() > QUERY_BYTES_MAX {
            return Err(self.wrong(&format!("`query` has more than {QUERY_BYTES_MAX} bytes")));
        }
        Ok(query)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn said(tool: ToolDefinition, given: Value) -> Result<(Option<String>, StoreToolCall), String> {
        let Value::Object(given) = given else {
            panic!("arguments are an object")
        };
        read(tool, given).map_err(|error| error.told())
    }

    #[test]
    fn a_folder_is_whole_segments() {
        let folder =
            |prefix: &str| match said(ToolDefinition::List, json!({ "path_prefix": prefix })) {
                Ok((None, StoreToolCall::List(listing))) => {
                    Ok(listing.folder.map(|folder| folder.as_str().to_owned()))
                }
                other => Err(format!("{other:?}")),
            };
        assert_eq!(folder("/notes/"), Ok(Some("/notes/".to_owned())));
        assert_eq!(folder("/notes"), Ok(Some("/notes/".to_owned())));
        assert_eq!(folder("/"), Ok(Some("/".to_owned())));
        assert_eq!(folder(""), Ok(None));
        for wrong in ["notes/", "//", "/a/../b/", "/a\u{0}/", "/a//"] {
            assert!(folder(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_whole_number_is_an_integer_however_it_is_written() {
        let limit = |given: Value| match said(ToolDefinition::List, json!({ "limit": given })) {
            Ok((None, StoreToolCall::List(listing))) => Ok(listing.limit),
            other => Err(format!("{other:?}")),
        };
        assert_eq!((limit(json!(7.0)), limit(json!(1e2))), (Ok(7), Ok(100)));
        for wrong in [json!(1.5), json!(-1.0), json!(1e300), json!(0.0)] {
            assert!(limit(wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_does_not_fit_is_told_why() {
        let refused = |tool, given, why: &str| {
            let told = said(tool, given).unwrap_err();
            assert!(told.contains(why) && told.contains("\nhint: "), "{told}");
        };
        refused(ToolDefinition::Read, json!({}), "missing field `path`");
        refused(
            ToolDefinition::Read,
            json!({ "path": 7 }),
            "expected a string",
        );
        refused(
            ToolDefinition::Read,
            json!({ "path": "/a", "x": 1 }),
            "unknown field `x`",
        );
        refused(ToolDefinition::Read, json!({ "path": "a" }), "memory_read");
        refused(
            ToolDefinition::List,
            json!({ "limit": 0 }),
            "from 1 to 1000",
        );
        refused(ToolDefinition::List, json!({ "limit": -1 }), "memory_list");
        refused(
            ToolDefinition::Search,
            json!({ "query": " \n" }),
            "is empty",
        );
        let long = "a".repeat(QUERY_BYTES_MAX + 1);
        refused(
            ToolDefinition::Search,
            json!({ "query": long }),
            "more than 4096 bytes",
        );
        let sha = json!({ "path": "/a", "content": "", "content_sha256": "AB" });
        refused(ToolDefinition::Write, sha, "sha256");
        let large = "é".repeat(limits::CONTENT_BYTES_MAX / 2 + 1);
        refused(
            ToolDefinition::Write,
            json!({ "path": "/a", "content": large }),
            "102402 bytes",
        );
    }
}
