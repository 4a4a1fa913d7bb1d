//! A value before its meaning is looked at: the shape that all readers agree on.

/// What stands behind a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RawValue {
    /// Nothing, `~` or `null`.
    Null,
    /// A scalar of any kind, as the text in the file.
    Text(String),
    /// A list of scalars.
    List(Vec<String>),
    /// A mapping.
    Map,
}

/// Whether a plain scalar means nothing.
pub(crate) fn is_null_word(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

impl RawValue {
    /// The value of a plain scalar.
    pub(crate) fn plain(text: &str) -> Self {
        if is_null_word(text) {
            Self::Null
        } else {
            Self::Text(text.to_owned())
        }
    }
}
