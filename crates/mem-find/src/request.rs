//! What is asked of a recall.

use mem_core::Diagnose;
use mem_recall::{RankFilter, RankWeights};
use serde::{Deserialize, Serialize};

/// A prompt of more bytes is refused.
pub const PROMPT_BYTES_MAX: u64 = 16 << 20;

/// A prompt beyond every use.
#[derive(Debug, thiserror::Error, Diagnose)]
#[diagnose(
    Invalid,
    hint = "only its first line and its last question are searched with: give those"
)]
#[error("the prompt is larger than {} MiB", PROMPT_BYTES_MAX >> 20)]
pub struct PromptTooLarge;

/// What chooses the notes in place of their rank.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum RecallChoice {
    /// Somebody has chosen already: the labels of the notes, best first.
    Labels(Vec<String>),
    /// They cite a file, or a symbol of a part of it.
    CitedFile {
        /// The path in the checkout.
        path: String,
        /// The identifiers that stand in the part.
        words: Vec<String>,
    },
}

/// A question.
#[derive(Clone, Debug)]
pub struct RecallRequest {
    /// The prompt; any text.
    pub prompt: String,
    /// At most so many notes.
    pub limit: usize,
    /// How sure it must be that a note helps, from 0 (never abstain) to 1.
    pub min_score: f32,
    /// Which notes may be ranked at all. Excluded keys are those of the index.
    pub filter: RankFilter,
    /// Files that are not wanted: names within a tier, or paths.
    pub exclude: Vec<String>,
    /// Where something else than the rank chooses: nothing but that counts then.
    pub choice: Option<RecallChoice>,
    /// Tools that are in use: notes that merely document them are not needed.
    pub tools: Vec<String>,
    /// The session that asks; what it has seen is not brought again.
    pub session: Option<String>,
    /// What counts how much.
    pub weights: RankWeights,
}
