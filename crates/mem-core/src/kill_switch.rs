//! Whether memory is on here, and if not, what switched it off.

use crate::config::Config;
use crate::environment::Environment;
use crate::host_settings::{HostSettings, HostSettingsFile, SettingsLevel, is_tracked};
use crate::project::Project;

/// Names what switched memory off; `None` when it is on.
///
/// In this order: `MEM_DISABLE`; `memory.enabled = false`; `CLAUDE_CODE_DISABLE_AUTO_MEMORY`
/// (`1` off, `0` on whatever the host's other switches say); `CLAUDE_CODE_SIMPLE`,
/// `CLAUDE_CODE_SAFE_MODE`, `CLAUDE_CODE_DISABLE_CLAUDE_MDS`; `memory.enabled = true`, which
/// overrides the host's settings for `mem` alone; `autoMemoryEnabled` in the host's settings.
pub fn disabled_by(
    environment: &Environment,
    config: &Config,
    settings: &HostSettings,
    project: &Project,
) -> Option<String> {
    if environment.is_on("MEM_DISABLE") {
        return Some("MEM_DISABLE".to_owned());
    }
    let own = config.values.memory.enabled;
    if own == Some(false) {
        return Some(format!(
            "memory.enabled ({})",
            config.origin("memory.enabled")
        ));
    }
    match by_variables(environment) {
        Some(answer) => answer,
        None if own.is_some() => None,
        None => by_settings(settings, project),
    }
}

/// Names what switched the host's own memory off, `mem`'s settings aside; `None` where it is on.
pub fn host_disabled_by(
    environment: &Environment,
    settings: &HostSettings,
    project: &Project,
) -> Option<String> {
    by_variables(environment).unwrap_or_else(|| by_settings(settings, project))
}

/// What the host's variables decide, if they do: what switched memory off, or nothing.
fn by_variables(environment: &Environment) -> Option<Option<String>> {
    let switch = "CLAUDE_CODE_DISABLE_AUTO_MEMORY";
    if environment.get(switch).is_some() {
        return Some(environment.is_on(switch).then(|| switch.to_owned()));
    }
    let off = [
        "CLAUDE_CODE_SIMPLE",
        "CLAUDE_CODE_SAFE_MODE",
        "CLAUDE_CODE_DISABLE_CLAUDE_MDS",
    ]
    .into_iter()
    .find(|variable| environment.is_on(variable));
    off.map(|variable| Some(variable.to_owned()))
}

/// The strongest file that has a say decides. `false` counts from any file; `true` does not count
/// from the repository's own.
fn by_settings(settings: &HostSettings, project: &Project) -> Option<String> {
    let mut rest = settings.files.as_slice();
    while let [file, weaker @ ..] = rest {
        rest = weaker;
        match file.auto_memory_enabled {
            Some(false) => return Some(format!("autoMemoryEnabled (`{}`)", file.path.display())),
            // Asking git is slow, so only where a weaker file would decide otherwise.
            Some(true) if weaker.iter().any(says_off) && !is_the_repositorys(file, project) => {
                return None;
            }
            Some(true) | None => {}
        }
    }
    None
}

fn says_off(file: &HostSettingsFile) -> bool {
    file.auto_memory_enabled == Some(false)
}

fn is_the_repositorys(file: &HostSettingsFile, project: &Project) -> bool {
    match file.tier {
        SettingsLevel::Project => true,
        SettingsLevel::Local => is_tracked(project, &file.path),
        SettingsLevel::Managed | SettingsLevel::User => false,
    }
}
