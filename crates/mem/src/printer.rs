//! stdout is data, stderr is talk: the only place that writes to either.

use std::collections::BTreeSet;
use std::fmt::{self, Display};
use std::io::{self, IsTerminal as _, Write};
use std::sync::{Arc, Mutex};

use anstream::{AutoStream, ColorChoice};
use mem_core::run::Notices;
use serde::Serialize;

use crate::exit::Exit;
use crate::globals::Globals;
use crate::sanitize::{clean, escape_json, of_ours};
use crate::style;
use mem_team::masking;

/// Writes what a run has to say, where and how the global flags want it.
#[derive(Clone, Debug)]
pub(crate) struct Printer {
    /// Whether data and errors are JSON.
    pub json: bool,
    quiet: bool,
    verbose: bool,
    /// The choice of `--color`, where it is no `auto`.
    pub color: Option<ColorChoice>,
    /// Whether data is swallowed.
    muted: bool,
    /// What [`Printer::warn_once`] has said; the same for all copies.
    told: Arc<Mutex<BTreeSet<String>>>,
}

/// Standard output could not be written. A closed pipe is not an error: the reader had enough.
#[derive(Debug, thiserror::Error, mem_core::Diagnose)]
#[error("cannot write to standard output")]
#[diagnose(
    Io,
    hint = "what the command changed before stays changed: `mem history` lists changes"
)]
pub(crate) struct OutputError(#[from] io::Error);

impl OutputError {
    /// Whether the reader went away, as `head` does.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        self.0.kind() == io::ErrorKind::BrokenPipe
    }
}

impl Printer {
    /// A printer that follows the global flags.
    pub(crate) fn new(globals: &Globals) -> Self {
        Self {
            json: globals.json,
            quiet: globals.quiet,
            verbose: globals.verbose > 0,
            color: globals.color.and_then(crate::globals::Color::fixed_choice),
            muted: false,
            told: Arc::default(),
        }
    }

    /// A printer that swallows data, for a command that runs inside another one's.
    pub(crate) fn muted(&self) -> Self {
        Self {
            muted: true,
            ..self.clone()
        }
    }

    /// One line of data for people. Foreign text in it has gone through [`clean`], which also takes its colours.
    pub(crate) fn line(&self, text: impl Display) -> Result<(), OutputError> {
        if self.muted {
            return Ok(());
        }
        let stdout = io::stdout().lock();
        let choice = self.color.unwrap_or_else(|| AutoStream::choice(&stdout));
        let mut stream = AutoStream::new(stdout, choice);
        writeln!(stream, "{}", of_ours(&text.to_string()))?;
        Ok(stream.flush()?)
    }

    /// Bytes as they are; a terminal gets what it can show of them.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Result<(), OutputError> {
        if self.muted {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        match stdout.is_terminal() {
            true => stdout.write_all(clean(&String::from_utf8_lossy(bytes)).as_bytes())?,
            false => stdout.write_all(bytes)?,
        }
        Ok(stdout.flush()?)
    }

    /// A value as one line of JSON.
    pub(crate) fn print_json(&self, value: &impl Serialize) -> Result<(), OutputError> {
        let text = serde_json::to_string(value).map_err(io::Error::from)?;
        let mut text = escape_json(text);
        text.push('\n');
        self.raw(text.as_bytes())
    }

    /// What came of a command: a value for programs, or a line for people.
    pub(crate) fn print_answer(
        &self,
        value: &impl Serialize,
        line: impl Display,
    ) -> Result<Exit, OutputError> {
        match self.json {
            true => self.print_json(value)?,
            false => self.line(line)?,
        }
        Ok(Exit::Ok)
    }

    /// The same with a line for each thing of a list, and a remark where there is none.
    pub(crate) fn print_list(
        &self,
        value: &impl Serialize,
        mut lines: impl ExactSizeIterator<Item = String>,
        none: &str,
    ) -> Result<Exit, OutputError> {
        if self.json {
            self.print_json(value)?;
            return Ok(Exit::Ok);
        }
        if lines.len() == 0 {
            self.say(none);
        }
        lines.try_for_each(|line| self.line(line))?;
        Ok(Exit::Ok)
    }

    /// A remark that `--quiet` silences.
    pub(crate) fn say(&self, text: impl Display) {
        if !self.quiet {
            self.write_stderr(&text);
        }
    }

    /// What came of a command, in words; with `--json` the data says it.
    pub(crate) fn say_outcome(&self, text: impl Display) {
        if !self.json {
            self.say(text);
        }
    }

    /// A remark that only `--verbose` shows.
    pub(crate) fn detail(&self, text: impl Display) {
        if self.verbose {
            self.say(clean(&masking::masked_quote(&text.to_string())));
        }
    }

    /// Whether remarks are wanted, and not only JSON.
    pub(crate) fn is_talkative(&self) -> bool {
        !self.quiet && !self.json
    }

    /// Replaces the last line of a terminal's stderr; an empty text clears it.
    pub(crate) fn transient(&self, text: &str) {
        // That nobody sees it is no reason to fail.
        let _ = write!(io::stderr().lock(), "\r\x1b[K{}", clean(text));
    }

    /// Something that went another way than the caller may think.
    pub(crate) fn print_warning(&self, text: impl Display) {
        if !self.quiet {
            self.warn_always(text);
        }
    }

    /// A warning that `--quiet` does not silence.
    pub(crate) fn warn_always(&self, text: impl Display) {
        let text = text.to_string();
        self.write_stderr(&format_args!(
            "{}: {}",
            styled_word(style::WARNING, "warning"),
            clean(&masking::masked_quote(&text))
        ));
    }

    /// Something that failed. `--quiet` does not silence it.
    pub(crate) fn print_error(&self, message: &str, hint: Option<&str>) {
        let word = styled_word(style::ERROR, "error");
        let message = masking::masked_quote(message);
        self.write_stderr(&format_args!("{word}: {}", clean(&message)));
        if let Some(hint) = hint {
            let word = styled_word(style::HINT, "hint");
            self.write_stderr(&format_args!("{word}: {}", clean(hint)));
        }
    }

    /// One line of a log on stderr, as it is: in one piece, whoever else writes there.
    #[cfg(feature = "server")]
    pub(crate) fn log_line(&self, line: &str) {
        let whole = [line.as_bytes(), b"\n"].concat();
        let _ = io::stderr().lock().write_all(&whole);
    }

    /// One line on stderr. That nobody reads it is no reason to fail.
    pub(crate) fn write_stderr(&self, text: &dyn Display) {
        let stderr = io::stderr().lock();
        let choice = self.color.unwrap_or_else(|| AutoStream::choice(&stderr));
        let text = text.to_string();
        let _ = writeln!(AutoStream::new(stderr, choice), "{}", of_ours(&text));
    }
}

impl Notices for Printer {
    fn warn(&self, text: &str) {
        self.print_warning(text);
    }

    fn warn_of_place(&self, text: &str) {
        if !self.json {
            self.warn_once(text);
        }
    }

    fn warn_once(&self, text: &str) {
        let told = self.told.lock();
        if told.is_ok_and(|mut told| told.insert(text.to_owned())) {
            self.print_warning(text);
        }
    }

    fn say(&self, text: &str) {
        Self::say(self, text);
    }

    fn detail(&self, text: fmt::Arguments<'_>) {
        Self::detail(self, text);
    }
}

/// A word in a style.
fn styled_word(style: anstyle::Style, word: &str) -> String {
    format!("{style}{word}{style:#}")
}
