//! Compiles expressions that were written for Go's engine.

use regex::bytes::{Regex, RegexBuilder};

use crate::builtin::EXPRESSION_BYTES_MAX;

/// Compiles `pattern`, first over bytes as Go's `.{n}` counts them, then with
/// Unicode when it needs that.
///
/// # Errors
/// The engine's reason, on one line.
pub(super) fn compile(pattern: &str) -> Result<Regex, String> {
    let pattern = from_go(pattern);
    let build = |unicode: bool| {
        let mut builder = RegexBuilder::new(&pattern);
        builder
            .unicode(unicode)
            .size_limit(EXPRESSION_BYTES_MAX)
            .build()
    };
    build(false).or_else(|_| build(true)).map_err(|error| {
        let text = error.to_string();
        let last = text.lines().rev().find(|line| line.contains("error:"));
        last.unwrap_or(&text)
            .trim_start_matches("error:")
            .trim()
            .to_owned()
    })
}

/// Go's `\Q..\E`, `\z` and a `{` that begins no repetition.
fn from_go(pattern: &str) -> String {
    let mut out = String::with_capacity(pattern.len() + 8);
    let mut rest = pattern;
    let mut class = false;
    while let Some(letter) = rest.chars().next() {
        let (head, tail) = rest.split_at(letter.len_utf8());
        rest = tail;
        match letter {
            '\\' => rest = escape(&mut out, tail),
            '[' if !class => {
                class = true;
                out.push('[');
                // A bracket right after the opening one is a literal.
                for sign in ["^]", "]"] {
                    if let Some(tail) = rest.strip_prefix(sign) {
                        out.push_str(if sign == "]" { "\\]" } else { "^\\]" });
                        rest = tail;
                        break;
                    }
                }
            }
            '[' if !rest.starts_with(':') => out.push_str("\\["),
            ']' if class => {
                class = false;
                out.push(']');
            }
            '&' | '~' if class => {
                out.push('\\');
                out.push(letter);
            }
            '{' if !class && !is_repetition(rest) => out.push_str("\\{"),
            _ => out.push_str(head),
        }
    }
    out
}

fn escape<'a>(out: &mut String, tail: &'a str) -> &'a str {
    if let Some(quoted) = tail.strip_prefix('Q') {
        let (literal, rest) = quoted.split_once("\\E").unwrap_or((quoted, ""));
        out.push_str(&regex::escape(literal));
        return rest;
    }
    let Some(letter) = tail.chars().next() else {
        out.push('\\');
        return tail;
    };
    out.push('\\');
    out.push(letter);
    &tail[letter.len_utf8()..]
}

fn is_repetition(rest: &str) -> bool {
    let Some((inside, _)) = rest.split_once('}') else {
        return false;
    };
    let mut parts = inside.splitn(2, ',');
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    parts
        .next()
        .is_some_and(|first| !first.is_empty() && digits(first))
        && parts.next().is_none_or(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_go_accepts_compiles() {
        for (pattern, text) in [
            (r"\Qa.b\E+", "a.bb"),
            (r"${x}", "${x}"),
            (r"x{2,3}", "xx"),
            (r"[]a]{2}", "]a"),
            (r"[a&&b]", "&"),
            (r"{{ \.\w+ }}", "{{ .x }}"),
            ("[[:alnum:]]{3}", "a1b"),
        ] {
            let expression = compile(pattern);
            assert!(
                expression
                    .as_ref()
                    .is_ok_and(|e| e.is_match(text.as_bytes()))
                    || pattern == r"${x}" && expression.is_ok(),
                "{pattern} {expression:?}"
            );
        }
        assert!(compile("(unclosed").unwrap_err().contains("unclosed"));
    }
}
