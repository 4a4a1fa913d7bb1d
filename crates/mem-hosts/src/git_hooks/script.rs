//! The text of a hook, and telling ours from another's.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use mem_core::Environment;

use super::Hook;
use super::hooks_dir::HookError;

const TEMPLATE: &str = mem_templates::HOOK_GIT;
const DELEGATE: &str = mem_templates::HOOK_DELEGATE;
/// Stands in the second line of each hook of ours.
const MARK: &str = "# mem-git-hook ";
/// What a hook that was there before is called from then on.
pub(super) const BEFORE: &str = "before-mem";

/// What a hook is to do.
#[derive(Clone, Debug)]
pub struct Script {
    /// Which hook.
    pub hook: Hook,
    /// The program, absolute.
    pub mem: PathBuf,
    /// Whether a scan that breaks blocks.
    pub strict: bool,
    /// Whether it stands for every repository, and chains each one's own.
    pub global: bool,
    /// Whether the chained hook is to believe that it stands where ours stands: husky's looks
    /// for its own scripts from there.
    pub in_place: bool,
}

impl Script {
    /// The text.
    pub fn text(&self) -> String {
        let name = self.hook.git_name();
        let before = if self.global {
            format!("$(git rev-parse --path-format=absolute --git-common-dir)/hooks/{name}")
        } else {
            format!("$(dirname \"$0\")/{name}.{BEFORE}")
        };
        let run = if self.in_place {
            "( . \"$before\" )"
        } else {
            "\"$before\" \"$@\""
        };
        // Both programs are to read all that git says.
        let (read, give) = match self.hook {
            Hook::PrePush => (
                "input=\n[ -t 0 ] || { input=$(cat && printf x); input=${input%x}; }",
                "printf '%s' \"$input\" | ",
            ),
            Hook::PreCommit => ("", ""),
        };
        TEMPLATE
            .replace("@NAME@", name)
            .replace("@MEM@", &shell_quoted(&self.mem.to_string_lossy()))
            .replace("@BEFORE@", &format!("\"{before}\""))
            .replace("@STRICT@", if self.strict { "yes" } else { "no" })
            .replace("@FLAGS@", if self.strict { "--strict " } else { "" })
            .replace("@READ@\n", &format!("{read}\n"))
            .replace("@GIVE@", give)
            .replace("@CHAIN@", &format!("{give}{run}"))
    }
}

/// The hook that runs a repository's own, for a global directory.
pub(super) fn delegate_script() -> &'static str {
    DELEGATE
}

/// Whether a hook's text is ours.
pub(super) fn is_ours(text: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&text[..text.len().min(200)]);
    head.lines()
        .nth(1)
        .is_some_and(|line| line.starts_with(MARK))
}

/// The program that a hook of ours runs.
pub(super) fn hook_program(text: &str) -> Option<PathBuf> {
    let line = text.lines().find_map(|line| line.strip_prefix("mem="))?;
    let inner = line.strip_prefix('\'')?.strip_suffix('\'')?;
    Some(PathBuf::from(inner.replace("'\\''", "'")))
}

/// A word of a shell.
fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Where this program is: as PATH finds it, where that is the same file, so that an update which
/// moves a versioned folder does not matter.
///
/// # Errors
/// The system does not say.
pub fn this_program(env: &Environment) -> Result<PathBuf, HookError> {
    let own = std::env::current_exe().map_err(HookError::Unknown)?;
    let name = own.file_name().unwrap_or(OsStr::new("mem")).to_owned();
    let real = own.canonicalize().unwrap_or_else(|_| own.clone());
    let paths = std::env::split_paths(env.get("PATH").unwrap_or_default());
    let found = paths
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(&name))
        .find(|path: &PathBuf| is_same(path, &real));
    Ok(found.unwrap_or(own))
}

fn is_same(path: &Path, real: &Path) -> bool {
    path.canonicalize().is_ok_and(|path| path == real)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hook_knows_itself_and_its_program() {
        let mem = PathBuf::from("/opt/it's here/mem");
        let (strict, global, in_place) = (true, false, false);
        for hook in Hook::ALL {
            let text = Script {
                hook,
                mem: mem.clone(),
                strict,
                global,
                in_place,
            }
            .text();
            assert!(is_ours(text.as_bytes()), "{text}");
            assert_eq!(hook_program(&text), Some(mem.clone()));
            assert!(
                !text.contains('@') || !text.replace("\"$@\"", "").contains('@'),
                "{text}"
            );
        }
        assert!(is_ours(DELEGATE.as_bytes()));
        assert!(!is_ours(b"#!/bin/sh\nexit 0\n"));
    }
}
