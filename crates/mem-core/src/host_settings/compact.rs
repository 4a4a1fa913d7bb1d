//! Whether Claude Code compacts a full context by itself.

use serde_json::{Map, Value};

use super::HostSettings;
use crate::dirs::Dirs;
use crate::limits::HOST_STATE_BYTES_MAX;
use crate::regular_file;

/// Its settings and state say so with `autoCompactEnabled`; on where they do not, as there.
pub fn is_auto_compacting(dirs: &Dirs, settings: &HostSettings) -> bool {
    let said = settings
        .files
        .iter()
        .find_map(|file| file.auto_compact_enabled);
    said.or_else(|| in_state(dirs)).unwrap_or(true)
}

/// What the state file says, which stands in the configuration directory where one is set, else
/// in the home directory.
fn in_state(dirs: &Dirs) -> Option<bool> {
    let home = dirs.home.as_ref().map(|home| home.join(".claude.json"));
    let files = [Some(dirs.base.join(".claude.json")), home];
    let read = |path: &std::path::PathBuf| {
        let bytes = regular_file::read(path, HOST_STATE_BYTES_MAX).ok()?;
        let state: Map<String, Value> = serde_json::from_slice(&bytes).ok()?;
        state.get("autoCompactEnabled")?.as_bool()
    };
    files.iter().flatten().find_map(read)
}
