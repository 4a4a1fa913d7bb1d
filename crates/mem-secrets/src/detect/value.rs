//! Finds the value that a name is given, in whatever kind of file.

use std::ops::Range;

use super::below;
use super::fallback;
use super::line::{blank, in_string, is_quote, line_before, open_quote, white};
use super::sibling;
use crate::origin::FileKind;
use crate::rule::boundary::is_word;

/// A value longer than this is no password or key.
const VALUE_BYTES_MAX: usize = 512;
/// Most backslashes in front of an escaped quote: JSON three levels deep.
const ESCAPES_MAX: usize = 7;

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

impl DetectedValue {
    /// A value whose end is certain.
    pub(super) const fn closed(span: Range<usize>) -> Self {
        Self {
            span,
            quoted: true,
            expression: false,
            spaced: false,
        }
    }
}

/// The value after a name that ends at `end` and starts at `start`.
pub(crate) fn after(
    bytes: &[u8],
    start: usize,
    end: usize,
    kind: FileKind,
) -> Option<DetectedValue> {
    let quote = bytes.get(end).copied().filter(|byte| is_quote(*byte));
    let escape = escaped_quote(bytes, end).len();
    let escaped = escape > 0;
    let mut at = end + usize::from(quote.is_some()) + escape;
    let brackets = bytes[at.min(bytes.len())..]
        .iter()
        .take_while(|byte| **byte == b']')
        .count();
    at += brackets + color(bytes, at + brackets);
    let gap = blank(bytes, at);
    at += gap;
    // A list ends with the name, and what follows is not its value: `["user", "password"], "title"`.
    if brackets > 0 && bytes.get(at) == Some(&b',') && !is_index(bytes, start) {
        return None;
    }
    let symbol = start.checked_sub(1).is_some_and(|at| bytes[at] == b':');
    let named = quote.is_some() || escaped || symbol;
    let is_variable = bytes[..start].ends_with(b"${");
    let value = tagged(bytes, start, at, gap)
        .or_else(|| listed(bytes, at))
        .or_else(|| attribute(bytes, at, named && gap > 0))
        .or_else(|| is_variable.then(|| parameter(bytes, start - 2)).flatten());
    if value.is_some() {
        return value;
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
    literal(bytes, at, (start, quote), kind, tag)
}

/// The value behind the sign, and behind what belongs to neither.
fn literal(
    bytes: &[u8],
    at: usize,
    (start, quote): (usize, Option<u8>),
    kind: FileKind,
    tag: bool,
) -> Option<DetectedValue> {
    let mut at = at + color(bytes, at);
    if kind == FileKind::Config && bytes[..at].trim_ascii_end().ends_with(b":") {
        at += properties(bytes, at);
    }
    let quotes = usize::from(bytes.get(at).is_some_and(|byte| is_quote(*byte)));
    if let Some(value) = parameter(bytes, at + quotes) {
        return Some(value);
    }
    at += fallback::skip(bytes, at);
    at = below::value(bytes, start, at, kind).unwrap_or(at);
    at += prefix(bytes, at);
    read(bytes, at, (start, quote), kind, tag)
}

/// What a variable is by default.
fn parameter(bytes: &[u8], at: usize) -> Option<DetectedValue> {
    fallback::parameter(bytes, at).map(DetectedValue::closed)
}

/// The quote at `at` as JSON in a string has it, at any depth, or HTML; empty where there is none.
fn escaped_quote(bytes: &[u8], at: usize) -> &[u8] {
    const ENTITY: &[u8] = b"&quot;";
    let rest = &bytes[at.min(bytes.len())..];
    if rest.starts_with(ENTITY) {
        return ENTITY;
    }
    let escapes = rest
        .iter()
        .take(ESCAPES_MAX)
        .take_while(|byte| **byte == b'\\')
        .count();
    let is_escaped = escapes % 2 == 1 && rest.get(escapes).is_some_and(|byte| is_quote(*byte));
    &rest[..usize::from(is_escaped) * (escapes + 1)]
}

/// The length of a terminal's code for a colour.
fn color(bytes: &[u8], at: usize) -> usize {
    let Some(code) = bytes.get(at..).and_then(|rest| rest.strip_prefix(b"\x1b[")) else {
        return 0;
    };
    let is_number = |byte: &&u8| byte.is_ascii_digit() || **byte == b';';
    let length = code.iter().take_while(is_number).count();
    let is_code = code.get(length) == Some(&b'm');
    usize::from(is_code) * (length + 3)
}

/// The length of the anchor and the tag of a value in YAML: `&name`, `!!str`.
fn properties(bytes: &[u8], at: usize) -> usize {
    let is_end = |byte: &u8| byte.is_ascii_whitespace();
    let rest = &bytes[at.min(bytes.len())..];
    let length = rest.iter().position(is_end).unwrap_or(0);
    let is_property = rest.starts_with(b"&") || rest.starts_with(b"!!");
    let is_apart = rest.get(length) == Some(&b' ');
    usize::from(is_property && is_apart) * (length + blank(bytes, at + length))
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

/// `<name attribute="...">value<`, and what is inside the `<value>` of an element that has this name.
fn tagged(bytes: &[u8], start: usize, at: usize, gap: usize) -> Option<DetectedValue> {
    const VALUE: &[u8] = b"<value>";
    let is_element = bytes[..start].ends_with(b"<");
    let is_quoted = bytes[..at - gap].last().is_some_and(|byte| is_quote(*byte));
    if !is_element && !is_quoted {
        return None;
    }
    let reach = &bytes[at.min(bytes.len())..bytes.len().min(at + 80)];
    let is_end = |byte: &u8| matches!(byte, b'>' | b'<' | b'\n');
    let close = at + reach.iter().position(is_end)?;
    if bytes[close] != b'>' {
        return None;
    }
    let inner = close + 1 + white(bytes, close + 1);
    let tag = bytes.get(inner..inner + VALUE.len()).unwrap_or_default();
    let is_inner = tag.eq_ignore_ascii_case(VALUE);
    if is_inner && (is_element || sibling::naming_key(bytes, start).is_some()) {
        return content(bytes, inner + VALUE.len());
    }
    (is_element && gap > 0)
        .then(|| content(bytes, close + 1))
        .flatten()
}

/// `<key>name</key>` and the `<string>` after it, as in property lists, and other elements in such pairs.
fn listed(bytes: &[u8], at: usize) -> Option<DetectedValue> {
    const PAIRS: [(&[u8], &[u8]); 3] = [
        (b"</key>", b"<string>"),
        (b"</name>", b"<value>"),
        (b"</param-name>", b"<param-value>"),
    ];
    PAIRS.into_iter().find_map(|(close, open)| {
        let next = at + close.len();
        let next = next + white(bytes, next);
        let is_pair = bytes[at.min(bytes.len())..].starts_with(close)
            && bytes[next.min(bytes.len())..].starts_with(open);
        is_pair.then(|| content(bytes, next + open.len())).flatten()
    })
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
    let between = between
        .strip_prefix(b":")
        .or_else(|| between.strip_prefix(b"As "))
        .unwrap_or(between)
        .trim_ascii();
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
    // `std::secret` and `->` lead to something else; a hidden field of Jsonnet has its string behind a space.
    let is_path =
        rest.starts_with(b"::") && !rest.starts_with(b"::=") && !rest.starts_with(b":::=");
    if is_path && rest.starts_with(b":: ") && rest.get(3).is_some_and(|byte| is_quote(*byte)) {
        return 2;
    }
    if is_path || *found == b"->" {
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
    // A keyword of Clojure and its string: `:api-token "..."`.
    let keyword = kind == FileKind::Code && bytes[..start].ends_with(b":");
    let is_given = keyword || flag || command || is_define(head) || is_sql(line);
    if let Some(quote) = quote.filter(|_| is_given) {
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
    let escape = escaped_quote(bytes, at);
    if !escape.is_empty() {
        return escaped(bytes, at + escape.len(), escape);
    }
    if is_quote(first) {
        // Inside a string of the same quote this one closes it, unless the name has.
        let is_open = opening == Some(first) || open_quote(bytes, start) == Some(first);
        if is_open && !is_flag(bytes, start, quote) {
            return None;
        }
        let triple = bytes[at..].starts_with(&[first; 3]);
        return quoted(bytes, at + if triple { 3 } else { 1 }, first);
    }
    if tag {
        return content(bytes, at);
    }
    // In a query the next parameter ends the value: `?user=me&pass=word&lang=en`, not in code: `a?b.key=c`, `a&&b.key=c`.
    // The value may lie before its name.
    let between = bytes.get(start..at).unwrap_or_default();
    let is_code = kind == FileKind::Code && between.contains(&b'.');
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

/// Whether a quoted name is that of a flag or a selector: `'--password'`, `'#password'`.
fn is_flag(bytes: &[u8], start: usize, quote: Option<u8>) -> bool {
    let line = line_before(bytes, start);
    let name = line.iter().rposition(|byte| Some(*byte) == quote);
    let is_sign = |byte: &u8| matches!(byte, b'-' | b'#' | b'.');
    name.is_some_and(|name| line[name + 1..].iter().all(is_sign))
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
    Some(DetectedValue::closed(at..at + text.len()))
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

/// Up to the next escaped quote, inside a string that is itself quoted.
fn escaped(bytes: &[u8], at: usize, quote: &[u8]) -> Option<DetectedValue> {
    let reach = &bytes[at..bytes.len().min(at + VALUE_BYTES_MAX)];
    let end = memchr::memmem::find(reach, quote)?;
    // An unescaped quote ends the string around it.
    let ends = |byte: &u8| quote.last() == Some(byte) || *byte == b'\n';
    (!reach[..end].iter().any(ends)).then(|| DetectedValue::closed(at..at + end))
}

/// A value without quotes: to the end of the word, and in settings to the end
/// of the line.
fn bare(bytes: &[u8], at: usize, kind: FileKind, inside: bool) -> Option<DetectedValue> {
    let settings = matches!(kind, FileKind::Config | FileKind::Shell | FileKind::Text) && !inside;
    let stop = |byte: &u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'\\' | b'\x1b')
            || (!settings && matches!(byte, b';' | b',' | b'&' | b')' | b'}'))
    };
    let reach = &bytes[at..bytes.len().min(at + VALUE_BYTES_MAX)];
    let length = reach.iter().position(stop).unwrap_or(reach.len());
    let mut text = &reach[..length];
    while let [head @ .., b',' | b';'] = text {
        text = head;
    }
    // The end of a mapping in one row: `{user: me, password: word}`, `[X-Api-Key: word]`.
    for (open, close) in [(b'{', b'}'), (b'[', b']')] {
        if let Some(head) = text.strip_suffix(&[close])
            && !head.contains(&open)
        {
            text = head;
        }
    }
    let expression = !inside && matches!(kind, FileKind::Code | FileKind::Json);
    (!text.is_empty()).then(|| DetectedValue {
        span: at..at + text.len(),
        quoted: false,
        expression,
        spaced: false,
    })
}
