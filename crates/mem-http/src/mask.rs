//! What a server said, to be shown: harmless, and without the key, whole or in part; one that quotes a key often cuts
//! it.

use mem_core::memory_path::escaped;
use secrecy::{ExposeSecret as _, SecretString};

/// So many of a key's characters in a row are a part of it; fewer are anybody's.
const RUN_MIN: usize = 8;
/// Of what a server says about itself so much is shown.
const SAID_CHARS_MAX: usize = 500;
/// What stands for them.
const MASK: &str = "[key]";

/// A text without the key and its parts.
pub fn mask_key(text: &str, key: &SecretString) -> String {
    let key = key.expose_secret().as_bytes();
    let length = RUN_MIN.min(key.len());
    if length == 0 {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut is_key = vec![false; bytes.len()];
    for (at, run) in bytes.windows(length).enumerate() {
        if key.windows(length).any(|part| part == run) {
            is_key[at..at + length].fill(true);
        }
    }
    // A key is of ASCII alone, so what is cut out are whole characters.
    let mut shown = String::new();
    let mut was_key = false;
    for (at, c) in text.char_indices() {
        match (is_key[at], was_key) {
            (true, false) => shown.push_str(MASK),
            (true, true) => {}
            (false, _) => shown.push(c),
        }
        was_key = is_key[at];
    }
    shown
}

/// Foreign words, short, on one line, harmless, and without what was sent along.
pub fn sanitize_reply(text: &str, secret: Option<&SecretString>) -> String {
    let text = match secret {
        Some(secret) => mask_key(text, secret),
        None => text.to_owned(),
    };
    let cut: String = text.chars().take(SAID_CHARS_MAX).collect();
    escaped(&cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_a_key_is_shown() {
        let key = SecretString::from(["sk-of-", "nobody-0123456789"].concat());
        for (said, shown) in [
            ("`sk-of-nobody-0123456789` is wrong", "`[key]` is wrong"),
            ("`sk-of-nobody-012345678` is wrong", "`[key]` is wrong"),
            ("ends in dy-0123456789…", "ends in [key]…"),
            ("sk-of-no...23456789", "[key]...[key]"),
            ("nobody-: ünd 0123456", "nobody-: ünd 0123456"),
            ("", ""),
        ] {
            assert_eq!(mask_key(said, &key), shown);
        }
        let short = SecretString::from("abc");
        assert_eq!(mask_key("abcd ab", &short), "[key]d ab");
    }
}
