//! What was installed into host programs and into git: whether it is still there, and which `mem` it runs.

use std::path::{Path, PathBuf};

use mem_core::{Diagnose as _, installed};
use mem_core::{project, regular_file};
use serde_json::Value;

use super::check::DoctorCheck;
use super::program::{MemPrograms, ProgramKind};
use mem_core::RunContext;
use mem_hosts::git_hooks::{self, Hook};
use mem_hosts::{HookHost, HostScope, Installation, InstallationKind, McpClient, ProgramDirs};

const NAME: &str = "hosts";
const AGAIN: &str = "install it again, or let `mem uninstall` forget it";
/// Where the script of the plugin looks for `mem` that is not on the PATH, below the home directory.
const PLUGIN_PLACES: [&str; 2] = [".cargo/bin/mem", ".local/bin/mem"];

/// Something of ours in a file of a host.
struct HostEntry {
    installation: Installation,
    /// As `mem install` calls the scope, where the file is one that this project's or this person's hosts read.
    scope: Option<HostScope>,
    /// Whether the list of what is installed has it.
    is_recorded: bool,
}

pub(crate) fn host_checks(run: &RunContext, programs: Option<&MemPrograms>) -> Vec<DoctorCheck> {
    let mut checks: Vec<DoctorCheck> = host_entries(run)
        .iter()
        .filter_map(|entry| entry.check(programs))
        .collect();
    checks.extend(plugin_check(run, programs));
    checks.extend(git_checks(run, programs));
    checks
}

/// All that is recorded as installed, and what stands in the files of the hosts besides.
fn host_entries(run: &RunContext) -> Vec<HostEntry> {
    let Ok(dirs) = run.dirs() else {
        return Vec::new();
    };
    let project = project::find(&run.cwd, &run.env).map(|found| found.workdir);
    let project = project.unwrap_or_else(|_| run.cwd.clone());
    let places = ProgramDirs {
        dirs,
        env: &run.env,
        project: &project,
    };
    let mut known: Vec<(InstallationKind, HostScope, PathBuf)> = Vec::new();
    for scope in [HostScope::User, HostScope::Project, HostScope::Local] {
        let hooks = HookHost::ALL.into_iter().filter_map(|host| {
            let file = host.settings_file(scope, &places)?;
            Some((InstallationKind::Hooks(host), scope, file))
        });
        known.extend(hooks);
        let servers = McpClient::ALL.iter().filter_map(|client| {
            let file = client.file(scope, &places).ok()?;
            Some((InstallationKind::Server(*client), scope, file))
        });
        known.extend(servers);
    }
    let scope_of = |one: &Installation| {
        let mut known = known.iter();
        known
            .find(|(what, _, path)| *what == one.what && *path == one.path)
            .map(|(_, scope, _)| *scope)
    };
    let recorded = installed::list(dirs).0;
    let recorded = recorded.iter().filter_map(Installation::from_entry);
    let mut entries: Vec<HostEntry> = recorded
        .map(|installation| HostEntry {
            scope: scope_of(&installation),
            installation,
            is_recorded: true,
        })
        .collect();
    for (what, scope, path) in &known {
        let is_listed = |entry: &HostEntry| {
            entry.installation.what == *what && entry.installation.path == *path
        };
        let installation = Installation {
            what: *what,
            path: path.clone(),
        };
        if !entries.iter().any(is_listed) && installation.is_there() {
            entries.push(HostEntry {
                installation,
                scope: Some(*scope),
                is_recorded: false,
            });
        }
    }
    entries
}

impl HostEntry {
    fn check(&self, programs: Option<&MemPrograms>) -> Option<DoctorCheck> {
        let what = self.installation.describe();
        let path = self.installation.path.display();
        let named = self.installation.programs();
        if named.is_empty() {
            let text = format!("{what} should be in {path}, and is not");
            return self
                .is_recorded
                .then(|| DoctorCheck::with_warning(NAME, text, AGAIN));
        }
        if let Some(fault) = self.installation.skipped_file() {
            let text = format!("{what}: {fault}");
            return Some(DoctorCheck::with_failure(
                NAME,
                text,
                &fault.hint().unwrap_or_default(),
            ));
        }
        // A name without a folder is looked up by the host, whose PATH may be another.
        let absolute = named.iter().map(Path::new).filter(|one| one.is_absolute());
        for program in absolute {
            let shown = program.display();
            if !program.is_file() {
                let text = format!("{what} in {path}: `{shown}` is not there");
                return Some(DoctorCheck::with_failure(NAME, text, &self.remedy()));
            }
            if let Some(difference) = self.difference_text(program, programs) {
                let text = format!("{what} in {path}: `{shown}` is {difference}");
                return Some(DoctorCheck::with_warning(NAME, text, &self.remedy()));
            }
        }
        Some(DoctorCheck::with_ok(NAME, format!("{what} in {path}")))
    }

    /// How the program differs from this one. A file that the repository may have written names no program to run.
    fn difference_text(&self, program: &Path, programs: Option<&MemPrograms>) -> Option<String> {
        let kind = match self.scope {
            Some(HostScope::User) => programs?.ask_program(program),
            _ => programs?.known_kind(program)?,
        };
        kind_difference(&kind)
    }

    /// The command that writes the path of this program.
    fn remedy(&self) -> String {
        let words = self.installation.command_words();
        match self.scope {
            Some(HostScope::User) => format!("`mem {words}` writes where this mem is"),
            Some(scope) => {
                let scope = scope.as_str();
                format!("`mem {words} --scope {scope}` writes where this mem is")
            }
            None => format!("`mem {words}` in that project writes where this mem is"),
        }
    }
}

/// How a program differs from this one, where that is known.
fn kind_difference(kind: &ProgramKind) -> Option<String> {
    match kind {
        ProgramKind::Mem(version) => version.difference_text(),
        ProgramKind::Python | ProgramKind::Other => Some("another program".to_owned()),
        ProgramKind::Own | ProgramKind::NotRun(_) => None,
    }
}

/// Which program the plugin for Claude Code finds, where it is enabled: the first on the PATH, else in two folders.
fn plugin_check(run: &RunContext, programs: Option<&MemPrograms>) -> Option<DoctorCheck> {
    let dirs = run.dirs().ok()?;
    let settings = regular_file::read_text(dirs.base.join("settings.json")).ok()?;
    let settings: Value = serde_json::from_str(&settings).ok()?;
    if settings["enabledPlugins"]["mem@mem"] != Value::Bool(true) {
        return None;
    }
    let programs = programs?;
    let home = dirs.home.as_deref()?;
    let mut places = PLUGIN_PLACES.iter().map(|place| home.join(place));
    let found = programs.first_on_path().map(Path::to_owned);
    let Some(found) = found.or_else(|| places.find(|place| place.is_file())) else {
        return Some(DoctorCheck::with_failure(
            NAME,
            "the plugin for Claude Code finds no mem: none is on the PATH, in ~/.cargo/bin or in ~/.local/bin",
            "add the folder of mem to PATH, or link mem from ~/.local/bin",
        ));
    };
    let shown = found.display();
    Some(match kind_difference(&programs.ask_program(&found)) {
        Some(difference) => DoctorCheck::with_warning(
            NAME,
            format!("the plugin for Claude Code runs `{shown}`, which is {difference}"),
            "give the folder of this mem an earlier place in PATH",
        ),
        None => DoctorCheck::with_ok(NAME, format!("the plugin for Claude Code runs `{shown}`")),
    })
}

/// The hooks of git in this repository. Their folder may belong to the repository: what they name is not run.
fn git_checks(run: &RunContext, programs: Option<&MemPrograms>) -> Vec<DoctorCheck> {
    let Ok(folder) = git_hooks::hooks_folder(&run.cwd) else {
        return Vec::new();
    };
    let states = Hook::ALL.map(|hook| (hook, git_hooks::hook_state(&folder.path, hook)));
    let check = |(hook, state): (Hook, git_hooks::HookState)| {
        let (path, program) = (state.ours?, state.program?);
        let (name, path, shown) = (hook.git_name(), path.display(), program.display());
        let remedy = "`mem hook install` writes where this mem is";
        if !program.exists() {
            let text = format!("git hook {name} in {path}: `{shown}` is not there");
            return Some(DoctorCheck::with_failure(NAME, text, remedy));
        }
        let kind = programs.and_then(|programs| programs.known_kind(&program));
        let difference = kind.as_ref().and_then(kind_difference);
        Some(match difference {
            Some(difference) => {
                let text = format!("git hook {name} in {path}: `{shown}` is {difference}");
                DoctorCheck::with_warning(NAME, text, remedy)
            }
            None => DoctorCheck::with_ok(NAME, format!("git hook {name} in {path}")),
        })
    };
    states.into_iter().filter_map(check).collect()
}
