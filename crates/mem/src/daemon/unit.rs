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

/// What says where settings, state and memories are: part of which daemon it is.
const OF_PLACE: [&str; 5] = [
    "CLAUDE_CONFIG_DIR",
    "MEM_DIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
];

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
        let variables = variables(context)?;
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
                let content = content.replace("{{description}}", &description(root));
                let content = content.replace("{{environment}}\n", &unit_environment(&variables));
                (name, file, content)
            }
            Manager::Launchd => {
                let name = format!("mem.{}", house.name);
                let file = home.join(format!("Library/LaunchAgents/{name}.plist"));
                let content = filled(AGENT, &name, &xml(program), &xml(root));
                let content = content.replace("{{environment}}\n", &agent_environment(&variables));
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

    /// What a person says to the manager where it does not answer `mem`.
    pub(crate) fn by_hand(&self) -> String {
        match self.manager {
            Manager::Systemd => format!("systemctl --user enable --now {}", self.name),
            Manager::Launchd => format!("launchctl load -w '{}'", self.file.display()),
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

/// The variables that a daemon of this user's needs to find the same directories as now.
fn variables(context: &Context) -> Result<Vec<(&'static str, String)>, DaemonError> {
    let set = OF_PLACE.into_iter().filter_map(|name| {
        let value = match name {
            // It may be relative to where this run stands.
            "CLAUDE_CONFIG_DIR" => {
                let dirs = context.dirs().ok();
                let base = dirs.and_then(|dirs| dirs.base.to_str().map(str::to_owned));
                context.env.get(name).and(base)
            }
            _ => context.env.get(name).map(str::to_owned),
        };
        value.map(|value| (name, value))
    });
    let set: Vec<_> = set.filter(|(_, value)| !value.is_empty()).collect();
    let is_odd = |(_, value): &(&str, String)| value.chars().any(char::is_control);
    match set.iter().find(|one| is_odd(one)) {
        Some((name, _)) => Err(DaemonError::NoServices(format!(
            "`{name}` has control characters"
        ))),
        None => Ok(set),
    }
}

/// A description is one line of text with specifiers, and no words.
fn description(root: &str) -> String {
    root.replace('%', "%%")
}

fn unit_environment(variables: &[(&str, String)]) -> String {
    let lines = variables.iter().map(|(name, value)| {
        // Of what stands here, `$` is as it is.
        let word = unit_word(&format!("{name}={value}")).replace("$$", "$");
        format!("Environment={word}\n")
    });
    lines.collect()
}

fn agent_environment(variables: &[(&str, String)]) -> String {
    if variables.is_empty() {
        return String::new();
    }
    let pairs = variables.iter().map(|(name, value)| {
        let value = xml(value);
        format!("\t\t<key>{name}</key>\n\t\t<string>{value}</string>\n")
    });
    let pairs: String = pairs.collect();
    format!("\t<key>EnvironmentVariables</key>\n\t<dict>\n{pairs}\t</dict>\n")
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
        let unit = unit.replace("{{description}}", &description("/50%"));
        let variables = [("MEM_DIR", "/$a & b".to_owned())];
        let unit = unit.replace("{{environment}}\n", &unit_environment(&variables));
        assert!(unit.contains("ExecStart=\"/bin/mem\" -C \"/a b\" --quiet daemon run --service\n"));
        assert!(unit.contains("Description=mem: memory of /50%%\n"));
        assert!(unit.contains("\nEnvironment=\"MEM_DIR=/$a & b\"\n"));
        let agent = filled(AGENT, "mem.1", &xml("/bin/mem"), &xml("/a & <b>"));
        assert!(agent.contains("<string>/a &amp; &lt;b&gt;</string>"));
        let agent = agent.replace("{{environment}}\n", &agent_environment(&variables));
        assert!(agent.contains("<string>/$a &amp; b</string>"));
        assert!(!unit.contains("{{") && !agent.contains("{{"));
    }

    #[test]
    fn an_agent_is_a_property_list_that_says_what_was_meant() {
        let agent = filled(AGENT, "mem.1", &xml("/bin/mem"), &xml("/a & <b>"));
        let variables = [("MEM_DIR", "/x & y".to_owned())];
        let agent = agent.replace("{{environment}}\n", &agent_environment(&variables));
        let script = "import json, plistlib, sys; \
            json.dump(plistlib.loads(sys.stdin.buffer.read()), sys.stdout)";
        let mut python = Command::new("python3");
        python.args(["-c", script]);
        python.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut python = python.spawn().unwrap();
        let mut stdin = python.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, agent.as_bytes()).unwrap();
        drop(stdin);
        let output = python.wait_with_output().unwrap();
        let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(list["Label"], "mem.1");
        assert_eq!(list["ProgramArguments"][2], "/a & <b>");
        assert_eq!(list["EnvironmentVariables"]["MEM_DIR"], "/x & y");
        assert_eq!(list["KeepAlive"]["SuccessfulExit"], false);
    }
}
