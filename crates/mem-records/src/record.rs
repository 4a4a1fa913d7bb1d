//! A record, and one that is to be stored.

use std::fmt;

use jiff::Timestamp;
use mem_core::topic::Expiry;

use crate::category::Category;
use crate::error::InvalidRecord;
use crate::limits::{CONTENT_BYTES_MAX, ID_BYTES_MAX, IMPORTANCE, TAG_CHARS_MAX, TAGS_MAX};

/// The id of a record. What it looks like is its back end's: a note's id, a UUID.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(String);

impl RecordId {
    /// Reads an id that came from outside.
    ///
    /// # Errors
    /// It is empty, too long, or has other characters than letters, digits, `-` and `_`.
    pub fn parse(text: &str) -> Result<Self, InvalidRecord> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let is_id = (1..=ID_BYTES_MAX).contains(&text.len()) && text.bytes().all(is_plain);
        match is_id {
            true => Ok(Self(text.to_owned())),
            false => Err(InvalidRecord::Id(text.to_owned())),
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A record that is to be stored, within its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRecord {
    content: String,
    category: Category,
    tags: Vec<String>,
    importance: u8,
    is_importance_given: bool,
    expires_at: Option<Expiry>,
}

impl NewRecord {
    /// A record with nothing but what every record has. White space around the content is not part
    /// of it.
    ///
    /// # Errors
    /// The content is empty or too large, the importance none.
    pub fn new(content: &str, category: Category, importance: u8) -> Result<Self, InvalidRecord> {
        let content = content.trim();
        if content.is_empty() {
            return Err(InvalidRecord::EmptyContent);
        }
        if content.len() > CONTENT_BYTES_MAX {
            return Err(InvalidRecord::ContentTooLarge(content.len()));
        }
        if content.contains('\0') {
            return Err(InvalidRecord::Control("content"));
        }
        require_importance("importance", i64::from(importance))?;
        Ok(Self {
            content: content.to_owned(),
            category,
            tags: Vec::new(),
            importance,
            is_importance_given: true,
            expires_at: None,
        })
    }

    /// The same with tags; one that is given twice counts once.
    ///
    /// # Errors
    /// There are too many, or one is none.
    pub fn with_tags(self, tags: &[String]) -> Result<Self, InvalidRecord> {
        if tags.len() > TAGS_MAX {
            return Err(InvalidRecord::TooManyTags(tags.len()));
        }
        let mut kept: Vec<String> = Vec::new();
        for tag in tags {
            let tag = tag.trim();
            if !is_tag(tag) {
                return Err(InvalidRecord::Tag(tag.to_owned()));
            }
            if !kept.iter().any(|one| one == tag) {
                kept.push(tag.to_owned());
            }
        }
        Ok(Self { tags: kept, ..self })
    }

    /// The same, of whose importance nobody said anything: where the content is stored already, or a record is superseded,
    /// that of the record stays.
    #[must_use]
    pub fn with_default_importance(self) -> Self {
        Self {
            is_importance_given: false,
            ..self
        }
    }

    /// The same with an end.
    #[must_use]
    pub fn until(self, expires_at: Option<Expiry>) -> Self {
        Self { expires_at, ..self }
    }

    /// What it says.
    pub fn content(&self) -> &str {
        &self.content
    }

    /// What it is about.
    pub fn category(&self) -> Category {
        self.category
    }

    /// What it is filed under.
    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// From 1 (least) to 5.
    pub fn importance(&self) -> u8 {
        self.importance
    }

    /// How important a record of the same content is from now on.
    pub(crate) fn renewed_importance(&self, before: Option<u8>) -> u8 {
        match before {
            Some(before) if !self.is_importance_given => before,
            _ => self.importance,
        }
    }

    /// The same as the successor of a record: the importance and the tags that were not given are those of the record.
    pub(crate) fn succeeding(&self, importance: Option<u8>, tags: &[String]) -> Self {
        let mut new = self.clone();
        new.importance = self.renewed_importance(importance);
        if new.tags.is_empty() {
            // The tags of a file may break the limits, which keeps no successor out.
            let valid = tags.iter().filter(|tag| is_tag(tag));
            new.tags = valid.take(TAGS_MAX).cloned().collect();
        }
        new
    }

    /// When it ceases to hold.
    pub fn expires_at(&self) -> Option<Expiry> {
        self.expires_at
    }
}

/// A record as a back end keeps it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its id.
    pub id: RecordId,
    /// What it says.
    pub content: String,
    /// What it is about.
    pub category: Category,
    /// What it is filed under.
    pub tags: Vec<String>,
    /// From 1 (least) to 5.
    pub importance: u8,
    /// When what it says came to be.
    pub created_at: Timestamp,
    /// When it ceases to hold.
    pub expires_at: Option<Expiry>,
    /// When it was last retrieved, where that is known.
    pub used_at: Option<Timestamp>,
    /// Whether somebody wants it to stay, whatever its importance.
    pub pinned: bool,
    /// What a back end of files calls its file.
    pub file: Option<String>,
}

impl Record {
    /// Whether it has ceased to hold.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end.is_past(now))
    }
}

/// Refuses a number that is no importance.
pub(crate) fn require_importance(what: &'static str, number: i64) -> Result<u8, InvalidRecord> {
    u8::try_from(number)
        .ok()
        .filter(|number| IMPORTANCE.contains(number))
        .ok_or(InvalidRecord::Importance { what, number })
}

fn is_tag(tag: &str) -> bool {
    let is_bad = |c: char| c.is_control() || matches!(c, ',' | '\u{2028}' | '\u{2029}');
    !tag.is_empty() && tag.chars().count() <= TAG_CHARS_MAX && !tag.chars().any(is_bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(content: &str, importance: u8) -> Result<NewRecord, InvalidRecord> {
        NewRecord::new(content, Category::DecisionLog, importance)
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        assert_eq!(new(" \n", 3), Err(InvalidRecord::EmptyContent));
        let large = "x".repeat(1 << 20);
        assert_eq!(new(&large, 3), Err(InvalidRecord::ContentTooLarge(1 << 20)));
        for importance in [0, 6, 255] {
            assert!(new("x", importance).is_err(), "{importance}");
        }
        let record = new("x", 1).unwrap();
        for tag in ["", " ", "a,b", "a\nb", &"x".repeat(101)] {
            let refused = record.clone().with_tags(&[tag.to_owned()]);
            assert!(matches!(refused, Err(InvalidRecord::Tag(_))), "{tag:?}");
        }
        let many = vec!["x".to_owned(); TAGS_MAX + 1];
        assert!(record.clone().with_tags(&many).is_err());
        let twice = ["a".to_owned(), " a ".to_owned()];
        assert_eq!(record.with_tags(&twice).unwrap().tags(), ["a"]);
    }

    #[test]
    fn ids_are_plain_words() {
        for id in ["mem_0", "0b1f-3", "a"] {
            assert_eq!(RecordId::parse(id).unwrap().as_str(), id);
        }
        for id in ["", "../x", "a b", "a\n", "é", &"x".repeat(129)] {
            assert!(RecordId::parse(id).is_err(), "{id:?}");
        }
    }
}
