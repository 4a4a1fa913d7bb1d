//! A user as SCIM writes it (RFC 7643, 4.1), as far as this server keeps it.
//!
//! Kept are `userName`, `externalId`, `active`, `displayName`, `name` and `emails`; other attributes are passed over, as
//! RFC 7644 (3.3) allows: a directory sends all that it has.

use axum::http::StatusCode;
use serde_json::{Map, Value, json};

use super::invalid;
use crate::access::secret;
use crate::http::problem::HttpProblem;
use crate::storage::{UserFilter, UserProfile};

/// The schema of users.
pub(super) const USER_SCHEMA: &str = "urn:ietf:params:scim:schemas:core:2.0:User";
/// What is kept as it is sent.
pub(super) const KEPT: [&str; 3] = ["displayName", "name", "emails"];
/// Of what is kept so.
const ATTRIBUTES_BYTES_MAX: usize = 16 * 1024;
/// Of an `externalId`.
const EXTERNAL_ID_CHARS_MAX: usize = 255;

/// Reads a user. Names of attributes count in any case (RFC 7643, 2.1).
pub(super) fn user_profile(fields: Map<String, Value>) -> Result<UserProfile, HttpProblem> {
    let (mut user_name, mut external_id, mut active) = (None, None, true);
    let mut kept = Map::new();
    for (name, value) in fields {
        match name.to_ascii_lowercase().as_str() {
            "username" => {
                let name = value.as_str().and_then(secret::name);
                let name = name.filter(|name| !name.is_empty());
                let why = "`userName` has to be one line of at most 100 characters";
                user_name = Some(name.ok_or_else(|| invalid("invalidValue", why))?);
            }
            "externalid" => external_id = read_external_id(&value)?,
            "active" => active = read_boolean(&value)?,
            lower => {
                let mut names = KEPT.into_iter();
                if let Some(name) = names.find(|name| name.eq_ignore_ascii_case(lower)) {
                    kept.insert(name.to_owned(), value);
                }
            }
        }
    }
    let attributes = Value::Object(kept).to_string();
    if attributes.len() > ATTRIBUTES_BYTES_MAX {
        let detail = format!("the attributes have more than {ATTRIBUTES_BYTES_MAX} bytes");
        return Err(HttpProblem::new(StatusCode::PAYLOAD_TOO_LARGE, detail));
    }
    Ok(UserProfile {
        user_name: user_name.ok_or_else(|| invalid("invalidValue", "there is no `userName`"))?,
        external_id,
        attributes,
        active,
    })
}

/// A user without what the server adds.
pub(super) fn user_json(profile: &UserProfile) -> Map<String, Value> {
    let mut fields = Map::new();
    fields.insert("userName".to_owned(), json!(profile.user_name));
    if let Some(id) = &profile.external_id {
        fields.insert("externalId".to_owned(), json!(id));
    }
    fields.insert("active".to_owned(), json!(profile.active));
    if let Ok(Value::Object(kept)) = serde_json::from_str(&profile.attributes) {
        fields.extend(kept);
    }
    fields
}

fn read_external_id(value: &Value) -> Result<Option<String>, HttpProblem> {
    match value {
        Value::Null => Ok(None),
        Value::String(id) if id.is_empty() => Ok(None),
        Value::String(id) if id.chars().count() <= EXTERNAL_ID_CHARS_MAX => Ok(Some(id.clone())),
        _ => {
            let why = format!(
                "`externalId` has to be a text of at most {EXTERNAL_ID_CHARS_MAX} characters"
            );
            Err(invalid("invalidValue", why))
        }
    }
}

/// `true` and `false`, which some directories write as texts.
fn read_boolean(value: &Value) -> Result<bool, HttpProblem> {
    let said = match value {
        Value::Bool(said) => Some(*said),
        Value::String(text) if text.eq_ignore_ascii_case("true") => Some(true),
        Value::String(text) if text.eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    };
    said.ok_or_else(|| invalid("invalidValue", "`active` has to be `true` or `false`"))
}

/// The filters that directories ask by: `userName eq "x"` and `externalId eq "x"`.
pub(super) fn filter(text: &str) -> Result<UserFilter, HttpProblem> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(UserFilter::Every);
    }
    let unknown = || {
        let why = "filters are `userName eq \"…\"` and `externalId eq \"…\"`";
        invalid("invalidFilter", why)
    };
    let (attribute, rest) = text.split_once(' ').ok_or_else(unknown)?;
    let (operator, value) = rest.trim_start().split_once(' ').ok_or_else(unknown)?;
    let value: String = serde_json::from_str(value.trim()).map_err(|_| unknown())?;
    let attribute = attribute
        .strip_prefix(USER_SCHEMA)
        .map_or(attribute, |rest| rest.trim_start_matches(':'));
    match attribute.to_ascii_lowercase().as_str() {
        _ if !operator.eq_ignore_ascii_case("eq") => Err(unknown()),
        "username" => Ok(UserFilter::UserName(value)),
        "externalid" => Ok(UserFilter::ExternalId(value)),
        _ => Err(unknown()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_names_a_user() {
        for (text, meant) in [
            ("", UserFilter::Every),
            (
                "userName eq \"Dana\"",
                UserFilter::UserName("Dana".to_owned()),
            ),
            (
                "username EQ \"a \\\"b\\\"\"",
                UserFilter::UserName("a \"b\"".to_owned()),
            ),
            (
                "externalId eq \"7\"",
                UserFilter::ExternalId("7".to_owned()),
            ),
        ] {
            assert_eq!(filter(text).unwrap(), meant, "{text}");
        }
        for text in [
            "userName",
            "userName eq",
            "userName eq Dana",
            "userName sw \"D\"",
            "title eq \"x\"",
            "userName eq \"a\" or active eq true",
        ] {
            assert!(filter(text).is_err(), "{text}");
        }
    }
}
