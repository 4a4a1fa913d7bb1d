//! The service of a repository: an instance of a user unit of systemd, with a drop-in that says what is its
//! own, or an agent of launchd; and the program that takes note of it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mem_core::Dirs;
use mem_core::installed::{self, RemovalOutcome};

use crate::error::DaemonError;
use crate::instance::DaemonInstance;
use mem_core::RunContext;

/// What it is called among what is installed.
const WHAT: &str = "a service for the daemon";
/// What all of them are made from.
const WHAT_TEMPLATE: &str = "the template of services for daemons";
/// See `systemd.service(5)`, and `systemd.unit(5)` on templates. Its name is in front of that of an instance.
const TEMPLATE: &str = mem_templates::DAEMON_UNIT;
/// See `systemd.unit(5)` on drop-in files.
const DROP_IN: &str = mem_templates::DAEMON_DROP_IN;
/// How the template's line names the repository.
const ROOT_VARIABLE: &str = "MEMORY_OF";
/// See `launchd.plist(5)`.
const AGENT: &str = mem_templates::DAEMON_AGENT;

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
pub struct Service {
    manager: Manager,
    /// As the manager knows it.
    name: String,
    file: PathBuf,
    content: String,
    /// What it is an instance of, and its text.
    template: Option<(PathBuf, String)>,
}

impl Service {
    /// The service of a repository.
    ///
    /// # Errors
    /// No manager is known here, or the paths cannot be said to it.
    pub fn for_daemon(instance: &DaemonInstance, run: &RunContext) -> Result<Self, DaemonError> {
        let dirs = run.dirs()?;
        let none = |why: &str| DaemonError::NoServices(why.to_owned());
        let home = dirs.home.clone().ok_or_else(|| none("no home"))?;
        let program = std::env::current_exe()?;
        let words = [&instance.root, &program].map(|path| path.to_str());
        let [Some(root), Some(program)] = words else {
            return Err(none("a path is not Unicode"));
        };
        if root.chars().chain(program.chars()).any(char::is_control) {
            return Err(none("a path has control characters"));
        }
        let variables = service_variables(run)?;
        let manager = match std::env::consts::OS {
            "linux" => Manager::Systemd,
            "macos" => Manager::Launchd,
            other => return Err(none(other)),
        };
        let said = UnitStatus {
            program,
            root,
            variables: &variables,
        };
        Ok(match manager {
            Manager::Systemd => {
                let given = run.env.get("XDG_CONFIG_HOME").map(PathBuf::from);
                let config = given.filter(|path| path.is_absolute());
                let config = config.unwrap_or_else(|| home.join(".config"));
                said.template_instance(&instance.name, &config.join("systemd/user"))
            }
            Manager::Launchd => {
                said.launch_agent(&instance.name, &home.join("Library/LaunchAgents"))
            }
        })
    }

    /// Writes it, and records that it is there.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, dirs: &Dirs) -> Result<&Path, DaemonError> {
        if let Some(folder) = self.file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        if let Some((file, text)) = &self.template {
            installed::install_file(dirs, WHAT_TEMPLATE, file, text.as_bytes())?;
        }
        installed::install_file(dirs, WHAT, &self.file, self.content.as_bytes())?;
        Ok(&self.file)
    }

    /// Starts it now, and with every login. `false` where the manager does not do so.
    pub fn start_service(&self) -> bool {
        match self.manager {
            Manager::Systemd => {
                run("systemctl", &["--user", "daemon-reload"])
                    && run("systemctl", &["--user", "enable", "--now", &self.name])
            }
            Manager::Launchd => run("launchctl", &["load", "-w", &self.file.to_string_lossy()]),
        }
    }

    /// What a person says to the manager where it does not answer `mem`.
    pub fn by_hand(&self) -> String {
        match self.manager {
            Manager::Systemd => format!("systemctl --user enable --now {}", self.name),
            Manager::Launchd => format!("launchctl load -w '{}'", self.file.display()),
        }
    }

    /// Ends it and takes it out, and its template with the last one; `false` where it was not there.
    ///
    /// # Errors
    /// It cannot be removed, or somebody changed it.
    pub fn remove_service(&self, dirs: &Dirs) -> Result<bool, DaemonError> {
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
        let is_out = matches!(outcome, RemovalOutcome::Removed | RemovalOutcome::Gone);
        let rest = match &self.template {
            Some((template, _)) if is_out => self.remove_unused_units(template, dirs),
            _ => Ok(()),
        };
        if self.manager == Manager::Systemd {
            let _ = run("systemctl", &["--user", "daemon-reload"]);
        }
        if !is_out {
            return Err(DaemonError::Changed(self.file.clone()));
        }
        rest.map(|()| true)
    }

    /// Takes out what nothing stands in any more, and the template where no other instance is left.
    fn remove_unused_units(&self, template: &Path, dirs: &Dirs) -> Result<(), DaemonError> {
        if let Some(folder) = self.file.parent() {
            // Somebody may have put a drop-in of their own beside it.
            let _ = std::fs::remove_dir(folder);
        }
        let entries = installed::list(dirs).0;
        let folder = |path: &Path| path.parent().and_then(Path::parent).map(Path::to_owned);
        let of_it = folder(&self.file);
        if entries
            .iter()
            .any(|one| one.what == WHAT && folder(&one.path) == of_it)
        {
            return Ok(());
        }
        let Some(entry) = entries.into_iter().find(|one| one.path == template) else {
            return Ok(());
        };
        match installed::remove(dirs, &entry)? {
            RemovalOutcome::Removed | RemovalOutcome::Gone => Ok(()),
            RemovalOutcome::Changed | RemovalOutcome::Unknown => {
                Err(DaemonError::Changed(template.to_owned()))
            }
        }
    }
}

/// What a service says.
struct UnitStatus<'a> {
    program: &'a str,
    root: &'a str,
    variables: &'a [(&'static str, String)],
}

impl UnitStatus<'_> {
    /// An instance of the template, in the folder of the user's units.
    fn template_instance(&self, name: &str, units: &Path) -> Service {
        let name = format!("mem@{name}.service");
        let template = TEMPLATE.replace("{{program}}", &unit_word(self.program));
        Service {
            manager: Manager::Systemd,
            file: units.join(format!("{name}.d")).join("repository.conf"),
            content: self.drop_in(),
            template: Some((units.join("mem@.service"), template)),
            name,
        }
    }

    /// What is the repository's own.
    fn drop_in(&self) -> String {
        let root = environment_word(ROOT_VARIABLE, self.root);
        let variables = unit_environment(self.variables);
        DROP_IN
            .replace("{{environment}}\n", &variables)
            .replace("{{description}}", &escape_description(self.root))
            .replace("{{root}}", &root)
    }

    /// An agent, in the folder of the user's agents.
    fn launch_agent(&self, name: &str, agents: &Path) -> Service {
        let name = format!("mem.{name}");
        let content = AGENT
            .replace("{{label}}", &name)
            .replace("{{environment}}\n", &agent_environment(self.variables))
            .replace("{{program}}", &escape_xml(self.program))
            .replace("{{root}}", &escape_xml(self.root));
        Service {
            manager: Manager::Launchd,
            file: agents.join(format!("{name}.plist")),
            content,
            template: None,
            name,
        }
    }
}

/// The variables that a daemon of this user's needs to find the same directories as now.
fn service_variables(run: &RunContext) -> Result<Vec<(&'static str, String)>, DaemonError> {
    let set = OF_PLACE.into_iter().filter_map(|name| {
        let value = match name {
            // It may be relative to where this run stands.
            "CLAUDE_CONFIG_DIR" => {
                let dirs = run.dirs().ok();
                let base = dirs.and_then(|dirs| dirs.base.to_str().map(str::to_owned));
                run.env.get(name).and(base)
            }
            _ => run.env.get(name).map(str::to_owned),
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
fn escape_description(root: &str) -> String {
    root.replace('%', "%%")
}

fn unit_environment(variables: &[(&str, String)]) -> String {
    let lines = variables
        .iter()
        .map(|(name, value)| format!("Environment={}\n", environment_word(name, value)));
    lines.collect()
}

/// A variable with its value: of what stands there, `$` is as it is.
fn environment_word(name: &str, value: &str) -> String {
    unit_word(&format!("{name}={value}")).replace("$$", "$")
}

fn agent_environment(variables: &[(&str, String)]) -> String {
    if variables.is_empty() {
        return String::new();
    }
    let pairs = variables.iter().map(|(name, value)| {
        let value = escape_xml(value);
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

fn escape_xml(text: &str) -> String {
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

    fn said<'a>(root: &'a str, variables: &'a [(&'static str, String)]) -> UnitStatus<'a> {
        UnitStatus {
            program: "/bin/mem",
            root,
            variables,
        }
    }

    #[test]
    fn paths_stand_in_a_unit_as_one_word() {
        assert_eq!(unit_word("/a b/50%/$x\"\\"), r#""/a b/50%%/$$x\"\\""#);
        let variables = [("MEM_DIR", "/$a & b".to_owned())];
        let service = said("/a b/50%/$x", &variables).template_instance("1f", Path::new("/units"));
        assert_eq!(service.name, "mem@1f.service");
        let folder = Path::new("/units/mem@1f.service.d");
        assert_eq!(service.file, folder.join("repository.conf"));
        let (file, template) = service.template.unwrap();
        assert_eq!(file, Path::new("/units/mem@.service"));
        let line = "ExecStart=\"/bin/mem\" -C ${MEMORY_OF} --quiet daemon run --service\n";
        assert!(template.contains(line));
        let drop_in = service.content;
        assert!(drop_in.contains("Description=mem: memory of /a b/50%%/$x\n"));
        assert!(drop_in.contains("\nEnvironment=\"MEMORY_OF=/a b/50%%/$x\"\n"));
        assert!(drop_in.contains("\nEnvironment=\"MEM_DIR=/$a & b\"\n"));
        let agent = said("/a & <b>", &variables).launch_agent("1f", Path::new("/agents"));
        assert!(agent.template.is_none());
        let agent = agent.content;
        assert!(agent.contains("<string>/a &amp; &lt;b&gt;</string>"));
        assert!(agent.contains("<string>/$a &amp; b</string>"));
        assert!(
            [template, drop_in, agent]
                .iter()
                .all(|text| !text.contains("{{"))
        );
    }

    #[test]
    fn an_agent_is_a_property_list_that_says_what_was_meant() {
        let variables = [("MEM_DIR", "/x & y".to_owned())];
        let agent = said("/a & <b>", &variables).launch_agent("1", Path::new("/agents"));
        let agent = agent.content;
        let script = "import json, plistlib, sys; json.dump(plistlib.loads(sys.stdin.buffer.read()), sys.stdout)";
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
