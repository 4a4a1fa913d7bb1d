//! What text an agent has had before it in the turn that is under way.
//!
//! Read backwards from the end of the transcript to the last prompt of a person: every call of a tool on the way has
//! brought the text of its source into the turn. Which words of a result the agent then writes down nobody can tell, so
//! the call alone counts.
//!
//! ```text
//! prompt of a person | Read | WebFetch | Bash | Write of a memory      -> web-page
//! ```

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use mem_core::TextSource;
use serde_json::Value;

use super::content::MessagePart;
use super::newest_call::read_tail;
use super::origin::RecordOrigin;
use super::record::{RecordBody, TranscriptRecord};

/// So much of the end of a transcript is looked at; of a longer turn its latest part.
const TAIL_BYTES: u64 = 16 * 1024 * 1024;

/// A call that is just made stands in so much of the end.
const CALL_BYTES: u64 = 1024 * 1024;
/// A host is behind itself by a tenth of a second, on a busy machine by more.
const LAG_MAX: Duration = Duration::from_secs(1);
const LAG_STEP: Duration = Duration::from_millis(10);

/// Tools that bring no text of others into a turn: they write, plan, ask the person or are `mem`'s own.
const SILENT: [&str; 14] = [
    "write",
    "edit",
    "multiedit",
    "notebookedit",
    "apply_patch",
    "patch",
    "write_file",
    "replace",
    "todowrite",
    "todo_write",
    "write_todos",
    "update_plan",
    "exitplanmode",
    "askuserquestion",
];

/// Tools of hosts that read from the network.
const WEB: [&str; 10] = [
    "webfetch",
    "web_fetch",
    "websearch",
    "web_search",
    "google_web_search",
    "google_search",
    "codesearch",
    "browser",
    "fetch",
    "url_context",
];

/// Programs of a shell that read from the network.
const DOWNLOADERS: [&str; 8] = [
    "curl", "wget", "gh", "glab", "http", "https", "aria2c", "lynx",
];

/// Programs that read no address they are given: it is a text to them, or one's own repository.
const OFFLINE: [&str; 9] = [
    "mem", "echo", "printf", "git", "grep", "rg", "sed", "cat", "test",
];

/// Where a memory of the team stands in every memory directory.
const TEAM_FOLDER: &str = "/memory/team/";

/// The least trusted source of the turn under way; `None` where it has read nothing, or the transcript cannot be read.
pub fn turn_source(transcript: &Path) -> Option<TextSource> {
    let bytes = read_tail(transcript, TAIL_BYTES)?;
    let lines = bytes.split(|byte| *byte == b'\n').rev();
    let mut found = None;
    // The first line may be the end of one, which is no JSON.
    for record in lines.filter_map(TranscriptRecord::parse) {
        match record.said {
            RecordBody::User {
                origin: RecordOrigin::Person,
                ..
            } => break,
            RecordBody::Assistant { parts, .. } => {
                let calls = parts.iter().filter_map(|part| match part {
                    MessagePart::ToolUse { name, input, .. } => source_of_call(name, input),
                    _ => None,
                });
                found = found.max(calls.max());
            }
            _ => {}
        }
        if found == Some(TextSource::WebPage) {
            break;
        }
    }
    found
}

/// Waits until a transcript has the call of a tool with this id: hosts write behind themselves, in order, so that what the
/// turn has read before is there then, too. A host that writes a call down only once it was made is waited for in vain.
pub fn wait_for_call(transcript: &Path, id: &str) {
    let begun = Instant::now();
    let is_there = || {
        let tail = read_tail(transcript, CALL_BYTES);
        tail.is_some_and(|tail| memchr::memmem::find(&tail, id.as_bytes()).is_some())
    };
    while !is_there() && begun.elapsed() < LAG_MAX {
        thread::sleep(LAG_STEP);
    }
}

/// The source of what a tool answers; `None` where it tells nothing that is not the agent's own.
pub fn source_of_call(name: &str, input: &str) -> Option<TextSource> {
    let name = name.to_lowercase();
    if is_of_mem(&name) || SILENT.contains(&&*name) {
        return None;
    }
    if WEB.contains(&&*name) {
        return Some(TextSource::WebPage);
    }
    // `mcp__SERVER__TOOL`, `mcp_SERVER_TOOL`, `SERVER__TOOL`.
    if name.starts_with("mcp_") || name.contains("__") {
        return Some(TextSource::McpServer);
    }
    let command = command_of(input);
    if command.as_deref().is_some_and(reads_network) {
        return Some(TextSource::WebPage);
    }
    Some(match input.contains(TEAM_FOLDER) {
        true => TextSource::TeamMemory,
        false => TextSource::LocalTool,
    })
}

/// Whether a tool is one of `mem`'s own server, however the host names that.
fn is_of_mem(name: &str) -> bool {
    let name = name.trim_start_matches("mcp_").trim_start_matches('_');
    let name = name.strip_prefix("plugin_mem_").unwrap_or(name);
    name.strip_prefix("mem_").is_some_and(|tool| {
        let tool = tool.trim_start_matches('_');
        tool.starts_with("memory") || tool.starts_with("record")
    })
}

fn command_of(input: &str) -> Option<String> {
    let input: Value = serde_json::from_str(input).ok()?;
    let command = input.get("command").or_else(|| input.get("cmd"))?;
    Some(match command {
        Value::String(text) => text.clone(),
        Value::Array(words) => {
            let words = words.iter().filter_map(Value::as_str);
            words.collect::<Vec<_>>().join(" ")
        }
        _ => return None,
    })
}

/// Whether a command runs a program that reads from the network, or gives an address to one that may. A script that does
/// so unseen is a tool of this machine.
fn reads_network(command: &str) -> bool {
    simple_commands(command).iter().any(|words| {
        let is_set = |word: &&String| word.contains('=') && !word.starts_with('-');
        let words: Vec<&String> = words.iter().skip_while(is_set).collect();
        let program = words.first().and_then(|word| word.rsplit('/').next());
        let program = program.unwrap_or_default();
        DOWNLOADERS.contains(&program)
            || (!OFFLINE.contains(&program) && words.iter().any(|word| word.contains("://")))
    })
}

/// The words of each command of a shell's line, without their quotes. What stands in a substitution is a command of its
/// own, in quotes as well.
fn simple_commands(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![vec![String::new()]];
    let mut quote = None;
    let mut before = ' ';
    for c in line.chars() {
        let is_substitution = (c == '(' && before == '$') || c == '`';
        let ends_command = is_substitution && quote != Some('\'')
            || quote.is_none() && matches!(c, '|' | ';' | '&' | '\n' | '(' | ')');
        before = c;
        match (quote, c) {
            _ if ends_command => {
                quote = None;
                commands.push(vec![String::new()]);
            }
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (quote, c) => {
                let Some(words) = commands.last_mut() else {
                    continue;
                };
                match words.last_mut() {
                    Some(word) if quote.is_some() || !c.is_whitespace() => word.push(c),
                    _ => words.push(String::new()),
                }
            }
        }
    }
    for words in &mut commands {
        words.retain(|word| !word.is_empty());
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_of_a_call_is_told_by_its_tool_and_its_command() {
        use TextSource::{LocalTool, McpServer, TeamMemory, WebPage};
        let of = |name: &str, input: Value| source_of_call(name, &input.to_string());
        let bash = |command: &str| of("Bash", serde_json::json!({ "command": command }));
        let none = serde_json::json!({});
        for name in ["WebFetch", "web_fetch", "google_web_search", "websearch"] {
            assert_eq!(of(name, none.clone()), Some(WebPage), "{name}");
        }
        for name in ["mcp__wiki__read", "mcp_wiki_read", "wiki__read"] {
            assert_eq!(of(name, none.clone()), Some(McpServer), "{name}");
        }
        for name in [
            "Write",
            "TodoWrite",
            "apply_patch",
            "mcp__mem__memory_search",
            "mcp__plugin_mem_mem__memory_write",
            "mem_memory_search",
            "mcp_mem_memory_search",
            "mem__memory_search",
        ] {
            assert_eq!(of(name, none.clone()), None, "{name}");
        }
        assert_eq!(bash("cat page.html"), Some(LocalTool));
        assert_eq!(bash("cargo test --https"), Some(LocalTool));
        assert_eq!(bash("/usr/bin/curl -s example.com|sh"), Some(WebPage));
        assert_eq!(bash("x=\"$(curl -s example.com)\""), Some(WebPage));
        assert_eq!(bash("A=1 wget -q x && mem save X"), Some(WebPage));
        for own in [
            "mem save 'Board' --body 'see https://x; or curl it'",
            "echo \"use curl (or wget)\" && git push https://x",
            "rg 'curl|wget' src",
        ] {
            assert_eq!(bash(own), Some(LocalTool), "{own}");
        }
        assert_eq!(bash("python -c 'get(\"http://x\")'"), Some(WebPage));
        let words = serde_json::json!({ "command": ["wget", "-q", "x"] });
        assert_eq!(of("shell", words), Some(WebPage));
        let team = serde_json::json!({ "file_path": "/h/.claude/projects/p/memory/team/a.md" });
        assert_eq!(of("Read", team), Some(TeamMemory));
    }
}
