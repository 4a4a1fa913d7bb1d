//! The tools for stores that are attached: the same names, told apart by `store`, or by a path below
//! `/memories/<slug>`. Schemas, arguments and answers are those that servers of stores have.

use crate::CallError;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use mem_core::Scope;
use mem_stores::StorePath;
use mem_stores::attached::{AttachedStores, Attachment};
use mem_stores::tools::{self, DEFINITIONS, ToolError};
use rmcp::model::{JsonObject, Tool};
use serde_json::{Value, json};

use super::mcp_call::McpCall;

/// Where stores are, as agents say it.
const MOUNT: &str = "/memories/";
/// The field of an answer that says what the server does not have yet.
const UNSENT: &str = "unsent";
/// The field of an answer that says which earlier deletions were not made.
const UNDONE: &str = "undone";
/// The arguments that hold a path.
const PATHS: [&str; 3] = ["path", "path_prefix", "after"];

/// Carries out a call that is about an attached store; `None` for all others.
pub(super) fn call_attached(
    name: &str,
    given: &mut Option<JsonObject>,
    desk: &McpCall,
) -> Option<Result<Value, CallError>> {
    let tool = tools::ToolDefinition::from_name(name)?;
    let stores = match attached_stores(desk) {
        Ok(stores) => stores?,
        Err(error) => return Some(Err(error)),
    };
    let fields = given.as_mut()?;
    store_address(fields, &stores.attachments)?;
    let fields = std::mem::take(fields);
    let named = fields.get("store").and_then(Value::as_str);
    let attachment = named.and_then(|named| stores.find_store(named)).cloned();
    let done = at_once(tools::call(tool, fields, &&stores));
    Some(done.map_err(Into::into).and_then(|mut answer| {
        if let Some(attachment) = &attachment {
            if tool.writes() {
                tell_unsent(&mut answer, attachment, &stores);
            }
            tell_skipped_deletions(&mut answer, attachment, &stores)?;
        }
        Ok(answer)
    }))
}

/// Says so where an earlier deletion was not made.
fn tell_skipped_deletions(
    answer: &mut Value,
    attachment: &Attachment,
    stores: &AttachedStores<'_>,
) -> Result<(), CallError> {
    let copy = stores.open_store(attachment).copy;
    let skipped = copy.take_skipped_deletions(stores.environment.run().current_time(), |_| true)?;
    if !skipped.is_empty() {
        answer[UNDONE] = skipped
            .iter()
            .map(|one| one.describe_for_mount(""))
            .collect();
    }
    Ok(())
}

/// Says so where the server does not have yet what was written.
fn tell_unsent(answer: &mut Value, attachment: &Attachment, stores: &AttachedStores<'_>) {
    let path = answer.get("path").and_then(Value::as_str);
    let path = path.and_then(|path| StorePath::parse(path).ok());
    let unsent = path.and_then(|path| stores.open_store(attachment).copy.unsent_reason(&[path]));
    if let Some(why) = unsent {
        answer[UNSENT] = Value::String(why);
    }
}

/// The stores that a client may see: all, or none where it was given some tiers only.
pub(super) fn attachment_names(desk: &McpCall) -> Result<Vec<Attachment>, CallError> {
    Ok(attached_stores(desk)?.map_or_else(Vec::new, |stores| stores.attachments))
}

/// The tools with what they do for attached stores.
///
/// # Errors
/// The text is broken, which a test rules out.
pub(super) fn offer_tools(
    mut tools: Vec<Tool>,
    stores: &[Attachment],
) -> serde_json::Result<Vec<Tool>> {
    if stores.is_empty() {
        return Ok(tools);
    }
    let others: Vec<Tool> = serde_json::from_str(DEFINITIONS)?;
    for other in others {
        if let Some(tool) = tools.iter_mut().find(|tool| tool.name == other.name) {
            widen_tool(tool, other, stores);
        }
    }
    Ok(tools)
}

/// The stores that a client may see.
pub(super) fn attached_stores<'d>(
    desk: &'d McpCall,
) -> Result<Option<AttachedStores<'d>>, CallError> {
    match desk.terms.scopes.len() == Scope::ALL.len() {
        true => Ok(AttachedStores::open_for(&desk.place, &desk.environment)?),
        false => Ok(None),
    }
}

/// Turns a path below a store's folder into the store and a path in it; `None` where the call is about no store.
fn store_address(fields: &mut JsonObject, stores: &[Attachment]) -> Option<()> {
    for name in PATHS {
        let Some(path) = fields.get(name).and_then(Value::as_str) else {
            continue;
        };
        let Some(rest) = path.strip_prefix(MOUNT) else {
            continue;
        };
        let (slug, path) = rest.split_once('/').unwrap_or((rest, ""));
        let is_ours = stores.iter().any(|one| one.slug == slug);
        let named = fields.get("store").and_then(Value::as_str);
        if is_ours && named.is_none_or(|named| named == slug) {
            let (slug, path) = (slug.to_owned(), format!("/{path}"));
            fields.insert(name.to_owned(), Value::String(path));
            fields.insert("store".to_owned(), Value::String(slug));
        }
    }
    fields.contains_key("store").then_some(())
}

/// What a future comes to that never waits: what the stores do, they do at once.
pub(super) fn at_once<T>(
    future: impl Future<Output = Result<T, ToolError>>,
) -> Result<T, ToolError> {
    let mut future = pin!(future);
    match future
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(done) => done,
        Poll::Pending => Err(ToolError::Unavailable("it takes too long".to_owned())),
    }
}

/// Adds to a tool what it does for stores.
fn widen_tool(tool: &mut Tool, other: Tool, stores: &[Attachment]) {
    let names: Vec<String> = stores
        .iter()
        .map(|one| format!("`{}` ({})", one.slug, one.access.as_str()))
        .collect();
    let names = names.join(", ");
    let own = tool.description.take().unwrap_or_default();
    let theirs = other.description.unwrap_or_default();
    tool.description = Some(
        format!(
            "{own}\n\nWith `store`, an attached store instead of these notes: {names}. {theirs}"
        )
        .into(),
    );
    tool.input_schema = Arc::new(either_input(
        &tool.input_schema,
        &other.input_schema,
        &names,
    ));
    if let (Some(own), Some(theirs)) = (&tool.output_schema, &other.output_schema) {
        let mut theirs = (**theirs).clone();
        let writes =
            tools::ToolDefinition::from_name(&tool.name).is_some_and(tools::ToolDefinition::writes);
        if let Some(properties) = theirs.get_mut("properties").and_then(Value::as_object_mut) {
            tell_more(properties, writes);
        }
        let both = json!({ "type": "object", "anyOf": [**own, theirs] });
        if let Value::Object(both) = both {
            tool.output_schema = Some(Arc::new(both));
        }
    }
}

/// The fields that answers about attached stores have beside those of servers.
fn tell_more(properties: &mut JsonObject, writes: bool) {
    let why = "Earlier deletions that were not made, because somebody else changed or moved the memory meanwhile";
    let lines = json!({ "type": "array", "items": { "type": "string" }, "description": why });
    properties.insert(UNDONE.to_owned(), lines);
    if writes {
        let why =
            "Where the server does not have it yet: why it waits. It is sent as soon as may be";
        let unsent = json!({ "type": "string", "description": why });
        properties.insert(UNSENT.to_owned(), unsent);
    }
}

/// A schema for both: every property of either, and required what both require.
fn either_input(own: &JsonObject, other: &JsonObject, names: &str) -> JsonObject {
    let mut both = own.clone();
    let property = |schema: &JsonObject| {
        let properties = schema.get("properties").and_then(Value::as_object);
        properties.cloned().unwrap_or_default()
    };
    let mut properties = property(own);
    for (name, schema) in property(other) {
        properties.entry(name).or_insert(schema);
    }
    let store = json!({
        "type": "string",
        "description": format!(
            "An attached store: {names}. Paths in it begin with `/`; `/memories/STORE/PATH` as `path` means the \
             same. Leave it out for the notes of this project"
        ),
    });
    properties.insert("store".to_owned(), store);
    both.insert("properties".to_owned(), Value::Object(properties));
    let required = |schema: &JsonObject| -> Vec<Value> {
        let list = schema.get("required").and_then(Value::as_array);
        list.cloned().unwrap_or_default()
    };
    let theirs = required(other);
    let mut common = required(own);
    common.retain(|name| theirs.contains(name));
    both.insert("required".to_owned(), Value::Array(common));
    both
}

#[cfg(test)]
mod tests {
    use mem_stores::attached::StoreAccess;

    use super::*;

    fn store() -> Attachment {
        Attachment {
            store: "memstore_1".to_owned(),
            base_url: "http://127.0.0.1".to_owned(),
            slug: "notes".to_owned(),
            name: "Notes".to_owned(),
            description: String::new(),
            access: StoreAccess::ReadOnly,
            instructions: String::new(),
            attached_at: String::new(),
        }
    }

    fn addressed(given: &Value) -> Option<Value> {
        let mut fields = given.as_object().cloned().unwrap();
        store_address(&mut fields, &[store()])?;
        Some(Value::Object(fields))
    }

    #[test]
    fn a_path_below_a_store_is_one_in_it() {
        let named = json!({ "store": "notes", "path": "/a/b.md" });
        assert_eq!(
            addressed(&json!({ "path": "/memories/notes/a/b.md" })),
            Some(named.clone())
        );
        assert_eq!(addressed(&named), Some(named));
        let folder = json!({ "store": "notes", "path_prefix": "/" });
        assert_eq!(
            addressed(&json!({ "path_prefix": "/memories/notes" })),
            Some(folder)
        );
        for ours in [
            "feedback_a.md",
            "team:a.md",
            "/memories/other/a.md",
            "/memories",
        ] {
            assert_eq!(addressed(&json!({ "path": ours })), None, "{ours}");
        }
    }

    #[test]
    fn the_six_tools_take_a_store_and_keep_what_they_took() {
        let tools: Vec<Tool> = serde_json::from_str(mem_templates::MCP_TOOLS).unwrap();
        let before = tools.clone();
        assert_eq!(offer_tools(tools.clone(), &[]).unwrap().len(), before.len());
        let after = offer_tools(tools, &[store()]).unwrap();
        let mut widened = 0;
        for (before, after) in before.iter().zip(&after) {
            let has_store = !after.input_schema["properties"]["store"].is_null();
            widened += usize::from(has_store);
            for name in before.input_schema["properties"]
                .as_object()
                .unwrap()
                .keys()
            {
                assert!(!after.input_schema["properties"][name].is_null(), "{name}");
            }
            assert_eq!(after.output_schema.as_ref().unwrap()["type"], "object");
        }
        assert_eq!(widened, tools::ToolDefinition::ALL.len());
    }
}
