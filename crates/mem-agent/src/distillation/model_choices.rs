//! The word of a model on what is new. Without one, or where it does not answer as it should, rules decide.

use std::collections::BTreeMap;

use crate::dream::{BULLETS_MAX, Bullet, Choice, ModelChoices, build_question, parse_choices};
use crate::model::{Model, ModelQuestion};
use mem_core::memory::Note;

/// So many questions are asked in one run; what is left is for the rules.
const QUESTIONS_MAX: usize = 8;

/// What a model said of bullets, and why it did not of others.
pub(super) fn ask_model(
    model: &Model,
    bullets: &[Bullet],
    notes: &[Note],
) -> (BTreeMap<String, Choice>, Vec<String>) {
    let (mut chosen, mut warnings) = (BTreeMap::new(), Vec::new());
    // What holds a secret is shown to nobody.
    let shown: Vec<&Bullet> = bullets.iter().filter(|one| !one.is_secret).collect();
    for part in shown.chunks(BULLETS_MAX).take(QUESTIONS_MAX) {
        let answer = match model.ask_model(ModelQuestion::Distill, &build_question(part, notes)) {
            Ok(answer) => answer,
            Err(error) => {
                warnings.push(format!("distilled by rules: {error}"));
                break;
            }
        };
        match parse_choices(&answer, part) {
            ModelChoices::Chosen(choices) => chosen.extend(choices),
            ModelChoices::Refused(why) => {
                warnings.push(format!(
                    "the model's plan was refused: {why}; distilled by rules"
                ));
            }
        }
    }
    (chosen, warnings)
}
