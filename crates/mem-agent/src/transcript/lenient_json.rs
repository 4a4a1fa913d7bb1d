//! JSON values of whatever type they turn out to have: hosts change theirs.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A text; empty where the value is anything else.
#[derive(Debug, Default)]
pub(super) struct LooseText<'a>(pub(super) Cow<'a, str>);

impl<'a> LooseText<'a> {
    /// The text, if there is any.
    pub(super) fn into_nonempty(self) -> Option<Cow<'a, str>> {
        (!self.0.is_empty()).then_some(self.0)
    }
}

/// A switch; off where the value is anything but `true`.
#[derive(Debug, Default)]
pub(super) struct Flag(pub(super) bool);

/// What is made of a JSON value of any type; of a type that is not wanted, the default.
pub(super) trait LenientValue<'de>: Default {
    fn from_bool(_: bool) -> Self {
        Self::default()
    }

    fn from_text(_: Cow<'de, str>) -> Self {
        Self::default()
    }

    fn from_list<A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Self::default())
    }
}

/// Reads such a value.
pub(super) fn read_lenient<'de, T: LenientValue<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<T, D::Error> {
    from.deserialize_any(LenientVisitor(PhantomData))
}

struct LenientVisitor<T>(PhantomData<T>);

impl<'de, T: LenientValue<'de>> Visitor<'de> for LenientVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_bool<E>(self, on: bool) -> Result<T, E> {
        Ok(T::from_bool(on))
    }

    fn visit_i64<E>(self, _: i64) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_u64<E>(self, _: u64) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_f64<E>(self, _: f64) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_unit<E>(self) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<T, E> {
        Ok(T::from_text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<T, E> {
        Ok(T::from_text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        T::from_list(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<T, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(T::default())
    }
}

impl<'de: 'a, 'a> LenientValue<'de> for LooseText<'a> {
    fn from_text(text: Cow<'de, str>) -> Self {
        Self(text)
    }
}

impl LenientValue<'_> for Flag {
    fn from_bool(on: bool) -> Self {
        Self(on)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for LooseText<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read_lenient(from)
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read_lenient(from)
    }
}
