//! What a session takes back of what an earlier run kept of it: a hook runs after every turn, so that a change of mind
//! is mostly read by the run after the one that wrote.
//!
//! Only what was written from that very session is taken back, and only as it was written: what somebody changed since
//! stays, and is told. What may mean something else, and what another session said, is proposed to a person.

use std::collections::BTreeSet;

use crate::extract::extraction_state::ExtractionState;
use crate::extract::{Extraction, Reason, RetractionTarget, SubjectWords};
use mem_core::Scope;
use mem_core::history::{Change, ChangeId, FileOperation, Sha256, Version};
use mem_core::inbox::Inbox;
use mem_core::memory::{Note, ProjectMemory};
use mem_core::notes::{ARCHIVE_FILE, INDEX_FILE};
use mem_core::store::{ChangeMetadata, LocalStore, Undo, UndoError, WriteGate};
use mem_core::topic::TopicFile;

use super::ExtractionMode;
use super::error::ExtractionError;
use super::extraction_memory::{ExtractionMemory, digests};
use super::write::{HOST, InboxGate, because};
use crate::access::MemoryAccess;
use crate::title::note_line;

/// What was taken back.
#[derive(Debug, Default)]
pub(super) struct Back {
    /// The changes that took it back.
    pub changes: Vec<ChangeId>,
    /// The memories that went, or say again what they said before; those that would, in a dry run.
    pub files: Vec<String>,
    /// How many removals wait for a person.
    pub waiting: usize,
    /// What stays, and why.
    pub warnings: Vec<String>,
}

/// What is to be taken back.
struct RetractionRequest<'f> {
    /// In which record it was said, by the digests of its sentences; anywhere in the session where it is named.
    said: Option<(String, BTreeSet<String>)>,
    about: Option<&'f SubjectWords>,
    is_sure: bool,
}

/// A change that wrote some of it.
struct RetractableChange {
    change: Change,
    /// The versions that say it.
    versions: Vec<Version>,
    /// Whether the change wrote nothing else.
    is_all: bool,
}

/// Where it is taken back, and by whom.
struct RetractionContext<'d> {
    session: &'d str,
    memory: &'d ProjectMemory,
    gate: &'d dyn WriteGate,
    order: ChangeMetadata,
    dry_run: bool,
}

/// Takes back what the session takes back.
///
/// # Errors
/// The history or the system's.
pub(super) fn take_back(
    found: &Extraction,
    read: &ExtractionState,
    session: &str,
    way: ExtractionMode,
    memory: &ProjectMemory,
    access: &MemoryAccess<'_>,
) -> Result<Back, ExtractionError> {
    let mut back = Back::default();
    let all = retraction_requests(found, read, way.whole);
    if all.is_empty() {
        return Ok(back);
    }
    let desk = RetractionContext {
        session,
        memory,
        gate: access.gate,
        order: because(
            &format!("taken back in session {session}"),
            session,
            access.run,
        ),
        dry_run: way.dry_run,
    };
    for one in &all {
        let before = (back.files.len(), back.waiting);
        for scope in [Scope::Private, Scope::Global] {
            desk.take_back_of(one, scope, &mut back)?;
        }
        if let Some(about) = one
            .about
            .filter(|_| before == (back.files.len(), back.waiting))
        {
            let is_of = |text: &str| about.is_of(text);
            let mut dropped = found.dropped.iter();
            if !dropped.any(|one| one.reason == Reason::TakenBack && is_of(&one.quote)) {
                desk.propose_older(about, &mut back)?;
            }
        }
    }
    Ok(back)
}

/// What is to be taken back. A record that took something back takes back no more when it is read again.
fn retraction_requests<'f>(
    found: &'f Extraction,
    read: &ExtractionState,
    whole: bool,
) -> Vec<RetractionRequest<'f>> {
    let is_new = |record: &String| !record.is_empty() && !read.took_back.contains(record);
    let new = found.taken_back.iter().filter(|one| is_new(&one.record));
    let wanted = new.filter_map(|one| {
        let (said, about, is_sure) = match &one.what {
            RetractionTarget::Before { may_answer } => {
                let last = read.last.as_ref().filter(|_| !whole)?;
                let said = (last.record.clone(), last.said.iter().cloned().collect());
                let is_sure = !(last.goes_on || *may_answer && last.is_asked);
                (Some(said), None, is_sure)
            }
            RetractionTarget::Quote { record, quote } => {
                let said = (record.clone(), digests(quote).collect());
                (Some(said), None, true)
            }
            RetractionTarget::About(about) => (None, Some(about), true),
        };
        Some(RetractionRequest {
            said,
            about,
            is_sure: is_sure && one.is_sure,
        })
    });
    wanted.collect()
}

impl RetractionRequest<'_> {
    /// Whether a memory quotes it, of the sentences that were kept.
    fn is_quoted(&self, text: &str, kept: &BTreeSet<&str>) -> bool {
        quoted_lines(text).any(|quote| {
            let mut parts = digests(quote).peekable();
            let is_named = self.about.is_none_or(|about| about.is_of(quote));
            is_named && parts.peek().is_some() && parts.all(|part| kept.contains(part.as_str()))
        })
    }
}

/// What a memory quotes, line by line, as `compose` and `write` put it there.
fn quoted_lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter(|line| line.starts_with("**Said"));
    lines.filter_map(|line| {
        let (_, quote) = line.split_once('"')?;
        quote.trim_end().strip_suffix('"')
    })
}

impl RetractionContext<'_> {
    /// Takes back what is kept in the store of a tier.
    fn take_back_of(
        &self,
        wanted: &RetractionRequest<'_>,
        scope: Scope,
        back: &mut Back,
    ) -> Result<(), ExtractionError> {
        let store = self.memory.store(scope);
        let (remembered, _) = ExtractionMemory::for_memory(self.memory, scope);
        let kept = remembered.of_session(self.session, wanted.said.as_ref());
        let changes: BTreeSet<Option<&str>> =
            kept.iter().map(|one| one.change.as_deref()).collect();
        for change in changes {
            let of_it = kept.iter().filter(|one| one.change.as_deref() == change);
            let words: BTreeSet<&str> = of_it.map(|one| one.words.as_str()).collect();
            match change {
                Some(change) => {
                    let Some(hit) = match_change(store, change, wanted, &words)? else {
                        continue;
                    };
                    self.take_away(&hit, scope, wanted.is_sure, back)?;
                }
                None if wanted.is_sure => self.reject_entries(store, wanted, &words, back)?,
                None => {}
            }
        }
        Ok(())
    }

    /// Takes back what a change wrote, or proposes that.
    fn take_away(
        &self,
        hit: &RetractableChange,
        scope: Scope,
        is_sure: bool,
        back: &mut Back,
    ) -> Result<(), ExtractionError> {
        let store = self.memory.store(scope);
        let labels = hit
            .versions
            .iter()
            .map(|one| store.tiers().label(&one.path));
        let labels: Vec<String> = labels.collect();
        if self.dry_run {
            back.files.extend(labels);
            return Ok(());
        }
        if is_sure && hit.is_all {
            let which = Undo::Change(hit.change.id.to_string());
            let undone = store.undo(&self.order, self.gate, &which);
            match undone {
                // The index may be what was changed since: the memories need not be.
                Err(
                    UndoError::Overtaken { .. } | UndoError::TooOld(_) | UndoError::Redaction(_),
                ) => {}
                undone => {
                    let made = undone.map(|done| (done.change, done.warnings));
                    return back.add_result(made.map_err(ExtractionError::from), labels);
                }
            }
        }
        let notes = self.as_written(&hit.versions, scope);
        let stay = hit.versions.len() - notes.len();
        for note in notes {
            self.remove_memory(note, is_sure, back)?;
        }
        if stay > 0 {
            back.record_remaining(&labels);
        }
        Ok(())
    }

    /// The memories that these versions made and nobody has changed since.
    fn as_written(&self, versions: &[Version], scope: Scope) -> Vec<Note> {
        let scopes: &[Scope] = match scope {
            Scope::Global => &[Scope::Global],
            _ => &[Scope::Private, Scope::Team],
        };
        let listed = self.memory.list(scopes).map(|listing| listing.notes);
        let mut notes = listed.unwrap_or_default();
        notes.retain(|note| {
            let is_it =
                |one: &&Version| one.path == note.path && one.operation == FileOperation::Created;
            let version = versions.iter().find(is_it);
            version.is_some_and(|one| one.sha256 == Some(Sha256::digest(&note.bytes)))
        });
        notes
    }

    /// Removes a memory, or proposes that to a person.
    fn remove_memory(
        &self,
        note: Note,
        is_sure: bool,
        back: &mut Back,
    ) -> Result<(), ExtractionError> {
        let label = note.label();
        let (scope, notes) = (note.scope, [note]);
        let aside = InboxGate(self.gate);
        let gate: &dyn WriteGate = if is_sure { self.gate } else { &aside };
        let removed = self.memory.remove_all(scope, &notes, &self.order, gate);
        let done = removed.map(|done| (done.change, done.warnings));
        back.add_result(done.map_err(ExtractionError::from), vec![label])
    }

    /// Rejects inbox entries that wait for a person.
    fn reject_entries(
        &self,
        store: &LocalStore,
        wanted: &RetractionRequest<'_>,
        words: &BTreeSet<&str>,
        back: &mut Back,
    ) -> Result<(), ExtractionError> {
        let inbox = Inbox::for_paths(store.places());
        for entry in inbox.waiting().entries {
            let author = &entry.author;
            let is_ours = author.session.as_deref() == Some(self.session)
                && author.host.as_deref() == Some(HOST);
            let says_it = entry.notes().any(|file| {
                let text = file.new.as_ref().map(|new| String::from_utf8_lossy(&new.0));
                text.is_some_and(|text| wanted.is_quoted(&text, words))
            });
            if is_ours && says_it {
                if !self.dry_run {
                    inbox.reject(std::slice::from_ref(&entry))?;
                }
                back.files.push(format!("{} in the inbox", entry.id));
            }
        }
        Ok(())
    }

    /// Proposes that a memory of another session goes, where one alone is about what was taken back.
    fn propose_older(&self, about: &SubjectWords, back: &mut Back) -> Result<(), ExtractionError> {
        let listed = self.memory.list(&[Scope::Private, Scope::Global]);
        let mut notes = listed.map(|listing| listing.notes).unwrap_or_default();
        notes.retain(|note| !note.topic.pinned && about.is_of(note_line(note)));
        match notes.pop().filter(|_| notes.is_empty()) {
            Some(note) if !self.dry_run => self.remove_memory(note, false, back),
            _ => Ok(()),
        }
    }
}

/// What of a change says what is wanted; `None` where it says nothing of that, or was taken back.
fn match_change(
    store: &LocalStore,
    change: &str,
    wanted: &RetractionRequest<'_>,
    words: &BTreeSet<&str>,
) -> Result<Option<RetractableChange>, ExtractionError> {
    let Some(history) = store.open_history()? else {
        return Ok(None);
    };
    // The kept history may begin later than that.
    let Ok(entry) = history.find(change) else {
        return Ok(None);
    };
    if store.is_taken_back(change)? {
        return Ok(None);
    }
    let is_list = |one: &Version| [INDEX_FILE, ARCHIVE_FILE].contains(&one.path.file_name());
    let (mut versions, mut others) = (Vec::new(), 0);
    for version in entry.change.versions.iter().filter(|one| !is_list(one)) {
        let content = history.content(entry.sequence, &version.path)?;
        let text = content.map(|bytes| TopicFile::parse(&bytes).text(&bytes).into_owned());
        match text.is_some_and(|text| wanted.is_quoted(&text, words)) {
            true => versions.push(version.clone()),
            false => others += 1,
        }
    }
    Ok((!versions.is_empty()).then_some(RetractableChange {
        change: entry.change,
        versions,
        is_all: others == 0,
    }))
}

impl Back {
    /// Takes in what became of it.
    fn add_result(
        &mut self,
        done: Result<(Option<Change>, Vec<String>), ExtractionError>,
        labels: Vec<String>,
    ) -> Result<(), ExtractionError> {
        match done {
            Ok((change, warnings)) => {
                self.changes.extend(change.map(|change| change.id));
                self.warnings.extend(warnings);
                self.files.extend(labels);
            }
            Err(error) if error.awaits_consent() => self.waiting += labels.len(),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Tells that something stays.
    fn record_remaining(&mut self, labels: &[String]) {
        for label in labels {
            self.warnings.push(format!(
                "`{label}` says still what was taken back: it was changed since"
            ));
        }
    }
}
