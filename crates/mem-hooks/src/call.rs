//! An event with the memory that it is about: that of the folder in which the session stands.

use mem_core::history::{Author, AuthorKind};
use mem_core::location::{self, ProjectContext};
use mem_core::memory::ProjectMemory;
use mem_core::store::ChangeMetadata;
use mem_core::{RunContext, TextSource};
use mem_find::session::ShownMemories;

use crate::HookError;
use crate::event::HookEvent;
use mem_agent::injection::{self, InjectedPart, Injection};
use mem_hosts::{HookHost, HostProfile};

/// An event, ready to be answered.
pub(crate) struct HookCall<'a> {
    /// Its name, in kebab case.
    pub(crate) name: &'a str,
    /// The host whose event it is.
    pub(crate) host: &'static HostProfile,
    pub(crate) event: &'a HookEvent,
    /// The run, standing where the session stands.
    pub(crate) run: &'a RunContext,
    pub(crate) place: ProjectContext,
    pub(crate) memory: ProjectMemory,
    /// The least trusted source of the turn, where the hook itself recorded it.
    recorded_source: Option<TextSource>,
}

impl<'a> HookCall<'a> {
    /// Finds the memory.
    ///
    /// # Errors
    /// Memory is off; or there is no home, no such folder, or the settings cannot be read.
    pub(crate) fn open_memory(
        name: &'a str,
        host: HookHost,
        event: &'a HookEvent,
        run: &'a RunContext,
    ) -> Result<Self, HookError> {
        let dirs = run.dirs()?;
        let place = location::open(&run.cwd, dirs, &run.env, &[])?;
        if let Some(by) = &place.location.disabled_by {
            return Err(format!("memory is off here: {by}").into());
        }
        let memory = ProjectMemory::new(&place.location, dirs);
        // Of the session's own memory, whichever one is written to.
        let recorded_source = ShownMemories::for_memory(&memory, event.session_id()).source();
        Ok(Self {
            name,
            host: host.profile(),
            event,
            run,
            place,
            memory,
            recorded_source,
        })
    }

    /// Refuses where there is no memory at all.
    ///
    /// # Errors
    /// Neither the project's directory nor that of one's own notes is there.
    pub(crate) fn require_directory(&self) -> Result<(), HookError> {
        let location = &self.place.location;
        let all = [&location.memory_dir, &location.global_dir];
        match all.iter().any(|folder| folder.is_dir()) {
            true => Ok(()),
            false => {
                let folder = location.memory_dir.display();
                Err(format!("there is no memory in `{folder}`").into())
            }
        }
    }

    /// An order of the session's agent, whoever started the hook.
    pub(crate) fn agent_metadata(&self, verb: &'static str) -> ChangeMetadata {
        let author = Author {
            actor: AuthorKind::Agent,
            session: self.event.session_id().map(str::to_owned),
            host: Some(self.host.id.to_owned()),
            source: self.event.turn_source().max(self.recorded_source),
            ..self.run.author()
        };
        ChangeMetadata::new(verb, author, self.run.now)
    }

    /// Records what the model is given, for `mem cost`. Nobody waits for a ledger that cannot be
    /// written.
    pub(crate) fn record_injection(&self, text: &str, entries: Vec<InjectedPart>) -> usize {
        let whole = InjectedPart::from_label(String::new(), text);
        let injection = Injection {
            at: self.run.now.0.as_second(),
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
