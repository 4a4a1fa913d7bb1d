//! A tool that writes to another memory than that of the folder in which the session stands: an agent
//! may have gone to another folder, and may write to another project's memory.

use std::path::{Path, PathBuf};

use mem_core::RunContext;
use mem_core::location::{self, LocationError, ProjectContext};
use mem_core::memory::{ProjectMemory, resolved};

use crate::HookError;
use crate::before_tool::find_target;
use crate::call::HookCall;
use crate::edit_preview;
use crate::event::HookEvent;
use crate::reply::HookReply;

/// Turns to the memory that the tool writes to, where there is one.
pub(crate) fn switch_to_other_project(call: &mut HookCall<'_>) {
    if find_target(call).is_some() {
        return;
    }
    let tool = call.event.text_field("tool_name").unwrap_or_default();
    let Some(path) = edit_preview::target_path(tool, call.event.tool_input()) else {
        return;
    };
    let path = call.run.cwd.join(path);
    let Ok(dirs) = call.run.dirs() else {
        return;
    };
    let places = [of_session(call), of_path(call, &path)];
    for place in places.into_iter().flatten() {
        let memory = ProjectMemory::new(&place.location, dirs);
        if place.location.enabled && memory.under(&path).is_some() {
            (call.place, call.memory) = (place, memory);
            return;
        }
    }
}

/// The answer to a tool where the settings cannot be read: nobody knows what they allow, so nothing is
/// written to any memory. Other errors are none of the tool's.
///
/// # Errors
/// The error itself, where the tool writes elsewhere.
pub(crate) fn answer_closed(
    event: &HookEvent,
    run: &RunContext,
    error: HookError,
) -> Result<HookReply, HookError> {
    let is_of_settings = matches!(
        error.downcast_ref::<LocationError>(),
        Some(LocationError::Config(_))
    );
    let tool = event.text_field("tool_name").unwrap_or_default();
    match edit_preview::target_path(tool, event.tool_input()) {
        Some(path) if is_of_settings && is_of_a_memory(&run.cwd.join(path), run) => {
            let what = "nothing is written to memory while mem's settings cannot be read";
            Ok(HookReply::deny_tool(format!("mem: {what}: {error}")))
        }
        _ => Err(error),
    }
}

/// Whether a path is in a place where memories are kept, as far as that can be told without settings.
fn is_of_a_memory(path: &Path, run: &RunContext) -> bool {
    let Ok(dirs) = run.dirs() else {
        return false;
    };
    let path = resolved(path);
    let own = run.env.get("MEM_DIR").map(PathBuf::from);
    let whole = own.into_iter().chain([dirs.global_memory()]);
    let projects = path.strip_prefix(resolved(&dirs.projects())).ok();
    let folder = projects.and_then(|inner| inner.components().nth(1));
    whole
        .map(|root| resolved(&root))
        .any(|root| path.starts_with(root))
        || folder.is_some_and(|folder| folder.as_os_str() == "memory")
}

/// The project in which the host was started, as it tells its hooks.
fn of_session(call: &HookCall<'_>) -> Option<ProjectContext> {
    let run = call.run;
    let root = Path::new(run.env.get("CLAUDE_PROJECT_DIR")?);
    let is_another = root.is_absolute() && !run.cwd.starts_with(root);
    let open = || location::open(root, run.dirs().ok()?, &run.env, &[]).ok();
    is_another.then(open).flatten()
}

/// The project whose memory directory a path is in. What it is about is not known of it, so settings
/// are those that hold here.
fn of_path(call: &HookCall<'_>, path: &Path) -> Option<ProjectContext> {
    let projects = call.run.dirs().ok()?.projects();
    let path = resolved(path);
    let mut inner = path.strip_prefix(resolved(&projects)).ok()?.components();
    let folder = projects.join(inner.next()?).join(inner.next()?);
    if folder.file_name()? != "memory" {
        return None;
    }
    let mut place = call.place.clone();
    place.location.team_dir = folder.join("team");
    place.location.logs_dir = folder.join("logs");
    place.location.memory_dir = folder;
    Some(place)
}
