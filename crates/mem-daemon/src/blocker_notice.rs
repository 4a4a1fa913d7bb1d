//! What stands in a daemon's way and will not go by itself: told in a status, and once to an agent.

use mem_core::location::ProjectContext;
use mem_core::state_file;
use serde::{Deserialize, Serialize};

use crate::ask::{IMPATIENCE, daemon_info};
use crate::instance::{DaemonInstance, logs_folder};
use mem_core::RunContext;

/// What was told last.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct AnnouncedBlocker {
    trouble: Option<String>,
}

/// The trouble of a daemon that has given up, the first time that it is asked for.
pub fn daemon_news(place: &ProjectContext, run: &RunContext) -> Option<String> {
    let instance = DaemonInstance::for_memory(place, run).ok()?;
    if !instance.place.socket().exists() {
        return None;
    }
    let status = daemon_info(&instance.place, IMPATIENCE).ok()?.status?;
    let trouble = status.trouble.filter(|_| status.state == "blocked");
    let path = logs_folder(run.dirs().ok()?).join(format!("{}.json", instance.name));
    if state_file::read::<AnnouncedBlocker>(&path).0.trouble == trouble {
        return None;
    }
    let announced = trouble.clone();
    // Told twice is no harm.
    let _ = state_file::update(&path, |before: &mut AnnouncedBlocker| {
        before.trouble = announced;
    });
    trouble
}
