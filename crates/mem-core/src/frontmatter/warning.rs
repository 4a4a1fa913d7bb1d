//! What could not be read as it stands, with the place in the file.

use std::fmt;

/// One oddity of a frontmatter. The file is loaded all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What sort of oddity.
    pub kind: WarningKind,
    /// The line in the file, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is odd, and how it was read.
    pub message: String,
}

/// The sorts of oddities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// The block is not valid YAML; it was read line by line.
    Yaml,
    /// A key stands there twice; the first counts.
    DuplicateKey,
    /// YAML would cut the text at ` #`; it was kept.
    HashInText,
    /// A field has a value of the wrong shape, or one out of range.
    Value,
    /// The type is a word outside the taxonomy.
    UnknownType,
    /// There is an opening `---` and no closing one within the limit; the whole file counts as body.
    Unterminated,
    /// Bytes that are not UTF-8 were replaced for reading.
    Utf8,
    /// The block is too large or too deep for the YAML parser; it was read line by line.
    TooLarge,
}

impl WarningKind {
    /// Whether another YAML reader would lose or misread something here.
    pub fn is_unreadable(self) -> bool {
        !matches!(self, Self::UnknownType)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}
