//! A tool that writes to another memory than that of the folder in which the session stands: an agent
//! may have gone to another folder, and may write to another project's memory.

use std::path::Path;

use mem_core::location::{self, Place};
use mem_core::memory::{Memory, resolved};

use super::asked::Asked;
use super::before_tool::target;
use super::edited;

/// Turns to the memory that the tool writes to, where there is one.
pub(super) fn turn(asked: &mut Asked<'_>) {
    if target(asked).is_some() {
        return;
    }
    let tool = asked.event.text("tool_name").unwrap_or_default();
    let Some(path) = edited::target(tool, asked.event.tool_input()) else {
        return;
    };
    let path = asked.context.cwd.join(path);
    let Ok(dirs) = asked.context.dirs() else {
        return;
    };
    let places = [of_session(asked), of_path(asked, &path)];
    for place in places.into_iter().flatten() {
        let memory = Memory::new(&place.location, dirs);
        if place.location.enabled && memory.under(&path).is_some() {
            (asked.place, asked.memory) = (place, memory);
            return;
        }
    }
}

/// The project in which the host was started, as it tells its hooks.
fn of_session(asked: &Asked<'_>) -> Option<Place> {
    let context = asked.context;
    let root = Path::new(context.env.get("CLAUDE_PROJECT_DIR")?);
    let is_another = root.is_absolute() && !context.cwd.starts_with(root);
    let open = || location::open(root, context.dirs().ok()?, &context.env, &[]).ok();
    is_another.then(open).flatten()
}

/// The project whose memory directory a path is in. What it is about is not known of it, so settings
/// are those that hold here.
fn of_path(asked: &Asked<'_>, path: &Path) -> Option<Place> {
    let projects = asked.context.dirs().ok()?.projects();
    let path = resolved(path);
    let mut inner = path.strip_prefix(resolved(&projects)).ok()?.components();
    let folder = projects.join(inner.next()?).join(inner.next()?);
    if folder.file_name()? != "memory" {
        return None;
    }
    let mut place = asked.place.clone();
    place.location.team_dir = folder.join("team");
    place.location.logs_dir = folder.join("logs");
    place.location.memory_dir = folder;
    Some(place)
}
