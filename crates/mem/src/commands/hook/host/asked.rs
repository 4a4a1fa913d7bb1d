//! An event with the memory that it is about: that of the folder in which the session stands.

use anyhow::{Result, bail};
use mem_core::TextSource;
use mem_core::history::{Author, AuthorKind};
use mem_core::location::{self, ProjectContext};
use mem_core::memory::ProjectMemory;
use mem_core::store::ChangeMetadata;
use mem_find::session::ShownMemories;

use super::event::HookEvent;
use crate::context::Context;
use mem_agent::injection::{self, InjectedPart, Injection};
use mem_hosts::{HookHost, HostProfile};

/// An event, ready to be answered.
pub(super) struct HookCall<'a> {
    /// Its name, in kebab case.
    pub(super) name: &'a str,
    /// The host whose event it is.
    pub(super) host: &'static HostProfile,
    pub(super) event: &'a HookEvent,
    /// The world, standing where the session stands.
    pub(super) context: &'a Context,
    pub(super) place: ProjectContext,
    pub(super) memory: ProjectMemory,
    /// The least trusted source of the turn, where the hook itself recorded it.
    recorded_source: Option<TextSource>,
}

impl<'a> HookCall<'a> {
    /// Finds the memory.
    ///
    /// # Errors
    /// Memory is off; or there is no home, no such folder, or the settings cannot be read.
    pub(super) fn open_memory(
        name: &'a str,
        host: HookHost,
        event: &'a HookEvent,
        context: &'a Context,
    ) -> Result<Self> {
        let dirs = context.dirs()?;
        let place = location::open(&context.cwd, dirs, &context.env, &[])?;
        if let Some(by) = &place.location.disabled_by {
            bail!("memory is off here: {by}");
        }
        let memory = ProjectMemory::new(&place.location, dirs);
        // Of the session's own memory, whichever one is written to.
        let recorded_source = ShownMemories::for_memory(&memory, event.session_id()).source();
        Ok(Self {
            name,
            host: host.profile(),
            event,
            context,
            place,
            memory,
            recorded_source,
        })
    }

    /// Refuses where there is no memory at all.
    ///
    /// # Errors
    /// Neither the project's directory nor that of one's own notes is there.
    pub(super) fn require_directory(&self) -> Result<()> {
        let location = &self.place.location;
        let all = [&location.memory_dir, &location.global_dir];
        match all.iter().any(|folder| folder.is_dir()) {
            true => Ok(()),
            false => bail!("there is no memory in `{}`", location.memory_dir.display()),
        }
    }

    /// An order of the session's agent, whoever started the hook.
    pub(super) fn agent_metadata(&self, verb: &'static str) -> ChangeMetadata {
        let author = Author {
            actor: AuthorKind::Agent,
            session: self.event.session_id().map(str::to_owned),
            host: Some(self.host.id.to_owned()),
            source: self.event.turn_source().max(self.recorded_source),
            ..self.context.author()
        };
        ChangeMetadata::new(verb, author, self.context.now)
    }

    /// Records what the model is given, for `mem cost`. Nobody waits for a ledger that cannot be
    /// written.
    pub(super) fn record_injection(&self, text: &str, entries: Vec<InjectedPart>) -> usize {
        let whole = InjectedPart::from_label(String::new(), text);
        let injection = Injection {
            at: self.context.now.0.as_second(),
            session: self.event.session_id().unwrap_or_default().to_owned(),
            event: self.name.to_owned(),
            call: self
                .event
                .text_field("tool_use_id")
                .unwrap_or_default()
                .to_owned(),
            chars: whole.chars,
            tokens: whole.tokens,
            entries,
        };
        let _ = injection::record_injection(&self.memory, &injection);
        whole.tokens
    }
}
