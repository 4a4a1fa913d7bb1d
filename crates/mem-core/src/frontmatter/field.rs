//! The fields that `mem` understands, and where each may stand.

use std::fmt;

/// A frontmatter field with a meaning. Every other key is kept and left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FrontmatterField {
    /// The title.
    Name,
    /// The one line that a selector reads.
    Description,
    /// The memory type.
    Type,
    /// Free words.
    Tags,
    /// The files that it is about: globs, or parts of paths.
    When,
    /// 1 to 5.
    Importance,
    /// A date or an instant.
    Expires,
    /// Whether it always counts.
    Pinned,
    /// One free word.
    Category,
    /// The least trusted source of what an agent wrote.
    RestsOn,
    /// When a host last wrote it.
    Modified,
    /// The host session that first wrote it. Read, never written.
    OriginSession,
}

/// Where a key stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum FieldLevel {
    Top,
    Metadata,
}

impl FrontmatterField {
    /// All fields, in the order in which `mem` writes them.
    pub const ALL: [Self; 12] = [
        Self::Name,
        Self::Description,
        Self::Type,
        Self::Tags,
        Self::When,
        Self::Importance,
        Self::Expires,
        Self::Pinned,
        Self::Category,
        Self::RestsOn,
        Self::Modified,
        Self::OriginSession,
    ];

    /// The key in the file.
    pub fn key(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Description => "description",
            Self::Type => "type",
            Self::Tags => "tags",
            Self::When => "when",
            Self::Importance => "importance",
            Self::Expires => "expires",
            Self::Pinned => "pinned",
            Self::Category => "category",
            Self::RestsOn => "rests_on",
            Self::Modified => "modified",
            Self::OriginSession => "originSessionId",
        }
    }

    /// The field that a key stands for.
    pub(crate) fn of_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.key() == key)
    }

    /// Whether the value is a sentence, in which ` #` is text rather than a comment.
    pub(crate) fn is_sentence(self) -> bool {
        matches!(self, Self::Name | Self::Description)
    }

    /// The levels that are looked at, the one that counts first. Hosts fold everything but the
    /// name and the description under `metadata`.
    pub(crate) fn levels(self) -> [FieldLevel; 2] {
        if self.is_sentence() {
            [FieldLevel::Top, FieldLevel::Metadata]
        } else {
            [FieldLevel::Metadata, FieldLevel::Top]
        }
    }
}

impl fmt::Display for FrontmatterField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}
