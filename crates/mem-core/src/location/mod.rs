//! From a directory and an environment to the memory directories of a project.

mod directory;
mod error;
mod forbidden_dirs;

use std::path::{Path, PathBuf};

use crate::config::Config;
use crate::dirs::Dirs;
use crate::environment::Environment;
use crate::host_settings::{self, SettingsLevel};
use crate::project::{self, Project};
use crate::{kill_switch, slug};

pub use error::LocationError;
pub(crate) use forbidden_dirs::is_unfit;
pub use forbidden_dirs::refusal;

/// What decided on the memory directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocationSource {
    /// `<base>/projects/<slug>/memory`.
    Default,
    /// The variable `MEM_DIR`.
    MemDir,
    /// The host's variable `CLAUDE_COWORK_MEMORY_PATH_OVERRIDE`.
    CoworkOverride,
    /// Its variable `CLAUDE_CODE_REMOTE_MEMORY_DIR`: `projects/<slug>/memory` below it.
    RemoteBase,
    /// `autoMemoryDirectory` in a settings file of the host.
    Settings(SettingsLevel),
}

impl LocationSource {
    /// The stable words for `--json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::MemDir => directory::MEM_DIR,
            Self::CoworkOverride => directory::COWORK_OVERRIDE,
            Self::RemoteBase => directory::REMOTE_BASE,
            Self::Settings(tier) => tier.as_str(),
        }
    }
}

/// A directory in which the host keeps memory, and `mem` does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostDirectory {
    /// An absolute path, as the host reads its settings.
    pub path: PathBuf,
    /// Why `mem` does not use it, with the command that settles it where there is one; nothing where the person says
    /// by `MEM_DIR` that memory is elsewhere.
    pub refusal: Option<String>,
}

/// Where the memory of a project lives. Nothing here needs to exist yet.
#[derive(Clone, Debug)]
pub struct Location {
    /// The canonical root that memory is keyed by.
    pub project_root: PathBuf,
    /// The name of the project's directory under `<base>/projects`.
    pub slug: String,
    /// The private tier.
    pub memory_dir: PathBuf,
    /// What decided on it.
    pub source: LocationSource,
    /// The tier of one's own notes across repositories.
    pub global_dir: PathBuf,
    /// The team tier, inside the private one.
    pub team_dir: PathBuf,
    /// The daily logs.
    pub logs_dir: PathBuf,
    /// Whether memory is on.
    pub enabled: bool,
    /// What switched it off: a variable's name, or a key and its file.
    pub disabled_by: Option<String>,
    /// Whether the host itself loads the private index when a session starts: its memory is on, and
    /// in this very directory.
    pub is_loaded_by_host: bool,
    /// Whether the host itself distils the private tier (`autoDreamEnabled`): its memory is on and in this very
    /// directory. Two that distil would each merge what the other has just written.
    pub is_distilled_by_host: bool,
    /// Where the host itself keeps memory, where that is another directory.
    pub host_dir: Option<HostDirectory>,
    /// What was refused or ignored on the way, for the person to read.
    pub warnings: Vec<String>,
}

/// A project with its settings and its memory directories.
#[derive(Clone, Debug)]
pub struct ProjectContext {
    /// What the working directory belongs to.
    pub project: Project,
    /// `mem`'s settings for it.
    pub config: Config,
    /// Where its memory lives.
    pub location: Location,
}

impl ProjectContext {
    /// Whether logs are distilled at night: a person wants it here, and the host does not distil the same memory.
    pub fn distils_at_night(&self) -> bool {
        let location = &self.location;
        location.enabled && self.config.values.dream.nightly && !location.is_distilled_by_host
    }
}

/// Finds the project of `cwd`, loads its settings and resolves where its memory lives.
///
/// Reads a handful of small files and starts no process: microseconds, so that hooks can afford
/// it. `flags` are settings given on the command line.
///
/// # Errors
/// The directory is gone, the settings are broken, or `MEM_DIR` is no absolute path.
pub fn open(
    cwd: &Path,
    dirs: &Dirs,
    environment: &Environment,
    flags: &[(String, String)],
) -> Result<ProjectContext, LocationError> {
    let project = project::find(cwd, environment)?;
    let config = Config::load(dirs, environment, Some(&project.root), flags)?;
    let location = resolve(&project, dirs, environment, &config)?;
    Ok(ProjectContext {
        project,
        config,
        location,
    })
}

/// Resolves where a project's memory lives. Precedence: `MEM_DIR`,
/// `CLAUDE_COWORK_MEMORY_PATH_OVERRIDE`, `autoMemoryDirectory` from the host's settings, the
/// default (below `CLAUDE_CODE_REMOTE_MEMORY_DIR`, where that is set).
///
/// # Errors
/// `MEM_DIR` is no absolute path, or names a directory that cannot be a memory.
pub fn resolve(
    project: &Project,
    dirs: &Dirs,
    environment: &Environment,
    config: &Config,
) -> Result<Location, LocationError> {
    let settings = host_settings::read(dirs, project);
    let disabled_by = kill_switch::disabled_by(environment, config, &settings, project);
    let (slug, slug_warning) = slug::of_project(&project.root, dirs, environment);
    let mut warnings = project.warnings.clone();
    warnings.extend(config.warnings.iter().cloned());
    warnings.extend(settings.warnings.iter().cloned());
    warnings.extend(slug_warning);
    warnings.extend(relative_base(environment));
    let request = directory::LocationRequest {
        project,
        dirs,
        environment,
        settings: &settings,
    };
    let mut refusals = Vec::new();
    let chosen = request.choose(&mut refusals)?;
    let (memory_dir, source) = chosen.unwrap_or_else(|| request.default_directory(&slug));
    let host_dir = request.host_directory(&slug);
    let host_dir = (host_dir != memory_dir).then(|| HostDirectory {
        path: host_dir,
        refusal: refusals.first().cloned(),
    });
    warnings.extend(refusals);
    let host_is_off = kill_switch::host_disabled_by(environment, &settings, project).is_some();
    let is_loaded_by_host = !host_is_off && host_dir.is_none();
    let mut dreams = settings.files.iter().map(|file| file.auto_dream_enabled);
    let is_dreaming = dreams.find_map(|said| said) == Some(true);
    Ok(Location {
        is_loaded_by_host,
        is_distilled_by_host: is_loaded_by_host && is_dreaming,
        host_dir: host_dir.filter(|_| !host_is_off),
        project_root: project.root.clone(),
        slug,
        team_dir: memory_dir.join("team"),
        logs_dir: memory_dir.join("logs"),
        memory_dir,
        source,
        global_dir: dirs.global_memory(),
        enabled: disabled_by.is_none(),
        disabled_by,
        warnings,
    })
}

/// A relative `CLAUDE_CONFIG_DIR` is another directory wherever one stands; hosts take it so.
fn relative_base(environment: &Environment) -> Option<String> {
    let value = environment.get("CLAUDE_CONFIG_DIR")?;
    Path::new(value).is_relative().then(|| {
        format!("CLAUDE_CONFIG_DIR is `{value}`, which is taken from the current directory")
    })
}
