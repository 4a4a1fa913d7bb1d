//! Everyday prompts that no note is needed for: chatter, small edits, textbook questions.
//!
//! `models/decoys.txt` has some, `models/decoys.bin` their sentence vectors, packed; `models/gate.bin` a
//! direction that tells questions about a project from them (a base and 384 factors). A prompt that
//! is like these is little reason to recall anything.

use crate::encoder::WIDTH;
use crate::index::PART;
use crate::model::f32_at;
use crate::packed_vector::cosine_with_packed;
use crate::vector::Embedding;

static DECOYS: &[u8] = include_bytes!("../models/decoys.bin");
static GATE: &[u8; 4 * (1 + WIDTH)] = include_bytes!("../models/gate.bin");

/// So many of the nearest everyday prompts count.
const NEAREST: usize = 5;

/// How a prompt stands to everyday ones.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct EverydayPrompt {
    /// The mean cosine with the nearest everyday prompts.
    pub common: f32,
    /// Above 0 where it reads like a question about a project, below where it does not.
    pub gate: f32,
}

impl EverydayPrompt {
    /// Measures a prompt.
    pub(crate) fn from_vector(vector: &Embedding<WIDTH>) -> Self {
        let stored = DECOYS.chunks_exact(PART);
        let mut cosines: Vec<f32> = stored
            .filter_map(|decoy| cosine_with_packed(vector, decoy))
            .collect();
        cosines.sort_by(|a, b| b.total_cmp(a));
        let common = cosines.iter().take(NEAREST).sum::<f32>() / NEAREST as f32;
        let factors = (1..=WIDTH).map(|i| f32_at(GATE, i));
        let gate = f32_at(GATE, 0)
            + vector
                .unit_values()
                .zip(factors)
                .map(|(v, f)| v * f)
                .sum::<f32>();
        Self { common, gate }
    }
}

#[cfg(all(test, feature = "encoder"))]
mod tests {
    use super::*;
    use crate::encoder::Encoder;

    #[test]
    fn the_file_holds_the_vectors_of_the_prompts() {
        let texts: Vec<&str> = include_str!("../models/decoys.txt").lines().collect();
        assert_eq!(DECOYS.len(), texts.len() * PART);
        for (text, stored) in texts.iter().zip(DECOYS.chunks_exact(PART)) {
            let cosine =
                Encoder::text_vector(text, 64).and_then(|v| cosine_with_packed(&v, stored));
            assert!(cosine.is_some_and(|c| c > 0.85), "{text}: {cosine:?}");
        }
    }

    #[test]
    fn chatter_stands_apart_from_a_question_about_a_project() {
        let of = |text| {
            Encoder::text_vector(text, 64)
                .map(|v| EverydayPrompt::from_vector(&v))
                .unwrap_or_default()
        };
        let (chatter, question) = (
            of("thanks, please go on"),
            of("why did we drop the tenant column from billing?"),
        );
        assert!(
            chatter.common > question.common + 0.1,
            "{chatter:?} {question:?}"
        );
        assert!(chatter.gate < question.gate, "{chatter:?} {question:?}");
    }
}
