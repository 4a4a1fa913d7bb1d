//! Reads the name that a value is assigned to: whether it promises a secret,
//! of which kind, or something about a secret (`password_field`).

/// What a name promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    /// Chosen by a person; may be short.
    Password,
    /// A secret, token or key that a machine made.
    Secret,
    /// Only `key`, `auth` or `id`: the value has to prove itself.
    Weak,
}

/// Names that promise a secret, without separators, in lower case. The last
/// one in a name counts.
const STRONG: &[(&str, Family)] = &[
    ("password", Family::Password),
    ("passwd", Family::Password),
    ("passwort", Family::Password),
    ("passphrase", Family::Password),
    ("passcode", Family::Password),
    ("passwrd", Family::Password),
    ("pswd", Family::Password),
    ("psswd", Family::Password),
    ("pwd", Family::Password),
    ("contrasena", Family::Password),
    ("contraseña", Family::Password),
    ("motdepasse", Family::Password),
    ("kennwort", Family::Password),
    ("senha", Family::Password),
    ("wachtwoord", Family::Password),
    ("hasło", Family::Password),
    ("lösenord", Family::Password),
    ("пароль", Family::Password),
    ("비밀번호", Family::Password),
    ("密码", Family::Password),
    ("密碼", Family::Password),
    ("パスワード", Family::Password),
    ("psk", Family::Password),
    ("pw", Family::Password),
    ("userpass", Family::Password),
    ("dbpass", Family::Password),
    ("sshpass", Family::Password),
    ("keypass", Family::Password),
    ("storepass", Family::Password),
    ("secret", Family::Secret),
    ("secretkey", Family::Secret),
    ("apikey", Family::Secret),
    ("appkey", Family::Secret),
    ("accesskey", Family::Secret),
    ("privatekey", Family::Secret),
    ("privkey", Family::Secret),
    ("authkey", Family::Secret),
    ("encryptionkey", Family::Secret),
    ("encryptkey", Family::Secret),
    ("cryptokey", Family::Secret),
    ("signingkey", Family::Secret),
    ("signaturekey", Family::Secret),
    ("masterkey", Family::Secret),
    ("sessionkey", Family::Secret),
    ("accountkey", Family::Secret),
    ("licensekey", Family::Secret),
    ("licencekey", Family::Secret),
    ("consumerkey", Family::Secret),
    ("clientkey", Family::Secret),
    ("sharedkey", Family::Secret),
    ("servicekey", Family::Secret),
    ("serverkey", Family::Secret),
    ("storagekey", Family::Secret),
    ("adminkey", Family::Secret),
    ("deploykey", Family::Secret),
    ("subscriptionkey", Family::Secret),
    ("instrumentationkey", Family::Secret),
    ("webhookkey", Family::Secret),
    ("hmackey", Family::Secret),
    ("aeskey", Family::Secret),
    ("jwtkey", Family::Secret),
    ("sshkey", Family::Secret),
    ("cookiekey", Family::Secret),
    ("token", Family::Secret),
    ("jwt", Family::Secret),
    ("bearer", Family::Secret),
    ("credential", Family::Secret),
    ("creds", Family::Secret),
    ("cred", Family::Weak),
    ("authorization", Family::Secret),
    ("auth", Family::Weak),
    ("salt", Family::Weak),
    ("key", Family::Weak),
    ("pat", Family::Weak),
    ("pass", Family::Password),
];

/// What may follow: the value is still the secret.
#[rustfmt::skip]
const HARMLESS_ENDS: &[&str] = &[
    "", "s", "value", "val", "string", "str", "text", "plain", "plaintext", "cleartext", "clear",
    "raw", "base", "hex", "bytes", "new", "old", "current", "default", "prod", "production",
    "dev", "live", "test", "staging", "stage", "main", "primary", "secondary", "confirm",
    "confirmation", "again", "repeat", "data", "content", "donotcommit", "mac", "v", "do", "user",
    "admin", "root", "db", "database", "server", "client", "api", "app", "service", "ro", "rw",
    "const", "literal", "local", "internal", "external", "master", "slave", "mail", "smtp", "ftp",
    "encoded", "banco",
];

/// Words before the promise that turn it round.
#[rustfmt::skip]
const PUBLIC_STARTS: &[&str] = &[
    "public", "publickey", "publishable", "anon", "csrf", "xsrf", "authenticity", "antiforgery", "next",
    "continuation", "page", "nextpage", "sync", "cursor", "stop", "no", "without", "forgot", "is",
    "has", "missing", "expired", "verify", "validate", "check", "get", "use", "require", "show",
    "hide", "generate", "create", "make", "issuer", "gpg", "pgp", "recv", "cancellation", "lexer", "parse",
];

/// The same, where the promise is no more than `key` or `auth`.
#[rustfmt::skip]
const WEAK_STARTS: &[&str] = &[
    "primary", "foreign", "partition", "sort", "cache", "idempotency", "translation", "i18n",
    "locale", "routing", "hash", "range", "object", "index", "lookup", "map", "dict", "group",
    "unique", "composite", "registry", "bucket", "storage", "sequence", "schema", "event", "row",
    "column", "parent", "child", "item", "config", "setting", "message", "label", "resource",
    "string", "attribute", "metadata", "topic", "hot", "short", "mon", "tur", "don", "set",
    "verification", "fingerprint", "pub", "pubkey", "indent", "site",
];

/// Words that say the value is not the real one.
#[rustfmt::skip]
const UNREAL: &[&str] = &[
    "fake", "mock", "dummy", "example", "invalid", "wrong", "bad", "matching", "mismatched",
    "sample", "placeholder", "incorrect", "bogus", "expected", "hashed", "hash", "encrypted",
    "masked", "redacted", "sealed",
];

/// Words that say that a password is stored, not told: `SHA256_PASSWORD`.
const HASHES: &[&str] = &["sha", "sha1", "sha256", "sha512", "md5", "bcrypt", "argon2"];

/// The family of a name, or nothing when it promises no secret.
pub(crate) fn family(name: &[u8]) -> Option<Family> {
    let words = words(name);
    if words.iter().any(|word| UNREAL.contains(&word.as_str())) {
        return None;
    }
    let is_hash = words.iter().any(|word| HASHES.contains(&word.as_str()));
    let joined: String = words.concat();
    let found = STRONG.iter().filter_map(|&(term, family)| {
        let at = place(&words, &joined, term)?;
        Some((at + term.len(), term.len(), at, family))
    });
    // The one that ends last; of those the longest.
    let (end, length, start, family) = found.max_by_key(|&(end, length, ..)| (end, length))?;
    let rest = joined[end..].trim_end_matches(|c: char| c.is_ascii_digit());
    if !HARMLESS_ENDS.contains(&rest) {
        return None;
    }
    let before = &joined[..start];
    let term = &joined[start..start + length];
    let turned = |list: &[&str]| list.iter().any(|word| before.ends_with(word));
    let public = soft(term)
        && turned(PUBLIC_STARTS)
        && words.iter().any(|w| PUBLIC_STARTS.contains(&w.as_str()));
    let is_csrf = term == "token"
        && (before.starts_with("csrf") || before.starts_with("xsrf"))
        && !before.contains("secret");
    let weak = family == Family::Weak && (turned(PUBLIC_STARTS) || turned(WEAK_STARTS));
    let stored = family == Family::Password && is_hash;
    (!public && !is_csrf && !weak && !stored).then_some(family)
}

/// Whether a name is that of a hash: `sha256`, `body_hash`.
pub(crate) fn is_hash(name: &[u8]) -> bool {
    const WORDS: [&str; 3] = ["hash", "digest", "checksum"];
    let last = words(name).pop().unwrap_or_default();
    HASHES.contains(&&*last) || WORDS.contains(&&*last)
}

/// What no page has, though its name says that it is public: `NEXT_PUBLIC_ADMIN_KEY`.
const SERVER_WORDS: [&str; 10] = [
    "admin", "auth", "jwt", "master", "password", "role", "server", "service", "storage", "token",
];

/// Whether a name says that its value is an identifier or known to anybody: `LINEAR_CLIENT_ID`, `NEXT_PUBLIC_MAP_KEY`, not
/// `NEXT_PUBLIC_SECRET`.
pub(crate) fn is_identifier(name: &[u8]) -> bool {
    let words = words(name);
    let has = |word: &str| words.iter().any(|one| one == word);
    let mut ends = words.iter().rev();
    let last = ends.find(|word| !HARMLESS_ENDS.contains(&word.as_str()));
    let is_id = last.is_some_and(|word| matches!(word.as_str(), "id" | "ids" | "pub"));
    let is_public = has("public") && !SERVER_WORDS.iter().any(|word| has(word));
    (is_id || is_public) && !has("secret") && !has("private")
}

/// Whether a name is that of a salt, which is stored beside what it goes into.
pub(crate) fn is_salt(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    let end = name
        .iter()
        .rposition(u8::is_ascii_alphabetic)
        .map_or(0, |at| at + 1);
    name[..end].ends_with(b"salt")
}

/// Tokens and keys are also things of protocols and tables; passwords are not.
fn soft(term: &str) -> bool {
    term.ends_with("key") || matches!(term, "token" | "secret" | "auth" | "credential")
}

/// Where `term` last stands in a name. Short terms must be words of their own.
fn place(words: &[String], joined: &str, term: &str) -> Option<usize> {
    if !matches!(
        term,
        "pass" | "pw" | "auth" | "cred" | "salt" | "jwt" | "creds" | "senha" | "psk" | "pat"
    ) {
        return last_place(joined.as_bytes(), term.as_bytes());
    }
    let mut end = joined.len();
    for word in words.iter().rev() {
        end -= word.len();
        let bare = word.trim_end_matches(|c: char| c.is_ascii_digit());
        if bare == term || (term == "pass" && bare.ends_with("pass") && known_pass(bare)) {
            return Some(end + bare.len() - term.len());
        }
    }
    None
}

/// Names are short: a plain loop beats a searcher that has to be built.
fn last_place(joined: &[u8], term: &[u8]) -> Option<usize> {
    (0..=joined.len().checked_sub(term.len())?)
        .rev()
        .find(|&at| joined[at..].starts_with(term))
}

/// Names such as `dbpass` and `requirepass`, but no words that end so.
fn known_pass(word: &str) -> bool {
    #[rustfmt::skip]
    let words = [
        "bypass", "compass", "encompass", "trespass", "surpass", "overpass", "underpass", "subpass",
        "multipass", "onepass", "twopass", "singlepass", "firstpass", "secondpass", "lowpass",
        "highpass", "bandpass", "allpass", "prepass", "postpass", "renderpass", "lastpass",
        "gopass", "keepass", "askpass", "onpass", "repass", "impass", "nopass", "isolatepass", "fallpass",
    ];
    !words.contains(&word)
}

/// `dbUser_API-key2` as `db`, `user`, `api`, `key2`, and `CSRFToken` as `csrf`, `token`.
fn words(name: &[u8]) -> Vec<String> {
    let mut words = Vec::new();
    for part in name
        .split(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric())
        .filter(|part| !part.is_empty())
    {
        let mut start = 0;
        for end in 1..=part.len() {
            let is_upper = |at: usize| part.get(at).is_some_and(u8::is_ascii_uppercase);
            let is_lower = |at: usize| part.get(at).is_some_and(u8::is_ascii_lowercase);
            let is_hump =
                is_upper(end) && (is_lower(end - 1) || is_upper(end - 1) && is_lower(end + 1));
            if is_hump || end == part.len() {
                words.push(String::from_utf8_lossy(&part[start..end]).to_lowercase());
                start = end;
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets() {
        for (name, expected) in [
            ("DB_PASSWORD", Some(Family::Password)),
            ("spring.datasource.password", Some(Family::Password)),
            ("mysqlPwd1", Some(Family::Password)),
            ("client_secret", Some(Family::Secret)),
            ("X-Api-Key", Some(Family::Secret)),
            ("key", Some(Family::Weak)),
            ("mysql_pass", Some(Family::Password)),
            ("controlpass", Some(Family::Password)),
            ("requirepass", Some(Family::Password)),
            ("psk", Some(Family::Password)),
            ("contraseña", Some(Family::Password)),
            ("CONTRASEÑA", Some(Family::Password)),
            ("mot de passe", Some(Family::Password)),
            ("密码", Some(Family::Password)),
            ("EXT_PAT", Some(Family::Weak)),
            ("auth", Some(Family::Weak)),
            ("some_api_token_123", Some(Family::Secret)),
            ("CSRF_SECRET_TOKEN", Some(Family::Secret)),
            ("todo_secret_do_not_commit", Some(Family::Secret)),
            ("mySecretString", Some(Family::Secret)),
        ] {
            assert_eq!(family(name.as_bytes()), expected, "{name}");
        }
    }

    #[test]
    fn names_of_identifiers() {
        for name in [
            "LINEAR_CLIENT_ID",
            "adobeClientId",
            "asana.client-id.prod",
            "NEXT_PUBLIC_VAPID_KEY",
            "MAILGUN_PUB",
        ] {
            assert!(is_identifier(name.as_bytes()), "{name}");
        }
        for name in [
            "client_secret",
            "OKTA_ID_TOKEN",
            "NEXT_PUBLIC_SECRET",
            "idp_key",
            "PUBLISH_KEY",
        ] {
            assert!(!is_identifier(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn names_about_secrets() {
        for name in [
            "password_field",
            "passwordResetUrl",
            "token_type",
            "secret_name",
            "public_key",
            "compass",
            "repat",
            "pattern",
            "keyboard",
            "csrf_token",
            "csrfmiddlewaretoken",
            "RECAPTCHA_SITE_KEY",
            "CSRFToken",
            "primaryKey",
            "credentialsId",
            "tokenExpiry",
            "bypass",
            "onBypass",
            "author",
            "monkey",
            "nextPageToken",
            "key_length",
            "accessor",
            "createToken",
            "indentkeys",
            "GIT_ASKPASS",
        ] {
            assert_eq!(family(name.as_bytes()), None, "{name}");
        }
    }
}
