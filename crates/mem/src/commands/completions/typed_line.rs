//! A command line as it stands before the cursor of a shell, in words.

use mem_core::audit::shell_word;

/// The words of the last command of an unfinished line, quotes and escapes taken off; the last is the one at the
/// cursor, and empty after a blank. An open quote ends with the line.
pub(super) fn typed_words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut quote, mut is_open) = (None, false);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        let word = words.last_mut();
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                is_open = true;
            }
            (None | Some('"'), '\\') => {
                if let (Some(word), Some(next)) = (word, chars.next()) {
                    word.push(next);
                }
                is_open = true;
            }
            // Another command begins.
            (None, ';' | '|' | '&' | '(' | '\n') => {
                words = vec![String::new()];
                is_open = false;
            }
            (None, ' ' | '\t') => {
                if is_open || word.is_some_and(|word| !word.is_empty()) {
                    words.push(String::new());
                }
                is_open = false;
            }
            (_, c) => {
                if let Some(word) = word {
                    word.push(c);
                }
            }
        }
    }
    words
}

/// The part of a candidate that replaces `word`: bash splits words at `=` and `:` and completes what follows the last.
pub(super) fn replacement(candidate: &str, typed: &str, word: &str) -> String {
    let kept = typed.strip_suffix(word).unwrap_or_default();
    let rest = candidate.strip_prefix(kept).unwrap_or(candidate);
    // Within a quote the shell itself quotes nothing, and closes it.
    match word.starts_with(['\'', '"']) {
        true => rest.to_owned(),
        false => shell_word(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_as_a_shell_does_it() {
        assert_eq!(typed_words("mem show a"), ["mem", "show", "a"]);
        assert_eq!(typed_words("mem show "), ["mem", "show", ""]);
        assert_eq!(
            typed_words(r#"mem show 'a b' "c d"#),
            ["mem", "show", "a b", "c d"]
        );
        assert_eq!(typed_words(r"mem show a\ b"), ["mem", "show", "a b"]);
        assert_eq!(typed_words("cd x && mem show '' "), ["mem", "show", "", ""]);
        assert_eq!(typed_words(""), [""]);
    }

    #[test]
    fn what_bash_keeps_is_not_given_again() {
        assert_eq!(replacement("team:deploy", "team:de", "de"), "deploy");
        assert_eq!(replacement("--scope=team", "--scope=te", "te"), "team");
        assert_eq!(replacement("deploy", "de", "de"), "deploy");
        assert_eq!(replacement("a b", "a", "a"), "'a b'");
    }
}
