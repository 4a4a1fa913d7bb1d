//! The arguments of a question to recall, shared by the commands that ask one.

use std::io::Read as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::{Config, MemoryType, Scope};
use mem_find::by_file;
use mem_find::recall::answer_with_warnings;
use mem_find::recall_answer::RecallAnswer;
use mem_find::region::FileRegion;
use mem_find::request::{PROMPT_BYTES_MAX, PromptTooLarge, RecallChoice, RecallRequest};
use mem_find::settings;
use mem_recall::RankFilter;

use crate::context::Context;
use mem_agent::select::selected_labels;

/// A question.
#[derive(clap::Args, Debug)]
pub(crate) struct PersonQuestion {
    /// The prompt, or `-` for standard input
    #[arg(allow_hyphen_values = true, required_unless_present = "file")]
    prompt: Option<String>,
    /// Instead of a prompt: the memories that cite this file, or a symbol of these lines of it, as an agent gets them
    /// before it reads or edits them
    #[arg(long, value_name = "PATH[:LINE[-LINE]]", conflicts_with_all = ["prompt", "select"])]
    file: Option<PathBuf>,
    /// At most so many memories [default: recall.limit, which is 5]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// At most so many characters of context, in whole entries [default: recall.budget_chars, 2500]
    #[arg(long, value_name = "N")]
    budget_chars: Option<usize>,
    /// How sure it must be that a memory helps, from 0 (never abstain) to 1 [default: 0.5]
    #[arg(long, value_name = "X", value_parser = parse_confidence)]
    min_score: Option<f32>,
    /// Tools that are in use: notes that merely document them are skipped, warnings are not
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    tools_in_use: Vec<String>,
    /// A file that is not wanted; may be given several times
    #[arg(long, value_name = "FILE")]
    exclude: Vec<String>,
    /// Only one tier: private, team or global
    #[arg(long)]
    scope: Option<Scope>,
    /// Only memories of this type: user, feedback, project or reference
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<MemoryType>,
    /// Only memories with this tag; of several, one must be there
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Let the model of the settings (`model.command` or `model.api`) choose; by rank where it does not answer
    #[arg(long)]
    select: bool,
    /// The session that asks: what it has seen is not brought again unless it changed
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

/// The text is no such number.
#[derive(Debug, thiserror::Error)]
#[error("not a number from 0 to 1")]
pub(crate) struct NotAConfidence;

impl PersonQuestion {
    /// Answers the question from the memory of a place; where memory is off there is none.
    ///
    /// # Errors
    /// The prompt cannot be read; a memory directory cannot be listed.
    pub(crate) fn ask_memory(
        &self,
        place: &ProjectContext,
        context: &Context,
    ) -> Result<RecallAnswer> {
        if !place.location.enabled {
            context.printer.detail("memory is off here");
            return Ok(RecallAnswer {
                off_by: place.location.disabled_by.clone(),
                ..RecallAnswer::default()
            });
        }
        if let Some(file) = &self.file {
            let limit = self.limit.unwrap_or(by_file::MEMORIES_MAX);
            let (file, region) = FileRegion::split_path(file, &context.cwd)?;
            let part = (&*file, &region);
            let request =
                by_file::citing_request(part, limit, self.session(), place, &context.cwd)?;
            return Ok(answer_with_warnings(&request, place, context)?);
        }
        let mut request = self.recall_request(&place.config)?;
        if self.select {
            let memory = ProjectMemory::new(&place.location, context.dirs()?);
            let labels = selected_labels(&request, &memory, place, context);
            request.choice = labels.map(RecallChoice::Labels);
        }
        Ok(answer_with_warnings(&request, place, context)?)
    }

    /// The characters that the context may fill.
    pub(crate) fn budget_chars(&self, config: &Config) -> usize {
        let recall = &config.values.recall;
        let default = match self.file {
            Some(_) => recall.file_chars,
            None => recall.budget_chars,
        };
        self.budget_chars.unwrap_or(default)
    }

    /// How sure it must be.
    pub(crate) fn min_score(&self, config: &Config) -> f32 {
        let default = config.values.recall.min_score;
        self.min_score.unwrap_or(default.0 as f32)
    }

    /// The session, where one was named.
    pub(crate) fn session(&self) -> Option<&str> {
        self.session.as_deref()
    }

    fn recall_request(&self, config: &Config) -> Result<RecallRequest> {
        let scope = self.scope.map(Scope::as_str);
        let kind = self.kind.map(MemoryType::as_str);
        Ok(RecallRequest {
            prompt: read_prompt(self.prompt.as_deref().unwrap_or("-"))?,
            limit: self.limit.unwrap_or(config.values.recall.limit),
            min_score: self.min_score(config),
            filter: RankFilter {
                kinds: kind.into_iter().map(str::to_owned).collect(),
                scopes: scope.into_iter().map(str::to_owned).collect(),
                tags: self.tags.clone(),
                ..RankFilter::default()
            },
            exclude: self.exclude.clone(),
            choice: None,
            tools: self.tools_in_use.clone(),
            session: self.session.clone(),
            weights: settings::rank_weights(config),
        })
    }
}

/// How sure one can be.
pub(crate) fn parse_confidence(text: &str) -> Result<f32, NotAConfidence> {
    let number = text.parse().map_err(|_| NotAConfidence)?;
    match (0.0..=1.0).contains(&number) {
        true => Ok(number),
        false => Err(NotAConfidence),
    }
}

/// The prompt: the argument, or standard input. Bytes that are no text are replaced.
fn read_prompt(argument: &str) -> Result<String> {
    if argument != "-" {
        return Ok(argument.to_owned());
    }
    let mut bytes = Vec::new();
    let stdin = std::io::stdin().lock();
    stdin
        .take(PROMPT_BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .context("cannot read standard input")?;
    if bytes.len() as u64 > PROMPT_BYTES_MAX {
        return Err(PromptTooLarge.into());
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
