//! What is no secret although a rule matched it, each reason with a name that
//! `--explain` shows.

pub(crate) mod interpolation;
pub(crate) mod login;
mod placeholder;
mod shape;
pub(crate) mod url_password;
pub(crate) mod value;
pub(crate) mod weak_password;
pub(crate) mod word_list;
pub(crate) mod words;

pub(crate) use shape::is_uuid;

use std::fmt;

/// Why a match was taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum MatchFilter {
    /// Too regular for its format.
    LowEntropy,
    /// `xxxx`, `changeme`, `<your key>` and their kind.
    Placeholder,
    /// `${VAR}`, `{{ template }}`, `%s` and their kind.
    Template,
    /// A call, a member, an expression of code.
    Expression,
    /// Words, as people write them.
    Words,
    /// The name of something in code.
    Identifier,
    /// A digest, as lock files and manifests carry it.
    Hash,
    /// A UUID that names something.
    Uuid,
    /// A path, a URL without a password, a host, a version, a date.
    Locator,
    /// Printed in public documentation.
    Published,
    /// The name says that the value is none (`password_field`, `token_type`).
    Name,
    /// The same value as the name.
    Echo,
    /// The rule is for other files.
    OtherFile,
    /// Too short or too long for its kind.
    Length,
    /// A number.
    Number,
    /// Encrypted, as by SOPS, Ansible Vault or sealed secrets.
    Encrypted,
    /// A public key or certificate.
    Public,
}

impl MatchFilter {
    /// The name, as output shows it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LowEntropy => "low-entropy",
            Self::Placeholder => "placeholder",
            Self::Template => "template",
            Self::Expression => "expression",
            Self::Words => "words",
            Self::Identifier => "identifier",
            Self::Hash => "hash",
            Self::Uuid => "uuid",
            Self::Locator => "locator",
            Self::Published => "published",
            Self::Name => "name",
            Self::Echo => "echo",
            Self::OtherFile => "other-file",
            Self::Length => "length",
            Self::Number => "number",
            Self::Encrypted => "encrypted",
            Self::Public => "public",
        }
    }
}

impl fmt::Display for MatchFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// For a token that is recognised by its form: only what no vendor issues. What a person may have chosen is judged by
/// [`of_chosen_value`].
pub(crate) fn of_token(secret: &[u8]) -> Option<MatchFilter> {
    let is_row = placeholder::is_regular(&secret.to_ascii_lowercase());
    is_row
        .then_some(MatchFilter::Placeholder)
        .or_else(|| of_chosen_value(secret))
}

/// For a value that is recognised by what is around it: people choose `abc12345`.
pub(crate) fn of_chosen_value(secret: &[u8]) -> Option<MatchFilter> {
    placeholder::is_filler(secret).then_some(MatchFilter::Placeholder)
}

/// For a value that only a vendor's name makes a secret.
pub(crate) fn of_named_value(secret: &[u8]) -> Option<MatchFilter> {
    if let Some(filter) = of_token(secret) {
        return Some(filter);
    }
    let bare = secret
        .iter()
        .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'.'));
    (bare && words::reads(secret)).then_some(MatchFilter::Words)
}
