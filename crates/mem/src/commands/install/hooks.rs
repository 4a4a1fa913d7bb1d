//! The hooks of a host: what `mem install HOST` of each have in common.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Result;
use mem_core::{Dirs, regular_file};

use super::values::{parse_failure, parse_scope};
use super::{InstallReport, project_root};
use crate::context::Context;
use crate::exit::Exit;
use mem_hosts::{
    HookHost, HostFault, HostScope, Installation, InstallationKind, OnFailure, ProgramDirs,
};

/// Install the hooks of a host
///
/// Enters `mem hook HOST` for the start of a session, for prompts and for writes to memory (in Claude Code also for
/// compactions and ends) in the settings of the host. Whoever has the plugin for Claude Code needs no hooks in the
/// settings; where there are both, the plugin steps aside.
///
/// Example: mem install claude-code --scope local --print
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Whose settings: user (all your projects), project (shared by all who work on it) or, for Claude Code, local
    #[arg(long, default_value = "user", hide_possible_values = true, value_parser = parse_scope())]
    scope: HostScope,
    /// In Claude Code: what becomes of a write when the hook that keeps secrets out cannot run: continue lets it through,
    /// block refuses it, and every other write and read of a file while `mem` is gone [default: as it stands, else continue]
    #[arg(long, value_name = "WHAT", hide_possible_values = true, value_parser = parse_failure())]
    on_failure: Option<OnFailure>,
    /// Print what the file would be, and write nothing
    #[arg(long)]
    print: bool,
}

// `mem install HOST` of each host.
crate::table::host_commands! {
    install_hooks;
    claude_code => Claude,
    codex => Codex,
    copilot => Copilot,
    cursor => Cursor,
    gemini => Gemini,
    opencode => Opencode,
    qwen => Qwen,
    // Its hooks are in the file of Copilot.
    vscode => Copilot,
}

/// Installs the hooks, or prints them.
fn install_hooks(host: HookHost, args: &Args, context: &Context) -> Result<Exit> {
    if args.on_failure.is_some() && !host.profile().has_failure_choice {
        return Err(HostFault::NoFailureChoice(host.profile().name).into());
    }
    let report = InstallReport {
        installation: hooks_installation(host, args.scope, context)?,
        on_failure: args.on_failure,
        scope: args.scope,
        is_read_only: false,
        next: host.profile().next.to_owned(),
    };
    report.carry_out(context, args.print)
}

/// The hooks of a host in a scope.
///
/// # Errors
/// The host has no file for the scope; there is no home directory, or no project.
pub(crate) fn hooks_installation(
    host: HookHost,
    scope: HostScope,
    context: &Context,
) -> Result<Installation> {
    let project = match scope {
        HostScope::User => PathBuf::new(),
        HostScope::Project | HostScope::Local => project_root(context)?,
    };
    let places = ProgramDirs {
        dirs: context.dirs()?,
        env: &context.env,
        project: &project,
    };
    let path = host.settings_file(scope, &places);
    let missing = HostFault::NoFile {
        client: host.profile().name,
        scope: scope.as_str(),
    };
    let what = InstallationKind::Hooks(host);
    Ok(Installation {
        what,
        path: path.ok_or(missing)?,
    })
}

/// A host that a person uses.
pub(crate) struct UsedHost {
    pub(crate) host: HookHost,
    /// The file with the hooks of all projects.
    pub(crate) settings: PathBuf,
    /// Whether it has our hooks or, in Claude Code, the plugin.
    pub(crate) is_connected: bool,
}

/// The hosts that a person uses and that have neither our hooks nor, in Claude Code, the plugin; each with the file
/// that would be changed.
///
/// # Errors
/// There is no home directory.
pub(crate) fn installable_hosts(context: &Context) -> Result<Vec<(HookHost, PathBuf)>> {
    let used = used_hosts(context)?.into_iter();
    let open = used.filter(|host| !host.is_connected);
    Ok(open.map(|host| (host.host, host.settings)).collect())
}

/// The hosts that a person uses, with hooks of ours or without.
///
/// # Errors
/// There is no home directory.
pub(crate) fn used_hosts(context: &Context) -> Result<Vec<UsedHost>> {
    let mut found = Vec::new();
    for host in HookHost::ALL {
        let installation = hooks_installation(host, HostScope::User, context)?;
        let text = regular_file::read_text(&installation.path).unwrap_or_default();
        // Hooks of Codex have a file of their own, which is not there before the first of them.
        let is_used = match host {
            HookHost::Claude => is_claude_used(context.dirs()?),
            _ => {
                let profile = host.profile();
                let folder = profile.home_folder(&installation.path);
                let home = context.dirs()?.home.as_deref();
                let kin = profile.kin_folders.iter();
                let mut kin = kin.filter_map(|name| Some(home?.join(name)));
                folder.is_some_and(Path::is_dir) || kin.any(|folder| folder.is_dir())
            }
        };
        let settings: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        // One that is switched off does nothing.
        let has_plugin = settings["enabledPlugins"]["mem@mem"] == true;
        if is_used {
            found.push(UsedHost {
                host,
                is_connected: installation.is_there() || has_plugin,
                settings: installation.path,
            });
        }
    }
    Ok(found)
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
