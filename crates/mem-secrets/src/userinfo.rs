//! Passwords in the addresses that a text names: `scheme://user:password@host`. The scanner leaves the weak ones, since
//! files are full of them; somebody who names one in a sentence means it.

use std::ops::Range;

use crate::detect::url::split;
use crate::filter::login;

/// The rule that a redaction names.
pub(crate) const RULE: &str = "url-password";

/// The places of passwords in a text. What stands for a password is none.
pub(crate) fn places(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = text.as_bytes();
    memchr::memmem::find_iter(bytes, "://").filter_map(move |at| {
        let (_, password) = split(bytes, at + 3)?;
        let value = text.get(password.clone())?;
        (!stands_for_one(value)).then_some(password)
    })
}

fn stands_for_one(value: &str) -> bool {
    const WORDS: &[&str] = &[
        "password",
        "passwd",
        "passwort",
        "kennwort",
        "pass",
        "pwd",
        "pw",
        "secret",
        "token",
        "redacted",
        "placeholder",
        "your_password",
        "your-password",
        "yourpassword",
        "db_password",
        "xxx",
    ];
    let is_word = WORDS.iter().any(|word| value.eq_ignore_ascii_case(word));
    let has_letters = value.contains(|c: char| c.is_alphanumeric());
    is_word || !has_letters || value.starts_with(['$', '{']) || login::is_open(value.as_bytes())
}

#[cfg(test)]
mod tests {
    use crate::redacted;

    #[test]
    fn a_password_in_an_address_is_gone_however_weak() {
        for word in [
            ["hun", "ter", "2"].concat(),
            ["Sup", "3rS3", "cretPw"].concat(),
            ["change", "me"].concat(),
            ["a@b", "/c"].concat(),
            "pässwort".to_owned(),
        ] {
            for (before, after) in [
                (
                    "always use postgres://admin:",
                    "@db.corp/x because of the pool",
                ),
                ("(`https://ci:", "@git.corp:8443/r.git`)"),
            ] {
                let clean = redacted(&format!("{before}{word}{after}"));
                assert!(!clean.contains(&word), "{clean}");
                assert!(
                    clean.starts_with(before) && clean.ends_with(after),
                    "{clean}"
                );
                assert_eq!(redacted(&clean), clean);
            }
        }
    }

    #[test]
    fn what_stands_for_a_password_stays() {
        for text in [
            "postgres://user:password@host/db",
            "postgres://user:${DB_PASSWORD}@host/db",
            "postgres://user:$PGPASS@host/db",
            "postgres://user:<password>@host/db",
            "postgres://user:***@host/db",
            "postgres://user:{{ password }}@host/db",
            "http://localhost:8080/@scope/name",
            "https://user@host/x and a@b.c",
            "see https://host:443/a?b=c@d",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
