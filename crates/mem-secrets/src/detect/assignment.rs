//! A secret that is recognised by the name it is assigned to: the rule that
//! every scanner has and that is most often wrong, so it is all context.

use std::ops::Range;

use super::line::{in_string, indent, is_quote, line_before};
use super::name::{self, Family};
use super::value;
use crate::candidate::Rank;
use crate::check::documented_values;
use crate::decode::base64;
use crate::filter::{MatchFilter, value as judge, weak_password};
use crate::finding::Confidence;
use crate::origin::FileKind;
use crate::pass::{KeywordHit, Pass};
use crate::rule::Rule;
use crate::rule::boundary::is_word;

/// Longest name that is read, to each side of the keyword.
const NAME_BYTES_MAX: usize = 64;
/// How much of a line before a name is searched for the word that makes it an example.
const EXAMPLE_BYTES_MAX: usize = 64;
/// How far before a name the widget is named that it belongs to.
const WIDGET_BYTES_MAX: usize = 128;
/// Shortest value of a `SealedSecret`.
const SEALED_BYTES_MIN: usize = 80;

/// A value under a name that promises a secret.
struct NamedValue {
    name: Range<usize>,
    family: Family,
    value: value::DetectedValue,
    /// Part of an expression in code.
    expression: bool,
    /// In a connection string or a file that is there to hold credentials.
    credentials: bool,
}

/// Reads the name around a keyword and judges the value after it.
pub(crate) fn run(pass: &mut Pass<'_>, rule: &'static Rule, hit: KeywordHit, done: usize) -> usize {
    if hit.start < done {
        return done;
    }
    let name = name_around(pass.bytes, without_operator(pass.bytes, hit));
    let end = name.end;
    let Some(named) = named_value(pass, name) else {
        return end;
    };
    let found = &named.value;
    let span = found.span.clone();
    if let Some(filter) = public_filter(pass, &named) {
        pass.reject(rule, span, filter);
        return end;
    }
    // What is inside a value without quotes has been judged with it; names that lie before a value far below have not.
    let between = pass.bytes.get(named.name.end..span.start);
    let is_beside = between.is_some_and(|between| !between.contains(&b'\n'));
    let end = match is_beside && !found.quoted {
        true => end.max(span.end),
        false => end,
    };
    match secret_filter(pass, &named) {
        Some(filter) => pass.reject(rule, span, filter),
        None => {
            let confidence = named_confidence(pass, &named);
            pass.accept(rule, Rank::Generic, span, confidence);
        }
    }
    end
}

/// How sure a value under a name is. A salt or an identifier opens nothing, and what Jetty obfuscates is a sample where a
/// document has it.
fn named_confidence(pass: &Pass<'_>, named: &NamedValue) -> Confidence {
    let value = &pass.bytes[named.value.span.clone()];
    let is_sample = pass.kind == FileKind::Text && value.starts_with(b"OBF:");
    let name = &pass.bytes[named.name.clone()];
    let is_salt = named.family == Family::Weak && name::is_salt(name);
    let is_identifier = named.family != Family::Password && name::is_identifier(name);
    match is_salt || is_sample || is_identifier {
        true => Confidence::Low,
        false => Confidence::Medium,
    }
}

/// The same for what is no more than a word under the name of a password.
pub(crate) fn run_weak(
    pass: &mut Pass<'_>,
    rule: &'static Rule,
    hit: KeywordHit,
    done: usize,
) -> usize {
    if hit.start < done || pass.least > Confidence::Low {
        return done;
    }
    let name = name_around(pass.bytes, without_operator(pass.bytes, hit));
    let end = name.end;
    let named = named_value(pass, name);
    let named = named.filter(|named| named.family == Family::Password && !named.expression);
    let Some(named) = named else { return end };
    let span = named.value.span.clone();
    let is_word = public_filter(pass, &named).is_none()
        && secret_filter(pass, &named).is_some_and(|filter| filter != MatchFilter::Hash);
    if !is_word || !is_literal(pass, &named) || is_login_name(pass.bytes, &named) {
        return end;
    }
    let value = &pass.bytes[span.clone()];
    let filter = match named.credentials {
        true => weak_password::judge_kept(value),
        false => weak_password::judge(value, !named.value.quoted),
    };
    match filter {
        Some(filter) => pass.reject(rule, span, filter),
        None => pass.accept(rule, Rank::Generic, span, Confidence::Low),
    }
    end
}

/// The value after a name, where the name promises a secret.
fn named_value(pass: &Pass<'_>, name: Range<usize>) -> Option<NamedValue> {
    let bytes = pass.bytes;
    let found = value::after(bytes, name.start, name.end, pass.kind)?;
    let connection = !found.quoted && is_connection_string(bytes, name.start);
    let expression = found.expression && !connection;
    if expression && !pass.explain {
        return None;
    }
    let family = name::family(&bytes[name.clone()])?;
    Some(NamedValue {
        name,
        family,
        value: found,
        expression,
        credentials: connection || pass.origin.holds_credentials(),
    })
}

/// Why a value is none for its place, whatever it is.
fn public_filter(pass: &Pass<'_>, named: &NamedValue) -> Option<MatchFilter> {
    let start = named.name.start;
    if pass.kind == FileKind::Lock {
        return Some(MatchFilter::Hash);
    }
    let value = &pass.bytes[named.value.span.clone()];
    // The user of an address, whose password is judged by another rule: `postgres://auth_admin:...@host`.
    let is_user = pass.bytes[..start].ends_with(b"://") && value.contains(&b'@');
    if is_user || is_resource_name(pass.bytes, start) {
        return Some(MatchFilter::Locator);
    }
    if is_verdict(pass.bytes, named) {
        return Some(MatchFilter::Words);
    }
    let path = pass.origin.as_path().unwrap_or_default();
    let is_label = value.ends_with(b":")
        || weak_password::is_translation(path) && !value.iter().any(u8::is_ascii_digit);
    if is_label && named.family == Family::Password {
        return Some(MatchFilter::Words);
    }
    let is_public = is_page_key(pass.bytes, start, &named.value)
        || is_choice(pass.bytes, named)
        || is_public_key_name(pass.bytes, named)
        || is_open_address(pass.bytes, start)
        || is_widget(pass.bytes, named)
        || is_hash_argument(pass.bytes, start)
        || is_derived(pass.bytes, named)
        || is_example(pass.bytes, start);
    if is_numbered_constant(pass.bytes, named) {
        return Some(MatchFilter::Number);
    }
    is_public.then_some(MatchFilter::Public)
}

/// Why a value is no secret.
fn secret_filter(pass: &mut Pass<'_>, named: &NamedValue) -> Option<MatchFilter> {
    let bytes = pass.bytes;
    let subject = judge::FilterSubject {
        value: &bytes[named.value.span.clone()],
        name: &bytes[named.name.clone()],
        family: named.family,
        quoted: named.value.quoted,
        expression: named.expression,
        settings: pass.kind != FileKind::Text,
        credentials: named.credentials,
    };
    let published =
        || documented_values::is_published(subject.value).then_some(MatchFilter::Published);
    let sealed = || is_sealed(pass, named).then_some(MatchFilter::Encrypted);
    judge::judge(&subject).or_else(published).or_else(sealed)
}

/// Whether a value is an entry of `encryptedData`, which a `SealedSecret` of Kubernetes has. Entries are asked for in
/// their order, so that no line is looked at twice.
fn is_sealed(pass: &mut Pass<'_>, named: &NamedValue) -> bool {
    const SECTIONS: [&[u8]; 2] = [b"encryptedData:", b"\"encryptedData\": {"];
    let (bytes, start) = (pass.bytes, named.name.start);
    let (before, value) = (line_before(bytes, start), &bytes[named.value.span.clone()]);
    let is_digit = |byte: &u8| base64::is_digit(*byte) || *byte == b'=';
    let is_encrypted =
        value.len() >= SEALED_BYTES_MIN && value.starts_with(b"Ag") && value.iter().all(is_digit);
    let is_entry = matches!(pass.kind, FileKind::Config | FileKind::Json)
        && matches!(before.trim_ascii_start(), [] | [b'"']);
    if !is_encrypted || !is_entry {
        return false;
    }
    let line = start - before.len();
    let (known, mut section) = pass.sealed_section;
    let lines = bytes.get(known..line).unwrap_or_default();
    for line in lines.split(|byte| *byte == b'\n') {
        let text = line.trim_ascii();
        if SECTIONS.contains(&text) {
            section = Some(indent(line));
        } else if !text.is_empty() {
            section = section.filter(|section| indent(line) > *section);
        }
    }
    pass.sealed_section = (known.max(line), section);
    section.is_some_and(|section| indent(before) > section)
}

/// Whether a value is a literal by the way it is written, so that a word of it is one that somebody chose.
fn is_literal(pass: &mut Pass<'_>, named: &NamedValue) -> bool {
    let (bytes, found) = (pass.bytes, &named.value);
    let (name, end) = (&bytes[named.name.clone()], named.name.end);
    let path = pass.origin.as_path().unwrap_or_default();
    if weak_password::is_about(name) || weak_password::is_translation(path) {
        return false;
    }
    let value = &bytes[found.span.clone()];
    let repeats = !named.credentials
        && (weak_password::repeats_name(value, name)
            || pass.kind == FileKind::Code && weak_password::repeats_member(value, name));
    if is_listed(bytes, named.name.start, end) || is_compared(bytes, named) || repeats {
        return false;
    }
    if bytes.get(end) == Some(&b'(') {
        return is_setter(bytes, name, found);
    }
    if found.quoted {
        // The closing quote of a string in a pattern: `/password: "word"/`.
        let is_string = bytes
            .get(found.span.end)
            .is_some_and(|byte| is_quote(*byte));
        let after = bytes.get(found.span.end + 1..).unwrap_or_default();
        return !is_string || !after.starts_with(b"/") || after.starts_with(b"/>");
    }
    let is_tight = bytes.get(end) == Some(&b'=');
    // A command and its flags: `$login.Password = Read-Host -Prompt "Password"`.
    if !is_tight && !found.spaced && bytes[found.span.end..].starts_with(b" -") {
        return false;
    }
    // Nothing is assigned: `DB_PASSWORD= command`.
    if is_tight && bytes.get(end + 1) == Some(&b' ') {
        return false;
    }
    match pass.kind {
        // Behind a colon the row is the value: `pass_str: SELECT /* .. */ 1`.
        FileKind::Config if bytes.get(end) == Some(&b':') => {
            ends_value(bytes, found.span.end) && !goes_on(bytes, found.span.end)
        }
        _ if is_tight && is_argument(bytes, named.name.start, pass.kind) => true,
        FileKind::Config | FileKind::Shell => ends_value(bytes, found.span.end),
        // In a sentence only what no sentence has: `DB_PASSWORD=word`, `--password word`, a line of settings.
        FileKind::Text => {
            let is_line = line_before(bytes, named.name.start).trim_ascii().is_empty();
            let is_setting = is_tight && (name.contains(&b'_') || is_line);
            let is_flag = found.spaced
                && !bytes[end..found.span.start].starts_with(b"  ")
                && ends_value(bytes, found.span.end);
            let is_row = is_line && ends_value(bytes, found.span.end);
            is_flag || is_setting || is_row && pass.is_fenced(named.name.start)
        }
        // `"host=db password=word"`, `"/login?password=word"`
        _ => is_tight && in_string(bytes, named.name.start) && ends_value(bytes, found.span.end),
    }
}

/// Whether a value is compared, or is one of several: `password == "word"`, `"word" . $salt`, `password: ["word"]`.
fn is_compared(bytes: &[u8], named: &NamedValue) -> bool {
    let between = bytes
        .get(named.name.end..named.value.span.start)
        .unwrap_or_default();
    let after = bytes.get(named.value.span.end + 1..).unwrap_or_default();
    memchr::memmem::find(between, b"==").is_some()
        || memchr::memmem::find(between, b"!=").is_some()
        || between.contains(&b'[')
        || between.ends_with(b"- ")
        || named.value.quoted && after.trim_ascii_start().starts_with(b". ")
}

/// Whether a comma follows a quoted name: a list of words, or of arguments, but for `define('DB_PASSWORD', '...')`.
fn is_listed(bytes: &[u8], start: usize, end: usize) -> bool {
    let before = line_before(bytes, start).trim_ascii_end();
    let before = before
        .strip_suffix(b"'")
        .or(before.strip_suffix(b"\""))
        .unwrap_or(before);
    if before.trim_ascii_end().ends_with(b"define(") {
        return false;
    }
    let after = bytes.get(end..).unwrap_or_default();
    let after = after.strip_prefix(b"\\").unwrap_or(after);
    let is_quoted = after
        .first()
        .is_some_and(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    is_quoted && after[1..].trim_ascii_start().first() == Some(&b',')
}

/// Whether a call sets a password and nothing else: `setPassword("...")`, not `t.pass("...")`.
fn is_setter(bytes: &[u8], name: &[u8], found: &value::DetectedValue) -> bool {
    let last = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let lower = last.to_ascii_lowercase();
    let sets = lower.starts_with(b"set") || lower.starts_with(b"with") || lower == b"password";
    sets && bytes.get(found.span.end + 1) == Some(&b')')
}

/// Whether a value without quotes goes no further than its word: the line ends, a comment or the next assignment
/// follows.
fn ends_value(bytes: &[u8], at: usize) -> bool {
    let rest = &bytes[at.min(bytes.len())..];
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let Some(space) = line.first() else {
        return true;
    };
    let word = line.trim_ascii_start();
    let word = word
        .split(u8::is_ascii_whitespace)
        .next()
        .unwrap_or_default();
    !space.is_ascii_whitespace()
        || word.is_empty()
        || word.starts_with(b"#")
        || word.starts_with(b"\\")
        || word.starts_with(b"-")
        || word.contains(&b'=')
        || word.contains(&b'/')
        || word.starts_with(b"&")
}

/// Whether `NAME=value` is one argument of a command, which ends with its word whatever follows:
/// `docker run -e NAME=value image`, in a script also `NAME=value command`.
fn is_argument(bytes: &[u8], start: usize, kind: FileKind) -> bool {
    const FLAGS: [&[u8]; 4] = [b" -e", b" --env", b" --build-arg", b" --set"];
    let line = line_before(bytes, start);
    let before = line.trim_ascii_end();
    let is_first = kind == FileKind::Shell && before.is_empty();
    is_first || before.len() < line.len() && FLAGS.iter().any(|flag| before.ends_with(flag))
}

/// Whether more than a comment follows a value and white space.
fn goes_on(bytes: &[u8], at: usize) -> bool {
    let rest = &bytes[at.min(bytes.len())..];
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let after = line.trim_ascii();
    line.starts_with(b" ") && !after.is_empty() && !after.starts_with(b"#")
}

/// Whether a name stands in a row of `key=value;` that says where a database is
/// and who logs in.
fn is_connection_string(bytes: &[u8], start: usize) -> bool {
    let line = line_before(bytes, start);
    if line.trim_ascii_end().last() != Some(&b';') {
        return false;
    }
    let line = line.to_ascii_lowercase();
    let keys: [&[u8]; 9] = [
        b"server=",
        b"host=",
        b"source=",
        b"database=",
        b"catalog=",
        b"user id=",
        b"userid=",
        b"username=",
        b"uid=",
    ];
    keys.iter()
        .any(|key| memchr::memmem::find(&line, key).is_some())
}

/// The key of a widget that a page shows to its readers: the search-only key of a documentation site's search box
/// (`docsearch: { apiKey: "..." }`, in minified script `,apiKey:"..."`), the token of a beacon.
fn is_page_key(bytes: &[u8], start: usize, found: &value::DetectedValue) -> bool {
    const WIDGETS: [&[u8]; 2] = [b"docsearch", b"data-cf-beacon"];
    let before = bytes[start.saturating_sub(WIDGET_BYTES_MAX)..start].to_ascii_lowercase();
    let is_minified =
        bytes[start..].starts_with(b"apiKey:") && matches!(before.last(), Some(b',' | b'{'));
    let is_in = |widget: &&[u8]| memchr::memmem::find(&before, widget).is_some();
    let is_named = |name: &[u8]| {
        let here = bytes[start..].get(..name.len());
        here.is_some_and(|here| here.eq_ignore_ascii_case(name))
    };
    let is_of_widget = [&b"apikey"[..], b"api_key", b"token"]
        .into_iter()
        .any(is_named)
        && WIDGETS.iter().any(is_in);
    let value = &bytes[found.span.clone()];
    (is_minified || is_of_widget) && value.len() == 32 && value.iter().all(u8::is_ascii_hexdigit)
}

/// The arguments of a call that hashes a password or checks a hash: `HashPassword("password", "salt")`.
fn is_hash_argument(bytes: &[u8], start: usize) -> bool {
    let line = line_before(bytes, start);
    let Some(open) = line.iter().rposition(|byte| *byte == b'(') else {
        return false;
    };
    let callee = line[..open]
        .rsplit(|byte| !is_word(*byte))
        .next()
        .unwrap_or_default();
    let callee = callee.to_ascii_lowercase();
    line[open + 1..]
        .iter()
        .all(|byte| matches!(byte, b'"' | b'\'' | b'`' | b' '))
        && memchr::memmem::find(&callee, b"hash").is_some()
}

/// Whether a call makes or checks what is stored of a password: `EncodePassword("...", salt)`.
fn is_derived(bytes: &[u8], named: &NamedValue) -> bool {
    const VERBS: [&[u8]; 8] = [
        b"encode",
        b"encrypt",
        b"hash",
        b"verify",
        b"check",
        b"compare",
        b"generate",
        b"validate",
    ];
    let name = bytes[named.name.clone()].to_ascii_lowercase();
    let last = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    bytes.get(named.name.end) == Some(&b'(') && VERBS.iter().any(|verb| last.starts_with(verb))
}

/// Whether `PASS` says that a test passed, in a table, a list or a sentence: `| upload | PASS | at 3f9c2e1 |`,
/// `record("PASS", "upload")`, `the second pass: "rejected"`.
fn is_verdict(bytes: &[u8], named: &NamedValue) -> bool {
    if !bytes[named.name.clone()].eq_ignore_ascii_case(b"pass") {
        return false;
    }
    let between = bytes.get(named.name.end..named.value.span.start);
    let sign = between
        .unwrap_or_default()
        .iter()
        .find(|byte| !is_quote(**byte) && **byte != b' ');
    let before = line_before(bytes, named.name.start);
    let is_word = |word: &[u8]| word.len() > 1 && word.iter().all(u8::is_ascii_alphabetic);
    let word = before.strip_suffix(b" ").unwrap_or_default();
    let word = word.rsplit(|byte| *byte == b' ').next().unwrap_or_default();
    matches!(sign, Some(b'|' | b',')) || sign == Some(&b':') && is_word(word)
}

/// Whether a name is a part of the name of a resource: `arn:aws:secretsmanager:eu-west-1:1:secret:name-AbCdEf`.
fn is_resource_name(bytes: &[u8], start: usize) -> bool {
    let line = line_before(bytes, start);
    let word = line.rsplit(|byte| byte.is_ascii_whitespace() || is_quote(*byte));
    word.take(1).any(|word| word.starts_with(b"arn:"))
}

/// Whether a name is that of an element of the surface, and the value its text: `<a id="genPassword">Generate</a>`.
fn is_widget(bytes: &[u8], named: &NamedValue) -> bool {
    const ATTRIBUTES: [&[u8]; 4] = [b"id", b"class", b"for", b"href"];
    let line = line_before(bytes, named.name.start);
    let quote = bytes.get(named.name.end).filter(|byte| is_quote(**byte));
    let Some(open) = quote.and_then(|quote| line.iter().rposition(|byte| byte == quote)) else {
        return false;
    };
    let attribute = line[..open].strip_suffix(b"=").unwrap_or_default();
    let attribute = attribute.rsplit(u8::is_ascii_whitespace).next();
    bytes.get(named.name.end + 1) == Some(&b'>')
        && attribute.is_some_and(|attribute| ATTRIBUTES.contains(&attribute))
}

/// Whether a name is a word to choose from, and its value another one: `ok ? "pass" : "fail"`, `"login" | "password"`.
fn is_choice(bytes: &[u8], named: &NamedValue) -> bool {
    let line = line_before(bytes, named.name.start);
    let quote = bytes.get(named.name.end).filter(|byte| is_quote(**byte));
    let Some(before) = quote.and_then(|quote| line.strip_suffix(&[*quote])) else {
        return false;
    };
    let before = before.trim_ascii();
    let between = bytes.get(named.name.end + 1..named.value.span.start);
    let between = between.unwrap_or_default().trim_ascii_start();
    let is_alternative = before.ends_with(b"|") && !before.ends_with(b"||")
        || between.starts_with(b"|") && !between.starts_with(b"||");
    // A row of a table begins with the sign.
    let is_row = before.starts_with(b"|");
    before.ends_with(b"?") || is_alternative && !is_row
}

/// Whether the word before a name says that it is no secret one: `GPG key: ...`.
fn is_public_key_name(bytes: &[u8], named: &NamedValue) -> bool {
    const WORDS: [&[u8]; 3] = [b"gpg", b"pgp", b"public"];
    let line = line_before(bytes, named.name.start);
    let word = line.strip_suffix(b" ").unwrap_or_default();
    let word = word
        .rsplit(|byte| !is_word(*byte))
        .next()
        .unwrap_or_default();
    named.family == Family::Weak && WORDS.iter().any(|one| word.eq_ignore_ascii_case(one))
}

/// The token of an address that opens nothing: of a badge image, which readers of a README load, or of a development
/// server's socket on this machine.
fn is_open_address(bytes: &[u8], start: usize) -> bool {
    bytes[..start].ends_with(b".svg?")
        || line_before(bytes, start)
            .rsplit(|byte| byte.is_ascii_whitespace() || is_quote(*byte))
            .next()
            .is_some_and(|address| address.starts_with(b"ws://localhost:"))
}

/// Whether a line says that it is an example: `# Example password: ...`.
pub(super) fn is_example(bytes: &[u8], start: usize) -> bool {
    const WORD: &[u8] = b"example";
    let line = line_before(bytes, start);
    let line = &line[line.len().saturating_sub(EXAMPLE_BYTES_MAX)..];
    let at = line
        .windows(WORD.len())
        .rposition(|word| word.eq_ignore_ascii_case(WORD));
    at.is_some_and(|at| {
        let is_word = at == 0 || !is_word(line[at - 1]) && line[at - 1] != b'.';
        let after = line[at + WORD.len()..].trim_ascii();
        is_word && (after.is_empty() || after.starts_with(b":"))
    })
}

/// Whether the constant of an enumeration has its number: `Code.STATUS_PASSWORD_EXPIRED = 3221225585`.
fn is_numbered_constant(bytes: &[u8], named: &NamedValue) -> bool {
    let name = &bytes[named.name.clone()];
    let mut parts = name.rsplit(|byte| *byte == b'.');
    let last = parts.next().unwrap_or_default();
    let is_loud = last.contains(&b'_') && !last.iter().any(u8::is_ascii_lowercase);
    let value = &bytes[named.value.span.clone()];
    !named.value.quoted && is_loud && parts.next().is_some() && value.iter().all(u8::is_ascii_digit)
}

/// Whether a word is the login's name too, in one row with it: `user=gorm password=gorm`.
fn is_login_name(bytes: &[u8], named: &NamedValue) -> bool {
    let value = &bytes[named.value.span.clone()];
    let line = line_before(bytes, named.name.start);
    let mut words =
        line.split(|byte| byte.is_ascii_whitespace() || matches!(byte, b';' | b'"' | b'\''));
    !named.value.quoted
        && words.any(|word| {
            let name = word.strip_suffix(value);
            let name = name.and_then(|name| name.strip_suffix(b"="));
            let name = name.unwrap_or_default().to_ascii_lowercase();
            name.ends_with(b"user") || name.ends_with(b"username") || name.ends_with(b"uid")
        })
}

/// Short keywords bring their operator along: `pw=`.
fn without_operator(bytes: &[u8], hit: KeywordHit) -> KeywordHit {
    let word = |byte: &u8| is_word(*byte);
    let length = bytes[hit.start..hit.end].iter().rposition(word);
    let end = length.map_or(hit.end, |last| hit.start + last + 1);
    KeywordHit { end, ..hit }
}

/// The whole name that a keyword is part of.
pub(crate) fn name_around(bytes: &[u8], hit: KeywordHit) -> Range<usize> {
    let part = |byte: &u8| is_word(*byte) || matches!(byte, b'-' | b'.');
    let from = hit.start.saturating_sub(NAME_BYTES_MAX);
    let before = bytes[from..hit.start]
        .iter()
        .rev()
        .take_while(|byte| part(byte))
        .count();
    let reach = bytes.len().min(hit.end + NAME_BYTES_MAX);
    let after = bytes[hit.end..reach]
        .iter()
        .take_while(|byte| part(byte))
        .count();
    let mut start = hit.start - before;
    while start < hit.start && matches!(bytes[start], b'-' | b'.') {
        start += 1;
    }
    let mut end = hit.end + after;
    while end > hit.end && matches!(bytes[end - 1], b'-' | b'.') {
        end -= 1;
    }
    start..end
}
