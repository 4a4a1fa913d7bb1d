//! A tool input, read: [`Command`].

use serde_json::{Map, Value};

use super::failure::ToolFailure;

/// What a model asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    View {
        path: String,
        /// First and last line as they were sent.
        range: Option<(i64, i64)>,
    },
    Create {
        path: String,
        text: String,
    },
    Replace {
        path: String,
        old: String,
        new: String,
    },
    Insert {
        path: String,
        line: i64,
        text: String,
    },
    Delete {
        path: String,
    },
    Rename {
        old: String,
        new: String,
    },
}

impl Command {
    /// Reads an input. Fields that are not known are passed over.
    pub(super) fn parse(input: &Value) -> Result<Self, ToolFailure> {
        let Value::Object(fields) = input else {
            return Err(invalid_input("the input must be a JSON object"));
        };
        let text = |name: &str| text_field(fields, name);
        Ok(match text("command")?.as_str() {
            "view" => Self::View {
                path: text("path")?,
                range: range_field(fields)?,
            },
            "create" => Self::Create {
                path: text("path")?,
                text: text("file_text")?,
            },
            "str_replace" => Self::Replace {
                path: text("path")?,
                old: text("old_str")?,
                new: text("new_str")?,
            },
            "insert" => Self::Insert {
                path: text("path")?,
                line: line_field(fields)?,
                text: text("insert_text")?,
            },
            "delete" => Self::Delete {
                path: text("path")?,
            },
            "rename" => Self::Rename {
                old: text("old_path")?,
                new: text("new_path")?,
            },
            other => return Err(ToolFailure::UnknownCommand(other.to_owned())),
        })
    }
}

fn invalid_input(text: &str) -> ToolFailure {
    ToolFailure::Said(format!("Invalid input: {text}."))
}

fn text_field(fields: &Map<String, Value>, name: &str) -> Result<String, ToolFailure> {
    match fields.get(name) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(invalid_input(&format!("`{name}` must be a string"))),
        None => Err(invalid_input(&format!("`{name}` is missing"))),
    }
}

fn line_field(fields: &Map<String, Value>) -> Result<i64, ToolFailure> {
    match fields.get("insert_line") {
        Some(value) => value
            .as_i64()
            .ok_or_else(|| invalid_input("`insert_line` must be an integer")),
        None => Err(invalid_input("`insert_line` is missing")),
    }
}

/// The range counts only with exactly two elements; both SDKs pass over any other list.
fn range_field(fields: &Map<String, Value>) -> Result<Option<(i64, i64)>, ToolFailure> {
    let wrong = || invalid_input("`view_range` must be a list of two integers");
    match fields.get("view_range") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(range)) => match range.as_slice() {
            [first, last] => {
                let first = first.as_i64().ok_or_else(wrong)?;
                Ok(Some((first, last.as_i64().ok_or_else(wrong)?)))
            }
            _ => Ok(None),
        },
        Some(_) => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn inputs_of_the_wrong_shape_are_told_in_words() {
        let fails = |input: Value| {
            Command::parse(&input)
                .unwrap_err()
                .message_text(Default::default())
        };
        assert_eq!(
            fails(json!([])),
            "Invalid input: the input must be a JSON object."
        );
        assert_eq!(fails(json!({})), "Invalid input: `command` is missing.");
        assert_eq!(
            fails(json!({"command": 1})),
            "Invalid input: `command` must be a string."
        );
        let insert = json!({"command": "insert", "path": "/memories/a", "insert_line": 1.5});
        assert_eq!(
            fails(insert),
            "Invalid input: `insert_line` must be an integer."
        );
        let view = json!({"command": "view", "path": "/memories", "view_range": [1, "2"]});
        assert_eq!(
            fails(view),
            "Invalid input: `view_range` must be a list of two integers."
        );
        assert_eq!(fails(json!({"command": "undo"})), "undo not implemented");
    }

    #[test]
    fn a_range_counts_with_two_elements_only() {
        for range in [json!(null), json!([]), json!([2]), json!([1, 2, 3])] {
            let input = json!({"command": "view", "path": "/memories", "view_range": range});
            let Command::View { range, .. } = Command::parse(&input).unwrap() else {
                panic!("a view");
            };
            assert_eq!(range, None);
        }
    }
}
