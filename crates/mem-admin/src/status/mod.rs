//! The state of a project's memory, looked up once. What happened outside is recorded on the way; nothing is asked
//! over the network, but for what a suggested remote has.

mod agents;
mod attached;
mod distillation;
mod pruning;
mod team;

use std::path::PathBuf;

use jiff::Timestamp;
use mem_core::adopt::Offer;
use mem_core::bulk_deletions::{self, BulkDeletion};
use mem_core::history::{ChangeId, HistoryError};
use mem_core::index::{self, IndexSize};
use mem_core::limits::{INDEX_LINES_MAX, INDEX_UNITS_MAX};
use mem_core::location::{Location, ProjectContext};
use mem_core::memory::{MemoryError, ProjectMemory};
use mem_core::memory_path::InvalidPath;
use mem_core::notes::INDEX_FILE;
use mem_core::recognition::Recognition;
use mem_core::run::HomeError;
use mem_core::store::StoreError;
use mem_core::{Diagnose, ErrorKind, MemoryPath, RunContext, Scope, alias_dirs, registry};
use mem_daemon::daemon_view::DaemonView;
use mem_daemon::instance::DaemonInstance;
use mem_tools::ToolEnvironment;
use serde_json::{Value, json};

pub use agents::{AgentActivity, mark_looked};
pub use attached::{AttachedStatus, AttachedStoreStatus};
pub use distillation::DistillationStatus;
pub use pruning::PruningStatus;
pub use team::{PersonalSyncStatus, SharedTier, SuggestedRemote, TeamStatus};

/// The state of a memory cannot be looked up.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum StatusError {
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// A memory directory cannot be listed.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The history is damaged.
    #[error(transparent)]
    History(#[from] HistoryError),
    /// The name of an index is none.
    #[error(transparent)]
    Path(#[from] InvalidPath),
}

/// One tier.
#[derive(Debug)]
pub struct TierStatus {
    /// Which.
    pub scope: Scope,
    /// Where.
    pub dir: PathBuf,
    /// How many memories it has.
    pub memories: usize,
}

/// What others changed, noticed just now.
#[derive(Debug)]
pub struct RecordedEdits {
    /// The change that records them.
    pub change: ChangeId,
    /// How many files it has.
    pub files: usize,
    /// Whether the directory was never looked at before: nobody changed anything then.
    pub is_first: bool,
}

/// The state of a repository's memory.
#[derive(Debug)]
pub struct MemoryStatus {
    /// Where it lives.
    pub location: Location,
    /// Where its history is.
    pub history_dir: PathBuf,
    /// Its tiers.
    pub tiers: Vec<TierStatus>,
    /// How many memories are there that the system does not let be read.
    pub unreadable: usize,
    /// When the newest memory was changed.
    pub newest: Option<Timestamp>,
    /// How full the memory index is.
    pub index: IndexSize,
    /// What others changed, noticed just now.
    pub external_change: Option<RecordedEdits>,
    /// What something removed in bulk.
    pub bulk_deletions: Vec<BulkDeletion>,
    /// Memories elsewhere that belong here.
    pub offers: Vec<Offer>,
    /// What agents did.
    pub agents: AgentActivity,
    /// How the team's memory is shared.
    pub team: TeamStatus,
    /// How personal memories are synchronised.
    pub own: PersonalSyncStatus,
    /// The stores that are attached.
    pub stores: AttachedStatus,
    /// The last distillation.
    pub dream: DistillationStatus,
    /// What the daemon pruned last.
    pub pruning: PruningStatus,
    /// The daemon of this repository.
    pub daemon: DaemonView,
    /// Whether a status says something of it: one runs, or one is wanted.
    pub is_daemon_relevant: bool,
    /// Alias directories of this project.
    pub twins: Vec<String>,
    /// What is odd.
    pub warnings: Vec<String>,
}

impl MemoryStatus {
    /// Looks everything up. Records what others changed, where memory is on.
    ///
    /// # Errors
    /// A memory directory or its history cannot be read.
    pub fn for_project(place: &ProjectContext, run: &RunContext) -> Result<Self, StatusError> {
        let location = &place.location;
        let dirs = run.dirs()?;
        let memory = ProjectMemory::new(location, dirs);
        let store = memory.store(Scope::Private);
        let daemon = DaemonView::of_place(&DaemonInstance::for_memory(place, run)?.place);
        // Before the offers, which may record this repository.
        let replaced = registry::replaced_repository_warning(dirs, place);
        let mut status = Self {
            location: location.clone(),
            history_dir: store.places().history(),
            tiers: Vec::new(),
            unreadable: 0,
            newest: None,
            index: IndexSize { lines: 0, units: 0 },
            external_change: None,
            bulk_deletions: Vec::new(),
            offers: run.adoption_offers(place, Recognition::Record)?,
            agents: AgentActivity::default(),
            team: TeamStatus::default(),
            own: PersonalSyncStatus::default(),
            stores: AttachedStatus::for_project(place, &ToolEnvironment::new(run.clone()))?,
            dream: DistillationStatus::for_memory(&memory, place),
            pruning: PruningStatus::for_memory(&memory),
            is_daemon_relevant: daemon.is_relevant(place),
            daemon,
            twins: Vec::new(),
            warnings: replaced.into_iter().collect(),
        };
        let found = alias_dirs::find(&place.project, location, dirs);
        status.twins = found.into_iter().map(|twin| twin.slug).collect();
        let sharing = registry::sharing_roots(dirs, location);
        let told = sharing
            .iter()
            .map(|root| registry::sharing_warning(root, location));
        status.warnings.extend(told);
        if location.enabled {
            status.record_external(&memory, run)?;
        }
        status.count_memories(&memory)?;
        status.agents = AgentActivity::for_memory(&memory, status.pruning.change_id());
        status.team = TeamStatus::for_project(place, run);
        status.own = PersonalSyncStatus::for_project(place, run);
        let snapshot = store.snapshot()?;
        if let Some((bytes, _)) = snapshot.read(&MemoryPath::parse(INDEX_FILE)?)? {
            status.index = index::size(&bytes);
        }
        if let Some(history) = store.open_history()? {
            status.bulk_deletions =
                bulk_deletions::find(&history, &snapshot.walk().files, run.now)?;
        }
        Ok(status)
    }

    /// Whether there is nothing yet.
    pub fn is_empty(&self) -> bool {
        self.unreadable == 0 && self.tiers.iter().all(|tier| tier.memories == 0)
    }

    /// The stable shape.
    pub fn to_json(&self) -> Value {
        let location = &self.location;
        let tiers: Vec<Value> = self
            .tiers
            .iter()
            .map(|tier| json!({ "scope": tier.scope.as_str(), "dir": tier.dir, "memories": tier.memories }))
            .collect();
        let bulk_deletions: Vec<Value> = self
            .bulk_deletions
            .iter()
            .map(|sweep| {
                json!({ "change": sweep.change.as_str(), "folder": sweep.folder,
                        "files": sweep.files, "time": sweep.time.to_string() })
            })
            .collect();
        let mut warnings = location.warnings.clone();
        warnings.extend(self.warnings.iter().cloned());
        json!({
            "project_root": location.project_root,
            "slug": location.slug,
            "memory_dir": location.memory_dir,
            "history_dir": self.history_dir,
            "source": location.source.as_str(),
            "enabled": location.enabled,
            "disabled_by": location.disabled_by,
            "tiers": tiers,
            "newest": self.newest.map(|time| time.to_string()),
            "index": {
                "lines": self.index.lines, "units": self.index.units,
                "lines_max": INDEX_LINES_MAX, "units_max": INDEX_UNITS_MAX,
                "is_over": self.index.is_over(),
            },
            "foreign": self.external_change.as_ref().map(|external_change| json!({
                "change": external_change.change.as_str(), "files": external_change.files,
                "is_first": external_change.is_first,
            })),
            "swept": bulk_deletions,
            "adoptable": self.offers.iter().map(Offer::to_json).collect::<Vec<_>>(),
            "agents": self.agents.to_json(),
            "team": self.team.to_json(),
            "own": self.own.to_json(),
            "stores": self.stores.to_json(),
            "daemon": self.daemon.pid.map(|_| self.daemon.to_json()),
            "dream": self.dream.to_json(),
            "pruned": self.pruning.to_json(),
            "twins": self.twins,
            "warnings": warnings,
        })
    }

    fn record_external(
        &mut self,
        memory: &ProjectMemory,
        run: &RunContext,
    ) -> Result<(), StatusError> {
        match run.record_external(memory.store(Scope::Private)) {
            Ok(Some(locked)) => {
                if let Some(change) = locked.external_change() {
                    let mut entries = locked.history().own_entries();
                    let is_first = entries.nth(1).is_none();
                    self.external_change = Some(RecordedEdits {
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

    fn count_memories(&mut self, memory: &ProjectMemory) -> Result<(), StatusError> {
        let listing = memory.list(&Scope::ALL)?;
        self.warnings.extend(listing.warnings);
        self.unreadable = listing.unreadable.len();
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
