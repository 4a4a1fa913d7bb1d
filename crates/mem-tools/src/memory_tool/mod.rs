//! The memory tool over a project's memory, a user's or a directory of its own: which one it works on, and what it
//! answers. `stores`: over the copies of attached stores. `secrets`: what may not be written. `user`: a directory for
//! each user.

mod secrets;
mod stores;
mod user;

use crate::error_text::ErrorText;
use crate::{CallError, ToolEnvironment};
use mem_core::config::{MemoryMode, WriteMode};
use mem_team::write_gates::{ProjectGate, SecretGate};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use mem_agent::tool::{
    DirWriter, Expired, MemoryTool, StoreWriter, ToolAnswer, ToolDialect, ToolFailure, ToolLimits,
    ToolWriter, Views,
};
use mem_core::history::{Author, AuthorKind};
use mem_core::location::ProjectContext;
use mem_core::memory::StoreMemories;
use mem_core::plain::PlainRoot;
use mem_core::store::{LocalStore, MemoryPaths, OpenGate, Tiers, WriteGate};
use mem_core::{Now, RunContext};
use serde_json::Value;

use secrets::Secrets;

/// The host that is recorded where the environment names none.
const HOST: &str = "memory-tool";
/// Files that expire are looked for once in so many seconds.
const SWEEP_SECONDS: i64 = 3_600;

/// What a host asked for.
#[derive(Debug)]
pub struct ToolOptions {
    /// Memories are in `memories` below it; `None` for the project's.
    pub root: Option<PathBuf>,
    /// Whose memory it is, where a host has many users.
    pub user: Option<OsString>,
    /// Whose texts are spoken.
    pub dialect: ToolDialect,
    /// What is allowed.
    pub limits: ToolLimits,
    /// Whether a directory of its own has a history.
    pub has_history: bool,
    /// Whether secrets may be written.
    pub allows_secrets: bool,
    /// Files expire so many days after they were last viewed.
    pub expire_days: Option<u32>,
}

/// A memory that is open for a model.
pub struct OpenMemory<'c> {
    environment: &'c ToolEnvironment,
    dialect: ToolDialect,
    limits: ToolLimits,
    root: PathBuf,
    kept: Option<KeptIn>,
    secrets: Option<Secrets>,
    views: Option<Views>,
    /// Seconds since 1970.
    last_sweep: Option<i64>,
}

/// A memory directory with its history.
struct KeptIn {
    files: StoreMemories,
    /// The project and its gates; `None` for a directory of its own.
    project: Option<(ProjectContext, ProjectGate)>,
}

impl<'c> OpenMemory<'c> {
    /// Opens what is wanted. Nothing is made yet.
    ///
    /// # Errors
    /// Memory is off here, the settings are broken, there is no home directory.
    pub fn open(wanted: &ToolOptions, environment: &'c ToolEnvironment) -> Result<Self, CallError> {
        let context = environment.run();
        let own = own_root(wanted, context)?;
        let is_closed = is_closed(wanted, context)?;
        let (root, kept, secrets) = match own {
            Some((root, has_history)) => {
                let kept = has_history
                    .then(|| kept_alone(&root, context))
                    .transpose()?;
                (root, kept, Secrets::anywhere())
            }
            None => of_project(context)?,
        };
        let views = wanted.expire_days.map(|days| -> Result<Views, CallError> {
            let file = viewed_file(&root, kept.as_ref(), context)?;
            Ok(Views::new(&file, days))
        });
        Ok(Self {
            environment,
            dialect: wanted.dialect,
            limits: ToolLimits {
                is_read_only: wanted.limits.is_read_only || is_closed,
                ..wanted.limits
            },
            root,
            kept,
            secrets: (!wanted.allows_secrets).then_some(secrets),
            views: views.transpose()?,
            last_sweep: None,
        })
    }

    fn run(&self) -> &RunContext {
        self.environment.run()
    }

    /// When it was last looked for files that expire, in seconds since 1970.
    pub fn last_sweep(&self) -> Option<i64> {
        self.last_sweep
    }

    /// The same, as if it had been looked for them then.
    pub fn with_last_sweep(self, last_sweep: Option<i64>) -> Self {
        Self { last_sweep, ..self }
    }

    /// Makes the root, and takes out what expired.
    ///
    /// # Errors
    /// The system refuses.
    pub fn make(&mut self) -> Result<(), CallError> {
        PlainRoot::make(&self.root)?;
        self.sweep();
        Ok(())
    }

    /// Carries a tool input out.
    pub fn answer(&mut self, input: &Value) -> ToolAnswer {
        self.sweep();
        if let Some(answer) = stores::answer(self, input) {
            return answer;
        }
        let mut answer = self.with_tool(|tool| tool.answer_input(input));
        stores::mention(self, input, &mut answer);
        let now = self.run().current_time();
        if let (Some(views), Some(seen)) = (&self.views, &answer.seen)
            && let Err(error) = views.note_view(seen, now)
        {
            self.run().print_warning(error);
        }
        if !answer.is_error {
            self.tidy_up();
        }
        answer
    }

    /// Calls with the tool as of now.
    fn with_tool<T>(&self, call: impl FnOnce(&MemoryTool<'_>) -> T) -> T {
        let now = self.run().current_time();
        let warn = |warnings: &[String]| self.run().warn_all(warnings);
        self.with_writer(now, &warn, |writer| {
            call(&MemoryTool {
                dialect: self.dialect,
                limits: self.limits.clone(),
                root: self.root.clone(),
                writer,
                objection: &|path, new, old| self.secrets.as_ref()?.objection(path, new, old),
            })
        })
    }

    fn with_writer<T>(
        &self,
        now: Now,
        warn: &dyn Fn(&[String]),
        call: impl FnOnce(&dyn ToolWriter) -> T,
    ) -> T {
        let Some(kept) = &self.kept else {
            return call(&DirWriter { now });
        };
        let gate: &dyn WriteGate = match &kept.project {
            Some((_, gate)) => gate,
            None => &OpenGate,
        };
        call(&StoreWriter {
            files: &kept.files,
            gate,
            author: author(self.run()),
            now,
            warn,
        })
    }

    /// Takes out what nobody looked at for long, and says so.
    fn sweep(&mut self) {
        let now = self.run().current_time();
        let second = now.0.as_second();
        let is_due = self
            .last_sweep
            .is_none_or(|last_sweep| second - last_sweep >= SWEEP_SECONDS);
        let Some(views) = self.views.as_ref().filter(|_| is_due) else {
            return;
        };
        let warn = |warnings: &[String]| self.run().warn_all(warnings);
        let root = PlainRoot::make(&self.root).map_err(|error| ToolFailure::from_error(&error));
        let expired = root.and_then(|root| {
            let _lock = self.kept.is_none().then(|| root.lock());
            self.with_writer(now, &warn, |writer| views.sweep_expired(&root, writer, now))
        });
        let run = self.run();
        match expired {
            Ok(expired) => {
                for Expired { path, remark } in expired {
                    run.say(format_args!("`{path}` was not viewed for long: {remark}"));
                }
            }
            Err(failure) => run.print_warning(failure.message_text(self.dialect)),
        }
        self.last_sweep = Some(second);
    }

    /// After a success: the registry of projects knows this one, and a long history is cut to what is kept.
    fn tidy_up(&self) {
        let Some(kept) = &self.kept else {
            return;
        };
        let store = kept.files.store();
        if let Some((place, _)) = &kept.project {
            self.run().remember_project(place);
            self.run().clean_up_when_due(place, store);
        }
    }
}

/// What a model is told where no memory could be opened.
pub fn error_answer(error: &CallError) -> ToolAnswer {
    let ErrorText { message, hint } = ErrorText::from_call(error);
    ToolAnswer::from_error_text(match hint {
        Some(hint) => format!("{message}: {hint}"),
        None => message,
    })
}

/// A directory of its own and whether it has a history; `None` for the project's memory.
fn own_root(
    wanted: &ToolOptions,
    context: &RunContext,
) -> Result<Option<(PathBuf, bool)>, CallError> {
    let base = wanted.root.as_ref().map(|root| context.cwd.join(root));
    Ok(match (base, &wanted.user) {
        (None, None) => None,
        (Some(base), None) => Some((base.join("memories"), wanted.has_history)),
        (Some(base), Some(user)) => Some((user::root(&base, user), wanted.has_history)),
        (None, Some(user)) => {
            let place = context.enabled_place()?;
            // In the project's state, so that `mem purge` erases it too.
            let store = context.tier_store(&place, false)?;
            Some((user::root(&store.places().state, user), true))
        }
    })
}

/// Whether the settings of a project keep agents from writing what it keeps for a user: nothing there
/// can wait in the inbox, so `confirm` refuses too.
fn is_closed(wanted: &ToolOptions, context: &RunContext) -> Result<bool, CallError> {
    if wanted.root.is_some() || wanted.user.is_none() {
        return Ok(false);
    }
    Ok(context.place()?.config.values.memory.write != WriteMode::Auto)
}

/// Where it is remembered when files were viewed: with the history, so that it goes with it.
fn viewed_file(
    root: &Path,
    kept: Option<&KeptIn>,
    context: &RunContext,
) -> Result<PathBuf, CallError> {
    if let Some(kept) = kept {
        return Ok(kept.files.store().places().state.join("viewed.json"));
    }
    let dirs = context.dirs()?;
    let name = format!("{}.json", MemoryPaths::from_root(root, dirs).key);
    Ok(dirs.state.join("tool").join("viewed").join(name))
}

fn kept_alone(root: &Path, context: &RunContext) -> Result<KeptIn, CallError> {
    let store = LocalStore::new(root, Tiers::Global, context.dirs()?);
    Ok(KeptIn {
        files: StoreMemories::new(store, false),
        project: None,
    })
}

fn of_project(context: &RunContext) -> Result<(PathBuf, Option<KeptIn>, Secrets), CallError> {
    let place = context.enabled_place()?;
    let root = place.location.memory_dir.clone();
    let has_index = place.config.values.memory.mode != MemoryMode::Log;
    let files = StoreMemories::new(context.tier_store(&place, false)?, has_index);
    let secrets = Secrets::from_gate(SecretGate::for_place(&place, context));
    let gate = ProjectGate::for_place(&place, context);
    let project = Some((place, gate));
    Ok((root, Some(KeptIn { files, project }), secrets))
}

/// An agent, whoever started it: a model is at the other end.
fn author(context: &RunContext) -> Author {
    let author = mem_agent::session::source::writing_author(context);
    Author {
        actor: AuthorKind::Agent,
        host: author.host.or_else(|| Some(HOST.to_owned())),
        ..author
    }
}
