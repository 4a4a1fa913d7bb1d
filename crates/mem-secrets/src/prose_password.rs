//! Passwords as people tell them to each other. The scanner's rules are about files, and know none of this.

use std::ops::Range;
use std::sync::OnceLock;

use regex::bytes::Regex;

use crate::prose_password_word;

/// The rule that a redaction names.
pub(crate) const RULE: &str = "told-password";

/// A word for a secret, and what it is, there or on the next line of its own: what follows the word is the first group,
/// the secret the second or third.
const TOLD: &str = r#"(?i-u)(?:password|passphrase|passcode|pwd|\bpw|api key|secret|token|passwort|kennwort|contraseña|mot de passe|密码|密碼|パスワード|비밀번호)((?: [a-z\x80-\xff]+(?:['.@_-][a-z\x80-\xff]+)*){0,5}?)(?: (?:is|ist|es|est|was|are|reads|lautet|lauten|heißt|heisst|war):?|:| ?=>?| ?->| ?→|是|は|는|은)(?: ?["'`]?([!-~&&[^"'`,;\[]]{5,64})|[ \t]*(?:\r?\n[ \t]*){1,3}(?:```[a-z]*\r?\n)?["'`]?([!-~&&[^"'`,;\[]]{5,64})["'`]?[.!]?[ \t]*(?:\r?\n|\z))"#;

/// A word for a password and the password right behind it: `with the password …`, `mit dem Passwort …`.
const BESIDE: &str = r#"(?i-u)(?:password|passphrase|passcode|\bpwd|\bpw|passwort|kennwort|contraseña|mot de passe)() ["'`]?([!-~&&[^"'`,;\[]]{6,64})"#;

/// A name and what goes with it: `login: admin / …`.
const LOGIN: &str = r#"(?i-u)(?:(?:log-?in|sign-?in|logon|account|zugangsdaten|anmeldung|identifiants?|credenciales|登录|登入|账号|ログイン|로그인|계정)(?: [a-z]+){0,3}?(?: is| are| ist| sind| est| sont| es| son|:| ?=|：|是|は|는|은)|\bcred(?:ential)?s(?: [a-z]+){0,3}?(?: are|:| ?=))() ?["'`]?[a-z0-9._@+-]{2,48}["'`]? ?(?: [/|] ?|:)["'`]?([!-~&&[^"'`,;\[]]{5,64})"#;

/// Behind a word for a secret they say that something else is spoken of: `the password policy is …`.
const ABOUT: [&str; 20] = [
    "field",
    "reset",
    "policy",
    "policies",
    "hash",
    "hashing",
    "length",
    "form",
    "page",
    "manager",
    "check",
    "strength",
    "rule",
    "rules",
    "column",
    "input",
    "prompt",
    "dialog",
    "format",
    "algorithm",
];
/// What is mixed as a secret is, and is the name of a way to keep or send one.
const METHODS: [&str; 13] = [
    "sha", "md", "base", "bcrypt", "scrypt", "argon", "pbkdf", "oauth", "aes", "rsa", "hmac",
    "utf", "totp",
];

/// The places of passwords in a text. A common word is none: "the token is expired".
pub(crate) fn places(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    static PATTERNS: OnceLock<Vec<Regex>> = OnceLock::new();
    let patterns = PATTERNS.get_or_init(|| {
        let all = [TOLD, BESIDE, LOGIN].iter();
        all.filter_map(|one| Regex::new(one).ok()).collect()
    });
    let each = patterns.iter().enumerate();
    each.flat_map(|(at, pattern)| find_passwords(text, pattern, at == 1))
}

/// The places that a pattern finds. Where one is none, what it spans is looked at again: `the password reset token is
/// …`.
fn find_passwords(text: &str, pattern: &Regex, is_beside: bool) -> Vec<Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(groups) = pattern.captures_at(text.as_bytes(), at) {
        let (Some(between), Some(value)) = (groups.get(1), groups.get(2).or(groups.get(3))) else {
            break;
        };
        let span = value.range();
        let secret = text.get(span.clone()).unwrap_or_default();
        let secret = secret.trim_end_matches(['.', '!', '?', ')', ':']);
        let about = text.get(between.range()).unwrap_or_default();
        let about = about.split_whitespace().next().unwrap_or_default();
        let is_about = ABOUT.contains(&about.to_ascii_lowercase().as_str());
        let is_word = || {
            let before = text.get(groups.get(0).map_or(0, |all| all.start())..span.start);
            let after = text.get(span.start + secret.len()..).unwrap_or_default();
            prose_password_word::is_password_word(before.unwrap_or_default(), secret, after)
        };
        let is_value = is_mixed(secret) && !is_method(secret) && (!is_beside || is_alone(secret));
        let is_secret = !is_about && (is_value || is_word());
        at = match is_secret {
            true => span.end,
            false => between.start().max(at + 1),
        };
        if is_secret {
            found.push(span.start..span.start + secret.len());
        }
    }
    found
}

fn is_mixed(value: &str) -> bool {
    let has = |is: fn(char) -> bool| value.contains(is);
    has(|c| c.is_ascii_alphabetic()) && has(|c| c.is_ascii_digit() || "!@#$%^&*+".contains(c))
}

fn is_method(value: &str) -> bool {
    let low = value.to_ascii_lowercase();
    let number = |rest: &str| {
        let rest = rest.strip_suffix("id").unwrap_or(rest);
        rest.chars().all(|c| c.is_ascii_digit() || "-/".contains(c))
    };
    let rest = METHODS.iter().find_map(|method| low.strip_prefix(method));
    rest.is_some_and(number)
}

/// Whether nothing but a password looks like this right behind the word: no path, call, markup or number with its unit.
fn is_alone(value: &str) -> bool {
    let is_named = value.contains(['/', '\\', '(', '<', '{', '_', '=', ':']);
    let is_counted = value.starts_with(|c: char| c.is_ascii_digit()) && value.contains('-');
    let (stem, end) = value.rsplit_once('.').unwrap_or((value, ""));
    let is_file = !stem.is_empty()
        && (1..=4).contains(&end.len())
        && !end.contains(|c: char| c.is_ascii_digit());
    value.contains(|c: char| c.is_ascii_digit()) && !is_named && !is_counted && !is_file
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
            ("Log in as demo with the password ", "horse."),
            ("Melde dich mit dem Passwort ", " an."),
            ("Das Passwort für den Admin lautet ", "horse."),
            ("Das Kennwort des Testnutzers heißt ", "."),
            ("My password is\n", "horse\nand from now on deploy with it."),
            ("Das Passwort lautet:\n\n`", "`"),
            ("The password of the db-admin reads ", ""),
            ("the password reset token is ", "horse"),
        ] {
            let (word, after) = match after.strip_prefix("horse") {
                Some(after) => (format!("{word}horse"), after),
                None => (word.clone(), after),
            };
            let clean = redacted(&format!("{before}{word}{after}"));
            assert_eq!(clean, format!("{before}[redacted: told-password]{after}"));
        }
    }

    #[test]
    fn a_password_of_letters_alone_is_gone_too() {
        for (before, word, after) in [
            ("the password is ", "correct horse battery staple", ""),
            ("Password: ", "correct horse battery staple", " for staging"),
            ("the wifi password is ", "sword fishes", "."),
            (
                "the password for bob is \"",
                "sword fishes",
                "\" by the way",
            ),
            ("The passphrase was `", "open sesame", "` until May"),
            ("the password is ", "xq zvw kjt pf", " on the demo box"),
            ("Das Passwort lautet ", "sommer regen", ""),
            ("The admin password is ", "Sword fishes", ", keep it"),
        ] {
            let word = word.replace(' ', "");
            let clean = redacted(&format!("{before}{word}{after}"));
            assert_eq!(clean, format!("{before}[redacted: told-password]{after}"));
        }
    }

    #[test]
    fn what_is_said_of_passwords_stays() {
        for text in [
            "the password is required",
            "the password is wrong. Try again",
            "The password is incorrect.",
            "the password is expired, ask bob",
            "the password is somewhere.",
            "the password is alphanumeric",
            "the password is unrecoverable!",
            "the password is misconfigured.",
            "the password is overwritten\nby the script",
            "the password is `required`",
            "the password is \"password\"",
            "the password was provided.",
            "the token is swordfishes.",
            "password: CFStringRef",
            "password: SecKeyImportExportFlags",
            "password = getPasswordFromKeychain",
            "Password: passwordConfirmation",
            "das Passwort ist verschlüsselt",
            "das Passwort ist erforderlich.",
            "das Passwort ist sicherheitsrelevant.",
            "das Passwort lautet anders.",
            "le mot de passe est obligatoire.",
            "the token is expired",
            "the password is stored in the vault",
            "never hash a password with Base64 or SHA-256",
            "the login page / signup2 share a layout",
            "the login is in src/auth2/login.rs",
            "login: see the wiki / the handbook",
            "account ids are 12 digits / 4 groups",
            "log in at 10:30 / 11:45",
            "the password field is called pw2field",
            "the password policy is 12-characters-at-least",
            "the password reset is broken since 4.2.1",
            "the password hash is SHA-256",
            "the password form_v2.tsx is old, see password/login2.rs",
            "a password 12-characters long, password v2.rs",
            "Das Passwort liegt im Tresor, das Passwortfeld ist feld2input",
            "My password is\nstored where Step2 of the guide says",
        ] {
            assert_eq!(redacted(text), text);
        }
    }
}
