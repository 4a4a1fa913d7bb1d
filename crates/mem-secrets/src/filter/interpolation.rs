//! Interpolations: `${USER}`, `{user}`, `<user>`, `%s` and their kind, each as a whole, so that the literal text beside
//! one can be judged by itself.

/// Longest interpolation that is recognised.
const BYTES_MAX: usize = 128;

/// The length of the interpolation that `text` begins with; 0 where it begins with none.
pub(crate) fn length(text: &[u8]) -> usize {
    let reach = &text[..text.len().min(BYTES_MAX)];
    let name = |start: usize| {
        let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        start + reach[start..].iter().take_while(is_part).count()
    };
    match reach {
        [b'$' | b'#' | b'%' | b'@', open @ (b'{' | b'(' | b'['), ..] => match closed(reach, 1) {
            // The letter of the format follows: `%(user)s`, `%[1]s`.
            end if end > 0 && reach[0] == b'%' && *open != b'{' => {
                end + usize::from(reach.get(end).is_some_and(u8::is_ascii_alphabetic))
            }
            end => end,
        },
        [b'{', ..] => closed(reach, 0),
        [b'<', ..] => closed(reach, 0),
        [b'[', one, two, ..] if one.is_ascii_alphabetic() && two.is_ascii_alphabetic() => {
            closed(reach, 0)
        }
        [b'$', one, ..] if one.is_ascii_alphabetic() || *one == b'_' => name(1),
        // `%USER%` of Windows, before `%s` of C.
        [b'%', ..] => match name(1) {
            1 => 0,
            end if reach.get(end) == Some(&b'%') => end + 1,
            _ => 2,
        },
        _ => 0,
    }
}

/// Where the bracket at `at` is closed, with those inside it; 0 where it is not, on its line.
fn closed(text: &[u8], at: usize) -> usize {
    let (open, close) = match text[at] {
        b'{' => (b'{', b'}'),
        b'(' => (b'(', b')'),
        b'[' => (b'[', b']'),
        _ => (b'<', b'>'),
    };
    let mut depth = 0;
    for (place, byte) in text.iter().enumerate().skip(at) {
        match *byte {
            b'\n' | b'\r' => return 0,
            byte if byte == open => depth += 1,
            byte if byte == close => depth -= 1,
            // A name is in `<` and `>`; anything else is a tag, or a comparison.
            b'/' | b'@' | b':' | b'"' | b'\'' | b'=' if open == b'<' => return 0,
            _ => {}
        }
        if depth == 0 {
            return place + 1;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn an_interpolation_is_measured_as_a_whole() {
        for whole in [
            "{user}",
            "{}",
            "{{ user }}",
            "${USER}",
            "${USER:-app}",
            "${A:-${B}}",
            "$USER",
            "$(id -un)",
            "#{user}",
            "<user>",
            "<db user>",
            "%s",
            "%(user)s",
            "%[1]s",
            "%USER%",
            "[user]",
            "{u[\"name\"]!r}",
        ] {
            for after in ["", ":", ":x}", "-app:"] {
                let text = format!("{whole}{after}");
                assert_eq!(length(text.as_bytes()), whole.len(), "{text}");
            }
        }
        for other in [
            "", "user", "{user", "<a:b>", "</b>", "[^:]+", "[a-z]", "$", "$1", "%", "(x)", "*",
            "<a\n>",
        ] {
            assert_eq!(length(other.as_bytes()), 0, "{other}");
        }
    }
}
