//! Everyday prompts that no note is needed for: chatter, small edits, textbook questions. A prompt
//! that is nearer to these than to any note is no reason to recall one.
//!
//! `models/decoys.txt` has the prompts, `models/decoys.bin` their sentence vectors.

use crate::encoder::WIDTH;
use crate::vector::Vector;

static FILE: &[u8] = include_bytes!("../models/decoys.bin");

/// So many of the nearest decoys count.
const NEAREST: usize = 5;

/// The mean cosine of a prompt with its nearest decoys.
pub(crate) fn nearness(prompt: &Vector<WIDTH>) -> f32 {
    let stored = FILE.chunks_exact(Vector::<WIDTH>::BYTES);
    let mut cosines: Vec<f32> = stored.filter_map(|decoy| prompt.cosine_with(decoy)).collect();
    cosines.sort_by(|a, b| b.total_cmp(a));
    cosines.truncate(NEAREST);
    cosines.iter().sum::<f32>() / NEAREST as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::Encoder;

    #[test]
    fn the_file_holds_the_vectors_of_the_prompts() {
        let texts: Vec<&str> = include_str!("../models/decoys.txt").lines().collect();
        assert_eq!(FILE.len(), texts.len() * Vector::<WIDTH>::BYTES);
        for (text, stored) in texts.iter().zip(FILE.chunks_exact(Vector::<WIDTH>::BYTES)) {
            let cosine = Encoder::embedded().vector(text, 64).and_then(|v| v.cosine_with(stored));
            assert!(cosine.is_some_and(|c| c > 0.85), "{text}: {cosine:?}");
        }
    }

    #[test]
    fn chatter_is_nearer_than_a_question_about_a_project() {
        let near = |text| Encoder::embedded().vector(text, 64).map_or(0.0, |v| nearness(&v));
        assert!(near("thanks, please go on") > near("why was the tenant column dropped from billing") + 0.1);
    }
}
