//! The marks of hosts: variables by which a program knows that an agent's host runs it.
//!
//! Each was recorded in a command that the shell tool of the real program ran, but for Cursor's, whose documentation names it.
//! A terminal of a person inside an editor (`TERM_PROGRAM`) is no agent, and neither is a key (`GEMINI_API_KEY`).
//! The marks are a guard-rail: an agent with a shell can take them off (`env -u`).

use crate::environment::Environment;

/// A program that runs agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostMarks {
    /// Its name, as authors of changes are shown.
    pub name: &'static str,
    /// The version that the marks were recorded from; `None` where they are those of its documentation.
    pub version: Option<&'static str>,
    /// Variables of which one is there in all that an agent of it runs.
    pub variables: &'static [&'static str],
}

/// Every host whose agents are known.
pub const HOSTS: [HostMarks; 7] = [
    HostMarks {
        name: "claude-code",
        version: Some("2.1.330"),
        variables: &["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"],
    },
    HostMarks {
        name: "codex",
        version: Some("0.169.0"),
        variables: &["CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_CI"],
    },
    HostMarks {
        name: "gemini",
        version: Some("0.61.0"),
        variables: &["GEMINI_CLI"],
    },
    HostMarks {
        name: "qwen",
        version: Some("0.24.4"),
        variables: &["QWEN_CODE"],
    },
    HostMarks {
        name: "opencode",
        version: Some("1.18.33"),
        variables: &["OPENCODE"],
    },
    HostMarks {
        name: "copilot",
        version: Some("1.0.102"),
        variables: &["COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"],
    },
    HostMarks {
        name: "cursor",
        version: None,
        variables: &["CURSOR_AGENT"],
    },
];

/// The host whose agent runs this. An empty mark counts: a repository may have emptied it.
pub fn of_agent(environment: &Environment) -> Option<&'static HostMarks> {
    HOSTS
        .iter()
        .find(|host| host.variables.iter().any(|name| environment.has(name)))
}
