//! A call of a tool, read for what it does.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Todo;
use super::text::{join_words, single_line};

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Pairs it with its result.
    pub id: String,
    /// What it does.
    pub deed: Deed,
}

/// What a call does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deed {
    /// Reads a file.
    Read(String),
    /// Writes a file.
    Write(String),
    /// Runs a command.
    Run(String),
    /// Anything else, by the tool's name.
    Other(String),
}

/// Of a command, so much is kept.
const COMMAND_CHARS_MAX: usize = 300;

impl Deed {
    /// Reads the arguments of a call, which are JSON.
    pub(super) fn from_tool(tool: &str, input: &str) -> Self {
        let input: Value = serde_json::from_str(input).unwrap_or_default();
        let field = |names: &[&str]| {
            let found = names.iter().find_map(|name| input.get(name)?.as_str());
            found.filter(|text| !text.trim().is_empty())
        };
        let path = field(&["file_path", "notebook_path", "absolute_path", "path"]);
        match (tool, path) {
            ("Read" | "NotebookRead" | "read_file" | "View", Some(path)) => {
                Self::Read(single_line(path, 400))
            }
            (
                "Write"
                | "Edit"
                | "MultiEdit"
                | "NotebookEdit"
                | "write_file"
                | "str_replace_based_edit_tool",
                Some(path),
            ) => Self::Write(single_line(path, 400)),
            _ => match field(&["command", "cmd", "script"]) {
                Some(command) if is_shell(tool) => {
                    Self::Run(join_words(command, COMMAND_CHARS_MAX))
                }
                _ => Self::Other(single_line(tool, 80)),
            },
        }
    }

    /// What was done, in a few words.
    pub fn describe_deed(&self) -> String {
        match self {
            Self::Read(path) => format!("reading `{path}`"),
            Self::Write(path) => format!("editing `{path}`"),
            Self::Run(command) => format!("`{command}`"),
            Self::Other(tool) => format!("the tool {tool}"),
        }
    }
}

fn is_shell(tool: &str) -> bool {
    let tool = tool.to_ascii_lowercase();
    ["bash", "shell", "powershell", "run_command", "exec_command"].contains(&tool.as_str())
}

/// The things to do that a call writes down.
pub(super) fn parse_todos(tool: &str, input: &str) -> Option<Vec<Todo>> {
    if tool != "TodoWrite" && tool != "update_plan" {
        return None;
    }
    let input: Value = serde_json::from_str(input).ok()?;
    let list = input
        .get("todos")
        .or_else(|| input.get("plan"))?
        .as_array()?;
    let todo = |item: &Value| {
        let text = ["content", "step", "text"];
        let text = text.iter().find_map(|name| item.get(name)?.as_str())?;
        let status = item.get("status").and_then(Value::as_str);
        Some(Todo {
            text: single_line(text, 200),
            status: status.unwrap_or("pending").to_owned(),
        })
    };
    Some(list.iter().take(50).filter_map(todo).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_for_what_they_do() {
        let deed = |tool, input| Deed::from_tool(tool, input);
        assert_eq!(
            deed("Read", r#"{"file_path":"/a.rs"}"#),
            Deed::Read("/a.rs".into())
        );
        assert_eq!(
            deed("Edit", r#"{"file_path":"/a.rs"}"#),
            Deed::Write("/a.rs".into())
        );
        let run = Deed::Run("cargo test && cargo clippy".into());
        assert_eq!(
            deed("Bash", r#"{"command":"cargo test \\\n  && cargo clippy"}"#),
            run
        );
        assert_eq!(
            deed("Task", r#"{"prompt":"x"}"#),
            Deed::Other("Task".into())
        );
        assert_eq!(deed("Read", "broken"), Deed::Other("Read".into()));
    }

    #[test]
    fn a_list_of_things_to_do_is_read() {
        let input = r#"{"todos":[{"content":"One","status":"completed"},{"content":"Two"},{}]}"#;
        let todos = parse_todos("TodoWrite", input).expect("a list");
        assert_eq!(todos.len(), 2);
        assert_eq!(
            (todos[1].text.as_str(), todos[1].status.as_str()),
            ("Two", "pending")
        );
    }
}
