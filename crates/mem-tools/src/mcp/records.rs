//! `memory_store`, `memory_retrieve`, and what `memory_delete` does with a `memory_id`.

use crate::CallError;
use mem_core::Scope;
use mem_core::history::Author;
use mem_core::memory::split_scope;
use mem_records::input::{self, Fields};
use mem_records::shape;
use serde_json::{Value, json};

use super::mcp_call::McpCall;
use crate::records::OpenRecords;

/// Stores a record.
pub(super) fn store_record(fields: &Fields, desk: &McpCall) -> Result<Value, CallError> {
    let new = input::parse_store(fields)?;
    let opened = open_records(desk)?;
    opened.require_storable(&new)?;
    let stored = opened.records_for(None)?.store(&new, desk.run().now)?;
    opened.finish_write(file_scope(stored.file.as_deref()));
    Ok(shape::stored(&stored))
}

/// The records that fit a query.
pub(super) fn retrieve_records(fields: &Fields, desk: &McpCall) -> Result<Value, CallError> {
    let query = input::parse_retrieve(fields)?;
    let opened = open_records(desk)?;
    let answer = opened.records_for(None)?.retrieve(&query, desk.run().now)?;
    Ok(shape::retrieved(&answer))
}

/// Deletes a record.
pub(super) fn delete_record(fields: &Fields, desk: &McpCall) -> Result<Value, CallError> {
    let wanted = input::parse_delete(fields)?;
    let opened = open_records(desk)?;
    opened.require_writable()?;
    let now = desk.run().now;
    let reason = mem_secrets::redacted(&wanted.reason);
    let mut deleted = opened.records_for(None)?.delete(&wanted.id, &reason, now)?;
    if reason != wanted.reason {
        deleted.warnings.push(crate::BLANKED_REASON.to_owned());
    }
    let scope = file_scope(deleted.file.as_deref());
    opened.finish_write(scope);
    Ok(json!({
        "success": true, "memory_id": deleted.id.as_str(), "path": deleted.file,
        "scope": scope.as_str(), "change": deleted.change, "warnings": deleted.warnings,
    }))
}

fn open_records(desk: &McpCall) -> Result<OpenRecords<'_>, CallError> {
    let author: Author = desk.change_metadata("store", None).author;
    let user = desk.terms.user.as_ref();
    let opened = OpenRecords::open_for(user, &desk.environment)?;
    Ok(match user {
        Some(_) => opened.seen_by(author, &[Scope::Private]),
        None => opened.seen_by(author, &desk.terms.scopes),
    })
}

/// The tier of a file as one names it.
fn file_scope(file: Option<&str>) -> Scope {
    let said = file.and_then(|file| split_scope(file, None).0);
    said.unwrap_or(Scope::Private)
}
