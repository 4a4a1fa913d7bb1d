//! Everything that a status tells, looked up once.

use std::path::PathBuf;

use anyhow::Result;
use jiff::Timestamp;
use mem_core::adopt::Offer;
use mem_core::history::ChangeId;
use mem_core::index::{self, IndexSize};
use mem_core::location::{Location, ProjectContext};
use mem_core::memory::ProjectMemory;
use mem_core::notes::INDEX_FILE;
use mem_core::sweeps::{self, Sweep};
use mem_core::{Diagnose as _, ErrorKind, MemoryPath, Scope, registry, twins};

use super::agents::Agents;
use super::attached::AttachedStatus;
use super::dream::Dream;
use super::pruned::PruningStatus;
use super::team::{PersonalSyncStatus, Team};
use crate::commands::daemon::shown;
use crate::context::Context;
use mem_core::recognition::Recognition;
use mem_daemon::instance::DaemonInstance;

/// One tier.
pub(super) struct TierStatus {
    pub(super) scope: Scope,
    pub(super) dir: PathBuf,
    pub(super) memories: usize,
}

/// What others changed, noticed just now.
pub(super) struct Foreign {
    pub(super) change: ChangeId,
    pub(super) files: usize,
    /// Whether the directory was never looked at before: nobody changed anything then.
    pub(super) is_first: bool,
}

/// The state of a repository's memory.
pub(super) struct MemoryStatus {
    pub(super) location: Location,
    pub(super) history_dir: PathBuf,
    pub(super) tiers: Vec<TierStatus>,
    pub(super) newest: Option<Timestamp>,
    pub(super) index: IndexSize,
    pub(super) foreign: Option<Foreign>,
    pub(super) swept: Vec<Sweep>,
    pub(super) offers: Vec<Offer>,
    pub(super) agents: Agents,
    pub(super) team: Team,
    pub(super) own: PersonalSyncStatus,
    pub(super) stores: AttachedStatus,
    pub(super) dream: Dream,
    pub(super) pruning: PruningStatus,
    /// The daemon, in one line for people and for programs.
    pub(super) daemon: (Option<String>, serde_json::Value),
    pub(super) twins: Vec<String>,
    pub(super) warnings: Vec<String>,
}

impl MemoryStatus {
    /// Looks everything up. Records what others changed, where memory is on.
    pub(super) fn for_project(place: &ProjectContext, context: &Context) -> Result<Self> {
        let location = &place.location;
        let dirs = context.dirs()?;
        let memory = ProjectMemory::new(location, dirs);
        let store = memory.store(Scope::Private);
        let mut status = Self {
            location: location.clone(),
            history_dir: store.places().history(),
            tiers: Vec::new(),
            newest: None,
            index: IndexSize { lines: 0, units: 0 },
            foreign: None,
            swept: Vec::new(),
            offers: context.adoption_offers(place, Recognition::Record)?,
            agents: Agents::default(),
            team: Team::default(),
            own: PersonalSyncStatus::default(),
            stores: AttachedStatus::for_project(place, context)?,
            dream: Dream::for_memory(&memory, place),
            pruning: PruningStatus::for_memory(&memory),
            daemon: daemon_state(place, context)?,
            twins: Vec::new(),
            warnings: Vec::new(),
        };
        let found = twins::find(&place.project, location, dirs);
        status.twins = found.into_iter().map(|twin| twin.slug).collect();
        let sharing = registry::sharing_roots(dirs, location);
        let told = sharing
            .iter()
            .map(|root| registry::sharing_warning(root, location));
        status.warnings.extend(told);
        if location.enabled {
            status.record_external(&memory, context)?;
        }
        status.count_memories(&memory)?;
        status.agents = Agents::for_memory(&memory, status.pruning.change_id());
        status.team = Team::for_project(place, context);
        status.own = PersonalSyncStatus::for_project(place, context);
        let snapshot = store.snapshot()?;
        if let Some((bytes, _)) = snapshot.read(&MemoryPath::parse(INDEX_FILE)?)? {
            status.index = index::size(&bytes);
        }
        if let Some(history) = store.open_history()? {
            status.swept = sweeps::find(&history, &snapshot.walk().files, context.now)?;
        }
        Ok(status)
    }

    /// Whether there is nothing yet.
    pub(super) fn is_empty(&self) -> bool {
        self.tiers.iter().all(|tier| tier.memories == 0)
    }

    fn record_external(&mut self, memory: &ProjectMemory, context: &Context) -> Result<()> {
        match context.record_external(memory.store(Scope::Private)) {
            Ok(Some(locked)) => {
                if let Some(change) = locked.foreign() {
                    let mut entries = locked.history().own_entries();
                    let is_first = entries.nth(1).is_none();
                    self.foreign = Some(Foreign {
                        change: change.id.clone(),
                        files: change.versions.len(),
                        is_first,
                    });
                }
            }
            Ok(None) => {}
            Err(error) if error.kind() == ErrorKind::Io => {
                let text = format!("edits by others are not recorded: {error}");
                self.warnings.push(text);
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn count_memories(&mut self, memory: &ProjectMemory) -> Result<()> {
        let listing = memory.list(&Scope::ALL)?;
        self.warnings.extend(listing.warnings);
        self.newest = listing.notes.iter().map(|note| note.modified).max();
        let dirs = [
            (Scope::Private, &self.location.memory_dir),
            (Scope::Team, &self.location.team_dir),
            (Scope::Global, &self.location.global_dir),
        ];
        for (scope, dir) in dirs {
            self.tiers.push(TierStatus {
                scope,
                dir: dir.clone(),
                memories: listing
                    .notes
                    .iter()
                    .filter(|note| note.scope == scope)
                    .count(),
            });
        }
        Ok(())
    }
}

/// Whether a daemon looks after this memory; nothing is said where none does and none is wanted.
fn daemon_state(
    place: &ProjectContext,
    context: &Context,
) -> Result<(Option<String>, serde_json::Value)> {
    let look = shown::look_at_daemon(&DaemonInstance::for_memory(place, context)?.place);
    let text = look
        .is_told(place)
        .then(|| shown::daemon_line(&look, context));
    let shape = look.pid.map(|_| shown::daemon_json(&look));
    Ok((text, shape.unwrap_or_default()))
}
