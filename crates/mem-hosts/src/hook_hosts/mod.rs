//! The hosts whose sessions run `mem hook HOST EVENT`: one file each says what is particular to it.
//!
//! A host is its name, its settings file, its events and what their answers are called; nothing else here or in
//! `commands/hook` knows one from another.

mod claude_code;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod opencode;
mod qwen;

use std::path::{Path, PathBuf};

use super::{HostScope, ProgramDirs};

/// A host with hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookHost {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// GitHub Copilot. Its hooks are those of Visual Studio Code, too.
    Copilot,
    /// Cursor.
    Cursor,
    /// Gemini CLI.
    Gemini,
    /// opencode.
    Opencode,
    /// Qwen Code.
    Qwen,
}

/// What is particular to a host.
pub struct HostProfile {
    /// What people call it.
    pub name: &'static str,
    /// As `mem install` calls it, and the history.
    pub id: &'static str,
    /// As `mem hook` calls it.
    pub word: &'static str,
    /// What is hooked.
    pub events: &'static [HookedEvent],
    /// How a hook names what is run.
    pub(super) form: CommandForm,
    /// Where the hooks of an event stand.
    pub(super) layout: HookLayout,
    /// Whether the settings file is one of several in a folder, ours alone.
    pub(super) has_own_file: bool,
    /// The programs that read the settings file, where there are several.
    pub readers: Option<&'static str>,
    /// Folders of the home directory that tell of a program with the same hooks.
    pub kin_folders: &'static [&'static str],
    /// How many of the units of a hook's time limit a second has.
    pub(super) second: u32,
    /// Whether a settings file with comments is skipped by it.
    pub(super) is_strict: bool,
    /// Whether it gives its sessions the private index itself.
    pub loads_index: bool,
    /// What the host calls what Claude Code calls otherwise.
    pub input: InputNames,
    /// The shape of an answer.
    pub answer: AnswerForm,
    /// When the model is given the memories about a file of a tool.
    pub file_context: FileContext,
    /// Whether a hook's entry says what becomes of a tool when the hook cannot run (`onFailure`).
    pub has_failure_choice: bool,
    /// Whether a text for the model at the end of a turn lets it go on.
    pub continues_at_stop: bool,
    /// Whether the transcript of a turn comes after the turn, or not at all: what a session reads is then recorded by the
    /// hook.
    pub has_late_transcript: bool,
    /// The element in which it puts what a session was given before the prompt that it tells.
    pub context_element: Option<&'static str>,
    /// What a person still has to do.
    pub next: &'static str,
    settings: fn(HostScope, &ProgramDirs<'_>) -> Option<PathBuf>,
    /// Where the transcript of a session is, for a host whose events do not all name it.
    transcript: fn(&str, &ProgramDirs<'_>) -> Option<PathBuf>,
}

/// An event that is hooked.
pub struct HookedEvent {
    /// As the host calls it.
    pub host: &'static str,
    /// As `mem hook` calls it.
    pub name: &'static str,
    /// The tools that it is about.
    pub(super) matcher: Option<&'static str>,
    /// After so many seconds the host goes on without it.
    pub(super) timeout_s: u32,
}

/// How a hook names what is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommandForm {
    /// The program, and its arguments in a list: no shell reads them.
    Arguments,
    /// One text for a shell.
    Shell,
    /// One text for a shell that fails at nothing: the host takes a failure for a refusal, and would refuse each tool once
    /// `mem` is gone.
    Unfailing,
    /// A plugin runs it: a file of ours, with this text.
    Plugin(&'static str),
}

/// Where the hooks of an event stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HookLayout {
    /// In groups, each with a matcher.
    Groups,
    /// In the event's list, each with its matcher; the file has a `version`.
    Flat,
}

/// Pairs of a name in a host's events and the name in Claude Code's.
#[derive(Clone, Copy, Debug)]
pub struct InputNames {
    /// Of the event's fields.
    pub fields: &'static [(&'static str, &'static str)],
    /// Of the tools that read and write files.
    pub tools: &'static [(&'static str, &'static str)],
    /// Of what these tools are given.
    pub arguments: &'static [(&'static str, &'static str)],
}

impl InputNames {
    /// Those of a host that follows Claude Code.
    pub(super) const CLAUDE: Self = Self {
        fields: &[],
        tools: &[],
        arguments: &[],
    };
}

/// The shape of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerForm {
    /// As Claude Code documents it, in `hookSpecificOutput`.
    Specific,
    /// The same, and a tool is refused by `decision`.
    Decision,
    /// The same, and the text for the model beside it as well: each of the two is read at other events.
    Beside,
    /// `additional_context`, and a tool is refused by `permission`.
    Snake,
}

/// When the model is given the memories about a file of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileContext {
    /// A text is taken from the answer to a tool that has not run yet.
    Before,
    /// Only from that to one that has run.
    After,
}

const fn event(
    host: &'static str,
    name: &'static str,
    matcher: Option<&'static str>,
    timeout_s: u32,
) -> HookedEvent {
    HookedEvent {
        host,
        name,
        matcher,
        timeout_s,
    }
}

impl HookHost {
    /// Every host with hooks.
    pub const ALL: [Self; 7] = [
        Self::Claude,
        Self::Codex,
        Self::Copilot,
        Self::Cursor,
        Self::Gemini,
        Self::Opencode,
        Self::Qwen,
    ];

    /// What is particular to it.
    pub fn profile(self) -> &'static HostProfile {
        match self {
            Self::Claude => &claude_code::PROFILE,
            Self::Codex => &codex::PROFILE,
            Self::Copilot => &copilot::PROFILE,
            Self::Cursor => &cursor::PROFILE,
            Self::Gemini => &gemini::PROFILE,
            Self::Opencode => &opencode::PROFILE,
            Self::Qwen => &qwen::PROFILE,
        }
    }

    /// The file in which a scope's hooks stand; `None` where the host has none, or there is no home directory.
    pub fn settings_file(self, scope: HostScope, places: &ProgramDirs<'_>) -> Option<PathBuf> {
        (self.profile().settings)(scope, places)
    }

    /// The host that `mem hook` calls by a word, or `mem install` by its id.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|host| [host.profile().word, host.profile().id].contains(&word))
    }
}

impl HostProfile {
    /// A prompt without what the host put before it.
    pub fn own_prompt<'p>(&self, prompt: &'p str) -> &'p str {
        let Some(element) = self.context_element else {
            return prompt;
        };
        let (start, end) = (format!("<{element}>"), format!("</{element}>"));
        let rest = prompt.trim_start().strip_prefix(&start);
        let rest = rest.and_then(|rest| rest.split_once(&end));
        rest.map_or(prompt, |(_, own)| own.trim_start())
    }

    /// Where the transcript of a session is, as far as the host has a place for each.
    pub fn transcript(&self, session: &str, places: &ProgramDirs<'_>) -> Option<PathBuf> {
        let is_name = Path::new(session).file_name() == Some(session.as_ref());
        is_name
            .then(|| (self.transcript)(session, places))
            .flatten()
    }

    /// The text of its plugin, where its hooks are one.
    pub(super) fn plugin(&self) -> Option<&'static str> {
        match self.form {
            CommandForm::Plugin(text) => Some(text),
            CommandForm::Arguments | CommandForm::Shell | CommandForm::Unfailing => None,
        }
    }

    /// The folder that is there where somebody uses the host, by its settings file for all projects.
    pub fn home_folder<'p>(&self, settings: &'p Path) -> Option<&'p Path> {
        let folder = settings.parent()?;
        match self.has_own_file {
            // Such files are in a folder of their own.
            true => folder.parent(),
            false => Some(folder),
        }
    }

    /// What the host calls an event.
    pub fn event_name(&self, name: &str) -> Option<&'static str> {
        let event = self.events.iter().find(|event| event.name == name);
        event.map(|event| event.host)
    }
}

/// A folder in the home directory, or in the project, as most hosts have it.
fn settings_in(
    folder: &str,
    file: &str,
    scope: HostScope,
    places: &ProgramDirs<'_>,
) -> Option<PathBuf> {
    let root = match scope {
        HostScope::User => places.dirs.home.clone()?,
        HostScope::Project => places.project.to_owned(),
        HostScope::Local => return None,
    };
    Some(root.join(folder).join(file))
}

#[cfg(test)]
mod tests {
    use super::HookHost;

    #[test]
    fn what_a_host_puts_before_a_prompt_is_no_prompt() {
        let told = "<hook_context>&lt;memories&gt;\n</hook_context>\n\nHow do we indent?";
        assert_eq!(
            HookHost::Gemini.profile().own_prompt(told),
            "How do we indent?"
        );
        assert_eq!(HookHost::Codex.profile().own_prompt(told), told);
        let own = "what is <hook_context>?";
        assert_eq!(HookHost::Gemini.profile().own_prompt(own), own);
    }

    #[test]
    fn every_host_is_found_by_its_word() {
        for host in HookHost::ALL {
            assert_eq!(HookHost::from_word(host.profile().word), Some(host));
        }
        assert_eq!(HookHost::from_word("vscode"), None);
    }
}
