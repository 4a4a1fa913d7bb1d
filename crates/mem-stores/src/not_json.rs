//! Why a body is no JSON that all readers read alike. Never quotes what stands in it.

use serde_json::error::Category;

use crate::limits::JSON_DEPTH_MAX;

/// What is wrong with a body, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotJson {
    /// There is none.
    #[error("the body is empty, and has to be a JSON object")]
    Empty,
    /// What some editors begin a file with, and JSON does not have.
    #[error("the body begins with a byte order mark (BOM), which JSON does not have")]
    Mark,
    /// Its bytes are no text.
    #[error("the body is not UTF-8: byte {at} begins no character")]
    NotUtf8 {
        /// From 1.
        at: usize,
    },
    /// One place in it is wrong.
    #[error("the body is not JSON as it has to be: {why}, at line {line} column {column}")]
    At {
        /// In words.
        why: &'static str,
        /// From 1.
        line: usize,
        /// From 1, or 0 at a line's start.
        column: usize,
    },
}

/// What the reader says that reads every key once.
pub(crate) const TWICE: &str = "a key is there twice";
/// What it says of too many levels.
pub(crate) const DEEP: &str = "it is nested too deeply, more than 32 levels";
const _: () = assert!(JSON_DEPTH_MAX == 32);

/// How serde's messages of syntax begin, and what they mean here.
const MEANINGS: [(&str, &str); 8] = [
    ("number out of range", "a number is too large"),
    ("invalid number", "a number is not written as JSON has it"),
    ("recursion limit exceeded", DEEP),
    ("lone leading surrogate", SURROGATE),
    // Behind the first half, another `\u` has to follow.
    ("unexpected end of hex escape", SURROGATE),
    ("control character", "a control character is not escaped"),
    ("invalid escape", "an escape that JSON does not have"),
    ("trailing characters", "more stands behind its end"),
];
const SURROGATE: &str = "a lone surrogate, half of a character";

impl NotJson {
    /// The text of a body.
    ///
    /// # Errors
    /// There is none.
    pub(crate) fn text(bytes: &[u8]) -> Result<&str, Self> {
        let text = str::from_utf8(bytes).map_err(|error| Self::NotUtf8 {
            at: error.valid_up_to() + 1,
        })?;
        match text {
            _ if text.starts_with('\u{feff}') => Err(Self::Mark),
            _ if text.trim_ascii().is_empty() => Err(Self::Empty),
            _ => Ok(text),
        }
    }

    /// What serde says, in words that quote no value: its own may.
    pub(crate) fn from_error(error: &serde_json::Error) -> Self {
        let said = error.to_string();
        let begins = |(begin, _): &&(&str, &str)| said.starts_with(begin);
        let why = match error.classify() {
            Category::Data if said.starts_with(TWICE) => TWICE,
            Category::Data if said.starts_with(DEEP) => DEEP,
            Category::Eof => "it ends too early",
            Category::Syntax | Category::Data | Category::Io => MEANINGS
                .iter()
                .find(begins)
                .map_or("that is no JSON", |(_, meaning)| meaning),
        };
        Self::At {
            why,
            line: error.line(),
            column: error.column(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::strict::ObjectFields;

    #[track_caller]
    fn said(body: &[u8]) -> String {
        ObjectFields::read(body).unwrap_err().to_string()
    }

    #[test]
    fn each_fault_is_told_by_its_name() {
        let deep = |levels: usize| format!("{{\"a\":{}", "[".repeat(levels));
        let (some, many) = (deep(40), deep(100_000));
        for (body, why) in [
            ("", "empty"),
            (" \n", "empty"),
            ("\u{feff}{}", "byte order mark"),
            (r#"{"a":"\ud800"}"#, "lone surrogate"),
            (r#"{"a":"\ud800x"}"#, "lone surrogate"),
            (r#"{"a":"\ud800\u0041"}"#, "lone surrogate"),
            (r#"{"a":"\udc00"}"#, "lone surrogate"),
            (r#"{"\udc00":1}"#, "lone surrogate"),
            (r#"{"a":1e999}"#, "a number is too large"),
            (r#"{"a":-1e999}"#, "a number is too large"),
            (r#"{"a":01}"#, "a number is not written"),
            (r#"{"a":1,"a":2}"#, "a key is there twice"),
            (r#"{"x":[{"a":1,"\u0061":2}]}"#, "a key is there twice"),
            (some.as_str(), "nested too deeply"),
            (many.as_str(), "nested too deeply"),
            ("{\"a\":\"\u{1}\"}", "control character"),
            (r#"{"a":"\x"}"#, "an escape that JSON does not have"),
            (r#"{"a":"\u00"}"#, "an escape that JSON does not have"),
            ("{}x", "more stands behind its end"),
            (r#"{"a":"#, "it ends too early"),
            ("nonsense", "that is no JSON"),
            ("{a:1}", "that is no JSON"),
        ] {
            let said = said(body.as_bytes());
            assert!(said.contains(why), "{body:.40}: {said}");
        }
        let said = said(b"{\"a\":\"\xff\"}");
        assert!(said.contains("not UTF-8: byte 7"), "{said}");
    }

    #[test]
    fn what_is_told_quotes_nothing() {
        for body in [
            r#"{"hunter2":1,"hunter2":2}"#,
            r#"{"a":hunter2}"#,
            r#"{"a":"hunter2\ud800"}"#,
            r#"{"a":1} hunter2"#,
        ] {
            assert!(!said(body.as_bytes()).contains("hunter2"), "{body}");
        }
    }
}
