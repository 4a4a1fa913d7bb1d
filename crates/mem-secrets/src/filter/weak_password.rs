//! Judges a word under the name of a password, after the filters for passwords have taken it for a
//! word: where it is no word that stands for any password, it opens something, if only in a test.

use super::url_password::{consists_of, split_number};
use super::{MatchFilter, placeholder, shape, words};
use crate::decode::base64;

/// Shortest word.
const BYTES_MIN: usize = 4;
/// Longest word.
const BYTES_MAX: usize = 64;
/// From here on a value that ends in `=` is bytes in base64.
const BASE64_BYTES_MIN: usize = 24;
/// Longest word of capitals alone that is the name of something.
const ACRONYM_BYTES_MAX: usize = 5;

/// Words that stand for any password, where a value consists of nothing else and a number.
#[rustfmt::skip]
const STAND_INS: &[&str] = &[
    "password", "passwords", "passwd", "passwort", "pass", "pwd", "passphrase", "passcode", "pw", "secret", "token",
    "key", "user", "username", "login", "name", "test", "testing", "admin", "administrator", "root", "guest", "my",
    "your", "new", "old", "the", "a", "some", "current", "confirm", "confirmed", "confirmation", "repeat", "again",
    "valid", "invalid", "correct", "incorrect", "not", "no", "foo", "bar", "baz", "qux", "quux", "example", "sample",
    "placeholder", "redacted", "hidden", "masked", "removed", "insert", "enter", "replace", "value", "string", "text",
    "none", "null", "nil", "undefined", "true", "false", "yes", "on", "off", "empty", "blank", "todo", "tbd", "fixme",
    "required", "optional", "prompt", "ask", "file", "env", "db", "database", "x", "abc", "hash", "hashed", "encrypted",
    "input", "type", "field", "label", "auth", "basic", "private", "public", "require", "disabled", "enabled", "always",
    "never", "plain", "default", "unset", "set", "hello", "reset", "forgot", "forgotten", "change", "senha", "contrasena",
    "kennwort", "clave", "motdepasse", "access", "other", "another", "wrong", "short", "phrase", "word", "random", "bad",
    "good", "secure", "strong", "very", "nope", "fake", "mock", "dummy", "bogus", "temp", "unknown", "anything",
    "whatever", "something", "real", "generated", "mysql", "postgres", "application", "app", "sudo", "bearer", "oauth",
    "this", "is", "match", "mismatch", "different", "same", "weak", "too", "long", "and", "with", "for",
    "passw", "passwo", "passwor", "asd", "qwe", "one", "two", "three", "first", "second", "changed", "demo", "ignore",
    "ignored", "unused", "integration",
];

/// Words in a name that say that its value is about a password.
#[rustfmt::skip]
const ABOUT: &[&str] = &[
    "label", "title", "hint", "tooltip", "placeholder", "message", "error", "update", "random", "allow", "crypted",
    "digest", "forgot", "show", "hide", "toggle", "pattern", "regex",
];

/// Folders with the texts of a program in people's languages, where a password is a word of the surface.
const TRANSLATIONS: &[&str] = &[
    "i18n",
    "l10n",
    "locale",
    "locales",
    "lang",
    "langs",
    "language",
    "languages",
    "translation",
    "translations",
    "_locales",
    "nls",
];

/// Formats that hold nothing else.
const TRANSLATION_ENDS: &[&str] = &[
    ".po",
    ".pot",
    ".xlf",
    ".xliff",
    ".arb",
    ".resx",
    ".strings",
    "/strings.xml",
];

/// Languages that files are named by: `de.json`, `pt-BR.ts`, `messages_fr.properties`.
#[rustfmt::skip]
const LANGUAGES: &[&str] = &[
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "et", "fa", "fi", "fr", "he", "hi", "hr", "hu", "id", "it",
    "ja", "ko", "lt", "lv", "nb", "nl", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sr", "sv", "th", "tr", "uk", "vi",
    "zh",
];

/// Whether a file holds translations: by its folder, its format, or the language that it is named by.
pub(crate) fn is_translation(path: &str) -> bool {
    let path = path.replace('\\', "/").to_ascii_lowercase();
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let parts: Vec<&str> = stem.split(['-', '_', '.']).collect();
    // The region is upper case as a rule, and two letters long.
    let language = match parts.as_slice() {
        [language] => Some(language),
        [.., language, region] if region.len() == 2 && LANGUAGES.contains(language) => {
            Some(language)
        }
        [first, .., language] => Some(language).filter(|_| *first == "messages"),
        [] => None,
    };
    folders
        .split('/')
        .any(|folder| TRANSLATIONS.contains(&folder))
        || TRANSLATION_ENDS.iter().any(|end| path.ends_with(end))
        || language.is_some_and(|language| LANGUAGES.contains(language))
}

/// Whether a value only repeats its name, or the part of it that is about a password:
/// `"GetPasswordData": "ec2:GetPasswordData"`, `opGetPasswordData = "GetPasswordData"`.
pub(crate) fn repeats_name(value: &[u8], name: &[u8]) -> bool {
    let letters = |text: &[u8]| -> Vec<u8> {
        let letters = text.iter().filter(|byte| byte.is_ascii_alphabetic());
        letters.map(u8::to_ascii_lowercase).collect()
    };
    let value = letters(value);
    let whole = letters(name);
    let is_inside = |part: &[u8], whole: &[u8]| memchr::memmem::find(whole, part).is_some();
    whole.len() > 10 && is_inside(&whole, &value)
        || value.len() > 10 && is_inside(b"password", &value) && is_inside(&value, &whole)
}

/// Whether a value is a member of its name: `Brand.NordPass: "NordPass"`, `someuser.setPassword("someuser")`.
pub(crate) fn repeats_member(value: &[u8], name: &[u8]) -> bool {
    let mut members = name.split(|byte| *byte == b'.');
    members.any(|member| member.eq_ignore_ascii_case(value))
}

/// Whether a name says that its value is about a password, or about several: `'passwords' => 'users'`.
pub(crate) fn is_about(name: &[u8]) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(b"passwords")
        || ABOUT
            .iter()
            .any(|word| memchr::memmem::find(&name, word.as_bytes()).is_some())
}

/// Why a value is not even a weak password in a file that is there to hold credentials: only what is filled in later,
/// or says that there is none.
pub(crate) fn judge_kept(value: &[u8]) -> Option<MatchFilter> {
    const NONE: &[&str] = &[
        "none",
        "null",
        "nil",
        "undefined",
        "true",
        "false",
        "yes",
        "no",
        "on",
        "off",
        "prompt",
        "ask",
        "your",
    ];
    let text = String::from_utf8_lossy(value).to_lowercase();
    if value.len() < BYTES_MIN || value.len() > BYTES_MAX {
        return Some(MatchFilter::Length);
    }
    if shape::is_template(value) || is_marked(value) || !value.iter().all(u8::is_ascii_graphic) {
        return Some(MatchFilter::Template);
    }
    let is_none = NONE.contains(&&*text) || is_one_sign(value) || shape::is_place(value);
    is_none.then_some(MatchFilter::Placeholder)
}

/// Why a value is not even a weak password. `is_bare` says that it is written without quotes.
pub(crate) fn judge(value: &[u8], is_bare: bool) -> Option<MatchFilter> {
    if !(BYTES_MIN..=BYTES_MAX).contains(&value.len()) {
        return Some(MatchFilter::Length);
    }
    let letters = value.iter().filter(|byte| byte.is_ascii_alphanumeric());
    let is_list = value.iter().any(|byte| matches!(byte, b'|' | b',' | b';'));
    let is_word = value[0].is_ascii_alphanumeric() && value.iter().all(u8::is_ascii_graphic);
    let has_white = memchr::memmem::find(value, b"\\n").is_some()
        || memchr::memmem::find(value, b"\\t").is_some();
    // Bytes in base64 were judged before, and are no word that somebody chose.
    let is_encoded = value.len() >= BASE64_BYTES_MIN && value.ends_with(b"=");
    if !is_word
        || is_encoded
        || is_list
        || has_white
        || letters.count() < BYTES_MIN
        || words::is_contraction(value)
    {
        return Some(MatchFilter::Words);
    }
    if shape::is_template(value) || is_marked(value) || value.ends_with(b":") {
        return Some(MatchFilter::Template);
    }
    if is_bare && (shape::is_expression(value) || !value.iter().all(is_bare_byte)) {
        return Some(MatchFilter::Expression);
    }
    if shape::is_place(value) {
        return Some(MatchFilter::Locator);
    }
    let lower = value.to_ascii_lowercase();
    let text = String::from_utf8_lossy(&lower);
    // `password!` stands for as much as `password`.
    let (word, number) = split_number(text.trim_matches(|c: char| c.is_ascii_punctuation()));
    // Of numbers only those count or repeat themselves that are no passwords for the filters before.
    // A word and a count with a sign between them: `jira_123456`.
    let is_counted = number.len() > 2 && "123456789".starts_with(number);
    if is_counted && word.ends_with(['_', '-']) {
        return Some(MatchFilter::Placeholder);
    }
    if word.is_empty() {
        return Some(MatchFilter::Number);
    }
    // Words of a sentence, or members of something: `does.not.matter`.
    let is_sentence = text.split('.').count() > 2 && !text.contains(|c: char| c.is_ascii_digit());
    // `"LDAP"`, where a program notes that something else checks the password.
    let is_acronym =
        !is_bare && value.len() <= ACRONYM_BYTES_MAX && value.iter().all(u8::is_ascii_uppercase);
    if is_sentence || is_acronym || is_name(value) {
        return Some(MatchFilter::Identifier);
    }
    if is_demo(&text)
        || encodes_stand_in(value)
        || consists_of(word, &[STAND_INS])
        || is_one_sign(value)
        || placeholder::is_sequence(&lower)
    {
        return Some(MatchFilter::Placeholder);
    }
    None
}

/// Whether a row of words says that it is for a demonstration: `spring-boot-demo`.
fn is_demo(lower: &str) -> bool {
    let mut parts = lower.split(['_', '-', '.']);
    lower.contains(['_', '-']) && parts.any(|part| part == "demo")
}

/// Whether a value is the base64 of words that stand for any password, as Secrets of Kubernetes hold them: `bXlwYXNz`.
pub(super) fn encodes_stand_in(value: &[u8]) -> bool {
    if value.len() < 8 || !value.len().is_multiple_of(4) || value.len() > BYTES_MAX {
        return false;
    }
    let text = base64::decode(value).unwrap_or_default();
    let lower = String::from_utf8_lossy(&text).to_ascii_lowercase();
    let (word, _) = split_number(lower.trim_end_matches('\n'));
    // `fake-encryption-key-must-be-28-chars`
    let tells = || words::reads(&text) && placeholder::is_stand_in(&text);
    text.is_ascii() && (consists_of(word, &[STAND_INS]) || tells())
}

/// Whether most of a value is one sign again and again.
fn is_one_sign(value: &[u8]) -> bool {
    let runs = value.chunk_by(|a, b| a == b).map(<[u8]>::len);
    runs.max()
        .is_some_and(|longest| longest * 4 > value.len() * 3)
}

/// Whether a value is the name of a password rather than one: `MAIL_PASSWORD`, `store-password`, `verifyPassword`.
fn is_name(value: &[u8]) -> bool {
    const ENDS: &[&str] = &["password", "passwd", "secret", "pwd", "token"];
    const TERMS: &[&str] = &[
        "password",
        "passwd",
        "passphrase",
        "pass",
        "pwd",
        "secret",
        "token",
        "hash",
    ];
    let has_lower = value.iter().any(u8::is_ascii_lowercase);
    let is_constant = value.contains(&b'_') && !has_lower;
    let text = String::from_utf8_lossy(value);
    let ends = ENDS.iter().any(|end| {
        let Some(start) = text
            .len()
            .checked_sub(end.len())
            .filter(|at| text.is_char_boundary(*at))
        else {
            return false;
        };
        let (before, last) = text.split_at(start);
        last.eq_ignore_ascii_case(end)
            && (before.ends_with(['_', '-', '.'])
                || before.ends_with(|c: char| c.is_ascii_lowercase())
                    && last.starts_with(|c: char| c.is_ascii_uppercase()))
    });
    let parts = || text.split(['_', '-', '.']);
    let is_part = |part: &str| TERMS.iter().any(|term| part.eq_ignore_ascii_case(term));
    is_constant || ends || parts().count() > 1 && parts().any(is_part)
}

/// Whether a value shows that something is left out or filled in.
fn is_marked(value: &[u8]) -> bool {
    const MARKS: &[&[u8]] = &[
        b"...", b"***", b"xxxx", b"XXXX", b"<", b">", b"###", b"your", b"YOUR", b"Your", b"{",
        b"%s", b"(",
    ];
    MARKS
        .iter()
        .any(|mark| memchr::memmem::find(value, mark).is_some())
}

fn is_bare_byte(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!@#$%^&*_.+-?~".contains(byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Confidence, InputOrigin, Scanner};

    fn is_one(value: &str) -> bool {
        judge(value.as_bytes(), false).is_none()
    }

    fn rules_of(path: &str, text: &str) -> Vec<String> {
        let scanner = Scanner::new().with_confidence(Confidence::Low);
        let findings = scanner.scan(text.as_bytes(), &InputOrigin::path(path));
        findings.into_iter().map(|finding| finding.rule).collect()
    }

    #[test]
    fn a_word_that_somebody_chose_is_a_password() {
        // Base64 of nothing that is a word, and a word with `demo` inside.
        for value in [
            "cG9ya2Nob3A",
            "demolition-man",
            "porkchop",
            "welcome1",
            "changeit",
            "Ncc-1701",
            "lalala",
        ] {
            assert!(is_one(value), "{value}");
        }
    }

    #[test]
    fn what_stands_for_any_password_is_none() {
        for value in [
            "password",
            "my_password",
            "test123",
            "admin",
            "pwd",
            "foo",
            "abc",
            "a b c d",
            "121212",
            "jira_123456",
            "does.not.matter",
            "12345",
            "1234567",
            "aaaaaa",
            "MAIL_PASSWORD",
            "pass_option",
            "client_key_passphrase",
            "passw2",
            "word:",
            "store-password",
            "verifyPassword",
            "/etc/passwd",
            "key.pem",
            "<word>",
            "your-word",
            "***word",
            "required|min",
            "{word}",
            "$word",
            "'word",
            "abcdefgh",
            "LDAP",
            "SELECT\\n1",
            "AQAAABAAAAAQmeXamPleWordsInBase64AA=",
            "bXlwYXNz",
            "bXktcGFzc3dvcmQxMjM=",
            "spring-boot-demo",
        ] {
            assert!(!is_one(value), "{value}");
        }
    }

    #[test]
    fn names_and_files_tell_what_is_about_passwords() {
        assert!(is_about(b"LABEL_PASSWORD") && is_about(b"update_password"));
        assert!(is_about(b"passwords"));
        assert!(!is_about(b"db_password") && !is_about(b"userPassword"));
        assert!(is_translation("web/i18n/de.json") && is_translation("config/locales/en.yml"));
        assert!(!is_translation("src/config.json") && !is_translation("i18n"));
        for path in [
            "ui/de.json",
            "src/pt-BR.ts",
            "messages_fr.properties",
            "res/values/strings.xml",
            "po/a.po",
        ] {
            assert!(is_translation(path), "{path}");
        }
        for path in ["ci.yml", "db.json", "config-de.json", "my.cnf"] {
            assert!(!is_translation(path), "{path}");
        }
    }

    #[test]
    fn what_is_compared_listed_or_only_spoken_of_is_no_password() {
        let word = ["pork", "chop"].concat();
        for text in [
            format!("if (password === \"{word}\") {{}}\n"),
            format!("rows = [\"password\", \"{word}\"]\n"),
            format!("hash = encodePassword(\"{word}\", salt)\n"),
            format!("<Field name=\"password\" :rules=\"{word}\" />\n"),
            format!("state = ok ? \"pass\" : \"{word}\";\n"),
            format!("type Flow = \"code\" | \"password\" | \"{word}\";\n"),
            format!("const rest = {{ required: [\"user\", \"password\"], \"{word}\": 1 }};\n"),
            format!("<a id=\"modal-genPassword\">{word}</a>\n"),
            format!("'passwords' => '{word}',\n"),
            format!("{word}.setPassword('{word}');\n"),
            format!("password = \"md5$salt${}\"\n", "1e9bf2bf".repeat(4)),
            format!("password = \"{word}\" . $salt;\n"),
            "const getPasswordData = \"ec2:GetPasswordData\"\n".to_owned(),
        ] {
            assert!(rules_of("src/a.js", &text).is_empty(), "{text}");
        }
        for text in [
            "The --password flag may be used twice.\n",
            "  -W, --password             Force the prompt\n",
            "MYSQL_PASSWORD= FILTER=integration npm test\n",
        ] {
            assert!(rules_of("README.md", text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_row_of_settings_ends_with_its_password() {
        let word = ["pork", "chop"].concat();
        for text in [
            format!("password: {word}\n"),
            format!("password: {word} # of the test\n"),
            format!("login: {{user: me, password: {word}}}\n"),
        ] {
            assert_eq!(rules_of("a.yml", &text), ["weak-password"], "{text}");
        }
        for text in [
            format!("pass_str: {word} a=b\n"),
            format!("pass_str: {word} /* a */ 1\n"),
        ] {
            assert!(rules_of("a.yml", &text).is_empty(), "{text}");
        }
    }

    #[test]
    fn what_looks_like_a_list_a_choice_or_a_table_may_be_a_password() {
        let word = ["pork", "chop"].concat();
        for text in [
            format!("assertEqual(fields[\"password\"], \"{word}\")\n"),
            format!("const password = given || \"x\", pwd = \"{word}\";\n"),
            format!("user.setPassword('{word}');\n"),
            format!("const password = \"{word}\" // \"LDAP\"\n"),
        ] {
            assert_eq!(rules_of("src/a.js", &text), ["weak-password"], "{text}");
        }
    }

    #[test]
    fn a_row_of_settings_in_a_string_of_code_has_a_password() {
        let word = ["pork", "chop"].concat();
        for text in [
            format!("conn = open(\"host=db user=app password={word} port=5432\")\n"),
            format!("get('/login?user=a&password={word}&next=1')\n"),
        ] {
            assert_eq!(rules_of("src/a.py", &text), ["weak-password"], "{text}");
        }
        for text in [
            format!("conn = open(\"host=db user={word} password={word} port=5432\")\n"),
            format!("raise Refused(\"password={word} is not allowed\")\n"),
            "get('/login?password=' + word)\n".to_owned(),
        ] {
            assert!(rules_of("src/a.py", &text).is_empty(), "{text}");
        }
    }

    #[test]
    fn any_word_counts_where_logins_are_kept() {
        let word = ["admin", "123"].concat();
        for (path, text) in [
            (".env", format!("DB_PASSWORD={word}\n")),
            (".esmtprc", format!("password \"{word}\"\n")),
            (
                "wp-config.php",
                format!("define('DB_PASSWORD', '{word}');\n"),
            ),
            ("filezilla/filezilla.xml", format!("<Pass>{word}</Pass>\n")),
            (
                "dbeaver-data-sources.xml",
                format!("<connection user=\"u\" password=\"{word}\"/>\n"),
            ),
        ] {
            assert_eq!(rules_of(path, &text), ["weak-password"], "{path}");
            assert!(rules_of("src/other.py", &text).is_empty(), "{path}");
        }
        for text in [
            "DB_PASSWORD=null\n",
            "DB_PASSWORD=${OTHER}\n",
            "DB_PASSWORD=\n",
            "DB_PASSWORD=xxxxxx\n",
        ] {
            assert!(rules_of(".env", text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_document_has_weak_passwords_in_settings_and_commands_only() {
        let word = ["pork", "chop"].concat();
        for text in [
            format!("Start it with `-e DB_PASSWORD={word}`.\n"),
            format!("password={word}\n"),
            format!("```yaml\npassword: {word}\n```\n"),
            format!("tool --password {word} --user me\n"),
        ] {
            assert_eq!(rules_of("README.md", &text), ["weak-password"], "{text}");
        }
        for text in [
            format!("password: {word}\n"),
            format!("```yaml\na: b\n```\npassword: {word}\n"),
            format!("The word for the password={word} of today.\n"),
            format!("```js\npassword: await {word}(user),\n```\n"),
        ] {
            assert!(rules_of("README.md", &text).is_empty(), "{text}");
        }
    }
}
