//! What any plan has to stand before it is carried out, whoever made it.

use std::collections::BTreeSet;

use mem_core::Diagnose;
use mem_core::memory::Note;
use mem_core::memory_path::InvalidPath;
use mem_core::store::StoreError;
use mem_core::topic::{InvalidTopic, TopicFile};
use mem_recall::text::Stems;

use super::DistillInput;
use super::plan::{DistillPlan, PlannedFile, To};
use super::sentence::Sentence;
use super::topic_page::{self, Statement};

const PLAN_HINT: &str = "nothing was changed; `mem dream --dry-run` shows the plan";

/// Why a plan is not carried out. Nothing was changed.
#[derive(Debug, thiserror::Error, Diagnose)]
pub enum DreamError {
    /// A memory is not what was read.
    #[error("`{0}` was changed while the plan was made")]
    #[diagnose(
        Conflict,
        hint = "run it again: the plan is made anew from what stands there now"
    )]
    Changed(String),
    /// A plan that touches what was never read.
    #[error("the plan touches `{0}`, which was not read")]
    #[diagnose(Refused, hint = PLAN_HINT)]
    Unread(String),
    /// A plan that touches too much.
    #[error("the plan touches {touched} memories, at most {most} may be touched at once")]
    #[diagnose(
        Refused,
        hint = "`mem config set dream.max_share` says how much may be"
    )]
    TooMuch {
        /// So many it touches.
        touched: usize,
        /// So many it may.
        most: usize,
    },
    /// A plan that touches what is pinned.
    #[error("the plan takes `{0}` away, which is pinned or somebody's own")]
    #[diagnose(Refused, hint = PLAN_HINT)]
    NotOurs(String),
    /// A plan by which something is lost.
    #[error("by the plan `{file}` would no longer say \"{text}\", and nothing says why")]
    #[diagnose(Refused, hint = PLAN_HINT)]
    Lost {
        /// The memory.
        file: String,
        /// What it says.
        text: String,
    },
    /// A clock that cannot be right: what is newer could not be told.
    #[error("the clock says {0}")]
    #[diagnose(Invalid, hint = "set the clock of this machine, and run it again")]
    Clock(String),
    /// A text cannot be a memory.
    #[error(transparent)]
    Topic(#[from] InvalidTopic),
    /// A name cannot be one of a file.
    #[error(transparent)]
    Path(#[from] InvalidPath),
    /// The store would not.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Checks a plan against what it was made from.
///
/// # Errors
/// The first thing that it may not do.
pub fn check_plan(plan: &DistillPlan, given: &DistillInput<'_>) -> Result<(), DreamError> {
    let touched = plan
        .wishes
        .iter()
        .filter(|wish| wish.from.is_some())
        .count();
    let most = given.touchable_count();
    if touched > most {
        return Err(DreamError::TooMuch { touched, most });
    }
    let retired: BTreeSet<&str> = plan
        .retired
        .iter()
        .map(|one| one.old.text.as_str())
        .collect();
    for wish in &plan.wishes {
        if let To::New(new) = &wish.to {
            new.validate()?;
        }
        if let Some((file, digest)) = &wish.from {
            let note = given.notes.iter().find(|note| note.file == *file);
            let read =
                note.filter(|note| mem_core::history::Sha256::digest(&note.bytes) == *digest);
            let note = read.ok_or_else(|| DreamError::Unread(file.clone()))?;
            check_touched(note, wish, plan, &retired, given.is_pinned(note))?;
        }
    }
    Ok(())
}

fn check_touched(
    note: &Note,
    wish: &PlannedFile,
    plan: &DistillPlan,
    retired: &BTreeSet<&str>,
    is_pinned: bool,
) -> Result<(), DreamError> {
    let body = note.topic.text(&note.bytes);
    let is_ours = note.topic.tags.iter().any(|tag| tag == topic_page::TAG);
    let statements = topic_page::read(&body).filter(|_| is_ours);
    let is_taken_away = matches!(wish.to, To::Archived);
    if is_pinned || (is_taken_away && statements.is_none()) {
        return Err(DreamError::NotOurs(note.file.clone()));
    }
    let after = match &wish.to {
        To::Changed { bytes, .. } => TopicFile::parse(bytes).text(bytes).into_owned(),
        To::New(_) | To::Archived => String::new(),
    };
    let lost = |text: &str| DreamError::Lost {
        file: note.file.clone(),
        text: text.to_owned(),
    };
    let Some(statements) = statements else {
        // Somebody's own words stay below what came on top.
        return match after.trim_end().ends_with(body.trim()) {
            true => Ok(()),
            false => Err(lost(body.lines().next().unwrap_or_default())),
        };
    };
    let is_broken = plan
        .retired
        .iter()
        .any(|one| one.file == note.file && one.why == super::SupersededReason::Broken);
    let after = topic_page::read(&after).unwrap_or_default();
    let gone = statements
        .iter()
        .find(|one| !is_broken && !retired.contains(one.text.as_str()) && !is_said(one, &after));
    match gone {
        Some(one) => Err(lost(&one.text)),
        None => Ok(()),
    }
}

/// Whether a statement stands there, in these words or in more.
fn is_said(one: &Statement, after: &[Statement]) -> bool {
    let mut stems = Stems::default();
    let mut read = |text: &str| Sentence::read(text, one.date, &mut stems);
    let wanted = read(&one.text);
    after
        .iter()
        .any(|other| other.text == one.text || wanted.is_within(&read(&other.text)))
}
