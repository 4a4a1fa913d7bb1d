//! Enums that are stored, and told, as words.

/// Says the word of each variant: `stored_words!(Verb { Read => "read", Write => "write" })`.
macro_rules! stored_words {
    ($type:ident { $($variant:ident => $word:literal),+ $(,)? }) => {
        impl $type {
            /// As it is stored and told.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }

            /// From what is stored.
            pub(crate) fn from_stored(text: &str) -> Option<Self> {
                match text {
                    $($word => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use stored_words;
