//! Cursor: events and answers of its own names. Its model is given a text at the start of a session and after a tool, none
//! at a prompt. A hook of all projects runs in `~/.cursor`: the project is in `workspace_roots`.
//! Source: <https://cursor.com/docs/hooks>; not tried.

use super::{
    AnswerForm, CommandForm, FileContext, HookLayout, HookedEvent, HostProfile, InputNames, event,
    settings_in,
};

/// The tools with which it writes files, in this and earlier versions.
const WRITING_TOOLS: &str = "Write|StrReplace|Edit|MultiEdit";

/// What it keeps of a session has no form that is documented: notes and extraction do not read it, and what a turn has
/// read is recorded tool by tool, `MCP:TOOL` and `Shell` among them.
const EVENTS: [HookedEvent; 4] = [
    event("sessionStart", "session-start", None, 10),
    event("beforeSubmitPrompt", "turn-start", None, 10),
    event("preToolUse", "pre-tool-use", Some(WRITING_TOOLS), 10),
    event("postToolUse", "post-tool-use", None, 10),
];

const INPUT: InputNames = InputNames {
    fields: &[("conversation_id", "session_id")],
    tools: &[("StrReplace", "Edit")],
    arguments: &[
        ("path", "file_path"),
        ("target_file", "file_path"),
        ("contents", "content"),
    ],
};

pub(super) const PROFILE: HostProfile = HostProfile {
    name: "Cursor",
    id: "cursor",
    word: "cursor",
    events: &EVENTS,
    form: CommandForm::Shell,
    layout: HookLayout::Flat,
    has_own_file: false,
    readers: None,
    kin_folders: &[],
    second: 1,
    is_strict: true,
    loads_index: false,
    input: INPUT,
    answer: AnswerForm::Snake,
    file_context: FileContext::After,
    has_failure_choice: false,
    continues_at_stop: false,
    has_late_transcript: true,
    context_element: None,
    next: "restart Cursor; it gives its model nothing at a prompt, `mem install mcp --client cursor` lets that search",
    settings: |scope, places| settings_in(".cursor", "hooks.json", scope, places),
    transcript: |_, _| None,
};
