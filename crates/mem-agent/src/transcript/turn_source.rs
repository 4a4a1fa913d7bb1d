//! What text an agent has had before it in the turn that is under way.
//!
//! Read backwards from the end of the transcript to the last prompt of a person: every call of a tool on the way has
//! brought the text of its source into the turn. Which words of a result the agent then writes down nobody can tell, so
//! the call alone counts. What `mem` itself shows is the team's where its result says so.
//!
//! ```text
//! prompt of a person | Read | WebFetch | Bash | Write of a memory      -> web-page
//! ```

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use mem_core::TextSource;
use serde::Deserialize;
use serde_json::Value;

use super::content::{MessageContent, MessagePart};
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

/// Parts of the names of tools that read from the network.
const WEB: [&str; 6] = ["web", "fetch", "browser", "google", "github", "url_context"];

/// Tools that have a subagent do something.
const DELEGATES: [&str; 3] = ["task", "agent", "spawn_agent"];

/// Programs of a shell that read from the network.
const DOWNLOADERS: [&str; 15] = [
    "curl", "wget", "gh", "glab", "http", "https", "aria2c", "lynx", "w3m", "ssh", "scp", "sftp",
    "rsync", "nc", "telnet",
];

/// Clients of package registries, and their verbs that show what somebody has published.
const REGISTRIES: [&str; 4] = ["npm", "pnpm", "yarn", "bun"];
const REGISTRY_READS: [&str; 3] = ["view", "info", "show"];

/// What a shell opens as a connection.
const SHELL_SOCKETS: [&str; 2] = ["/dev/tcp/", "/dev/udp/"];

/// Words before which another program stands.
const WRAPPERS: [&str; 24] = [
    "sudo", "doas", "env", "timeout", "nice", "nohup", "time", "xargs", "sh", "bash", "zsh",
    "dash", "eval", "exec", "command", "if", "then", "do", "else", "while", "until", "!", "{",
    "parallel",
];

/// Programs that read no address they are given: it is a text to them.
const OFFLINE: [&str; 8] = ["mem", "echo", "printf", "grep", "rg", "sed", "cat", "test"];

/// What git reads from a remote that is named with its address.
const GIT_READS: [&str; 6] = [
    "clone",
    "fetch",
    "pull",
    "ls-remote",
    "archive",
    "submodule",
];

/// The tools of `mem`'s own server.
const OWN_TOOLS: [&str; 9] = [
    "memory_delete",
    "memory_edit",
    "memory_list",
    "memory_read",
    "memory_recall",
    "memory_retrieve",
    "memory_search",
    "memory_store",
    "memory_write",
];

/// Those that show memories, and the verbs of its commands that do.
const READING_TOOLS: [&str; 5] = ["_list", "_read", "_recall", "_retrieve", "_search"];
const READING_VERBS: [&str; 16] = [
    "cat", "diff", "export", "find", "get", "grep", "history", "inbox", "list", "ls", "manifest",
    "preview", "recall", "search", "show", "similar",
];

/// Where a memory of the team stands in every memory directory.
const TEAM_FOLDER: &str = "/memory/team/";

/// The least trusted source of the turn under way; `None` where it has read nothing, or the transcript cannot be read.
pub fn turn_source(transcript: &Path) -> Option<TextSource> {
    let bytes = read_tail(transcript, TAIL_BYTES)?;
    let lines = bytes.split(|byte| *byte == b'\n').rev();
    let (mut found, mut has_delegated, mut begun) = (None, false, None);
    // Read backwards, a result comes before its call.
    let mut of_team: HashSet<String> = HashSet::new();
    // The first line may be the end of one, which is no JSON.
    for record in lines.filter_map(TranscriptRecord::parse) {
        match record.said {
            RecordBody::User {
                origin: RecordOrigin::Person,
                ..
            } => {
                begun = record.time.and_then(|time| time.parse().ok());
                break;
            }
            RecordBody::User { parts, .. } => {
                of_team.extend(parts.into_iter().filter_map(|part| match part {
                    MessagePart::ToolResult { id, text, .. } if shows_team(&text) => {
                        Some(id.into_owned())
                    }
                    _ => None,
                }));
            }
            RecordBody::Assistant { parts, .. } => {
                for (id, name, input) in calls(&parts) {
                    found = found.max(source_of_call(name, input));
                    if of_team.contains(id) && reads_memory(&name.to_lowercase(), input) {
                        found = found.max(Some(TextSource::TeamMemory));
                    }
                    has_delegated |= DELEGATES.contains(&&*name.to_lowercase());
                }
            }
            _ => {}
        }
        if found == Some(TextSource::WebPage) {
            return found;
        }
    }
    match has_delegated {
        true => found.max(subagents_source(transcript, begun)),
        false => found,
    }
}

/// The calls of a message: id, tool and input.
fn calls<'p>(parts: &'p [MessagePart<'_>]) -> impl Iterator<Item = (&'p str, &'p str, &'p str)> {
    parts.iter().filter_map(|part| match part {
        MessagePart::ToolUse { id, name, input } => Some((&**id, &**name, &**input)),
        _ => None,
    })
}

/// The least trusted source of the subagents that have written to their transcripts since the turn began. Claude Code
/// keeps them in `SESSION/subagents`, beside `SESSION.jsonl`.
fn subagents_source(transcript: &Path, begun: Option<Timestamp>) -> Option<TextSource> {
    let folder = transcript.with_extension("").join("subagents");
    let files = fs::read_dir(folder).ok()?.flatten();
    let is_of_turn = |file: &fs::DirEntry| {
        let changed = file.metadata().and_then(|meta| meta.modified());
        let changed = changed.ok().and_then(|time| Timestamp::try_from(time).ok());
        changed.is_none_or(|changed| begun.is_none_or(|begun| changed >= begun))
    };
    let files = files.filter(is_of_turn);
    let sources = files.filter_map(|file| {
        let bytes = read_tail(&file.path(), TAIL_BYTES)?;
        let names = bytes.split(|byte| *byte == b'\n');
        let sources = names.filter_map(|line| {
            let call: SubagentLine<'_> = serde_json::from_slice(line).ok()?;
            let parts = call.message?.content.0;
            calls(&parts)
                .filter_map(|(_, name, input)| source_of_call(name, input))
                .max()
        });
        sources.max()
    });
    sources.max()
}

/// A line of a subagent's transcript: the same as of a session's, which leaves them out.
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct SubagentLine<'a> {
    message: Option<SubagentMessage<'a>>,
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct SubagentMessage<'a> {
    content: MessageContent<'a>,
}

/// Waits until a transcript has the call of a tool with this id: hosts write behind themselves, in order, so that what the
/// turn has read before is there then, too. A host that writes a call down only once it was made is waited for in vain.
pub fn wait_for_call(transcript: &Path, id: &str) {
    wait_for(|| {
        let tail = read_tail(transcript, CALL_BYTES)?;
        memchr::memmem::find(&tail, id.as_bytes()).map(drop)
    });
}

/// What is found in a transcript, which a host writes behind itself; `None` where it does not come in time.
pub fn wait_for<T>(find: impl Fn() -> Option<T>) -> Option<T> {
    let begun = Instant::now();
    loop {
        let found = find();
        if found.is_some() || begun.elapsed() >= LAG_MAX {
            return found;
        }
        thread::sleep(LAG_STEP);
    }
}

/// The source of what a tool answers; `None` where it tells nothing that is not the agent's own.
pub fn source_of_call(name: &str, input: &str) -> Option<TextSource> {
    let name = name.to_lowercase();
    let reads_team = || reads_memory(&name, input) && shows_team(input);
    if is_of_mem(&name) {
        return reads_team().then_some(TextSource::TeamMemory);
    }
    if SILENT.contains(&&*name) {
        return None;
    }
    // `mcp__SERVER__TOOL`, `mcp_SERVER_TOOL`, `SERVER__TOOL`, `SERVER-TOOL`, and what reads resources.
    if name.contains("mcp") || name.contains("__") || name.contains('-') {
        return Some(TextSource::McpServer);
    }
    if WEB.iter().any(|part| name.contains(part)) {
        return Some(TextSource::WebPage);
    }
    let command = command_of(input);
    if command.as_deref().is_some_and(reads_network) {
        return Some(TextSource::WebPage);
    }
    let is_of_team = input.contains(TEAM_FOLDER) || reads_team();
    Some(match is_of_team {
        true => TextSource::TeamMemory,
        false => TextSource::LocalTool,
    })
}

/// Whether a call shows memories, by the server of `mem` or its command. What writes them names them, too.
fn reads_memory(name: &str, input: &str) -> bool {
    if is_of_mem(name) {
        return READING_TOOLS.iter().any(|tool| name.ends_with(tool));
    }
    let command = command_of(input).unwrap_or_default();
    simple_commands(&command).iter().any(|words| {
        let program = program_name(words.first().map_or("", String::as_str));
        // Flags for every command stand before the verb.
        let mut verbs = words.iter().skip(1).take(4);
        program == "mem" && verbs.any(|word| READING_VERBS.contains(&&**word))
    })
}

/// Whether what `mem` was asked, or has answered, is about a memory of the team: `team:FILE`, `team/FILE`, or the scope as
/// its texts and its JSON name it.
fn shows_team(text: &str) -> bool {
    let names = |mark: &str| {
        text.match_indices(mark).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + mark.len()..].chars().next();
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            !before.is_some_and(is_word) && after.is_some_and(is_word)
        })
    };
    let scopes = [
        "scope=\"team\"",
        "\"scope\":\"team\"",
        "\"scope\": \"team\"",
        "--scope team",
        "--scope=team",
    ];
    // The heading of `mem show`: `project_x.md  project, team, today`.
    let is_heading = |line: &str| line.contains(".md  ") && line.contains(", team, ");
    scopes.iter().any(|scope| text.contains(scope))
        || names("team:")
        || names("team/")
        || text.lines().any(is_heading)
}

/// Whether a tool is one of `mem`'s own server, however the host names that: `mcp__mem__TOOL`, `mcp_mem_TOOL`, `mem__TOOL`,
/// `mem_TOOL`, of the plugin `mcp__plugin_mem_mem__TOOL`, in Cursor `MCP:TOOL`. A server of another that is called `mem`
/// cannot be told apart, nor in Cursor one with tools of these names.
fn is_of_mem(name: &str) -> bool {
    let server = OWN_TOOLS.iter().find_map(|tool| name.strip_suffix(tool));
    let server = server.map(|server| server.trim_end_matches('_'));
    let server = server.map(|server| server.trim_start_matches("mcp").trim_start_matches('_'));
    matches!(server, Some("mem" | "plugin_mem_mem" | ":"))
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
        let words: Vec<&str> = words
            .iter()
            .skip_while(is_set)
            .map(String::as_str)
            .collect();
        let program = program_name(words.first().unwrap_or(&""));
        let has_socket = |word: &&str| SHELL_SOCKETS.iter().any(|socket| word.contains(socket));
        if words.iter().any(has_socket) {
            return true;
        }
        if OFFLINE.contains(&program) {
            return false;
        }
        if REGISTRIES.contains(&program) && words.iter().any(|word| REGISTRY_READS.contains(word)) {
            return true;
        }
        let is_address = |word: &&str| {
            word.contains("://") || word.contains('@') && word.contains(':') && program == "git"
        };
        let has_address = words.iter().any(is_address);
        if program == "git" {
            return has_address && words.iter().any(|word| GIT_READS.contains(word));
        }
        // `sudo curl`, `timeout 9 curl`, `sh -c 'curl x'`: which word is the program nobody looks up.
        let mut parts = words.iter().flat_map(|word| word.split_whitespace());
        let runs = |part: &str| DOWNLOADERS.contains(&program_name(part));
        has_address || runs(program) || WRAPPERS.contains(&program) && parts.any(runs)
    })
}

/// The program that a word of a command names.
fn program_name(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// The words of each command of a shell's line, without their quotes. What stands in a substitution is a command of its
/// own, in quotes as well.
fn simple_commands(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![vec![String::new()]];
    let mut quote = None;
    let mut before = ' ';
    let mut chars = line.chars();
    while let Some(mut c) = chars.next() {
        let is_escaped = c == '\\' && quote != Some('\'');
        if is_escaped {
            c = chars.next().unwrap_or('\n');
        }
        let is_substitution = (c == '(' && before == '$') || c == '`';
        let ends_command = is_substitution && quote != Some('\'')
            || quote.is_none() && matches!(c, '|' | ';' | '&' | '\n' | '(' | ')');
        before = c;
        match (quote, c) {
            _ if ends_command && !is_escaped => {
                quote = None;
                commands.push(vec![String::new()]);
            }
            (None, '"' | '\'') if !is_escaped => quote = Some(c),
            (Some(open), _) if open == c && !is_escaped => quote = None,
            (quote, c) => {
                let Some(words) = commands.last_mut() else {
                    continue;
                };
                match words.last_mut() {
                    Some(word) if quote.is_some() || is_escaped || !c.is_whitespace() => {
                        word.push(c);
                    }
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
        for name in [
            "mcp__wiki__read",
            "mcp_wiki_read",
            "wiki__read",
            "github-mcp-server-get_issue",
            "ReadMcpResourceTool",
            "mcp__mem_memory__fetch",
            "mcp__other__memory_search",
        ] {
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
        for reading in [
            "A=1 wget -q x && mem save X",
            "sudo curl example.com",
            "timeout 9 curl x.org",
            "bash -c 'curl x.org'",
            "if \\curl x; then :; fi",
            "curl.exe x",
            "echo \\\"; curl https://x",
            "git clone https://x/y && cat y/README.md",
            "git fetch git@host:x/y",
            "cat </dev/tcp/wiki.example/80",
            "npm view left-pad readme",
        ] {
            assert_eq!(bash(reading), Some(WebPage), "{reading}");
        }
        for own in [
            "mem save 'Board' --body 'see https://x; or curl it'",
            "echo \"use curl (or wget)\" && git push https://x",
            "rg 'curl|wget' src",
            "cargo test http && cargo test curl",
            "npm test && npm run build",
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
