//! A file as a tool of the host would leave it, and what stood there before.

use std::ops::RangeInclusive;
use std::path::Path;

use mem_core::regular_file;
use mem_find::region::FileRegion;
use serde_json::Value;

/// Of a larger file only what is put into it is looked at.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// A tool that is told where to begin reads so many lines.
const LINES_READ: usize = 2_000;
/// The tools that write files.
const TOOLS: [&str; 8] = [
    "Write",
    "Edit",
    "MultiEdit",
    "NotebookEdit",
    // Of Gemini CLI and Qwen Code.
    "write_file",
    "replace",
    "edit",
    "notebook_edit",
];

/// The path that a tool writes to; `None` for a tool that writes no file.
pub(crate) fn target_path<'i>(tool: &str, input: &'i Value) -> Option<&'i str> {
    file_path(input).filter(|_| TOOLS.contains(&tool))
}

/// The file that a tool is about.
pub(crate) fn file_path(input: &Value) -> Option<&str> {
    let names = ["file_path", "notebook_path"];
    let path = names.iter().find_map(|name| input.get(name)?.as_str());
    path.filter(|path| !path.is_empty())
}

/// The part of the file that a tool reads or changes; nothing of it where a tool reads the whole.
pub(crate) fn file_region(input: &Value) -> FileRegion {
    let several = input.get("edits").and_then(Value::as_array);
    let edits = several.map_or(std::slice::from_ref(input), Vec::as_slice);
    let texts = |names: &[&str]| {
        let fields = edits
            .iter()
            .flat_map(|edit| names.iter().map(move |name| (edit, name)));
        let texts = fields.filter_map(|(edit, name)| text_field(edit, name));
        texts.map(str::to_owned).collect()
    };
    FileRegion {
        lines: lines_read(input),
        old_texts: texts(&["old_string"]),
        new_texts: texts(&["new_string", "content", "new_source"]),
    }
}

/// The lines that a tool reads, by the names that the hosts have for them.
fn lines_read(input: &Value) -> Option<RangeInclusive<usize>> {
    let number = |value: &Value| value.as_i64().and_then(|at| usize::try_from(at).ok());
    let field = |name: &str| number(input.get(name)?);
    // Of Copilot CLI: the last line is -1 at the end of the file.
    if let Some([first, last]) = input
        .get("view_range")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
    {
        return Some(number(first)?..=number(last).unwrap_or(usize::MAX));
    }
    // Of Visual Studio Code.
    if let Some(first) = field("startLine") {
        return Some(first..=field("endLine").unwrap_or(usize::MAX));
    }
    let (offset, limit) = (field("offset"), field("limit"));
    offset.or(limit)?;
    let first = offset.unwrap_or(1);
    Some(
        first
            ..=first
                .saturating_add(limit.unwrap_or(LINES_READ))
                .saturating_sub(1),
    )
}

/// What stands in a file; `None` where there is none that can be read.
pub(crate) fn read_before(path: &Path) -> Option<Vec<u8>> {
    regular_file::read(path, FILE_BYTES_MAX).ok()
}

/// A file after a tool.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct After {
    /// What it holds.
    pub(crate) bytes: Vec<u8>,
    /// Whether it holds just that. Of an edit that does not fit, which the host refuses or fits in a
    /// way of its own, the text stands at the end: it is looked at all the same.
    pub(crate) is_exact: bool,
}

/// The file after the tool.
pub(crate) fn content_after(input: &Value, before: Option<&[u8]>) -> After {
    if let Some(content) = text_field(input, "content") {
        return After {
            bytes: content.as_bytes().to_vec(),
            is_exact: true,
        };
    }
    let old = std::str::from_utf8(before.unwrap_or_default());
    let mut is_exact = old.is_ok();
    let mut file = String::from_utf8_lossy(before.unwrap_or_default()).into_owned();
    if let Some(source) = text_field(input, "new_source") {
        is_exact = false;
        file.push('\n');
        file.push_str(source);
    }
    let several = input.get("edits").and_then(Value::as_array);
    let single = std::slice::from_ref(input);
    for edit in several.map_or(single, Vec::as_slice) {
        is_exact &= apply_edit(&mut file, edit);
    }
    After {
        bytes: file.into_bytes(),
        is_exact,
    }
}

/// Makes one edit; whether it fits.
fn apply_edit(file: &mut String, edit: &Value) -> bool {
    let Some(new) = text_field(edit, "new_string") else {
        return false;
    };
    let is_everywhere = edit.get("replace_all").and_then(Value::as_bool) == Some(true);
    let old = text_field(edit, "old_string").unwrap_or_default();
    let places = if old.is_empty() {
        0
    } else {
        file.matches(old).count()
    };
    match places {
        0 if old.is_empty() && file.is_empty() => new.clone_into(file),
        0 => {
            file.push('\n');
            file.push_str(new);
            return false;
        }
        1.. if is_everywhere => *file = file.replace(old, new),
        count => {
            *file = file.replacen(old, new, 1);
            return count == 1;
        }
    }
    true
}

fn text_field<'i>(input: &'i Value, name: &str) -> Option<&'i str> {
    input.get(name)?.as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn edits_are_applied_as_the_host_does() {
        let after = |input: Value, before: &str| {
            let after = content_after(&input, Some(before.as_bytes()));
            (String::from_utf8(after.bytes).unwrap(), after.is_exact)
        };
        let exact = |text: &str| (text.to_owned(), true);
        let other = |text: &str| (text.to_owned(), false);
        assert_eq!(after(json!({"content": "new"}), "old"), exact("new"));
        let edit = |old: &str, new: &str, all: bool| json!({"old_string": old, "new_string": new, "replace_all": all});
        assert_eq!(after(edit("a", "b", false), "a c"), exact("b c"));
        assert_eq!(after(edit("a", "b", true), "a a"), exact("b b"));
        assert_eq!(after(edit("", "b", false), ""), exact("b"));
        let several = json!({"edits": [edit("a", "bc", false), edit("c", "d", false)]});
        assert_eq!(after(several, "a"), exact("bd"));
        // Looked at all the same.
        assert_eq!(after(edit("a", "b", false), "a a"), other("b a"));
        assert_eq!(after(edit("x", "b", false), "a"), other("a\nb"));
        let odd = json!({"edits": [edit("a", "bc", false), {"x": 1}]});
        assert_eq!(after(odd, "a"), other("bc"));
        assert_eq!(after(json!({"new_source": "s"}), "{}"), other("{}\ns"));
        assert_eq!(after(json!(7), "a"), other("a"));
    }

    #[test]
    fn the_lines_of_a_read_are_found_by_the_names_of_every_host() {
        let lines = |input: Value| file_region(&input).lines;
        assert_eq!(lines(json!({"offset": 5, "limit": 3})), Some(5..=7));
        assert_eq!(lines(json!({"limit": 3})), Some(1..=3));
        assert_eq!(lines(json!({"offset": 5})), Some(5..=2_004));
        assert_eq!(lines(json!({"view_range": [3, -1]})), Some(3..=usize::MAX));
        assert_eq!(lines(json!({"startLine": 3, "endLine": 4})), Some(3..=4));
        for whole in [json!({}), json!({"offset": "x"}), json!({"view_range": 7})] {
            assert_eq!(lines(whole), None);
        }
    }

    #[test]
    fn only_tools_that_write_have_a_target() {
        let input = json!({"file_path": "/m/a.md"});
        assert_eq!(target_path("Edit", &input), Some("/m/a.md"));
        assert_eq!(target_path("Read", &input), None);
        let notebook = json!({"notebook_path": "/m/a.ipynb"});
        assert_eq!(target_path("NotebookEdit", &notebook), Some("/m/a.ipynb"));
        assert_eq!(target_path("Write", &json!({"file_path": 7})), None);
    }
}
