//! The tools of records: those of the token's user, for those who were granted records.
//!
//! `memory_delete` is a tool of stores too: with a `memory_id` it deletes a record, with a `path` a memory of a store.

use mem_core::Diagnose as _;
use mem_records::tools::DEFINITIONS;
use mem_stores::tools::ToolError;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool};
use serde_json::Value;

use super::caller_stores::CallerStores;
use super::server::structured;
use crate::access::{Caller, no_records};
use crate::records::calls::{self, CallFailure};
use crate::storage::Verb;

const STORE: &str = "memory_store";
const RETRIEVE: &str = "memory_retrieve";
const DELETE: &str = "memory_delete";
/// What a model reads of the one that both have.
const DELETE_BOTH: &str = "Delete a memory that no longer holds: a record by its `memory_id` with a `reason`, or a \
                           memory of a store by its `path`, whose versions stay for whoever looks after the store.";

/// The tools of stores, and those of records as far as they were granted.
///
/// # Errors
/// The text is broken, which a test rules out.
pub(super) fn offered(stores: Vec<Tool>, caller: &Caller) -> serde_json::Result<Vec<Tool>> {
    let mut tools = match caller.has_records_alone() {
        true => Vec::new(),
        false => stores,
    };
    let records: Vec<Tool> = serde_json::from_str(DEFINITIONS)?;
    for one in records {
        let verb = verb(&one.name).unwrap_or(Verb::Write);
        if !caller.has_records(verb) {
            continue;
        }
        match tools.iter_mut().find(|tool| tool.name == one.name) {
            Some(both) => widen(both, &one),
            None => tools.push(one),
        }
    }
    Ok(tools)
}

/// Carries out a call that is about records; `None` for all others.
pub(super) async fn call(
    name: &str,
    given: &JsonObject,
    stores: &CallerStores,
) -> Option<CallToolResult> {
    let verb = verb(name)?;
    let is_given = |name: &str| given.get(name).is_some_and(|value| !value.is_null());
    if name == DELETE && !is_given("memory_id") && !stores.caller.has_records_alone() {
        return None;
    }
    if !stores.caller.has_records(verb) {
        return Some(refused(&ToolError::Refused(no_records(verb).to_owned())));
    }
    let done = match name {
        STORE => calls::store(&stores.app, &stores.caller, given).await,
        RETRIEVE => calls::retrieve(&stores.app, &stores.caller, given).await,
        _ => calls::delete(&stores.app, &stores.caller, given).await,
    };
    Some(match done {
        Ok(value) => structured(value),
        Err(failed) => failure_result(&failed),
    })
}

/// What a tool of records does with them.
fn verb(name: &str) -> Option<Verb> {
    match name {
        STORE | DELETE => Some(Verb::Write),
        RETRIEVE => Some(Verb::Read),
        _ => None,
    }
}

/// A tool that does what two do: no argument is needed for both.
fn widen(tool: &mut Tool, other: &Tool) {
    tool.description = Some(DELETE_BOTH.into());
    let join = |own: &JsonObject, other: &JsonObject| {
        let mut schema = own.clone();
        if let (Some(Value::Object(all)), Some(Value::Object(more))) =
            (schema.get_mut("properties"), other.get("properties"))
        {
            all.extend(more.clone());
        }
        schema.insert("required".to_owned(), Value::Array(Vec::new()));
        schema
    };
    tool.input_schema = join(&tool.input_schema, &other.input_schema).into();
    if let (Some(own), Some(other)) = (&tool.output_schema, &other.output_schema) {
        tool.output_schema = Some(join(own, other).into());
    }
}

fn failure_result(failed: &CallFailure) -> CallToolResult {
    match failed {
        // What the place of records says is for the log.
        CallFailure::Record(error) if error.kind() != mem_core::ErrorKind::Unreachable => {
            let hint = error.hint().map(|hint| format!("\nhint: {hint}"));
            let text = format!("error: {error}{}", hint.unwrap_or_default());
            CallToolResult::error(vec![ContentBlock::text(text)])
        }
        CallFailure::Record(_) | CallFailure::Server(_) => refused(&ToolError::Unavailable(
            "the server cannot do this now".to_owned(),
        )),
    }
}

fn refused(error: &ToolError) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(error.told())])
}
