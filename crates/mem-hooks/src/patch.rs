//! A patch of Codex: one text that writes several files, as the calls of file tools that do the same.
//!
//! ```text
//! *** Begin Patch
//! *** Add File: PATH          each line behind a `+`
//! *** Update File: PATH       hunks, each behind a line that begins with `@@`: ` ` context, `-` before, `+` after
//! *** Move to: PATH
//! *** Delete File: PATH
//! *** End Patch
//! ```

use serde_json::{Value, json};

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";

/// The calls, each a tool and its input; none where a command holds no patch.
pub(crate) fn file_calls(command: &str) -> Vec<(&'static str, Value)> {
    let Some((_, patch)) = command.split_once(BEGIN) else {
        return Vec::new();
    };
    let mut calls = Vec::new();
    let mut section: Option<PatchedFile> = None;
    for line in patch.lines().take_while(|line| line.trim_end() != END) {
        let named = |head: &str| line.strip_prefix(head).map(str::trim);
        if let Some(path) = named("*** Add File: ").or(named("*** Update File: ")) {
            calls.extend(section.take().into_iter().flat_map(PatchedFile::into_calls));
            section = Some(PatchedFile {
                paths: vec![path.to_owned()],
                is_new: line.starts_with("*** Add"),
                hunks: Vec::new(),
            });
        } else if line.starts_with("*** Delete File: ") {
            calls.extend(section.take().into_iter().flat_map(PatchedFile::into_calls));
        } else if let Some(section) = &mut section {
            match named("*** Move to: ") {
                Some(path) => section.paths.push(path.to_owned()),
                None => section.take_line(line),
            }
        }
    }
    calls.extend(section.into_iter().flat_map(PatchedFile::into_calls));
    calls
}

/// A file of a patch.
struct PatchedFile {
    /// Where it is, and where it goes.
    paths: Vec<String>,
    is_new: bool,
    /// What each hunk replaces, and with what.
    hunks: Vec<(String, String)>,
}

impl PatchedFile {
    fn take_line(&mut self, line: &str) {
        if line.starts_with("@@") || self.hunks.is_empty() {
            self.hunks.push((String::new(), String::new()));
        }
        let Some((old, new)) = self.hunks.last_mut() else {
            return;
        };
        let (is_old, is_new) = match line.as_bytes().first() {
            Some(b'+') => (false, true),
            Some(b'-') => (true, false),
            Some(b'@' | b'*') => return,
            _ => (true, true),
        };
        let text = line.get(1..).unwrap_or_default();
        for (side, is_in) in [(old, is_old), (new, is_new)] {
            if is_in {
                side.push_str(text);
                side.push('\n');
            }
        }
    }

    fn into_calls(self) -> Vec<(&'static str, Value)> {
        let edits = self.hunks.iter().filter(|(old, new)| old != new);
        let edits: Vec<Value> = edits
            .map(|(old, new)| json!({"old_string": old, "new_string": new}))
            .collect();
        let content: String = self.hunks.iter().map(|(_, new)| new.as_str()).collect();
        let call = |path: &String| match self.is_new {
            true => ("Write", json!({"file_path": path, "content": content})),
            false => ("MultiEdit", json!({"file_path": path, "edits": edits})),
        };
        self.paths.iter().map(call).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_is_the_calls_that_write_its_files() {
        let command = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.md\n+one\n+\n+two\n*** Delete File: b.md\n\
            *** Update File: c.md\n*** Move to: d.md\n@@ fn x\n keep\n-old\n+new\n@@\n-gone\n*** End Patch\nEOF\n";
        let edits = json!([
            {"old_string": "keep\nold\n", "new_string": "keep\nnew\n"},
            {"old_string": "gone\n", "new_string": ""},
        ]);
        assert_eq!(
            file_calls(command),
            [
                (
                    "Write",
                    json!({"file_path": "a.md", "content": "one\n\ntwo\n"})
                ),
                ("MultiEdit", json!({"file_path": "c.md", "edits": edits})),
                ("MultiEdit", json!({"file_path": "d.md", "edits": edits})),
            ]
        );
        assert_eq!(file_calls("cargo test"), []);
        assert_eq!(
            file_calls("*** Begin Patch\n*** Update File: é\né\n"),
            file_calls("*** Begin Patch\n*** Update File: é\né")
        );
    }
}
