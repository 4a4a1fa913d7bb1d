//! Which calls of tools write memory.

use std::path::Path;

use serde_json::Value;

use super::shell::Deed;
use super::{Writing, shell};

/// The file tools of hosts.
const FILE_TOOLS: [&str; 4] = ["Write", "Edit", "MultiEdit", "NotebookEdit"];
/// The commands of the memory tool that write.
const MEMORY_COMMANDS: [&str; 5] = ["create", "str_replace", "insert", "delete", "rename"];
/// The tools of `mem`'s MCP server that write, whatever a host puts before their names.
const MCP_TOOLS: [&str; 4] = [
    "memory_write",
    "memory_edit",
    "memory_delete",
    "memory_store",
];
const SHELLS: [&str; 2] = ["Bash", "PowerShell"];
/// A command without any of these runs no `mem` and puts no file anywhere.
const MARKS: [&str; 8] = ["mem", ">", "tee ", "sed ", "cp ", "mv ", "rm ", "dd "];

/// What a call would write; `None` where that is not memory.
pub(super) fn writing(
    tool: &str,
    input: &str,
    is_memory: &dyn Fn(&Path) -> bool,
) -> Option<Writing> {
    let mcp = mcp_tool(tool);
    if !may_write(tool, input) {
        return None;
    }
    let input: Value = serde_json::from_str(input).ok()?;
    let field = |names: &[&str]| {
        let found = names.iter().find_map(|name| input.get(name)?.as_str());
        found.map(str::to_owned)
    };
    let by = tool.to_owned();
    if mcp.is_some() {
        let file = field(&["path", "file", "name"]);
        return Some(Writing { by, file });
    }
    if SHELLS.contains(&tool) {
        return Some(match shell::deed(&field(&["command"])?, is_memory)? {
            Deed::Verb(verb) => Writing {
                by: format!("mem {verb}"),
                file: None,
            },
            Deed::File(file) => Writing {
                by,
                file: Some(file),
            },
        });
    }
    if tool == "memory" {
        let file = field(&["path", "new_path", "old_path"]);
        let command = field(&["command"])?;
        return MEMORY_COMMANDS
            .contains(&command.as_str())
            .then_some(Writing { by, file });
    }
    let file = field(&["file_path", "notebook_path"])?;
    is_memory(Path::new(&file)).then_some(Writing {
        by,
        file: Some(file),
    })
}

/// Whether a call could be one that writes memory. Most commands have nothing to do with it, and are many.
pub(super) fn may_write(tool: &str, input: &str) -> bool {
    match SHELLS.contains(&tool) {
        true => MARKS.iter().any(|mark| input.contains(mark)),
        false => FILE_TOOLS.contains(&tool) || tool == "memory" || mcp_tool(tool).is_some(),
    }
}

/// The name of one of our writing tools in that of a host: `mcp__SERVER__TOOL`.
fn mcp_tool(tool: &str) -> Option<&'static str> {
    let (_, name) = tool.strip_prefix("mcp__")?.rsplit_once("__")?;
    MCP_TOOLS.into_iter().find(|one| *one == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(tool: &str, input: &str) -> Option<String> {
        let is_memory = |path: &Path| path.starts_with("/m");
        writing(tool, input, &is_memory).map(|writing| writing.by)
    }

    #[test]
    fn calls_that_write_memory_are_told_from_others() {
        for (tool, input, want) in [
            ("Write", r#"{"file_path":"/m/a.md"}"#, Some("Write")),
            (
                "NotebookEdit",
                r#"{"notebook_path":"/m/a.ipynb"}"#,
                Some("NotebookEdit"),
            ),
            ("Edit", r#"{"file_path":"/src/a.md"}"#, None),
            ("Read", r#"{"file_path":"/m/a.md"}"#, None),
            (
                "memory",
                r#"{"command":"create","path":"/memories/a"}"#,
                Some("memory"),
            ),
            ("memory", r#"{"command":"view","path":"/memories"}"#, None),
            (
                "mcp__mem__memory_write",
                "{}",
                Some("mcp__mem__memory_write"),
            ),
            (
                "mcp__plugin_mem_mem__memory_edit",
                r#"{"path":"a.md"}"#,
                Some("mcp__plugin_mem_mem__memory_edit"),
            ),
            ("mcp__mem__memory_read", "{}", None),
            ("mcp__mem__memory_write", "broken", None),
            (
                "Bash",
                r#"{"command":"mem save --name x"}"#,
                Some("mem save"),
            ),
            ("Bash", r#"{"command":"echo x > /m/a.md"}"#, Some("Bash")),
            (
                "Bash",
                r#"{"command":"npx mem record store x"}"#,
                Some("mem record"),
            ),
            ("Bash", r#"{"command":"echo mem save"}"#, None),
            ("Bash", "[]", None),
        ] {
            assert_eq!(by(tool, input).as_deref(), want, "{tool} {input}");
        }
    }
}
