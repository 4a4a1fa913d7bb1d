//! Which tool does what, and what a model reads of it.

use crate::CallError;
use crate::error_text::ErrorText;
use mem_core::Scope;
use mem_core::delimiters::{escape, escape_json};
use mem_stores::tools::normalise_integers;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::arguments::check_arguments;
use super::mcp_call::McpCall;
use super::{
    ClientPermissions, Fault, attached, delete, list, notes, read, recall, records, search, write,
};

/// Names, descriptions, schemas and annotations; those of records stand in [`mem_records::tools`].
const TOOLS: &str = mem_templates::MCP_TOOLS;

/// What sessions were about is as private as the notes of the private tier.
const SESSION: &str = "session_notes";

/// The tools that write.
const WRITING: [&str; 4] = [
    "memory_write",
    "memory_edit",
    "memory_delete",
    "memory_store",
];

/// The tools of records, which are all that a user of a host has.
const RECORDS: [&str; 3] = ["memory_store", "memory_retrieve", "memory_delete"];

/// The tools that a client is shown.
///
/// # Errors
/// The text is broken, which a test rules out.
pub(super) fn list_tools(terms: &ClientPermissions) -> serde_json::Result<Vec<Tool>> {
    let mut tools: Vec<Tool> = serde_json::from_str(TOOLS)?;
    let records: Vec<Tool> = serde_json::from_str(mem_records::tools::DEFINITIONS)?;
    let place = |tools: &[Tool]| tools.iter().position(|tool| tool.name == "memory_delete");
    let mut at = place(&tools).map_or(tools.len(), |at| at + 1);
    for one in records {
        match tools.iter_mut().find(|tool| tool.name == one.name) {
            // A user of a host has no notes that it could be told by their path.
            Some(both) if terms.user.is_some() => both.input_schema = one.input_schema,
            Some(_) => {}
            None => {
                tools.insert(at, one);
                at += 1;
            }
        }
    }
    tools.retain(|tool| require_tool(&tool.name, terms).is_ok());
    Ok(tools)
}

/// Refuses what the client was not given.
fn require_tool(tool: &str, terms: &ClientPermissions) -> Result<(), Fault> {
    if terms.is_read_only && WRITING.contains(&tool) {
        return Err(Fault::ReadOnly);
    }
    if terms.user.is_some() && !RECORDS.contains(&tool) {
        return Err(Fault::ForRecords);
    }
    if tool == SESSION && !terms.scopes.contains(&Scope::Private) {
        return Err(Fault::NoTier(Scope::Private.as_str()));
    }
    Ok(())
}

/// A tool's work.
type Work = fn(Value, &McpCall) -> Result<Value, CallError>;

/// The tool of a name.
pub(super) fn find_tool(name: &str) -> Option<Work> {
    Some(match name {
        "memory_list" => {
            |given, desk| list::call_list(&parse_arguments("memory_list", given)?, desk)
        }
        "memory_search" => {
            |given, desk| search::call_search(parse_arguments("memory_search", given)?, desk)
        }
        "memory_read" => {
            |given, desk| read::call_read(&parse_arguments("memory_read", given)?, desk)
        }
        "memory_write" => |given, desk| write::write(parse_arguments("memory_write", given)?, desk),
        "memory_edit" => {
            |given, desk| write::call_edit(parse_arguments("memory_edit", given)?, desk)
        }
        "memory_delete" => {
            |given, desk| delete::call_delete(parse_arguments("memory_delete", given)?, desk)
        }
        "memory_store" => {
            |given, desk| records::store_record(&parse_arguments("memory_store", given)?, desk)
        }
        "memory_retrieve" => |given, desk| {
            records::retrieve_records(&parse_arguments("memory_retrieve", given)?, desk)
        },
        "memory_recall" => {
            |given, desk| recall::call_recall(parse_arguments("memory_recall", given)?, desk)
        }
        SESSION => |given, desk| notes::call_notes(parse_arguments(SESSION, given)?, desk),
        _ => return None,
    })
}

/// Does a tool's work at a desk.
pub(super) fn run(
    name: &str,
    work: Work,
    given: Option<JsonObject>,
    desk: &McpCall,
) -> Result<Value, CallError> {
    require_tool(name, &desk.terms)?;
    let mut given = given;
    // An argument that is `null` counts as left out, wherever the call goes.
    if let Some(given) = &mut given {
        given.retain(|_, value| !value.is_null());
    }
    if let Some(done) = attached::call_attached(name, &mut given, desk) {
        return done;
    }
    work(Value::Object(given.unwrap_or_default()), desk)
}

fn parse_arguments<T: DeserializeOwned>(tool: &str, mut given: Value) -> Result<T, Fault> {
    let wrong = |reason: String| Fault::Arguments {
        tool: tool.to_owned(),
        reason,
    };
    if let Value::Object(fields) = &mut given {
        normalise_integers(fields);
    }
    if let Some(schema) = input_schema(tool) {
        check_arguments(&schema, &given).map_err(wrong)?;
    }
    serde_json::from_value(given).map_err(|error| wrong(error.to_string()))
}

/// The schema of a tool's arguments; `None` for those of records, which [`mem_records::input`] checks.
fn input_schema(tool: &str) -> Option<Value> {
    let tools: Vec<Value> = serde_json::from_str(TOOLS).unwrap_or_default();
    let mut one = tools.into_iter().find(|one| one["name"] == tool)?;
    Some(one["inputSchema"].take())
}

/// What the client is told: the value, or what went wrong and what to do about it.
pub(super) fn call_result(done: Result<Value, CallError>) -> CallToolResult {
    match done {
        Ok(value) => {
            // The same value; only no string in it shows a delimiter to whoever reads it as a text.
            let text = escape_json(&value.to_string()).into_owned();
            let mut result = CallToolResult::structured(value);
            result.content = vec![ContentBlock::text(text)];
            result
        }
        Err(error) => {
            let ErrorText { message, hint } = ErrorText::from_call(&error);
            let hint = hint.map(|hint| format!("\nhint: {hint}"));
            let text = format!("error: {message}{}", hint.unwrap_or_default());
            CallToolResult::error(vec![ContentBlock::text(escape(&text))])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(is_read_only: bool) -> ClientPermissions {
        let scopes = Scope::ALL.to_vec();
        ClientPermissions {
            is_read_only,
            scopes,
            user: None,
        }
    }

    #[test]
    fn every_tool_is_declared_and_done() {
        let tools = list_tools(&terms(false)).unwrap();
        assert_eq!(tools.len(), 10);
        for tool in &tools {
            assert!(
                find_tool(&tool.name).is_some(),
                "nobody does `{}`",
                tool.name
            );
            let hints = tool.annotations.as_ref().unwrap();
            let writes = WRITING.contains(&tool.name.as_ref());
            assert_eq!(hints.read_only_hint, Some(!writes), "{}", tool.name);
            assert_eq!(hints.open_world_hint, Some(false));
            assert!(tool.output_schema.is_some());
            assert_eq!(tool.input_schema["additionalProperties"], false);
        }
    }

    #[test]
    fn a_user_of_a_host_has_records_only() {
        let terms = ClientPermissions {
            user: "alice".parse().ok(),
            ..terms(false)
        };
        let tools = list_tools(&terms).unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(names, ["memory_delete", "memory_store", "memory_retrieve"]);
        assert!(require_tool("memory_list", &terms).is_err());
    }

    #[test]
    fn a_client_that_may_only_read_sees_no_tool_that_writes() {
        let tools = list_tools(&terms(true)).unwrap();
        assert_eq!(tools.len(), 10 - WRITING.len());
        let hints = tools.iter().map(|tool| tool.annotations.as_ref());
        assert!(
            hints
                .flatten()
                .all(|hints| hints.read_only_hint == Some(true))
        );
    }
}
