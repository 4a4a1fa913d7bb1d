//! A document as the index keeps it: everything but its text.

use super::bytes::{put_bytes, put_varint, take_bytes, take_text, take_varint};
use super::checksum::compute_checksum;
use crate::document::{Document, Facets};

/// What is kept of a document.
#[derive(Debug, Clone)]
pub(crate) struct DocumentRecord<'a> {
    pub(crate) key: &'a str,
    pub(crate) stamp: &'a [u8],
    pub(crate) text_hash: u64,
    rest: &'a [u8],
}

const PINNED: u64 = 1;
const IMPORTANCE: u64 = 2;
const EXPIRES: u64 = 4;
const TIME: u64 = 8;

impl<'a> DocumentRecord<'a> {
    /// Appends the stored form of a document.
    pub(super) fn append_document(document: &Document, out: &mut Vec<u8>) {
        let facets = &document.facets;
        put_bytes(document.key.as_bytes(), out);
        put_bytes(&document.stamp, out);
        put_varint(text_hash(document), out);
        let flag = |is, bit| if is { bit } else { 0 };
        put_varint(
            flag(facets.pinned, PINNED)
                | flag(facets.importance.is_some(), IMPORTANCE)
                | flag(facets.expires.is_some(), EXPIRES)
                | flag(facets.time.is_some(), TIME),
            out,
        );
        put_varint(u64::from(facets.importance.unwrap_or(0.0).to_bits()), out);
        put_varint(facets.expires.unwrap_or(0).cast_unsigned(), out);
        put_varint(facets.time.unwrap_or(0).cast_unsigned(), out);
        put_varint(u64::from(facets.used), out);
        for word in [&facets.kind, &facets.scope, &facets.category] {
            put_bytes(word.as_bytes(), out);
        }
        put_varint(facets.tags.len() as u64, out);
        facets
            .tags
            .iter()
            .for_each(|tag| put_bytes(tag.as_bytes(), out));
    }

    /// Reads the first fields; nothing where they are broken.
    pub(super) fn read(mut bytes: &'a [u8]) -> Option<Self> {
        let key = take_text(&mut bytes)?;
        let stamp = take_bytes(&mut bytes)?;
        let text_hash = take_varint(&mut bytes)?;
        Some(Self {
            key,
            stamp,
            text_hash,
            rest: bytes,
        })
    }

    /// The key alone, for searching.
    pub(super) fn read_key(mut bytes: &'a [u8]) -> &'a [u8] {
        take_bytes(&mut bytes).unwrap_or_default()
    }

    /// Whether it expires at some time, without reading the rest.
    pub(crate) fn has_expiry(&self) -> bool {
        take_varint(&mut { self.rest }).is_some_and(|flags| flags & EXPIRES != 0)
    }

    /// Reads the rest; nothing where it is broken.
    pub(crate) fn read_facets(&self) -> Option<Facets> {
        let bytes = &mut { self.rest };
        let flags = take_varint(bytes)?;
        let has = |bit| flags & bit != 0;
        let importance = f32::from_bits(take_varint(bytes)? as u32);
        let expires = take_varint(bytes)?.cast_signed();
        let time = take_varint(bytes)?.cast_signed();
        let used = take_varint(bytes)?.try_into().unwrap_or(u32::MAX);
        let mut text = || Some(take_text(bytes)?.to_owned());
        let (kind, scope, category) = (text()?, text()?, text()?);
        let tags = take_varint(bytes)?;
        let tags = (0..tags)
            .map_while(|_| Some(take_text(bytes)?.to_owned()))
            .collect();
        Some(Facets {
            kind,
            scope,
            category,
            tags,
            importance: has(IMPORTANCE).then_some(importance),
            expires: has(EXPIRES).then_some(expires),
            time: has(TIME).then_some(time),
            pinned: has(PINNED),
            used,
        })
    }
}

/// Changes when what would be encoded changes.
fn text_hash(document: &Document) -> u64 {
    let mut text = document.head_text();
    text.push('\0');
    text.push_str(&document.body);
    compute_checksum(text.as_bytes())
}
