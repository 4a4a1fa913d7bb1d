//! Identifiers in backticks: functions, types, flags, variables of the environment, dotted keys.

use super::{CitationKind, CitationShape, CitationTarget, words};

/// An identifier-like code span; a plain word is none.
pub(super) fn in_code(span: &str) -> Option<CitationShape> {
    parse_flag(span)
        .or_else(|| parse_environment(span))
        .or_else(|| parse_function(span))
        .or_else(|| parse_member_path(span))
        .or_else(|| parse_dotted_name(span))
        .or_else(|| parse_identifier(span))
}

/// A word that the sentence calls a function, a type or the like.
pub(super) fn named_symbol(word: &str, kind: CitationKind) -> Option<CitationShape> {
    let is_usual = word.len() < 3 || words::is_builtin(word) || words::is_name(word);
    (is_identifier(word) && !is_usual).then(|| single_alternative(kind, word))
}

/// Whether it is one identifier.
pub(super) fn is_identifier(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_')
        && word.chars().any(char::is_alphabetic)
}

fn single_alternative(kind: CitationKind, word: &str) -> CitationShape {
    let alternatives = vec![vec![word.to_owned()]];
    CitationShape::firm_shape(kind, CitationTarget::Symbol { alternatives })
}

/// `--no-verify`, also with a value. In code it may be spelled as a field.
fn parse_flag(span: &str) -> Option<CitationShape> {
    let rest = span.strip_prefix("--")?;
    let word = rest.split(['=', ' ']).next().unwrap_or(rest);
    let is_flag = word.len() >= 3
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
        && rest.split(' ').count() <= 2;
    if !is_flag || words::is_common_flag(word) {
        return None;
    }
    let mut alternatives = vec![vec![word.to_owned()]];
    if word.contains('-') {
        alternatives.push(vec![word.replace('-', "_")]);
        alternatives.push(vec![to_camel_case(word)]);
    }
    Some(CitationShape::firm_shape(
        CitationKind::Flag,
        CitationTarget::Symbol { alternatives },
    ))
}

fn to_camel_case(word: &str) -> String {
    let mut parts = word.split('-');
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let mut chars = part.chars();
        name.extend(chars.next().map(|c| c.to_ascii_uppercase()));
        name.push_str(chars.as_str());
    }
    name
}

/// `$NAME`, `${NAME}`, `NAME=value`, `process.env.NAME`.
fn parse_environment(span: &str) -> Option<CitationShape> {
    let dollar = span.strip_prefix('$').map(|rest| {
        let rest = rest.strip_prefix('{').unwrap_or(rest);
        rest.strip_suffix('}').unwrap_or(rest)
    });
    let assigned = || span.split_once('=').map(|(name, _)| name);
    let read = || span.strip_prefix("process.env.");
    let name = dollar.or_else(read).or_else(assigned)?;
    let is_own = name.contains('_') && is_screaming(name);
    is_own.then(|| single_alternative(CitationKind::Env, name))
}

/// Capital letters, digits and underscores.
pub(super) fn is_screaming(word: &str) -> bool {
    is_identifier(word)
        && word.len() >= 4
        && word
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// `foo()`, `foo(a, b)`, `a.foo()`, `A::foo()`, `foo!`.
fn parse_function(span: &str) -> Option<CitationShape> {
    let name = match span.split_once('(') {
        Some((name, rest)) if rest.ends_with(')') || rest.ends_with(");") => name,
        Some(_) => return None,
        None => span.strip_suffix('!')?,
    };
    let name = name.strip_suffix('!').unwrap_or(name);
    let name = name.split("::<").next().unwrap_or(name);
    let parts = split_identifiers(name)?;
    let last = parts.last()?;
    if words::is_builtin(last) && parts.len() < 2 {
        return None;
    }
    compound_symbol(CitationKind::Function, &parts, last.len() < 2)
}

/// `Foo::bar`, `Foo#bar`, `foo->bar`.
fn parse_member_path(span: &str) -> Option<CitationShape> {
    if !span.contains("::") && !span.contains("->") && !span.contains('#') {
        return None;
    }
    let parts = split_identifiers(span)?;
    let is_type = parts.last()?.starts_with(char::is_uppercase);
    let kind = if is_type {
        CitationKind::Type
    } else {
        CitationKind::Symbol
    };
    compound_symbol(kind, &parts, false)
}

/// `server.timeout_ms`, unless it is a domain, a version or a file.
fn parse_dotted_name(span: &str) -> Option<CitationShape> {
    if !span.contains('.') {
        return None;
    }
    let parts = split_identifiers(span)?;
    let last = parts.last()?;
    if words::is_domain(last) || words::is_extension(last) || parts.len() < 2 {
        return None;
    }
    let is_foreign = words::is_foreign_root(parts[0]) && parts.len() < 3;
    if is_foreign && parse_identifier(last).is_none() {
        return None;
    }
    let is_call = parts[0].starts_with(char::is_uppercase) || words::is_foreign_root(parts[0]);
    compound_symbol(
        if is_call {
            CitationKind::Symbol
        } else {
            CitationKind::Key
        },
        &parts,
        false,
    )
}

/// One identifier that cannot be a word: `snake_case`, `TwoHumps`, `twoHumps`, `ALL_CAPS`.
fn parse_identifier(span: &str) -> Option<CitationShape> {
    if !is_identifier(span) || span.len() < 4 || words::is_name(span) || words::is_builtin(span) {
        return None;
    }
    let inner = span.trim_matches('_');
    if is_screaming(span) {
        return inner
            .contains('_')
            .then(|| single_alternative(CitationKind::Symbol, span));
    }
    if inner.contains('_') {
        return Some(single_alternative(CitationKind::Symbol, span));
    }
    if count_humps(inner) >= 1 {
        let is_type = inner.starts_with(char::is_uppercase);
        return Some(single_alternative(
            if is_type {
                CitationKind::Type
            } else {
                CitationKind::Symbol
            },
            span,
        ));
    }
    None
}

/// Changes from a small letter or a digit to a capital one.
fn count_humps(word: &str) -> usize {
    let chars: Vec<char> = word.chars().collect();
    let is_hump = |pair: &&[char]| !pair[0].is_uppercase() && pair[1].is_uppercase();
    chars.windows(2).filter(is_hump).count()
}

/// The identifiers of a path of names.
fn split_identifiers(name: &str) -> Option<Vec<&str>> {
    let plain = name
        .split('<')
        .next()
        .filter(|_| name.ends_with('>'))
        .unwrap_or(name);
    let mut parts = Vec::new();
    for part in plain.split("::").flat_map(|part| part.split("->")) {
        parts.extend(part.split(['.', '#']));
    }
    let known = parts.iter().all(|part| is_identifier(part));
    known.then_some(parts)
}

/// A type and its member, which must stand in one file; else the last name, if it is no usual
/// word.
fn compound_symbol(kind: CitationKind, parts: &[&str], is_usual: bool) -> Option<CitationShape> {
    let own: Vec<&str> = match parts {
        [first, rest @ ..] if !rest.is_empty() && words::is_foreign_root(first) => rest.to_vec(),
        all => all.to_vec(),
    };
    let is_foreign = own.len() < parts.len()
        && !matches!(
            parts[0],
            "self" | "this" | "crate" | "super" | "Self" | "cls"
        );
    let tail = &own[own.len().saturating_sub(2)..];
    let last = tail.last()?;
    if is_usual || (tail.len() == 1 && (last.len() < 3 || words::is_builtin(last))) {
        return None;
    }
    // A module is often nowhere but in a file's name, and a variable has any name: only what is
    // written like a type holds its members.
    let tail = match tail {
        [first, last] if !first.starts_with(char::is_uppercase) => {
            if last.len() < 3 || words::is_builtin(last) {
                return None;
            }
            &[*last][..]
        }
        tail => tail,
    };
    let words = tail.iter().map(|&word| word.to_owned()).collect();
    let target = CitationTarget::Symbol {
        alternatives: vec![words],
    };
    Some(if is_foreign {
        CitationShape::tentative_shape(kind, target)
    } else {
        CitationShape::firm_shape(kind, target)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(span: &str, kind: CitationKind, words: &[&str]) {
        let shape = in_code(span).unwrap_or_else(|| panic!("{span}"));
        let CitationTarget::Symbol { alternatives } = shape.target else {
            panic!("{span}")
        };
        assert_eq!(
            (shape.kind, &*alternatives[0]),
            (
                kind,
                &*words.iter().map(|&w| w.to_owned()).collect::<Vec<_>>()
            ),
            "{span}"
        );
    }

    #[test]
    fn identifiers_of_every_kind() {
        check(
            "process_auth_token()",
            CitationKind::Function,
            &["process_auth_token"],
        );
        check("connect(url, 3)", CitationKind::Function, &["connect"]);
        check(
            "Pool::acquire()",
            CitationKind::Function,
            &["Pool", "acquire"],
        );
        check("self.reload()", CitationKind::Function, &["reload"]);
        check("ensure_that!", CitationKind::Function, &["ensure_that"]);
        check("Store::write", CitationKind::Symbol, &["Store", "write"]);
        check("store::WriteGate", CitationKind::Type, &["WriteGate"]);
        check("AuthService", CitationKind::Type, &["AuthService"]);
        check("keep_me", CitationKind::Symbol, &["keep_me"]);
        check("fetchUser", CitationKind::Symbol, &["fetchUser"]);
        check("MAX_RETRIES", CitationKind::Symbol, &["MAX_RETRIES"]);
        check("$APP_PORT", CitationKind::Env, &["APP_PORT"]);
        check("APP_PORT=80", CitationKind::Env, &["APP_PORT"]);
        check("--keep-going", CitationKind::Flag, &["keep-going"]);
        check("server.timeout_ms", CitationKind::Key, &["timeout_ms"]);
    }

    #[test]
    fn words_values_and_tools_are_none() {
        for span in [
            "true",
            "null",
            "main",
            "cargo",
            "Redis",
            "GitHub",
            "print()",
            "unwrap()",
            "HTTP",
            "v1.2.3",
            "1.0",
            "example.com",
            "--help",
            "-x",
            "a + b",
            "x",
            "TODO",
            "os.path",
            "Vec<T>",
            "200",
            "foo-bar",
            "std",
            "$HOME",
            "$PATH",
            "x = 1",
            "{}",
            "()",
            "::",
            ".",
            "->",
        ] {
            assert_eq!(in_code(span), None, "{span}");
        }
    }
}
