//! The object of a body, in which no field is said twice: nobody knows which of two would be meant.

use std::fmt;

use mem_records::input::Fields;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};

/// What was sent.
pub(super) struct Sent(pub(super) Fields);

impl<'de> Deserialize<'de> for Sent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Object)
    }
}

struct Object;

impl<'de> Visitor<'de> for Object {
    type Value = Sent;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Sent, A::Error> {
        let mut fields = Fields::new();
        while let Some((name, value)) = map.next_entry::<String, _>()? {
            if fields.insert(name, value).is_some() {
                return Err(A::Error::custom("a field is there twice"));
            }
        }
        Ok(Sent(fields))
    }
}
