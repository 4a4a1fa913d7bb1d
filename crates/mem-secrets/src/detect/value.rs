//! Finds the value that a name is given, in whatever kind of file.

use std::ops::Range;

use super::fallback;
use super::line::{blank, in_string, is_quote, line_before, open_quote, white};
use super::sibling;
use crate::origin::FileKind;
use crate::rule::boundary::is_word;

/// A value longer than this is no password or key.
const VALUE_BYTES_MAX: usize = 512;

/// A value and how it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DetectedValue {
    pub(crate) span: Range<usize>,
    /// In quotes or between tags, so that its end is certain.
    pub(crate) quoted: bool,
    /// Followed or preceded by what makes it part of an expression.
    pub(crate) expression: bool,
    /// Told by white space alone, as in a sentence or after a flag.
    pub(crate) spaced: bool,
}

/// The value after a name that ends at `end` and starts at `start`.
pub(crate) fn after(
    bytes: &[u8],
    start: usize,
    end: usize,
    kind: FileKind,
) -> Option<DetectedValue> {
    let quote = bytes.get(end).copied().filter(|byte| is_quote(*byte));
    let escaped =
        bytes.get(end) == Some(&b'\\') && bytes.get(end + 1).is_some_and(|b| is_quote(*b));
    let mut at = end + usize::from(quote.is_some()) + 2 * usize::from(escaped);
    let brackets = bytes[at.min(bytes.len())..]
        .iter()
        .take_while(|byte| **byte == b']')
        .count();
    at += brackets;
    let gap = blank(bytes, at);
    at += gap;
    // A list ends with the name, and what follows is not its value: `["user", "password"], "title"`.
    if brackets > 0 && bytes.get(at) == Some(&b',') && !is_index(bytes, start) {
        return None;
    }
    let symbol = start.checked_sub(1).is_some_and(|at| bytes[at] == b':');
    let named = quote.is_some() || escaped || symbol;
    if let Some(value) = tagged(bytes, start, at, gap) {
        return Some(value);
    }
    if let Some(value) = listed(bytes, at).or_else(|| attribute(bytes, at, named && gap > 0)) {
        return Some(value);
    }
    let beside = sibling::value(bytes, start, at);
    if let Some(at) = beside.or_else(|| sibling::member(bytes, &(start..end), at, (named, kind))) {
        return read(bytes, at, (start, quote), kind, false);
    }
    // A name in quotes is a key, and has no type.
    if quote.is_none() && !escaped {
        at = skip_type(bytes, at);
    }
    if gap > 0 && is_psql_variable(bytes, start, at) {
        return None;
    }
    let operator = call(bytes, at, gap).unwrap_or_else(|| operator(bytes, at, named));
    if operator == 0 {
        return spaced(bytes, start, at, gap, kind);
    }
    let tag = bytes[at] == b'>';
    at += operator;
    at += if tag {
        white(bytes, at)
    } else {
        blank(bytes, at)
    };
    at += fallback::skip(bytes, at);
    at += prefix(bytes, at);
    read(bytes, at, (start, quote), kind, tag)
}

/// Whether a quoted name is an index, not a member of a list: `fields["password"]`.
fn is_index(bytes: &[u8], start: usize) -> bool {
    let before = bytes[..start.saturating_sub(1)].strip_suffix(b"[");
    let last = before.and_then(<[u8]>::last);
    last.is_some_and(|byte| is_word(*byte) || matches!(byte, b']' | b')'))
}

/// `key="password" value="..."`, as in XML settings.
fn attribute(bytes: &[u8], at: usize, named: bool) -> Option<DetectedValue> {
    let rest = &bytes[at..];
    let word = [b"value=".as_slice(), b"Value=", b"content="]
        .into_iter()
        .find(|w| rest.starts_with(w))?;
    let open = at + word.len();
    let quote = *bytes.get(open).filter(|byte| is_quote(**byte))?;
    named.then(|| quoted(bytes, open + 1, quote)).flatten()
}

/// `<name attribute="...">value<`.
fn tagged(bytes: &[u8], start: usize, at: usize, gap: usize) -> Option<DetectedValue> {
    if gap == 0 || start == 0 || bytes[start - 1] != b'<' {
        return None;
    }
    let reach = &bytes[at..bytes.len().min(at + 80)];
    let close = at
        + reach
            .iter()
            .position(|byte| matches!(byte, b'>' | b'<' | b'\n'))?;
    (bytes[close] == b'>')
        .then(|| content(bytes, close + 1))
        .flatten()
}

/// `<key>name</key>` and the `<string>` after it, as in property lists.
fn listed(bytes: &[u8], at: usize) -> Option<DetectedValue> {
    const CLOSE: &[u8] = b"</key>";
    const OPEN: &[u8] = b"<string>";
    let next = at + CLOSE.len();
    let next = next + white(bytes, next);
    let is_text = bytes[at..].starts_with(CLOSE) && bytes[next..].starts_with(OPEN);
    is_text.then(|| content(bytes, next + OPEN.len())).flatten()
}

/// `setPassword("...")`: the parenthesis is the operator.
fn call(bytes: &[u8], at: usize, gap: usize) -> Option<usize> {
    let (open, quote) = (bytes.get(at)?, bytes.get(at + 1)?);
    let string = is_quote(*quote) || (*quote == b'@' && bytes.get(at + 2) == Some(&b'"'));
    (gap == 0 && *open == b'(' && string).then_some(1)
}

/// The type between a name and its `=`: `: string`, ` string`, `: &str`.
fn skip_type(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..bytes.len().min(at + 32)];
    let rest = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let Some(equals) = rest.iter().position(|byte| *byte == b'=') else {
        return at;
    };
    let between = rest[..equals].trim_ascii();
    let between = between.strip_prefix(b":").unwrap_or(between).trim_ascii();
    let plain = between.iter().all(|byte| {
        is_word(*byte)
            || matches!(
                byte,
                b'&' | b'\'' | b'[' | b']' | b'*' | b'.' | b'<' | b'>' | b'?'
            )
    });
    let letters = between
        .first()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'&');
    if plain && letters { at + equals } else { at }
}

/// The length of an assignment operator.
fn operator(bytes: &[u8], at: usize, named: bool) -> usize {
    let rest = &bytes[at.min(bytes.len())..];
    #[rustfmt::skip]
    let known: &[&[u8]] = &[
        b":::=", b"::=", b"===", b"!==", b"=>", b":=", b"?=", b"==", b"!=", b"+=", b".=", b"->",
        b"=", b":", b">", b"||", "：".as_bytes(),
    ];
    // Between the cells of a table; elsewhere one command hands on to the next.
    if rest.starts_with(b"|") && !rest.starts_with(b"||") {
        let before = line_before(bytes, at).trim_ascii_start();
        return usize::from(before.starts_with(b"|"));
    }
    // The next argument of a call, not the next member of a list.
    if named && rest.starts_with(b",") && in_call(line_before(bytes, at)) {
        return 1;
    }
    let Some(found) = known.iter().find(|op| rest.starts_with(op)) else {
        return 0;
    };
    // `std::secret` and `->` lead to something else.
    if rest.starts_with(b"::") && !rest.starts_with(b"::=") && !rest.starts_with(b":::=")
        || *found == b"->"
    {
        return 0;
    }
    found.len()
}

fn in_call(line: &[u8]) -> bool {
    let count = |sign: u8| line.iter().filter(|byte| **byte == sign).count();
    count(b'(') > count(b')') || line.ends_with(b":") || line.contains(&b':')
}

/// A value told by white space: after a flag, in a Dockerfile, in SQL.
fn spaced(
    bytes: &[u8],
    start: usize,
    at: usize,
    gap: usize,
    kind: FileKind,
) -> Option<DetectedValue> {
    if gap == 0 {
        return None;
    }
    let dash = bytes[..start].ends_with(b" -") || bytes[..start].ends_with(b"\t-");
    let flag = dash || bytes[..start].ends_with(b"--");
    let line = line_before(bytes, start);
    let head = line.trim_ascii();
    let command = kind == FileKind::Shell && is_setting_command(head);
    let at = at + usize::from(command) * value_flag(bytes, at);
    let quote = bytes
        .get(at)
        .copied()
        .filter(|byte| matches!(byte, b'\'' | b'"'));
    if let Some(quote) = quote.filter(|_| flag || command || is_define(head) || is_sql(line)) {
        return quoted(bytes, at + 1, quote);
    }
    // `password VALUE` on a line of its own, as mail clients and redis have it, and Gradle with quotes.
    let entry = head.is_empty() && matches!(kind, FileKind::Config | FileKind::Code);
    if let Some(quote) = quote.filter(|_| entry) {
        return quoted(bytes, at + 1, quote).filter(|value| ends_line(bytes, value.span.end + 1));
    }
    let entry = entry && kind == FileKind::Config;
    if !flag && !command && !entry {
        return None;
    }
    let value = bare(bytes, at, FileKind::Shell, false)?;
    // A command of several words is one only where the line ends with its argument.
    let is_last = command && !flag && head.contains(&b' ');
    let end = value.span.end;
    if entry && !ends_line(bytes, end) || is_last && !ends_argument(bytes, end) {
        return None;
    }
    (bytes[at] != b'-').then_some(DetectedValue {
        spaced: true,
        ..value
    })
}

/// Whether a command gives what follows its value: `ENV`, `export`, `set -gx`, `aws configure set`.
fn is_setting_command(head: &[u8]) -> bool {
    const VERBS: [&[u8]; 5] = [b"ENV", b"ARG", b"set", b"setenv", b"export"];
    let words = head.split(u8::is_ascii_whitespace).rev();
    let mut words = words.filter(|word| !word.is_empty() && !word.starts_with(b"-"));
    let is_verb = words.next().is_some_and(|word| VERBS.contains(&word));
    is_verb && !head.starts_with(b"#")
}

/// The length of the flag between a name and its value: `gh secret set NAME -b VALUE`.
fn value_flag(bytes: &[u8], at: usize) -> usize {
    let flags: [&[u8]; 3] = [b"-b ", b"--body ", b"--body="];
    let flag = flags.iter().find(|flag| bytes[at..].starts_with(flag));
    flag.map_or(0, |flag| flag.len())
}

/// Whether the preprocessor of C gives a name its text: `#define NAME "..."`.
fn is_define(head: &[u8]) -> bool {
    let directive = head.strip_prefix(b"#").unwrap_or_default();
    directive.trim_ascii() == b"define"
}

/// Whether an argument is the last one of its command, but for flags.
fn ends_argument(bytes: &[u8], at: usize) -> bool {
    let after = bytes.get(at + blank(bytes, at));
    ends_line(bytes, at) || matches!(after, Some(b'-' | b';' | b'&' | b'|'))
}

fn ends_line(bytes: &[u8], at: usize) -> bool {
    let at = at + blank(bytes, at);
    matches!(bytes.get(at), None | Some(b'\n' | b'\r'))
}

/// Whether a variable of psql begins at `at`, in a statement: `WITH PASSWORD :'name'`.
fn is_psql_variable(bytes: &[u8], start: usize, at: usize) -> bool {
    const WORDS: [&[u8]; 4] = [b"WITH", b"ENCRYPTED", b"USER", b"IDENTIFIED"];
    let before = line_before(bytes, start).trim_ascii_end();
    let word = before.rsplit(|byte| !is_word(*byte)).next();
    matches!(bytes.get(at..at + 2), Some([b':', b'\'' | b'"']))
        && word.is_some_and(|word| WORDS.iter().any(|one| word.eq_ignore_ascii_case(one)))
}

fn is_sql(line: &[u8]) -> bool {
    let line = line.to_ascii_uppercase();
    [
        b"USER".as_slice(),
        b"ROLE",
        b"LOGIN",
        b"WITH",
        b"SET",
        b"IDENTIFIED",
    ]
    .iter()
    .any(|word| memchr::memmem::find(&line, word).is_some())
}

/// What stands between operator and value and belongs to neither: `b"..."`,
/// `new String(`, `&`, `@`.
fn prefix(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at.min(bytes.len())..];
    let wrappers: &[&[u8]] = &[
        b"[]byte(",
        b"bytes(",
        b"Encoding.UTF8.GetBytes(",
        b"Encoding.ASCII.GetBytes(",
        b"new String(",
        b"Buffer.from(",
        b"SecretStr(",
        b"Some(",
        b"String(",
        b"str(",
        b"base64.b64decode(",
        b"to_bytes(",
        b"Password(",
    ];
    if let Some(wrapper) = wrappers.iter().find(|wrapper| rest.starts_with(wrapper)) {
        return wrapper.len();
    }
    let known: &[&[u8]] = &[
        b"b\"", b"b'", b"u'", b"u\"", b"r'", b"r\"", b"@\"", b"N'", b"L\"", b"f\"", b"f'",
    ];
    usize::from(known.iter().any(|prefix| rest.starts_with(prefix)))
}

fn read(
    bytes: &[u8],
    at: usize,
    (start, quote): (usize, Option<u8>),
    kind: FileKind,
    tag: bool,
) -> Option<DetectedValue> {
    let first = *bytes.get(at)?;
    // The quote of a string that the name begins, and does not fill.
    let opening = start.checked_sub(1).map(|at| bytes[at]);
    let opening = opening.filter(|byte| quote.is_none() && is_quote(*byte));
    if first == b'\\' && bytes.get(at + 1).is_some_and(|byte| is_quote(*byte)) {
        return escaped(bytes, at + 2, bytes[at + 1]);
    }
    if is_quote(first) {
        // Inside a string of the same quote this one closes it.
        if opening == Some(first) || open_quote(bytes, start) == Some(first) {
            return None;
        }
        let triple = bytes[at..].starts_with(&[first; 3]);
        return quoted(bytes, at + if triple { 3 } else { 1 }, first);
    }
    if tag {
        return content(bytes, at);
    }
    // In a query the next parameter ends the value: `?user=me&pass=word&lang=en`, not in code: `a?b.key=c`, `a&&b.key=c`.
    let is_code = kind == FileKind::Code && bytes[start..at].contains(&b'.');
    let is_parameter =
        !is_code && (bytes[..start].ends_with(b"&") || bytes[..start].ends_with(b"?"));
    let inside = in_string(bytes, start) && in_string(bytes, at)
        || is_parameter && bytes[..at].ends_with(b"=");
    let value = bare(bytes, at, kind, inside)?;
    // A string that is an assignment is no code: `["NAME=value"]`.
    let is_member = opening.is_some() && bytes[..at].ends_with(b"=");
    Some(DetectedValue {
        expression: value.expression && !is_member,
        ..value
    })
}

/// The text of an element, up to its closing tag.
fn content(bytes: &[u8], at: usize) -> Option<DetectedValue> {
    const OPEN: &[u8] = b"<![CDATA[";
    let literal = bytes[at..].starts_with(OPEN);
    let at = if literal { at + OPEN.len() } else { at };
    let reach = &bytes[at..bytes.len().min(at + VALUE_BYTES_MAX)];
    let close: &[u8] = if literal { b"]]>" } else { b"<" };
    let end = at + memchr::memmem::find(reach, close)?;
    if !literal && bytes.get(end + 1) != Some(&b'/') {
        return None;
    }
    let text = bytes[at..end].trim_ascii_end();
    Some(DetectedValue {
        span: at..at + text.len(),
        quoted: true,
        expression: false,
        spaced: false,
    })
}

/// Up to the closing quote on the same line.
fn quoted(bytes: &[u8], at: usize, quote: u8) -> Option<DetectedValue> {
    let mut end = at;
    while end < bytes.len().min(at + VALUE_BYTES_MAX) {
        match bytes[end] {
            b'\\' => end += 1,
            b'\n' | b'\r' => return None,
            byte if byte == quote => {
                let expression = joins(bytes, end + 1);
                return Some(DetectedValue {
                    span: at..end,
                    quoted: true,
                    expression,
                    spaced: false,
                });
            }
            _ => {}
        }
        end += 1;
    }
    None
}

/// Whether a string is only a part: `"abc" + name`, `"abc" % x`, `"abc".format`.
fn joins(bytes: &[u8], at: usize) -> bool {
    let rest = bytes[at.min(bytes.len())..].trim_ascii_start();
    matches!(rest.first(), Some(b'+' | b'%'))
        || rest.starts_with(b".format")
        || rest.starts_with(b". $")
}

/// Up to `\"`, inside a string that is itself quoted.
fn escaped(bytes: &[u8], at: usize, quote: u8) -> Option<DetectedValue> {
    let reach = &bytes[at..bytes.len().min(at + VALUE_BYTES_MAX)];
    // An unescaped quote ends the string around it.
    let end = reach
        .windows(2)
        .position(|pair| pair[1] == quote || pair[0] == quote)?;
    let end = at + Some(end).filter(|end| reach[*end] == b'\\')?;
    Some(DetectedValue {
        span: at..end,
        quoted: true,
        expression: false,
        spaced: false,
    })
}

/// A value without quotes: to the end of the word, and in settings to the end
/// of the line.
fn bare(bytes: &[u8], at: usize, kind: FileKind, inside: bool) -> Option<DetectedValue> {
    let settings = matches!(kind, FileKind::Config | FileKind::Shell | FileKind::Text) && !inside;
    let stop = |byte: &u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'\\')
            || (!settings && matches!(byte, b';' | b',' | b'&' | b')' | b'}'))
    };
    let reach = &bytes[at..bytes.len().min(at + VALUE_BYTES_MAX)];
    let length = reach.iter().position(stop).unwrap_or(reach.len());
    let mut text = &reach[..length];
    while let [head @ .., b',' | b';'] = text {
        text = head;
    }
    // The end of a mapping in one row: `{user: me, password: word}`.
    if let Some(head) = text.strip_suffix(b"}")
        && !head.contains(&b'{')
    {
        text = head;
    }
    let expression = !inside && matches!(kind, FileKind::Code | FileKind::Json);
    (!text.is_empty()).then(|| DetectedValue {
        span: at..at + text.len(),
        quoted: false,
        expression,
        spaced: false,
    })
}
