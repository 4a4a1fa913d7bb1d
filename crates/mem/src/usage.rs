//! Command lines that were not understood: exit code 2, in words or as JSON.

use std::borrow::Cow;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::error::Diagnosis;
use crate::exit::Exit;
use crate::printer::{OutputError, Printer};
use crate::sanitize::clean;

/// A command line that clap accepts and the command does not.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(crate) struct UsageError {
    message: String,
    /// What to write instead.
    pub hint: String,
}

impl UsageError {
    /// A usage error with what to do about it.
    pub(crate) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            hint: hint.into(),
        }
    }

    /// A word that is no command.
    pub(crate) fn unknown_command(name: &str) -> Self {
        Self::new(
            format!("there is no command `{name}`"),
            "`mem help` lists all commands",
        )
    }
}

/// Answers what clap would not parse: help on stdout, anything else as an error on stderr.
pub(crate) fn answer(error: &clap::Error, printer: &Printer) -> Result<Exit, OutputError> {
    if !error.use_stderr() {
        let text = error.render().ansi().to_string();
        printer.line(text.trim_end())?;
        return Ok(Exit::Ok);
    }
    if printer.json {
        diagnose(error).print(printer);
    } else {
        // It repeats what was typed, escape sequences and all.
        let text = match is_harmless(error) {
            true => error.render().ansi().to_string(),
            false => clean(&error.render().to_string()).into_owned(),
        };
        printer.talk(&text.trim_end());
    }
    Ok(Exit::Usage)
}

/// Whether nothing but clap's own colours would act on a terminal.
fn is_harmless(error: &clap::Error) -> bool {
    let text = error.render().to_string();
    matches!(clean(&text), Cow::Borrowed(_))
}

/// clap's error as kind, message and hint.
pub(crate) fn diagnose(error: &clap::Error) -> Diagnosis {
    let text = error.render().to_string();
    let message = text.split("\n\n").next().unwrap_or(&text);
    let message = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a command is missing",
        _ => message.strip_prefix("error: ").unwrap_or(message),
    };
    Diagnosis {
        kind: "usage",
        message: message.split_whitespace().collect::<Vec<_>>().join(" "),
        hint: Some(hint(error)),
        exit: Exit::Usage,
    }
}

/// clap's own suggestion, else where to read on.
fn hint(error: &clap::Error) -> String {
    match error.get(ContextKind::Suggested) {
        Some(ContextValue::StyledStrs(tips)) if !tips.is_empty() => {
            let tips: Vec<String> = tips.iter().map(ToString::to_string).collect();
            tips.join("; ")
        }
        _ => match error.get(ContextKind::SuggestedSubcommand) {
            Some(ContextValue::Strings(names)) if !names.is_empty() => {
                format!("did you mean `{}`?", names.join("` or `"))
            }
            _ => "`--help` explains the command line".to_owned(),
        },
    }
}
