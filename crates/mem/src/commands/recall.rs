//! `mem recall`: the few notes that help with a prompt.

use std::io::Read as _;

use anyhow::{Context as _, Result};
use mem_core::memory::Memory;
use mem_core::{Config, MemoryType, Scope};
use mem_recall::Filter;
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::recall::answer::{Asked, answer, scope_words};
use crate::recall::background;
use crate::recall::chosen::{Answer, Left, Recalled};
use crate::recall::context_text;
use crate::recall::kept::Storing;
use crate::recall::reasons::reasons;
use crate::recall::request::{PROMPT_BYTES_MAX, Request};
use crate::recall::settings;
use crate::sanitize::clean;

/// Recall the few memories that help with a prompt
///
/// Ranks the notes of every tier by words and by meaning, offline, and prints at most five that
/// clearly help, or nothing. PROMPT is taken from standard input where it is `-`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The prompt, or `-` for standard input
    #[arg(allow_hyphen_values = true)]
    prompt: String,
    /// At most so many memories
    #[arg(long)]
    limit: Option<usize>,
    /// At most so many characters of context, whole entries only
    #[arg(long)]
    budget_chars: Option<usize>,
    /// How sure it must be that a memory helps, from 0 (never abstain) to 1
    #[arg(long)]
    min_score: Option<f32>,
    /// How to print them
    #[arg(long, default_value = "context")]
    format: Format,
    /// Say why each was chosen, and what was left out and by what
    #[arg(long)]
    explain: bool,
    /// Files that are not wanted
    #[arg(long, num_args = 1.., value_name = "FILE")]
    exclude: Vec<String>,
    /// Only one tier: private, team or global
    #[arg(long)]
    scope: Option<Scope>,
    /// Only memories of this type: user, feedback, project or reference
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<MemoryType>,
    /// Only memories with this tag
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
}

/// Forms of the answer.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// What an agent is given
    Context,
    /// One object
    Json,
    /// The files' paths, one a line
    Paths,
}

/// Recalls, and prints what was chosen.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let place = context.place()?;
    let dirs = context.dirs()?;
    let memory = Memory::new(&place.location, dirs);
    let config = &place.config;
    let request = request(args, config)?;
    let can_send = settings::is_background_allowed(config);
    let asked = Asked {
        memory: &memory,
        dirs,
        now: context.now,
        storing: if can_send {
            Storing::Much
        } else {
            Storing::Always
        },
    };
    let found = match place.location.enabled {
        true => answer(&request, &asked)?,
        false => Answer::default(),
    };
    for warning in &found.warnings {
        context.printer.warn(warning);
    }
    let format = if context.printer.json {
        Format::Json
    } else {
        args.format
    };
    match format {
        Format::Json => context.printer.json(&as_json(&found))?,
        Format::Paths => {
            for one in &found.memories {
                let path = one.note.absolute.to_string_lossy();
                context.printer.line(clean(&path))?;
            }
        }
        Format::Context => {
            let budget = args
                .budget_chars
                .unwrap_or_else(|| settings::budget_chars(config));
            let text = context_text::render(&found, budget);
            context.printer.raw(text.text.as_bytes())?;
        }
    }
    if found.is_behind && can_send {
        background::send(dirs);
    }
    Ok(Exit::Ok)
}

fn request(args: &Args, config: &Config) -> Result<Request> {
    Ok(Request {
        prompt: prompt(&args.prompt)?,
        limit: args.limit.unwrap_or_else(|| settings::limit(config)),
        min_score: args
            .min_score
            .unwrap_or_else(|| settings::min_score(config)),
        filter: Filter {
            kinds: args
                .kind
                .iter()
                .map(|kind| kind.as_str().to_owned())
                .collect(),
            scopes: scope_words(args.scope),
            tags: args.tags.clone(),
            ..Filter::default()
        },
        exclude: args.exclude.clone(),
        weights: settings::weights(config),
    })
}

/// The prompt: the argument, or standard input. Bytes that are no text are replaced.
fn prompt(argument: &str) -> Result<String> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut bytes = Vec::new();
    let stdin = std::io::stdin().lock();
    stdin
        .take(PROMPT_BYTES_MAX)
        .read_to_end(&mut bytes)
        .context("cannot read standard input")?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn as_json(answer: &Answer) -> Value {
    let memories: Vec<Value> = answer.memories.iter().map(memory_json).collect();
    let filtered: Vec<Value> = answer.left.iter().map(left_json).collect();
    json!({ "memories": memories, "abstained": answer.abstained, "filtered": filtered })
}

fn memory_json(one: &Recalled) -> Value {
    let note = &one.note;
    json!({
        "id": note.id, "file": note.file, "path": note.absolute.to_string_lossy(),
        "scope": note.scope.as_str(), "type": note.topic.kind.map(MemoryType::as_str),
        "name": note.topic.name, "description": note.topic.description,
        "score": one.hit.confidence, "age_days": one.age_days, "drift": one.drift,
        "author": one.author, "why": reasons(&one.hit),
    })
}

fn left_json(left: &Left) -> Value {
    json!({ "file": left.label(), "by": left.by, "score": left.score })
}
