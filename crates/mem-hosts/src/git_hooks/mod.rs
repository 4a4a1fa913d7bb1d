//! The git hooks that `mem` installs: where they go, what they say, and the way back.

mod global;
mod hooks_dir;
mod installation;
mod script;

pub use global::{install_global, uninstall_global};
pub use hooks_dir::{HookError, hooks_folder};
pub use installation::{HookState, UninstallOutcome, hook_state, install_hook, uninstall_hook};
pub use script::{Script, this_program};

/// A hook that `mem` can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// Before git sends anything.
    PrePush,
    /// Before git commits.
    PreCommit,
}

impl Hook {
    /// Both.
    pub const ALL: [Self; 2] = [Self::PrePush, Self::PreCommit];

    /// git's name for it.
    pub const fn git_name(self) -> &'static str {
        match self {
            Self::PrePush => "pre-push",
            Self::PreCommit => "pre-commit",
        }
    }

    /// Those that were asked for by flags; `fallback` where none was.
    pub fn chosen_hooks(pre_push: bool, pre_commit: bool, fallback: &[Self]) -> Vec<Self> {
        let mut chosen = Vec::new();
        if pre_push {
            chosen.push(Self::PrePush);
        }
        if pre_commit {
            chosen.push(Self::PreCommit);
        }
        if chosen.is_empty() {
            fallback.to_vec()
        } else {
            chosen
        }
    }
}
