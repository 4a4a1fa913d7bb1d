//! `mem client`: adapters of the memory tool for SDKs, to be copied into a program.

use anyhow::Result;
use clap::ValueEnum;

use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

/// Print an adapter of the memory tool for an SDK
///
/// The adapter is one file that has `mem tool --loop` answer the memory tool; --example prints a
/// complete program around it: with old tool results cleared from the context, or with compaction.
/// `curl` prints a bare request.
///
/// Example: mem client python > mem_memory.py
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The language of the host
    language: ClientLanguage,
    /// Print a complete program instead
    #[arg(long, value_name = "NAME")]
    example: Option<Example>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ClientLanguage {
    Python,
    Typescript,
    Curl,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Example {
    ContextEditing,
    Compaction,
}

/// Prints it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let text = match (args.language, args.example) {
        (ClientLanguage::Python, None) => mem_templates::CLIENT_PYTHON,
        (ClientLanguage::Python, Some(Example::ContextEditing)) => {
            mem_templates::CLIENT_PYTHON_CONTEXT_EDITING
        }
        (ClientLanguage::Python, Some(Example::Compaction)) => {
            mem_templates::CLIENT_PYTHON_COMPACTION
        }
        (ClientLanguage::Typescript, None) => mem_templates::CLIENT_TYPESCRIPT,
        (ClientLanguage::Typescript, Some(Example::ContextEditing)) => {
            mem_templates::CLIENT_TYPESCRIPT_CONTEXT_EDITING
        }
        (ClientLanguage::Typescript, Some(Example::Compaction)) => {
            mem_templates::CLIENT_TYPESCRIPT_COMPACTION
        }
        (ClientLanguage::Curl, None) => mem_templates::CLIENT_CURL,
        (ClientLanguage::Curl, Some(_)) => {
            let hint = "leave --example out: the request is one";
            return Err(UsageError::new("there is no example for curl", hint).into());
        }
    };
    context.printer.raw(text.as_bytes())?;
    Ok(Exit::Ok)
}
