//! Noticing changes: the system's watch, a look every few seconds where that is not to be had, and a
//! directory that is not there yet, or not any more.
//!
//! A watch follows an inode and not a path. What the system says is therefore a hint: after a queue that overflowed, a root
//! that was removed or renamed, or any error of the watch, everything is set anew and counts as changed.
//! **Invariant:** each change is told, or it is told that some may have been missed. **Cost:** one handle per folder with
//! inotify, and a look at all files every few seconds where it is not to be had.
//! Tests: `daemon::watch::a_directory_that_is_removed_and_made_again_is_watched_again`,
//! `event_loop::watch::tests::a_directory_whose_parent_was_renamed_is_no_longer_the_one`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use notify::event::{AccessKind, AccessMode, Flag, ModifyKind};
use notify::{Event, EventKind, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};

use super::Watched;
use super::own_writes::OwnWrites;
use super::signals::WatchSignals;

/// How often is looked where the system does not tell.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// A directory that comes while its watch is being set is looked for again so often.
const TRIES_MAX: u32 = 3;

/// What `mem` itself makes on the way to a file.
const TEMPORARY: &str = mem_core::atomic::TEMP_PREFIX;

/// Watches some directories.
pub(super) struct DirectoryWatch {
    watched: Vec<Watched>,
    signals: Arc<WatchSignals>,
    own: Arc<OwnWrites>,
    backend: Backend,
    /// The directories that are watched, as they were found.
    roots: Vec<(PathBuf, Identity)>,
    /// Those that were not there.
    missing: Vec<PathBuf>,
}

/// Which directory stands under a name.
type Identity = (u64, u64);

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
pub(super) enum WatchQuality {
    /// Every change is told.
    Clear,
    /// Every change is told, and that what is missing comes.
    Waiting,
    /// Changes are noticed late; why.
    Polling(String),
    /// Something is missing, and nobody tells when it comes.
    Missing,
}

/// Sorts what a watch tells.
#[derive(Clone)]
struct Listener {
    watched: Arc<[Watched]>,
    /// What is waited for.
    missing: Arc<[PathBuf]>,
    signals: Arc<WatchSignals>,
    own: Arc<OwnWrites>,
}

impl DirectoryWatch {
    pub(super) fn new(
        watched: &[Watched],
        signals: Arc<WatchSignals>,
        own: Arc<OwnWrites>,
    ) -> Self {
        Self {
            watched: watched.to_vec(),
            signals,
            own,
            backend: Backend::Nothing,
            roots: Vec::new(),
            missing: Vec::new(),
        }
    }

    /// The directories that are not there.
    pub(super) fn missing(&self) -> &[PathBuf] {
        &self.missing
    }

    /// Sets the watches, in place of those that were.
    pub(super) fn set(&mut self) -> WatchQuality {
        let mut sight = self.try_set();
        // A directory that came between the look and the watch is in neither: it is looked for once more.
        for _ in 1..TRIES_MAX {
            if self.is_true() {
                break;
            }
            sight = self.try_set();
        }
        sight
    }

    fn try_set(&mut self) -> WatchQuality {
        self.backend = Backend::Nothing;
        let found = self
            .outermost()
            .map(|path| (path.to_owned(), identity(path)));
        let found: Vec<_> = found.collect();
        (self.roots, self.missing) = (Vec::new(), Vec::new());
        for (path, identity) in found {
            match identity {
                Some(identity) => self.roots.push((path, identity)),
                None => self.missing.push(path),
            }
        }
        let is_whole = self.missing.is_empty();
        let listener = self.listener();
        let roots: Vec<&Path> = self.roots.iter().map(|(path, _)| &**path).collect();
        let why = match native(&roots, &self.missing, &listener) {
            Ok(watcher) => {
                self.backend = Backend::Native { _watcher: watcher };
                return if is_whole {
                    WatchQuality::Clear
                } else {
                    WatchQuality::Waiting
                };
            }
            Err(why) => why,
        };
        match polling(&roots, &listener) {
            Ok(watcher) if is_whole => {
                self.backend = Backend::Polling { _watcher: watcher };
                WatchQuality::Polling(why.to_string())
            }
            Ok(watcher) => {
                self.backend = Backend::Polling { _watcher: watcher };
                WatchQuality::Missing
            }
            Err(_) => WatchQuality::Missing,
        }
    }

    /// Whether what is watched is what stands there now: a directory whose parent was renamed goes on
    /// telling, under a name that is no longer its own.
    pub(super) fn is_true(&self) -> bool {
        let mut roots = self.roots.iter();
        roots.all(|(path, then)| identity(path) == Some(*then))
            && !self.missing.iter().any(|path| path.is_dir())
    }

    fn listener(&self) -> Listener {
        Listener {
            watched: (&*self.watched).into(),
            missing: (&*self.missing).into(),
            signals: Arc::clone(&self.signals),
            own: Arc::clone(&self.own),
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
}

/// The directory that stands there, if one does.
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;

    let meta = std::fs::metadata(path).ok()?;
    meta.is_dir().then(|| (meta.dev(), meta.ino()))
}

fn native(
    roots: &[&Path],
    missing: &[PathBuf],
    listener: &Listener,
) -> notify::Result<RecommendedWatcher> {
    let config = notify::Config::default().with_follow_symlinks(false);
    let mut watcher = RecommendedWatcher::new(listener.clone(), config)?;
    for root in roots {
        watcher.watch(root, RecursiveMode::Recursive)?;
    }
    for path in missing {
        // Nothing can be watched that is not there, so the nearest folder that is tells when the next one on the way comes.
        let around = path.ancestors().skip(1).find(|path| path.is_dir());
        // What is below a root is told already.
        let around = around.filter(|path| !roots.iter().any(|root| path.starts_with(root)));
        if let Some(around) = around {
            watcher.watch(around, RecursiveMode::NonRecursive)?;
        }
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
            return self.signals.report_overflow();
        };
        if event.attrs.flag() == Some(Flag::Rescan) {
            return self.signals.report_overflow();
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
        if self.missing.iter().any(|missing| missing.starts_with(path)) {
            if is_of_name(kind) {
                self.signals.report_overflow();
            }
            return;
        }
        if !self.watched.iter().any(|one| path.starts_with(&one.path)) {
            return;
        }
        let is_root = self.watched.iter().any(|one| one.path == path);
        let leaves = matches!(kind, EventKind::Remove(_) | EventKind::Modify(_));
        // The watch of a root that is gone is dead, and says nothing when the root comes back.
        if is_root && leaves && !path.is_dir() {
            return self.signals.report_overflow();
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

impl DirectoryWatch {
    /// Tells of paths that were held back.
    pub(super) fn tell(&self, paths: &[PathBuf]) {
        let listener = self.listener();
        paths.iter().for_each(|path| listener.tell(path));
    }
}

/// Whether something may have come under a name, or gone.
fn is_of_name(kind: EventKind) -> bool {
    matches!(
        kind,
        EventKind::Any
            | EventKind::Create(_)
            | EventKind::Remove(_)
            | EventKind::Modify(ModifyKind::Name(_))
    )
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state_machine::WatchedScope;
    use std::time::Instant;

    const LONG: Duration = Duration::from_secs(60);

    /// Waits until something is told.
    fn told(signals: &Arc<WatchSignals>) -> bool {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.enable_time().build().unwrap();
        let told = async { tokio::time::timeout(LONG, signals.wait()).await.unwrap() };
        runtime.block_on(told).is_lost()
    }

    fn watch(paths: &[PathBuf]) -> (DirectoryWatch, Arc<WatchSignals>) {
        let watched: Vec<Watched> = paths
            .iter()
            .map(|path| Watched {
                path: path.clone(),
                tier: WatchedScope::Own,
            })
            .collect();
        let signals = Arc::new(WatchSignals::default());
        let watch = DirectoryWatch::new(&watched, Arc::clone(&signals), Arc::default());
        (watch, signals)
    }

    #[test]
    fn a_directory_far_below_what_is_there_is_told_when_it_comes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/memory");
        let (mut watch, signals) = watch(std::slice::from_ref(&path));
        assert_eq!(watch.set(), WatchQuality::Waiting);
        let begun = Instant::now();
        // One step at a time: each is told, and the next one waited for.
        for step in ["a", "a/b", "a/b/memory"] {
            std::fs::create_dir(folder.path().join(step)).unwrap();
            assert!(told(&signals), "{step}");
            let sight = watch.set();
            assert_eq!(sight == WatchQuality::Clear, step == "a/b/memory");
        }
        std::fs::create_dir(path.join("topics")).unwrap();
        assert!(!told(&signals));
        assert!(begun.elapsed() < LONG);
    }

    #[test]
    fn a_directory_whose_parent_was_renamed_is_no_longer_the_one() {
        let folder = tempfile::tempdir().unwrap();
        let (before, after) = (folder.path().join("one"), folder.path().join("two"));
        let path = before.join("memory");
        std::fs::create_dir_all(&path).unwrap();
        let (mut watch, signals) = watch(std::slice::from_ref(&path));
        assert_eq!(watch.set(), WatchQuality::Clear);
        assert!(watch.is_true());
        std::fs::create_dir(&after).unwrap();
        rustix::fs::rename(&before, after.join("one")).unwrap();
        assert!(!watch.is_true());
        assert_eq!(watch.set(), WatchQuality::Waiting);
        std::fs::create_dir_all(&path).unwrap();
        assert!(told(&signals));
        assert_eq!(watch.set(), WatchQuality::Clear);
    }
}
