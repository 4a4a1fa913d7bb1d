//! Checks the arguments of a call against the input schema of its tool. It knows the keywords that
//! `templates/mcp/tools.json` uses; `pattern` is left to the type of the argument.

use mem_core::memory_path::printable;
use serde_json::Value;

/// Checks arguments against a schema.
///
/// # Errors
/// The first argument that does not fit, with its value and the constraint.
pub(super) fn check_arguments(schema: &Value, given: &Value) -> Result<(), String> {
    let required = schema["required"].as_array().into_iter().flatten();
    for name in required.filter_map(Value::as_str) {
        if given.get(name).is_none() {
            return Err(format!("`{name}` is missing"));
        }
    }
    for (name, value) in given.as_object().into_iter().flatten() {
        let fault = match schema["properties"].get(name) {
            Some(property) => violation(property, value),
            None => Some("is not an argument of this tool".to_owned()),
        };
        if let Some(fault) = fault {
            return Err(format!("`{}` {fault}", printable(name)));
        }
    }
    Ok(())
}

/// What the schema of an argument has against its value.
fn violation(property: &Value, value: &Value) -> Option<String> {
    let bounds = |least: &str, most: &str| (property[least].as_f64(), property[most].as_f64());
    if let Some(kind) = property["type"].as_str()
        && !has_type(value, kind)
    {
        return Some(format!("is {}, expected type {kind}", shown(value)));
    }
    if let Some(words) = property["enum"].as_array()
        && !words.contains(value)
    {
        let words: Vec<String> = words.iter().map(shown).collect();
        let words = words.join(", ");
        return Some(format!("is {}, expected one of {words}", shown(value)));
    }
    match value {
        Value::Number(number) => {
            let range = range_missed(number.as_f64()?, bounds("minimum", "maximum"))?;
            Some(format!("is {number}, expected {range}"))
        }
        Value::String(text) => {
            let chars = text.chars().count();
            let range = range_missed(chars as f64, bounds("minLength", "maxLength"))?;
            Some(format!("has {chars} characters, expected {range}"))
        }
        _ => None,
    }
}

/// Whether a value is of a type of JSON Schema; the schemas of tools know two.
fn has_type(value: &Value, kind: &str) -> bool {
    match kind {
        "integer" => value.is_i64() || value.is_u64(),
        _ => value.is_string(),
    }
}

/// The range that a number is outside of; `None` where it is inside.
fn range_missed(number: f64, (least, most): (Option<f64>, Option<f64>)) -> Option<String> {
    let is_outside =
        least.is_some_and(|least| number < least) || most.is_some_and(|most| number > most);
    is_outside.then(|| match (least, most) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("at least {least}"),
        (None, most) => format!("at most {}", most.unwrap_or_default()),
    })
}

/// A value as an error shows it.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{}`", printable(text)),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_does_not_fit_is_named_with_value_and_constraint() {
        let schema = json!({
            "properties": {
                "limit": { "type": "integer", "minimum": 1, "maximum": 1000 },
                "kind": { "type": "string", "enum": ["user", "project"] },
                "query": { "type": "string", "minLength": 1, "maxLength": 5 },
            },
            "required": ["query"], "additionalProperties": false,
        });
        let check = |given: Value| check_arguments(&schema, &given);
        assert_eq!(check(json!({ "query": "a", "limit": 1000 })), Ok(()));
        for (given, fault) in [
            (json!({}), "`query` is missing"),
            (
                json!({ "query": "" }),
                "`query` has 0 characters, expected 1 to 5",
            ),
            (
                json!({ "query": "abcdef" }),
                "`query` has 6 characters, expected 1 to 5",
            ),
            (json!({ "query": 7 }), "`query` is 7, expected type string"),
            (
                json!({ "query": ["a"] }),
                "`query` is an array, expected type string",
            ),
            (
                json!({ "query": "a", "limit": 0 }),
                "`limit` is 0, expected 1 to 1000",
            ),
            (
                json!({ "query": "a", "limit": 1001 }),
                "`limit` is 1001, expected 1 to 1000",
            ),
            (
                json!({ "query": "a", "limit": 1.5 }),
                "`limit` is 1.5, expected type integer",
            ),
            (
                json!({ "query": "a", "kind": "x" }),
                "`kind` is `x`, expected one of `user`, `project`",
            ),
            (
                json!({ "query": "a", "limt": 7 }),
                "`limt` is not an argument of this tool",
            ),
        ] {
            assert_eq!(check(given), Err(fault.to_owned()));
        }
    }

    #[test]
    fn the_schemas_of_the_tools_say_nothing_that_is_not_checked() {
        let tools: Vec<Value> = serde_json::from_str(mem_templates::MCP_TOOLS).unwrap();
        let known = [
            "type",
            "description",
            "enum",
            "minimum",
            "maximum",
            "minLength",
            "maxLength",
            "pattern",
        ];
        for tool in &tools {
            assert_eq!(tool["inputSchema"]["additionalProperties"], false);
            for (name, property) in tool["inputSchema"]["properties"].as_object().unwrap() {
                let mut words = property.as_object().unwrap().keys();
                assert!(words.all(|word| known.contains(&word.as_str())), "{name}");
                assert!(
                    ["integer", "string"].contains(&property["type"].as_str().unwrap()),
                    "{name}"
                );
            }
        }
    }
}
