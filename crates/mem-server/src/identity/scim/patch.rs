//! Changes of a part of a user (RFC 7644, 3.5.2), as the directories of Okta and Microsoft Entra write them.

use serde_json::{Map, Value};

use super::invalid;
use super::resource::{KEPT, USER_SCHEMA};
use crate::http::problem::HttpProblem;

/// More than any directory sends.
const OPERATIONS_MAX: usize = 100;

/// What a path leads to.
enum PatchTarget {
    /// An attribute.
    Attribute(&'static str),
    /// A part of `name`.
    NamePart(String),
    /// The value of the address that a filter of `emails` names; there is one.
    Email,
    /// What this server does not keep.
    Unkept,
}

impl PatchTarget {
    fn of(path: &str) -> Self {
        let path = path
            .strip_prefix(USER_SCHEMA)
            .map_or(path, |rest| rest.trim_start_matches(':'));
        let lower = path.to_ascii_lowercase();
        let known = ["userName", "externalId", "active"].into_iter().chain(KEPT);
        let mut known = known.into_iter();
        if let Some(name) = known.find(|name| name.eq_ignore_ascii_case(path)) {
            return Self::Attribute(name);
        }
        if lower.starts_with("emails[") && lower.ends_with("].value") {
            return Self::Email;
        }
        match lower.strip_prefix("name.") {
            Some(_) => Self::NamePart(path["name.".len()..].to_owned()),
            None => Self::Unkept,
        }
    }
}

/// The attributes of a user after all operations.
pub(super) fn patched(
    mut user: Map<String, Value>,
    asked: &Map<String, Value>,
) -> Result<Map<String, Value>, HttpProblem> {
    let syntax = |why| invalid("invalidSyntax", why);
    let operations = find_field(asked, "Operations").and_then(Value::as_array);
    let operations = operations.filter(|all| all.len() <= OPERATIONS_MAX);
    for operation in operations.ok_or_else(|| syntax("`Operations` has to be a list"))? {
        let operation = operation.as_object();
        let operation = operation.ok_or_else(|| syntax("an operation is an object"))?;
        let text = |name| find_field(operation, name).and_then(Value::as_str);
        let (verb, path) = (
            text("op").unwrap_or_default(),
            text("path").unwrap_or_default(),
        );
        let value = find_field(operation, "value").cloned();
        match (verb.to_ascii_lowercase().as_str(), value) {
            ("add" | "replace", Some(Value::Object(all))) if path.is_empty() => {
                for (path, value) in all {
                    set_attribute(&mut user, &path, value);
                }
            }
            ("add" | "replace", Some(value)) if !path.is_empty() => {
                set_attribute(&mut user, path, value);
            }
            ("add" | "replace", _) => {
                return Err(invalid("invalidValue", "an operation needs a `value`"));
            }
            ("remove", _) if path.is_empty() => {
                return Err(invalid("noTarget", "`remove` needs a `path`"));
            }
            ("remove", _) => remove_attribute(&mut user, path)?,
            _ => return Err(syntax("`op` is `add`, `replace` or `remove`")),
        }
    }
    Ok(user)
}

fn set_attribute(user: &mut Map<String, Value>, path: &str, value: Value) {
    match PatchTarget::of(path) {
        PatchTarget::Attribute(name) => {
            user.insert(name.to_owned(), value);
        }
        PatchTarget::NamePart(part) => {
            let name = user.entry("name").or_insert_with(|| Map::new().into());
            if let Some(name) = name.as_object_mut() {
                name.insert(part, value);
            }
        }
        PatchTarget::Email => {
            let email = serde_json::json!({ "value": value, "primary": true });
            user.insert("emails".to_owned(), Value::Array(vec![email]));
        }
        PatchTarget::Unkept => {}
    }
}

fn remove_attribute(user: &mut Map<String, Value>, path: &str) -> Result<(), HttpProblem> {
    match PatchTarget::of(path) {
        PatchTarget::Attribute(name @ ("userName" | "active")) => {
            let why = format!("`{name}` cannot be removed");
            return Err(invalid("mutability", why));
        }
        PatchTarget::Attribute(name) => drop(user.shift_remove(name)),
        PatchTarget::NamePart(part) => {
            if let Some(name) = user.get_mut("name").and_then(Value::as_object_mut) {
                name.shift_remove(&part);
            }
        }
        PatchTarget::Email => drop(user.shift_remove("emails")),
        PatchTarget::Unkept => {}
    }
    Ok(())
}

/// A field by its name in any case.
fn find_field<'o>(object: &'o Map<String, Value>, name: &str) -> Option<&'o Value> {
    let mut all = object.iter();
    all.find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn after(operations: &Value) -> Result<Value, HttpProblem> {
        let user = json!({ "userName": "dana", "active": true, "name": { "givenName": "Dana" } });
        let asked = json!({ "schemas": [], "Operations": operations });
        let (user, asked) = (
            user.as_object().unwrap().clone(),
            asked.as_object().unwrap().clone(),
        );
        patched(user, &asked).map(Value::Object)
    }

    #[test]
    fn users_are_changed_as_directories_write_it() {
        // Okta, then Entra.
        let okta = after(&json!([{ "op": "replace", "value": { "active": false } }])).unwrap();
        assert_eq!(okta["active"], false);
        let entra = after(&json!([
            { "op": "Replace", "path": "active", "value": "False" },
            { "op": "Add", "path": "emails[type eq \"work\"].value", "value": "d@acme.example" },
            { "op": "Replace", "path": "name.familyName", "value": "Doe" },
            { "op": "Add", "path": "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", "value": "x" },
            { "op": "Remove", "path": "name.givenName" },
        ]));
        let entra = entra.unwrap();
        assert_eq!(entra["active"], "False");
        assert_eq!(entra["emails"][0]["value"], "d@acme.example");
        assert_eq!(entra["name"], json!({ "familyName": "Doe" }));
    }

    #[test]
    fn what_is_no_operation_is_refused() {
        for bad in [
            json!({}),
            json!([1]),
            json!([{ "op": "move", "path": "active", "value": true }]),
            json!([{ "op": "replace", "path": "active" }]),
            json!([{ "op": "replace", "value": 1 }]),
            json!([{ "op": "remove" }]),
            json!([{ "op": "remove", "path": "active" }]),
        ] {
            assert!(after(&bad).is_err(), "{bad}");
        }
    }
}
