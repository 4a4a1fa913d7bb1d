//! Who may say where the memory directory is, in their order.

use std::path::{Component, Path, PathBuf};

use super::forbidden_dirs::{self, refusal};
use super::{LocationError, LocationSource};
use crate::dirs::Dirs;
use crate::environment::Environment;
use crate::host_settings::{HostSettings, HostSettingsFile, SettingsLevel, is_tracked};
use crate::project::Project;
use crate::trust;

pub(super) const MEM_DIR: &str = "MEM_DIR";
/// A folder in whose `projects/<slug>/memory` the host keeps memory.
pub(super) const REMOTE_BASE: &str = "CLAUDE_CODE_REMOTE_MEMORY_DIR";
pub(super) const COWORK_OVERRIDE: &str = "CLAUDE_COWORK_MEMORY_PATH_OVERRIDE";

/// All that has a say.
pub(super) struct LocationRequest<'a> {
    pub(super) project: &'a Project,
    pub(super) dirs: &'a Dirs,
    pub(super) environment: &'a Environment,
    pub(super) settings: &'a HostSettings,
}

impl LocationRequest<'_> {
    /// Where the host itself keeps the memory: it takes `autoMemoryDirectory` from any settings file, a repository's too,
    /// and refuses no place. Tried with Claude Code 2.1.330.
    pub(super) fn host_directory(&self, slug: &str) -> PathBuf {
        let named = |value: &str| absolute(value, self.home());
        let files = self.settings.files.iter();
        let of_settings = || {
            let mut values = files.filter_map(|file| file.auto_memory_directory.as_deref());
            values.find_map(named)
        };
        let given = self.environment.get(COWORK_OVERRIDE).and_then(named);
        let base = self.environment.get(REMOTE_BASE).and_then(named);
        let own = || {
            let projects = base.map_or_else(|| self.dirs.projects(), |base| base.join("projects"));
            projects.join(slug).join("memory")
        };
        given.or_else(of_settings).unwrap_or_else(own)
    }

    /// Where memory is where nobody names a directory.
    pub(super) fn default_directory(&self, slug: &str) -> (PathBuf, LocationSource) {
        let base = self.environment.get(REMOTE_BASE);
        let (projects, source) = match base.map(|value| self.fit_directory(value)) {
            Some(Ok(base)) => (base.join("projects"), LocationSource::RemoteBase),
            _ => (self.dirs.projects(), LocationSource::Default),
        };
        (projects.join(slug).join("memory"), source)
    }

    /// The first acceptable answer; `None` for the default. `warnings` gets why an earlier answer was not taken.
    pub(super) fn choose(
        &self,
        warnings: &mut Vec<String>,
    ) -> Result<Option<(PathBuf, LocationSource)>, LocationError> {
        if let Some(value) = self.environment.get(MEM_DIR) {
            return self.own_override(value).map(Some);
        }
        if let Some(value) = self.environment.get(COWORK_OVERRIDE) {
            match self.fit_directory(value) {
                Ok(path) => return Ok(Some((path, LocationSource::CoworkOverride))),
                Err(why) => {
                    warnings.push(format!("{COWORK_OVERRIDE} `{value}` is ignored: {why}"));
                }
            }
        }
        for file in &self.settings.files {
            match self.named_in(file) {
                Ok(Some(path)) => return Ok(Some((path, LocationSource::Settings(file.tier)))),
                Ok(None) => {}
                Err(why) => warnings.push(why),
            }
        }
        if let Some(value) = self.environment.get(REMOTE_BASE)
            && let Err(why) = self.fit_directory(value)
        {
            warnings.push(format!("{REMOTE_BASE} `{value}` is ignored: {why}"));
        }
        Ok(None)
    }

    fn own_override(&self, value: &str) -> Result<(PathBuf, LocationSource), LocationError> {
        let path = absolute(value, self.home()).ok_or_else(|| LocationError::Relative {
            value: value.to_owned(),
        })?;
        match forbidden_dirs::unfit(&path, self.dirs) {
            Some(reason) => Err(LocationError::Refused {
                value: value.to_owned(),
                reason,
            }),
            None => Ok((path, LocationSource::MemDir)),
        }
    }

    /// The directory that a variable of the host names; the error says why none can be used there.
    fn fit_directory(&self, value: &str) -> Result<PathBuf, &'static str> {
        let path = absolute(value, self.home()).ok_or("it is not an absolute path")?;
        forbidden_dirs::unfit(&path, self.dirs).map_or(Ok(path), Err)
    }

    /// The directory that a settings file names; the error is a warning why it is ignored.
    fn named_in(&self, file: &HostSettingsFile) -> Result<Option<PathBuf>, String> {
        let Some(value) = &file.auto_memory_directory else {
            return Ok(None);
        };
        let ignored = |why: &str| {
            let path = file.path.display();
            format!("autoMemoryDirectory `{value}` in `{path}` is ignored: {why}")
        };
        let path = absolute(value, self.home())
            .ok_or_else(|| ignored("it is neither absolute nor begins with `~/`"))?;
        if let Some(reason) = refusal(&path, self.dirs, &self.project.root) {
            return Err(ignored(reason));
        }
        if self.is_untrusted(file) {
            return Err(ignored(
                "the repository brought it along; `mem trust` allows it",
            ));
        }
        Ok(Some(path))
    }

    fn is_untrusted(&self, file: &HostSettingsFile) -> bool {
        let from_repository = match file.tier {
            SettingsLevel::Project => true,
            SettingsLevel::Local => is_tracked(self.project, &file.path),
            SettingsLevel::Managed | SettingsLevel::User => false,
        };
        from_repository && !trust::is_trusted(self.dirs, &self.project.root)
    }

    fn home(&self) -> Option<&Path> {
        self.dirs.home.as_deref()
    }
}

/// The path, with `~/` expanded and `.` and `..` taken out; `None` when it is relative.
fn absolute(value: &str, home: Option<&Path>) -> Option<PathBuf> {
    let path = match value.strip_prefix("~/") {
        Some(rest) => home?.join(rest.trim_start_matches('/')),
        None if value == "~" => home?.to_owned(),
        None => PathBuf::from(value),
    };
    path.is_absolute().then(|| normal(&path))
}

/// The path without `.`, `..` and trailing separators, by its letters alone.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                normal.pop();
            }
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => normal.push(part),
        }
    }
    normal
}
