//! Gemini CLI: events of its own names, milliseconds, tools that are refused by `decision`. It escapes what it is
//! given as HTML, and tells a prompt with the session's context before it. Source: <https://geminicli.com/docs/hooks/>; tried with 0.61.0.

use super::{
    AnswerForm, CommandForm, FileContext, HookLayout, HookedEvent, HostProfile, InputNames, event,
    settings_in,
};

/// The tools with which it writes files.
const WRITING_TOOLS: &str = "write_file|replace";

/// It tells of a compaction at each turn, whether there is one or not: that is not hooked.
const EVENTS: [HookedEvent; 6] = [
    event("SessionStart", "session-start", None, 10),
    event("BeforeAgent", "user-prompt-submit", None, 10),
    event("BeforeTool", "pre-tool-use", Some(WRITING_TOOLS), 10),
    event("AfterTool", "post-tool-use", Some(WRITING_TOOLS), 10),
    event("AfterAgent", "stop", None, 10),
    event("SessionEnd", "session-end", None, 10),
];

pub(super) const PROFILE: HostProfile = HostProfile {
    name: "Gemini CLI",
    id: "gemini",
    word: "gemini",
    events: &EVENTS,
    form: CommandForm::Shell,
    layout: HookLayout::Groups,
    has_own_file: false,
    readers: None,
    kin_folders: &[],
    second: 1000,
    is_strict: false,
    loads_index: false,
    input: InputNames::CLAUDE,
    answer: AnswerForm::Decision,
    file_context: FileContext::After,
    has_failure_choice: false,
    continues_at_stop: false,
    has_late_transcript: false,
    context_element: Some("hook_context"),
    next: "start Gemini CLI anew and choose `Trust folder` where it asks (`/permissions` shows and changes it): it runs no hooks \
           in a folder that is not trusted",
    settings: |scope, places| settings_in(".gemini", "settings.json", scope, places),
    transcript: |_, _| None,
};
