//! What there is to distil: the bullets of logs and session notes, and what waits in the inbox.

use std::collections::{BTreeMap, BTreeSet};

use crate::dream::{Bullet, DistillPlan, of_log, of_session};
use crate::session::place::noted_sessions;
use crate::session::update::read_notes;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use mem_core::daily_log;
use mem_core::history::{AuthorKind, Sha256};
use mem_core::inbox::{Inbox, InboxEntry, InboxError};
use mem_core::location::ProjectContext;
use mem_core::memory::{ProjectMemory, ScopeDir};
use mem_core::notes::{LOGS_FOLDER, RETIRED_FOLDER};
use mem_core::plural::format_count;
use mem_core::store::MemoryPaths;
use mem_core::topic::TopicFile;
use mem_core::{Dirs, MemoryPath, Scope};

use super::error::DistillationError;
use super::lease;
use super::state::DistillState;
use crate::access::MemoryAccess;

/// A body of more characters is told by its description.
const CANDIDATE_CHARS_MAX: usize = 600;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct DistillSources {
    pub bullets: Vec<Bullet>,
    /// The entries of the inbox among them, by the mark of their bullet.
    pub entries: Vec<(String, InboxEntry)>,
    pub warnings: Vec<String>,
    /// Files that are no logs as they should be, each with the state that it has: they are told of once.
    pub reported_files: BTreeMap<String, String>,
}

/// Which of it is wanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct SourceFilter {
    /// Everything since a day, whatever was done with it before; else what is new.
    pub since: Option<Date>,
    /// What waits in the inbox: for a person only, who agrees to it with the plan.
    pub with_inbox: bool,
}

/// Reads everything that is wanted.
///
/// # Errors
/// The memory directory cannot be listed.
pub(super) fn read(
    memory: &ProjectMemory,
    wanted: SourceFilter,
    access: &MemoryAccess<'_>,
    zone: &TimeZone,
) -> Result<DistillSources, DistillationError> {
    let MemoryAccess { place, run, .. } = *access;
    let mut sources = DistillSources::default();
    let (remembered, damage) = DistillState::read(memory.store(Scope::Private).places());
    sources.warnings.extend(damage);
    let (reported_files, handled) = match wanted.since {
        Some(_) => Default::default(),
        None => (remembered.reported_files, remembered.handled),
    };
    sources.add_logs(memory, local_date(run.now.0, zone), &reported_files)?;
    sources.add_sessions(place, run.dirs()?, zone);
    if wanted.with_inbox && run.author().actor != AuthorKind::Agent {
        sources.add_inbox(memory, zone);
    }
    let is_wanted = |bullet: &Bullet| {
        wanted.since.is_none_or(|since| bullet.date >= since)
            && !handled.contains(&bullet.content_digest())
    };
    sources.bullets.retain(is_wanted);
    Ok(sources)
}

/// The day of an instant, where the person is.
pub(super) fn local_date(instant: Timestamp, zone: &TimeZone) -> Date {
    zone.to_datetime(instant).date()
}

impl DistillSources {
    fn add_logs(
        &mut self,
        memory: &ProjectMemory,
        today: Date,
        reported_files: &BTreeMap<String, String>,
    ) -> Result<(), DistillationError> {
        let snapshot = memory.store(Scope::Private).snapshot()?;
        let unreadable = snapshot.unreadable();
        let logs = unreadable.filter(|(path, _)| path.split('/').next() == Some(LOGS_FOLDER));
        self.warnings
            .extend(logs.map(|(_, error)| error.to_string()));
        // Another time zone may be a day ahead.
        let latest = today.checked_add(1.day()).unwrap_or(today);
        for path in snapshot.walk().files.keys() {
            let Some(date) = daily_log::date_of(path) else {
                if is_no_log(path) {
                    let text = format!(
                        "`{path}` is named after no day, as in logs/2026/01/2026-01-31.md: left out"
                    );
                    self.warn_once(path, "name", text, reported_files);
                }
                continue;
            };
            if date > latest {
                let text = format!("`{path}` is of a day that has not come: left out");
                self.warn_once(path, &date.to_string(), text, reported_files);
                continue;
            }
            let bytes = match snapshot.read(path) {
                Ok(Some((bytes, _))) => bytes,
                Ok(None) => continue,
                Err(error) => {
                    self.warnings.push(error.to_string());
                    continue;
                }
            };
            let found = of_log(&String::from_utf8_lossy(&bytes), date, path.as_str());
            if let Some((first, count)) = found.strange {
                let lines = format_count(count, "line is no bullet", "lines are no bullets");
                let text = format!("`{path}`: {lines}, the first is line {first}: left out");
                self.warn_once(
                    path,
                    &Sha256::digest(&bytes).to_string()[..16],
                    text,
                    reported_files,
                );
            }
            self.bullets.extend(found.bullets);
        }
        Ok(())
    }

    /// Warns of a file, unless that was done when it was in this state.
    fn warn_once(
        &mut self,
        path: &MemoryPath,
        state: &str,
        text: String,
        reported_files: &BTreeMap<String, String>,
    ) {
        let path = path.to_string();
        if reported_files.get(&path).is_none_or(|old| old != state) {
            self.warnings.push(text);
        }
        self.reported_files.insert(path, state.to_owned());
    }

    fn add_sessions(&mut self, place: &ProjectContext, dirs: &Dirs, zone: &TimeZone) {
        let all = noted_sessions(dirs).into_iter();
        for one in all.filter(|one| one.place.slug == place.location.slug) {
            match read_notes(&one.place) {
                Ok(text) => {
                    let (text, date) = (text.unwrap_or_default(), local_date(one.changed, zone));
                    let file = format!("session:{}", one.place.id);
                    self.bullets.extend(of_session(&text, date, &file).bullets);
                }
                Err(error) => self.warnings.push(error.to_string()),
            }
        }
    }

    /// What is to be a new memory of one's own. Whatever changes one that is there stays for the inbox.
    fn add_inbox(&mut self, memory: &ProjectMemory, zone: &TimeZone) {
        let inbox = Inbox::for_paths(memory.store(Scope::Private).places());
        for entry in inbox.waiting().entries {
            let Some(text) = candidate_text(&entry) else {
                continue;
            };
            let file = source_of(&entry);
            if let Some(bullet) = Bullet::new(&text, local_date(entry.time, zone), &file, 1) {
                self.entries.push((bullet.content_digest(), entry));
                self.bullets.push(bullet);
            }
        }
    }
}

/// Where what an entry says stands, as a plan names it.
pub(super) fn source_of(entry: &InboxEntry) -> String {
    format!("inbox:{}", entry.id)
}

/// Whether a file stands among the logs and is none, nor anything that `mem` keeps there.
fn is_no_log(path: &MemoryPath) -> bool {
    let is_ours = path.parent() == Some(RETIRED_FOLDER) || path.as_str() == lease::FILE;
    let is_hidden = path.as_str().split('/').any(|part| part.starts_with('.'));
    path.as_str().starts_with("logs/") && !is_ours && !is_hidden
}

/// What an entry would have a new memory say.
fn candidate_text(entry: &InboxEntry) -> Option<String> {
    let mut notes = entry.notes();
    let (file, None) = (notes.next()?, notes.next()) else {
        return None;
    };
    let is_new = file.old.is_none() && file.renamed_from.is_none();
    if !is_new || ScopeDir(Scope::Private).note(&file.path).is_none() {
        return None;
    }
    let bytes = &file.new.as_ref()?.0;
    let topic = TopicFile::parse(bytes);
    let body = topic.text(bytes);
    let body = body.trim();
    match body.is_empty() || body.chars().count() > CANDIDATE_CHARS_MAX {
        true => topic.description,
        false => Some(statement_text(body).to_owned()),
    }
}

/// What the one statement of a memory says that was distilled and waits: without its mark and its day.
fn statement_text(body: &str) -> &str {
    let one = body.strip_prefix("- ").filter(|rest| !rest.contains('\n'));
    let dated = one.and_then(|rest| rest.strip_suffix(')')?.rsplit_once(" ("));
    match dated.filter(|(_, day)| day.parse::<Date>().is_ok()) {
        Some((text, _)) => text,
        None => body,
    }
}

/// The ids of those that a plan takes in. What it leaves waits on.
pub(super) fn distilled_entries(plan: &DistillPlan, sources: &DistillSources) -> Vec<String> {
    let handled: BTreeSet<&String> = plan.handled.iter().collect();
    let left: BTreeSet<&str> = plan
        .left
        .iter()
        .map(|one| one.source.file.as_str())
        .collect();
    let entries = sources.entries.iter().filter(|(mark, entry)| {
        handled.contains(mark) && !left.contains(source_of(entry).as_str())
    });
    entries.map(|(_, entry)| entry.id.to_string()).collect()
}

/// Moves them to what was rejected, where they are kept for a while. Those that are gone were decided on.
///
/// # Errors
/// The system refuses.
pub(super) fn move_to_rejected(places: &MemoryPaths, ids: &[String]) -> Result<(), InboxError> {
    if ids.is_empty() {
        return Ok(());
    }
    let ids: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
    let inbox = Inbox::for_paths(places);
    let mut waiting = inbox.waiting().entries;
    waiting.retain(|entry| ids.contains(entry.id.as_str()));
    inbox.reject(&waiting)
}
