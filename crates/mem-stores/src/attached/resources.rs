//! Attachments as sessions of the API name them: `resources[]`, read and printed.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::attachment_file::{Attachment, StoreAccess};
use super::error::AttachError;
use super::request::AttachmentRequest;

/// The type of a resource that is a store.
const KIND: &str = "memory_store";

#[derive(Deserialize)]
struct Resource {
    memory_store_id: String,
    #[serde(default)]
    access: Option<StoreAccess>,
    #[serde(default)]
    instructions: Option<String>,
    /// The name of `instructions` in the research preview.
    #[serde(default)]
    prompt: Option<String>,
}

/// Reads `{"resources": [..]}`, or the list alone; resources of other types are passed over and counted.
///
/// # Errors
/// It is not JSON of that shape.
pub fn read(text: &str) -> Result<(Vec<AttachmentRequest>, usize), AttachError> {
    let fault = |why: String| AttachError::Resources(why);
    let value: Value = serde_json::from_str(text).map_err(|error| fault(error.to_string()))?;
    let list = match value {
        Value::Array(list) => list,
        Value::Object(mut fields) => match fields.remove("resources") {
            Some(Value::Array(list)) => list,
            _ => return Err(fault("there is no list `resources`".to_owned())),
        },
        _ => return Err(fault("neither a list nor an object".to_owned())),
    };
    let all = list.len();
    let ours = |one: &Value| one.get("type").and_then(Value::as_str) == Some(KIND);
    let requests: Result<Vec<AttachmentRequest>, AttachError> =
        list.into_iter().filter(ours).map(parse_request).collect();
    let requests = requests?;
    let others = all - requests.len();
    Ok((requests, others))
}

fn parse_request(value: Value) -> Result<AttachmentRequest, AttachError> {
    let resource: Resource =
        serde_json::from_value(value).map_err(|error| AttachError::Resources(error.to_string()))?;
    if let (Some(one), Some(other)) = (&resource.instructions, &resource.prompt)
        && one != other
    {
        let why = "`instructions` and `prompt` say different things".to_owned();
        return Err(AttachError::Resources(why));
    }
    let instructions = resource.instructions.or(resource.prompt);
    Ok(AttachmentRequest {
        store: resource.memory_store_id,
        access: resource.access,
        instructions,
    })
}

/// An attachment as a session's answer shows it.
pub fn attachment_json(attachment: &Attachment) -> Map<String, Value> {
    let value = json!({
        "type": KIND,
        "memory_store_id": attachment.store,
        "access": attachment.access,
        "instructions": attachment.instructions,
        "mount_path": attachment.mount_path(),
        "name": attachment.name,
        "description": attachment.description,
    });
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_shapes_and_both_names_are_read() {
        let one = r#"{"type":"memory_store","memory_store_id":"memstore_1","access":"read_only","prompt":"Look here."}"#;
        let list = format!(r#"[{one}, {{"type":"file","file_id":"x"}}]"#);
        let object = format!(r#"{{"agent":"a","resources":{list}}}"#);
        let expected = AttachmentRequest {
            store: "memstore_1".to_owned(),
            access: Some(StoreAccess::ReadOnly),
            instructions: Some("Look here.".to_owned()),
        };
        for text in [&list, &object] {
            assert_eq!(read(text).unwrap(), (vec![expected.clone()], 1));
        }
        let bare = r#"[{"type":"memory_store","memory_store_id":"memstore_1"}]"#;
        let (requests, _) = read(bare).unwrap();
        assert_eq!(requests[0].access, None);
    }

    #[test]
    fn what_is_none_is_refused() {
        for text in [
            "",
            "7",
            "{}",
            r#"{"resources":{}}"#,
            r#"[{"type":"memory_store"}]"#,
            r#"[{"type":"memory_store","memory_store_id":"m","access":"write"}]"#,
            r#"[{"type":"memory_store","memory_store_id":"m","instructions":"a","prompt":"b"}]"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
