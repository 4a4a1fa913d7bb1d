//! Command lines that were not understood: exit code 2, in words or as JSON.

use std::borrow::Cow;
use std::error::Error as _;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use mem_core::Diagnose;
use mem_core::error::message_with_causes;
use mem_core::foreign_text::single_spaced;
use mem_core::memory::MemoryError;
use mem_core::memory_path::printable;
use mem_secrets::redacted;

use crate::error::ErrorShape;
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

    /// A value of the command line that a library rejects.
    pub(crate) fn invalid_value(error: &impl Diagnose) -> Self {
        let hint = error.hint();
        let hint = hint.unwrap_or_else(|| "`--help` says what it takes".to_owned());
        Self::new(message_with_causes(error), hint)
    }

    /// A word that is no command.
    pub(crate) fn unknown_command(name: &str) -> Self {
        Self::new(
            format!("there is no command `{name}`"),
            "`mem help --all` lists all commands",
        )
    }
}

/// An error about a memory that the command line describes: a value that breaks its rules is a usage error.
pub(crate) fn memory_error(error: MemoryError) -> anyhow::Error {
    match error {
        MemoryError::Topic(_)
        | MemoryError::NotATopic(_)
        | MemoryError::Path(_)
        | MemoryError::Routing(_) => UsageError::invalid_value(&error).into(),
        error => error.into(),
    }
}

/// Answers what clap would not parse: help on stdout, anything else as an error on stderr.
pub(crate) fn answer_usage(error: &clap::Error, printer: &Printer) -> Result<Exit, OutputError> {
    if !error.use_stderr() {
        let text = error.render().ansi().to_string();
        printer.line(text.trim_end())?;
        return Ok(Exit::Ok);
    }
    if printer.json || number_complaint(error).is_some() {
        usage_shape(error).print_error(printer);
    } else {
        // It repeats what was typed, escape sequences, tokens and all.
        let text = match is_harmless(error) {
            true => error.render().ansi().to_string(),
            false => clean(&redacted(&error.render().to_string())).into_owned(),
        };
        printer.write_stderr(&text.trim_end());
    }
    Ok(Exit::Usage)
}

/// Whether nothing but clap's own colours would act on a terminal, and nothing in it is secret.
fn is_harmless(error: &clap::Error) -> bool {
    let text = error.render().to_string();
    matches!(clean(&text), Cow::Borrowed(_)) && redacted(&text) == text
}

/// clap's error as kind, message and hint.
pub(crate) fn usage_shape(error: &clap::Error) -> ErrorShape {
    if let Some((message, hint)) = number_complaint(error) {
        return ErrorShape {
            kind: "usage",
            message: redacted(&message),
            hint: Some(hint),
            exit: Exit::Usage,
        };
    }
    let text = redacted(&error.render().to_string());
    let message = text.split("\n\n").next().unwrap_or(&text);
    let message = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => "a command is missing",
        _ => message.strip_prefix("error: ").unwrap_or(message),
    };
    ErrorShape {
        kind: "usage",
        message: single_spaced(message),
        hint: Some(redacted(&hint(error))),
        exit: Exit::Usage,
    }
}

/// What is wrong with a value that is not the number which its option takes, and what to give instead: what the
/// parsers of numbers say is about digits.
fn number_complaint(error: &clap::Error) -> Option<(String, String)> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let value = text(ContextKind::InvalidValue)?;
    let option = text(ContextKind::InvalidArg)?.split(' ').next()?;
    let source = error.source()?;
    let kind = source
        .downcast_ref::<ParseIntError>()
        .map(ParseIntError::kind);
    let what = match kind {
        Some(IntErrorKind::PosOverflow) => "larger than any such number".to_owned(),
        Some(IntErrorKind::Zero) => "not a whole number of at least 1".to_owned(),
        Some(_) if value.starts_with('-') => "not a whole number of at least 0".to_owned(),
        Some(_) => "not a whole number".to_owned(),
        None if source.is::<ParseFloatError>() => "not a number such as 0.5".to_owned(),
        None => number_range(&source.to_string())?,
    };
    let message = format!("`{option}` is `{}`, {what}", printable(value));
    Some((message, "`--help` says what it is for".to_owned()))
}

/// The range that clap's parsers say a number is not in, in words.
fn number_range(told: &str) -> Option<String> {
    let (_, range) = told.split_once(" is not in ")?;
    let (least, most) = range.split_once("..")?;
    let most = most.trim_start_matches('=');
    let is_open = most.is_empty() || most.len() > u32::MAX.ilog10() as usize;
    Some(match is_open {
        true => format!("not a whole number of at least {least}"),
        false => format!("not a whole number from {least} to {most}"),
    })
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

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    #[derive(clap::Parser, Debug)]
    struct Numbers {
        #[arg(long)]
        count: Option<usize>,
        #[arg(long)]
        some: Option<NonZeroUsize>,
        #[arg(long)]
        part: Option<f64>,
        #[arg(long, value_parser = clap::value_parser!(u8).range(1..=5))]
        level: Option<u8>,
        #[arg(long)]
        days: Option<u32>,
        #[arg(long)]
        bytes: Option<u64>,
    }

    #[test]
    fn a_number_out_of_range_is_told_with_the_range() {
        let command = <Numbers as clap::CommandFactory>::command();
        let command = command.mut_args(crate::table::with_negatives);
        for (option, value, wanted) in [
            ("--count", "-1", "not a whole number of at least 0"),
            ("--count", "few", "not a whole number"),
            (
                "--count",
                "99999999999999999999",
                "larger than any such number",
            ),
            ("--some", "0", "not a whole number of at least 1"),
            ("--part", "half", "not a number such as 0.5"),
            ("--level", "-3", "not a whole number from 1 to 5"),
            ("--level", "9", "not a whole number from 1 to 5"),
            ("--days", "-1", "not a whole number of at least 0"),
            ("--bytes", "-1", "not a whole number of at least 0"),
        ] {
            let error = command
                .clone()
                .try_get_matches_from(["numbers", option, value]);
            let told = usage_shape(&error.unwrap_err());
            assert_eq!(told.message, format!("`{option}` is `{value}`, {wanted}"));
            assert!(told.hint.is_some());
        }
        let negative = command.try_get_matches_from(["numbers", "--part", "-1.5"]);
        assert_eq!(negative.unwrap().get_one::<f64>("part"), Some(&-1.5));
    }
}
