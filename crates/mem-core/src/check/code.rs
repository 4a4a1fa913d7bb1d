//! The sorts of findings. The words are stable: scripts rely on them.

use std::fmt;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckSeverity {
    /// Something is lost to the reader.
    Error,
    /// Something works worse than it could.
    Warning,
    /// Good to know.
    Info,
}

impl CheckSeverity {
    /// The stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// What a finding is about.
///
/// | code | severity | what it says | mended by |
/// |---|---|---|---|
/// | `dangling` | error | the index points to a file that is not there | `mem index repair` |
/// | `dangling-link` | warning | prose or a table of the index does | a person |
/// | `orphan` | error | nothing in the index points to the note | `mem index repair` |
/// | `repeated-pointer` | warning | the note has several entries | `mem index repair` |
/// | `over-cap` | error | the end of the index is not loaded | `mem index fit`; a person where prose alone is over |
/// | `near-cap` | warning | nine tenths of the cap are used | `mem index fit` |
/// | `long-index-line` | warning | a line of over 200 characters | a person |
/// | `content-in-index` | warning | paragraphs or frontmatter in the index | a person |
/// | `unreadable` | error | the system does not let the file or folder be read | a person |
/// | `missing-type` | warning | no type | `mem edit FILE` |
/// | `unknown-type` | warning | a type outside the taxonomy | `mem edit FILE` |
/// | `empty` | error | no body | `mem edit FILE` |
/// | `not-text` | error | control characters, or no UTF-8: nobody can read it | a person |
/// | `missing-description` | warning | nothing for a selector to see | `mem edit FILE` |
/// | `long-description` | warning | over 200 characters | `mem edit FILE` |
/// | `description-repeats-name` | warning | it says no more than the name, and the text does | `mem edit FILE` |
/// | `unreadable-frontmatter` | error | other YAML readers lose a field | `mem edit FILE` |
/// | `duplicate` | warning | another note has the same body | `mem remove FILE` |
/// | `near-duplicate` | info | another note says much the same | a person |
/// | `gave-way` | warning | a text gave way to the remote's where memory is shared | `mem team resolve FILE` |
/// | `unshared` | warning | it stays here where memory is shared | a person |
/// | `broken` | warning | something that it cites is gone from the code | `mem edit FILE` |
/// | `drifted` | info | something that it cites moved, or changed a lot | `mem edit FILE` |
///
/// The last two need the repository that the notes speak of, and are found by who has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckCode {
    /// `dangling`
    Dangling,
    /// `dangling-link`
    DanglingLink,
    /// `orphan`
    Orphan,
    /// `repeated-pointer`
    RepeatedPointer,
    /// `over-cap`
    OverCap,
    /// `near-cap`
    NearCap,
    /// `long-index-line`
    LongIndexLine,
    /// `content-in-index`
    ContentInIndex,
    /// `unreadable`
    Unreadable,
    /// `missing-type`
    MissingType,
    /// `unknown-type`
    UnknownType,
    /// `empty`
    Empty,
    /// `not-text`
    NotText,
    /// `missing-description`
    MissingDescription,
    /// `long-description`
    LongDescription,
    /// `description-repeats-name`
    DescriptionRepeatsName,
    /// `unreadable-frontmatter`
    UnreadableFrontmatter,
    /// `duplicate`
    Duplicate,
    /// `near-duplicate`
    NearDuplicate,
    /// `gave-way`
    GaveWay,
    /// `unshared`
    Unshared,
    /// `broken`
    Broken,
    /// `drifted`
    Drifted,
}

impl CheckCode {
    /// All codes, in the order of the table.
    pub const ALL: [Self; 23] = [
        Self::Dangling,
        Self::DanglingLink,
        Self::Orphan,
        Self::RepeatedPointer,
        Self::OverCap,
        Self::NearCap,
        Self::LongIndexLine,
        Self::ContentInIndex,
        Self::Unreadable,
        Self::MissingType,
        Self::UnknownType,
        Self::Empty,
        Self::NotText,
        Self::MissingDescription,
        Self::LongDescription,
        Self::DescriptionRepeatsName,
        Self::UnreadableFrontmatter,
        Self::Duplicate,
        Self::NearDuplicate,
        Self::GaveWay,
        Self::Unshared,
        Self::Broken,
        Self::Drifted,
    ];

    /// Whether the index, or a note's place in it, is what is wrong.
    pub fn is_about_index(self) -> bool {
        matches!(
            self,
            Self::Dangling
                | Self::DanglingLink
                | Self::Orphan
                | Self::RepeatedPointer
                | Self::OverCap
                | Self::NearCap
                | Self::LongIndexLine
                | Self::ContentInIndex
        )
    }

    /// The stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dangling => "dangling",
            Self::DanglingLink => "dangling-link",
            Self::Orphan => "orphan",
            Self::RepeatedPointer => "repeated-pointer",
            Self::OverCap => "over-cap",
            Self::NearCap => "near-cap",
            Self::LongIndexLine => "long-index-line",
            Self::ContentInIndex => "content-in-index",
            Self::Unreadable => "unreadable",
            Self::MissingType => "missing-type",
            Self::UnknownType => "unknown-type",
            Self::Empty => "empty",
            Self::NotText => "not-text",
            Self::MissingDescription => "missing-description",
            Self::LongDescription => "long-description",
            Self::DescriptionRepeatsName => "description-repeats-name",
            Self::UnreadableFrontmatter => "unreadable-frontmatter",
            Self::Duplicate => "duplicate",
            Self::NearDuplicate => "near-duplicate",
            Self::GaveWay => "gave-way",
            Self::Unshared => "unshared",
            Self::Broken => "broken",
            Self::Drifted => "drifted",
        }
    }

    /// How bad it is.
    pub fn severity_level(self) -> CheckSeverity {
        match self {
            Self::Dangling
            | Self::Orphan
            | Self::OverCap
            | Self::Unreadable
            | Self::Empty
            | Self::NotText
            | Self::UnreadableFrontmatter => CheckSeverity::Error,
            Self::Drifted | Self::NearDuplicate => CheckSeverity::Info,
            _ => CheckSeverity::Warning,
        }
    }

    /// The one command that mends it in a file.
    pub fn fix_command(self, file: &str) -> Option<String> {
        let on_file = |command: &str| Some(format!("mem {command} {}", quote_file(file)));
        match self {
            Self::Dangling | Self::Orphan | Self::RepeatedPointer => {
                Some("mem index repair".to_owned())
            }
            Self::OverCap | Self::NearCap => Some("mem index fit".to_owned()),
            Self::Duplicate => on_file("remove"),
            Self::GaveWay => on_file("team resolve"),
            Self::DanglingLink
            | Self::LongIndexLine
            | Self::Unreadable
            | Self::NearDuplicate
            | Self::Unshared
            | Self::NotText
            | Self::ContentInIndex => None,
            Self::MissingType
            | Self::UnknownType
            | Self::Empty
            | Self::MissingDescription
            | Self::LongDescription
            | Self::DescriptionRepeatsName
            | Self::UnreadableFrontmatter
            | Self::Broken
            | Self::Drifted => on_file("edit"),
        }
    }
}

impl fmt::Display for CheckCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A file name as a shell takes it for one word.
fn quote_file(file: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    if file.chars().all(plain) && !file.starts_with('-') {
        file.to_owned()
    } else {
        format!("'{}'", file.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_and_the_words_agree() {
        let source = include_str!("code.rs");
        for code in CheckCode::ALL {
            let row = format!("| `{code}` | {} |", code.severity_level().as_str());
            assert!(source.contains(&row), "{row}");
        }
        assert_eq!(
            CheckCode::Empty.fix_command("it's.md").unwrap(),
            r"mem edit 'it'\''s.md'"
        );
    }
}
