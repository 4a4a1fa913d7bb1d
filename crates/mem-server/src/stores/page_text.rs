//! A page of memories as it is told: its JSON, written straight from the rows that the database gave.
//!
//! The shape is that of [`mem_stores::wire::Page`] of [`mem_stores::wire::MemoryItem`]. A page has a hundred of them
//! and ten texts in each: to make each text, then each object and then the JSON took longer than all the rest.

use std::io::Write as _;

use jiff::Timestamp;
use jiff::fmt::temporal::DateTimePrinter;
use mem_core::history::Sha256;
use mem_stores::Dialect;
use serde::Serialize;

use crate::http::problem::Problem;
use crate::storage::stores::{MemoryPage, MemoryRow, Shown, StoresError};

/// Of a memory with short names and without a content.
const ITEM_BYTES: usize = 480;

/// The JSON of a page, with the name of the next.
///
/// # Errors
/// 500: what is stored is damaged.
pub(super) fn of(
    found: &MemoryPage,
    next: Option<&str>,
    dialect: Dialect,
) -> Result<Vec<u8>, Problem> {
    let mut json = Json(Vec::with_capacity((found.len() + 1) * ITEM_BYTES));
    json.add("{\"data\":[");
    for (at, shown) in found.shown().enumerate() {
        if at > 0 {
            json.add(",");
        }
        json.item(&shown.map_err(StoresError::from)?, dialect);
    }
    json.add("],\"next_page\":");
    json.optional(next);
    json.add("}");
    Ok(json.0)
}

/// JSON in the making.
struct Json(Vec<u8>);

impl Json {
    fn item(&mut self, shown: &Shown<'_>, dialect: Dialect) {
        match shown {
            Shown::Memory(row) => self.memory(row, dialect),
            Shown::Prefix(path) => {
                self.add("{\"type\":\"memory_prefix\",\"path\":");
                self.text(path);
                self.add("}");
            }
        }
    }

    fn memory(&mut self, row: &MemoryRow<'_>, dialect: Dialect) {
        self.add("{\"type\":\"memory\",\"id\":");
        self.text(row.id);
        self.add(",\"memory_store_id\":");
        self.text(row.store_id);
        self.add(",\"path\":");
        self.text(row.path);
        self.add(",\"content\":");
        self.optional(row.content.as_deref());
        self.add(",\"content_sha256\":");
        self.digits(row.content_sha256);
        self.add(",\"content_size_bytes\":");
        self.value(&row.content_size);
        if dialect == Dialect::Preview {
            self.add(",\"size_bytes\":");
            self.value(&row.content_size);
        }
        self.add(",\"memory_version_id\":");
        self.text(row.version_id);
        self.add(",\"created_at\":");
        let from = self.0.len();
        self.time(row.created_at);
        let to = self.0.len();
        self.add(",\"updated_at\":");
        match row.updated_at == row.created_at {
            true => self.0.extend_from_within(from..to),
            false => self.time(row.updated_at),
        }
        self.add("}");
    }

    fn add(&mut self, json: &str) {
        self.0.extend_from_slice(json.as_bytes());
    }

    fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.add("null"),
        }
    }

    /// Most texts have nothing in them that JSON writes otherwise.
    fn text(&mut self, text: &str) {
        let is_other = |byte: u8| byte < b' ' || byte == b'"' || byte == b'\\';
        // Without a way out in the middle: many bytes are compared at a time.
        let has_other = text.bytes().fold(false, |any, byte| any | is_other(byte));
        if has_other {
            return self.value(text);
        }
        self.add("\"");
        self.add(text);
        self.add("\"");
    }

    fn digits(&mut self, sha256: Sha256) {
        // A vector takes everything.
        let _ = write!(self.0, "\"{sha256}\"");
    }

    fn time(&mut self, time: Timestamp) {
        self.add("\"");
        // A vector takes everything.
        let _ = DateTimePrinter::new().print_timestamp(&time, &mut self.0);
        self.add("\"");
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) {
        // A vector takes everything.
        let _ = serde_json::to_writer(&mut self.0, value);
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use mem_stores::wire::{Memory, MemoryItem, MemoryPrefix};
    use proptest::prelude::*;

    use super::*;

    /// The same by way of the objects that go over the line.
    fn through_objects(shown: &Shown<'_>, dialect: Dialect) -> String {
        let item = match shown {
            Shown::Prefix(path) => MemoryItem::Prefix(MemoryPrefix::new((*path).to_owned())),
            Shown::Memory(row) => MemoryItem::Memory(Box::new(Memory {
                id: row.id.to_owned(),
                memory_store_id: row.store_id.to_owned(),
                path: row.path.to_owned(),
                content: row.content.as_deref().map(str::to_owned),
                content_sha256: row.content_sha256.to_string(),
                content_size_bytes: row.content_size,
                size_bytes: (dialect == Dialect::Preview).then_some(row.content_size),
                memory_version_id: row.version_id.to_owned(),
                created_at: row.created_at.to_string(),
                updated_at: row.updated_at.to_string(),
            })),
        };
        serde_json::to_string(&item).unwrap()
    }

    proptest! {
        #[test]
        fn a_page_says_what_its_objects_say(
            path in any::<String>(),
            content in any::<Option<String>>(),
            digest in any::<[u8; 32]>(),
            size in any::<u64>(),
            created in -3_000_000_000_000_000_i64..200_000_000_000_000_000,
            later in prop_oneof![Just(0_i64), 0_i64..1_000_000_000_000_000],
            is_folder in any::<bool>(),
            is_preview in any::<bool>(),
        ) {
            let dialect = match is_preview {
                true => Dialect::Preview,
                false => Dialect::Current,
            };
            let shown = match is_folder {
                true => Shown::Prefix(&path),
                false => Shown::Memory(MemoryRow {
                    id: "mem_1",
                    store_id: "memstore_\"",
                    path: &path,
                    content: content.as_deref().map(Cow::Borrowed),
                    content_sha256: Sha256::from_bytes(digest),
                    content_size: size,
                    version_id: "memver_1",
                    created_at: Timestamp::from_microsecond(created).unwrap(),
                    updated_at: Timestamp::from_microsecond(created + later).unwrap(),
                }),
            };
            let mut json = Json(Vec::new());
            json.item(&shown, dialect);
            let expected = through_objects(&shown, dialect);
            prop_assert_eq!(String::from_utf8(json.0).unwrap(), expected);
        }
    }
}
