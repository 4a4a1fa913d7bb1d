//! `mem import`: memories from an export, a directory, a file, or another tool.

use mem_core::config::MemoryMode;
use mem_team::write_gates::ProjectGate;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use mem_core::Scope;
use mem_core::history::AuthorKind;
use mem_core::import::{
    self, Import, ImportOutcome, ImportRequest, ImportSource, ImportTool, SourceContents,
};
use mem_core::limits::IMPORT_BYTES_MAX;
use mem_core::memory::ProjectMemory;
use mem_core::store::ChangeMetadata;
use mem_find::refresh_process;

use crate::context::Context;
use crate::exit::Exit;
use crate::import_report;
use crate::team::remarks;

/// Take in memories from elsewhere
///
/// PATH is an export of `mem export` (directory, JSON file, or `-` for JSON on standard input), any
/// other directory of Markdown memories, or a Markdown file. --from reads what another tool keeps:
/// sections of CLAUDE.md, Codex's memories and AGENTS.md, Gemini CLI's memory of the project and what
/// it was told to remember, Qwen Code's memory directories.
///
/// Nothing here is overwritten: what is here already is taken once, different files of one name
/// are both kept, indexes and logs are united. Importing again changes nothing. Sources stay as
/// they are. What it puts into the team tier waits for a look before it is sent (`mem team review`),
/// unless `team.push` is `auto`.
#[derive(clap::Args, Debug)]
#[command(group(clap::ArgGroup::new("source").required(true)))]
pub(crate) struct Args {
    /// What to import
    #[arg(group = "source")]
    path: Option<PathBuf>,
    /// Another tool's own places
    #[arg(long, value_name = "TOOL", group = "source")]
    from: Option<ImportTools>,
    /// The tier to put it in; of an export or Qwen Code, which have tiers, the only one to take
    #[arg(long)]
    scope: Option<Scope>,
    /// Only what has this word in its name; may be given several times
    #[arg(long, value_name = "WORD")]
    only: Vec<String>,
    /// Show what would be written, and write nothing
    #[arg(long, short = 'n')]
    dry_run: bool,
}

/// Tools whose memories can be found.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum ImportTools {
    /// CLAUDE.md and CLAUDE.local.md here, and your own
    ClaudeMd,
    /// Codex
    Codex,
    /// Gemini CLI
    Gemini,
    /// Qwen Code
    Qwen,
}

/// Imports, and says what became of everything.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let source = source(args, context)?;
    let place = context.enabled_place()?;
    let dirs = context.dirs()?;
    let memory = ProjectMemory::new(&place.location, dirs);
    let request = ImportRequest {
        place: &place,
        memory: &memory,
        dirs,
        environment: &context.env,
        scope: args.scope,
        only: &args.only,
    };
    let gathered = import::gather(&source, &request)?;
    let with_index = place.config.values.memory.mode != MemoryMode::Log;
    let (order, gate) = (
        import_metadata(&source, context),
        ProjectGate::for_place(&place, context),
    );
    let done = match args.dry_run {
        true => import::preview(&memory, &gathered, &order, &gate, with_index)?,
        false => import::import(&memory, &gathered, &order, &gate, with_index)?,
    };
    warn_of_skipped(&gathered, &done, context);
    import_report::print_import(&gathered, &done, args.dry_run, context)?;
    if !args.dry_run {
        let mut written = done
            .items
            .iter()
            .filter(|item| item.fate != ImportOutcome::Known)
            .peekable();
        if written.peek().is_some() && place.config.values.recall.background {
            refresh_process::send_refresh(dirs, &context.cwd);
        }
        remarks::say_what_waits(&place, written.map(|item| &item.path), context);
    }
    Ok(Exit::Ok)
}

fn warn_of_skipped(gathered: &SourceContents, done: &Import, context: &Context) {
    let warnings = gathered.warnings.iter().chain(&done.warnings);
    warnings.for_each(|warning| context.print_warning(warning));
}

fn source(args: &Args, context: &Context) -> Result<ImportSource> {
    let tool = args.from.map(|from| match from {
        ImportTools::ClaudeMd => ImportTool::ClaudeMd,
        ImportTools::Codex => ImportTool::Codex,
        ImportTools::Gemini => ImportTool::Gemini,
        ImportTools::Qwen => ImportTool::Qwen,
    });
    Ok(match (&args.path, tool) {
        (_, Some(tool)) => ImportSource::Tool(tool),
        (Some(path), None) if path == Path::new("-") => ImportSource::Json(standard_input()?),
        (path, None) => ImportSource::Path(context.cwd.join(path.clone().unwrap_or_default())),
    })
}

/// All of standard input, up to the limit of an import and one byte more.
fn standard_input() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock().take(IMPORT_BYTES_MAX + 1);
    let read = { input }
        .read_to_end(&mut bytes)
        .context("cannot read standard input")?;
    if read as u64 > IMPORT_BYTES_MAX {
        return Err(import::ImportError::TooMuch.into());
    }
    Ok(bytes)
}

/// An import by whoever runs this; its reason says from where. What an agent imports is the agent's:
/// it may no more than elsewhere.
fn import_metadata(source: &ImportSource, context: &Context) -> ChangeMetadata {
    let mut author = mem_agent::session::source::writing_author(context);
    if author.actor != AuthorKind::Agent {
        author.actor = AuthorKind::Import;
    }
    let from = match source {
        ImportSource::Path(path) => path.display().to_string(),
        ImportSource::Json(_) => "standard input".to_owned(),
        ImportSource::Tool(tool) => tool.as_str().to_owned(),
    };
    ChangeMetadata::new("import", author, context.now).because(Some(format!("from {from}")))
}
