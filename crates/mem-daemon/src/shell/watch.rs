//! Noticing changes: the system's watch, a look every few seconds where that is not to be had, and a
//! directory that is not there yet.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, Flag};
use notify::{Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};

use super::Watched;
use super::own_writes::OwnWrites;
use super::signals::Signals;

/// How often is looked where the system does not tell.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// What `mem` itself makes on the way to a file.
const TEMPORARY: &str = mem_core::atomic::TEMP_PREFIX;

/// Watches some directories.
pub(super) struct Watch {
    watched: Vec<Watched>,
    listener: Listener,
    backend: Backend,
}

enum Backend {
    /// The system tells.
    Native { _watcher: RecommendedWatcher },
    /// It is looked again and again.
    Polling { _watcher: PollWatcher },
    /// No directory is there.
    Nothing,
}

/// How well it is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sight {
    /// Every change is told.
    Clear,
    /// Changes are noticed late; why.
    Polling(String),
    /// There is nothing to watch, or not everything.
    Missing,
}

/// Sorts what a watch tells.
#[derive(Clone)]
struct Listener {
    watched: Arc<[Watched]>,
    signals: Arc<Signals>,
    own: Arc<OwnWrites>,
}

impl Watch {
    pub(super) fn new(watched: &[Watched], signals: Arc<Signals>, own: Arc<OwnWrites>) -> Self {
        let listener = Listener {
            watched: watched.into(),
            signals,
            own,
        };
        Self {
            watched: watched.to_vec(),
            listener,
            backend: Backend::Nothing,
        }
    }

    /// Sets the watches, in place of those that were.
    pub(super) fn set(&mut self) -> Sight {
        self.backend = Backend::Nothing;
        let mut roots: Vec<&Path> = self.roots().collect();
        let wanted = self.outermost().count();
        roots.dedup();
        let sight = if roots.len() < wanted {
            Sight::Missing
        } else {
            Sight::Clear
        };
        if roots.is_empty() {
            return sight;
        }
        match native(&roots, &self.listener) {
            Ok(watcher) => {
                self.backend = Backend::Native { _watcher: watcher };
                sight
            }
            Err(why) => match polling(&roots, &self.listener) {
                Ok(watcher) => {
                    self.backend = Backend::Polling { _watcher: watcher };
                    Sight::Polling(why.to_string())
                }
                Err(_) => Sight::Missing,
            },
        }
    }

    /// The directories that are in no other.
    fn outermost(&self) -> impl Iterator<Item = &Path> {
        let is_inside = |path: &Path| {
            let mut others = self.watched.iter().filter(|other| other.path != path);
            others.any(|other| path.starts_with(&other.path))
        };
        self.watched
            .iter()
            .map(|one| &*one.path)
            .filter(move |path| !is_inside(path))
    }

    /// Those of them that are there.
    fn roots(&self) -> impl Iterator<Item = &Path> {
        self.outermost().filter(|path| path.is_dir())
    }
}

fn native(roots: &[&Path], listener: &Listener) -> notify::Result<RecommendedWatcher> {
    let config = notify::Config::default().with_follow_symlinks(false);
    let mut watcher = RecommendedWatcher::new(listener.clone(), config)?;
    for root in roots {
        watcher.watch(root, RecursiveMode::Recursive)?;
    }
    Ok(watcher)
}

fn polling(roots: &[&Path], listener: &Listener) -> notify::Result<PollWatcher> {
    let config = notify::Config::default()
        .with_follow_symlinks(false)
        .with_poll_interval(LOOK_EVERY);
    let mut watcher = PollWatcher::new(listener.clone(), config)?;
    for root in roots {
        watcher.watch(root, RecursiveMode::Recursive)?;
    }
    Ok(watcher)
}

impl notify::EventHandler for Listener {
    fn handle_event(&mut self, event: notify::Result<Event>) {
        let Ok(event) = event else {
            return self.signals.lost();
        };
        if event.attrs.flag() == Some(Flag::Rescan) {
            return self.signals.lost();
        }
        if is_change(event.kind) {
            event
                .paths
                .iter()
                .for_each(|path| self.hear(path, event.kind));
        }
    }
}

impl Listener {
    fn hear(&self, path: &Path, kind: EventKind) {
        let is_root = self.watched.iter().any(|one| one.path == path);
        let leaves = matches!(kind, EventKind::Remove(_) | EventKind::Modify(_));
        if is_root && leaves && !path.is_dir() {
            return self.signals.lost();
        }
        let name = path.file_name().map(|name| name.to_string_lossy());
        if name.is_some_and(|name| name.starts_with(TEMPORARY)) || !self.own.is_news(path) {
            return;
        }
        self.tell(path);
    }

    /// Tells whose path it is.
    fn tell(&self, path: &Path) {
        let around = self
            .watched
            .iter()
            .filter(|one| path.starts_with(&one.path));
        if let Some(one) = around.max_by_key(|one| one.path.as_os_str().len()) {
            self.signals.changed(one.tier);
        }
    }
}

impl Watch {
    /// Tells of paths that were held back.
    pub(super) fn tell(&self, paths: &[std::path::PathBuf]) {
        paths.iter().for_each(|path| self.listener.tell(path));
    }
}

/// Whether contents or names may be other ones now.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        EventKind::Any | EventKind::Other => true,
        EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) => true,
    }
}
