//! A JSON object read pair by pair: one bad value, or one name twice, costs that name only.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::Value;

use super::rejection::{Code, Rejected};
use crate::key::{Key, KeySet};
use crate::limits::BODY_KEYS_MAX;

/// The names and values of an object in their order; `None` for a value of the wrong form.
#[derive(Debug)]
pub(crate) struct Pairs<T>(pub(crate) Vec<(String, Option<T>)>);

impl<T> Default for Pairs<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(PairsVisitor(PhantomData))
    }
}

struct PairsVisitor<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for PairsVisitor<T> {
    type Value = Pairs<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<T>, A::Error> {
        let mut pairs = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            if pairs.len() == BODY_KEYS_MAX {
                return Err(A::Error::custom("too many keys"));
            }
            let value: Value = map.next_value()?;
            pairs.push((name, serde_json::from_value(value).ok()));
        }
        Ok(Pairs(pairs))
    }
}

impl<T> Pairs<T> {
    /// The good pairs by key, and what is wrong with the others. With `beside_each_other`, keys that
    /// cannot all be files of one folder are bad, the later in byte order.
    pub(crate) fn sorted(
        self,
        beside_each_other: bool,
        rejected: &mut Vec<Rejected>,
    ) -> BTreeMap<Key, T> {
        let mut seen = BTreeSet::new();
        let mut twice = BTreeSet::new();
        for (name, _) in &self.0 {
            if !seen.insert(name.clone()) && twice.insert(name.clone()) {
                rejected.push(Rejected::new(name, Code::Duplicate, "it is there twice"));
            }
        }
        let mut good = BTreeMap::new();
        for (name, value) in self.0 {
            if twice.contains(&name) {
                continue;
            }
            match (Key::parse(&name), value) {
                (Err(error), _) => {
                    rejected.push(Rejected::new(&name, Code::InvalidKey, &error.to_string()));
                }
                (Ok(_), None) => {
                    rejected.push(Rejected::new(
                        &name,
                        Code::Form,
                        "its value has another form",
                    ));
                }
                (Ok(key), Some(value)) => {
                    good.insert(key, value);
                }
            }
        }
        if beside_each_other {
            let mut set = KeySet::default();
            good.retain(|key, _| match set.insert(key) {
                Ok(()) => true,
                Err(clash) => {
                    rejected.push(Rejected::new(
                        key.as_str(),
                        Code::of(&clash),
                        &clash.to_string(),
                    ));
                    false
                }
            });
        }
        good
    }
}
