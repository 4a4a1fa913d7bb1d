//! Recalling for a project: through its daemon where one runs, else from the files.

use mem_core::RunContext;
use mem_core::location::ProjectContext;
use mem_core::memory::ProjectMemory;
use mem_core::run::HomeError;
use mem_core::store::StoreError;

use crate::answer::{RecallContext, answer_request};
use crate::encoding::PromptEncoding;
use crate::recall_answer::RecallAnswer;
use crate::request::RecallRequest;
use crate::verdicts::Verdicts;
use crate::{refresh_process, remote_recall, settings};

/// Why a question has no answer.
#[derive(Debug, thiserror::Error, mem_core::Diagnose)]
pub enum RecallError {
    /// There is no home directory.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// A memory directory cannot be listed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Answers a question, and sends a process to index what has changed, where that is allowed.
///
/// # Errors
/// There is no home directory, or a memory directory cannot be listed.
pub fn answer_with_warnings(
    request: &RecallRequest,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<RecallAnswer, RecallError> {
    let answer = answer_without_warnings(request, place, run)?;
    for warning in &answer.warnings {
        run.print_warning(warning);
    }
    Ok(answer)
}

/// The same without a word: an answer tells its warnings itself.
///
/// # Errors
/// There is no home directory, or a memory directory cannot be listed.
pub fn answer_without_warnings(
    request: &RecallRequest,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<RecallAnswer, RecallError> {
    let answer = match remote_recall::ask_daemon(request, place, run) {
        Some(answer) => answer,
        None => answer_from_files(request, place, run)?,
    };
    if place.config.values.recall.background && answer.is_behind {
        refresh_process::send_refresh(run.dirs()?, &run.cwd);
    }
    Ok(answer)
}

/// Answers a question from the files: what a running daemon does as well, with its index at hand.
///
/// # Errors
/// There is no home directory, or a memory directory cannot be listed.
fn answer_from_files(
    request: &RecallRequest,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<RecallAnswer, RecallError> {
    let dirs = run.dirs()?;
    std::thread::scope(|scope| {
        let encoding = PromptEncoding::begin_encoding(scope, &request.prompt, dirs);
        answer_from_files_while(encoding, request, place, run)
    })
}

/// The same with a prompt that is being encoded already.
///
/// # Errors
/// As [`answer_from_files`].
pub(crate) fn answer_from_files_while(
    encoding: PromptEncoding<'_>,
    request: &RecallRequest,
    place: &ProjectContext,
    run: &RunContext,
) -> Result<RecallAnswer, RecallError> {
    let memory = ProjectMemory::new(&place.location, run.dirs()?);
    let asked = RecallContext {
        memory: &memory,
        git_dir: place.project.git_dir.as_deref(),
        verdicts: Some(&Verdicts::for_place(place, run)?),
        now: run.now,
        storing: settings::storing_mode(&place.config),
    };
    Ok(answer_request(encoding, request, &asked)?)
}
