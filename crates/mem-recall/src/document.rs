//! What is ranked: a text in three fields, and what filters and weights look at.

/// A document. Only `key` is needed; everything else may be empty.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document {
    /// Names the document in the index; a second document with the same key replaces the first.
    pub key: String,
    /// Title.
    pub name: String,
    /// One line on what it says.
    pub description: String,
    /// The text.
    pub body: String,
    /// What filters and weights look at.
    pub facets: Facets,
    /// Anything by which the caller knows whether the document has changed (say size and time of
    /// its file). Kept and given back, never looked at.
    pub stamp: Vec<u8>,
}

/// What is known of a document beside its text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facets {
    /// The type of a memory: `feedback`, `project`, `reference`, `user` or anything else.
    pub kind: String,
    /// Where it holds: `private`, `team`, `global` or anything else.
    pub scope: String,
    /// A further class of the caller's.
    pub category: String,
    /// Words it is filed under; they are searched like the description.
    pub tags: Vec<String>,
    /// From 0 (does not matter) to 1; nothing counts as 0.5.
    pub importance: Option<f32>,
    /// Seconds since 1970 after which it no longer holds.
    pub expires: Option<i64>,
    /// Seconds since 1970 when it was last changed.
    pub time: Option<i64>,
    /// Whether somebody wants it on top.
    pub pinned: bool,
    /// How often it was recalled and then used.
    pub used: u32,
}

impl Document {
    /// Name, description and tags in one text.
    pub(crate) fn head_text(&self) -> String {
        let parts = [self.name.as_str(), &self.description].into_iter();
        let parts: Vec<&str> = parts
            .chain(self.facets.tags.iter().map(String::as_str))
            .filter(|p| !p.is_empty())
            .collect();
        parts.join(". ")
    }
}
