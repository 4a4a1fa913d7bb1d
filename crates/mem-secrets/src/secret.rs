//! A value that must not be printed by accident.

use std::fmt;

/// Leading characters that a redacted secret still shows, at most.
const SHOWN_CHARS_MAX: usize = 4;

/// The bytes of a secret. `Debug` and `Display` show at most the first four
/// characters and the length; the bytes themselves have to be asked for.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Secret(Box<[u8]>);

impl Secret {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        Self(bytes.into())
    }

    /// The secret itself. For hashing, and for a terminal whose user asked.
    #[must_use]
    pub fn expose(&self) -> &[u8] {
        &self.0
    }

    /// The first characters (fewer of a short secret) and the length in bytes.
    #[must_use]
    pub fn redacted(&self) -> String {
        let shown = SHOWN_CHARS_MAX.min(self.0.len() / 6);
        let head: String = String::from_utf8_lossy(&self.0)
            .chars()
            .take(shown)
            .map(|c| if c.is_control() { '.' } else { c })
            .collect();
        format!("{head}... ({} bytes)", self.0.len())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({})", self.redacted())
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.redacted())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_a_sixth_at_most() {
        let secret = Secret::new(b"correct horse battery staple");
        assert_eq!(format!("{secret:?}"), "Secret(corr... (28 bytes))");
        assert_eq!(Secret::new(b"abcde").redacted(), "... (5 bytes)");
    }

    #[test]
    fn control_characters_do_not_reach_a_terminal() {
        let secret = Secret::new(b"\x1b[31mredredredredredred");
        assert!(!secret.to_string().contains('\x1b'));
    }
}
