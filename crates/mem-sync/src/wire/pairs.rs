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
pub(crate) struct Pairs<T, W = Lenient>(pub(crate) Vec<(String, Option<T>)>, PhantomData<W>);

/// A value of the wrong form is one pair's fault.
#[derive(Debug)]
pub(crate) struct Lenient;
/// It makes the whole unreadable, but all of it is read without a detour.
#[derive(Debug)]
pub(crate) struct StrictPairs;

/// How a value is read.
pub(crate) trait ValueMode {
    /// The next value of a map.
    fn next_value<'de, T: DeserializeOwned, A: MapAccess<'de>>(
        map: &mut A,
    ) -> Result<Option<T>, A::Error>;
}

impl ValueMode for Lenient {
    fn next_value<'de, T: DeserializeOwned, A: MapAccess<'de>>(
        map: &mut A,
    ) -> Result<Option<T>, A::Error> {
        let value: Value = map.next_value()?;
        Ok(serde_json::from_value(value).ok())
    }
}

impl ValueMode for StrictPairs {
    fn next_value<'de, T: DeserializeOwned, A: MapAccess<'de>>(
        map: &mut A,
    ) -> Result<Option<T>, A::Error> {
        map.next_value().map(Some)
    }
}

impl<T, W> Default for Pairs<T, W> {
    fn default() -> Self {
        Self(Vec::new(), PhantomData)
    }
}

impl<'de, T: DeserializeOwned, W: ValueMode> Deserialize<'de> for Pairs<T, W> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(PairsVisitor(PhantomData))
    }
}

struct PairsVisitor<T, W>(PhantomData<(T, W)>);

impl<'de, T: DeserializeOwned, W: ValueMode> Visitor<'de> for PairsVisitor<T, W> {
    type Value = Pairs<T, W>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<T, W>, A::Error> {
        let mut pairs = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            if pairs.len() == BODY_KEYS_MAX {
                return Err(A::Error::custom("too many keys"));
            }
            pairs.push((name, W::next_value(&mut map)?));
        }
        Ok(Pairs(pairs, PhantomData))
    }
}

impl<T, W> Pairs<T, W> {
    /// Pairs that were read one by one.
    #[cfg(feature = "http")]
    pub(crate) fn from_pairs(pairs: Vec<(String, Option<T>)>) -> Self {
        Self(pairs, PhantomData)
    }

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
