//! Passwords as people tell them to each other. The scanner's rules are about files, and know none of this.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::Regex;

/// The rule that a redaction names.
pub(crate) const RULE: &str = "told-password";

/// A word for a secret, and what it is.
const TOLD: &str = r#"(?i-u)(?:password|passphrase|passcode|pwd|\bpw|api key|secret|token|passwort|kennwort|contraseña|mot de passe|密码|密碼|パスワード|비밀번호)(?: [a-z]+){0,4}?(?: is| ist| es| est| was| are|:| ?=|是|は|는|은) ?["'`]?([!-~&&[^"'`,;\[]]{5,64})"#;

/// A name and what goes with it: `login: admin / …`.
const LOGIN: &str = r#"(?i-u)(?:(?:log-?in|sign-?in|logon|account|zugangsdaten|anmeldung|identifiants?|credenciales|登录|登入|账号|ログイン|로그인|계정)(?: [a-z]+){0,3}?(?: is| are| ist| sind| est| sont| es| son|:| ?=|：|是|は|는|은)|\bcred(?:ential)?s(?: [a-z]+){0,3}?(?: are|:| ?=)?) ?["'`]?[a-z0-9._@+-]{2,48}["'`]? ?(?: [/|] ?|:)["'`]?([!-~&&[^"'`,;\[]]{5,64})"#;

/// The places of passwords in a text. A word is none: "the token is expired".
pub(crate) fn places(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    static PATTERNS: OnceLock<Vec<Regex>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| {
        let all = [TOLD, LOGIN].iter();
        all.filter_map(|one| Regex::new(one).ok()).collect()
    });
    patterns
        .iter()
        .flat_map(|pattern| pattern.captures_iter(text.as_bytes()))
        .filter_map(|found| found.get(1).map(|value| value.range()))
        .filter_map(|span| {
            let value = text.get(span.clone())?;
            let value = value.trim_end_matches(['.', '!', '?', ')', ':']);
            is_mixed(value).then(|| span.start..span.start + value.len())
        })
}

fn is_mixed(value: &str) -> bool {
    let has = |is: fn(char) -> bool| value.contains(is);
    has(|c| c.is_ascii_alphabetic()) && has(|c| c.is_ascii_digit() || "!@#$%^&*+".contains(c))
}

#[cfg(test)]
mod tests {
    use crate::redacted;

    #[test]
    fn a_password_that_somebody_tells_is_gone() {
        let word = ["hun", "ter", "2"].concat();
        for (before, after) in [
            ("The password is ", ". Always use it"),
            ("the password for the staging box is `", "`, ok?"),
            ("das Passwort ist ", " und sonst nichts"),
            ("密码是", "，别忘了"),
            ("staging login: admin / ", ""),
            ("the creds are admin:", " for now"),
            ("Zugangsdaten: deploy / ", ", bitte nicht teilen"),
            ("pw is ", "."),
        ] {
            let clean = redacted(&format!("{before}{word}{after}"));
            assert_eq!(clean, format!("{before}[redacted: told-password]{after}"));
        }
    }

    #[test]
    fn what_is_said_of_passwords_stays() {
        for text in [
            "the token is expired",
            "the password is stored in the vault",
            "never hash a password with Base64 or SHA-256",
            "the login page / signup2 share a layout",
            "the login is in src/auth2/login.rs",
            "login: see the wiki / the handbook",
            "account ids are 12 digits / 4 groups",
            "log in at 10:30 / 11:45",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
