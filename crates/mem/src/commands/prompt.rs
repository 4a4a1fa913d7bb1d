//! `mem prompt`: what a model is to be told about memory.

use anyhow::Result;
use mem_agent::{memory_prompt, tokens};
use mem_core::memory::ProjectMemory;
use mem_tools::attached_text::attached_section;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::usage::UsageError;

/// Print what a model is to be told about memory
///
/// Without --for: the whole section for a host's system prompt, with where memory is, the types and
/// where each goes, how to save, what not to save, and the indexes as they are loaded. With --for
/// memory-tool: the protocol for a model that has the memory tool, which looks first, records
/// progress and expects to be interrupted. With --for mcp: what our MCP server tells a client. Stores that are
/// attached (`mem attach`) are told of at the end.
///
/// Example: mem prompt --for memory-tool --topic "the billing service"
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Who is told: a host with file tools, the memory tool, or MCP
    #[arg(long = "for", value_name = "WHAT", default_value = "host")]
    reader: PromptReader,
    /// With --for memory-tool: write down only what is about this
    #[arg(long, allow_hyphen_values = true)]
    topic: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum PromptReader {
    /// A host whose model writes files
    Host,
    /// A model with the tool `memory_20250818`
    MemoryTool,
    /// A client of `mem mcp`
    Mcp,
}

/// Prints the text.
pub(crate) fn run(args: &Args, context: &Context) -> Result<Exit> {
    let topic = args.topic.as_deref().map(str::trim);
    if topic.is_some() && args.reader != PromptReader::MemoryTool {
        let hint = "`mem prompt --for memory-tool --topic TOPIC`";
        return Err(UsageError::new("--topic goes with `--for memory-tool`", hint).into());
    }
    if topic.is_some_and(|topic| topic.is_empty() || topic.contains('\n')) {
        let hint = "name a subject in a few words";
        return Err(UsageError::new("a topic is one line", hint).into());
    }
    let text = match args.reader {
        PromptReader::Host => build_section(context)?,
        PromptReader::MemoryTool => memory_prompt::memory_tool_protocol(topic),
        PromptReader::Mcp => mem_templates::PROMPT_MCP.to_owned(),
    };
    let attached = attached_section(context);
    let text = match attached.is_empty() {
        true => text,
        false => format!("{}\n\n{attached}", text.trim_end()),
    };
    if context.printer.json {
        let tokens = tokens::estimate_tokens(&text);
        let json = json!({ "text": text, "bytes": text.len(), "tokens": tokens });
        context.print_json(&json)?;
    } else {
        context.line(text.trim_end())?;
    }
    Ok(Exit::Ok)
}

fn build_section(context: &Context) -> Result<String> {
    let place = context.enabled_place()?;
    let memory = ProjectMemory::new(&place.location, context.dirs()?);
    Ok(memory_prompt::host_section(&place, &memory)?)
}
