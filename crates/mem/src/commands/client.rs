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

/// A text of the folder of adapters.
macro_rules! client {
    ($name:literal) => {
        include_str!(concat!("../../../../templates/clients/", $name))
    };
}

/// Prints it.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let text = match (args.language, args.example) {
        (ClientLanguage::Python, None) => client!("python/mem_memory.py"),
        (ClientLanguage::Python, Some(Example::ContextEditing)) => {
            client!("python/context_editing.py")
        }
        (ClientLanguage::Python, Some(Example::Compaction)) => client!("python/compaction.py"),
        (ClientLanguage::Typescript, None) => client!("typescript/mem-memory.ts"),
        (ClientLanguage::Typescript, Some(Example::ContextEditing)) => {
            client!("typescript/context-editing.ts")
        }
        (ClientLanguage::Typescript, Some(Example::Compaction)) => {
            client!("typescript/compaction.ts")
        }
        (ClientLanguage::Curl, None) => client!("curl.sh"),
        (ClientLanguage::Curl, Some(_)) => {
            let hint = "leave --example out: the request is one";
            return Err(UsageError::new("there is no example for curl", hint).into());
        }
    };
    context.printer.raw(text.as_bytes())?;
    Ok(Exit::Ok)
}
