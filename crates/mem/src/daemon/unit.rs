//! The service of a repository: a user unit of systemd or an agent of launchd, and the program that takes
//! note of it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;
use mem_core::Dirs;
use mem_core::installed::{self, Outcome};

use super::error::DaemonError;
use super::house::House;
use crate::context::Context;

/// What it is called among what is installed.
const WHAT: &str = "a service for the daemon";
/// See `systemd.service(5)`.
const UNIT: &str = include_str!("../../../../templates/daemon/systemd.service");
/// See `launchd.plist(5)`.
const AGENT: &str = include_str!("../../../../templates/daemon/launchd.plist");

/// Who starts services here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manager {
    Systemd,
    Launchd,
}

/// A service, installed or not.
#[derive(Debug)]
pub(crate) struct Service {
    manager: Manager,
    /// As the manager knows it.
    name: String,
    file: PathBuf,
    content: String,
}

impl Service {
    /// The service of a repository.
    ///
    /// # Errors
    /// No manager is known here, or the paths cannot be said to it.
    pub(crate) fn of(house: &House, context: &Context) -> Result<Self> {
        let dirs = context.dirs()?;
        let none = |why: &str| DaemonError::NoServices(why.to_owned());
        let home = dirs.home.clone().ok_or_else(|| none("no home"))?;
        let program = std::env::current_exe()?;
        let words = [&house.root, &program].map(|path| path.to_str());
        let [Some(root), Some(program)] = words else {
            return Err(none("a path is not Unicode").into());
        };
        if root.chars().chain(program.chars()).any(char::is_control) {
            return Err(none("a path has control characters").into());
        }
        let manager = match std::env::consts::OS {
            "linux" => Manager::Systemd,
            "macos" => Manager::Launchd,
            other => return Err(none(other).into()),
        };
        let (name, file, content) = match manager {
            Manager::Systemd => {
                let name = format!("mem-{}.service", house.name);
                let given = context.env.get("XDG_CONFIG_HOME").map(PathBuf::from);
                let config = given.filter(|path| path.is_absolute());
                let config = config.unwrap_or_else(|| home.join(".config"));
                let file = config.join("systemd/user").join(&name);
                let content = filled(UNIT, &name, &unit_word(program), &unit_word(root));
                (name, file, content)
            }
            Manager::Launchd => {
                let name = format!("mem.{}", house.name);
                let file = home.join(format!("Library/LaunchAgents/{name}.plist"));
                let content = filled(AGENT, &name, &xml(program), &xml(root));
                (name, file, content)
            }
        };
        Ok(Self {
            manager,
            name,
            file,
            content,
        })
    }

    /// Writes it, and records that it is there.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn write(&self, dirs: &Dirs) -> Result<&Path> {
        if let Some(folder) = self.file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        installed::install_file(dirs, WHAT, &self.file, self.content.as_bytes())?;
        Ok(&self.file)
    }

    /// Starts it now, and with every login. `false` where the manager does not do so.
    pub(crate) fn begin(&self) -> bool {
        match self.manager {
            Manager::Systemd => {
                run("systemctl", &["--user", "daemon-reload"])
                    && run("systemctl", &["--user", "enable", "--now", &self.name])
            }
            Manager::Launchd => run("launchctl", &["load", "-w", &self.file.to_string_lossy()]),
        }
    }

    /// Ends it and takes it out; `false` where it was not there.
    ///
    /// # Errors
    /// It cannot be removed, or somebody changed it.
    pub(crate) fn remove(&self, dirs: &Dirs) -> Result<bool> {
        let entries = installed::list(dirs).0;
        let entry = entries.into_iter().find(|entry| entry.path == self.file);
        let Some(entry) = entry else {
            return Ok(false);
        };
        // A manager that does not answer has not started it.
        let _ = match self.manager {
            Manager::Systemd => run("systemctl", &["--user", "disable", "--now", &self.name]),
            Manager::Launchd => run("launchctl", &["unload", "-w", &self.file.to_string_lossy()]),
        };
        let outcome = installed::remove(dirs, &entry)?;
        if self.manager == Manager::Systemd {
            let _ = run("systemctl", &["--user", "daemon-reload"]);
        }
        match outcome {
            Outcome::Changed | Outcome::Unknown => {
                Err(DaemonError::Changed(self.file.clone()).into())
            }
            Outcome::Removed | Outcome::Gone => Ok(true),
        }
    }
}

fn filled(template: &str, name: &str, program: &str, root: &str) -> String {
    template
        .replace("{{label}}", name)
        .replace("{{program}}", program)
        .replace("{{root}}", root)
}

/// One word of a unit: in quotes, `%`, `$`, `"` and `\` as they are.
fn unit_word(text: &str) -> String {
    let mut word = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => word.extend(['\\', c]),
            '%' | '$' => word.extend([c, c]),
            c => word.push(c),
        }
    }
    word.push('"');
    word
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn run(program: &str, args: &[&str]) -> bool {
    let mut command = Command::new(program);
    command
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_stand_in_a_unit_as_one_word() {
        assert_eq!(unit_word("/a b/50%/$x\"\\"), r#""/a b/50%%/$$x\"\\""#);
        let unit = filled(UNIT, "n", &unit_word("/bin/mem"), &unit_word("/a b"));
        assert!(unit.contains("ExecStart=\"/bin/mem\" -C \"/a b\" --quiet daemon run --service\n"));
        let agent = filled(AGENT, "mem.1", &xml("/bin/mem"), &xml("/a & <b>"));
        assert!(agent.contains("<string>/a &amp; &lt;b&gt;</string>"));
        assert!(!unit.contains("{{") && !agent.contains("{{"));
    }
}
