//! JSON values of whatever type they turn out to have: hosts change theirs.

use std::borrow::Cow;
use std::fmt;

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

/// The methods of a visitor that takes any value and makes the default of those it does not want.
macro_rules! ignoring {
    ($($name:ident($kind:ty)),*) => {
        $(fn $name<E>(self, _: $kind) -> Result<Self::Value, E> { Ok(Self::Value::default()) })*
        fn visit_unit<E>(self) -> Result<Self::Value, E> { Ok(Self::Value::default()) }
    };
}
pub(super) use ignoring;

impl<'de: 'a, 'a> Deserialize<'de> for LooseText<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader<'a>(std::marker::PhantomData<&'a ()>);
        impl<'de: 'a, 'a> Visitor<'de> for Reader<'a> {
            type Value = LooseText<'a>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("anything")
            }

            ignoring!(
                visit_bool(bool),
                visit_i64(i64),
                visit_u64(u64),
                visit_f64(f64)
            );

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(LooseText(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(LooseText(Cow::Owned(text.to_owned())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(LooseText::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(LooseText::default())
            }
        }
        from.deserialize_any(Reader(std::marker::PhantomData))
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Flag;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("anything")
            }

            ignoring!(
                visit_i64(i64),
                visit_u64(u64),
                visit_f64(f64),
                visit_str(&str)
            );

            fn visit_bool<E>(self, on: bool) -> Result<Self::Value, E> {
                Ok(Flag(on))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Flag(false))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Flag(false))
            }
        }
        from.deserialize_any(Reader)
    }
}
