//! Settings as they are shown. None is meant to hold a secret, and somebody writes one into a setting by hand all the
//! same: a key in the place of its file, a password in an address. It is in no list, no answer and no error.

use std::path::Path;

use mem_core::config::SettingValue;
use mem_secrets::redacted;

use crate::address::credential_ranges;

/// What stands for a text that is as a whole none to show.
const MASK: &str = "[redacted]";
/// A word as long as this, of letters in both cases and digits or of hexadecimal digits alone, is a key that no rule
/// knows: names of models and people are shorter, or have words in them.
const KEY_CHARS_MIN: usize = 32;

/// The value of a setting without secrets.
pub fn masked_value(key: &str, value: &SettingValue) -> SettingValue {
    match value {
        SettingValue::Text(said) => SettingValue::Text(masked_text(key, said)),
        other => other.clone(),
    }
}

/// The text of a setting without secrets.
pub fn masked_text(key: &str, said: &str) -> String {
    if is_key_itself(key, said.trim()) {
        return MASK.to_owned();
    }
    without_keys(&without_secrets(key, said))
}

/// Whether the text of a setting holds what no setting is meant to hold.
pub fn holds_secret(key: &str, said: &str) -> bool {
    without_secrets(key, said) != said
}

/// What quotes the words of whoever asks: a secret that was pasted in the place of a name is not repeated.
pub fn masked_quote(said: &str) -> String {
    redacted(&without_credentials(said))
}

/// Without the secrets that rules know, and without the users and passwords of addresses.
fn without_secrets(key: &str, said: &str) -> String {
    // Rules go by names too.
    let head = format!("{key} = ");
    let line = masked_quote(&format!("{head}{said}"));
    line.strip_prefix(&head).unwrap_or(&line).to_owned()
}

/// Without users and passwords of addresses: a user alone may be a token.
fn without_credentials(said: &str) -> String {
    let mut shown = said.to_owned();
    for place in credential_ranges(said).into_iter().rev() {
        shown.replace_range(place, MASK);
    }
    shown
}

/// What is said about settings, where it may quote one.
pub fn masked_message(said: &str) -> String {
    without_keys(&masked_quote(said))
}

/// Settings say where a key is, or what is asked with it. What is neither a place nor an address is the key.
fn is_key_itself(key: &str, said: &str) -> bool {
    let is_place = match key {
        "model.key_file" => Path::new(said.strip_prefix('~').unwrap_or(said)).is_absolute(),
        "encryption.key" => {
            said == "keyring" || said.starts_with("file:") || said.starts_with("command:")
        }
        "model.api" | "stores.base_url" | "records.qdrant_url" => said.contains("://"),
        _ => true,
    };
    !said.is_empty() && !is_place
}

/// Words that look like keys.
fn without_keys(said: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '+');
    let mut shown = String::new();
    let mut rest = said;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_part(c) != is_part(first));
        let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
        shown.push_str(if is_like_a_key(run) { MASK } else { run });
        rest = after;
    }
    shown
}

fn is_like_a_key(word: &str) -> bool {
    let has = |what: fn(&u8) -> bool| word.as_bytes().iter().any(what);
    let is_mixed = has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let is_hex = word.bytes().all(|byte| byte.is_ascii_hexdigit());
    word.len() >= KEY_CHARS_MIN && has(u8::is_ascii_digit) && (is_mixed || is_hex)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant_to_stand_in_settings_is_shown_as_it_is() {
        for (key, said) in [
            ("model.api", "https://api.anthropic.com"),
            ("model.key_file", "~/.config/mem/model.key"),
            ("model.key_file", "/srv/keys/model.key"),
            ("model.name", "claude-sonnet-4-5-20250929"),
            ("model.command", "python3 tools/summarise.py --fast"),
            ("encryption.key", "keyring"),
            ("encryption.key", "file:/srv/keys/master.key"),
            ("encryption.key", "command:pass show mem/master"),
            ("team.remote", "git@example.org:acme/memory.git"),
            ("team.remote", "https://memory.example.org"),
            ("sync.name", "laptop"),
            ("records.qdrant_url", "http://127.0.0.1:6333"),
            ("editor", "code --wait"),
            ("model.api", ""),
        ] {
            assert_eq!(masked_text(key, said), said, "{key}");
        }
    }

    #[test]
    fn a_key_in_the_place_of_its_file_or_in_an_address_is_not() {
        let key = ["sk-", "ant-", "x7Qm2Kd9Lf4Rt6Yw8Zp1Vb3Nc5"].concat();
        let hex = "5a".repeat(32);
        let address = format!("https://ben:{}@example.org/acme", "h4rb0ur-tide");
        for (name, said, secret) in [
            ("model.key_file", key.clone(), &key),
            ("model.api", key.clone(), &key),
            ("encryption.key", hex.clone(), &hex),
            ("encryption.key", format!("command:echo {hex}"), &hex),
            ("model.name", key.clone(), &key),
            ("model.command", format!("env KEY={key} ask"), &key),
            ("team.remote", address, &"h4rb0ur-tide".to_owned()),
        ] {
            let shown = masked_text(name, &said);
            assert!(!shown.contains(secret.as_str()), "{name}: {shown}");
        }
        let token = ["gh", "p_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
        for said in [
            format!("no memory `{token}`"),
            format!("`https://{key}@h.example/a` is no path"),
            format!(
                "`git:https://{}@h/a` and ssh://git@h/a",
                ["plain", "user"].concat()
            ),
        ] {
            let shown = masked_quote(&said);
            assert!(
                ![&*token, &*key, "plainuser"]
                    .iter()
                    .any(|secret| shown.contains(secret)),
                "{shown}"
            );
            assert_eq!(masked_quote(&shown), shown);
        }
        assert_eq!(masked_quote("ssh://git@h/a, a@b.c"), "ssh://git@h/a, a@b.c");
        assert!(holds_secret(
            "sync.remote",
            &format!("git:https://{key}@h/a")
        ));
        assert!(!holds_secret("sync.remote", "git:ssh://git@h/a"));
        assert!(
            !masked_message(&format!("`model.timeout` takes a number, not \"{key}\""))
                .contains(&key)
        );
        let number = SettingValue::Integer(5);
        assert_eq!(masked_value("recall.limit", &number), number);
    }
}
