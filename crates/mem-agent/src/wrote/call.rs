//! Which calls of tools write memory.

use std::path::{Path, PathBuf};

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
const MARKS: [&str; 15] = [
    "mem", ">", "tee ", "sed ", "cp ", "mv ", "rm ", "dd ", "<<", "touch ", "write", "open(",
    "cargo r", "patch ", "find ",
];

/// What a call would write that is made from a folder; `None` where that is not memory.
pub(super) fn writing(
    tool: &str,
    input: &str,
    folder: &Path,
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
        return Some(
            match shell::deed(&field(&["command"])?, folder, is_memory)? {
                Deed::Verb(verb) => Writing {
                    by: format!("mem {verb}"),
                    file: None,
                },
                Deed::File(file) => Writing {
                    by,
                    file: Some(file),
                },
            },
        );
    }
    if tool == "memory" {
        let file = field(&["path", "new_path", "old_path"]);
        let command = field(&["command"])?;
        return MEMORY_COMMANDS
            .contains(&command.as_str())
            .then_some(Writing { by, file });
    }
    let file = field(&["file_path", "notebook_path"])?;
    let is_typed = file.starts_with(['~', '$']);
    let path = match is_typed {
        true => PathBuf::from(&file),
        false => folder.join(&file),
    };
    is_memory(&path).then_some(Writing {
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
        writing(tool, input, Path::new("/m"), &is_memory).map(|writing| writing.by)
    }

    #[test]
    fn names_begin_in_the_folder_of_the_session() {
        for (folder, want) in [("/m", true), ("/src", false)] {
            let found = |tool: &str, input: &str| {
                let is_memory = |path: &Path| path.starts_with("/m");
                writing(tool, input, Path::new(folder), &is_memory).is_some()
            };
            assert_eq!(found("Write", r#"{"file_path":"MEMORY.md"}"#), want);
            for line in [
                "echo x >> MEMORY.md",
                "touch a.md",
                "cd sub && cp /tmp/a.md .",
                r"python3 - <<'E'\nopen('MEMORY.md', 'w').write('x')\nE",
            ] {
                let input = format!("{{\"command\":\"{line}\"}}");
                assert_eq!(found("Bash", &input), want, "{folder}: {line}");
            }
        }
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
            (
                "Bash",
                r#"{"command":"cargo run -q -- save --type user --name x"}"#,
                Some("mem save"),
            ),
            ("Bash", r#"{"command":"echo mem save"}"#, None),
            ("Bash", "[]", None),
        ] {
            assert_eq!(by(tool, input).as_deref(), want, "{tool} {input}");
        }
    }
}
