//! Commands that a person can paste into a shell.

use std::path::Path;

use crate::projects::ProjectDir;

/// A text as a POSIX shell takes it for one word.
pub fn shell_word(text: &str) -> String {
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '=' | '+' | '@');
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// `cd FOLDER && mem adopt --from SLUG`.
pub(super) fn adopt_command(folder: &Path, slug: &str, flags: &str) -> String {
    let folder = shell_word(&folder.to_string_lossy());
    format!(
        "cd {folder} && mem adopt --from={}{flags}",
        shell_word(slug)
    )
}

/// A command for the memory of a project, from wherever the person stands: `mem -C FOLDER ...`,
/// or with its directory named where its folder is unknown or gone.
pub(super) fn project_command(project: &ProjectDir, command: &str) -> String {
    let rest = command.strip_prefix("mem ").unwrap_or(command);
    match project.real_path.as_ref().filter(|_| project.path_exists) {
        Some(path) => format!("mem -C {} {rest}", shell_word(&path.to_string_lossy())),
        None => {
            let directory = shell_word(&project.memory_dir.to_string_lossy());
            format!("MEM_DIR={directory} mem {rest}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(shell_word("/a/b-c.d"), "/a/b-c.d");
        assert_eq!(shell_word("a b"), "'a b'");
        assert_eq!(shell_word("it's $x"), r"'it'\''s $x'");
        assert_eq!(shell_word(""), "''");
        assert_eq!(
            adopt_command(Path::new("/a b"), "-slug", ""),
            "cd '/a b' && mem adopt --from=-slug"
        );
    }
}
