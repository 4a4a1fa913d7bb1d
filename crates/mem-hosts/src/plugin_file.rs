//! A host whose hooks are a plugin: a file of `mem`'s own, of which one line names the program.

use std::collections::BTreeSet;
use std::path::Path;

use super::jsonc::JsonFault;

/// How the line of the program begins.
const PROGRAM: &str = "const MEM = ";

/// The plugin, running this program.
///
/// # Errors
/// The text is of somebody else.
pub(super) fn install(text: &str, plugin: &str, program: &Path) -> Result<String, JsonFault> {
    check(text, plugin)?;
    let program = serde_json::Value::from(program.to_string_lossy());
    let line = |line: &str| match line.starts_with(PROGRAM) {
        true => format!("{PROGRAM}{program}\n"),
        false => format!("{line}\n"),
    };
    Ok(plugin.lines().map(line).collect())
}

/// Nothing, in place of the plugin.
///
/// # Errors
/// As [`install`].
pub(super) fn uninstall(text: &str, plugin: &str) -> Result<String, JsonFault> {
    check(text, plugin).map(|()| String::new())
}

/// The program that a plugin of ours runs; none where the text is none.
pub(super) fn programs(text: &str, plugin: &str) -> BTreeSet<String> {
    if check(text, plugin).is_err() {
        return BTreeSet::new();
    }
    let program = text.lines().find_map(|line| line.strip_prefix(PROGRAM));
    let program = program.and_then(|program| serde_json::from_str(program).ok());
    program.into_iter().collect()
}

/// Every version of the plugin begins with the same line.
fn check(text: &str, plugin: &str) -> Result<(), JsonFault> {
    let is_ours = text.trim().is_empty() || text.lines().next() == plugin.lines().next();
    match is_ours {
        true => Ok(()),
        false => Err(JsonFault::Foreign),
    }
}
