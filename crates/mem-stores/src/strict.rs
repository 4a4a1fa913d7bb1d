//! JSON as it is read from strangers: every key once, not nested deeply, and each field of its type.
//!
//! What is said about a body names fields and never quotes values.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::limits::JSON_DEPTH_MAX;
use crate::not_json::{DEEP, NotJson, TWICE};
use crate::rules::Invalid;

/// An object of texts; `None` for what is to go.
pub type Texts = Vec<(String, Option<String>)>;

/// The fields of one object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectFields(Map<String, Value>);

/// What became of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrictField<T> {
    /// It is not there.
    Absent,
    /// It is `null`.
    Null,
    /// It has a value.
    Is(T),
}

impl<T> StrictField<T> {
    /// The value; `None` also for `null`.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Is(value) => Some(value),
            Self::Absent | Self::Null => None,
        }
    }
}

impl ObjectFields {
    /// Reads an object. Keys that are not asked for are passed over, but have to be JSON.
    ///
    /// # Errors
    /// What is not JSON, not an object, has a key twice anywhere, is nested deeply, or has half of a
    /// surrogate pair.
    pub fn read(bytes: &[u8]) -> Result<Self, Invalid> {
        let mut reader = serde_json::Deserializer::from_str(NotJson::text(bytes)?);
        let read = BoundedValue(JSON_DEPTH_MAX).deserialize(&mut reader);
        let value = read.and_then(|value| reader.end().map(|()| value));
        match value.map_err(|error| NotJson::from_error(&error))? {
            Value::Object(fields) => Ok(Self(fields)),
            _ => Err(Invalid::NoObject),
        }
    }

    /// Reads an object; nothing at all is an empty one.
    ///
    /// # Errors
    /// As [`ObjectFields::read`].
    pub fn read_optional(bytes: &[u8]) -> Result<Self, Invalid> {
        match bytes.iter().all(u8::is_ascii_whitespace) {
            true => Ok(Self::default()),
            false => Self::read(bytes),
        }
    }

    /// All of them.
    pub fn into_map(self) -> Map<String, Value> {
        self.0
    }

    /// Takes a text.
    ///
    /// # Errors
    /// Another type.
    pub fn text(&mut self, name: &'static str) -> Result<StrictField<String>, Invalid> {
        match self.0.remove(name) {
            None => Ok(StrictField::Absent),
            Some(Value::Null) => Ok(StrictField::Null),
            Some(Value::String(text)) => Ok(StrictField::Is(text)),
            Some(_) => Err(Invalid::field(name, "has to be a string")),
        }
    }

    /// Takes an object.
    ///
    /// # Errors
    /// Another type.
    pub fn object(&mut self, name: &'static str) -> Result<StrictField<Self>, Invalid> {
        match self.0.remove(name) {
            None => Ok(StrictField::Absent),
            Some(Value::Null) => Ok(StrictField::Null),
            Some(Value::Object(fields)) => Ok(StrictField::Is(Self(fields))),
            Some(_) => Err(Invalid::field(name, "has to be an object")),
        }
    }

    /// Takes an object of texts, or of nothing for those that are to go.
    ///
    /// # Errors
    /// Another type.
    pub fn texts(&mut self, name: &'static str) -> Result<StrictField<Texts>, Invalid> {
        let fields = match self.object(name)? {
            StrictField::Absent => return Ok(StrictField::Absent),
            StrictField::Null => return Ok(StrictField::Null),
            StrictField::Is(fields) => fields,
        };
        let pairs = fields.0.into_iter().map(|(key, value)| match value {
            Value::Null => Ok((key, None)),
            Value::String(text) => Ok((key, Some(text))),
            _ => Err(Invalid::field(name, "has to have strings as values")),
        });
        pairs.collect::<Result<_, _>>().map(StrictField::Is)
    }
}

/// A value with so many levels at most.
struct BoundedValue(usize);

impl<'de> DeserializeSeed<'de> for BoundedValue {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl BoundedValue {
    fn inner<E: serde::de::Error>(&self) -> Result<Self, E> {
        let levels = self.0.checked_sub(1);
        levels.map(Self).ok_or_else(|| E::custom(DEEP))
    }
}

impl<'de> Visitor<'de> for BoundedValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(one) = from.next_element_seed(self.inner()?)? {
            all.push(one);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some(key) = from.next_key::<String>()? {
            let value = from.next_value_seed(self.inner()?)?;
            if all.insert(key, value).is_some() {
                return Err(A::Error::custom(TWICE));
            }
        }
        Ok(Value::Object(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_readers_could_read_in_two_ways_is_refused() {
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(100), "]".repeat(100));
        let very_deep = format!("{{\"a\":{}", "[".repeat(100_000));
        for text in [
            "",
            "[]",
            "null",
            "\"a\"",
            "{",
            "{}x",
            "{\"a\":1,\"a\":1}",
            "{\"x\":{\"a\":1,\"a\":2}}",
            "{\"x\":[{\"a\":1,\"\\u0061\":2}]}",
            "{\"a\":\"\\ud800\"}",
            "{\"\\udc00\":1}",
            "{\"a\":\"\u{0}\"}",
            &deep,
            &very_deep,
        ] {
            assert!(ObjectFields::read(text.as_bytes()).is_err(), "{text:.40}");
        }
        assert!(ObjectFields::read(b"{\"a\":\"\xff\"}").is_err());
        assert!(
            ObjectFields::read(br#"{"other":[{}, 1.5, true, -1, null, "\ud83d\ude00"]}"#).is_ok()
        );
        assert_eq!(
            ObjectFields::read_optional(b" "),
            Ok(ObjectFields::default())
        );
        assert_eq!(
            ObjectFields::read_optional(b"{}"),
            Ok(ObjectFields::default())
        );
        assert!(ObjectFields::read_optional(b"[]").is_err());
    }

    #[test]
    fn fields_have_types() {
        let read =
            || ObjectFields::read(br#"{"a":"x","b":null,"c":1,"m":{"k":"v","n":null}}"#).unwrap();
        assert_eq!(read().text("a"), Ok(StrictField::Is("x".to_owned())));
        assert_eq!(read().text("b"), Ok(StrictField::Null));
        assert_eq!(read().text("z"), Ok(StrictField::Absent));
        assert!(read().text("c").is_err() && read().texts("a").is_err());
        let metadata = read().texts("m").unwrap().value().unwrap();
        let want = [
            ("k".to_owned(), Some("v".to_owned())),
            ("n".to_owned(), None),
        ];
        assert_eq!(metadata, want);
    }
}
