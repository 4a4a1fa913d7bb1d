//! `mem tool`: the memory tool of the Messages API, for any host that can start a process.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use mem_agent::tool::requests::{self, REQUEST_BYTES_MAX};
use mem_agent::tool::{ToolAnswer, ToolDialect, ToolLimits};
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::printer::OutputError;
use mem_tools::CallError;
use mem_tools::memory_tool::{OpenMemory, ToolOptions, error_answer};

/// A smaller view would hold little but the words on how to page on.
const VIEW_CHARS_MIN: u64 = 400;

/// Serve the memory tool to a model
///
/// Carries out the commands of the tool `memory_20250818`: view, create, str_replace, insert, delete
/// and rename. One tool input, as JSON on standard input: the result is printed and the exit code is
/// 0, or the error is printed and the exit code is 1. With --loop a host keeps one process: every
/// line is {"id": .., "input": {..}}, every answer {"id": .., "content": "..", "is_error": bool}.
///
/// Without --root the memory of this project is `/memories`; every write is in its history, `mem
/// undo` takes it back, and the index follows. `mem client` prints adapters for SDKs.
///
/// Example: echo '{"command":"view","path":"/memories"}' | mem tool --root ./agent
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Keep the files in BASE/memories instead of this project's memory
    #[arg(long, value_name = "BASE")]
    root: Option<PathBuf>,
    /// Give every user of a host a memory of their own, by any id; without --root it is written only
    /// where `memory.write` is auto
    #[arg(long, value_name = "ID")]
    user: Option<OsString>,
    /// Whose texts are spoken: the published page, the Python or the TypeScript SDK
    #[arg(long, value_name = "DIALECT", default_value = "docs")]
    dialect: WireLine,
    /// Answer one request a line until the input ends
    #[arg(long = "loop")]
    is_loop: bool,
    /// What create does where a file is: refuse, or overwrite it (the old text is in the history, if any)
    #[arg(long, value_name = "WHAT", default_value = "error")]
    on_exists: OnExists,
    /// The largest file that may be written
    #[arg(long, value_name = "BYTES")]
    max_file_bytes: Option<u64>,
    /// All files together
    #[arg(long, value_name = "BYTES")]
    max_total_bytes: Option<u64>,
    /// Cut views to so many characters, at least 400, and say how to page on
    #[arg(long, value_name = "CHARS", value_parser = RangedU64ValueParser::<usize>::new().range(VIEW_CHARS_MIN..))]
    max_view_chars: Option<usize>,
    /// Let the model look, and change nothing
    #[arg(long)]
    read_only: bool,
    /// Write secrets like any other text
    #[arg(long)]
    allow_secrets: bool,
    /// Put files aside that were not viewed in runs with this option for so many days, at least one
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..))]
    expire_after: Option<u32>,
    /// Keep a history with --root too; `MEM_DIR=/BASE/memories mem undo`, with the absolute path, takes changes back
    #[arg(long)]
    history: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum WireLine {
    Docs,
    Python,
    Typescript,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OnExists {
    Error,
    Overwrite,
}

impl Args {
    fn tool_options(&self) -> ToolOptions {
        ToolOptions {
            root: self.root.clone(),
            user: self.user.clone(),
            dialect: match self.dialect {
                WireLine::Docs => ToolDialect::Docs,
                WireLine::Python => ToolDialect::Python,
                WireLine::Typescript => ToolDialect::TypeScript,
            },
            limits: ToolLimits {
                is_read_only: self.read_only,
                replaces: self.on_exists == OnExists::Overwrite,
                file_bytes_max: self.max_file_bytes,
                total_bytes_max: self.max_total_bytes,
                view_chars_max: self.max_view_chars,
            },
            has_history: self.history,
            allows_secrets: self.allow_secrets,
            expire_days: self.expire_after,
        }
    }
}

/// Answers one request, or all.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    match args.is_loop {
        true => serve_input(args, context),
        false => serve_once(
            OpenMemory::open(&args.tool_options(), &context.tools),
            context,
        ),
    }
}

/// Answers until the input ends, or nobody reads the answers. A project's memory is opened for every
/// request, because a person may change its settings while a host runs.
fn serve_input(args: &Args, context: &Context) -> Result<Exit> {
    let mut served = OpenMemory::open(&args.tool_options(), &context.tools);
    let mut is_first = true;
    let answer = |input: &Value| {
        if args.root.is_none() && !std::mem::take(&mut is_first) {
            let last_sweep = served.as_ref().ok().and_then(OpenMemory::last_sweep);
            served = OpenMemory::open(&args.tool_options(), &context.tools)
                .map(|new| new.with_last_sweep(last_sweep));
        }
        match &mut served {
            Ok(served) => served.answer(input),
            Err(error) => error_answer(error),
        }
    };
    let say = |value: &Value| context.printer.print_json(value);
    requests::serve_requests::<OutputError>(&mut std::io::stdin().lock(), answer, say)?;
    Ok(Exit::Ok)
}

/// Answers one request; an empty input only makes the directory.
fn serve_once(served: Result<OpenMemory<'_>, CallError>, context: &Context) -> Result<Exit> {
    let mut bytes = Vec::new();
    let input = std::io::stdin().lock().take(REQUEST_BYTES_MAX + 1);
    let mut input = input;
    let read = input.read_to_end(&mut bytes);
    read.context("cannot read standard input")?;
    if bytes.trim_ascii().is_empty() {
        served?.make()?;
        return Ok(Exit::Ok);
    }
    let answer = match (served, serde_json::from_slice::<Value>(&bytes)) {
        (Err(error), _) => error_answer(&error),
        (_, Err(error)) => ToolAnswer::from_error_text(format!("The input is not JSON: {error}.")),
        (Ok(mut served), Ok(input)) => served.answer(&input),
    };
    let ToolAnswer {
        content, is_error, ..
    } = answer;
    if context.printer.json {
        let answer = json!({ "content": content, "is_error": is_error });
        context.printer.print_json(&answer)?;
    } else {
        context.printer.raw(content.as_bytes())?;
    }
    Ok(if is_error { Exit::Failure } else { Exit::Ok })
}
