//! `mem hook`: the git hooks and installing them, and the hooks of hosts.

mod blocked;
mod host;
mod install;
mod pre_commit;
mod pre_push;
mod status;
mod uninstall;

pub(crate) use host::is_of_host;
use host::{claude, codex, copilot, cursor, gemini, opencode, qwen};

crate::table::noun! {
    /// Scan before git pushes or commits
    ///
    /// Install once; from then on git asks before anything leaves. Hooks that are there run after
    /// mem's, with the same input, and are put back exactly by uninstall. Hosts of agents run
    /// `mem hook HOST`.
    struct Args;
    "Commands" {
        install => "Scan for secrets before each push or commit of a repository",
        uninstall => "Take the hooks away and put back what was there",
        status => "Say which hooks are installed",
        claude or "claude-code" => "Answer an event of Claude Code; the host runs this",
        codex => "Answer an event of Codex; the host runs this",
        copilot => "Answer an event of GitHub Copilot or Visual Studio Code; the host runs this",
        cursor => "Answer an event of Cursor; the host runs this",
        gemini => "Answer an event of Gemini CLI; the host runs this",
        opencode => "Answer an event of opencode; its plugin runs this",
        qwen => "Answer an event of Qwen Code; the host runs this",
        pre_push as "pre-push" => "Scan what a push would send; git runs this",
        pre_commit as "pre-commit" => "Scan what is staged; git runs this",
    }
}
