//! OpenAI Codex: the shape of Claude Code's hooks in a file of their own, run by a shell once a person trusts them.
//! Source: <https://developers.openai.com/codex/hooks>; tried with 0.169.0.

use std::path::Path;

use super::{
    AnswerForm, CommandForm, FileContext, HookLayout, HookedEvent, HostProfile, InputNames, event,
    settings_in,
};
use crate::HostScope;

const FILE: &str = "hooks.json";

/// It writes files by patches, which come as a tool of their own or in a command for the shell.
const WRITING_TOOLS: &str = "apply_patch|Bash";

const EVENTS: [HookedEvent; 6] = [
    event("SessionStart", "session-start", None, 10),
    event("UserPromptSubmit", "user-prompt-submit", None, 10),
    event("PreToolUse", "pre-tool-use", Some(WRITING_TOOLS), 10),
    event("PostToolUse", "post-tool-use", Some(WRITING_TOOLS), 10),
    event("Stop", "stop", None, 10),
    event("SessionEnd", "session-end", None, 10),
];

pub(super) const PROFILE: HostProfile = HostProfile {
    name: "Codex",
    id: "codex",
    word: "codex",
    events: &EVENTS,
    form: CommandForm::Shell,
    layout: HookLayout::Groups,
    has_own_file: false,
    readers: None,
    kin_folders: &[],
    second: 1,
    is_strict: true,
    loads_index: false,
    input: InputNames::CLAUDE,
    answer: AnswerForm::Specific,
    file_context: FileContext::Before,
    has_failure_choice: false,
    continues_at_stop: false,
    has_late_transcript: false,
    context_element: None,
    next: "start Codex and trust the hooks when it asks (`/hooks` shows them)",
    settings: |scope, places| {
        let own = places.env.get("CODEX_HOME");
        match own.filter(|folder| scope == HostScope::User && !folder.is_empty()) {
            Some(folder) => Some(Path::new(folder).join(FILE)),
            None => settings_in(".codex", FILE, scope, places),
        }
    },
    transcript: |_, _| None,
};
