//! opencode: a plugin in a file of its own runs `mem hook opencode EVENT`, and puts the answer where the model sees it.
//! Source: <https://opencode.ai/docs/plugins/>; tried with 1.18.33.

use std::path::{Path, PathBuf};

use mem_agent::session::place;

use super::{
    AnswerForm, CommandForm, FileContext, HookLayout, HookedEvent, HostProfile, InputNames, event,
};
use crate::HostScope;

/// As the plugin calls them.
const EVENTS: [HookedEvent; 5] = [
    event("session-start", "session-start", None, 10),
    event("user-prompt-submit", "user-prompt-submit", None, 10),
    event("pre-tool-use", "pre-tool-use", None, 10),
    event("post-tool-use", "post-tool-use", None, 10),
    event("stop", "stop", None, 10),
];

pub(super) const PROFILE: HostProfile = HostProfile {
    name: "opencode",
    id: "opencode",
    word: "opencode",
    events: &EVENTS,
    form: CommandForm::Plugin(mem_templates::HOOK_OPENCODE),
    layout: HookLayout::Groups,
    has_own_file: true,
    readers: None,
    kin_folders: &[],
    second: 1000,
    is_strict: false,
    loads_index: false,
    input: InputNames::CLAUDE,
    answer: AnswerForm::Specific,
    file_context: FileContext::Before,
    has_failure_choice: false,
    continues_at_stop: false,
    has_late_transcript: false,
    context_element: None,
    next: "restart opencode to make it take effect",
    settings: |scope, places| {
        let folder = match scope {
            HostScope::User => {
                let own = places
                    .env
                    .get("XDG_CONFIG_HOME")
                    .filter(|folder| !folder.is_empty());
                let config = match own {
                    Some(folder) => PathBuf::from(folder),
                    None => places.dirs.home.as_ref()?.join(".config"),
                };
                config.join("opencode")
            }
            HostScope::Project => places.project.join(".opencode"),
            HostScope::Local => return None,
        };
        Some(folder.join("plugin").join("mem.js"))
    },
    transcript: |session, places| {
        let own = places.env.get("XDG_DATA_HOME").map(Path::new);
        let own = own.filter(|folder| folder.is_absolute());
        let home = places.dirs.home.as_ref()?;
        Some(place::opencode_session(home, own, session))
    },
};
