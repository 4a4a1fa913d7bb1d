//! Asking before something that cannot be taken back.

use std::io::{BufRead as _, IsTerminal as _};

use crate::context::Context;
use crate::usage::UsageError;

/// How far a removal goes.
#[derive(clap::Args, Debug)]
#[group(skip)]
pub(crate) struct RemovalArgs {
    /// Show what would go, and change nothing
    #[arg(long, short = 'n')]
    pub(crate) dry_run: bool,
    /// Do not ask
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
}

/// The person said no.
#[derive(Debug, thiserror::Error)]
#[error("nothing was changed")]
pub(crate) struct Declined;

impl Context {
    /// Asks on a terminal; elsewhere `--yes` must have been given.
    ///
    /// # Errors
    /// The answer is no, or there is nobody to ask.
    pub(crate) fn require_confirmation(&self, question: &str, yes: bool) -> anyhow::Result<()> {
        if yes {
            return Ok(());
        }
        if !self.is_interactive() {
            let hint = "give --yes where it is meant";
            return Err(UsageError::new("there is no terminal to ask on", hint).into());
        }
        match self.ask_agreement(question)? {
            true => Ok(()),
            false => Err(Declined.into()),
        }
    }

    /// Asks whoever sits at the terminal.
    ///
    /// # Errors
    /// The terminal cannot be read.
    pub(crate) fn ask_agreement(&self, question: &str) -> std::io::Result<bool> {
        let answer = self.ask_line(&format!("{question} [y/N]"))?;
        let answer = answer.unwrap_or_default().to_ascii_lowercase();
        Ok(matches!(answer.as_str(), "y" | "yes"))
    }

    /// Asks whoever sits at the terminal for a line; `None` where it is empty.
    ///
    /// # Errors
    /// The terminal cannot be read.
    pub(crate) fn ask_line(&self, question: &str) -> std::io::Result<Option<String>> {
        self.printer.write_stderr(&question);
        let mut answer = String::new();
        std::io::stdin().lock().read_line(&mut answer)?;
        let answer = answer.trim();
        Ok((!answer.is_empty()).then(|| answer.to_owned()))
    }

    /// Whether there is a person to ask.
    pub(crate) fn is_interactive(&self) -> bool {
        std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
    }
}
