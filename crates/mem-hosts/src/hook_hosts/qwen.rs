//! Qwen Code: the shape of Claude Code's hooks, run by a shell; tools have the names of Gemini CLI's.
//! Source: <https://qwenlm.github.io/qwen-code-docs/en/users/features/hooks/>; tried with 0.24.4.

use super::{
    AnswerForm, CommandForm, FileContext, HookLayout, HookedEvent, HostProfile, InputNames, event,
    settings_in,
};

/// The tools with which it writes files.
const WRITING_TOOLS: &str = "write_file|edit|notebook_edit";

const EVENTS: [HookedEvent; 7] = [
    event("SessionStart", "session-start", None, 10),
    event("UserPromptSubmit", "user-prompt-submit", None, 10),
    event("PreToolUse", "pre-tool-use", Some(WRITING_TOOLS), 10),
    event("PostToolUse", "post-tool-use", Some(WRITING_TOOLS), 10),
    event("PreCompact", "pre-compact", None, 10),
    event("Stop", "stop", None, 10),
    event("SessionEnd", "session-end", None, 10),
];

pub(super) const PROFILE: HostProfile = HostProfile {
    name: "Qwen Code",
    id: "qwen",
    word: "qwen",
    events: &EVENTS,
    form: CommandForm::Shell,
    layout: HookLayout::Groups,
    has_own_file: false,
    readers: None,
    kin_folders: &[],
    second: 1,
    is_strict: false,
    loads_index: false,
    input: InputNames::CLAUDE,
    answer: AnswerForm::Specific,
    file_context: FileContext::After,
    has_failure_choice: false,
    continues_at_stop: false,
    has_late_transcript: false,
    context_element: None,
    next: "restart Qwen Code to make it take effect",
    settings: |scope, places| settings_in(".qwen", "settings.json", scope, places),
    transcript: |_, _| None,
};
