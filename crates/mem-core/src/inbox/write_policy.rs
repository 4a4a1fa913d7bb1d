//! Whether an agent may write by itself: the setting `memory.write`, as a gate.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::{Inbox, InboxEntry, InboxError};
use crate::config::{TextReview, WriteMode};
use crate::history::{Author, AuthorKind, Sha256};
use crate::notes;
use crate::store::{GateRefusal, ProposedChange, ProposedFile, WriteGate};
use crate::topic::TopicFile;
use crate::{Config, MemoryPath, TextSource};

/// Lets people write, and agents as far as they may. A write that is to be confirmed goes to the
/// inbox before it is refused with the code `awaits-consent`.
#[derive(Clone, Copy, Debug)]
pub struct ConsentGate {
    /// `memory.write`.
    pub policy: WriteMode,
    /// `memory.review`: from this source on, what an agent writes after it is to be confirmed.
    pub review: Option<TextSource>,
}

impl ConsentGate {
    /// The gate that lets everybody write.
    pub const fn open() -> Self {
        Self {
            policy: WriteMode::Auto,
            review: None,
        }
    }

    /// The gate of the settings.
    pub fn for_config(config: &Config) -> Self {
        Self {
            policy: config.values.memory.write,
            review: match config.values.memory.review {
                TextReview::None => None,
                TextReview::Tools => Some(TextSource::LocalTool),
                TextReview::Outside => Some(TextSource::TeamMemory),
            },
        }
    }

    /// The source for which a change waits for a person though agents write by themselves.
    pub fn source_to_review(
        &self,
        author: &Author,
        old: Option<&[u8]>,
        new: Option<&[u8]>,
    ) -> Option<TextSource> {
        self.reviewed(author.source.max(dropped_mark(old, new)))
    }

    fn reviewed(&self, source: Option<TextSource>) -> Option<TextSource> {
        source.filter(|source| self.review.is_some_and(|from| *source >= from))
    }
}

impl WriteGate for ConsentGate {
    fn consent(&self, change: &ProposedChange<'_>) -> Result<(), GateRefusal> {
        let author = &change.order.author;
        if author.actor != AuthorKind::Agent {
            return Ok(());
        }
        let of_file = |file: &ProposedFile<'_>| self.source_to_review(author, file.old, file.new);
        let source = change.files.iter().filter_map(of_file).max();
        let source = source.max(self.reviewed(moved_mark(&change.files)));
        match self.policy {
            // What comes from the history was let through once.
            WriteMode::Auto if source.is_none() || change.brings_history => Ok(()),
            WriteMode::ReadOnly => Err(read_only()),
            WriteMode::Confirm if change.brings_history => Err(for_a_person()),
            WriteMode::Auto | WriteMode::Confirm => {
                let mut entry = InboxEntry::from_change(change);
                entry.mark_source(source.max(author.source));
                Err(put_aside(change, entry))
            }
        }
    }
}

/// What a memory rested on, where it says less or nothing of it by now: a rewrite does not make it more trustworthy.
fn dropped_mark(old: Option<&[u8]>, new: Option<&[u8]>) -> Option<TextSource> {
    new?;
    mark_of(old).filter(|mark| mark_of(new) < Some(*mark))
}

/// What memories rested on that a change removes, where it writes others that say less: their text may have moved.
fn moved_mark(files: &[ProposedFile<'_>]) -> Option<TextSource> {
    let removed = files.iter().filter(|file| file.new.is_none());
    let mark = removed.map(|file| mark_of(file.old)).max().flatten()?;
    let takes_text = |file: &ProposedFile<'_>| {
        let is_written = file.new.is_some() && !notes::is_index(file.path);
        is_written && mark_of(file.new) < Some(mark)
    };
    files.iter().any(takes_text).then_some(mark)
}

fn mark_of(bytes: Option<&[u8]>) -> Option<TextSource> {
    TopicFile::parse(bytes?).rests_on
}

/// Puts every change into the inbox, whoever makes it: for what comes from elsewhere and waits for a
/// person.
#[derive(Clone, Copy, Debug)]
pub struct ReviewGate;

impl WriteGate for ReviewGate {
    fn consent(&self, change: &ProposedChange<'_>) -> Result<(), GateRefusal> {
        Err(put_aside(change, InboxEntry::from_change(change)))
    }
}

/// Puts every file of a change into the inbox by itself, whoever makes it.
#[derive(Debug)]
pub struct ReviewEachGate {
    remote: BTreeMap<MemoryPath, Sha256>,
    put: RefCell<BTreeMap<MemoryPath, Result<(), String>>>,
}

impl ReviewEachGate {
    /// A gate for files that come from elsewhere, with the checksum of each as it is there.
    pub fn from_remote(remote: BTreeMap<MemoryPath, Sha256>) -> Self {
        let put = RefCell::default();
        Self { remote, put }
    }

    /// The files that were asked about: whether each is in the inbox now, or why it could not be put there.
    pub fn put(self) -> BTreeMap<MemoryPath, Result<(), String>> {
        self.put.into_inner()
    }
}

impl WriteGate for ReviewEachGate {
    fn consent(&self, change: &ProposedChange<'_>) -> Result<(), GateRefusal> {
        let files = change.files.iter();
        let entry_of = |file: &ProposedFile<'_>| InboxEntry {
            remote: self.remote.get(file.path).copied(),
            ..InboxEntry::of_file(change, file)
        };
        let entries = files.map(entry_of).collect();
        let put = Inbox::for_paths(change.places).put_all(entries);
        let put = put.map_err(|error| not_put_aside(&error))?;
        let told = put.into_iter().map(|result| match result {
            Ok(_) => Ok(()),
            Err(error) => Err(not_put_aside(&error).message),
        });
        let paths = change.files.iter().map(|file| file.path.clone());
        self.put.borrow_mut().extend(paths.zip(told));
        Err(GateRefusal {
            code: AWAITS_CONSENT,
            message: "put aside for a person to decide on; nothing is written yet".to_owned(),
            hint: Some("a person sees it with `mem inbox`".to_owned()),
        })
    }
}

/// The code of a refusal that has put the change aside.
pub(crate) const AWAITS_CONSENT: &str = "awaits-consent";

/// Puts a change into the inbox; the refusal tells where it is, and why where nothing else says so.
fn put_aside(change: &ProposedChange<'_>, entry: InboxEntry) -> GateRefusal {
    let source = entry.author.source.filter(|source| source.is_outside());
    match Inbox::for_paths(change.places).put(entry) {
        Ok(entry) => GateRefusal {
            code: AWAITS_CONSENT,
            message: format!(
                "put aside for a person to decide on, as {} in the inbox{}; nothing is written yet",
                entry.id,
                source.map_or_else(String::new, |source| format!(
                    ", because it rests on {}",
                    source.description()
                ))
            ),
            hint: Some(
                "go on without it and do not write it again; a person sees it with `mem inbox`"
                    .to_owned(),
            ),
        },
        Err(error) => not_put_aside(&error),
    }
}

fn not_put_aside(error: &InboxError) -> GateRefusal {
    GateRefusal {
        code: "inbox",
        message: format!("a person must agree to this, and it cannot be put aside: {error}"),
        hint: crate::Diagnose::hint(error),
    }
}

fn read_only() -> GateRefusal {
    GateRefusal {
        code: "read-only",
        message: "memory is read-only for agents here".to_owned(),
        hint: Some("tell the person what you would have saved; they set `memory.write`".to_owned()),
    }
}

fn for_a_person() -> GateRefusal {
    GateRefusal {
        code: "for-a-person",
        message: "this is for a person to do where agents' writes are confirmed".to_owned(),
        hint: Some("ask the person to run it".to_owned()),
    }
}
