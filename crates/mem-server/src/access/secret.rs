//! What a token looks like: a prefix that secret scanners know, and 256 random bits in hexadecimal.

use secrecy::SecretString;
use sha2::{Digest as _, Sha256};

use crate::hex;

/// How every token begins. `mem-secrets` has a rule for it (`mem-server-token`).
pub const PREFIX: &str = "memtok_";
/// Of randomness.
const BYTES: usize = 32;
/// Of a public id.
const ID_BYTES: usize = 12;

/// Longer names would be cut by clients.
const NAME_CHARS_MAX: usize = 100;

/// The system has no random bytes to give.
#[derive(Debug, thiserror::Error)]
#[error("the system has no random bytes to give")]
pub struct NoRandomness;

/// The text of a new token.
pub(crate) fn fresh_secret() -> Result<SecretString, NoRandomness> {
    let secret = hex::random::<BYTES>(PREFIX).map_err(|_| NoRandomness)?;
    Ok(SecretString::from(secret))
}

/// What a new token is called, `apikey_…`.
pub(crate) fn fresh_id() -> Result<String, NoRandomness> {
    hex::random::<ID_BYTES>("apikey_").map_err(|_| NoRandomness)
}

/// The name of a token, without blanks around it; `None` for a text that is none.
pub fn name(text: &str) -> Option<String> {
    let name = text.trim();
    let is_name = !name.chars().any(char::is_control) && name.chars().count() <= NAME_CHARS_MAX;
    is_name.then(|| name.to_owned())
}

/// What is kept of a token; `None` for a text that is none.
pub(crate) fn digest(text: &str) -> Option<[u8; 32]> {
    let digits = text.strip_prefix(PREFIX)?;
    let is_hex = digits
        .bytes()
        .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    (digits.len() == 2 * BYTES && is_hex).then(|| Sha256::digest(text.as_bytes()).into())
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret as _;

    use super::*;
    use crate::tokens::FreshToken;

    #[test]
    fn a_token_is_known_by_its_digest_and_by_scanners() {
        let made = || FreshToken::generate(String::new(), String::new(), Vec::new(), None).unwrap();
        let token = made();
        let text = token.secret.expose_secret();
        assert_eq!(digest(text), Some(token.token.sha256));
        assert!(!format!("{token:?}").contains(text));
        let note = format!("use {text} here");
        let origin = mem_secrets::InputOrigin::unknown();
        let found = mem_secrets::Scanner::new().scan(note.as_bytes(), &origin);
        assert_eq!(found[0].rule, "mem-server-token");
        for other in [
            "",
            PREFIX,
            &text[1..],
            &text.to_uppercase(),
            &format!("{text}0"),
        ] {
            assert_eq!(digest(other), None);
        }
        assert_ne!(made().token.sha256, token.token.sha256);
    }
}
