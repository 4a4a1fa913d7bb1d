//! The fields of a tool input: [`InputFields`].

use serde_json::{Map, Value};

use super::failure::ToolFailure;

/// The fields that a command asks for; others are passed over.
pub(super) struct InputFields<'i>(&'i Map<String, Value>);

impl<'i> InputFields<'i> {
    pub(super) fn from_input(input: &'i Value) -> Result<Self, ToolFailure> {
        let fields = input.as_object().map(Self);
        fields.ok_or_else(|| invalid_input("the input must be a JSON object"))
    }

    pub(super) fn text(&self, name: &str) -> Result<&'i str, ToolFailure> {
        match self.0.get(name) {
            Some(Value::String(text)) => Ok(text),
            Some(_) => Err(invalid_input(&format!("`{name}` must be a string"))),
            None => Err(invalid_input(&format!("`{name}` is missing"))),
        }
    }

    pub(super) fn insert_line(&self) -> Result<i64, ToolFailure> {
        let value = self.0.get("insert_line");
        let value = value.ok_or_else(|| invalid_input("`insert_line` is missing"))?;
        let line = value.as_i64();
        line.ok_or_else(|| invalid_input("`insert_line` must be an integer"))
    }

    /// First and last line as they were sent. The range counts only with exactly two elements; both SDKs pass over any
    /// other list.
    pub(super) fn view_range(&self) -> Result<Option<(i64, i64)>, ToolFailure> {
        let wrong = || invalid_input("`view_range` must be a list of two integers");
        match self.0.get("view_range") {
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
}

fn invalid_input(text: &str) -> ToolFailure {
    ToolFailure::Said(format!("Invalid input: {text}."))
}

#[cfg(test)]
mod tests {
    use mem_core::Now;
    use serde_json::json;

    use super::*;
    use crate::tool::{DirWriter, MemoryTool};

    #[test]
    fn inputs_of_the_wrong_shape_are_told_in_words() {
        let folder = tempfile::tempdir().unwrap();
        let tool = MemoryTool {
            dialect: Default::default(),
            limits: Default::default(),
            root: folder.path().into(),
            writer: &DirWriter {
                now: Now(jiff::Timestamp::UNIX_EPOCH),
            },
            objection: &|_, _, _| None,
        };
        let fails = |input: Value| tool.answer_input(&input).content;
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
            let fields = InputFields::from_input(&input).unwrap();
            assert_eq!(fields.view_range().unwrap(), None);
        }
    }
}
