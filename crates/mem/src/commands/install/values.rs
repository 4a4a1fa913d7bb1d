//! The words on the command line for clients, scopes and choices of `mem-hosts`.

use clap::builder::{PossibleValue, TypedValueParser};
use mem_hosts::{HostScope, McpClient, OnFailure};

use crate::word_parser::parse_word;

/// The clients, each with what people call it.
pub(crate) fn parse_client() -> impl TypedValueParser<Value = McpClient> {
    parse_word(McpClient::ALL.map(|client| {
        let value = PossibleValue::new(client.as_str()).help(match client {
            McpClient::Claude => "Claude Code",
            McpClient::Codex => "OpenAI Codex",
            McpClient::Cursor => "Cursor",
            McpClient::Gemini => "Gemini CLI",
            McpClient::Vscode => "Visual Studio Code",
        });
        let value = match client {
            McpClient::Claude => value.alias("claude-code"),
            _ => value,
        };
        (value, client)
    }))
}

/// Whose settings are changed.
pub(crate) fn parse_scope() -> impl TypedValueParser<Value = HostScope> {
    parse_word(HostScope::ALL.map(|scope| {
        let help = match scope {
            HostScope::User => "Yours, for every project",
            HostScope::Project => "This project's, for everybody who works on it",
            HostScope::Local => "Yours, for this project alone",
        };
        (PossibleValue::new(scope.as_str()).help(help), scope)
    }))
}

/// What becomes of a tool when the hook before it cannot run.
pub(crate) fn parse_failure() -> impl TypedValueParser<Value = OnFailure> {
    parse_word([
        (
            PossibleValue::new("continue").help("It runs"),
            OnFailure::Continue,
        ),
        (
            PossibleValue::new("block").help("It is refused"),
            OnFailure::Block,
        ),
    ])
}
