//! GitHub Copilot CLI and Visual Studio Code: both read `~/.copilot/hooks/*.json`, so that one file is for both, and a
//! second one would run each hook twice.
//!
//! Events with a capital letter come with Claude Code's names in both. Copilot CLI takes a text for the model from the top
//! of an answer, before a tool from `hookSpecificOutput`; Visual Studio Code from the latter only, and none at a prompt.
//! It does not look at matchers. A hook that fails before a tool refuses the tool in Copilot CLI, a program that is gone too.
//! Sources: <https://docs.github.com/en/copilot/reference/hooks-reference>, tried with 1.0.102;
//! <https://code.visualstudio.com/docs/agent-customization/hooks>, not tried.

use std::path::PathBuf;

use super::{
    AnswerForm, CommandForm, FileContext, HookLayout, HookedEvent, HostProfile, InputNames, event,
};
use crate::{HostScope, ProgramDirs};

const FOLDER: &str = "hooks";
const FILE: &str = "mem.json";

/// Before a tool, Copilot CLI matches the names of Claude Code.
const FILE_TOOLS: &str = "Read|Write|Edit";

const EVENTS: [HookedEvent; 7] = [
    event("SessionStart", "session-start", None, 10),
    event("UserPromptSubmit", "user-prompt-submit", None, 10),
    event("PreToolUse", "pre-tool-use", Some(FILE_TOOLS), 10),
    // Of every tool: the transcript tells too late what the turn has read.
    event("PostToolUse", "post-tool-use", None, 10),
    event("PreCompact", "pre-compact", None, 10),
    event("Stop", "stop", None, 10),
    event("SessionEnd", "session-end", None, 10),
];

const INPUT: InputNames = InputNames {
    fields: &[("sessionId", "session_id")],
    // Of Visual Studio Code.
    tools: &[
        ("read_file", "Read"),
        ("create_file", "Write"),
        ("replace_string_in_file", "Edit"),
        ("multi_replace_string_in_file", "MultiEdit"),
        ("insert_edit_into_file", "Edit"),
    ],
    arguments: &[
        ("path", "file_path"),
        ("file_text", "content"),
        ("old_str", "old_string"),
        ("new_str", "new_string"),
        // Of Visual Studio Code.
        ("filePath", "file_path"),
        ("oldString", "old_string"),
        ("newString", "new_string"),
        ("code", "new_string"),
        ("input", "command"),
    ],
};

pub(super) const PROFILE: HostProfile = HostProfile {
    name: "GitHub Copilot",
    id: "copilot",
    word: "copilot",
    events: &EVENTS,
    form: CommandForm::Unfailing,
    layout: HookLayout::Flat,
    has_own_file: true,
    readers: Some("Copilot CLI and Visual Studio Code"),
    kin_folders: &[".vscode"],
    second: 1,
    is_strict: true,
    loads_index: false,
    input: INPUT,
    answer: AnswerForm::Beside,
    file_context: FileContext::Before,
    has_failure_choice: false,
    continues_at_stop: false,
    has_late_transcript: true,
    context_element: None,
    next: "restart Copilot CLI, reload the window of Visual Studio Code: it gives its model nothing at a prompt, \
           `mem install mcp --client vscode` lets that search",
    settings: |scope, places| {
        let folder = match scope {
            HostScope::User => own_folder(places)?,
            HostScope::Project => places.project.join(".github"),
            HostScope::Local => return None,
        };
        Some(PathBuf::from_iter([folder, FOLDER.into(), FILE.into()]))
    },
    transcript: |session, places| {
        let folder = own_folder(places)?.join("session-state").join(session);
        Some(folder.join("events.jsonl"))
    },
};

/// Where Copilot CLI keeps what is the user's.
fn own_folder(places: &ProgramDirs<'_>) -> Option<PathBuf> {
    let own = places.env.get("COPILOT_HOME");
    match own.filter(|folder| !folder.is_empty()) {
        Some(folder) => Some(PathBuf::from(folder)),
        None => Some(places.dirs.home.as_ref()?.join(".copilot")),
    }
}
