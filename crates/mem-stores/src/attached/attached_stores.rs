//! What an agent's call works on: the stores that are attached here, each with its copy.

use mem_core::config::WriteMode;
use mem_core::error::message_with_causes;
use mem_core::location::ProjectContext;
use mem_core::run::HomeError;
use mem_sync::client::Direction;

use super::attachment_file::{Attachment, AttachmentFile, StoreAccess};
use super::environment::CopyEnvironment;
use super::error::CopyError;
use super::round::{AttachedStore, Effort, RoundOutcome};

/// The attached stores of a place.
pub struct AttachedStores<'s> {
    /// The program around.
    pub environment: &'s dyn CopyEnvironment,
    place: &'s ProjectContext,
    /// Where it is written down what is attached.
    pub list: AttachmentFile,
    /// Never empty.
    pub attachments: Vec<Attachment>,
}

impl<'s> AttachedStores<'s> {
    /// The stores that are attached in a place, for an agent's call; `None` where there are none.
    ///
    /// # Errors
    /// There is no home directory.
    pub fn open_for(
        place: &'s ProjectContext,
        environment: &'s dyn CopyEnvironment,
    ) -> Result<Option<Self>, HomeError> {
        let list = AttachmentFile::for_place(place, environment.run())?;
        Ok(Self::for_project(list, place, environment))
    }

    /// The stores of a place; `None` where nothing is attached.
    pub fn for_project(
        list: AttachmentFile,
        place: &'s ProjectContext,
        environment: &'s dyn CopyEnvironment,
    ) -> Option<Self> {
        let (attachments, warning) = list.read_attachments();
        if let Some(warning) = warning {
            environment.warn_once(&warning);
        }
        (!attachments.is_empty()).then_some(Self {
            environment,
            place,
            list,
            attachments,
        })
    }

    /// The store with a folder of that name.
    pub fn by_slug(&self, slug: &str) -> Option<&Attachment> {
        self.attachments.iter().find(|one| one.slug == slug)
    }

    /// The store that a text names: by its folder first, else by its id or its name.
    pub fn find_store(&self, named: &str) -> Option<&Attachment> {
        let found = self.by_slug(named);
        found.or_else(|| self.attachments.iter().find(|one| one.is_called(named)))
    }

    /// One of them, with its copy.
    pub fn open_store<'a>(&'a self, attachment: &'a Attachment) -> AttachedStore<'a> {
        AttachedStore::new(attachment, &self.list, self.place, self.environment)
    }

    /// Has what waits for any store sent by a process that nobody waits for.
    pub fn send_in_background(&self) {
        let mut all = self.attachments.iter().map(|one| self.open_store(one));
        if let Some(waiting) = all.find(|store| store.copy.has_unsent()) {
            waiting.sync_in_background();
        }
    }
}

impl AttachedStore<'_> {
    /// Brings a copy up to date, if the server answers soon; what waited for that is sent.
    ///
    /// # Errors
    /// The state cannot be read or written.
    pub fn refresh_copy(&self) -> Result<RoundOutcome, CopyError> {
        self.sync_soon(match self.copy.has_unsent() {
            true => Direction::Both,
            false => Direction::Pull,
        })
    }

    /// Sends what waits, if the server answers soon. What is as the server has it again does not wait: a memory
    /// that was made and removed before it was sent.
    ///
    /// # Errors
    /// The state cannot be read or written.
    pub fn send_changes(&self) -> Result<RoundOutcome, CopyError> {
        let mut locked = self.lock_copy()?;
        locked.drop_settled()?;
        locked.finish_changes()?;
        self.sync_soon(Direction::Both)
    }

    fn sync_soon(&self, direction: Direction) -> Result<RoundOutcome, CopyError> {
        let outcome = self.sync_with_server(direction, Effort::of_agent(), &|_| {})?;
        if let Some(error) = &outcome.error {
            let name = &self.attachment.slug;
            let text = format!(
                "the attached store `{name}` is as it was last seen: {}",
                message_with_causes(error)
            );
            self.environment.warn_once(&text);
        }
        if outcome.is_unfinished {
            self.sync_in_background();
        }
        Ok(outcome)
    }

    fn sync_in_background(&self) {
        if self.place.config.values.recall.background {
            self.environment.sync_in_background();
        }
    }

    /// Why an agent may not write to a store, in words for it; `None` where it may.
    pub fn write_obstacle(&self) -> Option<String> {
        let mount = self.attachment.mount_path();
        if self.attachment.access == StoreAccess::ReadOnly {
            return Some(format!(
                "The store at {mount} is attached read-only: it can be viewed and not be changed."
            ));
        }
        if self.place.config.values.memory.write != WriteMode::Auto {
            return Some(format!(
                "Agents do not write to memory by themselves here, and not to the store at {mount}."
            ));
        }
        if self.copy.read_status().is_archived {
            return Some(format!(
                "The store at {mount} is archived: it can be viewed and not be changed."
            ));
        }
        None
    }
}
