//! [`McpClient`]: the programs that `mem mcp` is entered in, and the file that each reads.

use std::path::{Path, PathBuf};

use mem_core::{Dirs, Environment};

use super::HostFault;
use super::hook_settings::OnFailure;
use super::servers::{READ_ONLY, ServerEntry};

/// A client of the Model Context Protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum McpClient {
    /// Claude Code.
    Claude,
    /// OpenAI Codex.
    Codex,
    /// Cursor.
    Cursor,
    /// Gemini CLI.
    Gemini,
    /// Visual Studio Code.
    Vscode,
}

/// Whose settings are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostScope {
    /// The user's, for every project.
    User,
    /// The project's, for everybody who works on it.
    Project,
    /// The user's, for this project alone.
    Local,
}

impl HostScope {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::User, Self::Project, Self::Local];

    /// The word on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Project => "project",
            Self::Local => "local",
        }
    }
}

/// What decides on where memory and its history stand. Clients start servers with few variables, and
/// one directory with two histories and two locks would be worse than none.
const PLACES: [&str; 4] = [
    "CLAUDE_CONFIG_DIR",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "XDG_CACHE_HOME",
];

/// What an installation is to run.
#[derive(Clone, Copy, Debug)]
pub struct InstallSpec<'a> {
    /// The program.
    pub program: &'a Path,
    /// The environment of whoever installs it.
    pub env: &'a Environment,
    /// Whether a client may only read.
    pub is_read_only: bool,
    /// What the person chose for a hook that cannot run.
    pub on_failure: Option<OnFailure>,
}

impl InstallSpec<'_> {
    /// The variables that are set, with paths that hold from everywhere.
    fn places(&self) -> Vec<(String, String)> {
        let set = |name: &&str| {
            let path = std::path::absolute(self.env.get(name)?).ok()?;
            Some(((*name).to_owned(), path.to_string_lossy().into_owned()))
        };
        PLACES.iter().filter_map(set).collect()
    }
}

/// Where programs keep their files.
#[derive(Clone, Copy, Debug)]
pub struct ProgramDirs<'p> {
    /// The user's directories.
    pub dirs: &'p Dirs,
    /// The environment.
    pub env: &'p Environment,
    /// The project's root.
    pub project: &'p Path,
}

impl McpClient {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Claude,
        Self::Codex,
        Self::Cursor,
        Self::Gemini,
        Self::Vscode,
    ];

    /// The client of a word on the command line.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == word)
    }

    /// The word on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
            Self::Gemini => "gemini",
            Self::Vscode => "vscode",
        }
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::Cursor => "Cursor",
            Self::Gemini => "Gemini CLI",
            Self::Vscode => "Visual Studio Code",
        }
    }

    /// The scope where nobody said one: the user's, where there is a file for it.
    pub fn default_scope(self) -> HostScope {
        match self {
            // The place of the user's own depends on the profile that is open.
            Self::Vscode => HostScope::Project,
            _ => HostScope::User,
        }
    }

    /// The key in a JSON file under which servers stand; `None` for the one that writes TOML.
    pub(super) fn list(self) -> Option<&'static str> {
        match self {
            Self::Codex => None,
            Self::Vscode => Some("servers"),
            Self::Claude | Self::Cursor | Self::Gemini => Some("mcpServers"),
        }
    }

    /// The file, as each client documents it.
    ///
    /// # Errors
    /// The client has none for this scope, or there is no home directory.
    pub fn file(self, scope: HostScope, places: &ProgramDirs<'_>) -> Result<PathBuf, HostFault> {
        use HostScope::{Project, User};
        let home = places.dirs.home.as_deref();
        let in_home = |name: &str| home.map(|home| home.join(name));
        let in_project = |name: &str| Some(places.project.join(name));
        let set = |name: &str| places.env.get(name).filter(|value| !value.is_empty());
        let path = match (self, scope) {
            (Self::Claude, User) => match set("CLAUDE_CONFIG_DIR") {
                Some(_) => Some(places.dirs.base.join(".claude.json")),
                None => in_home(".claude.json"),
            },
            (Self::Claude, Project) => in_project(".mcp.json"),
            (Self::Codex, User) => match set("CODEX_HOME") {
                Some(folder) => Some(Path::new(folder).join("config.toml")),
                None => in_home(".codex/config.toml"),
            },
            (Self::Codex, Project) => in_project(".codex/config.toml"),
            (Self::Cursor, User) => in_home(".cursor/mcp.json"),
            (Self::Cursor, Project) => in_project(".cursor/mcp.json"),
            (Self::Gemini, User) => in_home(".gemini/settings.json"),
            (Self::Gemini, Project) => in_project(".gemini/settings.json"),
            (Self::Vscode, Project) => in_project(".vscode/mcp.json"),
            (Self::Vscode, User) | (_, HostScope::Local) => None,
        };
        path.ok_or(HostFault::NoFile {
            client: self.name(),
            scope: scope.as_str(),
        })
    }

    /// The entry. Editors start servers wherever they like, and say where the project is; the others
    /// start them in it.
    pub(super) fn server(self, asked: &InstallSpec<'_>) -> ServerEntry {
        let mut args: Vec<&str> = match self {
            Self::Cursor | Self::Vscode => vec!["-C", "${workspaceFolder}", "mcp"],
            Self::Claude | Self::Codex | Self::Gemini => vec!["mcp"],
        };
        if asked.is_read_only {
            args.push(READ_ONLY);
        }
        ServerEntry {
            command: asked.program.to_string_lossy().into_owned(),
            args: args.into_iter().map(str::to_owned).collect(),
            env: asked.places(),
            is_typed: !matches!(self, Self::Codex | Self::Gemini),
        }
    }
}
