//! The memory of this repository and one's own notes: places, locks, histories.

use mem_core::history::Integrity;
use mem_core::location::{self, ProjectContext};
use mem_core::memory::ProjectMemory;
use mem_core::store::{Health, LocalStore};
use mem_core::{Dirs, Scope, atomic, registry, regular_file};

use super::check::DoctorCheck;
use mem_core::RunContext;
use mem_core::plural::format_count;

/// Names that are listed in one line.
const NAMES_SHOWN_MAX: usize = 5;

pub(crate) fn memory_checks(run: &RunContext, fix: bool) -> Vec<DoctorCheck> {
    let Ok(dirs) = run.dirs() else {
        return Vec::new();
    };
    // Not by `RunContext::place`, which would only say the first thing that is wrong.
    let place = match location::open(&run.cwd, dirs, &run.env, &[]) {
        Ok(place) => place,
        Err(error) => return vec![DoctorCheck::from_error("location", &error)],
    };
    let mut checks = vec![location_check(&place)];
    let warnings = place.location.warnings.iter();
    checks
        .extend(warnings.map(|text| {
            DoctorCheck::with_warning("location", text, "`mem path --json` says more")
        }));
    let sharing = registry::sharing_roots(dirs, &place.location).into_iter();
    checks.extend(sharing.map(|root| {
        let text = registry::sharing_warning(&root, &place.location);
        DoctorCheck::with_warning("location", text, "`mem adopt --help` says more")
    }));
    let replaced = registry::replaced_repository_warning(dirs, &place);
    checks.extend(replaced.map(|text| {
        DoctorCheck::with_warning(
            "location",
            text,
            "`mem init` keeps them for this repository",
        )
    }));
    let memory = ProjectMemory::new(&place.location, dirs);
    let closed = dirs.seal().key().err();
    checks.extend(
        closed
            .iter()
            .map(|error| DoctorCheck::from_error("encryption", error)),
    );
    let parts: [(_, &[Scope]); 2] = [
        ("memory", &[Scope::Private, Scope::Team]),
        ("own notes", &[Scope::Global]),
    ];
    for (name, scopes) in parts {
        let store = memory.store(scopes[0]);
        if let Err(error) = store.places().seal.key() {
            // Without its key nobody knows whether anything is damaged, and for all places that is said once.
            checks.extend(
                closed
                    .is_none()
                    .then(|| DoctorCheck::from_error(name, &error)),
            );
            continue;
        }
        if fix && place.location.enabled {
            // Under the lock, what a crash left is finished and swept.
            if let Err(error) = run.record_external(store) {
                checks.push(DoctorCheck::from_error(name, &error));
            }
        }
        checks.extend(writable_check(name, store));
        checks.extend(reading_checks(name, scopes, &memory));
        checks.extend(of_store(name, store));
    }
    checks.extend(forgotten_check(dirs));
    checks
}

fn location_check(place: &ProjectContext) -> DoctorCheck {
    let location = &place.location;
    let directory = location.memory_dir.display();
    match &location.disabled_by {
        Some(by) => {
            DoctorCheck::with_warning("location", format!("{directory}; memory is off"), by)
        }
        None => DoctorCheck::with_ok(
            "location",
            format!("{directory} ({})", location.source.as_str()),
        ),
    }
}

fn of_store(name: &'static str, store: &LocalStore) -> Vec<DoctorCheck> {
    let health = match store.health() {
        Ok(health) => health,
        Err(error) => return vec![DoctorCheck::from_error(name, &error)],
    };
    let mut checks = directory_checks(name, store, &health);
    checks.push(lock_check(name, &health));
    checks.extend(history_checks(name, store));
    checks
}

fn writable_check(name: &'static str, store: &LocalStore) -> Option<DoctorCheck> {
    let root = &store.places().root;
    let error = atomic::check_writable(root).err()?;
    let message = format!("{} cannot be written: {error}", root.display());
    Some(DoctorCheck::from_io(name, message, root, error))
}

/// Checks for files and folders of a memory directory that cannot be read, or are no memories.
fn reading_checks(
    name: &'static str,
    scopes: &[Scope],
    memory: &ProjectMemory,
) -> Vec<DoctorCheck> {
    // Why a directory cannot be listed is said of its store.
    let Ok(listing) = memory.list(scopes) else {
        return Vec::new();
    };
    let unreadable = listing.unreadable.iter();
    let unreadable: Vec<String> = unreadable.map(|one| one.error.to_string()).collect();
    let mut skipped = listing.warnings;
    skipped.retain(|text| !unreadable.contains(text));
    let mut checks = Vec::new();
    if !unreadable.is_empty() {
        let hint = "check who owns them and their permissions";
        checks.push(DoctorCheck::with_failure(
            name,
            some_names(&unreadable),
            hint,
        ));
    }
    if !skipped.is_empty() {
        let message = format!("passed over: {}", some_names(&skipped));
        let hint = "memories are plain text files with plain names";
        checks.push(DoctorCheck::with_warning(name, message, hint));
    }
    checks
}

/// What is in the directory besides memories.
fn directory_checks(name: &'static str, store: &LocalStore, health: &Health) -> Vec<DoctorCheck> {
    let root = store.places().root.display();
    let mut checks = Vec::new();
    if !health.leftovers.is_empty() {
        let message = format!(
            "a killed write left {} in {root}",
            format_count(health.leftovers.len(), "temporary file", "temporary files")
        );
        checks.push(DoctorCheck::with_warning(
            name,
            message,
            "`mem doctor --fix` removes them",
        ));
    }
    if !health.strangers.is_empty() {
        let names: Vec<String> = health.strangers.iter().map(ToString::to_string).collect();
        let message = format!(
            "no Markdown, kept and recorded all the same: {}",
            some_names(&names)
        );
        checks.push(DoctorCheck::with_ok(name, message));
    }
    if health.is_checkout {
        let message =
            format!("{root} is a git checkout of somebody's own: its `.git` is left alone");
        checks.push(DoctorCheck::with_ok(name, message));
    }
    checks
}

fn lock_check(name: &'static str, health: &Health) -> DoctorCheck {
    if health.is_locked {
        let holder = health
            .holder
            .map_or("a process".to_owned(), |id| format!("process {id}"));
        let message = format!("{holder} is writing right now");
        return DoctorCheck::with_warning(name, message, "ask again; a lock goes with its process");
    }
    match health.is_unfinished {
        true => DoctorCheck::with_warning(
            name,
            "a crash interrupted the last change",
            "the next change finishes it, and so does `mem doctor --fix`",
        ),
        false => DoctorCheck::with_ok(
            name,
            format!(
                "nobody writes; the history has {} bytes",
                health.history_bytes
            ),
        ),
    }
}

fn history_checks(name: &'static str, store: &LocalStore) -> Vec<DoctorCheck> {
    let path = store.places().history();
    let verified = match store.open_history() {
        Ok(None) => return vec![DoctorCheck::with_ok(name, "no history yet")],
        Ok(Some(history)) => history.verify(),
        Err(error) => return vec![DoctorCheck::from_error(name, &error)],
    };
    match verified {
        Ok(Integrity {
            objects,
            changes,
            broken,
        }) if broken.is_empty() => {
            let message = format!(
                "the history is whole: {}, {} in {}",
                format_count(changes, "change", "changes"),
                format_count(objects, "object", "objects"),
                path.display()
            );
            vec![DoctorCheck::with_ok(name, message)]
        }
        Ok(integrity) => {
            let message = format!("the history is damaged: {}", some_names(&integrity.broken));
            let hint = format!(
                "the files are not touched by that; move {} aside to begin a new history",
                path.display()
            );
            vec![DoctorCheck::with_failure(name, message, &hint)]
        }
        Err(error) => vec![DoctorCheck::from_error(name, &error)],
    }
}

/// Histories whose memory directory is gone: kept, since they can bring it back.
fn forgotten_check(dirs: &Dirs) -> Option<DoctorCheck> {
    let entries = std::fs::read_dir(dirs.stores())
        .into_iter()
        .flatten()
        .flatten();
    let roots = entries.filter_map(|entry| regular_file::read_text(entry.path().join("root")).ok());
    let gone: Vec<String> = roots
        .map(|root| root.trim_end().to_owned())
        .filter(|root| !std::path::Path::new(root).is_dir())
        .collect();
    (!gone.is_empty()).then(|| {
        DoctorCheck::with_ok(
            "histories",
            format!("kept for directories that are gone: {}", some_names(&gone)),
        )
    })
}

/// The first names, and how many more.
fn some_names(names: &[String]) -> String {
    let shown = names.iter().take(NAMES_SHOWN_MAX).cloned();
    let shown = shown.collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(NAMES_SHOWN_MAX) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
