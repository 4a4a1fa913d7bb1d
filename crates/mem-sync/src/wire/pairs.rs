//! A JSON object read pair by pair: one bad value, or one name twice, costs that name only.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::Value;

use super::rejection::{RejectedKey, RejectionCode};
use crate::key::{EntryKey, KeySet};
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
    /// The names that are there more than once, each told once.
    fn duplicate_names(&self, rejected: &mut Vec<RejectedKey>) -> BTreeSet<String> {
        // In order, as they are written, none stands beside its like.
        if self.0.is_sorted_by(|(one, _), (next, _)| one < next) {
            return BTreeSet::new();
        }
        let mut seen = BTreeSet::new();
        let mut twice = BTreeSet::new();
        for (name, _) in &self.0 {
            if !seen.insert(name.as_str()) && twice.insert(name.clone()) {
                rejected.push(RejectedKey::new(
                    name,
                    RejectionCode::Duplicate,
                    "it is there twice",
                ));
            }
        }
        twice
    }

    /// The good pairs by key, and what is wrong with the others. With `beside_each_other`, keys that
    /// cannot all be files of one folder are bad, the later in byte order.
    pub(crate) fn sort_pairs(
        self,
        beside_each_other: bool,
        rejected: &mut Vec<RejectedKey>,
    ) -> BTreeMap<EntryKey, T> {
        match beside_each_other {
            true => self.split_clashing(rejected).0,
            false => self.valid_pairs(rejected),
        }
    }

    /// The same of keys that stand beside each other, and what is good but for that it cannot.
    pub(crate) fn split_clashing(
        self,
        rejected: &mut Vec<RejectedKey>,
    ) -> (BTreeMap<EntryKey, T>, BTreeMap<EntryKey, T>) {
        let mut set = KeySet::default();
        let (mut beside, mut clashing) = (BTreeMap::new(), BTreeMap::new());
        for (key, value) in self.valid_pairs(rejected) {
            if let Err(clash) = set.insert(&key) {
                rejected.push(RejectedKey::from_clash(&key, &clash));
                clashing.insert(key, value);
            } else {
                beside.insert(key, value);
            }
        }
        (beside, clashing)
    }

    /// The good pairs by key.
    fn valid_pairs(self, rejected: &mut Vec<RejectedKey>) -> BTreeMap<EntryKey, T> {
        let twice = self.duplicate_names(rejected);
        let mut good = BTreeMap::new();
        for (name, value) in self.0 {
            if twice.contains(&name) {
                continue;
            }
            match (EntryKey::parse(&name), value) {
                (Err(error), _) => {
                    rejected.push(RejectedKey::new(
                        &name,
                        RejectionCode::InvalidKey,
                        &error.to_string(),
                    ));
                }
                (Ok(_), None) => {
                    rejected.push(RejectedKey::new(
                        &name,
                        RejectionCode::Form,
                        "its value has another form",
                    ));
                }
                (Ok(key), Some(value)) => {
                    good.insert(key, value);
                }
            }
        }
        good
    }
}
