//! The JSON objects that the three tools take, read with errors that name the field.
//!
//! A field that is `null` counts as left out, because clients of models send that; one that nobody
//! knows is refused, because it is a misunderstanding.

use mem_core::topic::Expiry;
use serde_json::{Map, Value};

use crate::category::Category;
use crate::error::InvalidRecord;
use crate::limits::REASON_CHARS_MAX;
use crate::record::{NewRecord, RecordId, require_importance};
use crate::records::Retrieve;

/// An object as it came.
pub type Fields = Map<String, Value>;

/// What `memory_delete` takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delete {
    /// Which record.
    pub id: RecordId,
    /// Why.
    pub reason: String,
}

/// Reads what `memory_store` takes.
///
/// # Errors
/// A field is missing, unknown, of another kind or out of its range.
pub fn parse_store(fields: &Fields) -> Result<NewRecord, InvalidRecord> {
    let known = ["content", "category", "tags", "importance", "expires_at"];
    require_known(fields, &known)?;
    let content = required_text(fields, "content")?;
    let category = required_text(fields, "category")?.parse()?;
    let number =
        read_whole_number(fields, "importance")?.ok_or(InvalidRecord::Missing("importance"))?;
    let importance = require_importance("importance", number)?;
    let expires_at = match read_text(fields, "expires_at")? {
        Some(text) => Some(parse_expiry(text)?),
        None => None,
    };
    let tags = read_texts(fields, "tags")?;
    let record = NewRecord::new(content, category, importance)?;
    Ok(record.with_tags(&tags)?.until(expires_at))
}

/// Reads when a record ends.
///
/// # Errors
/// It is neither a day nor an instant.
pub fn parse_expiry(text: &str) -> Result<Expiry, InvalidRecord> {
    let read = text.parse();
    read.map_err(|_| InvalidRecord::Expires(text.to_owned()))
}

/// Reads what `memory_retrieve` takes.
///
/// # Errors
/// As [`parse_store`].
pub fn parse_retrieve(fields: &Fields) -> Result<Retrieve, InvalidRecord> {
    require_known(fields, &["query", "categories", "limit", "min_importance"])?;
    let mut query = Retrieve::new(required_text(fields, "query")?)?;
    for word in read_texts(fields, "categories")? {
        query.categories.push(word.parse::<Category>()?);
    }
    if let Some(number) = read_whole_number(fields, "min_importance")? {
        query.min_importance = require_importance("min_importance", number)?;
    }
    match read_whole_number(fields, "limit")? {
        Some(limit) => query.at_most(limit),
        None => Ok(query),
    }
}

/// Reads what `memory_delete` takes.
///
/// # Errors
/// As [`parse_store`].
pub fn parse_delete(fields: &Fields) -> Result<Delete, InvalidRecord> {
    require_known(fields, &["memory_id", "reason"])?;
    let id = RecordId::parse(required_text(fields, "memory_id")?)?;
    let reason = parse_reason(required_text(fields, "reason")?)?;
    Ok(Delete { id, reason })
}

/// A reason on one line.
///
/// # Errors
/// It is empty or too long.
pub fn parse_reason(text: &str) -> Result<String, InvalidRecord> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let reason = words.join(" ");
    let chars = reason.chars().count();
    match chars {
        0 => Err(InvalidRecord::EmptyReason),
        1..=REASON_CHARS_MAX => Ok(reason),
        _ => Err(InvalidRecord::ReasonTooLong(chars)),
    }
}

fn require_known(fields: &Fields, known: &[&'static str]) -> Result<(), InvalidRecord> {
    let unknown = fields.keys().find(|name| !known.contains(&name.as_str()));
    unknown.map_or(Ok(()), |name| {
        Err(InvalidRecord::Unknown {
            name: name.clone(),
            known: known.to_vec(),
        })
    })
}

fn given_value<'f>(fields: &'f Fields, field: &str) -> Option<&'f Value> {
    fields.get(field).filter(|value| !value.is_null())
}

fn read_text<'f>(
    fields: &'f Fields,
    field: &'static str,
) -> Result<Option<&'f str>, InvalidRecord> {
    let expected = "a text";
    let read = |value: &'f Value| {
        value
            .as_str()
            .ok_or(InvalidRecord::Kind { field, expected })
    };
    given_value(fields, field).map(read).transpose()
}

fn required_text<'f>(fields: &'f Fields, field: &'static str) -> Result<&'f str, InvalidRecord> {
    read_text(fields, field)?.ok_or(InvalidRecord::Missing(field))
}

/// A whole number; one with an empty fraction is one.
fn read_whole_number(fields: &Fields, field: &'static str) -> Result<Option<i64>, InvalidRecord> {
    let expected = "a whole number";
    let read = |value: &Value| {
        let whole =
            |number: f64| (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64);
        let read = value.as_i64().or_else(|| value.as_f64().and_then(whole));
        read.ok_or(InvalidRecord::Kind { field, expected })
    };
    given_value(fields, field).map(read).transpose()
}

fn read_texts(fields: &Fields, field: &'static str) -> Result<Vec<String>, InvalidRecord> {
    let wrong = || InvalidRecord::Kind {
        field,
        expected: "a list of texts",
    };
    let Some(value) = given_value(fields, field) else {
        return Ok(Vec::new());
    };
    let items = value.as_array().ok_or_else(wrong)?;
    let read = |item: &Value| item.as_str().map(str::to_owned).ok_or_else(wrong);
    items.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use mem_core::Diagnose as _;
    use serde_json::json;

    use super::*;

    fn fields(value: &Value) -> Fields {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn what_is_to_hold_for_ever_is_taken() {
        for text in ["9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999+02:00"] {
            let end = parse_expiry(text).unwrap();
            assert_eq!(end.to_string(), "9999-12-31", "{text}");
            assert_eq!(end.to_string().parse::<Expiry>().unwrap(), end);
        }
        let near = parse_expiry("2026-12-31T18:00:00Z").unwrap();
        assert_eq!(near.to_string(), "2026-12-31T18:00:00Z");
        for text in [
            "9999-13-31T23:59:59Z",
            "9999-12-31T",
            "2027-01-01T00:00:00+25:00",
            "2027-04-31",
            "soon",
            "",
        ] {
            assert!(parse_expiry(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_store_is_read_with_all_it_may_have() {
        let record = parse_store(&fields(&json!({
            "content": "Deploys are on Tuesdays.", "category": "project_context",
            "tags": ["deploy"], "importance": 4, "expires_at": "2026-12-31T18:00:00Z",
        })));
        let record = record.unwrap();
        assert_eq!(record.importance(), 4);
        assert_eq!(record.tags(), ["deploy"]);
        assert!(record.expires_at().is_some());
        let least =
            json!({ "content": "x", "category": "relationship", "importance": 1.0, "tags": null });
        assert!(parse_store(&fields(&least)).is_ok());
    }

    #[test]
    fn every_error_names_its_field() {
        let good = json!({ "content": "x", "category": "relationship", "importance": 3 });
        let wrong = [
            ("content", json!(null), "`content` is missing"),
            ("content", json!(3), "`content` is not a text"),
            ("category", json!("mood"), "`mood` is not a category"),
            (
                "importance",
                json!(9),
                "`importance` is 9, not a whole number from 1 to 5",
            ),
            (
                "importance",
                json!("3"),
                "`importance` is not a whole number",
            ),
            (
                "importance",
                json!(2.5),
                "`importance` is not a whole number",
            ),
            ("tags", json!("a"), "`tags` is not a list of texts"),
            ("tags", json!(["a", 1]), "`tags` is not a list of texts"),
            (
                "expires_at",
                json!("soon"),
                "`expires_at` is `soon`, which is neither a date nor a time",
            ),
            ("user", json!("bob"), "there is no field `user`"),
        ];
        for (field, value, message) in wrong {
            let mut given = good.clone();
            given[field] = value;
            let error = parse_store(&fields(&given)).unwrap_err();
            assert_eq!(error.to_string(), message);
            let hint = error.hint().unwrap();
            assert!(!hint.contains("tool"), "{field}: {hint}");
        }
        let hint = |value: &Value| parse_store(&fields(value)).unwrap_err().hint().unwrap();
        let missing = hint(&json!({ "content": "x", "category": "relationship" }));
        assert_eq!(missing, "`importance` is a whole number from 1 to 5");
        let mut unknown = good;
        unknown["user"] = json!("bob");
        assert!(hint(&unknown).ends_with("`tags`, `importance`, `expires_at`"));
    }

    #[test]
    fn a_query_and_a_deletion_are_read() {
        let query = parse_retrieve(&fields(&json!({
            "query": "deploys", "categories": ["decision_log"], "limit": 3, "min_importance": 2,
        })));
        let query = query.unwrap();
        assert_eq!((query.limit(), query.min_importance), (3, 2));
        for wrong in [
            json!({ "query": "x", "limit": 0 }),
            json!({ "query": "x", "limit": 1000 }),
            json!({ "query": "x", "min_importance": 6 }),
            json!({ "query": "x", "categories": ["all"] }),
            json!({ "query": " " }),
            json!({}),
        ] {
            assert!(parse_retrieve(&fields(&wrong)).is_err(), "{wrong}");
        }
        let read = parse_delete(&fields(
            &json!({ "memory_id": "mem_1", "reason": " it is\nover " }),
        ));
        assert_eq!(read.unwrap().reason, "it is over");
        assert!(parse_delete(&fields(&json!({ "memory_id": "mem_1", "reason": " " }))).is_err());
        assert!(parse_delete(&fields(&json!({ "memory_id": "../x", "reason": "x" }))).is_err());
    }
}
