//! One talk with the server of an attached store, from the lock to what is remembered of it. One at a time
//! for each copy; an agent that is in the middle of its work waits for a few seconds at most, and after a
//! server was away nobody asks it for a while.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use mem_core::location::ProjectContext;
use mem_core::{Now, state_file};
use mem_scan::outbound::OutboundScanner;
use mem_sync::client::Direction;

use super::attachment_file::{Attachment, AttachmentFile, StoreAccess};
use super::copy::{LockedCopy, OfflineCopy};
use super::environment::CopyEnvironment;
use super::error::CopyError;
use super::replica::{Replica, ServerView};
use super::state::{ConflictCopy, CopyStatus};
use crate::client::Patience;

/// A copy that was looked at so recently is taken as it is.
const FRESH_SECONDS: i64 = 5;
/// After a server was away it is left alone for so long, twice as long each time.
const AWAY_SECONDS: i64 = 30;
/// But no longer.
const AWAY_SECONDS_MAX: i64 = 300;
/// An agent waits for all of a talk so long.
const AGENT_WAITS: Duration = Duration::from_millis(2_500);

/// How much a talk may cost.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    patience: Patience,
    deadline: Option<Duration>,
    /// Whether it is made although the last one was just now, or the server was away.
    is_wanted: bool,
}

impl Effort {
    /// What an agent waits for.
    pub fn of_agent() -> Self {
        Self {
            patience: Patience::short(),
            deadline: Some(AGENT_WAITS),
            is_wanted: false,
        }
    }

    /// What a person asked for, or a process that nobody waits for.
    pub fn without_limit() -> Self {
        Self {
            patience: Patience::default(),
            deadline: None,
            is_wanted: true,
        }
    }
}

/// What a talk came to.
#[derive(Debug, Default)]
pub struct RoundOutcome {
    /// What gave way in it.
    pub aside: Vec<ConflictCopy>,
    /// What went wrong.
    pub error: Option<CopyError>,
    /// Whether there is more to be done than the time allowed.
    pub is_unfinished: bool,
}

/// One attached store with its copy, ready for talks.
pub struct AttachedStore<'s> {
    /// What is attached.
    pub attachment: &'s Attachment,
    /// Where that is written down.
    pub list: &'s AttachmentFile,
    pub(super) place: &'s ProjectContext,
    pub(super) environment: &'s dyn CopyEnvironment,
    /// The offline copy.
    pub copy: OfflineCopy,
}

impl<'s> AttachedStore<'s> {
    /// The store of an attachment.
    pub fn new(
        attachment: &'s Attachment,
        list: &'s AttachmentFile,
        place: &'s ProjectContext,
        environment: &'s dyn CopyEnvironment,
    ) -> Self {
        let copy = OfflineCopy::for_attachment(attachment, list);
        Self {
            attachment,
            list,
            place,
            environment,
            copy,
        }
    }

    /// The copy, while nobody else changes it.
    ///
    /// # Errors
    /// The system has something against it.
    pub fn lock_copy(&self) -> Result<LockedCopy<'_>, CopyError> {
        self.copy.lock_copy(self.environment.run().current_time())
    }

    /// Talks to the server. That it is away is no error of this call: the outcome says it.
    ///
    /// # Errors
    /// The state cannot be read or written.
    pub fn sync_with_server(
        &self,
        direction: Direction,
        effort: Effort,
        count: &dyn Fn(usize),
    ) -> Result<RoundOutcome, CopyError> {
        let (copy, now) = (&self.copy, self.environment.run().current_time());
        let direction = match copy.is_read_only() {
            true => Direction::Pull,
            false => direction,
        };
        if !effort.is_wanted && !is_due(&copy.read_status(), direction, now) {
            return Ok(RoundOutcome::default());
        }
        let lock = copy.state.talk_lock();
        let lock = match effort.is_wanted {
            true => Some(state_file::lock(&lock)?),
            // Whoever talks takes over what is new; what waits goes out with the next call.
            false => state_file::try_lock(&lock)?,
        };
        let Some(_lock) = lock else {
            return Ok(RoundOutcome::default());
        };
        if effort.is_wanted {
            self.note_modified_files()?;
        }
        let before = copy.read_status().aside;
        let (error, is_unfinished) = match self.replicate_copy(direction, effort, now, count) {
            Ok(true) => (None, false),
            Ok(false) => (None, true),
            Err(error) => (Some(error), false),
        };
        let aside = self.record_outcome(error.as_ref(), is_unfinished, now)?;
        Ok(RoundOutcome {
            aside: aside
                .into_iter()
                .filter(|one| !before.contains(one))
                .collect(),
            error,
            is_unfinished,
        })
    }

    /// `false` where it took too long.
    fn replicate_copy(
        &self,
        direction: Direction,
        effort: Effort,
        now: Now,
        count: &dyn Fn(usize),
    ) -> Result<bool, CopyError> {
        let copy = &self.copy;
        let screen =
            OutboundScanner::for_project(&self.place.project, self.environment.run().dirs()?)?;
        let base_url = &self.attachment.base_url;
        let server = self
            .environment
            .open_client(base_url, self.place, effort.patience)?;
        let replica = Replica {
            copy,
            server,
            store: &self.attachment.store,
            screen: &screen,
            now,
            deadline: effort.deadline.map(|deadline| Instant::now() + deadline),
            is_wanted: effort.is_wanted,
            count,
            view: ServerView::for_copy(copy, now)?.into(),
            failure: RefCell::default(),
            is_unfinished: Cell::default(),
        };
        if effort.is_wanted {
            self.update_store_info(&replica)?;
        }
        match replica.run(direction) {
            Err(_) if replica.is_unfinished.get() => Ok(false),
            done => done.map(|()| true),
        }
    }

    /// Takes over what the store is called now.
    fn update_store_info(&self, replica: &Replica<'_>) -> Result<(), CopyError> {
        let store = replica
            .server
            .run(|client| client.store(&self.attachment.store));
        let store = store?;
        let mut locked = self.lock_copy()?;
        locked.status.is_archived = store.archived_at.is_some();
        locked.finish_changes()?;
        let slug = &self.attachment.slug;
        self.list
            .update_store_info(slug, &store.name, &store.description)
    }
}

/// Whether a talk that nobody asked for is worth its time.
fn is_due(status: &CopyStatus, direction: Direction, now: Now) -> bool {
    let second = now.0.as_second();
    let is_away = status.away_until.is_some_and(|until| second < until);
    // A clock that was set back does not keep a copy fresh for ever.
    let is_fresh = status
        .pulled
        .is_some_and(|pulled| (0..FRESH_SECONDS).contains(&(second - pulled)));
    let is_needless = direction == Direction::Pull && is_fresh && status.is_whole;
    !(is_away || is_needless)
}

impl AttachedStore<'_> {
    /// Writes down how it went; returns all that gave way.
    fn record_outcome(
        &self,
        error: Option<&CopyError>,
        is_unfinished: bool,
        now: Now,
    ) -> Result<Vec<ConflictCopy>, CopyError> {
        let mut locked = self.copy.lock_copy(now)?;
        let status = &mut locked.status;
        status.trouble = match error {
            Some(error) => Some(self.environment.error_text(error)),
            None if is_unfinished => Some("the server takes long".to_owned()),
            None => None,
        };
        let refusal = error.and_then(CopyError::as_client_error);
        status.is_turned_away =
            refusal.is_some_and(|error| error.is_not_found() || error.is_forbidden());
        if status.trouble.is_some() {
            let second = now.0.as_second();
            let doubled = AWAY_SECONDS << status.times_away.min(8);
            status.away_until = Some(second + doubled.min(AWAY_SECONDS_MAX));
            status.times_away = status.times_away.saturating_add(1);
        } else {
            status.away_until = None;
            status.times_away = 0;
        }
        let aside = status.aside.clone();
        locked.finish_changes()?;
        Ok(aside)
    }

    /// Notes what was changed in the copy by other means than an agent's tools. A person who edits the files
    /// of the copy is heard that way; what stands in a store that may only be read is put back by the talk itself.
    ///
    /// # Errors
    /// The copy cannot be read.
    pub fn note_modified_files(&self) -> Result<(), CopyError> {
        if self.attachment.access == StoreAccess::ReadOnly {
            return Ok(());
        }
        let mut locked = self.lock_copy()?;
        locked.note_modified_files()?;
        locked.finish_changes()
    }
}
