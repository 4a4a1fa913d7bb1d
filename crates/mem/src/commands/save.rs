//! `mem save`: one memory, its file and its index line, in one change.

use mem_core::config::MemoryMode;
use mem_core::location::ProjectContext;
use mem_core::memory::{MemoryError, ProjectMemory, SaveRequest, route};
use mem_core::topic::{Expiry, NewTopic};
use mem_core::{MemoryType, Scope};
use mem_team::write_gates::ProjectGate;
use serde_json::json;

use crate::body;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::team::remarks as sharing;
use crate::usage::{self, UsageError};
use mem_find::near_duplicates;

/// Save a memory
///
/// Writes a topic file and its line in MEMORY.md as one change. The body is read from standard
/// input unless --body gives it. Without --scope a memory is private: `mem team share NAME` moves it
/// to the team.
///
/// Example: echo "Never mock it." | mem save --type feedback --name "No mock DB" --description
/// "Integration tests use a real database"
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// What it is about: user, feedback, project or reference
    #[arg(long = "type", value_name = "TYPE")]
    kind: MemoryType,
    /// A short title
    #[arg(long, allow_hyphen_values = true)]
    name: String,
    /// One line that says when it matters: all that a selector sees
    #[arg(long, allow_hyphen_values = true)]
    description: String,
    /// The tier: private, team or global
    #[arg(long)]
    scope: Option<Scope>,
    /// A tag; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Give it to agents before they read or change these files: a glob such as `*.sql` or `src/db/**`, or the name of
    /// a folder or file; may be given several times
    #[arg(long, value_name = "FILES")]
    when: Vec<String>,
    /// Importance from 1 (least) to 5
    #[arg(long, value_parser = clap::value_parser!(u8).range(1..=5))]
    importance: Option<u8>,
    /// The last day on which it holds, or an instant (RFC 3339)
    #[arg(long)]
    expires: Option<Expiry>,
    /// Keep it in the index however old it gets
    #[arg(long)]
    pin: bool,
    /// The file to write, instead of one made from type and name
    #[arg(long)]
    file: Option<String>,
    /// Change the memory of this file or name where there is one
    #[arg(long)]
    update: bool,
    /// Refuse where another memory says much the same, instead of warning
    #[arg(long)]
    no_duplicates: bool,
    /// The body, instead of standard input; - is standard input
    #[arg(long, allow_hyphen_values = true)]
    body: Option<String>,
    /// Why, for the history
    #[arg(long, allow_hyphen_values = true)]
    reason: Option<String>,
}

/// A memory to be saved, and how.
#[derive(Debug)]
pub(crate) struct SaveOrder {
    /// The memory.
    pub(crate) topic: NewTopic,
    /// The tier that was asked for.
    pub(crate) scope: Option<Scope>,
    /// The file that was asked for.
    pub(crate) file: Option<String>,
    /// Whether a memory of this file or name is changed.
    pub(crate) update: bool,
    /// Whether another memory that says much the same refuses it.
    pub(crate) no_duplicates: bool,
    /// Why, for the history.
    pub(crate) reason: Option<String>,
}

/// Saves, and says where.
pub(crate) fn run(args: &Args, context: &Context) -> anyhow::Result<Exit> {
    let place = context.enabled_place()?;
    let order = SaveOrder {
        topic: new_topic(args)?,
        scope: args.scope,
        file: args.file.clone(),
        update: args.update,
        no_duplicates: args.no_duplicates,
        reason: args.reason.clone(),
    };
    save_topic(order, &place, context).map_err(|error| match error.downcast() {
        Ok(error) => usage::memory_error(error),
        Err(error) => error,
    })
}

/// Saves a memory, and says where.
///
/// # Errors
/// The memory is not acceptable, a gate refuses, or the system does.
pub(crate) fn save_topic(
    args: SaveOrder,
    place: &ProjectContext,
    context: &Context,
) -> anyhow::Result<Exit> {
    let kind = args.topic.kind;
    let scope = route(kind, args.scope).map_err(MemoryError::from)?;
    let request = SaveRequest {
        topic: args.topic,
        scope,
        file: args.file,
        update: args.update,
        with_index: place.config.values.memory.mode != MemoryMode::Log,
    };
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    let order = context
        .change_metadata("save")
        .because(context.stored_reason(args.reason));
    let look = || near_duplicates::of_new(&memory, &request);
    let save = || memory.save(&request, &order, &ProjectGate::for_place(place, context));
    let (mut saved, same) = match args.no_duplicates {
        true => {
            near_duplicates::refuse_duplicates(&look())?;
            (save()?, Vec::new())
        }
        // Saving waits for the disk most of the time.
        false => std::thread::scope(|scope| {
            let looking = scope.spawn(look);
            let saved = save();
            saved.map(|saved| (saved, looking.join().unwrap_or_default()))
        })?,
    };
    context.remember_project(place);
    context.clean_up_when_due(place, memory.store(scope));
    let label = scope.label(&saved.file);
    let same = same
        .iter()
        .filter(|same| saved.created && same.label != label);
    saved
        .warnings
        .extend(same.map(near_duplicates::NearDuplicate::warning));
    context.warn_all(&saved.warnings);
    if request.topic.body.trim().is_empty() && saved.created {
        context.print_warning("it has nothing below its description: `mem check` reports that");
    }
    let change = saved.change.as_ref().map(|change| change.id.as_str());
    let path = memory.store(scope).places().root.join(saved.path.as_str());
    if context.printer.json {
        context.print_json(&json!({
            "id": saved.id, "file": saved.file, "path": path, "scope": scope.as_str(),
            "created": saved.created, "change": change,
        }))?;
        return Ok(Exit::Ok);
    }
    let verb = match (saved.created, change) {
        (true, _) => "saved",
        (false, Some(_)) => "updated",
        (false, None) => "unchanged",
    };
    context.line(format_args!("{verb} {} ({scope})", clean(&saved.file)))?;
    match args.scope {
        // What is warned of, a secret say, is to be looked at first.
        None if !saved.warnings.is_empty() => {}
        None => sharing::say_how(place, kind, &saved.file, context),
        Some(Scope::Team) if change.is_some() => {
            sharing::say_what_sends(place, &saved.path, context);
        }
        Some(Scope::Team) => sharing::say_what_waits(place, [&saved.path], context),
        Some(Scope::Private | Scope::Global) => {}
    }
    if !request.with_index {
        context.say("the index is left alone: memory.mode is \"log\"");
    }
    Ok(Exit::Ok)
}

fn new_topic(args: &Args) -> anyhow::Result<NewTopic> {
    let is_blank = |body: &String| body.trim().is_empty();
    if args.body.as_ref().is_some_and(is_blank) {
        let hint = "give --body the text of the memory; - is standard input";
        return Err(UsageError::new("the body is empty", hint).into());
    }
    Ok(NewTopic {
        tags: args.tags.clone(),
        when: args.when.clone(),
        importance: args.importance,
        expires: args.expires,
        pinned: args.pin,
        ..NewTopic::new(
            args.kind,
            args.name.trim(),
            args.description.trim(),
            &body::read(args.body.as_deref())?,
        )
    })
}
