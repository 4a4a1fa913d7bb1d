//! [`Installation`]: one thing of ours in one file of a host, put in and taken out.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mem_core::history::Sha256;
use mem_core::installed::{self, Installed, InstalledKind, RemovalOutcome};
use mem_core::{Dirs, RunContext, project, regular_file};

use super::jsonc::JsonFault;
use super::servers::ServerEntry;
use super::settings_file::EditableSettings;
use super::{
    HookHost, HostFault, HostScope, InstallSpec, McpClient, ProgramDirs, hook_settings,
    plugin_file, servers, servers_toml,
};

/// What is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstallationKind {
    /// The hooks of a host.
    Hooks(HookHost),
    /// The entry of a client.
    Server(McpClient),
}

/// A thing and the file that it is in.
#[derive(Clone, Debug)]
pub struct Installation {
    /// What.
    pub what: InstallationKind,
    /// Where.
    pub path: PathBuf,
}

/// What was done to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstallOutcome {
    /// It says so already.
    Nothing,
    /// It was made.
    Made,
    /// It was changed; the file as it was before stands there.
    Changed {
        /// The copy, where one was made now.
        backup: Option<PathBuf>,
    },
    /// It is gone, because it held nothing else.
    Removed,
}

impl InstallOutcome {
    /// A stable word.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Nothing => "unchanged",
            Self::Made => "made",
            Self::Changed { .. } => "changed",
            Self::Removed => "removed",
        }
    }
}

impl Installation {
    /// A thing in the file of a scope; only the user's hooks need no project.
    ///
    /// # Errors
    /// The host has no file for the scope; there is no home directory, or no project.
    pub fn for_run(
        what: InstallationKind,
        scope: HostScope,
        run: &RunContext,
    ) -> Result<Self, HostFault> {
        let project = match (what, scope) {
            (InstallationKind::Hooks(_), HostScope::User) => PathBuf::new(),
            _ => project::find(&run.cwd, &run.env)?.workdir,
        };
        let places = ProgramDirs {
            dirs: run.dirs()?,
            env: &run.env,
            project: &project,
        };
        let path = match what {
            InstallationKind::Server(client) => client.file(scope, &places)?,
            InstallationKind::Hooks(host) => {
                let missing = HostFault::NoFile {
                    client: host.profile().name,
                    scope: scope.as_str(),
                };
                host.settings_file(scope, &places).ok_or(missing)?
            }
        };
        Ok(Self { what, path })
    }

    /// What its file would say.
    ///
    /// # Errors
    /// The file is none that can be changed.
    pub fn printed(&self, asked: &InstallSpec<'_>) -> Result<String, HostFault> {
        let file = EditableSettings::read(&self.path)?;
        self.with(&file.text, asked)
    }

    fn with(&self, text: &str, asked: &InstallSpec<'_>) -> Result<String, HostFault> {
        let made = match self.what {
            InstallationKind::Hooks(host) => match host.profile().plugin() {
                Some(plugin) => plugin_file::install(text, plugin, asked.program),
                None => {
                    let made = hook_settings::install(text, host.profile(), asked.program);
                    made.and_then(|text| match asked.on_failure {
                        Some(choice) => {
                            hook_settings::choose_on_failure(&text, host.profile(), choice)
                        }
                        None => Ok(text),
                    })
                }
            },
            InstallationKind::Server(client) => {
                let server: ServerEntry = client.server(asked);
                match client.list() {
                    Some(list) => servers::install(text, list, &server),
                    None => servers_toml::install(text, &server),
                }
            }
        };
        made.map_err(|fault| self.fault(fault))
    }

    /// A text without it; what `before`, the text before the install, has stays.
    fn without(&self, text: &str, before: Option<&str>) -> Result<String, HostFault> {
        let made = match self.what {
            InstallationKind::Hooks(host) => match host.profile().plugin() {
                Some(plugin) => plugin_file::uninstall(text, plugin),
                None => hook_settings::uninstall(text, host.profile(), before),
            },
            InstallationKind::Server(client) => match client.list() {
                Some(list) => servers::uninstall(text, list, before),
                None => servers_toml::uninstall(text),
            },
        };
        made.map_err(|fault| self.fault(fault))
    }

    /// The programs that it runs, as a text has it; none where it is not in the text.
    fn programs_in(&self, text: &str) -> BTreeSet<String> {
        let server = match self.what {
            InstallationKind::Hooks(host) => {
                return match host.profile().plugin() {
                    Some(plugin) => plugin_file::programs(text, plugin),
                    None => hook_settings::programs(text, host.profile()),
                };
            }
            InstallationKind::Server(client) => match client.list() {
                Some(list) => servers::program(text, list),
                None => servers_toml::program(text),
            },
        };
        server.into_iter().collect()
    }

    fn is_in(&self, text: &str) -> bool {
        !self.programs_in(text).is_empty()
    }

    /// The programs that it runs, as its file has it; none where it is not there.
    pub fn programs(&self) -> BTreeSet<String> {
        let file = EditableSettings::read(&self.path);
        file.map(|file| self.programs_in(&file.text))
            .unwrap_or_default()
    }

    /// Whether it is in its file.
    pub fn is_there(&self) -> bool {
        !self.programs().is_empty()
    }

    /// Why the host skips the whole file with its hooks, where it does.
    pub fn skipped_file(&self) -> Option<HostFault> {
        let InstallationKind::Hooks(host) = self.what else {
            return None;
        };
        let file = EditableSettings::read(&self.path).ok()?;
        let skipped = match host.profile().plugin() {
            Some(_) => Ok(()),
            None => hook_settings::require_read(&file.text, host.profile()),
        };
        skipped.err().map(|fault| self.fault(fault))
    }

    /// Whether it is in its file with a program that is there. A name without a folder is looked up by the host.
    pub fn is_running(&self) -> bool {
        let is_file = |program: &String| {
            let program = Path::new(program);
            !program.is_absolute() || program.is_file()
        };
        self.programs().iter().any(is_file)
    }

    /// Puts it in, once; a copy of the file as it was before anything of ours was in it stays beside it.
    ///
    /// # Errors
    /// The file is none that can be changed; the system refuses.
    pub fn install(
        &self,
        dirs: &Dirs,
        asked: &InstallSpec<'_>,
    ) -> Result<InstallOutcome, HostFault> {
        let file = EditableSettings::read(&self.path)?;
        let text = self.with(&file.text, asked)?;
        let bytes = file.encoded(&text);
        let recorded = self.recorded(dirs);
        let others = self.others(dirs, &file.text);
        if file.bytes() == Some(&bytes) {
            if recorded.is_none() {
                self.record(dirs, None)?;
            }
            return Ok(InstallOutcome::Nothing);
        }
        let is_first = !self.is_in(&file.text);
        let is_copied = is_first && others.is_empty();
        // The copy is worth restoring while nobody but us has written since.
        let mut ours = recorded.iter().chain(&others);
        let is_as_recorded = ours.any(|one| is_digest(one.sha256, file.bytes()));
        let sha256 = (is_copied || is_as_recorded).then(|| Sha256::digest(&bytes));
        if is_copied {
            file.keep()?;
        }
        self.record(dirs, sha256)?;
        if is_as_recorded {
            record_again(dirs, &others, sha256)?;
        }
        file.write(&bytes)?;
        Ok(match file.bytes() {
            None => InstallOutcome::Made,
            Some(_) => InstallOutcome::Changed {
                backup: is_copied.then(|| file.backup()),
            },
        })
    }

    /// Takes it out. With the last thing of ours a file that nobody has changed since is put back as it was, to the byte,
    /// or removed where it was made, and the copy goes; in any other file the rest stays. A dry run returns what would be
    /// done and writes nothing.
    ///
    /// # Errors
    /// As [`Installation::install`].
    pub fn uninstall(&self, dirs: &Dirs, is_dry: bool) -> Result<InstallOutcome, HostFault> {
        let file = EditableSettings::read(&self.path)?;
        let recorded = self.recorded(dirs);
        let others = self.others(dirs, &file.text);
        let backup = file.backup();
        let is_untouched = recorded
            .as_ref()
            .is_some_and(|one| is_digest(one.sha256, file.bytes()));
        let before = regular_file::read_whole(&backup).ok();
        // A copy with this in it is not of the file before it.
        let before = before.filter(|bytes| !self.is_in(&String::from_utf8_lossy(bytes)));
        let restored = before
            .as_ref()
            .filter(|_| is_untouched && others.is_empty());
        let (after, done) = match restored {
            Some(before) => (before.clone(), InstallOutcome::Changed { backup: None }),
            None => {
                let before = before.as_deref().map(String::from_utf8_lossy);
                let text = self.without(&file.text, before.as_deref())?;
                let done = self.removal_outcome(&file, &text, recorded.is_some());
                (file.encoded(&text), done)
            }
        };
        if is_dry {
            return Ok(done);
        }
        if is_untouched {
            record_again(dirs, &others, Some(Sha256::digest(&after)))?;
        }
        match done {
            InstallOutcome::Nothing => {}
            InstallOutcome::Removed => file.remove()?,
            InstallOutcome::Made | InstallOutcome::Changed { .. } => file.write(&after)?,
        }
        // Where the file is gone, or the copy is not of the file before, it may be the last one that there is.
        let is_spent = file.bytes().is_some() && before.is_some();
        if recorded.is_some() && others.is_empty() && is_spent {
            std::fs::remove_file(&backup).map_err(|source| HostFault::Remove {
                path: backup,
                source,
            })?;
        }
        installed::forget(dirs, &self.entry(None))?;
        Ok(done)
    }

    /// What becomes of a file whose text without it is `text`.
    fn removal_outcome(
        &self,
        file: &EditableSettings,
        text: &str,
        is_recorded: bool,
    ) -> InstallOutcome {
        if text == file.text {
            return InstallOutcome::Nothing;
        }
        // Without a copy there was no file before us.
        let was_made = is_recorded && !file.backup().exists();
        match was_made && self.is_blank(text) {
            true => InstallOutcome::Removed,
            false => InstallOutcome::Changed { backup: None },
        }
    }

    /// Whether nothing is left in a text.
    fn is_blank(&self, text: &str) -> bool {
        match self.what {
            InstallationKind::Hooks(host) if !text.trim().is_empty() => {
                hook_settings::is_blank(text, host.profile())
            }
            _ => ["", "{}"].contains(&text.trim()),
        }
    }

    /// The other things of ours that are recorded for the same file and are in its text.
    fn others(&self, dirs: &Dirs, text: &str) -> Vec<Installed> {
        let own = self.entry(None);
        let is_there = |one: &Installed| {
            let installation = Self::from_entry(one);
            installation.is_some_and(|other| other.is_in(text))
        };
        let mut all = installed::list(dirs).0;
        all.retain(|one| one.path == self.path && !own.is_same(one) && is_there(one));
        all
    }

    fn recorded(&self, dirs: &Dirs) -> Option<Installed> {
        let is_this = |one: &Installed| self.entry(None).is_same(one);
        installed::list(dirs).0.into_iter().find(is_this)
    }

    fn record(&self, dirs: &Dirs, sha256: Option<Sha256>) -> Result<(), HostFault> {
        Ok(installed::record(dirs, self.entry(sha256))?)
    }

    /// What a person calls it.
    pub fn describe(&self) -> String {
        match self.what {
            InstallationKind::Hooks(host) => format!("{} hooks", host.profile().name),
            InstallationKind::Server(client) => format!("{} MCP server", client.as_str()),
        }
    }

    /// The words after `mem` that install it, without its scope.
    pub fn command_words(&self) -> String {
        match self.what {
            InstallationKind::Hooks(host) => format!("install {}", host.profile().id),
            InstallationKind::Server(client) => format!("install mcp --client {}", client.as_str()),
        }
    }

    /// The line of the list of what is installed.
    fn entry(&self, sha256: Option<Sha256>) -> Installed {
        let kind = match self.what {
            InstallationKind::Hooks(_) => InstalledKind::Hooks,
            InstallationKind::Server(_) => InstalledKind::Server,
        };
        Installed {
            what: self.describe(),
            kind,
            path: self.path.clone(),
            sha256,
        }
    }

    /// The installation that a line of that list stands for.
    pub fn from_entry(entry: &Installed) -> Option<Self> {
        let what = match entry.kind {
            InstalledKind::Hooks => {
                let name = entry.what.strip_suffix(" hooks")?;
                let mut hosts = HookHost::ALL.into_iter();
                InstallationKind::Hooks(hosts.find(|host| host.profile().name == name)?)
            }
            InstalledKind::Server => {
                let word = entry.what.split(' ').next().unwrap_or_default();
                InstallationKind::Server(McpClient::from_word(word)?)
            }
            InstalledKind::File | InstalledKind::Unknown => return None,
        };
        let path = entry.path.clone();
        Some(Self { what, path })
    }

    /// The host that reads the file.
    fn host_name(&self) -> &'static str {
        match self.what {
            InstallationKind::Hooks(host) => host.profile().name,
            InstallationKind::Server(client) => client.name(),
        }
    }

    fn fault(&self, fault: JsonFault) -> HostFault {
        let path = self.path.clone();
        match fault {
            JsonFault::Broken(reason) => HostFault::Broken { path, reason },
            JsonFault::Loose(line) => HostFault::Loose {
                host: self.host_name(),
                path,
                line,
            },
            JsonFault::NotAnObject => HostFault::NotAnObject(path),
            JsonFault::Shape(part, reason) => HostFault::Shape { path, part, reason },
            JsonFault::Taken(command) => HostFault::Taken { path, command },
            JsonFault::Foreign => HostFault::ForeignPlugin(path),
        }
    }
}

/// Takes out what a line of the list of what is installed stands for, of a host or not; a dry run tells what would be.
///
/// # Errors
/// The file is none that can be changed; the system refuses.
pub fn remove_installed(
    entry: &Installed,
    is_dry: bool,
    dirs: &Dirs,
) -> Result<RemovalOutcome, HostFault> {
    let Some(installation) = Installation::from_entry(entry) else {
        return Ok(match is_dry {
            true => installed::outcome(entry),
            false => installed::remove(dirs, entry)?,
        });
    };
    Ok(match installation.uninstall(dirs, is_dry)? {
        InstallOutcome::Nothing => RemovalOutcome::Gone,
        _ => RemovalOutcome::Removed,
    })
}

/// Records the digest of a file again for things in it that another one of ours was put beside, or taken from.
fn record_again(
    dirs: &Dirs,
    entries: &[Installed],
    sha256: Option<Sha256>,
) -> Result<(), HostFault> {
    for entry in entries {
        let entry = Installed {
            sha256,
            ..entry.clone()
        };
        installed::record(dirs, entry)?;
    }
    Ok(())
}

/// Whether bytes are those of a digest.
fn is_digest(digest: Option<Sha256>, bytes: Option<&[u8]>) -> bool {
    digest.is_some() && digest == bytes.map(Sha256::digest)
}
