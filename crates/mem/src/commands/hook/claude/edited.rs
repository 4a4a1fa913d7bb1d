//! A file as a tool of the host would leave it, and what stood there before.

use std::path::Path;

use mem_core::regular_file;
use serde_json::Value;

/// Of a larger file only what is put into it is looked at.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// The tools that write files.
const TOOLS: [&str; 4] = ["Write", "Edit", "MultiEdit", "NotebookEdit"];

/// The path that a tool writes to; `None` for a tool that writes no file.
pub(super) fn target<'i>(tool: &str, input: &'i Value) -> Option<&'i str> {
    let names = ["file_path", "notebook_path"];
    let path = names.iter().find_map(|name| input.get(name)?.as_str());
    path.filter(|path| TOOLS.contains(&tool) && !path.is_empty())
}

/// What stands in a file; `None` where there is none that can be read.
pub(super) fn before(path: &Path) -> Option<Vec<u8>> {
    regular_file::read(path, FILE_BYTES_MAX).ok()
}

/// The file after the tool. An edit that does not fit, which the host will refuse or fit in a way of
/// its own, adds its text at the end: everything that could come to stand there is looked at.
pub(super) fn after(input: &Value, before: Option<&[u8]>) -> Vec<u8> {
    if let Some(content) = text(input, "content") {
        return content.as_bytes().to_vec();
    }
    let mut file = String::from_utf8_lossy(before.unwrap_or_default()).into_owned();
    if let Some(source) = text(input, "new_source") {
        file.push('\n');
        file.push_str(source);
    }
    let several = input.get("edits").and_then(Value::as_array);
    let single = std::slice::from_ref(input);
    for edit in several.map_or(single, Vec::as_slice) {
        file = edited(file, edit);
    }
    file.into_bytes()
}

fn edited(file: String, edit: &Value) -> String {
    let Some(new) = text(edit, "new_string") else {
        return file;
    };
    let is_everywhere = edit.get("replace_all").and_then(Value::as_bool) == Some(true);
    match text(edit, "old_string").unwrap_or_default() {
        "" if file.is_empty() => new.to_owned(),
        old if old.is_empty() || !file.contains(old) => format!("{file}\n{new}"),
        old if is_everywhere => file.replace(old, new),
        old => file.replacen(old, new, 1),
    }
}

fn text<'i>(input: &'i Value, name: &str) -> Option<&'i str> {
    input.get(name)?.as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn edits_are_applied_as_the_host_does() {
        let after = |input: Value, before: &str| {
            String::from_utf8(after(&input, Some(before.as_bytes()))).unwrap()
        };
        assert_eq!(after(json!({"content": "new"}), "old"), "new");
        let edit = |old: &str, new: &str, all: bool| json!({"old_string": old, "new_string": new, "replace_all": all});
        assert_eq!(after(edit("a", "b", false), "a a"), "b a");
        assert_eq!(after(edit("a", "b", true), "a a"), "b b");
        assert_eq!(after(edit("", "b", false), ""), "b");
        assert_eq!(
            after(edit("x", "b", false), "a"),
            "a\nb",
            "looked at all the same"
        );
        let several = json!({"edits": [edit("a", "bc", false), edit("c", "d", false), {"x": 1}]});
        assert_eq!(after(several, "a"), "bd");
        assert_eq!(after(json!({"new_source": "s"}), "{}"), "{}\ns");
        assert_eq!(after(json!(7), "a"), "a");
    }

    #[test]
    fn only_tools_that_write_have_a_target() {
        let input = json!({"file_path": "/m/a.md"});
        assert_eq!(target("Edit", &input), Some("/m/a.md"));
        assert_eq!(target("Read", &input), None);
        let notebook = json!({"notebook_path": "/m/a.ipynb"});
        assert_eq!(target("NotebookEdit", &notebook), Some("/m/a.ipynb"));
        assert_eq!(target("Write", &json!({"file_path": 7})), None);
    }
}
