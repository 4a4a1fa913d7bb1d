//! Claude Code: events, each with groups, each with a matcher and hooks.
//! Source: <https://code.claude.com/docs/en/hooks>; tried with 2.1.330.

use super::{
    AnswerForm, CommandForm, FileContext, HookLayout, HookedEvent, HostProfile, InputNames, event,
};
use crate::HostScope;

/// The tools with which it writes files, and those that bring text of others: in a session that is not kept no
/// transcript tells of them.
const TOLD_TOOLS: &str = "Write|Edit|MultiEdit|NotebookEdit|Bash|WebFetch|WebSearch|mcp__.*";
/// The tools before which memories about a file help.
const FILE_TOOLS: &str = "Read|Write|Edit|MultiEdit|NotebookEdit";

/// The events, as a session has them. The host gives all hooks of a session's end 1.5 s together, up to
/// what the longest of them asks for in a settings file.
const EVENTS: [HookedEvent; 9] = [
    event("SessionStart", "session-start", None, 10),
    event("UserPromptSubmit", "user-prompt-submit", None, 10),
    event("SubagentStart", "subagent-start", None, 10),
    event("PreToolUse", "pre-tool-use", Some(FILE_TOOLS), 10),
    event("PostToolUse", "post-tool-use", Some(TOLD_TOOLS), 10),
    event("PreCompact", "pre-compact", None, 10),
    event("PostCompact", "post-compact", None, 10),
    event("Stop", "stop", None, 10),
    event("SessionEnd", "session-end", None, 2),
];

pub(super) const PROFILE: HostProfile = HostProfile {
    name: "Claude Code",
    id: "claude-code",
    word: "claude",
    events: &EVENTS,
    form: CommandForm::Arguments,
    layout: HookLayout::Groups,
    has_own_file: false,
    readers: None,
    kin_folders: &[],
    second: 1,
    is_strict: true,
    loads_index: true,
    input: InputNames::CLAUDE,
    answer: AnswerForm::Specific,
    file_context: FileContext::Before,
    has_failure_choice: true,
    continues_at_stop: true,
    has_late_transcript: false,
    context_element: None,
    next: "restart Claude Code to make it take effect",
    settings: |scope, places| {
        let project = places.project.join(".claude");
        Some(match scope {
            HostScope::User => places.dirs.base.join("settings.json"),
            HostScope::Project => project.join("settings.json"),
            HostScope::Local => project.join("settings.local.json"),
        })
    },
    transcript: |_, _| None,
};
