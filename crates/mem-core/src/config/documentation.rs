//! The settings in words: the commented file of a person, and the page of the documentation.

use std::fmt::Write as _;

use super::Settings;
use super::key::SettingKey;
use super::settings::{KEYS, SECTIONS};

/// The head of a new `config.toml`.
const HEAD: &str = "\
# Settings of `mem`: every key, what it does, and its default. Take the `# ` away before what you want to change. A value
# is looked for in this order; `mem config list` shows where it was found:
#
#   1. a flag of the command
#   2. the environment: MEM_ and the key in capitals, dots as underscores (MEM_MEMORY_MODE)
#   3. the table of the repository, for that repository only:
#        [repository.\"/home/me/project\"]
#        memory.mode = \"log\"
#   4. the rest of `config.toml`
#   5. the default below
#
# Nothing inside a repository can change any of this.
";

/// The head of the page.
const PAGE_HEAD: &str = "\
# Settings

A value is looked for in a flag of the command, in the environment (`MEM_` and the key in capitals, dots as underscores:
`MEM_MEMORY_MODE`), in the repository's table of `config.toml` (`[repository.\"/home/me/project\"]`), in the rest of
`config.toml`, and is the default else. Nothing inside a repository can change any of this. `mem config list` shows each
value with its source, `mem config set KEY VALUE` changes one, `mem config edit` opens the file.
";

/// A new `config.toml`: every key with its default commented out, so that nothing counts as set before somebody sets it.
pub fn template() -> String {
    let mut text = HEAD.to_owned();
    for (prefix, about) in SECTIONS {
        let table = prefix.trim_end_matches('.');
        text.push('\n');
        if !table.is_empty() {
            push_comment(&mut text, about);
            let _ = writeln!(text, "[{table}]");
        }
        for key in keys_of(prefix) {
            push_comment(&mut text, key.description);
            let _ = writeln!(text, "# {} = {}", key_name(key, prefix), default_of(key));
        }
    }
    text
}

/// The page of the documentation, as Markdown.
pub fn page() -> String {
    let mut text = PAGE_HEAD.to_owned();
    for (prefix, about) in SECTIONS {
        let table = prefix.trim_end_matches('.');
        let heading = if table.is_empty() {
            "Without a table"
        } else {
            table
        };
        let _ = write!(text, "\n## {heading}\n\n{}\n", flowing(about));
        for key in keys_of(prefix) {
            let (takes, default) = (key.expected(), default_of(key));
            let _ = write!(text, "\n- `{}`: {takes}", key.name);
            let _ = match Settings::default().value(key.name) {
                Some(_) => write!(text, "; `{default}` unless set"),
                None => write!(text, "; not set"),
            };
            let _ = writeln!(text, ". {}", key.description_line());
        }
    }
    text
}

/// The keys of a section: those below its prefix, and in no section further down.
fn keys_of(prefix: &str) -> impl Iterator<Item = &'static SettingKey> {
    let is_here = move |key: &&SettingKey| {
        let rest = key.name.strip_prefix(prefix);
        rest.is_some_and(|rest| !rest.contains('.'))
    };
    KEYS.iter().filter(is_here)
}

fn key_name<'a>(key: &'a SettingKey, prefix: &str) -> &'a str {
    key.name.strip_prefix(prefix).unwrap_or(key.name)
}

/// The default as in the file; a key without one is a switch.
fn default_of(key: &SettingKey) -> String {
    let default = Settings::default().value(key.name);
    default.map_or_else(|| "true".to_owned(), |value| value.to_string())
}

fn push_comment(text: &mut String, lines: &str) {
    for line in lines.lines() {
        let _ = writeln!(text, "#{line}");
    }
}

/// Lines as one paragraph.
fn flowing(lines: &str) -> String {
    lines.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}
