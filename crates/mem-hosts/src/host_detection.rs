//! [`DetectedHost`]: the hosts with hooks that a person uses on this machine.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use mem_core::{Dirs, RunContext, regular_file};

use crate::{HookHost, HostFault, HostScope, Installation, InstallationKind};

/// A host that is used here, and whether it uses `mem`.
#[derive(Debug)]
pub struct DetectedHost {
    /// The host.
    pub host: HookHost,
    /// The user's settings that hooks are installed in.
    pub settings: PathBuf,
    /// Whether hooks of ours, or its plugin, are there.
    pub is_connected: bool,
}

impl DetectedHost {
    /// Each host that is used here.
    ///
    /// # Errors
    /// There is no home directory.
    pub fn find_all(run: &RunContext) -> Result<Vec<Self>, HostFault> {
        let dirs = run.dirs()?;
        let mut found = Vec::new();
        for host in HookHost::ALL {
            let what = InstallationKind::Hooks(host);
            let installation = Installation::for_run(what, HostScope::User, run)?;
            // Hooks of Codex have a file of their own, which is not there before the first of them.
            let is_used = match host {
                HookHost::Claude => is_claude_used(dirs),
                _ => {
                    let profile = host.profile();
                    let folder = profile.home_folder(&installation.path);
                    let home = dirs.home.as_deref();
                    let kin = profile.kin_folders.iter();
                    let mut kin = kin.filter_map(|name| Some(home?.join(name)));
                    folder.is_some_and(Path::is_dir) || kin.any(|folder| folder.is_dir())
                }
            };
            let text = regular_file::read_text(&installation.path).unwrap_or_default();
            let settings: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            // One that is switched off does nothing.
            let has_plugin = settings["enabledPlugins"]["mem@mem"] == true;
            if is_used {
                found.push(Self {
                    host,
                    is_connected: installation.is_there() || has_plugin,
                    settings: installation.path,
                });
            }
        }
        Ok(found)
    }

    /// Those that do not use `mem`.
    ///
    /// # Errors
    /// As [`Self::find_all`].
    pub fn find_unconnected(run: &RunContext) -> Result<Vec<Self>, HostFault> {
        let mut found = Self::find_all(run)?;
        found.retain(|one| !one.is_connected);
        Ok(found)
    }
}

/// Whether Claude Code has run here, or was set up. The folder `projects` alone tells nothing: `mem` makes it, too,
/// but it writes no transcript.
fn is_claude_used(dirs: &Dirs) -> bool {
    let entries = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten();
    let is_its_own = |name: &OsStr| name != "projects" && name != "memory";
    let has_state = dirs
        .home
        .as_deref()
        .is_some_and(|home| home.join(".claude.json").is_file());
    has_state
        || entries(&dirs.base).any(|entry| is_its_own(&entry.file_name()))
        || entries(&dirs.base.join("projects")).any(|project| {
            let mut files = entries(&project.path());
            files.any(|file| Path::new(&file.file_name()).extension() == Some(OsStr::new("jsonl")))
        })
}
