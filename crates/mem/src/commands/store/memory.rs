//! The memories of a store and their versions, for the verbs of `mem store`.

use std::io::{self, IsTerminal as _};
use std::num::NonZeroUsize;

use anyhow::Result;
use mem_core::history::Sha256;
use mem_core::memory_path::{escaped, printable};
use mem_core::unified_diff::unified_diff;
use mem_stores::client::edits::{StoreEditError, require_content, require_free};
use mem_stores::client::{MemoriesQuery, VersionsQuery, name_lookup};
use mem_stores::path::{InvalidStorePath, with_first_slash};
use mem_stores::wire::{ContentView, MemoryItem, MemoryVersion, VersionOperation};
use mem_stores::{ApiVersion, PathPrefix, StorePath, rules};
use serde_json::json;

use super::{ForGood, StoreArgs};
use crate::body;
use crate::context::Context;
use crate::exit::Exit;
use crate::sanitize::clean;
use crate::stores::shape;
use crate::unified::paint_diff;

/// List the memories of a store
///
/// In the order of their paths, each with the beginning of its sha256, its size in bytes and when it was
/// changed. With --json: {"memories":[as the server shows them]}.
///
/// Example: mem store memories "Release notes" /2026/
#[derive(clap::Args, Debug)]
pub(super) struct MemoriesArgs {
    #[command(flatten)]
    of: StoreArgs,
    /// Only those below this folder
    #[arg(value_name = "FOLDER")]
    folder: Option<String>,
    /// Only what stands in the folder itself, and the names of the folders in it
    #[arg(long)]
    flat: bool,
}

/// Asks and prints.
pub(super) fn memories(args: &MemoriesArgs, context: &Context) -> Result<Exit> {
    let folder = args.folder.as_deref().map(parse_folder).transpose()?;
    let (desk, store) = args.of.open_named_store(context)?;
    let query = MemoriesQuery {
        path_prefix: folder.map(|folder| folder.as_str().to_owned()),
        is_flat: args.flat,
        is_full: false,
    };
    let items = desk.ask_server("asking for the memories", |client| {
        client.memories(&store.id, &query)
    })?;
    let lines = items.iter().map(|item| match item {
        MemoryItem::Memory(memory) => shape::memory_line(memory),
        MemoryItem::Prefix(folder) => escaped(&folder.path),
    });
    context.print_list(
        &json!({ "memories": items }),
        lines,
        "there are no memories",
    )
}

/// A folder, also without the slashes around it.
fn parse_folder(text: &str) -> Result<PathPrefix, InvalidStorePath> {
    let mut folder = with_first_slash(text);
    if !folder.ends_with('/') {
        folder.push('/');
    }
    PathPrefix::parse(&folder, ApiVersion::Current)
}

/// Print a memory
///
/// Byte for byte into a file or a pipe; on a terminal without what it would act on. With --json: the memory as
/// the server shows it.
///
/// Example: mem store cat "Release notes" /2026/spring.md
#[derive(clap::Args, Debug)]
pub(super) struct CatArgs {
    #[command(flatten)]
    of: StoreArgs,
    /// The path or the id of the memory
    #[arg(value_name = "MEMORY")]
    memory: String,
    /// A version of it, by its id, instead of what it is now
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,
}

/// Asks and prints.
pub(super) fn cat(args: &CatArgs, context: &Context) -> Result<Exit> {
    let (desk, store) = args.of.open_named_store(context)?;
    let printer = &context.printer;
    let text = match &args.version {
        Some(version) => {
            let version = desk.ask_server("asking for the version", |client| {
                client.version(&store.id, version, ContentView::Full)
            })?;
            if printer.json {
                printer.print_json(&version)?;
                return Ok(Exit::Ok);
            }
            version
                .content
                .ok_or(StoreEditError::NoContent(version.id))?
        }
        None => {
            let memory = desk.ask_server("asking for the memory", |client| {
                name_lookup::find_memory(client, &store.id, &args.memory, ContentView::Full)
            })?;
            if printer.json {
                printer.print_json(&memory)?;
                return Ok(Exit::Ok);
            }
            memory.content.unwrap_or_default()
        }
    };
    match io::stdout().is_terminal() {
        true => printer.line(clean(text.trim_end_matches('\n')))?,
        false => printer.raw(text.as_bytes())?,
    }
    Ok(Exit::Ok)
}

/// Write a memory
///
/// Makes one at the path, or gives the one that is there another content: only if nobody changes it meanwhile.
/// The text is that of --body, or of standard input. With --json: {"memory":{as the server shows it},"created"}.
///
/// Example: mem store put "Release notes" /2026/spring.md < spring.md
#[derive(clap::Args, Debug)]
pub(super) struct PutArgs {
    #[command(flatten)]
    of: StoreArgs,
    /// Where, such as /notes/release.md
    #[arg(value_name = "PATH")]
    path: String,
    /// The text; - is standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    body: Option<String>,
    /// Only make one; never replace
    #[arg(long, conflicts_with = "if_sha256")]
    new: bool,
    /// Only replace a content with this sha256
    #[arg(long, value_name = "SHA256")]
    if_sha256: Option<Sha256>,
}

/// Looks at what is there, and writes on that condition.
pub(super) fn put(args: &PutArgs, context: &Context) -> Result<Exit> {
    let path = StorePath::parse(&with_first_slash(&args.path))?;
    require_free(&path)?;
    let content = body::read(args.body.as_deref())?;
    rules::content(&content)?;
    let desk = args.of.at.open_to_write(context)?;
    desk.outbound_scanner()?.require(path.as_str(), &content)?;
    let store = desk.open_store(&args.of.store)?;
    let (replace, expected) = (!args.new, args.if_sha256);
    let (memory, created) = desk.ask_server("writing the memory", |client| {
        client.put_text(&store.id, &path, content, replace, expected)
    })?;
    context.print_answer(
        &json!({ "memory": memory, "created": created }),
        shape::memory_line(&memory),
    )
}

/// Move a memory to another path
///
/// It keeps its id and its versions. With --json: the memory as the server shows it.
///
/// Example: mem store mv "Release notes" /spring.md /2026/spring.md
#[derive(clap::Args, Debug)]
pub(super) struct MvArgs {
    #[command(flatten)]
    of: StoreArgs,
    /// The path or the id of the memory
    #[arg(value_name = "MEMORY")]
    memory: String,
    /// Where it is to stand
    #[arg(value_name = "PATH")]
    path: String,
}

/// Moves it.
pub(super) fn mv(args: &MvArgs, context: &Context) -> Result<Exit> {
    let path = StorePath::parse(&with_first_slash(&args.path))?;
    require_free(&path)?;
    let desk = args.of.at.open_to_write(context)?;
    desk.outbound_scanner()?.require(path.as_str(), "")?;
    let store = desk.open_store(&args.of.store)?;
    let memory = desk.ask_server("moving the memory", |client| {
        client.move_memory(&store.id, &args.memory, path)
    })?;
    context.print_answer(&memory, shape::memory_line(&memory))
}

/// Delete a memory; its versions stay
///
/// Only if nobody changes it meanwhile. `mem store rollback` with one of its versions brings it back. With
/// --json: {"id","type"}.
///
/// Example: mem store rm "Release notes" /2025/spring.md
#[derive(clap::Args, Debug)]
pub(super) struct RmArgs {
    #[command(flatten)]
    of: StoreArgs,
    /// The path or the id of the memory
    #[arg(value_name = "MEMORY")]
    memory: String,
    /// Only a content with this sha256
    #[arg(long, value_name = "SHA256")]
    if_sha256: Option<Sha256>,
}

/// Deletes it.
pub(super) fn rm(args: &RmArgs, context: &Context) -> Result<Exit> {
    let desk = args.of.at.open_to_write(context)?;
    let store = desk.find_store(&args.of.store)?;
    let (path, deleted) = desk.ask_server("deleting the memory", |client| {
        client.remove_memory(&store.id, &args.memory, args.if_sha256)
    })?;
    context.print_answer(&deleted, format_args!("deleted {}", escaped(&path)))
}

/// List the versions, the newest first
///
/// Every change of a memory is one. Of a memory that was deleted they are named by its id. With --json:
/// {"versions":[as the server shows them, without contents]}.
///
/// Example: mem store versions "Release notes" /2026/spring.md
#[derive(clap::Args, Debug)]
pub(super) struct VersionsArgs {
    #[command(flatten)]
    of: StoreArgs,
    /// The path or the id of a memory, for its versions alone
    #[arg(value_name = "MEMORY")]
    memory: Option<String>,
    /// Only one kind of change
    #[arg(long, value_name = "KIND")]
    operation: Option<VersionFilter>,
    /// Only those made at this time or later, RFC 3339
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Only those made at this time or earlier, RFC 3339
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
    /// How many at most
    #[arg(long, short = 'n', value_name = "COUNT", default_value = "50")]
    limit: NonZeroUsize,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum VersionFilter {
    Created,
    Modified,
    Deleted,
}

impl VersionFilter {
    fn to_operation(self) -> VersionOperation {
        match self {
            Self::Created => VersionOperation::Created,
            Self::Modified => VersionOperation::Modified,
            Self::Deleted => VersionOperation::Deleted,
        }
    }
}

/// Asks and prints.
pub(super) fn versions(args: &VersionsArgs, context: &Context) -> Result<Exit> {
    let (desk, store) = args.of.open_named_store(context)?;
    let versions = desk.ask_server("asking for the versions", |client| async {
        let memory_id = match &args.memory {
            // One that was deleted has no path any more, only its id.
            Some(id) if id.starts_with("mem_") => Some(id.clone()),
            Some(path) => {
                let memory =
                    name_lookup::find_memory(client, &store.id, path, ContentView::Basic).await?;
                Some(memory.id)
            }
            None => None,
        };
        let query = VersionsQuery {
            memory_id,
            operation: args.operation.map(VersionFilter::to_operation),
            created_from: args.from.clone(),
            created_to: args.to.clone(),
            ..VersionsQuery::default()
        };
        anyhow::Ok(client.versions(&store.id, &query, args.limit.get()).await?)
    })?;
    let lines = versions.iter().map(shape::version_line);
    context.print_list(
        &json!({ "versions": versions }),
        lines,
        "there are no versions",
    )
}

/// Show how two versions differ
///
/// With one version: how it differs from what the memory is now. A deletion counts as nothing at all. With
/// --json: {"old":{version},"new":{version or memory},"diff"}.
///
/// Example: mem store diff "Release notes" memver_01A memver_01B
#[derive(clap::Args, Debug)]
pub(super) struct DiffArgs {
    #[command(flatten)]
    of: StoreArgs,
    /// The older version, by its id
    #[arg(value_name = "OLD")]
    old: String,
    /// The newer version, by its id; what the memory is now if it is not given
    #[arg(value_name = "NEW")]
    new: Option<String>,
}

/// One side.
struct DiffSide {
    path: Option<String>,
    content: Option<String>,
    json: serde_json::Value,
}

/// Asks and prints.
pub(super) fn diff(args: &DiffArgs, context: &Context) -> Result<Exit> {
    let (desk, store) = args.of.open_named_store(context)?;
    let (old, new) = desk.ask_server("asking for the versions", |client| async {
        let version = async |id: &str| client.version(&store.id, id, ContentView::Full).await;
        let old = version(&args.old).await?;
        let new = match &args.new {
            Some(new) => diff_side(version(new).await?)?,
            None => match client
                .memory(&store.id, &old.memory_id, ContentView::Full)
                .await
            {
                Ok(memory) => DiffSide {
                    json: json!(memory),
                    path: Some(memory.path),
                    content: memory.content,
                },
                Err(error) if error.is_not_found() => DiffSide {
                    path: None,
                    content: None,
                    json: serde_json::Value::Null,
                },
                Err(error) => return Err(error.into()),
            },
        };
        anyhow::Ok((diff_side(old)?, new))
    })?;
    let name = new.path.as_ref().or(old.path.as_ref());
    let name = name.map_or_else(String::new, |path| escaped(path));
    let name = name.trim_start_matches('/');
    let bytes = |side: &DiffSide| side.content.clone().map(String::into_bytes);
    let diff = unified_diff(name, bytes(&old).as_deref(), bytes(&new).as_deref());
    let printer = &context.printer;
    if printer.json {
        printer.print_json(&json!({ "old": old.json, "new": new.json, "diff": diff }))?;
    } else if diff.is_empty() {
        printer.say("they say the same");
    } else {
        printer.line(paint_diff(&diff))?;
    }
    Ok(Exit::Ok)
}

/// A version as a side; one that was redacted is none.
fn diff_side(version: MemoryVersion) -> Result<DiffSide, StoreEditError> {
    if version.redacted_at.is_some() {
        return Err(StoreEditError::NoContent(version.id));
    }
    Ok(DiffSide {
        json: json!(version),
        path: version.path,
        content: version.content,
    })
}

/// Write an old version anew
///
/// The memory gets the content of the version, as a new version: only if nobody changes it meanwhile. One that
/// was deleted is made again at the path of the version. With --json: {"memory":{as the server shows it},
/// "created"}.
///
/// Example: mem store rollback "Release notes" memver_01A
#[derive(clap::Args, Debug)]
pub(super) struct RollbackArgs {
    #[command(flatten)]
    of: StoreArgs,
    /// The version, by its id
    #[arg(value_name = "VERSION")]
    version: String,
}

/// Looks at the version and at the memory, and writes on that condition.
pub(super) fn rollback(args: &RollbackArgs, context: &Context) -> Result<Exit> {
    let desk = args.of.at.open_to_write(context)?;
    let screen = desk.outbound_scanner()?;
    let store = desk.open_store(&args.of.store)?;
    let (memory, created) = desk.ask_server("writing the memory", |client| async {
        let version = client
            .version(&store.id, &args.version, ContentView::Full)
            .await?;
        // What was written when the rules were others is not written again unseen.
        let path = version.path.as_deref().unwrap_or_default();
        screen.require(path, require_content(&version)?)?;
        anyhow::Ok(client.roll_back(&store.id, &version).await?)
    })?;
    context.print_answer(
        &json!({ "memory": memory, "created": created }),
        shape::memory_line(&memory),
    )
}

/// Take the content of a version out for good
///
/// Who wrote it and when stays. What a memory holds now cannot be redacted: write it anew first. That cannot be
/// taken back. With --json: the version as the server shows it.
///
/// Example: mem store redact "Release notes" memver_01A --yes
#[derive(clap::Args, Debug)]
pub(super) struct RedactArgs {
    #[command(flatten)]
    of: ForGood,
    /// The version, by its id
    #[arg(value_name = "VERSION")]
    version: String,
}

/// Asks the person, then the server.
pub(super) fn redact(args: &RedactArgs, context: &Context) -> Result<Exit> {
    let version = printable(&args.version);
    let question = |_: &str| format!("take the content of {version} out for good?");
    let (desk, store) = args.of.open_confirmed(question, context)?;
    let redacted = desk.ask_server("redacting the version", |client| {
        client.redact_version(&store.id, &args.version)
    })?;
    context.print_answer(&redacted, shape::version_line(&redacted))
}
